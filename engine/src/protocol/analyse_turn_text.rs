//! An analysis of a position of the Amazons as a page of text for people.

use std::io::{Result, Write};

use super::analyse_text::{budget_text, constants_text, field, start_text, wrapped};
use super::analyse_turn::{Evaluated, HalfAnalysis, HalfMoveRow, Searched, TurnAnalysis};
use crate::game::Position;
use crate::game::amazons::Amazons;

/// Most rows of half-moves for people; JSON has all.
const ROWS: usize = 12;

/// Writes the analysis of a position.
///
/// # Errors
/// A failed write.
pub fn write(analysis: &TurnAnalysis, position: &Amazons, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}", position.draw())?;
    let (ply, left) = (analysis.ply, analysis.empty_squares);
    let text = format!("{position}, ply {ply}, {left} squares empty");
    field(out, "position", &text)?;
    let player = position.to_move();
    let (Some(turn), Some(evaluation)) = (&analysis.best_turn, &analysis.evaluation) else {
        let winner = player.other();
        return field(
            out,
            "result",
            &format!("{player} cannot move: {winner} has won"),
        );
    };
    field(out, "plays", &format!("{turn} for {player}"))?;
    field(out, "budget", &budget_text(&analysis.budget, analysis.seed))?;
    write_evaluation(evaluation, out)?;
    let exact = match &analysis.exact {
        Some(exact) => format!(
            "a {} for {player}, proven, {} nodes",
            exact.result, exact.nodes
        ),
        None => format!(
            "not solved within {} units of work (--solve-work)",
            analysis.solve_work
        ),
    };
    field(out, "exact", &exact)?;
    for half in &analysis.halves {
        writeln!(out)?;
        write_half(half, out)?;
    }
    Ok(())
}

fn write_evaluation(it: &Evaluated, out: &mut dyn Write) -> Result<()> {
    let Evaluated {
        t1,
        t2,
        c1,
        c2,
        w,
        s,
        ..
    } = it;
    let terms = format!("t1 {t1:.4}, t2 {t2:.4}, c1 {c1:.4}, c2 {c2:.4}, w {w:.4}, S {s:.4}");
    field(out, "terms", &terms)?;
    let Evaluated {
        a,
        b,
        c,
        x,
        y,
        kappa,
        form,
        ..
    } = it;
    let weights = format!("a {a:.6}, b {b:.6}, c {c:.6} ({form}, X {x}, Y {y}, kappa {kappa})");
    field(out, "weights", &weights)?;
    field(
        out,
        "value",
        &format!("{:+.6} squares by the evaluation alone", it.value),
    )
}

fn write_half(half: &HalfAnalysis, out: &mut dyn Write) -> Result<()> {
    let searched = match &half.search {
        Searched::Uct { simulations: 0, .. } => "one move to consider, nothing searched".to_owned(),
        Searched::Uct {
            simulations,
            max_depth,
            tree_nodes,
            ..
        } => {
            format!("UCT, {simulations} simulations, {tree_nodes} nodes, deepest {max_depth} plies")
        }
        Searched::Deepening {
            depth_plies,
            evaluations,
            value,
        } => format!(
            "{}, depth {depth_plies}, {evaluations} evaluations, value {value:+.4}",
            half.stage.searcher.replace('_', " ")
        ),
        Searched::AlphaBeta { result } => format!("exact alpha-beta, a proven {result}"),
    };
    field(out, "half-move", &half.notation)?;
    let (stage, from) = (&half.stage.name, start_text(half.stage.from));
    field(out, "stage", &format!("{stage} ({from})"))?;
    field(
        out,
        "search",
        &format!("{searched}, {} units of work", half.work_units),
    )?;
    if !half.stage.constants.is_empty() {
        field(out, "constants", &constants_text(&half.stage))?;
    }
    if let Searched::Uct {
        principal_variation,
        ..
    } = &half.search
    {
        field(out, "expects", &principal_variation.join(" "))?;
    }
    write_rows(&half.moves, out)
}

fn write_rows(rows: &[HalfMoveRow], out: &mut dyn Write) -> Result<()> {
    let visited = rows.iter().filter(|row| row.visits > 0);
    if visited.clone().next().is_none() {
        return Ok(());
    }
    writeln!(
        out,
        "  {:<9}{:<8}{:>9}{:>9}{:>9}{:>9}{:>9}",
        "move", "class", "visits", "X", "G", "explore", "UCB"
    )?;
    for row in visited.take(ROWS) {
        let numbers = [row.mean, row.bias, row.exploration, row.ucb].map(Option::unwrap_or_default);
        let columns = numbers.map(|number| format!("{number:>9.4}")).concat();
        let (name, class, visits) = (&row.notation, row.class, row.visits);
        writeln!(out, "  {name:<9}{class:<8}{visits:>9}{columns}")?;
    }
    match rows.len().checked_sub(ROWS) {
        None | Some(0) => Ok(()),
        Some(more) => wrapped(out, "", 2, &format!("  and {more} more (--json lists all)")),
    }
}

//! An analysis as a page of text for people.

use std::io::{Result, Write};

use super::analyse::{
    Analysis, BudgetInForce, MoveRow, NamedMove, SearchSummary, SolveLimits, StageInForce,
    StartInForce,
};
use super::structure::{Part, Structure};
use crate::game::dots::{Dots, Edge};
use crate::game::{Outcome, Player, Position};

/// Widest line of text, in characters.
const WIDTH: usize = 96;
/// Where the texts beside the names begin.
const INDENT: usize = 12;

/// Writes the analysis of a position.
///
/// # Errors
/// A failed write.
pub fn write(analysis: &Analysis, position: &Dots, out: &mut dyn Write) -> Result<()> {
    writeln!(out, "{}", analysis.structure.draw(position))?;
    let (ply, left) = (analysis.ply, analysis.edges_left);
    field(
        out,
        "position",
        &format!("{position}, ply {ply}, {left} edges left"),
    )?;
    let [first, second] = analysis.score;
    let uncounted = match position.uncounted() {
        0 => String::new(),
        count => format!(", {count} complete boxes count for nobody"),
    };
    let score = format!("First {first}, Second {second}{uncounted}");
    let Some(best) = &analysis.best_move else {
        let result = result_text(position.margin());
        return field(
            out,
            "score",
            &format!("{score}; the game is over: {result}"),
        );
    };
    field(
        out,
        "score",
        &format!("{score}; {} to move", analysis.to_move),
    )?;
    write_stage(analysis, out)?;
    field(out, "plays", &played_text(analysis, best))?;
    if let Some(search) = &analysis.search {
        write_search(search, position, out)?;
    }
    write_exact(analysis, position, out)?;
    writeln!(out)?;
    write_structure(&analysis.structure, out)?;
    writeln!(out)?;
    write_moves(analysis, best, out)
}

/// Writes a named text over as many lines as it needs.
pub(super) fn field(out: &mut dyn Write, name: &str, text: &str) -> Result<()> {
    wrapped(out, &format!("{name:<INDENT$}"), INDENT, text)
}

/// Writes a text over as many lines as it needs, the first after `head`, the others indented.
pub(super) fn wrapped(out: &mut dyn Write, head: &str, indent: usize, text: &str) -> Result<()> {
    let mut line = head.to_owned();
    let mut is_empty = true;
    for word in text.split(' ') {
        let is_wide = line.chars().count() + 1 + word.chars().count() > WIDTH;
        if is_wide && !is_empty {
            writeln!(out, "{}", line.trim_end())?;
            line = " ".repeat(indent);
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line += word;
        is_empty = false;
    }
    writeln!(out, "{}", line.trim_end())
}

/// The move played and, where that is known, what it costs.
fn played_text(analysis: &Analysis, best: &NamedMove) -> String {
    let mut text = format!("{} ({})", best.notation, best.edge);
    let mut rows = analysis.moves.iter();
    let value = rows
        .find(|row| row.edge == best.edge)
        .and_then(|row| row.value);
    if let (Some(value), Some(exact)) = (value, &analysis.exact) {
        text += &match exact.value - value {
            0 => ", which is optimal".to_owned(),
            lost => format!(
                ", which loses {lost}: {value:+} instead of {:+}",
                exact.value
            ),
        };
    }
    text
}

/// Who wins with this final margin of First's.
pub(super) fn result_text(margin: i32) -> String {
    match Outcome::from_margin(margin) {
        Outcome::Win(player) => format!("{player} wins by {}", margin.abs()),
        Outcome::Draw => "a draw".to_owned(),
    }
}

/// Moves with their players: `First h0,0 h0,1; Second v2,2`. `note` follows each move.
fn line_text(start: &Dots, edges: &[u8], note: impl Fn(usize) -> String) -> String {
    let mut position = *start;
    let mut mover: Option<Player> = None;
    let mut text = String::new();
    for (index, &id) in edges.iter().enumerate() {
        let player = position.to_move();
        if mover != Some(player) {
            let semicolon = if mover.is_some() { ";" } else { "" };
            text += &format!("{semicolon} {player}");
        }
        mover = Some(player);
        text += &format!(" {}{}", position.format_turn(&[Edge(id)]), note(index));
        position.play(Edge(id));
    }
    text.trim_start().to_owned()
}

fn write_stage(analysis: &Analysis, out: &mut dyn Write) -> Result<()> {
    let stage = &analysis.stage;
    let from = start_text(stage.from);
    let searcher = match (stage.searcher, analysis.search.is_some()) {
        ("uct", _) => "UCT",
        ("leaf_ucb", _) => "UCB over all leaves",
        ("iterative_deepening", _) => "iterative deepening",
        ("principal_variation", _) => "principal variation search",
        (_, false) => "exact alpha-beta",
        // The budget ended before the proof.
        (_, true) => "exact alpha-beta, which gave up within its budget; UCT instead",
    };
    field(
        out,
        "stage",
        &format!("{} ({from}): {searcher}", stage.name),
    )?;
    if !stage.constants.is_empty() {
        field(out, "constants", &constants_text(stage))?;
    }
    let text = budget_text(&analysis.budget, analysis.seed);
    field(out, "budget", &text)
}

/// From when a stage acts.
pub(super) fn start_text(start: StartInForce) -> String {
    match start {
        StartInForce::Ply(ply) => format!("from ply {ply}"),
        StartInForce::EdgesLeft(edges) => format!("from {edges} edges left"),
        StartInForce::Filled(share) => format!("from {share} filled"),
        StartInForce::ProgressBelow(limit) => format!("from less than {limit} contested"),
        StartInForce::Solvable => "as soon as it can be solved".to_owned(),
    }
}

/// What a move may use, and the seed.
pub(super) fn budget_text(budget: &BudgetInForce, seed: u64) -> String {
    let amount = budget.amount.iter();
    let amount: Vec<String> = amount
        .map(|(unit, number)| format!("{number} {}", unit.replace('_', " ")))
        .collect();
    format!("{} a {}, seed {seed}", amount.join(", "), budget.per)
}

/// Names and values of a stage's constants.
pub(super) fn constants_text(stage: &StageInForce) -> String {
    let numbers = stage
        .constants
        .iter()
        .map(|(name, value)| format!("{name} {value}"));
    let words = stage
        .choices
        .iter()
        .map(|(key, word)| format!("{key} {word}"));
    numbers.chain(words).collect::<Vec<_>>().join(", ")
}

fn write_search(search: &SearchSummary, position: &Dots, out: &mut dyn Write) -> Result<()> {
    let text = match search.simulations {
        0 => "there is one move to consider, so nothing was simulated".to_owned(),
        count => format!(
            "{count} simulations, {} units of work, {} nodes, deepest {} plies",
            search.work_units, search.tree_nodes, search.max_depth
        ),
    };
    field(out, "search", &text)?;
    let line = &search.principal_variation;
    let edges: Vec<u8> = line.iter().map(|visited| visited.edge).collect();
    let text = line_text(position, &edges, |index| format!("×{}", line[index].visits));
    field(out, "expects", &text)
}

fn write_exact(analysis: &Analysis, position: &Dots, out: &mut dyn Write) -> Result<()> {
    let Some(exact) = &analysis.exact else {
        let SolveLimits { edges, work_units } = analysis.limits;
        let text = if analysis.edges_left > edges {
            format!("not solved: more than {edges} edges left (--solve-edges)")
        } else {
            format!("not solved within {work_units} units of work (--solve-work)")
        };
        return field(out, "value", &text);
    };
    let value = exact.value;
    let result = result_text(exact.final_margin);
    let text = format!("{value:+} over the boxes left, proven: {result} with best play");
    field(out, "value", &text)?;
    let edges: Vec<u8> = exact
        .line
        .iter()
        .map(|NamedMove { edge, .. }| *edge)
        .collect();
    field(
        out,
        "best play",
        &line_text(position, &edges, |_| String::new()),
    )
}

fn write_structure(structure: &Structure, out: &mut dyn Write) -> Result<()> {
    let safe: Vec<String> = structure.safe_edges.iter().map(u8::to_string).collect();
    let count = safe.len();
    let list = if safe.is_empty() {
        String::new()
    } else {
        format!(": {}", safe.join(" "))
    };
    field(out, "safe edges", &format!("{count}{list}"))?;
    let kinds = [
        ("chains", "chain", &structure.chains),
        ("loops", "loop", &structure.loops),
        ("capturable", "string", &structure.capturable),
    ];
    for (name, kind, parts) in kinds {
        let long = match name {
            "chains" => format!(", {} long", structure.long_chains),
            _ => String::new(),
        };
        field(out, name, &format!("{}{long}", parts.len()))?;
        for part in parts {
            field(out, "", &part_text(kind, part))?;
        }
    }
    if !structure.junctions.is_empty() {
        let boxes = structure.junctions.join(" ");
        field(
            out,
            "junctions",
            &format!("{} (*): {boxes}", structure.junctions.len()),
        )?;
    }
    let text = match structure.formula {
        Some(formula) if formula.exact => format!("{:+}, exact", formula.value),
        Some(formula) => format!(
            "about {:+}: chains meet, smallest peeled first",
            formula.value
        ),
        None => "does not apply".to_owned(),
    };
    field(out, "formula", &text)
}

fn part_text(kind: &str, part: &Part) -> String {
    let place = format!("{} ({})", part.notation, part.edge);
    let mut name = format!("{} {kind} of {}", part.mark, part.length);
    if kind == "chain" && part.long {
        name = format!("{} long chain of {}", part.mark, part.length);
    }
    let about = match (kind, part.closed, part.isolated) {
        ("string", true, _) => "closed, captured by",
        ("string", false, true) => "half-open to the border, captured by",
        ("string", false, false) => "half-open to other boxes, captured by",
        ("chain", _, true) => "isolated, opened by",
        _ => "opened by",
    };
    let offer = match (kind, part.long, part.closed) {
        ("string", true, true) => ", the last four may be left",
        ("string", true, false) => ", the last two may be left",
        _ => "",
    };
    format!(
        "{name}, {about} {place}{offer}; boxes {}",
        part.boxes.join(" ")
    )
}

fn write_moves(analysis: &Analysis, best: &NamedMove, out: &mut dyn Write) -> Result<()> {
    let search = analysis
        .search
        .as_ref()
        .filter(|search| search.simulations > 0);
    let mut head = format!("  {:>4} {:<7}{:<11}{:<6}", "edge", "place", "class", "list");
    if search.is_some() {
        head += &format!(
            "{:>9}{:>9}{:>9}{:>9}{:>9}",
            "visits", "X", "G", "explore", "UCB"
        );
    }
    if analysis.exact.is_some() {
        head += &format!("{:>7}", "value");
    }
    writeln!(out, "{head}")?;
    for row in &analysis.moves {
        let mark = if row.edge == best.edge { '*' } else { ' ' };
        let list = if row.sufficient { "yes" } else { "-" };
        let (edge, place, class) = (row.edge, &row.notation, row.class);
        let mut line = format!("{mark} {edge:>4} {place:<7}{class:<11}{list:<6}");
        if search.is_some() {
            line += &search_columns(row);
        }
        if let Some(value) = row.value {
            line += &format!("{value:>+7}");
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out)?;
    let mut legend = "* the move played; list: one of the moves that provably suffice".to_owned();
    if let Some(search) = search {
        legend += &format!(
            "; UCB = X + G + explore, explore = C sqrt(2 ln N / T), \
             T visits of the move, N = {} simulations, X mean value in 0 to 1",
            search.simulations
        );
    }
    if analysis.exact.is_some() {
        legend += "; value: boxes ahead over the boxes left after this move and best play";
    }
    wrapped(out, "", 2, &legend)
}

fn search_columns(row: &MoveRow) -> String {
    let number = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.4}"));
    let visits = row
        .visits
        .map_or("-".to_owned(), |visits| visits.to_string());
    let parts = [row.mean, row.bias, row.exploration, row.ucb].map(number);
    let columns = parts.iter().map(|part| format!("{part:>9}"));
    format!("{visits:>9}") + &columns.collect::<String>()
}

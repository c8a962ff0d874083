//! A review as a page of text for people.

use std::io::{Result, Write};

use super::analyse::SolveLimits;
use super::analyse_text::{field, result_text, wrapped};
use super::review::{Review, ReviewedMove, SummaryRow};
use crate::game::dots::Dots;
use crate::game::{Player, Position};

/// Writes the review of a game that ends with `end`.
///
/// # Errors
/// A failed write.
pub fn write(review: &Review, end: &Dots, out: &mut dyn Write) -> Result<()> {
    write_head(review, end, out)?;
    writeln!(out)?;
    write_moves(&review.moves, out)?;
    writeln!(out)?;
    let mistakes: Vec<&ReviewedMove> = review
        .moves
        .iter()
        .filter(|mv| mv.judgement.is_mistake())
        .collect();
    if !mistakes.is_empty() {
        writeln!(out, "mistakes, each with the position before it:")?;
        for mistake in mistakes {
            write_mistake(mistake, out)?;
        }
        writeln!(out)?;
    }
    write_summary(&review.summary, out)?;
    writeln!(out)?;
    let legend = "values: boxes ahead over the boxes left with best play, for the player of the \
                  move; lost: the difference, 2 for every box less and the opponent's more; ?: a \
                  move that lost value, ??: one that made the result worse";
    wrapped(out, "", 2, legend)
}

fn write_head(review: &Review, end: &Dots, out: &mut dyn Write) -> Result<()> {
    let player = |player: Player| {
        let (name, seat) = (&review.names[player.index()], player.to_string());
        if *name == seat {
            seat
        } else {
            format!("{seat} {name}")
        }
    };
    let [first, second] = Player::ALL.map(player);
    let event = match review.event.as_str() {
        "" => String::new(),
        event => format!(" ({event})"),
    };
    // Names come from outside: control characters are not repeated.
    let players = format!("{first}, {second}{event}").replace(char::is_control, "\u{fffd}");
    field(out, "players", &players)?;
    let (start, count) = (&review.start, review.moves.len());
    field(
        out,
        "game",
        &format!("{count} moves from {start} to {}", review.end),
    )?;
    let left = review.edges_left;
    let result = match (left, review.final_margin) {
        (0, _) => result_text(end.margin()),
        (_, Some(margin)) => {
            format!(
                "the record ends with {left} edges left; proven: {} with best play",
                result_text(margin)
            )
        }
        (_, None) => format!("the record ends with {left} edges left"),
    };
    field(out, "result", &result)?;
    if let Some([first, second]) = review.recorded_score {
        field(
            out,
            "score",
            &format!("First {first}, Second {second} by the record"),
        )?;
    }
    let judged = review
        .moves
        .iter()
        .filter(|mv| mv.judgement.lost.is_some())
        .count();
    let SolveLimits { edges, work_units } = review.limits;
    let mut text = match judged {
        0 => format!("no move: it takes at most {edges} edges left before one (--solve-edges)"),
        count => format!("{count} moves, those with at most {edges} edges left"),
    };
    let is_given_up = |mv: &&ReviewedMove| {
        let is_small = mv.edges_left <= edges && mv.number > review.opening_moves;
        is_small && mv.judgement.lost.is_none()
    };
    let given_up = review.moves.iter().filter(is_given_up).count();
    if given_up > 0 {
        text += &format!(
            "; {given_up} were not solved within {work_units} units of work (--solve-work)"
        );
    }
    field(out, "judged", &text)
}

fn write_moves(moves: &[ReviewedMove], out: &mut dyn Write) -> Result<()> {
    writeln!(
        out,
        "    move  player  stage     edge place  {:>7}{:>7}{:>6}  {:<14}result",
        "before", "after", "lost", "better"
    )?;
    let mut rest = moves;
    while let Some(first) = rest.first() {
        let skipped = rest
            .iter()
            .take_while(|mv| mv.judgement.lost.is_none())
            .count();
        if skipped > 0 {
            let last = rest[skipped - 1].number;
            writeln!(out, "    {:>4} to {last}: not judged", first.number)?;
            rest = &rest[skipped..];
            continue;
        }
        writeln!(out, "{}", move_row(first))?;
        rest = &rest[1..];
    }
    Ok(())
}

fn move_row(mv: &ReviewedMove) -> String {
    let judgement = &mv.judgement;
    let number = |value: Option<i16>| value.map_or_else(String::new, |value| format!("{value:+}"));
    let [before, after] = [judgement.value_before, judgement.value_after].map(number);
    let result = (judgement.result_before, judgement.result_after);
    let (mark, lost, better) = match (judgement.is_mistake(), &judgement.best_move) {
        (true, Some(best)) => (
            if result.0 == result.1 { "?" } else { "??" },
            judgement
                .lost
                .map_or_else(String::new, |lost| lost.to_string()),
            format!("{} ({})", best.notation, best.edge),
        ),
        _ => ("", String::new(), String::new()),
    };
    let result = match result {
        (Some(before), Some(after)) if before != after => format!("{before} to {after}"),
        (_, after) => after.unwrap_or_default().to_owned(),
    };
    let played = format!(
        "{mark:<4}{:>4}  {:<8}{:<10}{:>4} {:<7}",
        mv.number, mv.player, mv.stage, mv.edge, mv.notation
    );
    let row = format!("{played}{before:>7}{after:>7}{lost:>6}  {better:<14}{result}");
    row.trim_end().to_owned()
}

fn write_mistake(mistake: &ReviewedMove, out: &mut dyn Write) -> Result<()> {
    let (number, player, stage) = (mistake.number, &mistake.player, &mistake.stage);
    let lost = mistake.judgement.lost.unwrap_or_default();
    let best = mistake
        .judgement
        .best_move
        .as_ref()
        .map_or("", |best| &best.notation);
    let text = format!(
        "{player} ({stage}) plays {} and loses {lost}; better {best}: {}",
        mistake.notation, mistake.position
    );
    wrapped(out, &format!("  {number:>4}  "), 8, &text)
}

fn write_summary(rows: &[SummaryRow], out: &mut dyn Write) -> Result<()> {
    writeln!(
        out,
        "{:<10}{:<8}{:>7}{:>8}{:>10}{:>6}{:>14}",
        "stage", "player", "moves", "judged", "mistakes", "lost", "results lost"
    )?;
    let totals = Player::ALL.map(|player| total(rows, &player.to_string()));
    for row in rows.iter().chain(totals.iter().filter(|row| row.moves > 0)) {
        writeln!(
            out,
            "{:<10}{:<8}{:>7}{:>8}{:>10}{:>6}{:>14}",
            row.stage, row.player, row.moves, row.judged, row.mistakes, row.lost, row.results_lost
        )?;
    }
    Ok(())
}

/// The counts of a player over all stages.
fn total(rows: &[SummaryRow], player: &str) -> SummaryRow {
    let of_player = || rows.iter().filter(|row| row.player == player);
    SummaryRow {
        stage: "all".to_owned(),
        player: player.to_owned(),
        moves: of_player().map(|row| row.moves).sum(),
        judged: of_player().map(|row| row.judged).sum(),
        mistakes: of_player().map(|row| row.mistakes).sum(),
        results_lost: of_player().map(|row| row.results_lost).sum(),
        lost: of_player().map(|row| row.lost).sum(),
    }
}

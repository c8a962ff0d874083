//! Tables and charts of experiments, for a terminal and in Markdown.

use std::fmt::Write;

use super::experiments::{ExperimentView, PlayedMatch, Row};
use crate::workspace::show::MatchView;

/// Columns of a table, without that of a sweep's values.
const HEADS: [&str; 6] = [
    "match",
    "budget",
    "games",
    "won-drawn-lost",
    "Elo of A [95 %]",
    "s/game",
];
/// Where the values of a sweep go.
const VALUE_COLUMN: usize = 1;

/// The table for a terminal.
pub(super) fn text(view: &ExperimentView) -> String {
    let cells = cells(view);
    let width = |column: usize| {
        let cells = cells.iter().map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..cells[0].len()).map(width).collect();
    let mut out = format!("{} ({}, seed {})\n", view.title, view.file, view.seed);
    for row in &cells {
        let padded = row.iter().zip(&widths);
        let line: Vec<String> = padded
            .map(|(cell, &width)| format!("{cell:<width$}"))
            .collect();
        let _ = writeln!(out, "  {}", line.join("  ").trim_end());
    }
    out
}

/// The table in Markdown, with charts of what was swept.
pub(super) fn markdown(view: &ExperimentView) -> String {
    let cells = cells(view);
    let mut out = format!("### {}\n\n", view.title);
    for (number, row) in cells.iter().enumerate() {
        let _ = writeln!(out, "| {} |", row.join(" | "));
        if number == 0 {
            let _ = writeln!(out, "|{}", " --- |".repeat(row.len()));
        }
    }
    for played in &view.matches {
        for budget in budgets(played) {
            out.push_str(&chart(played, budget));
        }
    }
    out
}

/// The heads and a line of cells for each row.
fn cells(view: &ExperimentView) -> Vec<Vec<String>> {
    let sweeps = view.matches.iter().any(|played| played.sweep.is_some());
    let mut cells = vec![HEADS.map(str::to_owned).to_vec()];
    for played in &view.matches {
        for row in &played.rows {
            let result = &row.result;
            let line = [
                played.name.clone(),
                row.budget.clone(),
                result.games.to_string(),
                format!("{}-{}-{}", result.wins, result.draws, result.losses),
                elo(result),
                format!("{:.3}", row.seconds_a_game),
            ];
            cells.push(line.to_vec());
        }
    }
    if sweeps {
        let rows = view.matches.iter().flat_map(|played| &played.rows);
        let values = rows.map(|row| {
            row.value
                .map_or_else(String::new, |value| value.to_string())
        });
        let column = std::iter::once("value".to_owned()).chain(values);
        for (line, value) in cells.iter_mut().zip(column) {
            line.insert(VALUE_COLUMN, value);
        }
    }
    cells
}

/// Elo with its interval, or the score where every pair had the same.
fn elo(result: &MatchView) -> String {
    match (result.elo, result.elo_95) {
        (Some(elo), Some([low, high])) => format!("{elo:+.0} [{low:+.0}, {high:+.0}]"),
        _ => format!("none: every pair scored {:.0} %", result.score_percent()),
    }
}

/// The budgets of a sweep, in order of appearance; none where nothing is swept.
fn budgets(played: &PlayedMatch) -> Vec<&str> {
    let mut budgets: Vec<&str> = Vec::new();
    for row in played.rows.iter().filter(|row| row.value.is_some()) {
        if !budgets.contains(&row.budget.as_str()) {
            budgets.push(&row.budget);
        }
    }
    budgets
}

/// A chart of the score over the values of a sweep. Not of Elo, which a side that wins every pair
/// has none of.
fn chart(played: &PlayedMatch, budget: &str) -> String {
    let rows = || played.rows.iter().filter(|row| row.budget == budget);
    let list = |number: &dyn Fn(&Row) -> String| rows().map(number).collect::<Vec<_>>().join(", ");
    let values = list(&|row| format!("\"{}\"", row.value.unwrap_or_default()));
    let scores = list(&|row| format!("{:.1}", row.result.score_percent()));
    let (name, path) = (&played.name, played.sweep.as_deref().unwrap_or_default());
    format!(
        "\n```mermaid\n\
         xychart-beta\n    \
         title \"{name}, {budget}\"\n    \
         x-axis \"{path}\" [{values}]\n    \
         y-axis \"score of A in %\" 0 --> 100\n    \
         line [{scores}]\n\
         ```\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use sixfold_tuner::stats::{Pentanomial, Wdl};
    use sixfold_tuner::trial::TrialResult;

    fn view(pentanomial: [u64; 5], [wins, draws, losses]: [u64; 3]) -> MatchView {
        let (wdl, pentanomial) = (
            Wdl {
                wins,
                draws,
                losses,
            },
            Pentanomial(pentanomial),
        );
        MatchView::of(&TrialResult {
            wdl,
            pentanomial,
            dropped_pairs: Vec::new(),
        })
    }

    #[test]
    fn elo_has_its_interval_around_it_and_signs() {
        let shown = elo(&view([40, 0, 80, 0, 80], [240, 0, 160]));
        let numbers: Vec<f64> = shown
            .split([' ', '[', ']', ','])
            .filter(|word| !word.is_empty())
            .map(|word| word.parse().unwrap())
            .collect();
        // 60 % is 70.4 Elo whatever the pairs.
        assert!(shown.starts_with("+70 [+"), "{shown}");
        assert!(numbers[1] < 70.0 && 70.0 < numbers[2], "{shown}");
        assert!(elo(&view([80, 0, 80, 0, 40], [160, 0, 240])).starts_with("-70 [-"));
    }

    #[test]
    fn a_side_that_wins_every_pair_has_no_elo_but_a_score() {
        let shown = elo(&view([0, 0, 0, 0, 3], [6, 0, 0]));
        assert_eq!(shown, "none: every pair scored 100 %");
    }
}

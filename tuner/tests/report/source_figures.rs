//! The source's figures in the page of a run of its learner, against that learner told the same
//! results without course, events or report.

use sixfold_tuner::event::Event;
use sixfold_tuner::optimiser::Ask;
use sixfold_tuner::trial::TrialResult;

use crate::q_values::{check_heights, lines_of};
use crate::runs::{MadeUp, SHORT, parsed, section, text_of};

const NODES: [usize; 6] = [3, 5, 20, 22, 33, 36];
const EPISODES: usize = 1500;
const FIGURE_3: &str = "Source's figure 3: Q-values of six nodes";
const FIGURE_4: &str = "Source's figure 4: Q-values of six nodes";

/// Q-values of the six nodes at the start of the first round and after each of its results.
fn told_directly(run: &MadeUp) -> Vec<[f64; 6]> {
    let results: Vec<&TrialResult> = run
        .events
        .iter()
        .take_while(|event| !matches!(event, Event::RoundFinished(_)))
        .filter_map(|event| match event {
            Event::TrialFinished { result, .. } => Some(result),
            _ => None,
        })
        .collect();
    let mut learner = run.job.learner();
    let mut rows = Vec::new();
    let mut told = 0;
    loop {
        let tree = learner.tree().unwrap();
        if rows.is_empty() {
            rows.push(NODES.map(|number| tree.nodes[number].q));
        }
        let Ask::Play(proposals) = learner.ask(run.job.batch_trials) else {
            break;
        };
        for _ in proposals {
            learner.tell(results[told]);
            told += 1;
            let tree = learner.tree().unwrap();
            rows.push(NODES.map(|number| tree.nodes[number].q));
        }
    }
    assert_eq!(told, results.len());
    rows
}

/// The curves are those of the six nodes, each with a point for each of these updates.
fn check_curves(lines: &[Vec<[f64; 2]>], rows: &[[f64; 6]], updates: &[usize]) {
    assert_eq!(lines.len(), NODES.len());
    let (mut heights, mut places) = (Vec::new(), Vec::new());
    for (at, line) in lines.iter().enumerate() {
        assert_eq!(line.len(), updates.len());
        for (&update, [x, y]) in updates.iter().zip(line) {
            heights.push((rows[update][at], *y));
            // The horizontal axis rises, which a check of falling heights takes negated.
            places.push((-(update as f64), *x));
        }
    }
    check_heights(&heights);
    check_heights(&places);
}

#[test]
fn the_curves_of_the_sources_nodes_are_those_of_the_learner() {
    let run = MadeUp::of_paper(3, EPISODES as u32);
    let rows = told_directly(&run);
    assert_eq!(rows.len(), EPISODES + 1);
    let page = run.page();
    let document = parsed(&page);
    let beginning: Vec<usize> = (0..=1000).collect();
    check_curves(&lines_of(&document, FIGURE_3), &rows, &beginning);
    let lines = lines_of(&document, FIGURE_4);
    let mut whole: Vec<usize> = (0..1000).map(|at| at * (EPISODES - 1) / 999 + 1).collect();
    whole.insert(0, 0);
    check_curves(&lines, &rows, &whole);
}

#[test]
fn a_short_first_round_is_one_figure_with_every_update() {
    let run = MadeUp::of_paper(2, 40);
    let rows = told_directly(&run);
    let all: Vec<usize> = (0..=40).collect();
    let label = "Source's figures 3 and 4: Q-values of six nodes";
    let page = run.page();
    check_curves(&lines_of(&parsed(&page), label), &rows, &all);
    // A round in progress has the same figure, as far as it has come.
    let page = run.page_of(1 + 25);
    check_curves(&lines_of(&parsed(&page), label), &rows, &all[..=25]);
    let said = text_of(section(&parsed(&page), "source-figures"));
    assert!(
        said.contains("begin with the end of the first round"),
        "{said}"
    );
    let page = run.page_of(0);
    let said = text_of(section(&parsed(&page), "source-figures"));
    assert!(said.contains("No trial has been stored yet"), "{said}");
}

#[test]
fn every_round_has_its_path_and_the_values_after_it() {
    let run = MadeUp::of_paper(5, 60);
    let page = run.page();
    let document = parsed(&page);
    let part = section(&document, "source-figures");
    let mut summaries = Vec::new();
    for event in &run.events {
        if let Event::RoundFinished(summary) = event {
            summaries.push(summary);
        }
    }
    assert_eq!(summaries.len(), 5);
    let rows: Vec<Vec<String>> = part
        .descendants()
        .filter(|it| it.has_tag_name("tbody"))
        .flat_map(|body| body.children())
        .map(|row| row.children().map(text_of).collect())
        .collect();
    let start = run.job.space.start();
    let values = |vector: &[f64]| -> Vec<String> {
        let parameters = run.job.space.parameters.iter();
        parameters
            .zip(vector)
            .map(|(it, value)| it.text(*value))
            .collect()
    };
    assert_eq!(rows[0][2..4], values(&start.0));
    for (row, summary) in rows[1..].iter().zip(&summaries) {
        let [first, second] = summary.greedy_path.unwrap().map(usize::from);
        let path = format!("{first} \u{2192} {}", 6 * first + second);
        assert_eq!(row[..2], [summary.round.to_string(), path]);
        assert_eq!(row[2..4], values(&summary.incumbent.0));
    }
    assert_eq!(rows.len(), 6);
    for (index, parameter) in run.job.space.parameters.iter().enumerate() {
        let label = format!(
            "Source's figures 5 and 6: {} over the rounds",
            parameter.path
        );
        let drawing = crate::q_values::drawing_of(&document, &label);
        let circles = drawing.descendants().filter(|it| it.has_tag_name("circle"));
        let drawn: Vec<f64> = circles
            .map(|it| it.attribute("cy").unwrap().parse().unwrap())
            .collect();
        let after = summaries.iter().map(|it| it.incumbent.0[index]);
        let values: Vec<f64> = std::iter::once(start.0[index]).chain(after).collect();
        assert_eq!(drawn.len(), values.len());
        if values.iter().any(|value| *value != values[0]) {
            check_heights(&values.into_iter().zip(drawn).collect::<Vec<_>>());
        }
    }
}

#[test]
fn runs_of_other_learners_have_none_of_the_sources_figures() {
    for run in [MadeUp::to_the_end(&SHORT), MadeUp::of_q_tree(400)] {
        let page = run.page();
        let document = parsed(&page);
        let found = document
            .descendants()
            .any(|it| it.attribute("id") == Some("source-figures"));
        assert!(!found);
    }
}

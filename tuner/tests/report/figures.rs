//! The figures in the page: those of the run's summary and of the learner's own trees.

use roxmltree::Node;
use sixfold_tuner::event::Event;
use sixfold_tuner::outlook::Outlook;
use sixfold_tuner::run::summary::Summary;
use sixfold_tuner::run::tuned::strength;
use sixfold_tuner::stats::Wdl;
use sixfold_tuner::trial::{Trial, TrialResult};

use crate::runs::{MadeUp, SHORT, parsed, result_of, section, text_of};

#[test]
fn the_verdict_has_the_figures_of_the_summary() {
    let run = MadeUp::to_the_end(&SHORT);
    let summary = Summary::of(&run.events);
    let attempt = summary.last_attempt().unwrap();
    let elo = attempt.measured.pentanomial.elo().estimate().unwrap();
    let page = run.page();
    let document = parsed(&page);
    let verdict = text_of(section(&document, "verdict"));
    let games = summary.games + attempt.games();
    for part in [
        format!("{:+.0} Elo over the start", elo.elo),
        format!("{:+.1}", elo.elo),
        format!("{games}games in all"),
        format!("{}of 4 rounds", summary.rounds.len()),
    ] {
        let plain = verdict.replace(',', "").replace('\u{2212}', "-");
        assert!(plain.contains(&part), "{part} in {plain}");
    }
    let verification = text_of(section(&document, "verification"));
    assert!(verification.contains(&strength(&attempt.measured)));
    let parameters = text_of(section(&document, "parameters"));
    for value in &summary.incumbent().unwrap().0 {
        assert!(parameters.contains(&value.to_string()), "{value}");
    }
}

/// What is ahead in the tuning is behind in the verification.
fn rejected() -> MadeUp {
    MadeUp::verified_by(|trial| {
        let mut result = result_of(trial);
        result.pentanomial.0.reverse();
        std::mem::swap(&mut result.wdl.wins, &mut result.wdl.losses);
        result
    })
}

#[test]
fn what_was_found_and_is_not_shipped_is_shown_line_by_line() {
    let (accepted, rejected) = (MadeUp::to_the_end(&SHORT), rejected());
    // The same games of the tuning: what one ships is what the other has found.
    let changed = |run: &MadeUp, heading: Option<&str>| -> Vec<String> {
        let page = run.page();
        let document = parsed(&page);
        let section = section(&document, "configuration");
        let named = |it: &Node<'_, '_>| heading.is_none_or(|words| text_of(*it) == words);
        let mut parts = section.children().skip_while(|it| !named(it));
        let difference = parts
            .find(|it| it.attribute("class") == Some("diff"))
            .unwrap();
        let lines = difference.children().filter(|it| {
            let class = it.attribute("class").unwrap_or_default();
            ["plus", "minus"].contains(&class)
        });
        let lines = lines.map(text_of);
        // Comments say where values come from.
        lines
            .filter(|line| line.chars().skip(1).find(|it| *it != ' ') != Some('#'))
            .collect()
    };
    let found = changed(&rejected, Some("Found and not shipped"));
    assert!(found.len() >= 2, "{found:?}");
    assert_eq!(found, changed(&accepted, None));
    assert_eq!(changed(&rejected, None), Vec::<String>::new());
    assert!(!accepted.page().contains("Found and not shipped"));
}

#[test]
fn a_rejected_result_is_not_called_an_improvement() {
    let run = rejected();
    let page = run.page();
    let document = parsed(&page);
    let verdict = text_of(section(&document, "verdict"));
    assert!(verdict.contains("the start values stay"), "{verdict}");
    assert!(!verdict.contains("Stronger") && !verdict.contains("won its verification"));
    assert!(verdict.contains("What was tried and is not kept"));
    let parameters = text_of(section(&document, "parameters"));
    assert!(parameters.contains("tuned.toml has the values of the start"));
    assert!(parameters.contains("Tried") && !parameters.contains("Result"));
    let badge = document.descendants().find(|it| {
        it.attribute("class")
            .is_some_and(|class| class.starts_with("badge"))
    });
    assert_eq!(text_of(badge.unwrap()), "rejected");
}

/// Each round's drawing has the 43 nodes that the learner had just before the round's end.
#[test]
fn the_trees_are_those_of_the_learner() {
    let run = MadeUp::to_the_end(&SHORT);
    let page = run.page();
    let document = parsed(&page);
    let trees = section(&document, "trees");
    let mut course = run.course();
    let mut rounds = 0;
    for event in &run.events {
        if let Event::RoundFinished(summary) = event {
            let view = course.tree().unwrap();
            let label = format!("Tree of round {}", view.round);
            let drawing = trees
                .descendants()
                .find(|it| it.attribute("aria-label") == Some(&label))
                .unwrap();
            let circles = drawing
                .descendants()
                .filter(|it| it.tag_name().name() == "circle");
            let circles: Vec<_> = circles.collect();
            assert_eq!(circles.len(), 43);
            let class = |index: usize| circles[index].attribute("class").unwrap_or_default();
            let [first, second] = summary.greedy_path.unwrap().map(usize::from);
            let way = [first, 6 * first + second];
            for (number, node) in view.nodes.iter().enumerate().skip(1) {
                assert_eq!(
                    class(number).contains("way"),
                    way.contains(&number),
                    "{number}"
                );
                assert_eq!(
                    class(number).contains("never"),
                    node.visits == 0,
                    "{number}"
                );
            }
            let shown = text_of(drawing);
            assert!(shown.contains(&format!("{}", view.nodes[0].visits)));
            rounds += 1;
        }
        course.apply(event).unwrap();
    }
    assert_eq!(rounds, 4);
}

/// Who is above the start's first value wins nine games of ten against who is not.
fn step(trial: &Trial) -> TrialResult {
    let [a, b] = [&trial.a, &trial.b].map(|vector| vector.0[0] > 0.0);
    let mut result = TrialResult::default();
    if a == b {
        return result_of(trial);
    }
    let pairs = u64::from(trial.games / 2);
    let rarer = u64::from(trial.id.trial.is_multiple_of(5));
    let [wins, losses] = if a {
        [2 * pairs - rarer, rarer]
    } else {
        [rarer, 2 * pairs - rarer]
    };
    let whole = if a { 4 } else { 0 };
    result.pentanomial.0[whole] = pairs - rarer;
    result.pentanomial.0[2] = rarer;
    result.wdl = Wdl {
        wins,
        draws: 0,
        losses,
    };
    result
}

fn outlook_of(run: &MadeUp) -> Outlook {
    let summary = Summary::of(&run.events);
    Outlook::of(
        &run.job.space,
        &summary.played,
        summary.incumbent().unwrap(),
    )
    .unwrap()
}

#[test]
fn the_parameters_have_the_intervals_and_verdicts_of_the_outlook() {
    let run = MadeUp::to_the_end(&SHORT);
    let outlook = outlook_of(&run);
    assert!(outlook.fits);
    let page = run.page().replace('\u{2212}', "-");
    let document = parsed(&page);
    let table = section(&document, "parameters");
    let rows: Vec<_> = table
        .descendants()
        .filter(|it| it.tag_name().name() == "tbody")
        .flat_map(|body| body.children().filter(|it| it.is_element()))
        .collect();
    assert_eq!(rows.len(), outlook.parameters.len());
    for (row, parameter) in rows.into_iter().zip(&outlook.parameters) {
        let cell = |head: &str| {
            let mut cells = row.children();
            let found = cells.find(|it| it.attribute("data-head") == Some(head));
            text_of(found.unwrap())
        };
        assert!(cell("Verdict").starts_with(parameter.verdict.words()));
        let best = cell("Best value (95 %)");
        let ends = best.split("range").next().unwrap();
        let ends: Vec<f64> = ends.split(" to ").map(|it| it.parse().unwrap()).collect();
        for (shown, known) in ends.iter().zip(parameter.best_95) {
            assert!(
                (shown - known).abs() <= 0.005 * known.abs(),
                "{shown} {known}"
            );
        }
    }
    let gain = outlook.remaining_gain;
    let words = format!(
        "expected to be {:.1} Elo above the result, and at most {:.1} (95 %)",
        gain.expected, gain.at_most_95
    );
    let verdict = text_of(section(&document, "verdict"));
    assert!(verdict.contains(&words), "{words} in {verdict}");
}

#[test]
fn where_the_surface_does_not_fit_the_page_says_so_and_promises_nothing() {
    let run = MadeUp::tuned_by(step);
    let outlook = outlook_of(&run);
    assert!(!outlook.fits);
    let page = run.page();
    let document = parsed(&page);
    let verdict = text_of(section(&document, "verdict"));
    for part in [
        "The surface does not fit",
        &outlook.worst_misfits(&run.job.space)[0],
    ] {
        assert!(verdict.contains(part), "{part} in {verdict}");
    }
    assert!(!verdict.contains("What is left") && !verdict.contains("What matters"));
    for (id, words) in [
        ("parameters", "these intervals and verdicts do not hold"),
        ("strength", "not known: the surface does not fit"),
        ("surface", "the games contradict it"),
    ] {
        assert!(text_of(section(&document, id)).contains(words), "{id}");
    }
}

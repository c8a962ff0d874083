//! The figures in the page: those of the run's summary and of the learner's own trees.

use sixfold_tuner::event::Event;
use sixfold_tuner::run::summary::Summary;
use sixfold_tuner::run::tuned::strength;

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

#[test]
fn a_rejected_result_is_not_called_an_improvement() {
    let run = MadeUp::verified_by(|trial| {
        let mut result = result_of(trial);
        result.pentanomial.0.reverse();
        std::mem::swap(&mut result.wdl.wins, &mut result.wdl.losses);
        result
    });
    let page = run.page();
    let document = parsed(&page);
    let verdict = text_of(section(&document, "verdict"));
    assert!(verdict.contains("the start values stay"), "{verdict}");
    assert!(!verdict.contains("Stronger") && !verdict.contains("won its verification"));
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

//! The page as a page: whole, well-formed, self-contained, escaped, and never too large.

use roxmltree::Node;
use sixfold_tuner::event::Event;
use sixfold_tuner::report::{FailedGame, SampledBoard};

use crate::runs::{MadeUp, SHORT, parsed, section, text_of};

/// Ids of the sections, in their order.
const SECTIONS: [&str; 12] = [
    "verdict",
    "parameters",
    "trajectories",
    "strength",
    "surface",
    "matches",
    "verification",
    "q-values",
    "trees",
    "failures",
    "configuration",
    "reproduction",
];
/// Largest report of a run of hundreds of rounds.
const BYTES_MAX: usize = 3 << 20;

#[test]
fn every_section_is_there_and_linked_at_every_moment_of_a_run() {
    let run = MadeUp::to_the_end(&SHORT);
    let count = run.events.len();
    let first_round = run
        .events
        .iter()
        .position(|it| matches!(it, Event::RoundFinished(_)));
    let first_round = first_round.unwrap();
    let moments = [
        0,
        1,
        2,
        first_round,
        first_round + 1,
        count / 2,
        count - 2,
        count - 1,
        count,
    ];
    for moment in moments {
        let page = run.page_of(moment);
        let document = parsed(&page);
        let ids: Vec<&str> = document
            .descendants()
            .filter(|it| it.tag_name().name() == "section")
            .filter_map(|it| it.attribute("id"))
            .collect();
        assert_eq!(ids, SECTIONS, "after {moment} events");
        let links: Vec<&str> = document
            .descendants()
            .filter_map(|it| it.attribute("href"))
            .collect();
        assert_eq!(links, SECTIONS.map(|id| format!("#{id}")));
        for id in ids {
            assert!(
                text_of(section(&document, id)).len() > 15,
                "{id} after {moment} events"
            );
        }
    }
}

#[test]
fn a_sampled_game_has_its_board_and_its_record() {
    let mut run = MadeUp::to_the_end(&SHORT);
    let record = "[Event \"a < b\"]\n\n1. a1-a2/a1 1-0\n";
    run.sampled = Some(SampledBoard {
        file: "round-00003.pgn".to_owned(),
        record: record.to_owned(),
        svg: "<svg class=\"board\"><rect class=\"square\" /></svg>".to_owned(),
    });
    let page = run.page();
    let document = parsed(&page);
    let part = section(&document, "board");
    let is_board = |it: &Node<'_, '_>| it.attribute("class") == Some("board");
    assert_eq!(part.descendants().filter(is_board).count(), 1);
    let pre = part.descendants().find(|it| it.tag_name().name() == "pre");
    assert_eq!(text_of(pre.unwrap()), record);
    assert!(text_of(part).contains("games/round-00003.pgn"));
}

#[test]
fn the_same_journal_gives_the_same_bytes() {
    let run = MadeUp::to_the_end(&SHORT);
    assert_eq!(run.page(), run.page());
    assert_eq!(run.page(), MadeUp::to_the_end(&SHORT).page());
}

#[test]
fn nothing_is_fetched_and_nothing_is_run() {
    let page = MadeUp::to_the_end(&SHORT).page();
    let page = page.replace("xmlns=\"http://www.w3.org/1999/xhtml\"", "");
    for never in [
        "http:", "https:", "src=", "url(", "@import", "<script", "<link", "<img",
    ] {
        assert!(!page.contains(never), "{never}");
    }
}

#[test]
fn whatever_comes_from_files_is_escaped() {
    let evil = r#"<img src="x" onerror="alert(1)"> & ]]> </style></script>"#;
    let mut run = MadeUp::to_the_end(&SHORT);
    run.name = evil.to_owned();
    run.job.engine.name = evil.to_owned();
    run.job.engine.text.push_str(&format!("# {evil}\n"));
    run.text.push_str(&format!("# {evil}\n"));
    run.failures = vec![FailedGame {
        file: evil.to_owned(),
        said: evil.to_owned(),
    }];
    // The digest of another text would not be this journal's.
    let digest = sixfold_tuner::job::digest(&run.text);
    run.events[0] = Event::RunStarted { job_digest: digest };
    let page = run.page();
    assert!(!page.contains("<img"));
    let document = parsed(&page);
    let shown = text_of(document.root());
    assert!(
        shown.matches(evil).count() >= 5,
        "{}",
        shown.matches(evil).count()
    );
    let named = |name: &str| {
        document
            .descendants()
            .filter(|it| it.tag_name().name() == name)
            .count()
    };
    assert_eq!([named("img"), named("script"), named("style")], [0, 0, 1]);
}

#[test]
fn a_learner_without_a_tree_is_told_so_and_the_rest_is_there() {
    let mut run = MadeUp::to_the_end(&SHORT);
    let with_trees = run.page();
    run.is_treeless = true;
    let page = run.page();
    let document = parsed(&page);
    for id in ["q-values", "trees"] {
        assert!(
            text_of(section(&document, id)).contains("no tree of edits"),
            "{id}"
        );
    }
    let whole = parsed(&with_trees);
    for id in [
        "verdict",
        "trajectories",
        "strength",
        "surface",
        "verification",
    ] {
        let [without, with] = [&document, &whole].map(|it| text_of(section(it, id)));
        assert_eq!(without, with, "{id}");
    }
}

#[test]
fn five_hundred_rounds_stay_small_and_say_which_are_shown() {
    let run = MadeUp::to_the_end(&[
        ("episodes = 60", "episodes = 10"),
        ("rounds = 8", "rounds = 500"),
        ("games = 6000 ", "games = 60000 "),
    ]);
    let page = run.page();
    assert!(page.len() < BYTES_MAX, "{} bytes", page.len());
    let document = parsed(&page);
    let trees = section(&document, "trees");
    let rounds: Vec<(String, bool)> = trees
        .descendants()
        .filter(|it| it.tag_name().name() == "details")
        .map(|it| {
            let summary = it
                .children()
                .find(|it| it.tag_name().name() == "summary")
                .unwrap();
            (text_of(summary), it.attribute("open").is_some())
        })
        .collect();
    assert_eq!(rounds.len(), 100);
    assert!(rounds[0].0.starts_with("Round 0 ") && rounds[99].0.starts_with("Round 499 "));
    let open: Vec<bool> = rounds.iter().map(|(_, is_open)| *is_open).collect();
    assert!(open[0] && open[99] && !open[1..99].contains(&true));
    assert!(text_of(trees).contains("Of 500 rounds 100 are shown"));
}

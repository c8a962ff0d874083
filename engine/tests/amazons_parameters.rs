//! Parameters of an engine for the Amazons: that each does something, and what random games add.

use std::path::Path;

use sixfold_engine::agent::{Agent, GameRecord, GameWatch, Referee, play_game};
use sixfold_engine::config::EngineConfig;
use sixfold_engine::eval::amazons::AmazonsKnowledge;
use sixfold_engine::eval::{Correction, Evaluation, EvaluationForm, Knowledge, Work};
use sixfold_engine::game::Position;
use sixfold_engine::game::amazons::{Amazons, Board};
use sixfold_engine::games::{self, Playable};
use sixfold_engine::stream::{Purpose, StreamKey};

/// Every key that such an engine can have, where it matters.
const EVERYTHING: &str = r#"
format = 1
game = { name = "amazons", files = 5, ranks = 5 }
budget = { work_units = 4000000, per = "game" }
solver = { table_mib = 1 }

[stages.opening]
from = { ply = 0 }
searcher = "uct"
exploration = { from = 0.3, to = 0.2, shape = "geometric" }
bias = { blocks = 0.1, other = 0.02 }
depth_plies = { from = 4, to = 2, shape = "linear" }
expand_after_visits = 2
first_visit_value = 0.6
evaluation_weight = 0.5
evaluation = { x = 5.0, y = 20.0, kappa = 0.2, defects = 3.0, scale = 3.0, noise = 0.5 }
evaluation_form = "normalised"
early_stop = { simulations = 200, margin = 0.01 }
share = 2.0

[stages.middle]
from = { ply = 12 }
searcher = "iterative_deepening"
evaluation = { x = 5.0, y = 20.0, rollouts = 2, rollout_points = 3.0, noise = 0.5 }
depth_plies = 2

[stages.late]
from = { progress_below = 4.0 }
searcher = "uct"
exploration = 0.2
bias = "opening"
evaluation = "opening"
evaluation_weight = 0.7
early_stop = "opening"
widening = { first = 2, exponent = 0.3 }
takes_savings = true
"#;

/// Parameters of `EVERYTHING` that change nothing there, and why.
const INERT: [(&str, &str); 6] = [
    (
        "stages.opening.margin_weight",
        "a game is won by the one point that there is: the margin says nothing more",
    ),
    ("stages.late.margin_weight", "the same"),
    (
        "stages.late.share",
        "nobody knows beforehand when a stage by distance begins: it gets what is left then",
    ),
    (
        "stages.opening.evaluation.rollout_points",
        "no random games are played there",
    ),
    (
        "stages.opening.widening.exponent",
        "widening is off there: from none nothing grows",
    ),
    (
        "stages.middle.evaluation.scale",
        "iterative deepening compares points; the scale makes values of them for UCT",
    ),
];

fn everything() -> EngineConfig {
    EngineConfig::parse(Path::new("everything.toml"), EVERYTHING).expect("a valid configuration")
}

/// Games of this engine against itself on several openings, and what every move cost.
fn games(config: &EngineConfig, count: u64) -> Vec<GameRecord<Amazons>> {
    let agent = || Agent::new(config, AmazonsKnowledge);
    let (mut first, mut second) = (agent(), agent());
    let mut referee = Referee::new(1, AmazonsKnowledge);
    let play = |seed| {
        let stream = |purpose| StreamKey::new(seed, purpose).stream();
        let opening = games::Amazons::opening(config.game, &mut stream(Purpose::Opening));
        play_game(
            [&mut first, &mut second],
            [stream(Purpose::First), stream(Purpose::Second)],
            &mut referee,
            &opening,
            &GameWatch::default(),
        )
        .expect("agents choose legal moves")
    };
    (0..count).map(play).collect()
}

#[test]
fn every_parameter_changes_what_the_engine_does_or_is_known_to_be_inert() {
    let config = everything();
    let before = games(&config, 6);
    for parameter in config.parameters() {
        let spec = parameter.spec;
        let mut candidates = vec![spec.min, spec.max];
        if parameter.path.contains("from.") {
            candidates = vec![parameter.value + spec.step, parameter.value - spec.step];
        }
        // Thousands of random games a position are not for a test.
        if parameter.path.ends_with(".rollouts") {
            candidates = vec![0.0, 3.0];
        }
        let candidates = candidates.into_iter().filter(|&to| to != parameter.value);
        let changes = candidates.into_iter().any(|to| {
            let mut changed = config.clone();
            changed.set(&[(&parameter.path, to)]).expect("in range");
            games(&changed, 6) != before
        });
        let inert = INERT.iter().any(|(path, _)| *path == parameter.path);
        assert_eq!(changes, !inert, "{}", parameter.path);
    }
}

#[test]
fn every_mapping_of_the_evaluation_plays_differently() {
    let config = everything();
    let path = "stages.opening.evaluation_form";
    let words = config.choice(path).expect("a choice").words;
    assert_eq!(words.len(), 4);
    let played: Vec<_> = (0..words.len())
        .map(|place| {
            let mut changed = config.clone();
            changed.set(&[(path, place as f64)]).expect("a place");
            games(&changed, 6)
        })
        .collect();
    for (index, games) in played.iter().enumerate() {
        assert!(!played[..index].contains(games), "{}", words[index]);
    }
}

#[test]
fn random_games_of_an_evaluation_are_those_of_the_position() {
    let board = Board::of(6, 6).expect("a board");
    let start = Amazons::start(board).expect("a start");
    let evaluation = |rollouts, points| Evaluation {
        form: EvaluationForm::default(),
        weights: [5.0, 20.0, 0.1, 1.0],
        scale: 8.0,
        noise: 0.0,
        correction: Correction { rollouts, points },
    };
    let value = |position: &Amazons, rollouts, points| {
        let mut work = Work::default();
        let evaluation = evaluation(rollouts, points);
        let value = AmazonsKnowledge.evaluate(position, &evaluation, &mut work);
        assert_eq!(work.uniform_plies > 0, rollouts > 0);
        value
    };
    let plain = value(&start, 0, 10.0);
    let added = value(&start, 100, 10.0) - plain;
    assert_eq!(
        value(&start, 100, 10.0) - plain,
        added,
        "the same games again"
    );
    // 100 games make steps of 2 / 100, and more points add in proportion.
    let steps = added / 10.0 * 50.0;
    assert!(
        (steps - steps.round()).abs() < 1e-9 && added.abs() < 10.0,
        "{added}"
    );
    let doubled = value(&start, 100, 20.0) - plain;
    assert!((doubled - 2.0 * added).abs() < 1e-9);
    // Other positions have other games, and a side that is shut in loses nearly all of them.
    let shut = "q*4/**4/6/6/6/3Q2 b - - 0 1";
    let shut = Amazons::from_text(shut).expect("a position");
    assert!(shut.outcome().is_some());
    let nearly = Amazons::from_text("q1*3/***3/6/6/6/3Q2 w - - 0 1").expect("a position");
    let added = value(&nearly, 100, 10.0) - value(&nearly, 0, 10.0);
    assert!(added > 9.0, "{added}");
}

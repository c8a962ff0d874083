//! Every parameter of an engine does something, schedules reach the search, and budgets are kept.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use sixfold_engine::agent::{Agent, GameRecord, GameWatch, Referee, TimeSource, play_game};
use sixfold_engine::clock::{Amount, Budget};
use sixfold_engine::config::EngineConfig;
use sixfold_engine::eval::dots::DotsKnowledge;
use sixfold_engine::eval::dots::opening::random_opening;
use sixfold_engine::game::Position;
use sixfold_engine::game::dots::{Board, Dots};
use sixfold_engine::stream::{Purpose, StreamKey};

/// An engine that makes use of everything: a schedule and a constant of each kind, every searcher,
/// every way to start but `solvable`, a budget for the game.
const EVERYTHING: &str = r#"
format = 1
game = { name = "dots_and_boxes", rows = 4, cols = 4 }
budget = { work_units = 4000000, per = "game" }
solver = { table_mib = 4 }

[stages.opening]
from = { ply = 0 }
searcher = "uct"
exploration = { from = 0.1, to = 0.02, shape = "geometric" }
bias = { capture = 0.2, gives = -0.05, other = 0.01, long_chain = 0.1 }
depth_plies = { from = 4, to = 2, shape = "linear" }
margin_weight = 0.1
expand_after_visits = 2
first_visit_value = 1.2
evaluation_weight = 0.4
evaluation = { chains = 0.6, long_chain_parity = 0.5, safe_parity = 0.3, scale = 3.0, noise = 0.5 }
early_stop = { simulations = 200, margin = 0.01 }
rollout = "safe"
move_list = "all"
final_move = "visits"
share = 2.0

[stages.layout]
from = { filled = 0.25 }
searcher = "iterative_deepening"
evaluation = { chains = 0.6, long_chain_parity = 0.5, safe_parity = 0.3, noise = 0.5 }
depth_plies = 3
move_list = "sufficient"

[stages.critical]
from = { ply = 14 }
searcher = "uct"
exploration = 0.2
bias = "opening"
evaluation = "opening"
evaluation_weight = "opening"
early_stop = "opening"
depth_plies = 3
rollout = "uniform"
takes_savings = true

[stages.endgame]
from = { edges_left = 20 }
searcher = "alpha_beta"
share = 3.0
"#;

/// Parameters of `EVERYTHING` and of `VARIATIONS` that change nothing there, and why.
const INERT: [(&str, &str); 5] = [
    (
        "stages.layout.evaluation.scale",
        "iterative deepening compares points; the scale makes values of them for UCT",
    ),
    (
        "stages.variations.evaluation.scale",
        "principal variation search compares points too",
    ),
    (
        "stages.variations.share",
        "there is no other stage that would get less or more",
    ),
    (
        "stages.opening.widening.exponent",
        "widening is off: from none nothing grows",
    ),
    (
        "stages.critical.widening.exponent",
        "widening is off here too",
    ),
];

/// An engine of principal variation search alone.
const VARIATIONS: &str = r#"
format = 1
game = { name = "dots_and_boxes", rows = 4, cols = 4 }
budget = { work_units = 400000, per = "move" }
solver = { table_mib = 4 }

[stages.variations]
from = { ply = 0 }
searcher = "principal_variation"
evaluation = { chains = 0.6, long_chain_parity = 0.5, safe_parity = 0.3, noise = 0.5 }
depth_plies = 3
width = 6
"#;

fn parse(text: &str) -> EngineConfig {
    EngineConfig::parse(Path::new("everything.toml"), text).expect("a valid configuration")
}

/// Games of this engine against itself on several openings, and what every move cost.
fn games(config: &EngineConfig, count: u64) -> Vec<GameRecord<Dots>> {
    let agent = || Agent::new(config, DotsKnowledge);
    let (mut first, mut second) = (agent(), agent());
    let mut referee = Referee::new(4, DotsKnowledge);
    let board = Board::of(4, 4).expect("a board");
    let play = |seed| {
        let stream = |purpose| StreamKey::new(seed, purpose).stream();
        let opening = random_opening(board, &mut stream(Purpose::Opening));
        let streams = [stream(Purpose::First), stream(Purpose::Second)];
        play_game(
            [&mut first, &mut second],
            streams,
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
    [EVERYTHING, VARIATIONS]
        .into_iter()
        .for_each(check_parameters);
}

fn check_parameters(text: &str) {
    let config = parse(text);
    let before = games(&config, 3);
    for parameter in config.parameters() {
        let spec = parameter.spec;
        let mut candidates = vec![spec.min, spec.max];
        if parameter.path.contains("from.") {
            candidates = vec![parameter.value + spec.step, parameter.value - spec.step];
        }
        let changes = candidates
            .into_iter()
            .filter(|&to| to != parameter.value)
            .any(|to| {
                let mut changed = config.clone();
                changed.set(&[(&parameter.path, to)]).expect("in range");
                games(&changed, 3) != before
            });
        let inert = INERT.iter().any(|(path, _)| *path == parameter.path);
        assert_eq!(changes, !inert, "{}", parameter.path);
    }
}

#[test]
fn a_choice_is_set_by_the_place_of_its_word_and_reads_as_the_word_in_the_text() {
    let config = parse(EVERYTHING);
    let choices = config.choices();
    assert!(choices.len() >= 4, "{choices:?}");
    for choice in &choices {
        assert!(
            config.parameter(&choice.path).is_err(),
            "no number: {}",
            choice.path
        );
        for (place, word) in choice.words.iter().enumerate() {
            let number = choice.number_of(word).expect("one of its words");
            let mut changed = config.clone();
            changed.set(&[(&choice.path, number)]).expect("a place");
            let now = changed.choice(&choice.path).expect("still a choice");
            assert_eq!(now.place, place);
            // No other choice moves.
            let others = |all: &EngineConfig| -> Vec<_> {
                let all = all.choices().into_iter();
                all.filter(|it| it.path != choice.path).collect()
            };
            assert_eq!(others(&changed), others(&config));
        }
        let refused = |number: f64| {
            let error = config.clone().set(&[(&choice.path, number)]).unwrap_err();
            assert!(error.problem.contains("from 0 to"), "{error}");
        };
        for number in [-1.0, 0.5, choice.words.len() as f64, f64::NAN] {
            refused(number);
        }
        let error = choice.number_of("nothing").unwrap_err();
        assert!(error.contains(choice.words[0]), "{error}");
    }
    let safe = parse(&EVERYTHING.replacen("rollout = \"safe\"", "rollout = \"uniform\"", 1));
    let rollout = |it: &&sixfold_engine::config::Choice| it.path.ends_with(".rollout");
    let differing = choices.iter().filter(rollout).filter(|it| {
        let number = it.number_of("uniform").expect("a word");
        let mut changed = config.clone();
        changed.set(&[(&it.path, number)]).expect("a place");
        changed == safe
    });
    assert_eq!(differing.count(), 1, "the text's own change, made by path");
}

#[test]
fn choices_of_words_change_what_the_engine_does() {
    let before = games(&parse(EVERYTHING), 3);
    for (from, to) in [
        ("rollout = \"safe\"", "rollout = \"uniform\""),
        ("move_list = \"all\"", "move_list = \"sufficient\""),
        ("move_list = \"sufficient\"", "move_list = \"all\""),
        ("final_move = \"visits\"", "final_move = \"highest_ucb\""),
        ("final_move = \"visits\"", "final_move = \"mean\""),
        ("shape = \"geometric\"", "shape = \"linear\""),
        ("final_move = \"visits\"", "transpositions = \"shared\""),
        ("takes_savings = true", "takes_savings = false"),
        ("per = \"game\"", "per = \"move\""),
    ] {
        assert!(EVERYTHING.contains(from));
        assert_ne!(
            games(&parse(&EVERYTHING.replacen(from, to, 1)), 3),
            before,
            "{to}"
        );
    }
}

#[test]
fn where_nodes_are_widened_their_growth_matters() {
    let widened = |exponent| {
        let mut config = parse(EVERYTHING);
        let widening = [
            ("stages.critical.widening.first", 2.0),
            ("stages.critical.widening.exponent", exponent),
        ];
        config.set(&widening).expect("in range");
        games(&config, 3)
    };
    assert_ne!(widened(0.0), widened(0.5));
}

#[test]
fn widening_and_a_graph_exclude_each_other_in_texts_and_by_path() {
    let from = "takes_savings = true\n";
    let to = "takes_savings = true\ntranspositions = \"shared\"\nwidening = { first = 2 }\n";
    let both = EVERYTHING.replacen(from, to, 1);
    let error = EngineConfig::parse(Path::new("both.toml"), &both).unwrap_err();
    let error = error.to_string();
    for part in [
        "both.toml:",
        "stages.critical",
        "widening.first = 0",
        "separate",
    ] {
        assert!(error.contains(part), "{error}");
    }
    let widened = EVERYTHING.replacen(from, &format!("{from}widening = {{ first = 2 }}\n"), 1);
    let mut config = parse(&widened);
    let path = "stages.critical.transpositions";
    let shared = config.choice(path).expect("a choice").number_of("shared");
    let error = config.set(&[(path, shared.expect("a word"))]).unwrap_err();
    assert!(error.to_string().contains("exclude each other"), "{error}");
    assert_eq!(config, parse(&widened), "nothing has changed");
}

#[test]
fn a_schedule_gives_the_root_of_each_ply_its_constants() {
    let config = parse(EVERYTHING);
    let mut agent = Agent::new(&config, DotsKnowledge);
    let board = Board::of(4, 4).expect("a board");
    let mut position = Dots::new(board);
    // The opening takes plies 0 to 9 of 40: a quarter.
    let mut constants = Vec::new();
    for ply in 0..10 {
        let mut stream = StreamKey::new(ply, Purpose::First).stream();
        let choice = agent.choose(&position, &mut stream);
        let used = choice.report().expect("UCT chose").constants;
        constants.push((used.exploration, used.depth_plies));
        position.play(choice.mv());
    }
    assert_eq!((constants[0], constants[9].1), ((0.1, 4), 2));
    assert!((constants[9].0 - 0.02).abs() < 1e-12);
    for pair in constants.windows(2) {
        let factor = pair[1].0 / pair[0].0;
        assert!((factor - 0.2f64.powf(1.0 / 9.0)).abs() < 1e-12, "{factor}");
    }
    let depths: Vec<u16> = constants.iter().map(|(_, depth)| *depth).collect();
    assert_eq!(depths, [4, 4, 4, 3, 3, 3, 3, 2, 2, 2]);
}

/// Units that First's agent used in each game.
fn used_units(records: &[GameRecord<Dots>]) -> Vec<u64> {
    let of_first = |record: &GameRecord<Dots>| {
        let moves = record
            .moves
            .iter()
            .filter(|played| played.player.index() == 0);
        moves.map(|played| played.work_units).sum()
    };
    records.iter().map(of_first).collect()
}

#[test]
fn a_budget_for_the_game_is_not_exceeded_but_by_a_last_simulation() {
    for total in [20_000, 400_000] {
        let mut config = parse(EVERYTHING);
        config.budget = Budget::per_game(Amount::Work(total));
        for used in used_units(&games(&config, 6)) {
            // Every move makes at least one simulation, whatever is left.
            assert!(used < total + 20 * 2_000, "{used} of {total}");
        }
    }
}

#[test]
fn what_early_stops_save_is_used_in_the_stage_that_takes_it() {
    let spent = |text: &str| -> Vec<u64> {
        let records = games(&parse(text), 8);
        let in_stage = |stage: usize| {
            let moves = records.iter().flat_map(|record| &record.moves);
            let moves: Vec<u64> = moves
                .filter(|played| played.stage == stage)
                .map(|played| played.work_units)
                .collect();
            moves.iter().sum::<u64>() / moves.len() as u64
        };
        vec![in_stage(0), in_stage(2)]
    };
    let eager = "early_stop = { simulations = 32, margin = -0.0 }";
    let stopping =
        spent(&EVERYTHING.replace("early_stop = { simulations = 200, margin = 0.01 }", eager));
    let patient =
        spent(&EVERYTHING.replace("early_stop = { simulations = 200, margin = 0.01 }", ""));
    assert!(
        stopping[0] < patient[0] * 9 / 10,
        "{stopping:?} {patient:?}"
    );
    assert!(
        stopping[1] > patient[1] * 11 / 10,
        "{stopping:?} {patient:?}"
    );
}

#[test]
fn a_stage_that_starts_when_solvable_starts_earlier_with_a_larger_budget() {
    let text = EVERYTHING
        .replace("from = { edges_left = 20 }", "from = { solvable = true }")
        .replace("rows = 4, cols = 4", "rows = 5, cols = 5");
    let first_exact = |units: u64| {
        let mut config = parse(&text);
        config.budget = Budget::per_move(Amount::Work(units));
        let agent = Agent::new(&config, DotsKnowledge);
        let board = Board::of(5, 5).expect("a board");
        let exact = (0..60).find(|&ply| {
            let position = Dots::for_analysis(board, (1u64 << ply) - 1);
            agent.stage_of(&position) == 3
        });
        exact.expect("the end of the game can be solved")
    };
    let plies = [100_000, 1_000_000, 100_000_000].map(first_exact);
    assert!(plies[0] > plies[1] && plies[1] > plies[2], "{plies:?}");
    assert!((15..40).contains(&plies[1]), "{plies:?}");
}

/// A clock that moves on by a tenth of a millisecond whenever it is read.
#[derive(Debug, Default)]
struct Ticking(AtomicU64);

impl TimeSource for Ticking {
    fn now(&self) -> Duration {
        Duration::from_micros(100 * self.0.fetch_add(1, Ordering::Relaxed))
    }
}

#[test]
fn an_early_stop_does_not_end_a_search_by_time_whose_others_could_still_catch_up() {
    let simulations = |milliseconds: u64| {
        let mut config = parse(EVERYTHING);
        // No mean is that much better: only what is out of reach stops, and by time nothing is.
        let margin = [("stages.opening.early_stop.margin", 10.0)];
        config.set(&margin).expect("in range");
        config.budget = Budget::per_game(Amount::Milliseconds(milliseconds));
        let time = Arc::new(Ticking::default());
        let mut agent = Agent::with_time(&config, DotsKnowledge, time);
        let board = Board::of(4, 4).expect("a board");
        let mut stream = StreamKey::new(1, Purpose::First).stream();
        agent.choose(&Dots::new(board), &mut stream).simulations()
    };
    let (short, long) = (simulations(1_000), simulations(4_000));
    assert!(short > 1_000 && long > 3 * short, "{short} {long}");
}

#[test]
fn a_budget_of_time_is_measured_by_the_clock_that_the_agent_is_given() {
    let simulations = |milliseconds: u64| {
        let mut config = parse(EVERYTHING);
        config.budget = Budget::per_move(Amount::Milliseconds(milliseconds));
        let time = Arc::new(Ticking::default());
        let mut agent = Agent::with_time(&config, DotsKnowledge, time);
        let board = Board::of(4, 4).expect("a board");
        let mut stream = StreamKey::new(1, Purpose::First).stream();
        agent.choose(&Dots::new(board), &mut stream).simulations()
    };
    let (short, long) = (simulations(10), simulations(100));
    assert!(
        short > 0 && long > 8 * short && long < 12 * short,
        "{short} {long}"
    );
    assert_eq!(simulations(10), short);
}

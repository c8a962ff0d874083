//! Agents and the games between them: stages, budgets, adjudication, and that nothing leaks from
//! one game into the next.

use std::path::Path;

use sixfold_engine::agent::{Agent, GameRecord, GameWatch, Referee, play_game};
use sixfold_engine::clock::{Amount, Budget};
use sixfold_engine::config::EngineConfig;
use sixfold_engine::eval::Work;
use sixfold_engine::eval::dots::DotsKnowledge;
use sixfold_engine::eval::dots::opening::random_opening;
use sixfold_engine::game::Position;
use sixfold_engine::game::dots::{Board, Dots};
use sixfold_engine::search::Unlimited;
use sixfold_engine::search::alpha_beta::{Solver, SolverOptions};
use sixfold_engine::stage::Searcher;
use sixfold_engine::stream::{Purpose, Stream, StreamKey};

type DotsAgent = Agent<Dots, DotsKnowledge>;

/// The source's engine on a board that exact search finishes at once.
fn config() -> EngineConfig {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs/engines/dots-paper.toml");
    let text = std::fs::read_to_string(&file).expect("the configuration is there");
    let text = text
        .replace("rows = 5", "rows = 3")
        .replace("cols = 5", "cols = 3")
        .replace("edges_left = 30", "edges_left = 12")
        .replace("{ ply = 10 }", "{ ply = 4 }")
        .replace("{ ply = 16 }", "{ ply = 6 }")
        .replace("{ ply = 20 }", "{ ply = 8 }")
        .replace("simulations = 200", "simulations = 60");
    EngineConfig::parse(&file, &text).expect("a valid configuration")
}

fn agent(config: &EngineConfig) -> DotsAgent {
    Agent::new(config, DotsKnowledge)
}

fn opening(seed: u64) -> Dots {
    let board = Board::of(3, 3).expect("3x3 boxes are a board");
    random_opening(board, &mut StreamKey::new(seed, Purpose::Opening).stream())
}

fn streams(seed: u64) -> [Stream; 2] {
    [Purpose::First, Purpose::Second].map(|purpose| StreamKey::new(seed, purpose).stream())
}

fn game(first: &mut DotsAgent, second: &mut DotsAgent, seed: u64) -> GameRecord<Dots> {
    let mut referee = Referee::new(1, DotsKnowledge);
    play_game(
        [first, second],
        streams(seed),
        &mut referee,
        &opening(seed),
        &GameWatch::default(),
    )
    .expect("nothing stops the game and agents choose legal moves")
}

#[test]
fn an_agent_plays_the_same_game_whatever_it_played_before() {
    let config = config();
    let (mut first, mut second) = (agent(&config), agent(&config));
    let fresh = game(&mut first, &mut second, 1);
    for seed in 2..6 {
        game(&mut second, &mut first, seed);
    }
    assert_eq!(game(&mut first, &mut second, 1), fresh);
    assert_eq!(
        game(&mut second, &mut first, 1),
        fresh,
        "the seat decides, not the agent"
    );
}

#[test]
fn a_game_is_adjudicated_with_the_proven_value_once_both_play_exactly() {
    let config = config();
    for seed in 0..20 {
        let record = game(&mut agent(&config), &mut agent(&config), seed);
        assert!(record.adjudication_units.is_some());
        let mut position = record.opening;
        for played in &record.moves {
            assert!(
                position.open().count_ones() > 12,
                "both play exactly from 12 edges left"
            );
            assert_eq!(position.to_move(), played.player);
            position.play(played.mv);
        }
        let mut solver = Solver::new(1, SolverOptions::default());
        // To the end by exact play: the margin is the adjudicated one.
        while position.outcome().is_none() {
            let mut work = Work::default();
            let solved = solver.solve(&position, &DotsKnowledge, &mut Unlimited, &mut work);
            position.play(solved.expect("nothing stops this search").best_move);
        }
        assert_eq!(position.margin(), record.margin);
    }
}

#[test]
fn exact_search_that_exceeds_its_share_of_the_work_gives_way_to_uct() {
    let mut config = config();
    config.budget = Budget::per_move(Amount::Work(2_000));
    for stage in &mut config.stages {
        if stage.searcher == Searcher::AlphaBeta {
            stage.start = sixfold_engine::stage::Start::EdgesLeft(24);
        }
    }
    let mut player = agent(&config);
    let start = opening(3);
    let choice = player.choose(&start, &mut streams(3)[0]);
    assert_eq!(player.stage_name(choice.stage), "endgame");
    assert_eq!(
        choice.proven(),
        None,
        "2,000 units do not solve 3x3 from the opening"
    );
    assert!(choice.simulations() > 0 && start.is_legal(choice.mv()));
    assert!(!player.plays_exactly(&start));
    config.budget = Budget::per_move(Amount::Work(1 << 40));
    let mut rich = agent(&config);
    assert!(rich.choose(&start, &mut streams(3)[0]).proven().is_some());
    assert!(
        rich.plays_exactly(&start),
        "it has shown that it can afford the proof"
    );
}

#[test]
fn a_budget_in_work_is_kept_to_within_one_simulation() {
    let mut config = config();
    config.budget = Budget::per_move(Amount::Work(5_000));
    let choice = agent(&config).choose(&opening(4), &mut streams(4)[0]);
    let units = choice.work.units();
    assert!((5_000..5_400).contains(&units), "{units} units");
}

#[test]
fn a_constant_of_a_stage_acts_in_its_stage_alone() {
    let plain = config();
    let mut biased = config();
    biased
        .set(&[("stages.layout.bias.gives", -1.0)])
        .expect("a parameter of the engine");
    let mut differing = 0;
    for seed in 0..10 {
        let one = game(&mut agent(&plain), &mut agent(&plain), seed);
        let other = game(&mut agent(&biased), &mut agent(&biased), seed);
        let parted = one.moves.iter().zip(&other.moves).position(|(a, b)| a != b);
        if let Some(at) = parted {
            let ply = usize::from(one.opening.ply()) + at;
            assert!(
                ply >= 4,
                "seed {seed}: the games part at ply {ply}, in the opening"
            );
            differing += 1;
        }
    }
    assert!(differing > 0, "a bias of one whole point changes some game");
}

#[test]
fn constants_that_are_the_same_as_another_stages_follow_it() {
    let mut config = config();
    config
        .set(&[("stages.layout.bias.gives", -0.3)])
        .expect("a parameter of the engine");
    for name in ["critical", "settled"] {
        let stage = config
            .stages
            .iter()
            .find(|stage| stage.name == name)
            .expect("a stage");
        let plan = stage.searcher.plan().expect("a UCT stage");
        assert_eq!(plan.constants.bias[1], -0.3, "{name}");
    }
    let error = config
        .set(&[("stages.settled.bias.gives", -0.3)])
        .expect_err("a shared constant");
    assert!(
        error.to_string().contains("stages.layout.bias.gives"),
        "{error}"
    );
}

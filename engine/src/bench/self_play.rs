//! Games of an engine against itself, and what of their time its searches take.

use std::time::Instant;

use super::rate;
use crate::agent::{Agent, Bot, GameRecord, GameWatch, Referee, play_game};
use crate::config::EngineConfig;
use crate::eval::Work;
use crate::game::Position;
use crate::games::Playable;
use crate::search::Unlimited;
use crate::search::alpha_beta::{Solver, SolverOptions};
use crate::stream::{Purpose, Stream, StreamKey};

/// Games a second, and the share of their time that is not spent choosing moves or proving.
pub(super) fn games<G: Playable>(config: &EngineConfig, seconds: f64) -> (f64, f64) {
    let knowledge = G::Knowledge::default;
    let agent = || Agent::new(config, knowledge());
    let (mut first, mut second) = (agent(), agent());
    let mut replay = [agent(), agent()];
    let mut referee = Referee::new(config.table_mib, knowledge());
    let mut solver = Solver::new(config.table_mib, SolverOptions::default());
    let (mut pair, mut playing, mut shares) = (0, 0.0, Vec::new());
    rate(seconds, || {
        let key = StreamKey {
            pair,
            ..StreamKey::new(4, Purpose::Opening)
        };
        let opening = G::opening(config.game, &mut key.stream());
        let streams =
            [Purpose::First, Purpose::Second].map(|purpose| StreamKey { purpose, ..key }.stream());
        let begun = Instant::now();
        let bots: [&mut dyn Bot<G::Position>; 2] = [&mut first, &mut second];
        let record = play_game(
            bots,
            streams.clone(),
            &mut referee,
            &opening,
            &GameWatch::default(),
        );
        let elapsed = begun.elapsed().as_secs_f64();
        let record = record.expect("a bench game has a result");
        let searching = search_seconds::<G>(&mut replay, &mut solver, &record, streams);
        playing += elapsed;
        shares.push(1.0 - searching / elapsed);
        pair += 1;
        1
    });
    // The median: a game that was interrupted by another program tells nothing.
    shares.sort_by(f64::total_cmp);
    let share = shares[shares.len() / 2].clamp(0.0, 1.0);
    (f64::from(pair) / playing, share)
}

/// Seconds that the searches of a game take: every choice is made again, on its own clock.
fn search_seconds<G: Playable>(
    agents: &mut [Agent<G::Position, G::Knowledge>; 2],
    solver: &mut Solver<G::Position>,
    record: &GameRecord<G::Position>,
    mut streams: [Stream; 2],
) -> f64 {
    let mut position = record.opening;
    let mut seconds = 0.0;
    agents.iter_mut().for_each(Agent::new_game);
    for played in &record.moves {
        let side = played.player.index();
        let begun = Instant::now();
        let choice = agents[side].choose(&position, &mut streams[side]);
        seconds += begun.elapsed().as_secs_f64();
        assert_eq!(
            choice.mv(),
            played.mv,
            "the same position and stream lead to the same move"
        );
        position.play(choice.mv());
    }
    if record.adjudication_units.is_some() {
        let mut work = Work::default();
        solver.new_game();
        let begun = Instant::now();
        let solved = solver.solve(
            &position,
            &G::Knowledge::default(),
            &mut Unlimited,
            &mut work,
        );
        seconds += begun.elapsed().as_secs_f64();
        std::hint::black_box(solved);
    }
    seconds
}

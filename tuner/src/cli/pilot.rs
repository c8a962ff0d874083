//! The part of `tuner check` that measures how fast games are.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use sixfold_engine::clock::{Amount, Per};
use sixfold_engine::config::EngineConfig;
use sixfold_tuner::evaluator::match_play::{Side, Streams, matches};
use sixfold_tuner::job::Job;
use sixfold_tuner::trial::{Colours, Trial, TrialId};

use super::exit::Failure;

/// Games of the first look, with a small budget.
const PROBE_GAMES: u32 = 64;
/// Largest budgets of the first look.
const PROBE_SIMULATIONS: u64 = 500;
const PROBE_UNITS: u64 = 100_000;
const PROBE_MILLISECONDS: u64 = 2;
/// About how many moves of a player share a game's budget.
const PROBE_MOVES: u64 = 20;
/// What the games with the job's own budget may take.
const PILOT_S: f64 = 3.0;
/// Fewer of them say little: then the first look is scaled.
const PILOT_GAMES_MIN: f64 = 16.0;
/// More are not needed.
const PILOT_GAMES_MAX: f64 = 2_000.0;

/// How fast games are here and now.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Pilot {
    /// Games a second of the tuned engine against itself, on all threads.
    pub(super) games_per_s: f64,
    /// Games that it was measured with.
    pub(super) games: u32,
    /// Part of the job's budget that these games had; speed was scaled with it.
    pub(super) share_of_budget: f64,
}

impl Pilot {
    /// How it was measured, for people.
    pub(super) fn words(&self) -> String {
        let Self {
            games,
            share_of_budget,
            ..
        } = *self;
        if share_of_budget < 1.0 {
            let percent = 100.0 * share_of_budget;
            format!("measured with {games} games at {percent:.2} % of the budget and scaled")
        } else {
            format!("measured with {games} games")
        }
    }
}

/// Measures the speed: first with a small budget and scaled, for searches take time in proportion
/// to their budget; then, if that leaves time for enough of them, with the job's own.
pub(super) fn measure(job: &Job) -> Result<Pilot, Failure> {
    let mut config = job.engine_config();
    let number = config.budget.amount.number();
    let moves = match config.budget.per {
        Per::Move => 1,
        Per::Game => PROBE_MOVES,
    };
    let limit = moves
        * match config.budget.amount {
            Amount::Simulations(_) => PROBE_SIMULATIONS,
            Amount::Work(_) => PROBE_UNITS,
            Amount::Milliseconds(_) => PROBE_MILLISECONDS,
        };
    let probed = number.min(limit);
    config.budget.amount = config.budget.amount.with_number(probed);
    let share_of_budget = probed as f64 / number as f64;
    let games_per_s = share_of_budget * speed(job, &config, PROBE_GAMES)?;
    let affordable = (games_per_s * PILOT_S).min(PILOT_GAMES_MAX);
    if affordable < PILOT_GAMES_MIN {
        return Ok(Pilot {
            games_per_s,
            games: PROBE_GAMES,
            share_of_budget,
        });
    }
    let games = 2 * (0.5 * affordable) as u32;
    Ok(Pilot {
        games_per_s: speed(job, &job.engine_config(), games)?,
        games,
        share_of_budget: 1.0,
    })
}

/// Games a second of an engine against itself.
fn speed(job: &Job, config: &EngineConfig, games: u32) -> Result<f64, Failure> {
    let side = || Side::fixed(config.clone());
    let deadline = Some(job.matches.move_deadline());
    let mut players = matches(side(), side(), job.seed, Streams::Independent, deadline)?;
    let vector = job.space.start();
    let id = TrialId {
        round: u32::MAX,
        trial: 0,
    };
    let (a, b, colours) = (vector.clone(), vector, Colours::Paired);
    let trial = Trial {
        id,
        a,
        b,
        colours,
        games,
    };
    let begun = Instant::now();
    players.evaluate(&[trial], &AtomicBool::new(false))?;
    Ok(f64::from(games) / begun.elapsed().as_secs_f64().max(1e-9))
}

//! The part of `tuner check` that measures how fast games are.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::anyhow;
use sixfold_engine::clock::{Amount, Budget, Per};
use sixfold_engine::config::EngineConfig;
use sixfold_tuner::evaluator::match_play::{Matches, PairAttempt, Side, Streams, matches};
use sixfold_tuner::job::Job;
use sixfold_tuner::trial::{Colours, Trial, TrialId};

use crate::workspace::exit::Failure;

/// Games of the first look, with a small budget.
const PROBE_GAMES: u32 = 64;
/// Largest budgets of the first look.
const PROBE_SIMULATIONS: u64 = 500;
const PROBE_UNITS: u64 = 100_000;
const PROBE_MILLISECONDS: u64 = 2;
/// About how many moves of a player share a game's budget.
const PROBE_MOVES: u64 = 20;
/// Factor from one look to the next while the budget still ends the searches.
const GROWTH: u64 = 10;
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
/// to their budget; then, if that leaves time for enough of them, with the job's own. Searches that
/// end before their budget does take the same time with any larger one: that is looked for before
/// anything is scaled.
pub(super) fn measure(job: &Job) -> Result<Pilot, Failure> {
    let own = job.engine_config();
    let number = own.budget.amount.number();
    let mut probed = number.min(probe_limit(own.budget));
    let mut games_per_s = speed(job, &with_number(&own, probed), PROBE_GAMES)?;
    loop {
        let share_of_budget = probed as f64 / number as f64;
        let scaled = share_of_budget * games_per_s;
        let affordable = (scaled * PILOT_S).min(PILOT_GAMES_MAX);
        if affordable >= PILOT_GAMES_MIN {
            let games = 2 * (0.5 * affordable) as u32;
            return Ok(Pilot {
                games_per_s: speed(job, &own, games)?,
                games,
                share_of_budget: 1.0,
            });
        }
        let is_used_up = is_used_up(job, &with_number(&own, probed))?;
        let larger = number.min(GROWTH * probed);
        let games_s = f64::from(PROBE_GAMES) / games_per_s;
        let is_affordable = games_s * (larger as f64 / probed as f64) <= PILOT_S;
        if !is_used_up || larger == probed || !is_affordable {
            return Ok(Pilot {
                games_per_s: if is_used_up { scaled } else { games_per_s },
                games: PROBE_GAMES,
                share_of_budget: if is_used_up { share_of_budget } else { 1.0 },
            });
        }
        probed = larger;
        games_per_s = speed(job, &with_number(&own, probed), PROBE_GAMES)?;
    }
}

/// The largest budget of the first look.
fn probe_limit(budget: Budget) -> u64 {
    let moves = match budget.per {
        Per::Move => 1,
        Per::Game => PROBE_MOVES,
    };
    moves
        * match budget.amount {
            Amount::Simulations(_) => PROBE_SIMULATIONS,
            Amount::Work(_) => PROBE_UNITS,
            Amount::Milliseconds(_) => PROBE_MILLISECONDS,
        }
}

/// The same engine with so much of its budget.
fn with_number(config: &EngineConfig, number: u64) -> EngineConfig {
    let mut config = config.clone();
    config.budget.amount = config.budget.amount.with_number(number);
    config
}

/// Whether the budget is what ends the searches of an engine: with half of it a game is another.
fn is_used_up(job: &Job, config: &EngineConfig) -> Result<bool, Failure> {
    let half = config.budget.amount.number() / 2;
    if !config.budget.is_reproducible() || half == 0 {
        return Ok(true);
    }
    Ok(work_of_pair(job, config)? != work_of_pair(job, &with_number(config, half))?)
}

/// Units of work of each move of a pair of games of an engine against itself.
fn work_of_pair(job: &Job, config: &EngineConfig) -> Result<Vec<u64>, Failure> {
    let pair = PairAttempt {
        trial: Arc::new(trial(job, 2)),
        pair: 0,
        attempt: 0,
        is_timed: true,
    };
    let played = players(job, config)?.play_pairs(&[pair], &AtomicBool::new(false))?;
    let mut work = Vec::new();
    for games in played {
        for game in games.map_err(|dropped| anyhow!("{dropped}"))? {
            work.extend(game.summary().moves.iter().map(|it| it.work_units));
        }
    }
    Ok(work)
}

/// An engine against itself.
fn players(job: &Job, config: &EngineConfig) -> Result<Box<dyn Matches>, Failure> {
    let side = || Side::fixed(config.clone());
    let deadline = Some(job.matches.move_deadline());
    Ok(matches(
        side(),
        side(),
        job.seed,
        Streams::Independent,
        deadline,
    )?)
}

/// So many games at the start's values.
fn trial(job: &Job, games: u32) -> Trial {
    let vector = job.space.start();
    Trial {
        id: TrialId {
            round: u32::MAX,
            trial: 0,
        },
        a: vector.clone(),
        b: vector,
        colours: Colours::Paired,
        games,
    }
}

/// Games a second of an engine against itself.
fn speed(job: &Job, config: &EngineConfig, games: u32) -> Result<f64, Failure> {
    let mut players = players(job, config)?;
    let trial = trial(job, games);
    let begun = Instant::now();
    players.evaluate(&[trial], &AtomicBool::new(false))?;
    Ok(f64::from(games) / begun.elapsed().as_secs_f64().max(1e-9))
}

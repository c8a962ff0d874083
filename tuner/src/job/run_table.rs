//! The table `run` of a job: when the tuning ends, and how many trials are in flight.

use std::ops::RangeInclusive;

use sixfold_engine::config::{ConfigError, Section};

use super::{GAMES_MAX, LearnerSettings, budgets};
use crate::run::course::Stop;

/// Most rounds and trials in flight that a job may ask for.
const ROUNDS_MAX: u64 = 1_000_000;
const BATCH_MAX: u64 = 4096;
/// Elo still to be gained below which a tuning may stop.
const STOP_GAIN_RANGE: RangeInclusive<f64> = 0.01..=100.0;

/// The table `run` of a job.
pub(super) struct RunTable {
    /// When each leg ends, or the tuning at one budget.
    pub(super) stops: Vec<Stop>,
    /// What ends them earlier.
    pub(super) stop_gain_elo: Option<f64>,
    /// Trials in flight.
    pub(super) batch_trials: usize,
}

/// Reads the table `run`; its `rounds` are those of each leg.
pub(super) fn read(
    root: &Section<'_>,
    legs: usize,
    learner: &LearnerSettings,
) -> Result<RunTable, ConfigError> {
    let section = root.required_section("run")?;
    let rounds = section.integer("rounds", 1..=ROUNDS_MAX)?;
    let schedule = learner.schedule_games_min();
    let least = u64::from(learner.games_per_trial()).max(schedule.unwrap_or_default());
    let games = budgets::read_games(&section, legs, least)?;
    if schedule.is_some() && games.is_none() {
        let kind = learner.kind();
        let problem = format!(
            "is missing; a learner of kind \"{kind}\" divides the games of the tuning: expected a \
             whole number from {least} to {GAMES_MAX}"
        );
        return Err(section.error("games", problem));
    }
    if rounds.is_none() && games.is_none() {
        let problem = format!(
            "is missing, and `games` too; expected a whole number up to {ROUNDS_MAX}, or so many \
             games, or both: the tuning ends with what is reached first"
        );
        return Err(section.error("rounds", problem));
    }
    let stop_gain_elo = read_stop_gain(&section, learner)?;
    let batch = section
        .integer("trials_in_flight", 1..=BATCH_MAX)?
        .ok_or_else(|| {
            let problem = format!("is missing; expected a whole number from 1 to {BATCH_MAX}");
            section.error("trials_in_flight", problem)
        })?;
    section.check_no_strangers()?;
    let stop = |leg: usize| Stop {
        rounds: rounds.map(|rounds| rounds as u32),
        games: games.as_ref().map(|games| games[leg]),
    };
    Ok(RunTable {
        stops: (0..legs.max(1)).map(stop).collect(),
        stop_gain_elo,
        batch_trials: batch as usize,
    })
}

fn read_stop_gain(
    section: &Section<'_>,
    learner: &LearnerSettings,
) -> Result<Option<f64>, ConfigError> {
    let below = section.number("stop_gain_elo", STOP_GAIN_RANGE)?;
    if below.is_some() && learner.plays_one_sided() {
        let kind = learner.kind();
        let problem = format!(
            "cannot be used with a learner of kind \"{kind}\": one side is First in all its \
             games, which then do not say what is still to be gained; leave the key out"
        );
        return Err(section.error("stop_gain_elo", problem));
    }
    Ok(below)
}

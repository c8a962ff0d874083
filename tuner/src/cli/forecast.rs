//! The part of `tuner check` that says what the games of a job can find.

use std::io::Write;

use sixfold_tuner::bench::forecast::{Forecast, ForecastSetting, forecast};
use sixfold_tuner::bench::{Contender, DriveError};
use sixfold_tuner::job::{Job, LearnerSettings};

use crate::workspace::exit::Failure;

/// Elo between start and best values that are simulated.
const HEAD_ROOMS: [f64; 4] = [20.0, 50.0, 100.0, 200.0];
/// The one that learners are compared on.
const COMPARED: f64 = 50.0;
/// Learners that may be recommended, with their defaults.
const RECOMMENDED: [&str; 3] = ["q-tree", "pooled", "spsa"];
/// Most games of a simulated run, with two parameters: what more of them find is more. With more
/// parameters every fit costs more, so there are fewer games in proportion, but at least so many.
const GAMES_MAX: u64 = 30_000;
const GAMES_MAX_LEAST: u64 = 10_000;
/// Games of all runs of a table, with two parameters; learners take longer with more.
const GAMES_IN_ALL: u64 = 1_200_000;
/// Runs of each head room.
const RUNS_MIN: u64 = 10;
const RUNS_MAX: u64 = 40;

/// Writes the forecast of the job's learner and the learner that is recommended.
pub(super) fn write_forecast(job: &Job, out: &mut dyn Write) -> Result<(), Failure> {
    let setting = setting(job);
    let ForecastSetting { games, runs, .. } = setting;
    let own = contender(job.learner.clone(), job.learner.kind());
    let budget = games_max(job);
    let of_a_leg = if job.legs.is_empty() {
        ""
    } else {
        " (its shortest leg)"
    };
    let cut = if budget > u64::from(games) {
        format!(" (of the {budget} of the job: more find more)")
    } else {
        String::new()
    };
    writeln!(
        out,
        "\nforecast     {} with {games} games{of_a_leg}{cut}, {runs} simulated runs each, on \
         smooth hills\n             over {} parameters whose top lies 0.3 of the ranges away; an \
         engine can be harder",
        own.name, setting.parameters
    )?;
    let mut compared = None;
    for head_room in HEAD_ROOMS {
        let found = simulated(&own, &setting, head_room)?;
        writeln!(
            out,
            "             of {head_room:>3.0} Elo of head room: {:>4.0} in the middle run, at \
             least {:>4.0} in 9 of 10",
            found.median(),
            found.nine_of_ten()
        )?;
        if head_room == COMPARED {
            compared = Some(found);
        }
    }
    let own_found = compared.expect("learners are compared on a head room of the table");
    let advice = advice(&own, &own_found, &setting)?;
    writeln!(out, "learner      {advice}")?;
    Ok(())
}

/// Games of the tuning; of its shortest leg where it is at several budgets, because every leg has a
/// learner of its own, which knows nothing of the games of the others.
fn games_max(job: &Job) -> u64 {
    let legs = job.legs.iter().map(|leg| job.leg_games_max(leg));
    legs.min().unwrap_or_else(|| job.tuning_games_max())
}

fn simulated_games_max(parameters: usize) -> u64 {
    (GAMES_MAX * 2 / parameters as u64).max(GAMES_MAX_LEAST)
}

fn setting(job: &Job) -> ForecastSetting {
    let parameters = job.space.parameters.len();
    let games = games_max(job).min(simulated_games_max(parameters));
    let for_each = GAMES_IN_ALL * 2 / parameters as u64 / HEAD_ROOMS.len() as u64;
    let runs = (for_each / games.max(1)).clamp(RUNS_MIN, RUNS_MAX);
    ForecastSetting {
        parameters,
        games: games as u32,
        in_flight: job.batch_trials,
        runs: runs as u32,
    }
}

fn contender(settings: LearnerSettings, name: &str) -> Contender {
    Contender {
        name: name.to_owned(),
        games_per_trial: settings.games_per_trial(),
        build: Box::new(move |seed, space, games| settings.build(seed, space, Some(games))),
    }
}

fn simulated(
    contender: &Contender,
    setting: &ForecastSetting,
    head_room: f64,
) -> Result<Forecast, Failure> {
    Ok(
        forecast(contender, setting, head_room).map_err(|error: DriveError| {
            anyhow::anyhow!("the forecast cannot be made: {error}; --no-forecast skips it")
        })?,
    )
}

/// Which learner has found most, and whether that is more than luck.
fn advice(
    own: &Contender,
    own_found: &Forecast,
    setting: &ForecastSetting,
) -> Result<String, Failure> {
    let mut best = (own.name.clone(), own_found.clone());
    let others = RECOMMENDED.into_iter().filter(|kind| *kind != own.name);
    let others: Vec<&str> = others.collect();
    for &kind in &others {
        let settings = LearnerSettings::variant("learner", kind)?;
        let found = simulated(&contender(settings, kind), setting, COMPARED)?;
        if found.mean() > best.1.mean() {
            best = (kind.to_owned(), found);
        }
    }
    let (games, parameters) = (setting.games, setting.parameters);
    let with = format!("with {games} games and {parameters} parameters");
    let (name, found) = best;
    let lead = found.mean() - own_found.mean();
    let error = (found.error() * found.error() + own_found.error() * own_found.error()).sqrt();
    let (mine, theirs) = (own_found.mean(), found.mean());
    Ok(if lead > 2.0 * error {
        format!(
            "recommended is kind = \"{name}\": {with}\n             it finds {theirs:.0} of \
             {COMPARED:.0} Elo on average, and {} {mine:.0}",
            own.name
        )
    } else {
        format!(
            "{} is a good choice {with}:\n             it finds {mine:.0} of {COMPARED:.0} Elo on \
             average, and none of {} finds more beyond chance",
            own.name,
            others.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_parameters_are_simulated_with_fewer_games_but_never_with_few() {
        let most = [2, 3, 4, 6, 8, 40].map(simulated_games_max);
        assert_eq!(most, [30_000, 20_000, 15_000, 10_000, 10_000, 10_000]);
    }
}

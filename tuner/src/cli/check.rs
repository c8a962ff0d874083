//! `tuner check`: a job's plan before its night begins.

use std::io::{Write, stdout};

use sixfold_tuner::job::Job;

use super::forecast::write_forecast;
use super::pilot::{Pilot, measure};
use super::{CheckArguments, Outcome, use_threads};
use crate::workspace::exit::{Exit, Failure, bad_input};
use crate::workspace::legs;
use crate::workspace::plan::{verification_games, write_job};

/// Half the 95 % interval of n independent games without draws is this over the root of n, in Elo.
const ELO_HALF_WIDTH: f64 = 681.0;

pub(super) fn check(arguments: &CheckArguments) -> Outcome {
    let job = Job::load(&arguments.job).map_err(bad_input)?;
    use_threads(arguments.threads)?;
    let pilot = match arguments.no_pilot {
        true => None,
        false => Some(measure(&job)?),
    };
    let mut out = stdout().lock();
    writeln!(out, "{} is valid.", arguments.job.display())?;
    write_job(&job, &mut out)?;
    write_plan(&job, pilot, &mut out)?;
    if !arguments.no_forecast {
        write_forecast(&job, &mut out)?;
    }
    Ok(Exit::Success)
}

fn write_plan(job: &Job, pilot: Option<Pilot>, out: &mut dyn Write) -> Result<(), Failure> {
    let tuning = job.tuning_games_max();
    let plan = &job.verification;
    let [least, most] = verification_games(job);
    let fixed = u64::from(plan.measured_games) + 2 * u64::from(plan.reference_games);
    let rounds = match job.stop.rounds {
        Some(rounds) => format!(" in at most {rounds} rounds"),
        None => String::new(),
    };
    writeln!(out, "\ntuning       at most {tuning} games{rounds}")?;
    if let Some(elo) = job.stop_gain_elo {
        let it = if job.legs.is_empty() { "it" } else { "a leg" };
        writeln!(
            out,
            "             {it} ends earlier once less than {elo} Elo are still to be gained"
        )?;
    }
    legs::write_plan(job, out)?;
    writeln!(
        out,
        "verification {least} to {most} games, of which {fixed} are fixed"
    )?;
    write_speed(job, pilot, [least, most], out)?;
    let half_width = ELO_HALF_WIDTH / f64::from(plan.measured_games).sqrt();
    writeln!(
        out,
        "resolution   the measurement's interval will be about ±{half_width:.0} Elo near \
        an even score"
    )?;
    let bounds = plan.bounds_nelo;
    writeln!(
        out,
        "             the test tells {} from {} nElo",
        bounds[0], bounds[1]
    )?;
    let reproducible = if job.budget.is_reproducible() {
        "yes: the same job and seed give the same bytes on any number of threads"
    } else {
        "NOT REPRODUCIBLE: the budget is a time, so results depend on the machine and its load"
    };
    writeln!(out, "reproducible {reproducible}")?;
    Ok(())
}

/// Hours of the tuning and of the shortest and the longest verification.
fn write_speed(
    job: &Job,
    pilot: Option<Pilot>,
    [least, most]: [u64; 2],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let Some(pilot) = pilot else {
        writeln!(out, "speed        not measured (--no-pilot), so no hours")?;
        return Ok(());
    };
    let games_per_s = pilot.games_per_s;
    let time = |games: u64| show_seconds(games as f64 / games_per_s);
    writeln!(
        out,
        "speed        about {} games a second of the tuned engine here, {}:\n\
         \x20            about {} of tuning and {} to {} of verification (the reference engine may \
         be slower)",
        show_speed(games_per_s),
        pilot.words(),
        show_seconds(legs::tuning_seconds(job, games_per_s)),
        time(least),
        time(most)
    )?;
    Ok(())
}

/// Whole games a second, and hundredths where there are only few.
fn show_speed(games_per_s: f64) -> String {
    if games_per_s < 10.0 {
        format!("{games_per_s:.2}")
    } else {
        format!("{games_per_s:.0}")
    }
}

fn show_seconds(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slow_games_are_not_shown_as_none_a_second() {
        assert_eq!(show_speed(0.483), "0.48");
        assert_eq!(show_speed(9.99), "9.99");
        assert_eq!(show_speed(123.4), "123");
    }
}

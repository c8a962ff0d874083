//! `tuner check`: a job's plan before its night begins.

use std::io::{Write, stdout};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use sixfold_engine::clock::{Amount, Per};
use sixfold_tuner::evaluator::Evaluator;
use sixfold_tuner::evaluator::match_play::{MatchPlay, Side, Streams};
use sixfold_tuner::job::Job;
use sixfold_tuner::space::Scale;
use sixfold_tuner::trial::{Colours, Trial, TrialId};

use super::exit::{Exit, Failure, bad_input};
use super::{CheckArguments, Outcome, use_threads};

/// Games that measure the speed.
const PROBE_GAMES: u32 = 64;
/// Largest budgets that the speed is measured with.
const PROBE_SIMULATIONS: u64 = 500;
const PROBE_UNITS: u64 = 100_000;
const PROBE_MILLISECONDS: u64 = 2;
/// About how many moves of a player share a game's budget.
const PROBE_MOVES: u64 = 20;
/// Half the 95 % interval of n independent games without draws is this over the root of n, in Elo.
const ELO_HALF_WIDTH: f64 = 681.0;

pub(super) fn check(arguments: &CheckArguments) -> Outcome {
    let job = Job::load(&arguments.job).map_err(bad_input)?;
    use_threads(arguments.threads)?;
    let games_per_s = probe(&job)?;
    let mut out = stdout().lock();
    writeln!(out, "{} is valid.", arguments.job.display())?;
    writeln!(out, "\nengine       {}", job.engine.name)?;
    if let Some(reference) = &job.reference {
        writeln!(out, "reference    {}", reference.source.name)?;
    }
    writeln!(out, "budget       {}", job.budget)?;
    writeln!(
        out,
        "failures     a move may take {} s; more than {} % of dropped pairs stop the run",
        job.matches.move_deadline_s, job.matches.dropped_pairs_max_percent
    )?;
    for parameter in &job.space.parameters {
        let by = if parameter.scale == Scale::Log {
            "x"
        } else {
            ""
        };
        let kind = if parameter.integer {
            ", whole numbers"
        } else {
            ""
        };
        writeln!(
            out,
            "parameter    {} from {}, step {by}{}, {} to {}{kind}",
            parameter.path, parameter.start, parameter.step, parameter.min, parameter.max
        )?;
    }
    let for_games = ["share", "early_stop.simulations", "early_stop.margin"];
    for parameter in &job.space.parameters {
        let is_for_games = for_games.iter().any(|name| parameter.path.ends_with(name));
        if is_for_games && job.budget.per == Per::Move {
            writeln!(
                out,
                "warning: {} does nothing with a budget for each move; see per = \"game\"",
                parameter.path
            )?;
        }
    }
    let pairs = job.learner.rounds_for_all(&job.space);
    if let Some(rounds) = job.stop.rounds.filter(|rounds| *rounds < pairs) {
        writeln!(
            out,
            "warning: rounds edit the parameters in pairs, in turn; {rounds} rounds do not reach \
             all {pairs} pairs"
        )?;
    }
    write_plan(&job, games_per_s, &mut out)?;
    Ok(Exit::Success)
}

fn write_plan(job: &Job, games_per_s: f64, out: &mut dyn Write) -> Result<(), Failure> {
    let tuning = job.tuning_games_max();
    let plan = &job.verification;
    let fixed = u64::from(plan.measured_games) + 2 * u64::from(plan.reference_games);
    let (least, most) = (
        fixed + (2 * plan.looks().first()).min(u64::from(plan.games_max)),
        fixed + u64::from(plan.games_max),
    );
    let time = |games: u64| show_seconds(games as f64 / games_per_s);
    let rounds = match job.stop.rounds {
        Some(rounds) => format!(" in at most {rounds} rounds"),
        None => String::new(),
    };
    writeln!(out, "\ntuning       at most {tuning} games{rounds}")?;
    writeln!(
        out,
        "verification {least} to {most} games, of which {fixed} are fixed"
    )?;
    writeln!(
        out,
        "speed        about {games_per_s:.0} games a second of the tuned engine here, so \
        about {} of tuning and {} to {} of verification (the reference engine may be slower)",
        time(tuning),
        time(least),
        time(most)
    )?;
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

/// Games a second of the tuned engine against itself, on all threads. A large budget is probed
/// with a small one and scaled: searches take time in proportion to their budget.
fn probe(job: &Job) -> Result<f64, Failure> {
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
    let scale = probed as f64 / number as f64;
    let side = || Side::fixed(config.clone());
    let players = MatchPlay::new(side(), side(), job.seed, Streams::Independent)?;
    let mut players = players.with_deadline(job.matches.move_deadline());
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
        games: PROBE_GAMES,
    };
    let begun = Instant::now();
    players.evaluate(&[trial], &AtomicBool::new(false))?;
    Ok(scale * f64::from(PROBE_GAMES) / begun.elapsed().as_secs_f64().max(1e-9))
}

fn show_seconds(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

//! `tuner run`, `resume` and `verify`: the commands that play a run's games.

use std::io::{Write, stdout};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::anyhow;
use sixfold_tuner::event::Verdict;
use sixfold_tuner::job::Job;
use sixfold_tuner::queue::{Step, Ticket};
use sixfold_tuner::run::Ended;
use sixfold_tuner::store::folder::RunFolder;

use super::queue::ask_service;
use super::stop::stop_flag;
use super::{Common, Outcome, ResumeArguments, RunArguments, report, use_threads};
use crate::workspace::exit::{Exit, Failure, bad_input, refused};
use crate::workspace::logging::LogFile;
use crate::workspace::session::{Session, find};
use crate::workspace::show;

pub(super) fn run(arguments: &RunArguments, log: &LogFile) -> Outcome {
    let mut job = Job::load(&arguments.job).map_err(bad_input)?;
    if let Some(seed) = arguments.seed {
        job.seed = seed;
    }
    let base = arguments
        .job
        .file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or("run");
    let base = show::run_name(base);
    let name = arguments.name.as_deref();
    let common = &arguments.common;
    use_threads(common.threads)?;
    // Before the run exists: a request to stop never leaves one without saying how to resume it.
    let stop = stop_flag()?;
    let session = Session::create(&job, &common.runs, &base, name, log, &stop)?;
    drive(session, common, &stop)
}

pub(super) fn resume(arguments: &ResumeArguments, log: &LogFile) -> Outcome {
    let common = &arguments.common;
    if ask_service(&common.runs, &arguments.run, "resume", common.json)? {
        return Ok(Exit::Success);
    }
    let folder = find(&arguments.common.runs, &arguments.run)?;
    use_threads(arguments.common.threads)?;
    let stop = stop_flag()?;
    let session = Session::open(folder, log, &stop)?;
    drive(session, &arguments.common, &stop)
}

pub(super) fn verify(arguments: &ResumeArguments, log: &LogFile) -> Outcome {
    let common = &arguments.common;
    if ask_service(&common.runs, &arguments.run, "verify", common.json)? {
        return Ok(Exit::Success);
    }
    let folder = find(&arguments.common.runs, &arguments.run)?;
    use_threads(arguments.common.threads)?;
    let stop = stop_flag()?;
    let mut session = Session::open(folder, log, &stop)?;
    if session.summary().stop_reason.is_none() {
        let (name, runs) = (session.folder.name(), &arguments.common.runs);
        let run = show::argument(&session.folder, runs);
        let hint = format!("the tuning of {name} is not over; go on with `tuner resume {run}`");
        return Err(refused(anyhow!(hint)));
    }
    // An attempt that was interrupted is finished first; it is not another attempt.
    if session.has_finished_attempt() {
        session.course.verify_again();
    }
    drive(session, &arguments.common, &stop)
}

fn drive(mut session: Session, common: &Common, stop: &AtomicBool) -> Outcome {
    let begun = Instant::now();
    let games_before = all_games(&session);
    let run = show::argument(&session.folder, &common.runs);
    let ended = match session.drive(run, common.checkpoint_interval(), stop) {
        Ok(ended) => ended,
        Err(failure) => {
            tracing::info!(error = failure.text(), "stopped by an error");
            let run = show::argument(&session.folder, &common.runs);
            let hint = "what was stored is kept; once the cause is gone, go on with";
            return Err(Failure {
                exit: failure.exit,
                error: anyhow!("{}; {hint} `tuner resume {run}`", failure.text()),
            });
        }
    };
    settle_ticket(&session, ended)?;
    let games = all_games(&session) - games_before;
    let seconds = begun.elapsed().as_secs_f64();
    let games_per_s = games as f64 / seconds.max(1e-9);
    tracing::info!(?ended, games, seconds, games_per_s, "stopped");
    let reported = leave_report(&session.folder);
    let view = show::View::of(&session.folder, &session.job, session.summary(), false)?;
    let mut out = stdout().lock();
    if common.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&view)?)?;
    } else {
        write!(out, "{}", show::text(&view))?;
        writeln!(
            out,
            "This process played {games} games in {seconds:.1} s ({games_per_s:.0} a second)."
        )?;
        if reported {
            writeln!(out, "Report: {}", session.folder.report().display())?;
        }
        let next = show::next_command(&view, &session.folder, &common.runs);
        writeln!(out, "\nNext: {next}")?;
    }
    Ok(match ended {
        Ended::Interrupted => Exit::Interrupted,
        Ended::Finished => match session
            .summary()
            .last_attempt()
            .and_then(|last| last.verdict)
        {
            Some(Verdict::Accepted) => Exit::Success,
            _ => Exit::NotAccepted,
        },
    })
}

/// Says in the run's ticket, if it has one, what came of it here.
fn settle_ticket(session: &Session, ended: Ended) -> Result<(), Failure> {
    let path = session.folder.ticket();
    let Some(mut ticket) = Ticket::load(&path)? else {
        return Ok(());
    };
    let step = match ended {
        Ended::Finished => Step::Complete,
        Ended::Interrupted => Step::Pause,
    };
    let before = ticket.clone();
    // What is completed or was given up stays so.
    if ticket.step(step).is_ok() && ticket != before {
        ticket.save(&path)?;
    }
    Ok(())
}

/// Writes the run's report; whether that worked. What the run has stored does not depend on it.
pub(super) fn leave_report(folder: &RunFolder) -> bool {
    let file = folder.report();
    match report::write(folder, &file, false) {
        Ok(()) => true,
        Err(failure) => {
            let problem = failure.text();
            tracing::warn!(
                problem,
                "the report was not written; `tuner report` does it later, from the journal"
            );
            false
        }
    }
}

fn all_games(session: &Session) -> u64 {
    let summary = session.summary();
    summary.games
        + summary
            .attempts
            .iter()
            .map(|attempt| attempt.games())
            .sum::<u64>()
}

//! `tuner work`: what the service starts for a run in its queue. It goes on with the run until the
//! verifications asked for are over, and stops as on SIGTERM once its standard input ends: the
//! service holds the other end, so that a worker never outlives it.

use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use sixfold_tuner::run::{CHECKPOINT_INTERVAL, Ended};

use super::run::leave_report;
use super::stop::stop_flag;
use super::{Outcome, use_threads};
use crate::workspace::exit::Exit;
use crate::workspace::logging::LogFile;
use crate::workspace::session::{Session, find};
use crate::workspace::show;

#[derive(Args)]
pub(super) struct WorkArguments {
    /// The run's name
    run: String,
    /// Folder of runs
    #[arg(long, value_name = "DIR")]
    runs: PathBuf,
    /// Threads
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Verifications that shall be over
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    verifications: u32,
}

pub(super) fn work(arguments: &WorkArguments, log: &LogFile) -> Outcome {
    let folder = find(&arguments.runs, &arguments.run)?;
    use_threads(Some(arguments.threads))?;
    let stop = stop_flag()?;
    stop_with_input(&stop);
    let mut session = Session::open(folder, log, &stop)?;
    let run = show::argument(&session.folder, &arguments.runs);
    let ended = go_on(&mut session, &run, arguments.verifications, &stop)?;
    tracing::info!(?ended, "stopped");
    leave_report(&session.folder);
    Ok(match ended {
        Ended::Interrupted => Exit::Interrupted,
        Ended::Finished => Exit::Success,
    })
}

fn go_on(
    session: &mut Session,
    run: &str,
    verifications: u32,
    stop: &AtomicBool,
) -> Result<Ended, crate::workspace::exit::Failure> {
    loop {
        let is_over = session.has_finished_attempt();
        let attempts = session.summary().attempts.len();
        if is_over && attempts >= verifications as usize {
            return Ok(Ended::Finished);
        }
        if is_over {
            session.course.verify_again();
        }
        if session.drive(run.to_owned(), CHECKPOINT_INTERVAL, stop)? == Ended::Interrupted {
            return Ok(Ended::Interrupted);
        }
    }
}

/// Raises the flag once standard input ends.
fn stop_with_input(stop: &Arc<AtomicBool>) {
    let stop = Arc::clone(stop);
    std::thread::spawn(move || {
        let mut byte = [0];
        while std::io::stdin().read(&mut byte).is_ok_and(|read| read > 0) {}
        stop.store(true, Ordering::Relaxed);
    });
}

//! Requests to stop: Ctrl-C and SIGTERM.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;

use crate::workspace::exit::{Exit, Failure};

/// Signals within this time of the first are one: some programs signal a process and its group.
const ONE_SIGNAL: Duration = Duration::from_secs(1);

/// Raises a flag on Ctrl-C and on SIGTERM; a second signal ends the program at once.
pub(super) fn stop_flag() -> Result<Arc<AtomicBool>, Failure> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    let mut first = None;
    ctrlc::set_handler(move || {
        raised.store(true, Ordering::Relaxed);
        if first.get_or_insert_with(Instant::now).elapsed() > ONE_SIGNAL {
            std::process::exit(Exit::Interrupted as i32);
        }
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(flag)
}

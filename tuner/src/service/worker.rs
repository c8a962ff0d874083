//! A worker: a child process of this same program that goes on with one run. It holds the run's
//! lock, stops when its standard input ends, and so never outlives the service for long.

use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How often a worker's end is looked for: what people feel as at once.
const GLANCE: Duration = Duration::from_millis(50);
/// A worker that was asked to stop drops the games that it plays; one that takes longer hangs.
const STOP_SECONDS_MAX: Duration = Duration::from_secs(6);
/// The end of what a worker said on standard error: enough for its last message.
const SAID_BYTES_MAX: usize = 4096;

/// How a worker came to its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ended {
    /// Its exit code; None when a signal killed it.
    pub(super) code: Option<i32>,
    /// The end of what it said on standard error.
    pub(super) said: String,
}

impl Ended {
    /// What is wrong, in a line for people.
    pub(super) fn problem(&self) -> String {
        let last = self.said.lines().rev().find(|line| !line.trim().is_empty());
        match (
            last.map(|line| line.trim_start_matches("error: ")),
            self.code,
        ) {
            (Some(line), _) => line.to_owned(),
            (None, Some(code)) => format!("the worker ended with code {code} and said nothing"),
            (None, None) => "the worker was killed".to_owned(),
        }
    }
}

/// What a worker shall do.
pub(super) struct Task<'a> {
    /// The run's name.
    pub(super) run: &'a str,
    /// Folder of runs.
    pub(super) runs: &'a Path,
    /// Threads.
    pub(super) threads: u16,
    /// Verifications that shall be over.
    pub(super) verifications: u32,
}

/// A worker at work, or on its way to stop.
pub(super) struct Worker {
    /// Dropping it asks the worker to stop.
    input: Option<ChildStdin>,
    child: Arc<Mutex<Child>>,
    asked_to_stop: Option<Instant>,
}

impl Worker {
    /// Starts a worker; `on_end` is called from a thread of its own once it has ended.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn start(
        task: &Task<'_>,
        on_end: impl FnOnce(Ended) + Send + 'static,
    ) -> io::Result<Worker> {
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args(["work", task.run, "--threads"])
            .arg(task.threads.to_string())
            .arg("--verifications")
            .arg(task.verifications.to_string())
            .arg("--runs")
            .arg(task.runs)
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        // Ctrl-C in a terminal is for the service, which asks its workers itself.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let (input, said) = (child.stdin.take(), child.stderr.take());
        let child = Arc::new(Mutex::new(child));
        let watched = Arc::clone(&child);
        let listener = thread::spawn(move || said.map_or_else(String::new, end_of));
        thread::spawn(move || {
            let code = wait(&watched);
            let said = listener.join().unwrap_or_default();
            on_end(Ended { code, said });
        });
        Ok(Worker {
            input,
            child,
            asked_to_stop: None,
        })
    }

    /// Asks the worker to stop: it drops the games that it plays, stores where it is, and ends.
    pub(super) fn stop(&mut self) {
        self.input = None;
        self.asked_to_stop.get_or_insert_with(Instant::now);
    }

    /// Whether it was asked to stop.
    pub(super) fn is_stopping(&self) -> bool {
        self.asked_to_stop.is_some()
    }

    /// Kills it if it does not follow.
    pub(super) fn kill_if_hung(&self) {
        let hangs = |since: Instant| since.elapsed() > STOP_SECONDS_MAX;
        if self.asked_to_stop.is_some_and(hangs) {
            self.kill();
        }
    }

    /// Kills it at once. What it has stored is whole all the same.
    pub(super) fn kill(&self) {
        let mut child = self.child.lock().expect("nothing panics while it waits");
        if let Err(error) = child.kill() {
            tracing::warn!(%error, "a worker cannot be killed");
        }
    }
}

fn wait(child: &Mutex<Child>) -> Option<i32> {
    loop {
        let seen = child
            .lock()
            .expect("nothing panics while it kills")
            .try_wait();
        match seen {
            Ok(Some(status)) => return status.code(),
            Ok(None) => thread::sleep(GLANCE),
            Err(error) => {
                tracing::warn!(%error, "a worker cannot be waited for");
                return None;
            }
        }
    }
}

/// Reads to the end and keeps the last of it.
fn end_of(mut said: ChildStderr) -> String {
    let (mut kept, mut buffer) = (Vec::new(), [0; 1024]);
    while let Ok(read @ 1..) = said.read(&mut buffer) {
        kept.extend_from_slice(&buffer[..read]);
        let excess = kept.len().saturating_sub(SAID_BYTES_MAX);
        kept.drain(..excess);
    }
    String::from_utf8_lossy(&kept).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_that_a_worker_said_tells_what_is_wrong() {
        let ended = |code, said: &str| Ended {
            code,
            said: said.to_owned(),
        };
        assert_eq!(ended(Some(1), "WARN a\nerror: b\n\n").problem(), "b");
        assert!(ended(Some(1), "\n").problem().contains("code 1"));
        assert!(ended(None, "").problem().contains("killed"));
    }
}

//! The programs that make faults, and saying what was done with them.

use std::fmt::Display;
use std::io::Write;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Faults under way at a time: most of them wait for a disk or for each other.
const WORKERS: usize = 4;

/// Whether the slow variants are asked for.
pub(crate) fn slow() -> bool {
    std::env::var_os("SIXFOLD_SLOW").is_some_and(|value| value == "1")
}

/// Says what a test did, also when it passes.
pub(crate) fn say(text: impl Display) {
    // Past the test's own capture: these counts are what the test is for.
    let line = format!("faults: {text}\n");
    std::io::stderr().write_all(line.as_bytes()).unwrap();
}

/// Whether `there`; where it must be and is not, the test fails.
pub(crate) fn available(there: bool, what: &str) -> bool {
    if there {
        return true;
    }
    let ci = std::env::var_os("CI").is_some_and(|value| value == "true");
    assert!(!ci, "{what}, and CI=true allows no skipping: see tests/run");
    say(format_args!("SKIPPED: {what}"));
    false
}

/// Whether single calls can be made to fail here.
pub(crate) fn has_strace() -> bool {
    let mut strace = Command::new("strace");
    strace.args(["-o", "/dev/null", "-e", "trace=mkdir"]);
    strace.args(["-e", "inject=mkdir:error=ENOSPC", "mkdir", "/"]);
    let output = strace.stdin(Stdio::null()).output();
    let there = output.is_ok_and(|output| {
        String::from_utf8_lossy(&output.stderr).contains("No space left on device")
    });
    available(there, "strace is missing or may not trace")
}

/// Does `work` with each of `items`, a few at a time.
pub(crate) fn each<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(None);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS)
            .map(|_| {
                scope.spawn(|| {
                    while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                        work(item);
                    }
                })
            })
            .collect();
        for worker in workers {
            if let Err(panic) = worker.join() {
                *failed.lock().unwrap() = Some(panic);
            }
        }
    });
    if let Some(panic) = failed.into_inner().unwrap() {
        std::panic::resume_unwind(panic);
    }
}

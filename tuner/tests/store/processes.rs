//! What only another process can show: a lock between two, after a kill, and a file that may grow
//! no further. This test program starts itself again; the variable says what to do and where.

use std::env;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use sixfold_tuner::store::lock::{LockError, RunLock};

const LOCK_TO_HOLD: &str = "SIXFOLD_TEST_LOCK_TO_HOLD";

/// This program again, for one test.
fn again(test: &str) -> Vec<String> {
    let program = env::current_exe().unwrap();
    let program = program.into_os_string().into_string().unwrap();
    vec![program, test.to_owned(), "--exact".to_owned()]
}

/// The child's part of the next test; without the variable there is nothing to do.
#[test]
fn holds_the_lock_when_it_is_told_to() {
    let Some(path) = env::var_os(LOCK_TO_HOLD).map(PathBuf::from) else {
        return;
    };
    let _lock = RunLock::acquire(&path).unwrap();
    // Ends by itself when nobody is left to kill it.
    let _ = std::io::stdin().read_line(&mut String::new());
}

#[test]
fn a_killed_process_gives_its_lock_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lock");
    let command = again("processes::holds_the_lock_when_it_is_told_to");
    let mut child = Command::new(&command[0])
        .args(&command[1..])
        .env(LOCK_TO_HOLD, &path)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let pid = child.id().to_string();
    while RunLock::holder(&path).unwrap().as_deref() != Some(pid.as_str()) {
        assert!(child.try_wait().unwrap().is_none(), "the child has ended");
        thread::sleep(Duration::from_millis(5));
    }
    match RunLock::acquire(&path) {
        Err(error @ LockError::Held { .. }) => assert!(error.to_string().contains(&pid)),
        other => panic!("{other:?}"),
    }
    child.kill().unwrap();
    child.wait().unwrap();
    RunLock::acquire(&path).unwrap();
}

#[cfg(unix)]
mod full {
    use std::fs;

    use sixfold_tuner::event::Event;
    use sixfold_tuner::store::journal::{Journal, JournalError, read_journal};

    use super::*;

    const JOURNAL_TO_FILL: &str = "SIXFOLD_TEST_JOURNAL_TO_FILL";

    /// An event whose line is 72 bytes longer.
    fn event(length: usize) -> Event {
        Event::RunStarted {
            job_digest: "x".repeat(length),
        }
    }

    /// The child's part of the next test; without the variable there is nothing to do.
    #[test]
    fn fills_a_journal_when_it_is_told_to() {
        let Some(path) = env::var_os(JOURNAL_TO_FILL).map(PathBuf::from) else {
            return;
        };
        let mut journal = Journal::create(&path).unwrap();
        // The file may have 512 or 1024 bytes, as the shell counts; lines have 300.
        let error = loop {
            match journal.append(&event(228)) {
                Ok(()) => assert!(journal.line_count() < 4, "the limit does not hold"),
                Err(error) => break error,
            }
        };
        assert!(matches!(error, JournalError::Append { .. }), "{error}");
        assert_eq!(fs::metadata(&path).unwrap().len(), journal.byte_len());
        journal.append(&event(0)).unwrap();
    }

    #[test]
    fn a_write_cut_short_by_a_limit_is_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        // Without the signal of the limit, a write ends short and the next one fails.
        let limited = "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\"";
        let output = Command::new("sh")
            .args(["-c", limited])
            .args(again("processes::full::fills_a_journal_when_it_is_told_to"))
            .env(JOURNAL_TO_FILL, &path)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{said}");
        let (events, torn) = read_journal(&path).unwrap();
        assert_eq!(torn, None);
        let (last, whole) = events.split_last().unwrap();
        assert_eq!(last, &event(0));
        assert!(!whole.is_empty() && whole.iter().all(|other| *other == event(228)));
    }
}

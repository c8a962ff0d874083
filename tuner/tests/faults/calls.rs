//! A fault at every single call that changes the disk: first the calls of an undisturbed run are
//! counted, then the run is made once for each of them.

use std::fs;

use crate::place::{Bytes, JOB, Place, Said, undisturbed};
use crate::tools::{each, has_strace, say, slow};

/// One call of a traced program.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The system's name for it.
    pub(crate) name: String,
    /// How often this name was called, up to this call.
    pub(crate) number: usize,
    /// The line of the trace, with paths.
    pub(crate) line: String,
    /// Lines that had been appended to the journal before it.
    pub(crate) journal_lines: usize,
}

/// The calls in a place's trace.
pub(crate) fn calls(place: &Place) -> Vec<Call> {
    let trace = fs::read_to_string(place.path("trace.txt")).unwrap();
    let mut calls: Vec<Call> = Vec::new();
    let mut journal_lines = 0;
    for line in trace.lines() {
        let Some((name, _)) = line.split_once('(') else {
            continue;
        };
        let earlier = calls.iter().filter(|call| call.name == name).count();
        calls.push(Call {
            name: name.to_owned(),
            number: earlier + 1,
            line: line.to_owned(),
            journal_lines,
        });
        journal_lines += usize::from(name == "write" && line.contains("journal.jsonl>"));
    }
    calls
}

/// What happens at a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fault {
    Kill,
    Error(&'static str),
}

impl Fault {
    pub(crate) fn at(self, call: &Call) -> String {
        let (name, number) = (&call.name, call.number);
        match self {
            Fault::Kill => format!("inject={name}:signal=KILL:when={number}"),
            Fault::Error(error) => format!("inject={name}:error={error}:when={number}"),
        }
    }
}

/// A run from its start, on one thread, with a checkpoint after every batch.
const RUN: [&str; 8] = [
    "run",
    "job.toml",
    "--name",
    "job",
    "--threads",
    "1",
    "--checkpoint-seconds",
    "0",
];
const RESUME: [&str; 6] = [
    "resume",
    "job",
    "--threads",
    "1",
    "--checkpoint-seconds",
    "0",
];

/// Calls for the default suite: every one of a whole checkpoint and of everything around it, and
/// every `stride`-th of the rest.
fn chosen(all: Vec<Call>, stride: usize) -> Vec<Call> {
    if slow() || stride == 1 {
        return all;
    }
    let checkpoints = all.iter().enumerate().filter(|(_, call)| {
        call.name.starts_with("rename") && call.line.contains("checkpoint.json")
    });
    let ends: Vec<usize> = checkpoints.map(|(index, _)| index).collect();
    // From the journal's sync before the second checkpoint to the folder's sync after it.
    let whole = ends[1] - 4..=ends[1] + 1;
    let keep = |index: usize| index.is_multiple_of(stride) || whole.contains(&index);
    let all = all.into_iter().enumerate();
    all.filter(|(index, _)| keep(*index))
        .map(|(_, call)| call)
        .collect()
}

/// What an error may end a run with, and what it must say.
fn said_why(said: &Said, call: &Call, fault: Fault) {
    let of_run = call.line.contains("/runs/job/") || call.line.contains("\"runs/job/");
    let of_log = call.line.contains("log.jsonl");
    let of_report = call.line.contains("report.html");
    let begun = call.journal_lines > 0;
    match said.code {
        // A report can be made at any time: without one a run has not failed.
        Some(0) if of_report => {
            let warning = "the report was not written";
            assert!(said.err.contains(warning), "{call:?} {said:?}");
        }
        Some(0) if of_run && begun && !of_log => {
            // Gone on by itself, which only room can make it do.
            assert_eq!(fault, Fault::Error("ENOSPC"), "{call:?} {said:?}");
            assert!(said.err.contains("paused: disk full"), "{call:?} {said:?}");
            assert!(said.err.contains("bytes needed in"), "{call:?} {said:?}");
            assert!(
                said.err.contains("there is room again"),
                "{call:?} {said:?}"
            );
        }
        Some(0) => {}
        Some(1) => {
            let full = fault == Fault::Error("ENOSPC");
            assert!(!(full && begun && of_run), "a full disk: {call:?} {said:?}");
            assert!(said.err.contains("error: "), "{call:?} {said:?}");
            let says_how = said.err.contains("tuner resume job");
            assert!(!begun || !of_run || says_how, "{call:?} {said:?}");
        }
        _ => panic!("{call:?} {said:?}"),
    }
    assert!(
        !of_log || said.code == Some(0),
        "a log stopped the run: {call:?}"
    );
}

/// The fault at each of the calls that `command` makes in a prepared place; how many there were.
fn sweep(
    prepare: impl Fn() -> Place + Sync,
    command: &[&str],
    fault: Fault,
    stride: usize,
    check: impl Fn(&Place) + Sync,
) -> usize {
    let expected: &Bytes = undisturbed();
    let clean = prepare();
    let before = crate::place::lines(&clean.stored());
    let said = Said::of(clean.traced(&[], command).output().unwrap());
    assert_eq!(said.code, Some(0), "{said:?}");
    let calls = chosen(calls(&clean), stride);
    each(&calls, |call| {
        let place = prepare();
        let inject = ["-e", &fault.at(call)];
        let said = Said::of(place.traced(&inject, command).output().unwrap());
        match fault {
            Fault::Kill => assert!(said.killed, "{call:?} {said:?}"),
            Fault::Error(_) => said_why(&said, call, fault),
        }
        let what = format!("{fault:?} at {call:?}");
        place.ends_the_same(before + call.journal_lines, expected, &what);
        check(&place);
    });
    calls.len()
}

#[test]
fn a_run_killed_at_any_call_ends_with_the_same_bytes() {
    if has_strace() {
        let fresh = || Place::with_job(JOB);
        let kills = sweep(fresh, &RUN, Fault::Kill, 1, |_| {});
        assert!(kills > 100, "{kills}");
        say(format_args!(
            "{kills} kills, one at each call of a run, 0 losses"
        ));
    }
}

/// A run that was cut short, with everything that a start has to mend: half a line, a damaged
/// checkpoint, a missing game, left temporaries, an old `tuned.toml`.
fn cut_short() -> Place {
    let place = Place::with_job(JOB);
    place.finished();
    let run = |name: &str| place.path(&format!("runs/job/{name}"));
    let journal = fs::read_to_string(run("journal.jsonl")).unwrap();
    let end = journal.match_indices('\n').nth(11).unwrap().0 + 30;
    fs::write(run("journal.jsonl"), &journal[..end]).unwrap();
    fs::write(run("checkpoint.json"), b"{\"crc\":\"half").unwrap();
    fs::write(run("tuned.toml"), b"old").unwrap();
    fs::remove_file(run("games/round-00000.json")).unwrap();
    fs::remove_file(run("games/round-00001.json")).unwrap();
    fs::write(run(".tuned.toml.Ab3.tmp"), b"half").unwrap();
    fs::write(run("games/.round-00000.json.Ab3.tmp"), b"half").unwrap();
    place
}

/// What was set aside is still there.
fn aside_is_kept(place: &Place) {
    let kept = fs::read(place.path("runs/job/checkpoint.json.damaged-1")).unwrap();
    assert_eq!(kept, b"{\"crc\":\"half");
}

#[test]
fn a_start_that_mends_and_is_killed_at_any_call_loses_nothing() {
    if has_strace() {
        let kills = sweep(cut_short, &RESUME, Fault::Kill, 1, aside_is_kept);
        assert!(kills > 50, "{kills}");
        say(format_args!(
            "{kills} kills, one at each call of a start that mends, 0 losses"
        ));
    }
}

#[test]
fn a_disk_that_is_full_at_one_call_pauses_the_run() {
    if has_strace() {
        let fault = Fault::Error("ENOSPC");
        let fresh = || Place::with_job(JOB);
        let run = sweep(fresh, &RUN, fault, 4, |_| {});
        let start = sweep(cut_short, &RESUME, fault, 5, aside_is_kept);
        say(format_args!(
            "{} calls met a full disk, 0 losses",
            run + start
        ));
    }
}

#[test]
fn a_disk_that_fails_at_one_call_ends_the_run_with_what_was_kept() {
    if has_strace() {
        let fault = Fault::Error("EIO");
        let fresh = || Place::with_job(JOB);
        let run = sweep(fresh, &RUN, fault, 4, |_| {});
        let start = sweep(cut_short, &RESUME, fault, 5, aside_is_kept);
        say(format_args!(
            "{} calls met a failing disk, 0 losses",
            run + start
        ));
    }
}

#[test]
fn a_disk_over_quota_pauses_the_run_too() {
    if has_strace() {
        let place = Place::with_job(JOB);
        let inject = ["-e", "inject=fsync:error=EDQUOT:when=20..22"];
        let said = Said::of(place.traced(&inject, &RUN).output().unwrap());
        assert_eq!(said.code, Some(0), "{said:?}");
        assert!(said.err.contains("paused: disk full"), "{said:?}");
        assert_eq!(said.err.matches("paused").count(), 1, "{said:?}");
        assert_eq!(Bytes::of(&place.path("runs/job")), *undisturbed());
    }
}

//! What comes after the tuning, cut short at every call: another verification, and the export into
//! a configuration that somebody else wrote.

use std::collections::BTreeSet;
use std::fs;

use crate::calls::{Call, Fault, calls};
use crate::place::{Bytes, JOB, Place, Said};
use crate::tools::{each, has_strace, say};

const VERIFY: [&str; 4] = ["verify", "job", "--threads", "1"];
const EXPORT: [&str; 4] = ["export", "job", "--to", "theirs.toml"];

fn finished() -> Place {
    let place = Place::with_job(JOB);
    place.finished();
    // Theirs has another value, so that the export has something to change.
    let engine = fs::read_to_string(place.path("engine.toml")).unwrap();
    let theirs = engine.replace("capture = 0.0", "capture = 1.5");
    assert_ne!(theirs, engine);
    fs::write(place.path("theirs.toml"), theirs).unwrap();
    place
}

/// The calls that a command makes in one go, and what it leaves.
fn in_one_go(command: &[&str]) -> (Place, Vec<Call>) {
    let place = finished();
    let said = Said::of(place.traced(&[], command).output().unwrap());
    assert_eq!(said.code, Some(0), "{said:?}");
    let calls = calls(&place);
    (place, calls)
}

fn with_fault(place: &Place, command: &[&str], fault: Fault, call: &Call) -> Said {
    let inject = ["-e", &fault.at(call)];
    let said = Said::of(place.traced(&inject, command).output().unwrap());
    assert_eq!(said.killed, fault == Fault::Kill, "{call:?} {said:?}");
    said
}

#[test]
fn a_verification_killed_at_any_call_is_finished_as_if_nothing_had_happened() {
    if !has_strace() {
        return;
    }
    let (whole, calls) = in_one_go(&VERIFY);
    let expected = Bytes::of(&whole.path("runs/job"));
    each(&calls, |call| {
        let place = finished();
        let before = place.stored();
        with_fault(&place, &VERIFY, Fault::Kill, call);
        let stored = place.stored();
        assert!(stored.starts_with(&before), "{call:?}");
        assert!(expected.journal().starts_with(&stored), "{call:?}");
        // An attempt that was begun is finished; one that was not is begun.
        if stored == before {
            place.does(&VERIFY, 0);
        } else {
            place.does(&["resume", "job"], 0);
        }
        assert_eq!(Bytes::of(&place.path("runs/job")), expected, "{call:?}");
    });
    say(format_args!(
        "{} kills, one at each call of a verification, 0 losses",
        calls.len()
    ));
}

/// Whether the file is theirs or ours, and theirs is kept whenever it is not theirs; the name of
/// the copy, if it is whole.
fn old_or_new(place: &Place, old: &str, new: &str, what: &str) {
    let text = fs::read_to_string(place.path("theirs.toml")).unwrap();
    assert!(text == old || text == new, "{what}: half a file");
    if text == new {
        let copy = fs::read_to_string(place.path("theirs.toml.bak")).unwrap();
        assert_eq!(copy, old, "{what}");
    }
}

#[test]
fn an_export_cut_short_at_any_call_leaves_the_old_file_or_the_new_with_its_copy() {
    if !has_strace() {
        return;
    }
    let (whole, calls) = in_one_go(&EXPORT);
    let old = fs::read_to_string(finished().path("theirs.toml")).unwrap();
    let new = fs::read_to_string(whole.path("theirs.toml")).unwrap();
    assert_ne!(old, new);
    let names: BTreeSet<&str> = calls.iter().map(|call| call.name.as_str()).collect();
    assert!(
        names.contains("fsync") && names.contains("renameat"),
        "{names:?}"
    );
    let errors = [
        Fault::Error("ENOSPC"),
        Fault::Error("EIO"),
        Fault::Error("EROFS"),
    ];
    for fault in [Fault::Kill].into_iter().chain(errors) {
        each(&calls, |call| {
            let place = finished();
            let run = Bytes::of(&place.path("runs/job"));
            let said = with_fault(&place, &EXPORT, fault, call);
            let what = format!("{fault:?} at {call:?}: {said:?}");
            old_or_new(&place, &old, &new, &what);
            assert!(said.killed || said.err.contains("error: "), "{what}");
            assert_eq!(Bytes::of(&place.path("runs/job")), run, "{what}");
            // Done again, it is done.
            place.does(&EXPORT, 0);
            let text = fs::read_to_string(place.path("theirs.toml")).unwrap();
            assert_eq!(text, new, "{what}");
        });
    }
    say(format_args!(
        "{} exports cut short, no half file",
        4 * calls.len()
    ));
}

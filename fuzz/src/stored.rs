//! What runs keep on disk. Most of it has a checksum, which no fuzzer guesses: each property is
//! tried on the bytes as they are, and again with the checksums made right, as a person may who
//! edits a file.

use sixfold_tuner::event::Event;
use sixfold_tuner::job::Job;
use sixfold_tuner::run::RESULTS_VERSION;
use sixfold_tuner::run::course::Course;
use sixfold_tuner::run::summary::Summary;
use sixfold_tuner::store::checkpoint::{Checkpoint, CheckpointError};
use sixfold_tuner::store::format;
use sixfold_tuner::store::identity::{KnownVersions, RunIdentity};
use sixfold_tuner::store::journal::{JournalError, read_journal};

use super::{JOB, file_with};

/// How a sealed line begins; eight digits of its checksum follow.
const OPENING: &[u8] = b"{\"crc\":\"";

/// The body of a sealed line, and the checksum that it states: nothing of the store's own code.
fn sealed<'a>(line: &'a [u8], key: &str) -> Option<(&'a [u8], &'a [u8])> {
    let (stated, rest) = line.strip_prefix(OPENING)?.split_at_checked(8)?;
    let opening = format!("\",\"{key}\":");
    let body = rest.strip_prefix(opening.as_bytes())?.strip_suffix(b"}")?;
    Some((stated, body))
}

/// The bytes with the checksum of every sealed line made right.
fn resealed(bytes: &[u8], key: &str) -> Vec<u8> {
    let mut result = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let plain = line.strip_suffix(b"\n").unwrap_or(line);
        match sealed(plain, key) {
            Some((_, body)) => {
                let crc = crc32fast::hash(body);
                let opening = format!("{{\"crc\":\"{crc:08x}\",\"{key}\":");
                result.extend_from_slice(opening.as_bytes());
                result.extend_from_slice(body);
                result.push(b'}');
                result.extend_from_slice(&line[plain.len()..]);
            }
            None => result.extend_from_slice(line),
        }
    }
    result
}

/// Whether a line is sealed and its checksum is right.
fn is_whole(line: &[u8], key: &str) -> bool {
    sealed(line, key)
        .is_some_and(|(stated, body)| format!("{:08x}", crc32fast::hash(body)).as_bytes() == stated)
}

/// Every event stands in the file, in its place, in a line whose checksum is right: damage is
/// reported or, in the last line, cut off, and never makes events up. Events are written and read
/// back as the same. A course takes them or says what it expected.
pub fn journal(bytes: &[u8]) -> bool {
    let is_taken = journal_as_it_is(bytes);
    journal_as_it_is(&resealed(bytes, "event"));
    is_taken
}

fn journal_as_it_is(bytes: &[u8]) -> bool {
    let path = file_with("journal.jsonl", bytes);
    let events = match read_journal(&path) {
        Ok((events, torn)) => {
            check_events(bytes, &events);
            let kept = torn.map_or(bytes.len() as u64, |torn| torn.kept_bytes);
            let torn_bytes = torn.map_or(0, |torn| torn.torn_bytes);
            assert_eq!(kept + torn_bytes, bytes.len() as u64);
            events
        }
        Err(JournalError::Damaged { line, .. }) => {
            let lines = bytes.split_inclusive(|&byte| byte == b'\n').count() as u64;
            assert!((1..=lines).contains(&line), "line {line} of {lines}");
            return false;
        }
        Err(JournalError::NewerFormat { found, .. }) => {
            assert!(found > format::JOURNAL_FORMAT);
            return false;
        }
        Err(error) => panic!("{error}"),
    };
    replay(&events);
    true
}

fn check_events(bytes: &[u8], events: &[Event]) {
    let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
    assert!(events.len() <= lines.len());
    for (event, line) in events.iter().zip(lines) {
        let line = line
            .strip_suffix(b"\n")
            .expect("an event's line has its end");
        assert!(is_whole(line, "event"));
        match format::encode(event) {
            Ok(written) => {
                let again = format::decode(written.trim_end().as_bytes());
                assert_eq!(again.as_ref(), Ok(event));
            }
            Err(error) => panic!("an event that was read cannot be written: {error}"),
        }
    }
}

fn course() -> Course {
    let job = Job::parse(std::path::Path::new("job.toml"), JOB).expect("a job of the corpus");
    Course::new(job.course_plan(JOB), job.learner())
}

/// As a resumption does, and `tuner status` after it.
fn replay(events: &[Event]) {
    let mut course = course();
    for event in events {
        if let Err(deviation) = course.apply(event) {
            assert!(!deviation.to_string().is_empty());
            return;
        }
    }
    drop(course.next_action());
    drop(course.snapshot());
    assert_eq!(
        Summary::of(events).rounds.len(),
        course.progress().rounds as usize
    );
}

/// A checkpoint that is read is saved and read back as the same. Its state is taken over by a
/// course that can go on, or refused with a reason.
pub fn checkpoint(bytes: &[u8]) -> bool {
    let is_taken = checkpoint_as_it_is(bytes);
    checkpoint_as_it_is(&resealed(bytes, "checkpoint"));
    is_taken
}

fn checkpoint_as_it_is(bytes: &[u8]) -> bool {
    let path = file_with("checkpoint.json", bytes);
    let digest = sixfold_tuner::job::digest(JOB);
    // Those of another version of the results are of the same form.
    let version = match Checkpoint::load(&path, &digest, 0) {
        Err(CheckpointError::OtherResults { found, .. }) => found,
        _ => 0,
    };
    let checkpoint = match Checkpoint::load(&path, &digest, version) {
        Ok(checkpoint) => checkpoint,
        Err(error @ (CheckpointError::Io { .. } | CheckpointError::Missing(_))) => {
            panic!("{error}")
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    let mut course = course();
    match course.restore(&checkpoint.state) {
        Ok(()) => {
            drop(course.next_action());
            drop(course.snapshot());
        }
        Err(reason) => assert!(!reason.is_empty()),
    }
    let again = file_with("checkpoint-again.json", b"");
    checkpoint.save(&again).expect("a temporary file");
    let loaded = Checkpoint::load(&again, &digest, version);
    assert_eq!(loaded.expect("what was saved is read"), checkpoint);
    true
}

/// An identity that is read is saved and read back as the same.
pub fn run_identity(bytes: &[u8]) -> bool {
    let path = file_with("run.json", bytes);
    let identity = match RunIdentity::load(&path) {
        Ok(identity) => identity,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return false;
        }
    };
    let known = KnownVersions {
        results: RESULTS_VERSION,
        engine_format: 1,
    };
    if let Err(error) = identity.check(&path, known) {
        assert!(!error.to_string().is_empty());
    }
    let again = file_with("run-again.json", b"");
    identity.save(&again).expect("a temporary file");
    assert_eq!(
        RunIdentity::load(&again).expect("what was saved is read"),
        identity
    );
    true
}

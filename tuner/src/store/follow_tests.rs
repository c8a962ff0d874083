//! A reader of a growing journal against reading all of it at once.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::*;
use crate::event::StopReason;
use crate::store::journal::{Journal, read_journal};

fn event(games: u64) -> Event {
    Event::TuningFinished {
        reason: StopReason::Games,
        rounds: 1,
        games,
    }
}

fn empty() -> (tempfile::TempDir, PathBuf, Journal) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let journal = Journal::create(&path).unwrap();
    (folder, path, journal)
}

/// What is new, and what reading on said.
fn new_events(reader: &mut JournalReader) -> (Vec<Event>, ReadOn) {
    let mut events = Vec::new();
    let read = reader.read_on(|_, event| events.push(event)).unwrap();
    (events, read)
}

fn append_bytes(path: &Path, bytes: &[u8]) {
    let mut file = OpenOptions::new().append(true).open(path).unwrap();
    file.write_all(bytes).unwrap();
}

#[test]
fn all_that_was_new_together_is_what_reading_at_once_gives() {
    let (_folder, path, mut journal) = empty();
    let mut reader = JournalReader::new(&path);
    let (mut all, mut places) = (Vec::new(), Vec::new());
    for number in 0..60 {
        journal.append(&event(number)).unwrap();
        if number % 7 == 0 {
            reader
                .read_on(|at, event| {
                    places.push(at);
                    all.push(event);
                })
                .unwrap();
            assert_eq!(reader.position(), journal.position());
            assert_eq!(all, read_journal(&path).unwrap().0);
        }
    }
    for (index, &at) in places.iter().enumerate() {
        let (found, next) = reader.events_from((index as u64 + 1, at), 3).unwrap();
        let end = all.len().min(index + 3);
        assert_eq!(found, all[index..end]);
        let after = places.get(end).copied();
        assert_eq!(next, after.unwrap_or(reader.position().bytes));
    }
}

#[test]
fn a_line_that_is_being_written_is_left_until_it_is_whole() {
    let (_folder, path, mut journal) = empty();
    journal.append(&event(1)).unwrap();
    journal.append(&event(2)).unwrap();
    let whole = fs::read(&path).unwrap();
    let second = whole.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    for length in second..whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        let mut reader = JournalReader::new(&path);
        let (events, read) = new_events(&mut reader);
        assert_eq!(events, [event(1)]);
        let torn = matches!(read, ReadOn::New { torn: Some(_), .. });
        assert_eq!(torn, length > second, "{length}");
        append_bytes(&path, &whole[length..]);
        assert_eq!(new_events(&mut reader).0, [event(2)]);
        assert_eq!(
            new_events(&mut reader),
            (
                vec![],
                ReadOn::New {
                    lines: 0,
                    torn: None
                }
            )
        );
    }
}

#[test]
fn a_journal_that_shrank_or_begins_or_ends_otherwise_is_not_read_on() {
    let (_folder, path, mut journal) = empty();
    (0..5).for_each(|number| journal.append(&event(number)).unwrap());
    let whole = fs::read(&path).unwrap();
    let line = whole.len() / 5;
    let mut reader = JournalReader::new(&path);
    assert_eq!(new_events(&mut reader).0.len(), 5);
    let flipped = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        bytes
    };
    for changed in [
        whole[..4 * line].to_vec(),
        flipped(line / 2),
        flipped(4 * line + 20),
    ] {
        fs::write(&path, changed).unwrap();
        assert_eq!(new_events(&mut reader), (vec![], ReadOn::Changed));
    }
    fs::write(&path, &whole).unwrap();
    assert_eq!(
        new_events(&mut reader),
        (
            vec![],
            ReadOn::New {
                lines: 0,
                torn: None
            }
        )
    );
}

#[test]
fn damage_is_an_error_after_the_lines_before_it() {
    let (_folder, path, mut journal) = empty();
    let mut reader = JournalReader::new(&path);
    journal.append(&event(1)).unwrap();
    append_bytes(&path, b"nonsense\n");
    append_bytes(&path, format::encode(&event(2)).unwrap().as_bytes());
    let mut events = Vec::new();
    let error = reader.read_on(|_, event| events.push(event)).unwrap_err();
    assert!(
        matches!(error, JournalError::Damaged { line: 2, .. }),
        "{error}"
    );
    assert_eq!(events, [event(1)]);
}

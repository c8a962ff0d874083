//! Journals that were cut short, damaged, or written at the same time.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use sixfold_tuner::event::Event;
use sixfold_tuner::space::Vector;
use sixfold_tuner::store::journal::{Journal, JournalError, TornTail, read_journal};
use tempfile::TempDir;

use crate::events::{line, short_run};

/// A journal of a short run: its folder, its path, its bytes.
fn written() -> (TempDir, PathBuf, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let mut journal = Journal::create(&path).unwrap();
    for event in short_run() {
        journal.append(&event).unwrap();
    }
    journal.sync().unwrap();
    let bytes = fs::read(&path).unwrap();
    assert_eq!(journal.byte_len(), bytes.len() as u64);
    assert_eq!(journal.line_count(), 4);
    (folder, path, bytes)
}

/// Puts `bytes` into the file. Emptying it first would make some file systems sync every time.
fn put(path: &Path, bytes: &[u8]) {
    let mut file = fs::OpenOptions::new().write(true).open(path).unwrap();
    file.write_all(bytes).unwrap();
    file.set_len(bytes.len() as u64).unwrap();
}

/// Where each line ends.
fn line_ends(bytes: &[u8]) -> Vec<usize> {
    let ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    ends.map(|(index, _)| index + 1).collect()
}

/// The damage that opening reports, after a check that nothing was changed on disk.
fn refused(path: &Path, bytes: &[u8]) -> (u64, String) {
    put(path, bytes);
    let error = Journal::open(path).unwrap_err();
    assert_eq!(
        fs::read(path).unwrap(),
        bytes,
        "a refused journal was changed"
    );
    let text = error.to_string();
    match error {
        JournalError::Damaged { line, .. } => (line, text),
        other => panic!("{other}"),
    }
}

#[test]
fn what_was_appended_is_read_again() {
    let (_folder, path, bytes) = written();
    assert_eq!(read_journal(&path).unwrap(), (short_run(), None));
    let (journal, events, torn) = Journal::open(&path).unwrap();
    assert_eq!((events, torn), (short_run(), None));
    assert_eq!(journal.position().bytes, bytes.len() as u64);
    assert_eq!(journal.position().crc, crc32fast::hash(&bytes));
    assert!(
        Journal::create(&path).is_err(),
        "a journal is never replaced"
    );
}

#[test]
fn a_journal_cut_anywhere_keeps_its_whole_lines_and_goes_on() {
    let (_folder, path, bytes) = written();
    let ends = line_ends(&bytes);
    for length in 0..=bytes.len() {
        put(&path, &bytes[..length]);
        let whole = ends.iter().filter(|end| **end <= length).count();
        let kept = if whole == 0 { 0 } else { ends[whole - 1] };
        let expected = (length > kept).then_some(TornTail {
            kept_bytes: kept as u64,
            torn_bytes: (length - kept) as u64,
            line: whole as u64 + 1,
        });

        let (events, torn) = read_journal(&path).unwrap();
        assert_eq!((&events[..], torn), (&short_run()[..whole], expected));
        assert_eq!(
            fs::read(&path).unwrap(),
            &bytes[..length],
            "reading changes nothing"
        );

        let (mut journal, events, torn) = Journal::open(&path).unwrap();
        assert_eq!((&events[..], torn), (&short_run()[..whole], expected));
        assert_eq!(fs::read(&path).unwrap(), &bytes[..kept]);
        for event in &short_run()[whole..] {
            journal.append(event).unwrap();
        }
        assert_eq!(fs::read(&path).unwrap(), bytes, "cut at {length}");
        assert_eq!(journal.position().crc, crc32fast::hash(&bytes));
    }
}

#[test]
fn a_flipped_bit_before_the_last_line_is_refused_with_its_line() {
    let (_folder, path, bytes) = written();
    let ends = line_ends(&bytes);
    for bit in 0..ends[2] * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let expected = ends.iter().filter(|end| **end <= bit / 8).count() as u64 + 1;
        let (line, text) = refused(&path, &flipped);
        assert_eq!(line, expected, "bit {bit}");
        assert!(text.contains(&format!("line {line}")) && text.contains("journal.jsonl"));
    }
}

#[test]
fn a_flipped_bit_in_the_last_line_never_costs_another() {
    let (_folder, path, bytes) = written();
    let last = line_ends(&bytes)[2];
    for bit in last * 8..bytes.len() * 8 {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        put(&path, &flipped);
        match Journal::open(&path) {
            Ok((journal, events, torn)) => {
                assert_eq!(events, &short_run()[..3]);
                assert_eq!(torn.unwrap().torn_bytes, (bytes.len() - last) as u64);
                assert_eq!(journal.byte_len(), last as u64);
            }
            // The flip made a line end, so the fragment before it is not the last line.
            Err(JournalError::Damaged { line, .. }) => assert_eq!(line, 4),
            Err(other) => panic!("{other}"),
        }
    }
}

#[test]
fn zeros_at_the_end_are_a_torn_line_and_zeros_inside_are_damage() {
    let (_folder, path, bytes) = written();
    let ends = line_ends(&bytes);
    // Also more zeros than a line may have bytes.
    for count in [1, 4096, 3 << 20] {
        fs::write(&path, [bytes.as_slice(), &vec![0; count]].concat()).unwrap();
        let (_, events, torn) = Journal::open(&path).unwrap();
        assert_eq!(events, short_run());
        assert_eq!(torn.unwrap().torn_bytes, count as u64);
        assert_eq!(fs::read(&path).unwrap(), bytes);
        let inside = [&bytes[..ends[1]], &vec![0; count], &bytes[ends[1]..]].concat();
        assert_eq!(refused(&path, &inside).0, 3);
    }
}

#[test]
fn a_lost_line_end_never_cuts_off_a_line_that_was_whole() {
    let (_folder, path, mut bytes) = written();
    let third_end = line_ends(&bytes)[2] - 1;
    bytes[third_end] = b' ';
    assert_eq!(refused(&path, &bytes).0, 3);
    bytes.pop();
    assert_eq!(refused(&path, &bytes).0, 3);
}

#[test]
fn a_last_line_that_is_whole_but_unknown_is_kept() {
    let (_folder, path, bytes) = written();
    let unknown = [bytes.as_slice(), line("{\"later\":{}}").as_bytes(), b"\n"].concat();
    assert_eq!(refused(&path, &unknown).0, 5);
}

#[test]
fn a_newer_journal_is_refused_and_kept() {
    let (_folder, path, _) = written();
    let newer = line("{\"run_started\":{\"format\":99}}") + "\n";
    fs::write(&path, &newer).unwrap();
    let error = Journal::open(&path).unwrap_err();
    assert!(matches!(error, JournalError::NewerFormat { found: 99, .. }));
    assert!(error.to_string().contains("99"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), newer);
}

#[test]
fn an_event_that_cannot_be_stored_leaves_the_journal_alone() {
    let (_folder, path, bytes) = written();
    let (mut journal, _, _) = Journal::open(&path).unwrap();
    let tuned = Vector(vec![f64::NAN]);
    let error = journal
        .append(&Event::VerificationStarted { attempt: 1, tuned })
        .unwrap_err();
    assert!(matches!(error, JournalError::Unstorable { .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_journal_that_is_not_there_is_named() {
    let error = read_journal(Path::new("nowhere/journal.jsonl")).unwrap_err();
    assert!(error.to_string().contains("nowhere"), "{error}");
}

//! Following a journal that another process appends to: each whole line once, in order.

use std::path::Path;

use super::follow::{JournalReader, ReadOn};
use super::journal::JournalError;
use crate::event::Event;

/// A reader that remembers where it is.
#[derive(Debug)]
pub struct JournalTail(JournalReader);

/// What following a journal has found.
#[derive(Clone, PartialEq, Debug)]
pub enum Followed {
    /// These events, each with the number of its line, from 1.
    More(Vec<(u64, Event)>),
    /// The journal is not the one that was read: it has become shorter, or its first line or the
    /// newest is another. Read it again from its beginning.
    Shrunk,
}

impl JournalTail {
    /// A reader at the beginning of the journal at `path`.
    pub fn new(path: &Path) -> Self {
        Self(JournalReader::new(path))
    }

    /// Whole lines read so far.
    pub fn lines(&self) -> u64 {
        self.0.position().lines
    }

    /// Reads what was appended since. A last line that is not whole stays for the next time: its
    /// writer may be at it.
    ///
    /// # Errors
    /// Damage before the last line, a newer format, or what the system says; events before the
    /// damage are not given again.
    pub fn follow(&mut self) -> Result<Followed, JournalError> {
        let first = self.lines() + 1;
        let mut events = Vec::new();
        match self.0.read_on(|_, event| events.push(event))? {
            ReadOn::Changed => Ok(Followed::Shrunk),
            ReadOn::New { .. } => Ok(Followed::More((first..).zip(events).collect())),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::OpenOptions;
    use std::io::Write;

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

    fn more(tail: &mut JournalTail) -> Vec<(u64, Event)> {
        match tail.follow().unwrap() {
            Followed::More(events) => events,
            Followed::Shrunk => panic!("the journal only grew"),
        }
    }

    #[test]
    fn every_whole_line_is_read_once_and_in_order_however_the_file_grows() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let mut journal = Journal::create(&path).unwrap();
        for games in 0..20 {
            journal.append(&event(games)).unwrap();
        }
        let whole = std::fs::read(&path).unwrap();
        let (all, _) = read_journal(&path).unwrap();
        // Byte by byte, in steps of many sizes.
        for step in [1, 7, 100, 1000] {
            let grown = folder.path().join(format!("grown-{step}"));
            let mut file = OpenOptions::new()
                .create(true)
                .append(true)
                .open(&grown)
                .unwrap();
            let mut tail = JournalTail::new(&grown);
            let mut seen = Vec::new();
            for part in whole.chunks(step) {
                file.write_all(part).unwrap();
                seen.extend(more(&mut tail));
            }
            let expected: Vec<_> = (1..).zip(all.clone()).collect();
            assert_eq!(seen, expected);
            assert_eq!(tail.lines(), 20);
        }
    }

    #[test]
    fn a_journal_that_became_shorter_is_told_and_damage_is_refused_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let mut journal = Journal::create(&path).unwrap();
        journal.append(&event(1)).unwrap();
        let one = journal.byte_len();
        let mut tail = JournalTail::new(&path);
        assert_eq!(more(&mut tail).len(), 1);
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(b"nonsense\n{\"crc\":\"\n").unwrap();
        let error = tail.follow().unwrap_err();
        assert!(
            matches!(error, JournalError::Damaged { line: 2, .. }),
            "{error}"
        );
        assert_eq!(tail.lines(), 1);
        file.set_len(one - 1).unwrap();
        assert_eq!(tail.follow().unwrap(), Followed::Shrunk);
    }
}

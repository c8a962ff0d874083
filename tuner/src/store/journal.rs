//! The journal of a run: an append-only file of events, the truth of the run.
//!
//! A process that is killed, or a full disk, leaves at worst a torn last line: it is cut off
//! before anything is appended, so that no event is ever glued to a fragment. Damage anywhere
//! else is an error, and then nothing on disk changes.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::atomic::folder_of;
use super::format::{self, DecodeError, EncodeError, JOURNAL_FORMAT};
use super::scan::{self, Scan};
use crate::event::Event;
use crate::platform;

pub use super::scan::TornTail;

/// Why a journal cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system refused.
    #[error("cannot {action} the journal {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The journal.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// An append failed. The journal was put back to its last whole line, or will be before the
    /// next append: the same event may be appended again.
    #[error(
        "cannot append to the journal {}: {source}; its {lines} whole lines are kept",
        path.display()
    )]
    Append {
        /// The journal.
        path: PathBuf,
        /// Whole lines in it.
        lines: u64,
        /// Bytes of the line that was to be appended.
        bytes: u64,
        /// What the system said.
        source: io::Error,
    },
    /// What was appended may not be on stable storage. The next [`Journal::sync`] writes it again
    /// first: a system may drop what it once failed to bring there.
    #[error(
        "cannot sync the journal {}: {source}; its {lines} lines are written, and a power cut \
         could undo those after line {synced}", path.display()
    )]
    Sync {
        /// The journal.
        path: PathBuf,
        /// Whole lines in it.
        lines: u64,
        /// Lines that are on stable storage.
        synced: u64,
        /// Bytes that are not.
        bytes: u64,
        /// What the system said.
        source: io::Error,
    },
    /// An event that cannot be stored; nothing was written.
    #[error(
        "cannot store an event in the journal {}: {source}; nothing was written", path.display()
    )]
    Unstorable {
        /// The journal.
        path: PathBuf,
        /// What is wrong with the event.
        source: EncodeError,
    },
    /// A line before the last is not what was written.
    #[error(
        "the journal {} is damaged in line {line}: {reason}; nothing was changed, and the lines \
         before it are whole: restore the file from a copy, or keep only those lines (head -n {}) \
         and resume: the rest is played again", path.display(), line - 1
    )]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// A newer program wrote the journal.
    #[error(
        "the journal {} has format {found}; this program knows formats up to {JOURNAL_FORMAT}; \
         nothing was changed: use the program version that `run.json` names, or a newer one",
        path.display()
    )]
    NewerFormat {
        /// The journal.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
}

/// A place in the journal: so much of it, and exactly this.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct JournalPosition {
    /// Whole lines.
    pub lines: u64,
    /// Their bytes.
    pub bytes: u64,
    /// CRC-32 of these bytes.
    pub crc: u32,
}

/// A journal open for appending. One process at a time: hold the run's lock.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    end: JournalPosition,
    hasher: crc32fast::Hasher,
    /// Something may stand after `end`: a failed append that could not be taken back at once.
    dirty: bool,
    /// What is on stable storage.
    synced: JournalPosition,
    /// The last sync failed.
    sync_failed: bool,
}

impl Journal {
    /// A new, empty journal.
    ///
    /// # Errors
    /// The file exists or cannot be created.
    pub fn create(path: &Path) -> Result<Self, JournalError> {
        let failed = io_error("create", path);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .open(path)
            .map_err(&failed)?;
        platform::sync_folder(folder_of(path)).map_err(&failed)?;
        Ok(Self {
            file,
            path: path.to_owned(),
            end: JournalPosition::default(),
            hasher: crc32fast::Hasher::new(),
            dirty: false,
            synced: JournalPosition::default(),
            sync_failed: false,
        })
    }

    /// Opens a journal and reads all its events. A torn last line is cut off, and reported.
    ///
    /// # Errors
    /// Damage before the last line, a newer format, or what the system says; then nothing on disk
    /// has changed.
    pub fn open(path: &Path) -> Result<(Self, Vec<Event>, Option<TornTail>), JournalError> {
        let failed = io_error("open", path);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(path)
            .map_err(&failed)?;
        let (events, scan) = scan_file(&file, path)?;
        if scan.torn.is_some() {
            file.set_len(scan.end.bytes).map_err(&failed)?;
            file.sync_all().map_err(&failed)?;
        }
        file.seek(SeekFrom::Start(scan.end.bytes))
            .map_err(&failed)?;
        let journal = Self {
            file,
            path: path.to_owned(),
            end: scan.end,
            hasher: scan.hasher,
            dirty: false,
            // A process before may have been killed between writing and syncing.
            synced: JournalPosition::default(),
            sync_failed: false,
        };
        Ok((journal, events, scan.torn))
    }

    /// Appends an event: when this returns, the system has it whole, in one line that is written
    /// in one call unless the system itself cuts it short.
    ///
    /// # Errors
    /// An event that cannot be stored, or a failed write (a full disk); the journal then still
    /// ends with its last whole line, and the append can be tried again.
    pub fn append(&mut self, event: &Event) -> Result<(), JournalError> {
        let line = format::encode(event).map_err(|source| JournalError::Unstorable {
            path: self.path.clone(),
            source,
        })?;
        self.write_line(line.as_bytes())
            .map_err(|source| JournalError::Append {
                path: self.path.clone(),
                lines: self.end.lines,
                bytes: line.len() as u64,
                source,
            })?;
        self.hasher.update(line.as_bytes());
        self.end = JournalPosition {
            lines: self.end.lines + 1,
            bytes: self.end.bytes + line.len() as u64,
            crc: self.hasher.clone().finalize(),
        };
        Ok(())
    }

    /// Brings everything appended so far to stable storage.
    ///
    /// # Errors
    /// What the system says: the last events may not survive a power cut.
    pub fn sync(&mut self) -> Result<(), JournalError> {
        let synced = self.write_again().and_then(|()| self.file.sync_all());
        self.sync_failed = synced.is_err();
        synced.map_err(|source| JournalError::Sync {
            path: self.path.clone(),
            lines: self.end.lines,
            synced: self.synced.lines,
            bytes: self.end.bytes - self.synced.bytes,
            source,
        })?;
        self.synced = self.end;
        Ok(())
    }

    /// After a failed sync, writes what was not synced again in its place. A system may count
    /// pages that it failed to store as clean, so that syncing once more would say nothing.
    fn write_again(&mut self) -> io::Result<()> {
        if !self.sync_failed {
            return Ok(());
        }
        let mut bytes = Vec::new();
        let length = self.end.bytes - self.synced.bytes;
        // Until the end is reached again, appending has to begin with going there.
        self.dirty = true;
        self.file.seek(SeekFrom::Start(self.synced.bytes))?;
        (&self.file).take(length).read_to_end(&mut bytes)?;
        self.file.seek(SeekFrom::Start(self.synced.bytes))?;
        self.file.write_all(&bytes)?;
        self.take_back()
    }

    /// Where the journal ends.
    pub fn position(&self) -> JournalPosition {
        self.end
    }

    /// Bytes of all whole lines.
    pub fn byte_len(&self) -> u64 {
        self.end.bytes
    }

    /// Number of whole lines, which is the number of events.
    pub fn line_count(&self) -> u64 {
        self.end.lines
    }

    /// Whether the journal begins with exactly what `position` stands for. A checkpoint whose
    /// position it does not hold belongs to another journal.
    ///
    /// # Errors
    /// What the system says.
    pub fn holds(&self, position: &JournalPosition) -> Result<bool, JournalError> {
        if position.bytes > self.end.bytes {
            return Ok(false);
        }
        begins_with(&self.path, position)
    }

    /// Writes with a single call; on failure puts the file back to its last whole line.
    fn write_line(&mut self, line: &[u8]) -> io::Result<()> {
        if self.dirty {
            self.take_back()?;
        }
        self.dirty = true;
        // One call; after a write that the system cuts short, the next says why.
        match self.file.write_all(line) {
            Ok(()) => {
                self.dirty = false;
                Ok(())
            }
            Err(error) => {
                // If this fails too, the mark stays and the next append begins with it.
                let _ = self.take_back();
                Err(error)
            }
        }
    }

    fn take_back(&mut self) -> io::Result<()> {
        self.file.set_len(self.end.bytes)?;
        self.file.seek(SeekFrom::Start(self.end.bytes))?;
        self.dirty = false;
        Ok(())
    }
}

/// Reads a journal without changing anything, also while another process appends to it: what that
/// process is just writing shows as a torn tail.
///
/// # Errors
/// As [`Journal::open`].
pub fn read_journal(path: &Path) -> Result<(Vec<Event>, Option<TornTail>), JournalError> {
    let file = File::open(path).map_err(io_error("open", path))?;
    let (events, scan) = scan_file(&file, path)?;
    Ok((events, scan.torn))
}

fn scan_file(file: &File, path: &Path) -> Result<(Vec<Event>, Scan), JournalError> {
    let (events, mut scan) = scan::scan(BufReader::new(file)).map_err(io_error("read", path))?;
    match scan.fault.take() {
        None => Ok((events, scan)),
        Some(fault) => Err(refusal(fault, path)),
    }
}

pub(super) fn refusal((line, error): (u64, DecodeError), path: &Path) -> JournalError {
    let path = path.to_owned();
    match error {
        DecodeError::NewerFormat { found } => JournalError::NewerFormat { path, found },
        error => JournalError::Damaged {
            path,
            line,
            reason: error.to_string(),
        },
    }
}

/// What can be read of a journal, whatever state it is in.
#[derive(Debug)]
pub struct Survey {
    /// The events before anything that is wrong.
    pub events: Vec<Event>,
    /// Where they end.
    pub end: JournalPosition,
    /// A last line that was not written whole.
    pub torn: Option<TornTail>,
    /// Why [`Journal::open`] would refuse.
    pub refusal: Option<JournalError>,
}

/// Reads as much of a journal as can be read, without changing anything.
///
/// # Errors
/// What the system says.
pub fn survey(path: &Path) -> Result<Survey, JournalError> {
    let file = File::open(path).map_err(io_error("open", path))?;
    let (events, scan) = scan::scan(BufReader::new(file)).map_err(io_error("read", path))?;
    Ok(Survey {
        events,
        end: scan.end,
        torn: scan.torn,
        refusal: scan.fault.map(|fault| refusal(fault, path)),
    })
}

/// Whether the journal at `path` begins with exactly what `position` stands for.
///
/// # Errors
/// What the system says.
pub fn begins_with(path: &Path, position: &JournalPosition) -> Result<bool, JournalError> {
    let failed = io_error("read", path);
    let mut file = File::open(path).map_err(&failed)?;
    let found = scan::digest(&mut file, position.bytes).map_err(&failed)?;
    Ok(found == *position)
}

pub(super) fn io_error(action: &'static str, path: &Path) -> impl Fn(io::Error) -> JournalError {
    let path = path.to_owned();
    move |source| JournalError::Io {
        action,
        path: path.clone(),
        source,
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn event(games: u64) -> Event {
        Event::TuningFinished {
            reason: crate::event::StopReason::Games,
            rounds: 1,
            games,
        }
    }

    #[test]
    fn a_full_disk_keeps_what_was_whole_and_the_append_can_be_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let mut journal = Journal::create(&path).unwrap();
        journal.append(&event(1)).unwrap();
        let before = journal.position();

        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let real = std::mem::replace(&mut journal.file, full);
        let error = journal.append(&event(2)).unwrap_err();
        assert!(
            matches!(error, JournalError::Append { lines: 1, .. }),
            "{error}"
        );
        assert_eq!(journal.position(), before);

        journal.file = real;
        // As if half a line had reached the disk before it was full.
        journal.file.write_all(b"{\"crc\":\"0123").unwrap();
        journal.append(&event(2)).unwrap();
        let (events, torn) = read_journal(&path).unwrap();
        assert_eq!((events, torn), (vec![event(1), event(2)], None));
    }

    #[test]
    fn a_position_is_held_until_the_journal_differs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.jsonl");
        let mut journal = Journal::create(&path).unwrap();
        assert!(journal.holds(&JournalPosition::default()).unwrap());
        journal.append(&event(1)).unwrap();
        let one = journal.position();
        journal.append(&event(2)).unwrap();
        let two = journal.position();
        assert!(journal.holds(&one).unwrap() && journal.holds(&two).unwrap());
        let other = JournalPosition {
            crc: one.crc ^ 1,
            ..one
        };
        let longer = JournalPosition {
            bytes: two.bytes + 1,
            ..two
        };
        assert!(!journal.holds(&other).unwrap() && !journal.holds(&longer).unwrap());
    }
}

//! A journal read again and again while another process may be appending to it: each time only
//! what is new, and never anything of the file changed.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::format;
use super::journal::{JournalError, JournalPosition, TornTail, io_error, refusal};
use super::scan;
use crate::event::Event;

/// What came of reading on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadOn {
    /// So many lines were new.
    New {
        /// Whole lines with right checksums.
        lines: u64,
        /// What stands after them: a line being written, or one that never was written whole.
        torn: Option<TornTail>,
    },
    /// The file is not the one that was read before, so nothing was read: begin again.
    Changed,
}

/// A reader of a growing journal.
#[derive(Debug)]
pub struct JournalReader {
    path: PathBuf,
    end: JournalPosition,
    hasher: crc32fast::Hasher,
    /// The first line and the newest, which tell whether the file is still the same.
    marks: [Mark; 2],
}

/// A part of the file that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Mark {
    begin: u64,
    end: u64,
    crc: u32,
}

impl JournalReader {
    /// A reader at the beginning of a journal, which need not be there yet.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            end: JournalPosition::default(),
            hasher: crc32fast::Hasher::new(),
            marks: [Mark::default(); 2],
        }
    }

    /// What has been read.
    pub fn position(&self) -> JournalPosition {
        self.end
    }

    /// Gives every new event to `take`, with the place of its line in bytes.
    ///
    /// # Errors
    /// Damage before the last line, a newer format, or what the system says. Events before a
    /// damaged line have been given, and the reader stands behind them.
    pub fn read_on(&mut self, mut take: impl FnMut(u64, Event)) -> Result<ReadOn, JournalError> {
        let path = self.path.clone();
        let failed = io_error("read", &path);
        let mut file = File::open(&path).map_err(io_error("open", &path))?;
        if !self.is_same(&mut file).map_err(&failed)? {
            return Ok(ReadOn::Changed);
        }
        let before = self.end;
        file.seek(SeekFrom::Start(before.bytes)).map_err(&failed)?;
        let mut newest = before.bytes;
        let start = (before, self.hasher.clone());
        let found = scan::walk(
            BufReader::with_capacity(1 << 16, &file),
            start,
            |at, event| {
                newest = at;
                take(at, event);
            },
        );
        let scan = found.map_err(&failed)?;
        (self.end, self.hasher) = (scan.end, scan.hasher);
        if scan.end.lines > before.lines {
            self.mark(&mut file, newest).map_err(&failed)?;
        }
        match scan.fault {
            Some(fault) => Err(refusal(fault, &path)),
            None => Ok(ReadOn::New {
                lines: scan.end.lines - before.lines,
                torn: scan.torn,
            }),
        }
    }

    /// Up to `count` of the events that were read before, from a line on: its number, from 1, and
    /// the byte where it begins; and the byte where they end.
    ///
    /// # Errors
    /// What the system says, or a line that is not there any more as it was.
    pub fn events_from(
        &self,
        (first, at): (u64, u64),
        count: usize,
    ) -> Result<(Vec<Event>, u64), JournalError> {
        let failed = io_error("read", &self.path);
        let mut file = File::open(&self.path).map_err(io_error("open", &self.path))?;
        file.seek(SeekFrom::Start(at)).map_err(&failed)?;
        let mut source = BufReader::new(file.take(self.end.bytes.saturating_sub(at)));
        let (mut events, mut line, mut end) = (Vec::new(), Vec::new(), at);
        for number in (first..).take(count) {
            line.clear();
            if source.read_until(b'\n', &mut line).map_err(&failed)? == 0 {
                break;
            }
            let whole = line.strip_suffix(b"\n").unwrap_or(&line);
            let event = format::decode(whole).map_err(|error| {
                let fault = (number, error);
                refusal(fault, &self.path)
            })?;
            events.push(event);
            end += line.len() as u64;
        }
        Ok((events, end))
    }

    /// Whether the file still begins with what was read, as far as its length and the two marked
    /// lines tell: the digest of all of it would cost as much as reading it again.
    fn is_same(&self, file: &mut File) -> io::Result<bool> {
        if file.metadata()?.len() < self.end.bytes {
            return Ok(false);
        }
        for mark in self.marks {
            if crc_of(file, mark.begin, mark.end)? != mark.crc {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Marks the first line and the one that begins at `newest`.
    fn mark(&mut self, file: &mut File, newest: u64) -> io::Result<()> {
        if self.marks[0] == Mark::default() {
            let mut line = Vec::new();
            file.seek(SeekFrom::Start(0))?;
            BufReader::new(&*file).read_until(b'\n', &mut line)?;
            self.marks[0] = Mark {
                begin: 0,
                end: line.len() as u64,
                crc: crc32fast::hash(&line),
            };
        }
        self.marks[1] = Mark {
            begin: newest,
            end: self.end.bytes,
            crc: crc_of(file, newest, self.end.bytes)?,
        };
        Ok(())
    }
}

fn crc_of(file: &mut File, begin: u64, end: u64) -> io::Result<u32> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(begin))?;
    file.take(end - begin).read_to_end(&mut bytes)?;
    Ok(crc32fast::hash(&bytes))
}

#[cfg(test)]
#[path = "follow_tests.rs"]
mod tests;

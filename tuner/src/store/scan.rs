//! Reading a journal from its beginning, line by line: the events, where the whole lines end, and
//! what to think of the last line.

use std::io::{self, BufRead, Read};

use super::envelope;
use super::format::{self, DecodeError, MAX_LINE_BYTES};
use super::journal::JournalPosition;
use crate::event::Event;

/// A last line that was not written whole. The trials in it are played again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TornTail {
    /// Bytes of whole lines, which are kept.
    pub kept_bytes: u64,
    /// Bytes after them, which are not.
    pub torn_bytes: u64,
    /// Number of the torn line, from 1.
    pub line: u64,
}

/// What a walk through a journal has found.
pub(super) struct Scan {
    pub(super) end: JournalPosition,
    pub(super) hasher: crc32fast::Hasher,
    pub(super) torn: Option<TornTail>,
    /// The first line that is not what was written, and why; nothing after it was looked at.
    pub(super) fault: Option<(u64, DecodeError)>,
}

/// Everything in a journal, with its events.
pub(super) fn scan(source: impl BufRead) -> io::Result<(Vec<Event>, Scan)> {
    let mut events = Vec::new();
    let start = (JournalPosition::default(), crc32fast::Hasher::new());
    let scan = walk(source, start, |_, event| events.push(event))?;
    Ok((events, scan))
}

/// Walks through a journal from a place on, whose digest so far is in `hasher`. `take` is given
/// each event with the place where its line begins.
pub(super) fn walk(
    mut source: impl BufRead,
    (mut end, mut hasher): (JournalPosition, crc32fast::Hasher),
    mut take: impl FnMut(u64, Event),
) -> io::Result<Scan> {
    let (mut torn, mut bad) = (None, None);
    let mut line = Vec::new();
    loop {
        let bytes = next_line(&mut source, &mut line)?;
        if bytes == 0 {
            break;
        }
        let number = end.lines + 1;
        let fault = match (line.strip_suffix(b"\n"), line.len() as u64 == bytes) {
            (Some(whole), true) => match format::decode(whole) {
                Ok(event) => {
                    take(end.bytes, event);
                    hasher.update(&line);
                    end.lines = number;
                    end.bytes += bytes;
                    continue;
                }
                Err(error) => error,
            },
            (_, true) => DecodeError::Damaged("it has no line end"),
            (_, false) => DecodeError::Damaged("it is longer than a line may be"),
        };
        // Without a line end the end of the file was met: a writer at work may have gone on since.
        let met_end = bytes < MAX_LINE_BYTES as u64 && !line.ends_with(b"\n");
        if !may_be_torn(&fault, &line, end.lines) || !(met_end || source.fill_buf()?.is_empty()) {
            bad = Some((number, fault));
            break;
        }
        torn = Some(TornTail {
            kept_bytes: end.bytes,
            torn_bytes: bytes,
            line: number,
        });
        break;
    }
    end.crc = hasher.clone().finalize();
    Ok(Scan {
        end,
        hasher,
        torn,
        fault: bad,
    })
}

/// Whether a bad line at the very end of a journal can be what a broken write left behind: the
/// beginning of a line. A line whose checksum is right was written so. One that contains the
/// beginning of another line is two lines whose line end was damaged: the first of them was whole
/// once and must not be cut off. Zeros after whole lines are what some file systems leave after a
/// power cut; a file of nothing else was a journal once. Anything else no write has left.
fn may_be_torn(fault: &DecodeError, line: &[u8], lines_before: u64) -> bool {
    let mark = envelope::MARK;
    let zeros = lines_before > 0 && line.iter().all(|&byte| byte == 0);
    let begins = line.starts_with(mark) || mark.starts_with(line) || zeros;
    let glued = || {
        line.windows(mark.len())
            .skip(1)
            .any(|window| window == mark)
    };
    matches!(fault, DecodeError::Damaged(_)) && begins && !glued()
}

/// The next line with its line end into `line`, but no more than a line may have; returns how
/// many bytes it has in the file, 0 at the end.
fn next_line(source: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<u64> {
    line.clear();
    let mut bytes = source
        .by_ref()
        .take(MAX_LINE_BYTES as u64)
        .read_until(b'\n', line)? as u64;
    if line.len() < MAX_LINE_BYTES || line.ends_with(b"\n") {
        return Ok(bytes);
    }
    // Too long: the rest of it is passed over without being kept.
    bytes += source.skip_until(b'\n')? as u64;
    Ok(bytes)
}

/// The position after the first `bytes` bytes; fewer bytes if there are no more.
pub(super) fn digest(source: &mut impl Read, bytes: u64) -> io::Result<JournalPosition> {
    let mut hasher = crc32fast::Hasher::new();
    let mut found = JournalPosition::default();
    let mut buffer = [0; 1 << 14];
    let mut source = source.take(bytes);
    loop {
        let count = match source.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        hasher.update(&buffer[..count]);
        found.bytes += count as u64;
        found.lines += buffer[..count]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count() as u64;
    }
    found.crc = hasher.finalize();
    Ok(found)
}

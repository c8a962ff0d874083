//! Logs: text on standard error, by `RUST_LOG` (warnings unless set), and JSON in a run's
//! `log.jsonl` once the run is known. The file is bounded: when it is full it becomes
//! `log.1.jsonl`, in the place of the one before it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

/// Bytes of a log before it is full: about 30,000 rounds. With the one before it, twice as much.
const LOG_BYTES_MAX: u64 = 8 << 20;

/// Where the JSON log goes; nowhere until a run is known.
#[derive(Clone, Debug, Default)]
pub(crate) struct LogFile(Arc<Mutex<Option<BoundedLog>>>);

impl LogFile {
    /// From now on the log of this run.
    pub(crate) fn open(&self, path: &Path) -> io::Result<()> {
        let log = BoundedLog::open(path, LOG_BYTES_MAX)?;
        *self
            .0
            .lock()
            .expect("nothing panics while it holds the log") = Some(log);
        Ok(())
    }
}

/// A file of lines that makes room for itself.
#[derive(Debug)]
struct BoundedLog {
    file: File,
    path: PathBuf,
    bytes: u64,
    bytes_max: u64,
    /// Lines that could not be written since the last that could.
    lost: u64,
}

impl BoundedLog {
    fn open(path: &Path, bytes_max: u64) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let bytes = file.metadata()?.len();
        let path = path.to_owned();
        Ok(Self {
            file,
            path,
            bytes,
            bytes_max,
            lost: 0,
        })
    }

    /// Writes a line, and before it how many are missing. A failure is counted, not returned: a
    /// log that cannot be written stops nothing.
    fn write(&mut self, line: &[u8]) {
        if self.bytes + line.len() as u64 > self.bytes_max && self.bytes > 0 {
            // When this fails, the file grows on: too long is better than lost.
            let _ = self.turn_over();
        }
        let whole = match self.lost {
            0 => line.to_vec(),
            // The line end closes what the failed write may have left.
            lost => {
                let missing = format!("\n{{\"lines_of_this_log_not_written\":{lost}}}\n");
                [missing.as_bytes(), line].concat()
            }
        };
        match self.file.write_all(&whole) {
            Ok(()) => {
                self.bytes += whole.len() as u64;
                self.lost = 0;
            }
            Err(_) => self.lost += 1,
        }
    }

    fn turn_over(&mut self) -> io::Result<()> {
        fs::rename(&self.path, self.path.with_extension("1.jsonl"))?;
        *self = Self {
            lost: self.lost,
            ..Self::open(&self.path, self.bytes_max)?
        };
        Ok(())
    }
}

/// A line of the log.
struct Line(LogFile);

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(log) = &mut *self
            .0
            .0
            .lock()
            .expect("nothing panics while it holds the log")
        {
            log.write(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Installs both logs.
pub(crate) fn start() -> LogFile {
    let file = LogFile::default();
    let writer = file.clone();
    let filter = EnvFilter::builder().with_default_directive(LevelFilter::WARN.into());
    let json = fmt::layer()
        .json()
        .with_writer(move || Line(writer.clone()));
    tracing_subscriber::registry()
        .with(
            fmt::layer()
                .with_writer(io::stderr)
                // Colours are for terminals: in a file they are noise.
                .with_ansi(io::stderr().is_terminal())
                .with_filter(filter.from_env_lossy()),
        )
        .with(json.with_filter(LevelFilter::INFO))
        .init();
    file
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_log_takes_the_place_of_the_one_before_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        let mut log = BoundedLog::open(&path, 20).unwrap();
        for number in 0..10 {
            log.write(format!("{{\"line\":{number}}}\n").as_bytes());
        }
        let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(text("log.jsonl"), "{\"line\":9}\n");
        assert_eq!(text("log.1.jsonl"), "{\"line\":8}\n");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
        // Opened again it goes on, and is full where it was.
        BoundedLog::open(&path, 30)
            .unwrap()
            .write(b"{\"more\":0}\n");
        assert_eq!(text("log.jsonl"), "{\"line\":9}\n{\"more\":0}\n");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn lines_that_could_not_be_written_are_counted_and_said() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log.jsonl");
        let mut log = BoundedLog::open(&path, 1000).unwrap();
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let real = std::mem::replace(&mut log.file, full);
        log.write(b"{\"line\":1}\n");
        log.write(b"{\"line\":2}\n");
        log.file = real;
        log.write(b"{\"line\":3}\n");
        log.write(b"{\"line\":4}\n");
        let text = fs::read_to_string(&path).unwrap();
        let expected = "\n{\"lines_of_this_log_not_written\":2}\n{\"line\":3}\n{\"line\":4}\n";
        assert_eq!(text, expected);
    }
}

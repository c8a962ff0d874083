//! Logs: text on standard error, by `RUST_LOG` (warnings unless set), and JSON in a run's
//! `log.jsonl` once the run is known.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer, fmt};

/// Where the JSON log goes; nowhere until a run is known.
#[derive(Clone, Debug, Default)]
pub(super) struct LogFile(Arc<Mutex<Option<File>>>);

impl LogFile {
    /// From now on the log of this run.
    pub(super) fn open(&self, path: &Path) -> io::Result<()> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        *self
            .0
            .lock()
            .expect("nothing panics while it holds the log") = Some(file);
        Ok(())
    }
}

/// A line of the log. A log that cannot be written stops nothing.
struct Line(LogFile);

impl Write for Line {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(file) = &mut *self
            .0
            .0
            .lock()
            .expect("nothing panics while it holds the log")
        {
            let _ = file.write_all(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Installs both logs.
pub(super) fn start() -> LogFile {
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

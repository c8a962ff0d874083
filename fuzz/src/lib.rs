//! What must hold for every reader of foreign bytes, whatever the bytes: one function a format,
//! which panics where it does not. The fuzz targets call them with what the fuzzer finds
//! (`fuzz/run`), the default tests with the files of the corpora and mutations of them
//! (`tuner/tests/fuzz`, which includes this file).
//!
//! Each returns whether the reader took the bytes. Common to all: no panic, no overflow, memory
//! bounded by the size of the input.

mod stored;
mod texts;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub use stored::{checkpoint, journal, run_identity};
pub use texts::{engine_configuration, experiment_file, game_record, job_file, position};

/// A property, by the name of its target and its folder in the corpora.
pub type Target = (&'static str, fn(&[u8]) -> bool);

/// All of them.
pub const TARGETS: [Target; 8] = [
    ("job_file", job_file),
    ("engine_configuration", engine_configuration),
    ("experiment_file", experiment_file),
    ("position", position),
    ("game_record", game_record),
    ("journal", journal),
    ("checkpoint", checkpoint),
    ("run_identity", run_identity),
];

/// The engine configuration that jobs and experiments of the corpora name.
const ENGINE: &str = include_str!("../corpus/engine_configuration/small.toml");
/// The job whose runs left the journals and checkpoints of the corpora.
const JOB: &str = include_str!("../corpus/job_file/resolved.toml");

/// A folder for readers that want a file, with an `engine.toml`; one a process.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("engine.toml"), ENGINE).expect("a temporary file");
        folder
    });
    folder.path()
}

/// The bytes in a file of this name; each thread has its own.
fn file_with(name: &str, bytes: &[u8]) -> PathBuf {
    let thread = format!("{:?}", std::thread::current().id());
    let number: String = thread.chars().filter(char::is_ascii_digit).collect();
    let path = folder().join(format!("{number}-{name}"));
    // Emptying it first would make some file systems sync every time.
    let mut options = fs::OpenOptions::new();
    let options = options.write(true).create(true).truncate(false);
    let mut file = options.open(&path).expect("a temporary file");
    file.write_all(bytes).expect("a temporary file");
    file.set_len(bytes.len() as u64).expect("a temporary file");
    path
}

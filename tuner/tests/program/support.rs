//! A folder with a small engine and a small job, and the program to start in it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// An engine on 3x3 boxes; `layout` shares the bias of `opening`.
pub(crate) const ENGINE: &str = r#"# A small engine.
format = 1

[game]
name = "dots_and_boxes"
rows = 3
cols = 3

[budget]
simulations = 20

[solver]
table_mib = 1

[stages.opening]             # until ply 6
from = { ply = 0 }
searcher = "uct"
exploration = 1.0            # C
bias = { capture = 0.0, gives = 0.0, other = 0.0 }   # G
depth_plies = 255

[stages.layout]
from = { ply = 6 }
searcher = "uct"
bias = "opening"             # the same

[stages.endgame]
from = { edges_left = 10 }
searcher = "alpha_beta"
"#;

/// A job that ends in a moment, and whose verification anything but a loss passes.
pub(crate) const JOB: &str = r#"format = 1
seed = 7

[engine]
config = "engine.toml"

[budget]
simulations = 20

[[parameters]]
path = "stages.opening.bias.capture"
step = 0.2

[[parameters]]
path = "stages.opening.bias.gives"
step = 0.2

[learner]
kind = "pooled"
episodes = 12
games_per_episode = 4

[run]
rounds = 3
trials_in_flight = 3

[verification]
nelo_low = -200.0
nelo_high = -100.0
alpha = 0.05
beta = 0.05
games_max = 200
batch_games = 20
measured_games = 20
"#;

/// Longest wait for another process before a test gives up.
const PATIENCE: Duration = Duration::from_secs(120);

/// Whether the slow variants are asked for.
pub(crate) fn slow() -> bool {
    std::env::var_os("SIXFOLD_SLOW").is_some_and(|value| value == "1")
}

/// What the program said and how it ended.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Said {
    /// The program ended with this code, without a panic on the way.
    #[track_caller]
    pub(crate) fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }

    /// The error names all of these.
    #[track_caller]
    pub(crate) fn names(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(
                self.err.contains(part),
                "expected `{part}` in: {}",
                self.err
            );
        }
        self
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}

/// A temporary folder with `engine.toml` and `job.toml`, in which the program is started.
pub(crate) struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self::with_job(JOB)
    }

    pub(crate) fn with_job(job: &str) -> Self {
        let place = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        place.write("engine.toml", ENGINE);
        place.write("job.toml", job);
        place
    }

    /// A place whose job has run to its end.
    pub(crate) fn after_run(job: &str) -> Self {
        let place = Self::with_job(job);
        let code = place.tuner(&["run", "job.toml"]).code;
        assert!(matches!(code, Some(0 | 6)), "{code:?}");
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tuner"));
        command.args(arguments).current_dir(self.folder.path());
        command.env_remove("RUST_LOG").stdin(Stdio::null());
        command
    }

    pub(crate) fn tuner(&self, arguments: &[&str]) -> Said {
        let output = self.command(arguments).output().unwrap();
        Said {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Starts the program and does not wait for it.
    pub(crate) fn start(&self, arguments: &[&str]) -> Child {
        self.start_writing_to(arguments, Stdio::piped())
    }

    /// The same with another standard output.
    pub(crate) fn start_writing_to(&self, arguments: &[&str], out: Stdio) -> Child {
        let mut command = self.command(arguments);
        command.stdout(out).stderr(Stdio::piped());
        command.spawn().unwrap()
    }

    /// Whole lines in a run's journal; 0 before there is one.
    pub(crate) fn journal_lines(&self, run: &str) -> usize {
        let bytes = fs::read(self.path(&format!("runs/{run}/journal.jsonl"))).unwrap_or_default();
        bytes.iter().filter(|&&byte| byte == b'\n').count()
    }

    /// What has to be the same bytes whatever happened on the way.
    pub(crate) fn result(&self, run: &str) -> (String, String) {
        let file = |name| self.text(&format!("runs/{run}/{name}"));
        (file("journal.jsonl"), file("tuned.toml"))
    }

    /// Every file below `name` with its content, but for logs and locks.
    pub(crate) fn files(&self, name: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        collect(&self.path(name), &mut files);
        files.retain(|path, _| !path.ends_with("log.jsonl") && !path.ends_with("lock"));
        files
    }
}

fn collect(path: &Path, files: &mut BTreeMap<PathBuf, Vec<u8>>) {
    if path.is_dir() {
        files.insert(path.join("."), Vec::new());
        for entry in fs::read_dir(path).unwrap() {
            collect(&entry.unwrap().path(), files);
        }
    } else if let Ok(bytes) = fs::read(path) {
        files.insert(path.to_owned(), bytes);
    }
}

/// Waits until `reached`, or until the program has ended by itself; whether it was reached.
pub(crate) fn wait_until(child: &mut Child, mut reached: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    loop {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        if reached() {
            return true;
        }
        assert!(begun.elapsed() < PATIENCE, "the program does not get on");
        thread::sleep(Duration::from_millis(1));
    }
}

/// Sends a started program a signal.
#[cfg(unix)]
pub(crate) fn signal(child: &Child, name: &str) {
    // The shell's own `kill`: not every system has the program.
    let line = format!("kill -{name} {}", child.id());
    let mut shell = Command::new("sh");
    assert!(shell.args(["-c", &line]).status().unwrap().success());
}

/// What a started program came to.
pub(crate) fn finish(child: Child) -> Said {
    let output = child.wait_with_output().unwrap();
    Said {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A text with one place replaced; the place must be there, once.
#[track_caller]
pub(crate) fn edited(text: &str, from: &str, to: &str) -> String {
    assert_eq!(text.matches(from).count(), 1, "`{from}` in: {text}");
    text.replace(from, to)
}

//! A folder with a small engine and a small job, what the job comes to in one go, and the program
//! to start in it, with faults or without.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// The engine and the job of the stored formats: a run of a tenth of a second.
pub(crate) const ENGINE: &str = include_str!("../fixtures/formats/engine.toml");
pub(crate) const JOB: &str = include_str!("../fixtures/formats/job.toml");

/// Longest wait for another process before a test gives up.
const PATIENCE: Duration = Duration::from_secs(120);

/// The calls that change a disk.
pub(crate) const CALLS: &str =
    "write,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,ftruncate,mkdir,link,linkat";

/// What a run has to end with, whatever happened on the way: each file's bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Bytes(pub(crate) BTreeMap<String, Vec<u8>>);

impl Bytes {
    /// Those of the run in `folder`.
    pub(crate) fn of(folder: &Path) -> Self {
        let mut files = BTreeMap::new();
        for name in ["journal.jsonl", "tuned.toml"] {
            files.insert(name.to_owned(), fs::read(folder.join(name)).unwrap());
        }
        for entry in fs::read_dir(folder.join("games")).unwrap() {
            let entry = entry.unwrap();
            let name = format!("games/{}", entry.file_name().to_str().unwrap());
            files.insert(name, fs::read(entry.path()).unwrap());
        }
        Self(files)
    }

    pub(crate) fn journal(&self) -> &[u8] {
        &self.0["journal.jsonl"]
    }
}

/// What the small job comes to in one go.
pub(crate) fn undisturbed() -> &'static Bytes {
    static BYTES: OnceLock<Bytes> = OnceLock::new();
    BYTES.get_or_init(|| Place::with_job(JOB).finished())
}

/// A temporary folder with `engine.toml` and `job.toml`.
pub(crate) struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    pub(crate) fn with_job(job: &str) -> Self {
        Self::with(ENGINE, job)
    }

    /// The same with another engine.
    pub(crate) fn with(engine: &str, job: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("engine.toml"), engine).unwrap();
        fs::write(folder.path().join("job.toml"), job).unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn in_place(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path());
        command.env_remove("RUST_LOG").stdin(Stdio::null());
        command
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.in_place(env!("CARGO_BIN_EXE_tuner"));
        command.args(arguments);
        command
    }

    /// The program under `strace`, which writes the calls to `trace.txt` with their paths.
    pub(crate) fn traced(&self, options: &[&str], arguments: &[&str]) -> Command {
        let mut command = self.in_place("strace");
        let calls = format!("trace={CALLS}");
        command.args(["-y", "-s", "0", "-o", "trace.txt", "-e", &calls]);
        command.args(options).arg(env!("CARGO_BIN_EXE_tuner"));
        command.args(arguments);
        command
    }

    /// The program has done this, without a panic.
    #[track_caller]
    pub(crate) fn does(&self, arguments: &[&str], code: i32) -> Said {
        let said = Said::of(self.command(arguments).output().unwrap());
        assert_eq!(said.code, Some(code), "{arguments:?}: {said:?}");
        said
    }

    /// Runs the job to its end; what it comes to.
    pub(crate) fn finished(&self) -> Bytes {
        self.does(&["run", "job.toml", "--name", "job"], 0);
        Bytes::of(&self.path("runs/job"))
    }

    /// The run's folder, once it has a name and is a whole one.
    pub(crate) fn run(&self) -> Option<PathBuf> {
        let names = ["runs/job", "runs/job-2"].map(|name| self.path(name));
        names.into_iter().find(|run| run.join("run.json").is_file())
    }

    /// The whole lines that are stored.
    pub(crate) fn stored(&self) -> Vec<u8> {
        let journal = self.run().map(|run| fs::read(run.join("journal.jsonl")));
        let mut bytes = journal.and_then(Result::ok).unwrap_or_default();
        let whole = bytes.iter().rposition(|&byte| byte == b'\n');
        bytes.truncate(whole.map_or(0, |end| end + 1));
        bytes
    }

    /// Whatever happened, the run ends the same: what is stored is the beginning of what the job
    /// comes to, has at least so many lines, nothing is broken, and going on leads to the same
    /// bytes.
    #[track_caller]
    pub(crate) fn ends_the_same(&self, lines_min: usize, expected: &Bytes, what: &str) {
        let stored = self.stored();
        assert!(expected.journal().starts_with(&stored), "{what}");
        assert!(lines(&stored) >= lines_min, "{what}: lines were lost");
        match self.run() {
            Some(run) => {
                let run = run.to_str().unwrap();
                self.does(&["fsck", run], 0);
                self.does(&["resume", run], 0);
            }
            None => drop(self.does(&["run", "job.toml"], 0)),
        }
        let run = self.run().expect("the run has been finished");
        assert_eq!(Bytes::of(&run), *expected, "{what}");
    }
}

/// What the program said and how it ended.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) killed: bool,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Said {
    #[track_caller]
    pub(crate) fn of(output: Output) -> Self {
        use std::os::unix::process::ExitStatusExt;
        let said = Self {
            code: output.status.code(),
            killed: output.status.signal() == Some(9),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        };
        assert!(!said.err.contains("panicked"), "{said:?}");
        said
    }
}

/// Number of whole lines.
pub(crate) fn lines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}

/// Waits until `reached`, or until the program has ended by itself; whether it was reached.
pub(crate) fn wait_until(child: &mut Child, mut reached: impl FnMut() -> bool) -> bool {
    let begun = Instant::now();
    loop {
        if reached() {
            return true;
        }
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        assert!(begun.elapsed() < PATIENCE, "the program does not get on");
        thread::sleep(Duration::from_millis(1));
    }
}

/// A text with one place replaced; the place must be there, once.
#[track_caller]
pub(crate) fn edited(text: &str, from: &str, to: &str) -> String {
    assert_eq!(text.matches(from).count(), 1, "`{from}` in: {text}");
    text.replace(from, to)
}

//! Folders of runs: their names, their files, and finding them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::atomic;

/// Longest name of a run.
pub(super) const NAME_BYTES_MAX: usize = 64;

/// The ticket's file.
const TICKET: &str = "queue.json";
/// Runs that a message lists.
const LISTED_MAX: usize = 20;

/// Why there is no such folder.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A name that no run can have.
    #[error(
        "`{}` cannot be the name of a run: a name has 1 to {NAME_BYTES_MAX} of the characters a-z, \
         0-9, `_` and `-`, the first a letter or a digit", name.escape_debug()
    )]
    InvalidName {
        /// The name.
        name: String,
    },
    /// The name is taken.
    #[error("the run {} exists already: choose another name, or `resume` it", path.display())]
    Exists {
        /// The run.
        path: PathBuf,
    },
    /// Nothing of that name or path.
    #[error(
        "there is no run `{}`: looked at {}; {}",
        wanted.escape_debug(), looked(at), found(runs)
    )]
    Missing {
        /// What was asked for.
        wanted: String,
        /// The paths that were looked at.
        at: Vec<PathBuf>,
        /// The runs there are.
        runs: Vec<String>,
    },
    /// A folder that is no run.
    #[error(
        "{} is not a run: it holds no run.json; if a start was cut short there, the folder can be \
         removed", path.display()
    )]
    NotARun {
        /// The folder.
        path: PathBuf,
    },
    /// A run that has lost its identity.
    #[error(
        "{} holds a journal but no run.json: restore that file from a copy of the run; nothing was \
         changed", path.display()
    )]
    NoIdentity {
        /// The folder.
        path: PathBuf,
    },
    /// The system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// Where.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

fn looked(at: &[PathBuf]) -> String {
    let paths: Vec<_> = at.iter().map(|path| path.display().to_string()).collect();
    paths.join(" and ")
}

fn found(runs: &[String]) -> String {
    match runs.len() {
        0 => "there are no runs there yet".to_owned(),
        count if count <= LISTED_MAX => format!("the runs there are {}", runs.join(", ")),
        count => format!(
            "the runs there are {} and {} more",
            runs[..LISTED_MAX].join(", "),
            count - LISTED_MAX
        ),
    }
}

/// Accepts the names that a run can have: `[a-z0-9][a-z0-9_-]{0,63}`.
///
/// # Errors
/// [`FolderError::InvalidName`] for every other text.
pub fn validate_name(name: &str) -> Result<(), FolderError> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let valid = name.len() <= NAME_BYTES_MAX
        && name.bytes().next().is_some_and(plain)
        && name
            .bytes()
            .all(|byte| plain(byte) || byte == b'_' || byte == b'-');
    if valid {
        return Ok(());
    }
    Err(FolderError::InvalidName {
        name: name.to_owned(),
    })
}

/// The folder of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunFolder {
    pub(super) path: PathBuf,
}

impl RunFolder {
    /// The run of that name under `runs`, or else the run in the folder of that path.
    ///
    /// # Errors
    /// No such run (the message says where it was looked for and what there is), or a folder that
    /// is no run.
    pub fn open(runs: &Path, name_or_path: &str) -> Result<Self, FolderError> {
        let folder = Self::find(runs, name_or_path)?;
        Self::of(&folder.path)
    }

    /// As [`Self::open`], but also a folder whose `run.json` is missing: to say what is wrong
    /// with it.
    ///
    /// # Errors
    /// No such folder.
    pub fn find(runs: &Path, name_or_path: &str) -> Result<Self, FolderError> {
        let mut at = Vec::new();
        if validate_name(name_or_path).is_ok() {
            at.push(runs.join(name_or_path));
        }
        if !name_or_path.is_empty() && !at.contains(&PathBuf::from(name_or_path)) {
            at.push(PathBuf::from(name_or_path));
        }
        if let Some(path) = at.iter().find(|path| path.is_dir()) {
            let path = path.clone();
            return Ok(Self { path });
        }
        Err(FolderError::Missing {
            wanted: name_or_path.to_owned(),
            at,
            runs: list_runs(runs)?,
        })
    }

    /// The run of that name under `runs`, and nothing else: for names that come from outside.
    ///
    /// # Errors
    /// As [`Self::open`], and for everything that is not a valid name.
    pub fn open_named(runs: &Path, name: &str) -> Result<Self, FolderError> {
        validate_name(name)?;
        let path = runs.join(name);
        if path.is_dir() {
            return Self::of(&path);
        }
        Err(FolderError::Missing {
            wanted: name.to_owned(),
            at: vec![path],
            runs: list_runs(runs)?,
        })
    }

    fn of(path: &Path) -> Result<Self, FolderError> {
        let folder = Self {
            path: path.to_owned(),
        };
        match fs::metadata(folder.identity()) {
            Ok(found) if found.is_file() => Ok(folder),
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(io_error("look at", &folder.identity())(error))
            }
            _ if folder.journal().exists() => Err(FolderError::NoIdentity { path: folder.path }),
            _ => Err(FolderError::NotARun { path: folder.path }),
        }
    }

    /// The run's name, which is its folder's.
    pub fn name(&self) -> String {
        let named = match self.path.file_name() {
            Some(_) => self.path.clone(),
            // Such as `.` or `..`.
            None => self.path.canonicalize().unwrap_or_default(),
        };
        let name = named.file_name().unwrap_or(self.path.as_os_str());
        name.to_string_lossy().into_owned()
    }

    /// The folder itself.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The job as resolved.
    pub fn job(&self) -> PathBuf {
        self.path.join("job.toml")
    }

    /// What the queue shall do with it; absent where no service was ever asked.
    pub fn ticket(&self) -> PathBuf {
        self.path.join(TICKET)
    }

    /// What the run is; its presence makes the folder a run.
    pub fn identity(&self) -> PathBuf {
        self.path.join("run.json")
    }

    /// The events.
    pub fn journal(&self) -> PathBuf {
        self.path.join("journal.jsonl")
    }

    /// What happened around the events, with times.
    pub fn log(&self) -> PathBuf {
        self.path.join("log.jsonl")
    }

    /// The newest snapshot of the learner.
    pub fn checkpoint(&self) -> PathBuf {
        self.path.join("checkpoint.json")
    }

    /// The incumbent as an engine configuration.
    pub fn tuned(&self) -> PathBuf {
        self.path.join("tuned.toml")
    }

    /// Sampled game records.
    pub fn games(&self) -> PathBuf {
        self.path.join("games")
    }

    /// Evidence of games that failed.
    pub fn failures(&self) -> PathBuf {
        self.path.join("failures")
    }

    /// The report.
    pub fn report(&self) -> PathBuf {
        self.path.join("report.html")
    }

    /// The lock of the process that works on the run.
    pub fn lock(&self) -> PathBuf {
        self.path.join("lock")
    }

    /// Removes what killed writers left, and returns how many files that was. Hold the lock. What
    /// belongs to the ticket stays: a service replaces it without the lock, while a worker begins.
    ///
    /// # Errors
    /// What the system says.
    pub fn remove_temporaries(&self) -> io::Result<usize> {
        atomic::remove_temporaries(&self.path, &[TICKET])
    }
}

/// Names of the runs under `runs`, sorted; none when the folder does not exist.
///
/// # Errors
/// What the system says.
pub fn list_runs(runs: &Path) -> Result<Vec<String>, FolderError> {
    let failed = io_error("list the runs in", runs);
    let entries = match fs::read_dir(runs) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        if let Ok(name) = entry.map_err(&failed)?.file_name().into_string()
            && validate_name(&name).is_ok()
            && runs.join(&name).is_dir()
            && !matches!(
                RunFolder::of(&runs.join(&name)),
                Err(FolderError::NotARun { .. })
            )
        {
            names.push(name);
        }
    }
    names.sort_unstable();
    Ok(names)
}

pub(super) fn io_error(action: &'static str, path: &Path) -> impl Fn(io::Error) -> FolderError {
    let path = path.to_owned();
    move |source| FolderError::Io {
        action,
        path: path.clone(),
        source,
    }
}

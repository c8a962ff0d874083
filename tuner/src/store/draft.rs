//! How the folder of a new run appears: it is filled under a hidden name and then takes its own
//! name in one step. Whoever sees a run's folder sees a whole one, and two processes never share
//! a name.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::folder::{FolderError, NAME_BYTES_MAX, RunFolder, io_error, validate_name};
use crate::platform;

/// Numbers tried for a free name before something else must be wrong.
const NUMBERS_MAX: u32 = 100_000;

/// How the hidden names of folders being filled begin.
const PREFIX: &str = ".new-";

/// A run's folder before it has its name. Fill it (lock, `job.toml`, an empty journal,
/// `run.json`), then publish it; dropped unpublished, it is removed.
#[derive(Debug)]
pub struct RunDraft {
    runs: PathBuf,
    hidden: tempfile::TempDir,
    folder: RunFolder,
}

impl RunDraft {
    /// An empty folder with a hidden name under `runs`, which is created if it is missing.
    ///
    /// # Errors
    /// What the system says.
    pub fn new(runs: &Path) -> Result<Self, FolderError> {
        fs::create_dir_all(runs).map_err(io_error("create", runs))?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(PREFIX);
        if let Some(permissions) = platform::new_folder_permissions() {
            builder.permissions(permissions);
        }
        let hidden = builder
            .tempdir_in(runs)
            .map_err(io_error("create a folder in", runs))?;
        let folder = RunFolder {
            path: hidden.path().to_owned(),
        };
        Ok(Self {
            runs: runs.to_owned(),
            hidden,
            folder,
        })
    }

    /// Where to write what the run begins with.
    pub fn folder(&self) -> &RunFolder {
        &self.folder
    }

    /// Gives the folder its name. Locks taken in it stay held; other open files keep working,
    /// but whatever remembers its path is better opened again.
    ///
    /// # Errors
    /// The name is invalid or taken, or the system refuses; the folder is removed.
    pub fn publish(self, name: &str) -> Result<RunFolder, FolderError> {
        validate_name(name)?;
        let path = self.runs.join(name);
        if self.claim(&path)? {
            self.published(path)
        } else {
            Err(FolderError::Exists { path })
        }
    }

    /// Gives the folder the first free name of `base`, `base-2`, `base-3` and so on.
    ///
    /// # Errors
    /// The name is invalid, or the system refuses; the folder is removed.
    pub fn publish_next_free(self, base: &str) -> Result<RunFolder, FolderError> {
        validate_name(base)?;
        for number in 1..=NUMBERS_MAX {
            let path = self.runs.join(numbered(base, number));
            if self.claim(&path)? {
                return self.published(path);
            }
        }
        Err(FolderError::Exists {
            path: self.runs.join(base),
        })
    }

    /// Whether the name was free and is now this folder's.
    fn claim(&self, path: &Path) -> Result<bool, FolderError> {
        match platform::move_folder_to_free_name(self.hidden.path(), path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(io_error("create", path)(error)),
        }
    }

    fn published(self, path: PathBuf) -> Result<RunFolder, FolderError> {
        // The hidden name is gone: nothing is left to remove.
        let _ = self.hidden.keep();
        for folder in [&path, &self.runs] {
            platform::sync_folder(folder).map_err(io_error("sync", folder))?;
        }
        Ok(RunFolder { path })
    }
}

/// `base`, `base-2`, `base-3` and so on, the base shortened where the name would be too long.
fn numbered(base: &str, number: u32) -> String {
    if number == 1 {
        return base.to_owned();
    }
    let suffix = format!("-{number}");
    let kept = base.len().min(NAME_BYTES_MAX - suffix.len());
    format!("{}{suffix}", &base[..kept])
}

//! One process at a time in a run: an advisory lock that the kernel releases when its holder
//! ends, also when it is killed. The file's content only tells people who holds it; the file
//! itself stays.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use fs4::TryLockError;

/// [`RunLock::holder`] has to hold the lock for an instant to see whether it is free: so taking it
/// is tried again a few times before it counts as held.
const ATTEMPTS: u32 = 5;
const PAUSE: Duration = Duration::from_millis(20);

/// Longest content worth reading: a process number.
const CONTENT_BYTES_MAX: u64 = 20;

/// Why a run is not ours.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process works on the run.
    #[error(
        "the run is in use by process {pid} (lock {}): stop that process, or wait for it",
        path.display()
    )]
    Held {
        /// The lock.
        path: PathBuf,
        /// Its holder's number as text, or "unknown".
        pid: String,
    },
    /// The run's folder cannot be written to.
    #[error(
        "the run cannot be worked on where it is: {}: {source}; `status`, `fsck` and `export` \
         only read it; to go on with it, copy its folder to where you may write",
        path.display()
    )]
    ReadOnly {
        /// The lock.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system refused; network file systems may not know locks.
    #[error("cannot lock {}: {source}; runs need a file system that knows locks", path.display())]
    Io {
        /// The lock.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// The lock of a run, held until this is dropped or the process ends.
#[derive(Debug)]
pub struct RunLock {
    /// Open for as long as the lock is held.
    _file: File,
}

impl RunLock {
    /// Takes the lock.
    ///
    /// # Errors
    /// Another process holds it, or the system refuses.
    pub fn acquire(path: &Path) -> Result<Self, LockError> {
        let failed = |source: io::Error| {
            let path = path.to_owned();
            match source.kind() {
                io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => {
                    LockError::ReadOnly { path, source }
                }
                _ => LockError::Io { path, source },
            }
        };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        for attempt in 1..=ATTEMPTS {
            match fs4::FileExt::try_lock(&file) {
                Ok(()) => {
                    // Only for people: a full disk must not keep anybody from resuming.
                    let _ = write_holder(&mut file);
                    return Ok(Self { _file: file });
                }
                Err(TryLockError::WouldBlock) if attempt < ATTEMPTS => thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => break,
                Err(TryLockError::Error(source)) => return Err(failed(source)),
            }
        }
        Err(LockError::Held {
            path: path.to_owned(),
            pid: read_holder(&mut file),
        })
    }

    /// Who holds the lock, as text for people; None when it is free or was never taken.
    ///
    /// # Errors
    /// What the system says.
    pub fn holder(path: &Path) -> Result<Option<String>, LockError> {
        let failed = |source| LockError::Io {
            path: path.to_owned(),
            source,
        };
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
        };
        match fs4::FileExt::try_lock_shared(&file) {
            // Dropping the file gives the shared lock back.
            Ok(()) => Ok(None),
            Err(TryLockError::WouldBlock) => Ok(Some(read_holder(&mut file))),
            Err(TryLockError::Error(source)) => Err(failed(source)),
        }
    }
}

fn write_holder(file: &mut File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(std::process::id().to_string().as_bytes())
}

/// The number in the file. What else may stand there is not for a message.
fn read_holder(file: &mut File) -> String {
    let mut text = String::new();
    let read = file
        .rewind()
        .and_then(|()| file.take(CONTENT_BYTES_MAX).read_to_string(&mut text));
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if read.is_ok() && digits {
        text
    } else {
        "unknown".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_held_once_and_is_free_again_when_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        assert_eq!(RunLock::holder(&path).unwrap(), None);
        let lock = RunLock::acquire(&path).unwrap();
        let own = std::process::id().to_string();
        assert_eq!(RunLock::holder(&path).unwrap(), Some(own.clone()));
        match RunLock::acquire(&path) {
            Err(LockError::Held { pid, .. }) => assert_eq!(pid, own),
            other => panic!("{other:?}"),
        }
        drop(lock);
        assert_eq!(RunLock::holder(&path).unwrap(), None);
        RunLock::acquire(&path).unwrap();
    }

    #[test]
    fn content_that_is_no_number_stays_out_of_messages() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let _lock = RunLock::acquire(&path).unwrap();
        std::fs::write(&path, "\u{1b}[2J").unwrap();
        assert_eq!(RunLock::holder(&path).unwrap().as_deref(), Some("unknown"));
    }
}

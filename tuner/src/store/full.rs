//! A full disk, told from all other failures: a run waits for room, and stops for the rest.

use std::io;
use std::path::{Path, PathBuf};

use super::StoreError;
use super::atomic::AtomicWriteError;
use super::journal::JournalError;

/// A write that found the disk full, or the user's share of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DiskFull {
    /// What was written to.
    pub path: PathBuf,
    /// Bytes that the write needs.
    pub bytes: u64,
}

/// Errors that can mean a full disk. What failed so can be tried again once there is room.
pub trait MayBeFull {
    /// The full disk, if that is what the error means.
    fn disk_full(&self) -> Option<DiskFull>;
}

/// Whether the system means a full disk or a used-up quota.
pub fn is_full(error: &io::Error) -> bool {
    let kind = error.kind();
    kind == io::ErrorKind::StorageFull || kind == io::ErrorKind::QuotaExceeded
}

fn when_full(error: &io::Error, path: &Path, bytes: u64) -> Option<DiskFull> {
    is_full(error).then(|| DiskFull {
        path: path.to_owned(),
        bytes,
    })
}

impl MayBeFull for AtomicWriteError {
    fn disk_full(&self) -> Option<DiskFull> {
        when_full(&self.source, &self.path, self.bytes)
    }
}

impl MayBeFull for JournalError {
    fn disk_full(&self) -> Option<DiskFull> {
        match self {
            JournalError::Append {
                path,
                bytes,
                source,
                ..
            }
            | JournalError::Sync {
                path,
                bytes,
                source,
                ..
            } => when_full(source, path, *bytes),
            _ => None,
        }
    }
}

impl MayBeFull for StoreError {
    fn disk_full(&self) -> Option<DiskFull> {
        match self {
            StoreError::Journal(error) => error.disk_full(),
            StoreError::Checkpoint(error) => error.disk_full(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_full_disk_and_a_used_up_quota_are_waited_for() {
        let of = |kind: io::ErrorKind| {
            let error = AtomicWriteError {
                action: "write",
                path: "a".into(),
                bytes: 7,
                replaced: false,
                source: kind.into(),
            };
            error.disk_full()
        };
        let full = DiskFull {
            path: "a".into(),
            bytes: 7,
        };
        assert_eq!(of(io::ErrorKind::StorageFull), Some(full.clone()));
        assert_eq!(of(io::ErrorKind::QuotaExceeded), Some(full));
        for other in [
            io::ErrorKind::ReadOnlyFilesystem,
            io::ErrorKind::PermissionDenied,
            io::ErrorKind::FileTooLarge,
            io::ErrorKind::Other,
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }
}

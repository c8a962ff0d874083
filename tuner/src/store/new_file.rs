//! A file that must not exist before it is complete: written beside its name and put there at last.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::atomic::{folder_of, new_temporary};
use crate::platform;

/// A file in the making. Dropped before [`NewFile::keep`] it leaves nothing behind.
#[derive(Debug)]
pub struct NewFile {
    temporary: NamedTempFile,
    path: PathBuf,
}

impl NewFile {
    /// Begins a file that will have this path.
    ///
    /// # Errors
    /// `AlreadyExists` if something has that path, and what the system says.
    pub fn create(path: &Path) -> io::Result<NewFile> {
        match fs::symlink_metadata(path) {
            Ok(_) => return Err(io::ErrorKind::AlreadyExists.into()),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            Err(_) => {}
        }
        Ok(NewFile {
            temporary: new_temporary(path, folder_of(path))?,
            path: path.to_owned(),
        })
    }

    /// Where to write its content.
    ///
    /// # Errors
    /// What the system says.
    pub fn writer(&self) -> io::Result<File> {
        self.temporary.as_file().try_clone()
    }

    /// Brings the content to stable storage and gives the file its name.
    ///
    /// # Errors
    /// `AlreadyExists` if something has taken the path since, and what the system says. Nothing is
    /// left of the file then, but for a folder that could not be synced.
    pub fn keep(self) -> io::Result<()> {
        self.temporary.as_file().sync_all()?;
        let persisted = self.temporary.persist_noclobber(&self.path);
        persisted.map_err(|error| error.error)?;
        platform::sync_folder(folder_of(&self.path))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn a_file_has_its_name_once_it_is_complete_and_replaces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let count = || fs::read_dir(folder.path()).unwrap().count();
        let dropped = NewFile::create(&path).unwrap();
        dropped.writer().unwrap().write_all(b"half").unwrap();
        assert!(!path.exists());
        drop(dropped);
        assert_eq!(count(), 0);
        let [first, second] = [(); 2].map(|()| NewFile::create(&path).unwrap());
        first.writer().unwrap().write_all(b"first").unwrap();
        first.keep().unwrap();
        let exists = io::ErrorKind::AlreadyExists;
        assert_eq!(second.keep().unwrap_err().kind(), exists);
        assert_eq!(NewFile::create(&path).unwrap_err().kind(), exists);
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(count(), 1);
    }
}

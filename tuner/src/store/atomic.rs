//! Files replaced as a whole: whoever reads, and whatever kills the writer, sees the old content
//! or the new, never a mixture and never nothing.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::platform;

/// How the names of temporary files begin and end; a killed writer leaves one behind.
const TEMPORARY_PREFIX: &str = ".";
const TEMPORARY_SUFFIX: &str = ".tmp";

/// Symbolic links followed before a chain of them is taken for a circle.
const LINKS_MAX: usize = 40;

/// A file that was not replaced for good.
#[derive(Debug, thiserror::Error)]
#[error("cannot {action} {}: {source}; {}", path.display(), state(*replaced))]
pub struct AtomicWriteError {
    /// What was tried.
    pub action: &'static str,
    /// The file.
    pub path: PathBuf,
    /// Bytes of the new content.
    pub bytes: u64,
    /// Whether the new content is in place all the same, and only a power cut could undo it.
    pub replaced: bool,
    /// What the system said.
    pub source: io::Error,
}

fn state(replaced: bool) -> &'static str {
    if replaced {
        "the new content is in place, but may not survive a power cut"
    } else {
        "what was there before is kept"
    }
}

/// Replaces the content of `path`, or creates it, and brings it to stable storage. The mode of a
/// file that exists stays; a symbolic link stays one, and the file it leads to is replaced.
///
/// # Errors
/// What the system says; no temporary file is left, and nothing has changed unless the error says
/// that the file was replaced.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), AtomicWriteError> {
    let failed = |action| {
        move |source| AtomicWriteError {
            action,
            path: path.to_owned(),
            bytes: bytes.len() as u64,
            replaced: false,
            source,
        }
    };
    let target = resolve_links(path).map_err(failed("follow the link"))?;
    let folder = folder_of(&target);
    let replaced = match fs::metadata(&target) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(failed("look at")(error)),
    };
    // A temporary file removes itself when it is dropped: on every early return below.
    let mut temporary = new_temporary(&target, folder).map_err(failed("create a file beside"))?;
    // Before the content: what only its owner may read is never readable by others.
    if let Some(replaced) = &replaced {
        platform::take_after(temporary.as_file(), replaced).map_err(failed("keep the mode of"))?;
    }
    temporary.write_all(bytes).map_err(failed("write"))?;
    temporary.as_file().sync_all().map_err(failed("sync"))?;
    temporary
        .persist(&target)
        .map_err(|error| failed("replace")(error.error))?;
    platform::sync_folder(folder).map_err(|source| AtomicWriteError {
        replaced: true,
        ..failed("sync the folder of")(source)
    })
}

/// Where `path` leads when symbolic links are followed; the last file need not exist.
///
/// # Errors
/// What the system says, or links in a circle.
pub fn resolve_links(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..LINKS_MAX {
        match fs::symlink_metadata(&target) {
            Ok(metadata) if metadata.is_symlink() => {
                target = folder_of(&target).join(fs::read_link(&target)?);
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => return Ok(target),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Removes what killed writers left in `folder`, and returns how many files that was. Hold the
/// folder's lock; `shared` are names of files in it that others replace all the same, whose
/// temporary files stay because they may be in use.
///
/// # Errors
/// What the system says.
pub fn remove_temporaries(folder: &Path, shared: &[&str]) -> io::Result<usize> {
    let mut removed = 0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let is_shared = shared.iter().any(|file| is_temporary_of(&name, file));
        if is_temporary(&name) && !is_shared && entry.file_type()?.is_file() {
            fs::remove_file(entry.path())?;
            removed += 1;
        }
    }
    Ok(removed)
}

/// Whether a file of this name is what a killed writer left.
pub fn is_temporary(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.starts_with(TEMPORARY_PREFIX) && name.ends_with(TEMPORARY_SUFFIX)
}

/// Whether a file of this name is a temporary one of `file`.
fn is_temporary_of(name: &OsStr, file: &str) -> bool {
    let name = name.to_string_lossy();
    let rest = name.strip_prefix(TEMPORARY_PREFIX);
    let rest = rest.and_then(|rest| rest.strip_prefix(file));
    rest.is_some_and(|rest| rest.starts_with('.')) && name.ends_with(TEMPORARY_SUFFIX)
}

/// The folder that a file is in, also of a bare name.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

pub(super) fn new_temporary(target: &Path, folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut prefix = OsString::from(TEMPORARY_PREFIX);
    prefix.push(target.file_name().ok_or(io::ErrorKind::InvalidFilename)?);
    prefix.push(".");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(TEMPORARY_SUFFIX);
    if let Some(permissions) = platform::new_file_permissions() {
        builder.permissions(permissions);
    }
    builder.tempfile_in(folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn content_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write_atomically(&path, b"a longer text").unwrap();
        write_atomically(&path, b"short").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"short");
        assert_eq!(names(folder.path()), ["a.json"]);
    }

    #[test]
    fn a_failure_leaves_no_temporary() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        fs::create_dir(&path).unwrap();
        let error = write_atomically(&path, b"x").unwrap_err();
        assert!(error.to_string().contains("a.json"), "{error}");
        assert_eq!(names(folder.path()), ["a.json"]);
        let missing = folder.path().join("none").join("a.json");
        assert!(write_atomically(&missing, b"x").is_err());
    }

    #[test]
    fn what_killed_writers_left_is_removed_and_nothing_more() {
        let folder = tempfile::tempdir().unwrap();
        for name in [".checkpoint.json.aB3xyz.tmp", "notes.tmp", ".hidden"] {
            fs::write(folder.path().join(name), b"").unwrap();
        }
        assert_eq!(remove_temporaries(folder.path(), &[]).unwrap(), 1);
        assert_eq!(names(folder.path()), [".hidden", "notes.tmp"]);
    }

    #[test]
    fn what_others_replace_meanwhile_is_not_removed() {
        let folder = tempfile::tempdir().unwrap();
        let shared = folder.path().join("queue.json");
        let mut writer = new_temporary(&shared, folder.path()).unwrap();
        writer.write_all(b"a ticket").unwrap();
        for name in [".queue.jsonl.aB3xyz.tmp", ".job.toml.aB3xyz.tmp"] {
            fs::write(folder.path().join(name), b"").unwrap();
        }
        assert_eq!(
            remove_temporaries(folder.path(), &["queue.json"]).unwrap(),
            2
        );
        writer.persist(&shared).unwrap();
        assert_eq!(names(folder.path()), ["queue.json"]);
    }

    #[cfg(unix)]
    #[test]
    fn mode_and_symbolic_link_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().join("real.toml");
        let link = folder.path().join("link.toml");
        let second = folder.path().join("second.toml");
        fs::write(&real, b"old").unwrap();
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real.toml", &link).unwrap();
        symlink(&link, &second).unwrap();
        write_atomically(&second, b"new").unwrap();
        assert_eq!(fs::read(&real).unwrap(), b"new");
        let mode = fs::metadata(&real).unwrap().permissions().mode();
        assert_eq!(mode & 0o7777, 0o640);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(fs::symlink_metadata(&second).unwrap().is_symlink());
        symlink("circle", folder.path().join("circle")).unwrap();
        assert!(write_atomically(&folder.path().join("circle"), b"x").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_new_file_has_the_mode_that_the_mask_leaves() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (plain, ours) = (folder.path().join("plain"), folder.path().join("ours"));
        fs::write(&plain, b"").unwrap();
        write_atomically(&ours, b"").unwrap();
        let mode = |path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&plain), mode(&ours));
    }
}

//! The one part of the export that touches files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{ExportError, NewValue, apply};
use crate::platform;
use crate::store::atomic;

/// What an export did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exported {
    /// The file that was written: where the given path leads when symbolic links are followed.
    pub file: PathBuf,
    /// The copy of what it was before; None when nothing had to change.
    pub backup: Option<PathBuf>,
}

/// Makes `changes` in the configuration at `path` as [`apply`] does, at once and for good, after
/// putting a copy beside it: `FILE.bak`, or `FILE.bak-2`, `FILE.bak-3` and so on where that is
/// taken. Mode and symbolic links stay.
///
/// # Errors
/// See [`ExportError`]; then the file is as it was, and no copy is left, unless the error says that
/// the new content is in place.
pub fn export_to_file(
    path: &Path,
    changes: &[(String, NewValue)],
    evidence: &[String],
) -> Result<Exported, ExportError> {
    let failed = |action| {
        move |source| ExportError::Io {
            action,
            path: path.to_owned(),
            source,
        }
    };
    let file = atomic::resolve_links(path).map_err(failed("follow the link"))?;
    let bytes = fs::read(&file).map_err(failed("read"))?;
    let text = std::str::from_utf8(&bytes).map_err(|_| ExportError::NotText {
        path: path.to_owned(),
    })?;
    let result = apply(text, changes, evidence)?;
    if result == text {
        return Ok(Exported { file, backup: None });
    }
    // Replacing a file asks for no right to write to it, so its mode has to be looked at.
    if fs::metadata(&file)
        .map_err(failed("look at"))?
        .permissions()
        .readonly()
    {
        return Err(ExportError::ReadOnly { path: file });
    }
    let backup = back_up(&file, &bytes).map_err(failed("make a copy of"))?;
    atomic::write_atomically(&file, result.as_bytes()).inspect_err(|error| {
        if !error.replaced {
            // The file is as it was, so its copy says nothing.
            let _ = fs::remove_file(&backup);
        }
    })?;
    Ok(Exported {
        file,
        backup: Some(backup),
    })
}

/// A copy of `bytes` beside `file`, under the first free name, with the file's mode.
fn back_up(file: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    for number in 1_u32.. {
        let mut name = file.as_os_str().to_owned();
        name.push(".bak");
        if number > 1 {
            name.push(format!("-{number}"));
        }
        let backup = PathBuf::from(name);
        match OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&backup)
        {
            Ok(copy) => {
                return fill(&copy, file, bytes)
                    .map(|()| backup.clone())
                    .inspect_err(|_| {
                        let _ = fs::remove_file(&backup);
                    });
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

fn fill(mut copy: &File, file: &Path, bytes: &[u8]) -> io::Result<()> {
    platform::take_after(copy, &fs::metadata(file)?)?;
    copy.write_all(bytes)?;
    copy.sync_all()
}

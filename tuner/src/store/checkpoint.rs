//! The checkpoint: the newest snapshot of the learner, so that a resumption need not replay the
//! whole journal. A broken one costs time, never a result.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::atomic::{self, AtomicWriteError};
use super::envelope;
use super::journal::JournalPosition;

/// Version of the checkpoint's form.
pub const CHECKPOINT_FORMAT: u32 = 1;

/// Largest checkpoint: checked before anything is read into memory.
pub const MAX_CHECKPOINT_BYTES: u64 = 64 << 20;

const KEY: &str = "checkpoint";
const MAGIC: &str = "sixfold-checkpoint";

/// A snapshot of the learner and what it belongs to.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// Results version of the program that made it.
    pub results_version: u32,
    /// Digest of the job as resolved.
    pub job_digest: String,
    /// The journal up to the snapshot.
    pub journal: JournalPosition,
    /// The learner's state, known to the learner alone. It must not hold NaN or infinities: JSON
    /// has none, and a `Value` made from one is null.
    pub state: Value,
}

/// Why there is no checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// None was written yet: replay the journal.
    #[error("there is no checkpoint {}", .0.display())]
    Missing(PathBuf),
    /// The bytes are not those that were written: set it aside and replay the journal.
    #[error("the checkpoint {} is damaged: {reason}; the journal does not need it", path.display())]
    Damaged {
        /// The checkpoint.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A newer program wrote it.
    #[error(
        "the checkpoint {} has format {found}; this program knows formats up to \
         {CHECKPOINT_FORMAT}; it is kept: use the program version that wrote it, or a newer one",
        path.display()
    )]
    NewerFormat {
        /// The checkpoint.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// Its results are those of another version of the program.
    #[error(
        "the checkpoint {} has results version {found}, this program has {known}: the two would \
         not give one result; resume with the program version that `run.json` names",
        path.display()
    )]
    OtherResults {
        /// The checkpoint.
        path: PathBuf,
        /// Its results version.
        found: u32,
        /// This program's.
        known: u32,
    },
    /// It belongs to another job: something was copied or edited.
    #[error(
        "the checkpoint {} belongs to the job {found}, the run to the job {expected}",
        path.display()
    )]
    ForeignJob {
        /// The checkpoint.
        path: PathBuf,
        /// The checkpoint's job.
        found: String,
        /// The run's job.
        expected: String,
    },
    /// The system refused.
    #[error("cannot {action} the checkpoint {}: {source}", path.display())]
    Io {
        /// What was tried.
        action: &'static str,
        /// The checkpoint.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

#[derive(Deserialize)]
struct HeaderProbe {
    magic: String,
    format: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckpointWire {
    magic: String,
    format: u32,
    results_version: u32,
    job_digest: String,
    journal: PositionWire,
    state: Value,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PositionWire {
    lines: u64,
    bytes: u64,
    crc: u32,
}

impl Checkpoint {
    /// Replaces the checkpoint at `path`. Sync the journal first: a checkpoint never stands for
    /// more than a power cut would leave of the journal.
    ///
    /// # Errors
    /// What the system says; the checkpoint before is kept.
    pub fn save(&self, path: &Path) -> Result<(), AtomicWriteError> {
        let wire = CheckpointWire {
            magic: MAGIC.to_owned(),
            format: CHECKPOINT_FORMAT,
            results_version: self.results_version,
            job_digest: self.job_digest.clone(),
            journal: PositionWire {
                lines: self.journal.lines,
                bytes: self.journal.bytes,
                crc: self.journal.crc,
            },
            state: self.state.clone(),
        };
        let body = serde_json::to_string(&wire).expect("a JSON value always serialises");
        atomic::write_atomically(path, envelope::seal(KEY, &body).as_bytes())
    }

    /// The checkpoint at `path`, which must be of this job and results version.
    ///
    /// # Errors
    /// See [`CheckpointError`].
    pub fn load(
        path: &Path,
        job_digest: &str,
        results_version: u32,
    ) -> Result<Self, CheckpointError> {
        let checkpoint = parse(&read_capped(path)?, path)?;
        if checkpoint.results_version != results_version {
            return Err(CheckpointError::OtherResults {
                path: path.to_owned(),
                found: checkpoint.results_version,
                known: results_version,
            });
        }
        if checkpoint.job_digest != job_digest {
            return Err(CheckpointError::ForeignJob {
                path: path.to_owned(),
                found: checkpoint.job_digest,
                expected: job_digest.to_owned(),
            });
        }
        Ok(checkpoint)
    }
}

/// Renames a checkpoint that cannot be used to `NAME.damaged-N`, the first free N from 1, and
/// returns that path. Nothing is deleted. Hold the run's lock.
///
/// # Errors
/// What the system says.
pub fn set_aside(path: &Path) -> Result<PathBuf, CheckpointError> {
    let failed = |source| CheckpointError::Io {
        action: "set aside",
        path: path.to_owned(),
        source,
    };
    for number in 1_u32.. {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".damaged-{number}"));
        let aside = PathBuf::from(name);
        match fs::symlink_metadata(&aside) {
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::rename(path, &aside).map_err(failed)?;
                return Ok(aside);
            }
            Err(error) => return Err(failed(error)),
        }
    }
    Err(failed(io::ErrorKind::AlreadyExists.into()))
}

fn read_capped(path: &Path) -> Result<Vec<u8>, CheckpointError> {
    let failed = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => CheckpointError::Missing(path.to_owned()),
        _ => CheckpointError::Io {
            action: "read",
            path: path.to_owned(),
            source,
        },
    };
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_CHECKPOINT_BYTES + 1).read_to_end(&mut bytes))
        .map_err(failed)?;
    Ok(bytes)
}

fn parse(bytes: &[u8], path: &Path) -> Result<Checkpoint, CheckpointError> {
    let damaged = |reason: &str| CheckpointError::Damaged {
        path: path.to_owned(),
        reason: reason.to_owned(),
    };
    let unread = |error: serde_json::Error| damaged(&error.to_string());
    if bytes.len() as u64 > MAX_CHECKPOINT_BYTES {
        return Err(damaged("it is larger than a checkpoint may be"));
    }
    let line = bytes
        .strip_suffix(b"\n")
        .ok_or_else(|| damaged("it has no end"))?;
    let body = envelope::unseal(KEY, line).map_err(damaged)?;
    let header: HeaderProbe = serde_json::from_str(body).map_err(unread)?;
    if header.magic != MAGIC {
        return Err(damaged("it does not call itself a checkpoint"));
    }
    if header.format > CHECKPOINT_FORMAT {
        return Err(CheckpointError::NewerFormat {
            path: path.to_owned(),
            found: header.format,
        });
    }
    let wire: CheckpointWire = serde_json::from_str(body).map_err(unread)?;
    Ok(Checkpoint {
        results_version: wire.results_version,
        job_digest: wire.job_digest,
        journal: JournalPosition {
            lines: wire.journal.lines,
            bytes: wire.journal.bytes,
            crc: wire.journal.crc,
        },
        state: wire.state,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn checkpoint() -> Checkpoint {
        Checkpoint {
            results_version: 3,
            job_digest: "a1b2".to_owned(),
            journal: JournalPosition {
                lines: 2,
                bytes: 345,
                crc: 0xdead_beef,
            },
            state: json!({"q": [0.1, 5e-324, -0.0, 1.797_693_134_862_315_7e308], "n": u64::MAX}),
        }
    }

    fn saved() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint.json");
        checkpoint().save(&path).unwrap();
        (folder, path)
    }

    fn load(path: &Path) -> Result<Checkpoint, CheckpointError> {
        Checkpoint::load(path, "a1b2", 3)
    }

    #[test]
    fn what_was_saved_is_loaded() {
        let (_folder, path) = saved();
        assert_eq!(load(&path).unwrap(), checkpoint());
    }

    #[test]
    fn no_shortened_and_no_flipped_file_is_accepted() {
        let (_folder, path) = saved();
        let bytes = fs::read(&path).unwrap();
        let refused =
            |bytes: &[u8]| matches!(parse(bytes, &path), Err(CheckpointError::Damaged { .. }));
        for length in 0..bytes.len() {
            assert!(refused(&bytes[..length]), "length {length}");
        }
        for bit in 0..bytes.len() * 8 {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(refused(&flipped), "bit {bit}");
        }
        assert!(refused(&[bytes.as_slice(), b"\n"].concat()));
    }

    #[test]
    fn a_damaged_file_is_set_aside_under_the_first_free_number() {
        let (folder, path) = saved();
        fs::write(folder.path().join("checkpoint.json.damaged-1"), b"older").unwrap();
        fs::write(&path, b"\0\0\0").unwrap();
        let aside = set_aside(&path).unwrap();
        assert_eq!(aside, folder.path().join("checkpoint.json.damaged-2"));
        assert_eq!(fs::read(aside).unwrap(), b"\0\0\0");
        assert!(matches!(load(&path), Err(CheckpointError::Missing(_))));
    }

    #[test]
    fn a_newer_format_is_told_from_damage_even_with_fields_unknown_here() {
        let (_folder, path) = saved();
        let body = r#"{"magic":"sixfold-checkpoint","format":7,"more":1}"#;
        fs::write(&path, envelope::seal(KEY, body)).unwrap();
        let error = load(&path).unwrap_err();
        assert!(matches!(
            error,
            CheckpointError::NewerFormat { found: 7, .. }
        ));
        assert!(error.to_string().contains("format 7"), "{error}");
    }

    #[test]
    fn another_job_and_another_results_version_are_refused_naming_both() {
        let (_folder, path) = saved();
        let error = Checkpoint::load(&path, "ffff", 3).unwrap_err();
        assert!(matches!(error, CheckpointError::ForeignJob { .. }));
        assert!(error.to_string().contains("a1b2") && error.to_string().contains("ffff"));
        let error = Checkpoint::load(&path, "a1b2", 4).unwrap_err();
        assert!(matches!(
            error,
            CheckpointError::OtherResults {
                found: 3,
                known: 4,
                ..
            }
        ));
    }
}

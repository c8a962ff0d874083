//! `run.json`: what a run is and which program made it, for people and for programs that are
//! about to continue it.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::atomic::{self, AtomicWriteError};
use super::format::JOURNAL_FORMAT;

/// Version of the form of `run.json`.
pub const IDENTITY_FORMAT: u32 = 1;

/// Largest `run.json`; real ones have a few hundred bytes.
const MAX_IDENTITY_BYTES: u64 = 1 << 16;

/// Seeds stay below this, so that every reader of JSON keeps them exactly.
pub const SEED_END: u64 = 1 << 53;

/// What a run is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunIdentity {
    /// Results version of the program that started the run.
    pub results_version: u32,
    /// Version of that program.
    pub program_version: String,
    /// The run's seed, below [`SEED_END`].
    pub seed: u64,
    /// When the run was started, as RFC 3339.
    pub started: String,
    /// Version of the engine configuration's form.
    pub engine_format: u32,
    /// Version of the journal's form.
    pub journal_format: u32,
}

/// What the program at hand knows, to be compared with what a run needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KnownVersions {
    /// This program's results version.
    pub results: u32,
    /// The newest engine configuration format it reads.
    pub engine_format: u32,
}

/// Why a run's identity is not accepted.
#[derive(Debug, thiserror::Error)]
pub enum IdentityError {
    /// The system refused.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The content is not what a `run.json` holds.
    #[error(
        "{} is not the identity of a run: {reason}; it was left as it is: restore the file from a \
         copy, or start the job again as a new run", path.display()
    )]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// The run needs a newer program.
    #[error(
        "{}: {what} {found} is newer than {known}, the newest this program knows; use the program \
         version {program} that started the run, or a newer one", path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Which version it is about.
        what: &'static str,
        /// The run's.
        found: u32,
        /// The program's.
        known: u32,
        /// The program version that the run names.
        program: String,
    },
    /// The run and this program would not give one result.
    #[error(
        "{}: the run has results version {found}, this program has {known}: continued, it would \
         not give the result it began with; use the program version {program} that started it, \
         or start the job again as a new run", path.display()
    )]
    OtherResults {
        /// The file.
        path: PathBuf,
        /// The run's.
        found: u32,
        /// The program's.
        known: u32,
        /// The program version that the run names.
        program: String,
    },
}

#[derive(Deserialize)]
struct FormatProbe {
    format: u32,
    #[serde(default)]
    program_version: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct IdentityWire {
    format: u32,
    results_version: u32,
    program_version: String,
    seed: u64,
    started: String,
    engine_format: u32,
    journal_format: u32,
}

impl RunIdentity {
    /// Writes the identity.
    ///
    /// # Errors
    /// What the system says.
    pub fn save(&self, path: &Path) -> Result<(), AtomicWriteError> {
        assert!(self.seed < SEED_END, "the job's check bounds the seed");
        let wire = IdentityWire {
            format: IDENTITY_FORMAT,
            results_version: self.results_version,
            program_version: self.program_version.clone(),
            seed: self.seed,
            started: self.started.clone(),
            engine_format: self.engine_format,
            journal_format: self.journal_format,
        };
        let mut text = serde_json::to_string_pretty(&wire).expect("plain fields always serialise");
        text.push('\n');
        atomic::write_atomically(path, text.as_bytes())
    }

    /// Reads an identity, for looking at a run. To continue it, ask [`Self::check`] as well.
    ///
    /// # Errors
    /// Missing or malformed content, unknown fields, or a newer format.
    pub fn load(path: &Path) -> Result<Self, IdentityError> {
        let malformed = |reason: String| IdentityError::Malformed {
            path: path.to_owned(),
            reason,
        };
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(MAX_IDENTITY_BYTES + 1).read_to_end(&mut bytes))
            .map_err(|source| IdentityError::Io {
                path: path.to_owned(),
                source,
            })?;
        if bytes.len() as u64 > MAX_IDENTITY_BYTES {
            return Err(malformed(format!(
                "it has more than {MAX_IDENTITY_BYTES} bytes"
            )));
        }
        let text = String::from_utf8(bytes).map_err(|error| malformed(error.to_string()))?;
        // Asked before the strict reading, which would only find fields it does not know.
        let probe: FormatProbe =
            serde_json::from_str(&text).map_err(|error| malformed(error.to_string()))?;
        let program = &probe.program_version;
        not_newer(path, "format", probe.format, IDENTITY_FORMAT, program)?;
        let wire: IdentityWire =
            serde_json::from_str(&text).map_err(|error| malformed(error.to_string()))?;
        if wire.seed >= SEED_END {
            return Err(malformed(format!(
                "the seed {} is not below {SEED_END}",
                wire.seed
            )));
        }
        Ok(Self {
            results_version: wire.results_version,
            program_version: wire.program_version,
            seed: wire.seed,
            started: wire.started,
            engine_format: wire.engine_format,
            journal_format: wire.journal_format,
        })
    }

    /// Whether a program that knows `known` may continue the run; `path` is for the message.
    ///
    /// # Errors
    /// A newer format of anything, or another results version: both are named.
    pub fn check(&self, path: &Path, known: KnownVersions) -> Result<(), IdentityError> {
        let program = &self.program_version;
        not_newer(
            path,
            "journal format",
            self.journal_format,
            JOURNAL_FORMAT,
            program,
        )?;
        let engine = known.engine_format;
        not_newer(
            path,
            "engine configuration format",
            self.engine_format,
            engine,
            program,
        )?;
        if self.results_version != known.results {
            return Err(IdentityError::OtherResults {
                path: path.to_owned(),
                found: self.results_version,
                known: known.results,
                program: program.clone(),
            });
        }
        Ok(())
    }
}

fn not_newer(
    path: &Path,
    what: &'static str,
    found: u32,
    known: u32,
    program: &str,
) -> Result<(), IdentityError> {
    if found <= known {
        return Ok(());
    }
    Err(IdentityError::Newer {
        path: path.to_owned(),
        what,
        found,
        known,
        program: program.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const KNOWN: KnownVersions = KnownVersions {
        results: 2,
        engine_format: 1,
    };

    fn identity() -> RunIdentity {
        RunIdentity {
            results_version: 2,
            program_version: "0.1.0".to_owned(),
            seed: SEED_END - 1,
            started: "2026-02-03T04:05:06Z".to_owned(),
            engine_format: 1,
            journal_format: JOURNAL_FORMAT,
        }
    }

    fn load_text(text: &str) -> Result<RunIdentity, IdentityError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.json");
        fs::write(&path, text).unwrap();
        RunIdentity::load(&path)
    }

    #[test]
    fn what_was_saved_is_loaded_and_accepted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.json");
        identity().save(&path).unwrap();
        let loaded = RunIdentity::load(&path).unwrap();
        assert_eq!(loaded, identity());
        loaded.check(&path, KNOWN).unwrap();
    }

    #[test]
    fn a_newer_format_is_refused_naming_both_and_the_program() {
        let error = load_text(r#"{"format": 9, "program_version": "3.0.0", "more": 1}"#);
        let text = error.unwrap_err().to_string();
        for part in ["format 9", "newer than 1", "3.0.0"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn other_versions_are_refused_naming_both() {
        let path = Path::new("run.json");
        let check = |known: KnownVersions, parts: [&str; 2]| {
            let text = identity().check(path, known).unwrap_err().to_string();
            assert!(parts.iter().all(|part| text.contains(part)), "{text}");
        };
        check(
            KnownVersions {
                results: 5,
                ..KNOWN
            },
            ["version 2", "has 5"],
        );
        check(
            KnownVersions {
                engine_format: 0,
                ..KNOWN
            },
            ["format 1", "than 0"],
        );
        let newer = RunIdentity {
            journal_format: JOURNAL_FORMAT + 1,
            ..identity()
        };
        assert!(matches!(
            newer.check(path, KNOWN),
            Err(IdentityError::Newer { .. })
        ));
    }

    #[test]
    fn reading_is_strict() {
        for text in [
            "",
            "{}",
            &" ".repeat(1 << 17),
            r#"{"format":1}"#,
            r#"{"format":1,"results_version":2,"program_version":"0.1.0","seed":1,"started":"x",
                "engine_format":1,"journal_format":1,"unknown":0}"#,
            r#"{"format":1,"results_version":2,"program_version":"0.1.0","seed":9007199254740992,
                "started":"x","engine_format":1,"journal_format":1}"#,
        ] {
            assert!(
                matches!(load_text(text), Err(IdentityError::Malformed { .. })),
                "{text}"
            );
        }
    }
}

//! The tokens of a service: one to change things, one only to look. They are in a file that only
//! its owner may read, and never in a log, a command line or an address that is sent.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

/// Bytes of a token: 192 bits.
const TOKEN_BYTES: usize = 24;

/// Why there are no tokens.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TokenError {
    /// The system refused.
    #[error("cannot read the tokens {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Others may read the file.
    #[error(
        "others may read the tokens {} (mode {mode:o}): chmod 600 it if nobody has, or remove it \
         for new ones", path.display()
    )]
    Open {
        /// The file.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// It is not what was written.
    #[error("the tokens {} are damaged: remove the file for new ones", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// The file cannot be written.
    #[error("cannot write the tokens {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The system has no random bytes.
    #[error("the system gives no random bytes: {0}")]
    Random(getrandom::Error),
}

/// What a token allows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Right {
    /// To look.
    Read,
    /// To change things too.
    Write,
}

/// The tokens. They have no `Debug` on purpose.
#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tokens {
    /// Allows everything.
    pub(crate) write: String,
    /// Allows to look; the browser's cookie holds this one.
    pub(crate) read: String,
}

impl Tokens {
    /// The tokens in the file, or new ones.
    ///
    /// # Errors
    /// A file that others may read, that is damaged, or that cannot be written.
    pub(crate) fn load_or_make(path: &Path) -> Result<Tokens, TokenError> {
        if let Some(tokens) = Self::load(path)? {
            return Ok(tokens);
        }
        let tokens = Tokens {
            write: random()?,
            read: random()?,
        };
        let text = serde_json::to_string(&tokens).expect("tokens are plain data");
        write_privately(path, text.as_bytes()).map_err(|source| TokenError::Write {
            path: path.to_owned(),
            source,
        })?;
        Ok(tokens)
    }

    /// The tokens in the file; None where there is none.
    ///
    /// # Errors
    /// A file that others may read, or that is damaged.
    pub(crate) fn load(path: &Path) -> Result<Option<Tokens>, TokenError> {
        let failed = |source| TokenError::Io {
            path: path.to_owned(),
            source,
        };
        let found = match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            found => found.map_err(failed)?,
        };
        check_private(path, &found)?;
        let text = fs::read_to_string(path).map_err(failed)?;
        let damaged = || TokenError::Damaged {
            path: path.to_owned(),
        };
        let tokens: Tokens = serde_json::from_str(&text).map_err(|_| damaged())?;
        let is_token = |text: &str| {
            text.len() == 2 * TOKEN_BYTES && text.bytes().all(|byte| byte.is_ascii_hexdigit())
        };
        if is_token(&tokens.write) && is_token(&tokens.read) && tokens.write != tokens.read {
            Ok(Some(tokens))
        } else {
            Err(damaged())
        }
    }

    /// What `token` allows. Takes the same time for every wrong token of the right length.
    pub(crate) fn right_of(&self, token: &str) -> Option<Right> {
        let is = |known: &str| bool::from(known.as_bytes().ct_eq(token.as_bytes()));
        match (is(&self.write), is(&self.read)) {
            (true, _) => Some(Right::Write),
            (_, true) => Some(Right::Read),
            _ => None,
        }
    }
}

/// Writes a file that only its owner may read, from its first byte on.
fn write_privately(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

fn random() -> Result<String, TokenError> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes).map_err(TokenError::Random)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(unix)]
fn check_private(path: &Path, found: &fs::Metadata) -> Result<(), TokenError> {
    use std::os::unix::fs::PermissionsExt;
    let mode = found.permissions().mode() & 0o777;
    if mode & 0o077 == 0 {
        return Ok(());
    }
    Err(TokenError::Open {
        path: path.to_owned(),
        mode,
    })
}

/// Here a file has its folder's permissions, which are its owner's matter.
#[cfg(not(unix))]
fn check_private(_path: &Path, _found: &fs::Metadata) -> Result<(), TokenError> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_made_once_and_allow_what_they_are_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tokens.json");
        let tokens = Tokens::load_or_make(&path).unwrap();
        let again = Tokens::load_or_make(&path).unwrap();
        assert_eq!(tokens.write, again.write);
        assert_eq!(tokens.right_of(&again.write), Some(Right::Write));
        assert_eq!(tokens.right_of(&again.read), Some(Right::Read));
        for wrong in ["", "a", &tokens.write[1..], &tokens.write.to_uppercase()] {
            if wrong != tokens.write {
                assert_eq!(tokens.right_of(wrong), None);
            }
        }
        let other = Tokens::load_or_make(&folder.path().join("other.json")).unwrap();
        assert_ne!(tokens.write, other.write);
        assert_ne!(tokens.write, tokens.read);
    }

    #[cfg(unix)]
    #[test]
    fn a_file_that_others_may_read_is_refused_and_a_new_one_is_private() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tokens.json");
        Tokens::load_or_make(&path).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path), 0o600);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let error = Tokens::load(&path).err().unwrap().to_string();
        assert!(error.contains("mode 640"), "{error}");
    }

    #[test]
    fn a_damaged_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tokens.json");
        let same = format!("{{\"write\":\"{0}\",\"read\":\"{0}\"}}", "a".repeat(48));
        for text in ["", "{}", "{\"write\":\"\",\"read\":\"\"}", &same] {
            write_privately(&path, text.as_bytes()).unwrap();
            assert!(Tokens::load(&path).is_err(), "{text}");
        }
    }
}

//! The ticket of a run: `queue.json` in its folder, replaced atomically.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::state::{Refusal, State, Step};
use crate::store::atomic::{AtomicWriteError, write_atomically};

/// Version of the ticket's form.
const FORMAT: u32 = 1;
/// Longest label, in characters.
pub const LABEL_CHARS_MAX: usize = 200;
/// Largest file worth reading.
const BYTES_MAX: u64 = 64 << 10;

/// Why a ticket cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum TicketError {
    /// The system refused.
    #[error("cannot read the ticket {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is not what was written.
    #[error(
        "the ticket {} is damaged: {reason}; the run itself is not: remove the ticket, and the run \
         is as one that was never handed to a service", path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A newer program wrote it.
    #[error("the ticket {} has format {found}; this program knows {FORMAT}", path.display())]
    NewerFormat {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// The file could not be replaced; the old one is whole.
    #[error(transparent)]
    Write(#[from] AtomicWriteError),
}

/// What shall be done with a run.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ticket {
    format: u32,
    /// What its submitter calls it: free text.
    pub label: String,
    /// What shall be done.
    pub state: State,
    /// Why it failed, or why it waits.
    pub reason: Option<String>,
    /// Its place among those that wait: the smallest is next.
    pub order: u64,
    /// When it was handed in, as RFC 3339 in UTC; for people only.
    pub submitted: String,
    /// Whether it plays alone, because its budget is a time.
    pub alone: bool,
    /// Verifications that it shall have finished.
    pub verifications: u32,
}

impl Ticket {
    /// A ticket of a run that waits for its first verification.
    pub fn new(label: &str, order: u64, alone: bool) -> Ticket {
        let now = std::time::SystemTime::now();
        Ticket {
            format: FORMAT,
            label: label.to_owned(),
            state: State::Waiting,
            reason: None,
            order,
            submitted: humantime::format_rfc3339_seconds(now).to_string(),
            alone,
            verifications: 1,
        }
    }

    /// Takes a step; what was said of the state before is forgotten.
    ///
    /// # Errors
    /// A step that the state does not allow; nothing has changed then.
    pub fn step(&mut self, step: Step) -> Result<(), Refusal> {
        let next = self.state.after(step)?;
        if next != self.state {
            self.reason = None;
        }
        self.state = next;
        Ok(())
    }

    /// The ticket at `path`; None where there is none.
    ///
    /// # Errors
    /// A file that cannot be read, is damaged, or that a newer program wrote.
    pub fn load(path: &Path) -> Result<Option<Ticket>, TicketError> {
        let failed = |source| TicketError::Io {
            path: path.to_owned(),
            source,
        };
        let damaged = |reason: String| TicketError::Damaged {
            path: path.to_owned(),
            reason,
        };
        let text = match fs::metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
            Ok(found) if found.len() > BYTES_MAX => {
                return Err(damaged(format!("it has {} bytes", found.len())));
            }
            Ok(_) => fs::read_to_string(path).map_err(failed)?,
        };
        let value: serde_json::Value =
            serde_json::from_str(&text).map_err(|error| damaged(error.to_string()))?;
        let format = value.get("format").and_then(serde_json::Value::as_u64);
        if let Some(found) = format.filter(|&format| format > u64::from(FORMAT)) {
            let path = path.to_owned();
            let found = u32::try_from(found).unwrap_or(u32::MAX);
            return Err(TicketError::NewerFormat { path, found });
        }
        let ticket: Ticket =
            serde_json::from_value(value).map_err(|error| damaged(error.to_string()))?;
        if ticket.format != FORMAT {
            return Err(damaged(format!("format {} is unknown", ticket.format)));
        }
        Ok(Some(ticket))
    }

    /// Writes the ticket to `path`: afterwards it is on stable storage.
    ///
    /// # Errors
    /// What the system says; an older ticket is whole then.
    pub fn save(&self, path: &Path) -> Result<(), TicketError> {
        let mut text = serde_json::to_string_pretty(self).expect("a ticket is plain data");
        text.push('\n');
        Ok(write_atomically(path, text.as_bytes())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_read_as_it_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("queue.json");
        assert_eq!(Ticket::load(&path).unwrap(), None);
        let mut ticket = Ticket::new("<img onerror=alert(1)>", 7, true);
        ticket.step(Step::Cancel).unwrap();
        ticket.reason = Some("a \"reason\"".to_owned());
        ticket.save(&path).unwrap();
        assert_eq!(Ticket::load(&path).unwrap(), Some(ticket));
    }

    #[test]
    fn a_damaged_or_newer_ticket_is_told_from_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("queue.json");
        for text in ["", "{", "{}", "{\"format\":0}", "[1]"] {
            fs::write(&path, text).unwrap();
            let error = Ticket::load(&path).unwrap_err();
            assert!(matches!(error, TicketError::Damaged { .. }), "{text}");
        }
        fs::write(&path, "{\"format\":2}").unwrap();
        let error = Ticket::load(&path).unwrap_err();
        assert!(matches!(error, TicketError::NewerFormat { found: 2, .. }));
        fs::write(&path, " ".repeat(70_000)).unwrap();
        let error = Ticket::load(&path).unwrap_err().to_string();
        assert!(error.contains("it has 70000 bytes"), "{error}");
    }

    #[test]
    fn a_step_that_is_refused_changes_nothing() {
        let mut ticket = Ticket::new("a", 1, false);
        ticket.step(Step::Complete).unwrap();
        let before = ticket.clone();
        let refusal = ticket.step(Step::Pause).unwrap_err();
        assert_eq!(ticket, before);
        assert!(refusal.to_string().starts_with("the run is completed: "));
    }
}

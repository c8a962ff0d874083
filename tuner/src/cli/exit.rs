//! How the program ends.

/// Exit codes; `--help` and the README list them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Exit {
    /// Everything asked for was done.
    Success = 0,
    /// Something failed that is nobody's input, such as a write or a game.
    Failure = 1,
    /// A job, configuration, name or run that cannot be used (2 is a wrong command line).
    BadInput = 3,
    /// Refused for safety: a run in use, damaged, of another version, or not verified.
    Refused = 4,
    /// Stopped on request; the run can be resumed.
    Interrupted = 5,
    /// Finished, but the verification did not accept the result.
    NotAccepted = 6,
}

/// The list for `--help`.
pub(super) const EXIT_CODES: &str = "Exit codes: 0 done; 1 failed; 2 wrong usage; \
    3 a job, configuration, name or run cannot be used; 4 refused (in use, damaged, of another \
    version, not verified); 5 interrupted, can be resumed; 6 finished, but not accepted by the \
    verification.";

/// A failure with its exit code.
#[derive(Debug)]
pub(super) struct Failure {
    /// How the program ends.
    pub(super) exit: Exit,
    /// What to tell the user.
    pub(super) error: anyhow::Error,
}

impl Failure {
    /// The error and its causes, each said once: some errors already name theirs.
    pub(super) fn text(&self) -> String {
        let mut text = self.error.to_string();
        for cause in self.error.chain().skip(1).map(ToString::to_string) {
            if !text.contains(&cause) {
                text.push_str(": ");
                text.push_str(&cause);
            }
        }
        text
    }
}

/// Marks an error as the input's fault.
pub(super) fn bad_input(error: impl Into<anyhow::Error>) -> Failure {
    Failure {
        exit: Exit::BadInput,
        error: error.into(),
    }
}

/// Marks an error as a refusal.
pub(super) fn refused(error: impl Into<anyhow::Error>) -> Failure {
    Failure {
        exit: Exit::Refused,
        error: error.into(),
    }
}

impl Failure {
    /// Whether the output's reader has seen enough (`tuner status | head`): no failure of ours.
    pub(super) fn reader_left(&self) -> bool {
        let io = self
            .error
            .chain()
            .find_map(|cause| cause.downcast_ref::<std::io::Error>());
        io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    }
}

impl<E: Into<anyhow::Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Failure {
            exit: Exit::Failure,
            error: error.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_that_an_error_names_already_is_not_repeated() {
        let error = std::io::Error::other("no space");
        let named = anyhow::Error::new(error).context("cannot write a: no space");
        assert_eq!(bad_input(named).text(), "cannot write a: no space");
        let error = std::io::Error::other("no space");
        let unnamed = anyhow::Error::new(error).context("cannot write a");
        assert_eq!(bad_input(unnamed).text(), "cannot write a: no space");
    }

    #[test]
    fn exit_codes_are_those_that_the_help_lists() {
        let codes = [
            (Exit::Success, "0 done"),
            (Exit::Failure, "1 failed"),
            (Exit::BadInput, "3 a job"),
            (Exit::Refused, "4 refused"),
            (Exit::Interrupted, "5 interrupted"),
            (Exit::NotAccepted, "6 finished"),
        ];
        for (exit, text) in codes {
            assert!(text.starts_with(&(exit as u8).to_string()));
            assert!(EXIT_CODES.contains(text), "{text}");
        }
    }
}

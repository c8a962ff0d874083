//! How the program ends.

use std::io::ErrorKind;
use std::path::Path;

use anyhow::anyhow;
use sixfold_tuner::store::new_file::NewFile;

/// Exit codes; `--help` and the README list them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// Everything asked for was done.
    Success = 0,
    /// Something failed that is nobody's input, such as a write or a game.
    Failure = 1,
    /// A job, configuration, name or run that cannot be used.
    BadInput = 3,
    /// Refused for safety: a run in use, damaged, of another version, or not verified.
    Refused = 4,
    /// Stopped on request; the run can be resumed.
    Interrupted = 5,
    /// Finished, but the verification did not accept the result.
    NotAccepted = 6,
}

impl Exit {
    /// All of them with what they mean.
    const ALL: [(Exit, &str); 6] = [
        (Exit::Success, "done"),
        (Exit::Failure, "failed"),
        (
            Exit::BadInput,
            "a job, configuration, name or run cannot be used",
        ),
        (
            Exit::Refused,
            "refused (in use, damaged, of another version, not verified)",
        ),
        (Exit::Interrupted, "interrupted, can be resumed"),
        (
            Exit::NotAccepted,
            "finished, but not accepted by the verification",
        ),
    ];
}

/// The code of a wrong command line, which the argument parser ends with.
const WRONG_USAGE: (u8, &str) = (2, "wrong usage");

/// The list for `--help`.
pub(crate) fn help() -> String {
    let own = Exit::ALL.map(|(exit, meaning)| (exit as u8, meaning));
    let mut codes = [&own[..], &[WRONG_USAGE]].concat();
    codes.sort_unstable();
    let list: Vec<String> = codes
        .iter()
        .map(|(code, meaning)| format!("{code} {meaning}"))
        .collect();
    format!("Exit codes: {}.", list.join("; "))
}

/// A failure with its exit code.
#[derive(Debug)]
pub(crate) struct Failure {
    /// How the program ends.
    pub(crate) exit: Exit,
    /// What to tell the user.
    pub(crate) error: anyhow::Error,
}

impl Failure {
    /// The error and its causes, each said once: some errors already name theirs.
    pub(crate) fn text(&self) -> String {
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
pub(crate) fn bad_input(error: impl Into<anyhow::Error>) -> Failure {
    Failure {
        exit: Exit::BadInput,
        error: error.into(),
    }
}

/// Marks an error as a refusal.
pub(crate) fn refused(error: impl Into<anyhow::Error>) -> Failure {
    Failure {
        exit: Exit::Refused,
        error: error.into(),
    }
}

impl Failure {
    /// Whether the output's reader has seen enough (`tuner status | head`): no failure of ours.
    pub(crate) fn reader_left(&self) -> bool {
        self.error.chain().any(|cause| {
            let in_rows = cause.downcast_ref().map(csv::Error::kind);
            let io = match in_rows {
                Some(csv::ErrorKind::Io(error)) => Some(error),
                _ => cause.downcast_ref::<std::io::Error>(),
            };
            io.is_some_and(|error| error.kind() == ErrorKind::BrokenPipe)
        })
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

/// Begins the file that an option names, which must not exist: no command overwrites a file that
/// it did not write.
pub(crate) fn new_file(path: &Path, option: &str) -> Result<NewFile, Failure> {
    NewFile::create(path).map_err(|error| {
        let file = path.display();
        if error.kind() == ErrorKind::AlreadyExists {
            return bad_input(anyhow!(
                "{file} exists, and was left as it is; {option} takes a file that does not exist"
            ));
        }
        anyhow::Error::new(error)
            .context(format!("cannot write to {file}"))
            .into()
    })
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
    fn a_reader_that_left_is_seen_through_every_kind_of_writer() {
        let error = |kind| std::io::Error::from(kind);
        let left = |failure: Failure| failure.reader_left();
        assert!(left(error(ErrorKind::BrokenPipe).into()));
        assert!(left(csv::Error::from(error(ErrorKind::BrokenPipe)).into()));
        let named = anyhow::Error::new(csv::Error::from(error(ErrorKind::BrokenPipe)));
        assert!(left(named.context("cannot write").into()));
        assert!(!left(
            csv::Error::from(error(ErrorKind::StorageFull)).into()
        ));
        assert!(!left(error(ErrorKind::StorageFull).into()));
    }

    #[test]
    fn the_readme_lists_the_codes_of_this_program() {
        let readme = include_str!("../../../README.md");
        let (_, table) = readme
            .split_once("| exit code | meaning |\n")
            .expect("a table");
        let rows = table.lines().skip(1).take_while(|row| row.starts_with('|'));
        let mut listed: Vec<u8> = rows
            .map(|row| row[1..].split('|').next().unwrap().trim().parse().unwrap())
            .collect();
        listed.sort_unstable();
        let own = Exit::ALL.map(|(exit, _)| exit as u8);
        let mut codes = [&own[..], &[WRONG_USAGE.0]].concat();
        codes.sort_unstable();
        assert_eq!(listed, codes);
    }

    #[test]
    fn the_help_lists_every_code_in_order() {
        assert_eq!(
            help(),
            "Exit codes: 0 done; 1 failed; 2 wrong usage; 3 a job, configuration, name or run \
             cannot be used; 4 refused (in use, damaged, of another version, not verified); \
             5 interrupted, can be resumed; 6 finished, but not accepted by the verification."
        );
    }
}

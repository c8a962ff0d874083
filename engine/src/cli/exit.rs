//! How the program ends.

/// Exit codes; `--help` and the README list them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// Everything asked for was done.
    Success = 0,
    /// Something failed that is not the input's fault, such as a write.
    Failure = 1,
    /// A configuration, position or input file that cannot be used.
    BadInput = 3,
}

impl Exit {
    /// All of them with what they mean.
    const ALL: [(Exit, &str); 3] = [
        (Exit::Success, "done"),
        (Exit::Failure, "failed"),
        (Exit::BadInput, "a configuration, position or input is bad"),
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
    /// Whether the output's reader has seen enough (`engine params | head`): no failure of ours.
    pub(crate) fn reader_left(&self) -> bool {
        let io = self
            .error
            .chain()
            .find_map(|cause| cause.downcast_ref::<std::io::Error>());
        io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    }
}

/// Marks an error as the input's fault.
pub(crate) fn bad_input(error: impl Into<anyhow::Error>) -> Failure {
    Failure {
        exit: Exit::BadInput,
        error: error.into(),
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
    fn the_readme_lists_the_codes_of_this_program() {
        let readme = include_str!("../../../README.md");
        let (_, table) = readme
            .split_once("| exit code | meaning |\n")
            .expect("a table");
        let rows = table.lines().skip(1).take_while(|row| row.starts_with('|'));
        let mut listed: Vec<u8> = rows
            .filter(|row| !row.contains("(tuner)"))
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
            "Exit codes: 0 done; 1 failed; 2 wrong usage; \
             3 a configuration, position or input is bad."
        );
    }
}

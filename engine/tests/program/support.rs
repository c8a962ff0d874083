//! The program, started in a folder of its own with a small configuration.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

/// The longest that one call may take before it counts as hanging.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(120);

/// A configuration of a board of one row; the person is soon done.
pub(crate) const SMALL: &str = r#"# Two boxes.
format = 1

[game]
name = "dots_and_boxes"
rows = 1
cols = 2

[budget]
simulations = 20

[solver]
table_mib = 1

[stages.opening]
from = { ply = 0 }
searcher = "uct"
exploration = 0.5            # C
bias = { capture = 0.2, gives = -0.05 }

[stages.layout]
from = { ply = 2 }
searcher = "uct"
exploration = "opening"

[stages.endgame]
from = { edges_left = 3 }
searcher = "alpha_beta"
"#;

/// A configuration of the Amazons on their smallest board, with every kind of search.
pub(crate) const SMALL_AMAZONS: &str = r#"# Four by four.
format = 1

[game]
name = "amazons"
files = 4
ranks = 4

[budget]
simulations = 20

[solver]
table_mib = 1

[stages.opening]
from = { ply = 0 }
searcher = "uct"
exploration = 0.5
evaluation_weight = 1.0

[stages.layout]
from = { ply = 4 }
searcher = "iterative_deepening"
depth_plies = 2

[stages.endgame]
from = { ply = 8 }
searcher = "alpha_beta"
"#;

/// What the program said and how it ended.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Said {
    /// The program ended with this code, without a panic on the way.
    #[track_caller]
    pub(crate) fn ended(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.out, self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        self
    }

    /// The error names all of these.
    #[track_caller]
    pub(crate) fn names(self, parts: &[&str]) -> Self {
        for part in parts {
            assert!(
                self.err.contains(part),
                "expected `{part}` in: {}",
                self.err
            );
        }
        self
    }
}

/// A temporary folder with `small.toml` and `amazons.toml`.
pub(crate) struct Place(tempfile::TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        place.write("small.toml", SMALL);
        place.write("amazons.toml", SMALL_AMAZONS);
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    /// Starts the program with this standard input.
    pub(crate) fn engine_with(&self, arguments: &[&str], input: &str) -> Said {
        let mut command = Command::cargo_bin("engine").unwrap();
        let command = command.args(arguments).current_dir(self.0.path());
        let output = command
            .timeout(PATIENCE)
            .write_stdin(input)
            .output()
            .unwrap();
        Said {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    pub(crate) fn engine(&self, arguments: &[&str]) -> Said {
        self.engine_with(arguments, "")
    }
}

/// The JSON values of the lines of a text.
pub(crate) fn json_lines(text: &str) -> Vec<Value> {
    let value = |line: &str| serde_json::from_str(line).unwrap();
    text.lines().map(value).collect()
}

/// The workspace's folder of configurations.
pub(crate) fn configurations() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().unwrap().join("configs/engines")
}

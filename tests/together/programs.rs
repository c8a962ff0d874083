//! Finding and starting the programs.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// What a program said and how it ended.
#[derive(Debug)]
pub(crate) struct Said {
    code: Option<i32>,
    pub(crate) out: String,
    err: String,
}

impl Said {
    #[track_caller]
    pub(crate) fn done(self) -> Self {
        assert_eq!(self.code, Some(0), "{}\n{}", self.out, self.err);
        self
    }

    /// The error of an input that cannot be used; none if all went well.
    #[track_caller]
    pub(crate) fn refused(self) -> Option<String> {
        assert!(
            matches!(self.code, Some(0 | 3)),
            "{}\n{}",
            self.out,
            self.err
        );
        (self.code == Some(3)).then_some(self.err)
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.out))
    }
}

pub(crate) fn engine(folder: &Path, arguments: &[&str]) -> Said {
    start("SIXFOLD_ENGINE", "engine", folder, arguments)
}

pub(crate) fn tuner(folder: &Path, arguments: &[&str]) -> Said {
    start("SIXFOLD_TUNER", "tuner", folder, arguments)
}

fn start(variable: &str, name: &str, folder: &Path, arguments: &[&str]) -> Said {
    let program = env::var_os(variable).map_or_else(|| built(name), PathBuf::from);
    let mut command = Command::new(program);
    let output = command
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    Said {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// A program beside this test's own folder, after both were built.
fn built(name: &str) -> PathBuf {
    static BUILT: OnceLock<()> = OnceLock::new();
    BUILT.get_or_init(|| {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(["build", "--workspace", "--bins", "--locked"]);
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert!(command.current_dir(folder).status().unwrap().success());
    });
    let own = env::current_exe().unwrap();
    let profile = own
        .parent()
        .and_then(Path::parent)
        .expect("target/PROFILE/deps/TEST");
    profile.join(format!("{name}{}", env::consts::EXE_SUFFIX))
}

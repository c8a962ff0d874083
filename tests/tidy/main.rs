//! Tidiness of the house: the invariants of ARCHITECTURE that a program can check. Every violation
//! is listed, not only the first; each rule is itself tested with a snippet that breaks it.

mod imports;
mod rules;
mod snippets;
mod source;

use std::fs;
use std::path::{Path, PathBuf};

use source::Source;

/// Something that breaks a rule: where, and what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Violation {
    pub(crate) place: String,
    pub(crate) problem: String,
}

impl Violation {
    pub(crate) fn at(source: &Source, line: usize, problem: impl Into<String>) -> Self {
        let place = format!("{}:{line}", source.path);
        let problem = problem.into();
        Self { place, problem }
    }
}

fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package
        .parent()
        .expect("tests/ lies in the workspace")
        .to_owned()
}

/// Files under `folder`, without what is built, hidden or produced by runs.
fn files(folder: &Path, list: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .expect("the workspace can be read")
        .map(|entry| entry.expect("the workspace can be read").path())
        .collect();
    entries.sort();
    for path in entries {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let hidden = name.starts_with('.') && name != ".ci" && name != ".gitignore";
        if hidden || matches!(name.as_str(), "target" | "runs") {
            continue;
        }
        if path.is_dir() {
            files(&path, list);
        } else {
            list.push(path);
        }
    }
}

/// Every text file of the workspace, by its path from the root.
fn texts() -> Vec<(String, String)> {
    let root = root();
    let mut list = Vec::new();
    files(&root, &mut list);
    let named = |path: &PathBuf| {
        let name = path.strip_prefix(&root).expect("a file of the workspace");
        let name = name.to_string_lossy().replace('\\', "/");
        Some((name, fs::read_to_string(path).ok()?))
    };
    list.iter().filter_map(named).collect()
}

fn assert_none(violations: &[Violation]) {
    let lines: Vec<String> = violations
        .iter()
        .map(|violation| format!("{}: {}", violation.place, violation.problem))
        .collect();
    assert!(
        lines.is_empty(),
        "{} violations:\n{}",
        lines.len(),
        lines.join("\n")
    );
}

#[test]
fn sources_keep_the_rules() {
    let texts = texts();
    let sources: Vec<Source> = texts
        .iter()
        .filter(|(path, _)| path.ends_with(".rs"))
        .map(|(path, text)| Source::new(path, text))
        .collect();
    assert!(sources.len() > 50, "the walk found the sources");
    let violations: Vec<Violation> = sources
        .iter()
        .flat_map(|source| [rules::check(source), imports::check(source)].concat())
        .collect();
    assert_none(&violations);
}

#[test]
fn no_file_names_somebodys_folder() {
    let violations: Vec<Violation> = texts()
        .iter()
        .flat_map(|(path, text)| rules::personal_paths(&Source::plain(path, text)))
        .collect();
    assert_none(&violations);
}

#[test]
fn every_engine_configuration_loads() {
    let folder = root().join("configs/engines");
    let mut list = Vec::new();
    files(&folder, &mut list);
    assert!(!list.is_empty());
    for path in list {
        let loaded = sixfold_engine::config::EngineConfig::load(&path);
        assert!(loaded.is_ok(), "{}", loaded.unwrap_err());
    }
}

#[test]
fn every_job_loads_and_its_resolved_form_is_the_same_job() {
    use sixfold_tuner::job::Job;
    let folder = root().join("configs/jobs");
    let mut list = Vec::new();
    files(&folder, &mut list);
    assert!(!list.is_empty());
    for path in list {
        let job = Job::load(&path).unwrap_or_else(|error| panic!("{error}"));
        let resolved = Job::parse(Path::new("job.toml"), &job.to_toml());
        assert_eq!(resolved.as_ref(), Ok(&job), "{}", path.display());
    }
}

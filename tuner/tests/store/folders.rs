//! Names of runs, new folders and finding old ones.

use std::fs;
use std::path::Path;
use std::thread;

use sixfold_tuner::store::draft::RunDraft;
use sixfold_tuner::store::folder::{FolderError, RunFolder, list_runs, validate_name};
use sixfold_tuner::store::lock::{LockError, RunLock};

/// A draft with what makes it a run.
fn filled(runs: &Path) -> RunDraft {
    let draft = RunDraft::new(runs).unwrap();
    fs::write(draft.folder().identity(), "{}").unwrap();
    draft
}

fn hidden(runs: &Path) -> usize {
    let entries = fs::read_dir(runs).unwrap();
    entries
        .filter(|entry| {
            let name = entry.as_ref().unwrap().file_name();
            name.to_string_lossy().starts_with('.')
        })
        .count()
}

#[test]
fn names_are_plain() {
    let longest = "x".repeat(64);
    for name in ["a", "0", "dots-quick-2", "a_b", longest.as_str()] {
        validate_name(name).unwrap();
    }
    let too_long = "x".repeat(65);
    for name in [
        "",
        ".",
        "..",
        "../../evil",
        "/etc",
        "a/b",
        "a\\b",
        "-a",
        "_a",
        ".new-x",
        "A",
        "a b",
        "a.b",
        "\u{e9}",
        "a\0",
        "a\n",
        too_long.as_str(),
    ] {
        let error = validate_name(name).unwrap_err();
        assert!(error.to_string().contains("a-z"), "{error}");
    }
}

#[test]
fn a_name_is_taken_once() {
    let runs = tempfile::tempdir().unwrap();
    let folder = filled(runs.path()).publish("dots").unwrap();
    assert_eq!(folder.path(), runs.path().join("dots"));
    assert_eq!(folder.name(), "dots");
    let error = filled(runs.path()).publish("dots").unwrap_err();
    assert!(matches!(error, FolderError::Exists { .. }), "{error}");
    assert!(filled(runs.path()).publish("../evil").is_err());
    // Also the name of an empty folder and of a file is taken.
    fs::create_dir(runs.path().join("empty")).unwrap();
    fs::write(runs.path().join("file"), "").unwrap();
    for name in ["empty", "file"] {
        let error = filled(runs.path()).publish(name).unwrap_err();
        assert!(matches!(error, FolderError::Exists { .. }), "{error}");
    }
    assert_eq!(
        hidden(runs.path()),
        0,
        "a draft that is not published is removed"
    );
    assert_eq!(list_runs(runs.path()).unwrap(), ["dots"]);
}

#[test]
fn the_next_free_name_is_taken_by_one_of_many() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    let mut names: Vec<_> = thread::scope(|scope| {
        let starts: Vec<_> = (0..12)
            .map(|_| scope.spawn(|| filled(&runs).publish_next_free("quick").unwrap().name()))
            .collect();
        starts
            .into_iter()
            .map(|start| start.join().unwrap())
            .collect()
    });
    names.sort();
    let mut expected = vec!["quick".to_owned()];
    expected.extend((2..=12).map(|number| format!("quick-{number}")));
    expected.sort();
    assert_eq!(names, expected);
    assert_eq!(list_runs(&runs).unwrap(), expected);
}

#[test]
fn the_next_free_name_of_a_long_one_is_a_name() {
    let runs = tempfile::tempdir().unwrap();
    let base = "x".repeat(64);
    filled(runs.path()).publish_next_free(&base).unwrap();
    let second = filled(runs.path()).publish_next_free(&base).unwrap();
    assert_eq!(second.name(), format!("{}-2", "x".repeat(62)));
}

#[test]
fn a_lock_taken_in_a_draft_is_held_in_the_run() {
    let runs = tempfile::tempdir().unwrap();
    let draft = filled(runs.path());
    let lock = RunLock::acquire(&draft.folder().lock()).unwrap();
    let folder = draft.publish("dots").unwrap();
    let second = RunLock::acquire(&folder.lock());
    assert!(matches!(second, Err(LockError::Held { .. })));
    drop(lock);
    RunLock::acquire(&folder.lock()).unwrap();
}

#[test]
fn a_run_is_found_by_name_and_by_path() {
    let runs = tempfile::tempdir().unwrap();
    let folder = filled(runs.path()).publish("dots").unwrap();
    let path = folder.path().to_str().unwrap();
    assert_eq!(RunFolder::open(runs.path(), "dots").unwrap(), folder);
    assert_eq!(
        RunFolder::open(Path::new("elsewhere"), path).unwrap(),
        folder
    );
    assert_eq!(RunFolder::open_named(runs.path(), "dots").unwrap(), folder);
    assert!(matches!(
        RunFolder::open_named(runs.path(), path),
        Err(FolderError::InvalidName { .. })
    ));
}

#[test]
fn a_run_that_is_missing_is_said_with_what_there_is() {
    let runs = tempfile::tempdir().unwrap();
    for name in ["dots", "go"] {
        filled(runs.path()).publish(name).unwrap();
    }
    fs::create_dir(runs.path().join("unfinished")).unwrap();
    let text = RunFolder::open(runs.path(), "gone")
        .unwrap_err()
        .to_string();
    let looked = runs.path().join("gone").display().to_string();
    for part in ["gone", "dots, go", looked.as_str()] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let error = RunFolder::open(runs.path(), "unfinished").unwrap_err();
    assert!(matches!(error, FolderError::NotARun { .. }), "{error}");
    let nowhere = runs.path().join("nowhere");
    assert!(RunFolder::open(&nowhere, "dots").is_err());
    assert!(RunFolder::open(&nowhere, "").is_err());
}

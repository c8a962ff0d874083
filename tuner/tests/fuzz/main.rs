//! The properties of the fuzz targets (`fuzz/src`, included here) without a fuzzer: over the files
//! of their corpora and some thousand mutations of them. `fuzz/run` searches for longer.

mod mutations;

#[expect(
    unreachable_pub,
    reason = "the same files are the library of the fuzz targets"
)]
#[path = "../../../fuzz/src/lib.rs"]
mod properties;

use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use properties::{TARGETS, Target};

/// Mutations of each target's files.
const MUTATIONS: u64 = 2500;

fn fuzz_folder() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package
        .parent()
        .expect("a folder of the workspace")
        .join("fuzz")
}

/// Names of the files in a folder, sorted.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
    entries.map(|entry| name(entry.unwrap())).collect()
}

fn corpus(target: &str) -> Vec<Vec<u8>> {
    let folder = fuzz_folder().join("corpus").join(target);
    let files = names(&folder);
    files
        .iter()
        .map(|name| fs::read(folder.join(name)).unwrap())
        .collect()
}

/// The property holds for the bytes; what breaks it is shown.
fn check((name, property): Target, bytes: &[u8], what: &str) -> bool {
    catch_unwind(|| property(bytes)).unwrap_or_else(|_| {
        let text = String::from_utf8_lossy(bytes);
        let start: String = text.chars().take(3000).collect();
        panic!("{name}, {what}: {start:?}")
    })
}

fn hold_over_the_corpus_and_mutations_of_it(name: &str) {
    let target = TARGETS.into_iter().find(|target| target.0 == name).unwrap();
    let files = corpus(name);
    let taken = files
        .iter()
        .filter(|bytes| check(target, bytes, "a file of the corpus"))
        .count();
    assert!(taken > 0, "none of the files is one that the reader takes");
    for seed in 0..MUTATIONS {
        let bytes = &files[seed as usize % files.len()];
        check(
            target,
            &mutations::mutated(bytes, &files, seed),
            &format!("seed {seed}"),
        );
    }
}

#[test]
fn every_target_has_a_corpus_a_file_and_a_test() {
    let fuzz = fuzz_folder();
    let all: BTreeSet<String> = TARGETS.iter().map(|target| target.0.to_owned()).collect();
    assert_eq!(names(&fuzz.join("corpus")), all);
    let files = all.iter().map(|name| format!("{name}.rs"));
    assert_eq!(names(&fuzz.join("fuzz_targets")), files.collect());
    let (manifest, own) = (
        fs::read_to_string(fuzz.join("Cargo.toml")).unwrap(),
        include_str!("main.rs"),
    );
    for name in &all {
        assert!(manifest.contains(&format!("name = \"{name}\"\n")), "{name}");
        assert!(
            own.contains(&format!("mutations_of_it(\"{name}\")")),
            "{name}"
        );
    }
}

#[test]
fn job_files() {
    hold_over_the_corpus_and_mutations_of_it("job_file");
}

#[test]
fn engine_configurations() {
    hold_over_the_corpus_and_mutations_of_it("engine_configuration");
}

#[test]
fn experiment_files() {
    hold_over_the_corpus_and_mutations_of_it("experiment_file");
}

#[test]
fn positions() {
    hold_over_the_corpus_and_mutations_of_it("position");
}

#[test]
fn game_records() {
    hold_over_the_corpus_and_mutations_of_it("game_record");
}

#[test]
fn journals() {
    hold_over_the_corpus_and_mutations_of_it("journal");
}

#[test]
fn checkpoints() {
    hold_over_the_corpus_and_mutations_of_it("checkpoint");
}

#[test]
fn run_identities() {
    hold_over_the_corpus_and_mutations_of_it("run_identity");
}

//! Runs as older programs left them, one folder for each stored format: every one of them is read
//! or refused as documented, and so is what a newer program will write.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sixfold_tuner::run::RESULTS_VERSION;
use sixfold_tuner::store::checkpoint::{CHECKPOINT_FORMAT, Checkpoint};
use sixfold_tuner::store::format::JOURNAL_FORMAT;
use sixfold_tuner::store::identity::{IDENTITY_FORMAT, RunIdentity};
use sixfold_tuner::store::journal::{JournalPosition, begins_with, read_journal};

/// The job as resolved when the first two folders were made, and since jobs say how long a move may
/// take.
const DIGESTS: [&str; 2] = ["02866dfc", "1ce6c6a8"];

/// Every folder there, with the formats it stands for: journal, checkpoint, `run.json`.
const FOLDERS: [(&str, [u32; 3]); 3] = [
    ("journal-1", [1, 1, 1]),
    ("journal-2", [2, 1, 1]),
    ("results-3", [2, 1, 1]),
];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/formats")
}

/// A copy that a program may write to.
fn copy(name: &str) -> (tempfile::TempDir, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let run = place.path().join(name);
    copy_folder(&fixtures().join(name), &run);
    (place, run)
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy_folder(&path, &target),
            false => drop(fs::copy(&path, &target).unwrap()),
        }
    }
}

fn tuner(arguments: &[&str], run: &Path) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_tuner"))
        .arg(arguments[0])
        .arg(run)
        .args(&arguments[1..])
        .env_remove("RUST_LOG")
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// A format number in each of the places that names one, replaced.
fn with_format(text: &str, key: &str, from: u32, to: u32) -> String {
    let key = format!("\"{key}\"");
    let place = text.find(&key).unwrap_or_else(|| panic!("{key} in {text}"));
    let (head, tail) = text.split_at(place + key.len());
    let tail = tail.replacen(&from.to_string(), &to.to_string(), 1);
    format!("{head}{tail}")
}

/// A checksummed line with another body.
fn sealed(key: &str, line: &str, change: impl Fn(&str) -> String) -> String {
    let body = line.split_once(&format!("\"{key}\":")).unwrap().1;
    let body = change(body.trim_end().strip_suffix('}').unwrap());
    let crc = crc32fast::hash(body.as_bytes());
    format!("{{\"crc\":\"{crc:08x}\",\"{key}\":{body}}}\n")
}

#[test]
fn every_stored_format_has_a_folder() {
    let mut found: Vec<String> = fs::read_dir(fixtures())
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    found.sort();
    assert_eq!(found, FOLDERS.map(|(name, _)| name));
    let newest = [JOURNAL_FORMAT, CHECKPOINT_FORMAT, IDENTITY_FORMAT];
    for (index, newest) in newest.into_iter().enumerate() {
        for format in 1..=newest {
            let there = FOLDERS.iter().any(|(_, formats)| formats[index] == format);
            assert!(there, "run `make` for format {format} of {index}");
        }
    }
}

#[test]
fn every_folder_is_read_to_its_end_whatever_the_results_version() {
    for (name, [journal, ..]) in FOLDERS {
        let folder = fixtures().join(name);
        let (events, torn) = read_journal(&folder.join("journal.jsonl")).unwrap();
        assert_eq!((events.len(), torn), (20, None), "{name}");
        let identity = RunIdentity::load(&folder.join("run.json")).unwrap();
        assert_eq!(identity.journal_format, journal, "{name}");
        let path = folder.join("checkpoint.json");
        let version = identity.results_version;
        let digest = DIGESTS[usize::from(version >= 3)];
        let checkpoint = Checkpoint::load(&path, digest, version).unwrap();
        let position = checkpoint.journal;
        assert!(begins_with(&folder.join("journal.jsonl"), &position).unwrap());
        assert_ne!(position, JournalPosition::default());
    }
}

#[test]
fn equal_runs_in_different_formats_are_equal_events() {
    let events = FOLDERS.map(|(name, _)| {
        let folder = fixtures().join(name);
        read_journal(&folder.join("journal.jsonl")).unwrap().0
    });
    assert_eq!(events[0], events[1]);
    // The start names the job's digest, and is the only event that does.
    assert_ne!(events[0][0], events[2][0]);
    assert_eq!(events[0][1..], events[2][1..]);
}

#[test]
fn every_folder_is_shown_examined_exported_and_resumed_or_refused_for_its_results_version() {
    for (name, _) in FOLDERS {
        let (place, run) = copy(name);
        let identity = RunIdentity::load(&run.join("run.json")).unwrap();
        let known = identity.results_version == RESULTS_VERSION;
        let (code, out, _) = tuner(&["fsck", "--json"], &run);
        assert_eq!(code, Some(if known { 0 } else { 4 }), "{out}");
        let exported = place.path().join("exported.toml");
        let exported = exported.to_str().unwrap();
        for arguments in [
            &["status"][..],
            &["export", "--to", exported],
            &["verify"],
            &["resume"],
        ] {
            let (code, out, err) = tuner(arguments, &run);
            if known {
                assert_eq!(code, Some(0), "{name} {arguments:?}: {out}{err}");
            } else {
                assert_eq!(code, Some(4), "{name} {arguments:?}: {out}{err}");
                assert!(err.contains("results version"), "{err}");
            }
        }
        assert_eq!(Path::new(exported).exists(), known);
    }
}

#[test]
fn a_journal_cut_back_is_resumed_to_the_same_events_unless_its_checkpoint_knows_more() {
    for (name, _) in FOLDERS {
        let (_place, run) = copy(name);
        if RunIdentity::load(&run.join("run.json"))
            .unwrap()
            .results_version
            != RESULTS_VERSION
        {
            continue;
        }
        let journal = run.join("journal.jsonl");
        let text = fs::read_to_string(&journal).unwrap();
        let (events, _) = read_journal(&journal).unwrap();
        for lines in [1, 7, 14, 16, 19] {
            let kept: String = text.split_inclusive('\n').take(lines).collect();
            fs::write(&journal, &kept).unwrap();
            let checkpoint = run.join("checkpoint.json");
            if lines < 14 && checkpoint.exists() {
                for command in ["status", "fsck", "resume"] {
                    let (code, out, err) = tuner(&[command], &run);
                    assert_eq!(code, Some(4), "{name} {command}: {out}{err}");
                    let said = out + &err;
                    assert!(
                        said.contains("lost its end") && said.contains("14"),
                        "{said}"
                    );
                }
                assert_eq!(fs::read_to_string(&journal).unwrap(), kept);
                fs::remove_file(checkpoint).unwrap();
            }
            let (code, out, err) = tuner(&["resume"], &run);
            assert_eq!(code, Some(0), "{name} {lines}: {out}{err}");
            assert_eq!(read_journal(&journal).unwrap(), (events.clone(), None));
        }
    }
}

#[test]
fn what_a_newer_program_writes_is_refused_or_set_aside_and_kept() {
    let (name, [journal, checkpoint, identity]) = FOLDERS[FOLDERS.len() - 1];
    let (_place, run) = copy(name);
    let refused = |file: &str, parts: &[&str]| {
        let before = fs::read(run.join(file)).unwrap();
        for command in ["status", "resume"] {
            let (code, _, err) = tuner(&[command], &run);
            assert_eq!(code, Some(4), "{file}: {err}");
            assert!(parts.iter().all(|part| err.contains(part)), "{file}: {err}");
            assert_eq!(fs::read(run.join(file)).unwrap(), before);
        }
    };
    let change = |file: &str, change: &dyn Fn(&str) -> String| {
        let text = fs::read_to_string(run.join(file)).unwrap();
        fs::write(run.join(file), change(&text)).unwrap();
        text
    };
    let old = change("run.json", &|text| {
        with_format(text, "format", identity, 91)
    });
    refused("run.json", &["format 91"]);
    fs::write(run.join("run.json"), old).unwrap();
    let old = change("journal.jsonl", &|text| {
        let (first, rest) = text.split_once('\n').unwrap();
        sealed("event", first, |body| {
            with_format(body, "format", journal, 92)
        }) + rest
    });
    refused("journal.jsonl", &["format 92"]);
    fs::write(run.join("journal.jsonl"), old).unwrap();
    change("checkpoint.json", &|text| {
        sealed("checkpoint", text, |body| {
            with_format(body, "format", checkpoint, 93)
        })
    });
    let newer = fs::read(run.join("checkpoint.json")).unwrap();
    let (code, _, err) = tuner(&["resume"], &run);
    let known = RunIdentity::load(&run.join("run.json"))
        .unwrap()
        .results_version;
    if known == RESULTS_VERSION {
        assert_eq!(code, Some(0), "{err}");
        assert!(
            err.contains("format 93") && err.contains("set aside"),
            "{err}"
        );
        assert_eq!(
            fs::read(run.join("checkpoint.json.damaged-1")).unwrap(),
            newer
        );
    }
}

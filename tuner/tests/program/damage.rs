//! Runs whose files were damaged or exchanged: what can be mended is, all else is refused with
//! its place, and nothing on disk changes.

use crate::support::{JOB, Place, Said, edited};

const JOURNAL: &str = "runs/job/journal.jsonl";
const CHECKPOINT: &str = "runs/job/checkpoint.json";

/// A finished run cut back to `lines` of its journal, and what it had come to.
fn cut_back(lines: usize) -> (Place, (String, String)) {
    let place = Place::after_run(JOB);
    let result = place.result("job");
    let kept: String = result
        .0
        .lines()
        .take(lines)
        .map(|line| format!("{line}\n"))
        .collect();
    place.write(JOURNAL, kept);
    // The checkpoint stands for more than the journal now holds.
    std::fs::remove_file(place.path(CHECKPOINT)).unwrap();
    (place, result)
}

/// Every command that would go on with or believe the run refuses, and nothing changes.
fn refused(place: &Place, parts: &[&str]) {
    let before = place.files(".");
    let all: [&[&str]; 4] = [
        &["resume", "job"],
        &["verify", "job"],
        &["export", "job", "--to", "new.toml", "--force"],
        &["status", "job"],
    ];
    for arguments in all {
        place.tuner(arguments).ended(4).names(parts);
        assert_eq!(place.files("."), before, "{arguments:?}");
    }
}

fn resumed(place: &Place) -> Said {
    place.tuner(&["resume", "job"]).ended(0)
}

#[test]
fn a_torn_last_line_is_cut_off_and_the_run_ends_the_same() {
    for keep in [1, 40, 90] {
        let (place, result) = cut_back(9);
        let mut torn = place.read(JOURNAL);
        torn.extend(&result.0.lines().nth(9).unwrap().as_bytes()[..keep]);
        place.write(JOURNAL, &torn);
        place.tuner(&["status", "job"]).ended(0);
        assert_eq!(place.read(JOURNAL), torn, "looking changes nothing");
        resumed(&place).names(&["line=10", "cut off"]);
        assert_eq!(place.result("job"), result);
    }
}

#[test]
fn a_flipped_byte_inside_the_journal_is_refused_with_its_line() {
    let place = Place::after_run(JOB);
    let journal = place.read(JOURNAL);
    let lines: Vec<&[u8]> = journal.split_inclusive(|&byte| byte == b'\n').collect();
    let start: usize = lines[..6].iter().map(|line| line.len()).sum();
    for offset in [0, 9, 60, lines[6].len() - 1] {
        let mut damaged = journal.clone();
        damaged[start + offset] ^= 1;
        place.write(JOURNAL, damaged);
        refused(&place, &["journal.jsonl", "line 7"]);
    }
}

#[test]
fn a_line_that_is_missing_or_doubled_is_refused() {
    for (from, to) in [(5, 4), (5, 6)] {
        let (place, result) = cut_back(0);
        let mut lines: Vec<&str> = result.0.lines().collect();
        if to < from {
            lines.remove(from);
        } else {
            lines.insert(from, lines[from]);
        }
        place.write(JOURNAL, lines.join("\n") + "\n");
        let before = place.files("runs");
        place
            .tuner(&["resume", "job"])
            .ended(4)
            .names(&["journal.jsonl"]);
        assert_eq!(place.files("runs"), before);
    }
}

#[test]
fn a_checkpoint_that_does_not_fit_is_set_aside_and_the_run_ends_the_same() {
    let other = Place::after_run(&edited(JOB, "seed = 7", "seed = 8"));
    let foreign = other.read(CHECKPOINT);
    let own = Place::after_run(JOB).read(CHECKPOINT);
    let mut flipped = own.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    for damaged in [
        flipped,
        foreign,
        own[..99].to_vec(),
        Vec::new(),
        vec![0; 500],
    ] {
        let (place, result) = cut_back(20);
        place.write(CHECKPOINT, &damaged);
        resumed(&place).names(&["set aside"]);
        assert_eq!(place.result("job"), result);
        let kept = place
            .files("runs")
            .into_values()
            .filter(|bytes| *bytes == damaged)
            .count();
        assert!(kept >= 1, "what was set aside is kept");
    }
}

#[test]
fn a_journal_that_has_lost_what_the_checkpoint_knows_is_refused() {
    let own = Place::after_run(JOB).read(CHECKPOINT);
    for torn in [&b""[..], b"{\"crc\":\"00"] {
        let (place, result) = cut_back(20);
        let mut journal = place.read(JOURNAL);
        journal.extend(torn);
        place.write(JOURNAL, &journal);
        place.write(CHECKPOINT, &own);
        refused(&place, &["journal.jsonl", "lost its end", "20 whole lines"]);
        std::fs::remove_file(place.path(CHECKPOINT)).unwrap();
        resumed(&place);
        assert_eq!(place.result("job"), result);
    }
}

#[test]
fn a_journal_of_zeros_is_no_torn_line() {
    let (place, _) = cut_back(0);
    for zeros in [1, 500] {
        place.write(JOURNAL, vec![0; zeros]);
        refused(&place, &["journal.jsonl", "line 1"]);
    }
}

#[test]
fn a_checkpoint_that_fits_leads_to_the_same_bytes_as_the_journal_alone() {
    let (alone, result) = cut_back(0);
    let tuned = result
        .0
        .lines()
        .position(|line| line.contains("tuning_finished"))
        .unwrap();
    let kept: String = result
        .0
        .lines()
        .take(tuned + 1)
        .map(|line| format!("{line}\n"))
        .collect();
    let place = Place::after_run(JOB);
    place.write(JOURNAL, &kept);
    let said = resumed(&place);
    assert!(!said.err.contains("set aside"), "{}", said.err);
    assert_eq!(place.result("job"), result);
    alone.write(JOURNAL, &kept);
    resumed(&alone);
    assert_eq!(alone.result("job"), result);
}

#[test]
fn a_missing_or_old_configuration_of_the_result_is_written_again() {
    let (place, result) = cut_back(30);
    place.write("runs/job/tuned.toml", "from another time");
    place.write("runs/job/.tuned.toml.tmp", "left by a killed writer");
    resumed(&place);
    assert_eq!(place.result("job"), result);
}

#[test]
fn a_changed_job_is_refused() {
    let place = Place::after_run(JOB);
    let job = place.text("runs/job/job.toml");
    place.write(
        "runs/job/job.toml",
        edited(&job, "epsilon = 0.3", "epsilon = 0.4"),
    );
    refused(&place, &["job"]);
    for broken in ["", "format = 1\n", "\u{0}"] {
        place.write("runs/job/job.toml", broken);
        refused(&place, &["job.toml"]);
    }
}

#[test]
fn a_run_of_a_newer_version_is_refused_naming_both() {
    let place = Place::after_run(JOB);
    let identity = place.text("runs/job/run.json");
    for (key, number) in [
        ("format", 99),
        ("results_version", 98),
        ("journal_format", 97),
    ] {
        let start = format!("\n  \"{key}\": ");
        let (head, tail) = identity.split_once(&start).unwrap();
        let digits = tail.find(|c: char| !c.is_ascii_digit()).unwrap();
        let (old, rest) = tail.split_at(digits);
        place.write("runs/job/run.json", format!("{head}{start}{number}{rest}"));
        refused(&place, &[&number.to_string(), old]);
    }
    for broken in ["", "{}", "{", "[1]", "\u{0}"] {
        place.write("runs/job/run.json", broken);
        refused(&place, &["run.json"]);
    }
}

#[test]
fn a_journal_whose_trials_the_job_does_not_lead_to_is_refused() {
    // The first line names the job and is right; the trials are those of another seed.
    let (place, result) = cut_back(0);
    let other = Place::after_run(&edited(JOB, "seed = 7", "seed = 8"));
    let theirs = other.text(JOURNAL);
    let first = result.0.lines().next().unwrap();
    let mixed = std::iter::once(first)
        .chain(theirs.lines().skip(1))
        .collect::<Vec<_>>();
    place.write(JOURNAL, mixed.join("\n") + "\n");
    let before = place.files("runs");
    for command in ["resume", "verify"] {
        let said = place.tuner(&[command, "job"]).ended(4);
        said.names(&["journal.jsonl:2", "this job leads to"]);
        assert_eq!(place.files("runs"), before);
    }
}

#[test]
fn a_run_without_its_journal_or_its_job_is_refused() {
    for missing in ["journal.jsonl", "job.toml", "run.json"] {
        let place = Place::after_run(JOB);
        std::fs::remove_file(place.path(&format!("runs/job/{missing}"))).unwrap();
        let before = place.files("runs");
        let said = place.tuner(&["resume", "job"]);
        assert!(matches!(said.code, Some(3 | 4)), "{missing}: {said:?}");
        said.names(&[missing]);
        assert_eq!(place.files("runs"), before, "{missing}");
    }
}

#[test]
fn a_journal_with_a_line_left_out_is_neither_shown_nor_exported() {
    let place = Place::after_run(JOB);
    let journal = place.text(JOURNAL);
    let kept = journal.lines().enumerate().filter(|(index, _)| *index != 4);
    let kept: Vec<_> = kept.map(|(_, line)| line).collect();
    place.write(JOURNAL, kept.join("\n") + "\n");
    for arguments in [
        &["status", "job"][..],
        &["export", "job", "--to", "new.toml", "--force"],
    ] {
        let said = place.tuner(arguments).ended(4);
        said.names(&["journal.jsonl:5", "this job leads to"]);
    }
    assert!(!place.path("new.toml").exists());
}

#[test]
fn what_a_killed_write_left_in_the_games_is_swept_and_the_games_are_written_again() {
    let place = Place::after_run(JOB);
    let whole = place.files("runs/job/games");
    assert!(!whole.is_empty());
    place.write("runs/job/games/.round-00000.json.abc123.tmp", "half");
    std::fs::remove_file(place.path("runs/job/games/round-00001.json")).unwrap();
    place.tuner(&["resume", "job"]).ended(0);
    assert_eq!(place.files("runs/job/games"), whole);
}

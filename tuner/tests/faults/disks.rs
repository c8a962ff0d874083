//! Real disks that are full or only to be read, folders that were moved, and a second process.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::place::{Bytes, JOB, Place, Said, edited, lines, undisturbed, wait_until};
use crate::tools::{available, has_strace, say};

/// A small file system in memory, gone with this value.
struct SmallDisk {
    at: PathBuf,
}

impl SmallDisk {
    /// Of so many KiB; None where this process may not mount.
    fn mount(at: PathBuf, kib: u32) -> Option<Self> {
        fs::create_dir_all(&at).unwrap();
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", &format!("size={kib}k"), "none"]);
        let output = mount.arg(&at).output();
        let there = output.is_ok_and(|output| output.status.success());
        available(there, "a small file system cannot be mounted").then_some(Self { at })
    }

    fn read_only(&self) {
        let mut mount = Command::new("mount");
        let status = mount.args(["-o", "remount,ro"]).arg(&self.at).status();
        assert!(status.unwrap().success());
    }

    /// Fills what is free, to the last byte.
    fn fill(&self) -> PathBuf {
        let path = self.at.join("filler");
        let mut file = fs::File::create(&path).unwrap();
        for size in [4096, 1] {
            while file.write_all(&vec![0; size]).is_ok() {}
        }
        path
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let status = Command::new("umount").arg("-l").arg(&self.at).status();
        assert!(status.unwrap().success());
    }
}

/// A run of about two seconds.
fn longer() -> String {
    let job = edited(
        JOB,
        "[budget]\nsimulations = 20",
        "[budget]\nsimulations = 1000",
    );
    edited(&job, "rounds = 2", "rounds = 5")
}

fn started(place: &Place, arguments: &[&str]) -> Child {
    let mut command = place.command(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn signal(child: &Child, name: &str) {
    let line = format!("kill -{name} {}", child.id());
    assert!(
        Command::new("sh")
            .args(["-c", &line])
            .status()
            .unwrap()
            .success()
    );
}

/// Reads what a run says until it says that it waits for room.
fn says_that_it_waits(child: &mut Child) {
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    while !said.contains("paused: disk full") {
        assert_ne!(
            errors.read_line(&mut said).unwrap(),
            0,
            "ended without a pause: {said}"
        );
    }
    assert!(
        said.contains("bytes needed in") && said.contains("Ctrl-C ends it"),
        "{said}"
    );
    child.stderr = Some(errors.into_inner());
}

/// Fills the disk under a run and returns once the run says that it waits.
fn paused(disk: &SmallDisk, place: &Place) -> (Child, PathBuf) {
    let options = [
        "run",
        "job.toml",
        "--name",
        "job",
        "--checkpoint-seconds",
        "0",
    ];
    let mut child = started(place, &options);
    assert!(wait_until(&mut child, || lines(&place.stored()) >= 4));
    let filler = disk.fill();
    says_that_it_waits(&mut child);
    (child, filler)
}

#[test]
fn a_run_on_a_full_disk_waits_and_goes_on_when_there_is_room() {
    let place = Place::with_job(&longer());
    let expected = Place::with_job(&longer()).finished();
    let Some(disk) = SmallDisk::mount(place.path("runs"), 400) else {
        return;
    };
    let (mut child, filler) = paused(&disk, &place);
    assert!(child.try_wait().unwrap().is_none(), "it waits");
    fs::remove_file(filler).unwrap();
    let said = Said::of(child.wait_with_output().unwrap());
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(Bytes::of(&place.path("runs/job")), expected);
    say("a disk of 400 KiB that was full, and the same results");
}

#[test]
fn a_run_that_waits_for_room_is_stopped_by_ctrl_c_and_resumed() {
    let place = Place::with_job(&longer());
    let expected = Place::with_job(&longer()).finished();
    let Some(disk) = SmallDisk::mount(place.path("runs"), 400) else {
        return;
    };
    let (child, filler) = paused(&disk, &place);
    let stored = place.stored();
    signal(&child, "INT");
    let said = Said::of(child.wait_with_output().unwrap());
    assert_eq!(said.code, Some(5), "{said:?}");
    assert!(said.out.contains("Next: tuner resume job"), "{said:?}");
    assert_eq!(place.stored(), stored);
    // Still full: a start waits as well.
    let mut child = started(&place, &["resume", "job"]);
    says_that_it_waits(&mut child);
    drop_child(child);
    fs::remove_file(filler).unwrap();
    place.ends_the_same(lines(&stored), &expected, "after the disk was full");
}

fn drop_child(mut child: Child) {
    let _ = child.kill();
    child.wait().unwrap();
}

/// Every command that only reads does so; those that write refuse and say why.
fn only_reads(place: &Place, run: &str) {
    let before = Bytes::of(Path::new(&place.path(run)));
    place.does(&["status", run], 0);
    place.does(&["fsck", run], 0);
    place.does(&["export", run, "--to", "elsewhere.toml"], 0);
    assert!(place.path("elsewhere.toml").exists());
    for command in ["resume", "verify"] {
        let said = place.does(&[command, run], 4);
        for part in ["cannot be worked on where it is", "copy its folder"] {
            assert!(said.err.contains(part), "{said:?}");
        }
    }
    assert_eq!(Bytes::of(Path::new(&place.path(run))), before);
}

fn copy(from: &Path, to: &Path) {
    let status = Command::new("cp").arg("-r").args([from, to]).status();
    assert!(status.unwrap().success());
}

#[test]
fn a_run_on_a_disk_that_can_only_be_read_is_shown_and_exported_but_not_resumed() {
    let place = Place::with_job(JOB);
    place.finished();
    let Some(disk) = SmallDisk::mount(place.path("archive"), 1000) else {
        return;
    };
    copy(&place.path("runs/job"), &place.path("archive/job"));
    disk.read_only();
    only_reads(&place, "archive/job");
    say("a disk that can only be read, nothing changed");
}

#[test]
fn a_run_whose_lock_cannot_be_opened_for_writing_is_not_resumed() {
    if !has_strace() {
        return;
    }
    let place = Place::with_job(JOB);
    place.finished();
    for error in ["EROFS", "EACCES"] {
        let before = Bytes::of(&place.path("runs/job"));
        let inject = format!("inject=openat:error={error}");
        let options = ["-P", "runs/job/lock", "-e", "trace=openat", "-e", &inject];
        let traced = place.traced(&options, &["resume", "job"]).output();
        let said = Said::of(traced.unwrap());
        assert_eq!(said.code, Some(4), "{said:?}");
        assert!(said.err.contains("copy its folder"), "{said:?}");
        assert_eq!(Bytes::of(&place.path("runs/job")), before);
    }
}

#[test]
fn a_run_is_resumed_from_a_copy_elsewhere() {
    let place = Place::with_job(&longer());
    let expected = Place::with_job(&longer()).finished();
    let mut child = started(&place, &["run", "job.toml", "--name", "job"]);
    assert!(wait_until(&mut child, || lines(&place.stored()) >= 12));
    drop_child(child);
    // Another machine: another path, no engine file, no lock.
    let elsewhere = tempfile::tempdir().unwrap();
    let copied = elsewhere.path().join("moved here");
    copy(&place.path("runs/job"), &copied);
    fs::remove_file(copied.join("lock")).unwrap();
    place.does(&["resume", copied.to_str().unwrap()], 0);
    assert_eq!(Bytes::of(&copied), expected);
    // And the original is as it was, to be resumed for itself.
    assert!(expected.journal().starts_with(&place.stored()));
    place.ends_the_same(12, &expected, "the original");
}

#[test]
fn a_second_process_is_refused_and_the_first_is_not_disturbed() {
    let place = Place::with_job(&longer());
    let expected = Place::with_job(&longer()).finished();
    let mut child = started(&place, &["run", "job.toml", "--name", "job"]);
    assert!(wait_until(&mut child, || lines(&place.stored()) >= 2));
    let pid = child.id().to_string();
    let mut refused = 0;
    while child.try_wait().unwrap().is_none() && refused < 20 {
        let said = Said::of(place.command(&["resume", "job"]).output().unwrap());
        if said.code == Some(4) {
            assert!(
                said.err.contains(&format!("in use by process {pid}")),
                "{said:?}"
            );
            refused += 1;
        }
    }
    assert!(refused > 0);
    let said = Said::of(child.wait_with_output().unwrap());
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(Bytes::of(&place.path("runs/job")), expected);
    say(format_args!("{refused} second processes refused"));
}

#[test]
fn no_bit_of_a_stored_line_can_change_unnoticed() {
    let place = Place::with_job(JOB);
    place.finished();
    let journal = place.path("runs/job/journal.jsonl");
    let whole = undisturbed().journal();
    assert_eq!(fs::read(&journal).unwrap(), whole);
    let last = whole[..whole.len() - 1]
        .iter()
        .rposition(|&b| b == b'\n')
        .unwrap()
        + 1;
    let (mut refused, mut cut) = (0, 0);
    for at in (0..whole.len()).step_by(whole.len() / 40) {
        let mut damaged = whole.to_vec();
        damaged[at] ^= 1 << (at % 8);
        fs::write(&journal, &damaged).unwrap();
        if at < last {
            let line = lines(&whole[..at]) + 1;
            let said = place.does(&["resume", "job"], 4);
            assert!(said.err.contains(&format!("line {line}")), "{said:?}");
            assert_eq!(fs::read(&journal).unwrap(), damaged, "left as it was");
            refused += 1;
        } else {
            // The last line: as if it had been torn, and it is played again.
            place.does(&["resume", "job"], 0);
            assert_eq!(fs::read(&journal).unwrap(), whole);
            cut += 1;
        }
    }
    assert!(refused > 20 && cut > 0);
    say(format_args!(
        "{refused} flipped bits refused, {cut} at the end played again"
    ));
}

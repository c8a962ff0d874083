//! Clocks that are wrong, run fast, or jump while the run is on: no result depends on them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::place::{Bytes, JOB, Place, Said, undisturbed, wait_until};
use crate::tools::{available, say};

/// The library that moves the clock, where Debian and others put it.
fn faketime() -> Option<PathBuf> {
    let places = ["/usr/lib", "/usr/lib64", "/usr/local/lib"].map(PathBuf::from);
    let per_machine = |lib: &PathBuf| {
        let entries = fs::read_dir(lib).into_iter().flatten().flatten();
        let folders = entries
            .map(|entry| entry.path())
            .filter(|path| path.is_dir());
        folders.collect::<Vec<_>>()
    };
    let all = places
        .iter()
        .cloned()
        .chain(places.iter().flat_map(per_machine));
    let names = ["faketime/libfaketime.so.1", "libfaketime.so.1"];
    let found = all
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|path| path.is_file());
    available(found.is_some(), "libfaketime is missing");
    found
}

const RUN: [&str; 4] = ["run", "job.toml", "--name", "job"];

fn under(library: &Path, place: &Place, time: &str) -> Said {
    let mut command = place.command(&RUN);
    command.env("LD_PRELOAD", library).env("FAKETIME", time);
    Said::of(command.output().unwrap())
}

#[test]
fn wrong_and_fast_clocks_change_no_result() {
    let Some(library) = faketime() else {
        return;
    };
    let times = ["-30y", "+60y", "+0 x20", "+0 x0.01", "@2000-02-29 23:59:59"];
    for time in times {
        let place = Place::with_job(JOB);
        let said = under(&library, &place, time);
        assert_eq!(said.code, Some(0), "{time}: {said:?}");
        let run = place.path("runs/job");
        assert_eq!(Bytes::of(&run), *undisturbed(), "{time}");
        // That the clock was moved at all.
        if time == "-30y" || time.starts_with('@') {
            let identity = fs::read_to_string(run.join("run.json")).unwrap();
            let year = identity.split_once("\"started\": \"").unwrap().1;
            assert!(year[..4] < *"2020", "{time}: {identity}");
        }
    }
    say(format_args!(
        "{} wrong clocks, the same results",
        times.len()
    ));
}

#[test]
fn a_clock_that_jumps_there_and_back_changes_no_result() {
    let Some(library) = faketime() else {
        return;
    };
    let job = JOB.replace("[budget]\nsimulations = 20", "[budget]\nsimulations = 400");
    let expected = Place::with_job(&job).finished();
    let place = Place::with_job(&job);
    let time = place.path("time");
    fs::write(&time, "+0").unwrap();
    let mut child = place
        .command(&RUN)
        .env("LD_PRELOAD", &library)
        .env("FAKETIME_TIMESTAMP_FILE", &time)
        .env("FAKETIME_NO_CACHE", "1")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut jumps = 0;
    let mut lines = 0;
    // One jump for every line that is stored, forward and back in turn.
    while wait_until(&mut child, || crate::place::lines(&place.stored()) > lines) {
        lines = crate::place::lines(&place.stored());
        jumps += 1;
        let jump = ["+90d", "-400d", "+20y", "-7200"][jumps % 4];
        // As a whole, so that the library never reads half of it.
        fs::write(place.path("time.new"), jump).unwrap();
        fs::rename(place.path("time.new"), &time).unwrap();
    }
    assert!(child.wait().unwrap().success());
    assert!(jumps >= 3, "only {jumps} jumps met the run");
    assert_eq!(Bytes::of(&place.path("runs/job")), expected);
    say(format_args!(
        "a clock that jumped {jumps} times, the same results"
    ));
}

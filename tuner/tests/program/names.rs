//! Names of runs, and one process at a time.

use sixfold_tuner::store::lock::RunLock;

use crate::support::{JOB, Place};

#[test]
fn a_second_run_of_a_job_takes_the_next_free_name() {
    let place = Place::after_run(JOB);
    let first = place.files("runs/job");
    let said = place.tuner(&["run", "job.toml"]).ended(0);
    assert!(said.out.contains("Run job-2 "), "{}", said.out);
    assert_eq!(place.files("runs/job"), first);
    assert_eq!(place.result("job"), place.result("job-2"));
}

#[test]
fn an_explicit_name_that_exists_is_refused() {
    let place = Place::after_run(JOB);
    let before = place.files("runs");
    let said = place.tuner(&["run", "job.toml", "--name", "job"]).ended(3);
    said.names(&["exists already", "resume"]);
    assert_eq!(place.files("runs"), before);
}

#[test]
fn a_name_that_could_lead_elsewhere_is_refused_and_nothing_written() {
    let place = Place::new();
    let before = place.files(".");
    let long = "a".repeat(65);
    for name in [
        "../../evil",
        "..",
        ".",
        "",
        "/tmp/evil",
        "Upper",
        "a/b",
        "a b",
        "-x",
        "_x",
        "é",
        &long,
    ] {
        let name = format!("--name={name}");
        place
            .tuner(&["run", "job.toml", &name])
            .ended(3)
            .names(&["name"]);
        assert_eq!(place.files("."), before, "{name}");
    }
}

#[test]
fn a_job_file_of_any_name_gives_its_run_a_valid_one() {
    let place = Place::new();
    for (file, run) in [
        ("My Job.v2.toml", "my-job-v2"),
        ("--__.toml", "run"),
        ("Größe.toml", "gr--e"),
    ] {
        place.write(file, JOB);
        let said = place.tuner(&["run", "--", file]).ended(0);
        assert!(said.out.contains(&format!("Run {run} ")), "{}", said.out);
    }
}

#[test]
fn a_second_process_on_a_run_is_refused_and_changes_nothing() {
    let place = Place::after_run(JOB);
    let lock = RunLock::acquire(&place.path("runs/job/lock")).unwrap();
    let before = place.files("runs");
    let log = place.read("runs/job/log.jsonl");
    for command in ["resume", "verify"] {
        let said = place.tuner(&[command, "job"]).ended(4);
        said.names(&[&std::process::id().to_string()]);
        assert_eq!(place.files("runs"), before);
        assert_eq!(place.read("runs/job/log.jsonl"), log);
    }
    // Looking and exporting disturb nobody.
    place.tuner(&["status", "job"]).ended(0);
    place.tuner(&["export", "job", "--to", "new.toml"]).ended(0);
    drop(lock);
    place.tuner(&["resume", "job"]).ended(0);
}

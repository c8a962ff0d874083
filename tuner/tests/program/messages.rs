//! What the program says when it refuses: every case is run, and the transcript compared with a
//! file that people read. A case is one line. `SIXFOLD_BLESS=1` writes the files anew.

#[path = "../../../engine/tests/program/messages/transcript.rs"]
pub(crate) mod transcript;

#[path = "messages/choices.rs"]
mod choices;
#[path = "messages/learners.rs"]
mod learners;
#[path = "messages/service.rs"]
mod service;

use std::path::{Path, PathBuf};

use sixfold_tuner::store::lock::RunLock;
use transcript::{Transcript, check_coverage};

use crate::support::{ENGINE, JOB, Place, edited};

const JOURNAL: &str = "runs/job/journal.jsonl";

fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

pub(crate) fn check(transcript: &Transcript, name: &str) {
    transcript.check(&package().join(format!("tests/program/golden/messages_{name}.txt")));
}

/// Adds a refusal in this place.
#[track_caller]
pub(crate) fn add(transcript: &mut Transcript, place: &Place, before: &str, arguments: &[&str]) {
    let said = place.tuner(arguments);
    // The process that holds a lock is this one, and has another number every time.
    let own = format!("process {}", std::process::id());
    let err = said.err.replace(&own, "process NUMBER");
    transcript.add(
        before,
        arguments,
        (said.code, &said.out, &err),
        &place.path(""),
    );
}

pub(crate) fn note(from: &str, to: &str) -> String {
    let short = |text: &str| text.replace('\n', "; ");
    format!("{} -> {}", short(from), short(to))
}

#[test]
fn wrong_usage() {
    let mut transcript = Transcript::new("tuner: wrong usage");
    let place = Place::new();
    for arguments in [
        &["tune"][..],
        &["check"],
        &["run", "job.toml", "--threads", "0"],
        &["run", "job.toml", "--seed", "9007199254740992"],
        &["export", "job"],
        &["match", "engine.toml"],
        &["match", "engine.toml", "engine.toml", "--games", "3"],
        &["match", "engine.toml", "engine.toml", "--sprt", "20"],
        &["match", "engine.toml", "engine.toml", "--sprt", "20,0"],
        &[
            "match",
            "engine.toml",
            "engine.toml",
            "--sprt",
            "0,20",
            "--games",
            "4",
        ],
        &["match", "engine.toml", "engine.toml", "--games-max", "4"],
        &[
            "match",
            "engine.toml",
            "engine.toml",
            "--budget",
            "5 minutes",
        ],
        &[
            "match",
            "engine.toml",
            "engine.toml",
            "--budget",
            "simulations=0",
        ],
        &["experiments", "a.toml", "--json", "--markdown"],
    ] {
        add(&mut transcript, &place, "", arguments);
    }
    check(&transcript, "usage");
}

#[test]
fn jobs() {
    let mut transcript = Transcript::new("tuner: jobs");
    let place = Place::new();
    engines_and_parameters(&mut transcript, &place);
    numbers(&mut transcript, &place);
    place.write("job.toml", "format = ");
    add(&mut transcript, &place, "format =", &["check", "job.toml"]);
    add(&mut transcript, &place, "", &["check", "nobody.toml"]);
    add(&mut transcript, &place, "", &["run", "."]);
    place.write("job.toml", JOB);
    place.write("engine.toml", edited(ENGINE, "cols = 3", "cols = 33"));
    let before = "cols = 33 in the engine";
    add(&mut transcript, &place, before, &["check", "job.toml"]);
    check(&transcript, "jobs");
}

fn engines_and_parameters(transcript: &mut Transcript, place: &Place) {
    let mut case = |from: &str, to: &str| {
        place.write("job.toml", edited(JOB, from, to));
        add(transcript, place, &note(from, to), &["check", "job.toml"]);
    };
    let gives = "path = \"stages.opening.bias.gives\"\nstep = 0.2";
    case("format = 1", "format = 2");
    case("seed = 7", "seed = 7\nsede = 8");
    case("seed = 7", "seed = 9007199254740992");
    case("seed = 7", "");
    case("config = \"engine.toml\"", "config = \"nobody.toml\"");
    case("config = \"engine.toml\"", "config = \"job.toml\"");
    case("config = \"engine.toml\"", "");
    case(
        "config = \"engine.toml\"",
        "config = \"engine.toml\"\ntext = \"\"",
    );
    case("[budget]", "[budgets]");
    case(
        "[[parameters]]\npath = \"stages.opening.bias.gives\"\nstep = 0.2\n",
        "",
    );
    case(gives, "path = \"stages.opening.bias.give\"");
    case(gives, "path = \"stages.layout.bias.gives\"");
    case(gives, "path = \"stages.opening.bias.capture\"");
    case(gives, "path = \"stages.opening.margin_weight\"");
    case(
        gives,
        "path = \"stages.opening.bias.gives\"\nmin = 1.0\nmax = 0.5",
    );
    case(gives, "path = \"stages.opening.bias.gives\"\nmax = 9.0");
    case(gives, "path = \"stages.opening.bias.gives\"\nstart = -9.0");
    case(gives, "path = \"stages.opening.bias.gives\"\nstep = 0");
    case(
        gives,
        "path = \"stages.opening.bias.gives\"\nscale = \"log\"",
    );
    case(
        gives,
        "path = \"stages.opening.bias.gives\"\nscale = \"log\"\nstep = 2.0",
    );
    case(
        gives,
        "path = \"stages.layout.from.ply\"\nmin = 0\nmax = 9\nstart = 6",
    );
}

fn numbers(transcript: &mut Transcript, place: &Place) {
    let mut case = |from: &str, to: &str| {
        place.write("job.toml", edited(JOB, from, to));
        let before = note(from, to);
        add(transcript, place, &before, &["check", "job.toml"]);
    };
    case("kind = \"pooled\"", "kind = \"best\"");
    case("kind = \"pooled\"\n", "");
    case("kind = \"pooled\"", "kind = \"pooled\"\nreward = 2.0");
    case("kind = \"pooled\"", "kind = \"pooled\"\nepsilon = 2.0");
    case("games_per_episode = 4", "games_per_episode = 5");
    case("rounds = 3", "rounds = 0");
    case("rounds = 3", "");
    case("rounds = 3", "rounds = 3\ngames = 2");
    case("trials_in_flight = 3", "trials_in_flight = 5000");
    case("rounds = 3", "rounds = 3\nstop_gain_elo = 0");
    case("rounds = 3", "rounds = 3\nstop_gain_elo = 100.5");
    case("rounds = 3", "rounds = 3\nstop_gain_elo = \"5\"");
    case("nelo_low = -200.0", "nelo_low = -100.0");
    case("nelo_low = -200.0", "nelo_low = -300.0");
    case("alpha = 0.05", "alpha = 0.5");
    case("games_max = 200", "games_max = 201");
    case("games_max = 200", "games_max = 10");
    case("measured_games = 20", "");
    case("alpha = 0.05", "alpha = 0.05\nreference_games = 20");
}

#[test]
fn runs() {
    let mut transcript = Transcript::new("tuner: names, folders and locks of runs");
    let place = Place::after_run(JOB);
    let long = "a".repeat(65);
    std::fs::create_dir(place.path("runs/empty")).unwrap();
    for arguments in [
        &["run", "job.toml", "--name", "job"][..],
        &["run", "job.toml", "--name", "../evil"],
        &["run", "job.toml", "--name", &long],
        &["run", "job.toml", "--runs", "engine.toml"],
        &["resume", "nobody"],
        &["resume", "./nobody"],
        &["status", "empty"],
        &["fsck", "nobody"],
        &["verify", ""],
    ] {
        add(&mut transcript, &place, "", arguments);
    }
    let lock = RunLock::acquire(&place.path("runs/job/lock")).unwrap();
    add(
        &mut transcript,
        &place,
        "another process has it",
        &["resume", "job"],
    );
    drop(lock);
    std::fs::remove_file(place.path("runs/job/lock")).unwrap();
    std::fs::create_dir(place.path("runs/job/lock")).unwrap();
    add(
        &mut transcript,
        &place,
        "its lock is a folder",
        &["resume", "job"],
    );
    check(&transcript, "runs");
}

/// A finished run one of whose files becomes something else.
#[track_caller]
fn damaged(
    transcript: &mut Transcript,
    before: &str,
    file: &str,
    change: impl Fn(String) -> String,
) {
    let place = Place::after_run(JOB);
    place.write(file, change(place.text(file)));
    add(transcript, &place, before, &["resume", "job"]);
}

#[test]
fn damage() {
    let mut transcript = Transcript::new("tuner: runs whose files were damaged or exchanged");
    let t = &mut transcript;
    let identity = "runs/job/run.json";
    let with = |key: &'static str, to: &'static str| {
        move |text: String| {
            let (head, tail) = text.split_once(&format!("\"{key}\": ")).unwrap();
            let end = tail.find(|c: char| !c.is_ascii_digit()).unwrap();
            format!("{head}\"{key}\": {to}{}", &tail[end..])
        }
    };
    let line = |number: usize, to: &'static str| {
        move |text: String| {
            let mut lines: Vec<&str> = text.lines().collect();
            lines[number] = to;
            lines.join("\n") + "\n"
        }
    };
    damaged(t, "a line of the journal is gone", JOURNAL, line(4, ""));
    damaged(t, "and another stands there", JOURNAL, |text| {
        let mut lines: Vec<&str> = text.lines().collect();
        lines[4] = lines[3];
        lines.join("\n") + "\n"
    });
    damaged(t, "a line is cut", JOURNAL, |text| {
        text.replacen("[4,2]", "[4,", 1)
    });
    damaged(t, "a line of zeros", JOURNAL, line(2, "\0\0\0"));
    damaged(t, "a line without its end", JOURNAL, |text| {
        text.replacen('\n', " ", 1)
    });
    damaged(t, "a line of 2 MiB", JOURNAL, |text| {
        text.replacen('\n', &format!("\n{}\n", " ".repeat(2 << 20)), 1)
    });
    damaged(t, "a newer journal", JOURNAL, |_| {
        sealed("{\"run_started\":{\"format\":99}}")
    });
    damaged(t, "an unknown event", JOURNAL, |text| {
        text.replacen('\n', &format!("\n{}", sealed("{\"rested\":{}}")), 1)
    });
    damaged(t, "an empty run.json", identity, |_| String::new());
    damaged(t, "a large run.json", identity, |_| " ".repeat(1 << 17));
    damaged(t, "a newer run.json", identity, with("format", "9"));
    damaged(
        t,
        "a newer run.json",
        identity,
        with("journal_format", "97"),
    );
    damaged(
        t,
        "another version of the results",
        identity,
        with("results_version", "98"),
    );
    damaged(
        t,
        "a seed too large",
        identity,
        with("seed", "9007199254740992"),
    );
    damaged(t, "a changed job", "runs/job/job.toml", |text| {
        text + "# later\n"
    });
    damaged(t, "a broken job", "runs/job/job.toml", |_| {
        "format = 1\n".to_owned()
    });
    parts_that_are_gone(t);
    check(&transcript, "damage");
}

fn parts_that_are_gone(t: &mut Transcript) {
    damaged(t, "the end of the journal is gone", JOURNAL, |text| {
        text.split_inclusive('\n').take(9).collect()
    });
    let place = Place::after_run(JOB);
    std::fs::remove_file(place.path("runs/job/checkpoint.json")).unwrap();
    std::fs::create_dir(place.path("runs/job/checkpoint.json")).unwrap();
    add(t, &place, "its checkpoint is a folder", &["resume", "job"]);
    for missing in ["journal.jsonl", "job.toml", "run.json"] {
        let place = Place::after_run(JOB);
        std::fs::remove_file(place.path(&format!("runs/job/{missing}"))).unwrap();
        add(t, &place, &format!("without {missing}"), &["resume", "job"]);
    }
    std::fs::remove_dir_all(place.path("runs/job")).unwrap();
    std::fs::create_dir(place.path("runs/job")).unwrap();
    add(t, &place, "an empty folder", &["resume", "job"]);
}

/// A line of a journal with this body.
fn sealed(body: &str) -> String {
    let crc = crc32fast::hash(body.as_bytes());
    format!("{{\"crc\":\"{crc:08x}\",\"event\":{body}}}\n")
}

#[test]
fn exports() {
    let mut transcript = Transcript::new("tuner: exports");
    let place = Place::after_run(JOB);
    let mut case = |from: &str, to: &str| {
        place.write("mine.toml", edited(ENGINE, from, to));
        let arguments = ["export", "job", "--to", "mine.toml"];
        add(&mut transcript, &place, &note(from, to), &arguments);
    };
    case("cols = 3", "cols = 4");
    case("[solver]", "= 1");
    case("[stages.opening]", "[stages.beginning]");
    case("gives = 0.0, ", "");
    case(
        "bias = { capture = 0.0, gives = 0.0, other = 0.0 }",
        "bias = \"layout\"",
    );
    case(
        "# A small engine.",
        "# --- sixfold: tuned values ---\n# cut",
    );
    place.write("mine.toml", ENGINE);
    let mut permissions = std::fs::metadata(place.path("mine.toml"))
        .unwrap()
        .permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(place.path("mine.toml"), permissions).unwrap();
    place.write("job2.toml", JOB);
    place.write("binary.toml", [0, 159]);
    for (before, to) in [
        ("read-only", "mine.toml"),
        ("a job", "job2.toml"),
        ("", "binary.toml"),
        ("", "."),
        ("", "no/such/folder/new.toml"),
    ] {
        add(
            &mut transcript,
            &place,
            before,
            &["export", "job", "--to", to],
        );
    }
    add(
        &mut transcript,
        &place,
        "",
        &["export", "nobody", "--to", "new.toml"],
    );
    let first: String = place
        .text(JOURNAL)
        .lines()
        .take(1)
        .map(|l| format!("{l}\n"))
        .collect();
    place.write(JOURNAL, first);
    std::fs::remove_file(place.path("runs/job/checkpoint.json")).unwrap();
    add(
        &mut transcript,
        &place,
        "no round is over",
        &["export", "job", "--to", "new.toml"],
    );
    not_accepted(&mut transcript);
    check(&transcript, "exports");
}

fn not_accepted(transcript: &mut Transcript) {
    let job = edited(JOB, "nelo_low = -200.0", "nelo_low = 150.0");
    let job = edited(&job, "nelo_high = -100.0", "nelo_high = 200.0");
    let place = Place::after_run(&edited(&job, "games_max = 200", "games_max = 40"));
    let arguments = ["export", "job", "--to", "new.toml"];
    add(transcript, &place, "not accepted", &arguments);
}

const EXPERIMENT: &str = r#"format = 1
title = "C"
seed = 5
games = 20
budgets = ["simulations=20"]

[[match]]
name = "one"
a = "engine.toml"
b = "engine.toml"
sweep = { path = "stages.opening.exploration", values = [0.5, 1.0], of = "a" }
"#;

#[test]
fn matches_and_experiments() {
    let mut transcript = Transcript::new("tuner: matches and experiments");
    let place = Place::new();
    place.write("wide.toml", ENGINE.replace("cols = 3", "cols = 4"));
    add(
        &mut transcript,
        &place,
        "",
        &["match", "engine.toml", "nobody.toml"],
    );
    add(
        &mut transcript,
        &place,
        "",
        &["match", "engine.toml", "wide.toml"],
    );
    let mut case = |from: &str, to: &str| {
        place.write("e.toml", edited(EXPERIMENT, from, to));
        add(
            &mut transcript,
            &place,
            &note(from, to),
            &["experiments", "e.toml"],
        );
    };
    case("title = \"C\"", "title = \"a|b\"");
    case("title = \"C\"", "");
    case("games = 20", "games = 21");
    case("games = 20", "");
    case("[\"simulations=20\"]", "[]");
    case("[\"simulations=20\"]", "20");
    case("[\"simulations=20\"]", "[\"20 seconds\"]");
    case("[\"simulations=20\"]", "[\"simulations=20\", \"20\"]");
    case("[[match]]", "[[matches]]");
    case("b = \"engine.toml\"", "b = \"nobody.toml\"");
    case("b = \"engine.toml\"", "b = \"wide.toml\"");
    case("stages.opening.exploration", "stages.opening.explore");
    case("[0.5, 1.0]", "[0.5]");
    case("[0.5, 1.0]", "[0.5, 99.0]");
    case("of = \"a\"", "of = \"c\"");
    place.write("e.toml", EXPERIMENT);
    add(
        &mut transcript,
        &place,
        "",
        &["experiments", "e.toml", "--only", "two"],
    );
    check(&transcript, "matches");
}

/// Messages that no refusal shows, and why.
const UNSEEN: [(&str, &str); 46] = [
    (
        "EvaluationError::Interrupted",
        "a stopped run says how to resume it instead",
    ),
    (
        "EvaluationError::NoThreads",
        "needs a system without a thread to give",
    ),
    (
        "EvaluationError::Refused",
        "sides that cannot play each other are refused before",
    ),
    (
        "EvaluationError::GameFailed",
        "needs an engine that fails twice in a row",
    ),
    ("ExportError::Syntax", READ_BEFORE),
    ("ExportError::BadPath", READ_BEFORE),
    ("ExportError::NotANumber", READ_BEFORE),
    ("ExportError::NotText", READ_BEFORE),
    ("ExportError::Twice", "a job lists a parameter once"),
    ("ExportError::NotFinite", "parameters have finite ranges"),
    ("ExportError::Unfaithful", "a slip of ours"),
    (
        "ExportError::Io",
        "needs a file that cannot be read a moment after it was",
    ),
    ("SnapshotError", TO_THE_LOG),
    ("DriveError", "a slip of ours"),
    (
        "CampaignError::UnknownSurface",
        "the names of a bench are checked before",
    ),
    (
        "CampaignError::Interrupted",
        "needs a signal in the middle of a bench",
    ),
    (
        "TooManyFailures",
        "needs an engine whose games fail by the dozen",
    ),
    ("NoCorrection::Distant", IN_RESULTS),
    ("NoCorrection::Empty", IN_RESULTS),
    ("NoCorrection::NoVariance", IN_RESULTS),
    ("NoCorrection::RanOn", IN_RESULTS),
    ("RunError::NoLeg", "a slip of ours"),
    ("RunError::NoReference", "a slip of ours"),
    (
        "SpaceError::TooFew",
        "the job's reader says it with file and line",
    ),
    (
        "SpaceError::Twice",
        "the job's reader says it with file and line",
    ),
    (
        "SprtError::ErrorRate",
        "the job's reader says it with file and line",
    ),
    (
        "CheckpointError::Missing",
        "nothing is wrong with a run without one",
    ),
    ("CheckpointError::Damaged", TO_THE_LOG),
    ("CheckpointError::NewerFormat", TO_THE_LOG),
    ("CheckpointError::OtherResults", TO_THE_LOG),
    ("CheckpointError::ForeignJob", TO_THE_LOG),
    ("EncodeError::NotFinite", "a slip of ours"),
    ("EncodeError::TooLong", "needs thousands of parameters"),
    ("DecodeError::Damaged", "has no words of its own"),
    ("JournalError::Append", FULL_DISK),
    ("JournalError::Sync", FULL_DISK),
    (
        "LockError::ReadOnly",
        "a superuser who runs the tests may write everywhere",
    ),
    ("JournalError::Unstorable", "a slip of ours"),
    (
        "TicketError::Io",
        "a superuser who runs the tests may read everywhere",
    ),
    (
        "TokenError::Io",
        "a superuser who runs the tests may read everywhere",
    ),
    (
        "TokenError::Write",
        "a superuser who runs the tests may write everywhere",
    ),
    ("TokenError::Random", "needs a system without random bytes"),
    ("StepError::Held", OVER_HTTP),
    ("StepError::Unreadable", "has no words of its own"),
    ("FindError::Missing", OVER_HTTP),
    (
        "FindError::Io",
        "a superuser who runs the tests may read everywhere",
    ),
];

const OVER_HTTP: &str = "said over HTTP: `tests/service` shows how";

const IN_RESULTS: &str = "stands in tables of results in the place of a number; no refusal";
const FULL_DISK: &str = "a full disk pauses a run: `tests/pauses.rs` shows how";
const READ_BEFORE: &str = "the engine's reader refuses such a file before it is exported into";
const TO_THE_LOG: &str = "goes to the log: such a checkpoint is set aside and the run goes on";

#[test]
fn every_message_is_shown_or_cannot_be_provoked() {
    let package = package();
    check_coverage(
        &package.join("src"),
        &package.join("tests/program/golden"),
        &UNSEEN,
    );
}

//! What the program says when it refuses: every case is run, and the transcript compared with a
//! file that people read. A case is one line. `SIXFOLD_BLESS=1` writes the files anew.

mod transcript;

use std::path::{Path, PathBuf};

use transcript::{Transcript, check_coverage};

use crate::support::{Place, SMALL};

fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn check(transcript: &Transcript, name: &str) {
    transcript.check(&package().join(format!("tests/program/golden/messages_{name}.txt")));
}

/// Adds a refusal in this place.
#[track_caller]
fn add(transcript: &mut Transcript, place: &Place, before: &str, arguments: &[&str]) {
    let said = place.engine(arguments);
    transcript.add(
        before,
        arguments,
        (said.code, &said.out, &said.err),
        &place.path(""),
    );
}

#[test]
fn wrong_usage() {
    let mut transcript = Transcript::new("engine: wrong usage");
    let place = Place::new();
    for arguments in [
        &["check"][..],
        &["ply"],
        &["solve"],
        &["solve", "1x1:0", "--input", "a"],
        &["solve", "1x1:0", "--table-mib", "0"],
        &["solve", "1x1:0", "--threads", "0"],
        &["solve", "1x1:0", "--all-moves", "--win-loss"],
        &["perft", "1x1:0", "65"],
        &["bench", "--seconds", "0"],
        &["bench", "--simulations", "5"],
        &[
            "play",
            "--config",
            "small.toml",
            "--seed",
            "9007199254740992",
        ],
        &["play", "--config", "small.toml", "--human", "third"],
        &["analyse", "1x1:0", "--budget", "5 minutes"],
        &["analyse", "1x1:0", "--solve-edges", "65"],
        &["review", "game", "--board", "0x1"],
        &["review", "game", "--board", "1x1", "--config", "small.toml"],
    ] {
        add(&mut transcript, &place, "", arguments);
    }
    check(&transcript, "usage");
}

#[test]
fn positions_and_inputs() {
    let mut transcript = Transcript::new("engine: positions, input files, records");
    let place = Place::new();
    place.write(
        "bad.jsonl",
        "{\"position\":\"1x1:0\"}\n{\"position\":\"1x1:ff\"}\n",
    );
    place.write("no-json.jsonl", "1x1:0\n");
    place.write("long.jsonl", " ".repeat(5000));
    place.write("binary.jsonl", [0, 255]);
    let timed = SMALL.replace("simulations = 20", "milliseconds = 5000");
    place.write("timed.toml", timed);
    place.write("line.txt", "First h0,0\n");
    place.write("moves.txt", "1x1:0\nFirst h0,0\nFirst v0,0\n");
    place.write("drawn.txt", "1x1:0\nFirst h0,0\nSecond h0,0\n");
    place.write("piece.json", "{\"game\":[\n{\"piece\":\"r(z9,h)\"}]}");
    place.write("word.json", "{\"game\":[{\"piece\":\"up\"}]}");
    place.write("score.json", "{\"RScore\":1,\"game\":[]}");
    place.write("sum.json", "{\"RScore\":9,\"BScore\":0,\"game\":[]}");
    place.write("cut.json", "{\"game\":");
    for arguments in [
        &["solve", "5x5"][..],
        &["solve", "5:0"],
        &["solve", "0x5:0"],
        &["solve", "9x9:0"],
        &["solve", "1x1:ff"],
        &["solve", "1x1:f:1"],
        &["solve", "1x1:f:2-0:1"],
        &["solve", "1x1:f:0-0:1"],
        &["solve", "1x1:f:1-0"],
        &["solve", "1x1:f:1-0:3"],
        &["solve", "1x1:f:0-0:1:2"],
        &["solve", "1x1:f:1-0:1:0:0"],
        &["solve", "--input", "nobody.jsonl"],
        &["solve", "--input", "bad.jsonl"],
        &["solve", "--input", "no-json.jsonl"],
        &["solve", "--input", "long.jsonl"],
        &["solve", "--input", "binary.jsonl"],
        &["perft", "5x5:0", "20"],
        &["play", "--config", "small.toml", "--position", "1x1:0"],
        &["play", "--config", "small.toml", "--position", "1x2:7f"],
        &["play", "--config", "timed.toml", "--deadline", "1"],
        &["analyse", "1x1:zz"],
        &["analyse", "1x1:0", "--config", "small.toml"],
        &[
            "analyse",
            "1x2:0",
            "--config",
            "small.toml",
            "--stage",
            "endgame",
        ],
        &["review", "nobody"],
        &["review", "line.txt"],
        &["review", "moves.txt"],
        &["review", "drawn.txt"],
        &["review", "piece.json"],
        &["review", "word.json"],
        &["review", "score.json"],
        &["review", "sum.json"],
        &["review", "cut.json"],
        &["review", "binary.jsonl"],
    ] {
        add(&mut transcript, &place, "", arguments);
    }
    check(&transcript, "positions");
}

#[test]
fn amazons() {
    let mut transcript = Transcript::new("engine: positions and turns of the Amazons");
    let place = Place::new();
    place.write(
        "bad.jsonl",
        "{\"position\":\"amazons:5x5\"}\n{\"position\":\"Q1/1k w - - 0 1\"}\n",
    );
    let ending = "q2*/2**/**Q1/*3 w - - 0 1";
    for arguments in [
        &["perft", "amazons:3x10", "1"][..],
        &["perft", "amazons:10", "1"],
        &["perft", "amazons:10x10", "4"],
        &["perft", "Q1/1q w - a2 0 1", "1"],
        &["solve", "Q1/1q w - - 0"],
        &["solve", "Q1/1k w - - 0 1"],
        &["solve", "Q1/1q x - - 0 1"],
        &["solve", "--input", "bad.jsonl"],
        &["analyse", ending, "--config", "small.toml"],
        &["analyse", "1x2:0", "--config", "amazons.toml"],
        &["analyse", "amazons:5x5", "--config", "amazons.toml"],
        &["analyse", ending, "--solve-edges", "5"],
        &["play", "--config", "amazons.toml", "--position", "5x5:0"],
        &[
            "play",
            "--config",
            "amazons.toml",
            "--position",
            "q*2/**2/4/3Q b - - 0 1",
        ],
        &[
            "play",
            "--config",
            "amazons.toml",
            "--against",
            "small.toml",
        ],
        &["review", "nobody", "--config", "amazons.toml"],
        &["params", "--game", "chess"],
    ] {
        add(&mut transcript, &place, "", arguments);
    }
    check(&transcript, "amazons");
}

#[test]
fn configurations() {
    let mut transcript = Transcript::new("engine: configurations");
    let place = Place::new();
    let mut case = |from: &str, to: &str| {
        assert_eq!(SMALL.matches(from).count(), 1, "{from}");
        place.write("bad.toml", SMALL.replace(from, to));
        let before = format!("{from} -> {}", to.replace('\n', "; "));
        add(&mut transcript, &place, &before, &["check", "bad.toml"]);
    };
    case("format = 1", "");
    case("format = 1", "format = 2");
    case("rows = 1", "rows = 99");
    case("rows = 1", "rows = 21");
    case("rows = 1", "rows = \"1\"");
    case("rows = 1", "rows = 1\nrows = 2");
    case("rows = 1", "");
    case("\"dots_and_boxes\"", "\"chess\"");
    case("[budget]", "[budgets]");
    case("simulations = 20", "");
    case("simulations = 20", "simulations = 0");
    case("simulations = 20", "simulations = 20\nmilliseconds = 5");
    case("simulations = 20", "simulations = 20\nmove_overhead_ms = 5");
    case("simulations = 20", "milliseconds = 5\nmove_overhead_ms = 5");
    case("simulations = 20", "simulations = 20\nper = \"turn\"");
    case("table_mib = 1", "table_mib = 65537");
    case("table_mib = 1", "");
    case("exploration = 0.5 ", "exploration = nan");
    case("exploration = 0.5 ", "exploration = \"late\"");
    case(
        "exploration = 0.5 ",
        "exploration = { from = 0.5, to = 0.1 }",
    );
    case("exploration = \"opening\"", "exploration = \"layout\"");
    case("exploration = \"opening\"", "exploration = \"endgame\"");
    case("capture = 0.2", "captures = 0.2");
    case("capture = 0.2", "capture = 5.0");
    case("ply = 0", "ply = 1");
    case("ply = 2", "ply = 0");
    case("ply = 2", "ply = 2, edges_left = 5");
    case("ply = 2", "");
    case("ply = 2", "solvable = false");
    case("edges_left = 3", "edges_left = 99");
    case("searcher = \"alpha_beta\"", "searcher = \"mcts\"");
    case("searcher = \"alpha_beta\"", "");
    case("[stages.layout]", "[stages.\"a b\"]");
    case("[stages.layout]", "[stages.safe]");
    case("[solver]", "[solver]\n= 1");
    place.write("binary.toml", [0, 159]);
    place.write("large.toml", vec![b'#'; 2 << 20]);
    place.write("wide.toml", SMALL.replace("cols = 2", "cols = 3"));
    let against = ["play", "--config", "small.toml", "--against", "wide.toml"];
    for arguments in [
        &["check", "nobody.toml"][..],
        &["check", "."],
        &["check", "binary.toml"],
        &["check", "large.toml"],
        &against,
    ] {
        add(&mut transcript, &place, "", arguments);
    }
    check(&transcript, "configurations");
}

/// Messages that no refusal of this program shows.
const UNSEEN: [(&str, &str); 5] = [
    (
        "ParameterError",
        "only the tuner sets parameters; its transcripts show it",
    ),
    (
        "InputError",
        "has no words of its own: file, line and problem, as the transcripts show",
    ),
    (
        "GameFailure::OverTime",
        "needs a bot that is silent for a minute",
    ),
    (
        "GameFailure::Interrupted",
        "the engine's own games are not interrupted, but killed",
    ),
    (
        "GameFailure::IllegalMove",
        "a slip of the engine, not of its user",
    ),
];

#[test]
fn every_message_is_shown_or_cannot_be_provoked() {
    let package = package();
    check_coverage(
        &package.join("src"),
        &package.join("tests/program/golden"),
        &UNSEEN,
    );
}

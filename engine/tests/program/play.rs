//! `engine play`: a person at the prompt, and two configurations against each other.

use crate::support::{Place, SMALL};

/// Every edge of the small board; the prompt says which ones are drawn already.
const EDGES: [&str; 7] = ["0", "1", "2", "3", "4", "5", "6"];

fn play(input: &str, more: &[&str]) -> String {
    let arguments = [&["play", "--config", "small.toml"], more].concat();
    Place::new().engine_with(&arguments, input).ended(0).out
}

/// Plays a whole game by offering every turn of up to three edges until one is taken: what is no
/// turn, because an edge is drawn already or a box asks for one edge more, only costs a hint.
fn whole_game(more: &[&str]) -> String {
    let mut turns = EDGES.map(String::from).to_vec();
    let mut shorter = turns.clone();
    for _ in 0..2 {
        let longer = |turn: &String| EDGES.map(|edge| format!("{turn} {edge}"));
        shorter = shorter.iter().flat_map(longer).collect();
        turns.extend(shorter.iter().cloned());
    }
    // Each pass takes one turn at least, and a game has no more turns than edges.
    play(&format!("{}\n", turns.join("\n")).repeat(EDGES.len()), more)
}

#[test]
fn a_whole_game_at_the_prompt_ends_with_its_result() {
    for more in [&[][..], &["--human", "second"], &["--position", "1x2:3"]] {
        let out = whole_game(more);
        let last = out.lines().last().unwrap();
        let results = ["First wins by ", "Second wins by ", "A draw."];
        assert!(
            results.iter().any(|result| last.starts_with(result)),
            "{out}"
        );
        assert!(out.contains(" plays "), "{out}");
    }
}

#[test]
fn the_engine_opens_when_the_person_sits_second() {
    let out = play("quit\n", &["--human", "second"]);
    assert!(out.contains("First plays "), "{out}");
    assert!(out.contains("Second> "), "{out}");
}

#[test]
fn what_is_no_turn_is_answered_with_a_hint_and_the_game_goes_on() {
    for wrong in [
        "99",
        "h9,9",
        "0 0",
        "0 1 2 3 4 5 6",
        "nonsense",
        "-1",
        "h0",
        "\u{1b}[2J",
        "é",
    ] {
        let out = play(&format!("{wrong}\nquit\n"), &[]);
        assert!(out.contains("Not a turn here"), "{wrong}: {out}");
        assert!(out.contains("Left at 1x2:0"), "{wrong}: {out}");
        assert!(
            !out.contains('\u{1b}'),
            "control characters are not repeated: {out:?}"
        );
    }
}

#[test]
fn the_commands_of_the_prompt_do_what_the_help_says() {
    let out = play("help\nmoves\nboard\n\nquit\n", &[]);
    assert_eq!(
        out.matches("moves   list the legal edges").count(),
        2,
        "{out}"
    );
    assert!(out.contains("h0,0 h0,1"), "{out}");
    assert!(out.contains("Left at 1x2:0"), "{out}");
}

#[test]
fn the_end_of_the_input_ends_the_game_cleanly() {
    for input in ["", "0", "0\n", "nonsense"] {
        let out = play(input, &[]);
        assert!(out.contains("Left at "), "{input}: {out}");
    }
}

#[test]
fn the_same_seed_gives_the_same_game() {
    let game = |seed: &str| whole_game(&["--seed", seed]);
    assert_eq!(game("5"), game("5"));
}

#[test]
fn two_configurations_play_a_whole_game() {
    let place = Place::new();
    let arguments = ["play", "--config", "small.toml", "--against", "small.toml"];
    let out = place.engine(&arguments).ended(0).out;
    assert!(out.starts_with("1x2:0"), "{out}");
    assert!(out.contains("First ") && out.contains("Second "), "{out}");
    assert!(out.ends_with(".\n"), "{out}");
    assert_eq!(place.engine(&arguments).ended(0).out, out);
}

#[test]
fn what_cannot_be_played_is_refused() {
    let place = Place::new();
    place.write("other.toml", SMALL.replace("rows = 1", "rows = 2"));
    let play = |more: &[&str]| place.engine(&[&["play", "--config", "small.toml"], more].concat());
    play(&["--against", "other.toml"])
        .ended(3)
        .names(&["small.toml", "other.toml", "different"]);
    play(&["--position", "2x2:0"])
        .ended(3)
        .names(&["2x2:0", "1x2"]);
    play(&["--position", "1x2:7f"])
        .ended(3)
        .names(&["1x2:7f", "over"]);
    play(&["--position", "1x2"])
        .ended(3)
        .names(&["1x2", "HEXMASK"]);
    play(&["--against", "nobody.toml"])
        .ended(3)
        .names(&["nobody.toml"]);
    play(&["--human", "third"])
        .ended(2)
        .names(&["first", "second"]);
    play(&["--human", "first", "--against", "small.toml"]).ended(2);
    play(&["--seed", "9007199254740992"]).ended(2);
}

#[test]
fn a_deadline_shorter_than_the_budget_is_refused() {
    let place = Place::new();
    let slow = SMALL.replace("simulations = 20", "milliseconds = 2000");
    place.write("slow.toml", slow);
    let both = ["play", "--config", "small.toml", "--against", "slow.toml"];
    place
        .engine(&[&both[..], &["--deadline", "1.5"]].concat())
        .ended(3)
        .names(&["--deadline 1.5", "2 s"]);
    for wrong in ["0", "-1", "soon", "1e9", "NaN"] {
        let deadline = format!("--deadline={wrong}");
        let said = place.engine(&[&both[..], &[&deadline]].concat());
        said.ended(2).names(&["0.01 to 1209600"]);
    }
    let alone = ["play", "--config", "small.toml", "--deadline", "1.5"];
    assert!(place.engine(&alone).ended(0).out.contains("Left at"));
}

//! `engine analyse`: the report agrees with the solver and the agent, and with itself.

use serde_json::Value;
use sixfold_engine::agent::Agent;
use sixfold_engine::clock::{Amount, Budget};
use sixfold_engine::config::EngineConfig;
use sixfold_engine::eval::dots::DotsKnowledge;
use sixfold_engine::game::dots::{Dots, Edge};
use sixfold_engine::game::{Player, Position};
use sixfold_engine::stream::{Purpose, StreamKey};

use crate::support::{Place, configurations, json_lines};

/// Of several sizes, from early to nearly over, with captures, scores and sides to move.
const POSITIONS: [&str; 9] = [
    "1x2:0",
    "1x2:15",
    "2x2:0",
    "2x2:21:0-0:2",
    "3x3:1c8a51",
    "3x3:fdbef7:0-2:2",
    "5x5:96dba5c9f80e1c5",
    "5x5:96db84c8f00e1c1:0-0:2",
    "5x5:96dba5c9fc4e1c5",
];

fn analysis(arguments: &[&str]) -> Value {
    let arguments = [&["analyse", "--json"], arguments].concat();
    let said = Place::new().engine(&arguments).ended(0);
    json_lines(&said.out).remove(0)
}

fn moves(analysis: &Value) -> &[Value] {
    analysis["moves"].as_array().unwrap()
}

#[test]
fn values_of_moves_are_those_of_the_solver() {
    let place = Place::new();
    for position in POSITIONS {
        let analysis = analysis(&[position]);
        let said = place.engine(&["solve", position, "--all-moves", "--json"]);
        let solution = json_lines(&said.ended(0).out).remove(0);
        let exact = &analysis["exact"];
        assert_eq!(exact["value"], solution["value"], "{position}");
        assert_eq!(exact["best_moves"], solution["best_moves"], "{position}");
        let best = moves(&analysis)
            .iter()
            .filter(|row| row["value"] == solution["value"]);
        let mut best: Vec<u64> = best.map(|row| row["edge"].as_u64().unwrap()).collect();
        best.sort_unstable();
        assert_eq!(Value::from(best), solution["best_moves"], "{position}");
        for row in moves(&analysis) {
            let value = row["value"].as_i64().unwrap();
            assert!(value <= solution["value"].as_i64().unwrap(), "{row}");
        }
    }
}

/// The second opinion: every move is played by hand and what it leads to is solved alone.
#[test]
fn the_value_of_a_move_is_its_boxes_and_the_solved_rest() {
    let place = Place::new();
    for text in ["2x2:21:0-0:2", "3x3:1c8a51", "3x3:fdbef7:0-2:2", "1x2:15"] {
        let position = Dots::from_text(text).unwrap();
        for row in moves(&analysis(&[text])) {
            let mut child = position;
            child.play(Edge(row["edge"].as_u64().unwrap() as u8));
            let said = place.engine(&["solve", &child.to_string(), "--json"]);
            let rest = json_lines(&said.ended(0).out)[0]["value"].as_i64().unwrap();
            let mover = position.to_move();
            let gained = i64::from(child.taken(mover) - position.taken(mover));
            let sign = if child.to_move() == mover { 1 } else { -1 };
            assert_eq!(row["value"], gained + sign * rest, "{text} {row}");
        }
    }
}

#[test]
fn the_parts_of_the_ucb_add_up_to_it() {
    let mut visited = 0;
    for position in ["5x5:0", "5x5:925a84c8700c141", "3x3:0", "2x2:0"] {
        let mut arguments = vec![position, "--budget", "300", "--stage", "opening"];
        let paper = configurations().join("dots-paper.toml");
        if position.starts_with("5x5") {
            arguments.extend(["--config", paper.to_str().unwrap()]);
        }
        let analysis = analysis(&arguments);
        let mut visits = 0;
        for row in moves(&analysis) {
            let Some(count) = row["visits"].as_u64().filter(|&count| count > 0) else {
                assert!(row["ucb"].is_null() && row["mean"].is_null(), "{row}");
                continue;
            };
            let part = |key: &str| row[key].as_f64().unwrap();
            let sum = part("mean") + part("bias") + part("exploration");
            assert!((sum - part("ucb")).abs() < 1e-12, "{row}");
            let c = analysis["stage"]["constants"]["exploration"]
                .as_f64()
                .unwrap();
            let term = c * (2.0 * 300f64.ln() / count as f64).sqrt();
            assert!((term - part("exploration")).abs() < 1e-12, "{row}");
            let bias = format!("bias.{}", row["class"].as_str().unwrap());
            let of_class = &analysis["stage"]["constants"][bias.as_str()];
            assert_eq!(row["bias"].as_f64(), of_class.as_f64(), "{row}");
            visits += count;
            visited += 1;
        }
        assert_eq!(visits, 300, "{position}");
    }
    assert!(visited > 100, "{visited}");
}

#[test]
fn the_best_move_is_what_the_agent_plays() {
    let file = configurations().join("dots-default.toml");
    let mut config = EngineConfig::load(&file).unwrap();
    for (position, budget) in [
        ("5x5:0", Amount::Simulations(700)),
        ("5x5:925a84c8700c141:0-0:2", Amount::Work(90_000)),
        ("5x5:925a84c8700c141", Amount::Simulations(50)),
        ("5x5:96db84c8f00e1c1:0-0:1", Amount::Simulations(50)),
        // Exact search gives up within this budget.
        ("5x5:96db84c8f00c141:0-0:2", Amount::Work(20_000)),
    ] {
        config.budget = Budget::per_move(budget);
        let budget = format!("{}={}", budget.key(), budget.number());
        for seed in [1, 77] {
            let start = Dots::from_text(position).unwrap();
            let purpose = match start.to_move() {
                Player::First => Purpose::First,
                Player::Second => Purpose::Second,
            };
            let mut agent = Agent::new(&config, DotsKnowledge);
            let mut stream = StreamKey::new(seed, purpose).stream();
            let choice = agent.choose(&start, &mut stream);
            let seed = seed.to_string();
            let analysis = analysis(&[position, "--budget", &budget, "--seed", &seed]);
            assert_eq!(analysis["best_move"]["edge"], choice.mv().0, "{position}");
            let simulations = &analysis["search"]["simulations"];
            match choice.report() {
                Some(report) => assert_eq!(*simulations, report.simulations, "{position}"),
                None => assert!(simulations.is_null(), "{position}"),
            }
        }
    }
}

#[test]
fn the_constants_are_those_of_the_uct_that_chose() {
    // Exact search gives up within this budget, and the stage before it stands in.
    let position = "5x5:96db84c8f00c141";
    let gave_up = analysis(&[position, "--budget", "work_units=20000"]);
    let stage = &gave_up["stage"];
    assert_eq!(
        (&stage["name"], &stage["searcher"]),
        (&"endgame".into(), &"alpha_beta".into())
    );
    assert_eq!(stage["choices"]["rollout"], "safe");
    assert_eq!(stage["constants"]["bias.gives"], -0.15);
    let said = Place::new().engine(&["analyse", position, "--budget", "work_units=20000"]);
    assert!(said.ended(0).out.contains("gave up within its budget"));
    let proved = analysis(&[position]);
    for key in ["choices", "constants"] {
        assert_eq!(proved["stage"][key], serde_json::json!({}));
    }
}

#[test]
fn a_game_of_the_program_begins_with_the_best_move() {
    let place = Place::new();
    let config = ["--config", "small.toml"];
    for (position, seed) in [("1x2:0", "3"), ("1x2:1:0-0:2", "4")] {
        let arguments = ["play", "--against", "small.toml", "--position", position];
        let said = place.engine(&[&arguments[..], &config, &["--seed", seed]].concat());
        let game = said.ended(0).out;
        let played = game.lines().nth(1).unwrap();
        let arguments = ["analyse", position, "--json", "--seed", seed];
        let said = place.engine(&[&arguments[..], &config].concat()).ended(0);
        let analysis = json_lines(&said.out).remove(0);
        let (player, best) = (&analysis["to_move"], &analysis["best_move"]["notation"]);
        let named = format!("{} {}", player.as_str().unwrap(), best.as_str().unwrap());
        assert_eq!(played, named);
    }
}

#[test]
fn the_lines_are_legal_and_begin_with_the_move_they_explain() {
    for position in POSITIONS {
        let analysis = analysis(&[position, "--stage", "opening", "--budget", "200"]);
        let start = Dots::from_text(position).unwrap();
        let edges = |line: &Value| -> Vec<Edge> {
            let id = |mv: &Value| Edge(mv["edge"].as_u64().unwrap() as u8);
            line.as_array().unwrap().iter().map(id).collect()
        };
        let expected = edges(&analysis["search"]["principal_variation"]);
        assert_eq!(Value::from(expected[0].0), analysis["best_move"]["edge"]);
        let best = edges(&analysis["exact"]["line"]);
        for line in [&expected, &best] {
            let mut position = start;
            for &edge in line {
                assert!(position.is_legal(edge), "{position} {edge:?}");
                position.play(edge);
            }
        }
        // The optimal line is played to the end and reaches the proven margin.
        let mut end = start;
        best.iter().for_each(|&edge| end.play(edge));
        assert!(end.outcome().is_some(), "{position}");
        assert_eq!(Value::from(end.margin()), analysis["exact"]["final_margin"]);
    }
}

#[test]
fn moves_are_listed_each_once_most_visited_first() {
    for position in POSITIONS {
        let analysis = analysis(&[position, "--stage", "opening", "--budget", "200"]);
        let mut edges: Vec<u64> = Vec::new();
        let mut before = u64::MAX;
        for row in moves(&analysis) {
            edges.push(row["edge"].as_u64().unwrap());
            let visits = row["visits"].as_u64().unwrap_or(0);
            assert!(visits <= before, "{position} {row}");
            before = visits;
            // The default configuration's UCT considers the sufficient list and no other.
            assert_eq!(!row["visits"].is_null(), row["sufficient"] == true, "{row}");
        }
        edges.sort_unstable();
        let open = Dots::from_text(position).unwrap().open();
        let expected: Vec<u64> = (0..64).filter(|id| open >> id & 1 == 1).collect();
        assert_eq!(edges, expected, "{position}");
    }
}

#[test]
fn the_built_in_stages_are_scaled_to_the_board() {
    // 5x5: an opening of 10 of 60 edges and exact play from 38 left; 3x3 has 24 edges.
    let stage = |position: &str| {
        let arguments = [position, "--budget", "10", "--solve-edges", "0"];
        analysis(&arguments)["stage"].clone()
    };
    assert_eq!(stage("3x3:7")["name"], "opening");
    assert_eq!(stage("3x3:f")["name"], "layout");
    assert_eq!(
        stage("3x3:3ff")["from"],
        serde_json::json!({ "edges_left": 15 })
    );
    assert_eq!(stage("5x5:1ff")["name"], "opening");
    assert_eq!(stage("5x5:3ff")["from"], serde_json::json!({ "ply": 10 }));
}

#[test]
fn above_the_stated_limit_nothing_is_solved() {
    let solved = |limit: &str| !analysis(&["2x2:0", "--solve-edges", limit])["exact"].is_null();
    assert!(solved("12") && !solved("11"));
    let said = Place::new()
        .engine(&["analyse", "2x2:0", "--solve-edges", "11"])
        .ended(0);
    assert!(said.out.contains("more than 11 edges left"), "{}", said.out);
}

#[test]
fn a_position_that_costs_too_much_has_no_exact_values_and_is_no_error() {
    let limited = analysis(&["3x3:0", "--solve-work", "3000"]);
    assert!(limited["exact"].is_null());
    assert!(moves(&limited).iter().all(|row| row["value"].is_null()));
    assert_eq!(limited["limits"]["work_units"], 3000);
    let said = Place::new().engine(&["analyse", "3x3:0", "--solve-work", "3000"]);
    assert!(said.ended(0).out.contains("within 3000 units"));
}

#[test]
fn a_finished_position_is_analysed_and_has_no_move() {
    let analysis = analysis(&["1x2:7f:2-0:1"]);
    assert!(analysis["best_move"].is_null() && analysis["exact"].is_null());
    assert_eq!(moves(&analysis).len(), 0);
    let said = Place::new().engine(&["analyse", "1x2:7f:2-0:1"]).ended(0);
    assert!(said.out.contains("First wins by 2"), "{}", said.out);
}

#[test]
fn lines_of_positions_are_answered_each_as_if_alone() {
    let place = Place::new();
    let lines: String = POSITIONS.map(|position| format!("{position}\n")).concat();
    let request = "{\"position\":\"2x2:0\"}";
    place.write("positions.txt", format!("\n{lines}\r\n{request}"));
    let said = place
        .engine(&["analyse", "--input", "positions.txt"])
        .ended(0);
    let answers = json_lines(&said.out);
    assert_eq!(answers.len(), POSITIONS.len() + 1);
    for (answer, position) in answers.iter().zip(POSITIONS) {
        assert_eq!(*answer, analysis(&[position]));
    }
    let piped = place.engine_with(&["analyse", "--input", "-"], &lines);
    assert_eq!(json_lines(&piped.ended(0).out), answers[..POSITIONS.len()]);
}

#[test]
fn a_bad_line_is_refused_with_its_number() {
    let place = Place::new();
    for (bad, part) in [
        ("2x2:zz", "hexadecimal"),
        ("nonsense", "ROWSxCOLS"),
        ("{\"positions\":\"2x2:0\"}", "no request"),
        ("3x3:0", "another size"),
    ] {
        place.write("positions.txt", format!("1x2:0\n\n{bad}\n"));
        let arguments = ["analyse", "--config", "small.toml", "--input"];
        let said = place.engine(&[&arguments[..], &["positions.txt"]].concat());
        let said = said.ended(3).names(&["positions.txt:3", part]);
        assert!(said.out.is_empty(), "{}", said.out);
        // A stream's earlier lines have their answers already.
        let input = format!("1x2:0\n{bad}\n");
        let said = place.engine_with(&[&arguments[..], &["-"]].concat(), &input);
        let said = said.ended(3).names(&["-:2", part]);
        assert_eq!(json_lines(&said.out).len(), 1);
    }
    place.write("positions.txt", "\n\n");
    let said = place.engine(&["analyse", "--input", "positions.txt"]);
    said.ended(3).names(&["positions.txt", "no position"]);
}

#[test]
fn what_cannot_be_analysed_is_refused() {
    let place = Place::new();
    let analyse = |more: &[&str]| place.engine(&[&["analyse"], more].concat());
    analyse(&["5x5:zz"])
        .ended(3)
        .names(&["5x5:zz", "hexadecimal"]);
    analyse(&["2x2:0", "--config", "small.toml"])
        .ended(3)
        .names(&["2x2:0", "1x2"]);
    analyse(&["2x2:0", "--config", "nobody.toml"])
        .ended(3)
        .names(&["nobody.toml"]);
    analyse(&["--input", "nobody.txt"])
        .ended(3)
        .names(&["nobody.txt"]);
    for stage in ["endgame", "\u{1b}[2J"] {
        let said = analyse(&["2x2:0", "--stage", stage]);
        let said = said.ended(3).names(&["--stage", "opening, layout"]);
        assert!(!said.err.contains('\u{1b}'), "{}", said.err);
    }
    analyse(&[]).ended(2);
    analyse(&["2x2:0", "--input", "-"]).ended(2);
    let said = analyse(&["2x2:0", "--budget", "plies=5"]).ended(2);
    said.names(&["work_units=N from 100"]);
    analyse(&["2x2:0", "--budget", "0"]).ended(2);
    analyse(&["2x2:0", "--solve-edges", "65"])
        .ended(2)
        .names(&["0..=64"]);
    analyse(&["2x2:0", "--seed", "9007199254740992"]).ended(2);
}

/// A page for people, whole. If a change is meant, what the program prints is the new file.
#[test]
fn the_page_of_a_position_is_the_committed_one() {
    let arguments = ["5x5:96db84c8f00e1c1:0-0:2", "--stage", "settled"];
    let arguments = [&["analyse"], &arguments[..], &["--budget", "500"]].concat();
    let said = Place::new().engine(&arguments).ended(0);
    let committed = include_str!("golden/analyse.txt");
    assert_eq!(said.out, committed, "engine {}", arguments.join(" "));
}

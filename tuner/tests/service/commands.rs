//! Commands beside a service and without one.

use serde_json::Value;

use crate::support::{Place, Served, job};

fn place_with_job(seed: u64, simulations: u32) -> Place {
    let place = Place::new();
    std::fs::write(place.path("job.toml"), job(seed, simulations)).unwrap();
    place
}

#[track_caller]
fn row(place: &Place, run: &str) -> Value {
    let rows: Value = serde_json::from_str(&place.said(&["ls", "--json"])).unwrap();
    let mut rows = rows.as_array().unwrap().iter();
    rows.find(|row| row["id"] == run)
        .expect("it is listed")
        .clone()
}

#[test]
fn commands_act_through_the_service_that_runs() {
    let place = place_with_job(1, 2000);
    let served = Served::start(&place);
    let said = place.said(&["submit", "job.toml", "--label", "the night"]);
    assert!(said.contains(&served.url), "{said}");
    served.wait_for_state("the-night", "running");
    place.said(&["pause", "the-night"]);
    served.wait_for_state("the-night", "paused");
    served.wait_for("the-night", |row| row["driver"].is_null());
    assert_eq!(row(&place, "the-night")["state"], "paused");
    let said = place.said(&["resume", "the-night"]);
    assert!(said.contains("goes on with the-night"), "{said}");
    let followed = place.said(&["status", "the-night", "--follow", "--json"]);
    let last: Value = serde_json::from_str(followed.lines().last().unwrap()).unwrap();
    assert_eq!(last["state"], "completed");
    place.said(&["verify", "the-night"]);
    let followed = place.said(&["status", "the-night", "--follow"]);
    assert!(
        followed.lines().last().unwrap().contains("completed"),
        "{followed}"
    );
    let status: Value =
        serde_json::from_str(&place.said(&["status", "the-night", "--json"])).unwrap();
    assert_eq!(status["verifications"].as_array().unwrap().len(), 2);
}

#[test]
fn without_a_service_commands_write_tickets_that_the_next_one_follows() {
    let place = place_with_job(2, 20);
    for name in ["a", "b", "c"] {
        place.said(&["submit", "job.toml", "--label", name]);
    }
    assert_eq!(row(&place, "a")["state"], "waiting");
    place.said(&["pause", "b"]);
    place.said(&["cancel", "c"]);
    let served = Served::start(&place);
    served.wait_for_state("a", "completed");
    assert_eq!(served.row("b")["state"], "paused");
    assert_eq!(served.row("c")["state"], "cancelled");
    served.terminate();
    // In a terminal, as ever; its ticket follows.
    place.said(&["resume", "b"]);
    let ticket = std::fs::read_to_string(place.path("runs/b/queue.json")).unwrap();
    assert!(ticket.contains("\"completed\""), "{ticket}");
    assert!(place.bytes("a") == place.bytes("b"));
}

#[test]
fn what_a_service_refuses_ends_the_command_with_the_reason() {
    let place = place_with_job(3, 20);
    let served = Served::start(&place);
    let run = served.submit(&job(3, 20), "");
    served.wait_for_state(&run, "completed");
    let output = place.tuner(&["pause", &run]);
    assert_eq!(output.status.code(), Some(4));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("the run is completed"), "{error}");
    let output = place.tuner(&["pause", "nobody"]);
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_second_service_over_the_same_runs_is_refused_and_the_address_is_shown() {
    let place = Place::new();
    let served = Served::start(&place);
    let output = place.tuner(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(output.status.code(), Some(4));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("another service"), "{error}");
    let shown = place.said(&["serve", "--show-url"]);
    assert_eq!(
        shown.trim(),
        format!("{}/#token={}", served.url, served.token)
    );
    served.kill();
    let output = place.tuner(&["serve", "--show-url"]);
    assert_eq!(output.status.code(), Some(3), "a killed one is none");
}

#[test]
fn tokens_are_for_their_owner_alone_and_in_no_log() {
    use std::os::unix::fs::PermissionsExt;
    let place = place_with_job(4, 20);
    let served = Served::start(&place);
    let run = served.submit(&job(4, 20), "");
    served.wait_for_state(&run, "completed");
    let tokens = place.path("runs/.service/tokens.json");
    let mode = std::fs::metadata(&tokens).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let token = served.token.clone();
    served.terminate();
    for entry in std::fs::read_dir(place.path("runs").join(&run)).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            let bytes = std::fs::read(&path).unwrap();
            assert!(
                !String::from_utf8_lossy(&bytes).contains(&token),
                "{path:?}"
            );
        }
    }
    let file = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(&tokens, file).unwrap();
    let output = place.tuner(&["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(output.status.code(), Some(4));
}

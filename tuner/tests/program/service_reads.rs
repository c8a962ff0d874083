//! What a service shows of a run is what the commands say and write of it.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Child;

use serde_json::Value;

use super::support::{ENGINE, JOB, Place, edited, wait_until};

/// A service over the runs of a place; it ends with this value.
struct Served {
    child: Child,
    address: String,
    token: String,
}

impl Served {
    fn over(place: &Place) -> Served {
        let mut child = place.start(&["serve", "--listen", "127.0.0.1:0"]);
        let url = || place.tuner(&["serve", "--show-url"]);
        assert!(wait_until(&mut child, || url().code == Some(0)));
        let said = url().out;
        let (address, token) = said.trim().split_once("/#token=").unwrap();
        Served {
            address: address.strip_prefix("http://").unwrap().to_owned(),
            token: token.to_owned(),
            child,
        }
    }

    /// Status and body of what is at a path below those of runs.
    fn get(&self, path: &str) -> (u16, Vec<u8>) {
        self.ask("GET", path, "")
    }

    /// The same of what a body sent there comes to.
    fn post(&self, path: &str, body: &str) -> (u16, Vec<u8>) {
        self.ask("POST", path, body)
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> (u16, Vec<u8>) {
        let Served { address, token, .. } = self;
        let mut stream = TcpStream::connect(address).unwrap();
        let length = body.len();
        let request = format!(
            "{method} /api/v1/runs/{path} HTTP/1.1\r\nHost: {address}\r\n\
             Authorization: Bearer {token}\r\nConnection: close\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let head = answer.windows(4).position(|it| it == b"\r\n\r\n").unwrap();
        let body = answer.split_off(head + 4);
        let status = String::from_utf8(answer).unwrap();
        let status = status.split(' ').nth(1).unwrap().parse().unwrap();
        (status, body)
    }

    fn json(&self, path: &str) -> Value {
        let (status, body) = self.get(path);
        assert_eq!(status, 200, "{path}: {}", String::from_utf8_lossy(&body));
        serde_json::from_slice(&body).unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself, which the test has told then.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Every resource of a run that takes no part of its own in the path.
const RESOURCES: [&str; 16] = [
    "card",
    "warnings",
    "rounds",
    "trials",
    "trajectories",
    "tree",
    "q-values",
    "surface",
    "statistics",
    "games",
    "log",
    "failures",
    "configuration",
    "job",
    "report",
    "export",
];

#[test]
fn status_export_report_and_job_are_those_of_the_commands() {
    let place = Place::after_run(JOB);
    let served = Served::over(&place);
    let status = place.tuner(&["status", "job", "--json"]).ended(0).json();
    assert_eq!(served.json("job")["view"], status);
    place.tuner(&["export", "job", "--to", "new.toml"]).ended(0);
    assert_eq!(served.get("job/export"), (200, place.read("new.toml")));
    place
        .tuner(&["report", "job", "--output", "new.html"])
        .ended(0);
    assert_eq!(served.get("job/report"), (200, place.read("new.html")));
    assert_eq!(
        served.get("job/job"),
        (200, place.read("runs/job/job.toml"))
    );
    let tuned = place.text("runs/job/tuned.toml");
    assert_eq!(served.json("job/configuration")["after"], tuned.as_str());
}

#[test]
fn every_resource_answers_and_none_of_another_name_does() {
    let place = Place::after_run(JOB);
    let served = Served::over(&place);
    for resource in RESOURCES {
        assert_eq!(served.get(&format!("job/{resource}")).0, 200, "{resource}");
        for run in ["none", "..", "%2e%2e", "JOB", "job%2f..%2fjob"] {
            let status = served.get(&format!("{run}/{resource}")).0;
            assert_eq!(status, 404, "{run}/{resource}");
        }
    }
    let names = [
        "..%2fjob.toml",
        "%2e%2e",
        "%3Cimg%20onerror%3D1%3E",
        "run.json",
        "round-9.json",
    ];
    for name in names {
        assert_eq!(served.get(&format!("job/games/{name}")).0, 404, "{name}");
    }
    for wrong in [
        "trials?limit=0",
        "trials?limit=501",
        "trials?after=-2",
        "trials?more=1",
        "trajectories?points=1",
        "surface?x=none",
        "tree/-1",
        "export?force=perhaps",
    ] {
        assert_eq!(served.get(&format!("job/{wrong}")).0, 400, "{wrong}");
    }
}

#[test]
fn pages_of_trials_one_after_the_other_are_all_trials() {
    let place = Place::after_run(JOB);
    let served = Served::over(&place);
    let whole = served.json("job/trials?limit=500");
    let (mut items, mut after) = (Vec::new(), -1);
    loop {
        let page = served.json(&format!("job/trials?limit=7&after={after}"));
        items.extend(page["items"].as_array().unwrap().clone());
        match page["next"].as_i64() {
            Some(next) => after = next,
            None => break,
        }
    }
    assert_eq!(whole["items"], Value::Array(items));
    let all: u64 = whole["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| it["games"].as_u64().unwrap())
        .sum();
    assert_eq!(served.json("job")["view"]["games"], all);
}

#[test]
fn a_configuration_that_is_sent_comes_back_as_the_command_would_leave_the_file() {
    let place = Place::after_run(JOB);
    let served = Served::over(&place);
    let run = place.text("runs/job/tuned.toml");
    let others = edited(ENGINE, "depth_plies = 255", "rollout = \"safe\"");
    for before in [ENGINE.to_owned(), ENGINE.replace('\n', "\r\n"), others, run] {
        place.write("mine.toml", &before);
        place
            .tuner(&["export", "job", "--to", "mine.toml"])
            .ended(0);
        let (status, merged) = served.post("job/export", &before);
        assert_eq!(status, 200, "{}", String::from_utf8_lossy(&merged));
        assert!(merged == place.read("mine.toml"), "{before}");
    }
    let wider = edited(ENGINE, "cols = 3", "cols = 4");
    let unnamed = edited(ENGINE, "gives = 0.0, ", "");
    for (body, says) in [
        (
            wider.as_str(),
            "on 3x4 boxes, and the values were tuned for",
        ),
        (unnamed.as_str(), "no `stages.opening.bias.gives`"),
        (JOB, "configuration:"),
        ("a = ", "not valid TOML"),
        ("", "configuration"),
    ] {
        let (status, answer) = served.post("job/export", body);
        let answer = String::from_utf8(answer).unwrap();
        assert_eq!(status, 422, "{answer}");
        assert!(answer.contains(says), "{answer}");
    }
    assert_eq!(served.post("none/export", ENGINE).0, 404);
    assert_eq!(served.post("job/export?at=5", ENGINE).0, 422);
}

#[test]
fn values_that_no_verification_accepted_are_merged_only_when_that_is_asked_for() {
    let job = edited(JOB, "nelo_low = -200.0", "nelo_low = 150.0");
    let job = edited(&job, "nelo_high = -100.0", "nelo_high = 200.0");
    let place = Place::after_run(&edited(&job, "games_max = 200", "games_max = 40"));
    let served = Served::over(&place);
    place.write("mine.toml", ENGINE);
    let forced = ["export", "job", "--to", "mine.toml", "--force"];
    place.tuner(&forced).ended(0);
    assert_eq!(served.post("job/export", ENGINE).0, 409);
    let merged = served.post("job/export?force=true", ENGINE);
    assert_eq!(merged, (200, place.read("mine.toml")));
}

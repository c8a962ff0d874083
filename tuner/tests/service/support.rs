//! A service over a folder of its own, and requests to it.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// The engine and the job of the stored formats, whose runs take a tenth of a second.
pub(crate) const ENGINE: &str = include_str!("../fixtures/formats/engine.toml");
pub(crate) const JOB: &str = include_str!("../fixtures/formats/job.toml");

/// Longest wait for anything before a test gives up.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// A job whose run takes about so many times the work of the shortest.
pub(crate) fn job(seed: u64, simulations: u32) -> String {
    let simulations = format!("[budget]\nsimulations = {simulations}");
    let job = JOB.replace("[budget]\nsimulations = 20", &simulations);
    let job = job.replace("rounds = 2", "rounds = 5");
    let job = job.replace("measured_games = 20", "measured_games = 200");
    let line = job.lines().find(|line| line.starts_with("seed = "));
    job.replace(line.expect("a job has a seed"), &format!("seed = {seed}"))
}

/// A temporary folder: `configs/engines/engine.toml`, `jobs/*.toml` beside it, `runs`.
pub(crate) struct Place {
    folder: tempfile::TempDir,
}

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) text: String,
}

impl Answer {
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    #[track_caller]
    pub(crate) fn is(self, status: u16) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        self
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(it, _)| it == name);
        found.map(|(_, value)| value.as_str())
    }
}

impl Place {
    pub(crate) fn new() -> Self {
        let place = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        let engines = place.path("configs/engines");
        fs::create_dir_all(&engines).unwrap();
        fs::write(engines.join("engine.toml"), ENGINE).unwrap();
        // Where a job file finds it.
        fs::write(place.path("engine.toml"), ENGINE).unwrap();
        place
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn tuner(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// What the program says; it has to end well.
    #[track_caller]
    pub(crate) fn said(&self, arguments: &[&str]) -> String {
        let output = self.tuner(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {error}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tuner"));
        command.args(arguments).current_dir(self.folder.path());
        command
    }

    /// The files of a run that do not depend on when and how it ran.
    pub(crate) fn bytes(&self, run: &str) -> Vec<(String, Vec<u8>)> {
        let folder = self.path("runs").join(run);
        let mut files: Vec<_> = ["journal.jsonl", "tuned.toml"]
            .into_iter()
            .map(|name| (name.to_owned(), fs::read(folder.join(name)).unwrap()))
            .collect();
        for entry in fs::read_dir(folder.join("games")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            files.push((name, fs::read(path).unwrap()));
        }
        files.sort();
        files
    }
}

/// A service that runs until this is dropped.
pub(crate) struct Served<'a> {
    _place: &'a Place,
    pub(crate) child: Child,
    pub(crate) url: String,
    pub(crate) token: String,
}

impl<'a> Served<'a> {
    pub(crate) fn start(place: &'a Place) -> Self {
        Self::start_with(place, &[])
    }

    pub(crate) fn start_with(place: &'a Place, options: &[&str]) -> Self {
        let fixed = ["serve", "--listen", "127.0.0.1:0", "--threads", "1"];
        let mut child = place
            .command(&[&fixed[..], options].concat())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let open = loop {
            let line = lines.next().expect("it says where it is").unwrap();
            if let Some(address) = line.strip_prefix("Open ") {
                break address.to_owned();
            }
        };
        let (url, token) = open.split_once("/#token=").unwrap();
        Self {
            _place: place,
            child,
            url: url.to_owned(),
            token: token.to_owned(),
        }
    }

    /// A request as it comes, with these headers.
    pub(crate) fn raw(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&str>,
    ) -> Answer {
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE))
            .max_redirects(0)
            .allow_non_standard_methods(true)
            .proxy(None)
            .build()
            .into();
        let mut request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.url));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let body = body.unwrap_or_default().to_owned();
        let answer = agent.run(request.body(body).unwrap());
        let mut answer = answer.unwrap_or_else(|error| panic!("{method} {path}: {error}"));
        let header = |(name, value): (&ureq::http::HeaderName, &ureq::http::HeaderValue)| {
            (name.to_string(), value.to_str().unwrap_or("").to_owned())
        };
        Answer {
            status: answer.status().as_u16(),
            headers: answer.headers().iter().map(header).collect(),
            text: answer.body_mut().read_to_string().unwrap_or_default(),
        }
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        let bearer = self.bearer();
        self.raw("GET", path, &[("authorization", &bearer)], None)
    }

    pub(crate) fn post(&self, path: &str, body: &str) -> Answer {
        let bearer = self.bearer();
        let headers = [
            ("authorization", bearer.as_str()),
            ("content-type", "application/toml"),
        ];
        self.raw("POST", path, &headers, Some(body))
    }

    /// Hands a job in; the run's name.
    #[track_caller]
    pub(crate) fn submit(&self, job: &str, options: &str) -> String {
        let answer = self.post(&format!("/api/v1/runs{options}"), job).is(201);
        answer.json()["id"].as_str().unwrap().to_owned()
    }

    #[track_caller]
    pub(crate) fn ask(&self, run: &str, action: &str) -> Value {
        self.post(&format!("/api/v1/runs/{run}/{action}"), "")
            .is(200)
            .json()
    }

    /// The row of a run.
    #[track_caller]
    pub(crate) fn row(&self, run: &str) -> Value {
        let page = self.get("/api/v1/runs?limit=500").is(200).json();
        let rows = page["items"].as_array().unwrap();
        rows.iter()
            .find(|row| row["id"] == run)
            .expect("the run is listed")
            .clone()
    }

    /// Waits until a run's row is as wanted.
    #[track_caller]
    pub(crate) fn wait_for(&self, run: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let row = self.row(run);
            if wanted(&row) {
                return row;
            }
            assert!(begun.elapsed() < PATIENCE, "{row}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    #[track_caller]
    pub(crate) fn wait_for_state(&self, run: &str, state: &str) -> Value {
        self.wait_for(run, |row| row["state"] == state)
    }

    /// Ends it with SIGTERM; how long that took.
    #[track_caller]
    pub(crate) fn terminate(mut self) -> Duration {
        let begun = Instant::now();
        signal(&self.child, "TERM");
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}");
        begun.elapsed()
    }

    /// Kills it with SIGKILL.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Opens a stream of events; its lines come as they are sent.
    pub(crate) fn stream(&self, path: &str, last: Option<u64>) -> Stream {
        let agent: ureq::Agent = ureq::Agent::config_builder().proxy(None).build().into();
        let mut request = agent
            .get(format!("{}{path}", self.url))
            .header("Authorization", self.bearer());
        if let Some(last) = last {
            request = request.header("Last-Event-ID", last.to_string());
        }
        let body = request.call().unwrap().into_body();
        Stream(BufReader::new(Box::new(body.into_reader())))
    }
}

impl Drop for Served<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a signal by the system's own program.
pub(crate) fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    let status = Command::new("kill").args(["-s", name, &pid]).status();
    assert!(status.unwrap().success());
}

/// An event of a stream.
#[derive(Clone, Debug, Default)]
pub(crate) struct Told {
    pub(crate) id: Option<u64>,
    pub(crate) kind: String,
    pub(crate) data: String,
}

/// A stream of events.
pub(crate) struct Stream(BufReader<Box<dyn Read + Send>>);

impl Iterator for Stream {
    type Item = Told;

    /// The next event; None at the end, however it came.
    fn next(&mut self) -> Option<Told> {
        let mut told = Told::default();
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).ok()? == 0 {
                return None;
            }
            match line.trim_end().split_once(": ") {
                Some(("id", id)) => told.id = Some(id.parse().unwrap()),
                Some(("event", kind)) => told.kind = kind.to_owned(),
                Some(("data", data)) => told.data = data.to_owned(),
                _ if line.trim_end().is_empty() && !told.kind.is_empty() => return Some(told),
                _ => {}
            }
        }
    }
}

/// Lines of a run's journal.
pub(crate) fn journal_lines(place: &Place, run: &str) -> u64 {
    let path: &Path = &place.path("runs").join(run).join("journal.jsonl");
    let text = fs::read(path).unwrap();
    text.iter().filter(|&&byte| byte == b'\n').count() as u64
}

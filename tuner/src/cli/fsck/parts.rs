//! The parts of a run's folder, one after the other. What one part says is compared with what the
//! journal leads to.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::Value;
use sixfold_tuner::event::Event;
use sixfold_tuner::job::{Job, digest};
use sixfold_tuner::queue::{Ticket, TicketError};
use sixfold_tuner::run::RESULTS_VERSION;
use sixfold_tuner::run::course::Course;
use sixfold_tuner::run::games;
use sixfold_tuner::run::tuned::TunedFile;
use sixfold_tuner::store::atomic::is_temporary;
use sixfold_tuner::store::checkpoint::{Checkpoint, CheckpointError};
use sixfold_tuner::store::folder::RunFolder;
use sixfold_tuner::store::identity::RunIdentity;
use sixfold_tuner::store::journal::{begins_with, survey};
use sixfold_tuner::store::lock::LockError;

use super::{Health, Part};
use crate::workspace::session::{KNOWN, replays};

/// Names that a start would go on with, or write.
const NAMES: [&str; 12] = [
    "job.toml",
    "run.json",
    "journal.jsonl",
    "log.jsonl",
    "log.1.jsonl",
    "checkpoint.json",
    "tuned.toml",
    "games",
    "failures",
    "report.html",
    "lock",
    "queue.json",
];
/// How the names of checkpoints begin that were set aside.
const SET_ASIDE: &str = "checkpoint.json.damaged-";
const FROM_A_COPY: &str = "restore it from a copy, or start the job again as a new run";
/// Names that a sentence lists.
const LISTED_MAX: usize = 5;

/// An examination of a run's folder.
pub(super) struct Examination<'a> {
    folder: &'a RunFolder,
    parts: Vec<Part>,
}

/// A run whose job and whole journal belong together.
struct Replayed<'a> {
    job: &'a Job,
    events: &'a [Event],
    /// After the last event.
    course: Course,
    /// The state after as many events as the checkpoint stands for.
    at_checkpoint: Option<Value>,
}

impl<'a> Examination<'a> {
    pub(super) fn new(folder: &'a RunFolder) -> Self {
        let parts = Vec::new();
        Self { folder, parts }
    }

    fn add(&mut self, part: &str, health: Health, found: impl Into<String>, then: Option<&str>) {
        self.parts.push(Part {
            part: part.to_owned(),
            health,
            found: found.into(),
            then: then.map(str::to_owned),
        });
    }

    pub(super) fn lock(&mut self, holder: &Result<Option<String>, LockError>) {
        match holder {
            Ok(None) => self.add("lock", Health::Whole, "free", None),
            Ok(Some(pid)) => self.add("lock", Health::Whole, format!("held by {pid}"), None),
            Err(error) => self.add("lock", Health::Broken, error.to_string(), None),
        }
    }

    /// Everything but the lock.
    pub(super) fn all(mut self) -> Vec<Part> {
        self.identity();
        let job = self.job();
        // Before the journal: where a process goes on writing both, the journal is never behind.
        let checkpoint = job.as_ref().map(|(_, text)| {
            Checkpoint::load(&self.folder.checkpoint(), &digest(text), RESULTS_VERSION)
        });
        let events = self.journal();
        if let (Some((job, text)), Some(events), Some(checkpoint)) = (&job, &events, &checkpoint) {
            let digest = digest(text);
            let lines = checkpoint.as_ref().map_or(0, |found| found.journal.lines);
            if self.belongs(events, &digest)
                && let Some(replayed) = self.replay(job, text, events, lines)
            {
                self.checkpoint(checkpoint, &replayed);
                self.tuned(&replayed);
                self.games(&replayed);
            }
        }
        self.ticket();
        self.rest();
        self.parts
    }

    fn identity(&mut self) {
        let path = self.folder.identity();
        let identity = match RunIdentity::load(&path) {
            Ok(identity) => identity,
            Err(error) => {
                return self.add(
                    "run.json",
                    Health::Broken,
                    error.to_string(),
                    Some(FROM_A_COPY),
                );
            }
        };
        let found = format!(
            "results version {}, journal format {}, seed {}, started {} by version {}",
            identity.results_version,
            identity.journal_format,
            identity.seed,
            identity.started,
            identity.program_version
        );
        match identity.check(&path, KNOWN) {
            Ok(()) => self.add("run.json", Health::Whole, found, None),
            Err(error) => self.add("run.json", Health::Broken, error.to_string(), None),
        }
    }

    fn job(&mut self) -> Option<(Job, String)> {
        let path = self.folder.job();
        let read = fs::read_to_string(&path).map_err(|error| format!("cannot be read: {error}"));
        let parsed = read.and_then(|text| match Job::parse(&path, &text) {
            Ok(job) => Ok((job, text)),
            Err(error) => Err(error.to_string()),
        });
        match parsed {
            Ok((job, text)) => {
                let found = format!("digest {}", digest(&text));
                self.add("job.toml", Health::Whole, found, None);
                Some((job, text))
            }
            Err(problem) => {
                self.add("job.toml", Health::Broken, problem, Some(FROM_A_COPY));
                None
            }
        }
    }

    /// The journal by itself; its events, where they are all that it holds.
    fn journal(&mut self) -> Option<Vec<Event>> {
        let survey = match survey(&self.folder.journal()) {
            Ok(survey) => survey,
            Err(error) => {
                let found = error.to_string();
                self.add("journal.jsonl", Health::Broken, found, Some(FROM_A_COPY));
                return None;
            }
        };
        let (lines, bytes) = (survey.end.lines, survey.end.bytes);
        if let Some(refusal) = survey.refusal {
            let found = format!("{lines} whole lines, then: {refusal}");
            self.add("journal.jsonl", Health::Broken, found, None);
            return None;
        }
        let found = format!("{lines} lines, {bytes} bytes");
        match survey.torn {
            None => self.add("journal.jsonl", Health::Whole, found, None),
            Some(torn) => {
                let found = format!(
                    "{found}, then {} bytes of line {}",
                    torn.torn_bytes, torn.line
                );
                let then = "the part of a line is cut off; its games are played again";
                self.add("journal.jsonl", Health::Mended, found, Some(then));
            }
        }
        Some(survey.events)
    }

    fn belongs(&mut self, events: &[Event], digest: &str) -> bool {
        let found = match events.first() {
            None => return true,
            Some(Event::RunStarted { job_digest }) if job_digest == digest => return true,
            Some(Event::RunStarted { job_digest }) => {
                format!("job.toml has digest {digest}, the journal began with {job_digest}")
            }
            Some(_) => "the journal does not begin with the start of a run".to_owned(),
        };
        let then = "restore the one that was changed or exchanged from a copy";
        self.add("job and journal", Health::Broken, found, Some(then));
        false
    }

    /// Replays the journal; nothing where the job leads elsewhere.
    fn replay<'r>(
        &mut self,
        job: &'r Job,
        text: &str,
        events: &'r [Event],
        checkpoint_lines: u64,
    ) -> Option<Replayed<'r>> {
        let mut course = job.course(text);
        let mut at_checkpoint = None;
        for (number, event) in (1_u64..).zip(events) {
            if let Err(deviation) = course.apply(event) {
                let found = format!("line {number}: {deviation}");
                let then = "where run.json names another results version, that may be why; \
                            otherwise restore the journal from a copy";
                self.add("replay", Health::Broken, found, Some(then));
                return None;
            }
            if number == checkpoint_lines {
                at_checkpoint = course.snapshot();
            }
        }
        let found = format!("the job leads to all {} events", events.len());
        self.add("replay", Health::Whole, found, None);
        Some(Replayed {
            job,
            events,
            course,
            at_checkpoint,
        })
    }

    fn checkpoint(
        &mut self,
        loaded: &Result<Checkpoint, CheckpointError>,
        replayed: &Replayed<'_>,
    ) {
        const NAME: &str = "checkpoint.json";
        let aside = Some("it is set aside, and the journal is replayed instead");
        let checkpoint = match loaded {
            Ok(checkpoint) => checkpoint,
            Err(CheckpointError::Missing(_)) => {
                return self.add(
                    NAME,
                    Health::Absent,
                    "the journal is replayed instead",
                    None,
                );
            }
            Err(error @ CheckpointError::Io { .. }) => {
                return self.add(NAME, Health::Broken, error.to_string(), None);
            }
            Err(error) => return self.add(NAME, Health::Mended, error.to_string(), aside),
        };
        let lines = checkpoint.journal.lines;
        let all = replayed.events.len();
        match begins_with(&self.folder.journal(), &checkpoint.journal) {
            Err(error) => self.add(NAME, Health::Broken, error.to_string(), None),
            Ok(false) if lines > all as u64 => {
                let found = format!(
                    "it stands for {lines} lines, and the journal has {all}: the journal has lost \
                     its end, or the checkpoint is another run's"
                );
                let then = "restore the journal from a copy, or move the checkpoint away to go \
                            on from what is left";
                self.add(NAME, Health::Broken, found, Some(then));
            }
            Ok(false) => {
                let found = "it belongs to another journal";
                self.add(NAME, Health::Mended, found, aside);
            }
            Ok(true) if replayed.at_checkpoint.as_ref() != Some(&checkpoint.state) => {
                let found = format!("it is not the state that the first {lines} lines lead to");
                let then = "move it out of the folder; the journal does not need it";
                self.add(NAME, Health::Broken, found, Some(then));
            }
            Ok(true) => {
                let found = format!("stands for {lines} of {all} lines, and is what they lead to");
                self.add(NAME, Health::Whole, found, None);
            }
        }
    }

    fn tuned(&mut self, replayed: &Replayed<'_>) {
        const NAME: &str = "tuned.toml";
        let job = replayed.job;
        let (path, engine) = (self.folder.tuned(), job.engine.text.clone());
        let mut tuned = TunedFile::new(path.clone(), engine, job.provenance());
        tuned.replay(replayed.events);
        if tuned.summary().rounds.is_empty() {
            return match path.exists() {
                true => self.add(NAME, Health::Foreign, "no round has written it", None),
                false => self.add(NAME, Health::Absent, "no round is finished yet", None),
            };
        }
        let text = match tuned.text(replayed.course.incumbent()) {
            Ok(text) => text,
            Err(error) => return self.add(NAME, Health::Broken, error.to_string(), None),
        };
        match compare(&path, &text) {
            Ok(()) => self.add(NAME, Health::Whole, "what the journal leads to", None),
            Err(found) => self.add(NAME, Health::Mended, found, Some("it is written again")),
        }
    }

    fn games(&mut self, replayed: &Replayed<'_>) {
        const NAME: &str = "games/";
        let mut replays = match replays(replayed.job) {
            Ok(replays) => replays,
            Err(failure) => return self.add(NAME, Health::Broken, failure.text(), None),
        };
        let (mut whole, mut missing, mut other) = (0, Vec::new(), Vec::new());
        let extension = replays.first().map_or("", |it| it.record_extension());
        for (name, game) in games::expected(replayed.events, extension) {
            let Some(text) = game.text(&mut replays) else {
                continue;
            };
            let path = self.folder.games().join(&name);
            match compare(&path, &text) {
                Ok(()) => whole += 1,
                Err(_) if !path.exists() => missing.push(name),
                Err(_) => other.push(name),
            }
        }
        if missing.is_empty() && other.is_empty() {
            let found = format!("{whole} games, each what its trial leads to");
            return self.add(NAME, Health::Whole, found, None);
        }
        if !missing.is_empty() {
            let found = format!("missing: {}", listed(&missing));
            let then = Some("they are played and written again");
            self.add(NAME, Health::Mended, found, then);
        }
        if !other.is_empty() {
            let found = format!("changed since they were written: {}", listed(&other));
            let then = Some("a start leaves them; remove them and they are written again");
            self.add(NAME, Health::Damaged, found, then);
        }
    }

    /// What a service shall do with the run. No result depends on it.
    fn ticket(&mut self) {
        const NAME: &str = "ticket";
        let aside = "move queue.json out of the folder: the run is then as one that was never \
                     handed to a service";
        match Ticket::load(&self.folder.ticket()) {
            Ok(None) => self.add(NAME, Health::Absent, "never handed to a service", None),
            Ok(Some(ticket)) => {
                let (state, submitted) = (ticket.state.word(), &ticket.submitted);
                let found = format!("{state}, handed to a service {submitted}");
                self.add(NAME, Health::Whole, found, None);
            }
            Err(error @ (TicketError::Damaged { .. } | TicketError::NewerFormat { .. })) => {
                self.add(NAME, Health::Damaged, error.to_string(), Some(aside));
            }
            Err(error) => self.add(NAME, Health::Damaged, error.to_string(), None),
        }
    }

    /// Files that no other part has told of.
    fn rest(&mut self) {
        let failures = self.folder.failures();
        if let Ok(names) = names(&failures) {
            let found = format!("{} files about games that failed", names.len());
            self.add("failures/", Health::Whole, found, None);
        }
        let mut temporaries = Vec::new();
        let mut strangers = Vec::new();
        let mut aside = Vec::new();
        for folder in [self.folder.path(), &self.folder.games()] {
            let top = folder == self.folder.path();
            for name in names(folder).unwrap_or_default() {
                if is_temporary(name.as_ref()) {
                    temporaries.push(name);
                } else if top && name.starts_with(SET_ASIDE) {
                    aside.push(name);
                } else if top && !NAMES.contains(&name.as_str()) {
                    strangers.push(name);
                }
            }
        }
        if !temporaries.is_empty() {
            let found = format!("left by a killed write: {}", listed(&temporaries));
            self.add(
                "temporaries",
                Health::Mended,
                found,
                Some("they are removed"),
            );
        }
        if !aside.is_empty() {
            let found = format!("{}: no start reads them", listed(&aside));
            self.add("set aside", Health::Foreign, found, None);
        }
        if !strangers.is_empty() {
            let found = format!("{}: no part of a run", listed(&strangers));
            self.add("other files", Health::Foreign, found, None);
        }
    }
}

/// Whether the file holds this text, or why not.
fn compare(path: &Path, text: &str) -> Result<(), String> {
    match fs::read(path) {
        Ok(bytes) if bytes == text.as_bytes() => Ok(()),
        Ok(_) => Err("not what the journal leads to".to_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err("missing".to_owned()),
        Err(error) => Err(format!("cannot be read: {error}")),
    }
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> io::Result<Vec<String>> {
    let entries: io::Result<Vec<_>> = fs::read_dir(folder)?.collect();
    let name = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
    let mut names: Vec<String> = entries?.iter().map(name).collect();
    names.sort_unstable();
    Ok(names)
}

fn listed(names: &[String]) -> String {
    match names.len() {
        count if count <= LISTED_MAX => names.join(", "),
        count => format!(
            "{} and {} more",
            names[..LISTED_MAX].join(", "),
            count - LISTED_MAX
        ),
    }
}

//! What streams tell: the lines of journals as they come, and rows that change. Each journal is
//! followed once, however many listen.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use sixfold_tuner::event::Event;
use sixfold_tuner::job::Job;
use sixfold_tuner::space::Vector;
use sixfold_tuner::store::folder::RunFolder;
use sixfold_tuner::store::tail::{Followed, JournalTail};
use sixfold_tuner::trial::TrialResult;
use tokio::sync::{Semaphore, broadcast};

use crate::workspace::exit::{Failure, refused};
use crate::workspace::session::read_identity_and_job;
use crate::workspace::show::{named_values, word};

/// How often journals are looked at while somebody listens.
const GLANCE: Duration = Duration::from_millis(200);
/// Lines that a listener may be behind by before it reads the journal itself.
const LINES_MAX: usize = 4096;
/// Streams at a time.
pub(super) const STREAMS_MAX: usize = 256;

/// A line of a journal as streams tell it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Line {
    /// Its number, from 1.
    pub(super) number: u64,
    /// `trial`, `round`, `batch` or `other`.
    pub(super) kind: &'static str,
    /// What it says, as JSON.
    pub(super) data: String,
}

/// What streams have in common.
pub(super) struct Streams {
    runs: PathBuf,
    of_runs: Mutex<BTreeMap<String, broadcast::Sender<Arc<Line>>>>,
    /// A permit for each stream.
    pub(super) permits: Arc<Semaphore>,
}

impl Streams {
    pub(super) fn new(runs: PathBuf) -> Arc<Self> {
        Arc::new(Self {
            runs,
            of_runs: Mutex::default(),
            permits: Arc::new(Semaphore::new(STREAMS_MAX)),
        })
    }

    fn of_runs(&self) -> MutexGuard<'_, BTreeMap<String, broadcast::Sender<Arc<Line>>>> {
        self.of_runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The lines of a run's journal from some moment on; see [`Streams::lines`] for those before.
    pub(super) fn listen(self: &Arc<Self>, run: &str) -> broadcast::Receiver<Arc<Line>> {
        let mut of_runs = self.of_runs();
        if let Some(sender) = of_runs.get(run) {
            return sender.subscribe();
        }
        let (sender, receiver) = broadcast::channel(LINES_MAX);
        of_runs.insert(run.to_owned(), sender.clone());
        let (own, run) = (Arc::clone(self), run.to_owned());
        tokio::spawn(async move { own.follow(&run, &sender).await });
        receiver
    }

    /// Follows a journal until nobody listens any more.
    async fn follow(self: Arc<Self>, run: &str, sender: &broadcast::Sender<Arc<Line>>) {
        let mut reader: Option<Reader> = None;
        loop {
            {
                let mut of_runs = self.of_runs();
                if sender.receiver_count() == 0 {
                    of_runs.remove(run);
                    return;
                }
            }
            let (runs, name) = (self.runs.clone(), run.to_owned());
            let before = reader.take();
            let read = tokio::task::spawn_blocking(move || read_on(before, &runs, &name)).await;
            match read {
                Ok(Ok((next, lines))) => {
                    for line in lines {
                        let _ = sender.send(Arc::new(line));
                    }
                    reader = Some(next);
                }
                // Whoever listens sees in the run's row what is wrong with it.
                Ok(Err(failure)) => tracing::debug!(run, problem = failure.text(), "not followed"),
                Err(error) => tracing::error!(%error, "a journal is not followed"),
            }
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// The lines of a run's journal after line `after`, as far as they are whole.
    ///
    /// # Errors
    /// A run that cannot be read.
    pub(super) fn lines(&self, run: &str, after: u64) -> Result<Vec<Line>, Failure> {
        let folder = RunFolder::open_named(&self.runs, run)?;
        let mut reader = Reader::open(&folder)?;
        let mut lines = reader.lines()?.unwrap_or_default();
        lines.retain(|line| line.number > after);
        Ok(lines)
    }
}

/// Goes on reading, from where a reader is that was at the journal's end, or from the end it has
/// now.
fn read_on(
    before: Option<Reader>,
    runs: &std::path::Path,
    run: &str,
) -> Result<(Reader, Vec<Line>), Failure> {
    let folder = RunFolder::open_named(runs, run)?;
    let is_new = before.is_none();
    let mut reader = match before {
        Some(reader) => reader,
        None => Reader::open(&folder)?,
    };
    match reader.lines()? {
        Some(_) if is_new => Ok((reader, Vec::new())),
        Some(lines) => Ok((reader, lines)),
        // Another journal now: its listeners begin with its next line.
        None => {
            let mut reader = Reader::open(&folder)?;
            reader.lines()?;
            Ok((reader, Vec::new()))
        }
    }
}

/// A journal that is followed, with the job that gives its vectors names.
struct Reader {
    job: Job,
    tail: JournalTail,
}

impl Reader {
    fn open(folder: &RunFolder) -> Result<Self, Failure> {
        let (_, job) = read_identity_and_job(folder)?;
        let tail = JournalTail::new(&folder.journal());
        Ok(Self { job, tail })
    }

    /// The lines since the last time; None where the journal is another one now.
    fn lines(&mut self) -> Result<Option<Vec<Line>>, Failure> {
        match self.tail.follow().map_err(refused)? {
            Followed::Shrunk => Ok(None),
            Followed::More(events) => {
                let line = |(number, event)| line_of(&self.job, number, &event);
                Ok(Some(events.into_iter().map(line).collect()))
            }
        }
    }
}

fn line_of(job: &Job, number: u64, event: &Event) -> Line {
    let (kind, mut data) = told(job, event);
    data["line"] = number.into();
    Line {
        number,
        kind,
        data: data.to_string(),
    }
}

fn told(job: &Job, event: &Event) -> (&'static str, Value) {
    let values = |vector: &Vector| json!(named_values(job, vector));
    match event {
        Event::TrialFinished {
            path,
            trial,
            result,
        } => {
            let mut data = counts(result);
            data["round"] = trial.id.round.into();
            data["trial"] = trial.id.trial.into();
            data["path"] = json!(path);
            ("trial", data)
        }
        Event::RoundFinished(round) => (
            "round",
            json!({
                "round": round.round,
                "path": round.greedy_path,
                "applied": round.applied,
                "incumbent": values(&round.incumbent),
            }),
        ),
        Event::MatchBatch {
            attempt,
            contest,
            batch,
            result,
        } => {
            let mut data = counts(result);
            data["attempt"] = (*attempt).into();
            data["contest"] = contest.word().into();
            data["batch"] = (*batch).into();
            ("batch", data)
        }
        Event::RunStarted { .. } => ("other", json!({ "what": "run_started" })),
        Event::LegFinished(leg) => ("other", json!({ "what": "leg_finished", "leg": leg.leg })),
        Event::Extrapolated(found) => {
            let values = values(&found.values);
            ("other", json!({ "what": "extrapolated", "values": values }))
        }
        Event::TuningFinished { reason, games, .. } => (
            "other",
            json!({ "what": "tuning_finished", "reason": reason.word(), "games": games }),
        ),
        Event::VerificationStarted { attempt, tuned } => (
            "other",
            json!({ "what": "verification_started", "attempt": attempt, "tuned": values(tuned) }),
        ),
        Event::VerificationFinished {
            attempt, verdict, ..
        } => (
            "other",
            json!({
                "what": "verification_finished",
                "attempt": attempt,
                "verdict": word(*verdict),
            }),
        ),
    }
}

fn counts(result: &TrialResult) -> Value {
    json!({
        "games": result.wdl.games(),
        "wins": result.wdl.wins,
        "draws": result.wdl.draws,
        "losses": result.wdl.losses,
    })
}

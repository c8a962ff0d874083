//! Rows of runs, cheaply: of each run the events are added up as they come, and nothing is
//! replayed.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sixfold_tuner::job::Job;
use sixfold_tuner::queue::State;
use sixfold_tuner::run::summary::Summary;
use sixfold_tuner::store::folder::{RunFolder, list_runs};
use sixfold_tuner::store::identity::RunIdentity;
use sixfold_tuner::store::lock::RunLock;
use sixfold_tuner::store::tail::{Followed, JournalTail};

use super::views::row::{Driver, QueuePart, RowSource, RunRow, Speed};
use crate::workspace::exit::{Failure, refused};
use crate::workspace::session::read_identity_and_job;
use crate::workspace::tickets::{Standing, Standings};

/// Runs whose sums are kept; beyond that those that stand still are forgotten.
const KEPT_MAX: usize = 256;
/// Games a second are taken over so long.
const WINDOW: Duration = Duration::from_secs(60);
/// Two looks at a speed are at least so far apart.
const LOOKS_APART: Duration = Duration::from_secs(1);

/// What is known of a run for its row.
struct Sums {
    job: Job,
    identity: RunIdentity,
    tail: JournalTail,
    summary: Summary,
    /// Games played at some moments of the last minute.
    looks: VecDeque<(Instant, u64)>,
}

impl Sums {
    fn open(folder: &RunFolder) -> Result<Self, Failure> {
        let (identity, job) = read_identity_and_job(folder)?;
        Ok(Self {
            job,
            identity,
            tail: JournalTail::new(&folder.journal()),
            summary: Summary::default(),
            looks: VecDeque::new(),
        })
    }

    /// Adds what has happened since; false where the journal is another one now.
    fn advance(&mut self, now: Instant) -> Result<bool, Failure> {
        match self.tail.follow().map_err(refused)? {
            Followed::Shrunk => return Ok(false),
            Followed::More(events) => {
                events.iter().for_each(|(_, event)| self.summary.add(event));
            }
        }
        let is_due = |(last, _): &(Instant, u64)| now.duration_since(*last) >= LOOKS_APART;
        if self.looks.back().is_none_or(is_due) {
            self.looks.push_back((now, self.summary.spent().total()));
        }
        while self.looks.len() > 2 && now.duration_since(self.looks[1].0) >= WINDOW {
            self.looks.pop_front();
        }
        Ok(true)
    }

    fn speed(&self) -> Speed {
        let (Some(first), Some(last)) = (self.looks.front(), self.looks.back()) else {
            return Speed::default();
        };
        let seconds = last.0.duration_since(first.0).as_secs_f64();
        let games = last.1 - first.1;
        Speed {
            games_per_s: (seconds >= 1.0).then(|| games as f64 / seconds),
        }
    }

    fn finished_attempts(&self) -> usize {
        let attempts = self.summary.attempts.iter();
        attempts.filter(|it| it.verdict.is_some()).count()
    }
}

/// The rows of all runs in a folder.
pub(crate) struct Rows {
    runs: PathBuf,
    standings: Arc<dyn Standings>,
    kept: Mutex<BTreeMap<String, Arc<Mutex<Sums>>>>,
}

impl Rows {
    pub(crate) fn new(runs: &Path, standings: Arc<dyn Standings>) -> Self {
        Self {
            runs: runs.to_owned(),
            standings,
            kept: Mutex::default(),
        }
    }

    /// The names of all runs, those begun last first.
    ///
    /// # Errors
    /// A folder that cannot be listed.
    pub(crate) fn names(&self) -> Result<Vec<String>, Failure> {
        let mut dated: Vec<(String, String)> = list_runs(&self.runs)?
            .into_iter()
            .map(|name| {
                let folder = RunFolder::open_named(&self.runs, &name);
                let identity = folder.map(|folder| RunIdentity::load(&folder.identity()));
                let started = match identity {
                    Ok(Ok(identity)) => identity.started,
                    _ => String::new(),
                };
                (started, name)
            })
            .collect();
        dated.sort_by(|a, b| b.cmp(a));
        Ok(dated.into_iter().map(|(_, name)| name).collect())
    }

    /// The row of a run.
    ///
    /// # Errors
    /// There is no such run. One that cannot be read has a row that says so.
    pub(crate) fn row(&self, run: &str) -> Result<RunRow, Failure> {
        let folder = RunFolder::open_named(&self.runs, run)?;
        let standing = self.standings.standing(run);
        // Before the journal: a worker that ends in between has written what it finished.
        let is_held = !matches!(RunLock::holder(&folder.lock()), Ok(None));
        let sums = match self.sums(run, &folder) {
            Ok(sums) => sums,
            Err(failure) => {
                let queue = queue_part(run, standing, is_held, 0);
                return Ok(RunRow::unreadable(run, failure.text(), queue));
            }
        };
        let sums = sums.lock().unwrap_or_else(PoisonError::into_inner);
        let queue = queue_part(run, standing, is_held, sums.finished_attempts());
        let source = RowSource {
            job: &sums.job,
            identity: &sums.identity,
            summary: &sums.summary,
            events: sums.tail.lines(),
            speed: sums.speed(),
        };
        Ok(RunRow::of(run, &source, queue))
    }

    fn sums(&self, run: &str, folder: &RunFolder) -> Result<Arc<Mutex<Sums>>, Failure> {
        let known = self.kept().get(run).cloned();
        let is_known = known.is_some();
        let sums = match known {
            Some(sums) => sums,
            None => Arc::new(Mutex::new(Sums::open(folder)?)),
        };
        let now = Instant::now();
        let mut open = sums.lock().unwrap_or_else(PoisonError::into_inner);
        match open.advance(now) {
            Ok(true) => {}
            Ok(false) => {
                *open = Sums::open(folder)?;
                open.advance(now)?;
            }
            Err(failure) => {
                self.kept().remove(run);
                return Err(failure);
            }
        }
        drop(open);
        if !is_known {
            let mut kept = self.kept();
            if kept.len() >= KEPT_MAX {
                kept.retain(|run, _| self.standings.standing(run).is_some_and(|it| it.has_worker));
            }
            kept.insert(run.to_owned(), Arc::clone(&sums));
        }
        Ok(sums)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, Arc<Mutex<Sums>>>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How a run stands, from its ticket, its lock and what it has finished.
fn queue_part(
    run: &str,
    standing: Option<Standing>,
    is_held: bool,
    finished_attempts: usize,
) -> QueuePart {
    let has_worker = standing.as_ref().is_some_and(|it| it.has_worker);
    let driver = match (has_worker, is_held) {
        (true, _) => Some(Driver::Service),
        (false, true) => Some(Driver::Terminal),
        (false, false) => None,
    };
    let Some(Standing { ticket, place, .. }) = standing else {
        let state = match (is_held, finished_attempts) {
            (true, _) => State::Running,
            (false, 0) => State::Paused,
            (false, _) => State::Completed,
        };
        return QueuePart {
            label: run.to_owned(),
            state,
            reason: None,
            driver,
            place: None,
            submitted: None,
        };
    };
    let is_done = finished_attempts >= ticket.verifications as usize;
    let state = match ticket.state {
        // In a terminal, whatever the queue had in mind.
        _ if driver == Some(Driver::Terminal) => State::Running,
        State::Waiting | State::Paused | State::Failed if is_done => State::Completed,
        state => state,
    };
    QueuePart {
        label: ticket.label,
        reason: ticket.reason.filter(|_| state == ticket.state),
        state,
        driver,
        place: place.filter(|_| state == State::Waiting),
        submitted: Some(ticket.submitted),
    }
}

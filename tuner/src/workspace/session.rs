//! A run that this process works on: its folder, its lock, and everything that the loop needs.

use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, SystemTime};

use anyhow::{Context, anyhow};
use sixfold_engine::clock::Budget;
use sixfold_tuner::evaluator::match_play::{Matches, Side, Streams, matches};
use sixfold_tuner::evaluator::{Evaluator, Replay};
use sixfold_tuner::event::Event;
use sixfold_tuner::job::{Job, digest};
use sixfold_tuner::observer::log::Log;
use sixfold_tuner::observer::progress::Progress;
use sixfold_tuner::queue::Ticket;
use sixfold_tuner::run::course::Course;
use sixfold_tuner::run::failures::Failures;
use sixfold_tuner::run::games::SampledGames;
use sixfold_tuner::run::room::{SystemClock, Waited, with_room};
use sixfold_tuner::run::summary::Summary;
use sixfold_tuner::run::tuned::TunedFile;
use sixfold_tuner::run::{Ended, Evaluators, Outlets, Pace, RESULTS_VERSION, drive};
use sixfold_tuner::store::atomic::{remove_temporaries, write_atomically};
use sixfold_tuner::store::checkpoint::{Checkpoint, CheckpointError, set_aside};
use sixfold_tuner::store::disk::DiskStore;
use sixfold_tuner::store::draft::RunDraft;
use sixfold_tuner::store::folder::{FolderError, RunFolder, validate_name};
use sixfold_tuner::store::format::JOURNAL_FORMAT;
use sixfold_tuner::store::full::MayBeFull;
use sixfold_tuner::store::identity::{IdentityError, KnownVersions, RunIdentity};
use sixfold_tuner::store::journal::{Journal, TornTail, read_journal};
use sixfold_tuner::store::lock::RunLock;

use super::exit::{Exit, Failure, bad_input, refused};
use super::logging::LogFile;

/// The engine configuration format that this program knows.
const ENGINE_FORMAT: u32 = sixfold_engine::config::FORMAT as u32;

/// What this program goes on with.
pub(crate) const KNOWN: KnownVersions = KnownVersions {
    results: RESULTS_VERSION,
    engine_format: ENGINE_FORMAT,
};

/// A run in the hands of this process.
pub(crate) struct Session {
    pub(crate) folder: RunFolder,
    pub(crate) job: Job,
    pub(crate) course: Course,
    tuned: TunedFile,
    games: SampledGames,
    store: DiskStore,
    _lock: RunLock,
}

impl Session {
    /// Starts a run of a job in a new folder.
    pub(crate) fn create(
        job: &Job,
        runs: &Path,
        base: &str,
        name: Option<&str>,
        log: &LogFile,
        stop: &AtomicBool,
    ) -> Result<Session, Failure> {
        let (folder, lock) = create_folder(job, runs, base, name, None)?;
        Session::open_locked(folder, lock, log, stop)
    }

    /// Opens a run to go on with it.
    pub(crate) fn open(
        folder: RunFolder,
        log: &LogFile,
        stop: &AtomicBool,
    ) -> Result<Session, Failure> {
        let lock = RunLock::acquire(&folder.lock()).map_err(refused)?;
        Session::open_locked(folder, lock, log, stop)
    }

    /// Checks first and mends afterwards: a run that is refused is left as it is.
    fn open_locked(
        folder: RunFolder,
        lock: RunLock,
        log: &LogFile,
        stop: &AtomicBool,
    ) -> Result<Session, Failure> {
        check_identity(&folder)?;
        let (job, job_text) = read_job(&folder)?;
        let (events, _) = whole_journal(&folder, &job_text)?;
        if let Err(problem) = log.open(&folder.log()) {
            // A run does not need its log.
            let log = folder.log();
            tracing::warn!(%problem, "{} cannot be written; the run goes on", log.display());
        }
        let journal = open_journal(&folder)?;
        let digest = digest(&job_text);
        let mut course = job.course(&job_text);
        let checkpoint = use_checkpoint(&mut course, &journal, &folder, &digest)?;
        let skipped = *checkpoint.as_ref().unwrap_or(&0);
        replay(&mut course, &events, skipped, &folder)?;
        folder.remove_temporaries()?;
        std::fs::create_dir_all(folder.games())
            .with_context(|| format!("cannot create {}", folder.games().display()))?;
        remove_temporaries(&folder.games(), &[])?;
        if let Err(problem) = checkpoint {
            let kept = set_aside(&folder.checkpoint())?;
            tracing::warn!(%problem, kept = %kept.display(),
                "the checkpoint cannot be used and was set aside; the journal is replayed");
        }
        let store = DiskStore::new(journal, folder.checkpoint(), digest, RESULTS_VERSION);
        let engine_text = job.engine.text.clone();
        let mut tuned = TunedFile::new(folder.tuned(), engine_text, job.provenance());
        tuned.replay(&events);
        let mut games = SampledGames::new(folder.games(), replays(&job)?);
        if !tuned.summary().rounds.is_empty() {
            wait_for_room(stop, || tuned.write(course.incumbent()))?;
        }
        for event in &events {
            wait_for_room(stop, || games.on_event(event))?;
        }
        let count = events.len();
        tracing::info!(events = count, from_checkpoint = skipped, "run opened");
        Ok(Session {
            folder,
            job,
            course,
            tuned,
            games,
            store,
            _lock: lock,
        })
    }

    /// What has happened so far.
    pub(crate) fn summary(&self) -> &Summary {
        self.tuned.summary()
    }

    /// Whether the newest verification is over.
    pub(crate) fn has_finished_attempt(&self) -> bool {
        let last = self.summary().last_attempt();
        last.is_some_and(|attempt| attempt.verdict.is_some())
    }

    /// Drives the run until it is finished or interrupted.
    /// `run` is how the user names it.
    pub(crate) fn drive(
        &mut self,
        run: String,
        checkpoint_interval: Duration,
        stop: &AtomicBool,
    ) -> Result<Ended, Failure> {
        let job = &self.job;
        let mut own = own_matches(job)?;
        let mut legs = matches_of_legs(job)?;
        let mut reference = reference_matches(job)?;
        let mut failures = Failures::new(
            self.folder.failures(),
            run,
            tuned_side(job, job.budget).paths,
            job.matches.dropped_pairs_max_percent,
        );
        let reference = reference
            .as_mut()
            .map(|evaluator| &mut **evaluator as &mut dyn Evaluator);
        let mut evaluators = Evaluators {
            own: &mut *own,
            legs: legs
                .iter_mut()
                .map(|leg| &mut **leg as &mut dyn Evaluator)
                .collect(),
            reference,
        };
        let done = self.course.progress().games;
        let mut progress = Progress::new(job.stop.rounds, job.stop.games, done);
        let mut log = Log;
        let mut outlets = Outlets {
            store: &mut self.store,
            tuned: Some(&mut self.tuned),
            games: Some(&mut self.games),
            failures: Some(&mut failures),
            observers: vec![&mut log, &mut progress],
        };
        let pace = Pace {
            clock: &SystemClock::start(),
            checkpoint_interval,
        };
        Ok(drive(
            &mut self.course,
            &mut evaluators,
            &mut outlets,
            &pace,
            stop,
        )?)
    }
}

/// Makes the folder of a new run, with its ticket where it is handed to a service: under `name`, or
/// under the next free name of `base`. The lock is held from before the run has a name, so nobody
/// else can open it in between.
pub(crate) fn create_folder(
    job: &Job,
    runs: &Path,
    base: &str,
    name: Option<&str>,
    ticket: Option<&Ticket>,
) -> Result<(RunFolder, RunLock), Failure> {
    validate_name(name.unwrap_or(base)).map_err(folder_failure)?;
    let draft = RunDraft::new(runs)?;
    let lock = RunLock::acquire(&draft.folder().lock())?;
    let job_text = job.to_toml();
    write_atomically(&draft.folder().job(), job_text.as_bytes())?;
    std::fs::create_dir(draft.folder().games())?;
    Journal::create(&draft.folder().journal())?;
    if let Some(ticket) = ticket {
        ticket.save(&draft.folder().ticket())?;
    }
    let identity = RunIdentity {
        results_version: RESULTS_VERSION,
        program_version: env!("CARGO_PKG_VERSION").to_owned(),
        seed: job.seed,
        started: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
        engine_format: ENGINE_FORMAT,
        journal_format: JOURNAL_FORMAT,
    };
    identity.save(&draft.folder().identity())?;
    let folder = match name {
        Some(name) => draft.publish(name),
        None => draft.publish_next_free(base),
    }
    .map_err(folder_failure)?;
    Ok((folder, lock))
}

/// Brings a file of the run up to date, waiting for room while the disk is full.
fn wait_for_room<E>(stop: &AtomicBool, write: impl FnMut() -> Result<(), E>) -> Result<(), Failure>
where
    E: MayBeFull + Into<anyhow::Error>,
{
    let clock = SystemClock::start();
    match with_room(&clock, &mut [&mut Log], stop, write) {
        Ok(Waited::Done) => Ok(()),
        Ok(Waited::Stopped) => Err(Failure {
            exit: Exit::Interrupted,
            error: anyhow!(
                "stopped while the disk was full; nothing is lost, resume the run later"
            ),
        }),
        Err(error) => Err(Failure {
            exit: Exit::Failure,
            error: error.into(),
        }),
    }
}

/// The engine that is tuned, as one side of a match.
fn tuned_side(job: &Job, budget: Budget) -> Side {
    let parameters = job.space.parameters.iter();
    Side {
        config: job.engine_config_at(budget),
        paths: parameters.map(|parameter| parameter.path.clone()).collect(),
    }
}

/// Matches of the tuned engine against itself with other parameters, at the job's budget.
pub(crate) fn own_matches(job: &Job) -> Result<Box<dyn Matches>, Failure> {
    matches_at(job, job.budget)
}

/// The same for each leg, at its budget; none where the tuning is at one budget.
pub(crate) fn matches_of_legs(job: &Job) -> Result<Vec<Box<dyn Matches>>, Failure> {
    let legs = job.legs.iter();
    legs.map(|leg| matches_at(job, leg.budget)).collect()
}

/// The tuning's trials again, for each of its budgets.
pub(crate) fn replays(job: &Job) -> Result<Vec<Box<dyn Replay>>, Failure> {
    let replay = |budget| Ok(matches_at(job, budget)? as Box<dyn Replay>);
    job.tuning_budgets().into_iter().map(replay).collect()
}

fn matches_at(job: &Job, budget: Budget) -> Result<Box<dyn Matches>, Failure> {
    matches_against(job, budget, tuned_side(job, budget))
}

/// Matches of the tuned engine against the reference engine, if the job names one.
pub(crate) fn reference_matches(job: &Job) -> Result<Option<Box<dyn Matches>>, Failure> {
    let fixed = job.reference_config().map(Side::fixed);
    fixed
        .map(|side| matches_against(job, job.budget, side))
        .transpose()
}

fn matches_against(job: &Job, budget: Budget, opponent: Side) -> Result<Box<dyn Matches>, Failure> {
    let side = tuned_side(job, budget);
    let deadline = Some(job.matches.move_deadline());
    let players = matches(side, opponent, job.seed, Streams::Common, deadline)?;
    Ok(players)
}

/// Applies the events from `skipped` on, each of which must be what the job leads to.
fn replay(
    course: &mut Course,
    events: &[Event],
    skipped: usize,
    folder: &RunFolder,
) -> Result<(), Failure> {
    for (number, event) in events.iter().enumerate().skip(skipped) {
        course.apply(event).map_err(|deviation| {
            let place = format!("{}:{}", folder.journal().display(), number + 1);
            refused(anyhow!("{place}: {deviation}; the run was left as it is"))
        })?;
    }
    Ok(())
}

/// Reads a run without touching it, also while another process works on it. Its journal is
/// replayed, so what is shown is what the job leads to.
pub(crate) fn read(folder: &RunFolder) -> Result<(Job, Summary), Failure> {
    let (job, mut course, events) = read_events(folder)?;
    replay(&mut course, &events, 0, folder)?;
    Ok((job, Summary::of(&events)))
}

/// What a run is, without its journal.
pub(crate) fn read_identity_and_job(folder: &RunFolder) -> Result<(RunIdentity, Job), Failure> {
    Ok((check_identity(folder)?, read_job(folder)?.0))
}

/// The job of a run, and how many of its verifications are over.
pub(crate) fn has_finished(folder: &RunFolder) -> Result<(Job, u32), Failure> {
    check_identity(folder)?;
    let (job, job_text) = read_job(folder)?;
    let (events, _) = whole_journal(folder, &job_text)?;
    let is_end = |event: &&Event| matches!(event, Event::VerificationFinished { .. });
    let finished = events.iter().filter(is_end).count();
    Ok((job, finished as u32))
}

/// The job, a new course and the stored events of a run, without touching it.
pub(crate) fn read_events(folder: &RunFolder) -> Result<(Job, Course, Vec<Event>), Failure> {
    let stored = read_stored(folder)?;
    Ok((stored.job, stored.course, stored.events))
}

/// What a run has stored.
pub(crate) struct Stored {
    pub(crate) identity: RunIdentity,
    pub(crate) job: Job,
    pub(crate) job_text: String,
    /// A new course of the job.
    pub(crate) course: Course,
    pub(crate) events: Vec<Event>,
    /// Whether the journal's last line is not whole; it is not among the events.
    pub(crate) has_torn_tail: bool,
}

/// Everything that a run has stored, without touching it.
pub(crate) fn read_stored(folder: &RunFolder) -> Result<Stored, Failure> {
    let identity = check_identity(folder)?;
    let (job, job_text) = read_job(folder)?;
    let (events, torn) = whole_journal(folder, &job_text)?;
    let course = job.course(&job_text);
    Ok(Stored {
        identity,
        job,
        job_text,
        course,
        events,
        has_torn_tail: torn.is_some(),
    })
}

/// What a run is, without its journal: its identity, its job and the job's text.
pub(crate) fn read_plan(folder: &RunFolder) -> Result<(RunIdentity, Job, String), Failure> {
    let identity = check_identity(folder)?;
    let (job, job_text) = read_job(folder)?;
    Ok((identity, job, job_text))
}

/// Opens the folder of a run that the user named.
pub(crate) fn find(runs: &Path, run: &str) -> Result<RunFolder, Failure> {
    RunFolder::open(runs, run).map_err(folder_failure)
}

fn folder_failure(error: FolderError) -> Failure {
    match error {
        FolderError::Io { .. } => Failure {
            exit: Exit::Failure,
            error: error.into(),
        },
        _ => bad_input(error),
    }
}

/// Refuses a run that another version of the program has to go on with.
fn check_identity(folder: &RunFolder) -> Result<RunIdentity, Failure> {
    let path = folder.identity();
    let refuse = |error: IdentityError| refused(error);
    let identity = RunIdentity::load(&path).map_err(refuse)?;
    identity.check(&path, KNOWN).map_err(refuse)?;
    Ok(identity)
}

/// The job of a run, with its text.
fn read_job(folder: &RunFolder) -> Result<(Job, String), Failure> {
    let path = folder.job();
    let text = std::fs::read_to_string(&path)
        .with_context(|| format!("cannot read {}", path.display()))
        .map_err(refused)?;
    let job = Job::parse(&path, &text).map_err(refused)?;
    Ok((job, text))
}

/// Opens the journal for appending, without a torn last line.
fn open_journal(folder: &RunFolder) -> Result<Journal, Failure> {
    let (journal, _, torn) = Journal::open(&folder.journal()).map_err(refused)?;
    if let Some(torn) = torn {
        let (line, bytes) = (torn.line, torn.torn_bytes);
        let problem = "the last line of the journal was not whole; it was cut off";
        tracing::warn!(line, bytes, "{problem}");
    }
    Ok(journal)
}

/// Takes over the checkpoint, if there is one that fits; the number of events it stands for. What
/// is wrong with one that does not fit comes back as the inner error: the journal alone leads to
/// the same state.
fn use_checkpoint(
    course: &mut Course,
    journal: &Journal,
    folder: &RunFolder,
    digest: &str,
) -> Result<Result<usize, String>, Failure> {
    let checkpoint = match Checkpoint::load(&folder.checkpoint(), digest, RESULTS_VERSION) {
        Ok(checkpoint) => checkpoint,
        Err(CheckpointError::Missing(_)) => return Ok(Ok(0)),
        Err(error @ CheckpointError::Io { .. }) => return Err(error.into()),
        Err(error) => return Ok(Err(error.to_string())),
    };
    if !journal.holds(&checkpoint.journal)? {
        return Ok(Err("it belongs to another journal".to_owned()));
    }
    let restored = course.restore(&checkpoint.state);
    Ok(restored.map(|()| checkpoint.journal.lines as usize))
}

/// The events of a run whose `job.toml` has this text. Refuses a journal that has lost its end: a
/// checkpoint is written after the lines that it stands for are safe, so a journal with fewer
/// lines is not what the run has left.
fn whole_journal(
    folder: &RunFolder,
    job_text: &str,
) -> Result<(Vec<Event>, Option<TornTail>), Failure> {
    // Before the journal: a process at work may append to it in between, and never the other way.
    let checkpoint = Checkpoint::load(&folder.checkpoint(), &digest(job_text), RESULTS_VERSION);
    let (events, torn) = read_journal(&folder.journal()).map_err(refused)?;
    check_belongs(folder, &events, job_text)?;
    let (lines, known) = (events.len(), checkpoint.map_or(0, |it| it.journal.lines));
    if known <= lines as u64 {
        return Ok((events, torn));
    }
    Err(refused(anyhow!(
        "{} has lost its end: it has {lines} whole lines, and {} stands for {known}; nothing was \
         changed: restore the journal from a copy, or move the checkpoint away to go on from the \
         {lines} lines and play the rest again",
        folder.journal().display(),
        folder.checkpoint().display()
    )))
}

/// Refuses a journal that another job began; `events` are from its beginning, the first at least.
pub(crate) fn check_belongs(
    folder: &RunFolder,
    events: &[Event],
    job_text: &str,
) -> Result<(), Failure> {
    let belongs = match events.first() {
        Some(Event::RunStarted { job_digest }) => *job_digest == digest(job_text),
        _ => events.is_empty(),
    };
    if belongs {
        return Ok(());
    }
    let job = folder.job();
    let problem = "is not the job that the run began with; nothing was changed: undo what was \
                   changed in it, or run it as a new job";
    Err(refused(anyhow!("{} {problem}", job.display())))
}

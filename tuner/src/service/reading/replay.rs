//! The learner's trees of a run, computed again from its journal: all of them from the beginning,
//! in parts, and until that is done the one in progress from the newest checkpoint.

use sixfold_tuner::chronicle::{Growth, GrowthLimits};
use sixfold_tuner::event::Event;
use sixfold_tuner::job::{Job, digest};
use sixfold_tuner::optimiser::tree_view::TreeView;
use sixfold_tuner::run::RESULTS_VERSION;
use sixfold_tuner::run::course::Course;
use sixfold_tuner::store::checkpoint::Checkpoint;
use sixfold_tuner::store::folder::RunFolder;
use sixfold_tuner::store::follow::JournalReader;
use sixfold_tuner::store::journal::begins_with;
use sixfold_tuner::trial::EditPath;

use crate::workspace::exit::{Failure, refused};

/// Events between two looks at the clock.
const STRIDE: usize = 64;
/// Events that the beginning may be behind before a checkpoint is worth reading.
const FAR: u64 = 2_000;

/// What is kept of the trees: about 5 MB.
const LIMITS: GrowthLimits = GrowthLimits {
    ends: 600,
    trees: 100,
    looks: 60,
};

/// How much of the journal the trees do not know yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Behind {
    /// Events that they know.
    pub(crate) known: u64,
    /// Events of the journal.
    pub(crate) of: u64,
}

/// What the trees are computed from.
pub(super) struct Run<'a> {
    pub(super) folder: &'a RunFolder,
    pub(super) job: &'a Job,
    pub(super) job_text: &'a str,
    pub(super) journal: &'a JournalReader,
}

/// The trees.
#[derive(Default)]
pub(crate) struct Trees {
    whole: Option<Replay>,
    /// From a checkpoint on.
    newest: Option<Replay>,
    of: u64,
}

/// A course that walks through the journal.
pub(crate) struct Replay {
    course: Course,
    /// The trees since it began.
    pub(crate) growth: Growth,
    lines: u64,
    bytes: u64,
    rounds: usize,
    /// The tree in progress before the course was asked what comes next: asking may end a round.
    pub(crate) standing: Option<TreeView>,
    /// Paths of the trials that are due.
    pub(crate) playing: Vec<Option<EditPath>>,
    was_asked: bool,
}

impl Trees {
    pub(super) fn advance(
        &mut self,
        run: &Run<'_>,
        enough: &dyn Fn() -> bool,
    ) -> Result<(), Failure> {
        self.of = run.journal.position().lines;
        let whole = self.whole.get_or_insert_with(|| Replay::begin(run));
        let is_far = |at: u64| self.of - at > FAR;
        if is_far(whole.lines) {
            if self.newest.as_ref().is_none_or(|it| is_far(it.lines)) {
                let found = Replay::from_checkpoint(run)?;
                self.newest = found
                    .filter(|it| it.lines > whole.lines)
                    .or(self.newest.take());
            }
            if let Some(newest) = &mut self.newest
                && let Err(failure) = newest.walk(run, enough)
            {
                self.newest = None;
                return Err(failure);
            }
        }
        if let Err(failure) = whole.walk(run, enough) {
            // It stands in the middle of what it had read.
            self.whole = None;
            return Err(failure);
        }
        if whole.lines == self.of {
            self.newest = None;
        }
        Ok(())
    }

    /// All trees from the beginning, with what they do not know yet; None of them before the first
    /// [`Trees::advance`].
    pub(crate) fn whole(&self) -> Option<(&Replay, Option<Behind>)> {
        let whole = self.whole.as_ref()?;
        let behind = (whole.lines < self.of).then_some(Behind {
            known: whole.lines,
            of: self.of,
        });
        Some((whole, behind))
    }

    /// The replay that knows the newest event; None where none does yet.
    pub(crate) fn up_to_date(&self) -> Option<&Replay> {
        let both = [&self.whole, &self.newest].into_iter().flatten();
        let mut newest = both.filter(|replay| replay.lines == self.of);
        newest.next()
    }
}

impl Replay {
    /// Rounds that are over.
    pub(crate) fn rounds(&self) -> usize {
        self.rounds
    }

    fn begin(run: &Run<'_>) -> Replay {
        Replay::at(run.job.course(run.job_text), (0, 0), 0)
    }

    fn at(course: Course, (lines, bytes): (u64, u64), rounds: usize) -> Replay {
        Replay {
            growth: Growth::new(&course, LIMITS),
            standing: None,
            playing: Vec::new(),
            was_asked: false,
            course,
            lines,
            bytes,
            rounds,
        }
    }

    /// None where there is no checkpoint that fits: that costs time, and nothing else.
    fn from_checkpoint(run: &Run<'_>) -> Result<Option<Replay>, Failure> {
        let path = run.folder.checkpoint();
        let loaded = Checkpoint::load(&path, &digest(run.job_text), RESULTS_VERSION);
        let Ok(checkpoint) = loaded else {
            return Ok(None);
        };
        let position = checkpoint.journal;
        let is_known = position.lines <= run.journal.position().lines;
        if !is_known || !begins_with(&run.folder.journal(), &position)? {
            return Ok(None);
        }
        let mut course = run.job.course(run.job_text);
        if course.restore(&checkpoint.state).is_err() {
            return Ok(None);
        }
        let rounds = course.progress().rounds as usize;
        let place = (position.lines, position.bytes);
        Ok(Some(Replay::at(course, place, rounds)))
    }

    /// Walks to the end of what was read, or until it is enough.
    fn walk(&mut self, run: &Run<'_>, enough: &dyn Fn() -> bool) -> Result<(), Failure> {
        let end = run.journal.position().lines;
        if self.lines == end && self.was_asked {
            return Ok(());
        }
        while self.lines < end {
            if enough() {
                return Ok(());
            }
            let place = (self.lines + 1, self.bytes);
            let (events, bytes) = run.journal.events_from(place, STRIDE).map_err(refused)?;
            for event in &events {
                self.take(event).map_err(|problem| {
                    let (journal, line) = (run.folder.journal(), self.lines + 1);
                    refused(anyhow::anyhow!("{}:{line}: {problem}", journal.display()))
                })?;
            }
            self.bytes = bytes;
        }
        self.standing = self.course.tree();
        if !self.course.tuning_is_over() {
            // What is due becomes known by asking for it.
            let _ = self.course.next_action();
            self.playing = self.course.pending_paths().collect();
        }
        self.was_asked = true;
        Ok(())
    }

    fn take(&mut self, event: &Event) -> Result<(), String> {
        let is_end = matches!(event, Event::RoundFinished(_));
        let before = match (is_end, self.was_asked) {
            (false, _) => None,
            (true, true) => self.standing.take(),
            (true, false) => self.course.tree(),
        };
        let applied = self.course.apply(event);
        applied.map_err(|deviation| deviation.to_string())?;
        self.lines += 1;
        self.was_asked = false;
        self.playing.clear();
        match event {
            Event::TrialFinished { .. } => self.growth.look_when_due(&self.course),
            Event::RoundFinished(summary) => {
                if let Some(before) = before {
                    let end = (self.rounds, summary);
                    self.growth.end(&self.course, before, end, true);
                }
                self.rounds += 1;
                self.growth.begin(&self.course);
            }
            _ => {}
        }
        Ok(())
    }
}

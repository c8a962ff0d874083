//! What the events of a run add up to, folded as they come and bounded in size.

use sixfold_tuner::chronicle::{LlrTraces, Thinned};
use sixfold_tuner::event::Event;
use sixfold_tuner::job::Job;
use sixfold_tuner::run::summary::Summary;
use sixfold_tuner::space::Vector;
use sixfold_tuner::trial::TrialResult;

/// Vectors that were tried of which evenly spread ones are kept.
const TRIED_MAX: usize = 1024;

/// The folds.
pub(crate) struct Folds {
    /// What happened in all.
    pub(crate) summary: Summary,
    /// All trials of the tuning together, each seen from its A.
    pub(crate) trials: TrialResult,
    /// What was tried after how many games.
    pub(crate) tried: Thinned<(u64, Vector)>,
    /// How the test of each verification went.
    pub(crate) tests: LlrTraces,
    /// Games and trials of the tuning at the end of each round.
    round_ends: Vec<(u64, usize)>,
    /// Line, from 1, and place in bytes of each trial.
    places: Vec<(u64, u64)>,
    lines: u64,
}

impl Default for Folds {
    fn default() -> Self {
        Self {
            summary: Summary::default(),
            trials: TrialResult::default(),
            tried: Thinned::new(TRIED_MAX),
            tests: LlrTraces::default(),
            round_ends: Vec::new(),
            places: Vec::new(),
            lines: 0,
        }
    }
}

impl Folds {
    /// Takes the next event, whose line begins at this byte.
    pub(super) fn take(&mut self, at: u64, event: &Event, job: &Job) {
        self.lines += 1;
        self.summary.add(event);
        match event {
            Event::TrialFinished { trial, result, .. } => {
                self.places.push((self.lines, at));
                self.trials.add(result);
                if self.tried.is_due() {
                    self.tried.push((self.summary.games, trial.a.clone()));
                } else {
                    self.tried.skip();
                }
            }
            Event::RoundFinished(_) => {
                let trials = self.places.len();
                self.round_ends.push((self.summary.games, trials));
            }
            _ => self.tests.add(event, &job.verification),
        }
    }

    /// Events so far.
    pub(super) fn lines(&self) -> u64 {
        self.lines
    }

    /// Trials of the tuning so far.
    pub(crate) fn trial_count(&self) -> usize {
        self.places.len()
    }

    pub(super) fn trial_place(&self, trial: usize) -> (u64, u64) {
        self.places[trial]
    }

    /// Games of the tuning at the end of a round.
    pub(crate) fn games_at_end(&self, round: usize) -> u64 {
        self.round_ends[round].0
    }

    /// Index of the first trial of a round that is over.
    pub(crate) fn first_trial_of(&self, round: usize) -> usize {
        round
            .checked_sub(1)
            .map_or(0, |before| self.round_ends[before].1)
    }
}

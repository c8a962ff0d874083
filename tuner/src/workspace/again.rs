//! Games of a run, played again from its job and its journal.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::anyhow;
use sixfold_tuner::evaluator::EvaluationError;
use sixfold_tuner::evaluator::match_play::{Matches, PairAttempt, PairGames};
use sixfold_tuner::event::Event;
use sixfold_tuner::job::Job;
use sixfold_tuner::run::course::{Course, Opponent};
use sixfold_tuner::run::history::{History, PlayedTrial};
use sixfold_tuner::store::folder::RunFolder;

use super::exit::{Exit, Failure, refused};
use super::session::{matches_of_legs, own_matches, read_events, reference_matches};

/// A run whose games are played again. Nothing of it is touched.
pub(crate) struct Again {
    pub(crate) job: Job,
    course: Option<Course>,
    events: Vec<Event>,
    folder: RunFolder,
    pub(crate) players: Players,
}

/// Who plays the games of a run.
pub(crate) struct Players {
    own: Box<dyn Matches>,
    legs: Vec<Box<dyn Matches>>,
    reference: Option<Box<dyn Matches>>,
}

impl Again {
    pub(crate) fn open(folder: &RunFolder) -> Result<Again, Failure> {
        let (job, course, events) = read_events(folder)?;
        let players = Players::of(&job)?;
        Ok(Again {
            job,
            course: Some(course),
            events,
            folder: folder.clone(),
            players,
        })
    }

    /// The trials of the run, those at last that come next. To be asked for once.
    pub(crate) fn trials(
        &mut self,
    ) -> (
        impl Iterator<Item = Result<PlayedTrial, Failure>> + '_,
        &mut Players,
        &Job,
    ) {
        let course = self
            .course
            .take()
            .expect("a history is walked through once");
        let journal = self.folder.journal();
        let history = History::new(course, &self.events);
        let trials = history.map(move |played| {
            played.map_err(|deviation| refused(anyhow!("{}: {deviation}", journal.display())))
        });
        (trials, &mut self.players, &self.job)
    }
}

impl Players {
    /// The players of a job's games.
    pub(crate) fn of(job: &Job) -> Result<Players, Failure> {
        Ok(Players {
            own: own_matches(job)?,
            legs: matches_of_legs(job)?,
            reference: reference_matches(job)?,
        })
    }

    /// Plays pairs of trials against one opponent.
    pub(crate) fn play(
        &mut self,
        opponent: Opponent,
        pairs: &[PairAttempt],
        stop: &AtomicBool,
    ) -> Result<Vec<PairGames>, Failure> {
        let players = match opponent {
            Opponent::Own => &mut self.own,
            Opponent::OwnOnLeg(leg) => self
                .legs
                .get_mut(leg as usize)
                .ok_or_else(|| refused(anyhow!("the job has no leg {leg}")))?,
            Opponent::Reference => self
                .reference
                .as_mut()
                .ok_or_else(|| refused(anyhow!("the job names no reference engine")))?,
        };
        players
            .play_pairs(pairs, stop)
            .map_err(|error| match error {
                EvaluationError::Interrupted => Failure {
                    exit: Exit::Interrupted,
                    error: anyhow!("stopped; games that were played again are not stored anywhere"),
                },
                error => error.into(),
            })
    }
}

/// The attempts of a trial's pairs that counted.
pub(crate) fn counted_pairs(played: &PlayedTrial) -> Vec<PairAttempt> {
    let trial = Arc::new(played.trial.clone());
    let attempt = |pair| {
        let result = played.result.as_ref();
        result.map_or(0, |result| result.attempt_of(pair))
    };
    let pairs = (0..trial.pairs()).map(|pair| PairAttempt {
        trial: Arc::clone(&trial),
        pair,
        attempt: attempt(pair),
        is_timed: played.result.is_none(),
    });
    pairs.collect()
}

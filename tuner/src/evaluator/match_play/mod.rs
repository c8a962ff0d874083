//! Trials as matches of the full staged engine: the only place of the tuner, besides the loading
//! of configurations, that names the engine.

mod crew;
mod pair;
mod side;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use sixfold_engine::agent::default_deadline;
use sixfold_engine::config::EngineConfig;
use sixfold_engine::game::{Outcome as GameOutcome, Player};
use sixfold_engine::games::{AnyRecord, DotsAndBoxes, ForGame, Playable, dispatch};

pub use pair::Streams;
pub use side::{EngineBot, MakeBot, Side};

use super::{EvaluationError, Evaluator, Replay};
use crate::trial::{DroppedPair, Trial, TrialResult};
use crew::{Crew, Keep, Order, Outcome, Played};
use pair::{Task, Venue};

/// How often a pair is played before its failure ends the call.
pub const ATTEMPTS: u32 = 5;
/// How long a thread may go on after it was told to end its game, before it is left behind. A
/// search listens every few microseconds; this is for a thread that does not get to run.
const GRACE: Duration = Duration::from_millis(500);

/// Plays trials of a game between two sides on threads of its own.
pub struct MatchPlay<G: Playable = DotsAndBoxes> {
    a: Side,
    b: Side,
    venue: Arc<Venue<G>>,
    crew: Crew<G>,
    dropped: Vec<DroppedPair>,
}

/// A pair of a trial, in one of its attempts.
#[derive(Clone, PartialEq, Debug)]
pub struct PairAttempt {
    /// The trial.
    pub trial: Arc<Trial>,
    /// Pair of the trial, from 0.
    pub pair: u32,
    /// How often the pair was dropped before.
    pub attempt: u32,
    /// Whether the deadline of the match's moves holds. Games that counted in a run are over,
    /// however slow the machine is that plays them again.
    pub is_timed: bool,
}

/// The games of a pair, or the one that failed.
pub type PairGames = Result<Vec<AnyRecord>, Box<DroppedPair>>;

/// Matches of a game, whatever the game.
pub trait Matches: Evaluator + Replay {
    /// Plays pairs again, each in the attempt that is asked for and no other.
    ///
    /// # Errors
    /// Interrupted by `stop`, or a vector that the engine refuses. A game that fails is none.
    fn play_pairs(
        &mut self,
        pairs: &[PairAttempt],
        stop: &AtomicBool,
    ) -> Result<Vec<PairGames>, EvaluationError>;
}

/// Matches of the game that the sides' configurations name. `deadline` is what a move may take;
/// None for the one that the budgets ask for.
///
/// # Errors
/// Sides whose configurations are of different games.
pub fn matches(
    a: Side,
    b: Side,
    seed: u64,
    streams: Streams,
    deadline: Option<Duration>,
) -> Result<Box<dyn Matches>, EvaluationError> {
    struct Make(Side, Side, u64, Streams, Option<Duration>);
    impl ForGame for Make {
        type Output = Result<Box<dyn Matches>, EvaluationError>;

        fn run<G: Playable>(self) -> Self::Output {
            let Make(a, b, seed, streams, deadline) = self;
            let matches = MatchPlay::<G>::new(a, b, seed, streams)?;
            Ok(match deadline {
                Some(deadline) => Box::new(matches.with_deadline(deadline)),
                None => Box::new(matches),
            })
        }
    }
    dispatch(a.config.game.kind(), Make(a, b, seed, streams, deadline))
}

impl<G: Playable> MatchPlay<G> {
    /// Matches of two sides, on as many threads as rayon's global pool has.
    ///
    /// # Errors
    /// Sides whose configurations are of different games, or of another one.
    pub fn new(a: Side, b: Side, seed: u64, streams: Streams) -> Result<Self, EvaluationError> {
        if a.config.game != b.config.game {
            let text = "the two configurations are of different games".to_owned();
            return Err(EvaluationError::Refused(text));
        }
        if a.config.game.kind() != G::KIND {
            let text = format!("{} is not played by {} matches", a.config.game, G::KIND);
            return Err(EvaluationError::Refused(text));
        }
        let venue = Venue {
            seed,
            streams,
            rules: a.config.game,
            make_bot: side::agents(),
            table_mib: a.config.table_mib,
            deadline: default_deadline(&[&a.config, &b.config]),
        };
        Ok(Self {
            a,
            b,
            venue: Arc::new(venue),
            crew: Crew::new(rayon::current_num_threads(), GRACE),
            dropped: Vec::new(),
        })
    }

    /// The same with other bots than the engine.
    #[must_use]
    pub fn with_bots(mut self, make_bot: MakeBot<G>) -> Self {
        self.venue_mut().make_bot = make_bot;
        self
    }

    /// The same with another deadline for each move.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Duration) -> Self {
        self.venue_mut().deadline = deadline;
        self
    }

    /// The same on so many threads, which have `grace` to end a game when they are told to.
    #[must_use]
    pub fn with_threads(mut self, threads: usize, grace: Duration) -> Self {
        self.crew = Crew::new(threads, grace);
        self
    }

    fn venue_mut(&mut self) -> &mut Venue<G> {
        Arc::get_mut(&mut self.venue).expect("nothing is in play yet")
    }

    fn configs(&self, trial: &Trial) -> Result<Arc<[EngineConfig; 2]>, EvaluationError> {
        Ok(Arc::new([self.a.with(&trial.a)?, self.b.with(&trial.b)?]))
    }
}

impl<G: Playable> Matches for MatchPlay<G> {
    fn play_pairs(
        &mut self,
        pairs: &[PairAttempt],
        stop: &AtomicBool,
    ) -> Result<Vec<PairGames>, EvaluationError> {
        let mut tasks: Vec<Task> = Vec::with_capacity(pairs.len());
        for (index, wanted) in pairs.iter().enumerate() {
            let known = tasks
                .last()
                .filter(|task| Arc::ptr_eq(&task.trial, &wanted.trial));
            let configs = match known {
                Some(task) => Arc::clone(&task.configs),
                None => self.configs(&wanted.trial)?,
            };
            tasks.push(Task {
                index,
                trial: Arc::clone(&wanted.trial),
                pair: wanted.pair,
                deadline: wanted.is_timed.then_some(self.venue.deadline),
                configs,
            });
        }
        let order = Order {
            first_attempts: pairs.iter().map(|wanted| wanted.attempt).collect(),
            attempts: 1,
            failure_is_fatal: false,
            keep: Keep::Records,
            tasks,
        };
        let played = self.crew.play(&self.venue, order, stop);
        let Played { outcomes, .. } = played.map_err(|(error, _)| error)?;
        let games = |outcome: Outcome| match outcome.failed {
            Some(dropped) => Err(Box::new(dropped)),
            None => Ok(outcome.records),
        };
        Ok(outcomes.into_iter().map(games).collect())
    }
}

impl<G: Playable> Evaluator for MatchPlay<G> {
    fn evaluate(
        &mut self,
        trials: &[Trial],
        stop: &AtomicBool,
    ) -> Result<Vec<TrialResult>, EvaluationError> {
        let mut tasks = Vec::new();
        for (index, trial) in trials.iter().enumerate() {
            let configs = self.configs(trial)?;
            let trial = Arc::new(trial.clone());
            tasks.extend((0..trial.pairs()).map(|pair| Task {
                index,
                trial: Arc::clone(&trial),
                pair,
                deadline: Some(self.venue.deadline),
                configs: Arc::clone(&configs),
            }));
        }
        let places: Vec<(usize, u32)> = tasks.iter().map(|task| (task.index, task.pair)).collect();
        let order = Order {
            first_attempts: vec![0; tasks.len()],
            attempts: ATTEMPTS,
            failure_is_fatal: true,
            keep: Keep::Points,
            tasks,
        };
        let played = match self.crew.play(&self.venue, order, stop) {
            Ok(played) => played,
            Err((EvaluationError::Interrupted, _)) => return Err(EvaluationError::Interrupted),
            Err((error, dropped)) => {
                self.dropped.extend(dropped);
                return Err(error);
            }
        };
        self.dropped.extend(played.dropped);
        let mut results = vec![TrialResult::default(); trials.len()];
        for ((index, pair), outcome) in places.into_iter().zip(&played.outcomes) {
            let result = &mut results[index];
            let dropped = std::iter::repeat_n(pair, outcome.attempts as usize);
            result.dropped_pairs.extend(dropped);
            result.add_points(&outcome.points);
        }
        Ok(results)
    }

    fn take_dropped(&mut self) -> Vec<DroppedPair> {
        std::mem::take(&mut self.dropped)
    }
}

impl<G: Playable> Replay for MatchPlay<G> {
    fn first_game(&mut self, trial: &Trial, attempt: u32) -> Option<String> {
        let wanted = PairAttempt {
            trial: Arc::new(trial.clone()),
            pair: 0,
            attempt,
            is_timed: true,
        };
        let played = self.play_pairs(&[wanted], &AtomicBool::new(false));
        let problem = match played.map(|games| games.into_iter().next()) {
            Ok(Some(Ok(records))) => {
                let event = format!("round {}, trial {}", trial.id.round, trial.id.trial);
                return Some(records[0].text(["candidate", "opponent"], &event));
            }
            Ok(Some(Err(dropped))) => dropped.to_string(),
            Ok(None) => "nothing was played".to_owned(),
            Err(error) => error.to_string(),
        };
        tracing::warn!(%problem, "a sampled game cannot be played again");
        None
    }

    fn record_extension(&self) -> &'static str {
        G::RECORD_EXTENSION
    }
}

fn points_of_a(outcome: GameOutcome, game: u8) -> u8 {
    let a = if game == 0 {
        Player::First
    } else {
        Player::Second
    };
    match outcome {
        GameOutcome::Draw => 1,
        GameOutcome::Win(winner) if winner == a => 2,
        GameOutcome::Win(_) => 0,
    }
}

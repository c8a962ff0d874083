//! Trials as matches of the full staged engine: the only place of the tuner, besides the loading
//! of configurations, that names the engine.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use sixfold_engine::agent::{Agent, GameFailure, GameRecord, Referee, play_game};
use sixfold_engine::config::{EngineConfig, GameRules};
use sixfold_engine::eval::dots::DotsKnowledge;
use sixfold_engine::eval::dots::opening::random_opening;
use sixfold_engine::game::dots::{Board, Dots};
use sixfold_engine::game::{Outcome, Player};
use sixfold_engine::protocol::ccgc;
use sixfold_engine::stream::{Purpose, StreamKey};

use super::{EvaluationError, Evaluator, Replay};
use crate::space::Vector;
use crate::trial::{Colours, Trial, TrialResult};

/// How often a pair is played before its failure stops the run.
const ATTEMPTS: u32 = 2;

/// Which random streams the games of a pair use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Streams {
    /// Both games of a pair draw the same numbers at the same seat: an engine against itself ties
    /// every pair, and swapping A and B negates every result.
    Common,
    /// Every game draws numbers of its own.
    Independent,
}

/// One side of the matches: a configuration, and the paths that a trial's vector is written to.
/// A side with no paths is the configuration as it stands, whatever the vector.
#[derive(Clone, Debug)]
pub struct Side {
    /// The configuration.
    pub config: EngineConfig,
    /// Paths of the tuned parameters, in the order of the vectors.
    pub paths: Vec<String>,
}

impl Side {
    /// A side that no trial changes.
    pub fn fixed(config: EngineConfig) -> Side {
        Side {
            config,
            paths: Vec::new(),
        }
    }

    /// The configuration with a vector's values.
    ///
    /// # Errors
    /// A value that the engine refuses.
    pub fn with(&self, vector: &Vector) -> Result<EngineConfig, EvaluationError> {
        let mut config = self.config.clone();
        let values: Vec<(&str, f64)> = self
            .paths
            .iter()
            .map(String::as_str)
            .zip(vector.0.iter().copied())
            .collect();
        config
            .set(&values)
            .map_err(|error| EvaluationError::Refused(error.to_string()))?;
        Ok(config)
    }
}

/// Plays trials between two sides on rayon's threads.
pub struct MatchPlay {
    a: Side,
    b: Side,
    seed: u64,
    streams: Streams,
    board: &'static Board,
    workers: Mutex<Vec<Worker>>,
}

/// What one thread plays with; kept from game to game for its allocations only.
struct Worker {
    a: Agent<Dots, DotsKnowledge>,
    b: Agent<Dots, DotsKnowledge>,
    referee: Referee<Dots, DotsKnowledge>,
}

/// One pair of games to play (one game where the colours are not paired).
#[derive(Clone, Copy)]
struct Task<'a> {
    trial: &'a Trial,
    pair: u32,
    a: &'a EngineConfig,
    b: &'a EngineConfig,
}

/// Points of A in quarters of two: a win counts 2, a draw 1; and how often the pair was dropped.
#[derive(Clone, Copy)]
struct PairScore {
    pair: u32,
    games: [Option<u8>; 2],
    dropped: u32,
}

impl MatchPlay {
    /// Matches of two sides.
    ///
    /// # Errors
    /// Sides whose configurations are of different games.
    pub fn new(a: Side, b: Side, seed: u64, streams: Streams) -> Result<Self, EvaluationError> {
        if a.config.game != b.config.game {
            let text = "the two configurations are of different games".to_owned();
            return Err(EvaluationError::Refused(text));
        }
        let GameRules::DotsAndBoxes { rows, cols } = a.config.game;
        let board = Board::of(rows.into(), cols.into()).ok_or_else(|| {
            EvaluationError::Refused(format!("{rows}x{cols} boxes are no supported board"))
        })?;
        Ok(Self {
            a,
            b,
            seed,
            streams,
            board,
            workers: Mutex::default(),
        })
    }

    fn key(&self, task: Task<'_>, attempt: u32, game: u8) -> StreamKey {
        StreamKey {
            seed: self.seed,
            round: task.trial.id.round,
            trial: task.trial.id.trial,
            pair: task.pair,
            attempt,
            purpose: Purpose::Opening,
            lane: match self.streams {
                Streams::Common => 0,
                Streams::Independent => game,
            },
        }
    }

    /// Plays one game of a pair: in game 0 A is First, in game 1 Second.
    ///
    /// # Errors
    /// See [`GameFailure`].
    fn play(
        &self,
        worker: &mut Worker,
        task: Task<'_>,
        attempt: u32,
        game: u8,
        stop: &AtomicBool,
    ) -> Result<GameRecord<Dots>, GameFailure> {
        let opening_key = StreamKey {
            lane: 0,
            ..self.key(task, attempt, 0)
        };
        let opening = random_opening(self.board, &mut opening_key.stream());
        let key = self.key(task, attempt, game);
        let streams =
            [Purpose::First, Purpose::Second].map(|purpose| StreamKey { purpose, ..key }.stream());
        worker.a.configure(task.a);
        worker.b.configure(task.b);
        let agents = if game == 0 {
            [&mut worker.a, &mut worker.b]
        } else {
            [&mut worker.b, &mut worker.a]
        };
        play_game(agents, streams, &mut worker.referee, &opening, stop)
    }

    fn play_pair(&self, task: Task<'_>, stop: &AtomicBool) -> Result<PairScore, EvaluationError> {
        let games = if task.trial.colours == Colours::Paired {
            2
        } else {
            1
        };
        let mut reason = String::new();
        for attempt in 0..ATTEMPTS {
            if stop.load(Ordering::Relaxed) {
                return Err(EvaluationError::Interrupted);
            }
            let mut score = PairScore {
                pair: task.pair,
                games: [None; 2],
                dropped: attempt,
            };
            // A worker whose game panicked is not used again.
            let mut worker = self.take_worker(task);
            let played = catch_unwind(AssertUnwindSafe(|| {
                for game in 0..games {
                    let record = self.play(&mut worker, task, attempt, game, stop)?;
                    score.games[usize::from(game)] = Some(points_of_a(record.outcome, game));
                }
                Ok::<(), GameFailure>(())
            }));
            match played {
                Ok(Ok(())) => {
                    self.return_worker(worker);
                    return Ok(score);
                }
                Ok(Err(GameFailure::Interrupted)) => return Err(EvaluationError::Interrupted),
                Ok(Err(failure)) => reason = failure.to_string(),
                Err(panic) => reason = panic_text(panic.as_ref()),
            }
            tracing::warn!(trial = task.trial.id.trial, pair = task.pair, attempt, %reason,
                "a game failed; its pair is dropped");
        }
        Err(EvaluationError::GameFailed {
            trial: task.trial.id.trial,
            pair: task.pair,
            reason,
        })
    }

    fn take_worker(&self, task: Task<'_>) -> Worker {
        let kept = self
            .workers
            .lock()
            .expect("no thread panics holding the workers")
            .pop();
        kept.unwrap_or_else(|| Worker {
            a: Agent::new(task.a, DotsKnowledge),
            b: Agent::new(task.b, DotsKnowledge),
            referee: Referee::new(self.a.config.table_mib, DotsKnowledge),
        })
    }

    fn return_worker(&self, worker: Worker) {
        self.workers
            .lock()
            .expect("no thread panics holding the workers")
            .push(worker);
    }
}

impl Evaluator for MatchPlay {
    fn evaluate(
        &mut self,
        trials: &[Trial],
        stop: &AtomicBool,
    ) -> Result<Vec<TrialResult>, EvaluationError> {
        let configs = trials
            .iter()
            .map(|trial| Ok((self.a.with(&trial.a)?, self.b.with(&trial.b)?)))
            .collect::<Result<Vec<_>, EvaluationError>>()?;
        let tasks: Vec<(usize, Task<'_>)> = trials
            .iter()
            .zip(&configs)
            .enumerate()
            .flat_map(|(index, (trial, (a, b)))| {
                let pairs = match trial.colours {
                    Colours::Paired => trial.games / 2,
                    Colours::AFirst => trial.games,
                };
                (0..pairs).map(move |pair| (index, Task { trial, pair, a, b }))
            })
            .collect();
        let scores: Vec<(usize, Result<PairScore, EvaluationError>)> = tasks
            .par_iter()
            .map(|&(index, task)| (index, self.play_pair(task, stop)))
            .collect();
        let mut results = vec![TrialResult::default(); trials.len()];
        for (index, score) in scores {
            add(&mut results[index], score?);
        }
        Ok(results)
    }
}

impl Replay for MatchPlay {
    fn first_game(&self, trial: &Trial) -> Option<String> {
        let (a, b) = (self.a.with(&trial.a).ok()?, self.b.with(&trial.b).ok()?);
        let task = Task {
            trial,
            pair: 0,
            a: &a,
            b: &b,
        };
        let mut worker = self.take_worker(task);
        let record = self
            .play(&mut worker, task, 0, 0, &AtomicBool::new(false))
            .ok()?;
        let event = format!("round {}, trial {}", trial.id.round, trial.id.trial);
        Some(ccgc::text(&record, ["candidate", "opponent"], &event))
    }
}

fn points_of_a(outcome: Outcome, game: u8) -> u8 {
    let a = if game == 0 {
        Player::First
    } else {
        Player::Second
    };
    match outcome {
        Outcome::Draw => 1,
        Outcome::Win(winner) if winner == a => 2,
        Outcome::Win(_) => 0,
    }
}

fn add(result: &mut TrialResult, score: PairScore) {
    let dropped = std::iter::repeat_n(score.pair, score.dropped as usize);
    result.dropped_pairs.extend(dropped);
    for points in score.games.iter().flatten() {
        match points {
            2 => result.wdl.wins += 1,
            1 => result.wdl.draws += 1,
            _ => result.wdl.losses += 1,
        }
    }
    if let [Some(first), Some(second)] = score.games {
        result.pentanomial.0[usize::from(first + second)] += 1;
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!(
        "panicked: {}",
        text.unwrap_or_else(|| "no message".to_owned())
    )
}

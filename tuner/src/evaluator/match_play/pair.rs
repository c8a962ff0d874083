//! The games of one pair, as one thread plays them: a function of trial, pair and attempt.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use sixfold_engine::agent::{Bot, GameFailure, GameRecord, GameWatch, Mover, Referee, play_game};
use sixfold_engine::config::{EngineConfig, GameRules};
use sixfold_engine::game::{Player, Position};
use sixfold_engine::games::Playable;
use sixfold_engine::stream::{Purpose, StreamKey};

use super::side::{EngineBot, MakeBot};
use crate::trial::{Culprit, DroppedMove, DroppedPair, FailureKind, Trial};

/// Which random streams the games of a pair use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Streams {
    /// Both games of a pair draw the same numbers at the same seat: an engine against itself ties
    /// every pair, and swapping A and B negates every result.
    Common,
    /// Every game draws numbers of its own.
    Independent,
}

/// What all games of a match share.
pub(super) struct Venue<G: Playable> {
    pub(super) seed: u64,
    pub(super) streams: Streams,
    pub(super) rules: GameRules,
    pub(super) make_bot: MakeBot<G>,
    /// Size of the referee's table.
    pub(super) table_mib: u32,
    /// What one move may take.
    pub(super) deadline: Duration,
}

/// One pair of games to play (one game where the colours are not paired).
#[derive(Clone)]
pub(super) struct Task {
    /// The trial's number in the batch.
    pub(super) index: usize,
    pub(super) trial: Arc<Trial>,
    pub(super) pair: u32,
    /// What one move may take; None for games that counted and are played again.
    pub(super) deadline: Option<Duration>,
    /// Of A and of B.
    pub(super) configs: Arc<[EngineConfig; 2]>,
}

impl Task {
    /// Games of the pair.
    pub(super) fn games(&self) -> u8 {
        self.trial.games_per_pair() as u8
    }
}

/// What one thread plays with; kept from game to game for its allocations only.
pub(super) struct Players<G: Playable> {
    a: Box<dyn EngineBot<G>>,
    b: Box<dyn EngineBot<G>>,
    referee: Referee<G::Position, G::Knowledge>,
}

impl<G: Playable> Players<G> {
    pub(super) fn new(venue: &Venue<G>, task: &Task) -> Self {
        let [a, b] = &*task.configs;
        Players {
            a: (venue.make_bot)(a),
            b: (venue.make_bot)(b),
            referee: Referee::new(venue.table_mib, G::Knowledge::default()),
        }
    }
}

/// A game in play, as another thread sees it.
pub(super) struct InPlay<G: Playable> {
    pub(super) task: Task,
    pub(super) attempt: u32,
    /// 0, where A is First, or 1.
    game: u8,
    opening: G::Position,
    pub(super) watch: Arc<GameWatch<G::Move>>,
}

impl<G: Playable> Clone for InPlay<G> {
    fn clone(&self) -> Self {
        Self {
            task: self.task.clone(),
            watch: Arc::clone(&self.watch),
            ..*self
        }
    }
}

impl<G: Playable> InPlay<G> {
    /// Lets so much time pass for the move in play; whether it is over its deadline then.
    pub(super) fn is_late_after(&self, passed: Duration) -> bool {
        self.watch.pass(passed);
        self.watch.is_over_time()
    }
}

/// Why a game has no result: it was told to stop, or its pair is dropped.
pub(super) enum NoResult {
    Interrupted,
    Dropped(Box<DroppedPair>),
}

impl<G: Playable> Venue<G> {
    fn key(&self, task: &Task, attempt: u32, game: u8) -> StreamKey {
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

    /// A game of a pair before its first move: in game 0 A is First, in game 1 Second.
    pub(super) fn open(&self, task: &Task, attempt: u32, game: u8) -> InPlay<G> {
        let opening_key = StreamKey {
            lane: 0,
            ..self.key(task, attempt, 0)
        };
        InPlay {
            task: task.clone(),
            attempt,
            game,
            opening: G::opening(self.rules, &mut opening_key.stream()),
            watch: Arc::new(GameWatch::new(task.deadline)),
        }
    }

    /// Plays a game to its end.
    pub(super) fn play(
        &self,
        players: &mut Players<G>,
        in_play: &InPlay<G>,
    ) -> Result<GameRecord<G::Position>, NoResult> {
        let key = self.key(&in_play.task, in_play.attempt, in_play.game);
        let streams =
            [Purpose::First, Purpose::Second].map(|purpose| StreamKey { purpose, ..key }.stream());
        let [a, b] = &*in_play.task.configs;
        let played = catch_unwind(AssertUnwindSafe(|| {
            players.a.configure(a);
            players.b.configure(b);
            let bots: [&mut dyn Bot<G::Position>; 2] = if in_play.game == 0 {
                [&mut *players.a, &mut *players.b]
            } else {
                [&mut *players.b, &mut *players.a]
            };
            let (referee, opening) = (&mut players.referee, &in_play.opening);
            play_game(bots, streams, referee, opening, &in_play.watch)
        }));
        let (kind, reason) = match played {
            Ok(Ok(record)) => return Ok(record),
            Ok(Err(GameFailure::Interrupted)) => return Err(NoResult::Interrupted),
            Ok(Err(failure @ GameFailure::IllegalMove { .. })) => {
                (FailureKind::IllegalMove, failure.to_string())
            }
            Ok(Err(failure @ GameFailure::OverTime { .. })) => {
                (FailureKind::OverTime, failure.to_string())
            }
            Err(panic) => (FailureKind::Panic, panic_text(panic.as_ref())),
        };
        let dropped = self.dropped(in_play, kind, reason);
        Err(NoResult::Dropped(Box::new(dropped)))
    }

    /// The evidence of a game that failed, also while it hangs.
    pub(super) fn dropped(
        &self,
        in_play: &InPlay<G>,
        kind: FailureKind,
        reason: String,
    ) -> DroppedPair {
        let InPlay { task, attempt, .. } = in_play;
        let a_is_first = in_play.game == 0;
        let side_of = |player: Player| usize::from((player == Player::First) != a_is_first);
        let mut position = in_play.opening;
        let mut moves = Vec::new();
        for played in in_play.watch.moves() {
            let stages = &task.configs[side_of(played.player)].stages;
            moves.push(DroppedMove {
                player: played.player.to_string(),
                notation: position.format_turn(&[played.mv]),
                stage: stages[played.stage].name.clone(),
            });
            position.play(played.mv);
        }
        DroppedPair {
            id: task.trial.id,
            pair: task.pair,
            attempt: *attempt,
            game: task.pair * u32::from(task.games()) + u32::from(in_play.game),
            a_is_first,
            vectors: [task.trial.a.clone(), task.trial.b.clone()],
            culprit: match in_play.watch.mover() {
                Mover::Player(player) => [Culprit::A, Culprit::B][side_of(player)],
                Mover::Referee => Culprit::Referee,
            },
            kind,
            reason,
            opening: in_play.opening.to_string(),
            position: position.to_string(),
            moves,
            seed: self.seed,
        }
    }

    /// The evidence of a game whose thread does not come back.
    pub(super) fn hung(&self, in_play: &InPlay<G>) -> DroppedPair {
        let (mover, deadline) = (in_play.watch.mover(), in_play.task.deadline);
        let seconds = deadline.unwrap_or(self.deadline).as_secs_f64();
        let reason = format!("{mover} took longer than {seconds} s, and hangs");
        self.dropped(in_play, FailureKind::OverTime, reason)
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.map_or("panicked without a message".to_owned(), |text| {
        format!("panicked: {text}")
    })
}

//! A watch over one game: who moves and for how long, the moves so far, and the signal that ends
//! it. Another thread reads all of it while the game goes on, also once the game's thread hangs.
//!
//! The watch reads no clock. Whoever watches lets time pass ([`GameWatch::pass`]) in the small
//! steps in which it looks, so a process that was stopped, a machine that slept and a clock that
//! jumped make no move late.

use std::fmt;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::contest::MoveRecord;
use super::signals::Signals;
use crate::game::Player;

/// Who is at work in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mover {
    /// The bot of this player.
    Player(Player),
    /// The referee, who proves the rest of the game.
    Referee,
}

impl Mover {
    const ALL: [Mover; 3] = [
        Mover::Player(Player::First),
        Mover::Player(Player::Second),
        Mover::Referee,
    ];

    /// The player, where it is one.
    pub const fn player(self) -> Option<Player> {
        match self {
            Mover::Player(player) => Some(player),
            Mover::Referee => None,
        }
    }
}

impl fmt::Display for Mover {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mover::Player(player) => player.fmt(f),
            Mover::Referee => f.write_str("the referee"),
        }
    }
}

/// Nobody is at work.
const IDLE: u64 = u64::MAX;

/// The watch.
#[derive(Debug)]
pub struct GameWatch<M> {
    signals: Signals,
    deadline: Option<Duration>,
    /// What the current move has taken, in microseconds.
    taken_us: AtomicU64,
    /// Index into [`Mover::ALL`] of who began last.
    mover: AtomicU8,
    moves: Mutex<Vec<MoveRecord<M>>>,
}

impl<M> Default for GameWatch<M> {
    /// A watch over a game whose moves may take for ever.
    fn default() -> Self {
        Self::new(None)
    }
}

impl<M> GameWatch<M> {
    /// A watch over one game, each of whose moves may take so long.
    pub fn new(deadline: Option<Duration>) -> Self {
        Self {
            signals: Signals::default(),
            deadline,
            taken_us: AtomicU64::new(IDLE),
            mover: AtomicU8::new(0),
            moves: Mutex::default(),
        }
    }

    /// What one move may take.
    pub fn deadline(&self) -> Option<Duration> {
        self.deadline
    }

    /// What the searches of the game listen to.
    pub fn signals(&self) -> &Signals {
        &self.signals
    }

    /// Who is at work, or was last.
    pub fn mover(&self) -> Mover {
        Mover::ALL[usize::from(self.mover.load(Ordering::Relaxed))]
    }

    /// Whether the current move has taken longer than its deadline.
    pub fn is_over_time(&self) -> bool {
        let taken = self.taken_us.load(Ordering::Relaxed);
        let late = |deadline: Duration| u128::from(taken) > deadline.as_micros();
        taken != IDLE && self.deadline.is_some_and(late)
    }

    /// Lets time pass for the current move, if there is one.
    pub fn pass(&self, time: Duration) {
        let time = u64::try_from(time.as_micros()).unwrap_or(IDLE - 1);
        let add = |taken: u64| (taken != IDLE).then(|| taken.saturating_add(time).min(IDLE - 1));
        // Nothing to add to is no failure.
        let _ = self
            .taken_us
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
    }

    pub(super) fn begin(&self, mover: Mover) {
        let index = Mover::ALL.iter().position(|known| *known == mover);
        let index = index.expect("all movers are listed") as u8;
        self.mover.store(index, Ordering::Relaxed);
        self.signals.forget_best();
        self.taken_us.store(0, Ordering::Relaxed);
    }

    /// The move is over: until the next one begins nobody is late.
    pub(super) fn end(&self) {
        self.taken_us.store(IDLE, Ordering::Relaxed);
    }
}

impl<M: Copy> GameWatch<M> {
    pub(super) fn add(&self, record: MoveRecord<M>) {
        self.lock().push(record);
    }

    /// The moves so far.
    pub fn moves(&self) -> Vec<MoveRecord<M>> {
        self.lock().clone()
    }

    /// Takes the moves out: the game is over.
    pub(super) fn take_moves(&self) -> Vec<MoveRecord<M>> {
        std::mem::take(&mut *self.lock())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<MoveRecord<M>>> {
        // Nothing panics between two halves of a change here.
        self.moves.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_late_by_the_time_that_passes_for_it_and_for_no_other() {
        let watch = GameWatch::<u8>::new(Some(Duration::from_secs(2)));
        watch.pass(Duration::from_secs(9));
        assert!(!watch.is_over_time(), "nobody is at work");
        watch.begin(Mover::Player(Player::First));
        watch.pass(Duration::from_secs(2));
        assert!(!watch.is_over_time());
        watch.pass(Duration::from_millis(1));
        assert!(watch.is_over_time());
        watch.begin(Mover::Player(Player::Second));
        assert!(!watch.is_over_time(), "the next move begins anew");
        watch.pass(Duration::MAX);
        watch.pass(Duration::MAX);
        assert!(watch.is_over_time());
        watch.end();
        assert!(!watch.is_over_time());
    }
}

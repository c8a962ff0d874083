//! The threads that play the games of a match, and the watch over them.
//!
//! Every seat has a pool of its own with one thread, so that a thread which never comes back is
//! left behind with its pool, and a fresh pool takes its seat. The calling thread keeps the watch:
//! a move over its deadline is told to end; a thread that does not obey within a grace is given
//! up. Pairs are taken from one queue and their outcomes put into slots by number, so that results
//! depend neither on the number of threads nor on which of them were lost.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};
use sixfold_engine::games::{AnyRecord, Playable};

use super::pair::{InPlay, NoResult, Players, Task, Venue};
use crate::evaluator::EvaluationError;
use crate::trial::DroppedPair;

/// Between two looks of the watch.
const TICK: Duration = Duration::from_millis(10);
/// Most time that passes for a move from one look to the next. What is more than that was no time
/// of the move: the process was stopped, the machine slept, the clock jumped, or the machine is so
/// loaded that nobody got to run.
const PASSING_MAX: Duration = Duration::from_millis(100);

/// What becomes of the games of a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keep {
    /// Their points alone.
    Points,
    /// Their records.
    Records,
}

/// What came of a pair.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    /// Points of A in each game: a win counts 2, a draw 1.
    pub(super) points: Vec<u8>,
    /// Where they are kept.
    pub(super) records: Vec<AnyRecord>,
    /// How often the pair was dropped before it counted.
    pub(super) attempts: u32,
    /// Why it does not count, where no attempt was left.
    pub(super) failed: Option<DroppedPair>,
}

/// The pairs of one call and how they are to be played.
pub(super) struct Order {
    pub(super) tasks: Vec<Task>,
    /// The attempt that each begins with.
    pub(super) first_attempts: Vec<u32>,
    /// How many attempts a pair has.
    pub(super) attempts: u32,
    /// Whether a pair without an attempt left ends the call.
    pub(super) failure_is_fatal: bool,
    pub(super) keep: Keep,
}

/// The outcomes of an order, and what was dropped on the way, in the order of the tasks.
pub(super) struct Played {
    pub(super) outcomes: Vec<Outcome>,
    pub(super) dropped: Vec<DroppedPair>,
}

/// A call in progress.
struct Batch<G: Playable> {
    venue: Arc<Venue<G>>,
    order: Order,
    spare: Arc<Mutex<Vec<Players<G>>>>,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// Numbers of tasks to play, with their attempts.
    queue: VecDeque<(usize, u32)>,
    outcomes: Vec<Option<Outcome>>,
    open: usize,
    dropped: Vec<(usize, DroppedPair)>,
    /// A pair that ends the call.
    fatal: Option<DroppedPair>,
    /// Nothing more is taken from the queue.
    over: bool,
}

/// One thread's place. Where both are needed the state is locked first.
struct Seat<G: Playable>(Mutex<AtSeat<G>>);

struct AtSeat<G: Playable> {
    /// Number of the task that the thread has taken.
    number: Option<usize>,
    /// The game of it that is in play.
    in_play: Option<InPlay<G>>,
    /// The thread does not come back, or nobody listens when it does.
    given_up: bool,
}

/// The threads of a match.
pub(super) struct Crew<G: Playable> {
    threads: usize,
    /// How long a thread may go on after it was told to end its game.
    grace: Duration,
    pools: Vec<ThreadPool>,
    spare: Arc<Mutex<Vec<Players<G>>>>,
}

/// Nothing panics between two halves of a change of what is locked here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<G: Playable> Crew<G> {
    /// So many threads, made at the first use.
    pub(super) fn new(threads: usize, grace: Duration) -> Self {
        Self {
            threads,
            grace,
            pools: Vec::new(),
            spare: Arc::default(),
        }
    }

    /// Plays an order to its end.
    ///
    /// # Errors
    /// Interrupted by `stop`, a pair that failed too often, or no threads to be had.
    pub(super) fn play(
        &mut self,
        venue: &Arc<Venue<G>>,
        order: Order,
        stop: &AtomicBool,
    ) -> Result<Played, (EvaluationError, Vec<DroppedPair>)> {
        let count = order.tasks.len();
        let state = State {
            queue: (0..count)
                .zip(order.first_attempts.iter().copied())
                .collect(),
            outcomes: vec![None; count],
            open: count,
            dropped: Vec::new(),
            fatal: None,
            over: false,
        };
        let batch = Arc::new(Batch {
            venue: Arc::clone(venue),
            order,
            spare: Arc::clone(&self.spare),
            state: Mutex::new(state),
            changed: Condvar::new(),
        });
        let mut seats = Vec::new();
        for number in 0..self.threads.min(count) {
            if self.pools.len() == number {
                self.pools
                    .push(new_pool().map_err(|error| (error, Vec::new()))?);
            }
            seats.push(sit(&self.pools[number], &batch));
        }
        let ended = self.keep_watch(&batch, &mut seats, stop);
        let (outcomes, dropped) = batch.take();
        match ended {
            Ok(()) => Ok(Played {
                outcomes: outcomes.into_iter().flatten().collect(),
                dropped,
            }),
            Err(error) => Err((error, dropped)),
        }
    }

    /// Waits for the end of the batch, whatever its games do.
    fn keep_watch(
        &mut self,
        batch: &Arc<Batch<G>>,
        seats: &mut [Arc<Seat<G>>],
        stop: &AtomicBool,
    ) -> Result<(), EvaluationError> {
        let mut told: Vec<Option<Instant>> = vec![None; seats.len()];
        let mut looked = Instant::now();
        loop {
            let state = lock(&batch.state);
            if state.open == 0 {
                return Ok(());
            }
            if stop.load(Ordering::Relaxed) || state.fatal.is_some() {
                drop(state);
                break;
            }
            drop(batch.changed.wait_timeout(state, TICK));
            let passed = looked.elapsed().min(PASSING_MAX);
            looked = Instant::now();
            for (number, seat) in seats.iter_mut().enumerate() {
                let Some(late) = seat.in_play().filter(|it| it.is_late_after(passed)) else {
                    told[number] = None;
                    continue;
                };
                if told[number].get_or_insert_with(Instant::now).elapsed() < self.grace {
                    late.watch.signals().raise_stop();
                } else if batch.give_up(seat) {
                    told[number] = None;
                    self.pools[number] = new_pool()?;
                    *seat = sit(&self.pools[number], batch);
                }
            }
        }
        self.end_early(batch, seats)
    }

    /// Tells all games to stop, leaves behind the threads that do not, and says why.
    fn end_early(
        &mut self,
        batch: &Batch<G>,
        seats: &[Arc<Seat<G>>],
    ) -> Result<(), EvaluationError> {
        lock(&batch.state).over = true;
        let told = Instant::now();
        while seats.iter().any(|seat| seat.is_busy()) && told.elapsed() < self.grace {
            for in_play in seats.iter().filter_map(|seat| seat.in_play()) {
                in_play.watch.signals().raise_stop();
            }
            std::thread::sleep(TICK / 10);
        }
        let state = lock(&batch.state);
        for (number, seat) in seats.iter().enumerate() {
            if seat.is_busy() {
                lock(&seat.0).given_up = true;
                self.pools[number] = new_pool()?;
            }
        }
        let fatal = state
            .fatal
            .as_ref()
            .map(|dropped| EvaluationError::GameFailed {
                attempts: batch.order.attempts,
                dropped: Box::new(dropped.clone()),
            });
        Err(fatal.unwrap_or(EvaluationError::Interrupted))
    }
}

fn new_pool() -> Result<ThreadPool, EvaluationError> {
    let named = ThreadPoolBuilder::new().thread_name(|_| "games".to_owned());
    let pool = named.num_threads(1).build();
    pool.map_err(|error| EvaluationError::NoThreads(error.to_string()))
}

/// Lets the pool's thread work on the batch, from a new seat.
fn sit<G: Playable>(pool: &ThreadPool, batch: &Arc<Batch<G>>) -> Arc<Seat<G>> {
    let seat = Arc::new(Seat(Mutex::new(AtSeat {
        number: None,
        in_play: None,
        given_up: false,
    })));
    let (own, batch) = (Arc::clone(&seat), Arc::clone(batch));
    pool.spawn(move || batch.work(&own));
    seat
}

impl<G: Playable> Seat<G> {
    fn is_busy(&self) -> bool {
        lock(&self.0).number.is_some()
    }

    fn in_play(&self) -> Option<InPlay<G>> {
        lock(&self.0).in_play.clone()
    }
}

impl<G: Playable> Batch<G> {
    /// Plays pairs until none is left, as one thread does it.
    fn work(&self, seat: &Seat<G>) {
        let mut players = None;
        while let Some((number, attempt)) = self.take_task(seat) {
            let task = &self.order.tasks[number];
            let own = players
                .take()
                .or_else(|| lock(&self.spare).pop())
                .unwrap_or_else(|| Players::new(&self.venue, task));
            let (played, own) = self.play_pair(own, task, attempt, seat);
            let mut state = lock(&self.state);
            let mut at_seat = lock(&seat.0);
            (at_seat.number, at_seat.in_play) = (None, None);
            if at_seat.given_up {
                // The pair is somebody else's by now.
                return;
            }
            match played {
                Ok(outcome) => state.close(number, outcome),
                // Told to stop for a move that was over just then: the pair is played once more,
                // to the same result. Where all are told to stop nothing is taken any more.
                Err(NoResult::Interrupted) => state.queue.push_front((number, attempt)),
                Err(NoResult::Dropped(dropped)) => self.drop_pair(&mut state, number, *dropped),
            }
            players = own;
            if state.open == 0 || state.fatal.is_some() {
                self.changed.notify_one();
            }
        }
        lock(&self.spare).extend(players);
    }

    fn take_task(&self, seat: &Seat<G>) -> Option<(usize, u32)> {
        let mut state = lock(&self.state);
        if state.over {
            return None;
        }
        let task = state.queue.pop_front()?;
        lock(&seat.0).number = Some(task.0);
        Some(task)
    }

    /// Plays the games of a pair. The players come back unless a game of theirs failed: bots that
    /// panicked or were stopped are not used again.
    fn play_pair(
        &self,
        mut players: Players<G>,
        task: &Task,
        attempt: u32,
        seat: &Seat<G>,
    ) -> (Result<Outcome, NoResult>, Option<Players<G>>) {
        let mut outcome = Outcome {
            points: Vec::new(),
            records: Vec::new(),
            attempts: attempt,
            failed: None,
        };
        for game in 0..task.games() {
            let in_play = self.venue.open(task, attempt, game);
            lock(&seat.0).in_play = Some(in_play.clone());
            let record = match self.venue.play(&mut players, &in_play) {
                Ok(record) => record,
                Err(no_result) => return (Err(no_result), None),
            };
            outcome
                .points
                .push(super::points_of_a(record.outcome, game));
            if self.order.keep == Keep::Records {
                outcome.records.push(G::any(record));
            }
        }
        (Ok(outcome), Some(players))
    }

    /// Takes a pair away from a thread that does not come back; false if it has come back by now.
    fn give_up(&self, seat: &Seat<G>) -> bool {
        let mut state = lock(&self.state);
        let mut at_seat = lock(&seat.0);
        let (Some(number), Some(in_play)) = (at_seat.number, at_seat.in_play.take()) else {
            return false;
        };
        at_seat.given_up = true;
        self.drop_pair(&mut state, number, self.venue.hung(&in_play));
        true
    }

    /// Notes a dropped pair, and queues it again while attempts are left.
    fn drop_pair(&self, state: &mut State, number: usize, dropped: DroppedPair) {
        let begun = self.order.first_attempts[number];
        let attempts = dropped.attempt + 1 - begun;
        tracing::warn!(%dropped, "a game failed; its pair is dropped");
        state.dropped.push((number, dropped.clone()));
        if attempts < self.order.attempts {
            state.queue.push_front((number, begun + attempts));
        } else if self.order.failure_is_fatal {
            state.fatal.get_or_insert(dropped);
            state.over = true;
        } else {
            let outcome = Outcome {
                points: Vec::new(),
                records: Vec::new(),
                attempts: begun + attempts,
                failed: Some(dropped),
            };
            state.close(number, outcome);
        }
    }

    /// What there is at the end of a batch.
    fn take(&self) -> (Vec<Option<Outcome>>, Vec<DroppedPair>) {
        let mut state = lock(&self.state);
        let outcomes = std::mem::take(&mut state.outcomes);
        let mut dropped = std::mem::take(&mut state.dropped);
        dropped.sort_by_key(|(number, dropped)| (*number, dropped.attempt));
        let dropped = dropped.into_iter().map(|(_, dropped)| dropped).collect();
        (outcomes, dropped)
    }
}

impl State {
    fn close(&mut self, number: usize, outcome: Outcome) {
        self.outcomes[number] = Some(outcome);
        self.open -= 1;
    }
}

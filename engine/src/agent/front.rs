//! A front that cannot hang: it always answers with a legal move, whatever its bot does.
//!
//! The bot works in a thread of its own. A move that is not there at its deadline is asked to come
//! to its end; one that is still missing after a grace is given up, with its thread, and a fresh
//! bot is asked, once. Failing that too, the answer is the best move that the abandoned searches
//! published, or else the first legal one. (The source's front end sends the position again when
//! its parallel back end does not answer in time.)

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use super::bot::Bot;
use super::signals::Signals;
use super::time::{MonotonicTime, TimeSource};
use super::{Choice, Found};
use crate::eval::Work;
use crate::game::Position;
use crate::stream::Stream;

/// How often a move is asked for, each time of another bot.
const ASKINGS: usize = 2;
/// How often the front looks whether it is itself told to stop.
const TICK: Duration = Duration::from_millis(20);

/// Makes a bot; the argument is what the moves of the game have taken so far, for a bot that has
/// to make do with the rest of a game's time.
pub type MakeBot<P> = Box<dyn Fn(Duration) -> Box<dyn Bot<P> + Send> + Send>;

/// How long a front waits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// For a move, before it asks the search to come to its end.
    pub deadline: Duration,
    /// After that, before it gives the search up.
    pub grace: Duration,
}

/// Where a front's move comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// From a search that ended by itself.
    Search,
    /// From a search that ended when it was told to, at its deadline.
    CutShort,
    /// From a search that did not end: the best move that it had published.
    BestSoFar,
    /// From nobody: the first legal move.
    FirstLegal,
}

/// What a bot did wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// It answered only when it was told to come to its end.
    Late,
    /// It did not answer even then; its thread was given up.
    Silent,
    /// It panicked.
    Panicked,
    /// It chose a move that the rules refuse; the move as its type shows itself.
    Illegal(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Late => f.write_str("the search had to be stopped at its deadline"),
            Trouble::Silent => f.write_str("the search did not answer and was given up"),
            Trouble::Panicked => f.write_str("the search failed with a panic"),
            Trouble::Illegal(mv) => write!(f, "the search chose the illegal move {mv}"),
        }
    }
}

/// A move of a front.
#[derive(Clone, Debug)]
pub struct FrontMove<M> {
    /// The move; [`Found::Unfinished`] where no search has answered.
    pub choice: Choice<M>,
    /// Where it comes from.
    pub source: Source,
    /// What went wrong before, in order; empty as a rule.
    pub troubles: Vec<Trouble>,
}

impl<M> fmt::Display for FrontMove<M> {
    /// What went wrong and where the move comes from, for people; nothing if nothing did.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.troubles.is_empty() {
            return Ok(());
        }
        let troubles: Vec<String> = self.troubles.iter().map(ToString::to_string).collect();
        let source = match self.source {
            Source::Search => "the move is that of a fresh search",
            Source::CutShort => "the move is what it had found by then",
            Source::BestSoFar => "the move is the best that was known of it",
            Source::FirstLegal => "nothing is known of it: the move is the first legal one",
        };
        write!(f, "{}; {source}", troubles.join("; then "))
    }
}

enum Request<P> {
    NewGame,
    PlaysExactly(P),
    Choose(P, Stream, Arc<Signals>),
}

enum Reply<M> {
    PlaysExactly(bool),
    Chosen(Box<Choice<M>>, Stream),
}

/// A bot in a thread of its own. Dropped, it leaves the thread to itself: one that never comes back
/// keeps its memory, and one that does finds that nobody listens and ends.
struct Worker<P: Position> {
    requests: Sender<Request<P>>,
    replies: Receiver<Reply<P::Move>>,
}

/// Why there is no answer.
struct Unanswered {
    trouble: Trouble,
    /// Place among the legal moves of the best move so far.
    best: Option<usize>,
}

/// The front.
pub struct Front<P: Position> {
    make: MakeBot<P>,
    patience: Patience,
    time: MonotonicTime,
    worker: Option<Worker<P>>,
    /// What the moves of this game have taken.
    spent: Duration,
    /// Moves of this game with troubles, by ply.
    troubled: Vec<(u16, FrontMove<P::Move>)>,
}

impl<P> Front<P>
where
    P: Position + Send + 'static,
    P::Move: Send + 'static,
{
    /// A front for the bots that `make` makes.
    pub fn new(make: MakeBot<P>, patience: Patience) -> Self {
        Self {
            make,
            patience,
            time: MonotonicTime::default(),
            worker: None,
            spent: Duration::ZERO,
            troubled: Vec::new(),
        }
    }

    /// A legal move, within twice the deadline and the grace. Precondition: the game is not over.
    pub fn choose(&mut self, position: &P, stream: &mut Stream) -> FrontMove<P::Move> {
        self.choose_until(position, stream, &Signals::default())
    }

    /// The moves of this game that went wrong in some way, with their plies.
    pub fn troubled(&self) -> &[(u16, FrontMove<P::Move>)] {
        &self.troubled
    }

    fn choose_until(
        &mut self,
        position: &P,
        stream: &mut Stream,
        outer: &Signals,
    ) -> FrontMove<P::Move> {
        let begun = self.time.now();
        let chosen = self.ask_twice(position, stream, outer);
        self.spent += self.time.now().saturating_sub(begun);
        if !chosen.troubles.is_empty() {
            self.troubled.push((position.ply(), chosen.clone()));
        }
        chosen
    }

    fn ask_twice(
        &mut self,
        position: &P,
        stream: &mut Stream,
        outer: &Signals,
    ) -> FrontMove<P::Move> {
        let mut troubles = Vec::new();
        let mut best = None;
        for _ in 0..ASKINGS {
            match self.ask(position, stream, outer) {
                Ok((choice, source)) => {
                    if source == Source::CutShort {
                        troubles.push(Trouble::Late);
                    }
                    return FrontMove {
                        choice,
                        source,
                        troubles,
                    };
                }
                Err(unanswered) => {
                    self.worker = None;
                    best = unanswered.best.or(best);
                    troubles.push(unanswered.trouble);
                }
            }
        }
        let mut legal = Vec::new();
        position.legal_moves(&mut legal);
        let best = best.and_then(|place| legal.get(place));
        let source = match best {
            Some(_) => Source::BestSoFar,
            None => Source::FirstLegal,
        };
        let choice = Choice {
            stage: 0,
            work: Work::default(),
            found: Found::Unfinished(*best.unwrap_or(&legal[0])),
        };
        FrontMove {
            choice,
            source,
            troubles,
        }
    }

    /// Asks the worker, a fresh one if there is none.
    fn ask(
        &mut self,
        position: &P,
        stream: &mut Stream,
        outer: &Signals,
    ) -> Result<(Choice<P::Move>, Source), Unanswered> {
        let signals = Arc::new(Signals::default());
        let request = Request::Choose(position.clone(), stream.clone(), Arc::clone(&signals));
        let patience = self.patience;
        let reply = self.send(request).and_then(|()| {
            let reply = self.wait(patience.deadline, outer, &signals)?;
            if let Some(reply) = reply {
                return Ok((reply, Source::Search));
            }
            signals.raise_stop();
            let late = self.wait(patience.grace, &Signals::default(), &signals)?;
            late.map(|reply| (reply, Source::CutShort))
                .ok_or(Trouble::Silent)
        });
        let unanswered = |trouble| Unanswered {
            trouble,
            best: signals.best(),
        };
        match reply.map_err(unanswered)? {
            (Reply::Chosen(choice, after), source) if position.is_legal(choice.mv()) => {
                *stream = after;
                Ok((*choice, source))
            }
            (Reply::Chosen(choice, _), _) => {
                let mv = format!("{:?}", choice.mv());
                Err(unanswered(Trouble::Illegal(mv)))
            }
            (Reply::PlaysExactly(_), _) => unreachable!("replies come in the order of requests"),
        }
    }

    fn send(&mut self, request: Request<P>) -> Result<(), Trouble> {
        let (make, spent) = (&self.make, self.spent);
        let worker = self.worker.get_or_insert_with(|| start(make(spent)));
        worker.requests.send(request).map_err(|_| Trouble::Panicked)
    }

    /// The worker's reply, or None when there is none after `limit` or once `outer` says stop.
    fn wait(
        &self,
        limit: Duration,
        outer: &Signals,
        inner: &Signals,
    ) -> Result<Option<Reply<P::Move>>, Trouble> {
        let worker = self.worker.as_ref().ok_or(Trouble::Panicked)?;
        let begun = self.time.now();
        loop {
            let left = limit.saturating_sub(self.time.now().saturating_sub(begun));
            match worker.replies.recv_timeout(left.min(TICK)) {
                Ok(reply) => return Ok(Some(reply)),
                Err(RecvTimeoutError::Disconnected) => return Err(Trouble::Panicked),
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(best) = inner.best() {
                        outer.publish_best(best);
                    }
                    if left.is_zero() || outer.is_stopped() {
                        return Ok(None);
                    }
                }
            }
        }
    }
}

/// Starts a worker with this bot.
fn start<P>(mut bot: Box<dyn Bot<P> + Send>) -> Worker<P>
where
    P: Position + Send + 'static,
    P::Move: Send + 'static,
{
    let (requests, inbox) = channel::<Request<P>>();
    let (outbox, replies) = channel();
    let work = move || {
        for request in inbox {
            let reply = match request {
                Request::NewGame => {
                    bot.new_game();
                    continue;
                }
                Request::PlaysExactly(position) => {
                    Reply::PlaysExactly(bot.plays_exactly(&position))
                }
                Request::Choose(position, mut stream, signals) => {
                    let choice = bot.choose_move(&position, &mut stream, &signals);
                    Reply::Chosen(Box::new(choice), stream)
                }
            };
            if outbox.send(reply).is_err() {
                break;
            }
        }
    };
    // Where no thread can be made the channels are closed, and that is answered as a panic is.
    let started = thread::Builder::new().name("bot".to_owned()).spawn(work);
    drop(started);
    Worker { requests, replies }
}

impl<P> Bot<P> for Front<P>
where
    P: Position + Send + 'static,
    P::Move: Send + 'static,
{
    fn new_game(&mut self) {
        self.spent = Duration::ZERO;
        self.troubled.clear();
        if self.worker.is_some() && self.send(Request::NewGame).is_err() {
            self.worker = None;
        }
    }

    /// Not where the bot does not answer this in time either.
    fn plays_exactly(&mut self, position: &P) -> bool {
        let (deadline, never) = (self.patience.deadline, Signals::default());
        let reply = self
            .send(Request::PlaysExactly(position.clone()))
            .and_then(|()| self.wait(deadline, &never, &never));
        if let Ok(Some(Reply::PlaysExactly(answer))) = reply {
            return answer;
        }
        self.worker = None;
        false
    }

    fn choose_move(
        &mut self,
        position: &P,
        stream: &mut Stream,
        signals: &Signals,
    ) -> Choice<P::Move> {
        self.choose_until(position, stream, signals).choice
    }
}

//! Learners behind one ask-and-tell contract. A learner knows vectors and scores: no games, no
//! files, no threads.

pub mod learner;
pub mod paper;
mod pilot;
mod pool;
pub mod pooled;
pub mod q_tree;
pub mod random;
pub mod rspsa;
pub mod settings;
mod sides;
pub mod spsa;
mod tail;
pub mod tree;
pub mod tree_view;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::space::Vector;
use crate::trial::{Colours, EditPath, RoundSummary, TrialResult};
use tree_view::TreeView;

/// A mini-match that a learner wants played.
#[derive(Clone, PartialEq, Debug)]
pub struct Proposal {
    /// The edit path that led to `a`. None of a learner without a tree.
    pub path: Option<EditPath>,
    /// The vector whose score is the result.
    pub a: Vector,
    /// Its opponent.
    pub b: Vector,
    /// Who sits where.
    pub colours: Colours,
    /// Number of games; even when [`Colours::Paired`].
    pub games: u32,
}

/// What a learner wants next.
#[derive(Clone, PartialEq, Debug)]
pub enum Ask {
    /// These proposals, at least one; each is to be told, in this order, before the next ask.
    Play(Vec<Proposal>),
    /// Nothing: a round is over; its incumbent is in force and the next ask starts a new round.
    RoundFinished(RoundSummary),
    /// Nothing, now or later: the learner has nothing more to gain. Its last round is closed.
    Exhausted,
}

/// A learner. Deterministic: all randomness comes from streams keyed by the run's seed and the
/// learner's own counters, so equal tells lead to equal asks.
pub trait Optimiser: Send {
    /// Up to `limit` (at least 1) proposals, or the end of the round or of the tuning.
    fn ask(&mut self, limit: usize) -> Ask;

    /// The result of the next proposal of the last ask.
    fn tell(&mut self, result: &TrialResult);

    /// Ends the round early, as when the games of the run are used up. Proposals of the last ask
    /// that have not been told are dropped.
    fn finish_round(&mut self) -> RoundSummary;

    /// Makes the last move earlier than the budget asks for it, as a round without games: the
    /// tuning ends after it. None of a learner whose rounds all end alike, which then has nothing
    /// left to do. Precondition: a round is over, and no proposal is open.
    fn land(&mut self) -> Option<RoundSummary> {
        None
    }

    /// The parameters in force.
    fn incumbent(&self) -> &Vector;

    /// The round in progress, from 0.
    fn round(&self) -> u32;

    /// The tree in progress, to look at; None of a learner without one.
    fn tree(&self) -> Option<TreeView> {
        None
    }

    /// The tree that decided the last round, to look at, where it is not that of just before
    /// [`Optimiser::finish_round`]. It is no part of the state: None after a restoration.
    fn decided_tree(&self) -> Option<TreeView> {
        None
    }

    /// The whole state, for a checkpoint. Precondition: every proposal has been told.
    fn snapshot(&self) -> serde_json::Value;

    /// Takes over a state that [`Optimiser::snapshot`] gave under the same settings.
    ///
    /// # Errors
    /// A value that is no such state; the learner is unchanged.
    fn restore(&mut self, state: &serde_json::Value) -> Result<(), SnapshotError>;
}

/// The snapshot of a learner whose state is `state`. Precondition: no proposal is open.
fn snapshot_of(all_told: bool, state: &impl Serialize) -> serde_json::Value {
    assert!(all_told, "every proposal is told before a snapshot");
    serde_json::to_value(state).expect("the state is plain numbers and text")
}

/// A stored state of the learner `name`.
fn stored_state<S: DeserializeOwned>(
    state: &serde_json::Value,
    name: &str,
) -> Result<S, SnapshotError> {
    let refuse = |reason: String| SnapshotError { reason };
    match state.get("learner").and_then(serde_json::Value::as_str) {
        Some(other) if other != name => {
            let reason = format!("it is of the learner {other:?}, not {name:?}");
            Err(refuse(reason))
        }
        _ => S::deserialize(state).map_err(|error| refuse(error.to_string())),
    }
}

/// A checkpoint's learner state that cannot be taken over.
#[derive(Debug, thiserror::Error)]
#[error("the learner state does not fit: {reason}")]
pub struct SnapshotError {
    /// What does not fit.
    pub reason: String,
}

//! What plays a game, whatever it is.

use super::{Agent, Choice, Signals};
use crate::eval::Knowledge;
use crate::game::Position;
use crate::stream::Stream;

/// What plays a game (a "bot" in OpenSpiel's words). An [`Agent`] is the bot that is a configured
/// engine; a [`Front`](super::Front) is one that cannot hang; tests have some that misbehave.
pub trait Bot<P: Position> {
    /// Forgets everything of earlier games.
    fn new_game(&mut self);

    /// Whether it would play exactly here, so that a proof may stand for the rest of the game.
    fn plays_exactly(&mut self, position: &P) -> bool;

    /// Chooses a move; told to stop, it should answer soon with the best it has. Precondition: the
    /// game is not over.
    fn choose_move(
        &mut self,
        position: &P,
        stream: &mut Stream,
        signals: &Signals,
    ) -> Choice<P::Move>;
}

impl<P: Position, K: Knowledge<P>> Bot<P> for Agent<P, K> {
    fn new_game(&mut self) {
        Agent::new_game(self);
    }

    fn plays_exactly(&mut self, position: &P) -> bool {
        Agent::plays_exactly(self, position)
    }

    fn choose_move(
        &mut self,
        position: &P,
        stream: &mut Stream,
        signals: &Signals,
    ) -> Choice<P::Move> {
        self.choose_signalled(position, stream, signals)
    }
}

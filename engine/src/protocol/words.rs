//! How a game is told to people, where games differ: what their moves and results are called.

use crate::game::{Outcome, Player};
use crate::games::{Amazons, DotsAndBoxes};

/// The words of a game.
pub trait Words {
    /// What the prompt answers to `help`.
    const HELP: &'static str;
    /// What its moves are called, several of them.
    const MOVES: &'static str;
    /// What it means that a game is over.
    const OVER: &'static str;
    /// Whether a line of a game has a whole turn, otherwise a move.
    const WHOLE_TURNS: bool;

    /// A remaining value for the side to move.
    fn value(value: i16) -> String;

    /// The result of a game with this final margin of First's, a sentence.
    fn result(margin: i32) -> String;
}

impl Words for DotsAndBoxes {
    const HELP: &'static str = "\
Type a whole turn: edges by id or by place, up to the first that completes no box,
for example `h0,1` or `17 h2,3 v0,0`. Other commands:
  board   draw the board        moves   list the legal edges
  help    show this             quit    leave";
    const MOVES: &'static str = "edges";
    const OVER: &'static str = "every edge is drawn";
    const WHOLE_TURNS: bool = false;

    fn value(value: i16) -> String {
        format!("{value:+} over the boxes left")
    }

    fn result(margin: i32) -> String {
        match Outcome::from_margin(margin) {
            Outcome::Win(player) => format!("{player} wins by {}.", margin.abs()),
            Outcome::Draw => "A draw.".to_owned(),
        }
    }
}

impl Words for Amazons {
    const HELP: &'static str = "\
Type a whole turn: from, to and arrow, for example `d1-d7/g7` or `d1d7g7`. Where an amazon has
moved and has to shoot, the arrow alone: `/g7`.
First's amazons are Q, Second's are q, arrows are *. Other commands:
  board   draw the board        moves   list where the amazons can go
  help    show this             quit    leave";
    const MOVES: &'static str = "half-moves";
    const OVER: &'static str = "the side to move has no move";
    const WHOLE_TURNS: bool = true;

    fn value(value: i16) -> String {
        if value > 0 { "win" } else { "loss" }.to_owned()
    }

    fn result(margin: i32) -> String {
        let winner = match margin {
            1.. => Player::First,
            _ => Player::Second,
        };
        format!("{winner} wins.")
    }
}

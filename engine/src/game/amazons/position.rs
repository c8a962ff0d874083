//! A position of the Amazons.

use std::fmt;

use super::board::{Board, Square, each};
use super::reach::{queen_reach, widened};
use super::{fen, keys, notation};
use crate::game::{NotationError, Outcome, Player, Position};

/// One half of a turn. Both halves name where they start, so that each can be taken back alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum HalfMove {
    /// An amazon goes from a square to another. The same player shoots next.
    Walk {
        /// Where it stood.
        from: Square,
        /// Where it goes.
        to: Square,
    },
    /// The amazon that has just moved shoots, which ends the turn.
    Shot {
        /// Where the amazon stands.
        from: Square,
        /// Where the arrow stays.
        at: Square,
    },
}

/// A position: amazons, arrows, side to move, and which amazon has to shoot. 64 bytes, copied
/// freely.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Amazons {
    amazons: [u128; 2],
    empty: u128,
    key: u64,
    turns: u16,
    clock: u16,
    board: Board,
    shooter: Option<Square>,
    to_move: Player,
}

/// Everything that a position does not derive from the rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    pub(super) board: Board,
    pub(super) amazons: [u128; 2],
    pub(super) arrows: u128,
    pub(super) to_move: Player,
    pub(super) shooter: Option<Square>,
    pub(super) turns: u16,
    pub(super) clock: u16,
}

impl Amazons {
    /// The start of a game, First to move; `None` on boards without a usual start
    /// ([`Board::start`]).
    pub fn start(board: Board) -> Option<Amazons> {
        let amazons = board.start()?;
        Some(Amazons::placed(&Placement {
            board,
            amazons,
            arrows: 0,
            to_move: Player::First,
            shooter: None,
            turns: 0,
            clock: 0,
        }))
    }

    /// Reads a position in the notation of Fairy-Stockfish, `RANKS SIDE - SHOOTER CLOCK NUMBER`:
    /// ranks from the top, `Q` an amazon of First (`w`), `q` of Second (`b`), `*` an arrow, numbers
    /// for empty squares; the shooter is `-` but between the halves of a turn, which is ours: the
    /// square of the amazon that has to shoot.
    ///
    /// # Errors
    /// Any other text; the error names the wrong part and what is allowed.
    pub fn from_text(text: &str) -> Result<Amazons, NotationError> {
        fen::parse(text)
    }

    /// Precondition: the sets are disjoint and on the board, the shooter is one of the mover's and
    /// has an empty square beside it.
    pub(super) fn placed(placement: &Placement) -> Amazons {
        let Placement {
            board,
            amazons,
            arrows,
            ..
        } = *placement;
        Amazons {
            amazons,
            empty: board.squares() & !(amazons[0] | amazons[1] | arrows),
            key: key_of(placement),
            turns: placement.turns,
            clock: placement.clock,
            board,
            shooter: placement.shooter,
            to_move: placement.to_move,
        }
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> Board {
        self.board
    }

    /// The squares of a player's amazons.
    #[inline]
    pub fn amazons(&self, player: Player) -> u128 {
        self.amazons[player.index()]
    }

    /// The squares with nothing on them.
    #[inline]
    pub fn empty(&self) -> u128 {
        self.empty
    }

    /// The squares with arrows.
    #[inline]
    pub fn arrows(&self) -> u128 {
        self.board.squares() & !(self.empty | self.amazons[0] | self.amazons[1])
    }

    /// Between the halves of a turn, the amazon that has to shoot.
    #[inline]
    pub fn shooter(&self) -> Option<Square> {
        self.shooter
    }

    /// Whole turns since the start of the game, as its text counts them.
    #[inline]
    pub fn turns(&self) -> u16 {
        self.turns
    }

    /// Turns without a capture, as other programs count them: nothing ever is captured.
    pub(super) fn clock(&self) -> u16 {
        self.clock
    }

    /// Takes back a half-move. Precondition: it is the one that led here.
    #[inline]
    pub fn undo(&mut self, mv: HalfMove) {
        match mv {
            HalfMove::Walk { from, to } => {
                debug_assert!(self.shooter == Some(to), "{mv:?} did not lead to {self}");
                self.shooter = None;
                self.key ^= keys::shooter(to);
                self.carry(from, to);
            }
            HalfMove::Shot { from, at } => {
                let mine = self.amazons(self.to_move.other());
                let fits = self.shooter.is_none() && self.arrows() & at.mask() != 0;
                debug_assert!(
                    fits && mine & from.mask() != 0,
                    "{mv:?} did not lead to {self}"
                );
                self.pass();
                self.turns -= 1;
                self.clock -= 1;
                self.empty ^= at.mask();
                self.shooter = Some(from);
                self.key ^= keys::arrow(at) ^ keys::shooter(from);
            }
        }
    }

    /// Swaps an amazon of the side to move and the lack of one.
    #[inline]
    fn carry(&mut self, from: Square, to: Square) {
        let both = from.mask() | to.mask();
        self.amazons[self.to_move.index()] ^= both;
        self.empty ^= both;
        self.key ^= keys::amazon(self.to_move, from) ^ keys::amazon(self.to_move, to);
    }

    #[inline]
    fn pass(&mut self) {
        self.to_move = self.to_move.other();
        self.key ^= keys::SECOND_TO_MOVE;
    }

    /// Whether the side to move has no half-move left, which can only be between turns.
    #[inline]
    fn is_over(&self) -> bool {
        self.shooter.is_none() && widened(self.amazons(self.to_move)) & self.empty == 0
    }
}

fn key_of(placement: &Placement) -> u64 {
    let amazons = Player::ALL.iter().flat_map(|&player| {
        each(placement.amazons[player.index()]).map(move |square| keys::amazon(player, square))
    });
    let arrows = each(placement.arrows).map(keys::arrow);
    let shooter = placement.shooter.map(keys::shooter);
    let start = match placement.to_move {
        Player::First => keys::board(placement.board),
        Player::Second => keys::board(placement.board) ^ keys::SECOND_TO_MOVE,
    };
    amazons
        .chain(arrows)
        .chain(shooter)
        .fold(start, |key, word| key ^ word)
}

impl Position for Amazons {
    type Move = HalfMove;

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.is_over().then(|| Outcome::Win(self.to_move.other()))
    }

    /// Nothing before the end, one point for the winner.
    #[inline]
    fn margin(&self) -> i32 {
        if self.is_over() {
            self.to_move.other().sign()
        } else {
            0
        }
    }

    fn margin_limit(&self) -> i32 {
        1
    }

    fn legal_moves(&self, out: &mut Vec<HalfMove>) {
        if let Some(from) = self.shooter {
            let squares = each(queen_reach(from, self.empty));
            out.extend(squares.map(|at| HalfMove::Shot { from, at }));
            return;
        }
        for from in each(self.amazons(self.to_move)) {
            let squares = each(queen_reach(from, self.empty));
            out.extend(squares.map(|to| HalfMove::Walk { from, to }));
        }
    }

    #[inline]
    fn is_legal(&self, mv: HalfMove) -> bool {
        let (may_start, from, target) = match mv {
            HalfMove::Walk { from, to } => {
                let mine = self.amazons(self.to_move) & from.mask() != 0;
                (self.shooter.is_none() && mine, from, to)
            }
            HalfMove::Shot { from, at } => (self.shooter == Some(from), from, at),
        };
        may_start && queen_reach(from, self.empty) & target.mask() != 0
    }

    #[inline]
    fn play(&mut self, mv: HalfMove) {
        debug_assert!(self.is_legal(mv), "{mv:?} is not legal in {self}");
        match mv {
            HalfMove::Walk { from, to } => {
                self.carry(from, to);
                self.shooter = Some(to);
                self.key ^= keys::shooter(to);
            }
            HalfMove::Shot { from, at } => {
                self.empty ^= at.mask();
                self.shooter = None;
                self.key ^= keys::arrow(at) ^ keys::shooter(from);
                self.pass();
                self.turns += 1;
                self.clock += 1;
            }
        }
    }

    /// Half-moves, two a turn.
    fn ply(&self) -> u16 {
        2 * self.turns + u16::from(self.shooter.is_some())
    }

    /// The counters of turns do not count: they never tell apart positions of one game.
    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn parse_turn(&self, text: &str) -> Result<Vec<HalfMove>, NotationError> {
        notation::parse_turn(self, text)
    }

    fn format_turn(&self, turn: &[HalfMove]) -> String {
        notation::format_turn(turn)
    }
}

impl fmt::Debug for Amazons {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Amazons({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Amazons {
        Amazons::from_text(text).expect("a position")
    }

    fn played(text: &str, turns: &[&str]) -> Amazons {
        let mut position = position(text);
        for turn in turns {
            let moves = position.parse_turn(turn).expect("a legal turn");
            moves.into_iter().for_each(|mv| position.play(mv));
        }
        position
    }

    #[test]
    fn positions_are_one_cache_line() {
        assert_eq!(size_of::<Amazons>(), 64);
    }

    #[test]
    fn a_turn_is_a_walk_and_a_shot_of_the_same_player() {
        let mut position = position("4/q3/4/Q3 w - - 0 1");
        let turn = position.parse_turn("a1-a2/a1").expect("a turn");
        position.play(turn[0]);
        assert_eq!((position.to_move(), position.ply()), (Player::First, 1));
        assert_eq!(position.outcome(), None);
        position.play(turn[1]);
        assert_eq!((position.to_move(), position.ply()), (Player::Second, 2));
        assert_eq!(position.to_string(), "4/q3/Q3/*3 b - - 1 1");
    }

    #[test]
    fn who_cannot_move_has_lost() {
        let over = position("q*/** b - - 0 1");
        assert_eq!(over.outcome(), Some(Outcome::Win(Player::First)));
        assert_eq!(over.margin(), 1);
        let open = played("Qq/2 w - - 0 1", &["a2-a1/a2"]);
        assert_eq!(open.outcome(), None);
        // Nobody may pass: an amazon that is shut in does not help.
        let over = position("Q*q/**1 w - - 0 1");
        assert_eq!(over.outcome(), Some(Outcome::Win(Player::Second)));
        assert_eq!(over.margin(), -1);
    }

    #[test]
    fn the_arrow_may_land_where_the_amazon_came_from() {
        let after = played("Q1/*q w - - 0 1", &["a2-b2/a2"]);
        assert_eq!(after.to_string(), "*Q/*q b - - 1 1");
        assert_eq!(after.outcome(), Some(Outcome::Win(Player::First)));
    }

    #[test]
    fn equal_positions_have_equal_keys_whatever_led_to_them() {
        let one = played(
            "5/q4/5/5/Q3Q w - - 0 1",
            &["a1-b1/c1", "a4-a5/b5", "e1-e2/e1"],
        );
        let other = played(
            "5/q4/5/5/Q3Q w - - 0 1",
            &["e1-e2/e1", "a4-a5/b5", "a1-b1/c1"],
        );
        assert_eq!((one, one.key()), (other, other.key()));
        let mirror = position("5/q4/5/5/Q3Q b - - 0 1");
        assert_ne!(mirror.key(), position("5/q4/5/5/Q3Q w - - 0 1").key());
    }
}

//! A position of Dots and Boxes.

use std::fmt;

use super::board::{Board, Edge};
use super::validate;
use crate::game::{NotationError, Outcome, Player, Position};

/// How many sides of every box are drawn, as nested sets of boxes: one word operation answers a
/// question about all boxes at once. Wholly determined by the drawn edges.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Sides {
    /// Boxes with at least one side drawn.
    pub one: u32,
    /// Boxes with at least two sides drawn.
    pub two: u32,
    /// Boxes with at least three sides drawn.
    pub three: u32,
    /// Boxes with all four sides drawn.
    pub four: u32,
}

impl Sides {
    /// Adds a side to each of these boxes and returns those thereby completed.
    #[inline]
    pub fn add(&mut self, boxes: u32) -> u32 {
        let completed = self.three & boxes;
        self.four |= completed;
        self.three |= self.two & boxes;
        self.two |= self.one & boxes;
        self.one |= boxes;
        completed
    }
}

/// A position: drawn edges, boxes of each player, side to move. 48 bytes, copied freely.
///
/// A position *for analysis* may have completed boxes that count for nobody
/// ([`Dots::uncounted`]): then the margin counts only boxes completed from there on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Dots {
    board: &'static Board,
    drawn: u64,
    sides: Sides,
    taken: [u8; 2],
    to_move: Player,
}

impl Dots {
    /// The empty board, First to move.
    pub fn new(board: &'static Board) -> Dots {
        Dots::for_analysis(board, 0)
    }

    /// First to move, 0-0, these edges drawn; boxes already complete count for nobody.
    /// Edges beyond the board are ignored.
    pub fn for_analysis(board: &'static Board, drawn: u64) -> Dots {
        let drawn = drawn & board.all_edges();
        Dots {
            board,
            drawn,
            sides: validate::sides(board, drawn),
            taken: [0, 0],
            to_move: Player::First,
        }
    }

    /// A position with boxes `taken` by First and Second; `None` if they have more boxes than are
    /// complete. Boxes complete beyond those count for nobody.
    pub fn with_score(
        board: &'static Board,
        drawn: u64,
        taken: [u8; 2],
        to_move: Player,
    ) -> Option<Dots> {
        let position = Dots {
            taken,
            to_move,
            ..Dots::for_analysis(board, drawn)
        };
        (position.boxes_taken() <= position.boxes_complete()).then_some(position)
    }

    /// The board.
    #[inline]
    pub fn board(&self) -> &'static Board {
        self.board
    }

    /// The drawn edges, bit *e* for edge *e*.
    #[inline]
    pub fn drawn(&self) -> u64 {
        self.drawn
    }

    /// The edges not drawn yet.
    #[inline]
    pub fn open(&self) -> u64 {
        self.board.all_edges() & !self.drawn
    }

    /// Drawn sides of all boxes.
    #[inline]
    pub fn sides(&self) -> Sides {
        self.sides
    }

    /// Boxes of a player so far.
    #[inline]
    pub fn taken(&self, player: Player) -> u8 {
        self.taken[player.index()]
    }

    /// Boxes not complete yet.
    #[inline]
    pub fn boxes_open(&self) -> u32 {
        self.board.boxes() as u32 - self.boxes_complete()
    }

    /// Boxes complete that count for nobody; 0 but for positions for analysis.
    pub fn uncounted(&self) -> u32 {
        self.boxes_complete() - self.boxes_taken()
    }

    /// Open edges that complete a box.
    #[inline]
    pub fn capturing(&self) -> u64 {
        self.board.edges_around(self.sides.three & !self.sides.four) & self.open()
    }

    /// Open edges both of whose boxes have at most one side drawn: drawing one gives nothing.
    #[inline]
    pub fn neutral(&self) -> u64 {
        !self.board.edges_around(self.sides.two) & self.open()
    }

    /// Plays an open edge if that gives nothing, else leaves the position as it is. For long runs
    /// of edges of which nobody can guess which ones give: there is no branch to mispredict.
    /// Precondition: no box can be captured.
    #[inline]
    pub fn play_if_neutral(&mut self, edge: Edge) {
        debug_assert!(
            self.is_legal(edge),
            "{edge:?} is not an open edge of {self}"
        );
        debug_assert!(self.capturing() == 0, "a box of {self} can be captured");
        let boxes = self.board.boxes_beside(edge);
        let is_neutral = boxes & self.sides.two == 0;
        let boxes = boxes & 0u32.wrapping_sub(u32::from(is_neutral));
        self.drawn |= u64::from(is_neutral) << edge.0;
        // No box has two sides yet, so none gets a third.
        self.sides.two |= self.sides.one & boxes;
        self.sides.one |= boxes;
        self.to_move = [self.to_move, self.to_move.other()][usize::from(is_neutral)];
    }

    fn boxes_complete(&self) -> u32 {
        self.sides.four.count_ones()
    }

    fn boxes_taken(&self) -> u32 {
        self.taken.map(u32::from).iter().sum()
    }
}

/// One step of a mixing function that spreads every input bit over the word
/// (finaliser of SplitMix64; CITE: Steele, Lea, Flood, OOPSLA 2014).
#[inline]
fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

impl Position for Dots {
    type Move = Edge;

    #[inline]
    fn to_move(&self) -> Player {
        self.to_move
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        (self.drawn == self.board.all_edges()).then(|| Outcome::from_margin(self.margin()))
    }

    #[inline]
    fn margin(&self) -> i32 {
        i32::from(self.taken[0]) - i32::from(self.taken[1])
    }

    fn margin_limit(&self) -> i32 {
        self.board.boxes() as i32
    }

    fn legal_moves(&self, out: &mut Vec<Edge>) {
        let mut open = self.open();
        while open != 0 {
            out.push(Edge(open.trailing_zeros() as u8));
            open &= open - 1;
        }
    }

    #[inline]
    fn is_legal(&self, mv: Edge) -> bool {
        usize::from(mv.0) < self.board.edges() && self.drawn & mv.mask() == 0
    }

    #[inline]
    fn play(&mut self, mv: Edge) {
        debug_assert!(self.is_legal(mv), "{mv:?} is not an open edge of {self}");
        self.drawn |= mv.mask();
        let completed = self.sides.add(self.board.boxes_beside(mv));
        if completed == 0 {
            self.to_move = self.to_move.other();
        } else {
            self.taken[self.to_move.index()] += completed.count_ones() as u8;
        }
    }

    fn ply(&self) -> u16 {
        self.drawn.count_ones() as u16
    }

    fn key(&self) -> u64 {
        let rest = u64::from(self.taken[0])
            | u64::from(self.taken[1]) << 8
            | (self.to_move.index() as u64) << 16
            | (self.board.rows() as u64) << 24
            | (self.board.cols() as u64) << 32;
        // Twice, and the first word mixed on its own: the two words cannot cancel each other.
        mix(mix(self.drawn).wrapping_add(mix(rest ^ 0x9e37_79b9_7f4a_7c15)))
    }

    fn parse_turn(&self, text: &str) -> Result<Vec<Edge>, NotationError> {
        super::notation::parse_turn(self, text)
    }

    fn format_turn(&self, turn: &[Edge]) -> String {
        super::notation::format_turn(self, turn)
    }
}

impl fmt::Debug for Dots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Dots({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(rows: usize, cols: usize, edges: &[u8]) -> Dots {
        let mut position = Dots::new(Board::of(rows, cols).expect("a board"));
        edges.iter().for_each(|&id| position.play(Edge(id)));
        position
    }

    #[test]
    fn positions_are_small() {
        assert!(size_of::<Dots>() <= 48);
    }

    #[test]
    fn captured_box_keeps_the_turn() {
        let position = after(1, 2, &[0, 2, 4]);
        assert_eq!(position.to_move(), Player::Second);
        let mut next = position;
        next.play(Edge(5));
        assert_eq!((next.to_move(), next.margin()), (Player::Second, -1));
    }

    #[test]
    fn one_edge_may_complete_two_boxes() {
        // The middle wall of 1x2 last.
        let position = after(1, 2, &[0, 1, 2, 3, 4, 6]);
        assert_eq!(position.to_move(), Player::First);
        let mut next = position;
        next.play(Edge(5));
        assert_eq!(
            (next.margin(), next.outcome()),
            (2, Some(Outcome::Win(Player::First)))
        );
    }

    #[test]
    fn capturing_is_never_forced() {
        let mut position = after(1, 2, &[0, 2, 4]);
        assert_eq!(position.capturing(), Edge(5).mask());
        position.play(Edge(1));
        assert_eq!((position.margin(), position.to_move()), (0, Player::First));
    }

    #[test]
    fn an_edge_that_gives_something_is_not_played_as_neutral() {
        let board = Board::of(3, 3).expect("a board");
        for first in 0..24 {
            let mut quick = after(3, 3, &[first]);
            for id in (0..24).filter(|&id| id != first) {
                let mut plain = quick;
                if quick.neutral() & Edge(id).mask() != 0 {
                    plain.play(Edge(id));
                }
                if quick.open() & Edge(id).mask() != 0 {
                    quick.play_if_neutral(Edge(id));
                }
                assert_eq!(quick, plain, "{id}");
                assert_eq!(quick.sides(), validate::sides(board, quick.drawn()));
            }
        }
    }

    #[test]
    fn equal_scores_are_a_draw() {
        let position = after(1, 2, &[0, 2, 4, 1, 5, 3, 6]);
        assert_eq!(
            (position.margin(), position.outcome()),
            (0, Some(Outcome::Draw))
        );
    }

    #[test]
    fn key_covers_score_and_side_to_move() {
        let board = Board::of(1, 2).expect("a board");
        let drawn = 0b011_0101;
        let keys = [[1, 0], [0, 1]].map(|taken| {
            Player::ALL.map(|to_move| {
                Dots::with_score(board, drawn | 1 << 4, taken, to_move)
                    .expect("one box is complete")
                    .key()
            })
        });
        let mut keys = keys.concat();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 4);
    }

    #[test]
    fn nobody_has_more_boxes_than_are_complete() {
        let board = Board::of(5, 5).expect("a board");
        assert!(Dots::with_score(board, 0, [1, 0], Player::First).is_none());
        assert!(Dots::with_score(board, 0, [255, 255], Player::First).is_none());
    }
}

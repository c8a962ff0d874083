//! What a position of Dots and Boxes consists of, for people and programs: safe edges, chains,
//! loops, strings that can be captured, junctions, and what the closed formula says of them.

use serde::Serialize;

use crate::eval::Knowledge;
use crate::eval::dots::formula::LONG_CHAIN;
use crate::eval::dots::strings::{self, Capturable, Run};
use crate::eval::dots::{DotsKnowledge, peeling};
use crate::game::Position;
use crate::game::dots::{Board, Dots, Edge};

/// The parts of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Structure {
    /// Open edges that give nothing: neither of their boxes has two drawn sides.
    pub safe_edges: Vec<u8>,
    /// Unopened chains, shortest first.
    pub chains: Vec<Part>,
    /// Unopened loops, shortest first.
    pub loops: Vec<Part>,
    /// Strings that can be captured now.
    pub capturable: Vec<Part>,
    /// Boxes in which chains meet: three or four sides are open and none of them is safe.
    pub junctions: Vec<String>,
    /// Number of chains that are long.
    pub long_chains: usize,
    /// What the closed formula says; None where it does not apply.
    pub formula: Option<Formula>,
}

/// A chain, a loop, or a string that can be captured.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Part {
    /// Its mark in the drawing: small letters for chains and loops, capitals for what can be
    /// captured.
    pub mark: char,
    /// Number of boxes.
    pub length: u8,
    /// Whether its opening gives the opponent the choice between taking all and leaving the last
    /// boxes: loops and chains of three boxes or more. Of a string that can be captured: whether
    /// its mover has that choice (half-open from two boxes on, closed from four).
    pub long: bool,
    /// Of a string that can be captured: both ends can be captured. False for the others.
    pub closed: bool,
    /// Nothing else touches it: every end is at the border or can be captured, or it is a loop.
    pub isolated: bool,
    /// Its boxes, each `ROW,COL` of its upper left dot, rising.
    pub boxes: Vec<String>,
    /// The edge that opens it (of the choices, the one worth playing), or captures the first box.
    pub edge: u8,
    /// That edge's notation.
    pub notation: String,
    /// Its boxes as a mask, for the drawing.
    #[serde(skip)]
    members: u32,
}

/// The value of chains and loops by formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Formula {
    /// Remaining value for the side to move.
    pub value: i16,
    /// True where only chains, loops and strings are left: the value is proven. False where chains
    /// meet in junctions: they are peeled off, smallest first, which is an estimate.
    pub exact: bool,
}

/// The name of a box: row and column of its upper left dot.
pub fn box_text(board: &Board, index: usize) -> String {
    format!("{},{}", index / board.cols(), index % board.cols())
}

/// The numbers of the set bits of a word.
pub(super) fn bits(mut word: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let lowest = (word != 0).then(|| word.trailing_zeros() as u8);
        word &= word.wrapping_sub(1);
        lowest
    })
}

impl Structure {
    /// The structure of a position.
    pub fn of(position: &Dots) -> Structure {
        let mut strings: Vec<Capturable> = Vec::new();
        let _: Option<()> = strings::find_capturable(position, |string| {
            strings.push(string);
            None
        });
        let taken = strings.iter().fold(0, |all, string| all | string.members);
        let mut runs: Vec<Run> = Vec::new();
        strings::for_each_run(position, taken, |run| runs.push(run));
        runs.sort_by_key(|run| (run.is_loop, run.boxes, run.opening));
        strings.sort_by_key(|string| (string.closed, string.boxes, string.capture));
        let mut letters = 'a'..='z';
        let mut capitals = 'A'..='Z';
        let mut structure = Structure {
            safe_edges: bits(position.neutral()).collect(),
            chains: Vec::new(),
            loops: Vec::new(),
            capturable: Vec::new(),
            junctions: junctions(position)
                .map(|index| box_text(position.board(), index))
                .collect(),
            long_chains: 0,
            formula: formula(position, !strings.is_empty()),
        };
        for run in runs {
            let mark = letters
                .next()
                .expect("a board has fewer boxes than letters");
            let part = part_of_run(position, run, taken, mark);
            structure.long_chains += usize::from(!run.is_loop && part.long);
            let list = match run.is_loop {
                true => &mut structure.loops,
                false => &mut structure.chains,
            };
            list.push(part);
        }
        for string in strings {
            let mark = capitals
                .next()
                .expect("a board has fewer boxes than letters");
            structure
                .capturable
                .push(part_of_string(position, string, mark));
        }
        structure
    }

    /// The position drawn with the numbers of its open edges and the marks of its parts; junctions
    /// are `*`.
    pub fn draw(&self, position: &Dots) -> String {
        position.draw_labelled(&|index| {
            let part = self.parts().find(|part| part.members >> index & 1 == 1);
            let junction = || junctions(position).any(|other| other == index);
            part.map(|part| part.mark)
                .or_else(|| junction().then_some('*'))
        })
    }

    fn parts(&self) -> impl Iterator<Item = &Part> {
        self.chains
            .iter()
            .chain(&self.loops)
            .chain(&self.capturable)
    }
}

/// Boxes with at most one drawn side and no safe edge.
fn junctions(position: &Dots) -> impl Iterator<Item = usize> {
    let (board, neutral, two) = (position.board(), position.neutral(), position.sides().two);
    (0..board.boxes())
        .filter(move |&index| two >> index & 1 == 0 && board.edges_of(index) & neutral == 0)
}

fn formula(position: &Dots, can_capture: bool) -> Option<Formula> {
    if position.outcome().is_some() {
        return None;
    }
    if let Some(value) = DotsKnowledge.proven_remaining(position) {
        return Some(Formula { value, exact: true });
    }
    let all_joined = !can_capture && position.neutral() == 0;
    all_joined.then(|| Formula {
        value: peeling::value(position),
        exact: false,
    })
}

/// The boxes of a run, found by spreading from the edge that opens it.
fn members_of(position: &Dots, run: Run, taken: u32) -> u32 {
    let (board, sides) = (position.board(), position.sides());
    let eligible = sides.two & !sides.three & !taken;
    let mut members = board.boxes_beside(run.opening) & eligible;
    loop {
        let walls = board.edges_around(members) & position.open();
        let beside = bits(walls).fold(0, |all, id| all | board.boxes_beside(Edge(id)));
        let more = members | beside & eligible;
        if more == members {
            return members;
        }
        members = more;
    }
}

fn boxes_of(board: &Board, members: u32) -> Vec<String> {
    let indices = bits(u64::from(members)).map(usize::from);
    indices.map(|index| box_text(board, index)).collect()
}

fn part_of_run(position: &Dots, run: Run, taken: u32, mark: char) -> Part {
    let board = position.board();
    let members = members_of(position, run, taken);
    Part {
        mark,
        length: run.boxes,
        long: run.is_loop || run.boxes >= LONG_CHAIN,
        closed: false,
        isolated: run.ends == [None, None],
        boxes: boxes_of(board, members),
        edge: run.opening.0,
        notation: Dots::edge_text(board, run.opening),
        members,
    }
}

fn part_of_string(position: &Dots, string: Capturable, mark: char) -> Part {
    let board = position.board();
    let choice_from = if string.closed { 4 } else { 2 };
    Part {
        mark,
        length: string.boxes,
        long: string.boxes >= choice_from,
        closed: string.closed,
        isolated: string.closed || string.at_border,
        boxes: boxes_of(board, string.members),
        edge: string.capture.0,
        notation: Dots::edge_text(board, string.capture),
        members: string.members,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{Purpose, StreamKey};

    fn structure(text: &str) -> Structure {
        Structure::of(&Dots::from_text(text).expect("a position"))
    }

    #[test]
    fn every_open_box_with_two_sides_is_in_one_part_and_lengths_count_boxes() {
        let mut stream = StreamKey::new(71, Purpose::Bench).stream();
        let mut parts = 0;
        for (rows, cols) in [(1, 6), (2, 3), (3, 3), (5, 5)] {
            for _ in 0..50 {
                let mut position = Dots::new(Board::of(rows, cols).expect("a board"));
                let mut moves = Vec::new();
                while position.outcome().is_none() {
                    let structure = Structure::of(&position);
                    let sides = position.sides();
                    let mut seen = 0;
                    for part in structure.parts() {
                        assert_eq!(part.members & seen, 0, "{position}");
                        assert_eq!(part.members.count_ones(), u32::from(part.length));
                        assert_eq!(part.boxes.len(), usize::from(part.length), "{position}");
                        seen |= part.members;
                        parts += 1;
                    }
                    assert_eq!(seen, sides.two & !sides.four, "{position}");
                    moves.clear();
                    position.legal_moves(&mut moves);
                    position.play(moves[stream.below(moves.len() as u32) as usize]);
                }
            }
        }
        assert!(parts > 5_000, "{parts}");
    }

    #[test]
    fn a_corridor_is_a_long_chain_and_its_value_is_the_formulas() {
        // 1x3 with all lines drawn: whoever must open it loses the three boxes.
        let structure = structure("1x3:3f");
        assert_eq!(structure.chains.len(), 1);
        let chain = &structure.chains[0];
        assert_eq!((chain.length, chain.long, chain.isolated), (3, true, true));
        assert_eq!(chain.boxes, ["0,0", "0,1", "0,2"]);
        assert_eq!(structure.long_chains, 1);
        let formula = Formula {
            value: -3,
            exact: true,
        };
        assert_eq!(structure.formula, Some(formula));
    }

    #[test]
    fn safe_edges_are_listed_and_silence_the_formula() {
        let structure = structure("2x2:0");
        assert_eq!(structure.safe_edges, (0..12).collect::<Vec<u8>>());
        assert_eq!((structure.formula, structure.chains.len()), (None, 0));
    }

    #[test]
    fn a_box_where_chains_meet_is_a_junction_and_the_formula_only_estimates() {
        // 2x3: three chains of one box, from the border to the upper middle box; two more below.
        let board = Board::of(2, 3).expect("a board");
        let mut walls = vec![board.horizontal(1, 0), board.horizontal(1, 2)];
        walls.extend((0..3).map(|col| board.horizontal(0, col)));
        walls.extend([board.vertical(1, 1), board.vertical(1, 2)]);
        let drawn = walls.iter().fold(0, |all, edge| all | edge.mask());
        let structure = Structure::of(&Dots::for_analysis(board, drawn));
        assert_eq!(structure.junctions, ["0,1"]);
        let isolated: Vec<bool> = structure.chains.iter().map(|part| part.isolated).collect();
        assert_eq!(isolated.iter().filter(|&&isolated| isolated).count(), 2);
        assert_eq!(isolated.len(), 5);
        assert_eq!(structure.formula.map(|formula| formula.exact), Some(false));
        // With a safe edge left it is a box like others.
        let fewer = Dots::for_analysis(board, drawn & !board.horizontal(0, 1).mask());
        assert_eq!(Structure::of(&fewer).junctions.len(), 0);
        assert_eq!(Structure::of(&fewer).formula, None);
    }
}

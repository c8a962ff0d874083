//! What of a position is still contested, the rest counted.
//!
//! A region with amazons of one side only is a game in which only that side moves: an integer, the
//! most turns that can be made in it (CITE: Berlekamp, Conway & Guy 1982, "Winning Ways for Your
//! Mathematical Plays", chapter 1). Regions are summands of the game, so of all such regions
//! nothing matters but their sum, First's turns less Second's. Positions that differ in nothing
//! else are won by the same side, and so are those that are mirror images of each other, or that
//! have the sides exchanged: a key is what a position looks like from the side to move.

use super::regions::{Territory, parts, spread};
use super::turns::TurnCount;
use crate::game::amazons::{Amazons, Board, STRIDE};
use crate::game::{Player, Position};

/// A position, regions of one side counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Contest {
    /// Amazons of First and of Second in regions that are not counted.
    pub amazons: [u128; 2],
    /// Empty squares of those regions that some amazon can come to.
    pub empty: u128,
    /// Turns that First has in the counted regions less those that Second has.
    pub lead: i32,
}

impl Contest {
    /// Counts the regions of one side, with so many nodes in all. A region that takes more is left
    /// as it is, and so is that of an amazon that has to shoot.
    pub fn of(position: &Amazons, nodes: u32) -> Contest {
        let mut contest = Contest::default();
        let amazons = Player::ALL.map(|player| position.amazons(player));
        let shooter = position.shooter().map_or(0, |square| square.mask());
        let mut count = TurnCount::with_nodes(nodes);
        for part in parts(spread(amazons[0] | amazons[1], position.empty())) {
            let empty = part & position.empty();
            let inside = amazons.map(|set| set & part);
            if empty == 0 {
                continue;
            }
            let owner = match inside {
                _ if part & shooter != 0 => None,
                [_, 0] => Some(Player::First),
                [0, _] => Some(Player::Second),
                _ => None,
            };
            let turns = owner.and_then(|owner| {
                let territory = Territory {
                    amazons: inside[owner.index()],
                    blockers: 0,
                    empty,
                };
                let turns = count.most(&territory);
                turns.is_exact().then(|| owner.sign() * turns.lower as i32)
            });
            match turns {
                Some(turns) => contest.lead += turns,
                None => {
                    contest.empty |= empty;
                    contest.amazons[0] |= inside[0];
                    contest.amazons[1] |= inside[1];
                }
            }
        }
        contest
    }
}

/// The same for positions that are won by the same side to move, as far as this module sees it;
/// finished games keep the keys of their positions. `mirror` says whether mirror images share keys.
pub fn key(position: &Amazons, nodes: u32, mirror: bool) -> u64 {
    if position.outcome().is_some() {
        return position.key();
    }
    let contest = Contest::of(position, nodes);
    let mover = position.to_move();
    let sets = [
        contest.amazons[mover.index()],
        contest.amazons[mover.other().index()],
        contest.empty,
        position.shooter().map_or(0, |square| square.mask()),
    ];
    let lead = (contest.lead * mover.sign()) as u64;
    let as_it_is = hash_of(&sets, lead);
    if !mirror {
        return as_it_is;
    }
    let board = position.board();
    as_it_is.min(hash_of(&sets.map(|set| mirrored(set, board)), lead))
}

/// Squares whose image in the mirror may hold something else in a position from which on mirror
/// images are looked for: about a turn's.
const UNLIKE_MAX: u32 = 8;

/// Whether a position is nearly its own mirror image, so that games from it on may meet images.
pub(super) fn is_nearly_symmetric(position: &Amazons) -> bool {
    let sets = [
        position.amazons(Player::First),
        position.amazons(Player::Second),
        position.arrows(),
    ];
    let unlike = sets.map(|set| set & !mirrored(set, position.board()));
    unlike.map(u128::count_ones).iter().sum::<u32>() <= UNLIKE_MAX
}

/// The image of a set when the files are exchanged, the first with the last.
#[inline]
fn mirrored(set: u128, board: Board) -> u128 {
    let files = board.files() as u32;
    let mut image = 0;
    for rank in 1..=board.ranks() as u32 {
        let row = (set >> (STRIDE * rank)) as u32 & ((1 << files) - 1);
        let row = row.reverse_bits() >> (u32::BITS - files);
        image |= u128::from(row) << (STRIDE * rank);
    }
    image
}

/// A word in which every bit of the sets and the number has a say: both halves of a product, over
/// and over. The constants are odd and random.
#[inline]
fn hash_of(sets: &[u128; 4], number: u64) -> u64 {
    sets.iter().fold(number, |hash, &set| {
        let low = (set as u64) ^ hash ^ 0x9e37_79b9_7f4a_7c15;
        let high = (set >> 64) as u64 ^ hash.rotate_left(32) ^ 0xd6e8_feb8_6659_fd93;
        let product = u128::from(low) * u128::from(high);
        (product as u64) ^ (product >> 64) as u64
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::amazons::{each, validate};

    #[test]
    fn mirrors_exchange_files_and_keep_ranks() {
        for (files, ranks) in [(1, 3), (4, 7), (10, 10)] {
            let board = Board::of(files, ranks).expect("a board");
            for square in validate::squares(board) {
                let image: Vec<_> = each(mirrored(square.mask(), board)).collect();
                assert_eq!(image.len(), 1);
                assert_eq!(image[0].rank(), square.rank());
                assert_eq!(image[0].file(), files - 1 - square.file());
            }
        }
    }

    #[test]
    fn games_that_have_just_begun_may_meet_mirror_images() {
        let board = Board::of(10, 10).expect("a board");
        let mut position = Amazons::start(board).expect("a start");
        assert!(is_nearly_symmetric(&position));
        for turn in ["d1-d7/g7", "d10-c9/h4", "g1-e3/e8", "g10-i8/b1", "a4-b5/c6"] {
            let turn = position.parse_turn(turn).expect("a turn");
            turn.into_iter().for_each(|mv| position.play(mv));
        }
        assert!(!is_nearly_symmetric(&position));
    }
}

//! The order in which moves are searched: what has cut other nodes comes first.
//!
//! CITE: Schaeffer 1989, "The history heuristic and alpha-beta search enhancements in practice".

use std::hash::{Hash, Hasher};

use crate::game::Player;

/// Moves of a ply that cut last.
const KILLERS: usize = 2;
/// Places of the history table; moves that share one are ordered alike.
const PLACES: usize = 1 << 12;
/// Once a place counts so much, all are halved.
const FULL: u32 = 1 << 28;

/// What has cut so far.
pub(super) struct Refutations<M> {
    killers: Vec<[Option<M>; KILLERS]>,
    history: [Vec<u32>; 2],
}

impl<M: Copy + Eq + Hash> Refutations<M> {
    pub(super) fn new() -> Self {
        Self {
            killers: Vec::new(),
            history: [vec![0; PLACES], vec![0; PLACES]],
        }
    }

    pub(super) fn clear(&mut self) {
        self.killers.clear();
        self.history.iter_mut().for_each(|counts| counts.fill(0));
    }

    /// The moves that cut last at this ply below the root, the last one first.
    pub(super) fn killers(&self, ply: usize) -> impl Iterator<Item = M> + use<M> {
        let killers = self.killers.get(ply).copied().unwrap_or([None; KILLERS]);
        killers.into_iter().flatten()
    }

    /// How much a move has cut, wherever.
    pub(super) fn history(&self, player: Player, mv: M) -> u32 {
        self.history[player.index()][place_of(mv)]
    }

    /// A move has cut a node with so many plies below it.
    pub(super) fn record(&mut self, player: Player, mv: M, ply: usize, depth: u16) {
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [None; KILLERS]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            killers.rotate_right(1);
            killers[0] = Some(mv);
        }
        let counts = &mut self.history[player.index()];
        let count = &mut counts[place_of(mv)];
        let depth = u32::from(depth) + 1;
        *count += depth.saturating_mul(depth).min(FULL);
        if *count >= FULL {
            counts.iter_mut().for_each(|count| *count /= 2);
        }
    }
}

fn place_of<M: Hash>(mv: M) -> usize {
    let mut hasher = Mixing(0);
    mv.hash(&mut hasher);
    hasher.finish() as usize % PLACES
}

/// A hash that is the same in every program and on every machine.
struct Mixing(u64);

impl Hasher for Mixing {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.write_u64(word.into());
    }

    // What a derived hash writes of an enumeration, as wide as the machine's words.
    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(8) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0 >> 40
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_two_moves_that_cut_a_ply_are_its_killers() {
        let mut refutations = Refutations::new();
        let killers =
            |refutations: &Refutations<char>, ply| -> String { refutations.killers(ply).collect() };
        for mv in ['a', 'b', 'b', 'c'] {
            refutations.record(Player::First, mv, 3, 1);
        }
        assert_eq!(killers(&refutations, 3), "cb");
        assert_eq!(killers(&refutations, 2) + &killers(&refutations, 9), "");
        refutations.clear();
        assert_eq!(killers(&refutations, 3), "");
        assert_eq!(refutations.history(Player::First, 'b'), 0);
    }

    #[test]
    fn history_counts_by_player_and_depth_and_never_overflows() {
        let mut refutations = Refutations::new();
        refutations.record(Player::First, 'a', 0, 3);
        refutations.record(Player::First, 'b', 0, 1);
        let counts = ['a', 'b'].map(|mv| refutations.history(Player::First, mv));
        assert_eq!(counts, [16, 4]);
        assert_eq!(refutations.history(Player::Second, 'a'), 0);
        for _ in 0..100 {
            refutations.record(Player::First, 'a', 0, u16::MAX);
        }
        assert!(refutations.history(Player::First, 'a') > refutations.history(Player::First, 'b'));
    }
}

//! Solved boards of the Amazons by brute force: rules written a second time, whole turns, and a
//! table of positions; nothing of the engine.

use sixfold_engine::game::Player;

/// Squares of the largest board here: three sets of them fit into a key.
const SQUARES_MAX: usize = 20;
/// Entries that a position may stand in.
const BUCKET: usize = 4;

/// A board, and what is known of its positions.
struct BruteForce {
    /// For each square the squares on each of its lines, from the nearest on.
    lines: Vec<Vec<Vec<u32>>>,
    /// Positions and whether the side to move wins them: 60 bits and one.
    table: Vec<u64>,
}

impl BruteForce {
    fn new(files: i32, ranks: i32, table_bits: u32) -> Self {
        assert!((files * ranks) as usize <= SQUARES_MAX);
        let on_board =
            |(file, rank): &(i32, i32)| (0..files).contains(file) && (0..ranks).contains(rank);
        let line = |from: (i32, i32), (right, up): (i32, i32)| -> Vec<u32> {
            let step = |n: i32| (from.0 + n * right, from.1 + n * up);
            let squares = (1..).map(step).take_while(on_board);
            squares
                .map(|(file, rank)| (rank * files + file) as u32)
                .collect()
        };
        let ways = [
            (1, 0),
            (1, 1),
            (0, 1),
            (-1, 1),
            (-1, 0),
            (-1, -1),
            (0, -1),
            (1, -1),
        ];
        let squares = (0..ranks).flat_map(|rank| (0..files).map(move |file| (file, rank)));
        Self {
            lines: squares
                .map(|from| ways.map(|way| line(from, way)).to_vec())
                .collect(),
            table: vec![0; 1 << table_bits],
        }
    }

    /// Squares that a queen or an arrow reaches from `square`.
    fn reach(&self, square: u32, occupied: u32) -> u32 {
        let mut reached = 0;
        for line in &self.lines[square as usize] {
            for &next in line.iter().take_while(|&&next| occupied >> next & 1 == 0) {
                reached |= 1 << next;
            }
        }
        reached
    }

    fn walks(&self, amazons: u32, occupied: u32) -> u32 {
        each(amazons)
            .map(|square| self.reach(square, occupied).count_ones())
            .sum()
    }

    /// Whether the side to move, with the amazons `own`, wins.
    fn wins(&mut self, own: u32, other: u32, arrows: u32) -> bool {
        let shift = SQUARES_MAX;
        let key = u64::from(own) | u64::from(other) << shift | u64::from(arrows) << (2 * shift);
        let place = self.place(key);
        let bucket = &self.table[place..place + BUCKET];
        if let Some(found) = bucket.iter().find(|&&entry| entry >> 1 == key) {
            return found & 1 == 1;
        }
        // Turns that leave the opponent few walks come first: the order only saves time.
        let mut turns = Vec::new();
        for from in each(own) {
            let without = (own | other | arrows) & !(1 << from);
            for to in each(self.reach(from, own | other | arrows)) {
                let moved = own & !(1 << from) | 1 << to;
                for shot in each(self.reach(to, without | 1 << to)) {
                    let occupied = without | 1 << to | 1 << shot;
                    let left = 2 * self.walks(other, occupied) as i32;
                    turns.push((left - self.walks(moved, occupied) as i32, moved, shot));
                }
            }
        }
        turns.sort_unstable();
        let wins = turns
            .into_iter()
            .any(|(_, moved, shot)| !self.wins(other, moved, arrows | 1 << shot));
        self.keep(key << 1 | u64::from(wins));
        wins
    }

    fn place(&self, key: u64) -> usize {
        let mixed = (key ^ key >> 31).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 20) as usize & (self.table.len() - 1) & !(BUCKET - 1)
    }

    /// Keeps an entry in the place of an empty one, or of the one with the most arrows.
    fn keep(&mut self, entry: u64) {
        let place = self.place(entry >> 1);
        let arrows = |&entry: &u64| (entry >> (2 * SQUARES_MAX + 1)).count_ones();
        let bucket = &mut self.table[place..place + BUCKET];
        let goes = bucket
            .iter_mut()
            .max_by_key(|it| if **it == 0 { u32::MAX } else { arrows(it) });
        *goes.expect("a bucket has entries") = entry;
    }
}

fn each(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(square)
    })
}

/// Files of a side's amazons, for a board of so many files: on its back rank, and on the next.
type SetUp = fn(i32) -> [[i32; 2]; 2];

/// As the engine's boards have them: b1 and its mirror image, a2 and its mirror image.
fn usual(files: i32) -> [[i32; 2]; 2] {
    [[1, files - 2], [0, files - 1]]
}

/// Both ranks at the border: a1, a2 and their mirror images.
fn at_the_border(files: i32) -> [[i32; 2]; 2] {
    [[0, files - 1], [0, files - 1]]
}

/// Who wins from a set-up that both sides have alike.
fn winner(files: i32, ranks: i32, set_up: SetUp, table_bits: u32) -> Player {
    let at = |file: i32, rank: i32| 1u32 << (rank * files + file);
    let side = |back: i32, next: i32| {
        let [on_back, on_next] = set_up(files);
        let on_back = on_back.map(|file| at(file, back));
        let on_next = on_next.map(|file| at(file, next));
        on_back.into_iter().chain(on_next).sum()
    };
    let mut board = BruteForce::new(files, ranks, table_bits);
    match board.wins(side(0, 1), side(ranks - 1, ranks - 2), 0) {
        true => Player::First,
        false => Player::Second,
    }
}

/// The engine's own results, from `amazons_endings.rs`; and another set-up, for which 4x5 is won by
/// the other side.
#[test]
fn boards_are_won_by_who_wins_them_by_brute_force() {
    assert_eq!(winner(4, 4, usual, 18), Player::Second);
    assert_eq!(winner(5, 4, usual, 22), Player::First);
    if std::env::var_os("SIXFOLD_SLOW").is_some() {
        assert_eq!(winner(4, 5, usual, 27), Player::Second);
        assert_eq!(winner(4, 5, at_the_border, 26), Player::First);
        assert_eq!(winner(5, 4, at_the_border, 26), Player::First);
    }
}

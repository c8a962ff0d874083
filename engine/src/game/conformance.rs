//! The suite that every game must pass.
//!
//! A game earns it in one line: `check_random_games(&start, games, seed)`.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::{Outcome, Position};

/// Longest random game the suite waits for, in plies: a game must end.
const MAX_PLIES: u32 = 20_000;

/// Most positions remembered for the comparison of keys.
const MAX_REMEMBERED: usize = 20_000;

/// A tiny generator of its own: rules import no source of randomness
/// (SplitMix64; CITE: Steele, Lea, Flood, OOPSLA 2014).
struct SplitMix(u64);

impl SplitMix {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % bound as u64) as usize
    }
}

/// Plays random games and checks at every ply what [`Position`] promises.
///
/// # Panics
/// When the game breaks a promise; the message says which, where, and the seed.
pub fn check_random_games<P: Position>(start: &P, games: u32, seed: u64) {
    check_random_games_among(start, games, seed, &[]);
}

/// The same, for games whose moves can be enumerated: of `candidates`, exactly the listed moves may
/// be legal, at every ply.
///
/// # Panics
/// As [`check_random_games`].
pub fn check_random_games_among<P: Position>(
    start: &P,
    games: u32,
    seed: u64,
    candidates: &[P::Move],
) {
    let mut random = SplitMix(seed);
    let mut keys = HashMap::new();
    for game in 0..games {
        let context = format!("game {game} of seed {seed}");
        check_one_game(start, candidates, &mut random, &mut keys, &context);
    }
}

fn check_one_game<P: Position>(
    start: &P,
    candidates: &[P::Move],
    random: &mut SplitMix,
    keys: &mut HashMap<u64, P>,
    context: &str,
) {
    let mut position = start.clone();
    let mut turn = Vec::new();
    let mut turn_start = position.clone();
    for _ in 0..MAX_PLIES {
        check_key(&position, keys, context);
        let moves = check_moves(&position, candidates, context);
        if position.outcome().is_some() {
            check_over(&position, context);
            return;
        }
        let before = position.clone();
        let mv = moves[random.below(moves.len())];
        let mut twin = position.clone();
        position.play(mv);
        check_step(&before, &position, mv, context);
        twin.play(mv);
        assert!(
            twin == position && twin.key() == position.key(),
            "{context}: {before}: playing {mv:?} twice gives {position} and {twin}"
        );
        turn.push(mv);
        if position.to_move() != before.to_move() || position.outcome().is_some() {
            check_turn(&turn_start, &turn, context);
            turn.clear();
            turn_start = position.clone();
        }
    }
    panic!("{context}: the game has not ended after {MAX_PLIES} plies: {position}");
}

fn check_key<P: Position>(position: &P, keys: &mut HashMap<u64, P>, context: &str) {
    let twin = position.clone();
    assert!(
        twin == *position,
        "{context}: a clone of {position} is not equal to it"
    );
    assert_eq!(
        twin.key(),
        position.key(),
        "{context}: a clone of {position} has another key"
    );
    let remembered = keys.len();
    match keys.entry(position.key()) {
        Entry::Occupied(entry) => assert!(
            entry.get() == position,
            "{context}: {position} and {} have the same key",
            entry.get()
        ),
        Entry::Vacant(entry) if remembered < MAX_REMEMBERED => {
            entry.insert(twin);
        }
        Entry::Vacant(_) => {}
    }
}

fn check_moves<P: Position>(position: &P, candidates: &[P::Move], context: &str) -> Vec<P::Move> {
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let mut again = moves.clone();
    position.legal_moves(&mut again);
    assert_eq!(
        again,
        [&moves[..], &moves[..]].concat(),
        "{context}: {position}: legal_moves must append, in a fixed order"
    );
    for (index, &mv) in moves.iter().enumerate() {
        assert!(
            position.is_legal(mv),
            "{context}: {position}: listed {mv:?} is not legal"
        );
        assert!(
            !moves[..index].contains(&mv),
            "{context}: {position}: {mv:?} is listed twice"
        );
    }
    for &mv in candidates {
        assert_eq!(
            position.is_legal(mv),
            moves.contains(&mv),
            "{context}: {position}: is_legal({mv:?}) and the list of legal moves disagree"
        );
    }
    assert_eq!(
        position.outcome().is_some(),
        moves.is_empty(),
        "{context}: {position}: there are legal moves exactly while the game is not over"
    );
    let (margin, limit) = (position.margin(), position.margin_limit());
    assert!(limit >= 1, "{context}: {position}: margin_limit is {limit}");
    assert!(
        margin.abs() <= limit,
        "{context}: {position}: margin {margin} is beyond the limit {limit}"
    );
    moves
}

fn check_step<P: Position>(before: &P, after: &P, mv: P::Move, context: &str) {
    assert_eq!(
        after.ply(),
        before.ply() + 1,
        "{context}: {before}: {mv:?} must increase the ply by one"
    );
    assert!(
        after != before,
        "{context}: {before}: {mv:?} changes nothing"
    );
    assert_eq!(
        after.margin_limit(),
        before.margin_limit(),
        "{context}: {before}: {mv:?} changes the margin limit"
    );
}

fn check_over<P: Position>(position: &P, context: &str) {
    assert_eq!(
        position.outcome(),
        Some(Outcome::from_margin(position.margin())),
        "{context}: {position}: the outcome does not follow from the margin"
    );
}

fn check_turn<P: Position>(start: &P, turn: &[P::Move], context: &str) {
    let text = start.format_turn(turn);
    match start.parse_turn(&text) {
        Ok(read) => assert_eq!(
            read, turn,
            "{context}: {start}: turn {text:?} is read back differently"
        ),
        Err(error) => panic!("{context}: {start}: turn {text:?} is not read back: {error}"),
    }
}

//! The yardstick does not change: the strength of other configurations is reported against it, in
//! years to come too.

use std::fs;
use std::path::{Path, PathBuf};

use sixfold_engine::agent::{Agent, GameWatch, Referee, play_game};
use sixfold_engine::config::EngineConfig;
use sixfold_engine::eval::dots::DotsKnowledge;
use sixfold_engine::eval::dots::opening::random_opening;
use sixfold_engine::game::dots::{Board, Dots};
use sixfold_engine::game::{Player, Position};
use sixfold_engine::stream::{Purpose, Stream, StreamKey};

/// Games that are adjudicated once both sides would play exactly.
const GAMES: u64 = 6;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

/// FNV-1a over bytes.
fn fold(hash: u64, bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(hash, step)
}

const NOTHING: u64 = 0xcbf2_9ce4_8422_2325;

fn streams(seed: u64) -> [Stream; 2] {
    [Purpose::First, Purpose::Second].map(|purpose| StreamKey::new(seed, purpose).stream())
}

fn opening(seed: u64) -> Dots {
    let board = Board::of(5, 5).expect("a board");
    random_opening(board, &mut StreamKey::new(seed, Purpose::Opening).stream())
}

/// What the reference does: its moves and margins in a few games against itself, then every move of
/// one game to its end, the exactly played ones included.
fn behaviour(config: &EngineConfig) -> u64 {
    let agent = || Agent::new(config, DotsKnowledge);
    let (mut first, mut second) = (agent(), agent());
    let mut referee = Referee::new(config.table_mib, DotsKnowledge);
    let mut hash = NOTHING;
    for seed in 0..GAMES {
        let record = play_game(
            [&mut first, &mut second],
            streams(seed),
            &mut referee,
            &opening(seed),
            &GameWatch::default(),
        );
        let record = record.expect("the reference chooses legal moves");
        let edges: Vec<u8> = record.moves.iter().map(|played| played.mv.0).collect();
        hash = fold(fold(hash, &edges), &record.margin.to_le_bytes());
    }
    let mut position = opening(GAMES);
    let mut streams = streams(GAMES);
    first.new_game();
    second.new_game();
    while position.outcome().is_none() {
        let player = position.to_move();
        let agent = if player == Player::First {
            &mut first
        } else {
            &mut second
        };
        let choice = agent.choose(&position, &mut streams[player.index()]);
        hash = fold(hash, &[choice.mv().0]);
        position.play(choice.mv());
    }
    hash
}

#[test]
fn the_reference_plays_as_it_always_has() {
    let path = file("configs/engines/dots-reference.toml");
    let text = fs::read(&path).expect("the configuration is there");
    let config = EngineConfig::load(&path).expect("a valid configuration");
    let found = format!(
        "file={:016x} behaviour={:016x}",
        fold(NOTHING, &text),
        behaviour(&config)
    );
    let expected = fs::read_to_string(file("engine/tests/reference_signature.txt"));
    let expected = expected.expect("the signature is there");
    assert_eq!(
        found,
        expected.trim(),
        "the reference is frozen: whatever changed has to become an option that it does not use"
    );
}

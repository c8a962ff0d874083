//! What is compared: two engines that differ in a constant of some stages before exact play.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use sixfold_engine::agent::{Agent, GameRecord, GameWatch, Referee, play_game};
use sixfold_engine::clock::Amount;
use sixfold_engine::config::EngineConfig;
use sixfold_engine::eval::dots::DotsKnowledge;
use sixfold_engine::eval::dots::opening::random_opening;
use sixfold_engine::game::Player;
use sixfold_engine::game::dots::{Board, Dots};
use sixfold_engine::stream::{Purpose, StreamKey};

/// Seed of all games.
const SEED: u64 = 7;

/// Values of parameters, by their paths.
type Values = &'static [(&'static str, f64)];

/// Two of the good engine, exact from [`EXACT_FROM`] edges left: A as it is, with a C of 0.2 and a
/// bias of -0.15 against giving a box away in all stages, and B with a constant changed.
pub(crate) struct Cell {
    /// Its name on the command line.
    pub(crate) word: &'static str,
    /// Its name in the tables: values of A and of B.
    pub(crate) name: &'static str,
    /// What B has changed.
    changed: Values,
}

/// Edges left from which both play exactly.
pub(crate) const EXACT_FROM: u16 = 30;

/// All of them. Ply 20, before which `early-gives` acts, leaves 40 edges.
pub(crate) const CELLS: [Cell; 3] = [
    Cell {
        word: "c",
        name: "C of all stages: 0.2, 2",
        changed: &[
            ("stages.opening.exploration", 2.0),
            ("stages.layout.exploration", 2.0),
            ("stages.critical.exploration", 2.0),
            ("stages.settled.exploration", 2.0),
        ],
    },
    Cell {
        word: "gives",
        name: "gives of all stages: -0.15, 0.1",
        changed: &[
            ("stages.opening.bias.gives", 0.1),
            ("stages.layout.bias.gives", 0.1),
            ("stages.critical.bias.gives", 0.1),
            ("stages.settled.bias.gives", 0.1),
        ],
    },
    Cell {
        word: "early-gives",
        name: "gives before ply 20: -0.15, 0.1",
        changed: &[
            ("stages.opening.bias.gives", 0.1),
            ("stages.layout.bias.gives", 0.1),
            ("stages.critical.bias.gives", 0.1),
        ],
    },
];

/// The games of a cell.
pub(crate) struct Played {
    /// A was First in the first of each pair, and Second in the second.
    pub(crate) pairs: Vec<[GameRecord<Dots>; 2]>,
    /// What playing took.
    pub(crate) taken: Duration,
}

impl Cell {
    /// Plays pairs of games from random openings, with so many simulations a move.
    pub(crate) fn play(&self, simulations: u64, pairs: u32) -> anyhow::Result<Played> {
        let [a, b] = [
            configured(&[], simulations)?,
            configured(self.changed, simulations)?,
        ];
        let board = Board::of(5, 5).context("5x5 is a board")?;
        let [mut a, mut b] = [&a, &b].map(|config| Agent::new(config, DotsKnowledge));
        let mut referee = Referee::new(16, DotsKnowledge);
        let begun = Instant::now();
        let mut played = Vec::with_capacity(pairs as usize);
        for pair in 0..pairs {
            let key = |purpose| StreamKey {
                pair,
                ..StreamKey::new(SEED, purpose)
            };
            let opening = random_opening(board, &mut key(Purpose::Opening).stream());
            let mut game = |a_sits: Player| {
                let streams = [Purpose::First, Purpose::Second].map(|seat| key(seat).stream());
                let (first, second) = match a_sits {
                    Player::First => (&mut a, &mut b),
                    Player::Second => (&mut b, &mut a),
                };
                let watch = GameWatch::new(None);
                play_game([first, second], streams, &mut referee, &opening, &watch)
            };
            played.push([game(Player::First)?, game(Player::Second)?]);
        }
        Ok(Played {
            pairs: played,
            taken: begun.elapsed(),
        })
    }
}

/// The good engine with these values.
fn configured(changed: Values, simulations: u64) -> anyhow::Result<EngineConfig> {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../configs/engines/dots-reference.toml"
    );
    // Every stage gets constants of its own here.
    let text = std::fs::read_to_string(file)?
        .replace("exploration = \"opening\"", "exploration = 0.2")
        .replace("bias = \"opening\"", "bias = { gives = -0.15 }");
    let mut config = EngineConfig::parse(Path::new(file), &text)?;
    config.budget.amount = Amount::Simulations(simulations);
    config.set(&[("stages.endgame.from.edges_left", f64::from(EXACT_FROM))])?;
    config.set(changed)?;
    Ok(config)
}

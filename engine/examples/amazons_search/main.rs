//! What each part of principal variation search saves in the Amazons: positions valued and units
//! of work to a depth, with and without it; with the word `costs`, what each event costs
//! (docs/amazons-search.md).
//!
//! `cargo run --release -p sixfold-engine --example amazons_search [costs]`

use std::io::{self, Write};
use std::time::Instant;

use sixfold_engine::config::GameRules;
use sixfold_engine::eval::amazons::AmazonsKnowledge;
use sixfold_engine::eval::{MoveList, Work};
use sixfold_engine::game::amazons::Amazons;
use sixfold_engine::game::{GameKind, Position};
use sixfold_engine::games::{self, Playable};
use sixfold_engine::params::uct_defaults;
use sixfold_engine::search::pvs::{Pvs, PvsConstants, PvsOptions};
use sixfold_engine::search::{SimulationLimit, Unlimited};
use sixfold_engine::stream::{Purpose, StreamKey};

mod costs;

/// Evaluations after which a search is given up.
const EVALUATIONS_MAX: u64 = 3_000_000;

/// Depths in half-moves, and the limits that lead there from the beginning of a turn.
const DEPTHS: [(u16, u16); 3] = [(2, 1), (4, 3), (6, 5)];

pub(crate) fn constants(depth_plies: u16) -> PvsConstants {
    PvsConstants {
        depth_plies,
        width: 0,
        move_list: MoveList::All,
        evaluation: uct_defaults(GameKind::Amazons).evaluation,
    }
}

/// A position of play: a random opening and then so many turns of the best static value.
pub(crate) fn position(side: u8, turns: u32, seed: u64) -> Amazons {
    let rules = GameRules::Amazons {
        files: side,
        ranks: side,
    };
    let mut stream = StreamKey::new(seed, Purpose::Opening).stream();
    let mut position = games::Amazons::opening(rules, &mut stream);
    let mut greedy = Pvs::with_entries(1 << 12, PvsOptions::default());
    for _ in 0..2 * turns {
        let mut work = Work::default();
        let limit = &mut Unlimited;
        let found = greedy.search(
            &position,
            &AmazonsKnowledge,
            &constants(1),
            limit,
            &mut work,
        );
        position.play(found.best_move);
        if position.outcome().is_some() {
            break;
        }
    }
    position
}

fn variants() -> [(&'static str, PvsOptions); 7] {
    let all = PvsOptions {
        aspiration: true,
        ..PvsOptions::default()
    };
    let none = PvsOptions {
        table: false,
        static_order: false,
        refutations: false,
        null_windows: false,
        aspiration: false,
    };
    let without = |change: fn(&mut PvsOptions)| {
        let mut options = all;
        change(&mut options);
        options
    };
    [
        ("plain alpha-beta", none),
        ("everything", all),
        ("without table", without(|it| it.table = false)),
        (
            "without static order",
            without(|it| it.static_order = false),
        ),
        (
            "without killers, history",
            without(|it| it.refutations = false),
        ),
        (
            "without null windows",
            without(|it| it.null_windows = false),
        ),
        ("without aspiration", without(|it| it.aspiration = false)),
    ]
}

fn main() -> io::Result<()> {
    let out = &mut io::stdout().lock();
    if std::env::args().nth(1).as_deref() == Some("costs") {
        return costs::write(out);
    }
    for (side, turns) in [(10, 0), (10, 14), (10, 26), (8, 8), (6, 4)] {
        writeln!(out, "{side}x{side}, {turns} turns after the opening")?;
        let position = position(side, turns, 1);
        if position.outcome().is_some() {
            writeln!(out, "  the game is over")?;
            continue;
        }
        for (name, options) in variants() {
            write!(out, "  {name:<26}")?;
            for (depth, limit) in DEPTHS {
                let mut searcher = Pvs::with_entries(1 << 18, options);
                let (mut control, mut work) = (SimulationLimit(EVALUATIONS_MAX), Work::default());
                let begun = Instant::now();
                let found = searcher.search(
                    &position,
                    &AmazonsKnowledge,
                    &constants(limit),
                    &mut control,
                    &mut work,
                );
                let milliseconds = begun.elapsed().as_millis();
                if found.depth_plies < depth {
                    write!(out, "  depth {depth}: given up")?;
                    break;
                }
                let (evaluations, units) = (found.evaluations, work.units());
                write!(
                    out,
                    "  depth {depth}: {evaluations} ({units} units, {milliseconds} ms)"
                )?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}

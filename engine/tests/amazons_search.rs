//! Searches of the Amazons against plain minimax over whole turns.

use sixfold_engine::config::GameRules;
use sixfold_engine::eval::amazons::AmazonsKnowledge;
use sixfold_engine::eval::{Evaluation, Knowledge, MoveList, Work};
use sixfold_engine::game::amazons::Amazons;
use sixfold_engine::game::{GameKind, Position};
use sixfold_engine::games::{self, Playable};
use sixfold_engine::params::uct_defaults;
use sixfold_engine::search::Unlimited;
use sixfold_engine::search::pvs::{Pvs, PvsConstants, PvsOptions, UNIT};
use sixfold_engine::stream::{Purpose, Stream, StreamKey};

fn evaluation() -> Evaluation {
    uct_defaults(GameKind::Amazons).evaluation
}

fn start(files: u8, ranks: u8) -> Amazons {
    games::Amazons::start(GameRules::Amazons { files, ranks })
}

/// Plays so many uniformly random half-moves, fewer where the game ends.
fn played(mut position: Amazons, plies: u32, stream: &mut Stream) -> Amazons {
    for _ in 0..plies {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        position.play(moves[stream.below(moves.len() as u32) as usize]);
    }
    position
}

/// The value for the side to move after so many more turns, the one begun included, in units.
fn plain(position: &Amazons, turns: u32) -> i64 {
    let points = if position.outcome().is_some() {
        AmazonsKnowledge.final_points(position)
    } else if turns == 0 {
        AmazonsKnowledge.evaluate(position, &evaluation(), &mut Work::default())
    } else {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let values = moves.into_iter().map(|mv| {
            let mut child = *position;
            child.play(mv);
            match child.shooter() {
                Some(_) => plain(&child, turns),
                None => {
                    // The one point of the winner, which the margin counts.
                    let won = (child.margin() - position.margin()) * position.to_move().sign();
                    (i64::from(won) << 20) - plain(&child, turns - 1)
                }
            }
        });
        return values.max().expect("a game that is not over has a move");
    };
    libm::round(points / UNIT) as i64
}

#[test]
fn whole_turns_have_the_value_of_plain_minimax_within_a_turn_and_between() {
    let mut stream = StreamKey::new(71, Purpose::Bench).stream();
    let mut compared = [0; 2];
    for number in 0..40 {
        let (files, plies) = [(4, 0), (4, 3), (5, 24), (5, 29), (6, 50)][number % 5];
        let position = played(start(files, files), plies, &mut stream);
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        // With a single move there is nothing to look deeper for.
        if moves.len() < 2 {
            continue;
        }
        let within = position.shooter().is_some();
        for options in [false, true].map(|all| PvsOptions {
            table: all,
            static_order: all,
            refutations: all,
            null_windows: all,
            aspiration: all,
        }) {
            let mut searcher = Pvs::with_entries(1 << 12, options);
            for turns in 1..=2u16 {
                let constants = PvsConstants {
                    depth_plies: 2 * turns - 1,
                    width: 0,
                    move_list: MoveList::All,
                    evaluation: evaluation(),
                };
                let found = searcher.search(
                    &position,
                    &AmazonsKnowledge,
                    &constants,
                    &mut Unlimited,
                    &mut Work::default(),
                );
                let expected = plain(&position, turns.into());
                assert_eq!(found.value, expected as f64 * UNIT, "{position} {turns}");
                assert!(found.depth_plies <= 2 * turns, "{position}");
                compared[usize::from(within)] += 1;
            }
        }
    }
    assert!(compared.into_iter().all(|count| count > 30), "{compared:?}");
}

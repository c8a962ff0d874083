//! The games of a match, batch by batch: what `match` and `experiments` share.

use std::sync::atomic::AtomicBool;

use sixfold_tuner::evaluator::{EvaluationError, Evaluator};
use sixfold_tuner::space::Vector;
use sixfold_tuner::trial::{Colours, Trial, TrialId, TrialResult};

/// Games of a batch: between two looks at whether the match is decided.
pub(super) const BATCH_GAMES: u32 = 200;

/// Reads a number of games.
pub(super) fn even_games(text: &str) -> Result<u32, String> {
    match text.parse::<u32>() {
        Ok(games) if games % 2 == 0 && (2..=10_000_000).contains(&games) => Ok(games),
        _ => Err("games come in pairs: expected an even number from 2 to 10000000".into()),
    }
}

/// Plays batches, each a trial of its own, so that a longer match begins like a shorter one. Ends
/// early after a batch that decides, and when `stop` is raised: the batch in play then counts for
/// nothing, those before it count.
pub(super) fn play(
    players: &mut dyn Evaluator,
    games: u32,
    stop: &AtomicBool,
    decides: impl Fn(&TrialResult) -> bool,
) -> Result<TrialResult, EvaluationError> {
    let mut total = TrialResult::default();
    let mut left = games;
    for batch in 0.. {
        let batch_games = left.min(BATCH_GAMES);
        if batch_games == 0 {
            break;
        }
        let id = TrialId {
            round: 0,
            trial: batch,
        };
        let (a, b) = (Vector(Vec::new()), Vector(Vec::new()));
        let trial = Trial {
            id,
            a,
            b,
            colours: Colours::Paired,
            games: batch_games,
        };
        let results = match players.evaluate(&[trial], stop) {
            Ok(results) => results,
            Err(EvaluationError::Interrupted) => break,
            Err(error) => return Err(error),
        };
        for result in results {
            total.add(&result);
        }
        left -= batch_games;
        if decides(&total) {
            break;
        }
    }
    Ok(total)
}

//! Scores that follow from a trial's number alone, where no game is to be played.

use sixfold_tuner::trial::{Trial, TrialResult};

/// The same result for the same trial, and different ones for those that follow each other.
pub(crate) fn fixed_result(trial: &Trial) -> TrialResult {
    let mut result = TrialResult::default();
    for pair in 0..trial.games / 2 {
        let half_points = u64::from((trial.id.trial * 7 + pair * 3) % 5);
        result.pentanomial.0[half_points as usize] += 1;
        result.wdl.wins += half_points / 2;
        result.wdl.draws += half_points % 2;
        result.wdl.losses += 2 - half_points / 2 - half_points % 2;
    }
    result
}

//! Trials and results for learners under test, without the run loop.

use std::sync::atomic::AtomicBool;

use sixfold_tuner::evaluator::Evaluator;
use sixfold_tuner::optimiser::Proposal;
use sixfold_tuner::trial::{Trial, TrialId, TrialResult};

/// Numbers the proposals of a batch as trials of the run.
pub(crate) fn trials(round: u32, first: u32, proposals: &[Proposal]) -> Vec<Trial> {
    (first..)
        .zip(proposals)
        .map(|(trial, proposal)| Trial {
            id: TrialId { round, trial },
            a: proposal.a.clone(),
            b: proposal.b.clone(),
            colours: proposal.colours,
            games: proposal.games,
        })
        .collect()
}

/// Results of a batch.
pub(crate) fn play(evaluator: &mut dyn Evaluator, trials: &[Trial]) -> Vec<TrialResult> {
    evaluator
        .evaluate(trials, &AtomicBool::new(false))
        .expect("a scripted evaluator plays everything")
}

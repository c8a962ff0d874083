//! For tests: the games of tunings that were never played, by a surface that is known.

use super::Played;
use crate::space::{Parameter, Scale, Space, Vector};
use crate::stats::Wdl;
use crate::stats::elo::score_of_elo;
use crate::stream::{Purpose, Stream, StreamKey};
use crate::trial::{Colours, Trial, TrialId, TrialResult};

/// Values from 0 to 10, starting in the middle.
pub(super) fn space(dimension: usize) -> Space {
    let parameter = |index: usize| Parameter {
        path: format!("p{index}"),
        scale: Scale::Linear,
        integer: false,
        step: 0.5,
        min: 0.0,
        max: 10.0,
        start: 5.0,
    };
    Space::new((0..dimension).map(parameter).collect())
}

/// Games of `pairs` matches of two games between random vectors with each value in its part of the
/// range, played by a surface in Elo of the values.
pub(super) fn simulated(
    within: &[[f64; 2]],
    pairs: u32,
    seed: u64,
    elo: impl Fn(&[f64]) -> f64,
) -> Played {
    let mut stream = StreamKey::new(seed, Purpose::Scripted).stream();
    let mut played = Played::default();
    let vector = |stream: &mut Stream| {
        let values = within.iter();
        Vector(
            values
                .map(|[low, high]| low + (high - low) * stream.unit())
                .collect(),
        )
    };
    for trial in 0..pairs {
        let (a, b) = (vector(&mut stream), vector(&mut stream));
        let trial = paired(trial, &a, &b);
        played.add(&trial, &two_games(&elo, &a, &b, &mut stream));
    }
    played
}

/// A match of two games between two vectors.
pub(super) fn paired(number: u32, a: &Vector, b: &Vector) -> Trial {
    Trial {
        id: TrialId {
            round: 0,
            trial: number,
        },
        a: a.clone(),
        b: b.clone(),
        colours: Colours::Paired,
        games: 2,
    }
}

/// How it may end, by a surface in Elo of the values.
pub(super) fn two_games(
    elo: impl Fn(&[f64]) -> f64,
    a: &Vector,
    b: &Vector,
    stream: &mut Stream,
) -> TrialResult {
    let score = score_of_elo(elo(&a.0) - elo(&b.0));
    let wins = (0..2).filter(|_| stream.unit() < score).count() as u64;
    TrialResult {
        wdl: Wdl {
            wins,
            draws: 0,
            losses: 2 - wins,
        },
        ..TrialResult::default()
    }
}

//! A scripted evaluator: outcomes drawn from a known surface of strength instead of games.
//!
//! A surface gives every vector an Elo; A beats B with probability
//! 1 / (1 + 10^(-(Elo(A) - Elo(B)) / 400)), games are independent and never drawn. Each game has
//! its own stream, keyed by (seed, round, trial, pair, game), so results do not depend on batches.
//! The benchmark's surfaces live on the unit square and start in its middle.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{EvaluationError, Evaluator};
use crate::space::{Parameter, Scale, Space, Vector};
use crate::stats::elo::score_of_elo;
use crate::stream::{Purpose, Stream, StreamKey};
use crate::trial::{Colours, Trial, TrialResult};

/// Distance of QUAD's optimum from the start.
const QUAD_RADIUS: f64 = 0.3;

/// Coordinate at which LOG2 is highest: with x = 2u - 1, where 4x + 4.1 = 2.
const LOG2_OPTIMUM: f64 = 0.2375;

/// Directions of QUAD's optimum for the seeds 0 to 19, in radians: part of the benchmark's
/// definition, the first uniform number in [0, 2 pi) of numpy's `default_rng(1000 + seed)`.
const QUAD_ANGLES: [f64; 20] = [
    3.275_963_208_217_899_8,
    3.849_047_454_443_443_4,
    2.392_769_913_927_408,
    1.179_714_337_620_182_4,
    0.005_532_047_724_126_617,
    0.516_598_300_188_645_4,
    2.116_939_801_098_653_5,
    0.447_519_480_559_022_35,
    1.050_880_015_445_374_8,
    0.355_002_873_023_027_47,
    0.596_854_116_599_596_5,
    1.785_209_022_294_608_9,
    1.924_668_359_774_229_1,
    4.991_946_212_110_115,
    2.736_478_007_920_434_5,
    2.261_336_834_673_44,
    1.432_513_450_622_416_9,
    5.770_174_249_504_924,
    3.732_057_815_167_767_2,
    1.362_991_650_729_559_6,
];

/// Lanes of the scripted streams: outcomes of games, shapes of surfaces.
const OUTCOME_LANE: u8 = 0;
const SURFACE_LANE: u8 = 1;

type EloFunction = Box<dyn Fn(&[f64]) -> f64 + Send>;

/// A surface of strength.
pub struct Surface {
    elo: EloFunction,
    optimum: Option<Vector>,
}

impl Surface {
    /// QUAD-M: Elo falls with the square of the distance from the optimum, 0 at the start (0.5,
    /// 0.5) and `height` at the optimum, 0.3 away in a direction of the seed.
    pub fn quad(height: f64, seed: u64) -> Self {
        let angle = quad_angle(seed);
        let optimum = [
            0.5 + QUAD_RADIUS * libm::cos(angle),
            0.5 + QUAD_RADIUS * libm::sin(angle),
        ];
        Self {
            elo: Box::new(move |values| {
                let squares: f64 = values
                    .iter()
                    .zip(optimum)
                    .map(|(value, best)| (value - best) * (value - best))
                    .sum();
                height * (1.0 - squares / (QUAD_RADIUS * QUAD_RADIUS))
            }),
            optimum: Some(Vector(optimum.to_vec())),
        }
    }

    /// LOG2 (R. Coulom's LOG, in two dimensions): asymmetric, steep towards 0; about 169 Elo at
    /// its optimum (0.2375, 0.2375) and -62 at the start (0.5, 0.5).
    pub fn log2() -> Self {
        Self {
            elo: Box::new(|values| {
                let sum: f64 = values
                    .iter()
                    .map(|value| {
                        let x = 2.0 * value - 1.0;
                        2.0 * libm::log(4.0 * x + 4.1) - 4.0 * x - 3.0
                    })
                    .sum();
                400.0 / std::f64::consts::LN_10 * sum
            }),
            optimum: Some(Vector(vec![LOG2_OPTIMUM; 2])),
        }
    }

    /// Any function from values to Elo, such as a plane or a step.
    pub fn function(elo: impl Fn(&[f64]) -> f64 + Send + 'static) -> Self {
        Self {
            elo: Box::new(elo),
            optimum: None,
        }
    }

    /// Elo of a vector.
    pub fn elo(&self, vector: &Vector) -> f64 {
        (self.elo)(&vector.0)
    }

    /// Where the surface is highest, if that is known.
    pub fn optimum(&self) -> Option<&Vector> {
        self.optimum.as_ref()
    }

    /// Elo lost against the optimum, not negative; none where the optimum is not known.
    pub fn regret(&self, vector: &Vector) -> Option<f64> {
        let best = self.elo(self.optimum()?);
        Some(best - self.elo(vector))
    }
}

/// Direction of QUAD's optimum, in radians. Beyond the benchmark's table it is 2 pi times the
/// first unit draw of the scripted stream of that seed.
fn quad_angle(seed: u64) -> f64 {
    let tabled = usize::try_from(seed)
        .ok()
        .and_then(|index| QUAD_ANGLES.get(index));
    tabled.copied().unwrap_or_else(|| {
        let mut stream = StreamKey {
            lane: SURFACE_LANE,
            ..StreamKey::new(seed, Purpose::Scripted)
        }
        .stream();
        2.0 * std::f64::consts::PI * stream.unit()
    })
}

/// The benchmark's space: X and Y in [0, 1] from 0.5, linear, with a step in units of the range.
pub fn unit_square(step: f64) -> Space {
    let parameter = |path: &str| Parameter {
        path: path.into(),
        scale: Scale::Linear,
        integer: false,
        step,
        min: 0.0,
        max: 1.0,
        start: 0.5,
    };
    Space::new(vec![parameter("x"), parameter("y")])
}

/// An evaluator that draws outcomes from a surface.
pub struct Scripted {
    surface: Surface,
    seed: u64,
}

impl Scripted {
    /// An evaluator; `seed` is the run's, below 2^53.
    pub fn new(surface: Surface, seed: u64) -> Self {
        Self { surface, seed }
    }

    /// The surface behind the outcomes.
    pub fn surface(&self) -> &Surface {
        &self.surface
    }

    fn win_probability(&self, trial: &Trial) -> Result<f64, EvaluationError> {
        let difference = self.surface.elo(&trial.a) - self.surface.elo(&trial.b);
        if difference.is_finite() {
            Ok(score_of_elo(difference))
        } else {
            Err(EvaluationError::Refused(format!(
                "the surface has no difference of strength between {:?} and {:?}",
                trial.a.0, trial.b.0
            )))
        }
    }

    fn outcome_stream(&self, trial: &Trial, pair: u32, game: u32) -> Stream {
        StreamKey {
            seed: self.seed,
            purpose: Purpose::Scripted,
            lane: OUTCOME_LANE,
            round: trial.id.round,
            item: trial.id.trial,
            pair,
            game,
        }
        .stream()
    }

    fn result(&self, trial: &Trial) -> Result<TrialResult, EvaluationError> {
        let probability = self.win_probability(trial)?;
        let games_of_a_pair = match trial.colours {
            Colours::Paired => 2,
            Colours::AFirst => 1,
        };
        assert!(
            trial.games.is_multiple_of(games_of_a_pair),
            "a paired trial has an even number of games"
        );
        let mut result = TrialResult::default();
        for pair in 0..trial.games / games_of_a_pair {
            let mut wins = 0;
            for game in 0..games_of_a_pair {
                let won = self.outcome_stream(trial, pair, game).unit() < probability;
                wins += usize::from(won);
            }
            result.wdl.wins += wins as u64;
            result.wdl.losses += u64::from(games_of_a_pair) - wins as u64;
            if trial.colours == Colours::Paired {
                result.pentanomial.0[2 * wins] += 1;
            }
        }
        Ok(result)
    }
}

impl Evaluator for Scripted {
    fn evaluate(
        &mut self,
        trials: &[Trial],
        stop: &AtomicBool,
    ) -> Result<Vec<TrialResult>, EvaluationError> {
        trials
            .iter()
            .map(|trial| {
                if stop.load(Ordering::Relaxed) {
                    return Err(EvaluationError::Interrupted);
                }
                self.result(trial)
            })
            .collect()
    }
}

#[cfg(test)]
#[path = "scripted_tests.rs"]
mod tests;

//! What the games of a tuning say about its result, whatever the learner was: a smooth surface is
//! fitted to all of them at once, under priors that are believed as far as the games are probable.
//!
//! Everything here is an estimate from the games that chose the result, within the values that were
//! played. It says where more games would help and which parameters matter; how strong the result
//! is, only a verification says.

mod believed;
mod effect;
mod misfit;
mod optimum;
mod played;
mod remaining;
#[cfg(test)]
mod simulated;

pub use effect::ParameterVerdict;
pub use misfit::{ERRORS_MIN, Misfit, Place};
pub use optimum::optimum_deviations;
pub use played::{Played, PlayedPair};
pub use remaining::remaining_gain;

use self::believed::{Believed, believed_fits, most_believed};
use self::effect::Line;
use crate::space::{Space, Vector};
use crate::stream::{Purpose, StreamKey};
use crate::surface::{Coordinates, Difference, Fit, Gain, Prospect, Row};

/// Pairs of surfaces drawn from the posterior.
const DRAWS: u32 = 100;
/// Misfits that people are shown.
const MISFITS_SHOWN: usize = 3;

/// What the games say about a result.
#[derive(Clone, Debug)]
pub struct Outlook {
    /// The tuned parameters, in the space's order.
    pub parameters: Vec<ParameterOutlook>,
    /// What better values among those played would still bring.
    pub remaining_gain: Gain,
    /// The result over the start, as the surface predicts it: selection, not strength.
    pub over_start: Difference,
    /// Where the surface is contradicted by what was played, the worst first.
    pub misfits: Vec<Misfit>,
    /// Whether these are so many that the surface cannot be believed.
    pub fits: bool,
    /// The surface, by the most believed of the fits.
    pub fit: Fit,
    /// Smallest and largest unit coordinates of the vectors that were played and of the result.
    pub played: [Vec<f64>; 2],
    /// Values to unit coordinates and back.
    pub coordinates: Coordinates,
}

/// What the games say about one parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ParameterOutlook {
    /// Smallest and largest value that was played.
    pub played: [f64; 2],
    /// Where the best value among those played is with a probability of 95 %.
    pub best_95: [f64; 2],
    /// The verdict.
    pub verdict: ParameterVerdict,
}

impl Outlook {
    /// What games say about an incumbent; None where there are none that compare two vectors
    /// with sides swapped.
    ///
    /// Preconditions: the space is valid, vectors are of it.
    pub fn of(space: &Space, played: &Played, incumbent: &Vector) -> Option<Outlook> {
        let looked = Looked::at(space, played, incumbent)?;
        let prospect = looked.prospect(DRAWS);
        let misfits = looked.misfits(played);
        let parameters = (0..looked.at.len()).map(|index| looked.parameter(index, &prospect));
        let parameters = parameters.collect();
        let fit = most_believed(&looked.fits).clone();
        let Looked {
            coordinates,
            at,
            played: [low, high],
            ..
        } = looked;
        let start = coordinates.to_unit(&space.start());
        Some(Outlook {
            parameters,
            remaining_gain: prospect.gain(),
            over_start: fit.difference(&at, &start),
            fits: misfit::fits(&misfits),
            misfits,
            fit,
            played: [low, high],
            coordinates,
        })
    }

    /// How much stronger the surface says that A is than B: selection, not strength.
    pub fn difference(&self, a: &Vector, b: &Vector) -> Difference {
        let [a, b] = [a, b].map(|vector| self.coordinates.to_unit(vector));
        self.fit.difference(&a, &b)
    }

    /// The highest point of the surface among what was played, in unit coordinates, found from a
    /// vector.
    pub fn optimum(&self, from: &Vector) -> Vec<f64> {
        let [low, high] = &self.played;
        let from = self.coordinates.to_unit(from);
        self.fit.surface().optimum(low, high, &from)
    }

    /// The misfits that people are shown, in words, the worst first.
    pub fn worst_misfits(&self, space: &Space) -> Vec<String> {
        let worst = self.misfits.iter().take(MISFITS_SHOWN);
        worst.map(|misfit| misfit.words(space)).collect()
    }
}

/// Games looked at from a vector.
struct Looked {
    coordinates: Coordinates,
    rows: Vec<Row>,
    /// The vector, in unit coordinates.
    at: Vec<f64>,
    fits: Vec<Believed>,
    /// The smallest box with every vector that was played and this one.
    played: [Vec<f64>; 2],
}

impl Looked {
    /// None where no games compare two vectors with sides swapped.
    fn at(space: &Space, played: &Played, vector: &Vector) -> Option<Looked> {
        if played.pairs().is_empty() {
            return None;
        }
        let coordinates = Coordinates::new(space);
        let rows = played.rows(&coordinates);
        let at = coordinates.to_unit(vector);
        Some(Looked {
            fits: believed_fits(&rows, &coordinates),
            played: bounds(&rows, &at),
            coordinates,
            rows,
            at,
        })
    }

    /// What is said of one parameter by the games and by draws from the fits.
    fn parameter(&self, index: usize, prospect: &Prospect) -> ParameterOutlook {
        let [low, high] = &self.played;
        let line = Line {
            fits: &self.fits,
            rows: &self.rows,
            at: &self.at,
            index,
            played: [low[index], high[index]],
            best_95: prospect.interval_95(index),
        };
        let is_at_end = self.at[index] <= 0.0 || self.at[index] >= 1.0;
        let verdict = line
            .effect()
            .verdict(is_at_end && !self.coordinates.is_choice(index));
        let value = |unit: f64| self.coordinates.value(index, unit);
        ParameterOutlook {
            played: line.played.map(value),
            best_95: line.best_95.map(value),
            verdict,
        }
    }

    /// `draws` pairs of surfaces, with their highest points in what was played.
    fn prospect(&self, draws: u32) -> Prospect {
        self.prospect_within(&self.played, draws)
    }

    /// `draws` pairs of surfaces from all fits, from each as many as it is believed.
    fn prospect_within(&self, [low, high]: &[Vec<f64>; 2], draws: u32) -> Prospect {
        let mut stream = StreamKey::new(0, Purpose::Posterior).stream();
        let mut prospect = Prospect::default();
        let (mut believed, mut drawn) = (0.0, 0);
        for Believed { fit, belief } in &self.fits {
            believed += belief;
            let until = (believed * f64::from(draws) + 0.5) as u32;
            if until > drawn {
                let more = fit.prospect([low, high], &self.at, until - drawn, &mut stream);
                prospect.add(more);
                drawn = until;
            }
        }
        prospect
    }

    /// Where the most believed surface is contradicted by what was played, the worst first.
    fn misfits(&self, played: &Played) -> Vec<Misfit> {
        let [low, high] = &self.played;
        let fit = most_believed(&self.fits);
        misfit::find(fit, played, &self.rows, [low, high])
    }
}

/// The smallest box with every vector that was played and the incumbent.
fn bounds(rows: &[Row], incumbent: &[f64]) -> [Vec<f64>; 2] {
    let (mut low, mut high) = (incumbent.to_vec(), incumbent.to_vec());
    for vector in rows.iter().flat_map(|row| [&row.a, &row.b]) {
        for (index, value) in vector.iter().enumerate() {
            low[index] = low[index].min(*value);
            high[index] = high[index].max(*value);
        }
    }
    [low, high]
}

#[cfg(test)]
#[path = "outlook_tests.rs"]
mod tests;

//! What the games of a tuning say about its result, whatever the learner was: a surface is fitted
//! to all of them at once, with the order and the prior that make the games most probable.
//!
//! Everything here is an estimate from the games that chose the result, within the values that were
//! played. It says where more games would help and which parameters matter; how strong the result
//! is, only a verification says.

mod misfit;
mod optimum;
mod played;
mod remaining;
#[cfg(test)]
mod simulated;

pub use misfit::{ERRORS_MIN, Misfit, Place};
pub use optimum::optimum_deviations;
pub use played::{Played, PlayedPair};
pub use remaining::remaining_gain;

use crate::space::{Space, Vector};
use crate::stream::{Purpose, StreamKey};
use crate::surface::{
    Basis, Coordinates, Design, Difference, Fit, Gain, Prospect, Row, fit_design,
};

/// Pairs of surfaces drawn from the posterior.
const DRAWS: u32 = 100;
/// Prior standard deviations of a slope, in logits over half of a range (1 is 174 Elo): the games
/// say which to believe. Smaller ones would win where little is known, and call what is left to
/// gain small because nothing was seen of it.
const SCALES: [f64; 4] = [0.5, 1.0, 2.0, 4.0];
/// An effect is above noise from so many of its standard deviations on.
const NOISE_DEVIATIONS: f64 = 3.0;
/// The values of a parameter that were played are looked at in so many steps.
const PARTS_OF_PLAYED: u32 = 8;
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
    /// Its order: 2 or 3.
    pub order: usize,
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

/// What the value of a parameter in force is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterVerdict {
    /// These games do not show that the value matters among those played: the surface along it,
    /// from the smallest over the middle and the value in force to the largest, has no difference
    /// of more than three of its standard deviations.
    NoMeasurableEffect,
    /// The value is the smallest or the largest of its range: a better one may lie outside.
    /// Never of a choice, which has no others.
    AtBound,
    /// Anything else.
    Measured,
}

impl ParameterVerdict {
    /// The words for people.
    pub const fn words(self) -> &'static str {
        match self {
            ParameterVerdict::NoMeasurableEffect => "no measurable effect",
            ParameterVerdict::AtBound => "at its bound",
            ParameterVerdict::Measured => "measured",
        }
    }
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
        let Believed { fit, order, .. } = most_believed(&looked.fits).clone();
        let Looked {
            coordinates,
            at,
            played: [low, high],
            ..
        } = looked;
        let parameters = (0..at.len()).map(|index| {
            let verdict = if is_without_effect(&fit, [low[index], high[index]], &at, index) {
                ParameterVerdict::NoMeasurableEffect
            } else if !coordinates.is_choice(index) && (at[index] <= 0.0 || at[index] >= 1.0) {
                ParameterVerdict::AtBound
            } else {
                ParameterVerdict::Measured
            };
            let value = |unit: f64| coordinates.value(index, unit);
            ParameterOutlook {
                played: [low[index], high[index]].map(value),
                best_95: prospect.interval_95(index).map(value),
                verdict,
            }
        });
        let parameters = parameters.collect();
        let start = coordinates.to_unit(&space.start());
        Some(Outlook {
            parameters,
            remaining_gain: prospect.gain(),
            over_start: fit.difference(&at, &start),
            fits: misfit::fits(&misfits),
            misfits,
            fit,
            order,
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

/// A fit, and how much of the belief it has: its evidence over that of all.
#[derive(Clone, Debug)]
struct Believed {
    fit: Fit,
    order: usize,
    belief: f64,
}

/// A fit of each order and scale.
fn believed_fits(centre: &[f64], rows: &[Row], coordinates: &Coordinates) -> Vec<Believed> {
    let mut fits: Vec<(Fit, usize)> = Vec::new();
    for order in [2, 3] {
        let mut warm: Option<Vec<f64>> = None;
        // The prior alone differs between scales.
        let mut design = None;
        for scale in SCALES {
            let basis = Basis::polynomial(centre, order, |indices| {
                let mut neighbours = indices.windows(2);
                match neighbours.any(|it| it[0] == it[1] && coordinates.is_choice(it[0])) {
                    true => 0.0,
                    false => scale * scale * relative_variance(indices, centre.len()),
                }
            });
            let design = design.get_or_insert_with(|| Design::of(&basis, rows));
            let fit = fit_design(&basis, design, warm.as_deref());
            warm = Some(fit.coefficients().to_vec());
            fits.push((fit, order));
        }
    }
    let evidence = fits.iter().map(|(fit, _)| fit.log_evidence());
    let greatest = evidence.clone().fold(f64::NEG_INFINITY, f64::max);
    let parts: Vec<f64> = evidence.map(|it| libm::exp(it - greatest)).collect();
    let all: f64 = parts.iter().sum();
    let fits = fits.into_iter().zip(parts);
    let believed = fits.map(|((fit, order), part)| Believed {
        fit,
        order,
        belief: part / all,
    });
    believed.collect()
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
            fits: believed_fits(&at, &rows, &coordinates),
            played: bounds(&rows, &at),
            coordinates,
            rows,
            at,
        })
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
        for Believed { fit, belief, .. } in &self.fits {
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
        let fit = &most_believed(&self.fits).fit;
        misfit::find(fit, played, &self.rows, [low, high])
    }
}

fn most_believed(fits: &[Believed]) -> &Believed {
    let best = fits
        .iter()
        .max_by(|one, other| one.belief.total_cmp(&other.belief));
    best.expect("there are orders and scales")
}

/// Prior variance of a coefficient relative to that of a slope. The many products of many
/// parameters share what the one of two has; of third order only single parameters, then.
fn relative_variance(indices: &[usize], dimension: usize) -> f64 {
    let single = indices.iter().all(|index| *index == indices[0]);
    match indices.len() {
        1 => 1.0,
        2 if single => 1.0,
        2 => 4.0 / dimension as f64,
        _ if single || dimension == 2 => 0.25,
        _ => 0.0,
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

/// Whether the surface along one parameter is flat as far as the games tell: no two of some values
/// between the least and the greatest that were played differ beyond noise. The ends alone would
/// not do: few games were played there, so that little is known of them even where much is known
/// in between.
fn is_without_effect(fit: &Fit, [low, high]: [f64; 2], incumbent: &[f64], index: usize) -> bool {
    let parts = (0..=PARTS_OF_PLAYED).map(|part| f64::from(part) / f64::from(PARTS_OF_PLAYED));
    let values = parts.map(|share| low + share * (high - low));
    let along = values.chain([incumbent[index]]).map(|value| {
        let mut moved = incumbent.to_vec();
        moved[index] = value;
        moved
    });
    let along: Vec<Vec<f64>> = along.collect();
    let mut pairs = (0..along.len()).flat_map(|one| (0..one).map(move |other| (one, other)));
    pairs.all(|(one, other)| {
        let Difference { elo, deviation } = fit.difference(&along[one], &along[other]);
        // A value that was never changed has no difference, and none is known.
        elo.abs() <= NOISE_DEVIATIONS * deviation
    })
}

#[cfg(test)]
#[path = "outlook_tests.rs"]
mod tests;

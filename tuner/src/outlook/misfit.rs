//! Where a surface is contradicted by the games that it was fitted to.
//!
//! The rule: matches are compared with what the surface predicts for them, two vectors at a time
//! and, since many learners never play two vectors twice, also added up by where the two stand
//! along one parameter, in eighths of what was played. Where there are at least
//! [`GAMES_MIN`] games with at least [`RARER_MIN`] expected points for either side, a score more
//! than [`ERRORS_MIN`] standard errors away from the prediction is a misfit. By chance one of
//! 16,000 is. A surface with [`MISFITS_MIN`] of them among vectors or along one parameter does
//! not fit.

use std::collections::BTreeMap;

use super::played::Played;
use crate::space::{Parameter, Space, Vector};
use crate::surface::{Coordinates, ELO_PER_LOGIT, Fit, Row};

/// Games that a comparison needs.
const GAMES_MIN: f64 = 20.0;
/// Expected points that either side needs.
const RARER_MIN: f64 = 5.0;
/// Standard errors from which on a prediction is contradicted.
pub const ERRORS_MIN: f64 = 4.0;
/// Misfits of one kind that a surface does not survive.
const MISFITS_MIN: usize = 2;
/// Parts of what was played of a parameter.
const CELLS: usize = 8;

/// Games that contradict the surface.
#[derive(Clone, PartialEq, Debug)]
pub struct Misfit {
    /// Whose games.
    pub place: Place,
    /// How many.
    pub games: f64,
    /// Points of A, in [0, 1] of the games, as the surface predicts.
    pub predicted: f64,
    /// The same as played.
    pub observed: f64,
    /// Standard errors between the two; above 0 where A was better than predicted.
    pub errors: f64,
}

/// Whose games contradict the surface.
#[derive(Clone, PartialEq, Debug)]
pub enum Place {
    /// Those of two vectors.
    Vectors {
        /// A.
        a: Vector,
        /// B.
        b: Vector,
    },
    /// Those of all vectors with one parameter in two ranges, in unit coordinates.
    Along {
        /// The parameter's number, from 0.
        parameter: usize,
        /// Its range in A.
        a: [f64; 2],
        /// Its range in B, below that in A.
        b: [f64; 2],
    },
}

impl Misfit {
    /// The words for people. Precondition: a misfit of this space.
    pub fn words(&self, space: &Space) -> String {
        let Misfit {
            games,
            predicted,
            observed,
            errors,
            ..
        } = self;
        let who = match &self.place {
            Place::Vectors { a, b } => format!("{:?} against {:?}", a.0, b.0),
            Place::Along { parameter, a, b } => {
                let index = *parameter;
                let Parameter { path, .. } = &space.parameters[index];
                let coordinates = Coordinates::new(space);
                let value = |unit: f64| coordinates.value(index, unit);
                let [[a, to_a], [b, to_b]] = [a, b].map(|range| range.map(value));
                format!("{path} from {a} to {to_a} against {b} to {to_b}")
            }
        };
        format!(
            "{who}: {:.0} % predicted, {:.0} % played in {games} games ({errors:+.1} errors)",
            100.0 * predicted,
            100.0 * observed
        )
    }
}

/// Games that are compared with their prediction.
#[derive(Clone, Copy, Default)]
struct Compared {
    games: f64,
    points: f64,
    predicted: f64,
    /// Of the points; draws make it smaller than this.
    variance: f64,
}

impl Compared {
    fn add(&mut self, games: f64, points: f64, score: f64) {
        self.games += games;
        self.points += points;
        self.predicted += games * score;
        self.variance += games * score * (1.0 - score);
    }

    fn misfit(&self, place: impl FnOnce() -> Place) -> Option<Misfit> {
        let rarer = self.predicted.min(self.games - self.predicted);
        if self.games < GAMES_MIN || rarer < RARER_MIN {
            return None;
        }
        let errors = (self.points - self.predicted) / self.variance.sqrt();
        (errors.abs() > ERRORS_MIN).then(|| Misfit {
            place: place(),
            games: self.games,
            predicted: self.predicted / self.games,
            observed: self.points / self.games,
            errors,
        })
    }
}

/// All misfits, the worst first. `rows` are those of `played`, and lie in the box.
pub(super) fn find(
    fit: &Fit,
    played: &Played,
    rows: &[Row],
    [low, high]: [&[f64]; 2],
) -> Vec<Misfit> {
    let mut misfits = Vec::new();
    let mut cells: BTreeMap<[usize; 3], Compared> = BTreeMap::new();
    for (row, pair) in rows.iter().zip(played.pairs()) {
        let logits = (fit.elo(&row.b) - fit.elo(&row.a)) / ELO_PER_LOGIT;
        let score = 1.0 / (1.0 + libm::exp(logits));
        let mut vectors = Compared::default();
        vectors.add(row.games, row.score, score);
        misfits.extend(vectors.misfit(|| Place::Vectors {
            a: pair.a.clone(),
            b: pair.b.clone(),
        }));
        for parameter in 0..low.len() {
            let within = [low[parameter], high[parameter]];
            let [a, b] = [&row.a, &row.b].map(|vector| cell(vector[parameter], within));
            // Seen from whoever stands higher; who stand in one cell have no order.
            if a > b {
                let compared = cells.entry([parameter, a, b]).or_default();
                compared.add(row.games, row.score, score);
            } else if b > a {
                let compared = cells.entry([parameter, b, a]).or_default();
                compared.add(row.games, row.games - row.score, 1.0 - score);
            }
        }
    }
    for ([parameter, a, b], compared) in cells {
        let width = (high[parameter] - low[parameter]) / CELLS as f64;
        let range = |cell: usize| {
            let from = low[parameter] + width * cell as f64;
            [from, from + width]
        };
        misfits.extend(compared.misfit(|| Place::Along {
            parameter,
            a: range(a),
            b: range(b),
        }));
    }
    misfits.sort_by(|one, other| other.errors.abs().total_cmp(&one.errors.abs()));
    misfits
}

fn cell(value: f64, [low, high]: [f64; 2]) -> usize {
    if high <= low {
        return 0;
    }
    let share = (value - low) / (high - low);
    ((share * CELLS as f64) as usize).min(CELLS - 1)
}

/// Whether the surface survives its misfits.
pub(super) fn fits(misfits: &[Misfit]) -> bool {
    let mut kinds: BTreeMap<Option<usize>, usize> = BTreeMap::new();
    for misfit in misfits {
        let kind = match misfit.place {
            Place::Vectors { .. } => None,
            Place::Along { parameter, .. } => Some(parameter),
        };
        *kinds.entry(kind).or_default() += 1;
    }
    kinds.values().all(|count| *count < MISFITS_MIN)
}

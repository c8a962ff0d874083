//! The surface fitted to all games of the tuning, whatever the learner did with them.

use crate::space::{Space, Vector};
use crate::surface::{Basis, Coordinates, Difference, Fit, Row, fit};

use super::story::Meeting;

/// Parameters up to which cubic features are fitted; there are too many of them beyond.
const CUBIC_PARAMETERS_MAX: usize = 2;
/// Prior variances of the coefficients, in squared logits over half a range: of slopes, of
/// curvatures, of products of two parameters, and of cubic terms. With more parameters there are
/// more products, and each is believed to be smaller. Field note "A sample-efficient learner inside
/// the Q tree", section 1: measured on synthetic surfaces.
const SLOPE: f64 = 100.0;
const CURVATURE: [f64; 2] = [9.0, 4.0];
const PRODUCT: [f64; 2] = [9.0, 0.1];
const CUBIC: f64 = 0.25;

/// Half the width of a normal law's 95 % interval in standard deviations.
pub(super) const Z_95: f64 = 1.96;

/// A fitted surface over the values of the parameters.
pub(super) struct Fitted {
    /// Values to unit coordinates and back.
    pub(super) coordinates: Coordinates,
    /// The fit.
    pub(super) fit: Fit,
    /// Smallest and largest coordinates of the vectors that played.
    pub(super) played: [Vec<f64>; 2],
}

impl Fitted {
    /// The surface that the games of all `meetings` fit best; None without games.
    pub(super) fn of(space: &Space, meetings: &[Meeting]) -> Option<Fitted> {
        let coordinates = Coordinates::new(space);
        let rows: Vec<Row> = meetings
            .iter()
            .filter(|meeting| meeting.games > 0)
            .map(|meeting| Row {
                a: coordinates.to_unit(&meeting.a),
                b: coordinates.to_unit(&meeting.b),
                score: meeting.points,
                games: meeting.games as f64,
                weight: 1.0,
            })
            .collect();
        if rows.is_empty() {
            return None;
        }
        let basis = basis(&coordinates.to_unit(&space.start()));
        let fit = fit(&basis, &rows, None);
        let played = ends(&rows);
        Some(Fitted {
            coordinates,
            fit,
            played,
        })
    }

    /// How much stronger the surface says that A is than B.
    pub(super) fn difference(&self, a: &Vector, b: &Vector) -> Difference {
        let [a, b] = [a, b].map(|vector| self.coordinates.to_unit(vector));
        self.fit.difference(&a, &b)
    }

    /// The highest point between the smallest and the largest values that played, found from
    /// `from`: beyond them the surface is a guess.
    pub(super) fn optimum(&self, from: &Vector) -> Vec<f64> {
        let [low, high] = &self.played;
        let from = self.coordinates.to_unit(from);
        self.fit.surface().optimum(low, high, &from)
    }
}

/// Smallest and largest coordinates of the vectors in the rows.
fn ends(rows: &[Row]) -> [Vec<f64>; 2] {
    let mut ends = [rows[0].a.clone(), rows[0].a.clone()];
    for vector in rows.iter().flat_map(|row| [&row.a, &row.b]) {
        for (index, value) in vector.iter().enumerate() {
            ends[0][index] = ends[0][index].min(*value);
            ends[1][index] = ends[1][index].max(*value);
        }
    }
    ends
}

fn basis(centre: &[f64]) -> Basis {
    let is_large = centre.len() > CUBIC_PARAMETERS_MAX;
    let order = if is_large { 2 } else { 3 };
    let size = usize::from(is_large);
    Basis::polynomial(centre, order, |indices| match indices {
        [_] => SLOPE,
        [a, b] if a == b => CURVATURE[size],
        [_, _] => PRODUCT[size],
        _ => CUBIC,
    })
}

//! The features of a surface, and a surface: features with coefficients.

use super::ELO_PER_LOGIT;

/// Highest degree of a feature.
pub const MAX_ORDER: usize = 5;

/// Features are polynomials of z = (u - centre) / `HALF`: half of the range is one.
const HALF: f64 = 0.5;

/// A product of up to [`MAX_ORDER`] coordinates of z. Empty places name one past the last
/// coordinate, where z is 1.
type Monomial = [usize; MAX_ORDER];

/// Which features a surface has, where its centre lies, and what is believed of it before a game:
/// that it is a bowl upside down, -b |z|², plus features whose coefficients have a normal law each
/// with mean 0.
///
/// With a window w > 0 every feature is multiplied by exp(-w |z|² / 2). Monomials z^α with
/// variances σ² w^|α| / α! under a window w are the Gaussian process with the kernel
/// σ² exp(-w |z - z'|² / 2), up to their degree: a prior that is as sure of the surface at the ends
/// of the ranges as in their middle. Without a window the ends are where polynomials go astray.
#[derive(Clone, PartialEq, Debug)]
pub struct Basis {
    centre: Vec<f64>,
    monomials: Vec<Monomial>,
    variances: Vec<f64>,
    bowl: f64,
    window: f64,
    choices: Vec<usize>,
}

/// What is believed of a surface before a game, but for its coefficients.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Shape {
    /// b, in logits: how much is lost half of the range away from the centre. At least 0.
    pub bowl: f64,
    /// w, at least 0; 0 is no window.
    pub window: f64,
}

impl Basis {
    /// All monomials of degree 1 to `order`, but for those with no variance. `variance` is asked
    /// for the prior variance of each coefficient with the indices of its coordinates in ascending
    /// order (`[0, 0, 1]` is z0² z1) in logits of z, 0 to leave the feature out. No bowl and no
    /// window.
    ///
    /// Precondition: at least one coordinate, an order in 1..=[`MAX_ORDER`], variances finite and
    /// not below 0, one above 0.
    pub fn polynomial(
        centre: &[f64],
        order: usize,
        mut variance: impl FnMut(&[usize]) -> f64,
    ) -> Self {
        assert!((1..=MAX_ORDER).contains(&order), "order {order}");
        let dimension = centre.len();
        let (mut monomials, mut variances) = (Vec::new(), Vec::new());
        let mut indices = Vec::new();
        for degree in 1..=order {
            indices.clear();
            indices.resize(degree, 0);
            loop {
                let variance = variance(&indices);
                assert!(variance.is_finite() && variance >= 0.0, "{variance}");
                if variance > 0.0 {
                    let mut monomial = [dimension; MAX_ORDER];
                    monomial[..degree].copy_from_slice(&indices);
                    monomials.push(monomial);
                    variances.push(variance);
                }
                if !advance(&mut indices, dimension) {
                    break;
                }
            }
        }
        assert!(!monomials.is_empty(), "a surface has a feature");
        let centre = centre.to_vec();
        let Shape { bowl, window } = Shape::default();
        Self {
            centre,
            monomials,
            variances,
            bowl,
            window,
            choices: Vec::new(),
        }
    }

    /// The same where these coordinates are choices: 0 or 1, and nothing between.
    pub fn with_choices(mut self, choices: Vec<usize>) -> Self {
        self.choices = choices;
        self
    }

    /// Coordinates that are 0 or 1.
    pub fn choices(&self) -> &[usize] {
        &self.choices
    }

    /// With the constant as the first feature, for a basis that may get a window: it is
    /// exp(-w |z|² / 2) - 1 then, and 0 without.
    pub fn with_constant(mut self) -> Self {
        self.monomials.insert(0, [self.dimension(); MAX_ORDER]);
        self.variances.insert(0, 1.0);
        self
    }

    /// The same monomials under another prior: `variance` is asked for that of each coefficient
    /// with the indices of its coordinates, as in [`Basis::polynomial`]; none for the constant.
    ///
    /// Precondition: variances finite and above 0; the shape finite and not below 0.
    pub fn with_prior(mut self, shape: Shape, mut variance: impl FnMut(&[usize]) -> f64) -> Self {
        assert!(shape.bowl.is_finite() && shape.bowl >= 0.0);
        assert!(shape.window.is_finite() && shape.window >= 0.0);
        Shape {
            bowl: self.bowl,
            window: self.window,
        } = shape;
        let empty = self.dimension();
        for (monomial, entry) in self.monomials.iter().zip(&mut self.variances) {
            let degree = monomial.iter().filter(|&&index| index != empty).count();
            *entry = variance(&monomial[..degree]);
            assert!(entry.is_finite() && *entry > 0.0);
        }
        self
    }

    /// Number of features, and so of coefficients.
    pub fn features(&self) -> usize {
        self.monomials.len()
    }

    /// Number of coordinates.
    pub fn dimension(&self) -> usize {
        self.centre.len()
    }

    /// Where the surface is 0.
    pub fn centre(&self) -> &[f64] {
        &self.centre
    }

    /// The bowl and the window.
    pub fn shape(&self) -> Shape {
        Shape {
            bowl: self.bowl,
            window: self.window,
        }
    }

    /// Prior variance of each coefficient.
    pub fn variances(&self) -> &[f64] {
        &self.variances
    }

    /// z with the 1 behind its end that empty places of a monomial name.
    pub(super) fn scratch(&self) -> Vec<f64> {
        vec![1.0; self.dimension() + 1]
    }

    fn scaled(&self, unit: &[f64], z: &mut [f64]) {
        debug_assert_eq!(unit.len(), self.dimension());
        for ((z, unit), centre) in z.iter_mut().zip(unit).zip(&self.centre) {
            *z = (unit - centre) / HALF;
        }
    }

    /// Calls `take` with the number and the value of each feature at a point; |z|² of the point.
    pub(super) fn evaluate(
        &self,
        unit: &[f64],
        z: &mut [f64],
        mut take: impl FnMut(usize, f64),
    ) -> f64 {
        self.scaled(unit, z);
        let squares = self.squares(z);
        let seen = self.seen(squares);
        for (feature, monomial) in self.monomials.iter().enumerate() {
            let [i, j, k, l, m] = *monomial;
            let constant = self.constant(monomial);
            take(
                feature,
                seen * (z[i] * z[j] * z[k] * z[l] * z[m]) - constant,
            );
        }
        squares
    }

    /// |z|²
    fn squares(&self, z: &[f64]) -> f64 {
        z[..self.dimension()].iter().map(|z| z * z).sum()
    }

    /// exp(-w |z|² / 2)
    fn seen(&self, squares: f64) -> f64 {
        if self.window > 0.0 {
            libm::exp(-0.5 * self.window * squares)
        } else {
            1.0
        }
    }

    /// What is taken off a feature so that it is 0 at the centre.
    fn constant(&self, monomial: &Monomial) -> f64 {
        if monomial[0] == self.dimension() {
            1.0
        } else {
            0.0
        }
    }
}

/// The next ascending list of indices below `dimension`; whether there was one.
fn advance(indices: &mut [usize], dimension: usize) -> bool {
    let Some(last) = indices.iter().rposition(|index| index + 1 < dimension) else {
        return false;
    };
    let next = indices[last] + 1;
    indices[last..].fill(next);
    true
}

/// A basis with coefficients: the strength of every vector, relative to the centre.
#[derive(Clone, PartialEq, Debug)]
pub struct Surface {
    basis: Basis,
    coefficients: Vec<f64>,
}

impl Surface {
    /// Precondition: as many coefficients as features.
    pub fn new(basis: Basis, coefficients: Vec<f64>) -> Self {
        assert_eq!(basis.features(), coefficients.len());
        Self {
            basis,
            coefficients,
        }
    }

    /// Its features.
    pub fn basis(&self) -> &Basis {
        &self.basis
    }

    /// One a feature, in logits.
    pub fn coefficients(&self) -> &[f64] {
        &self.coefficients
    }

    /// Elo of a point over the centre.
    pub fn elo(&self, unit: &[f64]) -> f64 {
        self.elo_with(unit, &mut self.basis.scratch())
    }

    /// [`Self::elo`] without an allocation; `z` is the basis' scratch.
    pub(super) fn elo_with(&self, unit: &[f64], z: &mut [f64]) -> f64 {
        let mut sum = 0.0;
        let squares = self.basis.evaluate(unit, z, |feature, value| {
            sum += self.coefficients[feature] * value;
        });
        (sum - self.basis.bowl * squares) * ELO_PER_LOGIT
    }

    /// [`Self::elo`] of a point whose features and |z|² are known.
    pub(super) fn elo_of(&self, features: &[f64], squares: f64) -> f64 {
        let mut sum = 0.0;
        for (coefficient, value) in self.coefficients.iter().zip(features) {
            sum += coefficient * value;
        }
        (sum - self.basis.bowl * squares) * ELO_PER_LOGIT
    }

    /// Elo per unit of each coordinate.
    pub fn gradient(&self, unit: &[f64]) -> Vec<f64> {
        let z = self.z(unit);
        let (value, slopes) = self.slopes(&z);
        let Shape { bowl, window } = self.basis.shape();
        let seen = self.basis.seen(self.basis.squares(&z));
        let along = slopes.iter().zip(&z);
        let along = along.map(|(slope, z)| seen * (slope - window * z * value) - 2.0 * bowl * z);
        along.map(|slope| slope * (ELO_PER_LOGIT / HALF)).collect()
    }

    /// Second derivatives, in Elo per squared unit, row by row.
    pub fn hessian(&self, unit: &[f64]) -> Vec<f64> {
        let (dimension, z) = (self.basis.dimension(), self.z(unit));
        let (value, slopes) = self.slopes(&z);
        let bends = self.bends(&z);
        let Shape { bowl, window } = self.basis.shape();
        let seen = self.basis.seen(self.basis.squares(&z));
        let entries = bends.iter().enumerate().map(|(at, bend)| {
            let (i, j) = (at / dimension, at % dimension);
            let same = if i == j { 1.0 } else { 0.0 };
            let turned = slopes[i] * z[j] + slopes[j] * z[i];
            let bent = bend - window * turned + window * (window * z[i] * z[j] - same) * value;
            seen * bent - 2.0 * bowl * same
        });
        let scale = ELO_PER_LOGIT / (HALF * HALF);
        entries.map(|bend| bend * scale).collect()
    }

    /// The polynomial under the window and its first derivatives, by z.
    fn slopes(&self, z: &[f64]) -> (f64, Vec<f64>) {
        let (mut value, mut slopes) = (0.0, vec![0.0; self.basis.dimension()]);
        for (indices, coefficient) in self.terms() {
            value += coefficient * product_but(z, indices, &[]);
            for (place, &along) in indices.iter().enumerate() {
                slopes[along] += coefficient * product_but(z, indices, &[place]);
            }
        }
        (value, slopes)
    }

    /// Its second derivatives, row by row.
    fn bends(&self, z: &[f64]) -> Vec<f64> {
        let dimension = self.basis.dimension();
        let mut bends = vec![0.0; dimension * dimension];
        for (indices, coefficient) in self.terms() {
            for (place, &along) in indices.iter().enumerate() {
                for (second, &across) in indices.iter().enumerate() {
                    if place != second {
                        let bend = coefficient * product_but(z, indices, &[place, second]);
                        bends[along * dimension + across] += bend;
                    }
                }
            }
        }
        bends
    }

    /// The coordinates of each monomial, with its coefficient.
    fn terms(&self) -> impl Iterator<Item = (&[usize], f64)> {
        let empty = self.basis.dimension();
        let monomials = self.basis.monomials.iter().zip(&self.coefficients);
        monomials.map(move |(monomial, coefficient)| {
            let degree = monomial.iter().position(|index| *index == empty);
            (&monomial[..degree.unwrap_or(MAX_ORDER)], *coefficient)
        })
    }

    fn z(&self, unit: &[f64]) -> Vec<f64> {
        let mut z = self.basis.scratch();
        self.basis.scaled(unit, &mut z);
        z
    }
}

/// The product of some coordinates of z, but for those in these places.
fn product_but(z: &[f64], indices: &[usize], places: &[usize]) -> f64 {
    let mut product = 1.0;
    for (place, &index) in indices.iter().enumerate() {
        if !places.contains(&place) {
            product *= z[index];
        }
    }
    product
}

#[cfg(test)]
#[path = "basis_tests.rs"]
mod tests;

//! The features of a surface, and a surface: features with coefficients.

use super::ELO_PER_LOGIT;

/// Highest degree of a feature.
pub const MAX_ORDER: usize = 5;

/// Features are polynomials of z = (u - centre) / `HALF`: half of the range is one.
const HALF: f64 = 0.5;

/// A product of up to [`MAX_ORDER`] coordinates of z. Empty places name one past the last
/// coordinate, where z is 1.
type Monomial = [usize; MAX_ORDER];

/// Which features a surface has, where its centre lies, and what is believed of its coefficients
/// before a game: a normal law each.
#[derive(Clone, PartialEq, Debug)]
pub struct Basis {
    centre: Vec<f64>,
    monomials: Vec<Monomial>,
    means: Vec<f64>,
    variances: Vec<f64>,
}

impl Basis {
    /// All monomials of degree 1 to `order`, but for those with no variance. `variance` is asked
    /// for the prior variance of each coefficient with the indices of its coordinates in ascending
    /// order (`[0, 0, 1]` is z0² z1) in logits of z, 0 to leave the feature out.
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
        Self {
            centre,
            means: vec![0.0; monomials.len()],
            monomials,
            variances,
        }
    }

    /// The same features under another prior: `prior` is asked for mean and variance of each
    /// coefficient with the indices of its coordinates, as in [`Basis::polynomial`].
    ///
    /// Precondition: means and variances finite, variances above 0.
    pub fn with_prior(mut self, mut prior: impl FnMut(&[usize]) -> [f64; 2]) -> Self {
        let empty = self.dimension();
        let entries = self.means.iter_mut().zip(&mut self.variances);
        for (monomial, (mean, variance)) in self.monomials.iter().zip(entries) {
            let degree = monomial.iter().filter(|&&index| index != empty).count();
            [*mean, *variance] = prior(&monomial[..degree]);
            assert!(mean.is_finite() && variance.is_finite() && *variance > 0.0);
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

    /// Prior mean of each coefficient.
    pub fn means(&self) -> &[f64] {
        &self.means
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

    /// Calls `take` with the number and the value of each feature at a point.
    pub(super) fn evaluate(&self, unit: &[f64], z: &mut [f64], mut take: impl FnMut(usize, f64)) {
        self.scaled(unit, z);
        for (feature, [i, j, k, l, m]) in self.monomials.iter().enumerate() {
            take(feature, z[*i] * z[*j] * z[*k] * z[*l] * z[*m]);
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
        self.basis.evaluate(unit, z, |feature, value| {
            sum += self.coefficients[feature] * value;
        });
        sum * ELO_PER_LOGIT
    }

    /// Elo per unit of each coordinate.
    pub fn gradient(&self, unit: &[f64]) -> Vec<f64> {
        let (dimension, z) = (self.basis.dimension(), self.z(unit));
        // One place more, for what the empty places of monomials gather.
        let mut gradient = vec![0.0; dimension + 1];
        for (monomial, coefficient) in self.basis.monomials.iter().zip(&self.coefficients) {
            for (place, &along) in monomial.iter().enumerate() {
                let rest = (0..MAX_ORDER).filter(|&other| other != place);
                let slope: f64 = rest.map(|other| z[monomial[other]]).product();
                gradient[along] += coefficient * slope * (ELO_PER_LOGIT / HALF);
            }
        }
        gradient.truncate(dimension);
        gradient
    }

    /// Second derivatives, in Elo per squared unit, row by row.
    pub fn hessian(&self, unit: &[f64]) -> Vec<f64> {
        let (dimension, z) = (self.basis.dimension(), self.z(unit));
        let mut hessian = vec![0.0; dimension * dimension];
        for (monomial, coefficient) in self.basis.monomials.iter().zip(&self.coefficients) {
            for (place, &along) in monomial.iter().enumerate() {
                for (second, &across) in monomial.iter().enumerate() {
                    if place == second || along == dimension || across == dimension {
                        continue;
                    }
                    let rest = (0..MAX_ORDER).filter(|&other| other != place && other != second);
                    let bend: f64 = rest.map(|other| z[monomial[other]]).product();
                    hessian[along * dimension + across] +=
                        coefficient * bend * (ELO_PER_LOGIT / (HALF * HALF));
                }
            }
        }
        hessian
    }

    fn z(&self, unit: &[f64]) -> Vec<f64> {
        let mut z = self.basis.scratch();
        self.basis.scaled(unit, &mut z);
        z
    }
}

#[cfg(test)]
#[path = "basis_tests.rs"]
mod tests;

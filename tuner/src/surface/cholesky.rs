//! Cholesky's factorisation of small symmetric matrices, with sums in a fixed order.

/// L of M = L Lᵀ, row by row; what lies above the diagonal is not used.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Cholesky {
    size: usize,
    lower: Vec<f64>,
}

impl Cholesky {
    /// Factor of a matrix given row by row, of which the lower triangle is read; None when it is
    /// not positive definite.
    pub(super) fn new(matrix: Vec<f64>, size: usize) -> Option<Self> {
        Self::factor(matrix, size, |_, pivot| (pivot > 0.0).then_some(pivot))
    }

    /// Factor of a positive semidefinite matrix plus the diagonal matrix of `floors`. No pivot of
    /// such a sum is below its floor; where rounding says so, the floor is the better number, and
    /// with it the factor exists always. Precondition: floors above 0, finite numbers.
    pub(super) fn floored(matrix: Vec<f64>, floors: &[f64]) -> Self {
        let size = floors.len();
        Self::factor(matrix, size, |row, pivot| Some(pivot.max(floors[row])))
            .expect("every pivot is at least its floor")
    }

    fn factor(
        mut lower: Vec<f64>,
        size: usize,
        accept: impl Fn(usize, f64) -> Option<f64>,
    ) -> Option<Self> {
        debug_assert_eq!(lower.len(), size * size);
        for row in 0..size {
            let (above, current) = lower.split_at_mut(row * size);
            for column in 0..row {
                let other = &above[column * size..];
                let sum = dot(&current[..column], &other[..column]);
                current[column] = (current[column] - sum) / other[column];
            }
            let pivot = current[row] - dot(&current[..row], &current[..row]);
            current[row] = accept(row, pivot)?.sqrt();
        }
        Some(Self { size, lower })
    }

    /// Number of rows.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// x of M x = y, in place.
    pub(super) fn solve(&self, vector: &mut [f64]) {
        self.solve_lower(vector);
        self.solve_upper(vector);
    }

    /// x of L x = y, in place. Its squared length is yᵀ M⁻¹ y.
    pub(super) fn solve_lower(&self, vector: &mut [f64]) {
        for row in 0..self.size {
            let line = &self.lower[row * self.size..];
            let sum = dot(&line[..row], &vector[..row]);
            vector[row] = (vector[row] - sum) / line[row];
        }
    }

    /// x of Lᵀ x = y, in place. Of standard normal numbers it makes some with covariance M⁻¹.
    pub(super) fn solve_upper(&self, vector: &mut [f64]) {
        for row in (0..self.size).rev() {
            let line = &self.lower[row * self.size..];
            vector[row] /= line[row];
            let solved = vector[row];
            for (value, factor) in vector[..row].iter_mut().zip(line) {
                *value -= factor * solved;
            }
        }
    }

    /// M x.
    #[cfg(test)]
    pub(super) fn times(&self, vector: &[f64]) -> Vec<f64> {
        let entry = |row: usize, column: usize| self.lower[row * self.size + column];
        let half = (0..self.size).map(|column| {
            (column..self.size)
                .map(|row| entry(row, column) * vector[row])
                .sum()
        });
        let half: Vec<f64> = half.collect();
        let whole = (0..self.size).map(|row| dot(&self.lower[row * self.size..][..=row], &half));
        whole.collect()
    }

    /// Natural logarithm of the determinant of M.
    pub(super) fn ln_determinant(&self) -> f64 {
        let diagonal = (0..self.size).map(|row| self.lower[row * self.size + row]);
        2.0 * diagonal.map(libm::log).sum::<f64>()
    }
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// B Bᵀ + 0.1 of a list of numbers.
    fn positive(numbers: &[f64], size: usize) -> Vec<f64> {
        let row = |i: usize| &numbers[i * size..(i + 1) * size];
        let entry = |i: usize, j: usize| dot(row(i), row(j)) + if i == j { 0.1 } else { 0.0 };
        (0..size * size)
            .map(|at| entry(at / size, at % size))
            .collect()
    }

    fn times(matrix: &[f64], vector: &[f64]) -> Vec<f64> {
        let rows = matrix.chunks(vector.len());
        rows.map(|row| dot(row, vector)).collect()
    }

    /// By elimination with the largest pivot of each column, which knows no symmetry.
    fn determinant(mut matrix: Vec<f64>, size: usize) -> f64 {
        let mut product = 1.0;
        for column in 0..size {
            let larger = |a: &usize, b: &usize| {
                let at = |row: usize| matrix[row * size + column].abs();
                at(*a).total_cmp(&at(*b))
            };
            let pivot = (column..size).max_by(larger).unwrap();
            if pivot != column {
                product = -product;
                for at in 0..size {
                    matrix.swap(pivot * size + at, column * size + at);
                }
            }
            product *= matrix[column * size + column];
            for row in column + 1..size {
                let factor = matrix[row * size + column] / matrix[column * size + column];
                for at in column..size {
                    matrix[row * size + at] -= factor * matrix[column * size + at];
                }
            }
        }
        product
    }

    proptest! {
        #[test]
        fn what_it_solves_solves_the_equations(
            numbers in prop::collection::vec(-1.0..1.0, 16),
            right in prop::collection::vec(-1.0..1.0, 4),
        ) {
            let matrix = positive(&numbers, 4);
            let factor = Cholesky::new(matrix.clone(), 4).unwrap();
            let mut solution = right.clone();
            factor.solve(&mut solution);
            for (value, expected) in times(&matrix, &solution).into_iter().zip(&right) {
                prop_assert!((value - expected).abs() < 1e-9);
            }
            let mut half = right.clone();
            factor.solve_lower(&mut half);
            prop_assert!((dot(&half, &half) - dot(&solution, &right)).abs() < 1e-9);
            let slow = determinant(matrix, 4);
            prop_assert!((libm::exp(factor.ln_determinant()) / slow - 1.0).abs() < 1e-9);
        }
    }

    #[test]
    fn what_is_not_positive_definite_has_no_factor() {
        assert_eq!(Cholesky::new(vec![1.0, 2.0, 2.0, 1.0], 2), None);
        assert_eq!(Cholesky::new(vec![0.0], 1), None);
    }

    #[test]
    fn a_pivot_that_rounding_ate_is_its_floor() {
        // 1e20 in every place and 1 on the diagonal: the ones are below the last digit.
        let factor = Cholesky::floored(vec![1e20; 4], &[1.0, 1.0]);
        let mut vector = [1.0, -1.0];
        factor.solve(&mut vector);
        assert!(vector.iter().all(|value| value.is_finite()), "{vector:?}");
        assert_eq!(factor.lower[3], 1.0);
    }
}

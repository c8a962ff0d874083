//! The highest point of a surface in a box: a coarse search, then Newton's method along the walls.

use super::cholesky::{Cholesky, dot};
use super::{Basis, Surface};

/// Points a coordinate of the coarse search, both ends included.
const GRID: usize = 17;
/// Coordinates up to which all points of the grid are tried; from there one coordinate after the
/// other.
const FULL_GRID_DIMENSIONS: usize = 2;
/// Sweeps over the coordinates, and steps of Newton's method, that no surface has needed.
const SWEEPS_MAX: usize = 20;
const STEPS_MAX: usize = 100;
/// Halvings of a step before the point counts as highest.
const HALVINGS_MAX: u32 = 40;
/// Part of the gain that the slope promises which a step has to bring.
const PROMISE: f64 = 1e-4;
/// Steps that promise fewer Elo are not made.
const GAIN_MIN: f64 = 1e-12;

impl Surface {
    /// The highest point with every coordinate in [`low`, `high`]: the highest that a search from
    /// `from` and from a grid finds, which is a local maximum always and with one or two
    /// coordinates, where the whole grid is tried, in practice the highest of all. Never lower
    /// than `from`, clamped.
    ///
    /// A coordinate that is a choice is at one of its ends there: 0 or 1.
    ///
    /// Preconditions: one number a coordinate in each; low <= high; of a choice all are 0 or 1.
    pub fn optimum(&self, low: &[f64], high: &[f64], from: &[f64]) -> Vec<f64> {
        let grid = Grid::of(self.basis(), [low, high]);
        self.optimum_on(grid.as_ref(), [low, high], from)
    }

    /// As [`Self::optimum`], with the grid of this basis and box.
    pub(super) fn optimum_on(
        &self,
        grid: Option<&Grid>,
        [low, high]: [&[f64]; 2],
        from: &[f64],
    ) -> Vec<f64> {
        let dimension = self.basis().dimension();
        assert!(low.len() == dimension && high.len() == dimension && from.len() == dimension);
        let mut ascent = Ascent {
            surface: self,
            low,
            high,
            scratch: self.basis().scratch(),
        };
        let mut point = from.to_vec();
        ascent.clamp(&mut point);
        match grid {
            Some(grid) => ascent.search_grid(grid, &mut point),
            None => ascent.search(&mut point),
        }
        ascent.climb(&mut point);
        ascent.try_other_words(&mut point);
        point
    }
}

/// All points of the coarse search of a box with one or two coordinates, with their features, which
/// surfaces of one basis share.
pub(super) struct Grid {
    /// Point by point.
    points: Vec<f64>,
    features: Vec<f64>,
    squares: Vec<f64>,
}

impl Grid {
    /// None with more coordinates, where not all points are tried.
    pub(super) fn of(basis: &Basis, [low, high]: [&[f64]; 2]) -> Option<Self> {
        let dimension = basis.dimension();
        if dimension > FULL_GRID_DIMENSIONS {
            return None;
        }
        let mut grid = Self {
            points: Vec::new(),
            features: Vec::new(),
            squares: Vec::new(),
        };
        let mut z = basis.scratch();
        let is_between_words = |code: usize| {
            let step = |choice: &usize| code / GRID.pow(*choice as u32) % GRID;
            let mut steps = basis.choices().iter().map(step);
            steps.any(|step| step > 0 && step < GRID - 1)
        };
        for code in (0..GRID.pow(dimension as u32)).filter(|code| !is_between_words(*code)) {
            let mut rest = code;
            let start = grid.points.len();
            for (low, high) in low.iter().zip(high) {
                grid.points.push(grid_value([*low, *high], rest % GRID));
                rest /= GRID;
            }
            let point = &grid.points[start..];
            let features = &mut grid.features;
            let squares = basis.evaluate(point, &mut z, |_, value| features.push(value));
            grid.squares.push(squares);
        }
        Some(grid)
    }
}

fn grid_value([low, high]: [f64; 2], step: usize) -> f64 {
    low + (high - low) * (step as f64 / (GRID - 1) as f64)
}

struct Ascent<'a> {
    surface: &'a Surface,
    low: &'a [f64],
    high: &'a [f64],
    scratch: Vec<f64>,
}

impl Ascent<'_> {
    fn elo(&mut self, point: &[f64]) -> f64 {
        self.surface.elo_with(point, &mut self.scratch)
    }

    fn clamp(&self, point: &mut [f64]) {
        for (value, (low, high)) in point.iter_mut().zip(self.low.iter().zip(self.high)) {
            *value = value.clamp(*low, *high);
        }
    }

    fn is_choice(&self, coordinate: usize) -> bool {
        self.surface.basis().choices().contains(&coordinate)
    }

    /// Takes the other word of a choice, or of two that may only pay together, with the best values
    /// of the others under it, as long as that is higher. Without choices nothing is done.
    fn try_other_words(&mut self, point: &mut Vec<f64>) {
        let choices = self.surface.basis().choices();
        if choices.is_empty() {
            return;
        }
        let pairs = (0..choices.len()).flat_map(|i| (i..choices.len()).map(move |j| [i, j]));
        let flips: Vec<[usize; 2]> = pairs.map(|[i, j]| [choices[i], choices[j]]).collect();
        *point = self.highest_hill(point);
        let mut best = self.elo(point);
        let mut rejected = 0;
        for &[one, two] in flips.iter().cycle() {
            if rejected == flips.len() {
                return;
            }
            let mut other = point.clone();
            for choice in [one, two] {
                other[choice] = self.low[choice] + self.high[choice] - point[choice];
            }
            let other = self.highest_hill(&other);
            let elo = self.elo(&other);
            if elo > best + GAIN_MIN {
                (best, rejected) = (elo, 0);
                *point = other;
            } else {
                rejected += 1;
            }
        }
    }

    /// The highest point that is climbed to, with these words, from here and from every hill of the
    /// coarse search along one coordinate: of hills of nearly the same height the one whose top is
    /// higher, wherever the tops lie between the grid's points.
    fn highest_hill(&mut self, from: &[f64]) -> Vec<f64> {
        let mut highest = from.to_vec();
        self.climb(&mut highest);
        let mut best = self.elo(&highest);
        let choices = self.surface.basis().choices();
        for coordinate in (0..from.len()).filter(|it| !choices.contains(it)) {
            for value in self.hills_along(coordinate, from) {
                let mut probe = from.to_vec();
                probe[coordinate] = value;
                self.climb(&mut probe);
                let elo = self.elo(&probe);
                if elo > best {
                    (best, highest) = (elo, probe);
                }
            }
        }
        highest
    }

    /// Values of the grid along a coordinate that none beside them exceeds.
    fn hills_along(&mut self, coordinate: usize, from: &[f64]) -> Vec<f64> {
        let (low, high) = (self.low[coordinate], self.high[coordinate]);
        let mut probe = from.to_vec();
        let heights: [f64; GRID] = std::array::from_fn(|step| {
            probe[coordinate] = grid_value([low, high], step);
            self.elo(&probe)
        });
        let is_hill = |step: &usize| {
            let before = step
                .checked_sub(1)
                .is_none_or(|it| heights[it] <= heights[*step]);
            let after = heights.get(step + 1).is_none_or(|it| *it <= heights[*step]);
            before && after
        };
        let hills = (0..GRID).filter(is_hill);
        hills.map(|step| grid_value([low, high], step)).collect()
    }

    /// One coordinate after the other.
    fn search(&mut self, point: &mut [f64]) {
        for _ in 0..SWEEPS_MAX {
            if !self.sweep(point) {
                return;
            }
        }
    }

    /// Moves to the highest point of the whole grid if that is higher.
    fn search_grid(&mut self, grid: &Grid, point: &mut [f64]) {
        let mut best = self.elo(point);
        let features = grid.features.chunks_exact(self.surface.basis().features());
        let points = grid.points.chunks_exact(point.len());
        for ((features, squares), probe) in features.zip(&grid.squares).zip(points) {
            let elo = self.surface.elo_of(features, *squares);
            if elo > best {
                best = elo;
                point.copy_from_slice(probe);
            }
        }
    }

    /// Moves each coordinate to the best of its grid; whether any moved.
    fn sweep(&mut self, point: &mut [f64]) -> bool {
        let mut moved = false;
        let mut best = self.elo(point);
        for coordinate in 0..point.len() {
            let mut kept = point[coordinate];
            let (low, high) = (self.low[coordinate], self.high[coordinate]);
            let is_choice = self.is_choice(coordinate);
            for step in (0..GRID).step_by(if is_choice { GRID - 1 } else { 1 }) {
                point[coordinate] = grid_value([low, high], step);
                let elo = self.elo(point);
                if elo > best + GAIN_MIN {
                    (best, kept, moved) = (elo, point[coordinate], true);
                }
            }
            point[coordinate] = kept;
        }
        moved
    }

    fn climb(&mut self, point: &mut Vec<f64>) {
        let mut here = self.elo(point);
        for _ in 0..STEPS_MAX {
            let gradient = self.surface.gradient(point);
            let free = self.free(point, &gradient);
            let newton = self.newton_step(point, &gradient, &free);
            let steepest = free_part(&gradient, &free);
            let next = self
                .step_along(point, here, &gradient, &newton)
                .or_else(|| self.step_along(point, here, &gradient, &steepest));
            let Some((next, elo)) = next else {
                return;
            };
            (*point, here) = (next, elo);
        }
    }

    /// Coordinates that can move: no choices, and none held by a bound that the slope pushes to.
    fn free(&self, point: &[f64], gradient: &[f64]) -> Vec<usize> {
        let held = |&i: &usize| {
            (point[i] <= self.low[i] && gradient[i] <= 0.0)
                || (point[i] >= self.high[i] && gradient[i] >= 0.0)
        };
        let can_move = |i: &usize| !self.is_choice(*i) && !held(i);
        (0..point.len()).filter(can_move).collect()
    }

    /// Newton's step in the free coordinates, 0 in the others. Where the surface does not bend
    /// down everywhere, as much is added to its bend as makes the step go upwards.
    fn newton_step(&self, point: &[f64], gradient: &[f64], free: &[usize]) -> Vec<f64> {
        let (dimension, size) = (point.len(), free.len());
        let hessian = self.surface.hessian(point);
        let entries = (0..size * size).map(|at| (free[at / size], free[at % size]));
        let bend: Vec<f64> = entries.map(|(i, j)| -hessian[i * dimension + j]).collect();
        let scale = bend.iter().fold(1.0, |most: f64, it| most.max(it.abs()));
        let mut lift = 0.0;
        let factor = loop {
            let mut lifted = bend.clone();
            for i in 0..size {
                lifted[i * size + i] += lift;
            }
            if let Some(factor) = Cholesky::new(lifted, size) {
                break factor;
            }
            lift = f64::max(4.0 * lift, 1e-3 * scale);
        };
        let mut step: Vec<f64> = free.iter().map(|&i| gradient[i]).collect();
        factor.solve(&mut step);
        let mut whole = vec![0.0; dimension];
        for (&i, by) in free.iter().zip(step) {
            whole[i] = by;
        }
        whole
    }

    /// The first of the step, its half, its quarter... that brings what the slope promises, with
    /// its height; clamped to the box.
    fn step_along(
        &mut self,
        point: &[f64],
        here: f64,
        gradient: &[f64],
        step: &[f64],
    ) -> Option<(Vec<f64>, f64)> {
        let mut share = 1.0;
        for _ in 0..HALVINGS_MAX {
            let moved = point.iter().zip(step);
            let mut next: Vec<f64> = moved.map(|(value, by)| value + share * by).collect();
            self.clamp(&mut next);
            let by: Vec<f64> = next.iter().zip(point).map(|(to, from)| to - from).collect();
            let promised = dot(gradient, &by);
            if promised < GAIN_MIN {
                return None;
            }
            let there = self.elo(&next);
            if there > here && there - here >= PROMISE * promised {
                return Some((next, there));
            }
            share *= 0.5;
        }
        None
    }
}

fn free_part(gradient: &[f64], free: &[usize]) -> Vec<f64> {
    let mut part = vec![0.0; gradient.len()];
    for &i in free {
        part[i] = gradient[i];
    }
    part
}

#[cfg(test)]
#[path = "optimum_tests.rs"]
mod tests;

//! What a fit leaves open: where the highest point may be, and what is still to be gained.

use super::Fit;
use super::optimum::Grid;
use crate::stream::Stream;

/// Draws from a posterior: for each, the highest point of a box and what it has over a vector.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Prospect {
    optima: Vec<Vec<f64>>,
    gains: Vec<f64>,
}

/// Share of a normal law that is within one standard deviation.
const WITHIN_ONE_DEVIATION: f64 = 0.682_689_492_137_085_9;

/// What is still to be gained, in Elo.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gain {
    /// Expected gain of who would know the highest point.
    pub expected: f64,
    /// With a probability of 95 % there is no more.
    pub at_most_95: f64,
}

impl Fit {
    /// Draws `pairs` pairs of surfaces from the posterior (the second of a pair mirrors the first,
    /// which cancels much of what is random in averages) and finds the highest point of each
    /// with every coordinate in [`low`, `high`]. Gains are over `incumbent`.
    ///
    /// Preconditions: those of [`super::Surface::optimum`]; `incumbent` in the box; `pairs` > 0.
    pub fn prospect(
        &self,
        [low, high]: [&[f64]; 2],
        incumbent: &[f64],
        pairs: u32,
        stream: &mut Stream,
    ) -> Prospect {
        let (mut optima, mut gains) = (Vec::new(), Vec::new());
        let grid = Grid::of(self.surface().basis(), [low, high]);
        for _ in 0..pairs {
            let numbers = (0..self.coefficients().len()).map(|_| stream.normal());
            let normals: Vec<f64> = numbers.collect();
            let mirrored: Vec<f64> = normals.iter().map(|number| -number).collect();
            for normals in [normals, mirrored] {
                let surface = self.drawn(&normals);
                let optimum = surface.optimum_on(grid.as_ref(), [low, high], incumbent);
                gains.push(surface.elo(&optimum) - surface.elo(incumbent));
                optima.push(optimum);
            }
        }
        Prospect { optima, gains }
    }

    /// What is still to be gained in a box; see [`Fit::prospect`].
    pub fn remaining_gain(
        &self,
        within: [&[f64]; 2],
        incumbent: &[f64],
        pairs: u32,
        stream: &mut Stream,
    ) -> Gain {
        self.prospect(within, incumbent, pairs, stream).gain()
    }
}

impl Prospect {
    /// Takes the draws of another fit too: what is drawn from several fits, as many from each as
    /// it is believed, has what is unknown about the fit in it.
    pub fn add(&mut self, other: Prospect) {
        self.optima.extend(other.optima);
        self.gains.extend(other.gains);
    }

    /// What is still to be gained.
    pub fn gain(&self) -> Gain {
        Gain {
            expected: self.gains.iter().sum::<f64>() / self.gains.len() as f64,
            at_most_95: quantile(self.gains.clone(), 0.95),
        }
    }

    /// How far a coordinate of the highest point of the range is from this value, as a standard
    /// deviation: 68.3 % of the draws are nearer. The box of the draws was [`low`, `high`] there: a
    /// point that ran into a side of it may be anywhere beyond, so these are spread evenly over
    /// what is left of the range. (The root of the mean square would be that of the few draws
    /// with a highest point far away.)
    pub fn error(&self, coordinate: usize, value: f64, [low, high]: [f64; 2]) -> f64 {
        let (mut inside, mut below, mut above) = (Vec::new(), 0, 0);
        for point in self.coordinate(coordinate) {
            if point <= low && low > 0.0 {
                below += 1;
            } else if point >= high && high < 1.0 {
                above += 1;
            } else {
                inside.push(point);
            }
        }
        let spread = |count: usize, from: f64, to: f64| {
            let shares = (0..count).map(move |index| (index as f64 + 0.5) / count as f64);
            shares.map(move |share| from + share * (to - from))
        };
        inside.extend(spread(below, 0.0, low));
        inside.extend(spread(above, high, 1.0));
        let distances = inside.into_iter().map(|point| (point - value).abs());
        quantile(distances.collect(), WITHIN_ONE_DEVIATION)
    }

    /// Standard deviation of a coordinate of the highest point.
    pub fn deviation(&self, coordinate: usize) -> f64 {
        let values = self.coordinate(coordinate);
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let squares = values.iter().map(|value| (value - mean) * (value - mean));
        (squares.sum::<f64>() / values.len() as f64).sqrt()
    }

    /// Where a coordinate of the highest point is with a probability of 95 %.
    pub fn interval_95(&self, coordinate: usize) -> [f64; 2] {
        let values = self.coordinate(coordinate);
        [quantile(values.clone(), 0.025), quantile(values, 0.975)]
    }

    fn coordinate(&self, coordinate: usize) -> Vec<f64> {
        let optima = self.optima.iter();
        optima.map(|optimum| optimum[coordinate]).collect()
    }
}

/// The quantile of a sample, linear between neighbours. Precondition: not empty.
fn quantile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = share * (values.len() - 1) as f64;
    let below = at as usize;
    let above = (below + 1).min(values.len() - 1);
    values[below] + (at - below as f64) * (values[above] - values[below])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{Purpose, StreamKey};
    use crate::surface::{Basis, Row, fit};

    /// A hill -k z² + s z in one coordinate, known from `games` games.
    fn hill(games: f64) -> Fit {
        let basis = Basis::polynomial(&[0.5], 2, |_| 4.0);
        let strength = |u: f64| {
            let z = 2.0 * (u - 0.5);
            0.4 * z - z * z
        };
        let rows: Vec<Row> = [(0.2, 0.9), (0.5, 0.8), (0.3, 0.6)]
            .into_iter()
            .map(|(a, b)| Row {
                a: vec![a],
                b: vec![b],
                score: games / (1.0 + libm::exp(strength(b) - strength(a))),
                games,
                weight: 1.0,
            })
            .collect();
        fit(&basis, &rows, None)
    }

    fn stream() -> Stream {
        StreamKey::new(5, Purpose::Posterior).stream()
    }

    #[test]
    fn quantiles_lie_between_their_neighbours() {
        let values = vec![4.0, 1.0, 3.0, 2.0];
        assert_eq!(quantile(values.clone(), 0.0), 1.0);
        assert_eq!(quantile(values.clone(), 1.0), 4.0);
        assert_eq!(quantile(values, 0.5), 2.5);
        assert_eq!(quantile(vec![7.0], 0.95), 7.0);
    }

    #[test]
    fn with_many_games_the_gain_is_the_height_of_the_top_over_the_incumbent() {
        let fit = hill(1e7);
        let (low, high) = ([0.0], [1.0]);
        let prospect = fit.prospect([&low, &high], &[0.4], 50, &mut stream());
        // The top is at z = 0.2, u = 0.6; u = 0.4 is 0.16 logits below it.
        let Gain {
            expected,
            at_most_95,
        } = prospect.gain();
        assert!((expected - 0.16 * crate::surface::ELO_PER_LOGIT).abs() < 0.5);
        assert!(at_most_95 >= expected && at_most_95 < expected + 1.0);
        let [from, to] = prospect.interval_95(0);
        assert!(from > 0.59 && to < 0.61 && prospect.deviation(0) < 0.005);
    }

    #[test]
    fn an_error_is_a_standard_deviation_and_draws_at_a_side_may_be_anywhere_beyond() {
        let of = |points: &[f64]| Prospect {
            optima: points.iter().map(|point| vec![*point]).collect(),
            gains: Vec::new(),
        };
        let mut stream = stream();
        let normal: Vec<f64> = (0..20_000).map(|_| 0.5 + 0.1 * stream.normal()).collect();
        let found = of(&normal).error(0, 0.5, [0.0, 1.0]);
        assert!((found - 0.1).abs() < 0.003, "{found}");
        // At the sides: 0.1 below; 0.7 and 0.9 above. Distances 0.05, 0.2, 0.2, 0.4, 0.4.
        let points = of(&[0.3, 0.45, 0.6, 0.6, 0.2]);
        let found = points.error(0, 0.5, [0.2, 0.6]);
        let expected = 0.2 + (4.0 * WITHIN_ONE_DEVIATION - 2.0) * 0.2;
        assert!((found - expected).abs() < 1e-12, "{found}");
        // A side that is an end of the range has nothing beyond it.
        let ends = of(&[0.0, 0.0, 1.0, 1.0]).error(0, 0.0, [0.0, 1.0]);
        assert!((ends - 1.0).abs() < 1e-12, "{ends}");
    }

    #[test]
    fn fewer_games_leave_more_open() {
        let open = |games: f64| {
            let within = [&[0.0][..], &[1.0]];
            let prospect = hill(games).prospect(within, &[0.6], 200, &mut stream());
            (prospect.gain().expected, prospect.deviation(0))
        };
        let (few, many) = (open(30.0), open(3_000.0));
        assert!(few.0 > 3.0 * many.0 && many.0 > 0.0, "{few:?} {many:?}");
        assert!(few.1 > 3.0 * many.1, "{few:?} {many:?}");
    }

    #[test]
    fn the_top_of_a_box_is_in_the_box_and_no_draw_is_below_the_incumbent() {
        let fit = hill(10.0);
        let within = [&[0.1][..], &[0.3]];
        let prospect = fit.prospect(within, &[0.2], 100, &mut stream());
        let mut optima = prospect.optima.iter().flatten();
        assert!(optima.all(|it| (0.1..=0.3).contains(it)));
        assert!(prospect.gains.iter().all(|gain| *gain >= 0.0));
        assert_eq!(
            fit.remaining_gain(within, &[0.2], 100, &mut stream()),
            prospect.gain()
        );
    }
}

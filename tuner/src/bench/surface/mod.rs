//! Surfaces of strength with a known optimum.
//!
//! Most live on the unit cube and start in its middle. `QUAD`, `CQ` and `RAG` have an optimum that
//! is drawn from the seed; the others are the same for every seed. The one- and two-variable
//! functions are the test problems of R. Coulom, "CLOP: Confident Local Optimization for Noisy
//! Black-Box Parameter Tuning" (2011), whose variables lie in [-1, 1] and whose values are logits.

mod clop;
mod dots;
mod quadratic;

use crate::space::{Parameter, Scale, Space, Vector};

/// Elo of one logit of winning probability: 400 / ln 10.
const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;
/// One step on the unit cube, for learners whose edits are steps.
const UNIT_STEP: f64 = 0.12;

/// Elo of the values of a surface's parameters, in their order and units.
type EloFunction = Box<dyn Fn(&[f64]) -> f64 + Send + Sync>;

/// A surface of strength: a space, the Elo of its vectors, and the largest of them.
pub struct Surface {
    name: String,
    space: Space,
    best: f64,
    elo: EloFunction,
}

impl Surface {
    /// The surfaces of two parameters on which learners are compared.
    pub const TWO: [&str; 10] = [
        "QUAD-100", "QUAD-20", "LOG2", "ROSEN", "CORR", "POWER2", "FLAT2", "ANGLE2", "DOTS-A",
        "DOTS-B",
    ];
    /// Those of eight parameters.
    pub const EIGHT: [&str; 3] = ["LOG8", "CQ8", "RAG8"];
    /// A surface with jumps, on which no learner that follows a slope can do well.
    pub const JUMPS: [&str; 1] = ["STEP2"];

    /// Every name that [`Surface::named`] knows.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let groups = [&Self::TWO[..], &Self::JUMPS, &Self::EIGHT];
        groups.into_iter().flatten().copied()
    }

    /// The surface of this name; None for a name that is not one of [`Surface::names`]. Seeds lie
    /// below 2^53.
    pub fn named(name: &str, seed: u64) -> Option<Self> {
        let surface = match name {
            "QUAD-100" => Self::quad(2, 100.0, seed),
            "QUAD-20" => Self::quad(2, 20.0, seed),
            "LOG2" => clop::log(2),
            "ROSEN" => clop::rosenbrock(),
            "CORR" => clop::correlated(),
            "POWER2" => clop::power(2),
            "FLAT2" => clop::flat(2),
            "ANGLE2" => clop::angle(2),
            "STEP2" => clop::step(2),
            "DOTS-A" => dots::capture_and_gives(),
            "DOTS-B" => dots::exploration_and_gives(),
            "LOG8" => clop::log(8),
            "CQ8" => quadratic::correlated(8, seed),
            "RAG8" => quadratic::ragged(8, seed),
            _ => return None,
        };
        Some(Self {
            name: name.into(),
            ..surface
        })
    }

    /// A quadratic bowl over so many parameters (at least two), round: `height` Elo between the
    /// start and the optimum, which lies 0.3 away in a direction drawn from the seed.
    pub fn quad(parameters: usize, height: f64, seed: u64) -> Self {
        quadratic::round(parameters, height, seed)
    }

    /// A surface over the unit cube that starts in its middle; `best` is its largest Elo.
    fn on_unit_cube(
        name: &str,
        parameters: usize,
        best: f64,
        elo: impl Fn(&[f64]) -> f64 + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            space: unit_cube(parameters, 0.5),
            best,
            elo: Box::new(elo),
        }
    }

    /// What people call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What a learner may search, and where it starts.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Elo of a vector of the space.
    pub fn elo(&self, vector: &Vector) -> f64 {
        (self.elo)(&vector.0)
    }

    /// The largest Elo of any vector.
    pub fn best(&self) -> f64 {
        self.best
    }

    /// Elo lost against the optimum, at least 0.
    pub fn regret(&self, vector: &Vector) -> f64 {
        // The optimum's Elo is exact up to rounding, which alone could make this negative.
        (self.best - self.elo(vector)).max(0.0)
    }

    /// Elo between the optimum and the start.
    pub fn start_regret(&self) -> f64 {
        self.regret(&self.space.start())
    }
}

/// Parameters in [0, 1], linear.
fn unit_cube(parameters: usize, start: f64) -> Space {
    let parameter = |number: usize| Parameter {
        path: format!("x{number}"),
        scale: Scale::Linear,
        integer: false,
        step: UNIT_STEP,
        min: 0.0,
        max: 1.0,
        start,
    };
    Space::new((1..=parameters).map(parameter).collect())
}

#[cfg(test)]
#[path = "surface_tests.rs"]
mod tests;

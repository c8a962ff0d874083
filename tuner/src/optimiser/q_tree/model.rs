//! What all games of the run say of the strength of vectors, under a prior whose scale is learnt.

use serde::{Deserialize, Serialize};

use crate::optimiser::SnapshotError;
use crate::optimiser::sides::UnitSpace;
use crate::space::Vector;
use crate::stream::Stream;
use crate::surface::{
    Basis, Curvature, Design, ELO_PER_LOGIT, Fit, Row, Shape, Surface, fit_design, fit_nearly,
};

/// Degree of the polynomial for two parameters: enough for a wall, a cusp or a bent valley.
const ORDER_OF_TWO: usize = 5;
/// Degree for more parameters, where features beyond the squares have one parameter alone: the
/// number of all would grow with its power.
const ORDER_OF_MORE: usize = 3;
/// Standard deviation of these, as a share of what the degree has otherwise.
const CUBE_OF_MORE: f64 = 0.6;
/// Centre of the hyperprior on σ: the slope at the middle of the ranges, in logits per half range.
const SIGMA: f64 = 1.5;
/// Standard deviation of ln σ.
const SIGMA_SPREAD: f64 = 1.5;
/// Centre of the hyperprior on ρ: how much coefficients grow from a degree to the next. One over
/// it is the length in which the surface changes, in half ranges.
const RHO: f64 = 1.0;
/// Standard deviation of ln ρ.
const RHO_SPREAD: f64 = 0.7;
/// Limits of both, in the steps that are tried. Below these σ a plain is believed flat that only
/// was never left.
const SIGMA_STEPS: [i32; 2] = [-2, 8];
const RHO_STEPS: [i32; 2] = [-6, 6];
/// The window of the features in halves of ρ²: none, where the surface grows towards the ends of
/// the ranges as a polynomial does; half; and that of a Gaussian process, equal everywhere.
const WINDOW_STEPS: [i32; 2] = [0, 2];
const WINDOW_START: i32 = 1;
/// What half a range costs that is believed before a game, as a share of σ ρ: a parameter has a
/// best value somewhere.
const BOWL: f64 = 0.5;
const BOWL_OF_MORE: f64 = 1.0;
/// Standard deviation of a coefficient with several parameters, as a share, where there are more
/// than two: most parameters have little to do with each other, and there are many such pairs. In
/// doublings by evidence.
const CROSS_OF_MORE: f64 = 0.3;
const CROSS_STEPS: [i32; 2] = [-2, 2];
/// A game counts 1/e where its two vectors together are this many Elo below the centre, for two
/// parameters: what far and lost games say would bend the surface where it matters.
const FAR_ELO: f64 = 240.0;

/// Games are weighed anew once they have grown by this factor: rounds of more than two parameters
/// are shorter.
const GROWTH: f64 = 1.04;

/// The model.
#[derive(Clone, Debug)]
pub(super) struct Model {
    unit_space: UnitSpace,
    basis: Basis,
    design: Design,
    state: ModelState,
}

/// What a snapshot keeps of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ModelState {
    steps: Steps,
    coefficients: Vec<f64>,
    curvature: Curvature,
    /// Games that there were when they were weighed.
    weighed: f64,
    matches: Vec<Match>,
}

/// The prior's scale: σ in doublings of [`SIGMA`], ρ in half doublings of [`RHO`], the window in
/// halves of ρ²; for more than two parameters, which have no window, the share of products in
/// doublings of [`CROSS_OF_MORE`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Steps {
    sigma: i32,
    rho: i32,
    window: i32,
    cross: i32,
}

/// All games of two vectors in a round.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Match {
    a: Vec<f64>,
    b: Vec<f64>,
    /// Points of `a`.
    score: f64,
    games: f64,
    weight: f64,
}

impl ModelState {
    pub(super) fn matches(&self) -> usize {
        self.matches.len()
    }
}

impl Model {
    pub(super) fn new(unit_space: UnitSpace) -> Self {
        let dimension = unit_space.dimension();
        let order = if dimension > 2 {
            ORDER_OF_MORE
        } else {
            ORDER_OF_TWO
        };
        let is_kept = |indices: &[usize]| {
            let is_mixed = indices.iter().any(|index| *index != indices[0]);
            let mut neighbours = indices.windows(2);
            // A choice is at one end or the other: its square says nothing.
            let has_square_of_choice =
                neighbours.any(|it| it[0] == it[1] && unit_space.is_choice(it[0]));
            (dimension <= 2 || indices.len() <= 2 || !is_mixed) && !has_square_of_choice
        };
        let mut basis = Basis::polynomial(&vec![0.5; dimension], order, |indices| {
            if is_kept(indices) { 1.0 } else { 0.0 }
        })
        .with_choices(unit_space.choices());
        if dimension <= 2 {
            basis = basis.with_constant();
        }
        let steps = Steps {
            sigma: 0,
            rho: 0,
            window: if dimension <= 2 { WINDOW_START } else { 0 },
            cross: 0,
        };
        let basis = basis_with(basis, steps);
        Self {
            design: Design::new(&basis),
            unit_space,
            state: ModelState {
                steps,
                coefficients: vec![0.0; basis.features()],
                curvature: Curvature::default(),
                weighed: 0.0,
                matches: Vec::new(),
            },
            basis,
        }
    }

    pub(super) fn state(&self) -> &ModelState {
        &self.state
    }

    /// Takes over a state. The model is new.
    pub(super) fn restore(&mut self, state: ModelState) -> Result<(), SnapshotError> {
        let refuse = |reason: &str| {
            let reason = reason.into();
            Err(SnapshotError { reason })
        };
        if state.coefficients.len() != self.basis.features() {
            return refuse("the surface has another number of coefficients");
        }
        let known = state
            .curvature
            .is_of(self.basis.features(), state.matches.len());
        if !known || state.weighed.is_nan() || state.weighed < 0.0 {
            return refuse("the curvature of the surface does not fit the matches");
        }
        for it in &state.matches {
            let inside = |values: &[f64]| self.unit_space.stored_incumbent(values).is_ok();
            if !inside(&it.a) || !inside(&it.b) {
                return refuse("a vector that played is outside the space");
            }
            let points = (0.0..=it.games).contains(&it.score);
            if !points || !(0.0..=1.0).contains(&it.weight) {
                return refuse("points, games and weight of a match do not fit each other");
            }
        }
        if state.steps != state.steps.clamped(self.unit_space.dimension()) {
            return refuse("the scale of the surface is out of range");
        }
        self.basis = basis_with(self.basis.clone(), state.steps);
        self.state = state;
        self.design = self.design_of(&self.basis);
        Ok(())
    }

    /// Adds games; `a` took `score` points of `games`. Matches before `from` are not of this
    /// round and stay as they are.
    pub(super) fn add(&mut self, a: &Vector, b: &Vector, score: f64, games: f64, from: usize) {
        let known = self.state.matches[from..]
            .iter()
            .position(|it| (it.a == a.0 && it.b == b.0) || (it.a == b.0 && it.b == a.0));
        let Some(offset) = known else {
            let (a, b) = (a.0.clone(), b.0.clone());
            let it = Match {
                a,
                b,
                score,
                games,
                weight: 1.0,
            };
            let row = self.row(&it);
            self.design.push(&self.basis, &row);
            self.state.matches.push(it);
            return;
        };
        let it = &mut self.state.matches[from + offset];
        let score = if it.a == a.0 { score } else { games - score };
        it.score += score;
        it.games += games;
        self.design.add(from + offset, score, games);
    }

    pub(super) fn matches(&self) -> usize {
        self.state.matches.len()
    }

    fn row(&self, it: &Match) -> Row {
        let unit = |values: &[f64]| self.unit_space.point(&Vector(values.to_vec()));
        Row {
            a: unit(&it.a),
            b: unit(&it.b),
            score: it.score,
            games: it.games,
            weight: it.weight,
        }
    }

    fn design_of(&self, basis: &Basis) -> Design {
        let mut design = Design::new(basis);
        let matches = self.state.matches.iter();
        matches.for_each(|it| design.push(basis, &self.row(it)));
        design
    }

    /// The most probable surface as of the last fit.
    pub(super) fn surface(&self) -> Surface {
        Surface::new(self.basis.clone(), self.state.coefficients.clone())
    }

    /// Fits again.
    pub(super) fn fit(&mut self) -> Fit {
        let warm = &self.state.coefficients;
        let curvature = &mut self.state.curvature;
        let fit = fit_nearly(&self.basis, &self.design, Some(warm), curvature);
        self.state.coefficients = fit.coefficients().to_vec();
        fit
    }

    /// Whether the games are so many more than when they were weighed that they should be anew.
    pub(super) fn is_due(&self) -> bool {
        let games: f64 = self.state.matches.iter().map(|it| it.games).sum();
        games > GROWTH * self.state.weighed
    }

    /// Weighs every match by how far below `centre` its two vectors lie.
    pub(super) fn weigh(&mut self, centre: &[f64]) {
        self.state.weighed = self.state.matches.iter().map(|it| it.games).sum();
        self.state.curvature.clear();
        let surface = self.surface();
        let height = surface.elo(centre);
        let far = FAR_ELO * (centre.len() as f64 / 2.0);
        for (index, it) in self.state.matches.iter_mut().enumerate() {
            let below = [&it.a, &it.b].map(|values| {
                let point = self.unit_space.point(&Vector(values.clone()));
                f64::max(height - surface.elo(&point), 0.0)
            });
            it.weight = libm::exp(-(below[0] + below[1]) / far);
            self.design.weigh(index, it.weight);
        }
    }

    /// Fits under this prior and those a step of `turn` away, and keeps the one whose evidence is
    /// the largest: what the games themselves say of how steep, how smooth and how alike everywhere
    /// the surface is. Turns go round.
    pub(super) fn fit_scale(&mut self, turn: u32) -> Fit {
        let mut best = Scaled::new(self, self.state.steps, None);
        for steps in self.neighbours(turn) {
            let next = Scaled::new(self, steps, Some(&best));
            if next.evidence > best.evidence {
                best = next;
            }
        }
        let Scaled {
            steps,
            basis,
            design,
            curvature,
            fit,
            ..
        } = best;
        self.state.steps = steps;
        self.state.curvature = curvature;
        self.basis = basis;
        if let Some(design) = design {
            self.design = design;
        }
        self.state.coefficients = fit.coefficients().to_vec();
        fit
    }

    /// Priors a step of a turn away: of σ, ρ, and the window or the share of products.
    fn neighbours(&self, turn: u32) -> Vec<Steps> {
        let here = self.state.steps;
        let dimension = self.unit_space.dimension();
        let moved = |by: i32| {
            let mut steps = here;
            let step = match turn % 3 {
                0 => &mut steps.sigma,
                1 => &mut steps.rho,
                _ if dimension <= 2 => &mut steps.window,
                _ => &mut steps.cross,
            };
            *step += by;
            steps
        };
        let mut all = vec![moved(-1), moved(1)];
        all.retain(|steps| *steps == steps.clamped(dimension));
        all
    }
}

/// A fit under a prior of some scale.
struct Scaled {
    steps: Steps,
    evidence: f64,
    basis: Basis,
    /// The games as this basis sees them, where that is not how the model's does.
    design: Option<Design>,
    curvature: Curvature,
    fit: Fit,
}

impl Scaled {
    /// `near` is one under another prior, to start from.
    fn new(model: &Model, steps: Steps, near: Option<&Scaled>) -> Self {
        let basis = basis_with(model.basis.clone(), steps);
        let same = basis.shape().window == model.basis.shape().window;
        let design = (!same).then(|| model.design_of(&basis));
        let warm = near.map_or(&*model.state.coefficients, |it| it.fit.coefficients());
        let mut curvature = Curvature::default();
        // Second derivatives of the games are the same under every prior, but not in another
        // window.
        let fit = match &design {
            Some(design) => fit_design(&basis, design, Some(warm)),
            None => {
                curvature.clone_from(near.map_or(&model.state.curvature, |it| &it.curvature));
                fit_nearly(&basis, &model.design, Some(warm), &mut curvature)
            }
        };
        Self {
            steps,
            evidence: fit.log_evidence() + steps.log_hyperprior(),
            basis,
            design,
            curvature,
            fit,
        }
    }
}

/// Coefficients shrink with their degree as those of a smooth function do, σ ρ^(d-1) / √(α!), and
/// the surface bends downwards.
fn basis_with(basis: Basis, steps: Steps) -> Basis {
    let [sigma, rho] = steps.scales();
    let dimension = basis.dimension();
    let share = if dimension > 2 { BOWL_OF_MORE } else { BOWL };
    let shape = Shape {
        bowl: share * sigma * rho,
        window: 0.5 * f64::from(steps.window) * rho * rho,
    };
    basis.with_prior(shape, |indices| {
        let powers = (0..dimension).map(|i| indices.iter().filter(|&&at| at == i).count());
        let powers: Vec<usize> = powers.filter(|&power| power > 0).collect();
        let factorials: f64 = powers.iter().map(|&power| factorial(power)).product();
        let growth = libm::pow(rho, indices.len() as f64 - 1.0);
        let share = match indices.len() {
            _ if dimension <= 2 => 1.0,
            2 if powers.len() > 1 => CROSS_OF_MORE * libm::exp2(f64::from(steps.cross)),
            3 => CUBE_OF_MORE,
            _ => 1.0,
        };
        let deviation = sigma * growth * share;
        deviation * deviation / factorials
    })
}

impl Steps {
    /// The nearest steps that are tried for so many parameters.
    fn clamped(self, dimension: usize) -> Self {
        let clamped = |step: i32, [low, high]: [i32; 2]| step.clamp(low, high);
        let (window, cross) = match dimension {
            0..=2 => (WINDOW_STEPS, [0; 2]),
            _ => ([0; 2], CROSS_STEPS),
        };
        Self {
            sigma: clamped(self.sigma, SIGMA_STEPS),
            rho: clamped(self.rho, RHO_STEPS),
            window: clamped(self.window, window),
            cross: clamped(self.cross, cross),
        }
    }

    /// σ and ρ.
    fn scales(self) -> [f64; 2] {
        [
            SIGMA * libm::exp2(f64::from(self.sigma)),
            RHO * libm::exp2(0.5 * f64::from(self.rho)),
        ]
    }

    fn log_hyperprior(self) -> f64 {
        let [sigma, rho] = self.scales();
        let of_sigma = libm::log(sigma / SIGMA) / SIGMA_SPREAD;
        let of_rho = libm::log(rho / RHO) / RHO_SPREAD;
        let of_cross = f64::from(self.cross);
        -0.5 * (of_sigma * of_sigma + of_rho * of_rho + of_cross * of_cross)
    }
}

fn factorial(number: usize) -> f64 {
    (1..=number).map(|factor| factor as f64).product()
}

/// The score that `surface` expects of `a` against `b`.
pub(super) fn expected_score(surface: &Surface, a: &[f64], b: &[f64]) -> f64 {
    let difference = (surface.elo(b) - surface.elo(a)) / ELO_PER_LOGIT;
    1.0 / (1.0 + libm::exp(difference))
}

/// A surface drawn from the posterior, its deviation from the most probable one times `share`.
pub(super) fn drawn(fit: &Fit, share: f64, stream: &mut Stream) -> Surface {
    let normals = fit.coefficients().iter();
    let normals: Vec<f64> = normals.map(|_| share * normal(stream)).collect();
    fit.drawn(&normals)
}

/// A standard normal number (Box and Muller).
pub(super) fn normal(stream: &mut Stream) -> f64 {
    let radius = (-2.0 * libm::log(1.0 - stream.unit())).sqrt();
    radius * libm::cos(std::f64::consts::TAU * stream.unit())
}

#[cfg(test)]
#[path = "model_tests.rs"]
mod tests;

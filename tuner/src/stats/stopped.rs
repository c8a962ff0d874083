//! Where a sequential test that is looked at after batches ends: the law of its outcomes.
//!
//! The test is seen as a walk: the sum of standardised observations, less their mean in the
//! middle between the two hypotheses. Its steps have variance 1, its mean step is the drift, and
//! it stops at `Limits`. Outcomes are ordered by stage (J. Whitehead, "The Design and Analysis
//! of Sequential Clinical Trials", chapter 5): a stop at the lower limit is worse than no stop and
//! the worse the earlier, a stop at the upper one the better the earlier; among outcomes of one
//! look the walk's value decides.
//!
//! Few coarse looks are followed one by one: the density of the walks still going, by
//! Gauss-Legendre quadrature (P. Armitage, C. K. McPherson and B. C. Rowe, 1969). Many fine looks
//! are a Brownian motion (`brownian`) whose limits are moved outwards by the mean
//! overshoot of a look (D. Siegmund, "Sequential Analysis", section X.2).

use std::num::NonZeroU64;

use super::brownian::Strip;
use super::limits::Limits;
use super::normal;

/// Mean overshoot of a normal random walk over a far limit, in standard deviations of a step:
/// -zeta(1/2) / sqrt(2 pi).
const OVERSHOOT: f64 = 0.582_597_157_939_010_7;

/// Nodes of the quadrature on a strip: some for its ends, and so many for each standard deviation
/// of the finest step in it.
const NODES_LEAST: f64 = 16.0;
const NODES_PER_DEVIATION: f64 = 2.0;

/// More nodes or more work than this, and the looks are taken as a continuous watch.
const NODES_MOST: f64 = 400.0;
const WORK_MOST: f64 = 2e7;

/// Walks further than this from where they are expected are left out, in standard deviations: far
/// enough for every drift that an interval can reach.
const REACH: f64 = 13.0;

/// A step of so many standard deviations has a probability below 1e-15.
const NEGLIGIBLE: f64 = 8.0;

/// Nodes of the walks before the first of many fine looks.
const NODES_BEFORE: usize = 100;

/// When a sequential test is looked at, in observations (game pairs, or single games).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Looks {
    /// After every so many observations.
    pub every: NonZeroU64,
    /// But not before there are so many.
    pub not_before: u64,
}

impl Looks {
    /// A look after each observation.
    pub const ALWAYS: Looks = Looks {
        every: NonZeroU64::MIN,
        not_before: 0,
    };

    /// Whether a test is looked at after so many observations.
    pub fn is_due(&self, observations: u64) -> bool {
        observations >= self.first() && observations.is_multiple_of(self.every.get())
    }

    /// Observations at the first look: whole batches.
    pub fn first(&self) -> u64 {
        let every = self.every.get();
        self.not_before.max(1).div_ceil(every) * every
    }

    /// Looks before the last one, which is after `observations`, whether or not it was due.
    fn before(&self, observations: u64) -> u64 {
        let later = observations.saturating_sub(1).checked_sub(self.first());
        later.map_or(0, |later| later / self.every.get() + 1)
    }

    /// Observations at the look before the last one, which is after `observations`.
    pub(super) fn last_before(&self, observations: u64) -> Option<u64> {
        let earlier = self.before(observations).checked_sub(1)?;
        Some(self.first() + earlier * self.every.get())
    }
}

/// How a walk ended, and between which limits it went until then.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct End {
    /// Where the walk would have stopped.
    pub(super) limits: Limits,
    /// When it was looked at.
    pub(super) looks: Looks,
    /// Observations at the last look.
    pub(super) observations: u64,
    /// The walk's value there.
    pub(super) value: f64,
}

/// The law of outcomes, ready to be asked for many drifts.
#[derive(Debug)]
pub(super) struct OutcomeLaw {
    end: End,
    /// The drift at which the walks were followed; it tells about others that are not far from it.
    followed: f64,
    method: Method,
}

#[derive(Debug)]
enum Method {
    /// There was one look, and so nothing sequential.
    Once,
    /// The walks still going after each look but the last, at the drift that is followed.
    LookByLook(Vec<Look>),
    /// A watch all the time, between limits moved outwards.
    Continuous(Strip),
}

/// The walks still going after a look.
#[derive(Debug)]
struct Look {
    observations: u64,
    nodes: Vec<Node>,
}

/// A place of the quadrature, with the mass of the walks there (first its weight alone).
#[derive(Clone, Copy, Debug)]
struct Node {
    place: f64,
    mass: f64,
}

impl OutcomeLaw {
    /// The law for drifts that are not far from `followed`.
    pub(super) fn new(end: End, followed: f64) -> Self {
        let earlier = end.looks.before(end.observations) as f64;
        let straight = end.limits.straight();
        let deviation = (end.looks.every.get() as f64).sqrt();
        let width = straight.upper - straight.lower;
        let nodes = NODES_LEAST + NODES_PER_DEVIATION * width / deviation;
        let method = if earlier == 0.0 {
            Method::Once
        } else if nodes <= NODES_MOST && earlier * nodes * nodes <= WORK_MOST {
            Method::LookByLook(follow(&end, followed))
        } else {
            let limits = end.limits.at(end.observations);
            let outwards = OVERSHOOT * deviation;
            Method::Continuous(Strip {
                lower: limits.lower - outwards,
                upper: limits.upper + outwards,
            })
        };
        Self {
            end,
            followed,
            method,
        }
    }

    /// Probability of an outcome at most as good as the one that was, when the mean step is
    /// `drift`. It falls from 1 to 0 as the drift grows.
    pub(super) fn at_most(&self, drift: f64) -> f64 {
        match &self.method {
            Method::Once => Step::of(self.end.observations, drift).below(self.end.value),
            Method::LookByLook(looks) => self.look_by_look(looks, drift),
            Method::Continuous(strip) => self.continuous(*strip, drift),
        }
    }

    fn look_by_look(&self, looks: &[Look], drift: f64) -> f64 {
        let End {
            limits,
            observations,
            value,
            ..
        } = self.end;
        let first = Step::of(self.end.looks.first(), drift);
        let stops = limits.stops_below(self.end.looks.first());
        let mut sum = first.below(stops.upper) - first.below(stops.lower);
        for (index, look) in looks.iter().enumerate() {
            let until = looks.get(index + 1).map(|next| next.observations);
            let step = Step::of(until.unwrap_or(observations) - look.observations, drift);
            let ending = match until {
                Some(until) => limits.stops_below(until),
                None => Strip {
                    lower: f64::NEG_INFINITY,
                    upper: value,
                },
            };
            for node in &look.nodes {
                let [upper, lower] = [ending.upper, ending.lower].map(|to| to - node.place);
                let ends = step.below(upper) - step.below(lower);
                if ends > 0.0 {
                    let ratio = self.likelihood_ratio(node.place, look.observations, drift);
                    sum += node.mass * ratio * ends;
                }
            }
        }
        sum.clamp(0.0, 1.0)
    }

    /// How much likelier a walk is at a place when the drift is this and not the one followed. It
    /// does not depend on the way there.
    fn likelihood_ratio(&self, place: f64, observations: u64, drift: f64) -> f64 {
        let middle = 0.5 * (drift + self.followed) * observations as f64;
        libm::exp((drift - self.followed) * (place - middle))
    }

    fn continuous(&self, strip: Strip, drift: f64) -> f64 {
        let End {
            limits,
            looks,
            observations,
            value,
        } = self.end;
        let limits = limits.at(observations);
        // A stop is at the moved limit, wherever the last step has led.
        let value = if value >= limits.upper {
            strip.upper
        } else if value <= limits.lower {
            strip.lower
        } else {
            value
        };
        let unwatched = looks.first() - looks.every.get();
        let time = (observations - unwatched) as f64;
        if unwatched == 0 {
            return strip.below(0.0, drift, time, value);
        }
        // Before the first look the walk goes where it likes.
        let before = Step::of(unwatched, drift);
        let mut sum = before.below(strip.lower);
        for node in gauss_legendre(NODES_BEFORE, strip.intersection(before.reach())) {
            let mass = node.mass * before.density(node.place);
            sum += mass * strip.below(node.place, drift, time, value);
        }
        sum
    }
}

/// The walks still going after each look but the last.
fn follow(end: &End, drift: f64) -> Vec<Look> {
    let (first, every) = (end.looks.first(), end.looks.every.get());
    let mut looks: Vec<Look> = Vec::new();
    for number in 0..end.looks.before(end.observations) {
        let observations = first + number * every;
        let mut nodes = nodes_at(end, observations, drift);
        for node in &mut nodes {
            node.mass *= match looks.last() {
                None => Step::of(first, drift).density(node.place),
                Some(before) => {
                    let step = Step::of(every, drift);
                    let from = before.nodes.iter();
                    from.map(|from| from.mass * step.density(node.place - from.place))
                        .sum()
                }
            };
        }
        looks.push(Look {
            observations,
            nodes,
        });
    }
    looks
}

/// Places and weights where a walk can still be going after a look.
fn nodes_at(end: &End, observations: u64, drift: f64) -> Vec<Node> {
    let reach = Step::of(observations, drift).reach();
    let deviation = (end.looks.every.get() as f64).sqrt();
    let mut nodes = Vec::new();
    for strip in end.limits.goes_on(observations) {
        let strip = strip.intersection(reach);
        let count = NODES_LEAST + NODES_PER_DEVIATION * (strip.upper - strip.lower) / deviation;
        nodes.extend(gauss_legendre(count as usize, strip));
    }
    nodes
}

/// The law of the sum of some observations.
#[derive(Clone, Copy, Debug)]
struct Step {
    mean: f64,
    deviation: f64,
}

impl Step {
    fn of(observations: u64, drift: f64) -> Self {
        let observations = observations as f64;
        Self {
            mean: observations * drift,
            deviation: observations.sqrt(),
        }
    }

    fn below(self, value: f64) -> f64 {
        let z = (value - self.mean) / self.deviation;
        // Most walks are too far from a limit to reach it in one step: that need not be computed.
        if z < -NEGLIGIBLE { 0.0 } else { normal::cdf(z) }
    }

    fn reach(self) -> Strip {
        Strip {
            lower: self.mean - REACH * self.deviation,
            upper: self.mean + REACH * self.deviation,
        }
    }

    fn density(self, value: f64) -> f64 {
        let z = (value - self.mean) / self.deviation;
        if z.abs() > NEGLIGIBLE {
            return 0.0;
        }
        normal::density(z) / self.deviation
    }
}

/// Nodes and weights of Gauss-Legendre quadrature on a strip: the roots of the Legendre
/// polynomial, by Newton's method. None on an empty strip.
fn gauss_legendre(count: usize, strip: Strip) -> Vec<Node> {
    if strip.lower >= strip.upper {
        return Vec::new();
    }
    let (middle, half) = (
        0.5 * (strip.upper + strip.lower),
        0.5 * (strip.upper - strip.lower),
    );
    let node = |index: usize| {
        let share = (index as f64 + 0.75) / (count as f64 + 0.5);
        let mut root = -libm::cos(std::f64::consts::PI * share);
        let mut slope = 1.0;
        for _ in 0..8 {
            let value;
            (value, slope) = legendre(count, root);
            root -= value / slope;
        }
        Node {
            place: middle + half * root,
            mass: half * 2.0 / ((1.0 - root * root) * slope * slope),
        }
    };
    (0..count).map(node).collect()
}

/// The Legendre polynomial of a degree, and its slope, inside (-1, 1).
fn legendre(degree: usize, x: f64) -> (f64, f64) {
    let (mut before, mut value) = (1.0, x);
    for number in 2..=degree {
        let n = number as f64;
        (before, value) = (
            value,
            ((2.0 * n - 1.0) * x * value - (n - 1.0) * before) / n,
        );
    }
    let slope = degree as f64 * (x * value - before) / (x * x - 1.0);
    (value, slope)
}

#[cfg(test)]
#[path = "stopped_tests.rs"]
mod tests;

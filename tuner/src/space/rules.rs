//! Rules between parameters: what must hold of several values at once, and a vector near another
//! of which it does.
//!
//! A rule is one or more linear limits. A vector that breaks one is moved onto the limits by
//! cyclic projections, in which each parameter yields in proportion to its range; then it is
//! rounded, and if rounding broke a limit again, single values yield by their last digit. What
//! still does not hold (limits that meet at a sharp angle between whole numbers) is drawn towards
//! the start, of which every rule holds. A vector of which all rules hold is never changed.

use super::{Parameter, Space, Vector};

/// A limit may be exceeded by this share of its largest term: values are decimal numbers of six
/// digits, and binary sums of such are off by less.
const TOLERANCE: f64 = 1e-9;
/// Sweeps over all limits. Projections approach a sharp corner slowly, and there is a way out.
const SWEEPS_MAX: u32 = 200;
/// Steps of the last digit, for each limit and its parameters.
const YIELDS_MAX: usize = 16;
/// Halvings of the way to the start.
const HALVINGS: u32 = 30;

/// What must hold between parameters. Parameters are named by their place in the space.
#[derive(Clone, PartialEq, Debug)]
pub enum Rule {
    /// Each value is at most the next one of the list less `apart`.
    Ordered {
        /// The parameters, from the smallest value on; at least two.
        parameters: Vec<usize>,
        /// What lies between two neighbours at least; not below 0.
        apart: f64,
    },
    /// The sum of the values has limits; at least one of them.
    Sum {
        /// The parameters; at least two.
        parameters: Vec<usize>,
        /// What the sum is at least.
        at_least: Option<f64>,
        /// What the sum is at most.
        at_most: Option<f64>,
    },
}

impl Rule {
    /// The parameters that it is about.
    pub fn parameters(&self) -> &[usize] {
        let (Rule::Ordered { parameters, .. } | Rule::Sum { parameters, .. }) = self;
        parameters
    }

    /// Whether it holds.
    pub fn holds(&self, vector: &Vector) -> bool {
        self.limits()
            .iter()
            .all(|limit| limit.excess(&vector.0) == 0.0)
    }

    /// For people: `a <= b`, `1 <= a + b <= 2`.
    pub fn words(&self, space: &Space) -> String {
        let names = self.parameters().iter();
        let names: Vec<&str> = names
            .map(|index| space.parameters[*index].path.as_str())
            .collect();
        match self {
            Rule::Ordered { apart, .. } if *apart == 0.0 => names.join(" <= "),
            Rule::Ordered { apart, .. } => names.join(&format!(" + {apart} <= ")),
            Rule::Sum {
                at_least, at_most, ..
            } => {
                let low = at_least.map_or(String::new(), |low| format!("{low} <= "));
                let high = at_most.map_or(String::new(), |high| format!(" <= {high}"));
                format!("{low}{}{high}", names.join(" + "))
            }
        }
    }

    /// What is wrong with it in a space, if anything; it need not be one of the space's rules.
    pub fn problem(&self, space: &Space) -> Option<String> {
        let places = self.parameters();
        if places.len() < 2 {
            return Some("names one parameter; expected at least two".into());
        }
        for (at, index) in places.iter().enumerate() {
            let Some(parameter) = space.parameters.get(*index) else {
                return Some(format!("names parameter {index}, which there is not"));
            };
            if places[..at].contains(index) {
                return Some(format!("names {} twice", parameter.path));
            }
            if parameter.is_choice() {
                let path = &parameter.path;
                return Some(format!(
                    "names {path}, whose words have no order; expected numbers"
                ));
            }
        }
        let limits = self.limits();
        let usable = |limit: &Limit| limit.bound.is_finite();
        let is_ordered = !matches!(self, Rule::Ordered { apart, .. } if *apart < 0.0);
        if limits.is_empty() || !limits.iter().all(usable) || !is_ordered {
            return Some("has no usable limit; expected finite numbers, apart not below 0".into());
        }
        if self.holds(&space.start()) {
            return None;
        }
        let starts = places.iter().map(|index| {
            let Parameter { path, start, .. } = &space.parameters[*index];
            format!("{path} = {start}")
        });
        let starts: Vec<String> = starts.collect();
        Some(format!(
            "does not hold at the start: {}, but {}; change a start or the rule",
            starts.join(", "),
            self.words(space)
        ))
    }

    fn limits(&self) -> Vec<Limit> {
        match self {
            Rule::Ordered { parameters, apart } => {
                let limit = |pair: &[usize]| Limit {
                    terms: vec![(pair[0], 1.0), (pair[1], -1.0)],
                    bound: -apart,
                };
                parameters.windows(2).map(limit).collect()
            }
            Rule::Sum {
                parameters,
                at_least,
                at_most,
            } => {
                let limit = |sign: f64, bound: f64| Limit {
                    terms: parameters.iter().map(|&index| (index, sign)).collect(),
                    bound: sign * bound,
                };
                let low = at_least.map(|bound| limit(-1.0, bound));
                low.into_iter()
                    .chain(at_most.map(|bound| limit(1.0, bound)))
                    .collect()
            }
        }
    }
}

/// Factors times values, summed, are at most `bound`.
struct Limit {
    terms: Vec<(usize, f64)>,
    bound: f64,
}

impl Limit {
    /// What the sum has too much; 0 where the limit holds.
    fn excess(&self, values: &[f64]) -> f64 {
        let (mut sum, mut largest) = (0.0, self.bound.abs());
        for &(index, factor) in &self.terms {
            let term: f64 = factor * values[index];
            sum += term;
            largest = largest.max(term.abs());
        }
        let excess = sum - self.bound;
        if excess > TOLERANCE * largest {
            excess
        } else {
            0.0
        }
    }

    /// Terms whose values can go on in the direction that makes the sum smaller.
    fn free(&self, parameters: &[Parameter], values: &[f64]) -> Vec<(usize, f64)> {
        let can_yield = |&(index, factor): &(usize, f64)| {
            let Parameter { min, max, .. } = parameters[index];
            let value = values[index];
            if factor > 0.0 {
                value > min
            } else {
                value < max
            }
        };
        self.terms.iter().copied().filter(can_yield).collect()
    }

    /// Moves values until the limit holds, those with wide ranges farther; within their ranges.
    fn project(&self, parameters: &[Parameter], values: &mut [f64]) {
        // Each turn but the last takes a value to the end of its range.
        for _ in 0..=self.terms.len() {
            let excess = self.excess(values);
            let free = self.free(parameters, values);
            if excess == 0.0 || free.is_empty() {
                return;
            }
            let square = |index: usize| {
                let range = parameters[index].max - parameters[index].min;
                range * range
            };
            let weights = free
                .iter()
                .map(|&(index, factor)| factor * factor * square(index));
            let share = excess / weights.sum::<f64>();
            for (index, factor) in free {
                let Parameter { min, max, .. } = parameters[index];
                let moved = values[index] - share * factor * square(index);
                values[index] = moved.clamp(min, max);
            }
        }
    }

    /// Moves the value for which it is the smallest part of its range by one unit or its last
    /// digit.
    fn yield_one(&self, parameters: &[Parameter], values: &mut [f64]) {
        let last_digit = |index: usize| parameters[index].last_digit(values[index]);
        let part = |&(index, _): &(usize, f64)| {
            last_digit(index) / (parameters[index].max - parameters[index].min)
        };
        let free = self.free(parameters, values);
        let least = free.iter().min_by(|a, b| part(a).total_cmp(&part(b)));
        if let Some(&(index, factor)) = least {
            let moved = values[index] - factor.signum() * last_digit(index);
            values[index] = parameters[index].settled(moved);
        }
    }
}

impl Space {
    /// The first rule that does not hold.
    pub fn broken_rule(&self, vector: &Vector) -> Option<&Rule> {
        self.rules.iter().find(|rule| !rule.holds(vector))
    }

    /// A vector near this one of which every rule holds: itself where they do; deterministic.
    ///
    /// Preconditions: the space is valid, values are in range, whole and quantised as they are
    /// played.
    pub fn repaired(&self, vector: Vector) -> Vector {
        if self.broken_rule(&vector).is_none() {
            return vector;
        }
        let limits = self.limits();
        let mut values = vector.0.clone();
        self.project_onto(&limits, &mut values);
        for (index, value) in values.iter_mut().enumerate() {
            if *value != vector.0[index] {
                *value = self.parameters[index].settled(*value);
            }
        }
        let terms: usize = limits.iter().map(|limit| limit.terms.len()).sum();
        for _ in 0..YIELDS_MAX * terms {
            match limits.iter().find(|limit| limit.excess(&values) > 0.0) {
                Some(limit) => limit.yield_one(&self.parameters, &mut values),
                None => return Vector(values),
            }
        }
        self.drawn_to_start(&Vector(values))
    }

    /// Moves values that need not be rounded onto the rules, as far as projections lead; whether
    /// anything was to be moved.
    pub fn project(&self, values: &mut [f64]) -> bool {
        let limits = self.limits();
        let broken = limits.iter().any(|limit| limit.excess(values) > 0.0);
        if broken {
            self.project_onto(&limits, values);
        }
        broken
    }

    fn limits(&self) -> Vec<Limit> {
        self.rules.iter().flat_map(Rule::limits).collect()
    }

    fn project_onto(&self, limits: &[Limit], values: &mut [f64]) {
        for _ in 0..SWEEPS_MAX {
            let mut is_held = true;
            for limit in limits {
                if limit.excess(values) > 0.0 {
                    is_held = false;
                    limit.project(&self.parameters, values);
                }
            }
            if is_held {
                return;
            }
        }
    }

    /// The values of rules' parameters on the way from the start to the vector, as far as rules
    /// hold.
    fn drawn_to_start(&self, vector: &Vector) -> Vector {
        let start = self.start();
        let ruled = |index: usize| {
            let mut rules = self.rules.iter();
            rules.any(|rule| rule.parameters().contains(&index))
        };
        let at = |share: f64| {
            let values = self
                .parameters
                .iter()
                .enumerate()
                .map(|(index, parameter)| {
                    let [from, to] = [start.0[index], vector.0[index]];
                    match ruled(index) {
                        true if share > 0.0 => parameter.settled(from + share * (to - from)),
                        true => from,
                        false => to,
                    }
                });
            Vector(values.collect())
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            match self.broken_rule(&at(middle)) {
                Some(_) => high = middle,
                None => low = middle,
            }
        }
        at(low)
    }
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;

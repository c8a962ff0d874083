//! Unit coordinates: each parameter's range mapped to [0, 1] on the parameter's scale.

use crate::space::{Parameter, Scale, Space, Vector};

/// The mapping between vectors of a space and unit coordinates. On a linear scale equal differences
/// of a value are equally far apart, on a log scale equal factors. Rules hold of every vector.
#[derive(Clone, PartialEq, Debug)]
pub struct Coordinates {
    space: Space,
}

impl Coordinates {
    /// The mapping of a space. Precondition: the space is valid.
    pub fn new(space: &Space) -> Self {
        let space = space.clone();
        Self { space }
    }

    /// Number of coordinates.
    pub fn dimension(&self) -> usize {
        self.space.parameters.len()
    }

    /// Where a vector lies: 0 is the smallest value of a parameter, 1 its largest.
    pub fn to_unit(&self, vector: &Vector) -> Vec<f64> {
        let values = self.space.parameters.iter().zip(&vector.0);
        values
            .map(|(parameter, value)| unit_of(parameter, *value))
            .collect()
    }

    /// The vector that is played for a point: each value in its range, whole where it must be,
    /// quantised, and moved by as much as rules ask.
    pub fn to_vector(&self, unit: &[f64]) -> Vector {
        let points = self.space.parameters.iter().zip(unit);
        let values = points.map(|(parameter, unit)| value_of(parameter, *unit));
        self.space.repaired(Vector(values.collect()))
    }

    /// Moves a point to where rules hold, without rounding: itself where they do.
    pub fn keep_to_rules(&self, unit: &mut [f64]) {
        if self.space.rules.is_empty() {
            return;
        }
        let points = self.space.parameters.iter().zip(&*unit);
        let exact: Vec<f64> = points.map(|(it, unit)| exact_value_of(it, *unit)).collect();
        let mut values = exact.clone();
        self.space.project(&mut values);
        for (index, parameter) in self.space.parameters.iter().enumerate() {
            // What was not moved keeps its digits.
            if values[index] != exact[index] {
                unit[index] = unit_of(parameter, values[index]).clamp(0.0, 1.0);
            }
        }
    }

    /// The value of one parameter that is played at a unit coordinate, in its range, whole where it
    /// must be, quantised.
    pub fn value(&self, parameter: usize, unit: f64) -> f64 {
        value_of(&self.space.parameters[parameter], unit)
    }

    /// Whether a coordinate is a choice, which is 0 or 1 and nothing in between: no feature of a
    /// surface can have its square.
    pub fn is_choice(&self, parameter: usize) -> bool {
        self.space.parameters[parameter].is_choice()
    }

    /// The coordinates that are.
    pub fn choices(&self) -> Vec<usize> {
        let coordinates = 0..self.dimension();
        coordinates.filter(|index| self.is_choice(*index)).collect()
    }

    /// What is between two neighbouring values of a parameter around `unit`, at least: a whole
    /// unit where values are whole, 0 elsewhere.
    pub fn resolution(&self, parameter: usize, unit: f64) -> f64 {
        let parameter = &self.space.parameters[parameter];
        if !parameter.integer {
            return 0.0;
        }
        if parameter.is_choice() {
            return 1.0;
        }
        let value = value_of(parameter, unit);
        let next = if value + 1.0 <= parameter.max {
            value + 1.0
        } else {
            value - 1.0
        };
        (unit_of(parameter, next) - unit_of(parameter, value)).abs()
    }

    /// How far a point has to move from the whole value at `unit`, up or down, until another is
    /// played: half a unit where the scale is linear, the longer of the two ways where they
    /// differ, as on a log scale. At an end of the range only the way inwards counts. 0 where
    /// values need not be whole.
    pub fn rounding(&self, parameter: usize, unit: f64) -> f64 {
        let parameter = &self.space.parameters[parameter];
        if !parameter.integer {
            return 0.0;
        }
        if parameter.is_choice() {
            return 0.5;
        }
        let value = value_of(parameter, unit);
        let middles = [value - 0.5, value + 0.5].into_iter();
        let inside = middles.filter(|middle| (parameter.min..=parameter.max).contains(middle));
        let ways = inside.map(|middle| unit_of(parameter, middle) - unit_of(parameter, value));
        ways.fold(0.0, |longest, way| f64::max(longest, way.abs()))
    }
}

fn unit_of(parameter: &Parameter, value: f64) -> f64 {
    let Parameter { min, max, .. } = *parameter;
    match parameter.scale {
        Scale::Linear | Scale::Choice(_) => (value - min) / (max - min),
        Scale::Log => libm::log(value / min) / libm::log(max / min),
    }
}

fn value_of(parameter: &Parameter, unit: f64) -> f64 {
    parameter.settled(exact_value_of(parameter, unit))
}

fn exact_value_of(parameter: &Parameter, unit: f64) -> f64 {
    let Parameter { min, max, .. } = *parameter;
    let value = match parameter.scale {
        Scale::Linear | Scale::Choice(_) => min + unit * (max - min),
        Scale::Log => min * libm::pow(max / min, unit),
    };
    value.clamp(min, max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parameter(scale: Scale, integer: bool, min: f64, max: f64) -> Parameter {
        Parameter {
            path: "p".to_owned(),
            scale,
            integer,
            step: 2.0,
            min,
            max,
            start: min,
        }
    }

    fn all() -> Space {
        let parameters = vec![
            parameter(Scale::Linear, false, -0.5, 1.5),
            parameter(Scale::Log, false, 0.01, 100.0),
            parameter(Scale::Linear, true, 2.0, 12.0),
            parameter(Scale::Log, true, 1.0, 4096.0),
        ];
        Space::new(parameters)
    }

    #[test]
    fn ends_and_middle_of_each_scale() {
        let coordinates = Coordinates::new(&all());
        let low = Vector(vec![-0.5, 0.01, 2.0, 1.0]);
        let high = Vector(vec![1.5, 100.0, 12.0, 4096.0]);
        let middle = Vector(vec![0.5, 1.0, 7.0, 64.0]);
        assert_eq!(coordinates.to_unit(&low), [0.0; 4]);
        assert_eq!(coordinates.to_unit(&high), [1.0; 4]);
        for unit in coordinates.to_unit(&middle) {
            assert!((unit - 0.5).abs() < 1e-15, "{unit}");
        }
        assert_eq!(coordinates.to_vector(&[0.5; 4]), middle);
        assert_eq!(coordinates.to_vector(&[-1.0; 4]), low);
        assert_eq!(coordinates.to_vector(&[2.0; 4]), high);
    }

    #[test]
    fn the_resolution_is_the_step_to_the_next_whole_value() {
        let coordinates = Coordinates::new(&all());
        assert_eq!(coordinates.resolution(0, 0.3), 0.0);
        for unit in [0.0, 0.33, 1.0] {
            assert!((coordinates.resolution(2, unit) - 0.1).abs() < 1e-12);
        }
        // From 1 to 2 of 4096 = 2^12 on a log scale.
        assert!((coordinates.resolution(3, 0.0) - 1.0 / 12.0).abs() < 1e-12);
        let last = libm::log(4096.0 / 4095.0) / libm::log(4096.0);
        assert!((coordinates.resolution(3, 1.0) - last).abs() < 1e-12);
    }

    #[test]
    fn a_move_beyond_the_rounding_plays_another_whole_value_both_ways() {
        let coordinates = Coordinates::new(&all());
        assert_eq!(coordinates.rounding(0, 0.3), 0.0);
        assert!((coordinates.rounding(2, 0.5) - 0.05).abs() < 1e-12);
        for parameter in [2, 3] {
            for value in 1..=12 {
                let start = f64::max(f64::from(value), [2.0, 1.0][parameter - 2]);
                let unit = unit_of(&all().parameters[parameter], start);
                let rounding = coordinates.rounding(parameter, unit);
                let played = |share: f64| {
                    let mut point = [0.5; 4];
                    point[parameter] = unit + share * rounding;
                    coordinates.to_vector(&point).0[parameter]
                };
                let ends = (
                    all().parameters[parameter].min,
                    all().parameters[parameter].max,
                );
                assert_eq!(played(1.01) != start, start < ends.1, "{start}");
                assert_eq!(played(-1.01) != start, start > ends.0, "{start}");
                // One of the two ways is no shorter.
                assert!(played(0.99) == start || played(-0.99) == start, "{start}");
            }
        }
    }

    proptest! {
        #[test]
        fn a_vector_that_can_be_played_comes_back(unit in prop::collection::vec(0.0..1.0, 4)) {
            let coordinates = Coordinates::new(&all());
            let played = coordinates.to_vector(&unit);
            prop_assert!(all().contains(&played));
            prop_assert_eq!(coordinates.to_vector(&coordinates.to_unit(&played)), played);
        }

        #[test]
        fn larger_values_lie_farther_up(a in 0.0..1.0, b in 0.0..1.0) {
            let coordinates = Coordinates::new(&all());
            let at = |unit: f64| coordinates.to_unit(&coordinates.to_vector(&[unit; 4]));
            for (low, high) in at(f64::min(a, b)).into_iter().zip(at(f64::max(a, b))) {
                prop_assert!(low <= high);
            }
        }
    }
}

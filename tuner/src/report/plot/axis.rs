//! An axis: the range it shows, where a value stands in it, and its ticks.

use crate::report::words::grouped;
use crate::space::{Parameter, Scale};

/// Ticks that an axis has about.
const TICKS: f64 = 5.0;
/// Part of the range that is left free at an end where nothing forbids it.
const AIR: f64 = 0.06;

/// How the numbers at the ticks are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Numbers {
    /// With so many digits behind the point.
    Decimal(usize),
    /// Whole, in groups of three.
    Count,
    /// As short as they are.
    Short,
}

/// One axis.
#[derive(Clone, PartialEq, Debug)]
pub(in crate::report) struct Axis {
    low: f64,
    high: f64,
    scale: Scale,
    ticks: Vec<f64>,
    numbers: Numbers,
}

impl Axis {
    /// From `low` to `high`, which are shown exactly.
    pub(in crate::report) fn exact(low: f64, high: f64) -> Self {
        let high = if high > low { high } else { low + 1.0 };
        let step = tick_step(high - low);
        let first = libm::ceil(low / step - 1e-9);
        let last = libm::floor(high / step + 1e-9);
        let count = (last - first) as usize + 1;
        let ticks = (0..count).map(|index| (first + index as f64) * step);
        let digits = libm::ceil(-libm::log10(step) - 1e-9).clamp(0.0, 9.0);
        Self {
            low,
            high,
            scale: Scale::Linear,
            ticks: ticks.map(|tick| tick + 0.0).collect(),
            numbers: Numbers::Decimal(digits as usize),
        }
    }

    /// Of counts from 0.
    pub(in crate::report) fn count(high: u64) -> Self {
        let axis = Self::exact(0.0, high.max(1) as f64);
        let whole = axis.ticks.iter().filter(|tick| tick.fract() == 0.0);
        Self {
            ticks: whole.copied().collect(),
            numbers: Numbers::Count,
            ..axis
        }
    }

    /// Around all of the values, with some air; between 0 and 1 where there are none.
    pub(in crate::report) fn around(values: impl IntoIterator<Item = f64>) -> Self {
        let ends = values.into_iter().fold(None, |ends, value| {
            let (low, high) = ends.unwrap_or((value, value));
            Some((f64::min(low, value), f64::max(high, value)))
        });
        let (low, high) = ends.unwrap_or((0.0, 1.0));
        let air = if high > low {
            AIR * (high - low)
        } else {
            0.5 * low.abs().max(1.0)
        };
        Self::exact(low - air, high + air)
    }

    /// Of a parameter: its range, on its scale.
    pub(in crate::report) fn parameter(parameter: &Parameter) -> Self {
        Self::part_of(parameter, [0.0, 1.0])
    }

    /// Of a part of a parameter's range, on its scale. The part's ends are shares of the range.
    pub(in crate::report) fn part_of(parameter: &Parameter, part: [f64; 2]) -> Self {
        let Parameter { min, max, .. } = *parameter;
        let [low, high] = part.map(|share| match parameter.scale {
            Scale::Linear | Scale::Choice(_) => min + share * (max - min),
            Scale::Log => min * libm::pow(max / min, share),
        });
        match parameter.scale {
            Scale::Linear | Scale::Choice(_) => Self::exact(low, high),
            Scale::Log => Self {
                low,
                high,
                scale: Scale::Log,
                ticks: log_ticks(low, high),
                numbers: Numbers::Short,
            },
        }
    }

    /// Where a value stands: 0 at the low end, 1 at the high one.
    pub(in crate::report) fn share(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear | Scale::Choice(_) => (value - self.low) / (self.high - self.low),
            Scale::Log => libm::log(value / self.low) / libm::log(self.high / self.low),
        }
    }

    /// The ticks with their words.
    pub(in crate::report) fn ticks(&self) -> impl Iterator<Item = (f64, String)> {
        self.ticks.iter().map(|&tick| (tick, self.word(tick)))
    }

    fn word(&self, tick: f64) -> String {
        match self.numbers {
            Numbers::Decimal(digits) => crate::report::words::plain(tick, digits),
            Numbers::Count => grouped(tick as u64),
            Numbers::Short => crate::report::words::short(tick),
        }
    }
}

/// 1, 2 or 5 times a power of ten, so that a span has about [`TICKS`] of it.
fn tick_step(span: f64) -> f64 {
    let rough = span / TICKS;
    let power = libm::pow(10.0, libm::floor(libm::log10(rough)));
    let factors = [1.0, 2.0, 5.0, 10.0];
    let fits = factors
        .into_iter()
        .find(|factor| factor * power >= rough * 0.999);
    fits.unwrap_or(10.0) * power
}

/// 1, 2 and 5 times the powers of ten in a range; the powers alone where these are many.
fn log_ticks(low: f64, high: f64) -> Vec<f64> {
    let decades = libm::log10(high / low);
    let factors: &[f64] = if decades > 4.0 {
        &[1.0]
    } else {
        &[1.0, 2.0, 5.0]
    };
    let (first, last) = (libm::floor(libm::log10(low)), libm::ceil(libm::log10(high)));
    let mut ticks = Vec::new();
    for power in first as i32..=last as i32 {
        for factor in factors {
            let tick = factor * libm::pow(10.0, f64::from(power));
            if (low * (1.0 - 1e-9)..=high * (1.0 + 1e-9)).contains(&tick) {
                ticks.push(tick);
            }
        }
    }
    if ticks.len() < 2 {
        return vec![low, high];
    }
    ticks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(axis: &Axis) -> Vec<String> {
        axis.ticks().map(|(_, word)| word).collect()
    }

    #[test]
    fn ticks_are_round_numbers_inside_the_range() {
        assert_eq!(words(&Axis::exact(0.0, 1.5)), ["0.0", "0.5", "1.0", "1.5"]);
        assert_eq!(words(&Axis::count(12_000)), ["0", "5,000", "10,000"]);
        assert_eq!(words(&Axis::count(1)), ["0", "1"]);
        let negative = words(&Axis::exact(-1.0, 0.5));
        assert_eq!(negative, ["\u{2212}1.0", "\u{2212}0.5", "0.0", "0.5"]);
    }

    #[test]
    fn every_range_has_ticks_and_shares_between_its_ends() {
        for (low, high) in [(0.0, 1e-7), (-3.0, 1e9), (5.0, 5.0), (0.3, 0.31)] {
            let axis = Axis::exact(low, high);
            let shares: Vec<f64> = axis.ticks().map(|(tick, _)| axis.share(tick)).collect();
            assert!(shares.len() >= 2, "{low} {high}");
            assert!(
                shares
                    .iter()
                    .all(|share| (-1e-6..=1.0 + 1e-6).contains(share))
            );
        }
    }

    #[test]
    fn a_logarithmic_axis_spreads_factors_evenly() {
        let axis = Axis::parameter(&Parameter {
            path: "c".into(),
            scale: Scale::Log,
            integer: false,
            step: 1.1,
            min: 0.1,
            max: 10.0,
            start: 1.0,
        });
        assert_eq!(words(&axis), ["0.1", "0.2", "0.5", "1", "2", "5", "10"]);
        assert!((axis.share(1.0) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn an_axis_around_nothing_or_one_value_still_is_one() {
        for values in [vec![], vec![3.0], vec![0.0, 0.0]] {
            let axis = Axis::around(values);
            assert!(axis.ticks().count() >= 2);
        }
    }
}

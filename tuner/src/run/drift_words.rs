//! Legs and drifts in words, for `tuned.toml`, `status` and exports.

use super::extrapolation::{FAR_FACTOR, SIGNIFICANT};
use crate::event::{Drift, Extrapolation, LegSummary};
use crate::outlook::Outlook;
use crate::space::{Parameter, Scale, Space, quantised};
use crate::surface::Coordinates;

/// What a leg came to: values, where known with the 95 % interval of the best one.
pub fn leg(space: &Space, leg: &LegSummary) -> String {
    let LegSummary {
        budget,
        rounds,
        games,
        ..
    } = leg;
    let values = leg_values(space, leg).join(", ");
    format!("{budget}: {values} ({rounds} rounds, {games} games)")
}

/// A leg with what its games say of its values: the leg, then a line for each parameter.
pub fn leg_lines(space: &Space, leg: &LegSummary, outlook: Option<&Outlook>) -> Vec<String> {
    let head = format!("{} in {} games", leg.budget, leg.games);
    let mut values = leg_values(space, leg);
    let told = match outlook {
        None => "they say nothing of single parameters".to_owned(),
        Some(outlook) if !outlook.fits => format!(
            "THE SURFACE DOES NOT FIT: {} comparisons of games contradict it, so nothing is said \
             of single parameters",
            outlook.misfits.len()
        ),
        Some(outlook) => {
            for (value, found) in values.iter_mut().zip(&outlook.parameters) {
                *value += &format!(", {}", found.verdict.words());
            }
            let gain = outlook.remaining_gain;
            format!(
                "still to be gained there: {:.1} Elo expected, at most {:.1} (95 %)",
                gain.expected, gain.at_most_95
            )
        }
    };
    let mut lines = vec![format!("{head}; {told}")];
    lines.extend(values);
    lines
}

/// The values of a leg, each with its path and, where known, the 95 % interval of the best one.
fn leg_values(space: &Space, leg: &LegSummary) -> Vec<String> {
    let intervals = leg_intervals(space, leg);
    let values = space.parameters.iter().zip(&leg.values.0).enumerate();
    values
        .map(|(index, (parameter, value))| {
            let known = intervals.as_ref().filter(|_| !parameter.is_choice());
            let interval = known.map(|known| in_brackets(known[index]));
            let interval = interval.unwrap_or_default();
            format!("{} = {}{interval}", parameter.path, parameter.text(*value))
        })
        .collect()
}

/// Where the best values are at the budget of a leg with a probability of 95 %, in the parameters'
/// order; None where its games do not tell.
pub fn leg_intervals(space: &Space, leg: &LegSummary) -> Option<Vec<[f64; 2]>> {
    let known = leg.deviations.as_ref()?;
    let coordinates = Coordinates::new(space);
    let units = coordinates.to_unit(&leg.values);
    let ends = units.iter().zip(known).enumerate();
    let interval = |(index, (unit, deviation)): (usize, (&f64, &f64))| {
        interval(&coordinates, index, *unit, *deviation)
    };
    Some(ends.map(interval).collect())
}

/// Where the best values are at the budget of matches with a probability of 95 %, as far as the
/// line is one.
pub fn intervals(space: &Space, found: &Extrapolation) -> Vec<[f64; 2]> {
    let coordinates = Coordinates::new(space);
    let drifts = found.drifts.iter().enumerate();
    drifts
        .map(|(index, drift)| interval(&coordinates, index, drift.coordinate, drift.deviation))
        .collect()
}

/// The part of the range within 1.96 deviations.
fn interval(coordinates: &Coordinates, index: usize, unit: f64, deviation: f64) -> [f64; 2] {
    [-1.0, 1.0].map(|sign| {
        let end = unit + sign * SIGNIFICANT * deviation;
        coordinates.value(index, end.clamp(0.0, 1.0))
    })
}

/// An interval for people: more than three digits of its ends are noise.
fn in_brackets([low, high]: [f64; 2]) -> String {
    let [low, high] = [low, high].map(|end| match end {
        0.0 => 0.0,
        _ => {
            let digits = 2 - libm::floor(libm::log10(end.abs())) as i32;
            let scale = libm::pow(10.0, f64::from(digits));
            quantised(libm::round(end * scale) / scale)
        }
    });
    format!(" [{low}, {high}]")
}

/// How each parameter moves with the budget, and what that means for its value.
pub fn drifts(space: &Space, found: &Extrapolation) -> Vec<String> {
    let intervals = intervals(space, found);
    let parameters = space.parameters.iter().enumerate();
    let line = |(index, parameter): (usize, &Parameter)| {
        if parameter.is_choice() {
            let word = parameter.text(found.values.0[index]);
            let path = &parameter.path;
            return format!("{path}: a choice has no drift; that of the dearest budget, {word}");
        }
        let (value, interval) = (found.values.0[index], in_brackets(intervals[index]));
        let words = drift(
            parameter,
            &found.drifts[index],
            &format!("{value}{interval}"),
        );
        format!("{} with the budget: {words}", parameter.path)
    };
    parameters.map(line).collect()
}

/// One of these, with the value as it is shown.
fn drift(parameter: &Parameter, drift: &Drift, value: &str) -> String {
    let each = per_doubling(parameter, drift);
    let mut text = if drift.is_measured {
        format!("{each}; extrapolated, {value}")
    } else {
        format!("no measurable drift ({each}); the value of the dearest budget, {value}")
    };
    if drift.is_clipped() {
        text += "; the line leaves the range, the value is the end of it";
    }
    if let Some(residual) = drift.residual {
        let percent = 100.0 * residual;
        text += &format!("; the legs are {percent:.1} % of the range off the line");
    }
    text
}

/// What a doubling of the budget does, with its 95 % interval: a difference or, on a log scale, a
/// factor.
fn per_doubling(parameter: &Parameter, drift: &Drift) -> String {
    let half = SIGNIFICANT * drift.slope_deviation;
    let [slope, low, high] = [drift.slope, drift.slope - half, drift.slope + half].map(|slope| {
        let coordinate = slope * std::f64::consts::LN_2;
        match parameter.scale {
            Scale::Linear | Scale::Choice(_) => coordinate * (parameter.max - parameter.min),
            Scale::Log => libm::exp(coordinate * libm::log(parameter.max / parameter.min)),
        }
    });
    match parameter.scale {
        Scale::Linear | Scale::Choice(_) => {
            format!("{slope:+.3} [{low:+.3}, {high:+.3}] a doubling")
        }
        Scale::Log => format!("x{slope:.3} [{low:.3}, {high:.3}] a doubling"),
    }
}

/// How far the budget of matches is from the dearest that was tuned.
pub fn reach(dearest: u64, match_budget: u64) -> String {
    let factor = match_budget as f64 / dearest as f64;
    let shown = format!(
        "{match_budget} is {} times the dearest tuned budget",
        quantised_2(factor)
    );
    if factor > FAR_FACTOR {
        format!(
            "{shown}: FAR, a line is believed up to {FAR_FACTOR} times; tune at a dearer budget too"
        )
    } else {
        shown
    }
}

fn quantised_2(factor: f64) -> f64 {
    quantised(libm::round(100.0 * factor) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(scale: Scale, min: f64, max: f64) -> Parameter {
        Parameter {
            path: "c".to_owned(),
            scale,
            integer: false,
            step: 1.5,
            min,
            max,
            start: min,
        }
    }

    const DRIFT: Drift = Drift {
        slope: 0.1,
        slope_deviation: 0.02,
        is_measured: true,
        coordinate: 0.7,
        deviation: 0.05,
        residual: None,
    };

    #[test]
    fn a_drift_is_told_in_the_units_of_the_parameter() {
        let text = drift(&parameter(Scale::Linear, -1.0, 1.0), &DRIFT, "0.4");
        let expected = "+0.139 [+0.084, +0.193] a doubling; extrapolated, 0.4";
        assert_eq!(text, expected);
        let factors = drift(&parameter(Scale::Log, 0.01, 1.0), &DRIFT, "0.25");
        let expected = "x1.376 [1.214, 1.559] a doubling; extrapolated, 0.25";
        assert_eq!(factors, expected);
    }

    #[test]
    fn values_have_the_intervals_of_their_deviations_within_the_range() {
        let parameters = vec![
            parameter(Scale::Linear, -1.0, 1.0),
            parameter(Scale::Log, 0.01, 1.0),
        ];
        let space = Space::new(parameters);
        let mut leg = LegSummary {
            leg: 0,
            budget: 50,
            reason: crate::event::StopReason::Games,
            rounds: 3,
            games: 400,
            values: crate::space::Vector(vec![0.9, 0.1]),
            deviations: None,
        };
        let text = super::leg(&space, &leg);
        assert_eq!(text, "50: c = 0.9, c = 0.1 (3 rounds, 400 games)");
        // 0.9 -+ 2 * 1.96 * 0.1, cut off at 1; 0.1 over and times 100^(1.96 * 0.1).
        leg.deviations = Some(vec![0.1, 0.1]);
        let text = super::leg(&space, &leg);
        let expected = "50: c = 0.9 [0.508, 1], c = 0.1 [0.0406, 0.247] (3 rounds, 400 games)";
        assert_eq!(text, expected);
        let lines = leg_lines(&space, &leg, None);
        let expected = [
            "50 in 400 games; they say nothing of single parameters",
            "c = 0.9 [0.508, 1]",
            "c = 0.1 [0.0406, 0.247]",
        ];
        assert_eq!(lines, expected);
        let found = Extrapolation {
            budget: 3000,
            values: crate::space::Vector(vec![0.4, 0.25]),
            drifts: vec![DRIFT, DRIFT],
        };
        let lines = drifts(&space, &found);
        assert!(
            lines[0].ends_with("extrapolated, 0.4 [0.204, 0.596]"),
            "{lines:?}"
        );
        assert!(
            lines[1].ends_with("extrapolated, 0.25 [0.16, 0.394]"),
            "{lines:?}"
        );
    }

    #[test]
    fn what_is_doubtful_is_said() {
        let flat = Drift {
            is_measured: false,
            residual: Some(0.031),
            ..DRIFT
        };
        let text = drift(&parameter(Scale::Linear, 0.0, 1.0), &flat, "0.7");
        assert!(text.starts_with("no measurable drift (+0.069"), "{text}");
        assert!(text.ends_with("3.1 % of the range off the line"), "{text}");
        let beyond = Drift {
            coordinate: 1.2,
            ..DRIFT
        };
        let text = drift(&parameter(Scale::Linear, 0.0, 1.0), &beyond, "1");
        assert!(text.contains("leaves the range"), "{text}");
        assert!(reach(800, 3000).contains("3.75 times") && !reach(800, 3000).contains("FAR"));
        assert!(reach(800, 3201).contains("FAR"));
    }
}

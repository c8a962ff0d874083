//! Legs and drifts in words, for `tuned.toml`, `status` and exports.

use super::extrapolation::{FAR_FACTOR, SIGNIFICANT};
use crate::event::{Drift, LegSummary};
use crate::space::{Parameter, Scale, Space, quantised};

/// What a leg came to.
pub fn leg(space: &Space, leg: &LegSummary) -> String {
    let values = space.parameters.iter().zip(&leg.values.0);
    let values: Vec<String> = values
        .map(|(parameter, value)| format!("{} = {}", parameter.path, parameter.text(*value)))
        .collect();
    let LegSummary {
        budget,
        rounds,
        games,
        ..
    } = leg;
    format!(
        "{budget}: {} ({rounds} rounds, {games} games)",
        values.join(", ")
    )
}

/// How a parameter moves with the budget, and what that means for its value.
pub fn drift(parameter: &Parameter, drift: &Drift) -> String {
    if parameter.is_choice() {
        return "a choice has no drift; the word of the dearest budget".to_owned();
    }
    let each = per_doubling(parameter, drift);
    let mut text = if drift.is_measured {
        format!("{each}; extrapolated")
    } else {
        format!("no measurable drift ({each}); the value of the dearest budget")
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
        let text = drift(&parameter(Scale::Linear, -1.0, 1.0), &DRIFT);
        assert_eq!(text, "+0.139 [+0.084, +0.193] a doubling; extrapolated");
        let factors = drift(&parameter(Scale::Log, 0.01, 1.0), &DRIFT);
        assert_eq!(factors, "x1.376 [1.214, 1.559] a doubling; extrapolated");
    }

    #[test]
    fn what_is_doubtful_is_said() {
        let flat = Drift {
            is_measured: false,
            residual: Some(0.031),
            ..DRIFT
        };
        let text = drift(&parameter(Scale::Linear, 0.0, 1.0), &flat);
        assert!(text.starts_with("no measurable drift (+0.069"), "{text}");
        assert!(text.ends_with("3.1 % of the range off the line"), "{text}");
        let beyond = Drift {
            coordinate: 1.2,
            ..DRIFT
        };
        let text = drift(&parameter(Scale::Linear, 0.0, 1.0), &beyond);
        assert!(text.contains("leaves the range"), "{text}");
        assert!(reach(800, 3000).contains("3.75 times") && !reach(800, 3000).contains("FAR"));
        assert!(reach(800, 3201).contains("FAR"));
    }
}

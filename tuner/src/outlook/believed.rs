//! The surfaces that games are looked at through, and how far each is believed.
//!
//! Each is a smooth function on a bowl: a parameter has a best value somewhere in its range, and
//! what lies far from the middle is believed to be worse before a game says otherwise. They differ
//! in how steep the function is and in how fast it changes, and the games say which to believe.

use crate::surface::{Basis, Coordinates, Design, Difference, Fit, Row, Shape, fit_design};

/// Prior standard deviations of a slope in the middle of the ranges, σ, in logits over half of a
/// range (1 is 174 Elo). Smaller ones would win where little is known, and call what is left to
/// gain small because nothing was seen of it.
const SIGMAS: [f64; 4] = [0.75, 1.5, 3.0, 6.0];
/// How much coefficients grow from a degree to the next, ρ, for one or two parameters. One over it
/// is the length in which the surface changes, in half ranges.
const RHOS_OF_TWO: [f64; 2] = [1.0, 2.0];
/// The same for more, whose surfaces have fewer features to change with.
const RHOS_OF_MORE: [f64; 2] = [0.5, 1.0];
/// Evidence below the greatest, in logarithms, from which on steeper surfaces are not tried: this
/// one is believed to 1 in 400, they less.
const HOPELESS: f64 = 6.0;
/// What half a range from the middle costs before a game, as a share of σ ρ.
const BOWL: f64 = 0.5;
/// Degree for one or two parameters: enough for a wall, a cusp or a bent valley.
const ORDER_OF_TWO: usize = 5;
/// Degree for more, whose number of features would grow with its power.
const ORDER_OF_MORE: usize = 3;

/// A fit, and how much of the belief it has: its evidence over that of all.
#[derive(Clone, Debug)]
pub(super) struct Believed {
    pub(super) fit: Fit,
    pub(super) belief: f64,
}

/// A fit of each length and slope that may be believed.
pub(super) fn believed_fits(rows: &[Row], coordinates: &Coordinates) -> Vec<Believed> {
    let basis = basis(coordinates);
    let rhos = match coordinates.dimension() {
        0..=2 => RHOS_OF_TWO,
        _ => RHOS_OF_MORE,
    };
    let mut fits: Vec<Fit> = Vec::new();
    let mut design = None;
    let mut greatest = f64::NEG_INFINITY;
    for rho in rhos {
        let mut warm: Option<Vec<f64>> = None;
        let mut before = f64::NEG_INFINITY;
        // The design depends on the window, which more than two parameters do not have.
        if coordinates.dimension() <= 2 {
            design = None;
        }
        for sigma in SIGMAS {
            let basis = with_prior(basis.clone(), sigma, rho);
            let design = design.get_or_insert_with(|| Design::of(&basis, rows));
            let fit = fit_design(&basis, design, warm.as_deref());
            let evidence = fit.log_evidence();
            greatest = greatest.max(evidence);
            warm = Some(fit.coefficients().to_vec());
            fits.push(fit);
            // The evidence has one peak over the slopes.
            if evidence < before && evidence < greatest - HOPELESS {
                break;
            }
            before = evidence;
        }
    }
    let evidence = fits.iter().map(Fit::log_evidence);
    let parts: Vec<f64> = evidence.map(|it| libm::exp(it - greatest)).collect();
    let all: f64 = parts.iter().sum();
    let fits = fits.into_iter().zip(parts);
    let believed = fits.map(|(fit, part)| Believed {
        fit,
        belief: part / all,
    });
    believed.collect()
}

/// Of third order, many parameters have single ones only. A choice is at one end or the other:
/// its square says nothing.
fn basis(coordinates: &Coordinates) -> Basis {
    let dimension = coordinates.dimension();
    let is_kept = |indices: &[usize]| {
        let is_single = indices.iter().all(|index| *index == indices[0]);
        let mut neighbours = indices.windows(2);
        let has_square_of_choice =
            neighbours.any(|it| it[0] == it[1] && coordinates.is_choice(it[0]));
        (dimension <= 2 || indices.len() <= 2 || is_single) && !has_square_of_choice
    };
    let order = match dimension {
        0..=2 => ORDER_OF_TWO,
        _ => ORDER_OF_MORE,
    };
    let basis = Basis::polynomial(&vec![0.5; dimension], order, |indices| {
        if is_kept(indices) { 1.0 } else { 0.0 }
    })
    .with_choices(coordinates.choices());
    match dimension {
        0..=2 => basis.with_constant(),
        _ => basis,
    }
}

/// Coefficients shrink with their degree as those of a smooth function do, σ ρ^(d-1) / √(α!). With
/// a window that makes it a Gaussian process, equally sure everywhere; its degree would have to
/// grow with the number of parameters, so that more than two have none. The many products of many
/// parameters share what the one of two has.
fn with_prior(basis: Basis, sigma: f64, rho: f64) -> Basis {
    let dimension = basis.dimension();
    let shape = Shape {
        bowl: BOWL * sigma * rho,
        window: if dimension <= 2 { rho * rho } else { 0.0 },
    };
    basis.with_prior(shape, |indices| {
        let powers = (0..dimension).map(|i| indices.iter().filter(|&&at| at == i).count());
        let factorials: f64 = powers.map(factorial).product();
        let is_product = indices.len() == 2 && indices[0] != indices[1];
        let share = if is_product {
            2.0 / dimension as f64
        } else {
            1.0
        };
        let deviation = sigma * libm::pow(rho, indices.len() as f64 - 1.0);
        share * deviation * deviation / factorials
    })
}

fn factorial(number: usize) -> f64 {
    (1..=number).map(|factor| factor as f64).product()
}

/// The fit that the games make most probable.
pub(super) fn most_believed(fits: &[Believed]) -> &Fit {
    let best = fits
        .iter()
        .max_by(|one, other| one.belief.total_cmp(&other.belief));
    &best.expect("there are lengths and slopes").fit
}

/// Difference between two vectors by all fits, each as far as it is believed: what they disagree
/// about is in its deviation.
pub(super) fn difference(fits: &[Believed], a: &[f64], b: &[f64]) -> Difference {
    let (mut elo, mut squares) = (0.0, 0.0);
    for Believed { fit, belief } in fits {
        let it = fit.difference(a, b);
        elo += belief * it.elo;
        squares += belief * (it.deviation * it.deviation + it.elo * it.elo);
    }
    let variance = f64::max(squares - elo * elo, 0.0);
    let deviation = variance.sqrt();
    Difference { elo, deviation }
}

#[cfg(test)]
#[path = "believed_tests.rs"]
mod tests;

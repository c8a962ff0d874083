//! Tests of the two series: against each other, against plain simulation, against known limits.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

fn question(start: f64, drift: f64, time: f64, place: f64) -> Question {
    Question {
        start,
        width: 1.0,
        drift,
        time,
        place,
    }
}

#[test]
fn the_two_series_agree_wherever_both_have_enough_terms() {
    for start in [0.02, 0.3, 0.5, 0.9] {
        for drift in [-40.0, -3.0, -0.01, 0.0, 0.4, 7.0, 40.0] {
            for time in [0.05, 0.1, 0.2, 0.4, 0.8] {
                for place in [0.0, 0.1, 0.5, 0.77, 1.0] {
                    let question = question(start, drift, time, place);
                    let (short, long) = (question.by_reflection(), question.by_eigenfunctions());
                    assert!((short - long).abs() < 1e-9, "{question:?}: {short} {long}");
                }
            }
        }
    }
}

#[test]
fn the_two_series_have_no_seam_and_stay_probabilities_for_any_drift() {
    let strip = Strip {
        lower: -30.0,
        upper: 40.0,
    };
    let seam = LONG * 4900.0;
    for drift in [-100.0, -1.0, -0.1, 0.0, 0.1, 1.0, 100.0] {
        let mut last = 0.0;
        for value in [-30.0, -3.0, 0.0, 20.0, 40.0] {
            let short = strip.below(1.0, drift, seam, value);
            let long = strip.below(1.0, drift, seam * (1.0 + 1e-9), value);
            assert!(
                (short - long).abs() < 1e-8,
                "{drift} {value}: {short} {long}"
            );
            assert!((0.0..=1.0).contains(&short) && short >= last - 1e-12);
            last = short;
        }
    }
}

#[test]
fn a_barrier_out_of_reach_leaves_the_textbook_first_passage() {
    // P(a motion with drift d passes b by t) = F((d t - b) / s) + exp(2 d b) F((-b - d t) / s).
    let strip = Strip {
        lower: -1e4,
        upper: 5.0,
    };
    for (drift, time) in [(0.3f64, 12.0f64), (-0.2, 30.0), (0.0, 4.0)] {
        let deviation = time.sqrt();
        let want = normal::cdf((drift * time - 5.0) / deviation)
            + libm::exp(10.0 * drift) * normal::cdf((-5.0 - drift * time) / deviation);
        let got = 1.0 - strip.below(0.0, drift, time, 5.0);
        assert!((got - want).abs() < 1e-12, "{got} {want}");
    }
}

#[test]
fn in_the_end_the_motion_has_left_where_walds_identity_says() {
    let strip = Strip {
        lower: -3.0,
        upper: 4.0,
    };
    for drift in [-2.0f64, -0.5, 1e-9, 0.25, 2.0] {
        // exp(-2 d x) is a martingale.
        let (low, high) = (libm::exp(6.0 * drift), libm::exp(-8.0 * drift));
        let want = (1.0 - high) / (low - high);
        for value in [-3.0, 0.0, 4.0] {
            let got = strip.below(0.0, drift, 1e5, value);
            assert!(
                (got - want).abs() < 1e-6 * want.max(1e-3),
                "{drift}: {got} {want}"
            );
        }
    }
}

/// The share of simulated walks of small steps that end as [`Strip::below`] asks. A barrier that
/// is looked at after each step only is passed later than one that is always there: it is moved
/// inwards by the known mean of the step over it.
fn simulated(strip: Strip, drift: f64, time: f64, value: f64) -> f64 {
    const WALKS: u32 = 10_000;
    const STEPS: u32 = 1_000;
    let step = time / f64::from(STEPS);
    let inwards = 0.5826 * step.sqrt();
    let mut stream = ChaCha8Rng::seed_from_u64(11);
    let mut sign = || {
        if stream.next_u32() & 1 == 0 {
            1.0
        } else {
            -1.0
        }
    };
    let mut count = 0;
    for _ in 0..WALKS {
        let mut at = 0.0;
        let mut steps = 0;
        while steps < STEPS && at > strip.lower + inwards && at < strip.upper - inwards {
            // Three signs: near enough to normal for a sum of hundreds.
            at += drift * step + step.sqrt() * (sign() + sign() + sign()) / 3f64.sqrt();
            steps += 1;
        }
        let below = if steps < STEPS { at < 0.0 } else { at <= value };
        count += u32::from(below);
    }
    f64::from(count) / f64::from(WALKS)
}

#[test]
fn simulated_motions_end_as_often_as_the_series_say() {
    let strip = Strip {
        lower: -2.0,
        upper: 3.0,
    };
    for (drift, time, value) in [
        (0.0, 2.0, 0.4),
        (0.5, 4.0, 1.0),
        (-0.4, 8.0, -1.0),
        (0.9, 3.0, 2.0),
    ] {
        let (got, want) = (
            simulated(strip, drift, time, value),
            strip.below(0.0, drift, time, value),
        );
        // Four standard deviations of 10,000 walks, and a little for the size of a step.
        let error = 4.0 * (want * (1.0 - want) / 10_000.0).sqrt() + 0.002;
        assert!((got - want).abs() < error, "{drift}: {got} {want}");
    }
}

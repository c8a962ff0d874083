//! Tests of the law of outcomes: against simulated walks, and its two methods against each other.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::*;

/// Limits of the default verification: 2.94 over the distance of 0 and 20 nElo for pairs.
const LIMITS: Strip = Strip {
    lower: -36.2,
    upper: 36.2,
};

/// So far apart are its hypotheses, in half the distance.
const HALF_DISTANCE: f64 = 0.0407;

/// A curvature at which these limits are straight.
const STRAIGHT: f64 = 1e-9;

fn looks(every: u64, not_before: u64) -> Looks {
    Looks {
        every: NonZeroU64::new(every).unwrap(),
        not_before,
    }
}

fn limits(curvature: f64) -> Limits {
    let [lower, upper] = [LIMITS.lower, LIMITS.upper].map(|limit| limit * 2.0 * HALF_DISTANCE);
    Limits {
        llr: Strip { lower, upper },
        half_distance: HALF_DISTANCE,
        curvature,
    }
}

fn end(looks: Looks, observations: u64, value: f64) -> End {
    End {
        limits: limits(STRAIGHT),
        looks,
        observations,
        value,
    }
}

#[test]
fn looks_are_after_whole_batches_and_not_before_enough_of_them() {
    let due = |looks: Looks| {
        (0..=130)
            .filter(move |&n| looks.is_due(n))
            .collect::<Vec<_>>()
    };
    assert_eq!(due(looks(50, 0)), [50, 100]);
    assert_eq!(due(looks(50, 20)), [50, 100]);
    assert_eq!(due(looks(25, 60)), [75, 100, 125]);
    assert_eq!(due(looks(40, 80)), [80, 120]);
    assert_eq!(due(Looks::ALWAYS).len(), 130);
    for looks in [looks(50, 0), looks(25, 60), Looks::ALWAYS] {
        for last in 1..=130 {
            let earlier = (0..last).filter(|&n| looks.is_due(n)).count() as u64;
            assert_eq!(looks.before(last), earlier, "{looks:?} {last}");
        }
    }
}

#[test]
fn the_quadrature_integrates_what_is_known() {
    let strip = Strip {
        lower: -1.0,
        upper: 4.0,
    };
    for count in [2, 7, 20, 160] {
        let nodes = gauss_legendre(count, strip);
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            nodes.iter().map(|node| node.mass * of(node.place)).sum()
        };
        assert!((sum(&|_| 1.0) - 5.0).abs() < 1e-12);
        assert!((sum(&|x| x * x * x) - 63.75).abs() < 1e-10);
    }
}

#[test]
fn one_look_is_a_match_of_a_fixed_number_of_games() {
    for (looks, observations) in [(looks(50, 0), 50), (looks(50, 0), 20), (looks(1, 90), 90)] {
        let law = OutcomeLaw::new(end(looks, observations, 9.0), 0.0);
        let n = observations as f64;
        let want = normal::cdf((9.0 - 0.1 * n) / n.sqrt());
        assert_eq!(law.at_most(0.1), want);
    }
}

/// An outcome as a number that grows with it, written down case by case.
fn rank(end: &End) -> (i32, f64, f64) {
    let turn = end.observations as f64;
    if end.value <= LIMITS.lower {
        (0, turn, end.value)
    } else if end.value >= LIMITS.upper {
        (2, -turn, end.value)
    } else {
        (1, 0.0, end.value)
    }
}

/// A normal number by Box and Muller.
fn normal_number(stream: &mut ChaCha8Rng) -> f64 {
    let mut unit = || (stream.next_u64() >> 11) as f64 * (0.5f64).powi(53);
    let (radius, angle) = (1.0 - unit(), unit());
    (-2.0 * radius.ln()).sqrt() * (2.0 * std::f64::consts::PI * angle).cos()
}

/// Walks the test until it stops, or to the cap.
fn walk(looks: Looks, drift: f64, cap: u64, seed: u64) -> End {
    let mut stream = ChaCha8Rng::seed_from_u64(seed);
    let (mut observations, mut value) = (0, 0.0);
    while observations < cap {
        let next = if observations == 0 {
            looks.first()
        } else {
            observations + looks.every.get()
        };
        let step = (next.min(cap) - observations) as f64;
        value += step * drift + step.sqrt() * normal_number(&mut stream);
        observations = next.min(cap);
        if value <= LIMITS.lower || value >= LIMITS.upper {
            break;
        }
    }
    end(looks, observations, value)
}

#[test]
fn simulated_tests_end_at_most_so_well_as_often_as_the_law_says() {
    const WALKS: u64 = 8_000;
    for (looks, cap) in [
        (looks(50, 0), 3000),
        (looks(25, 120), 500),
        (looks(400, 0), 3000),
        (looks(70, 0), 500),
        (looks(2, 0), 300),
        (looks(2, 150), 600),
    ] {
        for drift in [-0.06, -0.02, 0.01, 0.04, 0.12] {
            let ends: Vec<End> = (0..WALKS)
                .into_par_iter()
                .map(|seed| walk(looks, drift, cap, seed))
                .collect();
            for (number, reached) in ends.iter().enumerate().step_by(2000) {
                let law = OutcomeLaw::new(*reached, drift);
                let worse = ends
                    .iter()
                    .filter(|other| rank(other) <= rank(reached))
                    .count();
                let (got, want) = (law.at_most(drift), worse as f64 / WALKS as f64);
                let error = 4.0 * (want * (1.0 - want) / WALKS as f64).sqrt() + 0.002;
                let which = (looks, drift, number);
                assert!(
                    (got - want).abs() < error,
                    "{which:?} {reached:?}: {got} {want}"
                );
            }
        }
    }
}

#[test]
fn both_methods_agree_where_looks_are_fine() {
    for (every, observations, value, allowed) in [
        (8, 800, 10.0, 2e-3),
        (8, 804, 37.0, 1e-2),
        (8, 640, -38.0, 1e-2),
        (16, 1600, 5.0, 3e-3),
        (16, 160, -12.0, 3e-3),
    ] {
        let looks = looks(every, 0);
        let law = OutcomeLaw::new(end(looks, observations, value), value / observations as f64);
        assert!(matches!(law.method, Method::LookByLook(_)));
        let outwards = OVERSHOOT * (every as f64).sqrt();
        let strip = Strip {
            lower: LIMITS.lower - outwards,
            upper: LIMITS.upper + outwards,
        };
        for drift in [-0.08, -0.03, 0.0, 0.02, 0.06] {
            let (exact, near) = (law.at_most(drift), law.continuous(strip, drift));
            assert!(
                (exact - near).abs() < allowed,
                "{every} {drift}: {exact} {near}"
            );
        }
    }
}

#[test]
fn the_law_falls_with_the_drift_from_one_to_zero() {
    for (looks, observations, value, reach) in [
        (looks(50, 0), 1500, 40.0, 0.15),
        (looks(50, 0), 100, -37.0, 0.6),
        (looks(1, 0), 500, 37.0, 0.3),
        (looks(1, 100), 30_000, 3.0, 0.2),
        (looks(2000, 0), 100_000, 0.0, 0.1),
    ] {
        let near = value / observations as f64;
        let law = OutcomeLaw::new(end(looks, observations, value), near);
        let at: Vec<f64> = (-100..=100)
            .map(|step| law.at_most(near + 0.01 * f64::from(step) * reach))
            .collect();
        assert!(
            at[0] > 0.999 && at[200] < 0.001,
            "{looks:?} {} {}",
            at[0],
            at[200]
        );
        assert!(
            at.windows(2).all(|pair| pair[1] <= pair[0] + 1e-9),
            "{looks:?}"
        );
    }
}

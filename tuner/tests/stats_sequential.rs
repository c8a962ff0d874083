//! Sequential tests, simulated: how often they err, and whether the corrected estimate and its
//! interval are right on average over the tests that stopped where they did.

use std::num::NonZeroU64;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use sixfold_tuner::stats::{
    CorrectedElo, EloModel, Looks, NoCorrection, Pentanomial, Sprt, SprtState, Wdl,
};

/// How a test ended.
type End = (SprtState, CorrectedElo, Pentanomial);

/// Laws of a pair's points between equal sides: few drawn games, many of them, uneven sides.
const LAWS: [[f64; 5]; 3] = [
    [0.10, 0.05, 0.70, 0.05, 0.10],
    [0.02, 0.20, 0.56, 0.20, 0.02],
    [0.16, 0.22, 0.24, 0.22, 0.16],
];

fn slow() -> bool {
    std::env::var_os("SIXFOLD_SLOW").is_some_and(|value| value == "1")
}

/// What is simulated: a test of pairs, its looks, its cap, and the truth.
#[derive(Clone, Copy)]
struct Setting {
    test: Sprt,
    looks: Looks,
    pairs_most: u64,
    law: [f64; 5],
}

/// Mean and standard deviation of a pair's points, scaled to [0, 1].
fn moments(law: &[f64; 5]) -> (f64, f64) {
    let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
        (0u8..)
            .zip(law)
            .map(|(i, p)| p * of(f64::from(i) / 4.0))
            .sum()
    };
    let mean = sum(&|value| value);
    (mean, sum(&|value| (value - mean) * (value - mean)).sqrt())
}

fn nelo_of(law: &[f64; 5]) -> f64 {
    let (mean, deviation) = moments(law);
    (mean - 0.5) / (2f64.sqrt() * deviation) * 800.0 / 10f64.ln()
}

fn elo_of(law: &[f64; 5]) -> f64 {
    let (mean, _) = moments(law);
    -400.0 * (1.0 / mean - 1.0).log10()
}

/// The law tilted so that the first side is so much stronger.
fn tilted(law: &[f64; 5], nelo: f64) -> [f64; 5] {
    let with = |tilt: f64| {
        let weights: Vec<f64> = (0..5)
            .map(|i| law[i] * (tilt * (i as f64 - 2.0)).exp())
            .collect();
        let sum: f64 = weights.iter().sum();
        std::array::from_fn(|i| weights[i] / sum)
    };
    let (mut low, mut high) = (-3.0, 3.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if nelo_of(&with(middle)) < nelo {
            low = middle;
        } else {
            high = middle;
        }
    }
    with(low)
}

/// Stands for no estimate, and counts against all that estimates have to be: an interval that holds
/// nothing, a value above every other.
const NO_ESTIMATE: CorrectedElo = CorrectedElo {
    elo: f64::INFINITY,
    elo_95: [f64::INFINITY, f64::NEG_INFINITY],
    nelo: f64::INFINITY,
    nelo_95: [f64::INFINITY, f64::NEG_INFINITY],
    los: 0.5,
};

/// Plays one test to its end.
fn play(setting: &Setting, seed: u64) -> End {
    let mut stream = ChaCha8Rng::seed_from_u64(seed);
    let mut counts = Pentanomial::default();
    loop {
        let unit = (stream.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let mut sum = 0.0;
        let at_least = setting.law.iter().take(4).take_while(|p| {
            sum += **p;
            unit >= sum
        });
        counts.0[at_least.count()] += 1;
        let pairs = counts.pairs();
        if setting.looks.is_due(pairs) || pairs == setting.pairs_most {
            let state = setting.test.state_of_pairs(&counts);
            if state != SprtState::Continue || pairs == setting.pairs_most {
                let estimate = setting.test.corrected_of_pairs(&counts, setting.looks);
                let estimate = match estimate {
                    Ok(estimate) => estimate,
                    Err(NoCorrection::Distant { .. }) => NO_ESTIMATE,
                    Err(error) => panic!("{counts:?}: {error}"),
                };
                return (state, estimate, counts);
            }
        }
    }
}

/// What many tests came to.
struct Came {
    /// Shares of tests that accepted H1 and H0.
    accepted: [f64; 2],
    mean_games: f64,
    /// Medians of the corrected estimates, in nElo and Elo, and the sampling error of the first.
    medians: [f64; 2],
    median_error: f64,
    /// Shares of the corrected intervals that hold the truth, in nElo and Elo.
    covered: [f64; 2],
    /// The same of estimate and interval for a fixed number of games.
    naive_median: f64,
    naive_covered: f64,
}

fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[(share * values.len() as f64) as usize]
}

fn play_many(setting: &Setting, tests: u64) -> Came {
    let (nelo, elo) = (nelo_of(&setting.law), elo_of(&setting.law));
    let ends: Vec<End> = (0..tests)
        .into_par_iter()
        .map(|seed| play(setting, seed))
        .collect();
    let share =
        |of: &dyn Fn(&End) -> bool| ends.iter().filter(|end| of(end)).count() as f64 / tests as f64;
    let list = |of: &dyn Fn(&End) -> f64| -> Vec<f64> { ends.iter().map(of).collect() };
    let holds = |[low, high]: [f64; 2], truth: f64| (low..=high).contains(&truth);
    let naive = |end: &End| end.2.elo().estimate().expect("an estimate");
    let mut nelos = list(&|end| end.1.nelo);
    let spread = quantile(&mut nelos, 0.84) - quantile(&mut nelos, 0.16);
    Came {
        accepted: [SprtState::AcceptH1, SprtState::AcceptH0]
            .map(|state| share(&|end| end.0 == state)),
        mean_games: list(&|end| 2.0 * end.2.pairs() as f64).iter().sum::<f64>() / tests as f64,
        medians: [
            quantile(&mut nelos, 0.5),
            quantile(&mut list(&|end| end.1.elo), 0.5),
        ],
        median_error: 1.2533 * 0.5 * spread / (tests as f64).sqrt(),
        covered: [
            share(&|end| holds(end.1.nelo_95, nelo)),
            share(&|end| holds(end.1.elo_95, elo)),
        ],
        naive_median: quantile(&mut list(&|end| naive(end).nelo), 0.5),
        naive_covered: share(&|end| holds(naive(end).elo_95, elo)),
    }
}

/// Four standard deviations of a share of so many tests.
fn sampling_error(share: f64, tests: u64) -> f64 {
    4.0 * (share * (1.0 - share) / tests as f64).sqrt()
}

fn looks(every: u64, not_before: u64) -> Looks {
    let every = NonZeroU64::new(every).unwrap();
    Looks { every, not_before }
}

/// A line of the table of docs/statistics.md, where it is seen when the test is run with
/// `--nocapture`.
#[expect(clippy::print_stdout, reason = "the figures of the documentation")]
fn tell(setting: &Setting, name: &str, truth: f64, came: &Came) {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    println!(
        "| {name}, {} | {truth} | {} | {} | {:.0} | {:.1} | {} | {} | {:.1} | {} |",
        setting.looks.every,
        percent(came.accepted[0]),
        percent(came.accepted[1]),
        came.mean_games,
        came.medians[0],
        percent(came.covered[0]),
        percent(came.covered[1]),
        came.naive_median,
        percent(came.naive_covered),
    );
}

/// Estimate and interval are right. Of 10,000 tests no allowance is made but for the chance of the
/// median itself.
#[track_caller]
fn check_estimates(setting: &Setting, came: &Came, tests: u64) {
    let truth = [nelo_of(&setting.law), elo_of(&setting.law)];
    let chance = if tests >= 10_000 {
        0.0
    } else {
        sampling_error(0.95, tests)
    };
    for (median, truth) in came.medians.iter().zip(truth) {
        // A strength of hundreds is decided by some batches: there a share of it is meant.
        let allowed = f64::max(1.0, 0.02 * truth.abs()) + 3.0 * came.median_error;
        assert!((median - truth).abs() < allowed, "{median} is not {truth}");
    }
    for covered in came.covered {
        assert!(covered >= 0.94 - chance, "{truth:?}: {covered}");
    }
}

fn default_test() -> Sprt {
    Sprt::new(EloModel::Normalized, [0.0, 20.0], 0.05, 0.05).unwrap()
}

#[test]
fn the_default_test_errs_as_rarely_as_it_promises_and_its_estimates_are_right() {
    for (number, law) in LAWS.iter().enumerate() {
        let tests = match (slow(), number) {
            (true, 0) => 10_000,
            (true, _) => 2_000,
            (false, 0) => 200,
            (false, _) => 100,
        };
        for truth in [0.0, 10.0, 20.0] {
            let setting = Setting {
                test: default_test(),
                looks: looks(50, 20),
                pairs_most: 3000,
                law: tilted(law, truth),
            };
            let came = play_many(&setting, tests);
            tell(&setting, &format!("law {}", number + 1), truth, &came);
            check_estimates(&setting, &came, tests);
            let [accepted, rejected] = came.accepted;
            let most = 0.05 + sampling_error(0.05, tests);
            assert!(truth > 0.0 || accepted <= most, "alpha: {accepted}");
            assert!(truth < 20.0 || rejected <= most, "beta: {rejected}");
            // The estimate of a fixed number of games is what the correction is for.
            assert!(truth != 20.0 || came.naive_median > 21.0);
            assert!(truth != 0.0 || came.naive_median < -1.0);
        }
    }
}

#[test]
fn estimates_are_right_for_other_batches_caps_models_and_strengths() {
    let tests = if slow() { 1_000 } else { 60 };
    let with = |model, bounds| Sprt::new(model, bounds, 0.05, 0.05).unwrap();
    let normalized = |bounds| with(EloModel::Normalized, bounds);
    let logistic = with(EloModel::Logistic, [0.0, 15.0]);
    let small_rates = Sprt::new(EloModel::Normalized, [0.0, 20.0], 0.0125, 0.0125).unwrap();
    for (name, test, looks, pairs_most, truth) in [
        ("capped", default_test(), looks(50, 20), 500, 12.0),
        ("large batches", default_test(), looks(400, 20), 3000, 15.0),
        ("third attempt", small_rates, looks(50, 20), 3000, 20.0),
        ("logistic", logistic, looks(50, 20), 3000, 25.0),
        (
            "wide bounds",
            normalized([0.0, 80.0]),
            looks(40, 20),
            400,
            60.0,
        ),
        (
            "every pair",
            normalized([0.0, 60.0]),
            looks(1, 20),
            400,
            30.0,
        ),
        ("strong", default_test(), looks(50, 20), 3000, 100.0),
        ("stronger", default_test(), looks(50, 20), 3000, 300.0),
        ("weaker", default_test(), looks(50, 20), 3000, -200.0),
    ] {
        let setting = Setting {
            test,
            looks,
            pairs_most,
            law: tilted(&LAWS[0], truth),
        };
        let came = play_many(&setting, tests);
        tell(&setting, name, truth, &came);
        check_estimates(&setting, &came, tests);
    }
}

#[test]
fn estimates_are_right_at_bounds_far_from_zero() {
    let tests = if slow() { 2_000 } else { 150 };
    for (law, bounds, every, truth) in [
        (0, [150.0, 190.0], 10, 200.0),
        (2, [150.0, 190.0], 10, 150.0),
        (1, [100.0, 120.0], 50, 140.0),
        (0, [100.0, 120.0], 50, 110.0),
        (0, [-190.0, -150.0], 10, -200.0),
        (0, [0.0, 20.0], 50, 60.0),
    ] {
        let setting = Setting {
            test: Sprt::new(EloModel::Normalized, bounds, 0.025, 0.025).unwrap(),
            looks: looks(every, 0),
            pairs_most: 3000,
            law: tilted(&LAWS[law], truth),
        };
        let came = play_many(&setting, tests);
        tell(&setting, &format!("law {law}, {bounds:?}"), truth, &came);
        check_estimates(&setting, &came, tests);
    }
}

#[test]
fn games_that_this_test_stopped_at_bounds_far_from_zero_are_not_told_otherwise() {
    let test = Sprt::new(EloModel::Normalized, [150.0, 190.0], 0.025, 0.025).unwrap();
    // One batch earlier the ratio was 3.6, inside the limit of 3.66.
    let stopped = Pentanomial([10, 0, 77, 0, 123]);
    assert_eq!(test.state_of_pairs(&stopped), SprtState::AcceptH1);
    let corrected = test.corrected_of_pairs(&stopped, looks(10, 0)).unwrap();
    let fixed = stopped.elo().estimate().unwrap();
    assert!(corrected.nelo < fixed.nelo, "{corrected:?} {fixed:?}");
    assert!(
        corrected.nelo_95[0] < 190.0 && corrected.nelo < corrected.nelo_95[1],
        "{corrected:?}"
    );
    // So many games cannot have been stopped by it.
    let on = test.corrected_of_pairs(&Pentanomial([100, 0, 770, 0, 1230]), looks(10, 0));
    assert!(
        on.unwrap_err()
            .to_string()
            .contains("not stopped by this test")
    );
}

#[test]
fn one_look_gives_the_estimate_of_a_fixed_number_of_games() {
    for counts in [[3, 8, 20, 12, 7], [30, 5, 9, 4, 2], [1, 2, 45, 2, 0]] {
        let counts = Pentanomial(counts);
        for test in [
            default_test(),
            Sprt::new(EloModel::Logistic, [-30.0, 5.0], 0.1, 0.2).unwrap(),
        ] {
            let corrected = test.corrected_of_pairs(&counts, looks(50, 0)).unwrap();
            let fixed = counts.elo().estimate().unwrap();
            assert!((corrected.elo - fixed.elo).abs() < 1e-3);
            assert!((corrected.elo_95[0] - fixed.elo_95[0]).abs() < 1e-3);
            assert!((corrected.elo_95[1] - fixed.elo_95[1]).abs() < 1e-3);
            assert!((corrected.nelo - fixed.nelo).abs() < 1e-3);
            // The traces of results that did not occur count as observations there.
            assert!((corrected.los - fixed.los).abs() < 1e-5);
        }
    }
}

#[test]
fn swapping_the_sides_negates_the_corrected_estimate_under_mirrored_bounds() {
    for model in [EloModel::Logistic, EloModel::Normalized] {
        let [ahead, behind] =
            [[0.0, 20.0], [-20.0, 0.0]].map(|bounds| Sprt::new(model, bounds, 0.05, 0.05).unwrap());
        for looks in [looks(50, 0), looks(1, 0), looks(1, 100)] {
            let a = ahead.corrected_of_pairs(&Pentanomial([30, 80, 400, 95, 40]), looks);
            let b = behind.corrected_of_pairs(&Pentanomial([40, 95, 400, 80, 30]), looks);
            let (a, b) = (a.unwrap(), b.unwrap());
            assert!((a.elo + b.elo).abs() < 1e-3, "{a:?} {b:?}");
            assert!((a.nelo_95[0] + b.nelo_95[1]).abs() < 1e-3, "{a:?} {b:?}");
            assert!((a.elo_95[1] + b.elo_95[0]).abs() < 1e-3, "{a:?} {b:?}");
            assert!((a.los + b.los - 1.0).abs() < 1e-6, "{a:?} {b:?}");
        }
    }
}

#[test]
fn games_without_draws_and_pairs_that_share_nothing_agree() {
    // 1,700 games in batches of 100, and the same as uncorrelated pairs in batches of 50.
    let games = Wdl {
        wins: 884,
        draws: 0,
        losses: 816,
    };
    let (p, q) = (884.0 / 1700.0, 816.0 / 1700.0);
    let counts =
        [q * q, 0.0, 2.0 * p * q, 0.0, p * p].map(|share| (850.0f64 * share).round() as u64);
    let games = default_test()
        .corrected_of_games(&games, looks(100, 0))
        .unwrap();
    let pairs = default_test()
        .corrected_of_pairs(&Pentanomial(counts), looks(50, 0))
        .unwrap();
    assert!((games.nelo - pairs.nelo).abs() < 0.3, "{games:?} {pairs:?}");
    assert!(
        (games.elo_95[0] - pairs.elo_95[0]).abs() < 0.3,
        "{games:?} {pairs:?}"
    );
    assert!((games.los - pairs.los).abs() < 0.003, "{games:?} {pairs:?}");
}

#[test]
fn what_gives_no_estimate_says_why() {
    let test = default_test();
    let why = |counts: [u64; 5]| {
        let counts = Pentanomial(counts);
        test.corrected_of_pairs(&counts, looks(50, 0))
            .unwrap_err()
            .to_string()
    };
    assert_eq!(why([0; 5]), "no games");
    assert!(why([0, 0, 50, 0, 0]).contains("every pair scored 50 %: no variance"));
    assert!(why([0, 0, 0, 0, 1]).contains("every pair scored 100 %"));
    let on = why([2000, 0, 4000, 0, 3000]);
    assert!(
        on.contains("not stopped by this test") && on.contains("2.94"),
        "{on}"
    );
    let games = Wdl {
        draws: 7,
        ..Wdl::default()
    };
    let error = test.corrected_of_games(&games, looks(2, 0)).unwrap_err();
    assert!(error.to_string().contains("every game scored 50 %"));
}

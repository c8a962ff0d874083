//! Statistics against published values: pentanomial counts whose log-likelihood ratio, Elo,
//! interval and likelihood of superiority were computed by fishtest's statistics.

use serde_json::Value;
use sixfold_tuner::stats::{EloEstimate, EloModel, MatchElo, Pentanomial, Sprt, Wdl};

const VECTORS: &str = include_str!("data/stats_vectors.json");

/// Half a unit of the last printed digit, plus a little for its own rounding.
fn tolerance(printed: &Value) -> f64 {
    let text = printed.to_string();
    let decimals = text
        .split_once('.')
        .map_or(0, |(_, decimals)| decimals.len());
    0.51 * libm::pow(10.0, -(decimals as f64))
}

fn check(what: &str, got: f64, printed: &Value) {
    let want = printed.as_f64().expect("a number");
    assert!(
        (got - want).abs() <= tolerance(printed),
        "{what}: {got} is not {printed}"
    );
}

/// The estimate, regularised for a match without variance as the source of the vectors does.
fn regularised(counts: &Pentanomial) -> EloEstimate {
    match counts.elo() {
        MatchElo::Estimate(estimate) => estimate,
        MatchElo::NoVariance { regularised, .. } => regularised,
        MatchElo::Empty => panic!("an empty vector"),
    }
}

fn numbers<const K: usize>(list: &Value) -> [f64; K] {
    std::array::from_fn(|index| list[index].as_f64().expect("a number"))
}

#[test]
fn published_vectors_are_met() {
    let file: Value = serde_json::from_str(VECTORS).expect("valid JSON");
    let vectors = file["vectors"].as_array().expect("a list");
    assert_eq!(vectors.len(), 7);
    for vector in vectors {
        let counts = Pentanomial(numbers(&vector["pentanomial"]).map(|count: f64| count as u64));
        let model = match vector["model"].as_str() {
            Some("logistic") => EloModel::Logistic,
            Some("normalized") => EloModel::Normalized,
            other => panic!("unknown model {other:?}"),
        };
        let test = Sprt::new(model, numbers(&vector["bounds"]), 0.05, 0.05).expect("a test");
        check("llr", test.llr_of_pairs(&counts), &vector["llr"]);
        let estimate = regularised(&counts);
        check("elo", estimate.elo, &vector["elo"]);
        check("elo_95", estimate.half_width_95(), &vector["elo_95"]);
        check("los", estimate.los, &vector["los"]);
    }
}

#[test]
fn further_published_values_are_met() {
    let cases = [
        (
            [39, 8843, 26675, 9240, 44],
            EloModel::Normalized,
            [0.5, 2.5],
            2.941675,
        ),
        (
            [20, 0, 50, 0, 30],
            EloModel::Logistic,
            [0.0, 10.0],
            0.494045,
        ),
    ];
    for (counts, model, bounds, llr) in cases {
        let test = Sprt::new(model, bounds, 0.05, 0.05).expect("a test");
        let got = test.llr_of_pairs(&Pentanomial(counts));
        assert!((got - llr).abs() < 1e-6, "{counts:?}: {got} is not {llr}");
    }
}

/// Normalised Elo, and Elo with the half-width of its score, from every observation written out.
fn by_hand(points: &[f64], games_each: f64) -> [f64; 3] {
    let n = points.len() as f64;
    let mean = points.iter().sum::<f64>() / n;
    let squares = points.iter().map(|p| (p - mean) * (p - mean)).sum::<f64>() / n;
    let elo = 400.0 * (mean / (1.0 - mean)).log10();
    let nelo = (mean - 0.5) / (games_each * squares).sqrt() * 800.0 / 10f64.ln();
    [elo, nelo, 1.959_964 * (squares / n).sqrt()]
}

fn agrees(estimate: &EloEstimate, [elo, nelo, half]: [f64; 3]) {
    let score = |elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
    let [low, high] = estimate.elo_95.map(score);
    // Results that did not occur leave a trace of a thousandth of a game.
    assert!((estimate.elo - elo).abs() < 0.01, "{estimate:?} {elo}");
    assert!((estimate.nelo - nelo).abs() < 0.02, "{estimate:?} {nelo}");
    assert!(
        (0.5 * (high - low) - half).abs() < 1e-4,
        "{estimate:?} {half}"
    );
}

#[test]
fn observations_written_out_give_the_same_numbers() {
    for counts in [[3, 8, 40, 12, 9], [20, 0, 50, 0, 30], [10, 25, 130, 30, 5]] {
        let points: Vec<f64> = (0..5)
            .flat_map(|i| std::iter::repeat_n(i as f64 / 4.0, counts[i] as usize))
            .collect();
        let estimate = Pentanomial(counts).elo().estimate().expect("an estimate");
        agrees(&estimate, by_hand(&points, 2.0));
    }
    for (wins, draws, losses) in [(60, 20, 40), (300, 0, 290), (40, 500, 55)] {
        let each = [(losses, 0.0), (draws, 0.5), (wins, 1.0)];
        let points: Vec<f64> = each
            .into_iter()
            .flat_map(|(count, point)| std::iter::repeat_n(point, count as usize))
            .collect();
        let wdl = Wdl {
            wins,
            draws,
            losses,
        };
        agrees(
            &wdl.elo().estimate().expect("an estimate"),
            by_hand(&points, 1.0),
        );
    }
}

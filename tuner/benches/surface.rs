//! What a fit costs: 9 coefficients of 1,500 rows (two parameters, third order) and 44 of 1,000
//! (eight, second order), from nothing and from the coefficients of a fit of nine tenths of the
//! rows; and what finding the top costs.
//!
//! `cargo bench -p sixfold-tuner --bench surface`

use criterion::{Criterion, criterion_group, criterion_main};
use sixfold_tuner::stream::{Purpose, StreamKey};
use sixfold_tuner::surface::{Basis, ELO_PER_LOGIT, Row, Surface, fit};

fn prior(indices: &[usize]) -> f64 {
    match indices {
        [_] => 100.0,
        [i, j] if i != j => 0.1,
        [_, _] => 4.0,
        _ => 0.25,
    }
}

/// A hill of 100 Elo from its top to the middle of a side, and matches of two games around the
/// middle.
fn rows(dimension: usize, count: usize) -> Vec<Row> {
    let strength = |unit: &[f64]| -> f64 {
        let losses = unit.iter().map(|u| (u - 0.6) * (u - 0.6));
        -400.0 / ELO_PER_LOGIT * losses.sum::<f64>()
    };
    let mut stream = StreamKey::new(1, Purpose::Scripted).stream();
    let rows = (0..count).map(|_| {
        let mut vector = || (0..dimension).map(|_| 0.3 + 0.4 * stream.unit()).collect();
        let (a, b): (Vec<f64>, Vec<f64>) = (vector(), vector());
        let p = 1.0 / (1.0 + libm::exp(strength(&b) - strength(&a)));
        let score = (0..2).filter(|_| stream.unit() < p).count() as f64;
        let (games, weight) = (2.0, 1.0);
        Row {
            a,
            b,
            score,
            games,
            weight,
        }
    });
    rows.collect()
}

fn surfaces(criterion: &mut Criterion) {
    for (name, dimension, order, count) in [("two", 2, 3, 1_500), ("eight", 8, 2, 1_000)] {
        let basis = Basis::polynomial(&vec![0.5; dimension], order, prior);
        let rows = rows(dimension, count);
        let earlier = fit(&basis, &rows[..count * 9 / 10], None);
        criterion.bench_function(&format!("{name}/cold"), |bencher| {
            bencher.iter(|| fit(&basis, &rows, None));
        });
        criterion.bench_function(&format!("{name}/warm"), |bencher| {
            bencher.iter(|| fit(&basis, &rows, Some(earlier.coefficients())));
        });
        let (low, high) = (vec![0.0; dimension], vec![1.0; dimension]);
        let surface: Surface = earlier.surface().clone();
        criterion.bench_function(&format!("{name}/optimum"), |bencher| {
            bencher.iter(|| surface.optimum(&low, &high, basis.centre()));
        });
    }
}

criterion_group!(benches, surfaces);
criterion_main!(benches);

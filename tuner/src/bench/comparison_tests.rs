//! Comparisons against their definitions, computed the slow way.

use super::*;
use crate::bench::GameLaw;
use crate::bench::drive::{Contender, TracePoint};

/// A campaign of two surfaces, two budgets and three learners that nobody plays.
fn campaign(seeds: u64) -> Campaign {
    let contender = |name: &str| Contender {
        name: name.into(),
        games_per_trial: 2,
        build: Box::new(|_, _, _| unreachable!("nothing is played here")),
    };
    Campaign {
        surfaces: vec!["LOG2".into(), "CORR".into()],
        contenders: vec![contender("a"), contender("b"), contender("c")],
        budgets: vec![1_000, 5_000],
        seeds: 0..seeds,
        in_flight: 1,
        law: GameLaw::with_draws(0.0).unwrap(),
    }
}

/// Some regret above 0, the same for the same numbers.
fn regret(surface: usize, budget: u32, contender: usize, seed: u64) -> f64 {
    let mix = seed * 7_919 + contender as u64 * 104_729 + surface as u64 * 31 + u64::from(budget);
    let unit = (mix.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as f64 / f64::from(1 << 24);
    (0.5 + contender as f64) * (0.2 + 10.0 * unit * unit)
}

fn cells(campaign: &Campaign) -> Vec<Cell> {
    let mut cells = Vec::new();
    for surface in 0..campaign.surfaces.len() {
        for &budget in &campaign.budgets {
            for contender in 0..campaign.contenders.len() {
                let outcome = |seed| Outcome {
                    regret: regret(surface, budget, contender, seed),
                    games: u64::from(budget),
                    trace: vec![TracePoint {
                        games: u64::from(budget) / 2,
                        regret: seed as f64,
                    }],
                    learner_time: Duration::from_millis(10),
                };
                cells.push(Cell {
                    surface,
                    budget,
                    contender,
                    outcomes: campaign.seeds.clone().map(outcome).collect(),
                });
            }
        }
    }
    cells
}

/// The quantile by counting: the value below which `share` of the steps between values lie.
fn slow_quantile(sample: &[f64], share: f64) -> f64 {
    let mut sorted = sample.to_vec();
    sorted.sort_by(|a, b| a.partial_cmp(b).unwrap());
    let place = share * (sorted.len() as f64 - 1.0);
    let (low, high) = (place.floor() as usize, place.ceil() as usize);
    sorted[low] * (1.0 - place.fract()) + sorted[high] * place.fract()
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9 * (1.0 + a.abs()), "{a} is not {b}");
}

#[test]
fn rows_are_quantiles_and_ratios_of_the_seeds() {
    let campaign = campaign(31);
    let cells = cells(&campaign);
    let comparison = Comparison::of(&campaign, &cells, 1);
    assert_eq!(comparison.rows.len(), cells.len());
    for (row, cell) in comparison.rows.iter().zip(&cells) {
        let sample = |contender| -> Vec<f64> {
            let regret = |seed| regret(cell.surface, cell.budget, contender, seed);
            (0..31).map(regret).collect()
        };
        let (own, base) = (sample(cell.contender), sample(1));
        assert_eq!(row.regrets, own);
        close(row.median, slow_quantile(&own, 0.5));
        close(row.p90, slow_quantile(&own, 0.9));
        assert_eq!(row.ratios.is_none(), cell.contender == 1);
        for (ratio, share) in row.ratios.iter().flatten().zip([0.5, 0.9]) {
            close(
                ratio.value,
                slow_quantile(&own, share) / slow_quantile(&base, share),
            );
            let [low, high] = ratio.interval;
            assert!(low < ratio.value && ratio.value < high, "{ratio:?}");
        }
        close(
            row.learner_time.as_secs_f64(),
            10.0 / f64::from(cell.budget),
        );
    }
}

/// The bootstrap written out for one budget: every learner, every surface, ratio by ratio.
#[test]
fn intervals_are_those_of_a_bootstrap_written_out() {
    let campaign = campaign(17);
    let comparison = Comparison::of(&campaign, &cells(&campaign), 0);
    let budget = 5_000;
    let mut products = vec![1.0; RESAMPLES as usize];
    for (index, name) in campaign.surfaces.iter().enumerate() {
        let mut ratios = Vec::new();
        for number in 0..RESAMPLES {
            let key = [crc32fast::hash(name.as_bytes()), budget];
            let seeds = resample(key, number, 17);
            let sample = |contender| -> Vec<f64> {
                let regret = |&seed: &usize| regret(index, budget, contender, seed as u64);
                seeds.iter().map(regret).collect()
            };
            let ratio = slow_quantile(&sample(2), 0.9) / slow_quantile(&sample(0), 0.9);
            ratios.push(ratio);
            products[number as usize] *= ratio;
        }
        let row = comparison
            .rows
            .iter()
            .find(|row| (row.surface, row.budget, row.contender) == (index, budget, 2));
        let interval = row.unwrap().ratios.unwrap()[1].interval;
        // Ends are interpolated between logarithms there and between ratios here: neighbours among
        // 2,000 are close.
        for (end, share) in interval.iter().zip([0.025, 0.975]) {
            let slow = slow_quantile(&ratios, share);
            assert!((end / slow - 1.0).abs() < 1e-3, "{end}, {slow}");
        }
    }
    let mean = comparison
        .means
        .iter()
        .find(|mean| (mean.budget, mean.contender) == (budget, 2));
    let mean = mean.unwrap();
    let roots: Vec<f64> = products
        .iter()
        .map(|product: &f64| product.sqrt())
        .collect();
    for (end, share) in mean.ratios[1].interval.iter().zip([0.025, 0.975]) {
        let slow = slow_quantile(&roots, share);
        assert!((end / slow - 1.0).abs() < 1e-3, "{end}, {slow}");
    }
}

#[test]
fn means_are_geometric_and_name_the_worst_surface() {
    let campaign = campaign(20);
    let comparison = Comparison::of(&campaign, &cells(&campaign), 2);
    let order: Vec<(u32, usize)> = comparison
        .means
        .iter()
        .map(|mean| (mean.budget, mean.contender))
        .collect();
    assert_eq!(order, [(1_000, 0), (1_000, 1), (5_000, 0), (5_000, 1)]);
    for mean in &comparison.means {
        let rows = comparison
            .rows
            .iter()
            .filter(|row| (row.budget, row.contender) == (mean.budget, mean.contender));
        let rows: Vec<&Row> = rows.collect();
        for which in [0, 1] {
            let product: f64 = rows
                .iter()
                .map(|row| row.ratios.unwrap()[which].value)
                .product();
            close(mean.ratios[which].value, product.sqrt());
        }
        let medians = rows.iter().map(|row| row.ratios.unwrap()[0].value);
        close(mean.worst.1, medians.fold(0.0, f64::max));
        let worst = rows.iter().find(|row| row.surface == mean.worst.0).unwrap();
        close(mean.worst.1, worst.ratios.unwrap()[0].value);
    }
}

#[test]
fn regrets_that_no_match_could_see_count_as_a_hundredth() {
    let campaign = campaign(9);
    let mut cells = cells(&campaign);
    for (index, cell) in cells.iter_mut().enumerate() {
        for outcome in &mut cell.outcomes {
            outcome.regret = if index % 3 == 0 { 0.0 } else { 0.04 };
        }
    }
    let comparison = Comparison::of(&campaign, &cells, 0);
    let ratio = comparison.rows[1].ratios.unwrap()[0];
    close(ratio.value, 4.0);
    assert_eq!(comparison.rows[0].median, 0.0);
    close(ratio.interval[0], 4.0);
    close(ratio.interval[1], 4.0);
}

#[test]
fn traces_begin_at_the_start_and_take_what_is_in_force() {
    let campaign = campaign(5);
    let comparison = Comparison::of(&campaign, &cells(&campaign), 0);
    let start = Surface::named("LOG2", 0).unwrap().start_regret();
    // The only round of each seed ends after half of the budget; its median regret is seed 2's.
    let expected = [[start; 4].as_slice(), [2.0; 6].as_slice()].concat();
    assert_eq!(comparison.rows[0].trace, expected);
}

//! Wins, draws and losses; how tests went; strength over time.

use std::time::Instant;

use serde::Serialize;
use sixfold_tuner::stats::Z_95;
use utoipa::ToSchema;

use super::spread;
use crate::service::reading::Reading;
use crate::workspace::show::word;

/// Most points of a line.
const POINTS_MAX: usize = 400;

/// The statistics.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct StatisticsView {
    pub(crate) tuning: CountsView,
    pub(crate) attempts: Vec<TestView>,
    pub(crate) strength: StrengthView,
    /// As fresh games say it.
    pub(crate) measured: Vec<MeasuredView>,
}

/// Games of all trials, each seen from its A.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct CountsView {
    pub(crate) games: u64,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    pub(crate) pentanomial: [u64; 5],
}

/// The sequential test of a verification.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct TestView {
    pub(crate) attempt: u32,
    pub(crate) nelo_bounds: [f64; 2],
    pub(crate) llr_bounds: [f64; 2],
    /// Games and log-likelihood ratio after its batches, thinned out.
    pub(crate) llr: Vec<[f64; 2]>,
    pub(crate) verdict: Option<&'static str>,
}

/// Elo of the values in force over the start, as the fitted surface predicts it in hindsight. The
/// games made these values win: it is no measurement.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct StrengthView {
    pub(crate) rounds: Vec<usize>,
    pub(crate) games: Vec<u64>,
    pub(crate) elo: Vec<f64>,
    pub(crate) elo_95: Vec<[f64; 2]>,
}

/// Elo over the start, by the fixed number of fresh games of a verification.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct MeasuredView {
    pub(crate) attempt: u32,
    pub(crate) elo: f64,
    pub(crate) elo_95: [f64; 2],
    pub(crate) games: u64,
}

/// The statistics of a run.
pub(crate) fn statistics(reading: &mut Reading, now: Instant) -> StatisticsView {
    let strength = strength(reading, now);
    let folds = reading.folds();
    let (all, attempts) = (&folds.trials, &folds.summary.attempts);
    StatisticsView {
        tuning: CountsView {
            games: all.wdl.games(),
            wins: all.wdl.wins,
            draws: all.wdl.draws,
            losses: all.wdl.losses,
            pentanomial: all.pentanomial.0,
        },
        attempts: tests(reading),
        measured: attempts
            .iter()
            .filter_map(|attempt| {
                let measured = attempt.measured.pentanomial.elo().estimate()?;
                Some(MeasuredView {
                    attempt: attempt.attempt,
                    elo: measured.elo,
                    elo_95: measured.elo_95,
                    games: attempt.measured.wdl.games(),
                })
            })
            .collect(),
        strength,
    }
}

fn tests(reading: &Reading) -> Vec<TestView> {
    let folds = reading.folds();
    let attempts = folds.summary.attempts.iter().zip(folds.tests.attempts());
    let view = |(attempt, points): (&sixfold_tuner::run::summary::Attempt, &Vec<[f64; 2]>)| {
        let plan = &reading.job().verification;
        let test = plan
            .test(attempt.attempt)
            .expect("a job's test was checked");
        let bounds = test.bounds();
        let few = spread(points.len(), POINTS_MAX);
        TestView {
            attempt: attempt.attempt,
            nelo_bounds: test.elo_bounds(),
            llr_bounds: [bounds.lower, bounds.upper],
            llr: few.into_iter().map(|at| points[at]).collect(),
            verdict: attempt.verdict.map(word),
        }
    };
    attempts.map(view).collect()
}

fn strength(reading: &mut Reading, now: Instant) -> StrengthView {
    let outlook = reading.outlook(now);
    let folds = reading.folds();
    let ends = &folds.summary.rounds;
    let rounds = match outlook.as_ref() {
        Some(_) => spread(ends.len(), POINTS_MAX),
        None => Vec::new(),
    };
    let start = reading.job().space.start();
    let of_round = |round: &usize| {
        let outlook = outlook.as_ref().as_ref()?;
        let difference = outlook.difference(&ends[*round].incumbent, &start);
        let half = Z_95 * difference.deviation;
        Some((
            difference.elo,
            [difference.elo - half, difference.elo + half],
        ))
    };
    let (elo, elo_95) = rounds.iter().filter_map(of_round).unzip();
    StrengthView {
        games: rounds
            .iter()
            .map(|&round| folds.games_at_end(round))
            .collect(),
        rounds,
        elo,
        elo_95,
    }
}

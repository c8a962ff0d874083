//! `tuner match`: two engine configurations against each other.

use std::io::{Write, stdout};
use std::num::NonZeroU64;
use std::path::Path;
use std::sync::atomic::Ordering;

use anyhow::anyhow;
use serde::Serialize;
use sixfold_engine::clock::Budget;
use sixfold_engine::config::EngineConfig;
use sixfold_tuner::evaluator::match_play::{Side, Streams, matches};
use sixfold_tuner::stats::{EloModel, Looks, Sprt, SprtState};
use sixfold_tuner::trial::TrialResult;

use super::stop::stop_flag;
use super::{MatchArguments, Outcome, games, use_threads};
use crate::workspace::exit::{Exit, Failure, bad_input};
use crate::workspace::show;
use crate::workspace::words::game_in_full;

/// Error rates of the test.
const ERROR_RATE: f64 = 0.05;
/// Bounds that the log-likelihood ratio is shown for when no test is asked for, in nElo.
const DEFAULT_BOUNDS: [f64; 2] = [0.0, 20.0];

/// Reads `LOW,HIGH`.
pub(super) fn bounds(text: &str) -> Result<[f64; 2], String> {
    let number = |part: &str| part.trim().parse::<f64>().ok();
    let numbers = text
        .split_once(',')
        .map(|(low, high)| (number(low), number(high)));
    let Some((Some(low), Some(high))) = numbers else {
        return Err("expected two numbers LOW,HIGH such as 0,20".into());
    };
    Sprt::new(EloModel::Normalized, [low, high], ERROR_RATE, ERROR_RATE)
        .map(|_| [low, high])
        .map_err(|error| error.to_string())
}

#[derive(Serialize)]
struct Report {
    a: String,
    b: String,
    seed: u64,
    #[serde(flatten)]
    result: show::MatchView,
    llr: f64,
    llr_bounds: [f64; 2],
    nelo_bounds: [f64; 2],
    decision: &'static str,
    /// Whether a test was asked for and decided. With a test, decided or not, the estimate is the
    /// corrected one.
    stopped_by_test: bool,
    /// Games between two looks at the test, what `tuner stats --batch-games` is to be given; null
    /// without a test.
    look_every_games: Option<u32>,
    dropped_pairs: usize,
}

/// A test is looked at after each batch, in pairs.
fn looks() -> Looks {
    let pairs = u64::from(games::BATCH_GAMES / 2);
    Looks {
        every: NonZeroU64::new(pairs).expect("a batch has a pair of games"),
        not_before: 0,
    }
}

fn load(path: &Path, budget: Option<Budget>) -> Result<EngineConfig, Failure> {
    let mut config = EngineConfig::load(path).map_err(bad_input)?;
    config.budget = budget.unwrap_or(config.budget);
    Ok(config)
}

pub(super) fn contest(arguments: &MatchArguments) -> Outcome {
    let a = load(&arguments.a, arguments.budget)?;
    let b = load(&arguments.b, arguments.budget)?;
    if a.game != b.game {
        let (first, second) = (arguments.a.display(), arguments.b.display());
        let [one, other] = [a.game, b.game].map(game_in_full);
        return Err(bad_input(anyhow!(
            "{first} and {second} are configurations of different games: {one} and {other}; \
             expected the same board"
        )));
    }
    use_threads(arguments.threads)?;
    let streams = if arguments.independent_streams {
        Streams::Independent
    } else {
        Streams::Common
    };
    let (a, b) = (Side::fixed(a), Side::fixed(b));
    let mut players = matches(a, b, arguments.seed, streams, None).map_err(bad_input)?;
    let nelo_bounds = arguments.sprt.unwrap_or(DEFAULT_BOUNDS);
    let test = Sprt::new(EloModel::Normalized, nelo_bounds, ERROR_RATE, ERROR_RATE)?;
    let games_most = if arguments.sprt.is_some() {
        arguments.games_max
    } else {
        arguments.games
    };
    let decides = |result: &TrialResult| {
        let state = test.state_of_pairs(&result.pentanomial);
        arguments.sprt.is_some() && state != SprtState::Continue
    };
    let stop = stop_flag()?;
    let result = games::play(&mut *players, games_most, &stop, decides)?;
    let interrupted = stop.load(Ordering::Relaxed);
    if interrupted && result.wdl.games() == 0 {
        return Err(Failure {
            exit: Exit::Interrupted,
            error: anyhow!("stopped before the first games of the match were over"),
        });
    }
    let llr_limits = test.bounds();
    let state = test.state_of_pairs(&result.pentanomial);
    let stopped_by_test = decides(&result);
    let report = Report {
        a: arguments.a.display().to_string(),
        b: arguments.b.display().to_string(),
        seed: arguments.seed,
        result: if arguments.sprt.is_some() {
            show::MatchView::of_test(&result, &test, looks())
        } else {
            show::MatchView::of(&result)
        },
        llr: test.llr_of_pairs(&result.pentanomial),
        llr_bounds: [llr_limits.lower, llr_limits.upper],
        nelo_bounds,
        decision: match state {
            SprtState::AcceptH1 => "H1",
            SprtState::AcceptH0 => "H0",
            SprtState::Continue => "undecided",
        },
        stopped_by_test,
        look_every_games: arguments.sprt.map(|_| games::BATCH_GAMES),
        dropped_pairs: result.dropped_pairs.len(),
    };
    print(&report, arguments.json)?;
    Ok(if interrupted {
        Exit::Interrupted
    } else {
        Exit::Success
    })
}

fn print(report: &Report, json: bool) -> Result<(), Failure> {
    let mut out = stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string(report)?)?;
        return Ok(());
    }
    let result = &report.result;
    writeln!(
        out,
        "{} against {}, seed {}",
        report.a, report.b, report.seed
    )?;
    let (wins, draws, losses) = (result.wins, result.draws, result.losses);
    writeln!(
        out,
        "games        {} (won {wins}, drawn {draws}, lost {losses})",
        result.games
    )?;
    writeln!(out, "pentanomial  {:?}", result.pentanomial)?;
    writeln!(out, "strength     {}", result.text())?;
    if let Some(los) = result.los {
        writeln!(out, "LOS          {:.1} %", 100.0 * los)?;
    }
    let ([low, high], [lower, upper]) = (report.nelo_bounds, report.llr_bounds);
    writeln!(
        out,
        "LLR          {:.2} for [{low}, {high}] nElo, bounds {lower:.2} and {upper:.2}: {}",
        report.llr, report.decision
    )?;
    if let Some(games) = report.look_every_games {
        writeln!(out, "looks        at the test after every {games} games")?;
    }
    if report.dropped_pairs > 0 {
        writeln!(
            out,
            "{} pairs failed and were replayed.",
            report.dropped_pairs
        )?;
    }
    Ok(())
}

//! `tuner stats`: what the counts of a match say, without playing.

use std::fmt::Display;
use std::io::{Write, stdout};
use std::num::NonZeroU64;

use anyhow::anyhow;
use serde::Serialize;
use sixfold_tuner::stats::{
    CorrectedElo, EloModel, Looks, MatchElo, NoCorrection, Pentanomial, Sprt, SprtState, Wdl,
};

use super::{Outcome, StatsArguments};
use crate::workspace::exit::{Exit, Failure, bad_input};

/// Largest count of one result: sums stay exact.
const COUNT_MOST: u64 = 1_000_000_000_000;
/// Bounds of the test that the log-likelihood ratio is shown for when none are given, in Elo of
/// the model.
const DEFAULT_BOUNDS: [f64; 2] = [0.0, 20.0];

/// The counts: of pairs, of games, or of both where they tell of the same match.
#[derive(Clone, Copy, Debug)]
struct Counts {
    pentanomial: Option<Pentanomial>,
    wdl: Option<Wdl>,
}

#[derive(Debug, Serialize)]
struct Report {
    games: u64,
    wins: Option<u64>,
    draws: Option<u64>,
    losses: Option<u64>,
    pentanomial: Option<[u64; 5]>,
    /// For a number of games that was fixed beforehand; null without variance, and `note` says so.
    elo: Option<f64>,
    elo_95: Option<[f64; 2]>,
    nelo: Option<f64>,
    los: Option<f64>,
    note: Option<String>,
    llr: f64,
    llr_bounds: [f64; 2],
    bounds: [f64; 2],
    model: &'static str,
    alpha: f64,
    beta: f64,
    /// `H0`, `H1` or `undecided`.
    decision: &'static str,
    /// Games between two looks that `corrected` assumes; null without bounds.
    batch_games: Option<u64>,
    /// For games of this sequential test; null without bounds, and `corrected_note` says why it is
    /// null with them.
    corrected: Option<Corrected>,
    corrected_note: Option<String>,
}

#[derive(Debug, Serialize)]
struct Corrected {
    elo: f64,
    elo_95: [f64; 2],
    nelo: f64,
    nelo_95: [f64; 2],
    los: f64,
}

pub(super) fn stats(arguments: &StatsArguments) -> Outcome {
    let report = read(arguments).and_then(|(counts, test)| report(arguments, counts, test));
    let report = report.map_err(|problem| bad_input(anyhow!(problem)))?;
    print(&report, arguments.json)?;
    Ok(Exit::Success)
}

fn read(arguments: &StatsArguments) -> Result<(Counts, Sprt), String> {
    let pentanomial = arguments.pentanomial.as_deref();
    let pentanomial = pentanomial.map(|text| counts("--pentanomial", text).map(Pentanomial));
    let wdl = arguments.wdl.as_deref().map(|text| {
        counts("--wdl", text).map(|[wins, draws, losses]| Wdl {
            wins,
            draws,
            losses,
        })
    });
    let counts = Counts {
        pentanomial: pentanomial.transpose()?,
        wdl: wdl.transpose()?,
    };
    match counts {
        Counts {
            pentanomial: Some(pairs),
            wdl: Some(games),
        } => check_agreement(pairs, games)?,
        Counts {
            pentanomial: None,
            wdl: None,
        } => {
            return Err(
                "no counts: give --pentanomial A,B,C,D,E, or --wdl W,D,L, or both".to_owned(),
            );
        }
        _ => {}
    }
    let bounds = arguments.bounds.as_deref();
    let bounds = bounds.map_or(Ok(DEFAULT_BOUNDS), |text| numbers("--bounds", text))?;
    let [alpha] = numbers("--alpha", &arguments.alpha)?;
    let [beta] = numbers("--beta", &arguments.beta)?;
    let test = Sprt::new(model(arguments)?, bounds, alpha, beta);
    let test = test.map_err(|error| format!("--bounds, --alpha, --beta: {error}"))?;
    Ok((counts, test))
}

fn model(arguments: &StatsArguments) -> Result<EloModel, String> {
    match arguments.model.as_str() {
        "normalized" => Ok(EloModel::Normalized),
        "logistic" => Ok(EloModel::Logistic),
        other => Err(format!(
            "--model is \"{other}\"; expected normalized or logistic"
        )),
    }
}

/// Reads so many counts, not all of them zero.
fn counts<const K: usize>(option: &str, text: &str) -> Result<[u64; K], String> {
    let expected = format!(
        "expected {K} whole numbers from 0 to {COUNT_MOST}, separated by commas, not all 0"
    );
    let wrong = |what: &dyn Display| format!("{option} is \"{text}\": {what}; {expected}");
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let parts: [&str; K] = parts
        .try_into()
        .map_err(|parts: Vec<_>| wrong(&format_args!("{} numbers", parts.len())))?;
    let mut counts = [0; K];
    for (count, part) in counts.iter_mut().zip(parts) {
        let number = part.parse::<u64>().ok().filter(|&n| n <= COUNT_MOST);
        *count = number.ok_or_else(|| wrong(&format_args!("\"{part}\" is no count")))?;
    }
    if counts == [0; K] {
        return Err(wrong(&"no games"));
    }
    Ok(counts)
}

fn numbers<const K: usize>(option: &str, text: &str) -> Result<[f64; K], String> {
    let parts = text.split(',').map(|part| part.trim().parse::<f64>());
    let parts: Result<Vec<f64>, _> = parts.collect();
    let list: Option<[f64; K]> = parts.ok().and_then(|list| list.try_into().ok());
    list.filter(|list| list.iter().all(|number| number.is_finite()))
        .ok_or_else(|| {
            let expected = match K {
                1 => "one number, such as 0.05",
                _ => "two numbers LOW,HIGH such as 0,20",
            };
            format!("{option} is \"{text}\"; expected {expected}")
        })
}

/// Pairs of one and a half points hold one drawn game each, those of one point two or none.
fn check_agreement(pairs: Pentanomial, games: Wdl) -> Result<(), String> {
    let [_, lost, even, won, both] = pairs.0;
    let fits = |drawn_twice: u64| {
        let wins = 2 * both + won + even - drawn_twice;
        let draws = lost + won + 2 * drawn_twice;
        (wins, draws) == (games.wins, games.draws)
    };
    let single = lost + won;
    let twice = games.draws.checked_sub(single).filter(|rest| rest % 2 == 0);
    let twice = twice.map(|rest| rest / 2).filter(|&twice| twice <= even);
    if games.games() == 2 * pairs.pairs() && twice.is_some_and(fits) {
        return Ok(());
    }
    Err(format!(
        "--pentanomial {:?} and --wdl {},{},{} are not of the same match: these pairs are {} games \
         with {} points for A and {} to {} draws, those are {} games with {} points and {} draws",
        pairs.0,
        games.wins,
        games.draws,
        games.losses,
        2 * pairs.pairs(),
        pairs.score().unwrap_or_default() * 2.0 * pairs.pairs() as f64,
        single,
        single + 2 * even,
        games.games(),
        games.points(),
        games.draws
    ))
}

fn report(arguments: &StatsArguments, counts: Counts, test: Sprt) -> Result<Report, String> {
    let wdl = counts.wdl;
    // Pairs know what two games with one opening share.
    let (games, found, llr) = match (counts.pentanomial, wdl) {
        (Some(pairs), _) => (2 * pairs.pairs(), pairs.elo(), test.llr_of_pairs(&pairs)),
        (None, Some(games)) => (games.games(), games.elo(), test.llr_of_games(&games)),
        (None, None) => return Err("no counts".to_owned()),
    };
    let batch_games = match (&arguments.bounds, &arguments.batch_games) {
        (None, Some(_)) => return Err("--batch-games needs --bounds LOW,HIGH".to_owned()),
        (None, None) => None,
        (Some(_), text) => Some(batch(text.as_deref(), counts.pentanomial.is_some())?),
    };
    let corrected = batch_games.map(|batch| corrected(counts, &test, batch));
    let estimate = found.estimate();
    let limits = test.bounds();
    let (corrected, corrected_note) = match corrected {
        Some(Ok(estimate)) => (Some(Corrected::of(estimate)), None),
        Some(Err(reason)) => (None, Some(why_none(&reason, batch_games))),
        None => (None, None),
    };
    Ok(Report {
        games,
        wins: wdl.map(|wdl| wdl.wins),
        draws: wdl.map(|wdl| wdl.draws),
        losses: wdl.map(|wdl| wdl.losses),
        pentanomial: counts.pentanomial.map(|pairs| pairs.0),
        elo: estimate.map(|estimate| estimate.elo),
        elo_95: estimate.map(|estimate| estimate.elo_95),
        nelo: estimate.map(|estimate| estimate.nelo),
        los: estimate.map(|estimate| estimate.los),
        note: match found {
            MatchElo::NoVariance { score, .. } => Some(format!(
                "every result scored {:.0} %: no variance, so no Elo and no interval",
                100.0 * score
            )),
            MatchElo::Empty => Some("no games".to_owned()),
            MatchElo::Estimate(_) => None,
        },
        llr,
        llr_bounds: [limits.lower, limits.upper],
        bounds: test.elo_bounds(),
        model: if test.model() == EloModel::Logistic {
            "logistic"
        } else {
            "normalized"
        },
        alpha: test.error_rates()[0],
        beta: test.error_rates()[1],
        decision: match limits.state(llr) {
            SprtState::AcceptH1 => "H1",
            SprtState::AcceptH0 => "H0",
            SprtState::Continue => "undecided",
        },
        batch_games,
        corrected,
        corrected_note,
    })
}

/// Games between two looks; without the option a look after each observation.
fn batch(text: Option<&str>, pairs: bool) -> Result<u64, String> {
    let least = if pairs { 2 } else { 1 };
    let Some(text) = text else {
        return Ok(least);
    };
    let number = text.parse::<u64>().ok();
    number
        .filter(|&n| (least..=COUNT_MOST).contains(&n) && n % least == 0)
        .ok_or_else(|| {
            let even = if pairs { "an even" } else { "a whole" };
            let range = format!("expected {even} number from {least} to {COUNT_MOST}");
            format!("--batch-games is \"{text}\"; {range}")
        })
}

fn corrected(counts: Counts, test: &Sprt, batch_games: u64) -> Result<CorrectedElo, NoCorrection> {
    let every = |observations: u64| Looks {
        every: NonZeroU64::new(observations).unwrap_or(NonZeroU64::MIN),
        not_before: 0,
    };
    match (counts.pentanomial, counts.wdl) {
        (Some(pairs), _) => test.corrected_of_pairs(&pairs, every(batch_games / 2)),
        (None, Some(games)) => test.corrected_of_games(&games, every(batch_games)),
        (None, None) => Err(NoCorrection::Empty),
    }
}

/// Why there is no corrected estimate, and which option may be what is wrong.
fn why_none(reason: &NoCorrection, batch_games: Option<u64>) -> String {
    match (reason, batch_games) {
        (NoCorrection::RanOn { .. }, Some(games)) => {
            let look = look(games);
            format!("{reason} with a look after {look}; --batch-games says otherwise")
        }
        _ => reason.to_string(),
    }
}

impl Corrected {
    fn of(estimate: CorrectedElo) -> Self {
        let CorrectedElo {
            elo,
            elo_95,
            nelo,
            nelo_95,
            los,
        } = estimate;
        Self {
            elo,
            elo_95,
            nelo,
            nelo_95,
            los,
        }
    }
}

/// The games after which a test is looked at, in words.
fn look(games: u64) -> String {
    match games {
        1 => "every game".to_owned(),
        _ => format!("every {games} games"),
    }
}

/// Elo to a hundredth, with its sign.
fn elo(elo: f64) -> String {
    let text = format!("{elo:+.2}");
    if text == "-0.00" {
        return "+0.00".to_owned();
    }
    text
}

/// A log-likelihood ratio to a thousandth.
fn ratio(llr: f64) -> String {
    let text = format!("{llr:.3}");
    if text == "-0.000" {
        return "0.000".to_owned();
    }
    text
}

fn print(report: &Report, json: bool) -> Result<(), Failure> {
    let mut out = stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string(report)?)?;
        return Ok(());
    }
    let interval = |[low, high]: [f64; 2]| format!("[{}, {}]", elo(low), elo(high));
    writeln!(out, "games        {}", report.games)?;
    if let Some(note) = &report.note {
        writeln!(out, "elo          none: {note}")?;
    }
    if let (Some(at), Some(elo_95), Some(nelo), Some(los)) =
        (report.elo, report.elo_95, report.nelo, report.los)
    {
        writeln!(out, "elo          {}", elo(at))?;
        writeln!(out, "elo_95       {}", interval(elo_95))?;
        writeln!(out, "nelo         {}", elo(nelo))?;
        writeln!(out, "los          {:.2} %", 100.0 * los)?;
    }
    let ([low, high], [lower, upper]) = (report.bounds, report.llr_bounds);
    writeln!(
        out,
        "llr          {} for [{low}, {high}] {} Elo, limits {lower:.3} and {upper:.3}: {}",
        ratio(report.llr),
        report.model,
        report.decision
    )?;
    if let Some(corrected) = &report.corrected {
        writeln!(
            out,
            "corrected    as a sequential test looked at after {}:\n  \
             elo        {} {}\n  nelo       {} {}\n  los        {:.2} %",
            look(report.batch_games.unwrap_or_default()),
            elo(corrected.elo),
            interval(corrected.elo_95),
            elo(corrected.nelo),
            interval(corrected.nelo_95),
            100.0 * corrected.los
        )?;
    }
    if let Some(note) = &report.corrected_note {
        writeln!(out, "corrected    none: {note}")?;
    }
    Ok(())
}

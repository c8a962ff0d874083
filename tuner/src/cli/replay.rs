//! `tuner replay`: any game of a run again, move by move.

use std::io::{Write, stdout};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, anyhow};
use clap::Args;
use sixfold_engine::games::AnyRecord;
use sixfold_tuner::evaluator::match_play::{ATTEMPTS, PairAttempt};
use sixfold_tuner::event::Contest;
use sixfold_tuner::run::history::PlayedTrial;
use sixfold_tuner::run::place::Place;
use sixfold_tuner::store::folder::RunFolder;
use sixfold_tuner::store::new_file::NewFile;
use sixfold_tuner::trial::{TrialId, TrialResult};

use super::stop::stop_flag;
use super::{Outcome, use_threads};
use crate::workspace::again::{Again, Players, counted_pairs};
use crate::workspace::evidence::DroppedAttempt;
use crate::workspace::exit::{Exit, Failure, bad_input, new_file};
use crate::workspace::game_view::{GameView, points_of_a};
use crate::workspace::session::find;

#[derive(Args)]
pub(super) struct ReplayArguments {
    /// The run: its name under --runs, or the path of its folder
    run: String,
    /// Round of the trial, from 0
    #[arg(
        long,
        requires = "trial",
        conflicts_with = "verification",
        required_unless_present = "verification"
    )]
    round: Option<u32>,
    /// Trial of the run, from 0
    #[arg(long, requires = "round")]
    trial: Option<u32>,
    /// Verification, from 1, instead of a trial
    #[arg(long, requires = "contest", requires = "batch")]
    verification: Option<u32>,
    /// Contest of the verification: decision, measured, start-reference or tuned-reference
    #[arg(long, value_parser = contest, requires = "verification")]
    contest: Option<Contest>,
    /// Batch of the contest, from 0
    #[arg(long, requires = "verification")]
    batch: Option<u32>,
    /// Game of the trial or batch, from 0; pairs stand together, A is First in the first of them
    #[arg(long, required_unless_present = "check")]
    game: Option<u32>,
    /// Attempt of the game's pair, from 0 [default: the one that counted]
    #[arg(long, requires = "game", value_parser = clap::value_parser!(u32).range(..5))]
    attempt: Option<u32>,
    /// Play all games of the trial or batch, and compare their results with the journal
    #[arg(long)]
    check: bool,
    /// Write the game in its standard notation to this file, which must not exist
    #[arg(long, value_name = "FILE", requires = "game")]
    record: Option<PathBuf>,
    /// Folder of runs
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
    /// Threads of --check [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn contest(text: &str) -> Result<Contest, String> {
    let found = Contest::ALL.into_iter().find(|it| it.word() == text);
    let words = Contest::ALL.map(Contest::word);
    found.ok_or_else(|| format!("expected one of {}", words.join(", ")))
}

impl ReplayArguments {
    fn place(&self) -> Result<Place, Failure> {
        match (self.round, self.trial, self.verification) {
            (Some(round), Some(trial), None) => Ok(Place::Tuning(TrialId { round, trial })),
            (None, None, Some(attempt)) => match (self.contest, self.batch) {
                (Some(contest), Some(batch)) => Ok(Place::Verification {
                    attempt,
                    contest,
                    batch,
                }),
                _ => Err(bad_input(anyhow!(
                    "--verification needs --contest and --batch"
                ))),
            },
            _ => Err(bad_input(anyhow!(
                "name a trial (--round, --trial) or a batch (--verification, --contest, --batch)"
            ))),
        }
    }
}

pub(super) fn replay(arguments: &ReplayArguments) -> Outcome {
    let folder = find(&arguments.runs, &arguments.run)?;
    let wanted = arguments.place()?;
    use_threads(arguments.threads)?;
    let stop = stop_flag()?;
    let mut again = Again::open(&folder)?;
    let (mut trials, players, job) = again.trials();
    let found = trials.find(|played| !played.as_ref().is_ok_and(|it| it.place != wanted));
    drop(trials);
    let Some(played) = found.transpose()? else {
        let problem = format!("{} has not played {wanted}", folder.name());
        return Err(bad_input(anyhow!(
            "{problem}; `tuner export-games` lists what was played"
        )));
    };
    let mut out = stdout().lock();
    if !job.budget.is_reproducible() {
        let budget = job.budget;
        tracing::warn!(%budget, "the budget is a time: what is played again may differ");
    }
    if let Some(game) = arguments.game {
        let mut view = one_game(arguments, &played, game, players, job, &stop)?;
        view.dropped = dropped(&folder, &played, view.pair, view.attempt);
        if arguments.json {
            writeln!(out, "{}", serde_json::to_string_pretty(&view)?)?;
        } else {
            view.write(&mut out)?;
        }
    }
    if arguments.check {
        return check(&played, players, &stop, arguments.json, &mut out);
    }
    Ok(Exit::Success)
}

/// What is known of an attempt that did not count.
fn dropped(
    folder: &RunFolder,
    played: &PlayedTrial,
    pair: u32,
    attempt: u32,
) -> Option<DroppedAttempt> {
    let found = || DroppedAttempt::find(&folder.failures(), &played.place, pair, attempt);
    match played.result.as_ref().map(|it| it.attempt_of(pair)) {
        Some(counted) if counted == attempt => None,
        Some(_) => Some(found().unwrap_or_else(DroppedAttempt::without_evidence)),
        None => found(),
    }
}

fn one_game(
    arguments: &ReplayArguments,
    played: &PlayedTrial,
    game: u32,
    players: &mut Players,
    job: &sixfold_tuner::job::Job,
    stop: &AtomicBool,
) -> Result<GameView, Failure> {
    let (trial, place) = (&played.trial, played.place);
    if game >= trial.games {
        let last = trial.games - 1;
        return Err(bad_input(anyhow!(
            "--game {game}: {place} has games 0 to {last}"
        )));
    }
    let pair = game / trial.games_per_pair();
    let counted = played.result.as_ref().map(|it| it.attempt_of(pair));
    let attempt = arguments.attempt.or(counted).unwrap_or(0);
    if attempt > counted.unwrap_or(ATTEMPTS - 1) {
        let counted = counted.unwrap_or_default();
        let problem = format!("pair {pair} of {place} counted in attempt {counted}");
        return Err(bad_input(anyhow!("--attempt {attempt}: {problem}")));
    }
    let wanted = PairAttempt {
        trial: Arc::new(trial.clone()),
        pair,
        attempt,
        is_timed: counted != Some(attempt),
    };
    let to = arguments.record.as_deref();
    let to = to.map(|file| new_file(file, "--record")).transpose()?;
    let games = players.play(played.opponent, &[wanted], stop)?;
    let games = games.into_iter().next().expect("one pair was asked for");
    let in_pair = game % trial.games_per_pair();
    match games {
        Ok(records) => {
            let record = &records[in_pair as usize];
            let view = GameView::of_record(job, played, [game, attempt], record);
            if let (Some(file), Some(path)) = (to, &arguments.record) {
                write_record(file, record, in_pair == 0, &view)
                    .with_context(|| format!("cannot write to {}", path.display()))?;
            }
            Ok(view)
        }
        Err(dropped) if dropped.game != game => Err(bad_input(anyhow!(
            "game {game} counts for nothing in attempt {attempt}, in which game {} failed: {}",
            dropped.game,
            dropped.reason
        ))),
        Err(_) if arguments.record.is_some() => {
            let problem = "failed, and has no record; leave out --record to see its moves";
            Err(bad_input(anyhow!("game {game} {problem}")))
        }
        Err(dropped) => Ok(GameView::of_dropped(job, played, [game, attempt], &dropped)),
    }
}

fn write_record(
    file: NewFile,
    record: &AnyRecord,
    a_is_first: bool,
    view: &GameView,
) -> std::io::Result<()> {
    let names = if a_is_first { ["A", "B"] } else { ["B", "A"] };
    let text = record.text(names, &view.title());
    writeln!(file.writer()?, "{text}")?;
    file.keep()
}

/// Plays all games of a trial and compares their results with the stored ones.
fn check(
    played: &PlayedTrial,
    players: &mut Players,
    stop: &AtomicBool,
    json: bool,
    out: &mut dyn Write,
) -> Outcome {
    let place = played.place;
    let Some(stored) = &played.result else {
        return Err(bad_input(anyhow!(
            "{place} is not stored: there is nothing to compare with"
        )));
    };
    let mut found = TrialResult {
        dropped_pairs: stored.dropped_pairs.clone(),
        ..TrialResult::default()
    };
    for pairs in counted_pairs(played).chunks(PAIRS_AT_ONCE) {
        for games in players.play(played.opponent, pairs, stop)? {
            let games = games.map_err(|dropped| anyhow!("{dropped}; it counted in the run"))?;
            let outcomes = games.iter().map(AnyRecord::outcome);
            let points: Vec<u8> = outcomes
                .zip(0..)
                .map(|(it, game)| points_of_a(it, game))
                .collect();
            found.add_points(&points);
        }
    }
    let is_same = found == *stored;
    let row = |result: &TrialResult| {
        let wdl = result.wdl;
        let counts = [wdl.wins, wdl.draws, wdl.losses];
        (counts, result.pentanomial.0)
    };
    let ((again, pairs_again), (then, pairs_then)) = (row(&found), row(stored));
    if json {
        let value = serde_json::json!({
            "place": place.to_string(), "same": is_same,
            "stored": {"wdl": then, "pentanomial": pairs_then},
            "replayed": {"wdl": again, "pentanomial": pairs_again},
        });
        writeln!(out, "{value}")?;
    } else {
        writeln!(
            out,
            "{place}: won, drawn, lost {again:?}, pairs by points {pairs_again:?}"
        )?;
    }
    if is_same {
        if !json {
            writeln!(out, "The journal says the same.")?;
        }
        return Ok(Exit::Success);
    }
    Err(Failure {
        exit: Exit::Failure,
        error: anyhow!("{place}: the journal says {then:?} and {pairs_then:?}, and not {again:?}"),
    })
}

/// Pairs that are played at once, and held in memory.
pub(super) const PAIRS_AT_ONCE: usize = 256;

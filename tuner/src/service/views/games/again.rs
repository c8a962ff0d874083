//! A sampled game played again: who acted, with how much work, what was thought of the move, and
//! what the exact solver says of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use sixfold_engine::agent::Opinion;
use sixfold_engine::games::{AnyRecord, MoveInWords};
use sixfold_engine::protocol::analyse::SolveLimits;
use sixfold_engine::protocol::{record, review};
use sixfold_tuner::evaluator::match_play::PairAttempt;
use sixfold_tuner::event::Event;
use sixfold_tuner::job::Job;
use sixfold_tuner::run::course::Opponent;
use sixfold_tuner::run::history::PlayedTrial;
use sixfold_tuner::run::place::Place;

use super::{SampledGameView, SampledMoveView};
use crate::service::reading::Reading;
use crate::workspace::again::Players;

/// What the exact solver may use for each position of a game.
const LIMITS: SolveLimits = SolveLimits {
    edges: 24,
    work_units: 2_000_000,
};

/// What playing a game again needs.
pub(crate) struct Annotated {
    job: Job,
    played: Option<PlayedTrial>,
}

impl Annotated {
    /// What is needed for the record of a round.
    pub(crate) fn of(reading: &Reading, round: Option<usize>) -> Annotated {
        Annotated {
            job: reading.job().clone(),
            played: round.and_then(|round| trial_of(reading, round)),
        }
    }
}

/// The trial whose first game a round keeps, as it was played.
pub(super) fn trial_of(reading: &Reading, round: usize) -> Option<PlayedTrial> {
    let summary = &reading.folds().summary;
    if round >= summary.rounds.len() {
        return None;
    }
    let first = reading.folds().first_trial_of(round);
    let events = reading.trials(first, 1).ok()?;
    let Some(Event::TrialFinished { trial, result, .. }) = events.into_iter().next() else {
        return None;
    };
    let mut rounds_before = 0;
    let is_over = |leg: &&sixfold_tuner::event::LegSummary| {
        rounds_before += leg.rounds as usize;
        rounds_before <= round
    };
    let legs = summary.legs.iter().take_while(is_over).count();
    let has_legs = !reading.job().legs.is_empty();
    Some(PlayedTrial {
        place: Place::Tuning(trial.id),
        opponent: if has_legs {
            Opponent::OwnOnLeg(legs as u32)
        } else {
            Opponent::Own
        },
        trial,
        result: Some(result),
    })
}

/// Fills in what playing the game again within `limit` tells, or why that is not known. It takes
/// as long as the game took.
pub(crate) fn annotate(view: &mut SampledGameView, source: &Annotated, limit: Duration) {
    if view.game == "dots" {
        judge(view, &source.job);
    }
    view.not_annotated = match play(source, limit) {
        Ok(moves) => fill_in(view, &source.job, &moves).err(),
        Err(reason) => Some(reason),
    };
}

/// The first game of the trial.
fn play(source: &Annotated, limit: Duration) -> Result<Vec<MoveInWords>, String> {
    let job = &source.job;
    let played = source.played.as_ref();
    let played = played.ok_or("the journal does not have the trial of this record")?;
    if !job.budget.is_reproducible() {
        return Err("the budget is a time: played again, the game may be another".to_owned());
    }
    let mut players = Players::of(job).map_err(|failure| failure.text())?;
    let counted = played.result.as_ref().map_or(0, |it| it.attempt_of(0));
    let wanted = PairAttempt {
        trial: Arc::new(played.trial.clone()),
        pair: 0,
        attempt: counted,
        is_timed: false,
    };
    let stop = AtomicBool::new(false);
    let (done, is_done) = channel::<()>();
    let games = std::thread::scope(|threads| {
        let stop = &stop;
        threads.spawn(move || {
            if is_done.recv_timeout(limit) == Err(RecvTimeoutError::Timeout) {
                stop.store(true, Ordering::Relaxed);
            }
        });
        let games = players.play(played.opponent, &[wanted], stop);
        drop(done);
        games
    });
    let seconds = limit.as_secs();
    let games = games.map_err(|failure| match stop.load(Ordering::Relaxed) {
        true => format!("playing the game again took more than {seconds} s"),
        false => failure.text(),
    })?;
    let first = games.into_iter().next().and_then(Result::ok);
    let record = first.and_then(|records| records.into_iter().next());
    let record = record.ok_or("the game failed when it was played again")?;
    Ok(AnyRecord::summary(&record).moves)
}

/// Puts what was found beside the moves of the record, the last of which are those played.
fn fill_in(view: &mut SampledGameView, job: &Job, moves: &[MoveInWords]) -> Result<(), String> {
    let parts = if view.game == "amazons" { 2 } else { 1 };
    let turns: Vec<&[MoveInWords]> = moves.chunks(parts).collect();
    let opening = view.moves.len().checked_sub(turns.len());
    let opening = opening.ok_or("played again, the game is longer than its record")?;
    let stages = job.engine_config().stages;
    view.opening_moves = opening;
    for (index, shown) in view.moves.iter_mut().enumerate() {
        let Some(turn) = index.checked_sub(opening).map(|at| turns[at]) else {
            shown.opening = true;
            continue;
        };
        let Some(first) = turn.first() else { continue };
        note(shown, turn, first);
        shown.stage = stages.get(first.stage).map(|stage| stage.name.clone());
    }
    Ok(())
}

/// Where a turn has several moves, the first one's judgement and the work of all.
fn note(shown: &mut SampledMoveView, turn: &[MoveInWords], first: &MoveInWords) {
    shown.class = Some(first.class);
    shown.work_units = Some(turn.iter().map(|part| part.work_units).sum());
    shown.visits = first.opinion.and_then(Opinion::visits);
    shown.value = first.opinion.and_then(Opinion::mean);
    shown.points = first.opinion.and_then(Opinion::points);
}

/// What each move gave away, where the positions around it are solved.
fn judge(view: &mut SampledGameView, job: &Job) {
    let Ok(game) = record::read(&view.name, &view.record, None) else {
        return;
    };
    let options = review::ReviewOptions {
        config: &job.engine.config,
        limits: LIMITS,
        opening_moves: 0,
    };
    let judged = review::review(&game, options).moves;
    for (shown, judged) in view.moves.iter_mut().zip(&judged) {
        shown.loss = judged.judgement.lost.map(f64::from);
    }
}

//! Writes what happens to the log (`tracing`): rounds, verdicts and failures for people.

use super::{Notice, Observer};
use crate::event::Event;

/// The observer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Log;

impl Observer for Log {
    fn on_event(&mut self, event: &Event) {
        match event {
            Event::RunStarted { job_digest } => tracing::info!(%job_digest, "run started"),
            Event::TrialFinished {
                path,
                trial,
                result,
            } => {
                tracing::debug!(round = trial.id.round, trial = trial.id.trial,
                    path = path.map(tracing::field::debug),
                    a = ?trial.a.0, b = ?trial.b.0, wins = result.wdl.wins,
                    draws = result.wdl.draws, losses = result.wdl.losses, "trial finished");
                if !result.dropped_pairs.is_empty() {
                    tracing::warn!(
                        trial = trial.id.trial,
                        pairs = ?result.dropped_pairs,
                        "pairs failed and were replayed"
                    );
                }
            }
            Event::RoundFinished(round) => tracing::info!(round = round.round,
                path = round.greedy_path.map(tracing::field::debug), applied = round.applied,
                incumbent = ?round.incumbent.0, "round finished"),
            Event::LegFinished(leg) => tracing::info!(leg = leg.leg, budget = leg.budget,
                reason = ?leg.reason, rounds = leg.rounds, games = leg.games,
                values = ?leg.values.0, "leg finished"),
            Event::Extrapolated(found) => tracing::info!(budget = found.budget,
                values = ?found.values.0, drifts = ?found.drifts, "values extrapolated"),
            Event::TuningFinished {
                reason,
                rounds,
                games,
            } => {
                tracing::info!(?reason, rounds, games, "tuning finished");
            }
            Event::VerificationStarted { attempt, tuned } => {
                tracing::info!(attempt, tuned = ?tuned.0, "verification started");
            }
            Event::MatchBatch {
                attempt,
                contest,
                batch,
                result,
            } => {
                tracing::debug!(
                    attempt,
                    ?contest,
                    batch,
                    wins = result.wdl.wins,
                    draws = result.wdl.draws,
                    losses = result.wdl.losses,
                    "batch finished"
                );
            }
            Event::VerificationFinished {
                attempt,
                verdict,
                games,
            } => {
                tracing::info!(attempt, ?verdict, games, "verification finished");
            }
        }
    }

    fn on_notice(&mut self, notice: &Notice) {
        match notice {
            Notice::DiskFull {
                path,
                bytes,
                longest_wait,
            } => tracing::warn!(
                "paused: disk full, {bytes} bytes needed in {}, trying again every {} s; free \
                 space and it goes on; Ctrl-C ends it, resumable",
                path.display(),
                longest_wait.as_secs()
            ),
            Notice::RoomAgain { paused } => {
                tracing::warn!("there is room again: going on after {} s", paused.as_secs());
            }
            Notice::DiskLow { path, free, limit } => tracing::warn!(
                "only {} MiB are free in {} (said below {} MiB); a full disk pauses the run",
                free >> 20,
                path.display(),
                limit >> 20
            ),
        }
    }
}

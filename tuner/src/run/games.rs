//! Sampled games: the first game of every round, replayed and written in the game's standard
//! notation. A game is a function of its trial, so a file that is missing after a crash is written
//! again with the same bytes.

use std::path::PathBuf;

use crate::evaluator::Replay;
use crate::event::Event;
use crate::store::atomic::{AtomicWriteError, write_atomically};
use crate::trial::{Trial, TrialResult};

/// A game that a run keeps: the first of a round.
#[derive(Clone, PartialEq, Debug)]
pub struct SampledGame {
    /// The trial whose first game it is.
    pub trial: Trial,
    /// The attempt of the trial's first pair that counted.
    pub attempt: u32,
    /// The leg of the tuning, from 0.
    pub leg: usize,
}

impl SampledGame {
    fn of(trial: &Trial, result: &TrialResult, leg: usize) -> Self {
        Self {
            trial: trial.clone(),
            attempt: result.attempt_of(0),
            leg,
        }
    }

    /// What its file holds, replayed as the trials of its leg; None when the game cannot be
    /// replayed.
    pub fn text(&self, replays: &mut [Box<dyn Replay>]) -> Option<String> {
        let replay = replays.get_mut(self.leg)?;
        Some(format!(
            "{}\n",
            replay.first_game(&self.trial, self.attempt)?
        ))
    }
}

/// Writes the files.
pub struct SampledGames {
    folder: PathBuf,
    /// For each leg of the tuning.
    replays: Vec<Box<dyn Replay>>,
    /// Legs that are over.
    leg: usize,
    /// That of the round in progress.
    first: Option<SampledGame>,
    /// The last write failed: its file may be there, and yet not be safe.
    failed: bool,
}

impl SampledGames {
    /// The games of a run, in `folder`. `replays` has one for each leg of the tuning, one where
    /// the tuning is at one budget.
    pub fn new(folder: PathBuf, replays: Vec<Box<dyn Replay>>) -> Self {
        Self {
            folder,
            replays,
            leg: 0,
            first: None,
            failed: false,
        }
    }

    /// Takes an event; at the end of a round its game is written, unless it is there.
    ///
    /// # Errors
    /// What the system says; the same event may be given again.
    pub fn on_event(&mut self, event: &Event) -> Result<(), AtomicWriteError> {
        match event {
            Event::TrialFinished { trial, result, .. } => {
                let leg = self.leg;
                self.first
                    .get_or_insert_with(|| SampledGame::of(trial, result, leg));
                Ok(())
            }
            Event::RoundFinished(round) => {
                if let Some(game) = &self.first
                    && let Some(path) = self.file_of(round.round)
                    && (self.failed || !path.exists())
                    && let Some(text) = game.text(&mut self.replays)
                {
                    self.failed = true;
                    write_atomically(&path, text.as_bytes())?;
                    self.failed = false;
                }
                // Only now: after a failure the same event may come again.
                self.first = None;
                Ok(())
            }
            Event::LegFinished(_) => {
                self.leg += 1;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The file of a round's game; None where no game can be replayed.
    fn file_of(&self, round: u32) -> Option<PathBuf> {
        let replay = self.replays.get(self.leg)?;
        Some(
            self.folder
                .join(file_name(round, replay.record_extension())),
        )
    }
}

/// The games that a run of these events keeps, each with its file's name, which ends in
/// `extension`.
pub fn expected(events: &[Event], extension: &str) -> Vec<(String, SampledGame)> {
    let (mut first, mut games, mut leg) = (None, Vec::new(), 0);
    for event in events {
        match event {
            Event::TrialFinished { trial, result, .. } => {
                first.get_or_insert_with(|| SampledGame::of(trial, result, leg));
            }
            Event::RoundFinished(round) => {
                let name = file_name(round.round, extension);
                games.extend(first.take().map(|game| (name, game)));
            }
            Event::LegFinished(_) => leg += 1,
            _ => {}
        }
    }
    games
}

fn file_name(round: u32, extension: &str) -> String {
    format!("round-{round:05}.{extension}")
}

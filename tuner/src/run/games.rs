//! Sampled games: the first game of every round, replayed and written in the game's standard
//! notation. A game is a function of its trial, so a file that is missing after a crash is written
//! again with the same bytes.

use std::path::{Path, PathBuf};

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
}

impl SampledGame {
    fn of(trial: &Trial, result: &TrialResult) -> Self {
        Self {
            trial: trial.clone(),
            attempt: result.attempt_of(0),
        }
    }

    /// What its file holds; None when the game cannot be replayed.
    pub fn text(&self, replay: &mut dyn Replay) -> Option<String> {
        Some(format!(
            "{}\n",
            replay.first_game(&self.trial, self.attempt)?
        ))
    }
}

/// Writes the files.
pub struct SampledGames {
    folder: PathBuf,
    replay: Box<dyn Replay>,
    /// That of the round in progress.
    first: Option<SampledGame>,
    /// The last write failed: its file may be there, and yet not be safe.
    failed: bool,
}

impl SampledGames {
    /// The games of a run, in `folder`.
    pub fn new(folder: PathBuf, replay: Box<dyn Replay>) -> Self {
        Self {
            folder,
            replay,
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
                self.first
                    .get_or_insert_with(|| SampledGame::of(trial, result));
                Ok(())
            }
            Event::RoundFinished(round) => {
                let path = file_of(&self.folder, round.round);
                if let Some(game) = &self.first
                    && (self.failed || !path.exists())
                    && let Some(text) = game.text(&mut *self.replay)
                {
                    self.failed = true;
                    write_atomically(&path, text.as_bytes())?;
                    self.failed = false;
                }
                // Only now: after a failure the same event may come again.
                self.first = None;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// The games that a run of these events keeps, each with its file's name.
pub fn expected(events: &[Event]) -> Vec<(String, SampledGame)> {
    let (mut first, mut games) = (None, Vec::new());
    for event in events {
        match event {
            Event::TrialFinished { trial, result, .. } => {
                first.get_or_insert_with(|| SampledGame::of(trial, result));
            }
            Event::RoundFinished(round) => {
                games.extend(first.take().map(|game| (file_name(round.round), game)));
            }
            _ => {}
        }
    }
    games
}

fn file_of(folder: &Path, round: u32) -> PathBuf {
    folder.join(file_name(round))
}

fn file_name(round: u32) -> String {
    format!("round-{round:05}.json")
}

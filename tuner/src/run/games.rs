//! Sampled games: the first game of every round, replayed and written in the game's standard
//! notation. A game is a function of its trial, so a file that is missing after a crash is written
//! again with the same bytes.

use std::path::{Path, PathBuf};

use crate::evaluator::Replay;
use crate::event::Event;
use crate::store::atomic::{AtomicWriteError, write_atomically};
use crate::trial::Trial;

/// Writes the files.
pub struct SampledGames {
    folder: PathBuf,
    replay: Box<dyn Replay>,
    /// The first trial of the round in progress.
    first: Option<Trial>,
}

impl SampledGames {
    /// The games of a run, in `folder`.
    pub fn new(folder: PathBuf, replay: Box<dyn Replay>) -> Self {
        let first = None;
        Self {
            folder,
            replay,
            first,
        }
    }

    /// Takes an event; at the end of a round its game is written, unless it is there.
    ///
    /// # Errors
    /// What the system says; the same event may be given again.
    pub fn on_event(&mut self, event: &Event) -> Result<(), AtomicWriteError> {
        match event {
            Event::TrialFinished { trial, .. } => {
                self.first.get_or_insert_with(|| trial.clone());
                Ok(())
            }
            Event::RoundFinished(round) => {
                let path = file_of(&self.folder, round.round);
                if let Some(trial) = &self.first
                    && !path.exists()
                {
                    write(&path, trial, &*self.replay)?;
                }
                // Only now: after a failure the same event may come again.
                self.first = None;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// The games that a run of these events keeps: each file's name, and the trial whose first game it
/// holds.
pub fn expected(events: &[Event]) -> Vec<(String, &Trial)> {
    let (mut first, mut games) = (None, Vec::new());
    for event in events {
        match event {
            Event::TrialFinished { trial, .. } => {
                first.get_or_insert(trial);
            }
            Event::RoundFinished(round) => {
                games.extend(first.take().map(|trial| (file_name(round.round), trial)));
            }
            _ => {}
        }
    }
    games
}

/// The text of a game's file; None when the game cannot be replayed.
pub fn text(trial: &Trial, replay: &dyn Replay) -> Option<String> {
    Some(format!("{}\n", replay.first_game(trial)?))
}

fn file_of(folder: &Path, round: u32) -> PathBuf {
    folder.join(file_name(round))
}

fn file_name(round: u32) -> String {
    format!("round-{round:05}.json")
}

fn write(path: &Path, trial: &Trial, replay: &dyn Replay) -> Result<(), AtomicWriteError> {
    match text(trial, replay) {
        Some(text) => write_atomically(path, text.as_bytes()),
        None => Ok(()),
    }
}

//! A progress bar on standard error, where that is a terminal.

use std::fmt;

use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::{Notice, Observer};
use crate::event::Event;

/// The observer.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    rounds: Option<u32>,
}

impl Progress {
    /// A bar for a run of at most so many rounds and games, if these are known; `games_done` were
    /// played before.
    pub fn new(rounds: Option<u32>, games: Option<u64>, games_done: u64) -> Self {
        let bar = games.map_or_else(ProgressBar::no_length, ProgressBar::new);
        let template = "{elapsed_precise} {wide_bar} {pos} games, {rate} a second, {msg}";
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        let style = style.with_key("rate", |state: &ProgressState, out: &mut dyn fmt::Write| {
            // A failed write to a terminal is nothing to stop a run for.
            let _ = write!(out, "{:.0}", state.per_sec());
        });
        bar.set_style(style);
        bar.set_position(games_done);
        bar.reset_eta();
        Self { bar, rounds }
    }
}

impl Observer for Progress {
    fn on_event(&mut self, event: &Event) {
        match event {
            Event::TrialFinished { trial, result, .. } => {
                self.bar.inc(result.wdl.games());
                let round = u64::from(trial.id.round) + 1;
                self.bar.set_message(match self.rounds {
                    Some(rounds) => format!("round {round} of {rounds}"),
                    None => format!("round {round}"),
                });
            }
            Event::MatchBatch { result, .. } => {
                self.bar.inc(result.wdl.games());
                self.bar.set_message("verifying");
            }
            Event::VerificationFinished { .. } => self.bar.finish_and_clear(),
            _ => {}
        }
    }

    fn on_notice(&mut self, notice: &Notice) {
        match notice {
            Notice::DiskFull { .. } => self.bar.set_message("paused: disk full"),
            Notice::RoomAgain { .. } => self.bar.set_message(""),
            Notice::DiskLow { .. } => {}
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

//! Games that were played again are kept: playing one takes as long as it took in the run. One is
//! played at a time, so that looking at games leaves the runs their cores.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::{Annotated, SampledGameView, annotate, game};
use crate::service::reading::Shelf;
use crate::workspace::exit::Failure;

/// Games that are kept.
const KEPT_MAX: usize = 64;
/// What playing a game again may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// The games.
#[derive(Default)]
pub(crate) struct GameShelf {
    /// By the names of their runs, the newest at the end.
    kept: Mutex<VecDeque<(String, Arc<SampledGameView>)>>,
    turn: Mutex<()>,
}

impl GameShelf {
    /// The game of that name with what playing it again tells; None where the run has none.
    ///
    /// # Errors
    /// There is no such run, it cannot be read, or the record cannot; the inner error is in words.
    pub(crate) fn game(
        &self,
        shelf: &Shelf,
        run: &str,
        name: &str,
    ) -> Result<Result<Option<Arc<SampledGameView>>, String>, Failure> {
        let read = shelf.look(run, |reading| {
            let view = game(reading, name)?;
            Ok(view.map(|view| {
                let source = Annotated::of(reading, view.round);
                (view, source)
            }))
        })?;
        let (mut view, source) = match read {
            Ok(Some(found)) => found,
            Ok(None) => return Ok(Ok(None)),
            Err(problem) => return Ok(Err(problem)),
        };
        if let Some(known) = self.known(run, &view) {
            return Ok(Ok(Some(known)));
        }
        let turn = unpoisoned(&self.turn);
        // Somebody else may have asked for it while this one waited.
        if let Some(known) = self.known(run, &view) {
            return Ok(Ok(Some(known)));
        }
        annotate(&mut view, &source, PATIENCE);
        drop(turn);
        let view = Arc::new(view);
        let mut kept = unpoisoned(&self.kept);
        kept.push_back((run.to_owned(), Arc::clone(&view)));
        if kept.len() > KEPT_MAX {
            kept.pop_front();
        }
        Ok(Ok(Some(view)))
    }

    /// The game that was played again before, if its record and its players are still the same.
    fn known(&self, run: &str, view: &SampledGameView) -> Option<Arc<SampledGameView>> {
        let is_same = |(of, known): &&(String, Arc<SampledGameView>)| {
            of == run
                && known.name == view.name
                && known.record == view.record
                && known.place == view.place
                && (&known.a, &known.b) == (&view.a, &view.b)
        };
        let kept = unpoisoned(&self.kept);
        kept.iter()
            .find(is_same)
            .map(|(_, known)| Arc::clone(known))
    }
}

fn unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::sample_run::{LEARNERS, SampleRun};

    #[test]
    fn a_game_is_played_again_once() {
        let run = SampleRun::of(LEARNERS[0]);
        let (shelf, games) = (Shelf::new(&run.runs), GameShelf::default());
        let ask = |name: &str| games.game(&shelf, "sample", name).unwrap().unwrap();
        let first = ask("round-00000.json").unwrap();
        let again = ask("round-00000.json").unwrap();
        assert!(Arc::ptr_eq(&first, &again));
        assert_eq!(first.not_annotated, None);
        assert_ne!(ask("round-00001.json").unwrap(), first);
        assert_eq!(ask("../job.toml"), None);
        assert!(games.game(&shelf, "none", "round-00000.json").is_err());
    }
}

//! Readings that are kept from one look to the next, a few at a time.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sixfold_tuner::store::folder::RunFolder;

use super::Reading;
use crate::workspace::exit::Failure;

/// Readings that are kept; each takes some megabytes.
const KEPT_MAX: usize = 8;

/// A reading once it is there.
type Place = Arc<Mutex<Option<Reading>>>;

/// The readings of the runs in a folder.
pub(crate) struct Shelf {
    runs: PathBuf,
    /// By their runs' names, the one looked at last at the end.
    kept: Mutex<Vec<(String, Place)>>,
}

impl Shelf {
    /// No reading yet.
    pub(crate) fn new(runs: &Path) -> Shelf {
        Shelf {
            runs: runs.to_owned(),
            kept: Mutex::default(),
        }
    }

    /// Looks at a run as it stands now. One look at a time goes on at each run.
    ///
    /// # Errors
    /// There is no such run, or it cannot be read.
    pub(crate) fn look<T>(
        &self,
        run: &str,
        look: impl FnOnce(&mut Reading) -> T,
    ) -> Result<T, Failure> {
        let folder = RunFolder::open_named(&self.runs, run)?;
        let place = self.place(run);
        // Whoever panicked while looking has left a reading that may be half advanced.
        if place.is_poisoned() {
            *unpoisoned(&place) = None;
            place.clear_poison();
        }
        let mut kept = unpoisoned(&place);
        // Out of its place while it advances: after a failure there is none to go on with.
        let mut reading = match kept.take() {
            Some(mut reading) => {
                reading.advance()?;
                reading
            }
            None => Reading::open(&folder)?,
        };
        let found = look(&mut reading);
        *kept = Some(reading);
        Ok(found)
    }

    fn place(&self, run: &str) -> Place {
        let mut kept = unpoisoned(&self.kept);
        let known = kept.iter().position(|(name, _)| name == run);
        let entry = match known {
            Some(known) => kept.remove(known),
            None => (run.to_owned(), Place::default()),
        };
        let place = Arc::clone(&entry.1);
        kept.push(entry);
        if kept.len() > KEPT_MAX {
            kept.remove(0);
        }
        place
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
    fn a_run_is_read_once_and_then_only_what_is_new() {
        let run = SampleRun::of(LEARNERS[0]);
        let shelf = Shelf::new(&run.runs);
        let whole = std::fs::read(run.folder.journal()).unwrap();
        let copy = run.beginning();
        assert_eq!(shelf.look("copy", |it| it.lines()).unwrap(), 0);
        std::fs::write(copy.journal(), &whole).unwrap();
        let lines = whole.iter().filter(|&&byte| byte == b'\n').count() as u64;
        assert_eq!(shelf.look("copy", |it| it.lines()).unwrap(), lines);
        // A damaged journal is told each time, and a mended one read again.
        let mut damaged = whole.clone();
        damaged[20] ^= 1;
        std::fs::write(copy.journal(), &damaged).unwrap();
        for _ in 0..2 {
            let failure = shelf.look("copy", |_| ()).unwrap_err();
            assert!(failure.text().contains("line 1"), "{}", failure.text());
        }
        std::fs::write(copy.journal(), &whole).unwrap();
        assert_eq!(shelf.look("copy", |it| it.lines()).unwrap(), lines);
    }

    #[test]
    fn a_look_that_panics_leaves_a_run_that_can_be_looked_at() {
        let run = SampleRun::of(LEARNERS[0]);
        let shelf = Shelf::new(&run.runs);
        let look = || shelf.look("sample", |_| panic!("a mistake"));
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(look));
        assert!(caught.is_err());
        assert!(shelf.look("sample", |it| it.lines()).unwrap() > 0);
    }

    #[test]
    fn what_is_no_name_of_a_run_is_no_run() {
        let run = SampleRun::of(LEARNERS[0]);
        let shelf = Shelf::new(&run.runs);
        for name in ["..", ".", "", "../sample", "sample/../sample", "SAMPLE"] {
            assert!(shelf.look(name, |_| ()).is_err(), "{name}");
        }
    }
}

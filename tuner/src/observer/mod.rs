//! Observers: who watches a run. An observer cannot fail the run and changes nothing in it.

pub mod log;
pub mod progress;

use crate::event::Event;

/// Told of every event, after it was stored.
pub trait Observer {
    /// Something happened.
    fn on_event(&mut self, event: &Event);
}

//! The queue of a folder of runs: what shall be done with each run, as a state that survives every
//! kill. A run that was never handed to a service has no ticket, and its journal says all there is.

mod state;
mod ticket;

pub use state::{Refusal, State, Step};
pub use ticket::{LABEL_CHARS_MAX, Ticket, TicketError};

/// A run as the queue sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The run's name.
    pub run: String,
    /// What its ticket says.
    pub ticket: Ticket,
    /// Whether some process has the run in hand: its own worker, or a terminal.
    pub is_held: bool,
    /// Whether it has to wait before it is tried again.
    pub is_resting: bool,
}

/// The runs to begin now, in their order, while at most `running_max` may be at work. A run whose
/// budget is a time plays alone: beside others its engine would think less.
pub fn due(entries: &[Entry], running_max: usize) -> Vec<String> {
    let at_work = |entry: &&Entry| entry.is_held && entry.ticket.state == State::Running;
    let mut running = entries.iter().filter(at_work).count();
    let mut is_shut = entries
        .iter()
        .filter(at_work)
        .any(|entry| entry.ticket.alone);
    let mut waiting: Vec<&Entry> = entries
        .iter()
        .filter(|entry| entry.ticket.state == State::Waiting && !entry.is_held)
        .collect();
    waiting.sort_by_key(|entry| (entry.ticket.order, &entry.run));
    let mut begun = Vec::new();
    for entry in waiting {
        if is_shut || running >= running_max {
            break;
        }
        if entry.is_resting {
            continue;
        }
        if entry.ticket.alone && running > 0 {
            // Nobody overtakes it: it would wait for ever.
            break;
        }
        is_shut = entry.ticket.alone;
        running += 1;
        begun.push(entry.run.clone());
    }
    begun
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(run: &str, state: State, order: u64) -> Entry {
        let mut ticket = Ticket::new(run, order, false);
        ticket.state = state;
        Entry {
            run: run.to_owned(),
            is_held: state == State::Running,
            is_resting: false,
            ticket,
        }
    }

    #[test]
    fn waiting_runs_begin_in_the_order_of_their_tickets_up_to_the_limit() {
        let entries = [
            entry("c", State::Waiting, 3),
            entry("a", State::Waiting, 1),
            entry("b", State::Waiting, 2),
            entry("done", State::Completed, 0),
            entry("held back", State::Paused, 0),
        ];
        assert_eq!(due(&entries, 1), ["a"]);
        assert_eq!(due(&entries, 2), ["a", "b"]);
        assert_eq!(due(&entries, 9), ["a", "b", "c"]);
    }

    #[test]
    fn runs_at_work_take_places_and_held_or_resting_ones_are_passed_over() {
        let mut entries = [
            entry("at work", State::Running, 1),
            entry("held", State::Waiting, 2),
            entry("resting", State::Waiting, 3),
            entry("free", State::Waiting, 4),
        ];
        entries[1].is_held = true;
        entries[2].is_resting = true;
        assert_eq!(due(&entries, 1), [""; 0]);
        assert_eq!(due(&entries, 2), ["free"]);
    }

    #[test]
    fn a_run_whose_budget_is_a_time_plays_alone_and_is_not_overtaken() {
        let mut entries = [
            entry("first", State::Running, 1),
            entry("timed", State::Waiting, 2),
            entry("next", State::Waiting, 3),
        ];
        entries[1].ticket.alone = true;
        assert_eq!(due(&entries, 4), [""; 0]);
        entries[0].ticket.state = State::Completed;
        entries[0].is_held = false;
        assert_eq!(due(&entries, 4), ["timed"]);
        (entries[1].ticket.state, entries[1].is_held) = (State::Running, true);
        assert_eq!(due(&entries, 4), [""; 0]);
    }
}

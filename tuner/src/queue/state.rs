//! The states of a run in the queue and the one table of steps between them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What is to be done with a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// It begins, or goes on, as soon as there is a place for it.
    Waiting,
    /// A worker has it in hand. After a kill or a reboot this means: go on with it.
    Running,
    /// Somebody wants it to stand still.
    Paused,
    /// It has finished all that was asked for.
    Completed,
    /// It cannot go on by itself; the ticket says why.
    Failed,
    /// Nobody wants it any more. Nothing of it is deleted.
    Cancelled,
}

/// What happens to a run in the queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// A worker takes it in hand.
    Begin,
    /// Its worker has finished all that was asked for.
    Complete,
    /// Its worker says that it cannot go on.
    Fail,
    /// Its worker stopped, and another one shall go on.
    Return,
    /// Somebody wants it to stand still.
    Pause,
    /// Somebody wants it to go on.
    Resume,
    /// Somebody does not want it any more.
    Cancel,
    /// Somebody wants another verification.
    Verify,
}

/// A step that a state does not allow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub struct Refusal {
    /// The state, which stays.
    pub state: State,
    /// The step.
    pub step: Step,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state.word();
        let hint = match (self.step, self.state) {
            (Step::Verify, _) => "a run is verified again once it is completed",
            (Step::Resume, State::Completed) => "verify it for more games, or clone it",
            (_, State::Completed) => "it has finished, and nothing of it is at work",
            (_, State::Failed | State::Cancelled) => "resume it to go on with it",
            _ => "the states of a run allow no such step",
        };
        write!(f, "the run is {state}: {hint}")
    }
}

impl State {
    /// All of them.
    pub const ALL: [State; 6] = [
        State::Waiting,
        State::Running,
        State::Paused,
        State::Completed,
        State::Failed,
        State::Cancelled,
    ];

    /// The word for people and programs.
    pub const fn word(self) -> &'static str {
        match self {
            State::Waiting => "waiting",
            State::Running => "running",
            State::Paused => "paused",
            State::Completed => "completed",
            State::Failed => "failed",
            State::Cancelled => "cancelled",
        }
    }

    /// Where a step leads. Asking twice for the same thing is no mistake.
    ///
    /// # Errors
    /// A step that the state does not allow.
    pub const fn after(self, step: Step) -> Result<State, Refusal> {
        use State::{Cancelled, Completed, Failed, Paused, Running, Waiting};
        let next = match (self, step) {
            (Waiting, Step::Begin) => Running,
            // A worker may be done before it hears that it shall stop.
            (Running | Waiting | Paused | Completed, Step::Complete) => Completed,
            (Running | Waiting | Paused, Step::Fail) => Failed,
            (Running | Waiting, Step::Return) => Waiting,
            // What somebody wanted in the meantime stands.
            (Paused | Completed | Failed | Cancelled, Step::Return) => self,
            (Cancelled, Step::Complete | Step::Fail) => Cancelled,
            (Waiting | Running | Paused, Step::Pause) => Paused,
            (Running, Step::Resume) => Running,
            (Waiting | Paused | Failed | Cancelled, Step::Resume) => Waiting,
            (Waiting | Running | Paused | Failed | Cancelled, Step::Cancel) => Cancelled,
            (Completed, Step::Verify) => Waiting,
            _ => return Err(Refusal { state: self, step }),
        };
        Ok(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows are states in the order of [`State::ALL`], columns steps in that of `STEPS`; a dash is
    /// a refusal.
    const TABLE: &str = "
        state      begin    complete   fail       return     pause   resume   cancel     verify
        waiting    running  completed  failed     waiting    paused  waiting  cancelled  -
        running    -        completed  failed     waiting    paused  running  cancelled  -
        paused     -        completed  failed     paused     paused  waiting  cancelled  -
        completed  -        completed  -          completed  -       -        -          waiting
        failed     -        -          -          failed     -       waiting  cancelled  -
        cancelled  -        cancelled  cancelled  cancelled  -       waiting  cancelled  -
    ";

    const STEPS: [Step; 8] = [
        Step::Begin,
        Step::Complete,
        Step::Fail,
        Step::Return,
        Step::Pause,
        Step::Resume,
        Step::Cancel,
        Step::Verify,
    ];

    #[test]
    fn every_step_from_every_state_leads_where_the_table_says() {
        let rows = TABLE.trim().lines().skip(1);
        let mut seen = 0;
        for (state, row) in State::ALL.into_iter().zip(rows) {
            let mut words = row.split_whitespace();
            assert_eq!(words.next(), Some(state.word()));
            for step in STEPS {
                let found = match state.after(step) {
                    Ok(next) => next.word(),
                    Err(refusal) => {
                        assert_eq!(refusal, Refusal { state, step });
                        "-"
                    }
                };
                assert_eq!(Some(found), words.next(), "{state:?} {step:?}");
                seen += 1;
            }
            assert_eq!(words.next(), None);
        }
        assert_eq!(seen, State::ALL.len() * STEPS.len());
    }

    #[test]
    fn what_somebody_asks_for_may_be_asked_for_twice() {
        for state in State::ALL {
            for step in [Step::Pause, Step::Resume, Step::Cancel] {
                if let Ok(next) = state.after(step) {
                    assert_eq!(next.after(step), Ok(next), "{state:?} {step:?}");
                }
            }
        }
    }

    #[test]
    fn the_words_in_files_are_the_words_for_people() {
        for state in State::ALL {
            let json = serde_json::to_string(&state).unwrap();
            assert_eq!(json, format!("\"{}\"", state.word()));
        }
    }
}

//! What a move has used of its allowance, and the control that ends a search with it.

use std::time::Duration;

use super::signals::Signals;
use super::time::TimeSource;
use crate::clock::Amount;
use crate::eval::Work;
use crate::search::Control;

/// Simulations between two looks at the clock.
const SIMULATIONS_BETWEEN_LOOKS: u64 = 16;

/// One move's meter: started when the move is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meter<'a> {
    time: &'a dyn TimeSource,
    signals: &'a Signals,
    started: Duration,
    /// Whether the clock is read at all.
    timed: bool,
}

impl<'a> Meter<'a> {
    /// A meter that starts now; it reads the clock only where an amount is a time.
    pub(super) fn start(
        amount: Amount,
        time: &'a dyn TimeSource,
        signals: &'a Signals,
    ) -> Meter<'a> {
        let timed = matches!(amount, Amount::Milliseconds(_));
        Meter {
            time,
            started: if timed { time.now() } else { Duration::ZERO },
            signals,
            timed,
        }
    }

    /// What the searches of the move listen to.
    pub(super) fn signals(&self) -> &'a Signals {
        self.signals
    }

    fn elapsed(&self) -> Duration {
        if self.timed {
            self.time.now().saturating_sub(self.started)
        } else {
            Duration::ZERO
        }
    }

    /// What the move has used, in the unit of `amount`; started milliseconds count.
    pub(super) fn used(&self, amount: Amount, work: &Work, simulations: u64) -> u64 {
        match amount {
            Amount::Simulations(_) => simulations,
            Amount::Work(_) => work.units(),
            Amount::Milliseconds(_) => self.elapsed().as_micros().div_ceil(1_000) as u64,
        }
    }

    /// A control that stops a search when this much has been used since the start.
    pub(super) fn control(self, amount: Amount) -> Spending<'a> {
        Spending {
            amount,
            meter: self,
        }
    }
}

/// Stops a search when an amount is used up. Counts lead to the same place every time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spending<'a> {
    amount: Amount,
    meter: Meter<'a>,
}

impl Control for Spending<'_> {
    #[inline]
    fn should_stop(&mut self, work: &Work, simulations: u64) -> bool {
        if self.meter.signals.is_stopped() {
            return true;
        }
        match self.amount {
            Amount::Simulations(limit) => simulations >= limit,
            Amount::Work(units) => work.units() >= units,
            Amount::Milliseconds(limit) => {
                // Exact search asks seldom and says 0.
                simulations.is_multiple_of(SIMULATIONS_BETWEEN_LOOKS)
                    && self.meter.elapsed() >= Duration::from_millis(limit)
            }
        }
    }

    fn simulations_left(&self, work: &Work, simulations: u64) -> u64 {
        let by_rate = |limit: u64, used: u64| {
            // Simulations to come are taken to cost what those before did.
            let left = u128::from(limit.saturating_sub(used)) * u128::from(simulations);
            u64::try_from(left.div_ceil(u128::from(used.max(1)))).unwrap_or(u64::MAX)
        };
        match self.amount {
            Amount::Simulations(limit) => limit.saturating_sub(simulations),
            Amount::Work(units) => by_rate(units, work.units()),
            // The clock is looked at for stopping alone.
            Amount::Milliseconds(_) => u64::MAX,
        }
    }

    fn best_so_far(&mut self, legal_place: usize) {
        self.meter.signals.publish_best(legal_place);
    }
}

/// Lets a search go on until it is told to stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listening<'a>(pub(super) &'a Signals);

impl Control for Listening<'_> {
    fn should_stop(&mut self, _work: &Work, _simulations: u64) -> bool {
        self.0.is_stopped()
    }

    fn best_so_far(&mut self, legal_place: usize) {
        self.0.publish_best(legal_place);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    /// A clock that moves on by a millisecond whenever it is read.
    #[derive(Debug, Default)]
    struct Ticking(Mutex<u64>);

    impl TimeSource for Ticking {
        fn now(&self) -> Duration {
            let mut reads = self.0.lock().expect("nobody panics with it");
            *reads += 1;
            Duration::from_millis(*reads)
        }
    }

    #[test]
    fn time_stops_a_search_and_other_budgets_never_read_the_clock() {
        let time = Ticking::default();
        let signals = Signals::default();
        let work = Work::default();
        for amount in [Amount::Simulations(100), Amount::Work(100)] {
            let meter = Meter::start(amount, &time, &signals);
            let mut control = meter.control(amount);
            (0..99).for_each(|simulations| assert!(!control.should_stop(&work, simulations)));
            meter.used(amount, &work, 99);
        }
        assert_eq!(*time.0.lock().expect("nobody panics with it"), 0);
        let amount = Amount::Milliseconds(5);
        let mut control = Meter::start(amount, &time, &signals).control(amount);
        let stopped = (1..1_000).find(|&simulations| control.should_stop(&work, simulations));
        assert_eq!(stopped, Some(5 * SIMULATIONS_BETWEEN_LOOKS));
    }

    #[test]
    fn a_signal_stops_a_search_whatever_its_amount() {
        let (time, signals) = (Ticking::default(), Signals::default());
        let amounts = [
            Amount::Simulations(100),
            Amount::Work(100),
            Amount::Milliseconds(1_000_000),
        ];
        for amount in amounts {
            let mut control = Meter::start(amount, &time, &signals).control(amount);
            assert!(!control.should_stop(&Work::default(), 1), "{amount:?}");
        }
        signals.raise_stop();
        for amount in amounts {
            let mut control = Meter::start(amount, &time, &signals).control(amount);
            assert!(control.should_stop(&Work::default(), 1), "{amount:?}");
        }
        assert!(Listening(&signals).should_stop(&Work::default(), 0));
    }

    #[test]
    fn what_is_left_is_never_too_few() {
        let time = Ticking::default();
        let signals = Signals::default();
        let left = |amount, units, simulations| {
            let work = Work {
                uniform_plies: units,
                ..Work::default()
            };
            let meter = Meter::start(amount, &time, &signals);
            meter.control(amount).simulations_left(&work, simulations)
        };
        assert_eq!(left(Amount::Simulations(100), 0, 30), 70);
        assert_eq!(left(Amount::Work(1_000), 300, 3), 7);
        assert_eq!(left(Amount::Work(1_000), 300, 4), 10, "rounded up");
        assert_eq!(left(Amount::Milliseconds(9), 300, 4), u64::MAX);
    }
}

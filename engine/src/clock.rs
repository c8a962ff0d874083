//! Budgets: what a move or a game may use, and how a game's is shared out. Pure: nothing here reads
//! a clock; time that has passed is an argument.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Amount {
    /// Simulations of UCT. Exact search is not limited.
    Simulations(u64),
    /// Weighted units of work (`eval::WORK_WEIGHTS`), exact search included.
    Work(u64),
    /// Milliseconds, exact search included. Results are not reproducible.
    Milliseconds(u64),
}

/// A unit of amounts: its key, the numbers it takes, and what makes an amount of a number.
pub type Unit = (&'static str, RangeInclusive<u64>, fn(u64) -> Amount);

/// What an amount is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Per {
    /// Every move has the whole amount, and what it does not use is lost.
    Move,
    /// The moves of a game share it, by the shares of their stages.
    Game,
}

/// What a player may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// How much of what.
    pub amount: Amount,
    /// For what.
    pub per: Per,
    /// Milliseconds of every move that are kept back for what happens outside the search, such as
    /// the way to the referee; 0 where the amount is no time.
    pub move_overhead_ms: u64,
}

impl Amount {
    /// The key of a unit in configurations and on command lines, and the numbers it takes.
    pub const UNITS: [Unit; 3] = [
        ("simulations", 1..=1_000_000_000_000, Amount::Simulations),
        ("work_units", 100..=1_000_000_000_000, Amount::Work),
        // A week.
        ("milliseconds", 1..=604_800_000, Amount::Milliseconds),
    ];

    /// The key of the unit.
    pub const fn key(self) -> &'static str {
        match self {
            Amount::Simulations(_) => "simulations",
            Amount::Work(_) => "work_units",
            Amount::Milliseconds(_) => "milliseconds",
        }
    }

    /// The number, without its unit.
    pub const fn number(self) -> u64 {
        match self {
            Amount::Simulations(number) | Amount::Work(number) | Amount::Milliseconds(number) => {
                number
            }
        }
    }

    /// Another number of the same unit.
    #[must_use]
    pub const fn with_number(self, number: u64) -> Amount {
        match self {
            Amount::Simulations(_) => Amount::Simulations(number),
            Amount::Work(_) => Amount::Work(number),
            Amount::Milliseconds(_) => Amount::Milliseconds(number),
        }
    }

    /// What an exact search may use before UCT takes over: half, so that UCT still has the other
    /// half. `None` is no limit.
    #[must_use]
    pub const fn exact_share(self) -> Option<Amount> {
        match self {
            Amount::Simulations(_) => None,
            Amount::Work(_) | Amount::Milliseconds(_) => {
                Some(self.with_number(self.number().div_ceil(2)))
            }
        }
    }

    /// About how many units of work this is: for guessing what can be solved, not for limiting.
    pub const fn about_units(self) -> u64 {
        match self {
            Amount::Simulations(number) => number.saturating_mul(UNITS_PER_SIMULATION),
            Amount::Work(number) => number,
            Amount::Milliseconds(number) => number.saturating_mul(UNITS_PER_MILLISECOND),
        }
    }
}

/// About what a simulation costs, in units of work.
const UNITS_PER_SIMULATION: u64 = 450;
/// About what a millisecond buys, in units of work, on the machines of these years.
const UNITS_PER_MILLISECOND: u64 = 450_000;

impl Budget {
    /// The same amount for every move.
    pub const fn per_move(amount: Amount) -> Budget {
        Budget {
            amount,
            per: Per::Move,
            move_overhead_ms: 0,
        }
    }

    /// One amount for the game.
    pub const fn per_game(amount: Amount) -> Budget {
        Budget {
            amount,
            per: Per::Game,
            move_overhead_ms: 0,
        }
    }

    /// What a move may be planned with, of what is left of the amount: never more than that less
    /// the overhead.
    #[must_use]
    pub const fn without_overhead(self, number: u64) -> Amount {
        self.amount
            .with_number(number.saturating_sub(self.move_overhead_ms))
    }

    /// Whether the same seed gives the same games: not where time decides.
    pub const fn is_reproducible(self) -> bool {
        !matches!(self.amount, Amount::Milliseconds(_))
    }
}

impl FromStr for Budget {
    type Err = String;

    /// Reads `simulations=N`, `work_units=N` or `milliseconds=N`, for a move, or for a game with
    /// `/game` behind it. A number alone counts simulations.
    fn from_str(text: &str) -> Result<Budget, String> {
        let (amount, per) = match text.split_once('/') {
            None => (text, Per::Move),
            Some((amount, "move")) => (amount, Per::Move),
            Some((amount, "game")) => (amount, Per::Game),
            Some((_, other)) => return Err(format!("`{other}` is not `move` or `game`")),
        };
        let (key, number) = amount.split_once('=').unwrap_or(("simulations", amount));
        let unit = Amount::UNITS.into_iter().find(|(unit, ..)| *unit == key);
        if let (Some((_, range, make)), Ok(number)) = (unit, number.parse())
            && range.contains(&number)
        {
            let amount = make(number);
            return Ok(match per {
                Per::Move => Budget::per_move(amount),
                Per::Game => Budget::per_game(amount),
            });
        }
        let units =
            Amount::UNITS.map(|(unit, range, _)| format!("{unit}=N from {}", range.start()));
        Err(format!(
            "expected {}, or with /game behind it",
            units.join(", ")
        ))
    }
}

impl fmt::Display for Budget {
    /// Such as `200 simulations a move`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = match self.amount {
            Amount::Simulations(_) => "simulations",
            Amount::Work(_) => "units of work",
            Amount::Milliseconds(_) => "ms",
        };
        let per = match self.per {
            Per::Move => "move",
            Per::Game => "game",
        };
        write!(f, "{} {unit} a {per}", self.amount.number())
    }
}

/// What the plan of a game says of one stage.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StagePlan {
    /// Own moves expected in the stage, from its first ply on.
    pub moves: f64,
    /// Share of one of its moves, relative to the moves of other stages.
    pub share: f64,
    /// Whether earlier savings are used here.
    pub takes_savings: bool,
}

/// Where a player stands in the plan of a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Standing {
    /// Stage of the move to be made.
    pub stage: usize,
    /// Own moves still expected in that stage, this one included; at least 1.
    pub moves_left: f64,
    /// What is left of the game's budget.
    pub left: u64,
}

/// What the next move may use of a game's budget.
///
/// A move's nominal allowance is the budget times its share over the sum of all shares. What the
/// plan still needs is the sum of the nominal allowances from here on; what is left beyond that has
/// been saved (by early stops, forced moves and proofs), and goes to the next stage that takes
/// savings: moves before it get their nominal allowance, moves in it an equal part of the savings
/// on top. Without such a stage ahead, and where less is left than the plan needs, all moves share
/// what is left by their shares. Never more than what is left.
pub fn allowance(total: u64, plan: &[StagePlan], standing: Standing) -> u64 {
    let sum: f64 = plan.iter().map(|stage| stage.moves * stage.share).sum();
    let now = &plan[standing.stage];
    let ahead = &plan[standing.stage + 1..];
    let shares_ahead: f64 = ahead.iter().map(|stage| stage.moves * stage.share).sum();
    let shares_left = standing.moves_left * now.share + shares_ahead;
    if sum <= 0.0 || shares_left <= 0.0 {
        return standing.left;
    }
    let left = standing.left as f64;
    let unit = total as f64 / sum;
    let saved = left - unit * shares_left;
    let by_shares = left * now.share / shares_left;
    let allowed = if saved < 0.0 {
        by_shares
    } else if now.takes_savings {
        unit * now.share + saved / standing.moves_left
    } else if ahead.iter().any(|stage| stage.takes_savings) {
        unit * now.share
    } else {
        by_shares
    };
    (allowed as u64).min(standing.left)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(stages: &[(f64, f64, bool)]) -> Vec<StagePlan> {
        let stage = |&(moves, share, takes_savings)| StagePlan {
            moves,
            share,
            takes_savings,
        };
        stages.iter().map(stage).collect()
    }

    fn at(stage: usize, moves_left: f64, left: u64) -> Standing {
        Standing {
            stage,
            moves_left,
            left,
        }
    }

    #[test]
    fn a_game_that_follows_its_plan_uses_exactly_its_budget() {
        let plan = plan(&[(5.0, 1.0, false), (3.0, 4.0, true), (10.0, 0.5, false)]);
        let total = 22_000;
        let mut left = total;
        for (stage, moves) in [(0, 5), (1, 3), (2, 10)] {
            for done in 0..moves {
                let allowed = allowance(total, &plan, at(stage, f64::from(moves - done), left));
                assert_eq!(allowed, [1_000, 4_000, 500][stage]);
                left -= allowed;
            }
        }
        assert_eq!(left, 0);
    }

    #[test]
    fn savings_wait_for_the_stage_that_takes_them() {
        let plan = plan(&[(5.0, 1.0, false), (3.0, 4.0, true), (10.0, 0.5, false)]);
        // 4,500 less than planned was used in the opening.
        assert_eq!(allowance(22_000, &plan, at(0, 1.0, 22_500)), 1_000);
        assert_eq!(allowance(22_000, &plan, at(1, 3.0, 21_500)), 4_000 + 1_500);
        // What is saved later is for everybody.
        assert_eq!(allowance(22_000, &plan, at(2, 10.0, 8_000)), 800);
    }

    #[test]
    fn a_player_short_of_budget_shares_out_what_is_left() {
        let plan = plan(&[(5.0, 1.0, false), (5.0, 3.0, true)]);
        assert_eq!(allowance(2_000, &plan, at(0, 5.0, 1_000)), 50);
        assert_eq!(allowance(2_000, &plan, at(1, 1.0, 40)), 40);
        assert_eq!(allowance(2_000, &plan, at(1, 2.0, 0)), 0);
    }

    #[test]
    fn no_move_gets_more_than_what_is_left() {
        let plan = plan(&[(1.0, 1.0, true), (0.0, 1.0, false)]);
        for left in [0, 1, 99, 1_000_000] {
            assert!(allowance(100, &plan, at(0, 1.0, left)) <= left);
            assert!(allowance(100, &plan, at(1, 1.0, left)) <= left);
        }
    }

    #[test]
    fn a_budget_says_what_it_is() {
        let budget = Budget::per_game(Amount::Milliseconds(900_000));
        assert_eq!(budget.to_string(), "900000 ms a game");
        assert!(!budget.is_reproducible());
        let budget = Budget::per_move(Amount::Simulations(200));
        assert_eq!(budget.to_string(), "200 simulations a move");
        assert!(budget.is_reproducible());
    }

    #[test]
    fn a_budget_is_read_from_a_word_and_refused_with_what_is_expected() {
        let read = |text: &str| text.parse::<Budget>();
        assert_eq!(read("50"), Ok(Budget::per_move(Amount::Simulations(50))));
        assert_eq!(
            read("work_units=5000/game"),
            Ok(Budget::per_game(Amount::Work(5_000)))
        );
        assert_eq!(
            read("milliseconds=20/move"),
            Ok(Budget::per_move(Amount::Milliseconds(20)))
        );
        for text in [
            "",
            "0",
            "work_units=99",
            "seconds=1",
            "50/round",
            "-1",
            "simulations=1e3",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        assert!(
            read("work_units=1")
                .unwrap_err()
                .contains("work_units=N from 100")
        );
    }

    #[test]
    fn a_move_is_never_planned_past_the_clock_less_its_overhead() {
        let budget = Budget {
            move_overhead_ms: 30,
            ..Budget::per_game(Amount::Milliseconds(900_000))
        };
        let plan = plan(&[(5.0, 1.0, false), (4.0, 3.0, true), (9.0, 0.1, false)]);
        for left in [0, 10, 29, 30, 31, 500, 40_000, 899_999] {
            for (stage, moves_left) in [(0, 5.0), (0, 1.0), (1, 1.0), (2, 1.0), (2, 9.0)] {
                let planned = allowance(900_000, &plan, at(stage, moves_left, left));
                let amount = budget.without_overhead(planned);
                assert!(
                    amount.number() <= left.saturating_sub(30),
                    "{left}: {amount:?}"
                );
            }
        }
    }
}

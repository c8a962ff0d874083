//! The budgets of a job: one, or several to tune at and one of matches, which the values are for.

use sixfold_engine::clock::{Amount, Budget};
use sixfold_engine::config::{ConfigError, Section, read_budget, read_budgets};
use toml_edit::{Array, Item, Table, value};

use super::{GAMES_MAX, Job};
use crate::optimiser::Optimiser;
use crate::run::course::{Opponent, Stop};
use crate::run::ladder::{Ladder, LadderPlan, LegPlan};
use crate::space::Vector;
use crate::stream::{Purpose, StreamKey};

/// So many budgets a job may tune at.
const LEGS: std::ops::RangeInclusive<usize> = 2..=3;
/// Each is at least so many times the one before: closer ones say nothing of how values drift.
const LEAST_FACTOR: f64 = 1.5;
/// Games that measure values for another budget than those of the tuning, at least.
const MEASURED_LEAST: u32 = 200;

/// A part of the tuning, at one of several budgets.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Leg {
    /// What one move may use in its games.
    pub budget: Budget,
    /// When it ends.
    pub stop: Stop,
}

/// The budgets that a job names.
pub(super) struct Budgets {
    /// That of matches, or the only one.
    pub(super) of_matches: Budget,
    /// Those of the legs; none where the tuning is at the budget of matches.
    pub(super) of_legs: Vec<Budget>,
}

impl Budgets {
    /// The largest of all.
    pub(super) fn dearest(&self) -> Budget {
        match self.of_legs.last() {
            Some(leg) if leg.amount.number() > self.of_matches.amount.number() => *leg,
            _ => self.of_matches,
        }
    }
}

/// Reads `[budget]` and, where it lists several, `[match_budget]`.
pub(super) fn read(root: &Section<'_>) -> Result<Budgets, ConfigError> {
    let section = root.required_section("budget")?;
    let Some(unit) = Amount::UNITS
        .into_iter()
        .find(|(key, ..)| section.is_list(key))
    else {
        if root.has("match_budget") {
            let problem = "is for a tuning at several budgets; make the amount of [budget] a list \
                           of two or three, or write the one budget there";
            return Err(root.error("match_budget", problem));
        }
        return Ok(Budgets {
            of_matches: read_budget(section)?,
            of_legs: Vec::new(),
        });
    };
    let (key, range, _) = unit;
    let of_legs = read_budgets(section)?;
    let section = root.required_section("budget")?;
    let wrong = |problem: String| section.error(key, problem);
    if !LEGS.contains(&of_legs.len()) {
        let (least, most) = (LEGS.start(), LEGS.end());
        let found = of_legs.len();
        return Err(wrong(format!(
            "is a list of {found}; expected {least} to {most} budgets"
        )));
    }
    let number = |budget: &Budget| budget.amount.number();
    for pair in of_legs.windows(2) {
        let (low, high) = (number(&pair[0]), number(&pair[1]));
        if (high as f64) < LEAST_FACTOR * low as f64 {
            return Err(wrong(format!(
                "goes from {low} to {high}; expected each at least {LEAST_FACTOR} times the one \
                 before, so that a drift can be seen"
            )));
        }
    }
    let of_matches = read_match_budget(root, (key, range), &of_legs[0])?;
    Ok(Budgets {
        of_matches,
        of_legs,
    })
}

fn read_match_budget(
    root: &Section<'_>,
    (key, range): (&str, std::ops::RangeInclusive<u64>),
    cheapest: &Budget,
) -> Result<Budget, ConfigError> {
    let section = root.section("match_budget")?.ok_or_else(|| {
        let problem = format!(
            "is missing; expected a table with {key}, the budget of matches that the values are \
             extrapolated to and verified at"
        );
        root.error("match_budget", problem)
    })?;
    let least = cheapest.amount.number();
    let number = section.integer(key, least..=*range.end())?.ok_or_else(|| {
        let problem = "is missing; expected the budget of matches in the unit of [budget]";
        section.error(key, problem)
    })?;
    section.check_no_strangers()?;
    Ok(Budget {
        amount: cheapest.amount.with_number(number),
        ..*cheapest
    })
}

/// Reads `games` of `[run]`, which may list one number for each leg; one number is shared equally.
/// Each leg has `least` at least.
pub(super) fn read_games(
    section: &Section<'_>,
    legs: usize,
    least: u64,
) -> Result<Option<Vec<u64>>, ConfigError> {
    let key = "games";
    if legs > 0 && section.is_list(key) {
        let listed = section
            .integers(key, least..=GAMES_MAX)?
            .unwrap_or_default();
        if listed.len() != legs {
            let found = listed.len();
            let problem = format!("is a list of {found}; expected one for each of {legs} budgets");
            return Err(section.error(key, problem));
        }
        return Ok(Some(listed));
    }
    let parts = legs.max(1) as u64;
    let games = section.integer(key, least * parts..=GAMES_MAX)?;
    let share = |all: u64| (0..parts).map(move |leg| all / parts + u64::from(leg < all % parts));
    Ok(games.map(|all| share(all).collect()))
}

/// The measurement at the budget of matches is all that is known of the values there.
pub(super) fn check_measured(section: &Section<'_>, measured: u32) -> Result<(), ConfigError> {
    if measured >= MEASURED_LEAST {
        return Ok(());
    }
    let problem = format!(
        "is {measured}; expected at least {MEASURED_LEAST}, because the values are for a budget \
         that no game of the tuning has"
    );
    Err(section.error("measured_games", problem))
}

impl Job {
    /// The budgets of the legs in words, such as `50, 200 and 800 simulations a move`; None where
    /// the tuning is at one budget.
    pub fn legs_in_words(&self) -> Option<String> {
        let (last, before) = self.legs.split_last()?;
        let before: Vec<String> = before
            .iter()
            .map(|leg| leg.budget.amount.number().to_string())
            .collect();
        Some(format!("{} and {}", before.join(", "), last.budget))
    }

    /// The budget of trials against this opponent; None where the job has no such leg.
    pub fn budget_of(&self, opponent: Opponent) -> Option<Budget> {
        match opponent {
            Opponent::Own | Opponent::Reference => Some(self.budget),
            Opponent::OwnOnLeg(leg) => self.legs.get(leg as usize).map(|leg| leg.budget),
        }
    }

    /// Most games that a leg plays.
    pub fn leg_games_max(&self, leg: &Leg) -> u64 {
        self.games_max(leg.stop)
    }

    /// The learner of a leg (from 0) that starts at these values.
    pub(super) fn learner_of_leg(&self, leg: u32, start: &Vector) -> Box<dyn Optimiser> {
        let mut space = self.space.clone();
        for (parameter, value) in space.parameters.iter_mut().zip(&start.0) {
            parameter.start = *value;
        }
        let stop = self
            .legs
            .get(leg as usize)
            .map_or(self.stop, |leg| leg.stop);
        self.learner
            .build(leg_seed(self.seed, leg), &space, stop.games)
    }

    /// What the run's course needs to know of the legs; None where the tuning is at one budget.
    pub(super) fn ladder(&self) -> Option<Ladder> {
        if self.legs.is_empty() {
            return None;
        }
        let leg = |leg: &Leg| LegPlan {
            budget: leg.budget.amount.number(),
            stop: leg.stop,
        };
        let plan = LadderPlan {
            space: self.space.clone(),
            legs: self.legs.iter().map(leg).collect(),
            match_budget: self.budget.amount.number(),
        };
        let job = self.clone();
        Some(Ladder::new(
            plan,
            Box::new(move |leg, start| job.learner_of_leg(leg, start)),
        ))
    }
}

/// The seed of a leg's learner: another for each, so that no two draw the same numbers.
fn leg_seed(seed: u64, leg: u32) -> u64 {
    if leg == 0 {
        return seed;
    }
    let key = StreamKey {
        item: leg,
        ..StreamKey::new(seed, Purpose::Leg)
    };
    // The upper 53 bits: seeds stay below 2^53.
    key.stream().bits() >> 11
}

/// The tables `[budget]` and, for a tuning at several, `[match_budget]`.
pub(super) fn write(root: &mut Table, job: &Job) {
    let of_matches = job.budget.amount;
    let number = |amount: Amount| amount.number() as i64;
    let mut table = Table::new();
    if job.legs.is_empty() {
        table.insert(of_matches.key(), value(number(of_matches)));
    } else {
        let legs: Array = job
            .legs
            .iter()
            .map(|leg| number(leg.budget.amount))
            .collect();
        table.insert(of_matches.key(), value(legs));
    }
    super::resolved::write_use(&mut table, job.budget);
    root.insert("budget", Item::Table(table));
    if !job.legs.is_empty() {
        let mut table = Table::new();
        table.insert(of_matches.key(), value(number(of_matches)));
        root.insert("match_budget", Item::Table(table));
    }
}

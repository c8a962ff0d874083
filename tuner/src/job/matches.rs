//! The table `[matches]` of a job: how long a move may take, and how many pairs may be dropped.

use std::time::Duration;

use sixfold_engine::agent::{budgeted_time, default_deadline};
use sixfold_engine::config::{ConfigError, EngineConfig, Section};
use toml_edit::{Table, value};

/// What [`MatchRules::move_deadline_s`] may be, in seconds: to two weeks.
const DEADLINE_RANGE_S: std::ops::RangeInclusive<f64> = 0.05..=1_209_600.0;
/// Share of the pairs that may be dropped unless the job says otherwise, in percent.
const DROPPED_PERCENT: f64 = 2.0;

/// What is taken for a failure of a game, and how many of them are too many.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MatchRules {
    /// Seconds that a move may take; one that takes longer makes its game fail.
    pub move_deadline_s: f64,
    /// Percent of the pairs played that may be dropped before the run stops.
    pub dropped_pairs_max_percent: f64,
}

impl MatchRules {
    /// What a move may take.
    pub fn move_deadline(&self) -> Duration {
        Duration::from_secs_f64(self.move_deadline_s)
    }

    /// Reads the table; `engine` has the job's budget.
    pub(super) fn read(
        section: Option<&Section<'_>>,
        engine: &EngineConfig,
    ) -> Result<MatchRules, ConfigError> {
        let mut rules = MatchRules {
            move_deadline_s: default_deadline(&[engine]).as_secs_f64(),
            dropped_pairs_max_percent: DROPPED_PERCENT,
        };
        let Some(section) = section else {
            return Ok(rules);
        };
        if let Some(seconds) = section.number("move_deadline_s", DEADLINE_RANGE_S)? {
            let budgeted = budgeted_time(engine).as_secs_f64();
            if seconds < budgeted {
                let problem = format!(
                    "is {seconds}; the budget lets a move take {budgeted} s: expected more"
                );
                return Err(section.error("move_deadline_s", problem));
            }
            rules.move_deadline_s = seconds;
        }
        if let Some(percent) = section.number("dropped_pairs_max_percent", 0.0..=100.0)? {
            rules.dropped_pairs_max_percent = percent;
        }
        section.check_no_strangers()?;
        Ok(rules)
    }

    pub(super) fn to_table(self) -> Table {
        let mut table = Table::new();
        table.insert("move_deadline_s", value(self.move_deadline_s));
        let percent = value(self.dropped_pairs_max_percent);
        table.insert("dropped_pairs_max_percent", percent);
        table
    }
}

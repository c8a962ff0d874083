//! The job as resolved, written as TOML that [`super::Job::load`] reads back to the same job.

use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, value};

use super::{EngineSource, JOB_FORMAT, Job, Reference, budgets, rules};
use crate::space::{Parameter, Scale};
use sixfold_engine::clock::{Budget, Per};

/// The text of a run's `job.toml`.
pub(super) fn write(job: &Job) -> String {
    let mut document = DocumentMut::new();
    let root = document.as_table_mut();
    root.insert("format", integer(JOB_FORMAT));
    root.insert("seed", integer(job.seed));
    budgets::write(root, job);
    root.insert("matches", Item::Table(job.matches.to_table()));
    root.insert("run", Item::Table(run(job)));
    root.insert("learner", Item::Table(job.learner.to_table()));
    let mut parameters = ArrayOfTables::new();
    job.space
        .parameters
        .iter()
        .for_each(|entry| parameters.push(parameter(entry)));
    root.insert("parameters", Item::ArrayOfTables(parameters));
    if !job.space.rules.is_empty() {
        let rules = rules::to_tables(&job.space);
        root.insert("rules", Item::ArrayOfTables(rules));
    }
    root.insert("verification", Item::Table(verification(job)));
    root.insert("engine", Item::Table(source(&job.engine)));
    if let Some(reference) = &job.reference {
        root.insert("reference", Item::Table(self::reference(reference)));
    }
    format!(
        "# The job as resolved when the run was started. \
         Changing it ends the run's history.\n\n{document}"
    )
}

fn integer(number: u64) -> Item {
    value(i64::try_from(number).expect("numbers of a job fit into 63 bits"))
}

/// What a budget is for, beside its amount.
pub(super) fn write_use(table: &mut Table, budget: Budget) {
    if budget.per == Per::Game {
        table.insert("per", value("game"));
    }
    if budget.move_overhead_ms > 0 {
        table.insert("move_overhead_ms", integer(budget.move_overhead_ms));
    }
}

fn run(job: &Job) -> Table {
    let mut table = Table::new();
    let rounds = job.legs.first().map_or(job.stop, |leg| leg.stop).rounds;
    if let Some(rounds) = rounds {
        table.insert("rounds", integer(u64::from(rounds)));
    }
    let of_legs: Option<Array> = job
        .legs
        .iter()
        .map(|leg| leg.stop.games.map(|games| games as i64))
        .collect();
    match (job.stop.games, of_legs) {
        (Some(_), Some(games)) if !job.legs.is_empty() => {
            table.insert("games", value(games));
        }
        (Some(games), _) => {
            table.insert("games", integer(games));
        }
        (None, _) => {}
    }
    if let Some(below) = job.stop_gain_elo {
        table.insert("stop_gain_elo", value(below));
    }
    table.insert("trials_in_flight", integer(job.batch_trials as u64));
    table
}

fn parameter(parameter: &Parameter) -> Table {
    let mut table = Table::new();
    table.insert("path", value(&parameter.path));
    if let Scale::Choice(words) = parameter.scale {
        table.insert("words", value(words.into_iter().collect::<Array>()));
        table.insert("start", value(parameter.text(parameter.start)));
        return table;
    }
    table.insert("start", value(parameter.start));
    table.insert("min", value(parameter.min));
    table.insert("max", value(parameter.max));
    let scale = if parameter.scale == Scale::Log {
        "log"
    } else {
        "linear"
    };
    table.insert("scale", value(scale));
    table.insert("step", value(parameter.step));
    table
}

fn verification(job: &Job) -> Table {
    let plan = &job.verification;
    let mut table = Table::new();
    table.insert("nelo_low", value(plan.bounds_nelo[0]));
    table.insert("nelo_high", value(plan.bounds_nelo[1]));
    table.insert("alpha", value(plan.alpha));
    table.insert("beta", value(plan.beta));
    table.insert("games_max", integer(u64::from(plan.games_max)));
    table.insert("batch_games", integer(u64::from(plan.batch_games)));
    if plan.first_look_games != plan.batch_games {
        let games = u64::from(plan.first_look_games);
        table.insert("first_look_games", integer(games));
    }
    table.insert("measured_games", integer(u64::from(plan.measured_games)));
    if job.reference.is_some() {
        table.insert("reference_games", integer(u64::from(plan.reference_games)));
    }
    table
}

fn source(source: &EngineSource) -> Table {
    let mut table = Table::new();
    table.insert("name", value(&source.name));
    table.insert("text", value(&source.text));
    table
}

fn reference(reference: &Reference) -> Table {
    let mut table = source(&reference.source);
    if !reference.values.is_empty() {
        let mut values = Table::new();
        for (path, number) in &reference.values {
            let written = match reference.source.config.choice(path) {
                Some(choice) => value(choice.words[*number as usize]),
                None => value(*number),
            };
            values.insert(path, written);
        }
        table.insert("values", Item::Table(values));
    }
    table
}

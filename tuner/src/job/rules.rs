//! Rules between the parameters of a job: `[[rules]]`, read and written.

use sixfold_engine::config::{ConfigError, Section};
use toml_edit::{Array, ArrayOfTables, Table, value};

use crate::space::{Rule, Space};

/// Limits and distances are below this; no parameter's range comes near it.
const LIMIT_MAX: f64 = 1e12;

/// The space with the rules that stand in the job.
pub(super) fn read(root: &Section<'_>, space: Space) -> Result<Space, ConfigError> {
    let mut rules = Vec::new();
    for section in root.sections("rules")? {
        rules.push(read_rule(&section, &space)?);
    }
    Ok(space.with_rules(rules))
}

fn read_rule(section: &Section<'_>, space: &Space) -> Result<Rule, ConfigError> {
    let ordered = read_places(section, "less_or_equal", space)?;
    let summed = read_places(section, "sum", space)?;
    let (key, rule) = match (ordered, summed) {
        (Some(parameters), None) => {
            let apart = section.number("apart", 0.0..=LIMIT_MAX)?.unwrap_or(0.0);
            ("less_or_equal", Rule::Ordered { parameters, apart })
        }
        (None, Some(parameters)) => ("sum", read_sum(section, parameters)?),
        (Some(_), Some(_)) => {
            let problem = "and `less_or_equal` exclude each other; write two [[rules]]";
            return Err(section.error("sum", problem));
        }
        (None, None) => {
            let problem = "is missing, and `sum` too; expected a list of the paths of two tuned \
                           parameters or more";
            return Err(section.error("less_or_equal", problem));
        }
    };
    section.check_no_strangers()?;
    match rule.problem(space) {
        Some(problem) => Err(section.error(key, problem)),
        None => Ok(rule),
    }
}

fn read_sum(section: &Section<'_>, parameters: Vec<usize>) -> Result<Rule, ConfigError> {
    let range = || -LIMIT_MAX..=LIMIT_MAX;
    let at_least = section.number("at_least", range())?;
    let at_most = section.number("at_most", range())?;
    match (at_least, at_most) {
        (None, None) => {
            let problem = "is missing, and `at_least` too; expected a number that the sum stays \
                           below";
            Err(section.error("at_most", problem))
        }
        (Some(low), Some(high)) if low > high => {
            let problem = format!("is {high}; expected at least at_least = {low}");
            Err(section.error("at_most", problem))
        }
        _ => Ok(Rule::Sum {
            parameters,
            at_least,
            at_most,
        }),
    }
}

/// Tuned parameters by the paths in a list.
fn read_places(
    section: &Section<'_>,
    key: &str,
    space: &Space,
) -> Result<Option<Vec<usize>>, ConfigError> {
    let Some(paths) = section.texts(key)? else {
        return Ok(None);
    };
    let place = |path: &str| {
        let mut parameters = space.parameters.iter();
        let found = parameters.position(|parameter| parameter.path == path);
        found.ok_or_else(|| {
            let tuned = space.parameters.iter().map(|it| it.path.as_str());
            let tuned = tuned.collect::<Vec<_>>().join(", ");
            let problem = format!("names `{path}`, which is not tuned here; tuned are {tuned}");
            section.error(key, problem)
        })
    };
    let places = paths.into_iter().map(place);
    places.collect::<Result<Vec<_>, _>>().map(Some)
}

/// The rules as they are read again.
pub(super) fn to_tables(space: &Space) -> ArrayOfTables {
    space
        .rules
        .iter()
        .map(|rule| to_table(rule, space))
        .collect()
}

fn to_table(rule: &Rule, space: &Space) -> Table {
    let places = rule.parameters().iter();
    let paths: Array = places
        .map(|place| space.parameters[*place].path.as_str())
        .collect();
    let mut table = Table::new();
    match rule {
        Rule::Ordered { apart, .. } => {
            table.insert("less_or_equal", value(paths));
            if *apart > 0.0 {
                table.insert("apart", value(*apart));
            }
        }
        Rule::Sum {
            at_least, at_most, ..
        } => {
            table.insert("sum", value(paths));
            for (key, limit) in [("at_least", at_least), ("at_most", at_most)] {
                if let Some(limit) = limit {
                    table.insert(key, value(*limit));
                }
            }
        }
    }
    table
}

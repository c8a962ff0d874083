//! Experiment files: matches of fixed engines, each at some budgets, read strictly and resolved.
//!
//! Engine configurations are named relative to the file. Everything that a match needs is read and
//! checked before the first game: an experiment never stops half-way for a mistake in its file.

use std::path::Path;

use sixfold_engine::clock::Budget;
use sixfold_engine::config::{ConfigError, Document, EngineConfig, Section, read_format};
use toml_edit::Value;

use super::{SEED_END, read_values};

/// Version of the form of experiment files.
pub const EXPERIMENT_FORMAT: u64 = 1;
/// Most games of a match.
const GAMES_MAX: u64 = 1_000_000;
/// Most values of a sweep.
const SWEEP_VALUES_MAX: usize = 100;
/// Longest title or name of a match, in characters.
const NAME_CHARS_MAX: usize = 100;
/// Characters with a meaning of their own in the tables and charts that names go into.
const RESERVED: [char; 4] = ['|', '"', '`', '\\'];

/// An experiment file, resolved.
#[derive(Clone, PartialEq, Debug)]
pub struct Experiment {
    /// What it is about.
    pub title: String,
    /// Seed of all its games, below 2^53. Every match begins from the same openings.
    pub seed: u64,
    /// The matches, in the order of the file.
    pub matches: Vec<Match>,
}

/// Two engines that play at some budgets, and perhaps over the values of a parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    /// Its name, unique in the file.
    pub name: String,
    /// How the file names engine A, whose result is shown.
    pub a: String,
    /// How the file names engine B.
    pub b: String,
    /// The parameter that is swept, where there is one.
    pub sweep: Option<Sweep>,
    /// What is played: for every value of the sweep each budget.
    pub fixtures: Vec<Fixture>,
}

/// A parameter that takes one value after the other.
#[derive(Clone, PartialEq, Debug)]
pub struct Sweep {
    /// Its path.
    pub path: String,
    /// Whose parameter it is.
    pub of: Swept,
    /// Its values, at least two.
    pub values: Vec<f64>,
}

/// Whose parameter is swept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Swept {
    /// Engine A's.
    A,
    /// Engine B's.
    B,
    /// That of both engines at once.
    Both,
}

impl Swept {
    const WORDS: [(&'static str, Swept); 3] =
        [("a", Swept::A), ("b", Swept::B), ("both", Swept::Both)];

    fn sides(self) -> [bool; 2] {
        [self != Swept::B, self != Swept::A]
    }
}

/// One row of a table: a match at one budget and value.
#[derive(Clone, PartialEq, Debug)]
pub struct Fixture {
    /// Value of the swept parameter.
    pub value: Option<f64>,
    /// What a move, or a game, may use; both configurations have it already.
    pub budget: Budget,
    /// Games to play, an even number.
    pub games: u32,
    /// Engine A.
    pub a: EngineConfig,
    /// Engine B.
    pub b: EngineConfig,
}

/// What matches have unless they say otherwise.
struct Defaults {
    games: u32,
    budgets: Vec<Budget>,
}

/// One side of a match as the file has it.
struct Contender<'a> {
    name: &'a str,
    config: EngineConfig,
    values: Vec<(String, f64)>,
}

impl Experiment {
    /// Reads an experiment file.
    ///
    /// # Errors
    /// Whatever is wrong with it or with a configuration it names, with file, line and key.
    pub fn load(path: &Path) -> Result<Experiment, ConfigError> {
        let document = Document::load(path)?;
        let root = document.root();
        read_format(&root, EXPERIMENT_FORMAT)?;
        let title = read_name(&root, "title")?;
        let seed = root
            .integer("seed", 0..=SEED_END - 1)?
            .ok_or_else(|| root.error("seed", "is missing; expected a whole number below 2^53"))?;
        let defaults = Defaults {
            games: required(&root, "games", read_games(&root)?)?,
            budgets: required(&root, "budgets", read_budgets(&root)?)?,
        };
        let sections = root.sections("match")?;
        if sections.is_empty() {
            return Err(root.error("match", "is missing; expected tables [[match]]"));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut matches: Vec<Match> = Vec::with_capacity(sections.len());
        for section in &sections {
            let read = read_match(section, folder, &defaults)?;
            if matches.iter().any(|other| other.name == read.name) {
                let problem = format!("is \"{}\" a second time", read.name);
                return Err(section.error("name", problem));
            }
            matches.push(read);
        }
        root.finish()?;
        Ok(Experiment {
            title,
            seed,
            matches,
        })
    }
}

fn required<T>(root: &Section<'_>, key: &str, value: Option<T>) -> Result<T, ConfigError> {
    let expected = match key {
        "games" => "an even number",
        _ => "a list such as [\"work_units=40000\"]",
    };
    value.ok_or_else(|| root.error(key, format!("is missing; expected {expected}")))
}

/// Names go into tables and charts: they may not have the characters that mean something there.
fn read_name(section: &Section<'_>, key: &str) -> Result<String, ConfigError> {
    let name = section.required_text(key)?;
    let reserved = |c: char| c.is_control() || RESERVED.contains(&c);
    let fits = (1..=NAME_CHARS_MAX).contains(&name.chars().count());
    if name.trim() != name || !fits || name.contains(reserved) {
        let problem = format!(
            "is no name; expected 1 to {NAME_CHARS_MAX} characters without |, \", `, \\ and line \
             ends, and no space around them"
        );
        return Err(section.error(key, problem));
    }
    Ok(name.to_owned())
}

fn read_games(section: &Section<'_>) -> Result<Option<u32>, ConfigError> {
    match section.integer("games", 2..=GAMES_MAX)? {
        Some(games) if games % 2 != 0 => {
            let problem = format!("is {games}; games come in pairs: expected an even number");
            Err(section.error("games", problem))
        }
        games => Ok(games.map(|games| games as u32)),
    }
}

fn read_budgets(section: &Section<'_>) -> Result<Option<Vec<Budget>>, ConfigError> {
    let expected = "expected a list such as [\"work_units=40000\", \"milliseconds=2\"]";
    let Some(list) = read_list(section, "budgets", expected)? else {
        return Ok(None);
    };
    let mut budgets: Vec<Budget> = Vec::with_capacity(list.len());
    for value in &list {
        let word = value
            .as_str()
            .ok_or_else(|| section.error("budgets", format!("holds {value}; {expected}")))?;
        let budget = word
            .parse::<Budget>()
            .map_err(|problem| section.error("budgets", format!("holds \"{word}\"; {problem}")))?;
        if budgets.contains(&budget) {
            return Err(section.error("budgets", format!("holds \"{word}\" a second time")));
        }
        budgets.push(budget);
    }
    Ok(Some(budgets))
}

/// The values of a list that is not empty, without what stands around them, if the key is there.
fn read_list(
    section: &Section<'_>,
    key: &str,
    expected: &str,
) -> Result<Option<Vec<Value>>, ConfigError> {
    let Some(text) = section.raw(key) else {
        return Ok(None);
    };
    let value = text.parse::<Value>();
    match value.as_ref().ok().and_then(Value::as_array) {
        Some(list) if !list.is_empty() => Ok(Some(
            list.iter()
                .map(|value| value.clone().decorated("", ""))
                .collect(),
        )),
        Some(_) => Err(section.error(key, format!("is empty; {expected}"))),
        None => Err(section.error(key, format!("is no list; {expected}"))),
    }
}

fn read_match(
    section: &Section<'_>,
    folder: &Path,
    defaults: &Defaults,
) -> Result<Match, ConfigError> {
    let name = read_name(section, "name")?;
    let a = read_contender(section, "a", "a_values", folder)?;
    let b = read_contender(section, "b", "b_values", folder)?;
    if a.config.game != b.config.game {
        return Err(section.error("b", "is a configuration of another game than a"));
    }
    let games = read_games(section)?.unwrap_or(defaults.games);
    let budgets = read_budgets(section)?.unwrap_or_else(|| defaults.budgets.clone());
    let sweep = match section.section("sweep")? {
        Some(table) => Some(read_sweep(&table, &a, &b)?),
        None => None,
    };
    section.check_no_strangers()?;
    let values: Vec<Option<f64>> = match &sweep {
        Some(sweep) => sweep.values.iter().copied().map(Some).collect(),
        None => vec![None],
    };
    let mut fixtures = Vec::with_capacity(values.len() * budgets.len());
    for value in values {
        let swept = sweep.as_ref().zip(value);
        for &budget in &budgets {
            let [a, b] = [(&a, 0), (&b, 1)].map(|(contender, side)| {
                let mut config = contender.config.clone();
                config.budget = budget;
                let own = swept.filter(|(sweep, _)| sweep.of.sides()[side]);
                own.map_or(Ok(()), |(sweep, value)| config.set(&[(&sweep.path, value)]))
                    .map(|()| config)
            });
            let refused = |error| section.error("sweep", format!("cannot be played: {error}"));
            fixtures.push(Fixture {
                value,
                budget,
                games,
                a: a.map_err(refused)?,
                b: b.map_err(refused)?,
            });
        }
    }
    let (a, b) = (a.name.to_owned(), b.name.to_owned());
    Ok(Match {
        name,
        a,
        b,
        sweep,
        fixtures,
    })
}

fn read_contender<'a>(
    section: &Section<'a>,
    key: &str,
    values_key: &str,
    folder: &Path,
) -> Result<Contender<'a>, ConfigError> {
    let name = section.required_text(key)?;
    let mut config = EngineConfig::load(&folder.join(name))
        .map_err(|error| section.error(key, format!("cannot be used: {error}")))?;
    let values = read_values(section, values_key, &mut config)?;
    Ok(Contender {
        name,
        config,
        values,
    })
}

/// Reads a sweep and tries each of its values on each of its sides.
fn read_sweep(
    table: &Section<'_>,
    a: &Contender<'_>,
    b: &Contender<'_>,
) -> Result<Sweep, ConfigError> {
    let path = table.required_text("path")?.to_owned();
    let of = table.choice("of", &Swept::WORDS)?;
    let of =
        of.ok_or_else(|| table.error("of", "is missing; expected \"a\", \"b\" or \"both\""))?;
    let values = read_numbers(table)?;
    table.check_no_strangers()?;
    for (contender, is_swept) in [a, b].into_iter().zip(of.sides()) {
        if !is_swept {
            continue;
        }
        contender.config.parameter(&path).map_err(|error| {
            let problem = format!(
                "names `{path}`, which in {} {}",
                contender.name, error.problem
            );
            table.error("path", problem)
        })?;
        if contender.values.iter().any(|(fixed, _)| *fixed == path) {
            return Err(table.error("path", "is a parameter that the match gives a value too"));
        }
        for &value in &values {
            let tried = contender.config.clone().set(&[(&path, value)]);
            tried.map_err(|error| {
                table.error("values", format!("holds a value that is refused: {error}"))
            })?;
        }
    }
    Ok(Sweep { path, of, values })
}

fn read_numbers(table: &Section<'_>) -> Result<Vec<f64>, ConfigError> {
    let expected = format!("expected a list of 2 to {SWEEP_VALUES_MAX} different numbers");
    let list = read_list(table, "values", &expected)?;
    let list = list.ok_or_else(|| table.error("values", format!("is missing; {expected}")))?;
    let mut values: Vec<f64> = Vec::with_capacity(list.len());
    for value in &list {
        let whole = value.as_integer().map(|whole| whole as f64);
        match value.as_float().or(whole) {
            Some(number) if number.is_finite() && !values.contains(&number) => values.push(number),
            _ => return Err(table.error("values", format!("holds {value}; {expected}"))),
        }
    }
    if !(2..=SWEEP_VALUES_MAX).contains(&values.len()) {
        return Err(table.error(
            "values",
            format!("has {} of them; {expected}", values.len()),
        ));
    }
    Ok(values)
}

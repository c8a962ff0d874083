//! Engine configurations: a TOML file with a table per stage, read strictly and resolved.

pub mod reader;
mod stages;

use std::fmt;
use std::ops::RangeInclusive;
use std::path::Path;

pub use reader::{ConfigError, Document, Section};
pub use stages::{CHOICE_KEYS, choice_keys, choice_words};

use crate::clock::{Amount, Budget, Per};
use crate::game::{GameKind, amazons};
use crate::params::{
    FROM_EDGES_LEFT, FROM_FILLED, FROM_PLY, FROM_PROGRESS_BELOW, PLAN_ROWS, ParamSpec, SHARE,
};
use crate::search::alpha_beta;
use crate::stage::{Stage, Start};

/// Version of the file format; the key `format` must name it.
pub const FORMAT: u64 = 1;
/// Most boxes of a board side that a configuration may ask for; the rules limit the edges to 64.
const SIDE_MAX: u64 = 21;
/// Largest solver table, in MiB.
const TABLE_MIB_MAX: u64 = 65_536;

/// Which game, with its rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameRules {
    /// Dots and Boxes on `rows` x `cols` boxes.
    DotsAndBoxes {
        /// Rows of boxes.
        rows: u8,
        /// Columns of boxes.
        cols: u8,
    },
    /// Game of the Amazons on `files` x `ranks` squares, from the usual start.
    Amazons {
        /// Files, 4 to 10.
        files: u8,
        /// Ranks, 4 to 10.
        ranks: u8,
    },
}

impl GameRules {
    /// The game.
    pub const fn kind(self) -> GameKind {
        match self {
            GameRules::DotsAndBoxes { .. } => GameKind::DotsAndBoxes,
            GameRules::Amazons { .. } => GameKind::Amazons,
        }
    }

    /// Whether the game is about points, such as boxes, and not about winning alone.
    pub const fn has_points(self) -> bool {
        matches!(self, GameRules::DotsAndBoxes { .. })
    }

    /// Moves of the longest game: the edges of a board of Dots and Boxes; in the Amazons two for
    /// every square without an amazon.
    pub fn moves_at_most(self) -> u16 {
        match self {
            GameRules::DotsAndBoxes { rows, cols } => {
                let (rows, cols) = (u16::from(rows), u16::from(cols));
                2 * rows * cols + rows + cols
            }
            GameRules::Amazons { files, ranks } => {
                2 * (u16::from(files) * u16::from(ranks)).saturating_sub(AMAZONS_ON_THE_BOARD)
            }
        }
    }
}

/// Amazons of both sides.
const AMAZONS_ON_THE_BOARD: u16 = 8;

impl fmt::Display for GameRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, ", self.kind())?;
        match self {
            GameRules::DotsAndBoxes { rows, cols } => write!(f, "{rows}x{cols} boxes"),
            GameRules::Amazons { files, ranks } => write!(f, "{files}x{ranks} squares"),
        }
    }
}

/// A configuration, resolved: every default filled in, every "same as" followed.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineConfig {
    /// The game.
    pub game: GameRules,
    /// What one move may use.
    pub budget: Budget,
    /// Size of the solver's table, in MiB.
    pub table_mib: u32,
    /// The stages, ordered by their start.
    pub stages: Vec<Stage>,
}

/// A tunable parameter of a configuration, with its value.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameter {
    /// Path in the file, such as `stages.layout.bias.capture`.
    pub path: String,
    /// What is known of it.
    pub spec: ParamSpec,
    /// Its value in this configuration.
    pub value: f64,
}

/// A constant whose value is one of a few words without an order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Path in the file, such as `stages.layout.rollout`.
    pub path: String,
    /// The words.
    pub words: Vec<&'static str>,
    /// Place of the one in force among them: its number where numbers are set.
    pub place: usize,
}

impl Choice {
    /// The place of a word, as a number that [`EngineConfig::set`] takes.
    ///
    /// # Errors
    /// Another word; the text names those that there are.
    pub fn number_of(&self, word: &str) -> Result<f64, String> {
        let place = self.words.iter().position(|known| *known == word);
        place.map(|place| place as f64).ok_or_else(|| {
            let words: Vec<String> = self.words.iter().map(|it| format!("\"{it}\"")).collect();
            format!("is \"{word}\"; expected one of {}", words.join(", "))
        })
    }

    fn place_of(&self, number: f64) -> Result<usize, String> {
        let mut places = 0..self.words.len();
        places.find(|place| *place as f64 == number).ok_or_else(|| {
            let last = self.words.len() - 1;
            format!("is {number}; expected the place of a word, a whole number from 0 to {last}")
        })
    }
}

/// A path or value that a configuration does not take.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{path}` {problem}")]
pub struct ParameterError {
    /// The path.
    pub path: String,
    /// What is wrong and what is allowed.
    pub problem: String,
}

impl EngineConfig {
    /// Reads a file.
    ///
    /// # Errors
    /// Whatever is wrong with it, with file, line and key.
    pub fn load(path: &Path) -> Result<EngineConfig, ConfigError> {
        Self::from_document(&Document::load(path)?)
    }

    /// Reads a text; `file` is only named in errors.
    ///
    /// # Errors
    /// As [`EngineConfig::load`].
    pub fn parse(file: &Path, text: &str) -> Result<EngineConfig, ConfigError> {
        Self::from_document(&Document::parse(file, text)?)
    }

    fn from_document(document: &Document) -> Result<EngineConfig, ConfigError> {
        let root = document.root();
        read_format(&root, FORMAT)?;
        let game = read_game(&root.required_section("game")?)?;
        let budget = match root.section("budget")? {
            Some(section) => read_budget(section)?,
            None => return Err(root.error("budget", "is missing; expected a table")),
        };
        let solver = root.required_section("solver")?;
        let table_mib = solver
            .integer("table_mib", 1..=TABLE_MIB_MAX)?
            .ok_or_else(|| solver.error("table_mib", "is missing; expected a size in MiB"))?;
        if !alpha_beta::can_hold(table_mib as u32) {
            let problem = format!("is {table_mib} MiB, more than this machine has to give");
            return Err(solver.error("table_mib", problem));
        }
        solver.finish()?;
        let section = root.required_section("stages")?;
        let stages = stages::read(&section, game.kind())?;
        let edges = game.moves_at_most();
        for stage in &stages {
            if let Start::EdgesLeft(left) = stage.start
                && left > edges
            {
                let problem = format!("starts at {left} edges left; this board has {edges}");
                return Err(section.error(&stage.name, problem));
            }
        }
        root.finish()?;
        Ok(EngineConfig {
            game,
            budget,
            table_mib: table_mib as u32,
            stages,
        })
    }

    /// Every tunable parameter of this configuration with its value; what is another stage's
    /// ("same as") is listed there alone.
    pub fn parameters(&self) -> Vec<Parameter> {
        let mut list = Vec::new();
        for (index, stage) in self.stages.iter().enumerate() {
            let mut add = |spec: ParamSpec, value: f64| {
                let path = format!("stages.{}.{}", stage.name, spec.name);
                list.push(Parameter { path, spec, value });
            };
            match stage.start {
                // The first stage acts from the beginning, whatever is tuned.
                Start::Ply(_) if index == 0 => {}
                Start::Ply(ply) => add(FROM_PLY, f64::from(ply)),
                Start::EdgesLeft(edges) => add(FROM_EDGES_LEFT, f64::from(edges)),
                Start::Filled(share) => add(FROM_FILLED, share),
                Start::ProgressBelow(limit) => add(FROM_PROGRESS_BELOW, limit),
                Start::Solvable => {}
            }
            add(SHARE, stage.share);
            for (row, value) in stage.rows() {
                add(row.spec, value);
            }
        }
        list
    }

    /// Every choice of this configuration with the word in force; what is another stage's is
    /// listed there alone.
    pub fn choices(&self) -> Vec<Choice> {
        let stages = self.stages.iter();
        let of_stage = |stage: &Stage| {
            let name = stage.name.clone();
            let choices = stage.own_choices().into_iter();
            choices.map(move |(key, words, place)| Choice {
                path: format!("stages.{name}.{key}"),
                words,
                place,
            })
        };
        stages.flat_map(of_stage).collect()
    }

    /// The choice of this path, if it is one.
    pub fn choice(&self, path: &str) -> Option<Choice> {
        self.choices()
            .into_iter()
            .find(|choice| choice.path == path)
    }

    /// The parameter of this path.
    ///
    /// # Errors
    /// A path that is no parameter of this configuration; the error says where to look.
    pub fn parameter(&self, path: &str) -> Result<Parameter, ParameterError> {
        let (list, choices) = (self.parameters(), self.choices());
        if let Some(found) = list.iter().find(|parameter| parameter.path == path) {
            return Ok(found.clone());
        }
        let problem = self.why_no_parameter(path).unwrap_or_else(|| {
            let choices = || choices.iter().map(|choice| choice.path.as_str());
            let numbers = || list.iter().map(|parameter| parameter.path.as_str());
            let all = || numbers().chain(choices());
            let stage = path.splitn(3, '.').take(2).collect::<Vec<_>>().join(".") + ".";
            let of_stage: Vec<&str> = all().filter(|known| known.starts_with(&stage)).collect();
            // Those of the stage that is meant, where it can be told, are list enough.
            match of_stage.is_empty() {
                false => format!(
                    "is no parameter of this engine; those of this stage are {}",
                    of_stage.join(", ")
                ),
                true => format!(
                    "is no parameter of this engine; its parameters are {}",
                    all().collect::<Vec<_>>().join(", ")
                ),
            }
        });
        Err(ParameterError {
            path: path.to_owned(),
            problem,
        })
    }

    fn why_no_parameter(&self, path: &str) -> Option<String> {
        let (stage, row) = path.strip_prefix("stages.")?.split_once('.')?;
        let stage = self
            .stages
            .iter()
            .find(|candidate| candidate.name == stage)?;
        let (_, owner) = stage
            .same_as
            .iter()
            .find(|(key, _)| row.split('.').next() == Some(key))?;
        Some(format!(
            "is the same as stage {owner}'s here; tune `stages.{owner}.{row}` instead"
        ))
    }

    /// Sets parameters by path; stages that share a constant follow. The number of a choice is the
    /// place of its word.
    ///
    /// # Errors
    /// A path that is no parameter, a value out of its range, or stages out of order afterwards.
    pub fn set(&mut self, values: &[(&str, f64)]) -> Result<(), ParameterError> {
        let mut changed = self.clone();
        for &(path, value) in values {
            let refuse = |problem| ParameterError {
                path: path.to_owned(),
                problem,
            };
            if let Some(choice) = changed.choice(path) {
                let place = choice.place_of(value).map_err(refuse)?;
                changed.choose(path, place);
                continue;
            }
            let parameter = changed.parameter(path)?;
            parameter.spec.check(value).map_err(refuse)?;
            changed.write(&parameter, value);
        }
        stages::share(&mut changed.stages);
        if let Some((name, problem)) = stages::widened_graph(&changed.stages) {
            let (path, problem) = (format!("stages.{name}"), problem.to_owned());
            return Err(ParameterError { path, problem });
        }
        if let Some(late) = stages::out_of_order(&changed.stages) {
            let path = format!("stages.{late}.from");
            let problem = "no longer starts after the stage before it".to_owned();
            return Err(ParameterError { path, problem });
        }
        *self = changed;
        Ok(())
    }

    /// The stage that a path names.
    fn stage_mut(&mut self, path: &str) -> &mut Stage {
        let owner = path.split('.').nth(1);
        let mut stages = self.stages.iter_mut();
        let found = stages.find(|stage| Some(stage.name.as_str()) == owner);
        found.expect("a known path names one of the stages")
    }

    fn choose(&mut self, path: &str, place: usize) {
        if let Some((_, key)) = path.rsplit_once('.') {
            self.stage_mut(path).choose(key, place);
        }
    }

    fn write(&mut self, parameter: &Parameter, value: f64) {
        let stage = self.stage_mut(&parameter.path);
        match parameter.spec.name {
            "from.ply" => stage.start = Start::Ply(value as u16),
            "from.edges_left" => stage.start = Start::EdgesLeft(value as u16),
            "from.filled" => stage.start = Start::Filled(value),
            "from.progress_below" => stage.start = Start::ProgressBelow(value),
            "share" => stage.share = value,
            name => {
                if let Some(plan) = stage.searcher.plan_mut() {
                    let mut rows = PLAN_ROWS.iter().filter(|row| row.is_of(plan.game));
                    let row = rows.find(|row| row.spec.name == name);
                    (row.expect("a known path names a row of the game").set)(plan, value);
                }
            }
        }
    }
}

/// Reads the key `format` and refuses every version but `version`.
///
/// # Errors
/// A missing key or another version; the error names both.
pub fn read_format(root: &Section<'_>, version: u64) -> Result<(), ConfigError> {
    match root.integer("format", 0..=u64::MAX)? {
        Some(found) if found == version => Ok(()),
        Some(found) => Err(root.error(
            "format",
            format!("is {found}; this program reads version {version} of the format"),
        )),
        None => Err(root.error("format", format!("is missing; expected format = {version}"))),
    }
}

fn read_game(section: &Section<'_>) -> Result<GameRules, ConfigError> {
    let rules = match section.choice("name", &GameKind::WORDS)? {
        Some(GameKind::DotsAndBoxes) => read_dots(section)?,
        Some(GameKind::Amazons) => read_amazons(section)?,
        None => {
            let words = GameKind::WORDS.map(|(word, _)| format!("\"{word}\""));
            let problem = format!("is missing; expected {}", words.join(" or "));
            return Err(section.error("name", problem));
        }
    };
    section.check_no_strangers()?;
    Ok(rules)
}

fn read_amazons(section: &Section<'_>) -> Result<GameRules, ConfigError> {
    let (least, most) = (amazons::Board::MIN_START_SIDE, amazons::Board::MAX_SIDE);
    let side = |key| {
        let found = section.integer(key, least as u64..=most as u64)?;
        let missing = || section.error(key, format!("is missing; expected {least} to {most}"));
        found.map(|side| side as u8).ok_or_else(missing)
    };
    Ok(GameRules::Amazons {
        files: side("files")?,
        ranks: side("ranks")?,
    })
}

fn read_dots(section: &Section<'_>) -> Result<GameRules, ConfigError> {
    let required = |key| section.error(key, format!("is missing; expected 1 to {SIDE_MAX} boxes"));
    let rows = section
        .integer("rows", 1..=SIDE_MAX)?
        .ok_or_else(|| required("rows"))?;
    let cols = section
        .integer("cols", 1..=SIDE_MAX)?
        .ok_or_else(|| required("cols"))?;
    let edges = 2 * rows * cols + rows + cols;
    if edges > 64 {
        let problem = format!("{rows} x {cols} boxes have {edges} edges; at most 64 are supported");
        return Err(section.error("rows", format!("is too large: {problem}")));
    }
    Ok(GameRules::DotsAndBoxes {
        rows: rows as u8,
        cols: cols as u8,
    })
}

/// Reads a table with exactly one of `simulations`, `work_units` and `milliseconds`, and `per`.
///
/// # Errors
/// None or several of them, or a value out of its range.
pub fn read_budget(section: Section<'_>) -> Result<Budget, ConfigError> {
    let amount = read_amount(&section, |key, range| section.integer(key, range))?;
    let budget = with_use(&section, amount)?;
    section.finish()?;
    Ok(budget)
}

/// As [`read_budget`], where the amount is a list, from the smallest to the largest.
///
/// # Errors
/// As [`read_budget`], an empty list, or one that does not rise.
pub fn read_budgets(section: Section<'_>) -> Result<Vec<Budget>, ConfigError> {
    let mut numbers = Vec::new();
    let first = read_amount(&section, |key, range| {
        let Some(list) = section.integers(key, range)? else {
            return Ok(None);
        };
        let rises = list.windows(2).all(|pair| pair[0] < pair[1]);
        if list.is_empty() || !rises {
            let problem = "is empty or does not rise; expected budgets from the cheapest to the \
                           dearest";
            return Err(section.error(key, problem));
        }
        numbers = list;
        Ok(numbers.first().copied())
    })?;
    let budget = with_use(&section, first)?;
    section.finish()?;
    let budgets = numbers.into_iter().map(|number| Budget {
        amount: first.with_number(number),
        ..budget
    });
    Ok(budgets.collect())
}

/// The one amount that a table holds, as `read` reads it.
fn read_amount(
    section: &Section<'_>,
    mut read: impl FnMut(&str, RangeInclusive<u64>) -> Result<Option<u64>, ConfigError>,
) -> Result<Amount, ConfigError> {
    let mut amounts = Vec::new();
    for (key, range, make) in Amount::UNITS {
        amounts.extend(read(key, range)?.map(make));
    }
    match amounts[..] {
        [amount] => Ok(amount),
        [] => {
            let problem = "is missing; expected simulations, work_units or milliseconds";
            Err(section.error("simulations", problem))
        }
        _ => {
            let problem = "holds several amounts; simulations, work_units and milliseconds \
                           exclude each other";
            Err(section.error("", problem))
        }
    }
}

/// A budget of this amount, for what the table says. Of several amounts the smallest is given: it
/// must be more than the overhead.
fn with_use(section: &Section<'_>, amount: Amount) -> Result<Budget, ConfigError> {
    let per = section.choice("per", &[("move", Per::Move), ("game", Per::Game)])?;
    let overhead = section.integer("move_overhead_ms", 0..=60_000)?;
    if overhead.is_some() && !matches!(amount, Amount::Milliseconds(_)) {
        let problem = "is for a budget in milliseconds; this one counts something else";
        return Err(section.error("move_overhead_ms", problem));
    }
    if let (Some(overhead), Amount::Milliseconds(limit)) = (overhead, amount)
        && overhead >= limit
    {
        let problem = format!("is {overhead}; expected less than the {limit} milliseconds");
        return Err(section.error("move_overhead_ms", problem));
    }
    Ok(Budget {
        amount,
        per: per.unwrap_or(Per::Move),
        move_overhead_ms: overhead.unwrap_or(0),
    })
}

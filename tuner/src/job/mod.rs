//! Jobs: what a person asks for, read strictly, checked, and written back as resolved.
//!
//! A job file names an engine configuration (`config = "…"`, relative to the job file). The job as
//! resolved, which a run keeps, holds the configuration's text itself (`text = '''…'''`) and every
//! default; both forms are read by the same reader.

mod budgets;
pub mod experiment;
mod learner;
mod matches;
mod parameters;
mod resolved;
mod rules;
mod run_table;
mod variant;

use std::path::{Path, PathBuf};

use sixfold_engine::clock::Budget;
use sixfold_engine::config::{ConfigError, Document, EngineConfig, Section, read_format};

pub use budgets::Leg;
pub use learner::LearnerSettings;
pub use matches::MatchRules;
use run_table::RunTable;

use crate::optimiser::Optimiser;
use crate::run::course::{Course, CoursePlan, Stop};
use crate::run::tuned::Provenance;
use crate::run::tuning_games::GainStop;
use crate::run::verification::VerificationPlan;
use crate::space::Space;

/// Version of the job's form.
pub const JOB_FORMAT: u64 = 1;
/// Seeds stay below this, so that every reader of JSON keeps them exactly.
pub const SEED_END: u64 = 1 << 53;
/// Most games that a job may ask for.
const GAMES_MAX: u64 = 1_000_000_000;

/// An engine configuration with its text: comments and layout are kept for the export.
#[derive(Clone, PartialEq, Debug)]
pub struct EngineSource {
    /// How people name it: the file's name.
    pub name: String,
    /// The text.
    pub text: String,
    /// What it says.
    pub config: EngineConfig,
}

/// A fixed engine, and what the job changes in it.
#[derive(Clone, PartialEq, Debug)]
pub struct Reference {
    /// The configuration as it was read.
    pub source: EngineSource,
    /// Values that the job sets in it, by path.
    pub values: Vec<(String, f64)>,
    /// The configuration with these values.
    pub config: EngineConfig,
}

/// A job, resolved.
#[derive(Clone, PartialEq, Debug)]
pub struct Job {
    /// Seed of everything random, below 2^53.
    pub seed: u64,
    /// The engine that is tuned.
    pub engine: EngineSource,
    /// A fixed engine that start and result are placed against.
    pub reference: Option<Reference>,
    /// What one move may use in every game of the run; where there are legs, in the games of the
    /// verification, which are played at the budget of matches.
    pub budget: Budget,
    /// The parts of a tuning at several budgets, from the cheapest to the dearest; none where the
    /// tuning is at `budget`.
    pub legs: Vec<Leg>,
    /// When a game has failed, and how many may.
    pub matches: MatchRules,
    /// The tuned parameters.
    pub space: Space,
    /// The learner.
    pub learner: LearnerSettings,
    /// When the tuning ends; where there are legs, their sums.
    pub stop: Stop,
    /// The tuning, or a leg of it, ends earlier once less than so many Elo are still to be gained.
    pub stop_gain_elo: Option<f64>,
    /// Trials in flight.
    pub batch_trials: usize,
    /// How the result is verified.
    pub verification: VerificationPlan,
}

impl Job {
    /// Reads a job file.
    ///
    /// # Errors
    /// Whatever is wrong with it or with a configuration it names, with file, line and key.
    pub fn load(path: &Path) -> Result<Job, ConfigError> {
        let document = Document::load(path)?;
        Self::read(&document, &in_folder_of(path))
    }

    /// Reads a job's text; `file` is named in errors, and paths are relative to its folder.
    ///
    /// # Errors
    /// As [`Job::load`].
    pub fn parse(file: &Path, text: &str) -> Result<Job, ConfigError> {
        Self::parse_with(file, text, &in_folder_of(file))
    }

    /// Reads a job's text; `find` says which document a configuration's name stands for, so that
    /// a job from elsewhere opens no file.
    ///
    /// # Errors
    /// As [`Job::load`], and what `find` says of a name.
    pub fn parse_with(file: &Path, text: &str, find: FindConfig<'_>) -> Result<Job, ConfigError> {
        Self::read(&Document::parse(file, text)?, find)
    }

    fn read(document: &Document, find: FindConfig<'_>) -> Result<Job, ConfigError> {
        let root = document.root();
        read_format(&root, JOB_FORMAT)?;
        let seed = root
            .integer("seed", 0..=SEED_END - 1)?
            .ok_or_else(|| root.error("seed", "is missing; expected a whole number below 2^53"))?;
        let section = root.required_section("engine")?;
        let engine = read_source(&section, find)?;
        section.check_no_strangers()?;
        let reference = match root.section("reference")? {
            Some(section) => Some(read_reference(&section, find)?),
            None => None,
        };
        if let Some(reference) = &reference
            && reference.config.game != engine.config.game
        {
            return Err(root.error("reference", "is a configuration of another game"));
        }
        let budgets = budgets::read(&root)?;
        let mut budgeted = engine.config.clone();
        budgeted.budget = budgets.dearest();
        let matches = MatchRules::read(root.section("matches")?.as_ref(), &budgeted)?;
        let space = parameters::read_space(&root, &engine.config)?;
        parameters::check_exportable(&root, &engine, &space)?;
        let learner = learner::read(&root.required_section("learner")?)?;
        let legs = budgets.of_legs;
        let RunTable {
            stops,
            stop_gain_elo,
            batch_trials,
        } = run_table::read(&root, legs.len(), &learner)?;
        let section = root.required_section("verification")?;
        let verification = read_verification(&section, reference.is_some())?;
        if !legs.is_empty() {
            budgets::check_measured(&section, verification.measured_games)?;
        }
        root.finish()?;
        Ok(Job {
            seed,
            engine,
            reference,
            budget: budgets.of_matches,
            stop: Stop::sum(&stops),
            stop_gain_elo,
            legs: legs
                .into_iter()
                .zip(stops)
                .map(|(budget, stop)| Leg { budget, stop })
                .collect(),
            matches,
            space,
            learner,
            batch_trials,
            verification,
        })
    }

    /// The job as resolved, as TOML: every default filled in, the configurations inside.
    pub fn to_toml(&self) -> String {
        resolved::write(self)
    }

    /// Where tuned values come from, for the head of a configuration.
    pub fn provenance(&self) -> Provenance {
        let budgets = match self.legs_in_words() {
            Some(legs) => format!("{legs}, for matches at {}", self.budget),
            None => self.budget.to_string(),
        };
        Provenance {
            origin: format!("{} at {budgets}", self.engine.name),
            space: self.space.clone(),
            verification: self.verification.clone(),
            match_budget: (!self.legs.is_empty()).then_some(self.budget.amount.number()),
        }
    }

    /// The learner at its start, of the first leg where there are several.
    pub fn learner(&self) -> Box<dyn Optimiser> {
        self.learner_of_leg(0, &self.space.start())
    }

    /// The course of the run whose `job.toml` has this text, at its start.
    pub fn course(&self, job_text: &str) -> Course {
        let course = Course::new(self.course_plan(job_text), self.learner());
        match self.ladder() {
            Some(ladder) => course.with_ladder(ladder),
            None => course,
        }
    }

    /// What does not change in the course of the run whose `job.toml` has this text.
    pub fn course_plan(&self, job_text: &str) -> CoursePlan {
        CoursePlan {
            job_digest: digest(job_text),
            stop: self.stop,
            gain_stop: self.stop_gain_elo.map(|below_elo| GainStop {
                below_elo,
                space: self.space.clone(),
            }),
            batch_trials: self.batch_trials,
            games_per_trial: self.learner.games_per_trial(),
            start: self.space.start(),
            verification: self.verification.clone(),
        }
    }

    /// Most games that the tuning plays.
    pub fn tuning_games_max(&self) -> u64 {
        if self.legs.is_empty() {
            return self.games_max(self.stop);
        }
        self.legs.iter().map(|leg| self.leg_games_max(leg)).sum()
    }

    fn games_max(&self, stop: Stop) -> u64 {
        let per_round = self.learner.games_per_round();
        let by_rounds = stop.rounds.zip(per_round);
        let by_rounds = by_rounds.map(|(rounds, games)| u64::from(rounds) * games);
        let limits = [stop.games, by_rounds].into_iter().flatten();
        limits.min().expect("a job limits its rounds or its games")
    }

    /// The engine that is tuned, with the job's budget and start values.
    pub fn engine_config(&self) -> EngineConfig {
        self.engine_config_at(self.budget)
    }

    /// The same with another budget, such as that of a leg.
    pub fn engine_config_at(&self, budget: Budget) -> EngineConfig {
        let mut config = self.engine.config.clone();
        config.budget = budget;
        config
    }

    /// The budgets of the tuning: those of the legs, or the one.
    pub fn tuning_budgets(&self) -> Vec<Budget> {
        match self.legs.is_empty() {
            true => vec![self.budget],
            false => self.legs.iter().map(|leg| leg.budget).collect(),
        }
    }

    /// The reference engine with the job's budget.
    pub fn reference_config(&self) -> Option<EngineConfig> {
        let mut config = self.reference.as_ref()?.config.clone();
        config.budget = self.budget;
        Some(config)
    }
}

/// Digest of a job's text: tells whether a run's `job.toml` is the one that the run began with.
pub fn digest(job_text: &str) -> String {
    format!("{:08x}", crc32fast::hash(job_text.as_bytes()))
}

/// Finds the engine configuration that a job names: the path to call it by, and its text.
pub type FindConfig<'a> = &'a dyn Fn(&str) -> Result<(PathBuf, String), String>;

/// Names are paths relative to the job's folder.
fn in_folder_of(job: &Path) -> impl Fn(&str) -> Result<(PathBuf, String), String> {
    let folder = job.parent().unwrap_or(Path::new("")).to_owned();
    move |file| {
        let path = folder.join(file);
        let document = Document::load(&path).map_err(|error| error.to_string())?;
        Ok((path, document.text().to_owned()))
    }
}

fn read_source(section: &Section<'_>, find: FindConfig<'_>) -> Result<EngineSource, ConfigError> {
    let source = match (section.text("config")?, section.text("text")?) {
        (Some(file), None) => {
            let (path, text) = find(file)
                .map_err(|error| section.error("config", format!("cannot be used: {error}")))?;
            let name = path.file_name().map(PathBuf::from).unwrap_or_default();
            let config = EngineConfig::parse(&path, &text)?;
            EngineSource {
                name: name.display().to_string(),
                text,
                config,
            }
        }
        (None, Some(text)) => {
            let name = section.required_text("name")?;
            let config = EngineConfig::parse(Path::new(name), text)?;
            EngineSource {
                name: name.to_owned(),
                text: text.to_owned(),
                config,
            }
        }
        (Some(_), Some(_)) => {
            return Err(section.error("text", "and `config` exclude each other"));
        }
        (None, None) => {
            let problem = "is missing; expected the path of an engine configuration";
            return Err(section.error("config", problem));
        }
    };
    Ok(source)
}

fn read_reference(section: &Section<'_>, find: FindConfig<'_>) -> Result<Reference, ConfigError> {
    let source = read_source(section, find)?;
    let mut config = source.config.clone();
    let values = read_values(section, "values", &mut config)?;
    section.check_no_strangers()?;
    Ok(Reference {
        source,
        values,
        config,
    })
}

/// Reads a table of values by the paths of parameters, if it stands here, and sets them.
fn read_values(
    section: &Section<'_>,
    key: &str,
    config: &mut EngineConfig,
) -> Result<Vec<(String, f64)>, ConfigError> {
    let mut values = Vec::new();
    let Some(table) = section.section(key)? else {
        return Ok(values);
    };
    for path in table.keys() {
        let value = match config.choice(&path) {
            Some(choice) => {
                let word = table.required_text(&path)?;
                let number = choice.number_of(word);
                number.map_err(|problem| table.error(&path, problem))?
            }
            None => table
                .number(&path, -f64::MAX..=f64::MAX)?
                .unwrap_or_default(),
        };
        config
            .set(&[(&path, value)])
            .map_err(|error| table.error(&path, error.problem))?;
        values.push((path, value));
    }
    Ok(values)
}

fn read_verification(
    section: &Section<'_>,
    has_reference: bool,
) -> Result<VerificationPlan, ConfigError> {
    let needed = |key: &str| section.error(key, "is missing; expected a number");
    let number = |key: &str, range| section.number(key, range)?.ok_or_else(|| needed(key));
    let even = |key: &str, least: u64| -> Result<u32, ConfigError> {
        match section
            .integer(key, least..=10_000_000)?
            .ok_or_else(|| needed(key))?
        {
            games if games % 2 == 0 => Ok(games as u32),
            games => Err(section.error(
                key,
                format!("is {games}; games come in pairs: expected an even number"),
            )),
        }
    };
    let plan = VerificationPlan {
        bounds_nelo: [
            number("nelo_low", -200.0..=200.0)?,
            number("nelo_high", -200.0..=200.0)?,
        ],
        alpha: number("alpha", 1e-6..=0.4)?,
        beta: number("beta", 1e-6..=0.4)?,
        games_max: even("games_max", 2)?,
        batch_games: even("batch_games", 2)?,
        first_look_games: match section.raw("first_look_games") {
            Some(_) => even("first_look_games", 2)?,
            None => even("batch_games", 2)?,
        },
        measured_games: even("measured_games", 2)?,
        reference_games: if has_reference {
            even("reference_games", 2)?
        } else {
            0
        },
    };
    if plan.batch_games > plan.games_max {
        let problem = format!("is {}; expected at least batch_games", plan.games_max);
        return Err(section.error("games_max", problem));
    }
    check_looks(section, &plan)?;
    if let Err(error) = plan.test(1) {
        return Err(section.error("nelo_high", format!("cannot be used: {error}")));
    }
    section.check_no_strangers()?;
    Ok(plan)
}

/// The test is looked at after whole batches: its cap is one of them, and its first look in time.
fn check_looks(section: &Section<'_>, plan: &VerificationPlan) -> Result<(), ConfigError> {
    let (most, batch) = (plan.games_max, plan.batch_games);
    if most % batch != 0 {
        let below = most - most % batch;
        let problem = format!(
            "is {most}; expected whole batches of batch_games = {batch}, such as {below} or {}",
            below + batch
        );
        return Err(section.error("games_max", problem));
    }
    if plan.first_look_games > most {
        let problem = format!(
            "is {}; expected at most games_max, {most}",
            plan.first_look_games
        );
        return Err(section.error("first_look_games", problem));
    }
    Ok(())
}

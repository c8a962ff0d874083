//! The learner's table of a job: which learner, with which settings.

mod tree;

use sixfold_engine::config::{ConfigError, Section};
use toml_edit::{Table, value};

use crate::optimiser::Optimiser;
use crate::optimiser::paper::{Paper, PaperSettings};
use crate::optimiser::pooled::{Pooled, PooledSettings};
use crate::optimiser::q_tree::{self, Decision, Directions, QTreeLearner, QTreeSettings};
use crate::optimiser::random::{self, RandomSearch, RandomSettings};
use crate::optimiser::rspsa::{self, Rspsa, RspsaSettings};
use crate::optimiser::settings::{LearnerError, SettingError};
use crate::optimiser::spsa::{self, GainsFrom, Spsa, SpsaSettings};
use crate::space::Space;

const GAINS: [(&str, GainsFrom); 2] = [("fixed", GainsFrom::Fixed), ("pilot", GainsFrom::Pilot)];
const KINDS: [(&str, Kind); 7] = [
    ("q-tree", Kind::QTree),
    ("surface-argmax", Kind::SurfaceArgmax),
    ("pooled", Kind::Pooled),
    ("paper", Kind::Paper),
    ("spsa", Kind::Spsa),
    ("rspsa", Kind::Rspsa),
    ("random", Kind::Random),
];

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    QTree,
    SurfaceArgmax,
    Pooled,
    Paper,
    Spsa,
    Rspsa,
    Random,
}

/// A learner with its settings.
#[derive(Clone, PartialEq, Debug)]
pub enum LearnerSettings {
    /// A tree that plans on a surface fitted to every game; or, to compare, the surface alone.
    QTree(QTreeSettings),
    /// Rewards are mean scores of all games of a candidate against the incumbent.
    Pooled(PooledSettings),
    /// As the source prints it.
    Paper(PaperSettings),
    /// Simultaneous perturbation.
    Spsa(SpsaSettings),
    /// Simultaneous perturbation that follows signs.
    Rspsa(RspsaSettings),
    /// Random vectors, halved again and again.
    Random(RandomSettings),
}

impl LearnerSettings {
    /// The word for job files and people.
    pub fn kind(&self) -> &'static str {
        let kind = match self {
            LearnerSettings::QTree(settings) => match settings.decision {
                Decision::Tree => Kind::QTree,
                Decision::Argmax => Kind::SurfaceArgmax,
            },
            LearnerSettings::Pooled(_) => Kind::Pooled,
            LearnerSettings::Paper(_) => Kind::Paper,
            LearnerSettings::Spsa(_) => Kind::Spsa,
            LearnerSettings::Rspsa(_) => Kind::Rspsa,
            LearnerSettings::Random(_) => Kind::Random,
        };
        word(&KINDS, &kind)
    }

    /// Games of each trial.
    pub fn games_per_trial(&self) -> u32 {
        match self {
            LearnerSettings::Pooled(settings) => settings.tree.games_per_episode,
            LearnerSettings::Paper(settings) => settings.tree.games_per_episode,
            LearnerSettings::QTree(_) => q_tree::GAMES_PER_TRIAL,
            LearnerSettings::Spsa(_) => spsa::GAMES_PER_TRIAL,
            LearnerSettings::Rspsa(_) => rspsa::GAMES_PER_TRIAL,
            LearnerSettings::Random(_) => random::GAMES_PER_TRIAL,
        }
    }

    /// Whether one side is First in all games of a trial.
    pub fn plays_one_sided(&self) -> bool {
        matches!(self, LearnerSettings::Paper(_))
    }

    /// Games of each round, if every episode is played; None of a learner with a schedule, whose
    /// rounds divide the games of the tuning.
    pub fn games_per_round(&self) -> Option<u64> {
        let tree = match self {
            LearnerSettings::Pooled(settings) => &settings.tree,
            LearnerSettings::Paper(settings) => &settings.tree,
            LearnerSettings::QTree(_)
            | LearnerSettings::Spsa(_)
            | LearnerSettings::Rspsa(_)
            | LearnerSettings::Random(_) => {
                return None;
            }
        };
        Some(u64::from(tree.episodes) * u64::from(tree.games_per_episode))
    }

    /// Fewest games that a learner with a schedule can divide; None of one that plays on for as
    /// long as it may.
    pub fn schedule_games_min(&self) -> Option<u64> {
        match self {
            LearnerSettings::Pooled(_) | LearnerSettings::Paper(_) => None,
            LearnerSettings::QTree(_) => Some(u64::from(q_tree::GAMES_PER_TRIAL)),
            LearnerSettings::Spsa(_) => Some(u64::from(spsa::GAMES_PER_TRIAL)),
            LearnerSettings::Rspsa(settings) => Some(settings.games_min()),
            LearnerSettings::Random(settings) => Some(settings.games_min()),
        }
    }

    /// Rounds until every parameter was edited: a tree edits a pair a round, in turn.
    pub fn rounds_for_all(&self, space: &Space) -> u32 {
        match self {
            LearnerSettings::Pooled(_) | LearnerSettings::Paper(_) => {
                space.parameters.len().div_ceil(2) as u32
            }
            LearnerSettings::QTree(settings) if settings.directions == Directions::Pairs => {
                space.parameters.len().div_ceil(2) as u32
            }
            LearnerSettings::QTree(_)
            | LearnerSettings::Spsa(_)
            | LearnerSettings::Rspsa(_)
            | LearnerSettings::Random(_) => 1,
        }
    }

    /// The learner at its start. `games` is what the tuning may use in all, if that is limited:
    /// learners with a schedule divide it.
    ///
    /// # Panics
    /// If these settings, the space or the games were not checked; those of a job are.
    pub fn build(&self, seed: u64, space: &Space, games: Option<u64>) -> Box<dyn Optimiser> {
        let space = space.clone();
        let scheduled = || games.expect("a job of a learner with a schedule limits its games");
        match self {
            LearnerSettings::Pooled(settings) => boxed(Pooled::new(space, settings.clone(), seed)),
            LearnerSettings::Paper(settings) => boxed(Paper::new(space, settings.clone(), seed)),
            LearnerSettings::QTree(settings) => boxed(QTreeLearner::new(
                space,
                settings.clone(),
                seed,
                scheduled(),
            )),
            LearnerSettings::Spsa(settings) => boxed(Spsa::new(space, settings, seed, scheduled())),
            LearnerSettings::Rspsa(settings) => {
                boxed(Rspsa::new(space, settings.clone(), seed, scheduled()))
            }
            LearnerSettings::Random(settings) => {
                boxed(RandomSearch::new(space, settings, seed, scheduled()))
            }
        }
    }

    fn validate(&self) -> Result<(), SettingError> {
        match self {
            LearnerSettings::Pooled(settings) => settings.validate(),
            LearnerSettings::Paper(settings) => settings.validate(),
            LearnerSettings::QTree(settings) => settings.validate(),
            LearnerSettings::Spsa(settings) => settings.validate(),
            LearnerSettings::Rspsa(settings) => settings.validate(),
            LearnerSettings::Random(settings) => settings.validate(),
        }
    }

    /// The table that [`read`] reads back to the same settings.
    pub(super) fn to_table(&self) -> Table {
        let mut table = Table::new();
        table.insert("kind", value(self.kind()));
        match self {
            LearnerSettings::Pooled(settings) => tree::write_tree(&mut table, &settings.tree),
            LearnerSettings::Paper(settings) => tree::write_paper(&mut table, settings),
            LearnerSettings::QTree(settings) => write_q_tree(&mut table, settings),
            LearnerSettings::Spsa(settings) => {
                table.insert("c", value(settings.c));
                table.insert("r", value(settings.r));
                table.insert("gains", value(word(&GAINS, &settings.gains)));
            }
            LearnerSettings::Rspsa(settings) => {
                table.insert("iterations", value(i64::from(settings.iterations)));
                table.insert("step", value(settings.step));
                table.insert("c", value(settings.c));
            }
            LearnerSettings::Random(settings) => {
                table.insert("vectors", value(i64::from(settings.vectors)));
            }
        }
        table
    }
}

fn boxed<L: Optimiser + 'static>(learner: Result<L, LearnerError>) -> Box<dyn Optimiser> {
    Box::new(learner.expect("a job's learner settings, space and games were checked"))
}

fn word<T: PartialEq>(words: &[(&'static str, T)], wanted: &T) -> &'static str {
    let found = words.iter().find(|(_, candidate)| candidate == wanted);
    found
        .map(|(word, _)| *word)
        .expect("every variant has a word")
}

/// Reads the table.
pub(super) fn read(section: &Section<'_>) -> Result<LearnerSettings, ConfigError> {
    let kind = section.choice("kind", &KINDS)?.ok_or_else(|| {
        let kinds = KINDS.map(|(word, _)| format!("\"{word}\"")).join(", ");
        section.error("kind", format!("is missing; expected one of {kinds}"))
    })?;
    let settings = match kind {
        Kind::QTree => LearnerSettings::QTree(read_q_tree(section)?),
        Kind::SurfaceArgmax => {
            let default = QTreeSettings::default();
            LearnerSettings::QTree(QTreeSettings {
                loss_elo: number(section, "loss_elo", default.loss_elo)?,
                decision: Decision::Argmax,
                ..default
            })
        }
        Kind::Pooled => LearnerSettings::Pooled(tree::read_pooled(section)?),
        Kind::Paper => LearnerSettings::Paper(tree::read_paper(section)?),
        Kind::Spsa => {
            let default = SpsaSettings::default();
            LearnerSettings::Spsa(SpsaSettings {
                c: number(section, "c", default.c)?,
                r: number(section, "r", default.r)?,
                gains: section.choice("gains", &GAINS)?.unwrap_or(default.gains),
            })
        }
        Kind::Rspsa => {
            let default = RspsaSettings::default();
            LearnerSettings::Rspsa(RspsaSettings {
                iterations: whole(section, "iterations", default.iterations)?,
                step: number(section, "step", default.step)?,
                c: number(section, "c", default.c)?,
            })
        }
        Kind::Random => {
            let default = RandomSettings::default();
            LearnerSettings::Random(RandomSettings {
                vectors: whole(section, "vectors", default.vectors)?,
            })
        }
    };
    settings.validate().map_err(|error| {
        section.error(
            error.key,
            format!("is {}; it must be {}", error.value, error.allowed),
        )
    })?;
    section.check_no_strangers()?;
    Ok(settings)
}

/// A number whose range the settings themselves check; only NaN and infinities are refused here.
fn number(section: &Section<'_>, key: &str, default: f64) -> Result<f64, ConfigError> {
    Ok(section
        .number(key, -f64::MAX..=f64::MAX)?
        .unwrap_or(default))
}

fn whole(section: &Section<'_>, key: &str, default: u32) -> Result<u32, ConfigError> {
    Ok(section
        .integer(key, 0..=u64::from(u32::MAX))?
        .map_or(default, |whole| whole as u32))
}

const DIRECTIONS: [(&str, Directions); 2] = [
    ("composite", Directions::Composite),
    ("pairs", Directions::Pairs),
];

fn read_q_tree(section: &Section<'_>) -> Result<QTreeSettings, ConfigError> {
    let default = QTreeSettings::default();
    // `kappa = inf` is a number of TOML.
    let kappa = section.number("kappa", 0.0..=f64::INFINITY)?;
    let directions = section.choice("directions", &DIRECTIONS)?;
    Ok(QTreeSettings {
        epsilon: number(section, "epsilon", default.epsilon)?,
        alpha: number(section, "alpha", default.alpha)?,
        gamma: number(section, "gamma", default.gamma)?,
        kappa: kappa.unwrap_or(default.kappa),
        loss_elo: number(section, "loss_elo", default.loss_elo)?,
        directions: directions.unwrap_or(default.directions),
        decision: Decision::Tree,
    })
}

fn write_q_tree(table: &mut Table, settings: &QTreeSettings) {
    if settings.decision == Decision::Tree {
        table.insert("epsilon", value(settings.epsilon));
        table.insert("alpha", value(settings.alpha));
        table.insert("gamma", value(settings.gamma));
        table.insert("kappa", value(settings.kappa));
        table.insert("directions", value(word(&DIRECTIONS, &settings.directions)));
    }
    table.insert("loss_elo", value(settings.loss_elo));
}

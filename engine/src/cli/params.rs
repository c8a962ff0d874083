//! `engine params`: what can be tuned.

use std::io::{Write, stdout};
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use sixfold_engine::config::{self, EngineConfig};
use sixfold_engine::game::GameKind;
use sixfold_engine::params::{ParamSpec, all_specs};

use super::Done;
use super::positions::load;

/// Arguments of `params`.
#[derive(Args)]
pub(super) struct ParamsArguments {
    /// List the parameters of this configuration with their paths and values
    #[arg(long, value_name = "FILE", conflicts_with = "game")]
    config: Option<PathBuf>,
    /// List those of this game alone [default: all games, one after the other]
    #[arg(long, value_name = "GAME", value_parser = game)]
    game: Option<GameKind>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The game of this word.
fn game(text: &str) -> Result<GameKind, String> {
    let known = GameKind::WORDS.iter().find(|(word, _)| *word == text);
    known.map(|(_, kind)| *kind).ok_or_else(|| {
        let words = GameKind::WORDS.map(|(word, _)| word);
        format!("expected one of {}", words.join(", "))
    })
}

fn word_of(game: GameKind) -> &'static str {
    let known = GameKind::WORDS.iter().find(|(_, kind)| *kind == game);
    known.map_or("", |(word, _)| word)
}

#[derive(Serialize)]
struct ParamRow {
    game: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    name: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    scale: &'static str,
    default: f64,
    min: f64,
    max: f64,
    step: f64,
    unit: &'static str,
    meaning: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
}

impl ParamRow {
    fn new(game: GameKind, spec: ParamSpec, in_file: Option<(String, f64)>) -> ParamRow {
        let (path, value) = in_file.unzip();
        ParamRow {
            game: word_of(game),
            path,
            name: spec.name,
            kind: spec.kind(),
            scale: spec.scale.name(),
            default: spec.default,
            min: spec.min,
            max: spec.max,
            step: spec.step,
            unit: spec.unit,
            meaning: spec.meaning,
            value,
        }
    }
}

#[derive(Serialize)]
struct ChoiceRow {
    game: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    name: String,
    #[serde(rename = "type")]
    kind: &'static str,
    words: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'static str>,
}

impl ChoiceRow {
    fn of_config(game: GameKind, choice: config::Choice) -> ChoiceRow {
        let name = choice.path.rsplit('.').next().unwrap_or_default();
        ChoiceRow {
            game: word_of(game),
            name: name.to_owned(),
            kind: "choice",
            value: Some(choice.words[choice.place]),
            words: choice.words,
            path: Some(choice.path),
        }
    }

    fn of_key(game: GameKind, key: &str) -> ChoiceRow {
        ChoiceRow {
            game: word_of(game),
            path: None,
            name: key.to_owned(),
            kind: "choice",
            words: config::choice_words(key),
            value: None,
        }
    }
}

/// What can be tuned: of a configuration, or of a game.
struct Tunable {
    game: GameKind,
    rows: Vec<ParamRow>,
    choices: Vec<ChoiceRow>,
}

impl Tunable {
    fn of_config(config: &EngineConfig) -> Tunable {
        let game = config.game.kind();
        let parameters = config.parameters().into_iter();
        let choices = config.choices().into_iter();
        Tunable {
            game,
            rows: parameters
                .map(|it| ParamRow::new(game, it.spec, Some((it.path, it.value))))
                .collect(),
            choices: choices
                .map(|choice| ChoiceRow::of_config(game, choice))
                .collect(),
        }
    }

    fn of_game(game: GameKind) -> Tunable {
        let specs = all_specs(game).into_iter();
        Tunable {
            game,
            rows: specs.map(|spec| ParamRow::new(game, spec, None)).collect(),
            choices: config::choice_keys(game)
                .map(|key| ChoiceRow::of_key(game, key))
                .collect(),
        }
    }
}

/// Lists.
pub(super) fn run(arguments: &ParamsArguments) -> Done {
    let lists = match (&arguments.config, arguments.game) {
        (Some(path), _) => vec![Tunable::of_config(&load(path)?)],
        (None, Some(game)) => vec![Tunable::of_game(game)],
        (None, None) => GameKind::WORDS
            .map(|(_, game)| Tunable::of_game(game))
            .into(),
    };
    let mut out = stdout().lock();
    if arguments.json {
        let mut all = Vec::new();
        for list in &lists {
            for row in &list.rows {
                all.push(serde_json::to_value(row)?);
            }
            for row in &list.choices {
                all.push(serde_json::to_value(row)?);
            }
        }
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
        return Ok(());
    }
    for list in &lists {
        write_list(list, &mut out)?;
    }
    if arguments.config.is_none() {
        writeln!(
            out,
            "Paths are stages.STAGE.NAME; --config FILE lists those of a configuration."
        )?;
    }
    Ok(())
}

fn write_list(list: &Tunable, out: &mut impl Write) -> Done {
    writeln!(out, "{}", list.game)?;
    for row in &list.rows {
        let step = if row.scale == "log" {
            format!("x{}", row.step)
        } else {
            row.step.to_string()
        };
        let value = row
            .value
            .map_or(format!("default {}", row.default), |v| v.to_string());
        writeln!(
            out,
            "{:<38} {value:<12} {} to {}, step {step}, {} {}, {}\n    {}",
            row.path.as_deref().unwrap_or(row.name),
            row.min,
            row.max,
            row.scale,
            row.kind,
            row.unit,
            row.meaning,
        )?;
    }
    for row in &list.choices {
        writeln!(
            out,
            "{:<38} {:<12} a choice: {}",
            row.path.as_deref().unwrap_or(&row.name),
            row.value.unwrap_or_default(),
            row.words.join(", ")
        )?;
    }
    Ok(writeln!(out)?)
}

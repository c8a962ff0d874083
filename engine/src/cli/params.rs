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
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ParamRow<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
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

fn param_row<'a>(spec: ParamSpec, path: Option<&'a str>, value: Option<f64>) -> ParamRow<'a> {
    ParamRow {
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

#[derive(Serialize)]
struct ChoiceRow {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    name: String,
    #[serde(rename = "type")]
    kind: &'static str,
    words: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'static str>,
}

fn choice_rows(config: Option<&EngineConfig>) -> Vec<ChoiceRow> {
    let row = |path: Option<String>, name: &str, words, value| ChoiceRow {
        path,
        name: name.to_owned(),
        kind: "choice",
        words,
        value,
    };
    let of_config = |choice: config::Choice| {
        let name = choice
            .path
            .rsplit('.')
            .next()
            .unwrap_or_default()
            .to_owned();
        let value = choice.words[choice.place];
        row(Some(choice.path), &name, choice.words, Some(value))
    };
    match config {
        Some(config) => config.choices().into_iter().map(of_config).collect(),
        None => config::choice_keys(GameKind::DotsAndBoxes)
            .map(|key| row(None, key, config::choice_words(key), None))
            .collect(),
    }
}

/// Lists.
pub(super) fn run(arguments: &ParamsArguments) -> Done {
    let config = match &arguments.config {
        Some(path) => Some(load(path)?),
        None => None,
    };
    let parameters = config.as_ref().map(EngineConfig::parameters);
    let choices = choice_rows(config.as_ref());
    let rows: Vec<ParamRow<'_>> = match &parameters {
        Some(list) => list
            .iter()
            .map(|p| param_row(p.spec, Some(&p.path), Some(p.value)))
            .collect(),
        None => all_specs(GameKind::DotsAndBoxes)
            .into_iter()
            .map(|spec| param_row(spec, None, None))
            .collect(),
    };
    let mut out = stdout().lock();
    if arguments.json {
        let mut all = Vec::new();
        for row in &rows {
            all.push(serde_json::to_value(row)?);
        }
        for row in &choices {
            all.push(serde_json::to_value(row)?);
        }
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
        return Ok(());
    }
    for row in &rows {
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
            row.path.unwrap_or(row.name),
            row.min,
            row.max,
            row.scale,
            row.kind,
            row.unit,
            row.meaning,
        )?;
    }
    for row in &choices {
        writeln!(
            out,
            "{:<38} {:<12} a choice: {}",
            row.path.as_deref().unwrap_or(&row.name),
            row.value.unwrap_or_default(),
            row.words.join(", ")
        )?;
    }
    if parameters.is_none() {
        writeln!(
            out,
            "\nPaths are stages.STAGE.NAME; --config FILE lists those of a configuration."
        )?;
    }
    Ok(())
}

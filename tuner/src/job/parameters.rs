//! The tuned parameters of a job: read, checked against the engine and its text.

use sixfold_engine::config::{Choice, ConfigError, EngineConfig, Section};
use sixfold_engine::params::{ParamSpec, Scale as EngineScale};

use super::{EngineSource, rules};
use crate::export;
use crate::run::tuned::changes;
use crate::space::{Parameter, Scale, Space};

/// Most starts of stages that a job may tune: every corner of their ranges is checked.
const STAGE_STARTS_MAX: usize = 8;

/// The parameters of `[[parameters]]`.
pub(super) fn read_space(root: &Section<'_>, engine: &EngineConfig) -> Result<Space, ConfigError> {
    let sections = root.sections("parameters")?;
    if sections.len() < 2 {
        let problem = "has too few entries; a tree of edits needs at least two [[parameters]]";
        return Err(root.error("parameters", problem));
    }
    let mut parameters: Vec<Parameter> = Vec::with_capacity(sections.len());
    for section in &sections {
        let parameter = read_parameter(section, engine)?;
        if parameters.iter().any(|other| other.path == parameter.path) {
            let problem = format!("is \"{}\" a second time", parameter.path);
            return Err(section.error("path", problem));
        }
        parameters.push(parameter);
    }
    // The order of stages must hold at the start.
    let mut config = engine.clone();
    let starts: Vec<(&str, f64)> = parameters
        .iter()
        .map(|p| (p.path.as_str(), p.start))
        .collect();
    config
        .set(&starts)
        .map_err(|error| root.error("parameters", format!("start: {error}")))?;
    let space = rules::read(root, Space::new(parameters))?;
    check_starts_of_stages(root, engine, &space)?;
    Ok(space)
}

fn read_parameter(section: &Section<'_>, engine: &EngineConfig) -> Result<Parameter, ConfigError> {
    let path = section.required_text("path")?;
    if let Some(choice) = engine.choice(path) {
        return read_choice(section, &choice);
    }
    let known = engine.parameter(path).map_err(|error| {
        section.error(
            "path",
            format!("names `{}`, which {}", error.path, error.problem),
        )
    })?;
    let spec = known.spec;
    let bound = |key, default| -> Result<f64, ConfigError> {
        Ok(section.number(key, spec.min..=spec.max)?.unwrap_or(default))
    };
    let (min, max) = (bound("min", spec.min)?, bound("max", spec.max)?);
    if min >= max {
        return Err(section.error("max", format!("is {max}; expected more than min, {min}")));
    }
    let start = section.number("start", min..=max)?.unwrap_or(known.value);
    let scales = [("linear", EngineScale::Linear), ("log", EngineScale::Log)];
    let scale = section.choice("scale", &scales)?.unwrap_or(spec.scale);
    let step = read_step(section, &spec, scale)?;
    section.check_no_strangers()?;
    let scale = match scale {
        EngineScale::Linear => Scale::Linear,
        EngineScale::Log => Scale::Log,
    };
    let path = path.to_owned();
    let parameter = Parameter {
        path,
        scale,
        integer: spec.integer,
        step,
        min,
        max,
        start,
    };
    parameter
        .validate()
        .map_err(|error| section.error("path", format!("cannot be tuned: {error}")))?;
    Ok(parameter)
}

/// A parameter whose value is one of two words of the engine; of more, the job names two.
fn read_choice(section: &Section<'_>, choice: &Choice) -> Result<Parameter, ConfigError> {
    for key in ["min", "max", "step", "scale"] {
        if section.has(key) {
            let problem = "is of numbers, and this parameter is a choice of words; expected \
                           `words` and `start` only";
            return Err(section.error(key, problem));
        }
    }
    let known = &choice.words;
    let words = match section.texts("words")? {
        Some(words) => words,
        None if known.len() == 2 => known.clone(),
        None => {
            let problem = format!("is missing; expected two of {}", quoted(known));
            return Err(section.error("words", problem));
        }
    };
    let number = |key: &str, word: &str| {
        let number = choice.number_of(word);
        number.map_err(|problem| section.error(key, problem))
    };
    let mut numbers = Vec::new();
    for word in &words {
        numbers.push(number("words", word)?);
    }
    let &[one, other] = &numbers[..] else {
        let problem = format!(
            "holds {}; a job tunes a choice of two words: name two of {}, and compare others in \
             jobs of their own, or by `tuner match`",
            words.len(),
            quoted(known)
        );
        return Err(section.error("words", problem));
    };
    if one == other {
        let problem = format!("holds \"{}\" twice; expected two words", words[0]);
        return Err(section.error("words", problem));
    }
    let (min, max) = (one.min(other), one.max(other));
    let start = match section.text("start")? {
        Some(word) => number("start", word)?,
        None => choice.place as f64,
    };
    let pair = [min, max].map(|number| known[number as usize]);
    if start != min && start != max {
        let word = known[start as usize];
        let problem = format!("is \"{word}\"; expected one of {}", quoted(&pair));
        return Err(section.error("start", problem));
    }
    section.check_no_strangers()?;
    Ok(Parameter {
        path: choice.path.clone(),
        scale: Scale::Choice(pair),
        integer: true,
        step: max - min,
        min,
        max,
        start,
    })
}

fn quoted(words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    words.join(", ")
}

fn read_step(
    section: &Section<'_>,
    spec: &ParamSpec,
    scale: EngineScale,
) -> Result<f64, ConfigError> {
    let least = if spec.integer { 1.0 } else { 1e-6 };
    let range = match scale {
        EngineScale::Linear => least..=spec.max - spec.min,
        EngineScale::Log => 1.000_001..=1000.0,
    };
    match section.number("step", range)? {
        Some(step) => Ok(step),
        None if scale == spec.scale => Ok(spec.step),
        None => Err(section.error("step", "is missing; another scale needs a step of its own")),
    }
}

/// Values are written into the configuration's text after every round: each must have a place.
pub(super) fn check_exportable(
    root: &Section<'_>,
    engine: &EngineSource,
    space: &Space,
) -> Result<(), ConfigError> {
    let changes = changes(space, &space.start());
    for (section, change) in root.sections("parameters")?.iter().zip(changes) {
        export::apply(&engine.text, std::slice::from_ref(&change), &[]).map_err(|_| {
            let problem = format!(
                "names `{}`, which {} leaves at its default; write the key there with a value",
                change.0, engine.name
            );
            section.error("path", problem)
        })?;
    }
    Ok(())
}

/// Stages must stay in order wherever an edit can lead: at every end of the ranges of the stages'
/// starts, or where rules move such a vector, whatever the others are.
fn check_starts_of_stages(
    root: &Section<'_>,
    engine: &EngineConfig,
    space: &Space,
) -> Result<(), ConfigError> {
    let parameters = space.parameters.iter().enumerate();
    let starts: Vec<usize> = parameters
        .filter(|(_, parameter)| parameter.path.contains(".from."))
        .map(|(index, _)| index)
        .collect();
    if starts.len() > STAGE_STARTS_MAX {
        let problem = format!("tunes more than {STAGE_STARTS_MAX} starts of stages");
        return Err(root.error("parameters", problem));
    }
    for corner in 0..1_u32 << starts.len() {
        let mut vector = space.start();
        for (bit, index) in starts.iter().enumerate() {
            let Parameter { min, max, .. } = space.parameters[*index];
            vector.0[*index] = if corner >> bit & 1 == 0 { min } else { max };
        }
        let vector = space.repaired(vector);
        let ends = starts
            .iter()
            .map(|index| (space.parameters[*index].path.as_str(), vector.0[*index]));
        engine
            .clone()
            .set(&ends.collect::<Vec<_>>())
            .map_err(|error| {
                let problem = format!(
                    "may be edited into stages out of order: {error}; narrow min and max of the \
                     stages' starts so that they stay apart, or give them a rule with `apart`"
                );
                root.error("parameters", problem)
            })?;
    }
    Ok(())
}

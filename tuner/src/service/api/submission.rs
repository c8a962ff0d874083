//! A job that is handed in: as TOML, or within JSON.

use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use sixfold_tuner::job::Job;
use sixfold_tuner::queue::LABEL_CHARS_MAX;
use toml_edit::{Array, DocumentMut, InlineTable, Item};
use utoipa::{IntoParams, ToSchema};

use super::extract::Body;
use super::problem::Problem;
use crate::service::configurations::Configurations;

/// How messages name the job.
const FILE: &str = "job";
/// Deepest nesting of a job as JSON; a job has three levels.
const DEPTH_MAX: usize = 16;

/// A job as JSON, with what else its submitter says.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Submission {
    /// The job with the keys of a job file. `engine.config` and `reference.config` name
    /// configurations of the service, or `text` and `name` give one.
    #[schema(value_type = Option<Object>)]
    job: Option<Value>,
    /// The job as the text of a job file; instead of `job`.
    toml: Option<String>,
    /// What to call the run: free text of at most 200 characters.
    label: Option<String>,
    /// Whether it waits until it is resumed.
    #[serde(default)]
    paused: bool,
}

/// What else the submitter of a job as TOML says.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SubmissionOptions {
    /// What to call the run: free text of at most 200 characters.
    label: Option<String>,
    /// `paused` to let it wait until it is resumed; `queued` otherwise.
    start: Option<Start>,
}

/// Whether a run begins by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Start {
    Queued,
    Paused,
}

/// A job that was read, with what its submitter said.
#[derive(Debug)]
pub(super) struct Submitted {
    pub(super) job: Job,
    pub(super) label: Option<String>,
    pub(super) paused: bool,
}

/// Reads what was handed in.
pub(super) fn read(
    body: &Body,
    options: SubmissionOptions,
    configurations: &Configurations,
) -> Result<Submitted, Problem> {
    let (text, label, paused) = match body.kind.as_str() {
        "application/json" => {
            if options.label.is_some() || options.start.is_some() {
                let detail = "label and start are options of a job as TOML; JSON has keys for them";
                return Err(Problem::bad_request(detail));
            }
            let submission: Submission = serde_json::from_str(&body.text)
                .map_err(|error| Problem::unusable(format!("the body: {error}")))?;
            (text_of(&submission)?, submission.label, submission.paused)
        }
        "application/toml" | "text/plain" | "" => {
            let paused = options.start == Some(Start::Paused);
            (body.text.clone(), options.label, paused)
        }
        _ => {
            let detail = "a job is application/toml or application/json";
            let status = axum::http::StatusCode::UNSUPPORTED_MEDIA_TYPE;
            return Err(Problem::new(status, detail));
        }
    };
    let length = label.as_ref().map_or(0, |label| label.chars().count());
    if length > LABEL_CHARS_MAX {
        return Err(Problem::unusable(format!(
            "label has {length} characters; at most {LABEL_CHARS_MAX} are allowed"
        )));
    }
    let find = |name: &str| configurations.find(name);
    let job = Job::parse_with(Path::new(FILE), &text, &find)
        .map_err(|error| Problem::unusable(error.to_string()))?;
    Ok(Submitted { job, label, paused })
}

fn text_of(submission: &Submission) -> Result<String, Problem> {
    match (&submission.job, &submission.toml) {
        (Some(job), None) => to_toml(job).map_err(Problem::unusable),
        (None, Some(text)) => Ok(text.clone()),
        _ => Err(Problem::unusable("give either `job` or `toml`")),
    }
}

/// A JSON object as TOML.
fn to_toml(job: &Value) -> Result<String, String> {
    let Value::Object(entries) = job else {
        return Err("`job` is not an object".to_owned());
    };
    let mut document = DocumentMut::new();
    for (key, entry) in entries {
        let value = value_of(entry, key, 0)?;
        document.insert(key, Item::Value(value));
    }
    Ok(document.to_string())
}

fn value_of(value: &Value, path: &str, depth: usize) -> Result<toml_edit::Value, String> {
    if depth > DEPTH_MAX {
        return Err(format!("job.{path} is nested too deeply"));
    }
    match value {
        Value::Null => Err(format!("job.{path} is null; leave the key out instead")),
        Value::Bool(flag) => Ok((*flag).into()),
        Value::String(text) => Ok(text.as_str().into()),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Ok(whole.into()),
            (None, Some(real)) if number.is_f64() => Ok(real.into()),
            _ => Err(format!("job.{path} is {number}, which is out of range")),
        },
        Value::Array(entries) => {
            let mut array = Array::new();
            for entry in entries {
                array.push(value_of(entry, path, depth + 1)?);
            }
            Ok(array.into())
        }
        Value::Object(entries) => {
            let mut table = InlineTable::new();
            for (key, entry) in entries {
                let path = format!("{path}.{key}");
                table.insert(key, value_of(entry, &path, depth + 1)?);
            }
            Ok(table.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn configs() -> (std::path::PathBuf, Configurations) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../configs");
        let configurations = Configurations::read(Some(&folder)).unwrap();
        (folder, configurations)
    }

    fn body(kind: &str, text: impl Into<String>) -> Body {
        Body {
            kind: kind.to_owned(),
            text: text.into(),
        }
    }

    fn refusal(kind: &str, text: &str) -> String {
        let read = read(
            &body(kind, text),
            SubmissionOptions::default(),
            &configs().1,
        );
        format!("{:?}", read.unwrap_err())
    }

    /// A TOML value as JSON, the slow way: by the text that each would be written as.
    fn to_json(item: &toml_edit::Value) -> Value {
        match item {
            toml_edit::Value::String(it) => json!(it.value()),
            toml_edit::Value::Integer(it) => json!(it.value()),
            toml_edit::Value::Float(it) => json!(it.value()),
            toml_edit::Value::Boolean(it) => json!(it.value()),
            toml_edit::Value::Array(it) => it.iter().map(to_json).collect(),
            toml_edit::Value::InlineTable(it) => {
                let entries = it
                    .iter()
                    .map(|(key, value)| (key.to_owned(), to_json(value)));
                Value::Object(entries.collect())
            }
            toml_edit::Value::Datetime(_) => panic!("a job has no dates"),
        }
    }

    #[test]
    fn every_shipped_job_is_the_same_from_its_file_as_toml_and_as_json() {
        let (folder, configurations) = configs();
        for entry in std::fs::read_dir(folder.join("jobs")).unwrap() {
            let path = entry.unwrap().path();
            let from_file = Job::load(&path).unwrap();
            let text = std::fs::read_to_string(&path).unwrap();
            let as_toml = body("application/toml", text.as_str());
            let options = SubmissionOptions::default;
            let read_toml = read(&as_toml, options(), &configurations).unwrap();
            assert_eq!(read_toml.job.to_toml(), from_file.to_toml(), "{path:?}");
            let mut document: DocumentMut = text.parse().unwrap();
            let table = std::mem::take(document.as_table_mut()).into_inline_table();
            let job = to_json(&toml_edit::Value::InlineTable(table));
            let submission = json!({ "job": job, "label": "a", "paused": true });
            let as_json = body("application/json", submission.to_string());
            let read_json = read(&as_json, options(), &configurations).unwrap();
            assert_eq!(read_json.job.to_toml(), from_file.to_toml(), "{path:?}");
            assert_eq!(
                (read_json.label.as_deref(), read_json.paused),
                (Some("a"), true)
            );
        }
    }

    #[test]
    fn what_is_wrong_with_a_job_is_said_as_check_says_it() {
        let said = refusal("application/toml", "format = 1\nseed = -1\n");
        assert!(said.contains("job:2") && said.contains("seed"), "{said}");
        let said = refusal("application/json", r#"{"job":{"format":1,"seed":null}}"#);
        assert!(said.contains("job.seed is null"), "{said}");
        let said = refusal("application/json", r#"{"job":{},"toml":""}"#);
        assert!(said.contains("either"), "{said}");
        let said = refusal("application/json", r#"{"job":[],"x":1}"#);
        assert!(said.contains("unknown field"), "{said}");
        let said = refusal("application/json", r#"{"job":{"seed":1e400}}"#);
        assert!(said.contains("the body"), "{said}");
        assert!(refusal("image/png", "").contains("415"));
    }

    #[test]
    fn a_job_from_elsewhere_opens_no_file() {
        let engine = |named: &str| {
            let text = format!("format = 1\nseed = 1\n[engine]\nconfig = \"{named}\"\n");
            refusal("application/toml", &text)
        };
        for named in ["/etc/passwd", "../../Cargo.toml", "nowhere"] {
            let said = engine(named);
            assert!(said.contains("has no configuration"), "{said}");
        }
    }

    #[test]
    fn labels_are_short() {
        let label = "ä".repeat(LABEL_CHARS_MAX + 1);
        let text = json!({ "toml": "", "label": label }).to_string();
        let said = refusal("application/json", &text);
        assert!(said.contains("201 characters"), "{said}");
    }

    #[test]
    fn deep_nesting_is_refused_before_it_hurts() {
        let deep = "[".repeat(100) + &"]".repeat(100);
        let text = format!("{{\"job\":{{\"a\":{deep}}}}}");
        let said = refusal("application/json", &text);
        assert!(said.contains("too deeply"), "{said}");
    }
}

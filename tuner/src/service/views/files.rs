//! What lies in a run's folder: its log and the evidence of failed games.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::page::Page;
use crate::service::reading::Reading;
use crate::workspace::evidence;
use crate::workspace::exit::Failure;

/// A line of the log.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct LogLineView {
    /// Null of a line that is not whole.
    pub(crate) time: Option<String>,
    pub(crate) level: Option<String>,
    /// The message; of a line that is no record, the line.
    pub(crate) message: String,
    #[schema(value_type = Object)]
    pub(crate) fields: Map<String, Value>,
}

/// Evidence of failed games.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct FailuresView {
    pub(crate) items: Vec<FailureFileView>,
}

/// A file of evidence.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct FailureFileView {
    pub(crate) file: String,
    pub(crate) said: String,
}

/// Lines of the log from one on, the oldest that is kept first.
///
/// # Errors
/// What the system says.
pub(crate) fn log(
    reading: &Reading,
    first: usize,
    limit: usize,
) -> std::io::Result<Page<LogLineView>> {
    let newest = reading.folder().log();
    let (mut items, mut total) = (Vec::new(), 0);
    for path in [newest.with_extension("1.jsonl"), newest] {
        read_lines(&path, |line| {
            if total >= first && items.len() < limit {
                items.push(log_line(line));
            }
            total += 1;
        })?;
    }
    Ok(Page::of(items, first, total))
}

fn read_lines(path: &Path, mut take: impl FnMut(&str)) -> std::io::Result<()> {
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        file => file?,
    };
    let (mut source, mut line) = (BufReader::new(file), Vec::new());
    loop {
        line.clear();
        if source.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end();
        if !text.is_empty() {
            take(text);
        }
    }
}

fn log_line(line: &str) -> LogLineView {
    let record: Map<String, Value> = serde_json::from_str(line).unwrap_or_default();
    let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let mut fields = match record.get("fields") {
        Some(Value::Object(fields)) => fields.clone(),
        _ => Map::new(),
    };
    let message = text(fields.remove("message").as_ref());
    LogLineView {
        time: text(record.get("timestamp")),
        level: text(record.get("level")),
        message: message.unwrap_or_else(|| line.to_owned()),
        fields,
    }
}

/// The files of evidence.
///
/// # Errors
/// What the system says.
pub(crate) fn failures(reading: &Reading) -> Result<FailuresView, Failure> {
    let files = evidence::list(&reading.folder().failures())?.into_iter();
    let view = |it: sixfold_tuner::report::FailedGame| FailureFileView {
        file: it.file,
        said: it.said,
    };
    Ok(FailuresView {
        items: files.map(view).collect(),
    })
}

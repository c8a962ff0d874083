//! Event streams (SSE): what happens to a run, and to all of them.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use serde::Deserialize;
use sixfold_tuner::store::folder::RunFolder;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio_stream::wrappers::ReceiverStream;
use utoipa::IntoParams;

use super::blocking;
use super::extract::{Options, RunId};
use super::problem::Problem;
use super::session::ServiceView;
use crate::service::Service;
use crate::service::streams::{Line, STREAMS_MAX};
use crate::service::views::row::RunRow;

/// Events that may wait for a slow listener.
const WAITING_MAX: usize = 64;
/// How often rows are looked at.
const ROWS_APART: Duration = Duration::from_secs(1);
/// How often a stream says that it is still there.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// A stream of events.
type Stream = Sse<axum::response::sse::KeepAliveStream<ReceiverStream<Result<Event, Infallible>>>>;

/// The end of a stream that is written to. What is sent is lost once its listener has left.
struct Pen {
    events: mpsc::Sender<Result<Event, Infallible>>,
    _permit: OwnedSemaphorePermit,
}

/// The listener has left.
struct Left;

impl Pen {
    async fn write(&self, event: Event) -> Result<(), Left> {
        self.events.send(Ok(event)).await.map_err(|_| Left)
    }

    async fn line(&self, line: &Line) -> Result<(), Left> {
        let event = Event::default().id(line.number.to_string());
        self.write(event.event(line.kind).data(&line.data)).await
    }

    async fn row(&self, kind: &str, row: &RunRow) -> Result<(), Left> {
        let text = serde_json::to_string(row).expect("a row is plain data");
        self.write(Event::default().event(kind).data(text)).await
    }
}

fn stream(service: &Service) -> Result<(Pen, Stream), Problem> {
    let permit = Arc::clone(&service.streams.permits).try_acquire_owned();
    let permit = permit.map_err(|_| {
        let detail = format!("{STREAMS_MAX} streams are open, and that is the most");
        Problem::new(StatusCode::TOO_MANY_REQUESTS, detail)
    })?;
    let (events, receiver) = mpsc::channel(WAITING_MAX);
    let pen = Pen {
        events,
        _permit: permit,
    };
    let alive = KeepAlive::new().interval(KEEP_ALIVE);
    let stream = Sse::new(ReceiverStream::new(receiver)).keep_alive(alive);
    Ok((pen, stream))
}

/// Where a stream begins.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct After {
    /// Line of the journal after which to begin, 0 for its beginning; without it, and without the
    /// header `Last-Event-ID`, only what happens from now on.
    after: Option<u64>,
}

/// What happens to a run: `trial`, `round`, `batch` and `other`, each with the number of its line
/// in the journal as id, and `state` with the run's row whenever that changes.
#[utoipa::path(get, path = "/runs/{id}/events", tag = "events", params(
    ("id" = String, Path, description = "Name of the run"), After,
    ("Last-Event-ID" = Option<u64>, Header, description = "Line of the last event that is known"),
    ), responses(
    (status = 200, body = String, content_type = "text/event-stream"),
    (status = 400, body = Problem, content_type = "application/problem+json"),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 404, body = Problem, content_type = "application/problem+json"),
    (status = 409, body = Problem, content_type = "application/problem+json"),
    (status = 429, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn of_run(
    State(service): State<Arc<Service>>,
    RunId(run): RunId,
    Options(options): Options<After>,
    headers: HeaderMap,
) -> Result<Stream, Problem> {
    let known = match headers.get("last-event-id") {
        Some(text) => {
            let line = text.to_str().ok().and_then(|text| text.parse().ok());
            let wrong = || Problem::bad_request("Last-Event-ID is not a line of the journal");
            Some(line.ok_or_else(wrong)?)
        }
        None => options.after,
    };
    let folder = RunFolder::open_named(&service.settings.runs, &run)?;
    drop(folder);
    let (pen, stream) = stream(&service)?;
    tokio::spawn(tell_run(service, run, known, pen));
    Ok(stream)
}

/// Tells of a run until its listener leaves or the service ends.
async fn tell_run(service: Arc<Service>, run: String, known: Option<u64>, pen: Pen) {
    let mut ending = service.ending.clone();
    tokio::select! {
        _ = ending.wait_for(|ends| *ends) => {}
        _ = told_run(service, run, known, &pen) => {}
    }
}

async fn row_of(service: &Arc<Service>, run: &str) -> Option<RunRow> {
    let (service, run) = (Arc::clone(service), run.to_owned());
    let row = blocking(move || Ok(service.rows.row(&run)?)).await;
    row.ok()
}

async fn told_run(
    service: Arc<Service>,
    run: String,
    known: Option<u64>,
    pen: &Pen,
) -> Result<(), Left> {
    // In this order nothing falls between: what is not in the journal now, is heard later.
    let mut heard = service.streams.listen(&run);
    let mut row = row_of(&service, &run).await.ok_or(Left)?;
    let mut told = known.map_or(row.events, |known| known.min(row.events));
    told = catch_up(&service, &run, told, row.events, pen).await?;
    pen.row("state", &row).await?;
    let mut tick = tokio::time::interval(ROWS_APART);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            line = heard.recv() => match line {
                Ok(line) if line.number > told => {
                    if line.number > told + 1 {
                        catch_up(&service, &run, told, line.number - 1, pen).await?;
                    }
                    pen.line(&line).await?;
                    told = line.number;
                }
                Ok(_) => {}
                Err(RecvError::Lagged(_)) => {
                    told = catch_up(&service, &run, told, u64::MAX, pen).await?;
                }
                Err(RecvError::Closed) => return Err(Left),
            },
            _ = tick.tick() => {
                let next = row_of(&service, &run).await.ok_or(Left)?;
                if next != row {
                    pen.row("state", &next).await?;
                    row = next;
                }
            }
            () = pen.events.closed() => return Err(Left),
        }
    }
}

/// Tells the lines after `told`, up to `end`, from the journal itself; the last that was told.
async fn catch_up(
    service: &Arc<Service>,
    run: &str,
    told: u64,
    end: u64,
    pen: &Pen,
) -> Result<u64, Left> {
    if told >= end {
        return Ok(told);
    }
    let (own, name) = (Arc::clone(service), run.to_owned());
    let lines = blocking(move || Ok(own.streams.lines(&name, told)?)).await;
    let mut last = told;
    for line in lines.map_err(|_| Left)? {
        if line.number <= end {
            pen.line(&line).await?;
            last = line.number;
        }
    }
    Ok(last)
}

/// What happens to all runs: `run` with the row of a run that has changed, and `service` with how
/// the service stands.
#[utoipa::path(get, path = "/events", tag = "events", responses(
    (status = 200, body = String, content_type = "text/event-stream"),
    (status = 401, body = Problem, content_type = "application/problem+json"),
    (status = 429, body = Problem, content_type = "application/problem+json"),
))]
pub(super) async fn of_all(State(service): State<Arc<Service>>) -> Result<Stream, Problem> {
    let (pen, stream) = stream(&service)?;
    tokio::spawn(async move {
        let mut ending = service.ending.clone();
        tokio::select! {
            _ = ending.wait_for(|ends| *ends) => {}
            _ = told_all(&service, &pen) => {}
        }
    });
    Ok(stream)
}

async fn told_all(service: &Arc<Service>, pen: &Pen) -> Result<(), Left> {
    let mut rows: BTreeMap<String, RunRow> = BTreeMap::new();
    let mut stands = None;
    let mut tick = tokio::time::interval(ROWS_APART);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = tick.tick() => {}
            () = pen.events.closed() => return Err(Left),
        }
        let now = ServiceView::of(service);
        if stands.as_ref() != Some(&now) {
            let text = serde_json::to_string(&now).expect("a view is plain data");
            pen.write(Event::default().event("service").data(text))
                .await?;
            stands = Some(now);
        }
        let all = Arc::clone(service);
        let next = blocking(move || Ok(all.all_rows()))
            .await
            .map_err(|_| Left)?;
        for row in next.iter() {
            if rows.get(&row.id) != Some(row) {
                pen.row("run", row).await?;
                rows.insert(row.id.clone(), row.clone());
            }
        }
    }
}

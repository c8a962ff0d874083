//! A run in the list: how it stands, in a line.

use serde::Serialize;
use serde_json::Value;
use sixfold_tuner::job::Job;
use sixfold_tuner::queue::State;
use sixfold_tuner::run::summary::Summary;
use sixfold_tuner::store::identity::RunIdentity;
use utoipa::ToSchema;

use crate::workspace::show::{json_value, word};
use crate::workspace::words::game_words;

/// Who has a run in hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Driver {
    /// A worker of this service.
    Service,
    /// Another process, such as `tuner run` in a terminal.
    Terminal,
}

/// What a run is at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Phase {
    /// Nothing has been played.
    Fresh,
    /// It looks for better values.
    Tuning,
    /// It plays a verification.
    Verifying,
    /// Its newest verification is over.
    Finished,
}

/// What the queue says of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct QueuePart {
    /// What its submitter calls it.
    pub(crate) label: String,
    /// Its state.
    pub(crate) state: State,
    /// Why it failed or waits.
    pub(crate) reason: Option<String>,
    /// Who has it in hand.
    pub(crate) driver: Option<Driver>,
    /// Its place among those that wait, from 1.
    pub(crate) place: Option<usize>,
    /// When it was handed in.
    pub(crate) submitted: Option<String>,
}

/// How fast a run is.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Speed {
    /// Games a second over the last minute or so; None while it is not known.
    pub(crate) games_per_s: Option<f64>,
}

/// What was read of a run for its row.
pub(crate) struct RowSource<'a> {
    pub(crate) job: &'a Job,
    pub(crate) identity: &'a RunIdentity,
    pub(crate) summary: &'a Summary,
    /// Lines of its journal.
    pub(crate) events: u64,
    pub(crate) speed: Speed,
}

/// A parameter in a row.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub(crate) struct RowParameter {
    /// Path in the configuration.
    path: String,
    /// Value before: a number, or the word of a choice.
    before: Value,
    /// Value now, of the same kind.
    now: Value,
}

/// A run in the list. Of a run that cannot be read most is null.
#[derive(Clone, PartialEq, Debug, Default, Serialize, ToSchema)]
pub(crate) struct RunRow {
    /// Its name, which the service makes.
    #[schema(example = "dots-quick")]
    pub(crate) id: String,
    /// What its submitter calls it: free text.
    label: String,
    /// `waiting`, `running`, `paused`, `completed`, `failed` or `cancelled`.
    pub(crate) state: &'static str,
    /// Why it failed, or why it waits.
    reason: Option<String>,
    /// Who has it in hand; null when nobody has.
    driver: Option<Driver>,
    /// Its place among those that wait, from 1.
    place: Option<usize>,
    /// When it was handed in, or started in a terminal.
    submitted: Option<String>,
    /// Its game with the board.
    #[schema(example = "dots and boxes 5x5")]
    game: Option<String>,
    /// Kind of its learner.
    learner: Option<&'static str>,
    /// Its seed.
    seed: Option<u64>,
    /// What it is at.
    phase: Option<Phase>,
    /// What it tunes.
    parameters: Vec<RowParameter>,
    /// Rounds finished.
    rounds: usize,
    /// Null where only the games are limited.
    rounds_planned: Option<u32>,
    /// Games of the tuning.
    games: u64,
    /// Null where only the rounds are limited.
    games_planned: Option<u64>,
    /// Games of the tuning and of verifications.
    games_all: u64,
    /// Over the last minute or so; null while nothing is played.
    games_per_s: Option<f64>,
    /// Until the tuning has used its games up; null where that is not known.
    seconds_left: Option<f64>,
    /// Elo over the start, from the newest verification's measurement.
    elo: Option<f64>,
    /// Its 95 % interval.
    elo_95: Option<[f64; 2]>,
    /// `accepted`, `rejected` or `undecided`; null before that.
    verdict: Option<&'static str>,
    /// Lines of its journal.
    pub(crate) events: u64,
    /// Why the run cannot be read.
    error: Option<String>,
}

impl RunRow {
    /// The row of a run.
    pub(crate) fn of(id: &str, source: &RowSource<'_>, queue: QueuePart) -> Self {
        let (job, summary) = (source.job, source.summary);
        let start = job.space.start();
        let now = summary.incumbent().unwrap_or(&start);
        let last = summary.last_attempt();
        let measured = last.and_then(|attempt| attempt.measured.pentanomial.elo().estimate());
        let is_running = queue.state == State::Running;
        let games_per_s = source.speed.games_per_s.filter(|_| is_running);
        let phase = phase(summary, source.events);
        let planned = job.stop.games;
        let left = planned.map(|planned| planned.saturating_sub(summary.games));
        let speed = games_per_s.filter(|speed| *speed > 0.0 && phase != Phase::Verifying);
        let parameters = job.space.parameters.iter().zip(&now.0);
        let parameters = parameters.map(|(parameter, &now)| RowParameter {
            path: parameter.path.clone(),
            before: json_value(parameter, parameter.start),
            now: json_value(parameter, now),
        });
        Self {
            game: Some(game_words(job.engine.config.game)),
            learner: Some(job.learner.kind()),
            seed: Some(job.seed),
            phase: Some(phase),
            parameters: parameters.collect(),
            rounds: summary.rounds.len(),
            rounds_planned: job.stop.rounds,
            games: summary.games,
            games_planned: planned,
            games_all: summary.spent().total(),
            games_per_s,
            seconds_left: left.zip(speed).map(|(left, speed)| left as f64 / speed),
            elo: measured.map(|estimate| estimate.elo),
            elo_95: measured.map(|estimate| estimate.elo_95),
            verdict: last.and_then(|attempt| attempt.verdict).map(word),
            events: source.events,
            submitted: Some(source.identity.started.clone()),
            ..Self::default()
        }
        .with(id, queue)
    }

    /// The row of a run that cannot be read.
    pub(crate) fn unreadable(id: &str, error: String, queue: QueuePart) -> Self {
        Self {
            error: Some(error),
            ..Self::default()
        }
        .with(id, queue)
    }

    /// The run in a line, for people.
    pub(crate) fn line(&self) -> String {
        let id = &self.id;
        if let Some(error) = &self.error {
            return format!("{id:<24} unreadable: {error}");
        }
        let place = self.place.map(|place| format!(" ({place})"));
        let state = format!("{}{}", self.state, place.unwrap_or_default());
        let planned = self.rounds_planned.map(|planned| format!(" of {planned}"));
        let elo = match (self.elo, self.elo_95) {
            (Some(elo), Some([low, high])) => format!("{elo:+.1} Elo [{low:+.1}, {high:+.1}]"),
            _ => "-".to_owned(),
        };
        let mut line = format!(
            "{id:<24} {state:<12} round {:>3}{:<7} {:>8} games  {}  {elo}",
            self.rounds,
            planned.unwrap_or_default(),
            self.games,
            self.verdict.unwrap_or("not verified"),
        );
        if let Some(speed) = self.games_per_s {
            line.push_str(&format!("  {speed:.0} games/s"));
        }
        if let Some(reason) = &self.reason {
            line.push_str(&format!("  {reason}"));
        }
        line
    }

    fn with(self, id: &str, queue: QueuePart) -> Self {
        Self {
            id: id.to_owned(),
            label: queue.label,
            state: queue.state.word(),
            reason: queue.reason,
            driver: queue.driver,
            place: queue.place,
            submitted: queue.submitted.or(self.submitted),
            ..self
        }
    }
}

fn phase(summary: &Summary, events: u64) -> Phase {
    match summary.last_attempt() {
        Some(attempt) if attempt.verdict.is_some() => Phase::Finished,
        Some(_) => Phase::Verifying,
        None if summary.stop_reason.is_some() => Phase::Verifying,
        None if events == 0 => Phase::Fresh,
        None => Phase::Tuning,
    }
}

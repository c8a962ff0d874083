//! A run for people and for programs: one view, rendered as text or JSON.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;
use sixfold_tuner::event::{StopReason, Verdict};
use sixfold_tuner::job::Job;
use sixfold_tuner::outlook::Outlook;
use sixfold_tuner::run::drift_words;
use sixfold_tuner::run::state::RunState;
use sixfold_tuner::run::summary::{Attempt, DroppedBy, Summary};
use sixfold_tuner::run::tuned::{SAME_AS_START, strength};
use sixfold_tuner::space::{Parameter, Vector};
use sixfold_tuner::stats::{Looks, MatchElo, Sprt};
use sixfold_tuner::store::folder::RunFolder;
use sixfold_tuner::trial::TrialResult;
use utoipa::ToSchema;

use super::evidence;
use super::exit::Failure;
use super::legs::LadderView;
use super::outlook::{OutlookView, SpentView, word as word_of_parameter};

/// Words for what an estimate is.
const FIXED_GAMES: &str = "fixed_games";
const CORRECTED: &str = "sequential_corrected";
/// Vectors whose dropped pairs the text for people lists.
const DROPPED_SHOWN: usize = 5;

/// What there is to say about a run.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct View {
    pub(crate) name: String,
    /// `running`, `interrupted` or `completed`.
    pub(crate) state: &'static str,
    pub(crate) seed: u64,
    pub(crate) rounds: usize,
    /// Null where only the games are limited.
    pub(crate) rounds_planned: Option<u32>,
    /// Games of the tuning.
    pub(crate) games: u64,
    /// Null where only the rounds are limited.
    pub(crate) games_planned: Option<u64>,
    /// Why the tuning ended: `rounds`, `games`, `converged` or `small_gain`; null before that.
    pub(crate) stop_reason: Option<&'static str>,
    #[serde(skip)]
    stop_gain_elo: Option<f64>,
    /// Pairs that failed and were played again.
    pub(crate) dropped_pairs: u64,
    /// Those pairs by the vectors that played in them; the most first.
    pub(crate) dropped_by_vector: Vec<DroppedView>,
    /// Files of evidence of failed games, those of a batch that was never stored too.
    pub(crate) failure_files: usize,
    #[serde(skip)]
    failures: String,
    pub(crate) parameters: Vec<ParameterView>,
    /// What the games of the tuning say about the values; null where there are none that do.
    pub(crate) outlook: Option<OutlookView>,
    /// Games of the tuning in which one vector was First throughout: an outlook does without.
    #[serde(skip_serializing_if = "is_zero")]
    pub(crate) one_sided_games: u64,
    pub(crate) spent: SpentView,
    /// Such as `200 simulations a move`; of the verification, where the tuning is at several.
    pub(crate) budget: String,
    /// Left out where the tuning is at one budget.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) ladder: Option<LadderView>,
    /// Elo over the start, from the newest verification's measurement; null before it.
    pub(crate) elo: Option<f64>,
    pub(crate) elo_95: Option<[f64; 2]>,
    pub(crate) verdict: Option<&'static str>,
    pub(crate) verified: bool,
    /// Whether verifications have not accepted the result, so that the start's values stay.
    pub(crate) keeps_start: bool,
    pub(crate) verifications: Vec<AttemptView>,
}

/// Dropped pairs that a vector played in.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DroppedView {
    pub(crate) values: BTreeMap<String, Value>,
    pub(crate) pairs: u64,
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ParameterView {
    pub(crate) path: String,
    /// A number, or the word of a choice, as is `now`.
    pub(crate) before: Value,
    pub(crate) now: Value,
    /// Whether the value stands at the end of its range.
    pub(crate) at_bound: bool,
    /// The smallest and the largest value that was played; null without an outlook.
    pub(crate) played: Option<[f64; 2]>,
    /// Where the best of these is with a probability of 95 %; once values are extrapolated to the
    /// budget of matches, where the best is there.
    pub(crate) best_95: Option<[f64; 2]>,
    /// `measured`, `at_bound`, `no_measurable_effect` or `not_known_yet`.
    pub(crate) verdict: Option<&'static str>,
    #[serde(skip)]
    verdict_words: &'static str,
    /// Value before, value now and where the best is, for people.
    #[serde(skip)]
    texts: [String; 3],
}

#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AttemptView {
    pub(crate) attempt: u32,
    pub(crate) verdict: Option<&'static str>,
    /// Error rates of this attempt's test.
    pub(crate) alpha: f64,
    pub(crate) beta: f64,
    pub(crate) nelo_bounds: [f64; 2],
    /// The games of the test; their strength is corrected for where it stopped.
    pub(crate) decision: MatchView,
    pub(crate) llr: f64,
    pub(crate) llr_bounds: [f64; 2],
    pub(crate) against_start: MatchView,
    pub(crate) start_against_reference: Option<MatchView>,
    pub(crate) tuned_against_reference: Option<MatchView>,
    /// Why nothing was played, where there is nothing to verify.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<&'static str>,
}

/// A match for programs.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MatchView {
    pub(crate) games: u64,
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    pub(crate) pentanomial: [u64; 5],
    pub(crate) elo: Option<f64>,
    pub(crate) elo_95: Option<[f64; 2]>,
    pub(crate) nelo: Option<f64>,
    pub(crate) los: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    /// What the estimate is: for a fixed number of games, or corrected for the sequential test that
    /// stopped them.
    pub(crate) estimate: &'static str,
    #[serde(skip)]
    text: String,
}

impl MatchView {
    /// The games of a sequential test: their strength is the one corrected for where it stopped.
    pub(crate) fn of_test(result: &TrialResult, test: &Sprt, looks: Looks) -> MatchView {
        let view = Self::of(result);
        let games = result.wdl.games();
        match test.corrected_of_pairs(&result.pentanomial, looks) {
            Ok(corrected) => {
                let [low, high] = corrected.elo_95;
                MatchView {
                    elo: Some(corrected.elo),
                    elo_95: Some(corrected.elo_95),
                    nelo: Some(corrected.nelo),
                    los: Some(corrected.los),
                    estimate: CORRECTED,
                    note: None,
                    text: format!(
                        "{:+.1} Elo [{low:+.1}, {high:+.1}] corrected for the test, over {games} \
                         games",
                        corrected.elo
                    ),
                    ..view
                }
            }
            Err(reason) => MatchView {
                elo: None,
                elo_95: None,
                nelo: None,
                los: None,
                estimate: CORRECTED,
                text: format!("{reason} (over {games} games)"),
                note: Some(reason.to_string()),
                ..view
            },
        }
    }

    /// Points of A in percent of the games.
    pub(crate) fn score_percent(&self) -> f64 {
        100.0 * (self.wins as f64 + 0.5 * self.draws as f64) / self.games as f64
    }

    /// Elo with its interval for people, or why there is none.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn of(result: &TrialResult) -> MatchView {
        let elo = result.pentanomial.elo();
        let estimate = elo.estimate();
        MatchView {
            games: result.wdl.games(),
            wins: result.wdl.wins,
            draws: result.wdl.draws,
            losses: result.wdl.losses,
            pentanomial: result.pentanomial.0,
            elo: estimate.map(|estimate| estimate.elo),
            elo_95: estimate.map(|estimate| estimate.elo_95),
            nelo: estimate.map(|estimate| estimate.nelo),
            los: estimate.map(|estimate| estimate.los),
            note: match elo {
                MatchElo::NoVariance { .. } => Some(
                    "every pair had the same score: there is no variance to estimate from"
                        .to_owned(),
                ),
                MatchElo::Empty => Some("no games".to_owned()),
                MatchElo::Estimate(_) => None,
            },
            estimate: FIXED_GAMES,
            text: strength(result),
        }
    }
}

pub(crate) fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "accepted",
        Verdict::Rejected => "rejected",
        Verdict::Undecided => "undecided",
    }
}

impl View {
    pub(crate) fn of(
        folder: &RunFolder,
        job: &Job,
        summary: &Summary,
        running: bool,
    ) -> Result<View, Failure> {
        let outlook = summary.outlook(&job.space);
        View::with_outlook(folder, job, summary, outlook.as_ref(), running)
    }

    /// The same with an outlook that was made before.
    pub(crate) fn with_outlook(
        folder: &RunFolder,
        job: &Job,
        summary: &Summary,
        outlook: Option<&Outlook>,
        running: bool,
    ) -> Result<View, Failure> {
        let start = job.space.start();
        let now = summary.incumbent().unwrap_or(&start);
        let mut parameters = parameter_views(job, now, outlook);
        if let Some(found) = &summary.extrapolation {
            let intervals = drift_words::intervals(&job.space, found);
            let of_the_job = job.space.parameters.iter().zip(intervals);
            for (view, (parameter, interval)) in parameters.iter_mut().zip(of_the_job) {
                view.best_95 = Some(interval);
                if !parameter.is_choice() {
                    view.texts[2] = best_text(parameter, interval);
                }
            }
        }
        let last = summary.last_attempt();
        let verdict = last.and_then(|attempt| attempt.verdict);
        let measured = last.and_then(|attempt| attempt.measured.pentanomial.elo().estimate());
        let failures = folder.failures();
        Ok(View {
            failure_files: evidence::count(&failures)?,
            failures: failures.display().to_string(),
            name: folder.name(),
            state: RunState::of(summary, running).word(),
            seed: job.seed,
            rounds: summary.rounds.len(),
            rounds_planned: job.stop.rounds,
            games: summary.games,
            games_planned: job.stop.games,
            stop_reason: summary.stop_reason.map(StopReason::word),
            stop_gain_elo: job.stop_gain_elo,
            dropped_pairs: summary.dropped_pairs,
            dropped_by_vector: dropped_views(job, summary),
            parameters,
            outlook: outlook.map(|outlook| OutlookView::of(outlook, job)),
            one_sided_games: summary.played.one_sided_games(),
            spent: SpentView::of(summary),
            budget: job.budget.to_string(),
            ladder: LadderView::of(job, summary),
            elo: measured.map(|estimate| estimate.elo),
            elo_95: measured.map(|estimate| estimate.elo_95),
            verdict: verdict.map(word),
            verified: summary.is_verified(),
            keeps_start: summary.standing().keeps_start(),
            verifications: summary
                .attempts
                .iter()
                .map(|attempt| attempt_view(job, attempt))
                .collect(),
        })
    }
}

fn parameter_views(job: &Job, now: &Vector, outlook: Option<&Outlook>) -> Vec<ParameterView> {
    let parameters = job.space.parameters.iter().zip(&now.0).enumerate();
    let views = parameters.map(|(index, (parameter, &now))| {
        let outlook = outlook.map(|outlook| &outlook.parameters[index]);
        let at_end = now <= parameter.min || now >= parameter.max;
        let at_bound = at_end && !parameter.is_choice();
        ParameterView {
            path: parameter.path.clone(),
            before: json_value(parameter, parameter.start),
            now: json_value(parameter, now),
            texts: [
                parameter.text(parameter.start),
                parameter.text(now),
                outlook.map_or("-".to_owned(), |it| best_text(parameter, it.best_95)),
            ],
            at_bound,
            played: outlook.map(|it| it.played),
            best_95: outlook.map(|it| it.best_95),
            verdict: outlook.map(|it| word_of_parameter(it.verdict)),
            verdict_words: match outlook {
                Some(outlook) => outlook.verdict.words(),
                None if at_bound => "at its bound",
                None => "",
            },
        }
    });
    views.collect()
}

/// Where the best value is, for people.
fn best_text(parameter: &Parameter, [low, high]: [f64; 2]) -> String {
    match (parameter.word(low), parameter.word(high)) {
        (Some(one), Some(other)) if one == other => one.to_owned(),
        (Some(one), Some(other)) => format!("{one} or {other}"),
        _ => format!("{low} to {high}"),
    }
}

/// A value as JSON has it: a number, or the word of a choice.
pub(crate) fn json_value(parameter: &Parameter, value: f64) -> Value {
    match parameter.word(value) {
        Some(word) => word.into(),
        None => value.into(),
    }
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

fn dropped_views(job: &Job, summary: &Summary) -> Vec<DroppedView> {
    let start = job.space.start();
    let mut views: Vec<DroppedView> = Vec::new();
    for DroppedBy { vector, pairs } in &summary.dropped_by {
        let values = named_values(job, vector.as_ref().unwrap_or(&start));
        match views.iter_mut().find(|view| view.values == values) {
            Some(view) => view.pairs += pairs,
            None => views.push(DroppedView {
                values,
                pairs: *pairs,
            }),
        }
    }
    views.sort_by_key(|view| std::cmp::Reverse(view.pairs));
    views
}

/// A vector's values by the paths of the parameters; none of a fixed engine.
pub(crate) fn named_values(job: &Job, vector: &Vector) -> BTreeMap<String, Value> {
    let values = job.space.parameters.iter().zip(&vector.0);
    values
        .map(|(parameter, value)| (parameter.path.clone(), json_value(parameter, *value)))
        .collect()
}

fn attempt_view(job: &Job, attempt: &Attempt) -> AttemptView {
    let test = job
        .verification
        .test(attempt.attempt)
        .expect("a job's test was checked");
    let bounds = test.bounds();
    let reference = |result: &TrialResult| {
        (job.reference.is_some() && result.wdl.games() > 0).then(|| MatchView::of(result))
    };
    AttemptView {
        attempt: attempt.attempt,
        verdict: attempt.verdict.map(word),
        alpha: test.error_rates()[0],
        beta: test.error_rates()[1],
        nelo_bounds: test.elo_bounds(),
        decision: MatchView::of_test(&attempt.decision, &test, job.verification.looks()),
        llr: test.llr_of_pairs(&attempt.decision.pentanomial),
        llr_bounds: [bounds.lower, bounds.upper],
        against_start: MatchView::of(&attempt.measured),
        start_against_reference: reference(&attempt.start_against_reference),
        tuned_against_reference: reference(&attempt.tuned_against_reference),
        note: (attempt.tuned == job.space.start()).then_some(SAME_AS_START),
    }
}

/// How far the tuning has come, of how much: of the rounds where they are limited.
fn extent(view: &View) -> String {
    match (view.rounds_planned, view.games_planned) {
        (Some(planned), _) => {
            format!("{} of {planned} rounds, {} games", view.rounds, view.games)
        }
        (None, Some(planned)) => {
            format!("{} rounds, {} of {planned} games", view.rounds, view.games)
        }
        (None, None) => format!("{} rounds, {} games", view.rounds, view.games),
    }
}

/// The view for people.
pub(crate) fn text(view: &View) -> String {
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    line(format!(
        "Run {} ({}): seed {}, {} of tuning",
        view.name,
        view.state,
        view.seed,
        extent(view)
    ));
    if let (Some("small_gain"), Some(elo)) = (view.stop_reason, view.stop_gain_elo) {
        line(format!(
            "It ended before its games: less than {elo} Elo were still to be gained (stop_gain_elo)"
        ));
    }
    if view.dropped_pairs > 0 {
        line(format!(
            "{} pairs failed and were replayed; see failures/ and log.jsonl",
            view.dropped_pairs
        ));
        for by in view.dropped_by_vector.iter().take(DROPPED_SHOWN) {
            let values = by.values.iter();
            let values: Vec<String> = values
                .map(|(path, value)| format!("{path} = {value}"))
                .collect();
            line(format!("  {} with {}", by.pairs, values.join(", ")));
        }
    }
    if view.failure_files > 0 {
        let (files, folder) = (view.failure_files, &view.failures);
        line(format!("Evidence of failed games: {files} in {folder}"));
    }
    line(parameters_text(&view.parameters));
    match &view.outlook {
        // Each leg has one of its own.
        Some(_) if view.ladder.is_some() => {}
        Some(outlook) => line(outlook.text()),
        None if view.one_sided_games > 0 => line(
            "  No verdicts on parameters: one vector was First in all games, so that what they \
             say of it\n  cannot be told from what being First is worth"
                .to_owned(),
        ),
        None => {}
    }
    if let Some(ladder) = &view.ladder {
        line(format!("For matches at {}:", view.budget));
        ladder.lines().iter().for_each(|it| line(it.clone()));
    }
    line(view.spent.text());
    for attempt in &view.verifications {
        line(String::new());
        line(attempt_text(attempt));
    }
    if view.keeps_start {
        out.push_str(
            "\n  The start's values stay: no verification has accepted the result. tuned.toml has \
             them.\n",
        );
    }
    out.push('\n');
    out
}

fn parameters_text(parameters: &[ParameterView]) -> String {
    let widest = parameters.iter().map(|it| it.path.len()).max();
    let width = widest.unwrap_or(0).max(9);
    let mut text = format!(
        "\n  {:<width$}  {:>10}  {:>10}  {:>23}  verdict",
        "parameter", "before", "now", "best value (95 %)"
    );
    for parameter in parameters {
        let (path, [before, now, best]) = (&parameter.path, &parameter.texts);
        let verdict = parameter.verdict_words;
        let row = format!("\n  {path:<width$}  {before:>10}  {now:>10}  {best:>23}  {verdict}");
        text.push_str(row.trim_end_matches(' '));
    }
    text.push('\n');
    text
}

fn attempt_text(attempt: &AttemptView) -> String {
    let mut text = String::new();
    let verdict = attempt.verdict.unwrap_or("not finished");
    if let Some(note) = attempt.note {
        let (number, verdict) = (attempt.attempt, verdict.to_uppercase());
        return format!("  Verification {number}: {verdict}: {note}");
    }
    let [low, high] = attempt.llr_bounds;
    let _ = write!(
        text,
        "  Verification {}: {} after {} games (LLR {:.2}, bounds {low:.2} and {high:.2}, \
         error rates {} and {})",
        attempt.attempt,
        verdict.to_uppercase(),
        attempt.decision.games,
        attempt.llr,
        attempt.alpha,
        attempt.beta,
    );
    let mut row = |name: &str, result: &MatchView| {
        let _ = write!(text, "\n    {name:<25} {}", result.text());
    };
    row("the test's own games", &attempt.decision);
    row("result against the start", &attempt.against_start);
    if let Some(result) = &attempt.start_against_reference {
        row("start against reference", result);
    }
    if let Some(result) = &attempt.tuned_against_reference {
        row("result against reference", result);
    }
    text
}

/// How the user names a run on the command line, whatever folder it lies in.
pub(crate) fn argument(folder: &RunFolder, runs: &Path) -> String {
    let name = folder.name();
    if folder.path() != runs.join(&name) {
        quoted(folder.path())
    } else if runs == Path::new("runs") {
        name
    } else {
        format!("{name} --runs {}", quoted(runs))
    }
}

/// A path as a shell reads it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+:\\".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text
    } else if cfg!(windows) {
        format!("\"{text}\"")
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// What the user would do next.
pub(crate) fn next_command(view: &View, folder: &RunFolder, runs: &Path) -> String {
    let run = argument(folder, runs);
    match view.verdict {
        None => format!("tuner resume {run}"),
        Some(_) if view.verified => {
            format!("tuner export {run} --to FILE   (an engine configuration, or a new file)")
        }
        Some("undecided") => format!("tuner verify {run}   (plays another verification)"),
        Some(_) => {
            "change the job (more rounds, another step or start) and run it again".to_owned()
        }
    }
}

/// A run's base name from a job's file name: what is not allowed becomes a hyphen.
pub(crate) fn run_name(stem: &str) -> String {
    let allowed = |c: char| match c.to_ascii_lowercase() {
        c if c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' => c,
        _ => '-',
    };
    let name: String = stem.chars().map(allowed).take(48).collect();
    let name = name.trim_start_matches(['-', '_']);
    if name.is_empty() {
        "run".to_owned()
    } else {
        name.to_owned()
    }
}

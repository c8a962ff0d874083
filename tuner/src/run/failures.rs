//! Failed games of a run: a file of evidence for each dropped pair, and when there are too many.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::place::Place;
use crate::evaluator::EvaluationError;
use crate::space::Vector;
use crate::store::atomic::{AtomicWriteError, write_atomically};
use crate::trial::{DroppedPair, Trial};

/// Version of the form of the evidence.
const EVIDENCE_FORMAT: u32 = 1;
/// So many dropped pairs of a process never stop a run, whatever their share.
const DROPPED_TOLERATED: u64 = 10;
/// Evidence and vectors that a message lists.
const LISTED_MAX: usize = 5;

/// Games fail too often for the run to go on; the text says how often, which, and what to do.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct TooManyFailures(String);

/// What is known of the failures of a run while this process works on it.
#[derive(Debug)]
pub struct Failures {
    folder: PathBuf,
    /// How the user names the run on a command line.
    run: String,
    /// Paths of the parameters, in the order of the vectors.
    paths: Vec<String>,
    max_percent: f64,
    pairs: u64,
    dropped: u64,
    files: Vec<PathBuf>,
    culprits: Vec<(Option<Vector>, u64)>,
}

/// Evidence as it is written.
#[derive(Serialize)]
struct Evidence<'a> {
    format: u32,
    what: &'static str,
    by: &'static str,
    reason: &'a str,
    place: String,
    pair: u32,
    attempt: u32,
    game: u32,
    /// The side that sits as First.
    first: &'static str,
    a: BTreeMap<&'a str, f64>,
    b: BTreeMap<&'a str, f64>,
    seed: u64,
    opening: &'a str,
    moves: Vec<EvidenceMove<'a>>,
    position: &'a str,
    shown_again_by: String,
}

#[derive(Serialize)]
struct EvidenceMove<'a> {
    player: &'a str,
    #[serde(rename = "move")]
    notation: &'a str,
    stage: &'a str,
}

/// The file of a dropped pair in a folder of evidence.
pub fn file_of(folder: &Path, place: &Place, pair: u32, attempt: u32) -> PathBuf {
    let stem = place.file_stem();
    folder.join(format!("{stem}-pair-{pair}-attempt-{attempt}.json"))
}

impl Failures {
    /// The failures of a run whose evidence lies in `folder`, made when it is needed. `run` is how
    /// the user names the run, `paths` its parameters; more than `max_percent` of dropped pairs
    /// stop it.
    pub fn new(folder: PathBuf, run: String, paths: Vec<String>, max_percent: f64) -> Self {
        Self {
            folder,
            run,
            paths,
            max_percent,
            pairs: 0,
            dropped: 0,
            files: Vec::new(),
            culprits: Vec::new(),
        }
    }

    /// Says whether the failures are too many, once those of a batch have been counted. To be
    /// called before anything of the batch is stored; `error` is why it has no results.
    ///
    /// # Errors
    /// Too many failures.
    pub fn check(
        &mut self,
        trials: &[Trial],
        error: Option<&EvaluationError>,
        place_of: &dyn Fn(&DroppedPair) -> Place,
    ) -> Result<(), TooManyFailures> {
        let pairs = trials.iter().map(|trial| u64::from(trial.pairs()));
        self.pairs += pairs.sum::<u64>();
        if let Some(EvaluationError::GameFailed { attempts, dropped }) = error {
            let place = place_of(dropped);
            let pair = dropped.pair;
            let problem = format!("pair {pair} of {place} failed {attempts} times");
            return Err(TooManyFailures(self.message(&problem)));
        }
        let percent = 100.0 * self.dropped as f64 / self.pairs.max(1) as f64;
        if self.dropped > DROPPED_TOLERATED && percent > self.max_percent {
            let (dropped, pairs, most) = (self.dropped, self.pairs, self.max_percent);
            let problem = format!(
                "{dropped} of {pairs} pairs failed, {percent:.1} %, which is more than \
                 dropped_pairs_max_percent = {most}"
            );
            return Err(TooManyFailures(self.message(&problem)));
        }
        Ok(())
    }

    /// Writes the evidence of a dropped pair; again, if it is there.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&self, place: &Place, it: &DroppedPair) -> Result<(), AtomicWriteError> {
        let path = file_of(&self.folder, place, it.pair, it.attempt);
        let (run, game, attempt) = (&self.run, it.game, it.attempt);
        let arguments = place.arguments();
        let evidence = Evidence {
            format: EVIDENCE_FORMAT,
            what: it.kind.word(),
            by: it.culprit.word(),
            reason: &it.reason,
            place: place.to_string(),
            pair: it.pair,
            attempt,
            game,
            first: if it.a_is_first { "a" } else { "b" },
            a: self.named(&it.vectors[0]),
            b: self.named(&it.vectors[1]),
            seed: it.seed,
            opening: &it.opening,
            moves: it.moves.iter().map(EvidenceMove::from).collect(),
            position: &it.position,
            shown_again_by: format!(
                "tuner replay {run} {arguments} --game {game} --attempt {attempt}"
            ),
        };
        let text = serde_json::to_string_pretty(&evidence).expect("evidence is plain text");
        let text = format!("{text}\n");
        std::fs::create_dir_all(&self.folder).map_err(|source| AtomicWriteError {
            action: "create",
            path: self.folder.clone(),
            replaced: false,
            bytes: text.len() as u64,
            source,
        })?;
        write_atomically(&path, text.as_bytes())
    }

    /// Counts a dropped pair and logs it, once its evidence is written.
    pub fn count(&mut self, place: &Place, it: &DroppedPair) {
        let path = file_of(&self.folder, place, it.pair, it.attempt);
        let vector = it.culprits_vector().cloned();
        tracing::warn!(%place, pair = it.pair, attempt = it.attempt, game = it.game,
            what = it.kind.word(), by = it.culprit.word(), reason = %it.reason,
            vector = ?vector.as_ref().map(|v| &v.0), evidence = %path.display(),
            "a pair was dropped");
        self.dropped += 1;
        self.files.push(path);
        match self.culprits.iter_mut().find(|(known, _)| *known == vector) {
            Some((_, count)) => *count += 1,
            None => self.culprits.push((vector, 1)),
        }
    }

    fn named<'a>(&'a self, vector: &Vector) -> BTreeMap<&'a str, f64> {
        let paths = self.paths.iter().map(String::as_str);
        paths.zip(vector.0.iter().copied()).collect()
    }

    fn message(&self, problem: &str) -> String {
        let mut text = format!("games fail: {problem}. Nothing of this batch was stored.");
        let mut culprits: Vec<_> = self.culprits.iter().collect();
        culprits.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        for (vector, count) in culprits.iter().take(LISTED_MAX) {
            let name = match vector {
                Some(vector) if !vector.0.is_empty() => self.text_of(vector),
                Some(_) => "the reference engine".to_owned(),
                None => "the referee".to_owned(),
            };
            let _ = write!(text, "\n  {count} by {name}");
        }
        for path in self.files.iter().rev().take(LISTED_MAX) {
            let _ = write!(text, "\n  evidence: {}", path.display());
        }
        let more = self.files.len().saturating_sub(LISTED_MAX);
        if more > 0 {
            let _ = write!(text, "\n  and {more} more in {}", self.folder.display());
        }
        let _ = write!(
            text,
            "\nEach file ends with the command that shows its game again. If the engine is at \
             fault, repair it; if these values are, narrow the range of the parameters in a new \
             job; if moves only need longer, raise [matches] move_deadline_s there"
        );
        text
    }

    fn text_of(&self, vector: &Vector) -> String {
        let values = self.paths.iter().zip(&vector.0);
        let values: Vec<String> = values
            .map(|(path, value)| format!("{path} = {value}"))
            .collect();
        values.join(", ")
    }
}

impl<'a> From<&'a crate::trial::DroppedMove> for EvidenceMove<'a> {
    fn from(it: &'a crate::trial::DroppedMove) -> Self {
        EvidenceMove {
            player: &it.player,
            notation: &it.notation,
            stage: &it.stage,
        }
    }
}

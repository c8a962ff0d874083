//! Runs without games: a job, its journal, and the page that the report makes of them.

use std::path::{Path, PathBuf};

use roxmltree::{Document, Node, ParsingOptions};
use sixfold_tuner::event::Event;
use sixfold_tuner::job::Job;
use sixfold_tuner::optimiser::{Ask, Optimiser, SnapshotError};
use sixfold_tuner::report::{FailedGame, Material, SampledBoard, html};
use sixfold_tuner::run::course::{Action, Course};
use sixfold_tuner::run::state::RunState;
use sixfold_tuner::run::summary::Summary;
use sixfold_tuner::space::Vector;
use sixfold_tuner::store::identity::RunIdentity;
use sixfold_tuner::trial::{RoundSummary, Trial, TrialResult};

/// A run of four short rounds that has everything but failures.
pub(crate) const SHORT: [(&str, &str); 2] = [
    ("episodes = 60", "episodes = 10"),
    ("rounds = 8", "rounds = 4"),
];

/// A run whose games are made up.
pub(crate) struct MadeUp {
    pub(crate) job: Job,
    pub(crate) text: String,
    pub(crate) events: Vec<Event>,
    pub(crate) name: String,
    pub(crate) failures: Vec<FailedGame>,
    pub(crate) sampled: Option<SampledBoard>,
    /// Whether the learner's tree is hidden, as if it had none.
    pub(crate) is_treeless: bool,
}

impl MadeUp {
    /// The run of the course tests' job with these changes of its text, to its end.
    pub(crate) fn to_the_end(changes: &[(&str, &str)]) -> Self {
        Self::played(changes, result_of, result_of)
    }

    /// The same with these results of the verification's games.
    pub(crate) fn verified_by(result: fn(&Trial) -> TrialResult) -> Self {
        Self::played(&SHORT, result_of, result)
    }

    /// The whole run with these results of the tuning's games.
    pub(crate) fn tuned_by(result: fn(&Trial) -> TrialResult) -> Self {
        Self::played(&[], result, result_of)
    }

    fn played(
        changes: &[(&str, &str)],
        tuning: fn(&Trial) -> TrialResult,
        verification: fn(&Trial) -> TrialResult,
    ) -> Self {
        let mut text = std::fs::read_to_string(job_file()).unwrap();
        for (from, to) in changes {
            assert_eq!(text.matches(from).count(), 1, "{from}");
            text = text.replace(from, to);
        }
        Self::of(&text, tuning, verification)
    }

    /// A run of the default learner to its end, in so many games.
    pub(crate) fn of_q_tree(games: u32) -> Self {
        let text = std::fs::read_to_string(job_file()).unwrap();
        let (before, rest) = text.split_once("[learner]").unwrap();
        let (_, after) = rest.split_once("trials_in_flight").unwrap();
        let learner = format!("[learner]\nkind = \"q-tree\"\n\n[run]\ngames = {games}\n");
        let text = format!("{before}{learner}trials_in_flight{after}");
        Self::of(&text, result_of, result_of)
    }

    /// A run of the source's learner to its end: so many rounds of so many episodes.
    pub(crate) fn of_paper(rounds: u32, episodes: u32) -> Self {
        let text = std::fs::read_to_string(job_file()).unwrap();
        let (before, rest) = text.split_once("[learner]").unwrap();
        let (_, after) = rest.split_once("trials_in_flight").unwrap();
        let learner = format!("[learner]\nkind = \"paper\"\nepisodes = {episodes}\n");
        let run = format!("[run]\nrounds = {rounds}\n");
        let text = format!("{before}{learner}\n{run}trials_in_flight{after}");
        Self::of(&text, one_sided, result_of)
    }

    fn of(
        text: &str,
        tuning: fn(&Trial) -> TrialResult,
        verification: fn(&Trial) -> TrialResult,
    ) -> Self {
        let file = job_file();
        let job = Job::parse(&file, text).unwrap_or_else(|error| panic!("{error}"));
        let text = job.to_toml();
        let mut run = Self {
            job,
            text,
            events: Vec::new(),
            name: "made-up".to_owned(),
            failures: Vec::new(),
            sampled: None,
            is_treeless: false,
        };
        run.play(tuning, verification);
        run
    }

    fn play(&mut self, tuning: fn(&Trial) -> TrialResult, verification: fn(&Trial) -> TrialResult) {
        let mut course = self.course();
        loop {
            let event = match course.next_action() {
                Action::Finished => return,
                Action::Emit(event) => event,
                Action::Evaluate(trials, _) if course.tuning_is_over() => {
                    course.event_of(verification(&trials[0]))
                }
                Action::Evaluate(trials, _) => course.event_of(tuning(&trials[0])),
            };
            course.apply(&event).unwrap();
            self.events.push(event);
        }
    }

    pub(crate) fn course(&self) -> Course {
        let mut learner = self.job.learner();
        if self.is_treeless {
            learner = Box::new(Treeless(learner));
        }
        Course::new(self.job.course_plan(&self.text), learner)
    }

    /// The page of the first `count` events.
    pub(crate) fn page_of(&self, count: usize) -> String {
        let events = &self.events[..count];
        let material = Material {
            name: &self.name,
            state: RunState::of(&Summary::of(events), false),
            job: &self.job,
            job_text: &self.text,
            identity: &RunIdentity {
                results_version: 2,
                program_version: "0.1.0".to_owned(),
                seed: self.job.seed,
                started: "2026-01-01T00:00:00Z".to_owned(),
                engine_format: 1,
                journal_format: 2,
            },
            events,
            failures: &self.failures,
            sampled: self.sampled.clone(),
            has_torn_tail: false,
        };
        html(&material, self.course()).unwrap()
    }

    pub(crate) fn page(&self) -> String {
        self.page_of(self.events.len())
    }
}

fn job_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/course-job.toml")
}

/// A learner whose tree nobody can look at.
struct Treeless(Box<dyn Optimiser>);

impl Optimiser for Treeless {
    fn ask(&mut self, limit: usize) -> Ask {
        self.0.ask(limit)
    }

    fn tell(&mut self, result: &TrialResult) {
        self.0.tell(result);
    }

    fn finish_round(&mut self) -> RoundSummary {
        self.0.finish_round()
    }

    fn incumbent(&self) -> &Vector {
        self.0.incumbent()
    }

    fn round(&self) -> u32 {
        self.0.round()
    }

    fn snapshot(&self) -> serde_json::Value {
        self.0.snapshot()
    }

    fn restore(&mut self, state: &serde_json::Value) -> Result<(), SnapshotError> {
        self.0.restore(state)
    }
}

/// A result that depends on the trial alone; A is ahead on the whole.
pub(crate) fn result_of(trial: &Trial) -> TrialResult {
    let mut result = TrialResult::default();
    for pair in 0..trial.games / 2 {
        let number = trial.id.trial.wrapping_mul(7).wrapping_add(pair * 3) % 8;
        let half_points = [0, 1, 2, 2, 3, 3, 4, 4][number as usize];
        result.pentanomial.0[half_points as usize] += 1;
        let (wins, draws) = (half_points / 2, half_points % 2);
        result.wdl.wins += wins;
        result.wdl.draws += draws;
        result.wdl.losses += 2 - wins - draws;
    }
    result
}

/// A result of games in which A always sits as First; it depends on the trial alone.
fn one_sided(trial: &Trial) -> TrialResult {
    let mut result = TrialResult::default();
    let mixed = trial.id.trial.wrapping_mul(2_654_435_761) >> 16;
    result.wdl.wins = u64::from(mixed % (trial.games + 1));
    result.wdl.losses = u64::from(trial.games) - result.wdl.wins;
    result
}

/// The page, read by a strict parser.
pub(crate) fn parsed(page: &str) -> Document<'_> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(page, options).unwrap_or_else(|error| panic!("{error}"))
}

/// All text of a node.
pub(crate) fn text_of(node: Node<'_, '_>) -> String {
    node.descendants()
        .filter_map(|it| it.is_text().then(|| it.text()).flatten())
        .collect()
}

/// The section of this id.
pub(crate) fn section<'a, 'i>(document: &'a Document<'i>, id: &str) -> Node<'a, 'i> {
    let mut found = document
        .descendants()
        .filter(|it| it.attribute("id") == Some(id));
    let section = found.next().unwrap_or_else(|| panic!("no section {id}"));
    assert!(found.next().is_none(), "{id} twice");
    section
}

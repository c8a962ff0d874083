//! The course of a run from every one of its checkpoints: it goes on as if nothing had happened.

use std::path::Path;

use sixfold_tuner::event::{Event, StopReason};
use sixfold_tuner::job::Job;
use sixfold_tuner::optimiser::{Ask, Optimiser, Proposal, SnapshotError};
use sixfold_tuner::run::course::{Action, Course};
use sixfold_tuner::space::Vector;
use sixfold_tuner::trial::{Colours, RoundSummary, Trial, TrialResult};

/// The job of these tests, with these changes of its text.
fn job(changes: &[(&str, &str)]) -> Job {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/course-job.toml");
    let mut text = std::fs::read_to_string(&file).unwrap();
    for (from, to) in changes {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text = text.replace(from, to);
    }
    Job::parse(&file, &text).unwrap_or_else(|error| panic!("{error}"))
}

fn fresh(job: &Job) -> Course {
    Course::new(job.course_plan("the job's text"), job.learner())
}

/// A result that depends on the trial alone.
fn result_of(trial: &Trial) -> TrialResult {
    let mut result = TrialResult::default();
    let number = |game: u32| (trial.id.round % 97) * 5 + trial.id.trial * 7 + game * 3;
    match trial.colours {
        Colours::Paired => (0..trial.games / 2).for_each(|pair| {
            let half_points = u64::from(number(pair) % 5);
            result.pentanomial.0[half_points as usize] += 1;
            let (wins, draws) = (half_points / 2, half_points % 2);
            result.wdl.wins += wins;
            result.wdl.draws += draws;
            result.wdl.losses += 2 - wins - draws;
        }),
        Colours::AFirst => (0..trial.games).for_each(|game| match number(game) % 3 {
            0 => result.wdl.wins += 1,
            1 => result.wdl.draws += 1,
            _ => result.wdl.losses += 1,
        }),
    }
    result
}

/// A place where a checkpoint could be taken: events before it, and the state.
type Checkpoint = (usize, serde_json::Value);

/// Drives the course to its end; its events from here on, and every possible checkpoint.
fn drive(course: &mut Course) -> (Vec<Event>, Vec<Checkpoint>) {
    let (mut events, mut checkpoints) = (Vec::new(), Vec::new());
    loop {
        let event = match course.next_action() {
            Action::Finished => return (events, checkpoints),
            Action::Emit(event) => event,
            Action::Evaluate(trials, _) => course.event_of(result_of(&trials[0])),
        };
        course.apply(&event).unwrap();
        events.push(event);
        if let Some(state) = course.snapshot() {
            checkpoints.push((events.len(), state));
        }
    }
}

fn every_checkpoint_leads_to_the_same_end(job: &Job) {
    let (events, checkpoints) = drive(&mut fresh(job));
    assert!(checkpoints.len() > 10);
    for (done, state) in checkpoints {
        // As it comes back from a file.
        let state = serde_json::from_str(&state.to_string()).unwrap();
        let mut course = fresh(job);
        course.restore(&state).unwrap();
        assert_eq!(
            course.snapshot().as_ref(),
            Some(&state),
            "after {done} events"
        );
        assert_eq!(drive(&mut course).0, events[done..], "after {done} events");
    }
}

#[test]
fn every_checkpoint_of_the_pooled_learner_leads_to_the_same_end() {
    let short = [
        ("episodes = 60", "episodes = 10"),
        ("rounds = 8", "rounds = 4"),
    ];
    every_checkpoint_leads_to_the_same_end(&job(&short));
    let single = [
        short[0],
        short[1],
        ("trials_in_flight = 8", "trials_in_flight = 1"),
    ];
    every_checkpoint_leads_to_the_same_end(&job(&single));
}

#[test]
fn every_checkpoint_leads_to_the_same_end_when_games_end_the_tuning() {
    for games in ["games = 250", "games = 333", "games = 300"] {
        let changes = [
            ("episodes = 60", "episodes = 10"),
            ("games = 6000  ", games),
            ("trials_in_flight = 8", "trials_in_flight = 3"),
        ];
        every_checkpoint_leads_to_the_same_end(&job(&changes));
    }
}

#[test]
fn every_checkpoint_of_the_paper_learner_leads_to_the_same_end() {
    let changes = [
        ("kind = \"pooled\"", "kind = \"paper\""),
        ("episodes = 60", "episodes = 12"),
        ("games_per_episode = 10", "games_per_episode = 5"),
        ("trials_in_flight = 8", "trials_in_flight = 2"),
    ];
    every_checkpoint_leads_to_the_same_end(&job(&changes));
}

/// A learner without a tree that has nothing to gain after its first round of one trial.
struct OneRound {
    told: bool,
    round: u32,
    start: Vector,
}

impl Optimiser for OneRound {
    fn ask(&mut self, _limit: usize) -> Ask {
        match (self.round, self.told) {
            (0, false) => Ask::Play(vec![Proposal {
                path: None,
                a: self.start.clone(),
                b: self.start.clone(),
                colours: Colours::Paired,
                games: 2,
            }]),
            (0, true) => Ask::RoundFinished(self.finish_round()),
            _ => Ask::Exhausted,
        }
    }

    fn tell(&mut self, _result: &TrialResult) {
        self.told = true;
    }

    fn finish_round(&mut self) -> RoundSummary {
        self.round += 1;
        RoundSummary {
            round: self.round - 1,
            greedy_path: None,
            applied: false,
            candidate_score: None,
            candidate_games: 0,
            incumbent: self.start.clone(),
        }
    }

    fn incumbent(&self) -> &Vector {
        &self.start
    }

    fn round(&self) -> u32 {
        self.round
    }

    fn snapshot(&self) -> serde_json::Value {
        serde_json::json!([self.told, self.round])
    }

    fn restore(&mut self, state: &serde_json::Value) -> Result<(), SnapshotError> {
        (self.told, self.round) = serde_json::from_value(state.clone()).unwrap();
        Ok(())
    }
}

#[test]
fn a_learner_that_has_nothing_more_to_gain_ends_the_tuning() {
    let job = job(&[]);
    let fresh = || {
        let learner = OneRound {
            told: false,
            round: 0,
            start: job.space.start(),
        };
        Course::new(job.course_plan("the job's text"), Box::new(learner))
    };
    let (events, checkpoints) = drive(&mut fresh());
    assert!(matches!(
        &events[1],
        Event::TrialFinished { path: None, .. }
    ));
    let end = Event::TuningFinished {
        reason: StopReason::Converged,
        rounds: 1,
        games: 2,
    };
    assert_eq!(events[3], end);
    assert!(matches!(&events[4], Event::VerificationStarted { .. }));
    for (done, state) in checkpoints {
        let mut course = fresh();
        course.restore(&state).unwrap();
        assert_eq!(drive(&mut course).0, events[done..], "after {done} events");
    }
}

#[test]
fn a_job_may_limit_its_games_alone() {
    let changes = [
        ("episodes = 60", "episodes = 10"),
        ("rounds = 8", ""),
        ("games = 6000  ", "games = 450"),
    ];
    let job = job(&changes);
    let (events, _) = drive(&mut fresh(&job));
    let end = events.iter().find_map(|event| match event {
        Event::TuningFinished { reason, games, .. } => Some((*reason, *games)),
        _ => None,
    });
    let (reason, games) = end.unwrap();
    assert_eq!(reason, StopReason::Games);
    assert!((441..=450).contains(&games), "{games}");
    let again = Job::parse(Path::new("job.toml"), &job.to_toml()).unwrap();
    assert_eq!(again, job);
}

/// The learner's table of the jobs below, and what it may hold.
const SCHEDULES: [&str; 6] = [
    "kind = \"q-tree\"\nepsilon = 0.4\nalpha = 0.2\ngamma = 0.7\nkappa = inf\n\
     loss_elo = 12.0\ndirections = \"composite\"",
    "kind = \"q-tree\"\nkappa = 0.0\ndirections = \"pairs\"",
    "kind = \"surface-argmax\"\nloss_elo = 20.0",
    "kind = \"spsa\"\nc = 0.2\nr = 0.1\ngains = \"pilot\"",
    "kind = \"rspsa\"\niterations = 12\nstep = 0.1\nc = 0.2",
    "kind = \"random\"\nvectors = 9",
];

/// The job of these tests with another learner's table.
fn with_learner(table: &str) -> Job {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/course-job.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let (head, rest) = text.split_once("[learner]\n").unwrap();
    let (_, tail) = rest.split_once("[run]\n").unwrap();
    let tail = tail
        .replace("rounds = 8", "")
        .replace("games = 6000", "games = 101");
    let text = format!("{head}[learner]\n{table}\n[run]\n{tail}");
    Job::parse(&file, &text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn jobs_of_every_learner_read_back_from_their_resolved_form() {
    for table in SCHEDULES {
        let job = with_learner(table);
        let text = job.to_toml();
        let again = Job::parse(Path::new("job.toml"), &text).unwrap();
        assert_eq!(again, job);
        for line in table.lines() {
            assert!(text.contains(line), "{line}: {text}");
        }
    }
}

#[test]
fn every_checkpoint_of_a_learner_with_a_schedule_leads_to_the_same_end() {
    for table in SCHEDULES {
        every_checkpoint_leads_to_the_same_end(&with_learner(table));
    }
}

/// Why the tuning ended, after how many games, and what was exported.
fn end_of(events: &[Event]) -> (StopReason, u64, Vector) {
    let mut incumbent = None;
    for event in events {
        match event {
            Event::RoundFinished(summary) => incumbent = Some(summary.incumbent.clone()),
            Event::TuningFinished { reason, games, .. } => {
                return (*reason, *games, incumbent.unwrap());
            }
            _ => {}
        }
    }
    panic!("the tuning does not end");
}

#[test]
fn a_tuning_ends_with_a_landing_once_too_little_is_left_to_gain() {
    // Scores that do not depend on the values: there is nothing to gain.
    for table in SCHEDULES {
        let job = |run: &str| {
            let resolved = with_learner(table).to_toml();
            assert_eq!(resolved.matches("games = 101").count(), 1);
            let text = resolved.replace("games = 101", run);
            Job::parse(Path::new("job.toml"), &text).unwrap()
        };
        let stopping = job("games = 4000\nstop_gain_elo = 90.0");
        let again = Job::parse(Path::new("job.toml"), &stopping.to_toml()).unwrap();
        assert_eq!(again, stopping);
        let (events, _) = drive(&mut fresh(&stopping));
        let (reason, games, values) = end_of(&events);
        assert_eq!(reason, StopReason::SmallGain, "{table}: {games} games");
        assert!((200..4000).contains(&games), "{table}: {games} games");
        let end = |event: &Event| matches!(event, Event::TuningFinished { .. });
        let end = events.iter().position(end).unwrap();
        let rounds = events[..end].iter().rev();
        let closed = rounds.take_while(|it| matches!(it, Event::RoundFinished(_)));
        let lands = table.contains("q-tree") || table.contains("surface");
        assert_eq!(closed.count(), if lands { 2 } else { 1 }, "{table}");
        let mut course = fresh(&stopping);
        events[..end]
            .iter()
            .for_each(|it| course.apply(it).unwrap());
        assert_eq!(*course.incumbent(), values);
        // Less may be asked for: then its games end it.
        let modest = job("games = 400\nstop_gain_elo = 0.01");
        let (reason, ..) = end_of(&drive(&mut fresh(&modest)).0);
        assert_ne!(reason, StopReason::SmallGain, "{table}");
    }
}

#[test]
fn every_checkpoint_leads_to_the_same_end_when_too_little_is_left_to_gain() {
    for table in [SCHEDULES[0], SCHEDULES[3]] {
        let resolved = with_learner(table).to_toml();
        let run = "games = 4000\nstop_gain_elo = 90.0";
        let text = resolved.replace("games = 101", run);
        let job = Job::parse(Path::new("job.toml"), &text).unwrap();
        let (reason, games, _) = end_of(&drive(&mut fresh(&job)).0);
        assert_eq!(reason, StopReason::SmallGain, "{table}: {games} games");
        every_checkpoint_leads_to_the_same_end(&job);
    }
}

#[test]
fn an_event_that_the_job_does_not_lead_to_is_refused_wherever_it_stands() {
    let job = job(&[
        ("episodes = 60", "episodes = 6"),
        ("rounds = 8", "rounds = 2"),
    ]);
    let (events, _) = drive(&mut fresh(&job));
    for missing in 0..events.len() - 1 {
        let mut course = fresh(&job);
        let applied = events
            .iter()
            .enumerate()
            .filter(|(index, _)| *index != missing)
            .try_for_each(|(_, event)| course.apply(event).map_err(drop));
        // Batches of a verification carry numbers, trials theirs: a gap is always seen.
        assert!(applied.is_err(), "event {missing} was not missed");
    }
}

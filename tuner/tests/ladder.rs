//! A tuning at several budgets: its legs, its checkpoints, and what it extrapolates.

#[path = "common/fixed.rs"]
mod fixed;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use sixfold_tuner::evaluator::Evaluator;
use sixfold_tuner::evaluator::scripted::{Scripted, Surface};
use sixfold_tuner::event::{Contest, Event, StopReason};
use sixfold_tuner::job::Job;
use sixfold_tuner::outlook::optimum_deviations;
use sixfold_tuner::run::course::{Action, Course, Opponent};
use sixfold_tuner::run::summary::Summary;
use sixfold_tuner::space::Vector;
use sixfold_tuner::surface::Coordinates;
use sixfold_tuner::trial::{Trial, TrialResult};

/// A job at these budgets, for matches at 3200 simulations, with other changes of its text.
fn job(budgets: &str, changes: &[(&str, &str)]) -> Job {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/course-job.toml");
    let mut text = std::fs::read_to_string(&file).unwrap();
    let budgets = format!("simulations = {budgets}\n[match_budget]\nsimulations = 3200\n#");
    let for_matches = [("simulations = 200", budgets.as_str())];
    for (from, to) in for_matches.iter().chain(changes) {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text = text.replace(from, to);
    }
    Job::parse(&file, &text).unwrap_or_else(|error| panic!("{error}"))
}

/// Two legs of a few rounds, one of which ends by its games.
fn short(budgets: &str, games: &str) -> Job {
    let games = format!("games = {games} #");
    let changes = [
        ("episodes = 60", "episodes = 6"),
        ("rounds = 8", "rounds = 3"),
        ("games = 6000", games.as_str()),
        ("games_max = 6000", "games_max = 200"),
    ];
    job(budgets, &changes)
}

const TEXT: &str = "the job's text";

/// What was played, in order, with who played it.
type Played = (Trial, Opponent);
/// A place where a checkpoint could be taken: events before it, and the state.
type Checkpoint = (usize, serde_json::Value);

#[derive(Default)]
struct Record {
    events: Vec<Event>,
    played: Vec<Played>,
    checkpoints: Vec<Checkpoint>,
}

/// Drives the course to its end, batch by batch.
fn drive(
    course: &mut Course,
    mut play: impl FnMut(&[Trial], Opponent) -> Vec<TrialResult>,
) -> Record {
    let mut record = Record::default();
    loop {
        let events: Vec<Event> = match course.next_action() {
            Action::Finished => return record,
            Action::Emit(event) => {
                course.apply(&event).unwrap();
                vec![event]
            }
            Action::Evaluate(trials, opponent) => {
                let results = play(&trials, opponent);
                record
                    .played
                    .extend(trials.into_iter().map(|it| (it, opponent)));
                let told = results.into_iter().map(|result| {
                    let event = course.event_of(result);
                    course.apply(&event).unwrap();
                    event
                });
                told.collect()
            }
        };
        record.events.extend(events);
        if let Some(state) = course.snapshot() {
            record.checkpoints.push((record.events.len(), state));
        }
    }
}

fn fixed_results(trials: &[Trial], _: Opponent) -> Vec<TrialResult> {
    trials.iter().map(fixed::fixed_result).collect()
}

fn legs_of(record: &Record) -> Vec<(u32, u64, StopReason, u32, u64)> {
    let legs = Summary::of(&record.events).legs;
    let leg = legs.iter();
    leg.map(|it| (it.leg, it.budget, it.reason, it.rounds, it.games))
        .collect()
}

#[test]
fn every_leg_has_the_budget_and_the_end_that_the_job_gives_it() {
    let job = short("[50, 800]", "[100, 400]");
    let record = drive(&mut job.course(TEXT), fixed_results);
    // At most six episodes of ten games a round, less those that change nothing: the first leg is
    // out of games before its third round, the second is through its rounds before.
    let legs = legs_of(&record);
    let (rounds, games) = (legs[1].3, legs[1].4);
    assert_eq!(legs[0], (0, 50, StopReason::Games, 2, 100));
    assert_eq!(legs[1], (1, 800, StopReason::Rounds, 3, games));
    assert!(rounds == 3 && games > 100 && games <= 180, "{games}");
    let mut counted = [0; 2];
    for (trial, opponent) in &record.played {
        match opponent {
            Opponent::OwnOnLeg(leg) => counted[*leg as usize] += trial.games,
            Opponent::Own | Opponent::Reference => assert!(trial.id.round >= 1 << 31),
        }
    }
    assert_eq!(counted.map(u64::from), [100, games]);
}

#[test]
fn the_events_of_the_legs_stand_in_their_order() {
    let record = drive(
        &mut short("[50, 200, 800]", "900").course(TEXT),
        fixed_results,
    );
    let words: Vec<&str> = record
        .events
        .iter()
        .filter_map(|event| match event {
            Event::LegFinished(_) => Some("leg"),
            Event::Extrapolated(_) => Some("extrapolated"),
            Event::TuningFinished { .. } => Some("over"),
            Event::VerificationStarted { .. } => Some("verification"),
            _ => None,
        })
        .collect();
    let expected = ["leg", "leg", "leg", "extrapolated", "over", "verification"];
    assert_eq!(words, expected);
    let total = record.events.iter().find_map(|event| match event {
        Event::TuningFinished { rounds, games, .. } => Some((*rounds, *games)),
        _ => None,
    });
    let games = legs_of(&record).iter().map(|leg| leg.4).sum();
    assert_eq!(total, Some((9, games)));
}

#[test]
fn a_leg_starts_at_the_values_of_the_one_before_and_its_learner_is_another() {
    let job = short("[50, 800]", "[180, 180]");
    // A wins every game, so that every round moves the values.
    let record = drive(&mut job.course(TEXT), |trials, _| {
        let won = |trial: &Trial| {
            let mut result = TrialResult::default();
            (0..trial.pairs()).for_each(|_| result.add_points(&[2, 2]));
            result
        };
        trials.iter().map(won).collect()
    });
    let legs = Summary::of(&record.events).legs;
    let (first, second): (Vec<&Played>, Vec<&Played>) = record
        .played
        .iter()
        .filter(|(trial, _)| trial.id.round < 1 << 31)
        .partition(|(_, opponent)| *opponent == Opponent::OwnOnLeg(0));
    assert_eq!(second[0].0.b, legs[0].values);
    assert_ne!(legs[0].values, Vector(vec![0.0, 0.0]));
    // The same edits would be drawn from the same numbers, whatever they start from.
    let edits = |played: &[&Played]| -> Vec<[i64; 2]> {
        let steps = |it: &Trial, at: usize| ((it.a.0[at] - it.b.0[at]) / 0.05).round() as i64;
        played
            .iter()
            .map(|(it, _)| [steps(it, 0), steps(it, 1)])
            .take(6)
            .collect()
    };
    assert_ne!(edits(&first), edits(&second));
}

#[test]
fn no_trial_of_any_leg_has_the_numbers_of_another() {
    let record = drive(
        &mut short("[50, 200, 800]", "600").course(TEXT),
        fixed_results,
    );
    let numbers = |(trial, _): &Played| (trial.id.round, trial.id.trial);
    let tuning = record
        .played
        .iter()
        .filter(|(trial, _)| trial.id.round < 1 << 31);
    let all: Vec<(u32, u32)> = tuning.map(numbers).collect();
    let trials: BTreeSet<u32> = all.iter().map(|(_, trial)| *trial).collect();
    assert_eq!(trials.len(), all.len());
    assert!(all.is_sorted());
    let rounds: Vec<u32> = Summary::of(&record.events)
        .rounds
        .iter()
        .map(|round| round.round)
        .collect();
    assert_eq!(rounds, (0..rounds.len() as u32).collect::<Vec<_>>());
}

#[test]
fn every_checkpoint_leads_to_the_same_end() {
    for job in [
        short("[50, 800]", "[100, 400]"),
        short("[50, 200, 800]", "600"),
    ] {
        let record = drive(&mut job.course(TEXT), fixed_results);
        assert!(record.checkpoints.len() > 10);
        for (done, state) in record.checkpoints {
            // As it comes back from a file.
            let state = serde_json::from_str(&state.to_string()).unwrap();
            let mut course = job.course(TEXT);
            course.restore(&state).unwrap();
            assert_eq!(
                course.snapshot().as_ref(),
                Some(&state),
                "after {done} events"
            );
            let rest = drive(&mut course, fixed_results).events;
            assert_eq!(rest, record.events[done..], "after {done} events");
        }
    }
}

#[test]
fn a_checkpoint_of_other_legs_is_refused_and_changes_nothing() {
    let job = short("[50, 800]", "[100, 400]");
    let record = drive(&mut job.course(TEXT), fixed_results);
    let (_, mut state) = record.checkpoints.last().unwrap().clone();
    let mut single = Course::new(job.course_plan(TEXT), job.learner());
    assert!(single.restore(&state).unwrap_err().contains("one budget"));
    let finished = state["legs"].clone();
    let outside =
        serde_json::json!({"rounds": 1, "games": 1, "values": [9.0, 9.0], "deviations": null});
    let game = serde_json::json!([[0.1, 0.0], [0.0, 0.0], [1, 0, 1]]);
    let games = |pairs| serde_json::json!({"looked_at": 0, "pairs": pairs});
    let beyond = serde_json::json!([[[9.0, 9.0], [0.0, 0.0], [1, 0, 1]]]);
    for (legs, games) in [
        (serde_json::json!([]), games(serde_json::json!([]))),
        (serde_json::json!([outside]), games(serde_json::json!([]))),
        (finished.clone(), games(beyond)),
        (finished.clone(), games(serde_json::json!([game, game]))),
        (
            finished.clone(),
            serde_json::json!({"looked_at": 1, "pairs": []}),
        ),
        (finished, serde_json::json!(null)),
        (serde_json::json!(null), games(serde_json::json!([]))),
    ] {
        (state["legs"], state["games"]) = (legs, games);
        let mut course = job.course(TEXT);
        course.restore(&state).unwrap_err();
        assert_eq!(drive(&mut course, fixed_results).events, record.events);
    }
}

#[test]
fn an_event_that_is_missing_or_changed_is_refused_wherever_it_stands() {
    let job = short("[50, 800]", "[100, 100]");
    let events = drive(&mut job.course(TEXT), fixed_results).events;
    let refused = |events: &[Event]| {
        let mut course = job.course(TEXT);
        let applied = events
            .iter()
            .try_for_each(|it| course.apply(it).map_err(drop));
        applied.is_err()
    };
    for missing in 0..events.len() - 1 {
        let mut without = events.clone();
        without.remove(missing);
        assert!(refused(&without), "event {missing} was not missed");
    }
    for (number, event) in events.iter().enumerate() {
        let mut changed = events.clone();
        match &mut changed[number] {
            Event::LegFinished(leg) => leg.values.0[0] += 0.05,
            Event::Extrapolated(found) => found.drifts[1].slope += 1e-9,
            _ => continue,
        }
        assert!(refused(&changed), "{event} was changed");
    }
    assert!(!refused(&events));
}

/// Slope and value at `at` of the line through points (x, y) of these deviations, found by trying:
/// the sum of squares over the variances is a bowl.
fn line_by_search(points: &[[f64; 3]], at: f64) -> [f64; 2] {
    let loss = |slope: f64, value: f64| -> f64 {
        let left = points
            .iter()
            .map(|[x, y, deviation]| (y - value - slope * (x - at)) / deviation);
        left.map(|it| it * it).sum()
    };
    let lowest = |of: &dyn Fn(f64) -> f64| {
        let (mut low, mut high) = (-20.0, 20.0);
        for _ in 0..120 {
            let third = (high - low) / 3.0;
            if of(low + third) < of(high - third) {
                high -= third;
            } else {
                low += third;
            }
        }
        0.5 * (low + high)
    };
    let value_of = |slope: f64| lowest(&|value| loss(slope, value));
    let slope = lowest(&|slope| loss(slope, value_of(slope)));
    [slope, value_of(slope)]
}

/// What is left of a line by its points, in their deviations, if that is more than 1 on average.
fn scatter(points: &[[f64; 3]], [slope, value]: [f64; 2], at: f64) -> f64 {
    let squares = points.iter().map(|[x, y, deviation]| {
        let left = (y - value - slope * (x - at)) / deviation;
        left * left
    });
    let freedom = points.len() - 2;
    if freedom == 0 {
        return 1.0;
    }
    (squares.sum::<f64>() / freedom as f64).sqrt().max(1.0)
}

#[test]
fn a_leg_weighs_what_its_own_games_leave_open_and_the_line_is_that_of_these_weights() {
    for budgets in ["[50, 800]", "[50, 200, 800]"] {
        let changes = [
            ("games = 6000", "games = 3000"),
            ("rounds = 8", "rounds = 9"),
        ];
        let job = job(budgets, &changes);
        let record = scripted_run(&job);
        let summary = Summary::of(&record.events);
        let mut games = vec![sixfold_tuner::outlook::Played::default(); job.legs.len()];
        let mut leg = 0;
        for event in &record.events {
            match event {
                Event::TrialFinished { trial, result, .. } => games[leg].add(trial, result),
                Event::LegFinished(_) => leg += 1,
                _ => {}
            }
        }
        let coordinates = Coordinates::new(&job.space);
        let mut points = vec![Vec::new(); 2];
        for (leg, games) in summary.legs.iter().zip(&games) {
            let known = optimum_deviations(&job.space, games, &leg.values);
            assert_eq!(leg.deviations, known, "leg at {}", leg.budget);
            let units = coordinates.to_unit(&leg.values);
            let known = known.expect("a smooth surface fits");
            for (index, points) in points.iter_mut().enumerate() {
                let x = libm::log(leg.budget as f64);
                points.push([x, units[index], known[index]]);
            }
        }
        let at = libm::log(3200.0);
        let found = summary.extrapolation.as_ref().unwrap();
        for (drift, points) in found.drifts.iter().zip(&points) {
            let [slope, value] = line_by_search(points, at);
            let scale = scatter(points, [slope, value], at);
            let deviation_of = |result: usize| -> f64 {
                let moved = (0..points.len()).map(|leg| {
                    let mut moved = points.clone();
                    moved[leg][1] += 1.0;
                    let influence = line_by_search(&moved, at)[result] - [slope, value][result];
                    influence * points[leg][2]
                });
                scale * moved.map(|it| it * it).sum::<f64>().sqrt()
            };
            assert!((drift.slope - slope).abs() < 1e-6, "{drift:?}, {slope}");
            assert!((drift.slope_deviation - deviation_of(0)).abs() < 1e-6);
            assert_eq!(drift.is_measured, slope.abs() > 1.96 * deviation_of(0));
            let dearest = points.last().unwrap();
            let [coordinate, deviation] = if drift.is_measured {
                [value, deviation_of(1)]
            } else {
                [dearest[1], dearest[2]]
            };
            assert!((drift.coordinate - coordinate).abs() < 1e-6, "{drift:?}");
            assert!((drift.deviation - deviation).abs() < 1e-6, "{drift:?}");
        }
    }
}

/// Where the scripted engine is strongest, which moves in a straight line in the logarithm of the
/// budget: at 3200 it is (0.7, 0).
fn best_at(budget: f64) -> [f64; 2] {
    let steps = libm::log(budget / 50.0) / libm::log(4.0);
    [0.4 + 0.1 * steps, -0.3 + 0.1 * steps]
}

fn surface_at(budget: f64) -> Surface {
    let best = best_at(budget);
    Surface::function(move |values| {
        let squares = values
            .iter()
            .zip(best)
            .map(|(it, best)| (it - best) * (it - best));
        -15_000.0 * squares.sum::<f64>()
    })
}

/// A run of the scripted engine.
fn scripted_run(job: &Job) -> Record {
    let scripted = |budget: u64| Scripted::new(surface_at(budget as f64), job.seed);
    let budgets = job.legs.iter().map(|leg| leg.budget.amount.number());
    let mut legs: Vec<Scripted> = budgets.map(scripted).collect();
    let mut matches = scripted(3200);
    drive(&mut job.course(TEXT), |trials, opponent| {
        let evaluator = match opponent {
            Opponent::OwnOnLeg(leg) => &mut legs[leg as usize],
            Opponent::Own => &mut matches,
            // Nobody asks the surface how strong the reference is.
            Opponent::Reference => return fixed_results(trials, opponent),
        };
        evaluator.evaluate(trials, &AtomicBool::new(false)).unwrap()
    })
}

#[test]
fn an_optimum_that_moves_in_the_logarithm_of_the_budget_is_found_where_no_game_was_played() {
    let changes = [
        ("rounds = 8", "rounds = 100"),
        ("episodes = 60", "episodes = 20"),
        ("games = 6000", "games = 24000"),
    ];
    let job = job("[50, 200, 800]", &changes);
    let record = scripted_run(&job);
    let summary = Summary::of(&record.events);
    let near = |found: &Vector, budget: f64, tolerance: f64| {
        let apart = found
            .0
            .iter()
            .zip(best_at(budget))
            .map(|(it, best)| (it - best).abs());
        let apart = apart.fold(0.0, f64::max);
        assert!(
            apart <= tolerance,
            "{found:?} is {apart} from {:?}",
            best_at(budget)
        );
    };
    for leg in &summary.legs {
        near(&leg.values, leg.budget as f64, 0.051);
    }
    let found = summary.extrapolation.as_ref().unwrap();
    assert_eq!(found.budget, 3200);
    assert!(
        found
            .drifts
            .iter()
            .all(|drift| drift.is_measured && !drift.is_clipped())
    );
    near(&found.values, 3200.0, 0.08);
    // It beats what any of the legs came to, and the verification is of it, against the start.
    let elo = |values: &Vector| surface_at(3200.0).elo(values);
    assert!(
        summary
            .legs
            .iter()
            .all(|leg| elo(&found.values) > elo(&leg.values))
    );
    let attempt = summary.last_attempt().unwrap();
    assert_eq!(attempt.tuned, found.values);
    assert_eq!(attempt.measured.wdl.games(), 400);
    let decided = record.events.iter().any(|event| {
        matches!(
            event,
            Event::MatchBatch {
                contest: Contest::Decision,
                ..
            }
        )
    });
    assert!(decided && summary.is_verified());
}

#[test]
fn a_job_at_several_budgets_is_resolved_to_itself() {
    for job in [
        short("[50, 800]", "[100, 400]"),
        short("[50, 200, 800]", "500"),
    ] {
        let again = Job::parse(Path::new("job.toml"), &job.to_toml()).unwrap();
        assert_eq!(again, job);
        assert_eq!(again.to_toml(), job.to_toml());
    }
}

#[test]
fn games_are_shared_equally_unless_they_are_listed() {
    let games =
        |job: Job| -> Vec<Option<u64>> { job.legs.iter().map(|it| it.stop.games).collect() };
    let equal = games(short("[50, 200, 800]", "500"));
    assert_eq!(equal, [Some(167), Some(167), Some(166)]);
    let listed = games(short("[50, 200, 800]", "[300, 100, 200]"));
    assert_eq!(listed, [Some(300), Some(100), Some(200)]);
}

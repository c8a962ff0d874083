//! Matches under bots that misbehave.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use sixfold_engine::agent::{GameWatch, Referee, play_game};
use sixfold_engine::config::EngineConfig;
use sixfold_engine::eval::dots::DotsKnowledge;
use sixfold_engine::eval::dots::opening::random_opening;
use sixfold_engine::game::dots::Board;
use sixfold_engine::game::{Outcome, Player};
use sixfold_engine::games::DotsAndBoxes;
use sixfold_engine::stream::{Purpose, StreamKey};
use sixfold_tuner::evaluator::match_play::{
    ATTEMPTS, MatchPlay, Matches, PairAttempt, Side, Streams,
};
use sixfold_tuner::evaluator::{EvaluationError, Evaluator};
use sixfold_tuner::space::Vector;
use sixfold_tuner::trial::{Colours, DroppedPair, FailureKind, Trial, TrialId, TrialResult};

use crate::bots::{Misconduct, misbehaving, noting};

const SEED: u64 = 11;
/// No innocent move of these tests takes so long, however busy the machine is.
const DEADLINE: Duration = Duration::from_secs(1);
const GRACE: Duration = Duration::from_millis(300);
/// For tests in which nobody is late.
const NEVER: Duration = Duration::from_secs(3_600);

pub(crate) fn engine() -> EngineConfig {
    let text = "format = 1\n[game]\nname = \"dots_and_boxes\"\nrows = 3\ncols = 3\n\
                [budget]\nsimulations = 20\n[solver]\ntable_mib = 1\n\
                [stages.opening]\nfrom = { ply = 0 }\nsearcher = \"uct\"\n\
                [stages.endgame]\nfrom = { edges_left = 10 }\nsearcher = \"alpha_beta\"\n";
    EngineConfig::parse(Path::new("engine.toml"), text).expect("a configuration")
}

fn players(misconduct: Misconduct, threads: usize, deadline: Duration) -> MatchPlay {
    let side = || Side::fixed(engine());
    MatchPlay::new(side(), side(), SEED, Streams::Independent)
        .expect("two sides of one game")
        .with_bots(misbehaving(misconduct))
        .with_deadline(deadline)
        .with_threads(threads, GRACE)
}

fn trials(count: u32, colours: Colours, games: u32) -> Vec<Trial> {
    let trial = |trial| Trial {
        id: TrialId { round: 2, trial },
        a: Vector(Vec::new()),
        b: Vector(Vec::new()),
        colours,
        games,
    };
    (0..count).map(trial).collect()
}

type Evaluated = (Vec<TrialResult>, Vec<DroppedPair>);

fn evaluate(players: &mut MatchPlay, trials: &[Trial]) -> Evaluated {
    let never = AtomicBool::new(false);
    let results = players.evaluate(trials, &never).expect("results");
    (results, players.take_dropped())
}

/// The same slowly: one game after the other, by bots that only note where they would have failed.
fn slowly(misconduct: Misconduct, trials: &[Trial]) -> Vec<TrialResult> {
    let results = trials.iter().map(|trial| {
        let mut result = TrialResult::default();
        let games = if trial.colours == Colours::Paired {
            2
        } else {
            1
        };
        for pair in 0..trial.games / games {
            let played = (0..).find_map(|attempt| {
                let points: Option<Vec<usize>> = (0..games)
                    .map(|game| points_of_a(misconduct, trial, [pair, attempt, game]))
                    .collect();
                if points.is_none() {
                    result.dropped_pairs.push(pair);
                }
                points
            });
            let played = played.expect("some attempt goes well");
            for points in &played {
                match points {
                    2 => result.wdl.wins += 1,
                    1 => result.wdl.draws += 1,
                    _ => result.wdl.losses += 1,
                }
            }
            if games == 2 {
                result.pentanomial.0[played.iter().sum::<usize>()] += 1;
            }
        }
        result
    });
    results.collect()
}

/// A's points in halves; None where a bot would have failed.
fn points_of_a(misconduct: Misconduct, trial: &Trial, place: [u32; 3]) -> Option<usize> {
    let [pair, attempt, game] = place;
    let key = |purpose, lane| StreamKey {
        round: trial.id.round,
        trial: trial.id.trial,
        pair,
        attempt,
        lane,
        ..StreamKey::new(SEED, purpose)
    };
    let board = Board::of(3, 3).expect("a board");
    let opening = random_opening(board, &mut key(Purpose::Opening, 0).stream());
    let streams =
        [Purpose::First, Purpose::Second].map(|purpose| key(purpose, game as u8).stream());
    let noted = Arc::new(AtomicBool::new(false));
    let mut a = noting(&engine(), misconduct, &noted);
    let mut b = noting(&engine(), misconduct, &noted);
    let mut referee = Referee::new(1, DotsKnowledge);
    let watch = GameWatch::default();
    let record = play_game([&mut a, &mut b], streams, &mut referee, &opening, &watch);
    let a_sits = [Player::First, Player::Second][game as usize];
    let points = match record.expect("a bot that only notes plays well").outcome {
        Outcome::Draw => 1,
        Outcome::Win(winner) if winner == a_sits => 2,
        Outcome::Win(_) => 0,
    };
    (!noted.load(Ordering::Relaxed)).then_some(points)
}

#[test]
fn a_pair_with_a_failed_game_is_dropped_and_played_again_with_the_next_attempt() {
    let misconduct = Misconduct {
        seed: 1,
        panics: 4_000,
        illegal: 4_000,
        ..Misconduct::NONE
    };
    for (colours, games) in [(Colours::Paired, 20), (Colours::AFirst, 15)] {
        let trials = trials(4, colours, games);
        let expected = slowly(misconduct, &trials);
        let all_dropped: usize = expected.iter().map(|it| it.dropped_pairs.len()).sum();
        assert!(all_dropped > 3, "some pairs have to fail: {expected:?}");
        let (results, dropped) = evaluate(&mut players(misconduct, 1, NEVER), &trials);
        assert_eq!(results, expected);
        assert_eq!(dropped.len(), all_dropped);
        for threads in [2, 5] {
            let again = evaluate(&mut players(misconduct, threads, NEVER), &trials);
            assert_eq!(
                again,
                (results.clone(), dropped.clone()),
                "{threads} threads"
            );
        }
    }
}

#[test]
fn the_evidence_of_a_dropped_pair_tells_what_happened_where() {
    let misconduct = Misconduct {
        seed: 3,
        panics: 5_000,
        illegal: 5_000,
        ..Misconduct::NONE
    };
    let trials = trials(3, Colours::Paired, 20);
    let (results, dropped) = evaluate(&mut players(misconduct, 2, NEVER), &trials);
    let kinds = |kind| dropped.iter().filter(|it| it.kind == kind).count();
    assert!(kinds(FailureKind::Panic) > 0 && kinds(FailureKind::IllegalMove) > 0);
    for (trial, result) in trials.iter().zip(&results) {
        let of_trial = dropped.iter().filter(|it| it.id == trial.id);
        let pairs: Vec<u32> = of_trial.map(|it| it.pair).collect();
        assert_eq!(pairs, result.dropped_pairs);
    }
    for it in &dropped {
        assert_eq!((it.game / 2, it.a_is_first), (it.pair, it.game % 2 == 0));
        let text = it.to_string();
        assert!(
            text.contains(it.kind.word()) && text.contains(&it.reason),
            "{text}"
        );
        assert!(it.opening != it.position || it.moves.is_empty(), "{it:?}");
    }
}

/// The first seed with which so many pairs are dropped, and the results with it.
fn with_dropped(
    misconduct: Misconduct,
    trials: &[Trial],
    wanted: usize,
) -> (Misconduct, Vec<TrialResult>) {
    let mut seeds = 0..1_000;
    let found = seeds.find_map(|seed| {
        let misconduct = Misconduct { seed, ..misconduct };
        let results = slowly(misconduct, trials);
        let dropped: usize = results.iter().map(|it| it.dropped_pairs.len()).sum();
        (dropped == wanted).then_some((misconduct, results))
    });
    found.expect("some seed of a thousand")
}

#[test]
fn a_bot_that_hangs_or_dawdles_costs_its_pair_and_nothing_else() {
    let trials = trials(2, Colours::Paired, 10);
    let hangs = Misconduct {
        hangs: 5_000,
        ..Misconduct::NONE
    };
    let dawdles = Misconduct {
        dawdles: 5_000,
        ..Misconduct::NONE
    };
    for (misconduct, word) in [(hangs, "hangs"), (dawdles, "took longer than 1 s")] {
        let (misconduct, expected) = with_dropped(misconduct, &trials, 2);
        let mut kinds = Vec::new();
        let mut two = players(misconduct, 2, DEADLINE);
        for players in [&mut players(misconduct, 1, DEADLINE), &mut two] {
            let (results, dropped) = evaluate(players, &trials);
            assert_eq!(results, expected, "{word}");
            assert!(
                dropped.iter().all(|it| it.reason.contains(word)),
                "{dropped:?}"
            );
            assert!(dropped.iter().all(|it| it.kind == FailureKind::OverTime));
            kinds.push(dropped);
        }
        assert_eq!(kinds[0], kinds[1]);
        // The threads that were lost have been replaced.
        assert_eq!(evaluate(&mut two, &trials).0, expected, "{word}");
    }
}

#[test]
fn games_that_counted_are_played_again_without_a_deadline() {
    let mut slow = engine();
    slow.budget = "simulations=20000".parse().expect("a budget");
    let side = || Side::fixed(slow.clone());
    let mut players = MatchPlay::<DotsAndBoxes>::new(side(), side(), SEED, Streams::Independent)
        .expect("two sides of one game")
        .with_deadline(Duration::from_micros(1))
        .with_threads(1, NEVER);
    let trial = Arc::new(trials(1, Colours::Paired, 2).remove(0));
    let mut play = |is_timed| {
        let pair = PairAttempt {
            trial: Arc::clone(&trial),
            pair: 0,
            attempt: 0,
            is_timed,
        };
        let games = players.play_pairs(&[pair], &AtomicBool::new(false));
        games.expect("an end").remove(0)
    };
    let dropped = play(true).expect_err("a move over its deadline");
    assert_eq!(dropped.kind, FailureKind::OverTime);
    assert_eq!(play(false).expect("games").len(), 2);
}

#[test]
fn a_pair_that_fails_in_every_attempt_ends_the_match_with_its_evidence() {
    let misconduct = Misconduct {
        panics: 1_000_000,
        ..Misconduct::NONE
    };
    let mut players = players(misconduct, 1, NEVER);
    let trials = trials(1, Colours::Paired, 2);
    let error = players.evaluate(&trials, &AtomicBool::new(false));
    let error = error.expect_err("every game panics");
    assert!(matches!(
        error,
        EvaluationError::GameFailed {
            attempts: ATTEMPTS,
            ..
        }
    ));
    assert!(error.to_string().contains("as it was told to"), "{error}");
    let dropped = players.take_dropped();
    let attempts: Vec<u32> = dropped.iter().map(|it| it.attempt).collect();
    assert_eq!(attempts, [0, 1, 2, 3, 4]);
    assert!(players.take_dropped().is_empty());
}

#[test]
fn a_request_to_stop_is_answered_while_a_bot_hangs() {
    let misconduct = Misconduct {
        hangs: 1_000_000,
        ..Misconduct::NONE
    };
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let evaluation = scope.spawn(|| {
            let mut players = players(misconduct, 2, NEVER);
            let trials = trials(2, Colours::Paired, 10);
            let error = players
                .evaluate(&trials, &stop)
                .expect_err("nobody answers");
            assert!(matches!(error, EvaluationError::Interrupted));
            assert!(
                players.take_dropped().is_empty(),
                "it is played again at the resumption"
            );
        });
        thread::sleep(Duration::from_millis(50));
        assert!(!evaluation.is_finished());
        stop.store(true, Ordering::Relaxed);
        evaluation.join().expect("the evaluation ends");
    });
}

#[test]
fn what_was_interrupted_is_played_to_the_same_results() {
    let trials = trials(4, Colours::Paired, 200);
    let expected = slowly(Misconduct::NONE, &trials);
    let mut players = players(Misconduct::NONE, 2, NEVER);
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(20));
            stop.store(true, Ordering::Relaxed);
        });
        // On a fast machine everything is played by then.
        if let Err(error) = players.evaluate(&trials, &stop) {
            assert!(matches!(error, EvaluationError::Interrupted));
        }
    });
    assert_eq!(evaluate(&mut players, &trials), (expected, Vec::new()));
}

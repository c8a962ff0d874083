//! Every event as a line and back, and lines that are refused. Other files take events from here.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use sixfold_tuner::event::{
    Contest, Drift, EditPath, Event, Extrapolation, LegSummary, RoundSummary, StopReason, Verdict,
};
use sixfold_tuner::space::Vector;
use sixfold_tuner::stats::{Pentanomial, Wdl};
use sixfold_tuner::store::format::{DecodeError, EncodeError, JOURNAL_FORMAT, decode, encode};
use sixfold_tuner::trial::{Colours, Trial, TrialId, TrialResult};

fn number() -> impl Strategy<Value = f64> {
    any::<f64>().prop_filter("finite", |value| value.is_finite())
}

fn vector() -> impl Strategy<Value = Vector> {
    vec(number(), 0..6).prop_map(Vector)
}

fn path() -> impl Strategy<Value = Option<EditPath>> {
    option::of([1..=6_u8, 1..=6_u8])
}

fn result() -> impl Strategy<Value = TrialResult> {
    (any::<[u64; 8]>(), vec(any::<u32>(), 0..3)).prop_map(|(counts, dropped_pairs)| {
        let [wins, draws, losses, pentanomial @ ..] = counts;
        TrialResult {
            wdl: Wdl {
                wins,
                draws,
                losses,
            },
            pentanomial: Pentanomial(pentanomial),
            dropped_pairs,
        }
    })
}

fn trial() -> impl Strategy<Value = Trial> {
    let colours = prop_oneof![Just(Colours::Paired), Just(Colours::AFirst)];
    (any::<[u32; 3]>(), vector(), vector(), colours).prop_map(|([round, trial, games], a, b, c)| {
        Trial {
            id: TrialId { round, trial },
            a,
            b,
            colours: c,
            games,
        }
    })
}

fn round() -> impl Strategy<Value = Event> {
    let counts = (any::<u32>(), any::<u64>(), any::<bool>());
    (counts, path(), option::of(number()), vector()).prop_map(
        |((round, candidate_games, applied), greedy_path, candidate_score, incumbent)| {
            Event::RoundFinished(RoundSummary {
                round,
                greedy_path,
                applied,
                candidate_score,
                candidate_games,
                incumbent,
            })
        },
    )
}

fn leg() -> impl Strategy<Value = Event> {
    let counts = (any::<u32>(), any::<u64>(), any::<u32>(), any::<u64>());
    let deviations = option::of(vec(number(), 0..6));
    (counts, vector(), deviations).prop_map(|((leg, budget, rounds, games), values, deviations)| {
        Event::LegFinished(LegSummary {
            leg,
            budget,
            reason: StopReason::Rounds,
            rounds,
            games,
            values,
            deviations,
        })
    })
}

fn extrapolated() -> impl Strategy<Value = Event> {
    let numbers = [number(), number(), number(), number()];
    let drift = (numbers, any::<bool>(), option::of(number())).prop_map(
        |([slope, slope_deviation, coordinate, deviation], is_measured, residual)| Drift {
            slope,
            slope_deviation,
            is_measured,
            coordinate,
            deviation,
            residual,
        },
    );
    (any::<u64>(), vector(), vec(drift, 0..4)).prop_map(|(budget, values, drifts)| {
        Event::Extrapolated(Extrapolation {
            budget,
            values,
            drifts,
        })
    })
}

fn verification() -> impl Strategy<Value = Event> {
    let contest = prop_oneof![
        Just(Contest::Decision),
        Just(Contest::TunedAgainstStart),
        Just(Contest::StartAgainstReference),
        Just(Contest::TunedAgainstReference),
    ];
    let verdict = prop_oneof![
        Just(Verdict::Accepted),
        Just(Verdict::Rejected),
        Just(Verdict::Undecided),
    ];
    prop_oneof![
        (any::<u32>(), vector())
            .prop_map(|(attempt, tuned)| Event::VerificationStarted { attempt, tuned }),
        (any::<u32>(), contest, any::<u32>(), result()).prop_map(
            |(attempt, contest, batch, result)| Event::MatchBatch {
                attempt,
                contest,
                batch,
                result
            }
        ),
        (any::<u32>(), verdict, any::<u64>()).prop_map(|(attempt, verdict, games)| {
            Event::VerificationFinished {
                attempt,
                verdict,
                games,
            }
        }),
    ]
}

/// Any event whatever.
pub(crate) fn any_event() -> impl Strategy<Value = Event> {
    let reason = prop_oneof![
        Just(StopReason::Rounds),
        Just(StopReason::Games),
        Just(StopReason::Converged),
        Just(StopReason::SmallGain),
    ];
    prop_oneof![
        any::<String>().prop_map(|job_digest| Event::RunStarted { job_digest }),
        (path(), trial(), result()).prop_map(|(path, trial, result)| Event::TrialFinished {
            path,
            trial,
            result
        }),
        round(),
        leg(),
        extrapolated(),
        (reason, any::<u32>(), any::<u64>()).prop_map(|(reason, rounds, games)| {
            Event::TuningFinished {
                reason,
                rounds,
                games,
            }
        }),
        verification(),
    ]
}

/// A short run: start, trial, round, end.
pub(crate) fn short_run() -> Vec<Event> {
    let vector = |values: [f64; 2]| Vector(values.to_vec());
    vec![
        Event::RunStarted {
            job_digest: "5e1f".to_owned(),
        },
        Event::TrialFinished {
            path: Some([1, 6]),
            trial: Trial {
                id: TrialId { round: 0, trial: 0 },
                a: vector([0.3, 2.0]),
                b: vector([0.2, 2.0]),
                colours: Colours::Paired,
                games: 8,
            },
            result: TrialResult {
                wdl: Wdl {
                    wins: 5,
                    draws: 0,
                    losses: 3,
                },
                pentanomial: Pentanomial([0, 0, 3, 0, 1]),
                dropped_pairs: vec![],
            },
        },
        Event::RoundFinished(RoundSummary {
            round: 0,
            greedy_path: Some([1, 6]),
            applied: true,
            candidate_score: Some(0.625),
            candidate_games: 8,
            incumbent: vector([0.3, 2.0]),
        }),
        Event::TuningFinished {
            reason: StopReason::Games,
            rounds: 1,
            games: 8,
        },
    ]
}

/// The line of any body, with the right checksum.
pub(crate) fn line(body: &str) -> String {
    let crc = crc32fast::hash(body.as_bytes());
    format!("{{\"crc\":\"{crc:08x}\",\"event\":{body}}}")
}

proptest! {
    #[test]
    fn every_event_is_read_as_it_was_written(event in any_event()) {
        let line = encode(&event).unwrap();
        prop_assert_eq!(line.matches('\n').count(), 1);
        let read = decode(line.trim_end_matches('\n').as_bytes()).unwrap();
        // Bytes and not only values: -0.0 equals 0.0.
        prop_assert_eq!(encode(&read).unwrap(), line);
        prop_assert_eq!(read, event);
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes in vec(any::<u8>(), 0..200), body in "\\PC*") {
        prop_assert!(decode(&bytes).is_err());
        prop_assert!(decode(line(&body).as_bytes()).is_err());
    }
}

#[test]
fn the_bytes_of_an_event_are_fixed() {
    let lines: Vec<_> = short_run()
        .iter()
        .map(|event| encode(event).unwrap())
        .collect();
    let bodies = [
        r#"{"run_started":{"format":2,"job_digest":"5e1f"}}"#,
        concat!(
            r#"{"trial":[0,0,[1,6],[0.3,2.0],[0.2,2.0],"paired",8,"#,
            r#"[[5,0,3],[0,0,3,0,1],[]]]}"#
        ),
        concat!(
            r#"{"round_finished":{"round":0,"greedy_path":[1,6],"applied":true,"#,
            r#""candidate_score":0.625,"candidate_games":8,"incumbent":[0.3,2.0]}}"#
        ),
        r#"{"tuning_finished":{"reason":"games","rounds":1,"games":8}}"#,
    ];
    let expected: Vec<_> = bodies.iter().map(|body| line(body) + "\n").collect();
    assert_eq!(lines, expected);
}

#[test]
fn without_a_tree_paths_are_null() {
    let mut run = short_run();
    if let Event::TrialFinished { path, .. } = &mut run[1] {
        *path = None;
    }
    if let Event::RoundFinished(summary) = &mut run[2] {
        summary.greedy_path = None;
    }
    let trial = encode(&run[1]).unwrap();
    assert!(
        trial.contains(r#"{"trial":[0,0,null,[0.3,2.0],"#),
        "{trial}"
    );
    let round = encode(&run[2]).unwrap();
    assert!(round.contains(r#""greedy_path":null,"#), "{round}");
}

#[test]
fn the_bytes_of_the_events_of_legs_are_fixed() {
    let leg = Event::LegFinished(LegSummary {
        leg: 1,
        budget: 200,
        reason: StopReason::Rounds,
        rounds: 3,
        games: 240,
        values: Vector(vec![0.3, 2.0]),
        deviations: None,
    });
    let extrapolated = Event::Extrapolated(Extrapolation {
        budget: 3000,
        values: Vector(vec![0.5]),
        drifts: vec![Drift {
            slope: 0.125,
            slope_deviation: 0.0625,
            is_measured: true,
            coordinate: 0.5,
            deviation: 0.25,
            residual: None,
        }],
    });
    let bodies = [
        concat!(
            r#"{"leg_finished":{"leg":1,"budget":200,"reason":"rounds","rounds":3,"games":240,"#,
            r#""values":[0.3,2.0],"deviations":null}}"#
        ),
        concat!(
            r#"{"extrapolated":{"budget":3000,"values":[0.5],"drifts":[{"slope":0.125,"#,
            r#""slope_deviation":0.0625,"is_measured":true,"coordinate":0.5,"deviation":0.25,"#,
            r#""residual":null}]}}"#
        ),
    ];
    for (event, body) in [leg, extrapolated].iter().zip(bodies) {
        assert_eq!(encode(event).unwrap(), line(body) + "\n");
    }
    // What may be null is never left out.
    let short = bodies[0].replace(r#","deviations":null"#, "");
    assert!(decode(line(&short).as_bytes()).is_err());
}

#[test]
fn lines_of_format_1_are_still_read() {
    let body = concat!(
        r#"{"trial_finished":{"path":[1,6],"trial":{"round":0,"trial":0,"a":[0.3,2.0],"#,
        r#""b":[0.2,2.0],"colours":"paired","games":8},"result":{"wins":5,"draws":0,"#,
        r#""losses":3,"pentanomial":[0,0,3,0,1],"failed_pairs":0}}}"#
    );
    assert_eq!(decode(line(body).as_bytes()).unwrap(), short_run()[1]);
    let body = concat!(
        r#"{"match_batch":{"attempt":1,"contest":"decision","batch":2,"result":{"wins":5,"#,
        r#""draws":0,"losses":3,"pentanomial":[0,0,3,0,1],"failed_pairs":0}}}"#
    );
    let Event::TrialFinished { result, .. } = short_run().remove(1) else {
        unreachable!("the second event is a trial");
    };
    let batch = Event::MatchBatch {
        attempt: 1,
        contest: Contest::Decision,
        batch: 2,
        result,
    };
    assert_eq!(decode(line(body).as_bytes()).unwrap(), batch);
}

#[test]
fn what_is_no_number_is_refused_before_writing() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let event = Event::VerificationStarted {
            attempt: 1,
            tuned: Vector(vec![0.0, value]),
        };
        let error = encode(&event).unwrap_err();
        assert!(matches!(error, EncodeError::NotFinite { .. }), "{error}");
        let Event::RoundFinished(mut summary) = short_run().remove(2) else {
            unreachable!("the third event is a round");
        };
        summary.candidate_score = Some(value);
        assert!(encode(&Event::RoundFinished(summary)).is_err());
    }
}

#[test]
fn a_line_has_a_longest_length() {
    let event = |length: usize| Event::RunStarted {
        job_digest: "x".repeat(length),
    };
    assert!(matches!(
        encode(&event(1 << 20)),
        Err(EncodeError::TooLong { .. })
    ));
    let long = encode(&event((1 << 20) - 100)).unwrap();
    assert!(decode(long.trim_end().as_bytes()).is_ok());
}

#[test]
fn unknown_fields_events_and_values_are_refused() {
    for body in [
        r#"{"tuning_finished":{"reason":"games","rounds":1,"games":8,"more":1}}"#,
        r#"{"tuning_finished":{"reason":"weather","rounds":1,"games":8}}"#,
        r#"{"tuning_finished":{"reason":"games","rounds":1}}"#,
        r#"{"tuning_finished":{"reason":"games","rounds":-1,"games":8}}"#,
        r#"{"verification_started":{"attempt":1,"tuned":[null]}}"#,
        r#"{"verification_started":{"attempt":1,"tuned":[1e999]}}"#,
        r#"{"something":{}}"#,
        concat!(
            r#"{"round_finished":{"round":0,"applied":true,"candidate_score":null,"#,
            r#""candidate_games":0,"incumbent":[0.3]}}"#
        ),
    ] {
        let error = decode(line(body).as_bytes()).unwrap_err();
        assert!(matches!(error, DecodeError::Unknown(_)), "{body}: {error}");
    }
}

#[test]
fn a_newer_format_is_named() {
    let found = JOURNAL_FORMAT + 1;
    let body = format!("{{\"run_started\":{{\"format\":{found},\"unheard_of\":0}}}}");
    let error = decode(line(&body).as_bytes()).unwrap_err();
    assert_eq!(error, DecodeError::NewerFormat { found });
}

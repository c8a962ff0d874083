//! Tests of the random search: who is drawn, who plays whom and how often, who stays.

use super::*;
use crate::space::{Parameter, Scale};
use crate::stats::Wdl;

fn parameter(path: &str, integer: bool, max: f64) -> Parameter {
    Parameter {
        path: path.into(),
        scale: Scale::Linear,
        integer,
        step: 1.0,
        min: 0.0,
        max,
        start: 0.0,
    }
}

fn space() -> Space {
    Space::new(vec![parameter("x", false, 1.0), parameter("y", false, 1.0)])
}

fn search(vectors: u32, games: u64) -> RandomSearch {
    RandomSearch::new(space(), &RandomSettings { vectors }, 1, games).unwrap()
}

/// Plays everything; a vector wins both games of a pair against the start where `wins` says so,
/// else it loses them. The pairs of each round, and the summaries.
fn play(
    search: &mut RandomSearch,
    wins: impl Fn(&Vector) -> bool,
) -> (Vec<Vec<Vector>>, Vec<RoundSummary>) {
    let (mut rounds, mut summaries) = (vec![Vec::new()], Vec::new());
    loop {
        match search.ask(5) {
            Ask::Exhausted => return (rounds, summaries),
            Ask::RoundFinished(summary) => {
                summaries.push(summary);
                rounds.push(Vec::new());
            }
            Ask::Play(asked) => {
                for proposal in asked {
                    assert_eq!(proposal.b, space().start());
                    let [wins, losses] = if wins(&proposal.a) { [2, 0] } else { [0, 2] };
                    let wdl = Wdl {
                        wins,
                        draws: 0,
                        losses,
                    };
                    search.tell(&TrialResult {
                        wdl,
                        ..TrialResult::default()
                    });
                    let round = rounds.last_mut().expect("a round is in progress");
                    round.push(proposal.a);
                }
            }
        }
    }
}

#[test]
fn vectors_are_halved_until_one_is_left_and_each_round_has_its_share() {
    let mut search = search(8, 200);
    assert_eq!(search.vectors.len(), 8);
    let second = search.vectors[3].clone();
    let (rounds, summaries) = play(&mut search, |vector| *vector == second);
    // 100 pairs: 33 for 7 vectors; then the winner, the start and the two next of the losers.
    let pairs: Vec<usize> = rounds.iter().map(Vec::len).collect();
    assert_eq!(pairs[0], 28);
    assert_eq!(pairs.len(), 4);
    assert!(pairs.iter().sum::<usize>() <= 100);
    assert!(pairs[1] >= 33 && pairs[2] >= 35, "{pairs:?}");
    assert!(summaries.iter().all(|summary| summary.incumbent == second));
    assert_eq!(summaries[2].candidate_score, Some(1.0));
    assert_eq!(
        summaries[2].candidate_games,
        2 * (4 + pairs[1] as u64 / 3 + pairs[2] as u64)
    );
    assert_eq!(*search.incumbent(), second);
}

#[test]
fn the_start_stays_where_nothing_beats_it() {
    let mut search = search(8, 200);
    let (_, summaries) = play(&mut search, |_| false);
    for summary in summaries {
        assert_eq!(summary.incumbent, space().start());
        assert_eq!((summary.applied, summary.candidate_score), (false, None));
    }
}

#[test]
fn the_fewest_games_give_every_vector_a_pair() {
    for vectors in [2, 3, 5, 32, 33] {
        let least = RandomSettings { vectors }.games_min();
        let (rounds, _) = play(&mut search(vectors, least), |_| true);
        assert_eq!(rounds[0].len() as u32, vectors - 1);
        let below = RandomSearch::new(space(), &RandomSettings { vectors }, 1, least - 1);
        assert!(below.is_err());
    }
}

#[test]
fn no_vector_is_there_twice() {
    let space = Space::new(vec![parameter("x", true, 2.0), parameter("y", true, 1.0)]);
    let search = RandomSearch::new(space, &RandomSettings { vectors: 500 }, 1, 10_000).unwrap();
    assert_eq!(search.vectors.len(), 6);
}

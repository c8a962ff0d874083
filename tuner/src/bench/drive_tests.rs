//! The driver: budgets, batches, determinism.

use std::sync::atomic::AtomicBool;

use super::*;
use crate::bench::Campaign;
use crate::bench::campaign::CampaignError;
use crate::optimiser::SnapshotError;
use crate::optimiser::paper::{Paper, PaperSettings};
use crate::optimiser::pooled::{Pooled, PooledSettings};
use crate::space::Vector;
use crate::trial::RoundSummary;

fn pooled() -> Contender {
    let settings = PooledSettings::default();
    Contender {
        name: "pooled".into(),
        games_per_trial: settings.tree.games_per_episode,
        build: Box::new(move |seed, space, _| {
            Box::new(Pooled::new(space.clone(), settings.clone(), seed).unwrap())
        }),
    }
}

fn paper(episodes: u32) -> Contender {
    let mut settings = PaperSettings::default();
    settings.tree.episodes = episodes;
    Contender {
        name: "paper".into(),
        games_per_trial: settings.tree.games_per_episode,
        build: Box::new(move |seed, space, _| {
            Box::new(Paper::new(space.clone(), settings.clone(), seed).unwrap())
        }),
    }
}

fn setting(seed: u64, budget: u32, in_flight: usize) -> Setting {
    Setting {
        seed,
        budget,
        in_flight,
        law: GameLaw::with_draws(0.0).unwrap(),
    }
}

/// An outcome without the time that it took.
fn timeless(outcome: Outcome) -> Outcome {
    Outcome {
        learner_time: Duration::ZERO,
        ..outcome
    }
}

#[test]
fn a_run_plays_all_trials_that_it_can_afford_and_closes_its_last_round() {
    let surface = Surface::named("QUAD-100", 1).unwrap();
    for (budget, games) in [(1_003, 1_000), (1_000, 1_000), (4, 0)] {
        let outcome = drive(&paper(64), &surface, &setting(1, budget, 8)).unwrap();
        assert_eq!(outcome.games, games, "a trial has 5 games");
        let last = outcome.trace.last().map(|point| point.games);
        assert_eq!(last.unwrap_or(0), games);
        let regret = outcome.trace.last().map_or(100.0, |point| point.regret);
        assert!((outcome.regret - regret).abs() < 1e-9);
    }
    // Rounds of 64 trials of 5 games: three whole ones, and 40 games of the fourth.
    let outcome = drive(&paper(64), &surface, &setting(1, 1_000, 8)).unwrap();
    let games: Vec<u64> = outcome.trace.iter().map(|point| point.games).collect();
    assert_eq!(games, [320, 640, 960, 1_000]);
}

#[test]
fn a_learner_comes_nearer_to_the_optimum() {
    let surface = Surface::named("QUAD-100", 2).unwrap();
    let outcome = drive(&pooled(), &surface, &setting(2, 20_000, 8)).unwrap();
    assert!(outcome.regret < 50.0, "{}", outcome.regret);
    assert!(outcome.learner_time > Duration::ZERO);
}

#[test]
fn seeds_budgets_and_surfaces_have_games_of_their_own() {
    let regret = |name: &str, seed, budget| {
        let surface = Surface::named(name, seed).unwrap();
        let outcome = drive(&pooled(), &surface, &setting(seed, budget, 4)).unwrap();
        (outcome.trace[0].games, outcome.trace)
    };
    assert_eq!(regret("LOG2", 1, 2_000), regret("LOG2", 1, 2_000));
    assert_ne!(regret("LOG2", 1, 2_000), regret("LOG2", 2, 2_000));
    let first_rounds = [2_000, 4_000].map(|budget| regret("LOG2", 1, budget).1);
    assert_ne!(first_rounds[0], first_rounds[1][..first_rounds[0].len()]);
}

/// A learner that never asks for a game.
struct Idle {
    incumbent: Vector,
    exhausted: bool,
}

impl Optimiser for Idle {
    fn ask(&mut self, _: usize) -> Ask {
        if self.exhausted {
            return Ask::Exhausted;
        }
        Ask::RoundFinished(self.finish_round())
    }

    fn tell(&mut self, _: &TrialResult) {
        unreachable!("nothing was asked for");
    }

    fn finish_round(&mut self) -> RoundSummary {
        RoundSummary {
            round: 0,
            greedy_path: None,
            applied: false,
            candidate_score: None,
            candidate_games: 0,
            incumbent: self.incumbent.clone(),
        }
    }

    fn incumbent(&self) -> &Vector {
        &self.incumbent
    }

    fn round(&self) -> u32 {
        0
    }

    fn snapshot(&self) -> serde_json::Value {
        serde_json::Value::Null
    }

    fn restore(&mut self, _: &serde_json::Value) -> Result<(), SnapshotError> {
        Ok(())
    }
}

fn idle(exhausted: bool) -> Contender {
    Contender {
        name: "idle".into(),
        games_per_trial: 2,
        build: Box::new(move |_, space, _| {
            let incumbent = space.start();
            Box::new(Idle {
                incumbent,
                exhausted,
            })
        }),
    }
}

#[test]
fn a_learner_that_plays_nothing_is_named() {
    let surface = Surface::named("FLAT2", 0).unwrap();
    let error = drive(&idle(false), &surface, &setting(5, 100, 1)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "idle on FLAT2, seed 5: it finished 1000 rounds in a row without a game, after 0 games"
    );
}

#[test]
fn a_learner_with_nothing_more_to_gain_ends_its_run() {
    let surface = Surface::named("FLAT2", 0).unwrap();
    let outcome = drive(&idle(true), &surface, &setting(5, 100, 1)).unwrap();
    assert_eq!(outcome.games, 0);
    assert_eq!(outcome.regret, surface.start_regret());
}

fn campaign() -> Campaign {
    Campaign {
        surfaces: vec!["CQ8".into(), "DOTS-B".into()],
        contenders: vec![pooled(), paper(64)],
        budgets: vec![300, 900],
        seeds: 10..14,
        in_flight: 3,
        law: GameLaw::with_draws(0.2).unwrap(),
    }
}

#[test]
fn a_campaign_is_the_same_on_one_and_two_threads_and_run_by_run() {
    let played = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let campaign = campaign();
        let cells = pool.build().unwrap().install(|| {
            let stop = AtomicBool::new(false);
            campaign.play(&stop, &|_| {}).unwrap()
        });
        let timeless = |mut cell: crate::bench::Cell| {
            cell.outcomes = cell.outcomes.into_iter().map(timeless).collect();
            cell
        };
        cells.into_iter().map(timeless).collect::<Vec<_>>()
    };
    let cells = played(1);
    assert_eq!(cells, played(2));
    let campaign = campaign();
    let mut cell = cells.iter();
    for name in &campaign.surfaces {
        for &budget in &campaign.budgets {
            for contender in &campaign.contenders {
                let cell = cell.next().unwrap();
                for (seed, outcome) in (10..14).zip(&cell.outcomes) {
                    let surface = Surface::named(name, seed).unwrap();
                    let setting = Setting {
                        law: campaign.law,
                        ..setting(seed, budget, 3)
                    };
                    let alone = drive(contender, &surface, &setting).unwrap();
                    assert_eq!(*outcome, timeless(alone));
                }
            }
        }
    }
    assert_eq!(cell.next(), None);
}

#[test]
fn a_campaign_counts_its_runs_and_can_be_stopped() {
    let campaign = campaign();
    assert_eq!(campaign.runs(), 32);
    let counted = std::sync::atomic::AtomicUsize::new(0);
    let count = |_: usize| {
        counted.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    };
    campaign.play(&AtomicBool::new(false), &count).unwrap();
    assert_eq!(counted.into_inner(), 32);
    let stopped = campaign.play(&AtomicBool::new(true), &|_| {}).unwrap_err();
    assert_eq!(stopped, CampaignError::Interrupted { done: 0, runs: 32 });
    let unknown = Campaign {
        surfaces: vec!["NONE".into()],
        ..campaign
    };
    let error = unknown.play(&AtomicBool::new(false), &|_| {}).unwrap_err();
    assert_eq!(error, CampaignError::UnknownSurface("NONE".into()));
}

//! Tests of what the presets do differently, and of the machinery they share.

use super::*;
use crate::optimiser::paper::{Paper, PaperSettings};
use crate::optimiser::pooled::{Pooled, PooledSettings};
use crate::optimiser::settings::SettingError;
use crate::optimiser::tree::{Node, RewardTo, UnrewardedLeaf};
use crate::space::{Parameter, Scale};
use crate::stats::Wdl;

fn space(step: f64, start: f64) -> Space {
    let parameter = |path: &str| Parameter {
        path: path.into(),
        scale: Scale::Linear,
        integer: false,
        step,
        min: 0.0,
        max: 1.0,
        start,
    };
    Space::new(vec![parameter("x"), parameter("y")])
}

fn result(wins: u64, losses: u64) -> TrialResult {
    let wdl = Wdl {
        wins,
        draws: 0,
        losses,
    };
    TrialResult {
        wdl,
        ..TrialResult::default()
    }
}

fn pooled(space: Space, episodes: u32) -> Pooled {
    let mut settings = PooledSettings::default();
    settings.tree.episodes = episodes;
    Pooled::new(space, settings, 1).unwrap()
}

fn paper(episodes: u32, change: impl FnOnce(&mut PaperSettings)) -> Paper {
    let mut settings = PaperSettings::default();
    settings.tree.episodes = episodes;
    change(&mut settings);
    Paper::new(space(0.1, 0.5), settings, 1).unwrap()
}

/// Plays a round in which every episode ends with what `outcome` says of its proposal.
fn play_round<S: Scheme>(
    learner: &mut TreeLearner<S>,
    outcome: impl Fn(&Proposal) -> TrialResult,
) -> (Vec<Proposal>, RoundSummary) {
    let mut asked = Vec::new();
    loop {
        match learner.ask(1) {
            Ask::RoundFinished(summary) => return (asked, summary),
            Ask::Exhausted => panic!("a tree can always be tried again"),
            Ask::Play(batch) => {
                for proposal in batch {
                    learner.tell(&outcome(&proposal));
                    asked.push(proposal);
                }
            }
        }
    }
}

#[test]
fn pairs_take_turns_and_wrap_around() {
    let pairs = |parameters, rounds| -> Vec<[usize; 2]> {
        (0..rounds)
            .map(|round| active_pair(parameters, round))
            .collect()
    };
    assert_eq!(pairs(2, 2), [[0, 1], [0, 1]]);
    assert_eq!(pairs(4, 3), [[0, 1], [2, 3], [0, 1]]);
    assert_eq!(pairs(3, 4), [[0, 1], [2, 0], [1, 2], [0, 1]]);
    assert_eq!(active_pair(3, u32::MAX), [0, 1]);
}

#[test]
fn the_papers_episodes_are_five_games_as_first() {
    let mut learner = paper(20, |_| ());
    let (asked, _) = play_round(&mut learner, |_| result(0, 5));
    // Candidates that equal the incumbent are played as well.
    assert_eq!(asked.len(), 20);
    for proposal in asked {
        assert_eq!(proposal.games, 5);
        assert_eq!(proposal.colours, Colours::AFirst);
    }
}

#[test]
fn the_papers_path_is_applied_whatever_it_scored() {
    let mut learner = paper(30, |_| ());
    let (_, summary) = play_round(&mut learner, |_| result(0, 5));
    assert!(summary.applied);
    let path = summary.greedy_path.unwrap();
    let before = paper(1, |_| ());
    assert_eq!(summary.incumbent, before.candidate(path));
    assert_eq!(*learner.incumbent(), summary.incumbent);
}

#[test]
fn the_papers_reward_needs_its_threshold() {
    let q_after = |wins, change: &dyn Fn(&mut PaperSettings)| {
        let mut learner = paper(1, |settings| {
            (settings.tree.initial_q_min, settings.tree.initial_q_max) = (10.0, 10.0);
            change(settings);
        });
        let Ask::Play(asked) = learner.ask(1) else {
            panic!("an episode is due");
        };
        learner.tell(&result(wins, 5 - wins));
        learner.tree.node(nodes_of(asked[0].path.unwrap())[1]).q
    };
    let close = |got: f64, want: f64| assert!((got - want).abs() < 1e-9, "{got} is not {want}");
    close(q_after(3, &|_| ()), 109.0);
    close(q_after(2, &|_| ()), 9.0);
    close(q_after(2, &|settings| settings.threshold = 2), 109.0);
    close(
        q_after(2, &|s| s.unrewarded = UnrewardedLeaf::Unchanged),
        10.0,
    );
    close(q_after(5, &|settings| settings.reward = 20.0), 11.0);
}

#[test]
fn the_reward_can_reach_the_whole_path() {
    let second_after = |reward_to| {
        let mut learner = paper(1, |settings| {
            (settings.tree.initial_q_min, settings.tree.initial_q_max) = (10.0, 10.0);
            settings.reward_to = reward_to;
        });
        let Ask::Play(asked) = learner.ask(1) else {
            panic!("an episode is due");
        };
        learner.tell(&result(5, 0));
        learner.tree.node(nodes_of(asked[0].path.unwrap())[0]).q
    };
    assert!((second_after(RewardTo::Leaf) - 18.81).abs() < 1e-9);
    assert!((second_after(RewardTo::Path) - 109.0).abs() < 1e-9);
}

#[test]
fn transposed_paths_and_repeated_episodes_share_their_games() {
    let mut learner = pooled(space(0.1, 0.5), 1_000);
    let mut points: Vec<(Vector, f64, f64)> = Vec::new();
    for episode in 0..300u64 {
        let Ask::Play(batch) = learner.ask(1) else {
            panic!("the round is not over");
        };
        let candidate = &batch[0].a;
        let leaf = nodes_of(batch[0].path.unwrap())[1];
        let before = learner.tree.node(leaf).q;
        let wins = episode % 7;
        learner.tell(&result(wins, 6 - wins));
        let known = points.iter_mut().find(|(vector, ..)| vector == candidate);
        let (won, games) = match known {
            Some((_, won, games)) => {
                (*won, *games) = (*won + wins as f64, *games + 6.0);
                (*won, *games)
            }
            None => {
                points.push((candidate.clone(), wins as f64, 6.0));
                (wins as f64, 6.0)
            }
        };
        let want = before + 0.1 * (won / games - before);
        assert!((learner.tree.node(leaf).q - want).abs() < 1e-12);
    }
    // 36 leaves lead to fewer vectors.
    assert!(points.len() < 30, "{}", points.len());
}

#[test]
fn games_are_kept_while_the_incumbent_stays_and_no_longer() {
    let mut learner = pooled(space(0.1, 0.5), 30);
    let (first, summary) = play_round(&mut learner, |_| result(0, 6));
    assert!(!summary.applied);
    assert_eq!(summary.incumbent, learner.space.start());
    let known = learner.pools.of(&first[0].a).expect("kept").games();
    let (second, _) = play_round(&mut learner, |_| result(0, 6));
    let again = second.iter().filter(|proposal| proposal.a == first[0].a);
    let kept = learner.pools.of(&first[0].a).expect("kept").games();
    assert_eq!(kept, known + 6 * again.count() as u64);
    let (_, summary) = play_round(&mut learner, |_| result(6, 0));
    assert!(!summary.applied || learner.pools == Pools::default());
}

#[test]
fn a_path_is_applied_only_when_its_games_are_won() {
    let outcomes = [(6, 0, true), (4, 2, true), (3, 3, false), (0, 6, false)];
    for (wins, losses, applied) in outcomes {
        let mut learner = pooled(space(0.1, 0.5), 50);
        // A first episode whose path nothing else is near: only its games decide.
        learner.settings.epsilon = 0.0;
        let (_, summary) = play_round(&mut learner, |_| result(wins, losses));
        let unplayed = summary.candidate_score.is_none();
        assert_eq!(summary.applied, applied && !unplayed, "{wins} : {losses}");
        assert_eq!(summary.incumbent == learner.space.start(), !summary.applied);
    }
}

#[test]
fn a_path_without_episodes_is_not_applied_on_old_games() {
    let mut learner = pooled(space(0.1, 0.5), 1);
    for path in 0..36u8 {
        let candidate = learner.candidate([1 + path / 6, 1 + path % 6]);
        learner.pools.add(&candidate, &result(6, 0).wdl);
    }
    let summary = learner.finish_round();
    assert!(!summary.applied);
    assert_eq!(
        (summary.candidate_score, summary.candidate_games),
        (None, 0)
    );
}

#[test]
fn a_round_in_which_nothing_can_change_ends_without_a_game() {
    let mut learner = pooled(space(1e-9, 0.5), 50);
    for round in 0..3 {
        let Ask::RoundFinished(summary) = learner.ask(8) else {
            panic!("nothing can be played");
        };
        assert_eq!((summary.round, summary.applied), (round, false));
    }
}

#[test]
fn episodes_that_change_nothing_earn_one_half() {
    let mut learner = pooled(space(1.0, 0.0), 200);
    let mut unplayed = 0;
    for _ in 0..200 {
        let episode = learner.draw();
        let leaf = nodes_of(episode.path)[1];
        let before = learner.tree.node(leaf);
        let unchanged = episode.candidate == learner.incumbent;
        assert_eq!(episode.unplayed, unchanged.then_some(0.5));
        learner.open.push_back(episode);
        learner.learn_unplayed();
        assert_eq!(learner.open.is_empty(), unchanged);
        if unchanged {
            let after = learner.tree.node(leaf);
            assert_eq!(after.visits, before.visits + 1);
            assert!((after.q - before.q - 0.1 * (0.5 - before.q)).abs() < 1e-15);
            unplayed += 1;
        }
        learner.open.clear();
    }
    assert!(unplayed > 20, "{unplayed}");
}

#[test]
fn every_episode_of_a_batch_is_learnt_from_once() {
    // In the corner some episodes of a batch are played and some are not.
    let mut learner = pooled(space(1.0, 0.0), 1_000);
    for _ in 0..20 {
        let Ask::Play(batch) = learner.ask(8) else {
            panic!("the round is not over");
        };
        batch.iter().for_each(|_| learner.tell(&result(0, 6)));
        assert_eq!(learner.tree.node(0).visits, learner.episode);
        assert_eq!(learner.episode % 8, 0);
    }
}

#[test]
fn a_result_without_games_teaches_nothing() {
    let mut learner = pooled(space(0.1, 0.5), 5);
    let Ask::Play(asked) = learner.ask(1) else {
        panic!("an episode is due");
    };
    let leaf = nodes_of(asked[0].path.unwrap())[1];
    let before = learner.tree.node(leaf).q;
    learner.tell(&TrialResult::default());
    assert_eq!(learner.tree.node(leaf).q, before);
}

#[test]
fn settings_out_of_range_are_named_with_value_and_range() {
    let check = |change: &dyn Fn(&mut PaperSettings), want: &str| {
        let mut settings = PaperSettings::default();
        change(&mut settings);
        let error: SettingError = settings.validate().unwrap_err();
        assert_eq!(error.to_string(), want);
        assert!(Paper::new(space(0.1, 0.5), settings, 0).is_err());
    };
    check(
        &|s| s.tree.epsilon = 1.5,
        "epsilon = 1.5: must be in [0, 1]",
    );
    check(
        &|s| s.tree.epsilon = f64::NAN,
        "epsilon = NaN: must be in [0, 1]",
    );
    check(
        &|s| s.tree.alpha = 0.0,
        "alpha = 0: must be above 0 and at most 1",
    );
    check(&|s| s.tree.gamma = -0.1, "gamma = -0.1: must be in [0, 1]");
    check(
        &|s| s.tree.episodes = 0,
        "episodes = 0: must be in [1, 1000000]",
    );
    check(
        &|s| s.tree.games_per_episode = 0,
        "games_per_episode = 0: must be in [1, 10000]",
    );
    check(
        &|s| s.tree.initial_q_max = -1.0,
        "initial_q_max = -1: must be in [0, 1000000]",
    );
    check(
        &|s| s.tree.c1 = f64::INFINITY,
        "c1 = inf: must be above 0 and at most 100",
    );
    check(
        &|s| s.tree.c2 = 0.0,
        "c2 = 0: must be above 0 and at most 100",
    );
    check(&|s| s.threshold = 6, "threshold = 6: must be in [1, 5]");
    check(
        &|s| s.reward = -1.0,
        "reward = -1: must be above 0 and at most 1000000",
    );
    let mut odd = PooledSettings::default();
    odd.tree.games_per_episode = 5;
    let message = odd.validate().unwrap_err().to_string();
    assert_eq!(
        message,
        "games_per_episode = 5: must be even, games are played in pairs"
    );
    assert_eq!(PaperSettings::default().validate(), Ok(()));
    assert_eq!(PooledSettings::default().validate(), Ok(()));
}

#[test]
fn a_space_that_cannot_be_searched_is_refused() {
    let refused = Pooled::new(space(0.1, 2.0), PooledSettings::default(), 0).unwrap_err();
    assert_eq!(refused.to_string(), "x: start = 2: must be in [0, 1]");
}

#[test]
fn the_view_of_the_tree_shows_where_every_path_leads() {
    let mut learner = pooled(space(0.1, 0.5), 30);
    let Ask::Play(asked) = learner.ask(30) else {
        panic!("episodes are due");
    };
    for _ in &asked {
        learner.tell(&result(4, 2));
    }
    let view = Optimiser::tree(&learner).expect("a learner with a tree");
    assert_eq!((view.round, view.nodes.len()), (0, 43));
    assert_eq!(view.nodes[0].value, *learner.incumbent());
    assert_eq!(view.nodes[0].visits, learner.episode);
    for (number, node) in view.nodes.iter().enumerate() {
        assert_eq!(node.number, number);
        let Node { q, visits } = learner.tree.node(number);
        assert_eq!((node.q, node.visits), (q, visits));
    }
    for proposal in asked {
        let [_, leaf] = nodes_of(proposal.path.unwrap());
        assert_eq!(view.nodes[leaf].value, proposal.a);
    }
}

/// On every scale an edit moves the unit coordinates by what the view says, ranges permitting.
#[test]
fn the_views_edits_are_in_units_of_the_ranges() {
    let mut space = space(0.1, 0.5);
    space.parameters[0].max = 2.5;
    space.parameters[1].scale = Scale::Log;
    (space.parameters[1].min, space.parameters[1].step) = (0.01, 1.5);
    space.parameters.push(Parameter {
        path: "z".into(),
        ..space.parameters[0].clone()
    });
    let unit = |vector: &Vector| {
        let [x, y, z] = [vector.0[0], vector.0[1], vector.0[2]];
        [x / 2.5, libm::log(y / 0.01) / libm::log(100.0), z / 2.5]
    };
    let learner = pooled(space, 1);
    let view = Optimiser::tree(&learner).unwrap();
    let from = unit(&view.nodes[0].value);
    for (edit, node) in view.edits.iter().zip(&view.nodes[1..=6]) {
        let to = unit(&node.value);
        for ((to, from), edit) in to.iter().zip(from).zip(edit) {
            // Values are quantised to six digits.
            assert!((to - from - edit).abs() < 1e-5, "{view:?}");
        }
    }
    assert_eq!(view.edits[0], [0.04, 0.0, 0.0]);
    assert_eq!(view.edits[5][0], -0.04);
}

//! The learner's 43-node tree, in progress or of a round that is over.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use sixfold_tuner::chronicle::{RoundTree, way};
use sixfold_tuner::job::Job;
use sixfold_tuner::optimiser::tree::{ROOT, WAYS, nodes_of, parent};
use sixfold_tuner::optimiser::tree_view::TreeView;
use sixfold_tuner::trial::{EditPath, RoundSummary};
use utoipa::ToSchema;

use crate::service::reading::{Reading, Trees};
use crate::workspace::exit::Failure;
use crate::workspace::show::named_values;

/// A tree, or why there is none.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct TreeAnswer {
    pub(crate) tree: Option<RoundTreeView>,
    /// Why there is none; null where there is one.
    pub(crate) reason: Option<String>,
}

/// A tree.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct RoundTreeView {
    /// Round of the run, from 0.
    pub(crate) round: usize,
    pub(crate) in_progress: bool,
    /// What each of the actions 1 to 6 adds, in units of the ranges on their scales.
    pub(crate) edits: Vec<BTreeMap<String, f64>>,
    /// All nodes by number; 6k + 1 to 6k + 6 are the children of k.
    pub(crate) nodes: Vec<TreeNodeView>,
    /// The two nodes of the path that was taken, or would be as it stands.
    pub(crate) greedy: [usize; 2],
    /// Trials that are being played.
    pub(crate) playing: Vec<PlayingView>,
    /// Updates of the tree.
    pub(crate) updates: u32,
    /// Rounds whose trees can be asked for; the first and the newest among them.
    pub(crate) rounds_drawn: Vec<usize>,
}

/// A node.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct TreeNodeView {
    pub(crate) number: usize,
    pub(crate) parent: Option<usize>,
    /// The action, 1 to 6, that leads here from the parent; null at the root.
    pub(crate) action: Option<usize>,
    pub(crate) q: f64,
    pub(crate) visits: u32,
    /// Where the path to this node leads.
    pub(crate) values: BTreeMap<String, Value>,
}

/// A trial that is being played.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct PlayingView {
    /// Null of a trial without a path.
    pub(crate) path: Option<[u8; 2]>,
    /// The nodes of its path; empty without one.
    pub(crate) nodes: Vec<usize>,
}

impl TreeAnswer {
    fn none(reason: impl Into<String>) -> TreeAnswer {
        TreeAnswer {
            tree: None,
            reason: Some(reason.into()),
        }
    }
}

/// The tree in progress, or the last one of a tuning that is over. `is_running` is whether anybody
/// works on the run.
///
/// # Errors
/// As [`Reading::trees`].
pub(crate) fn tree(
    reading: &mut Reading,
    is_running: bool,
    enough: &dyn Fn() -> bool,
) -> Result<TreeAnswer, Failure> {
    reading.trees(enough)?;
    let (trees, job) = (reading.trees_so_far(), reading.job());
    if let Some(reason) = no_tree(trees) {
        return Ok(TreeAnswer::none(reason));
    }
    let summary = &reading.folds().summary;
    let Some(replay) = trees.up_to_date() else {
        return Ok(TreeAnswer::none(behind(trees)));
    };
    let is_over = summary.stop_reason.is_some();
    let last = replay.growth.trees.last();
    let tree = match (&replay.standing, last) {
        (_, Some(last)) if is_over => of_round(job, last, trees),
        // Restored right at its end: the whole replay will have it.
        (_, None) if is_over => return Ok(TreeAnswer::none(behind(trees))),
        (Some(standing), _) => RoundTreeView {
            playing: if is_running {
                playing(&replay.playing)
            } else {
                Vec::new()
            },
            ..view(job, standing, (summary.rounds.len(), None), trees)
        },
        (None, _) => return Ok(TreeAnswer::none(NO_TREE)),
    };
    Ok(TreeAnswer {
        tree: Some(tree),
        reason: None,
    })
}

/// The tree of a round that is over, as far as it was kept.
///
/// # Errors
/// As [`Reading::trees`].
pub(crate) fn tree_of(
    reading: &mut Reading,
    round: usize,
    enough: &dyn Fn() -> bool,
) -> Result<TreeAnswer, Failure> {
    reading.trees(enough)?;
    let (trees, job) = (reading.trees_so_far(), reading.job());
    if let Some(reason) = no_tree(trees) {
        return Ok(TreeAnswer::none(reason));
    }
    let found = trees.whole().and_then(|(replay, _)| {
        let mut kept = replay.growth.trees.iter();
        kept.find(|tree| round_of(tree) == Some(round))
    });
    Ok(match found {
        Some(found) => TreeAnswer {
            tree: Some(of_round(job, found, trees)),
            reason: None,
        },
        None if trees.whole().is_some_and(|(_, behind)| behind.is_some()) => {
            TreeAnswer::none(behind(trees))
        }
        None => TreeAnswer::none(format!("the tree of round {round} is not kept")),
    })
}

const NO_TREE: &str = "the learner of this run has no tree of edits";

fn no_tree(trees: &Trees) -> Option<&'static str> {
    let (replay, _) = trees.whole()?;
    (!replay.growth.has_tree).then_some(NO_TREE)
}

/// Why a tree is not there yet.
fn behind(trees: &Trees) -> String {
    match trees.whole() {
        Some((_, Some(behind))) => format!(
            "the trees are being computed again from the journal: {} of {} events",
            behind.known, behind.of
        ),
        _ => "no round has begun yet".to_owned(),
    }
}

fn round_of(tree: &RoundTree) -> Option<usize> {
    tree.summary.as_ref().map(|summary| summary.round as usize)
}

fn of_round(job: &Job, tree: &RoundTree, trees: &Trees) -> RoundTreeView {
    let round = round_of(tree).unwrap_or_default();
    view(job, &tree.view, (round, tree.summary.as_ref()), trees)
}

fn view(
    job: &Job,
    tree: &TreeView,
    (round, summary): (usize, Option<&RoundSummary>),
    trees: &Trees,
) -> RoundTreeView {
    let paths = || job.space.parameters.iter().map(|it| it.path.clone());
    let drawn = trees.whole().map(|(replay, _)| replay.growth.trees.iter());
    RoundTreeView {
        round,
        in_progress: summary.is_none(),
        edits: tree
            .edits
            .iter()
            .map(|edit| paths().zip(edit.iter().copied()).collect())
            .collect(),
        nodes: tree
            .nodes
            .iter()
            .map(|node| TreeNodeView {
                number: node.number,
                parent: parent(node.number),
                action: parent(node.number).map(|above| node.number - WAYS * above),
                q: node.q,
                visits: node.visits,
                values: named_values(job, &node.value),
            })
            .collect(),
        greedy: way(tree, summary),
        playing: Vec::new(),
        updates: tree.nodes[ROOT].visits,
        rounds_drawn: drawn.into_iter().flatten().filter_map(round_of).collect(),
    }
}

fn playing(paths: &[Option<EditPath>]) -> Vec<PlayingView> {
    let view = |path: &Option<EditPath>| PlayingView {
        path: *path,
        nodes: path.map(nodes_of).into_iter().flatten().collect(),
    };
    paths.iter().map(view).collect()
}

//! Q-values of all nodes over the updates of the newest round, and at the end of each.

use serde::Serialize;
use sixfold_tuner::chronicle::Look;
use sixfold_tuner::optimiser::tree::NODES;
use utoipa::ToSchema;

use crate::service::reading::Reading;
use crate::workspace::exit::Failure;

/// The Q-values.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct QValuesView {
    /// The newest round with a tree, from 0; null where the learner has none.
    pub(crate) of_round: Option<usize>,
    /// Updates of its tree at which it was looked at.
    pub(crate) updates: Vec<u32>,
    /// For each node its Q-values then.
    pub(crate) q: Vec<Vec<f64>>,
    /// At the ends of rounds.
    pub(crate) ends: QEndsView,
    /// Events that are known and events of the journal; null once all are known. Ask again for
    /// the rest.
    pub(crate) behind: Option<[u64; 2]>,
}

/// Q-values at the ends of rounds.
#[derive(Debug, PartialEq, Serialize, ToSchema)]
pub(crate) struct QEndsView {
    pub(crate) rounds: Vec<usize>,
    /// For each node its Q-values at these ends.
    pub(crate) q: Vec<Vec<f64>>,
}

/// The Q-values, as far as the trees are known.
///
/// # Errors
/// As [`Reading::trees`].
pub(crate) fn q_values(
    reading: &mut Reading,
    enough: &dyn Fn() -> bool,
) -> Result<QValuesView, Failure> {
    reading.trees(enough)?;
    let is_over = reading.folds().summary.stop_reason.is_some();
    let trees = reading.trees_so_far();
    let whole = trees.whole().filter(|(replay, _)| replay.growth.has_tree);
    let Some((replay, behind)) = whole else {
        return Ok(QValuesView {
            of_round: None,
            updates: Vec::new(),
            q: Vec::new(),
            ends: QEndsView {
                rounds: Vec::new(),
                q: Vec::new(),
            },
            behind: None,
        });
    };
    let growth = &replay.growth;
    // After the end of the tuning a tree is laid that nobody plays.
    let last = growth.trees.last().filter(|_| is_over);
    let mut looks: Vec<Look> = match last {
        Some(last) => last.looks.clone(),
        None => growth.looks().to_vec(),
    };
    if let (None, Some(standing)) = (last, &replay.standing) {
        let now = Look::at(standing);
        if looks.last().is_none_or(|it| it.updates < now.updates) {
            looks.push(now);
        }
    }
    // Where a learner plans between batches, its tree stands still in between.
    looks.dedup_by_key(|look| look.updates);
    let of_round = match last.and_then(|tree| tree.summary.as_ref()) {
        Some(summary) => summary.round as usize,
        None => replay.rounds(),
    };
    Ok(QValuesView {
        of_round: Some(of_round),
        updates: looks.iter().map(|look| look.updates).collect(),
        q: by_node(&looks, |look| &look.q),
        ends: QEndsView {
            rounds: growth.ends.iter().map(|end| end.round).collect(),
            q: by_node(&growth.ends, |end| &end.q),
        },
        behind: behind.map(|behind| [behind.known, behind.of]),
    })
}

fn by_node<T>(looks: &[T], q: impl Fn(&T) -> &[f64; NODES]) -> Vec<Vec<f64>> {
    let node = |number: usize| looks.iter().map(|look| q(look)[number]).collect();
    (0..NODES).map(node).collect()
}

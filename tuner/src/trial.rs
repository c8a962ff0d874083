//! Trials: what a learner asks to be played, and what came of it; rounds, what trials lead to.

mod dropped;

use std::fmt;

pub use dropped::{Culprit, DroppedMove, DroppedPair, FailureKind};

use crate::space::Vector;
use crate::stats::{Pentanomial, Wdl};

/// Who sits where in the games of a trial.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colours {
    /// Each opening is played twice with sides swapped: a game pair.
    Paired,
    /// A is First in every game (the source's policy: its candidate is always "black").
    AFirst,
}

/// One of the six edits, 1 to 6, of each of the two layers.
pub type EditPath = [u8; 2];

/// What keys the random streams of a trial, together with pair, attempt and side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrialId {
    /// Round, from 0.
    pub round: u32,
    /// Trial of the run, from 0, across rounds.
    pub trial: u32,
}

/// A mini-match of two parameter vectors.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// Which trial of the run this is.
    pub id: TrialId,
    /// The vector whose score is the result.
    pub a: Vector,
    /// Its opponent.
    pub b: Vector,
    /// Who sits where.
    pub colours: Colours,
    /// Number of games; even when [`Colours::Paired`].
    pub games: u32,
}

impl Trial {
    /// Games of each of its pairs; a pair is a single game where the colours are not paired.
    pub fn games_per_pair(&self) -> u32 {
        match self.colours {
            Colours::Paired => 2,
            Colours::AFirst => 1,
        }
    }

    /// Its pairs.
    pub fn pairs(&self) -> u32 {
        self.games / self.games_per_pair()
    }
}

impl fmt::Display for Trial {
    /// The trial in a few words, for messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TrialId { round, trial } = self.id;
        write!(
            f,
            "trial {trial} of round {round}, {:?} against {:?}",
            self.a.0, self.b.0
        )
    }
}

/// What came of a trial, seen from A.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TrialResult {
    /// Games won, drawn and lost by A.
    pub wdl: Wdl,
    /// Game pairs by A's points; all zero when the colours were not paired.
    pub pentanomial: Pentanomial,
    /// Pairs that were dropped because a game of theirs failed, and were played again, by their
    /// number in the trial and in its order; a pair stands here once for each time it was dropped.
    pub dropped_pairs: Vec<u32>,
}

impl TrialResult {
    /// Adds the games of one pair by A's points: a win counts 2, a draw 1.
    pub fn add_points(&mut self, points: &[u8]) {
        for points in points {
            match points {
                2 => self.wdl.wins += 1,
                1 => self.wdl.draws += 1,
                _ => self.wdl.losses += 1,
            }
        }
        if let [first, second] = points {
            self.pentanomial.0[usize::from(first + second)] += 1;
        }
    }

    /// The attempt of a pair that counted: as often as it was dropped.
    pub fn attempt_of(&self, pair: u32) -> u32 {
        let dropped = self.dropped_pairs.iter();
        dropped.filter(|&&other| other == pair).count() as u32
    }

    /// Whether the counts can be those of `trial`: of all its games and, where these were paired,
    /// of all its pairs with as many points. Numbers of any size are compared, so that a journal
    /// that somebody has edited is refused and not believed.
    pub fn can_be_of(&self, trial: &Trial) -> bool {
        let Wdl {
            wins,
            draws,
            losses,
        } = self.wdl;
        let [wins, draws, losses] = [wins, draws, losses].map(u128::from);
        let pairs = self.pentanomial.0.map(u128::from);
        let half_points: u128 = (0..).zip(pairs).map(|(points, count)| points * count).sum();
        let (expected, pairs_fit) = match trial.colours {
            Colours::Paired => (trial.games / 2, half_points == 2 * wins + draws),
            Colours::AFirst => (0, true),
        };
        wins + draws + losses == u128::from(trial.games)
            && pairs.iter().sum::<u128>() == u128::from(expected)
            && pairs_fit
    }

    /// Adds the games of another trial of the same two sides. Of the dropped pairs only their
    /// count means something then.
    pub fn add(&mut self, other: &TrialResult) {
        self.wdl.wins += other.wdl.wins;
        self.wdl.draws += other.wdl.draws;
        self.wdl.losses += other.wdl.losses;
        for (count, more) in self.pentanomial.0.iter_mut().zip(other.pentanomial.0) {
            *count += more;
        }
        self.dropped_pairs.extend(&other.dropped_pairs);
    }
}

/// What a round came to.
#[derive(Clone, PartialEq, Debug)]
pub struct RoundSummary {
    /// Round, from 0.
    pub round: u32,
    /// The greedy path of the tree at the end. None of a learner without a tree.
    pub greedy_path: Option<EditPath>,
    /// Whether the path was applied; without a tree, whether the incumbent changed.
    pub applied: bool,
    /// Score of the path's candidate against its opponent in [0, 1], over `candidate_games`: the
    /// incumbent, or the mirrored path of a learner that plays those. None when the path was never
    /// played, or there is none. It made the candidate win: it is never its strength.
    pub candidate_score: Option<f64>,
    /// Games behind `candidate_score`.
    pub candidate_games: u64,
    /// The incumbent from now on.
    pub incumbent: Vector,
}

impl RoundSummary {
    /// Of a learner without a tree.
    pub fn without_path(round: u32, applied: bool, incumbent: &Vector) -> Self {
        Self {
            round,
            greedy_path: None,
            applied,
            candidate_score: None,
            candidate_games: 0,
            incumbent: incumbent.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_that_are_not_those_of_the_trial_are_told() {
        let trial = |colours| Trial {
            id: TrialId { round: 0, trial: 0 },
            a: Vector(vec![0.0]),
            b: Vector(vec![1.0]),
            colours,
            games: 4,
        };
        let check = |colours, [wins, draws, losses]: [u64; 3], pairs| {
            let result = TrialResult {
                wdl: Wdl {
                    wins,
                    draws,
                    losses,
                },
                pentanomial: Pentanomial(pairs),
                ..TrialResult::default()
            };
            result.can_be_of(&trial(colours))
        };
        assert!(check(Colours::Paired, [2, 1, 1], [0, 0, 1, 1, 0]));
        assert!(!check(Colours::Paired, [2, 1, 1], [0, 0, 0, 2, 0]));
        assert!(!check(Colours::Paired, [2, 1, 2], [0, 0, 1, 1, 0]));
        assert!(!check(Colours::Paired, [2, 1, 1], [0; 5]));
        assert!(!check(
            Colours::Paired,
            [u64::MAX, 1, 4],
            [u64::MAX, 1, 2, 0, 0]
        ));
        assert!(check(Colours::AFirst, [2, 1, 1], [0; 5]));
        assert!(!check(Colours::AFirst, [2, 1, 1], [0, 0, 1, 1, 0]));
    }
}

//! Counts of a match: games by result, game pairs by points.

use super::law::Law;

/// What a count of zero is replaced by in estimates, so that every result keeps a trace of
/// probability (the convention of fishtest's statistics).
const ZERO_COUNT: f64 = 0.001;

/// Games won, drawn and lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// Games played.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points scored: a win is 1, a draw one half.
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// Points per game in [0, 1]; none without games.
    pub fn score(&self) -> Option<f64> {
        let games = self.games();
        (games > 0).then(|| self.points() / games as f64)
    }

    /// Whether games were played and all of them ended alike.
    pub fn is_without_variance(&self) -> bool {
        only_one_positive(&[self.losses, self.draws, self.wins])
    }

    /// The law of a single game's points, in [0, 1].
    pub(super) fn law(&self) -> Law<3> {
        regularised([self.losses, self.draws, self.wins], 1.0)
    }
}

/// Game pairs that scored 0, 1/2, 1, 3/2 and 2 points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Pairs played.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Points per game in [0, 1]; none without pairs.
    pub fn score(&self) -> Option<f64> {
        let pairs = self.pairs();
        let quarters: u64 = (0..)
            .zip(self.0)
            .map(|(points, count)| points * count)
            .sum();
        (pairs > 0).then(|| quarters as f64 / (4.0 * pairs as f64))
    }

    /// Whether pairs were played and all of them scored alike.
    pub fn is_without_variance(&self) -> bool {
        only_one_positive(&self.0)
    }

    /// The law of a pair's points, scaled to [0, 1].
    pub(super) fn law(&self) -> Law<5> {
        regularised(self.0, 2.0)
    }
}

fn only_one_positive(counts: &[u64]) -> bool {
    counts.iter().filter(|&&count| count > 0).count() == 1
}

fn regularised<const K: usize>(counts: [u64; K], games_per_observation: f64) -> Law<K> {
    let weights = counts.map(|count| if count == 0 { ZERO_COUNT } else { count as f64 });
    Law::from_weights(weights, games_per_observation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_points_per_game() {
        let wdl = Wdl {
            wins: 3,
            draws: 2,
            losses: 5,
        };
        assert_eq!(wdl.games(), 10);
        assert_eq!(wdl.score(), Some(0.4));
        assert_eq!(Pentanomial([1, 0, 2, 0, 1]).score(), Some(0.5));
        assert_eq!(Pentanomial([0, 0, 0, 1, 0]).score(), Some(0.75));
    }

    #[test]
    fn an_empty_match_has_no_score_and_no_claim_on_variance() {
        assert_eq!(Wdl::default().score(), None);
        assert_eq!(Pentanomial::default().score(), None);
        assert!(!Wdl::default().is_without_variance());
        assert!(!Pentanomial::default().is_without_variance());
        assert!(Pentanomial([0, 0, 7, 0, 0]).is_without_variance());
        assert!(!Pentanomial([0, 1, 7, 0, 0]).is_without_variance());
    }
}

//! The games of a tuning by who played whom.

use std::collections::BTreeMap;

use crate::space::Vector;
use crate::stats::Wdl;
use crate::surface::{Coordinates, Row};
use crate::trial::{Colours, Trial, TrialResult};

/// All games between two vectors, whoever of them was called A.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedPair {
    /// The vector that the counts are of.
    pub a: Vector,
    /// Its opponent.
    pub b: Vector,
    /// Games of A.
    pub wdl: Wdl,
}

/// The games of a tuning, added up by the vectors that played them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Played {
    pairs: Vec<PlayedPair>,
    /// Where in `pairs` two vectors stand, by the bits of their values.
    places: BTreeMap<[Vec<u64>; 2], usize>,
    one_sided_games: u64,
}

impl Played {
    /// These games, of no two vectors twice; None where two are.
    pub fn of(pairs: Vec<PlayedPair>) -> Option<Self> {
        let key = |a: &Vector, b: &Vector| [bits(a), bits(b)];
        let places = pairs.iter().enumerate();
        let places: BTreeMap<_, _> = places
            .map(|(place, pair)| (key(&pair.a, &pair.b), place))
            .collect();
        let swapped = |pair: &PlayedPair| {
            let found = places.get(&key(&pair.b, &pair.a));
            found.is_some_and(|place| pairs[*place] != *pair)
        };
        let twice = places.len() < pairs.len() || pairs.iter().any(swapped);
        (!twice).then_some(Self {
            pairs,
            places,
            one_sided_games: 0,
        })
    }

    /// Adds a trial. Games in which one vector was First throughout are only counted: what they
    /// say of the vectors cannot be told from what being First is worth.
    pub fn add(&mut self, trial: &Trial, result: &TrialResult) {
        if trial.colours == Colours::AFirst {
            self.one_sided_games += result.wdl.games();
            return;
        }
        let [a, b] = [bits(&trial.a), bits(&trial.b)];
        let Wdl {
            wins,
            draws,
            losses,
        } = result.wdl;
        if let Some(&place) = self.places.get(&[b.clone(), a.clone()]) {
            let wdl = &mut self.pairs[place].wdl;
            wdl.wins += losses;
            wdl.draws += draws;
            wdl.losses += wins;
            return;
        }
        let next = self.pairs.len();
        let place = *self.places.entry([a, b]).or_insert(next);
        if place == next {
            self.pairs.push(PlayedPair {
                a: trial.a.clone(),
                b: trial.b.clone(),
                wdl: Wdl::default(),
            });
        }
        let wdl = &mut self.pairs[place].wdl;
        wdl.wins += wins;
        wdl.draws += draws;
        wdl.losses += losses;
    }

    /// Who played whom, in the order of their first games.
    pub fn pairs(&self) -> &[PlayedPair] {
        &self.pairs
    }

    /// Games in which one vector was First throughout.
    pub fn one_sided_games(&self) -> u64 {
        self.one_sided_games
    }

    /// The same for a fit.
    pub fn rows(&self, coordinates: &Coordinates) -> Vec<Row> {
        let rows = self.pairs.iter().map(|pair| Row {
            a: coordinates.to_unit(&pair.a),
            b: coordinates.to_unit(&pair.b),
            score: pair.wdl.points(),
            games: pair.wdl.games() as f64,
            weight: 1.0,
        });
        rows.collect()
    }
}

fn bits(vector: &Vector) -> Vec<u64> {
    vector.0.iter().map(|value| value.to_bits()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trial::TrialId;

    fn trial(a: f64, b: f64, colours: Colours) -> Trial {
        Trial {
            id: TrialId { round: 0, trial: 0 },
            a: Vector(vec![a, 0.0]),
            b: Vector(vec![b, 0.0]),
            colours,
            games: 6,
        }
    }

    fn result(wins: u64, draws: u64, losses: u64) -> TrialResult {
        TrialResult {
            wdl: Wdl {
                wins,
                draws,
                losses,
            },
            ..TrialResult::default()
        }
    }

    #[test]
    fn games_of_two_vectors_add_up_whoever_was_called_a() {
        let mut played = Played::default();
        played.add(&trial(1.0, 2.0, Colours::Paired), &result(3, 2, 1));
        played.add(&trial(1.0, 3.0, Colours::Paired), &result(0, 6, 0));
        played.add(&trial(2.0, 1.0, Colours::Paired), &result(5, 0, 1));
        played.add(&trial(1.0, 2.0, Colours::Paired), &result(6, 0, 0));
        assert_eq!(played.pairs().len(), 2);
        assert_eq!(played.pairs()[0].a, Vector(vec![1.0, 0.0]));
        assert_eq!(played.pairs()[0].wdl, result(10, 2, 6).wdl);
        assert_eq!(played.pairs()[1].wdl, result(0, 6, 0).wdl);
    }

    #[test]
    fn the_games_of_pairs_are_taken_over_and_go_on() {
        let mut played = Played::default();
        played.add(&trial(1.0, 2.0, Colours::Paired), &result(3, 2, 1));
        played.add(&trial(1.0, 3.0, Colours::Paired), &result(0, 6, 0));
        played.add(&trial(2.0, 2.0, Colours::Paired), &result(3, 0, 3));
        let mut taken = Played::of(played.pairs().to_vec()).unwrap();
        assert_eq!(taken, played);
        for games in [&mut taken, &mut played] {
            games.add(&trial(3.0, 1.0, Colours::Paired), &result(6, 0, 0));
        }
        assert_eq!(taken, played);
        let mut pairs = played.pairs().to_vec();
        let PlayedPair { a, b, wdl } = pairs[0].clone();
        pairs.push(PlayedPair { a: b, b: a, wdl });
        assert!(Played::of(pairs.clone()).is_none());
        pairs[3] = pairs[0].clone();
        assert!(Played::of(pairs).is_none());
    }

    #[test]
    fn games_with_fixed_sides_are_counted_and_not_compared() {
        let mut played = Played::default();
        played.add(&trial(1.0, 2.0, Colours::AFirst), &result(3, 2, 1));
        assert!(played.pairs().is_empty());
        assert_eq!(played.one_sided_games(), 6);
    }
}

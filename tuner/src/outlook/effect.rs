//! What the games say of one parameter: whether its value matters, and what another may bring.

use super::believed::{Believed, difference};
use crate::surface::{Difference, Row};

/// An effect is known from so many of its standard deviations on: the surest of many differences
/// is taken.
const KNOWN_DEVIATIONS: f64 = 3.5;
/// Up to so many there is no sign of one.
const NOISE_DEVIATIONS: f64 = 2.5;
/// A difference is smaller than its estimate and so many standard deviations with 95 %.
const BOUND_DEVIATIONS: f64 = 1.645;
/// Values that bring no more than this are not worth looking for, in Elo.
const WORTH_ELO: f64 = 20.0;
/// Where the best value may be in more than this share of those played, it is not known where.
const KNOWN_SHARE: f64 = 0.75;
/// Games leave open where the best value is if that may be anywhere in this share of those played.
const OPEN_SHARE: f64 = 0.5;
/// Share of the games that were played below, and above, what was often played.
const SELDOM: f64 = 0.05;
/// The values of a parameter are looked at in so many steps.
const PARTS: u32 = 8;

/// What the value of a parameter in force is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterVerdict {
    /// The value matters among those played, and the best of them is known to lie in a part.
    Measured,
    /// The same, and the value in force is the smallest or the largest of its range: a better one
    /// may lie outside. Never of a choice, which has no others.
    AtBound,
    /// There is no sign that the value matters, none that was often played is likely to be better
    /// than the one in force by more than a little, and the best may be in most of those played.
    NoMeasurableEffect,
    /// None of these: more games may tell.
    NotKnownYet,
}

impl ParameterVerdict {
    /// The words for people.
    pub const fn words(self) -> &'static str {
        match self {
            ParameterVerdict::Measured => "measured",
            ParameterVerdict::AtBound => "at its bound",
            ParameterVerdict::NoMeasurableEffect => "no measurable effect",
            ParameterVerdict::NotKnownYet => "not known yet",
        }
    }
}

/// What games say along one parameter, all others at their values in force.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Effect {
    /// The surest difference between two values that were played, in standard deviations of it.
    pub(super) deviations: f64,
    /// What no value that was often played has over the one in force, with 95 % for each, in Elo.
    pub(super) gain_elo_95: f64,
    /// Share of the values that were played which may be best, with 95 %; 1 where only one was.
    pub(super) open: f64,
}

/// A parameter, and the games around it.
pub(super) struct Line<'a> {
    pub(super) fits: &'a [Believed],
    pub(super) rows: &'a [Row],
    /// The vector in force, in unit coordinates.
    pub(super) at: &'a [f64],
    /// The parameter's number, from 0.
    pub(super) index: usize,
    /// Smallest and largest coordinate that was played.
    pub(super) played: [f64; 2],
    /// Where the best of these is, with 95 %.
    pub(super) best_95: [f64; 2],
}

impl Line<'_> {
    /// What the games say along it. Differences are looked for between all values that were
    /// played: the ends alone would not do, since few games were played there, so that little is
    /// known of them even where much is known in between.
    pub(super) fn effect(&self) -> Effect {
        let along: Vec<Vec<f64>> = self.points(self.played).collect();
        let mut deviations: f64 = 0.0;
        for (one, a) in along.iter().enumerate() {
            for b in &along[..one] {
                let Difference { elo, deviation } = difference(self.fits, a, b);
                // A value that was never changed has no difference, and none is known.
                if deviation > 0.0 {
                    deviations = deviations.max(elo.abs() / deviation);
                }
            }
        }
        let gains = self.points(self.often_played()).map(|point| {
            let Difference { elo, deviation } = difference(self.fits, &point, self.at);
            elo + BOUND_DEVIATIONS * deviation
        });
        let ([low, high], [from, to]) = (self.played, self.best_95);
        Effect {
            deviations,
            gain_elo_95: gains.fold(0.0, f64::max),
            open: if high > low {
                (to - from) / (high - low)
            } else {
                1.0
            },
        }
    }

    /// Points from one coordinate to another, and the vector in force.
    fn points(&self, [low, high]: [f64; 2]) -> impl Iterator<Item = Vec<f64>> {
        // There is nothing between two words.
        let choices = self
            .fits
            .first()
            .map_or(&[][..], |it| it.fit.surface().basis().choices());
        let parts = if choices.contains(&self.index) {
            1
        } else {
            PARTS
        };
        let parts = (0..=parts).map(move |part| f64::from(part) / f64::from(parts));
        let values = parts.map(move |share| low + share * (high - low));
        values.chain([self.at[self.index]]).map(|value| {
            let mut moved = self.at.to_vec();
            moved[self.index] = value;
            moved
        })
    }

    /// The coordinates in between which nine of ten players stood, each counted with its games.
    fn often_played(&self) -> [f64; 2] {
        let players = self
            .rows
            .iter()
            .flat_map(|row| [(&row.a, row), (&row.b, row)]);
        let players = players.map(|(vector, row)| (vector[self.index], row.games));
        let mut players: Vec<(f64, f64)> = players.collect();
        players.sort_by(|one, other| one.0.total_cmp(&other.0));
        let all: f64 = players.iter().map(|(_, games)| games).sum();
        let beyond = |players: &mut dyn Iterator<Item = &(f64, f64)>| {
            let mut seen = 0.0;
            let mut first = players.skip_while(|(_, games)| {
                seen += games;
                seen < SELDOM * all
            });
            first
                .next()
                .map_or(self.at[self.index], |(value, _)| *value)
        };
        [
            beyond(&mut players.iter()),
            beyond(&mut players.iter().rev()),
        ]
    }
}

impl Effect {
    /// The verdict on a value that is at an end of its range, or is not.
    pub(super) fn verdict(&self, is_at_end: bool) -> ParameterVerdict {
        let is_measured = self.deviations > KNOWN_DEVIATIONS && self.open <= KNOWN_SHARE;
        let is_without_sign = self.deviations <= NOISE_DEVIATIONS && self.deviations > 0.0;
        if is_measured && is_at_end {
            ParameterVerdict::AtBound
        } else if is_measured {
            ParameterVerdict::Measured
        } else if is_without_sign && self.open >= OPEN_SHARE && self.gain_elo_95 <= WORTH_ELO {
            ParameterVerdict::NoMeasurableEffect
        } else {
            ParameterVerdict::NotKnownYet
        }
    }
}

#[cfg(test)]
#[path = "effect_tests.rs"]
mod tests;

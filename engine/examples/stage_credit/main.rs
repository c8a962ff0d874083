//! Does it save games to judge a game by its exact value before exact play begins, instead of by
//! its result? Two engines play each other, and every game is judged both ways.
//!
//! `cargo run --release -p sixfold-engine --example stage_credit -- CELL SIMULATIONS EDGES PAIRS`,
//! on one thread; `docs/stage-credit.md` says what came of it.

mod cells;
mod judge;
mod ratio;

use std::io::{Write, stdout};
use std::time::Duration;

use anyhow::{Context, ensure};
use sixfold_engine::agent::GameRecord;
use sixfold_engine::game::Player;
use sixfold_engine::game::dots::Dots;
use sixfold_engine::stream::{Purpose, StreamKey};

use cells::{CELLS, Cell, EXACT_FROM};
use judge::{Judge, Judged, Lost};
use ratio::{Rewards, effect, games_needed};

/// Boxes ahead that count as a score of 0.73.
const MARGIN_SCALE: f64 = 4.0;

const USAGE: &str = "expected CELL (c, gives or early-gives), SIMULATIONS of a move, \
    EDGES left at the hand-over (30 to 40) and PAIRS of games (2 to 1000000)";

fn main() -> anyhow::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [word, simulations, edges, pairs] = words.as_slice() else {
        anyhow::bail!("{USAGE}");
    };
    let cell = CELLS.iter().find(|cell| cell.word == word).context(USAGE)?;
    let (simulations, edges) = (simulations.parse().context(USAGE)?, edges.parse::<u16>());
    let (edges, pairs) = (edges.context(USAGE)?, pairs.parse().context(USAGE)?);
    ensure!(
        simulations >= 1 && (EXACT_FROM..=40).contains(&edges) && (2..=1_000_000).contains(&pairs),
        USAGE
    );
    let games = Games::of(cell, simulations, edges, pairs)?;
    let name = format!("| {} | {simulations} | {edges} |", cell.name);
    let (needed, late) = (games.needed(), games.late());
    Ok(write!(
        stdout(),
        "{NEEDED_HEAD}{name} {needed}\n\n{LATE_HEAD}{name} {late}\n"
    )?)
}

const NEEDED_HEAD: &str = "\
| A, B | simulations | N | games | Elo | z | final margin | winner at N | margin at N |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
";

const LATE_HEAD: &str = "\
| A, B | simulations | N | winner changed after N | lost a move: A, B | winners lost a game \
| margin decided at N | ms a game | ms to judge |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
";

/// What the rows of the tables are made of.
struct Games {
    /// The two games of every pair.
    pairs: Vec<[Judged; 2]>,
    /// Of playing all games.
    taken: Duration,
}

impl Games {
    /// Plays and judges them.
    fn of(cell: &Cell, simulations: u64, edges: u16, pairs: u32) -> anyhow::Result<Games> {
        let played = cell.play(simulations, pairs)?;
        let mut judge = Judge::new(edges, EXACT_FROM);
        let mut judged = |[first, second]: &[GameRecord<Dots>; 2]| {
            [
                judge.judge(first, Player::First),
                judge.judge(second, Player::Second),
            ]
        };
        Ok(Games {
            pairs: played.pairs.iter().map(&mut judged).collect(),
            taken: played.taken,
        })
    }

    fn rewards(&self, reward: impl Fn(&Judged) -> f64) -> Rewards {
        let pair = |games: &[Judged; 2]| games.iter().map(&reward).sum::<f64>();
        self.pairs.iter().map(pair).collect()
    }

    fn games(&self) -> impl Iterator<Item = &Judged> + Clone {
        self.pairs.iter().flatten()
    }

    fn mean(&self, of: impl Fn(&Judged) -> f64) -> f64 {
        self.games().map(of).sum::<f64>() / self.games().count() as f64
    }

    /// Strength of A, and the games that each reward needs for one that the result needs.
    fn needed(&self) -> String {
        let plain = self.rewards(|game| won(game.margin));
        let z = effect(plain.iter().copied()) * (plain.len() as f64).sqrt();
        let (games, elo) = (2 * plain.len(), elo(self.mean(|game| won(game.margin))));
        let column = |reward: &dyn Fn(&Judged) -> f64| {
            let mut stream = StreamKey::new(0, Purpose::Bench).stream();
            let found = games_needed(&plain, &self.rewards(reward), &mut stream);
            format!(
                " {:.2} [{:.2}, {:.2}] |",
                found.value, found.low, found.high
            )
        };
        let by = [
            column(&|game| squashed(game.margin)),
            column(&|game| won(game.exact)),
            column(&|game| squashed(game.exact)),
        ];
        format!("{games} | {elo:+.0} | {z:.1} |{}", by.concat())
    }

    /// What happens between the hand-over and exact play, and what judging costs.
    fn late(&self) -> String {
        let changed = |game: &Judged| game.exact.signum() != game.margin.signum();
        let changed = 100.0 * self.mean(|game| f64::from(u8::from(changed(game))));
        let lost = |side: usize| {
            let sum = |of: fn(&Lost) -> f64| self.mean(|game| of(&game.lost[side]));
            sum(|lost| f64::from(lost.points)) / sum(|lost| f64::from(lost.moves))
        };
        let results = self.mean(|game| game.lost.map(|it| f64::from(it.results)).iter().sum());
        let judging = self.mean(|game| milliseconds(game.taken));
        let playing = milliseconds(self.taken) / self.games().count() as f64;
        let [a, b] = [lost(0), lost(1)];
        let decided = self.decided();
        format!(
            "{changed:.1} % | {a:.2}, {b:.2} | {results:.2} | {decided:.2} | {playing:.1} \
             | {judging:.1} |"
        )
    }

    /// Share of the variance of final margins that is there already at the hand-over.
    fn decided(&self) -> f64 {
        let [end, exact] = [
            self.mean(|game| f64::from(game.margin)),
            self.mean(|game| f64::from(game.exact)),
        ];
        let deviations =
            |game: &Judged| [f64::from(game.margin) - end, f64::from(game.exact) - exact];
        let covariance = |one: usize, other: usize| {
            self.mean(|game| deviations(game)[one] * deviations(game)[other])
        };
        let both = covariance(0, 1);
        both * both / (covariance(0, 0) * covariance(1, 1))
    }
}

fn milliseconds(taken: Duration) -> f64 {
    1e3 * taken.as_secs_f64()
}

/// Elo of a score less that of an even game.
fn elo(score: f64) -> f64 {
    -400.0 * libm::log10(1.0 / (0.5 + score) - 1.0)
}

/// Won, drawn or lost: half a point on either side of an even game.
fn won(margin: i32) -> f64 {
    0.5 * f64::from(margin.signum())
}

/// A margin as a score, less that of an even game.
fn squashed(margin: i32) -> f64 {
    1.0 / (1.0 + libm::exp(-f64::from(margin) / MARGIN_SCALE)) - 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Games of these margins at the hand-over and at the end, two a pair.
    fn games(margins: &[[[i32; 2]; 2]]) -> Games {
        let judged = |[exact, margin]: [i32; 2]| Judged {
            margin,
            exact,
            taken: Duration::from_millis(3),
            ..Judged::default()
        };
        Games {
            pairs: margins.iter().map(|pair| pair.map(judged)).collect(),
            taken: Duration::from_millis(40),
        }
    }

    #[test]
    fn rewards_are_symmetric_and_a_score_of_three_quarters_is_191_elo() {
        for margin in [1, 4, 25] {
            assert_eq!(won(margin), 0.5);
            assert_eq!(won(-margin), -0.5);
            assert!((squashed(margin) + squashed(-margin)).abs() < 1e-12);
        }
        assert_eq!([won(0), squashed(0)], [0.0, 0.0]);
        assert!((squashed(4) + 0.5 - 0.731).abs() < 1e-3);
        assert!((elo(0.25) - 190.8).abs() < 0.1);
    }

    #[test]
    fn a_row_counts_what_changed_and_what_was_decided() {
        // Two of four winners change; margins at the end are 2, 2, -2, -2 and before -2, 2, 2, -2.
        let all = games(&[[[-2, 2], [2, 2]], [[2, -2], [-2, -2]]]);
        assert!(all.decided().abs() < 1e-12);
        assert!(
            all.late()
                .starts_with("50.0 % | NaN, NaN | 0.00 | 0.00 | 10.0 | 3.0 |")
        );
        // The value before is the result but for a constant and a factor.
        let same = games(&[[[3, 2], [3, 2]], [[-1, 0], [1, 1]]]);
        assert!((same.decided() - 1.0).abs() < 1e-12);
    }
}

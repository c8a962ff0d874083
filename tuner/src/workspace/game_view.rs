//! One game of a run, played again, for people and for programs.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde::Serialize;
use sixfold_engine::agent::Opinion;
use sixfold_engine::game::{Outcome, Player};
use sixfold_engine::games::AnyRecord;
use sixfold_tuner::job::Job;
use sixfold_tuner::run::course::Opponent;
use sixfold_tuner::run::history::PlayedTrial;
use sixfold_tuner::trial::DroppedPair;

use super::evidence::DroppedAttempt;
use super::show::named_values;

/// The game.
#[derive(Debug, Serialize)]
pub(crate) struct GameView {
    pub(crate) place: String,
    pub(crate) pair: u32,
    pub(crate) game: u32,
    pub(crate) attempt: u32,
    pub(crate) seed: u64,
    /// What a move may use; left out where all games of the run have one budget.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) budget: Option<String>,
    /// Whether the same bytes are promised; not where the budget is a time.
    pub(crate) reproducible: bool,
    /// Who sits as First: `a` or `b`.
    pub(crate) first: &'static str,
    pub(crate) a: BTreeMap<String, serde_json::Value>,
    /// Empty for the reference engine.
    pub(crate) b: BTreeMap<String, serde_json::Value>,
    pub(crate) opening: String,
    pub(crate) moves: Vec<MoveView>,
    /// A's result: `win`, `draw` or `loss`; null where the game failed.
    pub(crate) result: Option<&'static str>,
    /// Points that A is ahead by at the end: boxes; in a game without points 1 for the winner.
    pub(crate) margin: Option<i32>,
    /// Whether the result was proven before the last move.
    pub(crate) proven: bool,
    /// Why the game failed; null where it did not.
    pub(crate) failure: Option<FailureView>,
    /// That the attempt was dropped in the run, and why; null where it was not.
    pub(crate) dropped: Option<DroppedAttempt>,
    #[serde(skip)]
    is_against_reference: bool,
    #[serde(skip)]
    has_points: bool,
}

/// A move.
#[derive(Debug, Serialize)]
pub(crate) struct MoveView {
    pub(crate) number: usize,
    pub(crate) player: String,
    /// `a` or `b`.
    pub(crate) side: &'static str,
    #[serde(rename = "move")]
    pub(crate) notation: String,
    pub(crate) stage: String,
    pub(crate) class: Option<&'static str>,
    pub(crate) work_units: Option<u64>,
    /// Simulations through the move, where UCT chose it.
    pub(crate) visits: Option<u32>,
    /// The move's mean value in 0 to 1 for its player, where UCT chose it.
    pub(crate) value: Option<f64>,
    /// Its value in points for its player, where a search with the static evaluation chose it;
    /// what is already won is not counted.
    pub(crate) points: Option<f64>,
    /// Points of First and Second after the move; null where the game has none.
    pub(crate) score: Option<[u8; 2]>,
    pub(crate) position: Option<String>,
}

/// What went wrong.
#[derive(Debug, Serialize)]
pub(crate) struct FailureView {
    pub(crate) what: &'static str,
    pub(crate) by: &'static str,
    pub(crate) reason: String,
    pub(crate) position: String,
}

/// Points of A in halves: 2, 1 or 0. In game 0 of a pair A is First.
pub(crate) fn points_of_a(outcome: Outcome, game: u8) -> u8 {
    match outcome {
        Outcome::Draw => 1,
        Outcome::Win(winner) if (winner == Player::First) == (game == 0) => 2,
        Outcome::Win(_) => 0,
    }
}

/// A's result in a word.
pub(crate) fn result_word(points: u8) -> &'static str {
    ["loss", "draw", "win"][usize::from(points)]
}

impl GameView {
    fn new(job: &Job, played: &PlayedTrial, [game, attempt]: [u32; 2], opening: String) -> Self {
        let trial = &played.trial;
        let has_legs = !job.legs.is_empty();
        let budget = job.budget_of(played.opponent).filter(|_| has_legs);
        GameView {
            place: played.place.to_string(),
            pair: game / trial.games_per_pair(),
            game,
            attempt,
            seed: job.seed,
            budget: budget.map(|budget| budget.to_string()),
            reproducible: job.budget.is_reproducible(),
            first: if game % trial.games_per_pair() == 0 {
                "a"
            } else {
                "b"
            },
            a: named_values(job, &trial.a),
            b: named_values(job, &trial.b),
            opening,
            moves: Vec::new(),
            result: None,
            margin: None,
            proven: false,
            failure: None,
            dropped: None,
            is_against_reference: played.opponent == Opponent::Reference,
            has_points: false,
        }
    }

    pub(crate) fn of_record(
        job: &Job,
        played: &PlayedTrial,
        place: [u32; 2],
        record: &AnyRecord,
    ) -> GameView {
        let record = record.summary();
        let mut view = GameView::new(job, played, place, record.opening);
        let configs = [Some(job.engine_config()), job.reference_config()];
        for (index, it) in record.moves.into_iter().enumerate() {
            let side = view.side_of(it.player);
            let is_reference = side == "b" && view.is_against_reference;
            let config = configs[usize::from(is_reference)].as_ref();
            let stage = config.map(|config| config.stages[it.stage].name.clone());
            view.moves.push(MoveView {
                number: index + 1,
                player: it.player.to_string(),
                side,
                notation: it.notation,
                stage: stage.unwrap_or_default(),
                class: Some(it.class),
                work_units: Some(it.work_units),
                visits: it.opinion.and_then(Opinion::visits),
                value: it.opinion.and_then(Opinion::mean),
                points: it.opinion.and_then(Opinion::points),
                score: it.points,
                position: Some(it.position),
            });
        }
        let in_pair = u8::from(view.first == "b");
        let sign = if in_pair == 0 { 1 } else { -1 };
        view.result = Some(result_word(points_of_a(record.outcome, in_pair)));
        view.margin = Some(sign * record.margin);
        view.proven = record.is_proven;
        view.has_points = job.engine.config.game.has_points();
        view
    }

    pub(crate) fn of_dropped(
        job: &Job,
        played: &PlayedTrial,
        place: [u32; 2],
        dropped: &DroppedPair,
    ) -> GameView {
        let mut view = GameView::new(job, played, place, dropped.opening.clone());
        for (index, it) in dropped.moves.iter().enumerate() {
            let is_first = it.player == Player::First.to_string();
            let player = if is_first {
                Player::First
            } else {
                Player::Second
            };
            view.moves.push(MoveView {
                number: index + 1,
                player: it.player.clone(),
                side: view.side_of(player),
                notation: it.notation.clone(),
                stage: it.stage.clone(),
                class: None,
                work_units: None,
                visits: None,
                value: None,
                points: None,
                score: None,
                position: None,
            });
        }
        view.failure = Some(FailureView {
            what: dropped.kind.word(),
            by: dropped.culprit.word(),
            reason: dropped.reason.clone(),
            position: dropped.position.clone(),
        });
        view
    }

    fn side_of(&self, player: Player) -> &'static str {
        if (player == Player::First) == (self.first == "a") {
            "a"
        } else {
            "b"
        }
    }

    /// Which game it is.
    pub(crate) fn title(&self) -> String {
        let GameView {
            place,
            game,
            attempt,
            ..
        } = self;
        format!("{place}, game {game}, attempt {attempt}")
    }

    /// Who plays, with what and for how long.
    fn write_sides(&self, out: &mut dyn Write) -> io::Result<()> {
        if let Some(budget) = &self.budget {
            writeln!(out, "  {budget}")?;
        }
        for (name, values) in [("A", &self.a), ("B", &self.b)] {
            let seat = if (name == "A") == (self.first == "a") {
                "First"
            } else {
                "Second"
            };
            let listed: Vec<String> = values
                .iter()
                .map(|(path, it)| format!("{path} = {it}"))
                .collect();
            let listed = if listed.is_empty() {
                "the reference engine".to_owned()
            } else {
                listed.join(", ")
            };
            writeln!(out, "  {name} sits as {seat:<6}  {listed}")?;
        }
        Ok(())
    }

    /// Writes the game for people.
    pub(crate) fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{} (pair {}), seed {}",
            self.title(),
            self.pair,
            self.seed
        )?;
        self.write_sides(out)?;
        if !self.reproducible {
            writeln!(
                out,
                "  The budget is a time: the game may differ from the one that counted."
            )?;
        }
        if let Some(dropped) = &self.dropped {
            writeln!(out, "  {}", dropped.text())?;
        }
        writeln!(out, "opening {}", self.opening)?;
        for it in &self.moves {
            let side = it.side.to_uppercase();
            write!(
                out,
                "{:>4}  {side} {:<6}  {:<6}  {:<10}",
                it.number, it.player, it.notation, it.stage
            )?;
            if let (Some(class), Some(work)) = (it.class, it.work_units) {
                write!(out, "  {class:<10}  {work:>9} units")?;
            }
            if let Some([first, second]) = it.score {
                write!(out, "  {first}-{second}")?;
            }
            writeln!(out)?;
        }
        match (&self.failure, self.result, self.margin) {
            (Some(it), ..) => {
                let FailureView {
                    what,
                    by,
                    reason,
                    position,
                } = it;
                writeln!(out, "failed at {position}: {what} by {by}: {reason}")
            }
            (None, Some(result), Some(margin)) => {
                let how = if self.proven {
                    ", proven from here"
                } else {
                    ""
                };
                let by = match self.has_points {
                    true => format!(" by {margin:+} boxes"),
                    false => String::new(),
                };
                writeln!(out, "result {result} for A{by}{how}")
            }
            _ => Ok(()),
        }
    }
}

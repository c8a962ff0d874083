//! `tuner export-games`: every game of a run as a row, for other tools.

use std::io::{BufWriter, Write, stdout};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use rayon::prelude::*;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;
use sixfold_engine::agent::GameRecord;
use sixfold_engine::config::{EngineConfig, GameRules};
use sixfold_engine::game::dots::Dots;
use sixfold_engine::game::{GameKind, Outcome as GameOutcome, Player};
use sixfold_engine::games::{AnyRecord, Summary};
use sixfold_engine::protocol::analyse::SolveLimits;
use sixfold_engine::protocol::record::RecordedGame;
use sixfold_engine::protocol::review::{ReviewOptions, review};
use sixfold_tuner::evaluator::match_play::PairAttempt;
use sixfold_tuner::job::Job;
use sixfold_tuner::run::course::Opponent;
use sixfold_tuner::run::history::PlayedTrial;
use sixfold_tuner::run::place::Place;
use sixfold_tuner::store::new_file::NewFile;

use super::replay::PAIRS_AT_ONCE;
use super::stop::stop_flag;
use super::{Outcome, squares, use_threads};
use crate::workspace::again::{Again, Players, counted_pairs};
use crate::workspace::exit::{Exit, Failure, bad_input, new_file};
use crate::workspace::game_view::{points_of_a, result_word};
use crate::workspace::session::find;
use crate::workspace::show::json_value;

/// Positions that --losses solves, by edges left and units of work: fewer than `engine review`
/// does, which has one game to judge.
const SOLVE_LIMITS: SolveLimits = SolveLimits {
    edges: 30,
    work_units: 200_000_000,
};

const COLUMNS: &str = "\
The games are not stored: they are played again, which takes about as long as the run took.

Columns (JSON lines have the same names):
  contest          tuning, decision, measured, start-reference or tuned-reference
  round, trial     of the tuning, from 0; empty in a verification
  verification, batch  number from 1, and batch of its contest from 0; empty in the tuning
  pair, game       of the trial or batch, from 0
  attempt          how often the pair was dropped before it counted
  seed, stream_round, stream_trial  with pair and attempt the key of opening and moves
  opening          the position where the engines took over
  first            a or b: who sat as First
  result, margin   A's: win, draw or loss, and boxes ahead at the end; in the Amazons 1 or -1
  moves            moves of the engines; in the Amazons two a turn, the amazon's and its arrow's
  proven           whether the result was proven before the last move
  work_a, work_b   units of work of each side's moves
  a.PATH, b.PATH   the value of each parameter; empty for the reference engine
with --losses (Dots and Boxes) also, for each side, over moves with solved positions around them
(at most 30 edges left):
  judged_a, judged_b      moves judged
  mistakes_a, mistakes_b  those that lost value
  lost_a, lost_b          the value they lost, in boxes of the final margin
with --squares (Amazons) also, from when the sides were apart: no empty square was within reach of
both by king's steps any more, to the end of the game; empty where they never were:
  apart_at                whole turns of the game by then
  unreached               empty squares that no amazon reached any more by then
  held_a, held_b          squares that the side reached then, or the other side opened to it later
  wasted_a, wasted_b      those of them that it did not fill by its turns and could not fill at the
                          end; empty where the most turns that were left to it are not known";

#[derive(Args)]
#[command(after_help = COLUMNS)]
pub(super) struct ExportGamesArguments {
    /// The run: its name under --runs, or the path of its folder
    run: String,
    /// Form of the rows
    #[arg(long, value_enum)]
    format: Format,
    /// Write to this file, which must not exist [default: standard output]
    #[arg(long, value_name = "FILE")]
    to: Option<PathBuf>,
    /// Judge every move by exact values where they can be had; takes longer than the games
    #[arg(long)]
    losses: bool,
    /// Count what became of the squares that a side held alone
    #[arg(long)]
    squares: bool,
    /// Folder of runs
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
    /// Threads; they change the speed and nothing else [default: all cores]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// A form of rows.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Comma-separated values with a line of names
    Csv,
    /// A JSON object a line
    Jsonl,
}

/// A row: names and values in the order of the columns.
struct Row(Vec<(String, Value)>);

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

/// Where rows go.
enum Rows {
    Csv(Box<csv::Writer<Box<dyn Write>>>, bool),
    Jsonl(Box<dyn Write>),
}

impl Rows {
    fn new(format: Format, out: Box<dyn Write>) -> Rows {
        match format {
            Format::Csv => Rows::Csv(Box::new(csv::Writer::from_writer(out)), false),
            Format::Jsonl => Rows::Jsonl(out),
        }
    }

    fn write(&mut self, row: &Row) -> anyhow::Result<()> {
        match self {
            Rows::Csv(writer, has_names) => {
                if !*has_names {
                    writer.write_record(row.0.iter().map(|(name, _)| name))?;
                    *has_names = true;
                }
                writer.write_record(row.0.iter().map(|(_, value)| field(value)))?;
            }
            Rows::Jsonl(out) => writeln!(out, "{}", serde_json::to_string(row)?)?,
        }
        Ok(())
    }

    fn finish(&mut self) -> anyhow::Result<()> {
        match self {
            Rows::Csv(writer, _) => Ok(writer.flush()?),
            Rows::Jsonl(out) => Ok(out.flush()?),
        }
    }
}

fn field(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// A pair to play again, with the trial that it is of.
struct Due {
    played: Arc<PlayedTrial>,
    pair: PairAttempt,
}

pub(super) fn export_games(arguments: &ExportGamesArguments) -> Outcome {
    let folder = find(&arguments.runs, &arguments.run)?;
    use_threads(arguments.threads)?;
    let stop = stop_flag()?;
    let mut again = Again::open(&folder)?;
    let file = arguments.to.as_deref();
    let file = file.map(|path| new_file(path, "--to")).transpose()?;
    let out: Box<dyn Write> = match &file {
        Some(file) => Box::new(BufWriter::new(file.writer()?)),
        None => Box::new(BufWriter::new(stdout())),
    };
    let mut rows = Rows::new(arguments.format, out);
    check_fits(arguments, again.job.engine.config.game)?;
    let (trials, players, job) = again.trials();
    if !job.budget.is_reproducible() {
        let budget = job.budget;
        tracing::warn!(%budget, "the budget is a time: what is played again may differ");
    }
    let to = arguments.to.as_deref().map_or_else(
        || "standard output".to_owned(),
        |path| path.display().to_string(),
    );
    let mut export = Export {
        players,
        columns: Columns {
            job,
            engine: job.engine_config(),
            losses: arguments.losses,
            squares: arguments.squares,
        },
        stop: &stop,
        due: Vec::new(),
        to,
    };
    for played in trials {
        let played = Arc::new(played?);
        if played.result.is_none() {
            break;
        }
        if export
            .due
            .first()
            .is_some_and(|due| due.played.opponent != played.opponent)
        {
            export.flush(&mut rows)?;
        }
        for pair in counted_pairs(&played) {
            let played = Arc::clone(&played);
            export.due.push(Due { played, pair });
            if export.due.len() >= PAIRS_AT_ONCE {
                export.flush(&mut rows)?;
            }
        }
    }
    export.flush(&mut rows)?;
    let to = export.to;
    rows.finish()
        .and_then(|()| Ok(file.map_or(Ok(()), NewFile::keep)?))
        .with_context(|| format!("cannot write to {to}"))?;
    Ok(Exit::Success)
}

/// Refuses columns that the game of the run does not have.
fn check_fits(arguments: &ExportGamesArguments, game: GameRules) -> Result<(), Failure> {
    if arguments.losses && !game.has_points() {
        return Err(bad_input(anyhow!(
            "--losses judges moves by the points they lose, and {game} has none; expected a run of \
             Dots and Boxes"
        )));
    }
    if arguments.squares && game.kind() != GameKind::Amazons {
        return Err(bad_input(anyhow!(
            "--squares counts the squares that amazons hold, and {game} has none; expected a run \
             of the Amazons"
        )));
    }
    Ok(())
}

/// What the rows say of a game.
struct Columns<'a> {
    job: &'a Job,
    engine: EngineConfig,
    losses: bool,
    squares: bool,
}

/// The export in progress.
struct Export<'a> {
    players: &'a mut Players,
    columns: Columns<'a>,
    stop: &'a AtomicBool,
    /// Where the rows go, in words.
    to: String,
    /// Pairs that are played together next; all against one opponent.
    due: Vec<Due>,
}

impl Export<'_> {
    /// Plays what is due and writes its rows.
    fn flush(&mut self, rows: &mut Rows) -> Result<(), Failure> {
        let due = std::mem::take(&mut self.due);
        let Some(first) = due.first() else {
            return Ok(());
        };
        let pairs: Vec<PairAttempt> = due.iter().map(|it| it.pair.clone()).collect();
        let played = self
            .players
            .play(first.played.opponent, &pairs, self.stop)?;
        let mut games = Vec::new();
        for (it, pair) in due.iter().zip(played) {
            let records = pair.map_err(|dropped| {
                anyhow!("{dropped}; it counted in the run, and the export cannot go on")
            })?;
            games.extend(
                (0_u8..)
                    .zip(records)
                    .map(|(game, record)| (it, game, record)),
            );
        }
        let columns = &self.columns;
        let row = |(it, game, record): &(&Due, u8, AnyRecord)| columns.row(it, *game, record);
        let finished: Vec<Row> = if columns.losses || columns.squares {
            games.par_iter().map(row).collect()
        } else {
            games.iter().map(row).collect()
        };
        let mut written = finished.iter().map(|row| rows.write(row));
        let written: anyhow::Result<()> = written.try_for_each(|it| it);
        Ok(written.with_context(|| format!("cannot write to {}", self.to))?)
    }
}

impl Columns<'_> {
    fn row(&self, due: &Due, game: u8, any: &AnyRecord) -> Row {
        let record: Summary = any.summary();
        let (played, pair) = (&due.played, &due.pair);
        let trial = &played.trial;
        let (a_is_first, points) = (game == 0, points_of_a(record.outcome, game));
        let number = pair.pair * trial.games_per_pair() + u32::from(game);
        let a = if a_is_first {
            Player::First
        } else {
            Player::Second
        };
        let moves = || record.moves.iter();
        let work = |player| -> u64 {
            let own = moves().filter(|it| it.player == player);
            own.map(|it| it.work_units).sum()
        };
        let sign = if a_is_first { 1 } else { -1 };
        debug_assert_eq!(record.outcome, GameOutcome::from_margin(record.margin));
        let mut row = Row(Vec::new());
        row.add_place(&played.place);
        row.add("pair", pair.pair);
        row.add("game", number);
        row.add("attempt", pair.attempt);
        row.add("seed", self.job.seed);
        if !self.job.legs.is_empty() {
            let budget = self.job.budget_of(played.opponent);
            row.add("budget", budget.map(|it| it.amount.number()));
        }
        row.add("stream_round", trial.id.round);
        row.add("stream_trial", trial.id.trial);
        row.add("opening", record.opening.as_str());
        row.add("first", if a_is_first { "a" } else { "b" });
        row.add("result", result_word(points));
        row.add("margin", sign * record.margin);
        row.add("moves", record.moves.len());
        row.add("proven", record.is_proven);
        row.add("work_a", work(a));
        row.add("work_b", work(a.other()));
        if let (true, AnyRecord::DotsAndBoxes(record)) = (self.losses, any) {
            row.add_losses(record, a, &self.engine);
        }
        if let (true, AnyRecord::Amazons(record)) = (self.squares, any) {
            for (name, value) in squares::columns(record, a) {
                row.add(name, value);
            }
        }
        let fixed = played.opponent == Opponent::Reference;
        for (side, vector) in [("a", &trial.a), ("b", &trial.b)] {
            for (index, parameter) in self.job.space.parameters.iter().enumerate() {
                let value = vector.0.get(index).filter(|_| side == "a" || !fixed);
                let value = value.map(|value| json_value(parameter, *value));
                row.add(format!("{side}.{}", parameter.path), value);
            }
        }
        row
    }
}

impl Row {
    fn add(&mut self, name: impl Into<String>, value: impl Into<Value>) {
        self.0.push((name.into(), value.into()));
    }

    fn add_place(&mut self, place: &Place) {
        let (contest, trial, batch) = match place {
            Place::Tuning(id) => ("tuning", Some(*id), None),
            Place::Verification {
                attempt,
                contest,
                batch,
            } => (contest.word(), None, Some((*attempt, *batch))),
        };
        self.add("contest", contest);
        self.add("round", trial.map(|id| id.round));
        self.add("trial", trial.map(|id| id.trial));
        self.add("verification", batch.map(|(attempt, _)| attempt));
        self.add("batch", batch.map(|(_, batch)| batch));
    }

    fn add_losses(&mut self, record: &GameRecord<Dots>, a: Player, config: &EngineConfig) {
        let game = RecordedGame {
            names: Player::ALL.map(|player| player.to_string()),
            event: String::new(),
            start: record.opening,
            moves: record.moves.iter().map(|it| it.mv).collect(),
            score: None,
        };
        let options = ReviewOptions {
            config,
            limits: SOLVE_LIMITS,
            opening_moves: 0,
        };
        let review = review(&game, options);
        for (side, player) in [("a", a), ("b", a.other())] {
            let name = player.to_string();
            let rows = || review.summary.iter().filter(|row| row.player == name);
            self.add(
                format!("judged_{side}"),
                rows().map(|row| row.judged).sum::<usize>(),
            );
            self.add(
                format!("mistakes_{side}"),
                rows().map(|row| row.mistakes).sum::<usize>(),
            );
            self.add(
                format!("lost_{side}"),
                rows().map(|row| row.lost).sum::<i32>(),
            );
        }
    }
}

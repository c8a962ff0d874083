//! `engine solve`: exact values.

use std::io::{BufRead, Write, stdin, stdout};
use std::num::NonZero;
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::Args;
use sixfold_engine::game::Position;
use sixfold_engine::game::dots::{Dots, Edge};
use sixfold_engine::protocol::solve::{self as batch, Prover, Question};
use sixfold_engine::search::alpha_beta::can_hold;

use super::positions::read_position;
use super::{Done, bad_input};

/// Arguments of `solve`.
#[derive(Args)]
pub(super) struct SolveArguments {
    /// The position: ROWSxCOLS:HEXMASK[:FIRST-SECOND:TURN]
    #[arg(
        value_name = "POSITION",
        required_unless_present = "input",
        conflicts_with = "input"
    )]
    position: Option<String>,
    /// Solve every line {"position":"…"} of this file ("-" is standard input)
    #[arg(long, value_name = "FILE.jsonl")]
    input: Option<PathBuf>,
    /// List every optimal move, not only those that the search itself proved
    #[arg(long)]
    all_moves: bool,
    /// Say only who wins, boxes taken so far included, at a fraction of the cost
    #[arg(long, conflicts_with = "all_moves")]
    win_loss: bool,
    /// Size of the transposition table
    #[arg(long, value_name = "MIB", default_value_t = 64,
          value_parser = clap::value_parser!(u32).range(1..=65_536))]
    table_mib: u32,
    /// Threads that solve a position together; answers are the same, nodes vary with more than one
    #[arg(long, default_value = "1", value_parser = threads)]
    threads: NonZero<u16>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Most threads of one search.
const THREADS_MAX: u16 = 256;

fn threads(text: &str) -> Result<NonZero<u16>, String> {
    match text.parse::<NonZero<u16>>() {
        Ok(count) if count.get() <= THREADS_MAX => Ok(count),
        _ => Err(format!(
            "expected a number of threads from 1 to {THREADS_MAX}"
        )),
    }
}

/// Solves what is asked for.
pub(super) fn run(arguments: &SolveArguments) -> Done {
    if !can_hold(arguments.table_mib) {
        return Err(bad_input(anyhow!(
            "--table-mib {} is more than this machine has to give",
            arguments.table_mib
        )));
    }
    let mut prover = Prover::new(arguments.table_mib, arguments.threads);
    let mut out = stdout().lock();
    if let Some(path) = &arguments.input {
        let name = path.display().to_string();
        let mut input: Box<dyn BufRead> = if name == "-" {
            Box::new(stdin().lock())
        } else {
            let file = std::fs::File::open(path)
                .with_context(|| format!("cannot read {name}"))
                .map_err(bad_input)?;
            Box::new(std::io::BufReader::new(file))
        };
        // Everything is read before anything is solved: a bad line costs no half-finished output.
        let requests = batch::read_requests(&name, &mut *input).map_err(bad_input)?;
        let question = match (arguments.win_loss, arguments.all_moves) {
            (true, _) => Question::WinLoss,
            (false, true) => Question::AllMoves,
            (false, false) => Question::Value,
        };
        batch::solve_all(&requests, &mut prover, question, &mut out)?;
        return Ok(());
    }
    let text = arguments.position.as_deref().unwrap_or_default();
    let position = read_position(text)?;
    if arguments.win_loss {
        let solution = batch::win_loss(text, &position, &mut prover);
        return write_win_loss(&solution, &position, arguments.json, &mut out);
    }
    let solution = batch::solve(text, &position, &mut prover, arguments.all_moves);
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&solution)?)?;
        return Ok(());
    }
    writeln!(out, "{}", position.draw())?;
    writeln!(out, "{} to move", position.to_move())?;
    writeln!(out, "value       {:+} over the boxes left", solution.value)?;
    let names: Vec<String> = solution
        .best_moves
        .iter()
        .map(|&edge| format!("{edge} ({})", position.format_turn(&[Edge(edge)])))
        .collect();
    writeln!(out, "best moves  {}", names.join(", "))?;
    writeln!(out, "nodes       {}", solution.nodes)?;
    Ok(())
}

fn write_win_loss(
    solution: &batch::WinLossSolution,
    position: &Dots,
    json: bool,
    out: &mut dyn Write,
) -> Done {
    if json {
        writeln!(out, "{}", serde_json::to_string(solution)?)?;
        return Ok(());
    }
    writeln!(out, "{}", position.draw())?;
    writeln!(out, "{} to move", position.to_move())?;
    writeln!(out, "result      {}", solution.result)?;
    let name = solution.best_move.map_or_else(
        || "none".to_owned(),
        |edge| format!("{edge} ({})", position.format_turn(&[Edge(edge)])),
    );
    writeln!(out, "best move   {name}")?;
    writeln!(out, "nodes       {}", solution.nodes)?;
    Ok(())
}

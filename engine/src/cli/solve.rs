//! `engine solve`: exact values.

use std::io::{BufRead, Write, stdin, stdout};
use std::num::NonZero;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use sixfold_engine::game::Position;
use sixfold_engine::games::{Amazons, DotsAndBoxes};
use sixfold_engine::protocol::positions::AnyPosition;
use sixfold_engine::protocol::solve::{self as batch, Prover, Provers, Question, Solvable};
use sixfold_engine::search::alpha_beta::can_hold;

use super::positions::shown;
use super::{Done, bad_input};

/// Arguments of `solve`.
#[derive(Args)]
pub(super) struct SolveArguments {
    /// The position: ROWSxCOLS:HEXMASK[:FIRST-SECOND:TURN] or, of the Amazons, a FEN or a start
    /// such as amazons:4x4
    #[arg(
        value_name = "POSITION",
        required_unless_present = "input",
        conflicts_with = "input"
    )]
    position: Option<String>,
    /// Solve every line {"position":"…"} of this file ("-" is standard input)
    #[arg(long, value_name = "FILE.jsonl")]
    input: Option<PathBuf>,
    /// List every optimal move, in the Amazons every optimal whole turn, not only those that the
    /// search itself proved
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
    let mut provers = Provers::new(arguments.table_mib, arguments.threads);
    if let Some(path) = &arguments.input {
        return solve_file(path, arguments, &mut provers);
    }
    let text = arguments.position.as_deref().unwrap_or_default();
    let refused = |error| bad_input(anyhow!("position {}: {error}", shown(text)));
    match AnyPosition::read(text).map_err(refused)? {
        AnyPosition::DotsAndBoxes(position) => {
            solve_one::<DotsAndBoxes>(text, &position, &mut provers.dots, arguments)
        }
        AnyPosition::Amazons(position) => {
            solve_one::<Amazons>(text, &position, &mut provers.amazons, arguments)
        }
    }
}

fn solve_file(path: &Path, arguments: &SolveArguments, provers: &mut Provers) -> Done {
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
    Ok(batch::solve_all(
        &requests,
        provers,
        question,
        &mut stdout().lock(),
    )?)
}

fn solve_one<G: Solvable>(
    text: &str,
    position: &G::Position,
    prover: &mut Prover<G>,
    arguments: &SolveArguments,
) -> Done {
    let mut out = stdout().lock();
    if arguments.win_loss {
        let solution = batch::win_loss::<G>(text, position, prover);
        return write_win_loss::<G>(&solution, position, arguments.json, &mut out);
    }
    let solution = batch::solve::<G>(text, position, prover, arguments.all_moves);
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&solution)?)?;
        return Ok(());
    }
    writeln!(out, "{}", G::draw(position))?;
    writeln!(out, "{} to move", position.to_move())?;
    writeln!(out, "value       {}", G::value(solution.value))?;
    let names: Vec<String> = solution
        .best_moves
        .iter()
        .map(|mv| G::told(position, mv))
        .collect();
    writeln!(out, "best moves  {}", names.join(", "))?;
    writeln!(out, "nodes       {}", solution.nodes)?;
    Ok(())
}

fn write_win_loss<G: Solvable>(
    solution: &batch::WinLossSolution<G::Named>,
    position: &G::Position,
    json: bool,
    out: &mut dyn Write,
) -> Done {
    if json {
        writeln!(out, "{}", serde_json::to_string(solution)?)?;
        return Ok(());
    }
    writeln!(out, "{}", G::draw(position))?;
    writeln!(out, "{} to move", position.to_move())?;
    writeln!(out, "result      {}", solution.result)?;
    let name = solution
        .best_move
        .as_ref()
        .map_or_else(|| "none".to_owned(), |mv| G::told(position, mv));
    writeln!(out, "best move   {name}")?;
    writeln!(out, "nodes       {}", solution.nodes)?;
    Ok(())
}

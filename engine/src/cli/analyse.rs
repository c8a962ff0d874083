//! `engine analyse`: understanding a position.

use std::io::{BufRead, Write, stdin, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use sixfold_engine::clock::Budget;
use sixfold_engine::config::EngineConfig;
use sixfold_engine::game::dots::{Board, Dots};
use sixfold_engine::protocol::analyse::{Analyser, SolveLimits};
use sixfold_engine::protocol::{analyse_text, solve as batch};
use sixfold_engine::stage::Searcher;

use super::positions::{dots_board, load, read_position, shown};
use super::{Done, Failure, bad_input};

/// The configuration where none is given, built in so that it is there wherever one analyses.
const DOTS_DEFAULT: &str = include_str!("../../../configs/engines/dots-default.toml");

/// Edges left up to which every move is solved: some hundredths of a second on 5x5.
const SOLVE_EDGES: u16 = 36;

/// What `--json` and `--input` print, as the long help says it.
const FIELDS: &str = "\
JSON, one object a position (values are boxes ahead over the boxes left, for the side to move):
  position, to_move, score [First, Second], ply, edges_left
  stage       name, from, searcher, constants and choices of the UCT that chose
  budget      simulations, work_units or milliseconds; per; seed
  best_move   {edge, notation}: what the engine plays; null once the game is over
  search      simulations, work_units, max_depth, tree_nodes, principal_variation
              [{edge, notation, visits}]; null where no UCT chose
  moves       every open edge, most visited first: edge, notation, class, sufficient, visits,
              mean, bias, exploration, ucb (their sum), value (exact); null where unknown
  exact       value, final_margin (First's), best_moves, line, nodes; null beyond the limits
  limits      edges, work_units of exact search
  structure   safe_edges; chains, loops, capturable [{mark, length, long, closed, isolated,
              boxes, edge, notation}], long where the capturer has a choice; junctions,
              long_chains, formula {value, exact}

The back end is stateless: with --input - every line is answered before the next is read, and
the answer depends on nothing but the line, the configuration and the seed.";

/// Arguments of `analyse`.
#[derive(Args)]
#[command(after_long_help = FIELDS)]
pub(super) struct AnalyseArguments {
    /// The position: ROWSxCOLS:HEXMASK[:FIRST-SECOND:TURN]
    #[arg(
        value_name = "POSITION",
        required_unless_present = "input",
        conflicts_with = "input"
    )]
    position: Option<String>,
    /// Analyse every line of this file, a position each ("-" is standard input, answered line by
    /// line), and print a line of JSON for each; ends at the first line that is no position
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// The engine's configuration [default: the built-in dots-default, its
    /// stages scaled to the board]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Let this UCT stage act, whichever it is by the plan of the game
    #[arg(long, value_name = "NAME")]
    stage: Option<String>,
    /// What the move may use, instead of the configuration's budget: simulations=N (or just N),
    /// work_units=N or milliseconds=N
    #[arg(long)]
    budget: Option<Budget>,
    /// Seed of the engine's random streams, below 2^53
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 53))]
    seed: u64,
    #[command(flatten)]
    solve: SolveArguments,
    /// Print JSON (fields: see --help)
    #[arg(long)]
    json: bool,
}

/// What exact search may be used for a report.
#[derive(Args)]
pub(super) struct SolveArguments {
    /// Exact values are for positions with at most so many edges left; two edges more take about
    /// ten times as long [default: 36 to analyse, 38 to review]
    #[arg(long, value_name = "EDGES", value_parser = clap::value_parser!(u16).range(0..=64))]
    solve_edges: Option<u16>,
    /// Give up the exact values of a position after so many units of work, which 3x5 boxes or more
    /// with few edges drawn can need
    #[arg(long, value_name = "UNITS", default_value_t = 500_000_000,
          value_parser = clap::value_parser!(u64).range(100..=1_000_000_000_000))]
    solve_work: u64,
}

impl SolveArguments {
    /// The limits, with this many edges where the user says nothing.
    pub(super) fn limits(&self, edges: u16) -> SolveLimits {
        SolveLimits {
            edges: self.solve_edges.unwrap_or(edges),
            work_units: self.solve_work,
        }
    }
}

/// The given configuration, or the built-in one; with the board that positions must have, if any.
pub(super) fn config_or_default(
    path: Option<&Path>,
) -> Result<(EngineConfig, Option<&'static Board>), Failure> {
    let Some(path) = path else {
        let file = Path::new("dots-default.toml");
        let config = EngineConfig::parse(file, DOTS_DEFAULT).map_err(bad_input)?;
        return Ok((config, None));
    };
    let config = load(path)?;
    let board = dots_board(&config)?;
    Ok((config, Some(board)))
}

/// Analyses what is asked for.
pub(super) fn run(arguments: &AnalyseArguments) -> Done {
    let (mut config, board) = config_or_default(arguments.config.as_deref())?;
    config.budget = arguments.budget.unwrap_or(config.budget);
    if let Some(name) = &arguments.stage {
        keep_stage(&mut config, name)?;
    }
    let mut analyser = Analyser::new(&config, arguments.seed, arguments.solve.limits(SOLVE_EDGES));
    if let Some(path) = &arguments.input {
        return answer_lines(path, board, &mut analyser);
    }
    let text = arguments.position.as_deref().unwrap_or_default();
    let position = read_position(text)?;
    check_board(&position, board)
        .map_err(|problem| bad_input(anyhow!("position {} {problem}", shown(text))))?;
    let analysis = analyser.analyse(text, &position);
    let mut out = stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&analysis)?)?;
        return Ok(());
    }
    Ok(analyse_text::write(&analysis, &position, &mut out)?)
}

fn check_board(position: &Dots, board: Option<&'static Board>) -> Result<(), String> {
    match board {
        Some(board) if position.board() != board => Err(format!(
            "is of another size: the configuration plays {board} boxes"
        )),
        _ => Ok(()),
    }
}

/// Leaves the configuration this stage alone.
fn keep_stage(config: &mut EngineConfig, name: &str) -> Result<(), Failure> {
    let is_uct = |searcher: &Searcher| matches!(searcher, Searcher::Uct(_));
    let names: Vec<&str> = config
        .stages
        .iter()
        .filter(|stage| is_uct(&stage.searcher))
        .map(|stage| stage.name.as_str())
        .collect();
    if !names.contains(&name) {
        let list = names.join(", ");
        let problem = anyhow!("--stage {} is no UCT stage; they are {list}", shown(name));
        return Err(bad_input(problem));
    }
    // The first stage of a configuration acts wherever no later one does.
    config.stages.retain(|stage| stage.name == name);
    Ok(())
}

/// Answers every position of a file. A file is read before the first is analysed, so that a bad
/// line costs no half-finished output; standard input is answered line by line.
fn answer_lines(path: &Path, board: Option<&'static Board>, analyser: &mut Analyser) -> Done {
    let name = path.display().to_string();
    let is_stream = name == "-";
    let mut input: Box<dyn BufRead> = if is_stream {
        Box::new(stdin().lock())
    } else {
        let file = std::fs::File::open(path)
            .with_context(|| format!("cannot read {name}"))
            .map_err(bad_input)?;
        Box::new(std::io::BufReader::new(file))
    };
    let mut out = stdout().lock();
    let mut answer = |text: &str, position: &Dots| -> Done {
        let analysis = analyser.analyse(text, position);
        writeln!(out, "{}", serde_json::to_string(&analysis)?)?;
        Ok(out.flush()?)
    };
    let mut lines = batch::InputLines::new(&name, &mut *input);
    let mut waiting = Vec::new();
    let mut is_empty = true;
    while let Some(line) = lines.next_line().map_err(bad_input)? {
        let read = read_line(&line, board).map_err(|problem| bad_input(lines.error(problem)));
        let (text, position) = read?;
        is_empty = false;
        if is_stream {
            answer(&text, &position)?;
        } else {
            waiting.push((text, position));
        }
    }
    if is_empty {
        let problem = "has no position; expected one a line, such as 5x5:0";
        return Err(bad_input(lines.error(problem.to_owned())));
    }
    waiting
        .iter()
        .try_for_each(|(text, position)| answer(text, position))
}

/// A line of an input file: a position, or a request as `solve` reads them.
fn read_line(line: &str, board: Option<&'static Board>) -> Result<(String, Dots), String> {
    let (text, position) = if line.starts_with('{') {
        batch::parse_request(line)?
    } else {
        let refused = |error| format!("position {}: {error}", shown(line));
        (line.to_owned(), Dots::from_text(line).map_err(refused)?)
    };
    check_board(&position, board).map_err(|problem| format!("position {problem}"))?;
    Ok((text, position))
}

//! `engine analyse`: understanding a position.

use std::io::{BufRead, Write, stdin, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use sixfold_engine::clock::Budget;
use sixfold_engine::config::EngineConfig;
use sixfold_engine::game::GameKind;
use sixfold_engine::protocol::analyse::{Analyser, SolveLimits};
use sixfold_engine::protocol::analyse_turn::TurnAnalyser;
use sixfold_engine::protocol::positions::{AnyPosition, kind_of_text};
use sixfold_engine::protocol::{analyse_text, analyse_turn_text, solve as batch};
use sixfold_engine::stage::Searcher;

use super::positions::{load, shown};
use super::{Done, Failure, bad_input};

/// The configuration where none is given, built in so that it is there wherever one analyses.
const DOTS_DEFAULT: &str = include_str!("../../../configs/engines/dots-default.toml");
/// The same for the Amazons.
const AMAZONS: &str = include_str!("../../../configs/engines/amazons-default.toml");

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

Of the Amazons (values are for the side to move):
  position, to_move, ply, empty_squares, budget, seed
  best_turn   the turn that the engine plays, such as d1-d7/g7; null once the game is over
  halves      each half of it: notation, stage, work_units, search (uct, deepening or
              alpha_beta), moves (what UCT saw: notation, class, visits, mean, bias, exploration,
              ucb)
  evaluation  form, x, y, kappa, t1, t2, c1, c2, w, s, a, b, c, value; null once the game is over
  exact       result (win or loss), nodes; null beyond the limit
  solve_work  the limit of exact search, in units of work

The back end is stateless: with --input - every line is answered before the next is read, and
the answer depends on nothing but the line, the configuration and the seed.";

/// Arguments of `analyse`.
#[derive(Args)]
#[command(after_long_help = FIELDS)]
pub(super) struct AnalyseArguments {
    /// The position: ROWSxCOLS:HEXMASK[:FIRST-SECOND:TURN] or, of the Amazons, a FEN or a start
    /// such as amazons:10x10
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
    /// The engine's configuration [default: the built-in dots-default or amazons-default, its
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

/// The configuration of a game where none is given.
pub(super) fn built_in(kind: GameKind) -> Result<EngineConfig, Failure> {
    let (name, text) = match kind {
        GameKind::DotsAndBoxes => ("dots-default.toml", DOTS_DEFAULT),
        GameKind::Amazons => ("amazons-default.toml", AMAZONS),
    };
    EngineConfig::parse(Path::new(name), text).map_err(bad_input)
}

/// Analyses what is asked for.
pub(super) fn run(arguments: &AnalyseArguments) -> Done {
    let mut desk = Desk::new(arguments)?;
    if let Some(path) = &arguments.input {
        return answer_lines(path, &mut desk);
    }
    let text = arguments.position.as_deref().unwrap_or_default();
    let refused = |problem: String| bad_input(anyhow!("position {}{problem}", shown(text)));
    let position = desk.read(text).map_err(refused)?;
    let mut out = stdout().lock();
    if arguments.json {
        writeln!(out, "{}", desk.line(text, &position)?)?;
        return Ok(());
    }
    desk.write_page(text, &position, &mut out)
}

/// Answers positions of any game, each with an analyser of its game.
struct Desk<'a> {
    arguments: &'a AnalyseArguments,
    /// The given configuration, as changed by the arguments.
    config: Option<EngineConfig>,
    dots: Option<Analyser>,
    amazons: Option<TurnAnalyser>,
}

impl<'a> Desk<'a> {
    fn new(arguments: &'a AnalyseArguments) -> Result<Desk<'a>, Failure> {
        let path = arguments.config.as_deref();
        let config = path
            .map(|path| changed(load(path)?, arguments))
            .transpose()?;
        Ok(Desk {
            arguments,
            config,
            dots: None,
            amazons: None,
        })
    }

    /// Reads a position that the configuration, if one is given, can play; says what is wrong with
    /// another text.
    fn read(&self, text: &str) -> Result<AnyPosition, String> {
        let kind = kind_of_text(text);
        let rules = self.config.as_ref().map(|config| config.game);
        if let Some(rules) = rules.filter(|rules| rules.kind() != kind) {
            return Err(format!(" is of {kind}: the configuration plays {rules}"));
        }
        let edges = self.arguments.solve.solve_edges;
        if let (GameKind::Amazons, Some(edges)) = (kind, edges) {
            return Err(format!(
                " is of {kind}: --solve-edges {edges} is for Dots and Boxes; \
                 --solve-work limits what is solved"
            ));
        }
        let position = AnyPosition::read(text).map_err(|error| format!(": {error}"))?;
        match rules {
            Some(rules) if position.rules() != rules => Err(format!(
                " is of another size: the configuration plays {rules}"
            )),
            _ => Ok(position),
        }
    }

    /// The configuration for a game.
    fn config(&self, kind: GameKind) -> Result<EngineConfig, Failure> {
        match &self.config {
            Some(config) => Ok(config.clone()),
            None => changed(built_in(kind)?, self.arguments),
        }
    }

    fn dots(&mut self) -> Result<&mut Analyser, Failure> {
        if self.dots.is_none() {
            let config = self.config(GameKind::DotsAndBoxes)?;
            let limits = self.arguments.solve.limits(SOLVE_EDGES);
            self.dots = Some(Analyser::new(&config, self.arguments.seed, limits));
        }
        Ok(self.dots.as_mut().expect("it has just been made"))
    }

    fn amazons(&mut self) -> Result<&mut TurnAnalyser, Failure> {
        if self.amazons.is_none() {
            let config = self.config(GameKind::Amazons)?;
            let solve_work = self.arguments.solve.solve_work;
            self.amazons = Some(TurnAnalyser::new(&config, self.arguments.seed, solve_work));
        }
        Ok(self.amazons.as_mut().expect("it has just been made"))
    }

    /// The analysis as a line of JSON.
    fn line(&mut self, text: &str, position: &AnyPosition) -> Result<String, Failure> {
        let line = match position {
            AnyPosition::DotsAndBoxes(position) => {
                serde_json::to_string(&self.dots()?.analyse(text, position))
            }
            AnyPosition::Amazons(position) => {
                serde_json::to_string(&self.amazons()?.analyse(text, position))
            }
        };
        Ok(line?)
    }

    /// The analysis as a page for people.
    fn write_page(&mut self, text: &str, position: &AnyPosition, out: &mut dyn Write) -> Done {
        match position {
            AnyPosition::DotsAndBoxes(position) => {
                let analysis = self.dots()?.analyse(text, position);
                analyse_text::write(&analysis, position, out)?;
            }
            AnyPosition::Amazons(position) => {
                let analysis = self.amazons()?.analyse(text, position);
                analyse_turn_text::write(&analysis, position, out)?;
            }
        }
        Ok(())
    }
}

/// A configuration with the budget and the stage that the arguments ask for.
fn changed(
    mut config: EngineConfig,
    arguments: &AnalyseArguments,
) -> Result<EngineConfig, Failure> {
    config.budget = arguments.budget.unwrap_or(config.budget);
    if let Some(name) = &arguments.stage {
        keep_stage(&mut config, name)?;
    }
    Ok(config)
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
fn answer_lines(path: &Path, desk: &mut Desk<'_>) -> Done {
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
    let mut lines = batch::InputLines::new(&name, &mut *input);
    let mut waiting = Vec::new();
    let mut is_empty = true;
    while let Some(line) = lines.next_line().map_err(bad_input)? {
        let read = read_line(&line, desk).map_err(|problem| bad_input(lines.error(problem)));
        let (text, position) = read?;
        is_empty = false;
        if is_stream {
            writeln!(out, "{}", desk.line(&text, &position)?)?;
            out.flush()?;
        } else {
            waiting.push((text, position));
        }
    }
    if is_empty {
        let problem = "has no position; expected one a line, such as 5x5:0";
        return Err(bad_input(lines.error(problem.to_owned())));
    }
    for (text, position) in &waiting {
        writeln!(out, "{}", desk.line(text, position)?)?;
    }
    Ok(())
}

/// A line of an input file: a position, or a request as `solve` reads them.
fn read_line(line: &str, desk: &Desk<'_>) -> Result<(String, AnyPosition), String> {
    let text = if line.starts_with('{') {
        batch::parse_request(line)?
    } else {
        line.to_owned()
    };
    let refused = |problem| format!("position {}{problem}", shown(&text));
    let position = desk.read(&text).map_err(refused)?;
    Ok((text, position))
}

//! What each command of `engine` does.

use std::io::{BufRead, Write, stdin, stdout};
use std::path::Path;

use anyhow::{Context, anyhow};
use serde::Serialize;
use sixfold_engine::agent::{budgeted_time, default_deadline};
use sixfold_engine::config::{EngineConfig, GameRules};
use sixfold_engine::eval::{RolloutPolicy, WORK_WEIGHTS};
use sixfold_engine::game::dots::{Board, Dots, Edge};
use sixfold_engine::game::perft as count;
use sixfold_engine::game::{GameKind, Player, Position};
use sixfold_engine::params::{ParamSpec, PlanRow, SHARE, all_specs};
use sixfold_engine::protocol::play as prompt;
use sixfold_engine::protocol::solve::{self as batch, Prover, Question};
use sixfold_engine::search::alpha_beta::can_hold;
use sixfold_engine::stage::{Searcher, Stage, Start};
use sixfold_engine::{bench as measure, config};

use super::{
    BenchArguments, CheckArguments, Failure, ParamsArguments, PerftArguments, PlayArguments,
    Rollout, Seat, SolveArguments, bad_input,
};

pub(super) type Done = Result<(), Failure>;

/// The configuration of the bench's games, built in so that it is there wherever one measures.
const DOTS_PAPER: &str = include_str!("../../../configs/engines/dots-paper.toml");

/// Most leaves of a count, so that a mistyped depth does not run for years.
const PERFT_LEAVES_MAX: f64 = 1e12;
/// Simulations of a search that `bench --uct` measures, unless stated.
const UCT_SIMULATIONS: u64 = 10_000;
/// Longest part of a position that an error repeats, in characters.
const SHOWN_CHARS: usize = 48;

pub(super) fn load(path: &Path) -> Result<EngineConfig, Failure> {
    EngineConfig::load(path).map_err(bad_input)
}

/// A position's text as an error repeats it: cut if it is long, control characters escaped.
pub(super) fn shown(text: &str) -> String {
    let start: String = text.chars().take(SHOWN_CHARS).collect();
    let rest = if start.len() < text.len() { "…" } else { "" };
    format!("`{}{rest}`", start.escape_debug())
}

pub(super) fn read_position(text: &str) -> Result<Dots, Failure> {
    let refused = |error| bad_input(anyhow!("position {}: {error}", shown(text)));
    Dots::from_text(text).map_err(refused)
}

pub(super) fn play(arguments: &PlayArguments) -> Done {
    let config = load(&arguments.config)?;
    let start = start_of(&config, arguments.position.as_deref())?;
    let mut out = stdout().lock();
    if let Some(path) = &arguments.against {
        let other = load(path)?;
        if other.game != config.game {
            let (a, b) = (arguments.config.display(), path.display());
            let (first, second) = (config.game, other.game);
            return Err(bad_input(anyhow!(
                "{a} and {b} are configurations of different games: {first} and {second}; expected \
                 the same board"
            )));
        }
        let deadline = deadline_of(arguments, &[&config, &other])?;
        let played = prompt::against(&config, &other, &start, arguments.seed, deadline);
        prompt::write_game(&played.record, &mut out)?;
        warn_of(&played.troubles);
        return Ok(());
    }
    let deadline = deadline_of(arguments, &[&config])?;
    let human = match arguments.human {
        Seat::First => Player::First,
        Seat::Second => Player::Second,
    };
    Ok(prompt::prompt(
        &config,
        &start,
        human,
        arguments.seed,
        deadline,
        (&mut stdin().lock(), &mut out),
    )?)
}

#[expect(clippy::print_stderr, reason = "the program's own warnings")]
fn warn_of(troubles: &[String]) {
    for trouble in troubles {
        eprintln!("warning: {trouble}");
    }
}

/// What a move may take: as asked for, which must not be less than what the budgets allow.
fn deadline_of(
    arguments: &PlayArguments,
    configs: &[&EngineConfig],
) -> Result<std::time::Duration, Failure> {
    let Some(seconds) = arguments.deadline else {
        return Ok(default_deadline(configs));
    };
    let deadline = std::time::Duration::from_secs_f64(seconds);
    let budgeted = configs.iter().map(|config| budgeted_time(config));
    match budgeted.max() {
        Some(longest) if longest > deadline => Err(bad_input(anyhow!(
            "--deadline {seconds} is less than the {} s that a budget lets a move take; expected \
             at least as many",
            longest.as_secs_f64()
        ))),
        _ => Ok(deadline),
    }
}

/// The board of a configuration for Dots and Boxes.
pub(super) fn dots_board(config: &EngineConfig) -> Result<&'static Board, Failure> {
    match config.game {
        GameRules::DotsAndBoxes { rows, cols } => {
            let board = Board::of(rows.into(), cols.into());
            Ok(board.expect("a configuration's board was checked"))
        }
        other => Err(bad_input(anyhow!(
            "the configuration plays {other}; this command knows Dots and Boxes alone"
        ))),
    }
}

fn start_of(config: &EngineConfig, position: Option<&str>) -> Result<Dots, Failure> {
    let board = dots_board(config)?;
    let Some(text) = position else {
        return Ok(Dots::new(board));
    };
    let start = read_position(text)?;
    if start.board() != board {
        let wanted = format!("the configuration plays {board} boxes");
        return Err(bad_input(anyhow!(
            "position {} is of another size: {wanted}",
            shown(text)
        )));
    }
    if start.outcome().is_some() {
        return Err(bad_input(anyhow!(
            "position {} is over: every edge is drawn",
            shown(text)
        )));
    }
    Ok(start)
}

pub(super) fn solve(arguments: &SolveArguments) -> Done {
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

pub(super) fn perft(arguments: &PerftArguments) -> Done {
    let position = read_position(&arguments.position)?;
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let leaves: f64 = (0..arguments.depth as usize)
        .map(|ply| moves.len().saturating_sub(ply).max(1) as f64)
        .product();
    if leaves > PERFT_LEAVES_MAX {
        let depth = arguments.depth;
        return Err(bad_input(anyhow!(
            "depth {depth} has about {leaves:.0e} sequences; \
             at most {PERFT_LEAVES_MAX:.0e} are counted"
        )));
    }
    writeln!(stdout(), "{}", count::perft(&position, arguments.depth))?;
    Ok(())
}

pub(super) fn bench(arguments: &BenchArguments) -> Done {
    let mut out = stdout().lock();
    if arguments.signature {
        writeln!(out, "dots={}", measure::signature())?;
        return Ok(());
    }
    if arguments.weights {
        return print_weights(&mut out, arguments.json);
    }
    if let Some(rollout) = arguments.uct {
        let policy = match rollout {
            Rollout::Uniform => RolloutPolicy::Uniform,
            Rollout::Safe => RolloutPolicy::Safe,
        };
        let simulations = arguments.simulations.unwrap_or(UCT_SIMULATIONS);
        let report = measure::uct(policy, simulations, arguments.seconds);
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        return Ok(());
    }
    let config = match &arguments.config {
        Some(path) => load(path)?,
        None => EngineConfig::parse(Path::new("dots-paper.toml"), DOTS_PAPER).map_err(bad_input)?,
    };
    let report = measure::bench(&config, arguments.seconds);
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        return Ok(());
    }
    let mut row = |name: &str, value: f64| writeln!(out, "{name:<44}{value:>14.0}");
    row(
        "uniform rollouts/s, empty 5x5",
        report.uniform_rollouts_per_s,
    )?;
    row("safe rollouts/s, empty 5x5", report.safe_rollouts_per_s)?;
    row(
        "UCT simulations/s, 1,000, uniform",
        report.uct_1000_simulations_per_s,
    )?;
    row(
        "UCT simulations/s, 10,000, uniform",
        report.uct_10000_simulations_per_s,
    )?;
    row(
        "UCT simulations/s, 1,000, sufficient and safe",
        report.uct_safe_1000_simulations_per_s,
    )?;
    row("solver nodes/s, 34 edges left", report.solver_nodes_per_s)?;
    row("self-play games/s of the configuration", report.games_per_s)?;
    let share = 100.0 * report.share_outside_search;
    writeln!(
        out,
        "{:<44}{share:>13.1}%",
        "share of these games outside search"
    )?;
    writeln!(out, "{:<44}dots={}", "signature", report.signature)?;
    Ok(())
}

fn print_weights(out: &mut impl Write, json: bool) -> Done {
    let costs = measure::weights();
    if json {
        writeln!(out, "{}", serde_json::to_string(&costs)?)?;
        return Ok(());
    }
    let titles = ["ns", "measured", "in force"];
    writeln!(
        out,
        "{:<36}{:>9}{:>11}{:>11}",
        "event", titles[0], titles[1], titles[2]
    )?;
    for cost in costs {
        let (ns, measured) = (cost.ns, cost.measured_weight);
        writeln!(
            out,
            "{:<36}{ns:>9.1}{measured:>11.1}{:>11}",
            cost.event, cost.weight
        )?;
    }
    let version = WORK_WEIGHTS.version;
    writeln!(
        out,
        "\nversion {version} of the weights is in force; measured ones make the uniform ply 1"
    )?;
    Ok(())
}

#[derive(Serialize)]
struct ParamRow<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    name: &'static str,
    #[serde(rename = "type")]
    kind: &'static str,
    scale: &'static str,
    default: f64,
    min: f64,
    max: f64,
    step: f64,
    unit: &'static str,
    meaning: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
}

fn param_row<'a>(spec: ParamSpec, path: Option<&'a str>, value: Option<f64>) -> ParamRow<'a> {
    ParamRow {
        path,
        name: spec.name,
        kind: spec.kind(),
        scale: spec.scale.name(),
        default: spec.default,
        min: spec.min,
        max: spec.max,
        step: spec.step,
        unit: spec.unit,
        meaning: spec.meaning,
        value,
    }
}

#[derive(Serialize)]
struct ChoiceRow {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    name: String,
    #[serde(rename = "type")]
    kind: &'static str,
    words: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'static str>,
}

fn choice_rows(config: Option<&EngineConfig>) -> Vec<ChoiceRow> {
    let row = |path: Option<String>, name: &str, words, value| ChoiceRow {
        path,
        name: name.to_owned(),
        kind: "choice",
        words,
        value,
    };
    let of_config = |choice: config::Choice| {
        let name = choice
            .path
            .rsplit('.')
            .next()
            .unwrap_or_default()
            .to_owned();
        let value = choice.words[choice.place];
        row(Some(choice.path), &name, choice.words, Some(value))
    };
    match config {
        Some(config) => config.choices().into_iter().map(of_config).collect(),
        None => config::choice_keys(GameKind::DotsAndBoxes)
            .map(|key| row(None, key, config::choice_words(key), None))
            .collect(),
    }
}

pub(super) fn params(arguments: &ParamsArguments) -> Done {
    let config = match &arguments.config {
        Some(path) => Some(load(path)?),
        None => None,
    };
    let parameters = config.as_ref().map(EngineConfig::parameters);
    let choices = choice_rows(config.as_ref());
    let rows: Vec<ParamRow<'_>> = match &parameters {
        Some(list) => list
            .iter()
            .map(|p| param_row(p.spec, Some(&p.path), Some(p.value)))
            .collect(),
        None => all_specs(GameKind::DotsAndBoxes)
            .into_iter()
            .map(|spec| param_row(spec, None, None))
            .collect(),
    };
    let mut out = stdout().lock();
    if arguments.json {
        let mut all = Vec::new();
        for row in &rows {
            all.push(serde_json::to_value(row)?);
        }
        for row in &choices {
            all.push(serde_json::to_value(row)?);
        }
        writeln!(out, "{}", serde_json::to_string_pretty(&all)?)?;
        return Ok(());
    }
    for row in &rows {
        let step = if row.scale == "log" {
            format!("x{}", row.step)
        } else {
            row.step.to_string()
        };
        let value = row
            .value
            .map_or(format!("default {}", row.default), |v| v.to_string());
        writeln!(
            out,
            "{:<38} {value:<12} {} to {}, step {step}, {} {}, {}\n    {}",
            row.path.unwrap_or(row.name),
            row.min,
            row.max,
            row.scale,
            row.kind,
            row.unit,
            row.meaning,
        )?;
    }
    for row in &choices {
        writeln!(
            out,
            "{:<38} {:<12} a choice: {}",
            row.path.as_deref().unwrap_or(&row.name),
            row.value.unwrap_or_default(),
            row.words.join(", ")
        )?;
    }
    if parameters.is_none() {
        writeln!(
            out,
            "\nPaths are stages.STAGE.NAME; --config FILE lists those of a configuration."
        )?;
    }
    Ok(())
}

pub(super) fn check(arguments: &CheckArguments) -> Done {
    let config = load(&arguments.file)?;
    let mut out = stdout().lock();
    writeln!(
        out,
        "{} is valid (format {})",
        arguments.file.display(),
        config::FORMAT
    )?;
    writeln!(out, "game     {}", config.game)?;
    writeln!(out, "budget   {}", config.budget)?;
    for stage in &config.stages {
        writeln!(out, "{}", describe(stage))?;
    }
    Ok(())
}

fn describe(stage: &Stage) -> String {
    let start = match stage.start {
        Start::Ply(ply) => format!("from ply {ply}"),
        Start::EdgesLeft(edges) => format!("from {edges} edges left"),
        Start::Filled(share) => format!("from {share} filled"),
        Start::ProgressBelow(limit) => format!("from less than {limit} contested"),
        Start::Solvable => "as soon as it can be solved".to_owned(),
    };
    let searcher = match stage.searcher {
        Searcher::Uct(_) => "UCT",
        Searcher::LeafUcb(_) => "UCB over all leaves",
        Searcher::IterativeDeepening(_) => "iterative deepening",
        Searcher::AlphaBeta => "exact alpha-beta",
    };
    let mut line = format!("{:<9}{start}: {searcher}", stage.name);
    // What is as always goes without saying, but for C.
    let told = |(row, value): &(&PlanRow, f64)| {
        row.spec.key() == "exploration" || *value != row.spec.default
    };
    for (row, value) in stage.rows().filter(told) {
        line += &format!(", {} {value}", row.spec.name);
    }
    for key in config::CHOICE_KEYS {
        if let Some(word) = stage.choice(key) {
            line += &format!(", {key} {word}");
        }
    }
    for (key, owner) in &stage.same_as {
        line += &format!(" [{key} as {owner}]");
    }
    if stage.share != SHARE.default {
        line += &format!(", share {}", stage.share);
    }
    if stage.takes_savings {
        line += ", takes savings";
    }
    line
}

//! `engine play`: at a prompt, or one configuration against another.

use std::io::{BufRead, Write, stdin, stdout};
use std::path::{Path, PathBuf};

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use sixfold_engine::agent::{budgeted_time, default_deadline};
use sixfold_engine::config::EngineConfig;
use sixfold_engine::game::{Player, Position};
use sixfold_engine::games::{ForGame, Playable, dispatch};
use sixfold_engine::protocol::play as prompt;

use super::positions::{load, read_on_board, shown};
use super::{Done, Failure, bad_input};

/// A seat at the board.
#[derive(Clone, Copy, ValueEnum)]
enum Seat {
    /// Moves first
    First,
    /// Moves second
    Second,
}

/// Arguments of `play`.
#[derive(Args)]
pub(super) struct PlayArguments {
    /// The engine's configuration
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// Play one game against this configuration instead of a person; it sits as Second
    #[arg(long, value_name = "FILE", conflicts_with = "human")]
    against: Option<PathBuf>,
    /// Where the person sits
    #[arg(long, value_enum, default_value = "first")]
    human: Seat,
    /// Start from this position instead of the game's start: 5x5:0 or, of the Amazons, a FEN
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,
    /// Seed of the engine's random streams, below 2^53
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(..1 << 53))]
    seed: u64,
    /// Seconds after which a search that has not moved is given up, once for a fresh one, then for
    /// the best move known [default: 60, or twice the time of the budget if that is more]
    #[arg(long, value_name = "SECONDS", value_parser = deadline)]
    deadline: Option<f64>,
}

fn deadline(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if (0.01..=1_209_600.0).contains(&value) => Ok(value),
        _ => Err("expected seconds from 0.01 to 1209600, two weeks".into()),
    }
}

/// Plays.
pub(super) fn run(arguments: &PlayArguments) -> Done {
    let config = load(&arguments.config)?;
    dispatch(config.game.kind(), Play { arguments, config })
}

struct Play<'a> {
    arguments: &'a PlayArguments,
    config: EngineConfig,
}

impl ForGame for Play<'_> {
    type Output = Done;

    fn run<G: Playable>(self) -> Done {
        let Play { arguments, config } = self;
        let start = start_of::<G>(&config, arguments.position.as_deref())?;
        if let Some(path) = &arguments.against {
            return play_against::<G>(arguments, &config, path, &start);
        }
        let deadline = deadline_of(arguments, &[&config])?;
        let human = match arguments.human {
            Seat::First => Player::First,
            Seat::Second => Player::Second,
        };
        let (mut input, mut out) = (stdin().lock(), stdout().lock());
        let streams = (&mut input as &mut dyn BufRead, &mut out as &mut dyn Write);
        let seed = arguments.seed;
        Ok(prompt::prompt::<G>(
            &config, &start, human, seed, deadline, streams,
        )?)
    }
}

fn play_against<G: Playable>(
    arguments: &PlayArguments,
    config: &EngineConfig,
    path: &Path,
    start: &G::Position,
) -> Done {
    let other = load(path)?;
    if other.game != config.game {
        let (a, b) = (arguments.config.display(), path.display());
        let (first, second) = (config.game, other.game);
        return Err(bad_input(anyhow!(
            "{a} and {b} are configurations of different games: {first} and {second}; expected \
             the same board"
        )));
    }
    let deadline = deadline_of(arguments, &[config, &other])?;
    let played = prompt::against::<G>(config, &other, start, arguments.seed, deadline);
    prompt::write_game::<G>(&played.record, &mut stdout().lock())?;
    warn_of(&played.troubles);
    Ok(())
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

fn start_of<G: Playable>(
    config: &EngineConfig,
    position: Option<&str>,
) -> Result<G::Position, Failure> {
    let Some(text) = position else {
        return Ok(G::start(config.game));
    };
    let start = read_on_board::<G>(config.game, text)?;
    if start.outcome().is_some() {
        return Err(bad_input(anyhow!(
            "position {} is over: {}",
            shown(text),
            G::OVER
        )));
    }
    Ok(start)
}

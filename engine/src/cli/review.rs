//! `engine review`: the mistakes of a recorded game.

use std::io::{Write, stdout};
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::Args;
use sixfold_engine::game::GameKind;
use sixfold_engine::game::dots::{Board, Dots};
use sixfold_engine::protocol::review::{ReviewOptions, review};
use sixfold_engine::protocol::{record, review_text};

use super::analyse::{SolveArguments, built_in};
use super::positions::{dots_board, load};
use super::{Done, bad_input};

/// Largest record, in bytes; a game has at most 64 moves.
const RECORD_BYTES_MAX: u64 = 1 << 20;

/// Edges left up to which moves are judged: one position is solved for each, so a little more than
/// in an analysis. Records of engines that both play exactly end two moves later.
const SOLVE_EDGES: u16 = 38;

/// What `--json` prints, as the long help says it.
const FIELDS: &str = "\
Records: JSON of the championship (CCGC), as runs keep them in games/, and what `engine play
--against` prints. A record of JSON does not name its board: where its score does not tell, 5x5.

JSON (values are boxes ahead over the boxes left, for the player of the move):
  names [First, Second], event, start, end, edges_left, final_margin (First's, with best play
  from the end on), recorded_score, opening_moves,
  limits {edges, work_units} of exact search
  moves       number, player, stage, position, edges_left, edge, notation, value_before,
              value_after, lost, best_move {edge, notation}, result_before, result_after
              (win, draw or loss); null where not judged
  summary     stage, player, moves, judged, mistakes, results_lost, lost";

/// Arguments of `review`.
#[derive(Args)]
#[command(after_long_help = FIELDS)]
pub(super) struct ReviewArguments {
    /// The game's record
    #[arg(value_name = "GAME")]
    game: PathBuf,
    /// The configuration whose stages divide the game [default: the built-in
    /// dots-default, its stages scaled to the board]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The board, where the record does not tell
    #[arg(long, value_name = "ROWSxCOLS", conflicts_with = "config", value_parser = board)]
    board: Option<&'static Board>,
    #[command(flatten)]
    solve: SolveArguments,
    /// The first moves of the record are an opening that nobody chose: do not judge them
    #[arg(long, value_name = "MOVES", default_value_t = 0,
          value_parser = clap::value_parser!(u16).range(0..=64))]
    opening: u16,
    /// Print JSON (fields: see --help)
    #[arg(long)]
    json: bool,
}

fn board(text: &str) -> Result<&'static Board, String> {
    let position = Dots::from_text(&format!("{text}:0"));
    position
        .map(|position| position.board())
        .map_err(|error| error.to_string())
}

/// Reviews the game.
pub(super) fn run(arguments: &ReviewArguments) -> Done {
    let (config, board) = match &arguments.config {
        Some(path) => {
            let config = load(path)?;
            let board = dots_board(&config)?;
            (config, Some(board))
        }
        None => (built_in(GameKind::DotsAndBoxes)?, None),
    };
    let name = arguments.game.display().to_string();
    let size = std::fs::metadata(&arguments.game)
        .with_context(|| format!("cannot read {name}"))
        .map_err(bad_input)?
        .len();
    if size > RECORD_BYTES_MAX {
        let problem = format!("has {size} bytes; at most {RECORD_BYTES_MAX} are allowed");
        return Err(bad_input(anyhow!("{name} {problem}")));
    }
    let text = std::fs::read_to_string(&arguments.game)
        .with_context(|| format!("cannot read {name}"))
        .map_err(bad_input)?;
    let game = record::read(&name, &text, arguments.board.or(board)).map_err(bad_input)?;
    let options = ReviewOptions {
        config: &config,
        limits: arguments.solve.limits(SOLVE_EDGES),
        opening_moves: arguments.opening.into(),
    };
    let review = review(&game, options);
    let mut out = stdout().lock();
    if arguments.json {
        writeln!(out, "{}", serde_json::to_string(&review)?)?;
        return Ok(());
    }
    Ok(review_text::write(&review, &game.end(), &mut out)?)
}

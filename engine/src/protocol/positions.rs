//! Texts of positions of any game: which game they are of, and how starts are named.

use crate::config::GameRules;
use crate::game::amazons::{self, Board};
use crate::game::{GameKind, NotationError, dots};
use crate::games::{Amazons, DotsAndBoxes, Playable};

/// What the text of a start of the Amazons begins with; the files and ranks of the board follow, as
/// in `amazons:10x10`.
pub const AMAZONS_START: &str = "amazons:";

/// A position of one of the games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnyPosition {
    /// Of Dots and Boxes.
    DotsAndBoxes(dots::Dots),
    /// Of the Amazons.
    Amazons(amazons::Amazons),
}

impl AnyPosition {
    /// The rules of the game that it belongs to.
    pub fn rules(&self) -> GameRules {
        match self {
            AnyPosition::DotsAndBoxes(position) => DotsAndBoxes::rules_of(position),
            AnyPosition::Amazons(position) => Amazons::rules_of(position),
        }
    }

    /// Reads a position of the game that its text tells, see [`kind_of_text`].
    ///
    /// # Errors
    /// As [`read`].
    pub fn read(text: &str) -> Result<AnyPosition, NotationError> {
        match kind_of_text(text) {
            GameKind::DotsAndBoxes => read::<DotsAndBoxes>(text).map(AnyPosition::DotsAndBoxes),
            GameKind::Amazons => read::<Amazons>(text).map(AnyPosition::Amazons),
        }
    }
}

/// The game that a text names a position of, by its form: positions of the Amazons have strokes, or
/// blanks within, or begin with [`AMAZONS_START`].
pub fn kind_of_text(text: &str) -> GameKind {
    if text.trim().contains([' ', '/']) || text.starts_with(AMAZONS_START) {
        GameKind::Amazons
    } else {
        GameKind::DotsAndBoxes
    }
}

/// Reads a position as it is displayed, or, of the Amazons, [`AMAZONS_START`] and a size.
///
/// # Errors
/// Any other text; the error names what is wrong and what is allowed.
pub fn read<G: Playable>(text: &str) -> Result<G::Position, NotationError> {
    match text.strip_prefix(AMAZONS_START) {
        Some(size) if G::KIND == GameKind::Amazons => Ok(G::start(start_rules(size)?)),
        _ => G::read(text),
    }
}

/// The rules of a start of the Amazons on a board of this size.
fn start_rules(size: &str) -> Result<GameRules, NotationError> {
    let sides = Board::MIN_START_SIDE..=Board::MAX_SIDE;
    let side = |text: &str| {
        let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
        let number = text.parse::<u8>().ok().filter(|_| plain);
        number.filter(|&number| sides.contains(&usize::from(number)))
    };
    let read = size
        .split_once('x')
        .map(|(files, ranks)| (side(files), side(ranks)));
    let Some((Some(files), Some(ranks))) = read else {
        let (least, most) = (sides.start(), sides.end());
        return Err(NotationError::new(format!(
            "expected {AMAZONS_START}FILESxRANKS with {least} to {most} of each, such as \
             {AMAZONS_START}{most}x{most}"
        )));
    };
    Ok(GameRules::Amazons { files, ranks })
}

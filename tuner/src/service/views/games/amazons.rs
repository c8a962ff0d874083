//! Records of the Amazons: turns as they are written, and where the pieces stand at their start.

use sixfold_engine::game::{Outcome, Player, Position};
use sixfold_engine::protocol::pgn;

use super::{BoardView, PieceView, Recorded, SampledMoveView};

/// Reads a record.
pub(super) fn read(name: &str, text: &str) -> Result<Recorded, String> {
    let game = pgn::read(name, text).map_err(|error| error.to_string())?;
    let mut position = game.start;
    let mut moves = Vec::new();
    for (index, turn) in game.moves.chunks(2).enumerate() {
        let seat = position.to_move().index();
        moves.push(SampledMoveView {
            number: index + 1,
            player: ["first", "second"][seat],
            side: ["a", "b"][seat],
            notation: position.format_turn(turn),
            ..SampledMoveView::default()
        });
        turn.iter().for_each(|mv| position.play(*mv));
    }
    let board = game.start.board();
    let (width, height) = (board.files(), board.ranks());
    Ok(Recorded {
        game: "amazons",
        board: BoardView { width, height },
        start: pieces(&game.start.to_string(), height),
        moves,
        result: match game.outcome {
            Outcome::Win(Player::First) => "win",
            Outcome::Draw => "draw",
            Outcome::Win(Player::Second) => "loss",
        },
    })
}

/// The pieces of a position's text: ranks from the uppermost, separated by `/`; `Q` and `q` are
/// the players' queens, `*` is an arrow, a number counts empty squares.
fn pieces(text: &str, ranks: usize) -> Vec<PieceView> {
    let rows = text
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .split('/');
    let mut pieces = Vec::new();
    for (row, symbols) in rows.enumerate() {
        let (mut file, mut empty) = (0_usize, 0_usize);
        for symbol in symbols.chars() {
            if let Some(digit) = symbol.to_digit(10) {
                empty = 10 * empty + digit as usize;
                continue;
            }
            file += std::mem::take(&mut empty);
            let piece = match symbol {
                'Q' => "first",
                'q' => "second",
                _ => "arrow",
            };
            let letter = char::from(b'a' + file as u8);
            let square = format!("{letter}{}", ranks - row);
            pieces.push(PieceView { square, piece });
            file += 1;
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_stand_where_the_ranks_and_numbers_say() {
        let found = pieces("3q6/10/*8Q/10 w - - 0 1", 4);
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|it| (it.square.as_str(), it.piece))
            .collect();
        assert_eq!(found, [("d4", "second"), ("a2", "arrow"), ("j2", "first")]);
    }
}

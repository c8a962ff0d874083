//! Reading recorded games: the championship's JSON records, which runs of the tuner keep too, and
//! what `engine play --against` prints.
//!
//! A JSON record (see [`ccgc`](super::ccgc)) does not name its board. Its scores do where they add
//! up to all boxes, as those of a finished or adjudicated game; otherwise 5x5, the championship's,
//! is meant. Fields of it that are not needed here (date, winner) are not read.

use serde::Deserialize;

use super::solve::InputError;
use super::structure::bits;
use crate::game::dots::{Board, Dots, Edge, Line, Place};
use crate::game::{Player, Position};

/// What a line that should be a move should be.
const NO_MOVE: &str = "is no move; expected a player and an open edge, such as `First h0,0`";
/// Longest part of a record that an error repeats, in characters.
const SHOWN_CHARS: usize = 32;

/// A game that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedGame {
    /// Names of First and Second.
    pub names: [String; 2],
    /// What the record says of the event; may be empty.
    pub event: String,
    /// Where the record begins.
    pub start: Dots,
    /// The moves, legal from there.
    pub moves: Vec<Edge>,
    /// The final score as recorded, boxes of First and Second.
    pub score: Option<[u8; 2]>,
}

impl RecordedGame {
    fn from(start: Dots) -> RecordedGame {
        RecordedGame {
            names: Player::ALL.map(|player| player.to_string()),
            event: String::new(),
            start,
            moves: Vec::new(),
            score: None,
        }
    }

    /// The position after the last move.
    pub fn end(&self) -> Dots {
        let mut position = self.start;
        self.moves.iter().for_each(|&edge| position.play(edge));
        position
    }
}

/// Reads a record; `file` is only named in errors. `board` is what the user says of the board; a
/// text that names its board must agree.
///
/// # Errors
/// A text that is no record, a move that is not legal, a score that does not fit; with the line.
pub fn read(
    file: &str,
    text: &str,
    board: Option<&'static Board>,
) -> Result<RecordedGame, InputError> {
    let read = if text.trim_start().starts_with('{') {
        read_json(text, board)
    } else {
        read_lines(text, board)
    };
    read.map_err(|(line, problem)| InputError {
        file: file.to_owned(),
        line,
        problem,
    })
}

/// A line, from 1, and what is wrong there.
type Wrong = (usize, String);

fn other_board(found: &str, asked: &Board) -> String {
    format!("is of a board of {found} boxes, but {asked} is what the configuration or --board says")
}

/// The part of a JSON record that is known before its board is.
#[derive(Deserialize)]
struct Outline {
    #[serde(rename = "R", default)]
    red: String,
    #[serde(rename = "B", default)]
    blue: String,
    #[serde(rename = "RScore")]
    red_score: Option<u8>,
    #[serde(rename = "BScore")]
    blue_score: Option<u8>,
    #[serde(rename = "Event", default)]
    event: String,
    game: Vec<Piece>,
}

#[derive(Deserialize)]
struct Piece {
    piece: String,
}

/// A piece's text read without a board: dots counted from the bottom left.
struct Drawn {
    player: Player,
    line: Line,
    col: u8,
    number: u8,
}

fn parse_piece(text: &str) -> Option<Drawn> {
    let (side, rest) = text.split_once('(')?;
    let (dot, line) = rest.strip_suffix(')')?.split_once(',')?;
    let letter = dot.bytes().next().filter(u8::is_ascii_lowercase)?;
    let number = dot.get(1..)?;
    let is_number = !number.starts_with('0') && number.bytes().all(|byte| byte.is_ascii_digit());
    Some(Drawn {
        player: match side {
            "r" => Player::First,
            "b" => Player::Second,
            _ => return None,
        },
        line: match line {
            "h" => Line::Horizontal,
            "v" => Line::Vertical,
            _ => return None,
        },
        col: letter - b'a',
        number: number.parse().ok().filter(|_| is_number)?,
    })
}

impl Drawn {
    fn edge(&self, board: &Board) -> Option<Edge> {
        let rows = board.rows() as u8;
        let top = match self.line {
            Line::Horizontal => rows + 1,
            Line::Vertical => rows,
        };
        let (line, col) = (self.line, self.col);
        let row = top.checked_sub(self.number)?;
        board.edge_at(Place { line, row, col })
    }

    /// Rows and columns of boxes that a board with this line has at least.
    fn least_size(&self) -> [usize; 2] {
        let (col, number) = (usize::from(self.col), usize::from(self.number));
        match self.line {
            Line::Horizontal => [number - 1, col + 1],
            Line::Vertical => [number, col],
        }
    }
}

fn json_error(error: &serde_json::Error) -> Wrong {
    let text = error.to_string();
    let reason = text.split(" at line ").next().unwrap_or(&text);
    (error.line().max(1), reason.to_owned())
}

fn read_json(text: &str, board: Option<&'static Board>) -> Result<RecordedGame, Wrong> {
    let outline: Outline = serde_json::from_str(text).map_err(|error| {
        let (line, reason) = json_error(&error);
        (line, format!("is no game record: {reason}"))
    })?;
    let score_line = 1 + text
        .lines()
        .position(|line| line.contains("RScore"))
        .unwrap_or(0);
    let score = match (outline.red_score, outline.blue_score) {
        (Some(red), Some(blue)) => Some([red, blue]),
        (None, None) => None,
        _ => {
            return Err((
                score_line,
                "has one of RScore and BScore without the other".into(),
            ));
        }
    };
    let board = board_of(&outline, score, board).map_err(|problem| (score_line, problem))?;
    let mut game = RecordedGame::from(Dots::new(board));
    let names = [outline.red, outline.blue];
    for (name, given) in game.names.iter_mut().zip(names) {
        if !given.is_empty() {
            *name = given;
        }
    }
    game.event = outline.event;
    game.score = score;
    let end = play_pieces(&mut game, text, &outline.game)?;
    check_score(&end, score).map_err(|problem| (score_line, problem))?;
    Ok(game)
}

/// The board of a record: the one given, or the one that its scores and lines fit.
fn board_of(
    outline: &Outline,
    score: Option<[u8; 2]>,
    given: Option<&'static Board>,
) -> Result<&'static Board, String> {
    let pieces = outline
        .game
        .iter()
        .filter_map(|piece| parse_piece(&piece.piece));
    let [rows, cols] = pieces
        .map(|drawn| drawn.least_size())
        .fold([1, 1], |all, size| {
            [all[0].max(size[0]), all[1].max(size[1])]
        });
    let total: usize = score.map_or(0, |score| score.map(usize::from).iter().sum());
    let sizes = (rows..=Board::MAX_SIDE).filter(|rows| total.is_multiple_of(*rows));
    let boards = sizes.filter_map(|rows| Board::of(rows, total / rows));
    let boards: Vec<&'static Board> = boards.filter(|board| board.cols() >= cols).collect();
    let list = || {
        boards
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join(" or ")
    };
    match (given, &boards[..]) {
        (Some(given), []) => Ok(given),
        (Some(given), fitting) if fitting.contains(&given) => Ok(given),
        (Some(given), _) => Err(other_board(&list(), given)),
        (None, [board]) => Ok(board),
        (None, []) => Ok(Board::of(5, 5).expect("5x5 boxes are a board")),
        (None, _) => Err(format!(
            "may be of a board of {} boxes; name it with --board",
            list()
        )),
    }
}

/// The recorded score must be that of the moves, or, of a game that was adjudicated, give all boxes
/// that are left to somebody.
fn check_score(end: &Dots, score: Option<[u8; 2]>) -> Result<(), String> {
    let taken = Player::ALL.map(|player| end.taken(player));
    let Some(score) = score.filter(|score| *score != taken) else {
        return Ok(());
    };
    let all: usize = score.map(usize::from).iter().sum();
    let has_grown = score[0] >= taken[0] && score[1] >= taken[1];
    if end.outcome().is_none() && has_grown && all == end.board().boxes() {
        return Ok(());
    }
    let ([first, second], [own, other]) = (score, taken);
    Err(format!(
        "has the score {first}-{second}, but its moves on {} boxes lead to {own}-{other}",
        end.board()
    ))
}

/// Plays the pieces of a record; an error has the line where the piece stands.
fn play_pieces(game: &mut RecordedGame, text: &str, pieces: &[Piece]) -> Result<Dots, Wrong> {
    let mut position = game.start;
    // Pieces stand in the text in their order, so each is looked for behind the one before.
    let mut at = text.find("\"game\"").unwrap_or(0);
    for (index, Piece { piece }) in pieces.iter().enumerate() {
        let literal = format!("\"{piece}\"");
        at += text[at..]
            .find(&literal)
            .map_or(0, |found| found + literal.len());
        let edge = piece_edge(&position, piece).map_err(|problem| {
            let line = 1 + text[..at].matches('\n').count();
            (line, format!("move {} {}", index + 1, problem))
        })?;
        position.play(edge);
        game.moves.push(edge);
    }
    Ok(position)
}

/// The edge of a piece, which must be legal for who drew it.
fn piece_edge(position: &Dots, piece: &str) -> Result<Edge, String> {
    let shown = shown(piece);
    let drawn = parse_piece(piece)
        .ok_or_else(|| format!("{shown} is no line; expected one such as `r(a1,h)`"))?;
    let board = position.board();
    let edge = drawn
        .edge(board)
        .ok_or_else(|| format!("{shown} is no edge of a board of {board} boxes"))?;
    check_legal(position, drawn.player, edge).map_err(|problem| format!("{shown} {problem}"))?;
    Ok(edge)
}

fn check_legal(position: &Dots, player: Player, edge: Edge) -> Result<(), String> {
    if !position.is_legal(edge) {
        let place = Dots::edge_text(position.board(), edge);
        return Err(format!("is drawn already ({place})"));
    }
    if position.to_move() != player {
        return Err(format!(
            "is by {player}, but {} is to move",
            position.to_move()
        ));
    }
    Ok(())
}

/// Reads what `engine play --against` prints: a position, a line a move, then the board at the end,
/// which must be the one that the moves lead to, and the result.
fn read_lines(text: &str, board: Option<&'static Board>) -> Result<RecordedGame, Wrong> {
    let mut lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line));
    let (first, line) = lines.find(|(_, line)| !line.trim().is_empty()).ok_or((
        1,
        "has no record; expected JSON, or a position and moves".to_owned(),
    ))?;
    let start = Dots::from_text(line.trim())
        .map_err(|error| (first, format!("is no game record: {error}")))?;
    if let Some(board) = board.filter(|board| *board != start.board()) {
        return Err((first, other_board(&start.board().to_string(), board)));
    }
    let mut game = RecordedGame::from(start);
    let mut position = start;
    for (number, line) in lines {
        let Some((player, place)) = player_and_place(line) else {
            let rest: Vec<&str> = text.lines().skip(number - 1).collect();
            check_rest(&position, &rest).map_err(|problem| (number, problem))?;
            break;
        };
        let named = |edge: &Edge| Dots::edge_text(position.board(), *edge) == place;
        let edge = bits(position.board().all_edges()).map(Edge).find(named);
        let edge = edge.ok_or_else(|| (number, format!("{} {NO_MOVE}", shown(line))))?;
        check_legal(&position, player, edge)
            .map_err(|problem| (number, format!("{} {problem}", shown(line))))?;
        position.play(edge);
        game.moves.push(edge);
    }
    Ok(game)
}

fn shown(line: &str) -> String {
    let start: String = line.chars().take(SHOWN_CHARS).collect();
    format!("`{}`", start.escape_debug())
}

fn player_and_place(line: &str) -> Option<(Player, &str)> {
    let (player, place) = line.trim_end().split_once(' ')?;
    let player = Player::ALL
        .into_iter()
        .find(|known| known.to_string() == player)?;
    Some((player, place))
}

/// Behind the moves stands nothing, or the board that they lead to.
fn check_rest(end: &Dots, rest: &[&str]) -> Result<(), String> {
    let is_empty = rest.iter().all(|line| line.trim().is_empty());
    let drawing = end.draw();
    let is_drawing = drawing
        .lines()
        .zip(rest)
        .all(|(drawn, line)| drawn == line.trim_end())
        && rest.len() >= drawing.lines().count();
    if is_empty || is_drawing {
        return Ok(());
    }
    Err(format!(
        "{} {NO_MOVE}, or the board that the moves lead to",
        shown(rest[0])
    ))
}

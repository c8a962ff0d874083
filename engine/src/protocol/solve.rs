//! Exact solving of positions given as texts, one or many.

use std::cmp::Ordering;
use std::fmt::Debug;
use std::io::{BufRead, Read, Write};
use std::num::NonZero;

use serde::{Deserialize, Serialize};

use super::positions::AnyPosition;
use crate::eval::Work;
use crate::game::Position;
use crate::game::amazons::{Amazons as AmazonsPosition, HalfMove};
use crate::game::dots::{Dots, Edge};
use crate::games::{Amazons, DotsAndBoxes, Playable};
use crate::search::Unlimited;
use crate::search::alpha_beta::{
    OptimalMoves, ParallelSolver, Solved, Solver, SolverOptions, WinLoss,
};

/// Longest line of an input file, in bytes.
const LINE_BYTES_MAX: usize = 4096;

/// An exactly solved position, as it is written to the outside.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Solution<M> {
    /// The position as it was given.
    pub position: String,
    /// In Dots and Boxes best (mover − opponent) over the boxes not yet taken; in the Amazons 1 for
    /// a win of the side to move, -1 for a loss, 0 once the game is over.
    pub value: i16,
    /// Optimal moves: edges by id, rising, or whole turns in the order of the legal moves; empty
    /// only when the game is over. Complete when asked for, otherwise those that the search itself
    /// proved.
    pub best_moves: Vec<M>,
    /// Nodes searched.
    pub nodes: u64,
}

/// Who wins a position, as it is written to the outside.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WinLossSolution<M> {
    /// The position as it was given.
    pub position: String,
    /// `win`, `draw` or `loss` for the player to move, boxes taken so far included.
    pub result: &'static str,
    /// The first edge, by id, or the first whole turn that reaches it; none where all moves lose or
    /// the game is over.
    pub best_move: Option<M>,
    /// Nodes searched.
    pub nodes: u64,
}

/// A game whose positions are solved for the outside.
pub trait Solvable: Playable {
    /// A move as the outside knows it: an edge's number, or a whole turn of the Amazons (what is
    /// left of it within one).
    type Named: Clone + Ord + Debug + Serialize;

    /// The moves of a turn as the outside knows them. Precondition: not empty.
    fn named(position: &Self::Position, turn: &[Self::Move]) -> Self::Named;

    /// The same for people.
    fn told(position: &Self::Position, turn: &Self::Named) -> String;
}

impl Solvable for DotsAndBoxes {
    type Named = u8;

    fn named(_position: &Dots, turn: &[Edge]) -> u8 {
        turn[0].0
    }

    fn told(position: &Dots, edge: &u8) -> String {
        format!("{edge} ({})", position.format_turn(&[Edge(*edge)]))
    }
}

impl Solvable for Amazons {
    type Named = String;

    fn named(position: &AmazonsPosition, turn: &[HalfMove]) -> String {
        position.format_turn(turn)
    }

    fn told(_position: &AmazonsPosition, turn: &String) -> String {
        turn.clone()
    }
}

/// Who proves: one thread with repeatable nodes, or several, sooner.
pub enum Prover<G: Playable> {
    /// One thread.
    Single(Box<Solver<G::Position>>),
    /// Several threads; nodes vary from run to run, answers do not.
    Parallel(ParallelSolver),
}

/// Why a search that nothing stops has an answer.
const UNSTOPPED: &str = "nothing stops this search";

impl<G: Solvable> Prover<G> {
    /// A prover of so many threads whose table takes at most so many MiB, from its first use on.
    pub fn new(table_mib: u32, threads: NonZero<u16>) -> Prover<G> {
        let options = SolverOptions::default();
        if threads.get() == 1 {
            Prover::Single(Box::new(Solver::new(table_mib, options)))
        } else {
            Prover::Parallel(ParallelSolver::new(table_mib, threads, options))
        }
    }

    fn new_game(&mut self) {
        match self {
            Prover::Single(solver) => solver.new_game(),
            Prover::Parallel(solver) => solver.new_game(),
        }
    }

    fn solve(&mut self, position: &G::Position) -> Solved<G::Move> {
        let (knowledge, control) = (&G::Knowledge::default(), &mut Unlimited);
        let work = &mut Work::default();
        let solved = match self {
            Prover::Single(solver) => solver.solve(position, knowledge, control, work),
            Prover::Parallel(solver) => solver.solve(position, knowledge, control, work),
        };
        solved.expect(UNSTOPPED)
    }

    fn optimal_moves(&mut self, position: &G::Position) -> OptimalMoves<G::Move> {
        let (knowledge, control) = (&G::Knowledge::default(), &mut Unlimited);
        let work = &mut Work::default();
        let found = match self {
            Prover::Single(solver) => solver.optimal_moves(position, knowledge, control, work),
            Prover::Parallel(solver) => solver.optimal_moves(position, knowledge, control, work),
        };
        found.expect(UNSTOPPED)
    }

    fn win_loss(&mut self, position: &G::Position) -> WinLoss<G::Move> {
        let (knowledge, control) = (&G::Knowledge::default(), &mut Unlimited);
        let work = &mut Work::default();
        let found = match self {
            Prover::Single(solver) => solver.win_loss(position, knowledge, control, work),
            Prover::Parallel(solver) => solver.win_loss(position, knowledge, control, work),
        };
        found.expect(UNSTOPPED)
    }

    /// The turn that begins with this optimal move, whole where the game's turns are told whole,
    /// with the nodes that it takes to find the rest.
    fn whole_turn(&mut self, position: &G::Position, first: G::Move) -> (Vec<G::Move>, u64) {
        let (mut turn, mut nodes) = (vec![first], 0);
        let mut after = *position;
        after.play(first);
        while G::WHOLE_TURNS && after.to_move() == position.to_move() && after.outcome().is_none() {
            let solved = self.solve(&after);
            nodes += solved.nodes;
            turn.push(solved.best_move);
            after.play(solved.best_move);
        }
        (turn, nodes)
    }

    /// Every optimal turn, whole where the game's turns are told whole.
    fn optimal_turns(&mut self, position: &G::Position) -> Vec<Vec<G::Move>> {
        let mut turns = Vec::new();
        for mv in self.optimal_moves(position).moves {
            let mut after = *position;
            after.play(mv);
            let goes_on = after.to_move() == position.to_move() && after.outcome().is_none();
            if !(G::WHOLE_TURNS && goes_on) {
                turns.push(vec![mv]);
                continue;
            }
            let rests = self.optimal_turns(&after).into_iter();
            turns.extend(rests.map(|rest| [&[mv][..], &rest].concat()));
        }
        turns
    }
}

/// Provers of all games, whose tables take nothing until they are used.
pub struct Provers {
    /// Of Dots and Boxes.
    pub dots: Prover<DotsAndBoxes>,
    /// Of the Amazons.
    pub amazons: Prover<Amazons>,
}

impl Provers {
    /// Provers of so many threads whose tables take at most so many MiB each.
    pub fn new(table_mib: u32, threads: NonZero<u16>) -> Provers {
        Provers {
            dots: Prover::new(table_mib, threads),
            amazons: Prover::new(table_mib, threads),
        }
    }
}

/// What is asked of every position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// The value and the optimal edges that the search itself proves.
    Value,
    /// The value and all optimal edges.
    AllMoves,
    /// Who wins.
    WinLoss,
}

/// A line of an input file that is no position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}:{line}: {problem}")]
pub struct InputError {
    /// The file, as the user named it.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// What is wrong.
    pub problem: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with a position")]
struct Request {
    position: String,
}

/// The lines of an input file that are not empty, one at a time.
pub struct InputLines<'a> {
    file: String,
    input: &'a mut dyn BufRead,
    line: usize,
}

impl<'a> InputLines<'a> {
    /// The lines of `input`; `file` is only named in errors.
    pub fn new(file: &str, input: &'a mut dyn BufRead) -> Self {
        let (file, line) = (file.to_owned(), 0);
        Self { file, input, line }
    }

    /// The next line without the blanks around it; None at the end.
    ///
    /// # Errors
    /// A line that is too long or no text, or a failed read.
    pub fn next_line(&mut self) -> Result<Option<String>, InputError> {
        loop {
            let mut bytes = Vec::new();
            self.line += 1;
            // No more than that is kept, so that an endless line takes no memory.
            let length = (&mut *self.input)
                .take(LINE_BYTES_MAX as u64 + 1)
                .read_until(b'\n', &mut bytes)
                .map_err(|error| self.error(error.to_string()))?;
            if length == 0 {
                return Ok(None);
            }
            if length > LINE_BYTES_MAX {
                return Err(self.error(format!(
                    "is too long; at most {LINE_BYTES_MAX} bytes are allowed"
                )));
            }
            let text = std::str::from_utf8(&bytes)
                .map_err(|error| self.error(format!("is no text in UTF-8: {error}")))?;
            if !text.trim().is_empty() {
                return Ok(Some(text.trim().to_owned()));
            }
        }
    }

    /// An error in the line that was read last.
    pub fn error(&self, problem: String) -> InputError {
        InputError {
            file: self.file.clone(),
            line: self.line,
            problem,
        }
    }
}

/// What a line of an input file looks like.
const REQUEST: &str = "{\"position\":\"5x5:HEXMASK\"}";

/// Reads requests, one JSON object `{"position":"5x5:…"}` a line, of any game; empty lines are
/// skipped.
///
/// # Errors
/// The first line that is no such object, with its number.
pub fn read_requests(
    file: &str,
    input: &mut dyn BufRead,
) -> Result<Vec<(String, AnyPosition)>, InputError> {
    let mut lines = InputLines::new(file, input);
    let mut requests = Vec::new();
    while let Some(line) = lines.next_line()? {
        let text = parse_request(&line).map_err(|problem| lines.error(problem))?;
        let position = AnyPosition::read(&text)
            .map_err(|error| lines.error(format!("`position`: {error}")))?;
        requests.push((text, position));
    }
    if requests.is_empty() {
        let problem = format!("has no request; expected a line {REQUEST}");
        return Err(InputError {
            file: file.to_owned(),
            line: 1,
            problem,
        });
    }
    Ok(requests)
}

/// Reads a request `{"position":"5x5:…"}`: the position's text, which may be none.
///
/// # Errors
/// What is wrong with any other text.
pub fn parse_request(text: &str) -> Result<String, String> {
    let request: Request = serde_json::from_str(text).map_err(|error| {
        // The reader counts lines of its own; the file's are the ones that help.
        let text = error.to_string();
        let reason = text.split(" at line ").next().unwrap_or(&text);
        let column = error.column();
        format!("is no request; expected {REQUEST}: {reason}, column {column}")
    })?;
    Ok(request.position)
}

/// Solves one position with an empty table.
pub fn solve<G: Solvable>(
    text: &str,
    position: &G::Position,
    prover: &mut Prover<G>,
    all_moves: bool,
) -> Solution<G::Named> {
    prover.new_game();
    let mut solution = Solution {
        position: text.to_owned(),
        value: 0,
        best_moves: Vec::new(),
        nodes: 0,
    };
    if position.outcome().is_some() {
        return solution;
    }
    let solved = prover.solve(position);
    (solution.value, solution.nodes) = (solved.value.0, solved.nodes);
    let turns = if all_moves {
        // The nodes are those of the value alone.
        prover.optimal_turns(position)
    } else {
        let (turn, nodes) = prover.whole_turn(position, solved.best_move);
        solution.nodes += nodes;
        vec![turn]
    };
    let named = turns.iter().map(|turn| G::named(position, turn));
    solution.best_moves = named.collect();
    if !G::WHOLE_TURNS {
        solution.best_moves.sort_unstable();
    }
    solution
}

/// Who wins, found with an empty table.
pub fn win_loss<G: Solvable>(
    text: &str,
    position: &G::Position,
    prover: &mut Prover<G>,
) -> WinLossSolution<G::Named> {
    prover.new_game();
    let margin = position.margin() * position.to_move().sign();
    let (mut result, mut best_move, mut nodes) = (margin.cmp(&0), None, 0);
    if position.outcome().is_none() {
        let solved = prover.win_loss(position);
        (result, nodes) = (solved.result, solved.nodes);
        if let Some(mv) = solved.best_move {
            let (turn, more) = prover.whole_turn(position, mv);
            best_move = Some(G::named(position, &turn));
            nodes += more;
        }
    }
    WinLossSolution {
        position: text.to_owned(),
        result: match result {
            Ordering::Greater => "win",
            Ordering::Equal => "draw",
            Ordering::Less => "loss",
        },
        best_move,
        nodes,
    }
}

/// Solves all requests and writes one JSON object a line, in the order of the input.
///
/// # Errors
/// A failed write.
pub fn solve_all(
    requests: &[(String, AnyPosition)],
    provers: &mut Provers,
    question: Question,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    for (text, position) in requests {
        let line = match position {
            AnyPosition::DotsAndBoxes(position) => {
                answer::<DotsAndBoxes>(text, position, &mut provers.dots, question)
            }
            AnyPosition::Amazons(position) => {
                answer::<Amazons>(text, position, &mut provers.amazons, question)
            }
        }?;
        writeln!(out, "{line}")?;
        out.flush()?;
    }
    Ok(())
}

fn answer<G: Solvable>(
    text: &str,
    position: &G::Position,
    prover: &mut Prover<G>,
    question: Question,
) -> serde_json::Result<String> {
    match question {
        Question::WinLoss => serde_json::to_string(&win_loss::<G>(text, position, prover)),
        Question::AllMoves | Question::Value => {
            let all_moves = question == Question::AllMoves;
            serde_json::to_string(&solve::<G>(text, position, prover, all_moves))
        }
    }
}

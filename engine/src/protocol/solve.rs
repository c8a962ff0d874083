//! Exact solving of positions given as texts, one or many.

use std::cmp::Ordering;
use std::io::{BufRead, Read, Write};
use std::num::NonZero;

use serde::{Deserialize, Serialize};

use crate::eval::Work;
use crate::eval::dots::DotsKnowledge;
use crate::game::dots::{Dots, Edge};
use crate::game::{NotationError, Position};
use crate::search::Unlimited;
use crate::search::alpha_beta::{
    OptimalMoves, ParallelSolver, Solved, Solver, SolverOptions, WinLoss,
};

/// Longest line of an input file, in bytes.
const LINE_BYTES_MAX: usize = 4096;

/// An exactly solved position, as it is written to the outside.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Solution {
    /// The position as it was given.
    pub position: String,
    /// Best (mover − opponent) over the boxes not yet taken.
    pub value: i16,
    /// Optimal edges by id, rising; empty only when no edge is left. Complete when asked for,
    /// otherwise those that the search itself proved.
    pub best_moves: Vec<u8>,
    /// Nodes searched.
    pub nodes: u64,
}

/// Who wins a position, as it is written to the outside.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WinLossSolution {
    /// The position as it was given.
    pub position: String,
    /// `win`, `draw` or `loss` for the player to move, boxes taken so far included.
    pub result: &'static str,
    /// The first edge, by id, that reaches it; none where all edges lose or no edge is left.
    pub best_move: Option<u8>,
    /// Nodes searched.
    pub nodes: u64,
}

/// Who proves: one thread with repeatable nodes, or several, sooner.
pub enum Prover {
    /// One thread.
    Single(Box<Solver<Dots>>),
    /// Several threads; nodes vary from run to run, answers do not.
    Parallel(ParallelSolver),
}

/// Why a search that nothing stops has an answer.
const UNSTOPPED: &str = "nothing stops this search";

impl Prover {
    /// A prover of so many threads whose table takes at most so many MiB.
    pub fn new(table_mib: u32, threads: NonZero<u16>) -> Prover {
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

    fn solve(&mut self, position: &Dots) -> Solved<Edge> {
        let (control, work) = (&mut Unlimited, &mut Work::default());
        let solved = match self {
            Prover::Single(solver) => solver.solve(position, &DotsKnowledge, control, work),
            Prover::Parallel(solver) => solver.solve(position, &DotsKnowledge, control, work),
        };
        solved.expect(UNSTOPPED)
    }

    fn optimal_moves(&mut self, position: &Dots) -> OptimalMoves<Edge> {
        let (control, work) = (&mut Unlimited, &mut Work::default());
        let found = match self {
            Prover::Single(solver) => solver.optimal_moves(position, &DotsKnowledge, control, work),
            Prover::Parallel(solver) => {
                solver.optimal_moves(position, &DotsKnowledge, control, work)
            }
        };
        found.expect(UNSTOPPED)
    }

    fn win_loss(&mut self, position: &Dots) -> WinLoss<Edge> {
        let (control, work) = (&mut Unlimited, &mut Work::default());
        let found = match self {
            Prover::Single(solver) => solver.win_loss(position, &DotsKnowledge, control, work),
            Prover::Parallel(solver) => solver.win_loss(position, &DotsKnowledge, control, work),
        };
        found.expect(UNSTOPPED)
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

/// Reads requests, one JSON object `{"position":"5x5:…"}` a line; empty lines are skipped.
///
/// # Errors
/// The first line that is no such object, with its number.
pub fn read_requests(
    file: &str,
    input: &mut dyn BufRead,
) -> Result<Vec<(String, Dots)>, InputError> {
    let mut lines = InputLines::new(file, input);
    let mut requests = Vec::new();
    while let Some(text) = lines.next_line()? {
        requests.push(parse_request(&text).map_err(|problem| lines.error(problem))?);
    }
    if requests.is_empty() {
        let problem = "has no request; expected a line {\"position\":\"5x5:HEXMASK\"}".to_owned();
        return Err(InputError {
            file: file.to_owned(),
            line: 1,
            problem,
        });
    }
    Ok(requests)
}

/// Reads a request `{"position":"5x5:…"}`: the position's text and the position.
///
/// # Errors
/// What is wrong with any other text.
pub fn parse_request(text: &str) -> Result<(String, Dots), String> {
    let request: Request = serde_json::from_str(text).map_err(|error| {
        // The reader counts lines of its own; the file's are the ones that help.
        let text = error.to_string();
        let reason = text.split(" at line ").next().unwrap_or(&text);
        let column = error.column();
        format!(
            "is no request; expected {{\"position\":\"5x5:HEXMASK\"}}: {reason}, \
             column {column}"
        )
    })?;
    let position = Dots::from_text(&request.position)
        .map_err(|error: NotationError| format!("`position`: {error}"))?;
    Ok((request.position, position))
}

/// Solves one position with an empty table.
pub fn solve(text: &str, position: &Dots, prover: &mut Prover, all_moves: bool) -> Solution {
    prover.new_game();
    let position_text = text.to_owned();
    if position.outcome().is_some() {
        return Solution {
            position: position_text,
            value: 0,
            best_moves: Vec::new(),
            nodes: 0,
        };
    }
    let solved = prover.solve(position);
    let mut best_moves = vec![solved.best_move.0];
    if all_moves {
        let list = prover.optimal_moves(position).moves;
        best_moves = list.iter().map(|edge| edge.0).collect();
        best_moves.sort_unstable();
    }
    Solution {
        position: position_text,
        value: solved.value.0,
        best_moves,
        nodes: solved.nodes,
    }
}

/// Who wins, found with an empty table.
pub fn win_loss(text: &str, position: &Dots, prover: &mut Prover) -> WinLossSolution {
    prover.new_game();
    let margin = position.margin() * position.to_move().sign();
    let (mut result, mut best_move, mut nodes) = (margin.cmp(&0), None, 0);
    if position.outcome().is_none() {
        let solved = prover.win_loss(position);
        result = solved.result;
        best_move = solved.best_move.map(|edge| edge.0);
        nodes = solved.nodes;
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
    requests: &[(String, Dots)],
    prover: &mut Prover,
    question: Question,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    for (text, position) in requests {
        let all_moves = question == Question::AllMoves;
        let line = if question == Question::WinLoss {
            serde_json::to_string(&win_loss(text, position, prover))?
        } else {
            serde_json::to_string(&solve(text, position, prover, all_moves))?
        };
        writeln!(out, "{line}")?;
        out.flush()?;
    }
    Ok(())
}

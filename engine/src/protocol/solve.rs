//! Exact solving of positions given as texts, one or many.

use std::io::{BufRead, Write};

use serde::{Deserialize, Serialize};

use crate::eval::Work;
use crate::eval::dots::DotsKnowledge;
use crate::game::dots::Dots;
use crate::game::{NotationError, Position};
use crate::search::Unlimited;
use crate::search::alpha_beta::Solver;

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
#[serde(deny_unknown_fields)]
struct Request {
    position: String,
}

/// Reads requests, one JSON object `{"position":"5x5:…"}` a line; empty lines are skipped.
///
/// # Errors
/// The first line that is no such object, with its number.
pub fn read_requests(
    file: &str,
    input: &mut dyn BufRead,
) -> Result<Vec<(String, Dots)>, InputError> {
    let mut requests = Vec::new();
    let mut bytes = Vec::new();
    for line in 1.. {
        let fail = |problem: String| InputError {
            file: file.to_owned(),
            line,
            problem,
        };
        bytes.clear();
        let length = input
            .read_until(b'\n', &mut bytes)
            .map_err(|error| fail(error.to_string()))?;
        if length == 0 {
            break;
        }
        if length > LINE_BYTES_MAX {
            return Err(fail(format!(
                "has {length} bytes; at most {LINE_BYTES_MAX} are allowed"
            )));
        }
        let text = std::str::from_utf8(&bytes)
            .map_err(|error| fail(error.to_string()))?
            .trim();
        if text.is_empty() {
            continue;
        }
        let request: Request = serde_json::from_str(text).map_err(|error| {
            // The reader counts lines of its own; ours is the one that helps.
            let text = error.to_string();
            let reason = text.split(" at line ").next().unwrap_or(&text);
            let column = error.column();
            fail(format!(
                "is no request; expected {{\"position\":\"5x5:HEXMASK\"}}: {reason}, \
                 column {column}"
            ))
        })?;
        let position = Dots::from_text(&request.position)
            .map_err(|error: NotationError| fail(format!("`position`: {error}")))?;
        requests.push((request.position, position));
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

/// Solves one position with an empty table.
pub fn solve(text: &str, position: &Dots, solver: &mut Solver<Dots>, all_moves: bool) -> Solution {
    let knowledge = DotsKnowledge;
    let mut work = Work::default();
    solver.new_game();
    let position_text = text.to_owned();
    if position.outcome().is_some() {
        return Solution {
            position: position_text,
            value: 0,
            best_moves: Vec::new(),
            nodes: 0,
        };
    }
    let unstopped = "nothing stops this search";
    let solved = solver
        .solve(position, &knowledge, &mut Unlimited, &mut work)
        .expect(unstopped);
    let mut best_moves = vec![solved.best_move.0];
    if all_moves {
        let list = solver.optimal_moves(position, &knowledge, &mut Unlimited, &mut work);
        best_moves = list
            .expect(unstopped)
            .moves
            .iter()
            .map(|edge| edge.0)
            .collect();
        best_moves.sort_unstable();
    }
    Solution {
        position: position_text,
        value: solved.value.0,
        best_moves,
        nodes: solved.nodes,
    }
}

/// Solves all requests and writes one JSON object a line, in the order of the input.
///
/// # Errors
/// A failed write.
pub fn solve_all(
    requests: &[(String, Dots)],
    solver: &mut Solver<Dots>,
    all_moves: bool,
    out: &mut dyn Write,
) -> std::io::Result<()> {
    for (text, position) in requests {
        let solution = solve(text, position, solver, all_moves);
        writeln!(out, "{}", serde_json::to_string(&solution)?)?;
        out.flush()?;
    }
    Ok(())
}

//! What exact solving costs: milliseconds and nodes, cold table, on the listed positions.
//!
//! `cargo bench --bench solver -- [EDGES_LEFT...]`; without numbers 32, 34, 36 and 38;
//! `--ablations [EDGES_LEFT...]` leaves out one thing at a time: *edges* is the list of moves
//! that are enough, one edge for each group of equivalent ones.
//! `--threads N` measures the solver of several threads.
//! `cargo bench --bench solver -- ROWSxCOLS:HEXMASK...` solves these instead: `3x5:0` or `4x4:0`
//! take minutes or hours.
#![allow(clippy::print_stdout)]

use std::num::NonZero;
use std::time::Instant;

use sixfold_engine::eval::Work;
use sixfold_engine::eval::dots::DotsKnowledge;
use sixfold_engine::game::dots::{Board, Dots};
use sixfold_engine::search::Unlimited;
use sixfold_engine::search::alpha_beta::{ParallelSolver, Solver, SolverOptions};

#[path = "../tests/seeded_positions/listed.rs"]
mod listed;
#[path = "../tests/seeded_positions/mod.rs"]
mod seeded_positions;

use seeded_positions::{Style, seeded_position};

/// Table of the measured solver, in MiB.
const TABLE_MIB: u32 = 256;

/// Positions of each kind in a measurement of what the solver uses.
const ABLATION_POSITIONS: u32 = 20;

/// The columns.
const HEADING: &str = "kind       left  mean ms  median ms   max ms  mean nodes  median nodes  \
    max nodes  Mn/s  mean edges";

/// One search.
#[derive(Clone, Copy)]
struct Cost {
    ms: f64,
    nodes: u64,
    edges: u64,
}

/// The solver that is measured.
enum Measured {
    Single(Box<Solver<Dots>>),
    Parallel(ParallelSolver),
}

/// What the command line asks for.
struct Wanted {
    numbers: Vec<u32>,
    positions: Vec<String>,
    threads: Option<NonZero<u16>>,
    ablations: bool,
}

impl Wanted {
    fn parse(mut words: impl Iterator<Item = String>) -> Wanted {
        let (mut numbers, mut positions) = (Vec::new(), Vec::new());
        let (mut threads, mut ablations) = (None, false);
        while let Some(word) = words.next() {
            match word.as_str() {
                // Cargo adds it.
                "--bench" => {}
                "--threads" => {
                    let count = words.next().and_then(|word| word.parse().ok());
                    threads = Some(count.expect("--threads and their number"));
                }
                "--ablations" => ablations = true,
                text if text.contains(':') => positions.push(word),
                number => numbers.push(number.parse().expect("edges left")),
            }
        }
        Wanted {
            numbers,
            positions,
            threads,
            ablations,
        }
    }
}

fn main() {
    let wanted = Wanted::parse(std::env::args().skip(1));
    if wanted.ablations {
        ablations(&wanted.numbers);
        return;
    }
    let options = SolverOptions::default();
    let mut solver = match wanted.threads {
        None => Measured::Single(Box::new(Solver::new(TABLE_MIB, options))),
        Some(count) => Measured::Parallel(ParallelSolver::new(TABLE_MIB, count, options)),
    };
    println!("{HEADING}");
    for text in &wanted.positions {
        let position = Dots::from_text(text).expect("ROWSxCOLS:HEXMASK");
        let costs = [cost(&mut solver, &position)];
        print_row(text, position.open().count_ones(), &costs);
    }
    if wanted.positions.is_empty() {
        listed_cells(&mut solver, wanted.numbers);
    }
}

/// The solver without one thing at a time, and without all but the reduced list of moves.
fn ablations(numbers: &[u32]) {
    let whole = SolverOptions::default();
    let without = |change: fn(&mut SolverOptions)| {
        let mut options = whole;
        change(&mut options);
        options
    };
    let rows = [
        ("whole", whole),
        ("no edges", without(|options| options.reductions = false)),
        ("no table", without(|options| options.table = false)),
        ("no bounds", without(|options| options.bounds = false)),
        ("no formula", without(|options| options.proven = false)),
        (
            "edges only",
            without(|options| {
                (options.table, options.bounds, options.proven) = (false, false, false);
            }),
        ),
    ];
    println!("{HEADING}");
    for &open in if numbers.is_empty() { &[24] } else { numbers } {
        for style in [Style::Quiet, Style::Sacrifice] {
            println!("{style:?}, {open} left");
            for (name, options) in rows {
                let mut solver = Measured::Single(Box::new(Solver::new(TABLE_MIB, options)));
                let positions = (0..ABLATION_POSITIONS).map(|i| seeded_position(style, open, i));
                let costs: Vec<Cost> = positions.map(|p| cost(&mut solver, &p)).collect();
                print_row(name, open, &costs);
            }
        }
    }
}

/// The listed positions with these numbers of edges left, and 3x4 from the start.
fn listed_cells(solver: &mut Measured, mut numbers: Vec<u32>) {
    if numbers.is_empty() {
        numbers = vec![32, 34, 36, 38];
    }
    let listed = listed::listed_positions();
    // The first search pays for memory that the others find ready.
    let large = listed.iter().find(|item| item.1 == 38);
    cost(solver, &large.expect("38 edges left").2);
    for kind in ["quiet", "sacrifice"] {
        for &open in &numbers {
            let of_cell = listed
                .iter()
                .filter(|item| (item.0, item.1) == (kind, open));
            let costs: Vec<Cost> = of_cell.map(|item| cost(solver, &item.2)).collect();
            assert!(
                !costs.is_empty(),
                "no position with {open} edges left is listed"
            );
            print_row(kind, open, &costs);
        }
    }
    let start = Dots::new(Board::of(3, 4).expect("3x4 boxes are a board"));
    let costs = [cost(solver, &start)];
    print_row("empty 3x4", start.board().edges() as u32, &costs);
}

fn cost(solver: &mut Measured, position: &Dots) -> Cost {
    let (control, work) = (&mut Unlimited, &mut Work::default());
    match solver {
        Measured::Single(solver) => solver.new_game(),
        Measured::Parallel(solver) => solver.new_game(),
    }
    let begun = Instant::now();
    let solved = match solver {
        Measured::Single(solver) => solver.solve(position, &DotsKnowledge, control, work),
        Measured::Parallel(solver) => solver.solve(position, &DotsKnowledge, control, work),
    };
    let seconds = begun.elapsed().as_secs_f64();
    let nodes = solved.expect("nothing stops this search").nodes;
    Cost {
        ms: 1e3 * seconds,
        nodes,
        edges: work.alpha_beta_edges,
    }
}

fn print_row(kind: &str, open: u32, costs: &[Cost]) {
    let mut times: Vec<f64> = costs.iter().map(|cost| cost.ms).collect();
    let mut nodes: Vec<u64> = costs.iter().map(|cost| cost.nodes).collect();
    times.sort_by(f64::total_cmp);
    nodes.sort_unstable();
    let (middle, last) = (costs.len() / 2, costs.len() - 1);
    let edges = costs.iter().map(|cost| cost.edges).sum::<u64>();
    let (all_times, all_nodes) = (times.iter().sum::<f64>(), nodes.iter().sum::<u64>());
    println!(
        "{kind:9} {open:5} {:8.2} {:10.2} {:8.2} {:11} {:13} {:10} {:5.2} {:11}",
        all_times / costs.len() as f64,
        times[middle],
        times[last],
        all_nodes / costs.len() as u64,
        nodes[middle],
        nodes[last],
        all_nodes as f64 / all_times / 1e3,
        edges / costs.len() as u64,
    );
}

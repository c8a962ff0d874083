//! Dots and Boxes: rules.
//!
//! Players draw the edges between neighbouring dots in turn. Who draws the fourth side of a box
//! owns it and moves again; capturing is never forced. The game ends when all edges are drawn.
//! Sizes are given in boxes (`5x5` has 6x6 dots and 60 edges), never in dots.
//!
//! [`Board`] is the geometry of one size, [`Dots`] a position on it, [`validate`] a second opinion
//! that recomputes everything a position derives from its edges.

mod board;
mod drawing;
mod notation;
mod position;
mod symmetry;
pub mod validate;

pub use board::{Board, Edge, Line, Place};
pub use position::{Dots, Sides};

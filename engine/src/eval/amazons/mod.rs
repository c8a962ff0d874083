//! What is known of the Amazons beyond the rules.
//!
//! [`distances`] finds how far every empty square is from each side's amazons, [`features`] counts
//! what that says of a position, [`formula`] weighs it into a value; [`naive`] does all of it
//! square by square, for tests and as the measure of speed. [`knowledge`] is what searches see,
//! and [`opening`] begins games.
//!
//! Near the end counting decides: [`regions`] says what a side holds for good, [`turns`] how many
//! turns that is worth, [`verdict`] who has therefore won; [`contest`] is what is left to play for.
//! [`square_use`] says of a finished game what became of its squares.

pub mod contest;
pub mod distances;
mod effort;
pub mod features;
pub mod formula;
pub mod knowledge;
pub mod naive;
pub mod opening;
mod ordering;
pub mod regions;
pub mod square_use;
pub mod turns;
pub mod verdict;

pub use features::{Features, Terms};
pub use formula::{Formula, Mapping, Weights};
pub use knowledge::AmazonsKnowledge;

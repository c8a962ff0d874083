//! What is known of the Amazons beyond the rules: the static evaluation.
//!
//! [`distances`] finds how far every empty square is from each side's amazons, [`features`] counts
//! what that says of a position, [`formula`] weighs it into a value; [`naive`] does all of it
//! square by square, for tests and as the measure of speed.

pub mod distances;
pub mod features;
pub mod formula;
pub mod naive;

pub use features::{Features, Terms};
pub use formula::{Defects, Formula, Scale, Weights};

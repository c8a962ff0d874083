//! The edges of the engine where texts are read and written: batch solving and the play prompt.

pub mod ccgc;
pub mod play;
pub mod solve;

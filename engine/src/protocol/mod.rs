//! The edges of the engine where texts are read and written: the play prompt, batch solving,
//! analyses of positions, records of games and their reviews.

pub mod analyse;
pub mod analyse_text;
pub mod analyse_turn;
pub mod analyse_turn_text;
pub mod ccgc;
pub mod pgn;
pub mod play;
pub mod positions;
pub mod record;
pub mod review;
pub mod review_text;
pub mod solve;
pub mod structure;
pub mod words;

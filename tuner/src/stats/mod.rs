//! Statistics of matches, pure: numbers in, numbers out.
//!
//! Counts of games and of game pairs ([`counts`]), Elo estimates from them ([`elo`]) and
//! sequential tests ([`sprt`]). Every function is finite for every count, the empty match and the
//! match without variance included; what cannot be estimated is a variant, never NaN.

pub mod counts;
pub mod elo;
mod law;
mod normal;
pub mod sprt;

pub use counts::{Pentanomial, Wdl};
pub use elo::{EloEstimate, MatchElo};
pub use sprt::{EloModel, Sprt, SprtBounds, SprtError, SprtState};

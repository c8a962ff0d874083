//! Statistics of matches, pure: numbers in, numbers out.
//!
//! Counts of games and of game pairs ([`counts`]), Elo estimates from them ([`elo`]), sequential
//! tests ([`sprt`]) and what their games say once they have stopped ([`sequential`]). Every
//! function is finite for every count, the empty match and the match without variance included;
//! what cannot be estimated is a variant, never NaN.

mod brownian;
pub mod counts;
pub mod elo;
mod law;
mod limits;
mod normal;
pub mod sequential;
pub mod sprt;
pub mod stopped;

pub use counts::{Pentanomial, Wdl};
pub use elo::{EloEstimate, MatchElo};
pub use normal::Z_95;
pub use sequential::{CorrectedElo, NoCorrection};
pub use sprt::{EloModel, Sprt, SprtBounds, SprtError, SprtState};
pub use stopped::Looks;

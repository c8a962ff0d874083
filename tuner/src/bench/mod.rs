//! Learners on synthetic surfaces, side by side.
//!
//! A [`Surface`] gives every vector of parameters an Elo; a [`GameLaw`] turns a difference into
//! the outcome of a game; [`drive`](drive::drive) lets a learner play a budget of games and
//! measures its regret: the Elo between the surface's optimum and the incumbent. A [`Campaign`]
//! does so for every surface, budget, learner and seed, and a [`Comparison`] says how the learners
//! compare.
//!
//! Nothing here depends on threads: every game has a stream of its own, keyed by what it is.

pub mod campaign;
pub mod comparison;
pub mod drive;
pub mod forecast;
mod games;
mod sample;
pub mod surface;

pub use campaign::{Campaign, Cell};
pub use comparison::Comparison;
pub use drive::{Contender, DriveError, Outcome, Setting};
pub use games::{DrawsError, GameLaw};
pub use surface::Surface;

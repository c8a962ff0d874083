//! Sixfold's engine: rules, search, stages and budgets of games that a tuner can tune.
//!
//! Read in this order, lowest first: [`game`] (rules), [`eval`] (knowledge beyond the rules),
//! [`search`] (plain minimax, alpha-beta, UCT).

pub mod agent;
pub mod bench;
pub mod clock;
pub mod config;
pub mod eval;
pub mod game;
pub mod games;
pub mod params;
pub mod protocol;
pub mod search;
pub mod stage;
pub mod stream;

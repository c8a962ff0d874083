//! Sixfold's tuner: a learner proposes edits of an engine's parameters, self-play rewards them.

pub mod bench;
pub mod chronicle;
pub mod evaluator;
pub mod event;
pub mod export;
pub mod job;
pub mod observer;
pub mod optimiser;
pub mod outlook;
mod platform;
pub mod queue;
pub mod report;
pub mod run;
pub mod space;
pub mod stats;
pub mod store;
pub mod stream;
pub mod surface;
pub mod trial;

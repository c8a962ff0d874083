//! Games that fail: matches, evidence, runs and replays under bots that misbehave.

mod bots;
mod matches;
mod runs;

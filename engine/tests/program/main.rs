//! The program `engine` as its users meet it.

mod amazons;
mod analyse;
mod bad_input;
mod commands;
mod messages;
mod play;
mod review;
mod support;

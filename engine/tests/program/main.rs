//! The program `engine` as its users meet it.

mod bad_input;
mod commands;
mod play;
mod support;

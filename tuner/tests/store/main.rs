//! Runs on disk, seen from outside: what is written is read again, and what was damaged, cut
//! short, foreign or held is told and kept.

mod events;
mod folders;
mod journals;
mod processes;

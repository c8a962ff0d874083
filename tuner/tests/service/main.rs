//! The service as its users meet it: the real program over real sockets, its workers killed and
//! stopped, its journal followed.
#![cfg(target_os = "linux")]

mod commands;
mod description;
mod guard;
mod kills;
mod queue;
mod streams;
mod support;

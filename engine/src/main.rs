//! The engine program.
fn main() {}

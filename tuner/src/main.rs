//! The tuner program.
fn main() {}

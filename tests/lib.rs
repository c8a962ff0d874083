//! Tests that cross crates live beside this file; there is no library.

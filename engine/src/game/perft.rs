//! Counts of move sequences, the classic test of rules.

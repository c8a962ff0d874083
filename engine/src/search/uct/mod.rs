//! Staged UCT.

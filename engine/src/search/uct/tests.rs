//! Unit tests of staged UCT on toy trees.

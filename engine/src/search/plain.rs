//! Plain minimax: the slow, obvious reference.

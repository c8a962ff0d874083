//! Runs on disk: journal, checkpoint, lock, atomic files.

//! What a run survives: kills at any moment and at any call of the system, full and failing disks,
//! a clock that jumps, a second process. Everywhere the same: it ends with the bytes of a run in
//! one go, or it refuses and says why, and nothing that was stored is lost.
//!
//! `strace` (faults at single calls) and `libfaketime` (the clock) are installed by `tests/run`.
//! Where they are missing, or mounting is refused, the tests that need them say that they are
//! skipped; with `CI=true` they fail instead.
#![cfg(target_os = "linux")]

mod calls;
mod clocks;
mod disks;
mod ends;
mod kills;
mod order;
mod place;
mod tools;

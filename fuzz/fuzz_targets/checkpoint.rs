//! Fuzz target: `sixfold_fuzz::checkpoint` says what must hold.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sixfold_fuzz::checkpoint(bytes);
});

//! Fuzz target: `sixfold_fuzz::run_identity` says what must hold.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sixfold_fuzz::run_identity(bytes);
});

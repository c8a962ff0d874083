//! Fuzz target: `sixfold_fuzz::engine_configuration` says what must hold.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sixfold_fuzz::engine_configuration(bytes);
});

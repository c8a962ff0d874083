//! Fuzz target: `sixfold_fuzz::game_record` says what must hold.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sixfold_fuzz::game_record(bytes);
});

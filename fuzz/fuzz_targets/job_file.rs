//! Fuzz target: `sixfold_fuzz::job_file` says what must hold.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    sixfold_fuzz::job_file(bytes);
});

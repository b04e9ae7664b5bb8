//! A whole session of the protocol; `fuzz/src/dialogue.rs` has the checks.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| secateurs_fuzz::dialogue::check(data));

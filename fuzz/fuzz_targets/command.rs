//! The parser of protocol commands; `fuzz/src/command.rs` has the checks.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| secateur_fuzz::command::check(data));

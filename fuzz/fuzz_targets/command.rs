//! The parser of protocol commands; `fuzz/src/command.rs` has the checks.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| secateurs_fuzz::command::check(data));

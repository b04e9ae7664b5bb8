//! Options, positions, moves and short searches of this game; `fuzz/src/game.rs` has the checks.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| secateurs_fuzz::game::check("othello", data));

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| secateur_fuzz::game::check("connect4", data));

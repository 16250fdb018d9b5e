#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| sedum_fuzz::oracles::actions::check(data));

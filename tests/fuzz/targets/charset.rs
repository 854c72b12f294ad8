//! See [`gleaner_fuzz::charset`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gleaner_fuzz::charset(data));

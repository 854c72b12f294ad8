//! See [`gleaner_fuzz::cost`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gleaner_fuzz::cost(data));

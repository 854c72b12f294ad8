//! See [`gleaner_fuzz::extract`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gleaner_fuzz::extract(data));

//! See [`gleaner_fuzz::page`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gleaner_fuzz::page(data));

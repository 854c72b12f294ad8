//! See [`gleaner_fuzz::sanitise`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gleaner_fuzz::sanitise(data));

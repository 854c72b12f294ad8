//! See [`gleaner_fuzz::json_feed`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gleaner_fuzz::json_feed(data));

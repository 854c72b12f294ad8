//! See [`gleaner_fuzz::opml`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| gleaner_fuzz::opml(data));

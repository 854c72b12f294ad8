//! Reads and writes HTML: character encodings, tokens, character references, escaping, and element names.
//! Pure: no network, no clock, no disk.

pub mod charset;
pub mod elements;
pub mod escape;
pub mod references;
pub mod tokens;

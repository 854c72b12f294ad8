//! Reads and writes HTML: character encodings, tokens, character references, escaping, and element names.
//! Pure: no network, no clock, no disk.

pub mod charset;
pub mod elements;
pub mod escape;
pub mod references;
mod text;
pub mod tokens;

pub use text::one_line;

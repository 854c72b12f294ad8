//! Reads and writes HTML: character encodings, tokens, character references, escaping, and element names.
//! Pure: no network, no clock, no disk.

pub mod charset;
pub mod elements;
pub mod escape;
pub mod references;
pub mod tokens;

/// Returns the last character boundary of `text` at or before byte `at`.
#[must_use]
pub fn floor_char_boundary(text: &str, at: usize) -> usize {
    // The method of `str` with this name needs Rust 1.91.
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

//! Tags with white space after `<` or `</`, as translation programs write them: `< title>Plums</ title >`.

/// Maximum length of such a tag, in bytes.
const MAX_LENGTH: usize = 80;

/// A tag with white space before its name, and without attributes.
pub(super) struct Spaced {
    /// The name as written.
    pub(super) name: String,
    pub(super) is_end: bool,
    /// Its length in the document, in bytes.
    pub(super) length: usize,
}

/// Reads such a tag at the start of `rest`, the rest of the document. `a < b` is none, but `a < b >` looks like one.
pub(super) fn tag(rest: &str) -> Option<Spaced> {
    let inside = rest.strip_prefix('<')?;
    let (is_end, inside) = match inside.trim_ascii_start().strip_prefix('/') {
        Some(inside) => (true, inside),
        None => (false, inside),
    };
    let end = inside.bytes().take(MAX_LENGTH).position(|byte| byte == b'>')?;
    let name = inside.get(..end)?.trim_ascii();
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b':' | b'-' | b'_');
    let length = rest.len() - inside.len() + end + 1;
    let has_space = length > name.len() + 2 + usize::from(is_end);
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.bytes().all(is_of_name);
    (has_space && is_name).then(|| Spaced { name: name.to_ascii_lowercase(), is_end, length })
}

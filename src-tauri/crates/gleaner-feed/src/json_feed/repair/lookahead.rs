//! Decides whether a quotation mark ends a string, by the text after it: HTML and quotations in invalid JSON contain unescaped ones.

use crate::json_feed::document::is_known;

/// Maximum length of white space and of a name that are examined, in bytes.
const WINDOW: usize = 200;

/// Whether the text after a quotation mark can follow a string that is a value.
pub(in crate::json_feed) fn ends_value(after: &str, in_object: bool) -> bool {
    match next(after) {
        (None | Some('/'), _) => true,
        (Some('}'), rest) if in_object => ends_container(rest),
        (Some(']'), rest) if !in_object => ends_container(rest),
        (Some(','), rest) => match next(rest) {
            (None | Some(',' | '}' | ']' | '/'), _) => true,
            _ if in_object => begins_with_name(rest),
            (first, _) => first.is_some_and(begins_value),
        },
        // The comma is missing.
        (Some('"'), _) => !in_object || begins_with_name(after),
        (Some('{'), _) => !in_object,
        _ => false,
    }
}

/// Whether the text can follow the end of an object or a list.
fn ends_container(after: &str) -> bool {
    match next(after) {
        (None | Some('}' | ']' | '{' | ')' | ';' | '<' | '/'), _) => true,
        (Some(','), rest) => match next(rest).0 {
            None | Some('{' | '[' | '}' | ']' | ',' | '/') => true,
            _ => begins_with_name(rest),
        },
        _ => false,
    }
}

/// Whether the text begins with a name, a colon and a value. After a name of JSON Feed, the value may be invalid.
fn begins_with_name(text: &str) -> bool {
    let text = text.trim_start();
    let head = text.get(..text.floor_char_boundary(WINDOW)).unwrap_or_default();
    let quote = if head.starts_with('\'') { '\'' } else { '"' };
    let (name, length) = match head.strip_prefix(quote) {
        Some(name) => (name.split(quote).next().unwrap_or_default(), 2),
        None => (head.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default(), 0),
    };
    let (colon, value) = next(text.get(name.len() + length..).unwrap_or_default());
    // A document may end within a name.
    colon.is_none() || colon == Some(':') && (is_known(name) || next(value).0.is_none_or(begins_value))
}

/// Whether the text after a name without a colon begins with its value: anything but a text that another name or text seems to follow.
pub(super) fn begins_with_value(text: &str) -> bool {
    let Some(inside) = text.strip_prefix('"') else { return true };
    let head = inside.get(..inside.floor_char_boundary(WINDOW)).unwrap_or_default();
    let mut escaped = false;
    let end = head.bytes().position(|byte| {
        let is_end = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        is_end
    });
    // A name is short.
    end.is_none_or(|end| matches!(next(inside.get(end + 1..).unwrap_or_default()).0, None | Some(',' | '}')))
}

/// Whether the text begins with a colon, after white space.
pub(super) fn begins_with_colon(text: &str) -> bool {
    next(text).0 == Some(':')
}

/// Whether a name lacks its last quotation mark, by the text before and after its colon: `"id: "1"`.
pub(super) fn lacks_quote(name: Option<&str>, after: Option<&str>) -> bool {
    let is_value = |after: &str| match next(after) {
        (Some('"'), rest) => !begins_with_colon(rest),
        (first, _) => matches!(first, Some('[' | '{')),
    };
    name.is_some_and(|name| is_known(name) || name == "items") && after.is_some_and(is_value)
}

fn begins_value(c: char) -> bool {
    matches!(c, '"' | '\'' | '{' | '[' | '-' | ',' | '}' | 't' | 'f' | 'n' | 'T' | 'F' | 'N' | 'u')
        || c.is_ascii_digit()
}

/// Returns the next character that is not white space, and the text after it.
fn next(text: &str) -> (Option<char>, &str) {
    let head = text.get(..text.floor_char_boundary(WINDOW)).unwrap_or_default();
    let at = head.find(|c: char| !c.is_whitespace()).unwrap_or(head.len());
    let mut rest = text.get(at..).unwrap_or_default().chars();
    (rest.next(), rest.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_ends_before_a_member_or_an_end() {
        for after in [
            "",
            ", \"title\": x",
            ", \"_x\": 1",
            "}",
            "},{",
            "} ]",
            ",}",
            " \"url\": 1",
            ", url: 1",
            "}, \"items\": [",
            ", \"tit",
        ] {
            assert!(ends_value(after, true), "{after}");
        }
        for after in [" b", ", b c", ": 1", ", \"b\": c", ", \"b\", c d", "] c", "} c", "}, c\"", ">b</a>\"}"] {
            assert!(!ends_value(after, true), "{after}");
        }
        for after in [", \"b\"", "]", "],", " \"b\"", ", {", ",]"] {
            assert!(ends_value(after, false), "{after}");
        }
        for after in [" b", ", b", "} b", "] b"] {
            assert!(!ends_value(after, false), "{after}");
        }
    }
}

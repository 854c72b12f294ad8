//! Encoded words of mail headers (RFC 2047), which feeds of mailing lists have in titles and names: `=?UTF-8?Q?Caf=C3=A9?=`.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use encoding_rs::Encoding;

/// Maximum length of a line that is decoded, in bytes.
const MAX_LINE: usize = 10_000;

/// Returns a line with its encoded words decoded; `None` if it has none at its start or end. One in the middle is only mentioned in the
/// text.
pub(crate) fn decoded(line: &str) -> Option<String> {
    if !(line.starts_with("=?") || line.ends_with("?=")) || line.len() > MAX_LINE {
        return None;
    }
    let mut out = String::with_capacity(line.len());
    // Bytes of words with the same encoding: a character may be divided between them.
    let mut open: Option<(&'static Encoding, Vec<u8>)> = None;
    let mut rest = line;
    while let Some((before, from)) = rest.find("=?").and_then(|at| rest.split_at_checked(at)) {
        let Some((encoding, bytes, length)) = word(from) else {
            finish(&mut out, &mut open);
            out.push_str(before);
            out.push_str("=?");
            rest = from.get(2..)?;
            continue;
        };
        // White space between encoded words is ignored (section 6.2).
        let is_next = open.is_some() && before.trim().is_empty();
        if !is_next || open.as_ref().is_some_and(|(known, _)| *known != encoding) {
            finish(&mut out, &mut open);
        }
        if !is_next {
            out.push_str(before);
        }
        open.get_or_insert((encoding, Vec::new())).1.extend(bytes);
        rest = from.get(length..)?;
    }
    finish(&mut out, &mut open);
    out.push_str(rest);
    (out != line).then_some(out)
}

/// Decodes the bytes that are left.
fn finish(out: &mut String, open: &mut Option<(&'static Encoding, Vec<u8>)>) {
    if let Some((encoding, bytes)) = open.take() {
        out.push_str(&encoding.decode_without_bom_handling(&bytes).0);
    }
}

/// Reads an encoded word: its encoding, its bytes and its length.
fn word(text: &str) -> Option<(&'static Encoding, Vec<u8>, usize)> {
    let mut parts = text.strip_prefix("=?")?.splitn(3, '?');
    let (charset, kind, after) = (parts.next()?, parts.next()?, parts.next()?);
    let (content, _) = after.split_once("?=")?;
    // A language may follow the charset (RFC 2231, section 5).
    let (label, _) = charset.split_once('*').unwrap_or((charset, ""));
    let encoding = Encoding::for_label(label.as_bytes())?;
    let bytes = match kind {
        "q" | "Q" => quoted(content)?,
        "b" | "B" => STANDARD.decode(content).ok()?,
        _ => return None,
    };
    Some((encoding, bytes, "=????=".len() + charset.len() + kind.len() + content.len()))
}

/// Decodes the "Q" encoding (section 4.2). Some programs write spaces, which it does not allow.
fn quoted(content: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(content.len());
    let mut bytes = content.bytes();
    while let Some(byte) = bytes.next() {
        out.push(match byte {
            b'_' => b' ',
            b'=' => {
                let mut digit = || char::from(bytes.next()?).to_digit(16);
                u8::try_from(digit()? * 16 + digit()?).ok()?
            }
            byte => byte,
        });
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn decodes_the_words_of_mail_headers() {
        for (line, expected) in [
            ("=?UTF-8?Q?Caf=C3=A9_now?=", "Café now"),
            ("=?utf-8?b?Q2Fmw6k=?=", "Café"),
            ("Re: =?iso-8859-1?q?Caf=E9?=", "Re: Café"),
            ("=?iso-8859-1*fr?q?Caf=E9?= now", "Café now"),
            ("=?UTF-8?Q?Caf=C3?= =?UTF-8?Q?=A9?=", "Café"),
            ("=?UTF-8?Q?a?= =?iso-8859-1?Q?=E9?= b", "aé b"),
            ("=?iso-2022-jp?B?GyRCJCIbKEI=?=", "あ"),
        ] {
            assert_eq!(decoded(line).as_deref(), Some(expected), "{line}");
        }
        for line in [
            "Why =?UTF-8?Q?Caf=C3=A9?= is displayed",
            "=?UTF-8?Q?Caf=C3",
            "=?UTF-8?X?a?=",
            "=?nonsense?Q?a?=",
            "=?UTF-8?Q?=zz?=",
            "What is ?=",
            "=?",
            "",
        ] {
            assert_eq!(decoded(line), None, "{line}");
        }
    }
}

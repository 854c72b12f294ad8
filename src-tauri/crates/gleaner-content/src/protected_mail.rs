//! Decodes email addresses that Cloudflare encodes in web pages. Pages decode them by a script, which the reading pane does not run.

use crate::attributes::TagAttributes;

/// The path of a link to an encoded address, which is its fragment.
const PATH: &str = "/cdn-cgi/l/email-protection#";

/// Maximum length of an encoded address.
const MAX_CODE: usize = 1000;

/// Returns the address for an element with the text "[email protected]".
pub(crate) fn text(given: &TagAttributes<'_>) -> Option<String> {
    decoded(given.get("data-cfemail")?)
}

/// Returns the address that a link leads to, as `mailto:`.
pub(crate) fn link(href: &str) -> Option<String> {
    let (_, code) = href.split_once(PATH)?;
    decoded(code).map(|address| format!("mailto:{address}"))
}

/// Decodes hexadecimal bytes: the first byte is the key of the others.
fn decoded(code: &str) -> Option<String> {
    let mut bytes = hex::decode(Some(code.trim()).filter(|code| code.len() <= MAX_CODE)?).ok()?.into_iter();
    let key = bytes.next()?;
    let address = String::from_utf8(bytes.map(|byte| byte ^ key).collect()).ok()?;
    let is_foreign = |c: char| c.is_whitespace() || c.is_control() || "<>\"".contains(c);
    let is_address = address.contains('@') && !address.contains(is_foreign);
    is_address.then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decodes_addresses() {
        assert_eq!(decoded("4223022c6c2d3025").as_deref(), Some("a@n.org"));
        assert_eq!(
            link("https://a.example/cdn-cgi/l/email-protection#4223022c6c2d3025").as_deref(),
            Some("mailto:a@n.org")
        );
        // A key of 0, and `a@<b>`.
        assert_eq!(decoded("0061403c623e"), None);
        for wrong in ["", "42", "4223", "4223022c6c2d302", "zz", "422g", "é"] {
            assert_eq!(decoded(wrong), None, "{wrong}");
        }
    }
}

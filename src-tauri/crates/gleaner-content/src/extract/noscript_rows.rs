//! Separates consecutive images for browsers without scripts.
//!
//! Readability puts the image of a `noscript` in the place of the image before it, with the attributes of both. In a row of such images the
//! last would have the attributes of all, in cubic time.

use gleaner_html::tokens::{Tag, Token, Tokens};
use std::borrow::Cow;

/// An element that is not an image, and shows nothing.
const SEPARATOR: &str = "<span></span>";

/// Returns the page with a separator before each `noscript` that follows one with an image, unless another image is between them.
pub(super) fn separated(html: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut tokens = Tokens::new(html);
    // Where the last `noscript` with an image started or continues, and whether one is open.
    let (mut after_image, mut open) = (false, false);
    let mut copied = 0;
    while let Some(token) = tokens.next() {
        match &token {
            Token::Start(tag) if tag.name == "noscript" => {
                if after_image {
                    let start = tokens.position() - tag.length;
                    out.push_str(&html[copied..start]);
                    out.push_str(SEPARATOR);
                    copied = start;
                }
                open = true;
            }
            Token::End(name) if name == "noscript" => open = false,
            Token::Start(tag) if open => after_image |= tag.name == "img",
            // Readability reads such text as markup.
            Token::Text(text) if open => after_image |= text.contains('&'),
            Token::Start(tag) => after_image &= !is_image(tag),
            _ => {}
        }
    }
    if copied == 0 {
        return Cow::Borrowed(html);
    }
    out.push_str(&html[copied..]);
    Cow::Owned(out)
}

/// Whether Readability uses an image: it removes those without an address first.
fn is_image(tag: &Tag<'_>) -> bool {
    tag.name == "img"
        && tag.attributes.clone().any(|(name, value)| {
            matches!(&*name, "src" | "srcset" | "data-src" | "data-srcset")
                || [".jpg", ".jpeg", ".png", ".webp"].iter().any(|extension| value.ends_with(extension))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separates_rows_of_images_for_browsers_without_scripts() {
        let row = "<noscript><img src=a></noscript>";
        for between in ["", " x ", "</b>", "<img>", "<img alt=b>", "<p>", "<!-- <img src=b> -->", "<td>"] {
            let page = format!("{row}{between}").repeat(9);
            assert_eq!(separated(&page).matches(SEPARATOR).count(), 8, "{between}");
        }
        let escaped = "<noscript>&lt;img src=a&gt;</noscript>".repeat(9);
        assert_eq!(separated(&escaped).matches(SEPARATOR).count(), 8);
    }

    #[test]
    fn leaves_images_with_a_variant_for_browsers_without_scripts() {
        for page in [
            "<img src=a><noscript><img src=b></noscript>".repeat(9),
            "<p><img data-lazy=a.png></p><noscript><img src=b></noscript>".repeat(9),
            "<noscript>Scripts are needed.</noscript>".repeat(9),
        ] {
            assert!(matches!(separated(&page), Cow::Borrowed(_)), "{page}");
        }
    }
}

//! Recognises a body that is cut off, and that another body of the same item continues.

use crate::{model::Body, text};
use gleaner_html::tokens::{Token, Tokens};
use memchr::memmem;

/// Endings of a text that is cut off, in the forms that HTML has.
const ELLIPSES: [&str; 5] = ["…", "...", "&hellip;", "&#8230;", "&#x2026;"];
/// Maximum length in bytes of a body that is cut off.
const MAX_LENGTH: usize = 8_000;
/// Minimum number of bytes of letters and digits before the ellipsis.
const MIN_BEGINNING: usize = 20;
/// Maximum number of bytes of letters and digits after the ellipsis, where sites add a link to the article. It is also shorter than the text.
const MAX_END: usize = 160;

/// Returns the position of a body that has all of the text that the first one has before its ellipsis, more text in place of the ellipsis, and
/// media, if the first one has any.
pub(crate) fn continuation(bodies: &[Body]) -> Option<usize> {
    let (first, others) = bodies.split_first()?;
    let html = first.html.as_bytes();
    let has = |ellipsis: &&str| memmem::find(html, ellipsis.as_bytes()).is_some();
    if others.is_empty() || html.len() > MAX_LENGTH || !ELLIPSES.iter().any(has) {
        return None;
    }
    let text = text::line_of_html(&first.html)?;
    let (beginning, end) = text.split_at(text.rfind('…').max(text.rfind("..."))?);
    let (beginning, end) = (letters(beginning), letters(end));
    if beginning.len() < MIN_BEGINNING || end.len() > MAX_END.min(beginning.len() / 2) {
        return None;
    }
    let has_media = has_media(&first.html);
    let continues = |body: &Body| {
        let whole = text::line_of_html(&body.html).unwrap_or_default();
        after(&whole, &beginning).is_some_and(|rest| !begins_with_ellipsis(rest) && letters(rest).len() > end.len())
            && (!has_media || self::has_media(&body.html))
    };
    others.iter().position(continues).map(|at| at + 1)
}

/// Returns what follows the first letters and digits of a text, if they are these.
fn after<'t>(text: &'t str, beginning: &str) -> Option<&'t str> {
    let mut expected = beginning.chars().peekable();
    for (at, c) in text.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
        expected.next_if_eq(&c)?;
        if expected.peek().is_none() {
            return text.get(at + c.len_utf8()..);
        }
    }
    None
}

/// Whether a text has an ellipsis before its first letter: then it belongs to the text, or cuts it off, too.
fn begins_with_ellipsis(text: &str) -> bool {
    let signs = text.split(char::is_alphanumeric).next().unwrap_or_default();
    signs.contains('…') || signs.contains("...")
}

/// Whether HTML displays images or other media.
fn has_media(html: &str) -> bool {
    Tokens::new(html).any(|token| matches!(token, Token::Start(tag) if text::is_media(&tag.name)))
}

/// Returns the letters and digits of a text: white space and quotation marks differ between forms of it.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::{ContentKind, Context, parse};

    const WHOLE: &str = "The plums of this year are ripe, and those who pick them early have the best of them.";

    /// Content and summary of an item.
    fn bodies(item: &str) -> (String, Option<String>, ContentKind) {
        let namespaces = "xmlns:content='http://purl.org/rss/1.0/modules/content/' xmlns:itunes='http://www.itunes.com/dtds/podcast-1.0.dtd'";
        let xml =
            format!("<rss version='2.0' {namespaces}><channel><title>T</title><item>{item}</item></channel></rss>");
        let item = parse(xml.as_bytes(), Context::default()).unwrap().items.remove(0);
        (item.content.unwrap().html, item.summary.map(|body| body.html), item.content_kind)
    }

    #[test]
    fn the_body_that_continues_a_truncated_one_is_the_content() {
        for cut in [
            "The plums of this year are ripe, and...",
            "&lt;p&gt;The plums of this&lt;br&gt;year are ripe, and those who pick them [&amp;#8230;]&lt;/p&gt; &lt;p&gt;The post appeared first.&lt;/p&gt;",
        ] {
            for (cut_in, whole_in) in [("description", "itunes:summary"), ("content:encoded", "description")] {
                let item = format!("<{cut_in}>{cut}</{cut_in}><{whole_in}>{WHOLE}</{whole_in}>");
                let (content, summary, _) = bodies(&item);
                assert_eq!(content, WHOLE, "{item}");
                assert!(summary.unwrap().contains("The plums of this"), "{item}");
            }
        }
        let long = format!("{WHOLE} {}", "More of them. ".repeat(100));
        let (_, _, kind) = bodies(&format!(
            "<description>The plums of this year are…</description><itunes:summary>{long}</itunes:summary>"
        ));
        assert_eq!(kind, ContentKind::Full);
    }

    #[test]
    fn other_bodies_keep_their_order() {
        for description in [
            "The plums of this year are ripe.",
            "Plums...",
            "The pears of this year are...",
            // Another text with the same beginning.
            "The plums of this year… are what my neighbour wrote to me about.",
            "&lt;b&gt;The plums&lt;/b&gt;… are ripe",
        ] {
            let (content, _, _) =
                bodies(&format!("<description>{description}</description><itunes:summary>{WHOLE}</itunes:summary>"));
            assert_ne!(content, WHOLE, "{description}");
        }
        let (content, _, _) = bodies(&format!(
            "<description>The plums of this year are ripe, and...</description><content:encoded>{WHOLE}</content:encoded>"
        ));
        assert_eq!(content, WHOLE);
    }

    #[test]
    fn no_image_or_format_is_lost_to_a_body_with_the_same_text() {
        for (full, description) in [
            // The ellipsis is the author's.
            (
                "<p>The plums of this <b>year</b> are ripe…</p>",
                "The plums of this year are ripe… The post Plums appeared first.",
            ),
            (
                "<p>The plums of this <b>year</b> are ripe, and…</p>",
                "The plums of this year are ripe, and [...] Continue reading Plums",
            ),
            ("<img src='https://a.example/1.jpg'><p>The plums of this year are ripe, and…</p>", WHOLE),
        ] {
            let item = format!(
                "<content:encoded><![CDATA[{full}]]></content:encoded><description><![CDATA[{description}]]></description>"
            );
            assert_eq!(bodies(&item).0, full, "{item}");
        }
    }
}

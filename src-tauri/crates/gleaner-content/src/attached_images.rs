//! Images that a feed attaches to an article, in enclosures or Media RSS.

use crate::first_image;
use ammonia::clean_text;
use std::fmt::Write as _;

/// Adds attached images, each an address and a title, after the text of an article. A text with an image of its own usually has
/// the attached ones, too, and is returned as it is.
#[must_use]
pub fn with_attached_images<'a>(html: String, images: impl IntoIterator<Item = (&'a str, Option<&'a str>)>) -> String {
    let mut images = images.into_iter().peekable();
    if images.peek().is_none() || first_image(&html, Some("https://example.invalid/")).is_some() {
        return html;
    }
    images.fold(html, |mut html, (url, title)| {
        let (url, title) = (clean_text(url), clean_text(title.unwrap_or_default().trim()));
        let caption = if title.is_empty() { String::new() } else { format!("<figcaption>{title}</figcaption>") };
        // Writing to a string cannot fail.
        let _written = write!(html, "<figure><img src=\"{url}\" alt=\"{title}\">{caption}</figure>");
        html
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sanitise;

    #[test]
    fn attached_images_follow_a_text_without_images() {
        let images =
            [("https://a.example/1.jpg?a=1&b=2", Some("Boats & \"ships\"")), ("https://a.example/2.jpg", None)];
        let html = with_attached_images("<p>Two images.</p>".to_owned(), images);
        let shown = sanitise(&html, None);
        assert!(shown.starts_with("<p>Two images.</p><figure><img "), "{shown}");
        assert_eq!(shown.matches("<img").count(), 2, "{shown}");
        assert!(shown.contains("https://a.example/1.jpg?a=1&amp;b=2"), "{shown}");
        assert!(shown.contains("<figcaption>Boats &amp; "), "{shown}");
        let own = "<p><img src=\"https://a.example/own.jpg\"></p>";
        assert_eq!(with_attached_images(own.to_owned(), images), own);
        assert_eq!(with_attached_images("<p>None.</p>".to_owned(), []), "<p>None.</p>");
        let hostile = [("javascript:alert(1)", Some("<script>alert(1)</script>"))];
        assert!(!sanitise(&with_attached_images(String::new(), hostile), None).contains("<script"));
    }
}

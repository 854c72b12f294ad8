//! What happens to an article's text: sanitised HTML for the reading pane, plain text for search, canonical URLs.
//! Pure: no network, no clock, no disk.

#![allow(missing_docs)]

/// Sanitised HTML with absolute links; sanitising twice is sanitising once.
/// `base` is the URL that relative links hang on; without one relative links lose their target.
pub fn sanitise(html: &str, base: Option<&str>) -> String {
    let _ = (html, base);
    String::new()
}

/// Plain text of (sanitised or raw) HTML: blocks become lines, script and style vanish, entities are decoded.
pub fn plain_text(html: &str) -> String {
    let _ = html;
    String::new()
}

/// The start of a plain text, cut at a word, at most `characters` long, with an ellipsis when cut.
pub fn excerpt(text: &str, characters: usize) -> String {
    let _ = (text, characters);
    String::new()
}

/// Words of a plain text; each ideograph and kana counts as one.
pub fn word_count(text: &str) -> u32 {
    let _ = text;
    0
}

/// The first picture of sanitised HTML that is no tracking pixel.
pub fn first_image(html: &str) -> Option<String> {
    let _ = html;
    None
}

/// The canonical form of a URL (seven rules of the founding text); `None` where it is no absolute URL.
pub fn canonical_url(url: &str) -> Option<String> {
    let _ = url;
    None
}

/// The article of a web page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extracted {
    pub title: Option<String>,
    pub byline: Option<String>,
    /// As the page says it, RFC 3339 where it could be read.
    pub published: Option<String>,
    pub language: Option<String>,
    pub site_name: Option<String>,
    pub excerpt: Option<String>,
    /// Sanitised.
    pub content_html: String,
    pub content_text: String,
}

/// The full text of a web page, sanitised; `None` when the page has no article.
pub fn extract(html: &str, url: &str) -> Option<Extracted> {
    let _ = (html, url);
    None
}

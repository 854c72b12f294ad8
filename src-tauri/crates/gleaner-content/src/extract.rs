//! The article of a web page.

/// The article of a web page.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Extracted {
    /// Plain text.
    pub title: Option<String>,
    /// Who wrote it, as the page says it.
    pub byline: Option<String>,
    /// As the page says it, RFC 3339 where it could be read.
    pub published: Option<String>,
    /// BCP 47, as the page says it.
    pub language: Option<String>,
    /// The name of the site.
    pub site_name: Option<String>,
    /// The page's own description, else the first paragraph.
    pub excerpt: Option<String>,
    /// Sanitised.
    pub content_html: String,
    /// The plain text of `content_html`.
    pub content_text: String,
}

/// The full text of a web page, sanitised; `None` when the page has no article.
#[must_use]
pub fn extract(html: &str, url: &str) -> Option<Extracted> {
    let _ = (html, url);
    None
}

//! Feeds that are the text of another document: a browser's view of a file in `pre`, or the `string` of a web service. The feed is
//! escaped there, in a CDATA section, or an element of the document.

use gleaner_html::{
    references,
    tokens::{Token, Tokens},
};
use std::borrow::Cow;

/// Returns the feed that a document begins with, apart from its tags and title; `None` if it begins with something else.
pub(crate) fn feed(document: &str) -> Option<Cow<'_, str>> {
    let mut tokens = Tokens::new(document);
    // A page may only mention a feed, or describe itself by one.
    let mut shows_source = true;
    while let Some(token) = tokens.next() {
        let text = match token {
            Token::Start(tag) if matches!(&*tag.name, "rss" | "rdf:rdf" | "feed") && shows_source => {
                return document.get(tokens.position().checked_sub(tag.length)?..).map(Cow::Borrowed);
            }
            Token::Text(text) => text,
            Token::Raw { of: "textarea" | "xmp" | "plaintext", text } => text,
            Token::Start(tag) => {
                let is_viewer = || tag.attributes.get("id").is_some_and(|id| id.contains("xml-viewer-source"));
                shows_source = (shows_source && tag.name != "html") || tag.name == "pre" || is_viewer();
                continue;
            }
            Token::Raw { .. } | Token::End(_) => continue,
        };
        let text = text.trim_start();
        if !text.is_empty() {
            // Only a CDATA section contains tags in its text.
            let is_escaped = text.starts_with(['&', '{']) && !text.contains('<');
            let text = if is_escaped { references::decode(text) } else { Cow::Borrowed(text) };
            return begins_a_feed(&text).then_some(text);
        }
    }
    None
}

fn begins_a_feed(text: &str) -> bool {
    ["<?xml", "<rss", "<feed", "<rdf:RDF", "{"].iter().any(|beginning| text.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::{Context, DocumentKind, Format, NotAFeed, parse};

    const RSS: &str = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Fruit &amp; nuts</title>\
        <item><title>Plums</title><description>&lt;p>Ripe &amp;amp; sweet&lt;/p></description></item></channel></rss>";

    #[test]
    fn a_feed_that_is_the_text_of_another_document_is_read() {
        let escaped = RSS.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let json = r#"{"version":"https://jsonfeed.org/version/1.1","title":"Fruit & nuts","items":[{"id":"1","title":"Plums","content_html":"<p>Ripe &amp; sweet</p>"}]}"#;
        let json = json.replace('&', "&amp;").replace('<', "&lt;");
        for document in [
            format!("<?xml version=\"1.0\"?>\n<string xmlns=\"http://tempuri.org/\">{escaped}</string>"),
            format!("<string>\n<![CDATA[{RSS}]]></string>"),
            format!(
                "<html><head><title>rss.xml</title></head><body><pre style=\"white-space: pre-wrap\">{escaped}</pre></body></html>"
            ),
            format!(
                "<html><body><div id=\"webkit-xml-viewer-source-xml\">{}</div></body></html>",
                RSS.split_once("?>").unwrap().1
            ),
            format!("<s:Envelope xmlns:s=\"urn:s\"><s:Body><R><Result>{escaped}</Result></R></s:Body></s:Envelope>"),
            format!("<html><body><pre>{json}</pre></body></html>"),
        ] {
            let parsed = parse(document.as_bytes(), Context::default()).unwrap();
            assert_eq!(parsed.feed.title.as_deref(), Some("Fruit & nuts"), "{document}");
            assert!(matches!(parsed.format, Format::Rss20 | Format::JsonFeed11) && !parsed.well_formed);
            assert_eq!(parsed.items[0].content.as_ref().unwrap().html, "<p>Ripe &amp; sweet</p>");
        }
        for page in [
            format!("<html><body><h1>About RSS</h1><pre>{escaped}</pre></body></html>"),
            "<html><body><pre>&lt;rss version=\"2.0\"></pre></body></html>".to_owned(),
        ] {
            let page = parse(page.as_bytes(), Context::default()).unwrap_err();
            assert!(matches!(page, NotAFeed::Other { kind: DocumentKind::WebPage }), "{page:?}");
        }
    }
}

//! Feeds that are the text of another document: a browser's view of a file in `pre`, or the `string` of a web service. The feed is escaped
//! there, in a CDATA section, or an element of the document. Some hosts and templates put a page around each response.

use gleaner_html::{
    references,
    tokens::{Tag, Token, Tokens},
};
use std::borrow::Cow;

/// The outer document of the feed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Outer {
    /// The answer of a web service.
    Service,
    Page,
    /// The view of an XML document in a page.
    Viewer,
}

/// Maximum length in bytes of a page's text before and after a feed in it, such as a banner or a menu. Next to more of it, the feed is a
/// sample.
const MAX_AROUND: usize = 1000;

/// Returns the feed if it is the only content of a document besides tags and title; `None` if there is other content. A page about feeds
/// may begin with a sample, and link to its own feed.
pub(crate) fn feed(document: &str) -> Option<Cow<'_, str>> {
    let mut tokens = Tokens::new(document);
    let mut outer = None;
    let mut in_pre = false;
    // A feed that is an element of a page, and the length of the page's text before it.
    let mut within = None;
    let mut before = 0;
    while let Some(token) = tokens.next() {
        match (token, outer) {
            (Token::Start(tag), None) => {
                outer = Some(match &*tag.name {
                    "string" => Outer::Service,
                    name if name.rsplit(':').next() == Some("envelope") => Outer::Service,
                    "html" => Outer::Page,
                    _ => return None,
                });
            }
            (Token::Start(tag), Some(Outer::Page)) => {
                let is_view = within.is_none();
                in_pre = is_view && before == 0 && tag.name == "pre";
                if is_view && tag.attributes.get("id").is_some_and(|id| id.contains("xml-viewer-source")) {
                    outer = Some(Outer::Viewer);
                } else if is_feed(&tag) {
                    let feed = document.get(tokens.position().checked_sub(tag.length)?..)?;
                    return (text_after(feed, &tag.name) <= MAX_AROUND).then_some(Cow::Borrowed(feed));
                } else if !in_pre
                    && !begins_a_view(&tag)
                    && (shows_source(&tag) || !*within.get_or_insert_with(|| has_feed(document)))
                {
                    return None;
                }
            }
            (Token::Text(text), Some(Outer::Page)) if !in_pre && before + text.trim().len() <= MAX_AROUND => {
                before += text.trim().len();
            }
            (Token::Start(tag), Some(_)) if is_feed(&tag) => {
                return document.get(tokens.position().checked_sub(tag.length)?..).map(Cow::Borrowed);
            }
            (Token::Text(text), _) if !text.trim().is_empty() => {
                let is_whole = outer == Some(Outer::Service) || outer == Some(Outer::Page) && in_pre;
                let text = text.trim_start();
                // Only a CDATA section contains tags in its text.
                let is_escaped = text.starts_with(['&', '{']) && !text.contains('<');
                let text = if is_escaped { references::decode(text) } else { Cow::Borrowed(text) };
                return (is_whole && begins_a_feed(&text) && tokens.all(|token| is_empty(&token))).then_some(text);
            }
            _ => {}
        }
    }
    None
}

/// Returns the feed or list of a document that is escaped as a whole: a JSON string, text with backslashes before its quotes, or HTML's
/// references.
pub(crate) fn unescaped(document: &str) -> Option<Cow<'_, str>> {
    let document = document.trim();
    let head = document.get(..document.floor_char_boundary(MAX_AROUND))?;
    let text = if head.starts_with('"') {
        serde_json::from_str::<String>(document).ok()?
    } else if head.starts_with('<') && head.split('=').nth(1).is_some_and(|value| value.starts_with('\\')) {
        let quote = |c: char| matches!(c, '"' | '\'' | '\\');
        let mut characters = document.chars().peekable();
        let mut text = String::with_capacity(document.len());
        while let Some(c) = characters.next() {
            text.push(if c == '\\' { characters.next_if(|next| quote(*next)).unwrap_or(c) } else { c });
        }
        text
    } else if head.starts_with("&lt;") && !document.contains('<') {
        references::decode(document).into_owned()
    } else {
        return None;
    };
    begins_a_feed(&text).then_some(Cow::Owned(text))
}

/// Whether a browser's view of a text has such a tag before it.
fn begins_a_view(tag: &Tag<'_>) -> bool {
    match &*tag.name {
        "head" | "title" | "meta" | "style" | "body" => true,
        "link" => tag.attributes.get("rel").is_some_and(|rel| rel.eq_ignore_ascii_case("stylesheet")),
        _ => false,
    }
}

/// Returns the length of a page's text after a feed in it, which begins with this element; up to a little more than [`MAX_AROUND`].
fn text_after(feed: &str, name: &str) -> usize {
    let ends = memchr::memmem::rfind_iter(feed.as_bytes(), b"</");
    let end = ends
        .filter_map(|at| feed.get(at + 2..))
        .find(|end| end.as_bytes().get(..name.len()).is_some_and(|other| other.eq_ignore_ascii_case(name.as_bytes())));
    let mut length = 0;
    for token in Tokens::new(end.unwrap_or_default()) {
        if let Token::Text(text) = token {
            length += text.trim().len();
        }
        if length > MAX_AROUND {
            break;
        }
    }
    length
}

/// Whether a page with such a tag has a feed of its own, or samples of source text.
fn shows_source(tag: &Tag<'_>) -> bool {
    let attribute = |name: &str| tag.attributes.get(name);
    let is_code = |word: &str| ["code", "sourcecode"].iter().any(|name| word.eq_ignore_ascii_case(name));
    let names_code =
        || attribute("class").is_some_and(|class| class.split(|c: char| !c.is_alphanumeric()).any(is_code));
    let is_hidden = || attribute("hidden").is_some();
    let links_to_feed = || {
        attribute("rel").is_some_and(|rel| rel.eq_ignore_ascii_case("alternate"))
            && attribute("hreflang").is_none()
            && attribute("type").is_none_or(|kind| kind.contains("xml") || kind.contains("json"))
    };
    match &*tag.name {
        "blockquote" | "code" | "kbd" | "listing" | "noscript" | "plaintext" | "pre" | "samp" | "template"
        | "textarea" | "xml" | "xmp" => true,
        "link" => links_to_feed(),
        _ => names_code() || is_hidden(),
    }
}

/// Whether a page has a tag with the name of a feed's.
fn has_feed(document: &str) -> bool {
    memchr::memchr_iter(b'<', document.as_bytes()).any(|at| {
        let is_next = |name: &str| {
            document
                .as_bytes()
                .get(at + 1..at + 1 + name.len())
                .is_some_and(|n| n.eq_ignore_ascii_case(name.as_bytes()))
        };
        ["rss", "feed", "rdf:rdf"].into_iter().any(is_next)
    })
}

/// Whether nothing is shown. A viewer may add an empty element.
fn is_empty(token: &Token<'_>) -> bool {
    match token {
        Token::End(_) => true,
        Token::Start(tag) => tag.name == "div",
        Token::Text(text) => text.trim().is_empty(),
        Token::Raw { .. } => false,
    }
}

/// Whether an element is a feed by its name and attributes. Other documents have elements with the same names.
fn is_feed(tag: &Tag<'_>) -> bool {
    match &*tag.name {
        "rss" => tag.attributes.get("version").is_some(),
        "rdf:rdf" => true,
        "feed" => tag.attributes.get("xmlns").is_some_and(|space| space.to_ascii_lowercase().contains("atom")),
        _ => false,
    }
}

fn begins_a_feed(text: &str) -> bool {
    ["<?xml", "<rss", "<feed", "<rdf:RDF", "<opml", "{"].iter().any(|beginning| text.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::{Context, DocumentKind, Format, NotAFeed, parse};

    const RSS: &str = "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Fruit &amp; nuts</title>\
        <item><title>Plums</title><description>&lt;p>Ripe &amp;amp; sweet&lt;/p></description></item></channel></rss>";

    /// Feeds that hosts and templates put pages around, and pages with a sample of a feed.
    #[test]
    fn a_feed_with_a_page_around_it_is_read() {
        let rss = RSS.split_once("?>").unwrap().1;
        for document in [
            format!("<!DOCTYPE html><html><head><title>Feed</title></head><body>{RSS}</body></html>"),
            format!(
                "<html><head><script>if (1<2) {{}}</script></head><body><div id=banner><a href=/><img src=a></a></div>{rss}</body></html>"
            ),
            format!("<html><body><div><ul><li>Home<li>News</ul><main>{rss}</main></div><p>Imprint</p></body></html>"),
            format!("<html><head><link rel=alternate hreflang=de href=/de></head><body><p>{rss}</p></body></html>"),
            format!("<HTML><BODY>{}</BODY></HTML>", rss.replace("rss", "RSS").replace("channel", "CHANNEL")),
        ] {
            let parsed = parse(document.as_bytes(), Context::default()).unwrap();
            assert_eq!(parsed.feed.title.as_deref(), Some("Fruit & nuts"), "{document}");
            assert_eq!((parsed.items.len(), parsed.well_formed), (1, false), "{document}");
            assert_eq!(parsed.items[0].content.as_ref().unwrap().html, "<p>Ripe &amp; sweet</p>");
        }
        for page in [
            format!(
                "<html><head><link rel=alternate type=application/rss+xml href=/feed></head><body><p>{rss}</p></body></html>"
            ),
            format!("<html><body><p>Write this:</p><pre>{rss}</pre></body></html>"),
            format!(
                "<html><body>Write this:<pre>{}</pre></body></html>",
                rss.replace('&', "&amp;").replace('<', "&lt;")
            ),
            format!("<html><body><p>Write this: <code>{rss}</code></p></body></html>"),
            format!("<html><body><textarea>{rss}</textarea></body></html>"),
            format!("<html><body><p>{}</p>{rss}</body></html>", "About feeds. ".repeat(100)),
            format!("<html><body><h1>Feeds</h1><div>{rss}</div><p>{}</p></body></html>", "About feeds. ".repeat(100)),
            format!("<html><body><h1>Feeds</h1><blockquote>{rss}</blockquote></body></html>"),
            format!("<html><body><h1>Feeds</h1><div class=source-code>{rss}</div></body></html>"),
            format!("<html><body><h1>Feeds</h1><div hidden>{rss}</div></body></html>"),
            "<html><body><p>a</p><rss>b</rss><feed>c</feed></body></html>".to_owned(),
        ] {
            let page = parse(page.as_bytes(), Context::default()).unwrap_err();
            assert!(matches!(page, NotAFeed::Other { kind: DocumentKind::WebPage }), "{page:?}");
        }
    }

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
            format!("<html><body><pre>{escaped}</pre><p>That was a feed.</p></body></html>"),
            format!("<html><body><pre><code>{escaped}</code></pre></body></html>"),
            format!("<html><body><img src=a><pre>{escaped}</pre></body></html>"),
            format!("<html><head><link rel=alternate href=/feed></head><body><pre>{escaped}</pre></body></html>"),
            format!("<html><body><form><textarea>{escaped}</textarea></form></body></html>"),
            format!("<html><body><pre>{json}</pre><h1>JSON Feed</h1></body></html>"),
            format!("<html><body><div hidden>{json}</div></body></html>"),
            "<html><body><pre>&lt;rss version=\"2.0\"></pre></body></html>".to_owned(),
        ] {
            let page = parse(page.as_bytes(), Context::default()).unwrap_err();
            assert!(matches!(page, NotAFeed::Other { kind: DocumentKind::WebPage }), "{page:?}");
        }
        for other in [
            format!("<test><input><![CDATA[{RSS}]]></input></test>"),
            format!("<page><title>Example</title><pre>{escaped}</pre></page>"),
            "<farm><feed><entry><title>Hay</title></entry></feed></farm>".to_owned(),
        ] {
            assert!(parse(other.as_bytes(), Context::default()).is_err(), "{other}");
        }
    }
}

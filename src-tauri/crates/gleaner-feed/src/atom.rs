//! Atom 1.0 (RFC 4287) and 0.3: text constructs, entries and feeds; also Atom elements in RSS.

use crate::{
    address, categories,
    draft::{Draft, keep_first},
    links::{self, Alternate, Link},
    model::{Feed, Generator, ItemSource},
    namespace::Ns,
    people, rss, text,
    tree::Element,
};
use base64::Engine as _;
use std::sync::Arc;

/// Whether a version of Atom has an element of this name.
pub(crate) fn is_element(name: &str) -> bool {
    matches!(
        name.to_ascii_lowercase().as_str(),
        "author"
            | "category"
            | "content"
            | "contributor"
            | "copyright"
            | "created"
            | "entry"
            | "feed"
            | "generator"
            | "icon"
            | "id"
            | "info"
            | "issued"
            | "link"
            | "logo"
            | "modified"
            | "published"
            | "rights"
            | "source"
            | "subtitle"
            | "summary"
            | "tagline"
            | "title"
            | "updated"
    )
}

/// Content of a text construct.
enum Kind {
    Text,
    Html,
    Xhtml,
    /// XML of another kind without elements: text, or markup with a missing type.
    Guess,
    Other,
}

/// Returns the kind by `type`, or by `mode` and media type in Atom 0.3.
fn kind(element: Element<'_>) -> Kind {
    let written = element.attribute("type").map(str::to_ascii_lowercase);
    let mode = element.attribute("mode").map(str::to_ascii_lowercase);
    // A media type may have parameters.
    let kind = written.as_deref().and_then(|w| w.split(';').next()).map_or("text", str::trim_end);
    match (kind, mode.as_deref()) {
        (_, Some("xml")) if element.has_children() => Kind::Xhtml,
        ("xhtml" | "application/xhtml+xml", None | Some("xml")) => Kind::Xhtml,
        ("xhtml" | "application/xhtml+xml" | "html" | "text/html", _) => Kind::Html,
        ("text" | "text/plain", _) => Kind::Text,
        (other, _) if other.starts_with("text/") => Kind::Text,
        // Other inline XML may still contain readable text.
        (other, _) if other.ends_with("+xml") || other.ends_with("/xml") => {
            if element.has_children() {
                Kind::Xhtml
            } else {
                Kind::Guess
            }
        }
        _ => Kind::Other,
    }
}

/// Returns the text, decoded from base64 if necessary.
fn characters(element: Element<'_>) -> String {
    let characters = element.text();
    if is_base64(element)
        && let Some(Ok(decoded)) = decode_base64(&characters).map(String::from_utf8)
    {
        return decoded;
    }
    characters.into_owned()
}

/// Decodes base64; `None` if the text is not base64.
fn decode_base64(characters: &str) -> Option<Vec<u8>> {
    let packed: String = characters.chars().filter(|c| !c.is_whitespace()).collect();
    base64::engine::general_purpose::STANDARD.decode(packed).ok()
}

/// Whether the text is base64: by `mode` in Atom 0.3, by a media type other than text in Atom 1.0 (RFC 4287, section
/// 4.1.3.3).
fn is_base64(element: Element<'_>) -> bool {
    match element.attribute("mode") {
        Some(mode) => mode.eq_ignore_ascii_case("base64"),
        None => matches!(kind(element), Kind::Other),
    }
}

/// Returns XHTML content without the enclosing `div`, which is not part of it.
fn xhtml(element: Element<'_>) -> String {
    let mut children = element.children();
    match (children.next(), children.next()) {
        (Some(div), None) if div.name().eq_ignore_ascii_case("div") && element.own_text().trim().is_empty() => {
            div.inner_html()
        }
        (None, _) => markup_or_text(&element.text()),
        _ => element.inner_html(),
    }
}

/// Returns text as HTML: clear markup unchanged, everything else escaped.
fn markup_or_text(characters: &str) -> String {
    if text::looks_like_markup(characters) { characters.to_owned() } else { text::to_html(characters) }
}

/// Returns a text construct as plain text.
pub(crate) fn plain(element: Element<'_>) -> Option<String> {
    if element.has_children() {
        return match kind(element) {
            Kind::Html => rss::plain(element),
            _ => text::line_of_html(&element.inner_html()),
        };
    }
    let characters = characters(element);
    match kind(element) {
        Kind::Text => text::line(&characters),
        // XHTML text should have no markup, but some feeds declare XHTML and escape it.
        Kind::Xhtml | Kind::Guess => text::line_of_html(&markup_or_text(&characters)),
        _ => text::line_of_html(&characters),
    }
}

/// Returns a text construct or content element as HTML; `None` if it cannot be displayed.
pub(crate) fn html(element: Element<'_>) -> Option<String> {
    match kind(element) {
        Kind::Xhtml => Some(xhtml(element)),
        Kind::Html | Kind::Text if element.has_children() => {
            // Escaped markup next to tags or in a stray `div` is still markup.
            Some(rss::mixed_html(element).unwrap_or_else(|| xhtml(element)))
        }
        Kind::Html => Some(text::without_second_escaping(characters(element))),
        Kind::Text => {
            let characters = characters(element);
            // Many generators omit the type; titles that mention tags are rare.
            let untyped = element.attribute("type").is_none() && !is_base64(element);
            if untyped && text::looks_like_markup(&characters) {
                return Some(characters);
            }
            Some(text::to_html(&characters))
        }
        Kind::Guess => Some(markup_or_text(&characters(element))),
        Kind::Other if element.attribute("mode").is_some() => Some(characters(element)),
        // Decoded base64 is shown only if it is text.
        Kind::Other => match decode_base64(&element.text()) {
            Some(bytes) => String::from_utf8(bytes).ok().filter(|text| !text.contains('\0')),
            None => Some(markup_or_text(&element.text())),
        },
    }
}

/// Reads a child of an entry in Atom's namespace.
pub(crate) fn entry_child(draft: &mut Draft, child: Element<'_>, alternate: &mut Alternate) {
    let moments = &mut draft.moments;
    match &*child.name_in_lower_case() {
        "id" => draft.atom_id = draft.atom_id.take().or_else(|| child.trimmed()),
        "title" if draft.title.is_none() => draft.title = plain(child),
        "link" => {
            if let Some(link) = Link::read(child) {
                if link.rel == "alternate" {
                    alternate.offer(&link);
                } else {
                    links::of_item(draft, &link);
                }
            }
        }
        "published" | "issued" => moments.read(|moments| &mut moments.published, &child.date(), child.base()),
        "created" => moments.read(|moments| &mut moments.created, &child.date(), child.base()),
        "updated" | "modified" => moments.read(|moments| &mut moments.updated, &child.date(), child.base()),
        "author" => people::add(&mut draft.creators, people::from_atom(child)),
        "contributor" => people::add(&mut draft.item.contributors, people::from_atom(child)),
        "category" => categories::read(&mut draft.item.categories, child),
        "summary" => keep_first(&mut draft.bodies.summary, html(child).unwrap_or_default(), base(child)),
        "content" => content(draft, child),
        "rights" | "copyright" if draft.item.rights.is_none() => draft.item.rights = plain(child),
        "source" => source(draft, child),
        // RSS elements in the wrong namespace.
        "description" | "enclosure" | "comments" | "pubdate" => rss::item_child(draft, child),
        _ => {}
    }
}

/// Returns the base of a text construct or content element, which in XHTML may be that of its `div`.
fn base(element: Element<'_>) -> Option<Arc<str>> {
    let div = element.children().next().filter(|_| matches!(kind(element), Kind::Xhtml));
    div.unwrap_or(element).xml_base()
}

fn content(draft: &mut Draft, element: Element<'_>) {
    if element.attribute("src").is_some() {
        draft.item.content_src = element.address("src");
        return;
    }
    // The last of several alternative representations (Atom 0.3) is the richest (RFC 2046, section 5.1.4).
    let several = element.attribute("type").is_some_and(|kind| kind.eq_ignore_ascii_case("multipart/alternative"));
    let forms = element.children().filter(|c| several && c.ns() == element.ns() && c.is_named("content"));
    let element = forms.filter(|form| html(*form).is_some()).last().unwrap_or(element);
    if let Some(html) = html(element) {
        let base = base(element);
        // In Atom 0.3 several are alternatives; markup is richer than text.
        if element.ns() == Ns::Atom03 && matches!(kind(element), Kind::Html | Kind::Xhtml) && !html.trim().is_empty() {
            draft.bodies.full = None;
        }
        keep_first(&mut draft.bodies.full, html, base);
    }
}

/// Reads `atom:source`, the original feed of a republished entry.
fn source(draft: &mut Draft, element: Element<'_>) {
    let mut title = None;
    let (mut own, mut alternate, mut id) = (None, Alternate::default(), None);
    for child in element.children().filter(|c| c.ns() == element.ns() || c.ns().is_atom()) {
        match &*child.name_in_lower_case() {
            "title" if title.is_none() => title = plain(child),
            "id" => id = child.trimmed().filter(|id| address::is_web(id)),
            "author" => people::add(&mut draft.source_authors, people::from_atom(child)),
            "link" => match Link::read(child) {
                Some(link) if link.rel == "self" => own = own.or(Some(link.url)),
                Some(link) if link.rel == "alternate" => alternate.offer(&link),
                _ => {}
            },
            _ => {}
        }
    }
    let url = own.or(alternate.url).or(id);
    if title.is_some() || url.is_some() {
        draft.item.source = Some(ItemSource { title, url });
    }
}

/// Reads a child of a feed in Atom's namespace.
pub(crate) fn feed_child(feed: &mut Feed, child: Element<'_>, alternate: &mut Alternate) {
    match &*child.name_in_lower_case() {
        "id" if feed.id.is_none() => feed.id = child.trimmed(),
        "title" if feed.title.is_none() => feed.title = plain(child),
        "subtitle" | "tagline" if feed.description.is_none() => feed.description = plain(child),
        "info" if feed.description.is_none() => feed.description = plain(child),
        "link" => {
            if let Some(link) = Link::read(child) {
                if link.rel == "alternate" {
                    alternate.offer(&link);
                } else {
                    links::of_feed(feed, &link);
                }
            }
        }
        "updated" | "modified" if feed.updated.is_none() => {
            feed.updated = child.base().orders.parse(&child.date()).map(|m| m.at)
        }
        "published" | "issued" | "created" if feed.published.is_none() => {
            feed.published = child.base().orders.parse(&child.date()).map(|m| m.at)
        }
        "author" => people::add(&mut feed.authors, people::from_atom(child)),
        "contributor" => people::add(&mut feed.contributors, people::from_atom(child)),
        "category" => categories::read(&mut feed.categories, child),
        "generator" if feed.generator.is_none() => {
            let url = child.address("uri").or_else(|| child.address("url"));
            let name = text::line_of_html(&child.text());
            let version = child.attribute("version").map(str::to_owned);
            if name.is_some() || url.is_some() || version.is_some() {
                feed.generator = Some(Generator { name, url, version });
            }
        }
        "icon" if feed.icon_url.is_none() => feed.icon_url = child.text_address(),
        "logo" if feed.image.is_none() => {
            feed.image = child.text_address().map(|url| crate::model::Image { url, ..Default::default() });
        }
        "rights" | "copyright" if feed.rights.is_none() => feed.rights = plain(child),
        "description" | "pubdate" | "lastbuilddate" | "language" | "ttl" | "image" | "skiphours" | "skipdays"
        | "cloud" => rss::channel_child(feed, child),
        _ => {}
    }
}

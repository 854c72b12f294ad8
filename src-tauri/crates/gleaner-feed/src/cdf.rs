//! Channel Definition Format (Microsoft, 1997): attributes where others have elements, in any case of letters.

use crate::{
    address,
    draft::{Draft, Moments, keep_first},
    model::{Feed, Image, Item},
    rss, text,
    tree::Element,
};

fn child<'t>(element: Element<'t>, name: &str) -> Option<Element<'t>> {
    element.children().find(|c| c.name().eq_ignore_ascii_case(name))
}

/// Whether an item is CDF's: its address is an attribute, or in an `A`.
pub(crate) fn is_item(element: Element<'_>) -> bool {
    ["href", "lastmod", "level", "precache"].iter().any(|name| element.attribute(name).is_some())
        || child(element, "a").is_some()
        || child(element, "abstract").is_some()
}

/// Whether a channel is CDF's.
pub(crate) fn is_channel(element: Element<'_>) -> bool {
    ["href", "lastmod", "base", "self"].iter().any(|name| element.attribute(name).is_some())
        || ["schedule", "logo", "abstract"].iter().any(|name| child(element, name).is_some())
}

fn href(element: Element<'_>, base: Option<&str>) -> Option<String> {
    let own = element.parent().and_then(|p| p.attribute("base")).and_then(|b| address::absolute(b, base));
    let written = element.attribute("href").or_else(|| child(element, "a").and_then(|a| a.attribute("href")))?;
    address::absolute(written, own.as_deref().or(base))
}

pub(crate) fn item(element: Element<'_>, base: Option<&str>) -> Item {
    let mut draft = Draft { link: href(element, base), ..Draft::default() };
    draft.title = child(element, "title").and_then(rss::plain);
    if let Some(body) = child(element, "abstract").or_else(|| child(element, "description")) {
        let written = rss::html(body);
        keep_first(
            &mut draft.bodies.description,
            if text::looks_like_html(&written) { written } else { text::to_html(&written) },
            None,
        );
    }
    if let Some(lastmod) = element.attribute("lastmod") {
        let moments = &mut draft.moments;
        Moments::read(&mut moments.pub_date, &mut moments.unreadable, lastmod);
    }
    draft.finish()
}

pub(crate) fn channel(feed: &mut Feed, element: Element<'_>, base: Option<&str>) {
    feed.title = child(element, "title").and_then(rss::plain);
    feed.description = child(element, "abstract").or_else(|| child(element, "description")).and_then(rss::plain);
    feed.home_url = href(element, base);
    feed.feed_url = element.attribute("self").and_then(|u| address::absolute(u, base));
    feed.updated = element.attribute("lastmod").and_then(crate::dates::parse).map(|m| m.at);
    for logo in element.children().filter(|c| c.name().eq_ignore_ascii_case("logo")) {
        let url = logo.attribute("href").and_then(|u| address::absolute(u, base));
        match logo.attribute("style").map(str::to_ascii_lowercase).as_deref() {
            Some("icon") => feed.icon_url = feed.icon_url.take().or(url),
            _ if feed.image.is_none() => feed.image = url.map(|url| Image { url, ..Image::default() }),
            _ => {}
        }
    }
}

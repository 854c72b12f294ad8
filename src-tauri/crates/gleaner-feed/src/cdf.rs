//! Channel Definition Format (Microsoft, 1997): data in attributes, names in any case.

use crate::{
    base::Base,
    draft::{Draft, keep_first},
    model::{Feed, Image, Item},
    people, rss, text,
    tree::Element,
};
use std::borrow::Cow;

fn child<'t>(element: Element<'t>, name: &str) -> Option<Element<'t>> {
    element.children().find(|c| c.name().eq_ignore_ascii_case(name))
}

/// Returns a child's text as HTML; drafts of the format had it in an attribute.
fn written(element: Element<'_>, names: &[&str]) -> Option<String> {
    let found = names.iter().find_map(|name| child(element, name))?;
    Some(found.attribute("value").map_or_else(|| rss::html(found), str::to_owned))
}

fn plain(element: Element<'_>, names: &[&str]) -> Option<String> {
    text::line_of_html(&written(element, names)?)
}

/// Whether an item has the form of CDF: its URL is an attribute, or in an `A` element.
pub(crate) fn is_item(element: Element<'_>) -> bool {
    ["href", "lastmod", "level", "precache"].iter().any(|name| element.attribute(name).is_some())
        || child(element, "a").is_some()
        || child(element, "abstract").is_some()
}

/// Whether a channel has the form of CDF.
pub(crate) fn is_channel(element: Element<'_>) -> bool {
    ["href", "lastmod", "base", "self"].iter().any(|name| element.attribute(name).is_some())
        || ["schedule", "logo", "abstract"].iter().any(|name| child(element, name).is_some())
}

/// Base of relative URLs in a channel or its items: the nearest channel's `BASE`.
fn base_of<'t>(element: Element<'t>) -> Cow<'t, Base> {
    let written = element.attribute("base").or_else(|| element.parent().and_then(|p| p.attribute("base")));
    let declared = written.and_then(|written| element.base().declared(written));
    declared.map_or(Cow::Borrowed(element.base()), Cow::Owned)
}

fn href(element: Element<'_>) -> Option<String> {
    let written = element.attribute("href").or_else(|| child(element, "a").and_then(|a| a.attribute("href")))?;
    base_of(element).absolute(written)
}

pub(crate) fn item(element: Element<'_>) -> Item {
    let mut draft = Draft { link: href(element), ..Draft::default() };
    draft.title = plain(element, &["title"]);
    if let Some(written) = written(element, &["abstract", "description"]) {
        keep_first(
            &mut draft.bodies.description,
            if text::looks_like_html(&written) { written } else { text::to_html(&written) },
            None,
        );
    }
    if let Some(lastmod) = element.attribute("lastmod") {
        draft.moments.read(|moments| &mut moments.pub_date, lastmod, element.base());
    }
    draft.finish(element.base())
}

/// Returns the update interval of the channel, in minutes.
fn interval(element: Element<'_>) -> Option<u32> {
    let part = |name: &str| element.attribute(name).and_then(|n| n.parse::<u32>().ok()).unwrap_or(0);
    let hours = part("day").checked_mul(24)?.checked_add(part("hour"))?;
    hours.checked_mul(60)?.checked_add(part("min")).filter(|minutes| *minutes > 0)
}

pub(crate) fn channel(feed: &mut Feed, element: Element<'_>) {
    feed.title = plain(element, &["title"]);
    feed.description = plain(element, &["abstract", "description"]);
    feed.rights = plain(element, &["copyright"]);
    people::add(&mut feed.authors, plain(element, &["author"]).as_deref().map(people::parse).unwrap_or_default());
    feed.update_period_minutes = child(element, "schedule").and_then(|s| child(s, "intervaltime")).and_then(interval);
    feed.home_url = href(element);
    let base = base_of(element);
    feed.feed_url = element.attribute("self").and_then(|u| base.absolute(u));
    feed.updated = element.attribute("lastmod").and_then(|written| element.base().orders.parse(written)).map(|m| m.at);
    for logo in element.children().filter(|c| c.name().eq_ignore_ascii_case("logo")) {
        let url = logo.attribute("href").and_then(|u| base.absolute(u));
        match logo.attribute("style").map(str::to_ascii_lowercase).as_deref() {
            Some("icon") => feed.icon_url = feed.icon_url.take().or(url),
            _ if feed.image.is_none() => feed.image = url.map(|url| Image { url, ..Image::default() }),
            _ => {}
        }
    }
}

//! RSS of every version: channel and item elements of the format itself, without modules.

use crate::{
    address, categories,
    draft::{Draft, keep_first},
    links::{self, Link},
    model::{Cloud, Enclosure, Feed, Generator, Image, ItemSource, TextInput},
    namespace::Ns,
    people, text,
    tree::Element,
};
use url::Url;

/// Whether a version of RSS has an element of this name.
pub(crate) fn is_element(name: &str) -> bool {
    matches!(
        name.to_ascii_lowercase().as_str(),
        "author"
            | "category"
            | "channel"
            | "cloud"
            | "comments"
            | "copyright"
            | "description"
            | "docs"
            | "enclosure"
            | "generator"
            | "guid"
            | "image"
            | "item"
            | "items"
            | "language"
            | "lastbuilddate"
            | "link"
            | "managingeditor"
            | "pubdate"
            | "rating"
            | "skipdays"
            | "skiphours"
            | "source"
            | "textinput"
            | "title"
            | "ttl"
            | "webmaster"
    )
}

/// Returns the content of an HTML element, written as text or as XML markup.
pub(crate) fn html(element: Element<'_>) -> String {
    if element.has_children() {
        mixed_html(element).unwrap_or_else(|| element.inner_html())
    } else {
        text::without_second_escaping(element.text().into_owned())
    }
}

/// Returns the HTML of an element with children if its text is HTML, too: escaped markup next to tags, or in a `div`.
/// Escaped markup deeper inside, as in `code`, is to be displayed.
pub(crate) fn mixed_html(element: Element<'_>) -> Option<String> {
    let mut at = element;
    loop {
        let text = at.own_text();
        if text::looks_like_markup(&text) {
            return Some(at.inner_html_of_html());
        }
        let mut children = at.children();
        let only = children.next().filter(|_| children.next().is_none() && text.trim().is_empty())?;
        let is_wrapper = ["div", "p", "span", "body", "html"].iter().any(|name| only.name().eq_ignore_ascii_case(name));
        at = is_wrapper.then_some(only)?;
    }
}

/// Returns the content of an element as plain text.
pub(crate) fn plain(element: Element<'_>) -> Option<String> {
    // Its text is HTML, with or without tags.
    text::line_of_html(&element.inner_html_of_html())
}

/// Reads a child of an item, of RSS itself.
pub(crate) fn item_child(draft: &mut Draft, child: Element<'_>) {
    let base = child.base();
    let moments = &mut draft.moments;
    match child.name().to_ascii_lowercase().as_str() {
        "title" if draft.title.is_none() => draft.title = plain(child),
        "link" => {
            // An Atom link without its namespace has attributes instead of text.
            let written = link_text(child);
            if written.is_none() && child.attribute("href").is_some() {
                if let Some(link) = Link::read(child) {
                    if link.rel == "alternate" { draft.link = Some(link.url) } else { links::of_item(draft, &link) }
                }
            } else if let Some(url) = written.and_then(|w| base.absolute(&w)) {
                // If there are several links, the last one is the item's own, as in other feed readers.
                draft.link = Some(url);
            }
        }
        "guid" => {
            // If there are several, the last one counts, as for links.
            if let Some(guid) = child.trimmed() {
                draft.guid = Some(guid);
                let flag = child.attribute("ispermalink");
                draft.is_explicit_permalink = flag.is_some_and(|f| f.eq_ignore_ascii_case("true"));
                draft.item.guid_is_permalink = Some(
                    !flag.is_some_and(|f| f.eq_ignore_ascii_case("false") || f == "0" || f.eq_ignore_ascii_case("no")),
                );
            }
        }
        "description" | "encoded" => match child.child(Ns::Content, "encoded") {
            Some(full) => {
                keep_first(&mut draft.bodies.full, html(full), full.xml_base());
                keep_first(&mut draft.bodies.description, child.own_text().into_owned(), child.xml_base());
            }
            None => keep_first(&mut draft.bodies.description, html(child), child.xml_base()),
        },
        "summary" => keep_first(&mut draft.bodies.summary, html(child), child.xml_base()),
        "content" | "body" | "fullitem" | "fulltext" | "full-text" | "full_text" => {
            keep_first(&mut draft.bodies.full, html(child), child.xml_base())
        }
        "author" | "creator" => {
            let persons = if child.has_children() { people::from_atom(child) } else { people::parse(&child.text()) };
            people::add(&mut draft.authors, persons);
        }
        "contributor" => people::add(&mut draft.item.contributors, people::from_atom(child)),
        "category" => {
            if child.attribute("term").is_some() {
                categories::read(&mut draft.item.categories, child);
            } else {
                categories::add(&mut draft.item.categories, &child.text(), child.attribute("domain"), None);
            }
        }
        "keywords" | "tags" | "tag" => {
            child.text().split(',').for_each(|term| categories::add(&mut draft.item.categories, term, None, None))
        }
        // Atom's id without its namespace.
        "id" if draft.atom_id.is_none() => draft.atom_id = child.trimmed(),
        "pubdate" => moments.read(|moments| &mut moments.pub_date, &child.date(), child.base()),
        "published" | "issued" | "date" => moments.read(|moments| &mut moments.published, &child.date(), child.base()),
        "created" => moments.read(|moments| &mut moments.created, &child.date(), child.base()),
        "updated" | "modified" | "lastbuilddate" => {
            moments.read(|moments| &mut moments.updated, &child.date(), child.base())
        }
        "enclosure" => {
            if let Some(enclosure) = enclosure(child) {
                links::push_enclosure(&mut draft.item.enclosures, enclosure);
            }
        }
        "comments" if draft.item.comments_url.is_none() => {
            // Some feeds put text or a number here instead of a URL.
            let is_number = |written: &str| written.bytes().all(|b| b.is_ascii_digit());
            let written = child.trimmed().filter(|w| !w.contains(char::is_whitespace) && !is_number(w));
            draft.item.comments_url = written.and_then(|w| base.absolute(&w));
        }
        "source" if draft.item.source.is_none() => {
            let (title, url) = (plain(child), child.address("url"));
            if title.is_some() || url.is_some() {
                draft.item.source = Some(ItemSource { title, url });
            }
        }
        "copyright" | "rights" if draft.item.rights.is_none() => draft.item.rights = plain(child),
        "language" if draft.item.language.is_none() => draft.item.language = language(&child.text()),
        "image" if draft.itunes_image.is_none() => draft.itunes_image = image_of_item(child),
        // Names that several publishers and plugins of WordPress use.
        "thumbnail" | "storyimage" | "fullimage" | "featuredimage" | "featured_image" | "post-thumbnail"
        | "imageurl" | "image_url"
            if draft.thumbnail.is_none() =>
        {
            draft.thumbnail = image_of_item(child);
        }
        _ => {}
    }
}

/// Returns the address of an image, in any of the forms that feeds have for it.
fn image_of_item(child: Element<'_>) -> Option<String> {
    let written = child.children().find(|c| c.name() == "url").and_then(|u| u.trimmed());
    let written = written.or_else(|| child.attribute("href").or_else(|| child.attribute("url")).map(str::to_owned));
    child.base().absolute(&written.or_else(|| child.trimmed().filter(|t| address::is_web(t)))?)
}

/// Returns the URL in a link, or behind it: written as HTML, it has no content.
fn link_text(element: Element<'_>) -> Option<String> {
    let behind = || element.text_behind().map(str::trim).filter(|text| address::is_web(text)).map(str::to_owned);
    links::written(element).or_else(behind)
}

pub(crate) fn enclosure(element: Element<'_>) -> Option<Enclosure> {
    let written = element.attribute("url").or_else(|| element.attribute("href"));
    let resource = || element.attribute_in(Ns::Rdf, "resource").or_else(|| element.attribute("resource"));
    // Some programs write elements instead of attributes.
    let part = |name: &str| element.children().find(|child| child.name() == name).and_then(|child| child.trimmed());
    let written = written.or_else(resource).map(str::to_owned).or_else(|| part("url")).or_else(|| element.trimmed());
    let length = element.attribute("length").map(str::to_owned).or_else(|| part("length"));
    Some(Enclosure {
        url: element.base().absolute(&written?)?,
        mime_type: element.attribute("type").map(str::to_owned).or_else(|| part("type")),
        length: length.and_then(|l| l.replace([',', ' '], "").parse().ok()),
        title: element.attribute("title").and_then(text::line),
        duration_seconds: None,
    })
}

/// Returns a language tag in lower case. Programs often write the name of a locale, such as `pt_BR`.
pub(crate) fn language(written: &str) -> Option<String> {
    text::line(written).map(|l| l.to_lowercase().replace('_', "-"))
}

/// Reads a child of a channel, of RSS itself.
pub(crate) fn channel_child(feed: &mut Feed, child: Element<'_>) {
    let base = child.base();
    let text = |element: Element<'_>| text::line(&element.text());
    let date = |element: Element<'_>| element.base().orders.parse(&element.date()).map(|m| m.at);
    match child.name().to_ascii_lowercase().as_str() {
        "title" if feed.title.is_none() => feed.title = plain(child),
        "link" => {
            let written = link_text(child);
            if written.is_none() && child.attribute("href").is_some() {
                if let Some(link) = Link::read(child) {
                    if link.rel == "alternate" { feed.home_url = Some(link.url) } else { links::of_feed(feed, &link) }
                }
            } else if let Some(url) = written.and_then(|w| base.absolute(&w)) {
                feed.home_url = Some(url);
            }
        }
        "description" | "tagline" | "subtitle" if feed.description.is_none() => feed.description = plain(child),
        "language" if feed.language.is_none() => feed.language = language(&child.text()),
        "copyright" | "rights" if feed.rights.is_none() => feed.rights = plain(child),
        "managingeditor" if feed.managing_editor.is_none() => feed.managing_editor = text(child),
        "webmaster" if feed.web_master.is_none() => feed.web_master = text(child),
        "pubdate" if feed.published.is_none() => feed.published = date(child),
        "lastbuilddate" | "updated" | "modified" if feed.updated.is_none() => feed.updated = date(child),
        "author" | "creator" => {
            let persons = if child.has_children() { people::from_atom(child) } else { people::parse(&child.text()) };
            people::add(&mut feed.authors, persons);
        }
        "category" => {
            if child.attribute("term").is_some() {
                categories::read(&mut feed.categories, child);
            } else {
                categories::add(&mut feed.categories, &child.text(), child.attribute("domain"), None);
            }
        }
        "generator" if feed.generator.is_none() => feed.generator = text(child).map(|written| generator(&written)),
        "docs" if feed.docs_url.is_none() => feed.docs_url = child.text_address(),
        "rating" if feed.rating.is_none() => feed.rating = text(child),
        "ttl" if feed.ttl_minutes.is_none() => feed.ttl_minutes = number(child).filter(|n| *n > 0),
        // In RSS 1.0 the channel only refers to the image, which is its sibling.
        "image" if feed.image.as_ref().is_none_or(|i| i.title.is_none() && child.has_children()) => {
            feed.image = image(child).or_else(|| feed.image.take());
        }
        "cloud" if feed.cloud.is_none() => feed.cloud = Some(cloud(child)),
        "textinput" if feed.text_input.is_none() && child.has_children() => feed.text_input = Some(text_input(child)),
        "skiphours" => {
            for hour in child.children().filter_map(number::<u8>) {
                // In RSS 0.91 hours count from 1, and 24 means midnight.
                let hour = if hour == 24 { 0 } else { hour };
                if hour < 24 && !feed.skip_hours.contains(&hour) {
                    feed.skip_hours.push(hour);
                }
            }
        }
        "skipdays" => {
            for day in child.children().filter_map(text).map(|d| d.to_lowercase()) {
                let known = matches!(
                    day.as_str(),
                    "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday"
                );
                if known && !feed.skip_days.contains(&day) {
                    feed.skip_days.push(day);
                }
            }
        }
        _ => {}
    }
}

fn number<N: std::str::FromStr>(element: Element<'_>) -> Option<N> {
    element.text().trim().parse().ok()
}

/// Reads a generator. A bare URL gives the host as name and `v` as version.
pub(crate) fn generator(written: &str) -> Generator {
    match Url::parse(written) {
        Ok(url) if address::is_web(written) => Generator {
            name: url.host_str().map(str::to_owned),
            version: url.query_pairs().find(|(key, _)| key == "v").map(|(_, v)| v.into_owned()),
            url: Some(written.to_owned()),
        },
        _ => Generator { name: text::line_of_html(written), ..Generator::default() },
    }
}

fn image(element: Element<'_>) -> Option<Image> {
    let mut image = Image::default();
    for child in element.children().filter(|c| c.ns() == element.ns() || c.ns().is_rss()) {
        match child.name().to_ascii_lowercase().as_str() {
            "url" => image.url = child.text_address().unwrap_or_default(),
            "title" => image.title = plain(child),
            "link" => image.link = child.text_address(),
            "width" => image.width = number(child),
            "height" => image.height = number(child),
            "description" => image.description = plain(child),
            _ => {}
        }
    }
    if image.url.is_empty() {
        let resource = element.attribute("href").or_else(|| element.attribute("url"));
        let resource = resource.or_else(|| element.attribute_in(Ns::Rdf, "resource"));
        let written = resource.map(str::to_owned).or_else(|| element.trimmed().filter(|t| address::is_web(t)));
        image.url = written.and_then(|w| element.base().absolute(&w))?;
    }
    Some(image)
}

fn cloud(element: Element<'_>) -> Cloud {
    let attribute = |name: &str| element.attribute(name).map(str::to_owned);
    Cloud {
        domain: attribute("domain"),
        port: element.attribute("port").and_then(|p| p.parse().ok()),
        path: attribute("path"),
        procedure: attribute("registerprocedure"),
        protocol: attribute("protocol"),
    }
}

fn text_input(element: Element<'_>) -> TextInput {
    let mut input = TextInput::default();
    for child in element.children().filter(|c| c.ns() == element.ns() || c.ns().is_rss()) {
        match child.name().to_ascii_lowercase().as_str() {
            "title" => input.title = plain(child),
            "description" => input.description = plain(child),
            "name" => input.name = text::line(&child.text()),
            "link" => input.link = child.text_address(),
            _ => {}
        }
    }
    input
}

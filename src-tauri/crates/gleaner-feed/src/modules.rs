//! Modules: elements of other vocabularies in items and channels, by their namespace. Unknown ones are skipped with
//! their content.

mod media;
mod podcast;

pub(crate) use podcast::duration;

use crate::{
    address, categories,
    draft::{Draft, keep_first},
    links,
    model::{Feed, Generator, Image, ItemSource},
    namespace::Ns,
    people, rss, services, text,
    tree::Element,
};
use std::borrow::Cow;

/// Returns the name of an element in lower case: some feeds write `dc:Creator`, and others are written by programs for HTML, where
/// all names are in lower case.
fn name(element: Element<'_>) -> Cow<'_, str> {
    let name = element.name();
    if name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(name.to_ascii_lowercase())
    } else {
        Cow::Borrowed(name)
    }
}

/// Reads a child of an item in a module's namespace.
pub(crate) fn item_child(draft: &mut Draft, child: Element<'_>) {
    let moments = &mut draft.moments;
    match (child.ns(), &*name(child)) {
        (Ns::Content, "encoded") => keep_first(&mut draft.bodies.full, rss::html(child), child.xml_base()),
        (Ns::Content, "items") => content_items(draft, child),
        (Ns::Yandex, "full-text" | "fulltext" | "content") => {
            let html = services::without_page(&as_html(child));
            keep_first(&mut draft.bodies.for_services, html, child.xml_base())
        }
        (Ns::Xhtml, "body" | "div") => keep_first(&mut draft.bodies.full, child.inner_html(), child.xml_base()),
        (Ns::Dc | Ns::DcTerms, "title") if draft.other_title.is_none() => draft.other_title = rss::plain(child),
        (Ns::Dc | Ns::DcTerms, "creator" | "author") => people::add(&mut draft.creators, people::parse(&child.text())),
        (Ns::Dc | Ns::DcTerms, "contributor") => {
            people::add(&mut draft.item.contributors, people::parse(&child.text()))
        }
        (Ns::Dc | Ns::DcTerms, "subject") => categories::add(&mut draft.item.categories, &child.text(), None, None),
        (Ns::Dc | Ns::DcTerms, "description" | "abstract") => {
            keep_first(&mut draft.bodies.other, rss::html(child), child.xml_base())
        }
        (Ns::Dc | Ns::DcTerms, "rights") if draft.item.rights.is_none() => draft.item.rights = rss::plain(child),
        (Ns::Dc | Ns::DcTerms, "language") if draft.item.language.is_none() => {
            draft.item.language = rss::language(&child.text())
        }
        (Ns::Dc | Ns::DcTerms, "source") => {
            let written = child.text();
            let url = Some(written.trim()).filter(|w| address::is_web(w)).map(str::to_owned);
            let title = rss::plain(child).filter(|_| url.is_none());
            if title.is_some() || url.is_some() {
                links::push_via(&mut draft.item.via, ItemSource { title, url });
            }
        }
        (Ns::Dc | Ns::DcTerms, "date") => moments.read(|moments| &mut moments.dc, &child.date(), child.base()),
        (Ns::DcTerms, "issued" | "datesubmitted") => {
            moments.read(|moments| &mut moments.published, &child.date(), child.base())
        }
        (Ns::DcTerms, "created" | "available") => {
            moments.read(|moments| &mut moments.created, &child.date(), child.base())
        }
        (Ns::DcTerms, "modified") => moments.read(|moments| &mut moments.updated, &child.date(), child.base()),
        // `coverDate` is the date on the issue, often one in the future.
        (Ns::Prism, "publicationdate") => moments.read(|moments| &mut moments.prism, &child.date(), child.base()),
        (Ns::Slash, "comments") if draft.item.comments_count.is_none() => {
            draft.item.comments_count = child.text().trim().parse().ok()
        }
        (Ns::Threading, "total") if draft.item.comments_count.is_none() => {
            draft.item.comments_count = child.text().trim().parse().ok()
        }
        (Ns::Wfw, "commentrss") if draft.item.comments_feed_url.is_none() => {
            draft.item.comments_feed_url = child.text_address();
        }
        (Ns::FeedBurner, "origlink") => draft.orig_link = child.text_address(),
        (Ns::Enclosure, "enclosure") => {
            if let Some(enclosure) = rss::enclosure(child) {
                links::push_enclosure(&mut draft.item.enclosures, enclosure);
            }
        }
        (Ns::Taxonomy, "topics" | "topic") => topics(&mut draft.item.categories, child),
        (Ns::FeedBurner, "origenclosurelink") => draft.orig_enclosure = child.text_address(),
        (Ns::CreativeCommons, "license") | (Ns::DcTerms, "license") => {
            let license = license(child);
            draft.item.license_url = draft.item.license_url.take().or(license);
        }
        (Ns::Hatena, "imageurl") | (Ns::Google, "image_link") if draft.itunes_image.is_none() => {
            draft.itunes_image = child.text_address();
        }
        (Ns::Hatena, "bookmarkcommentlistpageurl") if draft.item.comments_url.is_none() => {
            draft.item.comments_url = child.text_address();
        }
        (Ns::Google, "title") if draft.other_title.is_none() => draft.other_title = rss::plain(child),
        (Ns::Google, "description") => keep_first(&mut draft.bodies.other, rss::html(child), child.xml_base()),
        (Ns::Google, "link") if draft.orig_link.is_none() => draft.orig_link = child.text_address(),
        (Ns::Source, "markdown") if draft.markdown.is_none() => draft.markdown = child.trimmed(),
        (Ns::Itunes, _) => podcast::itunes_item(draft, child),
        (Ns::Podcast, _) => podcast::item_child(draft, child),
        (Ns::Chapters, "chapters") => podcast::simple_chapters(draft, child),
        (Ns::RawVoice, "poster") if draft.itunes_image.is_none() => draft.itunes_image = child.address("url"),
        (Ns::Media, _) => media::item_child(draft, child),
        _ => {}
    }
}

/// Returns the URL of a licence: the element's text, or the referenced resource.
fn license(element: Element<'_>) -> Option<String> {
    let resource = element.attribute_in(Ns::Rdf, "resource").or_else(|| element.attribute("resource"));
    let written = resource.map(str::to_owned).or_else(|| element.trimmed().filter(|t| address::is_absolute(t)))?;
    element.base().absolute(&written)
}

/// Reads the first content module of RSS 1.0: `content:items/rdf:Bag/rdf:li/content:item/rdf:value`.
fn content_items(draft: &mut Draft, element: Element<'_>) {
    let items = element.children().flat_map(|bag| bag.children()).flat_map(|li| li.children());
    for item in items.filter(|e| e.name() == "item") {
        if let Some(value) = item.child(Ns::Rdf, "value") {
            keep_first(&mut draft.bodies.full, rss::html(value), value.xml_base());
        }
    }
}

/// Reads the topics of mod_taxonomy, which are given by URL only.
fn topics(list: &mut Vec<crate::model::Category>, element: Element<'_>) {
    let resource = |e: Element<'_>| {
        let resource = e
            .attribute_in(Ns::Rdf, "resource")
            .or_else(|| e.attribute("resource"))
            .or_else(|| e.attribute_in(Ns::Rdf, "about"));
        resource.map(str::to_owned)
    };
    let members = element.children().flat_map(|bag| bag.children());
    for url in members.filter_map(resource).chain(resource(element)) {
        categories::add(list, &address::topic(&url), Some(&url), None);
    }
}

/// Returns text, plain or HTML, as HTML.
fn as_html(element: Element<'_>) -> String {
    let written = rss::html(element);
    if element.has_children() || text::looks_like_html(&written) { written } else { text::to_html(&written) }
}

fn keywords(list: &mut Vec<crate::model::Category>, element: Element<'_>) {
    element.text().split(',').for_each(|term| categories::add(list, term, None, None));
}

/// Reads a child of a channel or feed in a module's namespace.
pub(crate) fn feed_child(feed: &mut Feed, child: Element<'_>, schedule: &mut Schedule) {
    match (child.ns(), &*name(child)) {
        (Ns::Dc | Ns::DcTerms, "title") if feed.title.is_none() => feed.title = rss::plain(child),
        (Ns::Dc | Ns::DcTerms, "description" | "abstract") if feed.description.is_none() => {
            feed.description = rss::plain(child)
        }
        (Ns::Dc | Ns::DcTerms, "creator" | "author") => people::add(&mut feed.authors, people::parse(&child.text())),
        (Ns::Dc | Ns::DcTerms, "contributor") => people::add(&mut feed.contributors, people::parse(&child.text())),
        (Ns::Dc | Ns::DcTerms, "subject") => categories::add(&mut feed.categories, &child.text(), None, None),
        (Ns::Dc | Ns::DcTerms, "rights") if feed.rights.is_none() => feed.rights = rss::plain(child),
        (Ns::Dc | Ns::DcTerms, "language") if feed.language.is_none() => feed.language = rss::language(&child.text()),
        (Ns::Dc | Ns::DcTerms, "date") | (Ns::DcTerms, "modified") if feed.updated.is_none() => {
            feed.updated = child.base().orders.parse(&child.date()).map(|m| m.at)
        }
        (Ns::DcTerms, "issued" | "created") if feed.published.is_none() => {
            feed.published = child.base().orders.parse(&child.date()).map(|m| m.at)
        }
        (Ns::Syndication, "updateperiod") => schedule.period = period(child.text().trim()),
        (Ns::Syndication, "updatefrequency") => {
            schedule.frequency = child.text().trim().parse().ok().filter(|f| *f > 0)
        }
        (Ns::Admin, "generatoragent") if feed.generator.is_none() => {
            let url = child.attribute_in(Ns::Rdf, "resource").or_else(|| child.attribute("resource"));
            feed.generator = url.map(|url| {
                let mut generator = rss::generator(url);
                if generator.url.is_none() {
                    generator = Generator { url: Some(url.to_owned()), ..generator };
                }
                generator
            });
        }
        (Ns::Taxonomy, "topics" | "topic") => topics(&mut feed.categories, child),
        (Ns::CreativeCommons, "license") | (Ns::DcTerms, "license") if feed.license_url.is_none() => {
            feed.license_url = license(child)
        }
        (Ns::Itunes, _) => podcast::itunes_feed(feed, child, schedule),
        (Ns::Podcast, _) => podcast::feed_child(feed, child, schedule),
        (Ns::WebFeeds, "icon") if feed.icon_url.is_none() => feed.icon_url = child.text_address(),
        (Ns::RawVoice, "rating") if feed.rating.is_none() => feed.rating = text::line(&child.text()),
        (Ns::RawVoice, "donate") => podcast::funding(feed, child, "href"),
        (Ns::Media, "thumbnail") if schedule.image.is_none() => {
            schedule.image = child.address("url");
        }
        (Ns::Media, "category") => media::category(&mut feed.categories, child),
        (Ns::Media, "keywords") => keywords(&mut feed.categories, child),
        _ => {}
    }
}

/// Feed data from modules that only applies if the format itself gives none.
#[derive(Debug, Default)]
pub(crate) struct Schedule {
    period: Option<u32>,
    frequency: Option<u32>,
    authors: Vec<crate::model::Person>,
    owners: Vec<crate::model::Person>,
    description: Option<String>,
    image: Option<String>,
}

impl Schedule {
    pub(crate) fn apply_to(self, feed: &mut Feed) {
        // Each has a default: once a day, every hour.
        if self.period.is_some() || self.frequency.is_some() {
            let minutes = self.period.unwrap_or(24 * 60) / self.frequency.unwrap_or(1);
            feed.update_period_minutes = Some(minutes.max(1));
        }
        if feed.authors.is_empty() {
            feed.authors = if self.authors.is_empty() { self.owners } else { self.authors };
        }
        feed.description = feed.description.take().or(self.description);
        if feed.image.is_none() {
            feed.image = self.image.map(|url| Image { url, ..Image::default() });
        }
    }
}

fn period(written: &str) -> Option<u32> {
    Some(match written.to_ascii_lowercase().as_str() {
        "hourly" => 60,
        "daily" => 24 * 60,
        "weekly" => 7 * 24 * 60,
        "monthly" => 30 * 24 * 60,
        "yearly" => 365 * 24 * 60,
        _ => return None,
    })
}

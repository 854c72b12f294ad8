//! Modules: elements of other vocabularies in items and channels, known by their namespace. Those not named here are
//! passed over with everything inside them.

mod media;

use crate::{
    address, categories,
    draft::{Draft, Moments, keep_first},
    model::{Feed, Generator, Image},
    namespace::Ns,
    people, rss, text,
    tree::Element,
};

/// One child of an item in a module's namespace.
pub(crate) fn item_child(draft: &mut Draft, child: Element<'_>, base: Option<&str>) {
    let own = child.base(base);
    let base_here = own.as_deref().or(base);
    let moments = &mut draft.moments;
    match (child.ns(), child.name()) {
        (Ns::Content, "encoded") => keep_first(&mut draft.bodies.full, rss::html(child), own),
        (Ns::Content, "items") => content_items(draft, child, own),
        (Ns::Xhtml, "body" | "div") => keep_first(&mut draft.bodies.full, child.inner_html(), own),
        (Ns::Dc, "title") if draft.other_title.is_none() => draft.other_title = rss::plain(child),
        (Ns::Dc, "creator" | "author") => people::add(&mut draft.creators, people::parse(&child.text())),
        (Ns::Dc, "contributor") => people::add(&mut draft.item.contributors, people::parse(&child.text())),
        (Ns::Dc | Ns::DcTerms, "subject") => categories::add(&mut draft.item.categories, &child.text(), None, None),
        (Ns::Dc | Ns::DcTerms, "description" | "abstract") => {
            keep_first(&mut draft.bodies.other, rss::html(child), own)
        }
        (Ns::Dc, "rights") if draft.item.rights.is_none() => draft.item.rights = rss::plain(child),
        (Ns::Dc, "language") if draft.item.language.is_none() => draft.item.language = rss::language(&child.text()),
        (Ns::Dc, "date") => Moments::read(&mut moments.dc, &mut moments.unreadable, &child.text()),
        (Ns::DcTerms, "issued" | "dateSubmitted") => {
            Moments::read(&mut moments.published, &mut moments.unreadable, &child.text())
        }
        (Ns::DcTerms, "created" | "available" | "valid") => {
            Moments::read(&mut moments.created, &mut moments.unreadable, &child.text())
        }
        (Ns::DcTerms, "modified") => Moments::read(&mut moments.updated, &mut moments.unreadable, &child.text()),
        (Ns::Slash, "comments") if draft.item.comments_count.is_none() => {
            draft.item.comments_count = child.text().trim().parse().ok()
        }
        (Ns::Threading, "total") if draft.item.comments_count.is_none() => {
            draft.item.comments_count = child.text().trim().parse().ok()
        }
        (Ns::Wfw, name) if name.eq_ignore_ascii_case("commentrss") && draft.item.comments_feed_url.is_none() => {
            draft.item.comments_feed_url = child.trimmed().and_then(|w| address::absolute(&w, base_here));
        }
        (Ns::FeedBurner, "origLink") => {
            draft.orig_link = child.trimmed().and_then(|w| address::absolute(&w, base_here))
        }
        (Ns::Taxonomy, "topics" | "topic") => topics(&mut draft.item.categories, child),
        (Ns::Itunes, name) => itunes_item(draft, child, name, base_here),
        (Ns::Media, _) => media::item_child(draft, child, base),
        _ => {}
    }
}

/// RSS 1.0's first content module: `content:items/rdf:Bag/rdf:li/content:item/rdf:value`.
fn content_items(draft: &mut Draft, element: Element<'_>, base: Option<String>) {
    let items = element.children().flat_map(|bag| bag.children()).flat_map(|li| li.children());
    for item in items.filter(|e| e.name() == "item") {
        if let Some(value) = item.child(Ns::Rdf, "value") {
            keep_first(&mut draft.bodies.full, rss::html(value), base.clone());
        }
    }
}

/// The topics of mod_taxonomy: each is named by its address alone.
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
        let term = url.trim_end_matches('/').rsplit(['/', '#']).next().unwrap_or(&url).replace('_', " ");
        categories::add(list, &term, Some(&url), None);
    }
}

fn itunes_item(draft: &mut Draft, child: Element<'_>, name: &str, base: Option<&str>) {
    match name {
        "title" if draft.other_title.is_none() => draft.other_title = rss::plain(child),
        "author" => people::add(&mut draft.itunes_authors, people::parse(&child.text())),
        "summary" | "description" => keep_first(&mut draft.bodies.other, as_html(child), None),
        "subtitle" if draft.bodies.other.is_none() => keep_first(&mut draft.bodies.other, as_html(child), None),
        "image" if draft.itunes_image.is_none() => draft.itunes_image = itunes_image(child, base),
        "duration" if draft.duration.is_none() => draft.duration = duration(&child.text()),
        "keywords" => keywords(&mut draft.item.categories, child),
        "category" => itunes_category(&mut draft.item.categories, child),
        _ => {}
    }
}

/// Text that may be plain or HTML, as HTML.
fn as_html(element: Element<'_>) -> String {
    let written = rss::html(element);
    if element.has_children() || text::looks_like_html(&written) { written } else { text::to_html(&written) }
}

fn itunes_image(element: Element<'_>, base: Option<&str>) -> Option<String> {
    let written = element.attribute("href").or_else(|| element.attribute("url")).map(str::to_owned);
    let written = written.or_else(|| element.children().find(|c| c.name() == "url").and_then(|u| u.trimmed()));
    address::absolute(&written.or_else(|| element.trimmed())?, base)
}

fn keywords(list: &mut Vec<crate::model::Category>, element: Element<'_>) {
    element.text().split(',').for_each(|term| categories::add(list, term, None, None));
}

fn itunes_category(list: &mut Vec<crate::model::Category>, element: Element<'_>) {
    let term = element.attribute("text").map(str::to_owned).or_else(|| text::line(&element.own_text()));
    if let Some(term) = term {
        categories::add(list, &term, None, None);
    }
    for child in element.children().filter(|c| c.name() == "category") {
        if let Some(term) = child.attribute("text") {
            categories::add(list, term, None, None);
        }
    }
}

/// `3723`, `62:03` or `1:02:03`, in seconds.
pub(crate) fn duration(written: &str) -> Option<f64> {
    let mut seconds = 0.0;
    for part in written.trim().split(':') {
        let part: f64 = part.trim().parse().ok().filter(|p: &f64| p.is_finite() && *p >= 0.0)?;
        seconds = seconds * 60.0 + part;
    }
    Some(seconds)
}

/// One child of a channel or feed in a module's namespace.
pub(crate) fn feed_child(feed: &mut Feed, child: Element<'_>, schedule: &mut Schedule, base: Option<&str>) {
    match (child.ns(), child.name()) {
        (Ns::Dc, "title") if feed.title.is_none() => feed.title = rss::plain(child),
        (Ns::Dc, "description") if feed.description.is_none() => feed.description = rss::plain(child),
        (Ns::Dc, "creator" | "author") => people::add(&mut feed.authors, people::parse(&child.text())),
        (Ns::Dc, "contributor") => people::add(&mut feed.contributors, people::parse(&child.text())),
        (Ns::Dc, "subject") => categories::add(&mut feed.categories, &child.text(), None, None),
        (Ns::Dc, "rights") if feed.rights.is_none() => feed.rights = rss::plain(child),
        (Ns::Dc, "language") if feed.language.is_none() => feed.language = rss::language(&child.text()),
        (Ns::Dc, "date") | (Ns::DcTerms, "modified") if feed.updated.is_none() => {
            feed.updated = crate::dates::parse(&child.text()).map(|m| m.at)
        }
        (Ns::DcTerms, "issued" | "created") if feed.published.is_none() => {
            feed.published = crate::dates::parse(&child.text()).map(|m| m.at)
        }
        (Ns::Syndication, "updatePeriod") => schedule.period = period(child.text().trim()),
        (Ns::Syndication, "updateFrequency") => {
            schedule.frequency = child.text().trim().parse().ok().filter(|f| *f > 0)
        }
        (Ns::Admin, "generatorAgent") if feed.generator.is_none() => {
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
        (Ns::Itunes, name) => itunes_feed(feed, child, name, schedule, base),
        (Ns::Media, "thumbnail") if schedule.image.is_none() => {
            schedule.image = child.attribute("url").and_then(|u| address::absolute(u, base));
        }
        (Ns::Media, "category") => {
            categories::add(&mut feed.categories, &child.text(), child.attribute("scheme"), child.attribute("label"))
        }
        (Ns::Media, "keywords") => keywords(&mut feed.categories, child),
        _ => {}
    }
}

fn itunes_feed(feed: &mut Feed, child: Element<'_>, name: &str, late: &mut Schedule, base: Option<&str>) {
    match name {
        "author" => people::add(&mut late.authors, people::parse(&child.text())),
        "owner" => people::add(&mut late.owners, people::of_itunes_owner(child)),
        "summary" | "description" => late.description = rss::plain(child).or(late.description.take()),
        "subtitle" if late.description.is_none() => late.description = rss::plain(child),
        "image" if late.image.is_none() => late.image = itunes_image(child, base),
        "keywords" => keywords(&mut feed.categories, child),
        "category" => itunes_category(&mut feed.categories, child),
        "new-feed-url" => {}
        _ => {}
    }
}

/// What a feed says in modules and what stands only if the format itself is silent.
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
    pub(crate) fn settle(self, feed: &mut Feed) {
        // Either alone says something: once a day, every hour.
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

//! Atom links (RFC 4287, section 4.2.7) in any format.

use crate::{
    base::MAX_COLLECTED,
    draft::Draft,
    model::{Enclosure, Feed, Funding, ItemSource},
    namespace::Ns,
    text,
    tree::Element,
};

/// A link with an absolute URL.
pub(crate) struct Link<'t> {
    element: Element<'t>,
    pub(crate) rel: String,
    pub(crate) url: String,
    kind: Option<&'t str>,
}

impl<'t> Link<'t> {
    /// Reads a link; `None` if it has no valid target.
    pub(crate) fn read(element: Element<'t>) -> Option<Link<'t>> {
        // An empty reference means the document itself (RFC 3986, section 4.4), if an xml:base gives its URL.
        let same = element.attributes().any(|(_, name, value)| name == "href" && value.trim().is_empty());
        let written = element.attribute("href").map(str::to_owned).or_else(|| element.trimmed());
        let url = match (written, same) {
            (Some(written), _) => element.base().absolute(&written)?,
            (None, true) => {
                let base = element.xml_base()?;
                element.base().budget.take(base.len()).then(|| base.as_ref().to_owned())?
            }
            (None, false) => return None,
        };
        let rel = element.attribute("rel").unwrap_or("alternate").to_ascii_lowercase();
        let rel = rel.strip_prefix("http://www.iana.org/assignments/relation/").unwrap_or(&rel).to_owned();
        Some(Link { element, rel, url, kind: element.attribute("type") })
    }

    /// Rank by readability: pages, then links without a type, then everything else.
    fn rank(&self) -> u8 {
        let Some(kind) = self.kind else { return 1 };
        // Media types have any case (RFC 9110, section 8.3.1).
        let is = |page: &str| kind.get(..page.len()).is_some_and(|start| start.eq_ignore_ascii_case(page));
        if is("text/html") || is("application/xhtml") { 2 } else { 0 }
    }

    fn is_feed(&self) -> bool {
        // Without a type a link to replies refers to a feed (RFC 4685, section 4).
        self.kind.map(str::to_ascii_lowercase).is_none_or(|kind| {
            self.rank() < 2 && (kind.contains("atom") || kind.contains("rss") || kind.contains("xml"))
        })
    }

    fn credit(&self) -> ItemSource {
        ItemSource { title: self.element.attribute("title").and_then(text::line), url: Some(self.url.clone()) }
    }

    pub(crate) fn enclosure(&self) -> Enclosure {
        Enclosure {
            url: self.url.clone(),
            mime_type: self.kind.map(str::to_owned),
            length: self.element.attribute("length").and_then(|l| l.parse().ok()),
            title: self.element.attribute("title").and_then(text::line),
            duration_seconds: None,
        }
    }
}

/// Returns the address that is the text of an element, or of a link in it: some programs write that as HTML.
pub(crate) fn written(element: Element<'_>) -> Option<String> {
    let anchor = element.children().find(|child| child.name().eq_ignore_ascii_case("a"));
    if let Some(address) = anchor.and_then(|anchor| anchor.attribute("href")) {
        return Some(address.to_owned());
    }
    let text = element.trimmed()?;
    let linked = if text.starts_with('<') { text::only_link(&text) } else { None };
    Some(linked.unwrap_or(text))
}

/// The best `alternate` link of a parent so far.
#[derive(Debug, Default)]
pub(crate) struct Alternate {
    pub(crate) url: Option<String>,
    rank: u8,
}

impl Alternate {
    pub(crate) fn offer(&mut self, link: &Link<'_>) {
        if self.url.is_none() || link.rank() > self.rank {
            self.url = Some(link.url.clone());
            self.rank = link.rank();
        }
    }
}

/// Reads a link of an entry or item other than `alternate`.
pub(crate) fn of_item(draft: &mut Draft, link: &Link<'_>) {
    let item = &mut draft.item;
    match link.rel.as_str() {
        // "related" is the subject of the entry, "via" is where it was found; the former is the better external link.
        "related" => {
            if !draft.has_related {
                draft.has_related = true;
                item.external_url = Some(link.url.clone());
            }
            push_via(&mut item.via, link.credit());
        }
        "via" => {
            item.external_url.get_or_insert_with(|| link.url.clone());
            push_via(&mut item.via, link.credit());
        }
        "enclosure" => push_enclosure(&mut item.enclosures, link.enclosure()),
        "replies" | "comments" => {
            if link.is_feed() {
                item.comments_feed_url.get_or_insert_with(|| link.url.clone());
            } else {
                item.comments_url.get_or_insert_with(|| link.url.clone());
            }
            let count = link.element.attribute_in(Ns::Threading, "count").or_else(|| link.element.attribute("count"));
            if let Some(count) = count.and_then(|c| c.parse().ok()) {
                item.comments_count.get_or_insert(count);
            }
        }
        "license" => {
            item.license_url.get_or_insert_with(|| link.url.clone());
        }
        _ => {}
    }
}

/// Adds an enclosure unless its URL is a duplicate.
pub(crate) fn push_enclosure(list: &mut Vec<Enclosure>, enclosure: Enclosure) {
    if list.len() < MAX_COLLECTED && !list.iter().any(|e| e.url == enclosure.url) {
        list.push(enclosure);
    }
}

/// Adds a source unless it is a duplicate.
pub(crate) fn push_via(list: &mut Vec<ItemSource>, credit: ItemSource) {
    if list.len() < MAX_COLLECTED
        && !list.iter().any(|c| c.url == credit.url && (c.url.is_some() || c.title == credit.title))
    {
        list.push(credit);
    }
}

/// Reads a link of a feed other than `alternate`.
pub(crate) fn of_feed(feed: &mut Feed, link: &Link<'_>) {
    match link.rel.as_str() {
        "self" => {
            feed.feed_url.get_or_insert_with(|| link.url.clone());
        }
        "hub" if !feed.hubs.contains(&link.url) && feed.hubs.len() < MAX_COLLECTED => feed.hubs.push(link.url.clone()),
        "next" | "prev-archive" => {
            feed.next_url.get_or_insert_with(|| link.url.clone());
        }
        "license" => {
            feed.license_url.get_or_insert_with(|| link.url.clone());
        }
        "payment" if !feed.funding.iter().any(|f| f.url == link.url) && feed.funding.len() < MAX_COLLECTED => {
            let title = link.element.attribute("title").and_then(text::line);
            feed.funding.push(Funding { url: link.url.clone(), title });
        }
        "icon" | "shortcut icon" => {
            feed.icon_url.get_or_insert_with(|| link.url.clone());
        }
        _ => {}
    }
}

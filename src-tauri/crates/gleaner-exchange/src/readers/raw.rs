//! Converts the articles and feeds of another reader to those of Gleaner.

use super::{Article, Feed};
use chrono::{DateTime, Utc};
use gleaner_feed::{Body, Category, Enclosure, Item, Person};
use gleaner_html::one_line;
use gleaner_library::{Marks, Millis, NewSubscription};
use std::{borrow::Cow, sync::Arc};
use url::Url;

/// An article as another reader stores it.
#[derive(Debug, Default)]
pub(super) struct Raw {
    /// The id that the feed gave it, if known.
    pub id: Option<String>,
    pub url: Option<String>,
    pub title: Option<String>,
    pub author: Option<String>,
    pub published: Option<Millis>,
    pub updated: Option<Millis>,
    pub content: Option<String>,
    pub summary: Option<String>,
    /// Base of its relative links.
    pub base: Option<String>,
    pub categories: Vec<String>,
    pub enclosures: Vec<Enclosure>,
    pub comments_url: Option<String>,
}

impl Raw {
    pub(super) fn article(self, feed: String, marks: Marks) -> Article {
        Article { feed, item: self.item(), marks, labels: Vec::new() }
    }

    fn item(self) -> Item {
        let base = filled(self.base).filter(|base| Url::parse(base).is_ok_and(|url| !url.cannot_be_a_base()));
        let url = filled(self.url).and_then(|url| address(&url, base.as_deref()));
        let base: Option<Arc<str>> = base.or_else(|| url.clone()).map(Arc::from);
        let body = |html: Option<String>| filled(html).map(|html| Body { html, base: base.clone() });
        let (content, summary) = (body(self.content), body(self.summary));
        let title = filled(self.title).map(|title| one_line(&title));
        // As for feeds: the id, else the address, else a digest.
        let id = filled(self.id).or_else(|| url.clone()).unwrap_or_else(|| {
            let text = content.as_ref().map_or("", |body| &body.html);
            let digest = blake3::hash(format!("{}\0{text}", title.as_deref().unwrap_or("")).as_bytes());
            format!("digest:{}", digest.to_hex().get(..32).unwrap_or(""))
        });
        let category = |term: String| Category { key: term.to_lowercase(), term, ..Category::default() };
        Item {
            id,
            url,
            title,
            authors: filled(self.author)
                .map(|name| Person { name: Some(name), ..Person::default() })
                .into_iter()
                .collect(),
            published: moment(self.published),
            updated: moment(self.updated),
            // If there is only one text, it is the content, even if it is short.
            content: content.clone().or_else(|| summary.clone()),
            summary: content.and(summary),
            categories: self.categories.into_iter().filter_map(|term| filled(Some(term))).map(category).collect(),
            enclosures: self.enclosures,
            comments_url: filled(self.comments_url).and_then(|url| address(&url, base.as_deref())),
            ..Item::default()
        }
    }
}

/// Trims a text; `None` if nothing is left.
pub(super) fn filled(text: Option<String>) -> Option<String> {
    text.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Returns a plausible date.
fn moment(millis: Option<Millis>) -> Option<DateTime<Utc>> {
    millis.filter(|millis| (1..=32_503_680_000_000).contains(millis)).and_then(DateTime::from_timestamp_millis)
}

/// Returns an absolute address with a safe scheme.
fn address(written: &str, base: Option<&str>) -> Option<String> {
    let base = base.and_then(|base| Url::parse(base).ok());
    match Url::parse(written) {
        Ok(url) => ["http", "https", "ftp", "gemini", "gopher", "mailto", "magnet"]
            .contains(&url.scheme())
            .then(|| written.to_owned()),
        Err(_) => base.and_then(|base| base.join(written).ok()).map(String::from),
    }
}

/// Returns a feed; one without a web address is never polled automatically.
pub(super) fn feed(id: &str, url: &str, title: Option<String>, folder: Vec<String>) -> Feed {
    let url = gleaner_feed::subscription_url(url);
    let subscription = NewSubscription {
        refresh_minutes: (!is_web(&url)).then_some(0),
        title: filled(title),
        folder,
        url,
        ..NewSubscription::default()
    };
    Feed { id: id.to_owned(), subscription }
}

pub(super) fn is_web(url: &str) -> bool {
    Url::parse(url).is_ok_and(|url| gleaner_address::is_web(&url))
}

pub(super) fn enclosure(url: Option<String>, mime_type: Option<String>, length: Option<i64>) -> Option<Enclosure> {
    let url = filled(url).filter(|url| Url::parse(url).is_ok())?;
    let length = length.and_then(|length| u64::try_from(length).ok()).filter(|length| *length > 0);
    Some(Enclosure { url, mime_type: filled(mime_type), length, ..Enclosure::default() })
}

/// Returns plain text, decoded if the other reader stored it escaped.
pub(super) fn plain(text: &str) -> String {
    if text.contains(['&', '<']) { gleaner_content::plain_text(text) } else { text.to_owned() }
}

/// Returns the names of an article's authors as text. FreshRSS writes ";Bo Mast; Ada Quay".
pub(super) fn authors(names: &str) -> String {
    let names = plain(names);
    names.split(';').map(str::trim).filter(|name| !name.is_empty()).collect::<Vec<_>>().join(", ")
}

/// Decodes UTF-8, or UTF-16 with a byte order mark; invalid sequences are replaced.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    let wide = |from: fn([u8; 2]) -> u16| -> Cow<'_, str> {
        let units: Vec<u16> = bytes[2..].chunks_exact(2).map(|pair| from([pair[0], pair[1]])).collect();
        String::from_utf16_lossy(&units).into()
    };
    match bytes {
        [0xff, 0xfe, ..] => wide(u16::from_le_bytes),
        [0xfe, 0xff, ..] => wide(u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest),
        bytes => String::from_utf8_lossy(bytes),
    }
}

//! The JSON of the REST API of Miniflux.

use crate::{
    RemoteArticle,
    lenient::{self, Readable, Text},
};
use chrono::{DateTime, Utc};
use gleaner_feed::{Body, ContentKind, Enclosure, Item};
use serde::Deserialize;

#[derive(Deserialize)]
pub(super) struct Me {
    #[serde(rename = "username")]
    pub(super) _user: String,
}

#[derive(Deserialize)]
pub(super) struct Category {
    pub(super) id: u64,
    pub(super) title: String,
}

#[derive(Deserialize)]
pub(super) struct Feed {
    pub(super) id: Text,
    pub(super) feed_url: String,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(super) site_url: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(super) title: Option<String>,
    #[serde(default, deserialize_with = "lenient::object")]
    pub(super) category: Option<Category>,
}

#[derive(Deserialize)]
pub(super) struct Added {
    pub(super) feed_id: Text,
}

#[derive(Deserialize)]
pub(super) struct Entries {
    pub(super) total: usize,
    pub(super) entries: Readable<Entry>,
}

#[derive(Deserialize)]
pub(super) struct Entry {
    pub(super) id: u64,
    pub(super) feed_id: Text,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(super) status: Option<String>,
    #[serde(default, deserialize_with = "lenient::flag")]
    pub(super) starred: Option<bool>,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(super) title: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(super) url: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(super) comments_url: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(super) author: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(super) content: Option<String>,
    #[serde(default, deserialize_with = "lenient::moment")]
    pub(super) published_at: Option<DateTime<Utc>>,
    #[serde(default, deserialize_with = "lenient::moment")]
    pub(super) changed_at: Option<DateTime<Utc>>,
    #[serde(default, deserialize_with = "lenient::some")]
    pub(super) enclosures: Vec<Attachment>,
}

#[derive(Deserialize)]
pub(super) struct Attachment {
    pub(super) url: String,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(super) mime_type: Option<String>,
    #[serde(default, deserialize_with = "lenient::number")]
    pub(super) size: Option<i64>,
}

impl Entry {
    pub(super) fn changed(&self) -> i64 {
        self.changed_at.map_or(0, |time| time.timestamp_micros())
    }

    pub(super) fn is_unread(&self) -> bool {
        self.status.as_deref() == Some("unread")
    }

    pub(super) fn is_starred(&self) -> bool {
        self.starred == Some(true)
    }

    pub(super) fn into_article(self) -> RemoteArticle {
        let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let (read, starred) = (!self.is_unread(), self.is_starred());
        let url = filled(self.url);
        let body = filled(self.content);
        let enclosure = |attachment: Attachment| Enclosure {
            url: attachment.url,
            mime_type: filled(attachment.mime_type),
            length: attachment.size.and_then(|size| u64::try_from(size).ok()).filter(|size| *size > 0),
            ..Enclosure::default()
        };
        let authors = filled(self.author).map(lenient::persons).unwrap_or_default();
        RemoteArticle {
            feed: self.feed_id.into_text(),
            read,
            starred,
            unmarked: self.status.is_none() || self.starred.is_none(),
            labels: Vec::new(),
            item: Item {
                id: self.id.to_string(),
                title: filled(self.title).map(|title| title.trim().to_owned()),
                authors: authors.into(),
                published: self.published_at.filter(|time| time.timestamp() > 0),
                content_kind: if body.is_some() { ContentKind::Full } else { ContentKind::None },
                content: body.map(|html| Body { html, base: url.as_deref().map(Into::into) }),
                enclosures: self.enclosures.into_iter().map(enclosure).collect(),
                comments_url: filled(self.comments_url),
                url,
                ..Item::default()
            },
        }
    }
}

pub(super) fn converted(entries: Vec<Entry>) -> Vec<RemoteArticle> {
    entries.into_iter().map(Entry::into_article).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    #[test]
    fn an_article_is_read_field_by_field() {
        let found = json!({ "total": 4, "entries": [
            { "id": 1, "feed_id": 2, "status": "read", "starred": false, "title": 7, "published_at": "", "changed_at": null,
              "content": null, "enclosures": [{ "url": "http://a.test/1.mp3", "size": -1 }, { "size": 3 }, null] },
            { "id": 3, "feed_id": "2", "status": null, "starred": "true", "author": ["Ann"], "enclosures": null },
            { "feed_id": 2, "status": "unread", "starred": false },
            "nothing"
        ] });
        let found: Entries = serde_json::from_value(found).unwrap();
        let articles = converted(found.entries.list);
        let one = &articles[0];
        assert_eq!((one.item.title.as_deref(), one.read, one.unmarked), (Some("7"), true, false));
        assert_eq!((one.item.enclosures.len(), one.item.enclosures[0].length), (1, None));
        assert!((one.item.published.is_none(), articles[1].unmarked, articles.len()) == (true, true, 2));
    }
}

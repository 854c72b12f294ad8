//! The JSON of the API of Tiny Tiny RSS.

use crate::{
    RemoteArticle,
    lenient::{self, Text},
};
use chrono::DateTime;
use gleaner_feed::{Body, Category, ContentKind, Enclosure, Item};
use serde::Deserialize;
use serde_json::Value;

/// Around every response. Status 0 is success.
#[derive(Deserialize)]
pub(super) struct Envelope {
    pub(super) status: i64,
    #[serde(deserialize_with = "lenient::content")]
    pub(super) content: Value,
}

#[derive(Deserialize)]
pub(super) struct Session {
    pub(super) session_id: String,
    pub(super) api_level: Option<i64>,
}

#[derive(Deserialize)]
pub(super) struct Named {
    pub(super) id: Text,
    #[serde(alias = "caption")]
    pub(super) title: String,
}

#[derive(Deserialize)]
pub(super) struct Feed {
    pub(super) id: Text,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(super) feed_url: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(super) title: Option<String>,
    pub(super) cat_id: Option<Text>,
}

#[derive(Deserialize)]
pub(super) struct Subscribed {
    pub(super) code: i64,
    pub(super) feed_id: Option<Text>,
}

/// A count of articles. Other values in it change without them.
#[derive(Deserialize)]
pub(super) struct Counter {
    pub(super) id: Text,
    pub(super) kind: Option<String>,
    pub(super) counter: Option<Text>,
    pub(super) auxcounter: Option<Text>,
    pub(super) markedcounter: Option<Text>,
}

#[derive(Deserialize)]
pub(super) struct Article {
    pub(super) id: Text,
    #[serde(default, deserialize_with = "lenient::text")]
    feed_id: Option<String>,
    #[serde(default, deserialize_with = "lenient::flag")]
    unread: Option<bool>,
    #[serde(default, deserialize_with = "lenient::flag")]
    marked: Option<bool>,
    #[serde(default, deserialize_with = "lenient::text")]
    title: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    link: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    author: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    content: Option<String>,
    #[serde(default, deserialize_with = "lenient::number")]
    updated: Option<i64>,
    /// In lists, …
    #[serde(default, deserialize_with = "lenient::text")]
    comments_link: Option<String>,
    /// … and where the article is requested by its id.
    #[serde(default, deserialize_with = "lenient::text")]
    comments: Option<String>,
    #[serde(default, deserialize_with = "lenient::some")]
    tags: Vec<String>,
    #[serde(default, deserialize_with = "lenient::some")]
    labels: Vec<Vec<Value>>,
    #[serde(default, deserialize_with = "lenient::some")]
    attachments: Vec<Attachment>,
}

#[derive(Deserialize)]
struct Attachment {
    #[serde(default, deserialize_with = "lenient::text")]
    content_url: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    content_type: Option<String>,
}

impl Article {
    pub(super) fn number(&self) -> Option<u64> {
        self.id.text().parse().ok()
    }

    pub(super) fn is_unread(&self) -> bool {
        self.unread == Some(true)
    }

    pub(super) fn is_starred(&self) -> bool {
        self.marked == Some(true)
    }

    pub(super) fn into_article(self) -> RemoteArticle {
        let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let url = filled(self.link);
        let body = filled(self.content);
        let category = |term: String| Category { key: term.to_lowercase(), term, ..Category::default() };
        let enclosure = |attachment: Attachment| {
            let url = filled(attachment.content_url)?;
            Some(Enclosure { url, mime_type: filled(attachment.content_type), ..Enclosure::default() })
        };
        let authors = filled(self.author).map(lenient::persons).unwrap_or_default();
        RemoteArticle {
            feed: self.feed_id.unwrap_or_default(),
            read: self.unread == Some(false),
            starred: self.marked == Some(true),
            unmarked: self.unread.is_none() || self.marked.is_none(),
            // Id, name, and two colours.
            labels: self.labels.iter().filter_map(|label| label.get(1)?.as_str().map(str::to_owned)).collect(),
            item: Item {
                id: self.id.into_text(),
                title: filled(self.title).map(|title| title.trim().to_owned()),
                authors,
                published: self.updated.filter(|time| *time > 0).and_then(|time| DateTime::from_timestamp(time, 0)),
                content_kind: if body.is_some() { ContentKind::Full } else { ContentKind::None },
                content: body.map(|html| Body { html, base: url.as_deref().map(Into::into) }),
                categories: self.tags.into_iter().filter(|tag| !tag.is_empty()).map(category).collect(),
                enclosures: self.attachments.into_iter().filter_map(enclosure).collect(),
                comments_url: filled(self.comments_link.or(self.comments)),
                url,
                ..Item::default()
            },
        }
    }
}

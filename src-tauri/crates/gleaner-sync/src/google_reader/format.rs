//! The JSON of the Google Reader API, its ids and user names.

use crate::{
    RemoteArticle, full_width,
    lenient::{self, Readable, Text},
};
use chrono::DateTime;
use gleaner_feed::{Body, Category, ContentKind, Enclosure, Item};
use gleaner_library::RemoteFeed;
use serde::Deserialize;
use serde_json::Value;
use std::collections::HashSet;

const LONG_ID: &str = "tag:google.com,2005:reader/item/";
/// Maximum length of a user name of FreshRSS.
const MAX_USER: usize = 39;
/// Maximum number of ids that are read of a page: one more than a list may have.
const MAX_REFS: usize = 500_001;
/// Maximum length of the name of a folder or label, in bytes. Addresses of requests contain it.
const MAX_NAME: usize = 2000;

/// Whether FreshRSS allows a user name.
pub(super) fn is_user_name(user: &str) -> bool {
    user.len() <= MAX_USER && user.chars().all(|c| c.is_ascii_alphanumeric() || "_.@-".contains(c))
}

#[derive(Deserialize)]
pub(super) struct JsonLogin {
    #[serde(rename = "Auth")]
    pub(super) auth: String,
}

#[derive(Deserialize)]
pub(super) struct Subscriptions {
    /// `None`: null.
    #[serde(deserialize_with = "Option::deserialize")]
    pub(super) subscriptions: Option<Readable<Subscription>>,
}

#[derive(Deserialize)]
pub(super) struct Subscription {
    pub(super) id: Text,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(super) title: Option<String>,
    #[serde(default, deserialize_with = "lenient::some")]
    pub(super) categories: Vec<Tag>,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(super) url: Option<String>,
    #[serde(default, rename = "htmlUrl", deserialize_with = "lenient::text")]
    pub(super) html_url: Option<String>,
}

impl Subscription {
    pub(super) fn into_feed(self, is_fresh_rss: bool) -> RemoteFeed {
        let id = self.id.into_text();
        let is_name = |label: &String| !label.is_empty() && label.len() <= MAX_NAME;
        let name = |tag: Tag| tag.label.filter(is_name).or_else(|| label_name(&tag.id).map(str::to_owned));
        let mut labels = self.categories.into_iter().filter_map(name);
        let title = gleaner_html::references::decode(self.title.unwrap_or_default().trim()).into_owned();
        RemoteFeed {
            is_folder_unknown: false,
            label: labels.next(),
            other_labels: labels.collect(),
            url: self
                .url
                .filter(|url| !url.is_empty())
                .unwrap_or_else(|| id.strip_prefix("feed/").unwrap_or(&id).to_owned()),
            remote_id: id,
            title: if is_fresh_rss { full_width::of_feed(&title) } else { title },
            home_url: self.html_url.filter(|url| !url.is_empty()),
        }
    }
}

#[derive(Deserialize)]
pub(super) struct Tags {
    pub(super) tags: Readable<Tag>,
}

#[derive(Deserialize)]
pub(super) struct Tag {
    pub(super) id: String,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(super) label: Option<String>,
    #[serde(default, rename = "type", deserialize_with = "lenient::text")]
    pub(super) kind: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Page {
    /// `None`: null, which servers written in Go send if there are none.
    #[serde(rename = "itemRefs", deserialize_with = "Option::deserialize")]
    pub(super) refs: Option<Readable<Ref, MAX_REFS>>,
    pub(super) continuation: Option<Text>,
}

#[derive(Deserialize)]
pub(super) struct Ref {
    pub(super) id: Text,
}

#[derive(Deserialize)]
pub(super) struct Contents {
    #[serde(deserialize_with = "lenient::articles")]
    pub(super) items: Vec<Article>,
}

#[derive(Deserialize)]
pub(super) struct Article {
    pub(super) id: Text,
    #[serde(default, deserialize_with = "lenient::text")]
    pub(super) title: Option<String>,
    #[serde(default, deserialize_with = "lenient::number")]
    published: Option<i64>,
    #[serde(default, deserialize_with = "lenient::number")]
    updated: Option<i64>,
    #[serde(default, deserialize_with = "lenient::text")]
    author: Option<String>,
    /// Its states, and the folders and labels. `None`: it does not say which it has.
    #[serde(default, deserialize_with = "lenient::object")]
    pub(super) categories: Option<Vec<Value>>,
    #[serde(default, deserialize_with = "lenient::some")]
    canonical: Vec<Link>,
    #[serde(default, deserialize_with = "lenient::some")]
    alternate: Vec<Link>,
    #[serde(default, deserialize_with = "lenient::some")]
    enclosure: Vec<Attachment>,
    #[serde(default, deserialize_with = "lenient::object")]
    origin: Option<Origin>,
    #[serde(default, deserialize_with = "lenient::object")]
    summary: Option<Html>,
    #[serde(default, deserialize_with = "lenient::object")]
    content: Option<Html>,
}

#[derive(Deserialize)]
pub(super) struct Link {
    href: String,
}

#[derive(Deserialize)]
pub(super) struct Attachment {
    href: String,
    #[serde(default, rename = "type", deserialize_with = "lenient::text")]
    mime_type: Option<String>,
    #[serde(default, deserialize_with = "lenient::number")]
    length: Option<i64>,
}

#[derive(Deserialize)]
pub(super) struct Origin {
    #[serde(rename = "streamId")]
    pub(super) stream_id: Text,
}

#[derive(Deserialize)]
pub(super) struct Html {
    #[serde(default, deserialize_with = "lenient::text")]
    content: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct QuickAdd {
    #[serde(rename = "numResults")]
    results: i64,
    /// A number without "feed/" from FreshRSS before 2021.
    #[serde(default, rename = "streamId", deserialize_with = "lenient::text")]
    stream_id: Option<String>,
}

impl QuickAdd {
    /// Returns the id of the subscription; `None` if there is none.
    pub(super) fn into_id(self) -> Option<String> {
        let id = self.stream_id.filter(|_| self.results > 0)?;
        Some(if id.bytes().all(|byte| byte.is_ascii_digit()) { format!("feed/{id}") } else { id })
    }
}

/// Returns the token that belongs to a login of FreshRSS: the digest in it, padded to 57 characters. Other servers have
/// a request for it.
pub(super) fn token_of_login(login: &str) -> Option<String> {
    let value = |name| login.lines().find_map(|line| line.trim().strip_prefix(name));
    let digest = value("Auth=")?.rsplit_once('/')?.1;
    let is_digest = digest.len() == 40 && digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    (value("LSID=")? == "null" && is_digest).then(|| format!("{digest:Z<57}"))
}

/// Whether the id of a feed has the form of The Old Reader.
pub(super) fn is_object_id(id: &str) -> bool {
    let digits = id.strip_prefix("feed/").unwrap_or_default();
    digits.len() == 24 && digits.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns the id in the form that is stored: decimal, if the server has numbers, which it sends as hexadecimal in places.
pub(super) fn normal_id(id: &str) -> String {
    let Some(hex) = id.strip_prefix(LONG_ID) else {
        // A number that is negative elsewhere.
        let large = id.parse::<u64>().ok().filter(|number| id.len() <= 20 && i64::try_from(*number).is_err());
        return large.map_or_else(|| id.to_owned(), |number| number.cast_signed().to_string());
    };
    match u64::from_str_radix(hex, 16) {
        Ok(number) if hex.len() == 16 => number.cast_signed().to_string(),
        _ => hex.to_owned(),
    }
}

/// Returns the id in the form that every server understands.
pub(super) fn long_id(id: &str) -> String {
    match id.parse::<i64>() {
        // The Old Reader has ids of 24 hexadecimal digits, which may all be decimal ones.
        Ok(number) if id.len() < 24 => format!("{LONG_ID}{:016x}", number.cast_unsigned()),
        _ => format!("{LONG_ID}{id}"),
    }
}

/// Returns the stream of a label.
pub(super) fn label_stream(name: &str) -> String {
    format!("user/-/label/{name}")
}

/// Returns the name of a label: "Tech" of `user/-/label/Tech` and `user/1/label/Tech`; `None` if it does not fit into an address.
pub(super) fn label_name(id: &str) -> Option<&str> {
    let (_, rest) = id.strip_prefix("user/")?.split_once('/')?;
    rest.strip_prefix("label/").filter(|name| name.len() <= MAX_NAME)
}

/// Whether the category of an article is this state, of whatever user.
pub(super) fn is_state(category: &str, state: &str) -> bool {
    category
        .strip_prefix("user/")
        .and_then(|rest| rest.split_once('/'))
        .is_some_and(|(_, rest)| rest.strip_prefix("state/com.google/").is_some_and(|name| name == state))
}

impl Article {
    /// Returns the article as the engine needs it. `folders` are no labels of articles.
    pub(super) fn into_article(self, folders: &HashSet<String>, is_fresh_rss: bool) -> RemoteArticle {
        let article = self;
        let shown = |text: String| if is_fresh_rss { full_width::of_article(&text) } else { text };
        let unmarked = article.categories.is_none();
        let categories = article.categories.unwrap_or_default();
        let categories: Vec<&str> = categories.iter().filter_map(Value::as_str).collect();
        let has = |state| categories.iter().any(|category| is_state(category, state));
        let labels = categories.iter().filter_map(|category| label_name(category));
        let text = |html: Option<Html>| html.and_then(|html| html.content).filter(|html| !html.is_empty());
        let body = text(article.content).or_else(|| text(article.summary));
        let person = article.author.filter(|name| !name.trim().is_empty());
        let moment = |seconds: Option<i64>| DateTime::from_timestamp(seconds.filter(|seconds| *seconds > 0)?, 0);
        let url =
            article.canonical.into_iter().chain(article.alternate).map(|link| link.href).find(|href| !href.is_empty());
        let category =
            |term: &&str| Category { term: (*term).to_owned(), key: term.to_lowercase(), ..Category::default() };
        RemoteArticle {
            feed: article.origin.map(|origin| origin.stream_id.into_text()).unwrap_or_default(),
            read: has("read"),
            starred: has("starred"),
            unmarked,
            labels: labels.filter(|label| !folders.contains(*label)).map(str::to_owned).collect(),
            item: Item {
                id: normal_id(&article.id.into_text()),
                title: article
                    .title
                    .map(|title| shown(gleaner_html::references::decode(title.trim()).into_owned()))
                    .filter(|title| !title.is_empty()),
                authors: person.into_iter().flat_map(|name| lenient::persons(shown(name))).collect(),
                published: moment(article.published),
                updated: moment(article.updated.filter(|_| article.published.is_none())),
                content_kind: if body.is_some() { ContentKind::Full } else { ContentKind::None },
                content: body.map(|html| Body { html, base: url.as_deref().map(Into::into) }),
                categories: categories.iter().filter(|name| !name.starts_with("user/")).map(category).collect(),
                enclosures: article.enclosure.into_iter().map(enclosure).collect(),
                url,
                ..Item::default()
            },
        }
    }
}

fn enclosure(attachment: Attachment) -> Enclosure {
    Enclosure {
        url: attachment.href,
        mime_type: attachment.mime_type.filter(|kind| !kind.is_empty()),
        length: attachment.length.and_then(|length| u64::try_from(length).ok()).filter(|length| *length > 0),
        ..Enclosure::default()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn ids_have_one_form() {
        for (given, normal) in [
            ("tag:google.com,2005:reader/item/000660e9bd9bcbe2", "1795406885014498"),
            ("1795406885014498", "1795406885014498"),
            ("tag:google.com,2005:reader/item/ffffffffffffffff", "-1"),
            ("18446744073709551615", "-1"),
            ("-1", "-1"),
            ("9223372036854775807", "9223372036854775807"),
            ("tag:google.com,2005:reader/item/5d0cfa30041d4348e9000106", "5d0cfa30041d4348e9000106"),
            ("5d0cfa30041d4348e9000106", "5d0cfa30041d4348e9000106"),
            ("000000000000000000000106", "000000000000000000000106"),
        ] {
            assert_eq!(normal_id(given), normal);
            assert_eq!(normal_id(&long_id(normal)), normal);
        }
    }

    #[test]
    fn the_id_of_a_new_subscription_may_be_a_number() {
        for (added, id) in [
            (r#"{"numResults":1,"streamId":"feed/7"}"#, Some("feed/7")),
            (r#"{"numResults":1,"streamId":7}"#, Some("feed/7")),
            (r#"{"numResults":1,"streamId":"feed/http://a.test/"}"#, Some("feed/http://a.test/")),
            (r#"{"numResults":0,"streamId":null}"#, None),
            (r#"{"numResults":0}"#, None),
        ] {
            assert_eq!(serde_json::from_str::<QuickAdd>(added).unwrap().into_id().as_deref(), id, "{added}");
        }
    }

    #[test]
    fn labels_and_states_are_of_any_user() {
        assert_eq!(label_name("user/-/label/News & Views"), Some("News & Views"));
        assert_eq!(label_name("user/1/label/a/b"), Some("a/b"));
        assert_eq!(label_name("user/-/state/com.google/read"), None);
        assert!(is_state("user/1/state/com.google/read", "read"));
        assert!(!is_state("user/1/state/com.google/reading-list", "read"));
    }
}

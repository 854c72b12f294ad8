//! The Fever API, as FreshRSS, Miniflux, yarr and Coldsweat implement it. It has whole lists of the ids of unread and saved articles, and
//! the articles themselves by ids or in the order of their arrival. Measured behaviour: servers respond to a request for both lists with
//! one of them, so each is requested alone, and a missing key does not mean an empty list. `since_id=0` and `max_id` are not sorted, and
//! not used. The articles after an id are sorted by their ids, which is checked. Several ids in one mark are ignored or refused. CommaFeed
//! cuts its lists, fails if it no longer has one of the requested articles, and also supports ranges of ids. Subscriptions and labels can't
//! be changed.

use crate::{
    Abilities, Arrived, Changed, Connection, Ids, Labels, List, RemoteArticle, Server, SyncError, full_width,
    http::json,
    lenient::{self, Readable, Text},
    server::is_counted,
};
use async_trait::async_trait;
use chrono::DateTime;
use gleaner_feed::{Body, ContentKind, Item};
use gleaner_fetch::FetchErrorKind;
use gleaner_library::{FeedChange, MarkKind, RemoteFeed};
use md5::{Digest, Md5};
use serde::{Deserialize, de::DeserializeOwned};
use std::collections::{HashMap, HashSet};

/// Maximum number of articles per request.
const MAX_ARTICLES: usize = 50;

/// Number of ids at which CommaFeed cuts its lists.
const CUT: usize = 1000;

/// A server with the Fever API.
pub struct Fever {
    connection: Connection,
    /// Digest of the user name and the password, which is sent with every request.
    key: String,
    accepted: bool,
    /// Whether some entries of the last list of subscriptions could not be read.
    lacks_feeds: bool,
}

/// Without its secret.
impl std::fmt::Debug for Fever {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fever").field("connection", &self.connection).finish_non_exhaustive()
    }
}

#[derive(Deserialize)]
struct Login {
    auth: Option<Text>,
}

#[derive(Deserialize)]
struct Envelope<T> {
    #[serde(flatten)]
    login: Login,
    #[serde(flatten)]
    rest: Option<T>,
}

#[derive(Deserialize)]
struct Feeds {
    feeds: Readable<Feed>,
}

#[derive(Deserialize)]
struct Feed {
    id: Text,
    #[serde(default, deserialize_with = "lenient::text")]
    title: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    url: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    site_url: Option<String>,
}

#[derive(Deserialize)]
struct Groups {
    groups: Readable<Group>,
    feeds_groups: Readable<Members>,
}

#[derive(Deserialize)]
struct Group {
    id: Text,
    #[serde(default, deserialize_with = "lenient::text")]
    title: Option<String>,
}

#[derive(Deserialize)]
struct Members {
    group_id: Text,
    feed_ids: Text,
}

#[derive(Deserialize)]
struct Unread {
    unread_item_ids: String,
}

#[derive(Deserialize)]
struct Saved {
    saved_item_ids: String,
}

#[derive(Deserialize)]
struct Items {
    #[serde(deserialize_with = "lenient::articles")]
    items: Vec<Article>,
}

#[derive(Deserialize)]
struct Nothing {}

#[derive(Deserialize)]
struct Article {
    id: Text,
    feed_id: Text,
    #[serde(default, deserialize_with = "lenient::text")]
    title: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    author: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    html: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    url: Option<String>,
    #[serde(default, deserialize_with = "lenient::flag")]
    is_saved: Option<bool>,
    #[serde(default, deserialize_with = "lenient::flag")]
    is_read: Option<bool>,
    #[serde(default, deserialize_with = "lenient::number")]
    created_on_time: Option<i64>,
}

impl Fever {
    /// Creates a client that is not logged in yet.
    #[must_use]
    pub fn new(connection: Connection, user: &str, password: &str) -> Self {
        let key = hex::encode(Md5::digest(format!("{user}:{password}")));
        Self { connection, key, accepted: false, lacks_feeds: false }
    }

    /// Whether this is the API, which says so even without a login.
    pub(crate) async fn probe(connection: &Connection) -> Result<bool, gleaner_fetch::FetchError> {
        let anonymous =
            Self { connection: connection.clone(), key: "0".repeat(32), accepted: false, lacks_feeds: false };
        let response = anonymous.send("", &[]).await?;
        let is_one = json::<Login>(response, "login").is_ok_and(|login| login.auth.is_some());
        Ok(is_one)
    }

    /// Whether the address is the one of FreshRSS.
    fn is_fresh_rss(&self) -> bool {
        self.connection.base.path().ends_with("/fever.php")
    }

    async fn send(
        &self,
        query: &str,
        form: &[(&str, &str)],
    ) -> Result<gleaner_fetch::Response, gleaner_fetch::FetchError> {
        let mut url = self.connection.base.clone();
        url.set_query(Some(&format!("api{query}")));
        let form = [&[("api_key", self.key.as_str())], form].concat();
        self.connection.post(url, &[], &form).await
    }

    /// Sends a request, and returns the response if the server accepts the login.
    async fn request<T: DeserializeOwned>(
        &self,
        query: &str,
        form: &[(&str, &str)],
        what: &'static str,
    ) -> Result<T, SyncError> {
        let envelope: Envelope<T> = json(self.send(query, form).await?, what)?;
        match envelope.login.auth.map(Text::into_text).as_deref() {
            Some("1") => envelope.rest.ok_or(SyncError::InvalidResponse(what)),
            Some(_) => Err(SyncError::Login),
            None => Err(SyncError::InvalidResponse(what)),
        }
    }

    async fn items(&self, query: &str) -> Result<Vec<RemoteArticle>, SyncError> {
        let found: Items = self.request(&format!("&items&{query}"), &[], "items").await?;
        let is_fresh_rss = self.is_fresh_rss();
        Ok(found.items.into_iter().map(|article| article.into_article(is_fresh_rss)).collect())
    }

    /// Returns articles by ranges of ids; `None` if the server does not have these.
    async fn between(&self, ids: &[&str]) -> Result<Option<Vec<RemoteArticle>>, SyncError> {
        let mut numbers: Vec<u128> = ids.iter().map(|id| number(id)).collect();
        numbers.sort_unstable();
        let (mut parts, mut found) = (vec![numbers.as_slice()], Vec::new());
        while let Some(part) = parts.pop() {
            let (Some(low), Some(high)) = (part.first(), part.last()) else { continue };
            let query = format!("since_id={}&max_id={}", low.saturating_sub(1), high.saturating_add(1));
            let articles = self.items(&query).await?;
            if !articles.iter().all(|article| (low..=high).contains(&&number(&article.item.id))) {
                return Ok(None);
            }
            // A full response may not have all.
            if articles.len() >= MAX_ARTICLES && part.len() > 1 {
                let (lower, upper) = part.split_at(part.len() / 2);
                parts.extend([upper, lower]);
            } else {
                found.extend(articles);
            }
        }
        Ok(Some(found))
    }
}

fn is_id(id: &str) -> bool {
    !id.is_empty() && id.len() < 30 && id.bytes().all(|byte| byte.is_ascii_digit())
}

fn number(id: &str) -> u128 {
    id.parse().unwrap_or(0)
}

/// Reads a list of ids. It is complete if it contains only ids, none of them twice, and its length is not one at which a server may have
/// cut it.
fn ids(list: &str, limit: usize) -> Ids {
    // The rest is not read: there may be millions.
    let parts = list.split(',').map(str::trim).filter(|part| !part.is_empty());
    let parts: Vec<&str> = parts.take(limit.saturating_add(1)).collect();
    let mut seen = HashSet::new();
    let mut ids: Vec<&str> = parts.iter().copied().filter(|id| is_id(id) && seen.insert(*id)).collect();
    ids.sort_unstable_by_key(|id| std::cmp::Reverse(number(id)));
    let is_cut = !ids.is_empty() && ids.len().is_multiple_of(CUT);
    let whole = ids.len() == parts.len() && ids.len() <= limit && !is_cut;
    Ids { ids: ids.into_iter().take(limit).map(str::to_owned).collect(), whole }
}

impl Article {
    fn into_article(self, is_fresh_rss: bool) -> RemoteArticle {
        let shown = |text: String| if is_fresh_rss { full_width::of_article(&text) } else { text };
        let decoded = |text: String| shown(gleaner_html::references::decode(text.trim()).into_owned());
        let url = self.url.filter(|url| !url.is_empty());
        let body = self.html.filter(|html| !html.is_empty());
        let seconds = self.created_on_time.filter(|time| *time > 0);
        RemoteArticle {
            feed: self.feed_id.into_text(),
            read: self.is_read == Some(true),
            starred: self.is_saved == Some(true),
            unmarked: self.is_read.is_none() || self.is_saved.is_none(),
            labels: Vec::new(),
            item: Item {
                id: self.id.into_text(),
                title: self.title.map(decoded).filter(|title| !title.is_empty()),
                authors: self
                    .author
                    .filter(|name| !name.trim().is_empty())
                    .into_iter()
                    .flat_map(|name| lenient::persons(shown(name)))
                    .collect(),
                published: seconds.and_then(|time| DateTime::from_timestamp(time, 0)),
                content_kind: if body.is_some() { ContentKind::Full } else { ContentKind::None },
                content: body.map(|html| Body { html, base: url.as_deref().map(Into::into) }),
                url,
                ..Item::default()
            },
        }
    }
}

#[async_trait]
impl Server for Fever {
    fn abilities(&self) -> Abilities {
        Abilities { arrivals: true, ..Abilities::new(MAX_ARTICLES, 1) }
    }

    async fn log_in(&mut self) -> Result<(), SyncError> {
        if !self.accepted {
            self.request::<Nothing>("", &[], "login").await?;
            self.accepted = true;
        }
        Ok(())
    }

    fn lacks_feeds(&self) -> bool {
        self.lacks_feeds
    }

    async fn feeds(&mut self) -> Result<Vec<RemoteFeed>, SyncError> {
        let feeds: Feeds = self.request("&feeds", &[], "feeds").await?;
        let groups: Groups = self.request("&groups", &[], "groups").await?;
        self.lacks_feeds = feeds.feeds.skipped > 0;
        let lacks_groups = groups.groups.skipped + groups.feeds_groups.skipped > 0;
        let named = groups.groups.list.into_iter().filter_map(|group| Some((group.id.into_text(), group.title?)));
        let names: HashMap<String, String> = named.filter(|(_, name)| !name.is_empty()).collect();
        let mut labels: HashMap<String, Vec<String>> = HashMap::new();
        for members in groups.feeds_groups.list {
            let Some(name) = names.get(&members.group_id.into_text()) else { continue };
            for feed in members.feed_ids.text().split(',').map(str::trim) {
                labels.entry(feed.to_owned()).or_default().push(name.clone());
            }
        }
        let is_fresh_rss = self.is_fresh_rss();
        let feed = |feed: Feed| {
            let remote_id = feed.id.into_text();
            let title = gleaner_html::references::decode(feed.title.unwrap_or_default().trim()).into_owned();
            let mut labels = labels.remove(&remote_id).unwrap_or_default().into_iter();
            RemoteFeed {
                is_folder_unknown: lacks_groups && labels.len() == 0,
                label: labels.next(),
                other_labels: labels.collect(),
                url: feed.url.unwrap_or_else(|| remote_id.clone()),
                remote_id,
                title: if is_fresh_rss { full_width::of_feed(&title) } else { title },
                home_url: feed.site_url.filter(|url| !url.is_empty()),
            }
        };
        Ok(feeds.feeds.list.into_iter().map(feed).collect())
    }

    async fn labels(&mut self) -> Result<Option<Labels>, SyncError> {
        Ok(None)
    }

    async fn ids(&mut self, list: &List, limit: usize) -> Result<Ids, SyncError> {
        let found = match list {
            List::Unread => self.request::<Unread>("&unread_item_ids", &[], "unread_item_ids").await?.unread_item_ids,
            List::Starred => self.request::<Saved>("&saved_item_ids", &[], "saved_item_ids").await?.saved_item_ids,
            List::Label(_) | List::Newest => return Ok(Ids::default()),
        };
        Ok(ids(&found, limit))
    }

    async fn articles(&mut self, ids: &[String]) -> Result<Vec<RemoteArticle>, SyncError> {
        let wanted: Vec<&str> = ids.iter().map(String::as_str).filter(|id| is_id(id)).collect();
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let mut articles = match self.items(&format!("with_ids={}", wanted.join(","))).await {
            // CommaFeed fails if it no longer has one of them.
            Err(SyncError::Fetch(error)) if error.kind == FetchErrorKind::Http(500) => {
                self.between(&wanted).await?.ok_or(SyncError::Fetch(error))?
            }
            articles => articles?,
        };
        articles.retain(|article| wanted.contains(&article.item.id.as_str()));
        Ok(articles)
    }

    fn latest<'a>(&self, known: &mut (dyn Iterator<Item = &'a str> + Send)) -> Option<&'a str> {
        known.filter(|id| is_id(id)).max_by_key(|id| number(id))
    }

    async fn arrived(&mut self, after: Option<&str>, with_it: bool) -> Result<Arrived, SyncError> {
        let after = after.map_or(1, number).saturating_sub(u128::from(with_it)).max(1);
        let mut articles = self.items(&format!("since_id={after}")).await?;
        articles.retain(|article| is_id(&article.item.id) && number(&article.item.id) > after);
        // A response that is not full has all, in whatever order.
        let unordered = articles.len() >= MAX_ARTICLES
            && !articles.is_sorted_by(|one, next| number(&one.item.id) < number(&next.item.id));
        let next = articles.iter().map(|article| article.item.id.clone()).max_by_key(|id| number(id));
        Ok(Arrived { articles, next, unordered })
    }

    /// Miniflux changes the star whether it is to be set or removed.
    fn may_toggle(&self, kind: &MarkKind, _on: bool, id: &str) -> bool {
        *kind == MarkKind::Starred && is_counted(id)
    }

    async fn mark(&mut self, ids: &[String], kind: &MarkKind, on: bool) -> Result<(), SyncError> {
        let mark = match (kind, on) {
            (MarkKind::Read, true) => "read",
            (MarkKind::Read, false) => "unread",
            (MarkKind::Starred, true) => "saved",
            (MarkKind::Starred, false) => "unsaved",
            (MarkKind::Label(_), _) => return Err(SyncError::LabelRefused),
        };
        for id in ids {
            self.request::<Nothing>("", &[("mark", "item"), ("as", mark), ("id", id)], "mark").await?;
        }
        Ok(())
    }

    async fn change(&mut self, _change: &FeedChange) -> Result<Changed, SyncError> {
        Ok(Changed::Unsupported)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_whole_if_it_has_only_ids_and_each_once() {
        for (list, found, whole) in [
            ("", "", true),
            ("2,10,9", "10 9 2", true),
            ("2,2", "2", false),
            ("2,<html>", "2", false),
            ("1795406949316259, 3", "1795406949316259 3", true),
        ] {
            let ids = ids(list, 9);
            assert_eq!((ids.ids.join(" ").as_str(), ids.whole), (found, whole), "{list}");
        }
        assert!(!ids("1,2,3", 2).whole);
        for (number, whole) in [(999, true), (1000, false), (1001, true), (3000, false)] {
            let list: Vec<String> = (1..=number).map(|id: i32| id.to_string()).collect();
            assert_eq!(ids(&list.join(","), 9999).whole, whole, "{number}");
        }
    }
}

//! The API of Feedbin, version 2. Its lists of the ids of unread and starred articles are complete; articles come by pages, the newest
//! first, without their marks. An empty list looks like a broken response, so it is believed only if a second request has the same result.

use crate::{
    Abilities, Changed, Changes, Connection, Ids, Labels, List, RemoteArticle, Server, SyncError,
    error::{FetchErrorOr, is_refusal},
    http::{Api, Login, json},
    lenient::{self, Entries, Text},
};
use async_trait::async_trait;
use chrono::{DateTime, Utc};
use gleaner_feed::{Body, ContentKind, Enclosure, Item};
use gleaner_fetch::{FetchError, FetchErrorKind, Method};
use gleaner_library::{FeedChange, FeedChangeKind, MarkKind, RemoteFeed};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};

/// Articles per page: the maximum.
const PAGE: usize = 100;

/// A server with the API of Feedbin.
#[derive(Debug)]
pub struct Feedbin {
    api: Api,
    accepted: bool,
    /// Ids of the subscriptions by the ids of their feeds.
    subscriptions: HashMap<String, String>,
    /// Whether some entries of the last list of subscriptions could not be read.
    lacks_feeds: bool,
    /// The unread and the starred articles, as they were read last.
    unread: Marked,
    starred: Marked,
    /// Whether they were read after the articles, and the list was not used yet.
    fresh: (bool, bool),
}

/// A list of marked articles.
#[derive(Debug, Default)]
struct Marked {
    ids: HashSet<u64>,
    /// Whether all of its entries could be read.
    whole: bool,
}

/// How far the articles were read. Times are in the server's form.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Position {
    /// Reading the newest articles. `page`: the next page. `left`: number of articles that are still to be read. `since`: the latest article when
    /// this began; later ones are read afterwards.
    First { page: usize, left: usize, since: String },
    /// Reading articles that arrived after a moment. `until`: the latest article when this began.
    Since { since: String, page: usize, until: Option<String> },
}

#[derive(Deserialize)]
struct Subscription {
    id: Text,
    feed_id: Text,
    #[serde(default, deserialize_with = "lenient::text")]
    title: Option<String>,
    feed_url: String,
    #[serde(default, deserialize_with = "lenient::text")]
    site_url: Option<String>,
}

#[derive(Deserialize)]
struct Tagging {
    id: Text,
    feed_id: Text,
    name: String,
}

#[derive(Deserialize)]
struct Tag {
    #[serde(rename = "name")]
    _name: String,
}

#[derive(Deserialize)]
struct Entry {
    id: u64,
    feed_id: Text,
    #[serde(default, deserialize_with = "lenient::text")]
    title: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    url: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    author: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    content: Option<String>,
    #[serde(default, deserialize_with = "lenient::moment")]
    published: Option<DateTime<Utc>>,
    created_at: String,
    #[serde(default, deserialize_with = "lenient::object")]
    enclosure: Option<Attachment>,
}

#[derive(Deserialize)]
struct Attachment {
    #[serde(default, deserialize_with = "lenient::text")]
    enclosure_url: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    enclosure_type: Option<String>,
    #[serde(default, deserialize_with = "lenient::number")]
    enclosure_length: Option<i64>,
}

impl Entry {
    /// When it arrived. A time that can't be read is the earliest.
    fn created(&self) -> Option<DateTime<Utc>> {
        moment(&self.created_at)
    }
}

fn moment(time: &str) -> Option<DateTime<Utc>> {
    time.parse().ok()
}

fn stored(position: &Position) -> Result<String, SyncError> {
    serde_json::to_string(position).map_err(|_| SyncError::InvalidResponse("entries"))
}

impl Feedbin {
    /// Creates a client that is not logged in yet.
    #[must_use]
    pub fn new(connection: Connection, user: &str, password: String) -> Self {
        let login = Login { user: user.to_owned(), password, token_header: None };
        Self {
            api: Api::new(connection, login),
            accepted: false,
            subscriptions: HashMap::new(),
            lacks_feeds: false,
            unread: Marked::default(),
            starred: Marked::default(),
            fresh: (false, false),
        }
    }

    /// Whether this is the API, which requires a login.
    pub(crate) async fn probe(connection: &Connection) -> Result<bool, FetchError> {
        connection.wants_login("/authentication.json").await
    }

    /// Returns a page of articles, those that arrived last first; an empty one after the last.
    async fn page(&self, page: usize, size: usize, since: Option<&str>) -> Result<Entries<Entry>, SyncError> {
        let (number, size) = (page.to_string(), size.to_string());
        let mut query = vec![("page", number.as_str()), ("per_page", &size), ("mode", "extended")];
        query.extend(since.map(|since| ("since", since)));
        for _ in 0..2 {
            match self.api.get::<Entries<Entry>>("/entries.json", &query, "entries").await {
                Ok(entries) if entries.all() == 0 => {}
                Err(SyncError::Fetch(error)) if page > 1 && error.kind == FetchErrorKind::Http(404) => break,
                done => return done?.readable("entries"),
            }
        }
        Ok(Entries { list: Vec::new(), skipped: 0 })
    }

    /// Checks that the server refuses a request for an article that it does not have: otherwise it responds to everything with `[]`.
    async fn check_missing(&self, id: &str) -> Result<(), SyncError> {
        match self.api.get::<Value>(&format!("/entries/{id}.json"), &[], "entries").await {
            Err(SyncError::Fetch(error)) if is_refusal(&error) => Ok(()),
            Err(error) => Err(error),
            Ok(_) => Err(SyncError::InvalidResponse("entries")),
        }
    }

    /// Reads the ids of the unread, or of the starred articles.
    async fn marked(&self, starred: bool) -> Result<Marked, SyncError> {
        let path = if starred { "/starred_entries.json" } else { "/unread_entries.json" };
        let found = self.api.get::<Entries<u64>>(path, &[], "entries").await?.readable("entries")?;
        if found.all() == 0 {
            let mark = if starred { ("starred", "true") } else { ("read", "false") };
            let one: Entries<Entry> = self.api.get("/entries.json", &[mark, ("per_page", "1")], "entries").await?;
            if one.all() > 0 {
                return Err(SyncError::InvalidResponse("entries"));
            }
        }
        Ok(Marked { whole: found.skipped == 0, ids: found.list.into_iter().collect() })
    }

    async fn read_marks(&mut self) -> Result<(), SyncError> {
        self.unread = self.marked(false).await?;
        self.starred = self.marked(true).await?;
        self.fresh = (true, true);
        Ok(())
    }

    fn article(&self, entry: Entry) -> RemoteArticle {
        let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let url = filled(entry.url);
        let body = filled(entry.content);
        let enclosure = |attachment: Attachment| {
            Some(Enclosure {
                url: filled(attachment.enclosure_url)?,
                mime_type: filled(attachment.enclosure_type),
                length: attachment.enclosure_length.and_then(|length| u64::try_from(length).ok()),
                ..Enclosure::default()
            })
        };
        let authors = filled(entry.author).map(lenient::persons).unwrap_or_default();
        RemoteArticle {
            feed: entry.feed_id.into_text(),
            // One that is in no list may be among the entries that can't be read.
            read: !self.unread.ids.contains(&entry.id) && self.unread.whole,
            starred: self.starred.ids.contains(&entry.id),
            unmarked: !self.unread.whole || !self.starred.whole,
            labels: Vec::new(),
            item: Item {
                id: entry.id.to_string(),
                title: filled(entry.title).map(|title| title.trim().to_owned()),
                authors: authors.into(),
                published: entry.published.filter(|time| time.timestamp() > 0),
                content_kind: if body.is_some() { ContentKind::Full } else { ContentKind::None },
                content: body.map(|html| Body { html, base: url.as_deref().map(Into::into) }),
                enclosures: entry.enclosure.and_then(enclosure).into_iter().collect(),
                url,
                ..Item::default()
            },
        }
    }

    /// Returns the articles of a page that arrived until a moment: later ones may be missing from the lists of marks.
    fn until(&self, page: Vec<Entry>, until: &str) -> Vec<RemoteArticle> {
        let until = moment(until);
        page.into_iter().filter(|entry| entry.created() <= until).map(|entry| self.article(entry)).collect()
    }

    async fn first(&mut self, page: usize, left: usize, since: String) -> Result<Changes, SyncError> {
        let size = if left == 0 { 1 } else { PAGE };
        let mut found = self.page(page, size, None).await?.list;
        let since =
            if page == 1 { found.first().map(|entry| entry.created_at.clone()).unwrap_or_default() } else { since };
        if page == 1 || self.fresh == (false, false) {
            self.read_marks().await?;
        }
        found.truncate(left);
        let left = left - found.len();
        let next = if found.is_empty() || left == 0 {
            Position::Since { since: since.clone(), page: 1, until: None }
        } else {
            Position::First { page: page + 1, left, since: since.clone() }
        };
        Ok(Changes {
            articles: self.until(found, &since),
            next: stored(&next)?,
            more: true,
            lists: true,
            ..Changes::default()
        })
    }

    async fn arrived_since(&mut self, since: String, page: usize, until: Option<String>) -> Result<Changes, SyncError> {
        // Without a time, no article has ever arrived.
        let found = self.page(page, PAGE, Some(since.as_str()).filter(|since| !since.is_empty())).await?;
        if page == 1 || self.fresh == (false, false) {
            self.read_marks().await?;
        }
        let is_full = found.all() >= PAGE;
        let found = found.list;
        let latest = found.first().map(|entry| entry.created_at.clone());
        let Some(until) = until.or(latest) else {
            let next = stored(&Position::Since { since, page: 1, until: None })?;
            return Ok(Changes { next, lists: true, ..Changes::default() });
        };
        let next = match is_full {
            true => Position::Since { since, page: page + 1, until: Some(until.clone()) },
            false => Position::Since { since: until.clone(), page: 1, until: None },
        };
        Ok(Changes {
            articles: self.until(found, &until),
            next: stored(&next)?,
            more: is_full,
            lists: true,
            ..Changes::default()
        })
    }

    async fn taggings(&self) -> Result<Entries<Tagging>, SyncError> {
        let found = self.api.get::<Entries<Tagging>>("/taggings.json", &[], "taggings").await?.readable("taggings")?;
        if found.all() == 0 && self.api.get::<Entries<Tag>>("/tags.json", &[], "tags").await?.all() > 0 {
            return Err(SyncError::InvalidResponse("taggings"));
        }
        Ok(found)
    }

    async fn tag(&self, feed: &str, folder: &str) -> Result<(), FetchErrorOr> {
        let feed: u64 = feed.parse().map_err(|_| FetchErrorOr::Other(SyncError::InvalidResponse("taggings")))?;
        match self.api.send(Method::Post, "/taggings.json", json!({ "feed_id": feed, "name": folder })).await {
            Ok(response) => json::<Tagging>(response, "taggings").map(drop).map_err(FetchErrorOr::Other),
            // It is there already.
            Err(error) if error.kind == FetchErrorKind::Http(302) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    async fn rename(&self, subscription: &str, title: &str) -> Result<(), FetchErrorOr> {
        let path = format!("/subscriptions/{subscription}/update.json");
        let response = self.api.send(Method::Post, &path, json!({ "title": title })).await?;
        json::<Subscription>(response, "subscriptions").map(drop).map_err(FetchErrorOr::Other)
    }

    async fn delete(&self, path: &str) -> Result<(), FetchErrorOr> {
        match self.api.send(Method::Delete, path, json!({})).await {
            Ok(response) if response.status == 204 => Ok(()),
            Ok(_) => Err(FetchErrorOr::Other(SyncError::InvalidResponse("change"))),
            // The server no longer has it, so nothing is left to do.
            Err(error) if error.kind == FetchErrorKind::Http(404) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    async fn subscribe(&mut self, url: &str, title: Option<&str>, label: Option<&str>) -> Result<Changed, SyncError> {
        let (subscription, feed) =
            match self.api.send(Method::Post, "/subscriptions.json", json!({ "feed_url": url })).await {
                Ok(response) => {
                    let added: Subscription = json(response, "subscriptions")?;
                    (added.id.into_text(), added.feed_id.into_text())
                }
                // A redirect to the subscription that there is, or a page with several feeds.
                Err(error) if matches!(error.kind, FetchErrorKind::Http(300 | 302)) || is_refusal(&error) => {
                    let key = gleaner_library::feed_key(url);
                    let there =
                        self.feeds().await?.into_iter().find(|feed| gleaner_library::feed_key(&feed.url) == key);
                    let Some(there) = there else { return Ok(Changed::Refused) };
                    (self.subscriptions.get(&there.remote_id).cloned().unwrap_or_default(), there.remote_id)
                }
                Err(error) => return Err(error.into()),
            };
        if let Some(title) = title {
            match self.rename(&subscription, title).await {
                Err(FetchErrorOr::Fetch(error)) if is_refusal(&error) => {}
                done => done?,
            }
        }
        if let Some(label) = label {
            match self.tag(&feed, label).await {
                Err(FetchErrorOr::Fetch(error)) if is_refusal(&error) => {}
                done => done?,
            }
        }
        Ok(Changed::Done(Some(feed)))
    }

    async fn move_to(&self, feed: &str, to: Option<&str>) -> Result<(), FetchErrorOr> {
        let taggings = self.taggings().await.map_err(FetchErrorOr::Other)?.list;
        if let Some(to) = to {
            self.tag(feed, to).await?;
        }
        for tagging in taggings {
            if tagging.feed_id.into_text() == feed && Some(tagging.name.as_str()) != to {
                self.delete(&format!("/taggings/{}.json", tagging.id.into_text())).await?;
            }
        }
        Ok(())
    }
}

#[async_trait]
impl Server for Feedbin {
    fn abilities(&self) -> Abilities {
        Abilities { changes: true, ..Abilities::new(PAGE, 1000) }
    }

    async fn log_in(&mut self) -> Result<(), SyncError> {
        if !self.accepted {
            self.api.check("/authentication.json").await?;
            self.accepted = true;
        }
        Ok(())
    }

    fn lacks_feeds(&self) -> bool {
        self.lacks_feeds
    }

    async fn feeds(&mut self) -> Result<Vec<RemoteFeed>, SyncError> {
        self.fresh = (false, false);
        let found: Entries<Subscription> = self.api.get("/subscriptions.json", &[], "subscriptions").await?;
        self.lacks_feeds = found.skipped > 0;
        if found.all() == 0 {
            self.check_missing("0").await?;
        }
        let mut folders: HashMap<String, Vec<String>> = HashMap::new();
        let taggings = self.taggings().await?;
        for tagging in taggings.list {
            folders.entry(tagging.feed_id.into_text()).or_default().push(tagging.name);
        }
        self.subscriptions.clear();
        let mut feeds = Vec::new();
        for found in found.list {
            let remote_id = found.feed_id.into_text();
            self.subscriptions.insert(remote_id.clone(), found.id.into_text());
            let mut labels = folders.remove(&remote_id).unwrap_or_default().into_iter();
            feeds.push(RemoteFeed {
                title: found.title.unwrap_or_default().trim().to_owned(),
                url: found.feed_url,
                home_url: found.site_url.filter(|url| !url.is_empty()),
                is_folder_unknown: taggings.skipped > 0 && labels.len() == 0,
                label: labels.next(),
                other_labels: labels.collect(),
                remote_id,
            });
        }
        Ok(feeds)
    }

    async fn labels(&mut self) -> Result<Option<Labels>, SyncError> {
        Ok(None)
    }

    async fn ids(&mut self, list: &List, limit: usize) -> Result<Ids, SyncError> {
        let marked = match list {
            List::Unread => {
                if !std::mem::take(&mut self.fresh.0) {
                    self.unread = self.marked(false).await?;
                }
                &self.unread
            }
            List::Starred => {
                if !std::mem::take(&mut self.fresh.1) {
                    self.starred = self.marked(true).await?;
                }
                &self.starred
            }
            List::Label(_) | List::Newest => return Ok(Ids::default()),
        };
        let mut sorted: Vec<u64> = marked.ids.iter().copied().collect();
        sorted.sort_unstable_by(|one, other| other.cmp(one));
        let ids = sorted.iter().take(limit).map(u64::to_string).collect();
        Ok(Ids { ids, whole: marked.whole && sorted.len() <= limit })
    }

    async fn articles(&mut self, ids: &[String]) -> Result<Vec<RemoteArticle>, SyncError> {
        let query = [("ids", ids.join(",")), ("mode", "extended".to_owned())];
        let query: Vec<(&str, &str)> = query.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let found: Entries<Entry> = self.api.get("/entries.json", &query, "entries").await?;
        if let Some(first) = ids.first().filter(|_| found.all() == 0) {
            self.check_missing(first).await?;
        }
        let articles = found.list.into_iter().map(|entry| self.article(entry));
        Ok(articles.filter(|article| ids.contains(&article.item.id)).collect())
    }

    async fn changes(&mut self, position: Option<&str>, history: usize) -> Result<Changes, SyncError> {
        match position.and_then(|position| serde_json::from_str(position).ok()) {
            Some(Position::Since { since, page, until }) => self.arrived_since(since, page, until).await,
            Some(Position::First { page, left, since }) => self.first(page, left, since).await,
            None => self.first(1, history, String::new()).await,
        }
    }

    async fn mark(&mut self, ids: &[String], kind: &MarkKind, on: bool) -> Result<(), SyncError> {
        let (list, add) = match kind {
            MarkKind::Read => ("unread_entries", !on),
            MarkKind::Starred => ("starred_entries", on),
            MarkKind::Label(_) => return Err(SyncError::LabelRefused),
        };
        let path = if add { format!("/{list}.json") } else { format!("/{list}/delete.json") };
        let numbers: Vec<u64> = ids.iter().filter_map(|id| id.parse().ok()).collect();
        let done: Entries<u64> = json(self.api.send(Method::Post, &path, json!({ list: numbers })).await?, "change")?;
        // Ids of articles that the user no longer has are left out of the response. If none is left, it may be the wrong response.
        if done.all() == 0 && !self.articles(ids).await?.is_empty() {
            return Err(SyncError::InvalidResponse("change"));
        }
        Ok(())
    }

    async fn change(&mut self, change: &FeedChange) -> Result<Changed, SyncError> {
        let feed = change.remote_id.clone().unwrap_or_default();
        if let FeedChangeKind::Subscribe { url, title, label } = &change.kind {
            return self.subscribe(url, title.as_deref(), label.as_deref()).await;
        }
        if !self.subscriptions.contains_key(&feed) {
            self.feeds().await?;
        }
        let Some(subscription) = self.subscriptions.get(&feed).cloned() else {
            return Ok(if change.kind == FeedChangeKind::Leave && !self.lacks_feeds {
                Changed::Done(None)
            } else {
                Changed::Refused
            });
        };
        let done = match &change.kind {
            FeedChangeKind::Rename(title) => self.rename(&subscription, title).await,
            FeedChangeKind::Move { to, .. } => self.move_to(&feed, to.as_deref()).await,
            _ => self.delete(&format!("/subscriptions/{subscription}.json")).await,
        };
        match done {
            Ok(()) => Ok(Changed::Done(None)),
            Err(FetchErrorOr::Fetch(error)) if is_refusal(&error) => Ok(Changed::Refused),
            Err(error) => Err(error.into()),
        }
    }
}

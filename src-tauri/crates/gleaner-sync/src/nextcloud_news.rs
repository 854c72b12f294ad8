//! The API of Nextcloud News, version 1.3. It has no lists of ids; it returns the articles that changed since a moment. Some versions also
//! return read articles if unread ones are requested, return the article at the offset again, or return all articles in one response.

use crate::{
    Abilities, Changed, Changes, Connection, Ids, Labels, List, RemoteArticle, Server, SyncError,
    error::{FetchErrorOr, is_refusal},
    first_read::{FirstRead, Part, scan},
    http::{Api, Login, json, text},
    lenient::{self, Entries, Text},
};
use async_trait::async_trait;
use chrono::DateTime;
use gleaner_feed::{Body, ContentKind, Enclosure, Item};
use gleaner_fetch::{FetchError, FetchErrorKind, Method};
use gleaner_library::{FeedChange, FeedChangeKind, MarkKind, RemoteFeed, now_utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Articles per page: they come with their texts.
const PAGE: usize = 200;
/// Maximum number of pages of a list.
const MAX_PAGES: usize = 1000;
/// A change that was being stored while the last response was made may have an earlier time, in microseconds.
const OVERLAP: u64 = 2_000_000;
/// A later moment than this from now was set by a wrong clock, in microseconds.
const LATER: u64 = 86_400_000_000;
/// How far back to read if a position turns out to be later than that, in microseconds.
const LATELY: u64 = 7 * 86_400_000_000;
/// Times below this are in seconds, as servers of old versions have them.
const MICROSECONDS: u64 = 10_000_000_000;

/// A server with Nextcloud News.
#[derive(Debug)]
pub struct NextcloudNews {
    api: Api,
    accepted: bool,
    /// Ids of the folders by name.
    folders: HashMap<String, u64>,
    /// Whether some of them could not be read.
    lacks_folders: bool,
    /// Ids of the feeds.
    feeds: Vec<String>,
    /// Whether some entries of the last list of subscriptions could not be read.
    lacks_feeds: bool,
}

/// How far the articles were read.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Position {
    /// Reading all articles. `since`: a moment when this had begun, by the clock of the server.
    First { read: FirstRead, since: Option<u64> },
    /// Reading changes after a moment. `again`: others may have changed at the same time. `floor`: read articles with lower ids were not
    /// downloaded.
    Since { since: u64, again: bool, floor: u64 },
}

#[derive(Deserialize)]
struct Folders {
    folders: Entries<Folder>,
}

#[derive(Deserialize)]
struct Folder {
    id: u64,
    name: String,
}

#[derive(Deserialize)]
struct Feeds {
    feeds: Entries<Feed>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feed {
    id: Text,
    #[serde(default, deserialize_with = "lenient::text")]
    url: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    title: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    link: Option<String>,
    #[serde(default, deserialize_with = "lenient::number")]
    folder_id: Option<i64>,
}

#[derive(Deserialize)]
struct Articles {
    items: Entries<Article>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Article {
    id: u64,
    feed_id: Text,
    #[serde(default, deserialize_with = "lenient::flag")]
    unread: Option<bool>,
    #[serde(default, deserialize_with = "lenient::flag")]
    starred: Option<bool>,
    #[serde(default, deserialize_with = "lenient::text")]
    title: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    author: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    url: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    body: Option<String>,
    #[serde(default, deserialize_with = "lenient::number")]
    pub_date: Option<i64>,
    #[serde(default, deserialize_with = "lenient::text")]
    enclosure_link: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    enclosure_mime: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    media_thumbnail: Option<String>,
    #[serde(default, deserialize_with = "lenient::number")]
    last_modified: Option<i64>,
}

impl Article {
    fn modified(&self) -> u64 {
        self.last_modified.and_then(|time| u64::try_from(time).ok()).unwrap_or(0)
    }

    fn into_article(self) -> RemoteArticle {
        let filled = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
        let url = filled(self.url);
        let body = filled(self.body);
        let mime_type = filled(self.enclosure_mime);
        let enclosure = |url| Enclosure { url, mime_type, ..Enclosure::default() };
        RemoteArticle {
            feed: self.feed_id.into_text(),
            read: self.unread == Some(false),
            starred: self.starred == Some(true),
            unmarked: self.unread.is_none() || self.starred.is_none(),
            labels: Vec::new(),
            item: Item {
                id: self.id.to_string(),
                title: filled(self.title).map(|title| title.trim().to_owned()),
                authors: filled(self.author).into_iter().flat_map(lenient::persons).collect(),
                published: self.pub_date.filter(|time| *time > 0).and_then(|time| DateTime::from_timestamp(time, 0)),
                content_kind: if body.is_some() { ContentKind::Full } else { ContentKind::None },
                content: body.map(|html| Body { html, base: url.as_deref().map(Into::into) }),
                enclosures: filled(self.enclosure_link).map(enclosure).into_iter().collect(),
                thumbnail_url: filled(self.media_thumbnail),
                url,
                ..Item::default()
            },
        }
    }
}

impl NextcloudNews {
    /// Creates a client that is not logged in yet.
    #[must_use]
    pub fn new(connection: Connection, user: &str, password: String) -> Self {
        let login = Login { user: user.to_owned(), password, token_header: None };
        Self {
            api: Api::new(connection, login),
            accepted: false,
            folders: HashMap::new(),
            lacks_folders: false,
            feeds: Vec::new(),
            lacks_feeds: false,
        }
    }

    /// Whether this is the API, which requires a login.
    pub(crate) async fn probe(connection: &Connection) -> Result<bool, FetchError> {
        connection.wants_login("/folders").await
    }

    /// Whether there is only an older version of the API.
    pub(crate) async fn is_old(connection: &Connection) -> bool {
        let mut url = connection.url("/folders", &[]);
        url.set_path(&url.path().replace("/v1-3/", "/v1-2/"));
        matches!(connection.get(url, &[]).await, Err(error) if error.kind == FetchErrorKind::Http(401))
    }

    /// Sends a change. The server responds with `null` or `[]`, others that have its API with status 204. Any other response, such as an
    /// empty body or a page, does not confirm the change.
    async fn edit(&self, method: Method, path: &str, body: Value) -> Result<(), FetchErrorOr> {
        let response = self.api.send(method, path, body).await?;
        let status = response.status;
        match text(response).trim() {
            "null" | "[]" => Ok(()),
            "" if status == 204 => Ok(()),
            _ => Err(FetchErrorOr::Other(SyncError::InvalidResponse("change"))),
        }
    }

    /// Returns a page of articles, those with the greatest ids first. `type` is 2 for those with a star, 3 for all.
    async fn page(&self, part: Part, below: Option<u64>, size: usize) -> Result<Entries<Article>, SyncError> {
        let (offset, size) = (below.unwrap_or(0).to_string(), size.to_string());
        let kind = if part == Part::Starred { "2" } else { "3" };
        let read = if part == Part::Unread { "false" } else { "true" };
        let query = [("type", kind), ("id", "0"), ("getRead", read), ("batchSize", &size), ("offset", &offset)];
        let found: Articles =
            self.api.get("/items", &[&query[..], &[("oldestFirst", "false")]].concat(), "items").await?;
        Ok(found.items)
    }

    async fn read_folders(&mut self) -> Result<(), SyncError> {
        let found: Folders = self.api.get("/folders", &[], "folders").await?;
        self.lacks_folders = found.folders.skipped > 0;
        self.folders = found.folders.list.into_iter().map(|folder| (folder.name, folder.id)).collect();
        self.accepted = true;
        Ok(())
    }

    /// Returns the id of a folder, which is created if need be; `None` if the server refuses its name.
    async fn folder(&mut self, name: &str) -> Result<Option<u64>, SyncError> {
        if !self.folders.contains_key(name) {
            match self.api.send(Method::Post, "/folders", json!({ "name": name })).await {
                Ok(response) => drop(json::<Folders>(response, "folders")?),
                // 409: it was created meanwhile.
                Err(error) if is_refusal(&error) => {}
                Err(error) => return Err(error.into()),
            }
            self.read_folders().await?;
        }
        Ok(self.folders.get(name).copied())
    }

    /// Returns the folder of a feed as the API has it: `null` for none. `None` if the server refuses its name.
    async fn folder_value(&mut self, name: Option<&str>) -> Result<Option<Value>, SyncError> {
        match name {
            None => Ok(Some(Value::Null)),
            Some(name) => Ok(self.folder(name).await?.map(Value::from)),
        }
    }

    async fn subscribe(&mut self, url: &str, title: Option<&str>, label: Option<&str>) -> Result<Changed, SyncError> {
        let folder = self.folder_value(label).await?.unwrap_or(Value::Null);
        let id = match self.api.send(Method::Post, "/feeds", json!({ "url": url, "folderId": folder })).await {
            Ok(response) => {
                let added: Feeds = json(response, "feeds")?;
                let feed = added.feeds.list.into_iter().next().ok_or(SyncError::InvalidResponse("feeds"))?;
                feed.id.into_text()
            }
            // A server that has the feed already refuses it.
            Err(error) if is_refusal(&error) => {
                let key = gleaner_library::feed_key(url);
                let there = self.feeds().await?.into_iter().find(|feed| gleaner_library::feed_key(&feed.url) == key);
                let Some(there) = there else { return Ok(Changed::Refused) };
                there.remote_id
            }
            Err(error) => return Err(error.into()),
        };
        if let Some(title) = title {
            match self.edit(Method::Post, &format!("/feeds/{id}/rename"), json!({ "feedTitle": title })).await {
                Err(FetchErrorOr::Fetch(error)) if is_refusal(&error) => {}
                done => done?,
            }
        }
        Ok(Changed::Done(Some(id)))
    }

    /// Reads the changes since a moment.
    async fn changed(&self, since: u64, again: bool, floor: u64) -> Result<Changes, SyncError> {
        let unit = unit(since);
        let (overlap, now) = (OVERLAP / unit, now());
        // The server's clock was wrong, or this one is: changes in the meantime are among the latest ones.
        let (since, again) =
            if is_later(since, now) { (now.saturating_sub(LATELY) / unit, true) } else { (since, again) };
        let from = if again { since.saturating_sub(overlap) } else { since + 1 }.to_string();
        let articles = match self.updated(&from, "3", "0").await {
            // More changed than fits into a response.
            Err(SyncError::Fetch(error)) if error.kind == FetchErrorKind::TooLarge => {
                let mut articles = Vec::new();
                for feed in &self.feeds {
                    articles.extend(self.updated(&from, "0", feed).await?);
                }
                articles
            }
            articles => articles?,
        };
        let modified = articles.iter().map(Article::modified).filter(|time| !is_later(*time, now));
        let latest = modified.max().unwrap_or(0);
        let next = stored(&Position::Since { since: latest.max(since), again: latest > since, floor })?;
        let is_earlier =
            |article: &Article| article.id < floor && article.unread == Some(false) && article.starred == Some(false);
        let (earlier, articles): (Vec<_>, Vec<_>) = articles.into_iter().partition(is_earlier);
        let converted = |articles: Vec<Article>| articles.into_iter().map(Article::into_article).collect();
        Ok(Changes { articles: converted(articles), earlier: converted(earlier), next, ..Changes::default() })
    }

    /// Returns the articles of a feed (type 0), or all (type 3), that changed since a moment.
    async fn updated(&self, since: &str, kind: &str, id: &str) -> Result<Vec<Article>, SyncError> {
        let found: Articles = self
            .api
            .get("/items/updated", &[("lastModified", since), ("type", kind), ("id", id)], "items/updated")
            .await?;
        Ok(found.items.list)
    }
}

fn stored(position: &Position) -> Result<String, SyncError> {
    serde_json::to_string(position).map_err(|_| SyncError::InvalidResponse("items"))
}

fn number(id: &str) -> Option<u64> {
    id.parse().ok()
}

/// Returns the unit of a time of the server, in microseconds: seconds in old versions.
fn unit(time: u64) -> u64 {
    if time < MICROSECONDS { 1_000_000 } else { 1 }
}

/// Whether a time of the server is later than now, in microseconds, by more than a day.
fn is_later(time: u64, now: u64) -> bool {
    time.saturating_mul(unit(time)) > now.saturating_add(LATER)
}

/// Returns the time in microseconds.
fn now() -> u64 {
    u64::try_from(now_utc().timestamp_micros()).unwrap_or(0)
}

#[async_trait]
impl Server for NextcloudNews {
    fn abilities(&self) -> Abilities {
        Abilities { changes: true, ..Abilities::new(100, 1000) }
    }

    async fn log_in(&mut self) -> Result<(), SyncError> {
        if self.accepted { Ok(()) } else { self.read_folders().await }
    }

    fn lacks_feeds(&self) -> bool {
        self.lacks_feeds
    }

    async fn feeds(&mut self) -> Result<Vec<RemoteFeed>, SyncError> {
        self.read_folders().await?;
        let found: Feeds = self.api.get("/feeds", &[], "feeds").await?;
        self.lacks_feeds = found.feeds.skipped > 0;
        let names: HashMap<u64, &String> = self.folders.iter().map(|(name, id)| (*id, name)).collect();
        let folder = |feed: &Feed| feed.folder_id.and_then(|id| u64::try_from(id).ok());
        let feed = |feed: Feed| RemoteFeed {
            is_folder_unknown: self.lacks_folders && folder(&feed).is_some_and(|id| !names.contains_key(&id)),
            label: folder(&feed).and_then(|id| names.get(&id)).map(|name| (*name).clone()),
            url: feed.url.unwrap_or_else(|| feed.id.text().to_owned()),
            remote_id: feed.id.into_text(),
            title: feed.title.unwrap_or_default().trim().to_owned(),
            home_url: feed.link.filter(|url| !url.is_empty()),
            other_labels: Vec::new(),
        };
        let feeds: Vec<RemoteFeed> = found.feeds.list.into_iter().map(feed).collect();
        self.feeds = feeds.iter().map(|feed| feed.remote_id.clone()).collect();
        Ok(feeds)
    }

    async fn labels(&mut self) -> Result<Option<Labels>, SyncError> {
        Ok(None)
    }

    async fn ids(&mut self, list: &List, limit: usize) -> Result<Ids, SyncError> {
        let part = match list {
            List::Unread => Part::Unread,
            List::Starred => Part::Starred,
            List::Label(_) | List::Newest => return Ok(Ids::default()),
        };
        let (mut ids, mut below, mut are_all) = (Ids::default(), None, true);
        for _ in 0..MAX_PAGES {
            let Entries { list: page, skipped } = self.page(part, below, PAGE).await?;
            are_all &= skipped == 0;
            let lower: Vec<&Article> =
                page.iter().filter(|article| below.is_none_or(|below| article.id < below)).collect();
            let Some(lowest) = lower.iter().map(|article| article.id).min() else {
                ids.whole = are_all && ids.ids.len() <= limit;
                ids.ids.truncate(limit);
                return Ok(ids);
            };
            if ids.ids.len() > limit {
                break;
            }
            let is_in = |article: &&&Article| {
                if part == Part::Unread { article.unread == Some(true) } else { article.starred == Some(true) }
            };
            ids.ids.extend(lower.iter().filter(is_in).map(|article| article.id.to_string()));
            below = Some(lowest);
        }
        ids.ids.truncate(limit);
        Ok(ids)
    }

    async fn articles(&mut self, ids: &[String]) -> Result<Vec<RemoteArticle>, SyncError> {
        let mut left: Vec<u64> = ids.iter().filter_map(|id| number(id)).collect();
        let mut articles = Vec::new();
        while let Some((top, size)) = scan(&mut left, PAGE - 1) {
            // If the article at the offset is also returned, it takes up one place.
            let page = self.page(Part::Newest, Some(top + 1), size + 1).await?;
            let page: Vec<Article> = page.list.into_iter().filter(|article| article.id <= top).collect();
            let Some(lowest) = page.iter().map(|article| article.id).min() else { break };
            let found = page.into_iter().filter(|article| left.contains(&article.id));
            articles.extend(found.map(Article::into_article));
            left.retain(|id| *id < lowest);
        }
        Ok(articles)
    }

    async fn changes(&mut self, position: Option<&str>, history: usize) -> Result<Changes, SyncError> {
        let first = || Position::First { read: FirstRead::new(history), since: None };
        let position = position.and_then(|position| serde_json::from_str(position).ok()).unwrap_or_else(first);
        let (mut read, since) = match position {
            Position::Since { since, again, floor } => return self.changed(since, again, floor).await,
            Position::First { read, since } => (read, since),
        };
        let part = read.part;
        let mut page = self.page(part, read.below, read.size(PAGE)).await?.list;
        let latest = page.iter().map(Article::modified).max();
        let more = read.advance(page.iter().map(|article| article.id));
        // Later changes have later times than those on the first page.
        let since = since.or(latest);
        let next = if more {
            Position::First { read, since }
        } else {
            Position::Since { since: since.unwrap_or(0), again: false, floor: read.floor(history) }
        };
        page.retain(|article| part != Part::Unread || article.unread == Some(true));
        let articles = page.into_iter().map(Article::into_article).collect();
        Ok(Changes { articles, next: stored(&next)?, more: true, ..Changes::default() })
    }

    async fn mark(&mut self, ids: &[String], kind: &MarkKind, on: bool) -> Result<(), SyncError> {
        let what = match (kind, on) {
            (MarkKind::Read, true) => "read",
            (MarkKind::Read, false) => "unread",
            (MarkKind::Starred, true) => "star",
            (MarkKind::Starred, false) => "unstar",
            (MarkKind::Label(_), _) => return Err(SyncError::LabelRefused),
        };
        let ids: Vec<u64> = ids.iter().filter_map(|id| number(id)).collect();
        Ok(self.edit(Method::Post, &format!("/items/{what}/multiple"), json!({ "itemIds": ids })).await?)
    }

    async fn change(&mut self, change: &FeedChange) -> Result<Changed, SyncError> {
        let id = change.remote_id.clone().unwrap_or_default();
        let path = format!("/feeds/{id}");
        let done = match &change.kind {
            FeedChangeKind::Subscribe { url, title, label } => {
                return self.subscribe(url, title.as_deref(), label.as_deref()).await;
            }
            FeedChangeKind::Rename(title) => {
                self.edit(Method::Post, &format!("{path}/rename"), json!({ "feedTitle": title })).await
            }
            FeedChangeKind::Move { to, .. } => match self.folder_value(to.as_deref()).await? {
                Some(folder) => self.edit(Method::Post, &format!("{path}/move"), json!({ "folderId": folder })).await,
                None => return Ok(Changed::Refused),
            },
            FeedChangeKind::Leave => match self.edit(Method::Delete, &path, json!({})).await {
                // The server no longer has it, so nothing is left to do.
                Err(FetchErrorOr::Fetch(error)) if error.kind == FetchErrorKind::Http(404) => Ok(()),
                done => done,
            },
        };
        match done {
            Ok(()) => Ok(Changed::Done(None)),
            Err(FetchErrorOr::Fetch(error)) if is_refusal(&error) => Ok(Changed::Refused),
            Err(error) => Err(error.into()),
        }
    }
}

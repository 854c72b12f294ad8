//! The REST API of Miniflux. Its pages by offset skip articles while others change, so all are read by id. Times have a resolution of a
//! second, so an article may change again at the time that was read last. Only newer versions can set a star; older ones toggle it. The
//! folder "All", which each user has, is not a folder here. Deleting a folder deletes its feeds on the server, so Gleaner deletes none.

mod format;

use crate::{
    Abilities, Changed, Changes, Connection, Ids, Labels, List, RemoteArticle, Server, SyncError,
    error::{FetchErrorOr, is_refusal, is_refusal_or_failure},
    first_read::{FirstRead, Part, scan},
    http::{Api, Login, json},
    lenient::{self, Readable},
};
use async_trait::async_trait;
use format::{Added, Category, Entries, Entry, Feed, Me, converted};
use gleaner_fetch::{FetchError, FetchErrorKind, Method};
use gleaner_library::{FeedChange, FeedChangeKind, MarkKind, RemoteFeed, now_utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashSet;

/// Articles per page, which contains their texts. Fewer are requested if the response is too large.
const PAGE: usize = 1000;
/// Minimum number of articles per page; fewer are requested only around an article that is too large.
const MIN_PAGE: usize = 50;
/// Maximum number of articles in a row that are left out because each is too large.
const MAX_TOO_LARGE: usize = 20;
/// Maximum number of pages of a list.
const MAX_PAGES: usize = 1000;
/// A change that was being stored while the last response was made may have an earlier time, in microseconds.
const OVERLAP: i64 = 2_000_000;
/// How far back to read if a position turns out to be in the future, in microseconds.
const LATELY: i64 = 7 * 86_400_000_000;
/// A moment after which nothing has changed, in seconds.
const FAR_FUTURE: &str = "32503680000";
/// The folder of feeds that are in no other one.
const NO_FOLDER: &str = "All";

/// A Miniflux server.
#[derive(Debug)]
pub struct Miniflux {
    api: Api,
    accepted: bool,
    /// Maximum number of articles per page, with which responses are not too large.
    most: usize,
    /// Whether some entries of the last list of subscriptions could not be read.
    lacks_feeds: bool,
}

/// How far the articles were read. Times are in microseconds.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Position {
    /// Reading all articles. `since`: the latest change when this began.
    First { read: FirstRead, since: i64 },
    /// Reading what changed.
    Since(Since),
}

/// Up to where changes were read. Times are in microseconds.
#[derive(Serialize, Deserialize)]
struct Since {
    /// Earlier changes were read.
    since: i64,
    /// Whether others may have changed at that time.
    again: bool,
    /// Read articles with lower ids were not downloaded.
    floor: u64,
    /// The latest change when this reading began; `None` before it begins.
    until: Option<i64>,
    /// The last article that was read, in the order of ids.
    after: u64,
    /// Number of articles that the server had.
    #[serde(default)]
    total: Option<usize>,
}

fn stored(position: &Position) -> Result<String, SyncError> {
    serde_json::to_string(position).map_err(|_| SyncError::InvalidResponse("entries"))
}

/// Returns the time in microseconds.
fn now() -> i64 {
    now_utc().timestamp_micros()
}

fn number(id: &str) -> Option<u64> {
    id.parse().ok()
}

impl Miniflux {
    /// Creates a client that is not logged in yet. Without a user name the password is an API key.
    #[must_use]
    pub fn new(connection: Connection, user: &str, password: String) -> Self {
        let login = Login { user: user.to_owned(), password, token_header: Some("X-Auth-Token") };
        Self { api: Api::new(connection, login), accepted: false, most: PAGE, lacks_feeds: false }
    }

    /// Whether this is the API, which requires a login.
    pub(crate) async fn probe(connection: &Connection) -> Result<bool, FetchError> {
        connection.wants_login("/v1/me").await
    }

    /// Sends a change whose response has no body.
    async fn edit(&self, method: Method, path: &str, body: Value) -> Result<(), FetchErrorOr> {
        match self.api.send(method, path, body).await?.status {
            204 => Ok(()),
            _ => Err(FetchErrorOr::Other(SyncError::InvalidResponse("change"))),
        }
    }

    /// Returns as many articles as a response may have, at most `size`. One that is too large alone is left out.
    async fn entries(&mut self, query: &[(&str, &str)], size: usize) -> Result<Entries, SyncError> {
        let mut left_out = 0_usize;
        loop {
            let limit = size.min(self.most);
            let (limit_text, offset) = (limit.to_string(), left_out.to_string());
            let mut query = [query, &[("limit", limit_text.as_str())]].concat();
            if left_out > 0 {
                query.push(("offset", &offset));
            }
            match self.api.get("/v1/entries", &query, "entries").await {
                Err(error) if error.is_too_large() && limit > 1 => self.most = (limit / 4).max(1),
                Err(error) if error.is_too_large() && left_out < MAX_TOO_LARGE => {
                    tracing::warn!(%error, "an article of a server is left out");
                    left_out += 1;
                }
                found => {
                    self.most = self.most.max(MIN_PAGE.min(self.most * 2));
                    return found;
                }
            }
        }
    }

    /// Returns a page of articles, those with the greatest ids first.
    async fn page(&mut self, part: Part, below: Option<u64>, size: usize) -> Result<Entries, SyncError> {
        let below = below.map(|id| id.to_string());
        let mut query = vec![("order", "id"), ("direction", "desc")];
        query.extend(below.as_deref().map(|id| ("before_entry_id", id)));
        match part {
            Part::Newest => {}
            Part::Unread => query.push(("status", "unread")),
            Part::Starred => query.push(("starred", "true")),
        }
        self.entries(&query, size).await
    }

    /// Returns when the latest change was, `None` if there are no articles, and the number of articles.
    async fn latest(&mut self) -> Result<(Option<i64>, usize), SyncError> {
        let found = self.entries(&[("order", "changed_at"), ("direction", "desc")], 1).await?;
        // A later moment was set by a wrong clock: nothing would seem to change until then.
        Ok((found.entries.list.first().map(|entry| entry.changed().min(now())), found.total))
    }

    /// Reads a page of the changes since a moment. The order by id does not change while it is read.
    async fn changed(&mut self, position: Since) -> Result<Changes, SyncError> {
        let Since { since, again, floor, until, after, total } = position;
        // The server's clock was wrong, or this one is: changes in the meantime are among the latest ones.
        let (since, again) = if since > now() + OVERLAP { (now() - LATELY, true) } else { (since, again) };
        let (until, since, total) = match until {
            Some(until) => (until, since, total),
            None => {
                let (latest, number) = self.latest().await?;
                let latest = latest.unwrap_or(since);
                // There are other articles than before, but none of them changed: the server's clock may have been set back, so that they
                // have earlier times.
                let early = latest <= since && total.is_some_and(|total| total != number);
                (latest, if early { since - LATELY } else { since }, Some(number))
            }
        };
        let done = |until: i64| {
            let (again, since) = (until > since, until.max(since));
            Position::Since(Since { since, again, floor, until: None, after: 0, total })
        };
        if until <= since && !again {
            return Ok(Changes { next: stored(&done(until))?, ..Changes::default() });
        }
        // The server compares seconds.
        let from = (if again { since - OVERLAP } else { since } - 1).div_euclid(1_000_000);
        let (changed_after, after_id) = (from.max(1).to_string(), after.to_string());
        let query = [
            ("changed_after", changed_after.as_str()),
            ("order", "id"),
            ("direction", "asc"),
            ("after_entry_id", &after_id),
        ];
        let Entries { total: left, entries: Readable { list: entries, skipped } } = self.entries(&query, PAGE).await?;
        // A version that does not know the parameters returns all articles.
        if entries
            .iter()
            .any(|entry| entry.changed_at.is_some() && entry.changed() < from * 1_000_000 || entry.id <= after)
        {
            return Err(SyncError::InvalidResponse("entries"));
        }
        let more = left > entries.len() + skipped && !entries.is_empty();
        let last = entries.iter().map(|entry| entry.id).max().unwrap_or(after);
        let next = if more {
            Position::Since(Since { since, again, floor, until: Some(until), after: last, total })
        } else {
            done(until)
        };
        let is_earlier = |entry: &Entry| entry.id < floor && !entry.is_unread() && !entry.is_starred();
        let (earlier, articles): (Vec<_>, Vec<_>) = entries.into_iter().partition(is_earlier);
        Ok(Changes {
            articles: converted(articles),
            earlier: converted(earlier),
            next: stored(&next)?,
            more,
            ..Changes::default()
        })
    }

    /// Returns the id of a folder, which is created if need be; `None` if the server refuses its name. Feeds in no folder are in the
    /// first one, which the user may have renamed.
    async fn folder(&self, name: Option<&str>) -> Result<Option<u64>, SyncError> {
        let find = async || -> Result<Option<u64>, SyncError> {
            let folders: lenient::Entries<Category> = self.api.get("/v1/categories", &[], "categories").await?;
            let folders = folders.list;
            let named = folders.iter().find(|folder| folder.title == name.unwrap_or(NO_FOLDER));
            let first = folders.iter().min_by_key(|folder| folder.id).filter(|_| name.is_none());
            Ok(named.or(first).map(|folder| folder.id))
        };
        let found = find().await?;
        let (Some(name), None) = (name, found) else { return Ok(found) };
        match self.api.send(Method::Post, "/v1/categories", json!({ "title": name })).await {
            Ok(response) => Ok(Some(json::<Category>(response, "categories")?.id)),
            // It may have been created in the meantime.
            Err(error) if is_refusal(&error) => find().await,
            Err(error) => Err(error.into()),
        }
    }

    async fn subscribe(&mut self, url: &str, title: Option<&str>, label: Option<&str>) -> Result<Changed, SyncError> {
        let mut body = json!({ "feed_url": url });
        if let Some(folder) = self.folder(label).await? {
            body["category_id"] = folder.into();
        }
        let id = match self.api.send(Method::Post, "/v1/feeds", body).await {
            Ok(response) => json::<Added>(response, "feeds")?.feed_id.into_text(),
            // The server refuses a feed that it already has. It fails if the feed redirects to one that it has, or if it can't read it.
            // Only redirects such as that from http to https are recognised here.
            Err(error) if is_refusal_or_failure(&error) => {
                let key = gleaner_library::feed_key(url);
                let there = self.feeds().await?.into_iter().find(|feed| gleaner_library::feed_key(&feed.url) == key);
                let Some(there) = there else { return Ok(Changed::Refused) };
                there.remote_id
            }
            Err(error) => return Err(error.into()),
        };
        if let Some(title) = title {
            match self.api.send(Method::Put, &format!("/v1/feeds/{id}"), json!({ "title": title })).await {
                Err(error) if is_refusal(&error) => {}
                done => drop(json::<Feed>(done?, "feeds")?),
            }
        }
        Ok(Changed::Done(Some(id)))
    }

    /// Sets or removes the star of each article that has the other state.
    async fn toggle_stars(&self, ids: &[u64], on: bool) -> Result<(), SyncError> {
        for id in ids {
            let entry: Entry = match self.api.get(&format!("/v1/entries/{id}"), &[], "entry").await {
                Err(SyncError::Fetch(error)) if error.kind == FetchErrorKind::Http(404) => continue,
                entry => entry?,
            };
            if entry.is_starred() != on {
                self.edit(Method::Put, &format!("/v1/entries/{id}/bookmark"), json!({})).await?;
            }
        }
        Ok(())
    }
}

#[async_trait]
impl Server for Miniflux {
    fn abilities(&self) -> Abilities {
        Abilities { changes: true, ..Abilities::new(100, 1000) }
    }

    async fn log_in(&mut self) -> Result<(), SyncError> {
        if !self.accepted {
            self.api.get::<Me>("/v1/me", &[], "me").await?;
            // Older versions ignore the moment, and return articles. They have the Google Reader API, too.
            let query = [("changed_after", FAR_FUTURE), ("limit", "1")];
            let none: Entries = self.api.get("/v1/entries", &query, "entries").await?;
            if !none.entries.list.is_empty() {
                return Err(SyncError::TooOld);
            }
            self.accepted = true;
        }
        Ok(())
    }

    fn lacks_feeds(&self) -> bool {
        self.lacks_feeds
    }

    async fn feeds(&mut self) -> Result<Vec<RemoteFeed>, SyncError> {
        let found: lenient::Entries<Feed> = self.api.get("/v1/feeds", &[], "feeds").await?;
        self.lacks_feeds = found.skipped > 0;
        let feed = |feed: Feed| RemoteFeed {
            remote_id: feed.id.into_text(),
            title: feed.title.unwrap_or_default().trim().to_owned(),
            url: feed.feed_url,
            home_url: feed.site_url.filter(|url| !url.is_empty()),
            label: feed.category.map(|folder| folder.title).filter(|title| !title.is_empty() && title != NO_FOLDER),
            ..RemoteFeed::default()
        };
        Ok(found.list.into_iter().map(feed).collect())
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
            let Readable { list: page, skipped } = self.page(part, below, PAGE).await?.entries;
            are_all &= skipped == 0;
            let lower = page.iter().filter(|entry| below.is_none_or(|below| entry.id < below));
            let lower: HashSet<u64> = lower.map(|entry| entry.id).collect();
            let Some(lowest) = lower.iter().min() else {
                ids.whole = are_all && ids.ids.len() <= limit;
                ids.ids.truncate(limit);
                return Ok(ids);
            };
            if ids.ids.len() > limit {
                break;
            }
            let is_in = |entry: &&Entry| if part == Part::Unread { entry.is_unread() } else { entry.is_starred() };
            ids.ids.extend(
                page.iter().filter(|entry| lower.contains(&entry.id)).filter(is_in).map(|entry| entry.id.to_string()),
            );
            below = Some(*lowest);
        }
        ids.ids.truncate(limit);
        Ok(ids)
    }

    async fn articles(&mut self, ids: &[String]) -> Result<Vec<RemoteArticle>, SyncError> {
        let mut left: Vec<u64> = ids.iter().filter_map(|id| number(id)).collect();
        let mut articles = Vec::new();
        while let Some((top, size)) = scan(&mut left, PAGE) {
            let page = self.page(Part::Newest, Some(top + 1), size).await?.entries.list;
            let page: Vec<Entry> = page.into_iter().filter(|entry| entry.id <= top).collect();
            let Some(lowest) = page.iter().map(|entry| entry.id).min() else { break };
            articles.extend(converted(page.into_iter().filter(|entry| left.contains(&entry.id)).collect()));
            left.retain(|id| *id < lowest);
        }
        Ok(articles)
    }

    async fn changes(&mut self, position: Option<&str>, history: usize) -> Result<Changes, SyncError> {
        let (mut read, since) = match position.and_then(|position| serde_json::from_str(position).ok()) {
            Some(Position::Since(position)) => return self.changed(position).await,
            Some(Position::First { read, since }) => (read, since),
            None => (FirstRead::new(history), self.latest().await?.0.unwrap_or(0)),
        };
        let part = read.part;
        let Entries { total, entries: Readable { list: page, skipped } } =
            self.page(part, read.below, read.size(PAGE)).await?;
        // If there are no others below, none of them is unread or has a star.
        let is_last = part == Part::Newest && total <= page.len() + skipped;
        let next = if read.advance(page.iter().map(|entry| entry.id)) && !is_last {
            Position::First { read, since }
        } else {
            let floor = read.floor(history);
            Position::Since(Since { since, again: false, floor, until: None, after: 0, total: None })
        };
        Ok(Changes { articles: converted(page), next: stored(&next)?, more: true, ..Changes::default() })
    }

    async fn mark(&mut self, ids: &[String], kind: &MarkKind, on: bool) -> Result<(), SyncError> {
        let ids: Vec<u64> = ids.iter().filter_map(|id| number(id)).collect();
        let change = match kind {
            MarkKind::Read => json!({ "entry_ids": ids, "status": if on { "read" } else { "unread" } }),
            MarkKind::Starred => json!({ "entry_ids": ids, "starred": on }),
            MarkKind::Label(_) => return Err(SyncError::LabelRefused),
        };
        match self.edit(Method::Put, "/v1/entries", change).await {
            // An older version, or all of these articles are gone.
            Err(FetchErrorOr::Fetch(error))
                if *kind == MarkKind::Starred && (is_refusal(&error) || error.kind == FetchErrorKind::Http(500)) =>
            {
                self.toggle_stars(&ids, on).await
            }
            done => Ok(done?),
        }
    }

    async fn change(&mut self, change: &FeedChange) -> Result<Changed, SyncError> {
        let path = format!("/v1/feeds/{}", change.remote_id.as_deref().unwrap_or_default());
        let body = match &change.kind {
            FeedChangeKind::Subscribe { url, title, label } => {
                return self.subscribe(url, title.as_deref(), label.as_deref()).await;
            }
            FeedChangeKind::Leave => {
                return match self.edit(Method::Delete, &path, json!({})).await {
                    Ok(()) => Ok(Changed::Done(None)),
                    // The server no longer has it, so nothing is left to do.
                    Err(FetchErrorOr::Fetch(error)) if error.kind == FetchErrorKind::Http(404) => {
                        Ok(Changed::Done(None))
                    }
                    Err(FetchErrorOr::Fetch(error)) if is_refusal(&error) => Ok(Changed::Refused),
                    Err(error) => Err(error.into()),
                };
            }
            FeedChangeKind::Rename(title) => json!({ "title": title }),
            FeedChangeKind::Move { to, .. } => match self.folder(to.as_deref()).await? {
                Some(folder) => json!({ "category_id": folder }),
                None => return Ok(Changed::Refused),
            },
        };
        match self.api.send(Method::Put, &path, body).await {
            Ok(response) => json::<Feed>(response, "feeds").map(|_| Changed::Done(None)),
            Err(error) if is_refusal(&error) => Ok(Changed::Refused),
            Err(error) => Err(error.into()),
        }
    }
}

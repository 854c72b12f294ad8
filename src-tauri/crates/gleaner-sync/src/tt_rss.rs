//! The API of Tiny Tiny RSS. It pages by offset only, at most 200 articles. So each page is requested to begin with the last article of the
//! previous one: if it does not, articles were skipped. It lists new articles, but not marks that changed. Its counters show in which feeds
//! marks changed, and the lists of the articles that were read or starred last show which articles these are ([`counts`]). Titles and
//! folders of feeds can't be changed, and labels can't be created.

mod counts;
mod format;
mod place;
mod ranges;
mod reading;

use crate::{
    Abilities, Changed, Changes, Connection, Counted, Counts, Ids, Labels, List, RemoteArticle, Server, SyncError,
    first_read::Part,
    http::json,
    lenient::{Entries, Text},
};
use async_trait::async_trait;
use counts::{Comparison, Counters, Unexplained};
use format::{Article, Counter, Envelope, Feed, Named, Session, Subscribed};
use gleaner_fetch::FetchError;
use gleaner_library::{FeedChange, FeedChangeKind, MarkKind, RemoteFeed, tag_key};
use place::Place;
use ranges::Ranges;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap, HashSet};

/// Articles per page: the maximum.
const PAGE: usize = 200;
/// Articles per request that sets a label, which takes the server several statements for each.
const MAX_LABELLED: usize = 100;
/// Maximum number of pages of a list.
const MAX_PAGES: usize = 1000;
/// The first level of the API that has all requests used here (version 1.7.6, 2013).
const MIN_LEVEL: i64 = 5;
/// All articles. The list of starred ones has another order.
const ALL: &str = "-4";
/// All feeds, without the virtual ones.
const ALL_FEEDS: i64 = -3;

/// A server with Tiny Tiny RSS.
pub struct TtRss {
    connection: Connection,
    user: String,
    password: String,
    session: Option<String>,
    /// Whether some entries of the last list of subscriptions could not be read.
    lacks_feeds: bool,
    /// The comparison of the counters that were read last.
    comparison: Option<Comparison>,
}

/// Without its secret.
impl std::fmt::Debug for TtRss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TtRss").field("connection", &self.connection).finish_non_exhaustive()
    }
}

/// Returns the name of a part of the articles in the API.
fn view(part: Part) -> &'static str {
    match part {
        Part::Newest => "all_articles",
        Part::Unread => "unread",
        Part::Starred => "marked",
    }
}

fn is_in(part: Part, article: &Article) -> bool {
    match part {
        Part::Newest => true,
        Part::Unread => article.is_unread(),
        Part::Starred => article.is_starred(),
    }
}

/// How far the articles were read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Position {
    /// Reading the newest articles, then the unread and the starred ones below them, which have the same order.
    First {
        part: Part,
        place: Place,
        unread: Place,
        starred: Place,
        /// Number of the newest articles that are still to be read.
        left: usize,
        /// The greatest id of the first page. The order is by date, so other existing articles may have greater ids.
        since: u64,
        /// The greatest id of all pages.
        #[serde(default)]
        top: u64,
        /// The counters when this began.
        counters: String,
        /// Whether the server was installed again.
        #[serde(default)]
        renumbered: bool,
        /// If so, the ids that were read since then.
        #[serde(default, skip_serializing_if = "Ranges::is_empty")]
        read: Ranges,
    },
    /// Reading new articles: greater ids than `since`. `skip`: number of them that were read. `top`: the greatest id on the first page.
    /// `unexplained`: how the counters differed from the known articles when they were compared.
    Since {
        since: u64,
        skip: usize,
        top: u64,
        counters: String,
        #[serde(default)]
        unexplained: Unexplained,
    },
}

/// Why the server refused a request.
enum Refusal {
    /// It says so by this code.
    Code(String),
    Other(SyncError),
}

impl From<FetchError> for Refusal {
    fn from(error: FetchError) -> Self {
        Self::Other(error.into())
    }
}

impl From<SyncError> for Refusal {
    fn from(error: SyncError) -> Self {
        Self::Other(error)
    }
}

impl From<Refusal> for SyncError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Code(code) if code == "API_DISABLED" => Self::ApiOff,
            Refusal::Code(code) if code == "LOGIN_ERROR" || code == "NOT_LOGGED_IN" => Self::Login,
            Refusal::Code(code) if code == "UNKNOWN_METHOD" => Self::TooOld,
            Refusal::Code(_) => Self::InvalidResponse("request"),
            Refusal::Other(error) => error,
        }
    }
}

fn stored(position: &Position) -> Result<String, SyncError> {
    serde_json::to_string(position).map_err(|_| SyncError::InvalidResponse("getHeadlines"))
}

/// A page of articles.
struct Page {
    /// Those that can be read.
    articles: Vec<Article>,
    /// Their ids.
    ids: Vec<u64>,
    /// Number of all of them.
    all: usize,
}

impl Page {
    fn new(found: Entries<Article>) -> Self {
        let all = found.all();
        let numbered = found.list.into_iter().filter_map(|article| Some((article.number()?, article)));
        let (ids, articles) = numbered.unzip();
        Self { articles, ids, all }
    }
}

/// Whether an id is a positive number: others are of special feeds and folders.
fn is_positive(id: &str) -> bool {
    id.parse().is_ok_and(|id: i64| id > 0)
}

impl TtRss {
    /// Creates a client that is not logged in yet.
    #[must_use]
    pub fn new(connection: Connection, user: &str, password: String) -> Self {
        Self { connection, user: user.to_owned(), password, session: None, lacks_feeds: false, comparison: None }
    }

    /// Whether this is the API, which wants a login.
    pub(crate) async fn probe(connection: &Connection) -> Result<bool, FetchError> {
        let response = connection.post_json(connection.url("/", &[]), &json!({ "op": "getApiLevel" })).await?;
        let found = json::<Envelope>(response, "getApiLevel");
        Ok(found.is_ok_and(|found| found.content["error"] == "NOT_LOGGED_IN"))
    }

    async fn send(&self, op: &'static str, mut request: Value) -> Result<Value, Refusal> {
        request["op"] = op.into();
        if let Some(session) = &self.session {
            request["sid"] = session.as_str().into();
        }
        let found: Envelope = json(self.connection.post_json(self.connection.url("/", &[]), &request).await?, op)?;
        match (found.status, found.content["error"].as_str()) {
            (0, _) => Ok(found.content),
            (_, Some(code)) => Err(Refusal::Code(code.to_owned())),
            _ => Err(SyncError::InvalidResponse(op).into()),
        }
    }

    /// Sends a request, and logs in again if the session has ended.
    async fn call(&mut self, op: &'static str, request: Value) -> Result<Value, Refusal> {
        let had_session = self.session.is_some();
        self.log_in().await?;
        match self.send(op, request.clone()).await {
            Err(Refusal::Code(code)) if code == "NOT_LOGGED_IN" && had_session => {
                self.session = None;
                self.log_in().await?;
                self.send(op, request).await
            }
            done => done,
        }
    }

    async fn get<T: DeserializeOwned>(&mut self, op: &'static str, request: Value) -> Result<T, SyncError> {
        let content = self.call(op, request).await?;
        serde_json::from_value(content).map_err(|_| SyncError::InvalidResponse(op))
    }

    /// Sends a change that is answered with "OK".
    async fn edit(&mut self, op: &'static str, request: Value) -> Result<(), Refusal> {
        match self.call(op, request).await?["status"].as_str() {
            Some("OK") => Ok(()),
            _ => Err(SyncError::InvalidResponse(op).into()),
        }
    }

    /// Returns a page of articles. `texts`: with their texts.
    async fn page(&mut self, feed: &str, view: &str, skip: usize, texts: bool) -> Result<Page, SyncError> {
        let request = json!({
            "feed_id": feed, "view_mode": view, "limit": PAGE, "skip": skip, "show_content": texts,
            "include_attachments": texts,
        });
        self.get("getHeadlines", request).await.map(Page::new)
    }

    /// Returns the numbers of unread and starred articles.
    async fn counters(&mut self) -> Result<Counters, SyncError> {
        let counters: Entries<Counter> = self.get("getCounters", json!({ "output_mode": "flc" })).await?;
        Ok(Counters::of(counters.list))
    }

    /// Returns the names of the folders by id, and whether these are all.
    async fn folders(&mut self) -> Result<(HashMap<String, String>, bool), SyncError> {
        let found: Entries<Named> = self.get("getCategories", json!({ "include_empty": true })).await?;
        let are_all = found.skipped == 0;
        let folders = found.list.into_iter().map(|folder| (folder.id.into_text(), folder.title));
        // The others are for feeds without a folder, special feeds, and labels.
        Ok((folders.filter(|(id, _)| is_positive(id)).collect(), are_all))
    }

    /// Returns the ids of the labels by name, and whether these are all.
    async fn label_ids(&mut self) -> Result<(BTreeMap<String, String>, bool), SyncError> {
        let found: Entries<Named> = self.get("getLabels", json!({})).await?;
        let labels = found.list.into_iter().map(|label| (label.title, label.id.into_text())).collect();
        Ok((labels, found.skipped == 0))
    }

    /// Reads a list by pages that overlap. Returns its articles, and whether they are proven to be all.
    async fn list(&mut self, feed: &str, part: Part, limit: usize) -> Result<(Vec<Article>, bool), SyncError> {
        let (mut found, mut seen, mut place) = (Vec::new(), HashSet::new(), Place::default());
        let mut are_all = true;
        for _ in 0..MAX_PAGES {
            let page = self.page(feed, view(part), place.skip, false).await?;
            let (repeated, is_last) = (place.anchor, page.all < PAGE);
            are_all &= page.ids.len() == page.all;
            let mut whole = place.advance(&page.ids, page.all);
            for (number, article) in
                page.ids.into_iter().zip(page.articles).filter(|(number, _)| Some(*number) != repeated)
            {
                whole &= seen.insert(number);
                if is_in(part, &article) {
                    found.push(article);
                }
            }
            if is_last || found.len() > limit || !whole {
                whole &= are_all && found.len() <= limit;
                found.truncate(limit);
                return Ok((found, whole));
            }
        }
        Ok((found, false))
    }

    async fn subscribe(&mut self, url: &str, label: Option<&str>) -> Result<Changed, SyncError> {
        let folder = match label {
            Some(label) => self.folders().await?.0.into_iter().find(|(_, name)| name == label),
            None => None,
        };
        let folder: i64 = folder.and_then(|(id, _)| id.parse().ok()).unwrap_or(0);
        let done = match self.call("subscribeToFeed", json!({ "feed_url": url, "category_id": folder })).await {
            Err(Refusal::Code(code)) if code == "INCORRECT_USAGE" => return Ok(Changed::Refused),
            done => done?,
        };
        let done = serde_json::from_value::<Subscribed>(done["status"].clone());
        let done = done.map_err(|_| SyncError::InvalidResponse("subscribeToFeed"))?;
        match (done.code, done.feed_id) {
            // New, or subscribed before.
            (0 | 1, Some(id)) => Ok(Changed::Done(Some(id.into_text()))),
            (0 | 1, None) => {
                let key = gleaner_library::feed_key(url);
                let there = self.feeds().await?.into_iter().find(|feed| gleaner_library::feed_key(&feed.url) == key);
                Ok(there.map_or(Changed::Refused, |feed| Changed::Done(Some(feed.remote_id))))
            }
            _ => Ok(Changed::Refused),
        }
    }
}

#[async_trait]
impl Server for TtRss {
    fn abilities(&self) -> Abilities {
        Abilities {
            changes: true,
            counts: true,
            // One statement for all of them.
            first_marks: 1000,
            // If one article of a feed is marked as read and another one as unread, the counters stay as they were.
            lists_every: 3_600_000,
            ..Abilities::new(100, 1000)
        }
    }

    async fn has_labels(&mut self) -> Result<bool, SyncError> {
        Ok(true)
    }

    async fn log_in(&mut self) -> Result<(), SyncError> {
        if self.session.is_some() {
            return Ok(());
        }
        let login = json!({ "user": self.user, "password": self.password });
        let found: Session = serde_json::from_value(self.send("login", login).await?)
            .map_err(|_| SyncError::InvalidResponse("login"))?;
        if found.api_level.unwrap_or(0) < MIN_LEVEL {
            return Err(SyncError::TooOld);
        }
        self.session = Some(found.session_id);
        Ok(())
    }

    fn lacks_feeds(&self) -> bool {
        self.lacks_feeds
    }

    async fn feeds(&mut self) -> Result<Vec<RemoteFeed>, SyncError> {
        let (folders, are_all) = self.folders().await?;
        let found: Entries<Feed> = self.get("getFeeds", json!({ "cat_id": ALL_FEEDS, "limit": 0 })).await?;
        self.lacks_feeds = found.skipped > 0;
        let is_unknown = |folder: &Text| !are_all && is_positive(folder.text()) && !folders.contains_key(folder.text());
        let feed = |feed: Feed| RemoteFeed {
            is_folder_unknown: feed.cat_id.as_ref().is_some_and(is_unknown),
            url: feed.feed_url.unwrap_or_else(|| feed.id.text().to_owned()),
            remote_id: feed.id.into_text(),
            title: feed.title.unwrap_or_default().trim().to_owned(),
            home_url: None,
            label: feed.cat_id.and_then(|id| folders.get(&id.into_text()).cloned()),
            other_labels: Vec::new(),
        };
        // Plugins have virtual feeds, with negative ids.
        let is_real = |feed: &Feed| is_positive(feed.id.text());
        Ok(found.list.into_iter().filter(is_real).map(feed).collect())
    }

    async fn labels(&mut self) -> Result<Option<Labels>, SyncError> {
        let (labels, whole) = self.label_ids().await?;
        Ok(Some(Labels { names: labels.into_keys().collect(), whole }))
    }

    async fn ids(&mut self, list: &List, limit: usize) -> Result<Ids, SyncError> {
        let (feed, part) = match list {
            List::Unread => (ALL.to_owned(), Part::Unread),
            List::Starred => (ALL.to_owned(), Part::Starred),
            List::Label(name) => {
                let Some(id) = self.label_ids().await?.0.remove(name) else {
                    return Ok(Ids::default());
                };
                (id, Part::Newest)
            }
            List::Newest => return Ok(Ids::default()),
        };
        let (found, whole) = self.list(&feed, part, limit).await?;
        Ok(Ids { ids: found.into_iter().map(|article| article.id.into_text()).collect(), whole })
    }

    async fn articles(&mut self, ids: &[String]) -> Result<Vec<RemoteArticle>, SyncError> {
        let found: Entries<Article> = self.get("getArticle", json!({ "article_id": ids.join(",") })).await?;
        let articles = found.list.into_iter().map(Article::into_article);
        Ok(articles.filter(|article| ids.contains(&article.item.id)).collect())
    }

    async fn changes(&mut self, position: Option<&str>, history: usize) -> Result<Changes, SyncError> {
        match position.and_then(|position| serde_json::from_str(position).ok()) {
            Some(Position::Since { since, skip, top, counters, unexplained }) => {
                self.arrived_since(history, since, skip, top, counters, unexplained).await
            }
            Some(first) => self.first(first).await,
            None => {
                let counters = self.counters().await?.digest;
                self.first(Self::beginning(history, counters, false)).await
            }
        }
    }

    async fn compare_counts(&mut self, known: &Counts) -> Result<Counted, SyncError> {
        let Some(mut comparison) = self.comparison.take() else { return Ok(Counted::Unclear) };
        let counted = self.compare(&mut comparison, known).await;
        self.comparison = Some(comparison);
        counted
    }

    fn listed(&mut self, known: &Counts) -> Result<Option<String>, SyncError> {
        self.comparison.take().map(|comparison| stored(&comparison.position(known))).transpose()
    }

    async fn mark(&mut self, ids: &[String], kind: &MarkKind, on: bool) -> Result<(), SyncError> {
        let list = ids.join(",");
        let done = match kind {
            // The field is "unread".
            MarkKind::Read => {
                self.edit("updateArticle", json!({ "article_ids": list, "field": 2, "mode": i32::from(!on) })).await
            }
            MarkKind::Starred => {
                self.edit("updateArticle", json!({ "article_ids": list, "field": 0, "mode": i32::from(on) })).await
            }
            MarkKind::Label(name) => {
                let (labels, are_all) = self.label_ids().await?;
                let is_it = |(other, _): &(&String, &String)| tag_key(other) == tag_key(name);
                let Some((_, label)) = labels.get_key_value(name).or_else(|| labels.iter().find(is_it)) else {
                    // It can't be created. If it no longer exists, no article has it.
                    return match (on, are_all) {
                        (true, _) => Err(SyncError::LabelRefused),
                        (false, true) => Ok(()),
                        (false, false) => Err(SyncError::InvalidResponse("getLabels")),
                    };
                };
                let label = label.clone();
                for ids in ids.chunks(MAX_LABELLED) {
                    let request = json!({ "article_ids": ids.join(","), "label_id": label, "assign": on });
                    self.edit("setArticleLabel", request).await?;
                }
                return Ok(());
            }
        };
        Ok(done?)
    }

    async fn change(&mut self, change: &FeedChange) -> Result<Changed, SyncError> {
        match &change.kind {
            FeedChangeKind::Subscribe { url, label, .. } => self.subscribe(url, label.as_deref()).await,
            FeedChangeKind::Rename(_) | FeedChangeKind::Move { .. } => Ok(Changed::Unsupported),
            FeedChangeKind::Leave => {
                let id = change.remote_id.as_deref().unwrap_or_default();
                match self.edit("unsubscribeFeed", json!({ "feed_id": id })).await {
                    // The server no longer has it, so nothing is left to do.
                    Err(Refusal::Code(code)) if code == "FEED_NOT_FOUND" => Ok(Changed::Done(None)),
                    // Newer versions say so by this code.
                    Err(Refusal::Code(code)) if code == "E_OPERATION_FAILED" => {
                        let is_there = self.feeds().await?.iter().any(|feed| feed.remote_id == id) || self.lacks_feeds;
                        Ok(if is_there { Changed::Refused } else { Changed::Done(None) })
                    }
                    done => Ok(done.map(|()| Changed::Done(None))?),
                }
            }
        }
    }
}

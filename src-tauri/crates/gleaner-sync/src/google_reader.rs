//! The Google Reader API, as FreshRSS, Miniflux, The Old Reader, BazQux and others speak it. What the servers measured do differently:
//! of two `a=` in one request FreshRSS applies one; an unknown stream is the list of all articles there, an error on Miniflux; Miniflux
//! answers `[]` with status 200 to what it does not implement, pages by offset, and has no labels for articles. `ot=` and `it=` mean
//! something else on each, and are not used.

use crate::{
    Changed, Connection, Ids, Kind, List, RemoteArticle, Server, SyncError,
    http::{json, text},
};
use chrono::DateTime;
use gleaner_feed::{Body, Category, ContentKind, Enclosure, Item, Person};
use gleaner_fetch::{Answer, FetchError, FetchErrorKind};
use gleaner_library::{FeedChange, FeedChangeKind, MarkKind, RemoteFeed};
use serde::Deserialize;
use std::collections::HashSet;

const API: &str = "/reader/api/0";
/// Ids per page. Lists that are paged are whole on Miniflux only with large pages.
const PAGE: usize = 10_000;
/// Maximum number of pages of a list.
const PAGES: usize = 100;
const READING_LIST: &str = "user/-/state/com.google/reading-list";
const READ: &str = "user/-/state/com.google/read";
const STARRED: &str = "user/-/state/com.google/starred";
const LONG_ID: &str = "tag:google.com,2005:reader/item/";

/// A server with the Google Reader API, and the user's session.
#[derive(Debug)]
pub struct GoogleReader {
    connection: Connection,
    user: String,
    password: String,
    session: Option<Session>,
    /// Names of the folders, which are not labels of articles.
    folders: HashSet<String>,
}

/// A login. It is kept as long as the program runs.
#[derive(Clone)]
struct Session {
    auth: String,
    /// Sent with every change.
    token: String,
    labels: bool,
}

/// Without its secrets.
impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Session(…)")
    }
}

#[derive(Deserialize)]
struct JsonLogin {
    #[serde(rename = "Auth")]
    auth: String,
}

#[derive(Deserialize)]
struct Subscriptions {
    subscriptions: Vec<Subscription>,
}

#[derive(Deserialize)]
struct Subscription {
    id: String,
    #[serde(default)]
    title: String,
    #[serde(default)]
    categories: Vec<Tag>,
    url: Option<String>,
    #[serde(rename = "htmlUrl")]
    html_url: Option<String>,
}

#[derive(Deserialize)]
struct Tags {
    tags: Vec<Tag>,
}

#[derive(Deserialize)]
struct Tag {
    id: String,
    label: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
}

#[derive(Deserialize)]
struct Page {
    #[serde(rename = "itemRefs")]
    refs: Vec<Ref>,
    continuation: Option<Text>,
}

#[derive(Deserialize)]
struct Ref {
    id: Text,
}

/// Text that some servers send as a number.
#[derive(Deserialize)]
#[serde(untagged)]
enum Text {
    Text(String),
    Number(i64),
}

impl Text {
    fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Number(number) => number.to_string(),
        }
    }
}

#[derive(Deserialize)]
struct Contents {
    items: Vec<Article>,
}

#[derive(Deserialize)]
struct Article {
    id: String,
    title: Option<String>,
    published: Option<i64>,
    updated: Option<i64>,
    author: Option<String>,
    #[serde(default)]
    categories: Vec<String>,
    #[serde(default)]
    canonical: Vec<Link>,
    #[serde(default)]
    alternate: Vec<Link>,
    #[serde(default)]
    enclosure: Vec<Attachment>,
    origin: Option<Origin>,
    summary: Option<Html>,
    content: Option<Html>,
}

#[derive(Deserialize)]
struct Link {
    href: String,
}

#[derive(Deserialize)]
struct Attachment {
    href: String,
    #[serde(rename = "type")]
    mime_type: Option<String>,
    length: Option<Text>,
}

#[derive(Deserialize)]
struct Origin {
    #[serde(rename = "streamId")]
    stream_id: String,
}

#[derive(Deserialize)]
struct Html {
    #[serde(default)]
    content: String,
}

#[derive(Deserialize)]
struct QuickAdd {
    #[serde(rename = "numResults")]
    results: i64,
    #[serde(rename = "streamId")]
    stream_id: Option<String>,
}

/// Returns the id in the form that is stored: decimal where the server has numbers, which it gives as hexadecimal in places.
fn normal_id(id: &str) -> String {
    let Some(hex) = id.strip_prefix(LONG_ID) else { return id.to_owned() };
    match u64::from_str_radix(hex, 16) {
        Ok(number) if hex.len() == 16 => number.cast_signed().to_string(),
        _ => hex.to_owned(),
    }
}

/// Returns the id in the form that every server understands.
fn long_id(id: &str) -> String {
    match id.parse::<i64>() {
        Ok(number) => format!("{LONG_ID}{:016x}", number.cast_unsigned()),
        Err(_) => format!("{LONG_ID}{id}"),
    }
}

/// Returns the name of a label: "Tech" of `user/-/label/Tech` and `user/1/label/Tech`.
fn label_name(id: &str) -> Option<&str> {
    let (_, rest) = id.strip_prefix("user/")?.split_once('/')?;
    rest.strip_prefix("label/")
}

/// Whether the category of an article is this state, of whatever user.
fn is_state(category: &str, state: &str) -> bool {
    category
        .strip_prefix("user/")
        .and_then(|rest| rest.split_once('/'))
        .is_some_and(|(_, rest)| rest.strip_prefix("state/com.google/").is_some_and(|name| name == state))
}

fn label_stream(name: &str) -> String {
    format!("user/-/label/{name}")
}

/// Whether the server refused what was asked, rather than failed.
fn is_refusal(error: &FetchError) -> bool {
    matches!(error.kind, FetchErrorKind::Http(400 | 404 | 405 | 409 | 422 | 500 | 501))
}

impl GoogleReader {
    /// Creates a client that is not logged in yet.
    #[must_use]
    pub fn new(connection: Connection, user: String, password: String) -> Self {
        Self { connection, user, password, session: None, folders: HashSet::new() }
    }

    /// Returns whether the server has labels for articles, which the login shows.
    #[must_use]
    pub fn has_labels(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.labels)
    }

    /// Returns the API.
    #[must_use]
    pub fn kind(&self) -> Kind {
        Kind::GoogleReader
    }

    async fn new_session(&self) -> Result<Session, SyncError> {
        // The password is in the body, so that it is in no server's log of addresses.
        let form = [
            ("Email", self.user.as_str()),
            ("Passwd", &self.password),
            ("service", "reader"),
            ("accountType", "HOSTED_OR_GOOGLE"),
            ("client", "gleaner"),
            ("output", "json"),
        ];
        let url = self.connection.url("/accounts/ClientLogin", &[]);
        let login = text(self.connection.post(url, &[], &form).await?);
        // Miniflux answers in JSON, and has no labels. FreshRSS answers in lines.
        let (auth, labels) = match serde_json::from_str::<JsonLogin>(&login) {
            Ok(login) => (login.auth, false),
            Err(_) => {
                let auth = login.lines().find_map(|line| line.trim().strip_prefix("Auth="));
                (auth.unwrap_or_default().to_owned(), true)
            }
        };
        let plain = !auth.is_empty() && auth.len() < 2000 && auth.chars().all(|c| c.is_ascii_graphic());
        if !plain {
            return Err(SyncError::InvalidResponse("login"));
        }
        let headers = [authorization(&auth)];
        let url = self.connection.url(&format!("{API}/token"), &[]);
        let token = text(self.connection.get(url, &headers).await?).trim().to_owned();
        let plain = !token.is_empty() && token.len() < 2000 && token.chars().all(|c| c.is_ascii_graphic() && c != '<');
        if !plain {
            return Err(SyncError::InvalidResponse("token"));
        }
        Ok(Session { auth, token, labels })
    }

    async fn session(&mut self) -> Result<Session, SyncError> {
        if let Some(session) = &self.session {
            return Ok(session.clone());
        }
        let session = self.new_session().await?;
        self.session = Some(session.clone());
        Ok(session)
    }

    /// Sends a request; where the login or the token has expired, once more after a new login.
    async fn request(
        &mut self,
        path: &str,
        query: &[(&str, &str)],
        form: Option<&[(&str, &str)]>,
    ) -> Result<Answer, FetchErrorOr> {
        let was_logged_in = self.session.is_some();
        for again in [was_logged_in, false] {
            let session = self.session().await.map_err(FetchErrorOr::Other)?;
            let url = self.connection.url(&format!("{API}{path}"), query);
            let headers = [authorization(&session.auth)];
            let sent = match form {
                None => self.connection.get(url, &headers).await,
                Some(form) => {
                    let form = [&[("T", session.token.as_str())], form].concat();
                    self.connection.post(url, &headers, &form).await
                }
            };
            match sent {
                Err(error) if again && error.kind == FetchErrorKind::Http(401) => self.session = None,
                sent => return sent.map_err(FetchErrorOr::Fetch),
            }
        }
        Err(FetchErrorOr::Other(SyncError::Login))
    }

    async fn get(&mut self, path: &str, query: &[(&str, &str)]) -> Result<Answer, SyncError> {
        let query = [&[("output", "json")], query].concat();
        Ok(self.request(path, &query, None).await?)
    }

    /// Sends a change; the server has it only if it says so.
    async fn edit(&mut self, path: &'static str, form: &[(&str, &str)]) -> Result<(), FetchErrorOr> {
        let answer = self.request(path, &[], Some(form)).await?;
        match text(answer).trim() {
            "OK" => Ok(()),
            _ => Err(FetchErrorOr::Other(SyncError::InvalidResponse(path))),
        }
    }

    async fn subscribed_as(&mut self, url: &str) -> Result<Option<String>, SyncError> {
        let key = gleaner_library::feed_key(url);
        let feeds = self.feeds().await?;
        Ok(feeds.into_iter().find(|feed| gleaner_library::feed_key(&feed.url) == key).map(|feed| feed.remote_id))
    }

    async fn subscribe(&mut self, url: &str, title: Option<&str>, label: Option<&str>) -> Result<Changed, SyncError> {
        let added = self.request("/subscription/quickadd", &[("output", "json")], Some(&[("quickadd", url)])).await;
        let id = match added {
            Ok(answer) => {
                let added: QuickAdd = json(answer, "subscription/quickadd")?;
                added.stream_id.filter(|_| added.results > 0)
            }
            Err(FetchErrorOr::Fetch(error)) if is_refusal(&error) => None,
            Err(error) => return Err(error.into()),
        };
        // A server that has the feed already refuses it.
        let id = match id {
            Some(id) => id,
            None => match self.subscribed_as(url).await? {
                Some(id) => id,
                None => return Ok(Changed::Refused),
            },
        };
        let label = label.map(label_stream);
        let mut form = vec![("ac", "edit"), ("s", id.as_str())];
        form.extend(title.map(|title| ("t", title)));
        form.extend(label.as_deref().map(|label| ("a", label)));
        if form.len() > 2 {
            match self.edit("/subscription/edit", &form).await {
                Err(FetchErrorOr::Fetch(error)) if is_refusal(&error) => {}
                done => done?,
            }
        }
        Ok(Changed::Done(Some(id)))
    }

    fn article(&self, article: Article) -> RemoteArticle {
        let has = |state| article.categories.iter().any(|category| is_state(category, state));
        let labels = article.categories.iter().filter_map(|category| label_name(category));
        let body = article.content.or(article.summary).map(|html| html.content).filter(|html| !html.is_empty());
        let person = article.author.filter(|name| !name.trim().is_empty());
        let moment = |seconds: Option<i64>| DateTime::from_timestamp(seconds.filter(|seconds| *seconds > 0)?, 0);
        let url =
            article.canonical.into_iter().chain(article.alternate).map(|link| link.href).find(|href| !href.is_empty());
        let category = |term: &String| Category { term: term.clone(), key: term.to_lowercase(), ..Category::default() };
        RemoteArticle {
            feed: article.origin.map(|origin| origin.stream_id).unwrap_or_default(),
            read: has("read"),
            starred: has("starred"),
            labels: labels.filter(|label| !self.folders.contains(*label)).map(str::to_owned).collect(),
            item: Item {
                id: normal_id(&article.id),
                title: article
                    .title
                    .map(|title| gleaner_html::references::decode(title.trim()).into_owned())
                    .filter(|title| !title.is_empty()),
                authors: person.into_iter().map(|name| Person { name: Some(name), ..Person::default() }).collect(),
                published: moment(article.published),
                updated: moment(article.updated.filter(|_| article.published.is_none())),
                content_kind: if body.is_some() { ContentKind::Full } else { ContentKind::None },
                content: body.map(|html| Body { html, base: url.as_deref().map(Into::into) }),
                categories: article.categories.iter().filter(|name| !name.starts_with("user/")).map(category).collect(),
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
        length: attachment.length.and_then(|length| length.into_text().parse().ok()).filter(|length| *length > 0),
        ..Enclosure::default()
    }
}

fn authorization(auth: &str) -> (String, String) {
    ("Authorization".to_owned(), format!("GoogleLogin auth={auth}"))
}

/// An error of a request whose status some callers understand.
enum FetchErrorOr {
    Fetch(FetchError),
    Other(SyncError),
}

impl From<FetchErrorOr> for SyncError {
    fn from(error: FetchErrorOr) -> Self {
        match error {
            FetchErrorOr::Fetch(error) => error.into(),
            FetchErrorOr::Other(error) => error,
        }
    }
}

impl Server for GoogleReader {
    const ARTICLES: usize = 250;
    const MARKS: usize = 1000;

    async fn log_in(&mut self) -> Result<(), SyncError> {
        self.session().await.map(drop)
    }

    async fn feeds(&mut self) -> Result<Vec<RemoteFeed>, SyncError> {
        let list: Subscriptions = json(self.get("/subscription/list", &[]).await?, "subscription/list")?;
        self.folders = list
            .subscriptions
            .iter()
            .flat_map(|feed| &feed.categories)
            .filter_map(|tag| label_name(&tag.id).map(str::to_owned))
            .collect();
        let feed = |feed: Subscription| RemoteFeed {
            url: feed
                .url
                .filter(|url| !url.is_empty())
                .unwrap_or_else(|| feed.id.strip_prefix("feed/").unwrap_or(&feed.id).to_owned()),
            remote_id: feed.id,
            title: gleaner_html::references::decode(feed.title.trim()).into_owned(),
            home_url: feed.html_url.filter(|url| !url.is_empty()),
            label: feed.categories.into_iter().find_map(|tag| {
                tag.label.filter(|label| !label.is_empty()).or_else(|| label_name(&tag.id).map(str::to_owned))
            }),
        };
        Ok(list.subscriptions.into_iter().map(feed).collect())
    }

    async fn labels(&mut self) -> Result<Option<Vec<String>>, SyncError> {
        if !self.session().await?.labels {
            return Ok(None);
        }
        let list: Tags = json(self.get("/tag/list", &[]).await?, "tag/list")?;
        let is_label = |tag: &&Tag| tag.kind.as_deref().is_none_or(|kind| kind == "tag");
        let names = list.tags.iter().filter(is_label).filter_map(|tag| label_name(&tag.id));
        Ok(Some(names.filter(|name| !self.folders.contains(*name)).map(str::to_owned).collect()))
    }

    async fn ids(&mut self, list: &List, limit: usize) -> Result<Ids, SyncError> {
        let stream = match list {
            List::Unread | List::Newest => READING_LIST.to_owned(),
            List::Starred => STARRED.to_owned(),
            List::Label(name) => label_stream(name),
        };
        let (mut found, mut seen) = (Ids::default(), HashSet::new());
        let mut continuation: Option<String> = None;
        for _ in 0..PAGES {
            let size = PAGE.min(limit - found.ids.len());
            let size_text = size.to_string();
            let mut query = vec![("s", stream.as_str()), ("n", &size_text)];
            if *list == List::Unread {
                query.push(("xt", READ));
            }
            query.extend(continuation.as_deref().map(|from| ("c", from)));
            let page: Page = json(self.get("/stream/items/ids", &query).await?, "stream/items/ids")?;
            let ids: Vec<String> = page.refs.into_iter().map(|found| normal_id(&found.id.into_text())).collect();
            let count = ids.len();
            let before = seen.len();
            found.ids.extend(ids.into_iter().filter(|id| seen.insert(id.clone())));
            // An id twice: articles moved between the pages while they were read, so that others may be missing.
            let repeated = seen.len() - before < count;
            let next = page.continuation.map(Text::into_text).filter(|next| !next.is_empty());
            if repeated {
                found.whole = false;
                return Ok(found);
            }
            if next.is_none() || count == 0 {
                found.whole = next.is_none();
                return Ok(found);
            }
            if found.ids.len() >= limit {
                return Ok(found);
            }
            continuation = next;
        }
        Ok(found)
    }

    async fn articles(&mut self, ids: &[String]) -> Result<Vec<RemoteArticle>, SyncError> {
        let long: Vec<String> = ids.iter().map(|id| long_id(id)).collect();
        let mut form = vec![("output", "json")];
        form.extend(long.iter().map(|id| ("i", id.as_str())));
        let answer = self.request("/stream/items/contents", &[], Some(&form)).await?;
        let contents: Contents = json(answer, "stream/items/contents")?;
        let wanted: HashSet<&str> = ids.iter().map(String::as_str).collect();
        let articles = contents.items.into_iter().map(|article| self.article(article));
        Ok(articles.filter(|article| wanted.contains(article.item.id.as_str())).collect())
    }

    async fn mark(&mut self, ids: &[String], kind: &MarkKind, on: bool) -> Result<(), SyncError> {
        let stream = match kind {
            MarkKind::Read => READ.to_owned(),
            MarkKind::Starred => STARRED.to_owned(),
            MarkKind::Label(name) => label_stream(name),
        };
        let long: Vec<String> = ids.iter().map(|id| long_id(id)).collect();
        let mut form = vec![(if on { "a" } else { "r" }, stream.as_str())];
        form.extend(long.iter().map(|id| ("i", id.as_str())));
        match self.edit("/edit-tag", &form).await {
            Err(FetchErrorOr::Fetch(error)) if matches!(kind, MarkKind::Label(_)) && is_refusal(&error) => {
                Err(SyncError::NoLabels)
            }
            done => Ok(done?),
        }
    }

    async fn change(&mut self, change: &FeedChange) -> Result<Changed, SyncError> {
        let id = change.remote_id.clone().unwrap_or_default();
        let (add, remove);
        let form = match &change.kind {
            FeedChangeKind::Subscribe { url, title, label } => {
                return self.subscribe(url, title.as_deref(), label.as_deref()).await;
            }
            FeedChangeKind::Rename(title) => vec![("ac", "edit"), ("s", &id), ("t", title)],
            FeedChangeKind::Move { to: Some(to), .. } => {
                add = label_stream(to);
                vec![("ac", "edit"), ("s", &id), ("a", &add)]
            }
            FeedChangeKind::Move { from: Some(from), to: None } => {
                remove = label_stream(from);
                vec![("ac", "edit"), ("s", &id), ("r", &remove)]
            }
            FeedChangeKind::Move { from: None, to: None } => return Ok(Changed::Done(None)),
            FeedChangeKind::Leave => vec![("ac", "unsubscribe"), ("s", id.as_str())],
        };
        match self.edit("/subscription/edit", &form).await {
            Ok(()) => Ok(Changed::Done(None)),
            // The server no longer has it, which is what the user wants.
            Err(FetchErrorOr::Fetch(error)) if is_refusal(&error) => match change.kind {
                FeedChangeKind::Leave if !self.feeds().await?.iter().any(|feed| feed.remote_id == id) => {
                    Ok(Changed::Done(None))
                }
                _ => Ok(Changed::Refused),
            },
            Err(error) => Err(error.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_one_form() {
        for (given, normal) in [
            ("tag:google.com,2005:reader/item/000660e9bd9bcbe2", "1795406885014498"),
            ("1795406885014498", "1795406885014498"),
            ("tag:google.com,2005:reader/item/ffffffffffffffff", "-1"),
            ("tag:google.com,2005:reader/item/5d0cfa30041d4348e9000106", "5d0cfa30041d4348e9000106"),
            ("5d0cfa30041d4348e9000106", "5d0cfa30041d4348e9000106"),
        ] {
            assert_eq!(normal_id(given), normal);
            assert_eq!(normal_id(&long_id(normal)), normal);
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

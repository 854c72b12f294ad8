//! The Google Reader API, as FreshRSS, Miniflux, The Old Reader, BazQux and others implement it. Measured differences: of two `a=` in one
//! request FreshRSS applies one; an unknown stream is the list of all articles there, an error on Miniflux; Miniflux responds with `[]` and
//! status 200 to requests that it does not implement. It pages by offset, so only a second reading proves that no article was skipped. It
//! has no labels for articles. `ot=` and `it=` have a different meaning on each server, and are not used. Inoreader requires the keys of an
//! app. It limits the requests per day, separately for reading and for changes. Changes that it no longer accepts wait, while reading
//! continues.

mod format;
mod pages;
mod subscribing;

use crate::{
    Abilities, AppLogin, Changed, Connection, Ids, Kind, Labels, List, RemoteArticle, Server, SyncError,
    error::{FetchErrorOr, is_refusal, is_refusal_or_failure},
    http::{json, text},
    lenient::Readable,
    server::is_counted,
};
use async_trait::async_trait;
use format::{
    Contents, JsonLogin, Page, Subscriptions, Tag, Tags, is_object_id, is_state, is_user_name, label_name,
    label_stream, long_id, token_of_login,
};
use gleaner_fetch::{FetchError, FetchErrorKind, Quota, Response};
use gleaner_library::{FeedChange, FeedChangeKind, MarkKind, RemoteFeed};
use std::{
    collections::HashSet,
    time::{Duration, Instant},
};

const API: &str = "/reader/api/0";
/// Maximum number of times that a list of several pages is read until it is the same twice.
const MAX_READINGS: usize = 3;
/// Requests of a synchronisation as a rule, by which a limit of requests is shared out over the day.
const REQUESTS: u32 = 8;
const CONTENTS: &str = "/stream/items/contents";
const READING_LIST: &str = "user/-/state/com.google/reading-list";
const READ: &str = "user/-/state/com.google/read";
const STARRED: &str = "user/-/state/com.google/starred";

/// A server with the Google Reader API, and the user's session.
pub struct GoogleReader {
    connection: Connection,
    user: String,
    password: String,
    /// The id and the key of an app, which Inoreader requires with every request.
    app: Vec<(String, String)>,
    session: Option<Session>,
    /// Whether a login was refused since the program started, so that its token is requested and not taken from the login.
    requests_token: bool,
    /// Names of the folders, which are not labels of articles.
    folders: HashSet<String>,
    /// Whether some entries of the last list of subscriptions could not be read.
    lacks_feeds: bool,
    /// Whether the last list of subscriptions was null.
    has_null_for_feeds: bool,
    /// An article that the server has: the first one of the last list.
    listed: Option<String>,
    /// How many requests the server still allows, and when it said so.
    quota: Option<(Quota, Instant)>,
}

/// Without its secrets.
impl std::fmt::Debug for GoogleReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("GoogleReader").field("connection", &self.connection).finish_non_exhaustive()
    }
}

/// A login. It is kept as long as the program runs.
#[derive(Clone)]
struct Session {
    auth: String,
    /// Sent with every change.
    token: String,
}

/// Without its secrets.
impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Session(…)")
    }
}

impl GoogleReader {
    /// Creates a client that is not logged in yet. The password may be the secret of an [`AppLogin`].
    #[must_use]
    pub fn new(connection: Connection, user: String, password: String) -> Self {
        let (password, app) = match AppLogin::from_secret(&password) {
            Some(AppLogin { password, app_id, app_key }) => {
                (password, vec![("AppId".to_owned(), app_id), ("AppKey".to_owned(), app_key)])
            }
            None => (password, Vec::new()),
        };
        Self {
            connection,
            user,
            password,
            app,
            session: None,
            requests_token: false,
            folders: HashSet::new(),
            lacks_feeds: false,
            has_null_for_feeds: false,
            listed: None,
            quota: None,
        }
    }

    /// Remembers how many requests the server still allows.
    fn note_quota(&mut self, quota: Option<Quota>) {
        self.quota = quota.map(|quota| (quota, Instant::now())).or(self.quota);
    }

    /// Returns how long the server accepts no changes, although it still responds.
    fn changes_wait(&self) -> Option<Duration> {
        let (quota, at) = self.quota?;
        let wait = quota.reset_after.saturating_sub(at.elapsed());
        (quota.changes == 0 && quota.reads > 0 && !wait.is_zero()).then_some(wait)
    }

    /// Returns the headers of a request with a login.
    fn headers(&self, auth: &str) -> Vec<(String, String)> {
        let login = ("Authorization".to_owned(), format!("GoogleLogin auth={auth}"));
        std::iter::once(login).chain(self.app.iter().cloned()).collect()
    }

    /// Whether the token has the form of those of FreshRSS.
    fn is_fresh_rss(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.token.len() == 57 && session.token.ends_with('Z'))
    }

    /// Whether this is Miniflux, whose token is the login itself.
    fn is_miniflux(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.token == session.auth)
    }

    /// Whether the address is the one of CommaFeed.
    fn is_comma_feed(&self) -> bool {
        self.connection.base.path().trim_end_matches('/').ends_with("/rest/googlereader")
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
        let login = text(self.connection.post(url, &self.app, &form).await.map_err(login_error(&self.user))?);
        let (auth, token) = match serde_json::from_str::<JsonLogin>(&login) {
            Ok(login) => (login.auth, None),
            // Some say so with status 200.
            Err(_) if login.lines().any(|line| line.trim() == "Error=BadAuthentication") => {
                return Err(SyncError::Login);
            }
            Err(_) => {
                let auth = login.lines().find_map(|line| line.trim().strip_prefix("Auth="));
                (auth.unwrap_or_default().to_owned(), token_of_login(&login))
            }
        };
        let plain = !auth.is_empty() && auth.len() < 2000 && auth.chars().all(|c| c.is_ascii_graphic());
        if !plain {
            return Err(SyncError::InvalidResponse("login"));
        }
        if let Some(token) = token.filter(|_| !self.requests_token) {
            return Ok(Session { auth, token });
        }
        let headers = self.headers(&auth);
        let url = self.connection.url(&format!("{API}/token"), &[]);
        let token = text(self.connection.get(url, &headers).await.map_err(login_error(&self.user))?).trim().to_owned();
        let plain = !token.is_empty() && token.len() < 2000 && token.chars().all(|c| c.is_ascii_graphic() && c != '<');
        if !plain {
            return Err(SyncError::InvalidResponse("token"));
        }
        Ok(Session { auth, token })
    }

    async fn session(&mut self) -> Result<Session, SyncError> {
        if let Some(session) = &self.session {
            return Ok(session.clone());
        }
        let session = self.new_session().await?;
        self.session = Some(session.clone());
        Ok(session)
    }

    /// Sends a request; if the login or the token has expired, sends it again after a new login.
    async fn request(
        &mut self,
        path: &str,
        query: &[(&str, &str)],
        form: Option<&[(&str, &str)]>,
    ) -> Result<Response, FetchErrorOr> {
        let changes = form.is_some() && path != CONTENTS;
        if let Some(wait) = self.changes_wait().filter(|_| changes) {
            return Err(FetchErrorOr::Other(SyncError::ChangesWait(wait)));
        }
        let was_logged_in = self.session.is_some();
        for again in [was_logged_in, false] {
            let session = self.session().await.map_err(FetchErrorOr::Other)?;
            let url = self.connection.url(&format!("{API}{path}"), query);
            let headers = self.headers(&session.auth);
            let sent = match form {
                None => self.connection.get(url, &headers).await,
                Some(form) => {
                    let form = [&[("T", session.token.as_str())], form].concat();
                    self.connection.post(url, &headers, &form).await
                }
            };
            self.note_quota(sent.as_ref().map_or_else(|error| error.quota, |response| response.quota));
            match sent {
                Err(error) if changes && error.kind == FetchErrorKind::Http(429) => {
                    let wait = self.changes_wait().map(SyncError::ChangesWait);
                    return Err(wait.map_or_else(|| FetchErrorOr::Fetch(error), FetchErrorOr::Other));
                }
                // Some respond with 403 if a login has expired. After a new login, 403 concerns the request.
                Err(error) if again && matches!(error.kind, FetchErrorKind::Http(401 | 403)) => {
                    (self.session, self.requests_token) = (None, true);
                }
                sent => return sent.map_err(FetchErrorOr::Fetch),
            }
        }
        Err(FetchErrorOr::Other(SyncError::Login))
    }

    async fn get(&mut self, path: &str, query: &[(&str, &str)]) -> Result<Response, SyncError> {
        let query = [&[("output", "json")], query].concat();
        Ok(self.request(path, &query, None).await?)
    }

    /// Sends a change; the server has it only if it says so.
    async fn edit(&mut self, path: &'static str, form: &[(&str, &str)]) -> Result<(), FetchErrorOr> {
        let response = self.request(path, &[], Some(form)).await?;
        match text(response).trim() {
            "OK" => Ok(()),
            _ => Err(FetchErrorOr::Other(SyncError::InvalidResponse(path))),
        }
    }

    async fn contents(&mut self, ids: impl Iterator<Item = &String>) -> Result<Contents, FetchErrorOr> {
        let long: Vec<String> = ids.map(|id| long_id(id)).collect();
        let mut form = vec![("output", "json")];
        form.extend(long.iter().map(|id| ("i", id.as_str())));
        let response = self.request(CONTENTS, &[], Some(&form)).await?;
        json(response, "stream/items/contents").map_err(FetchErrorOr::Other)
    }
}

/// Returns the error of a login request, for which 403 also means a wrong password. FreshRSS responds with 400 to a user name that it does
/// not allow.
fn login_error(user: &str) -> impl Fn(FetchError) -> SyncError {
    move |error| match error.kind {
        FetchErrorKind::Http(403) => SyncError::Login,
        FetchErrorKind::Http(400) if !is_user_name(user) => SyncError::Login,
        _ => error.into(),
    }
}

#[async_trait]
impl Server for GoogleReader {
    /// Inoreader counts, too, but is no server that users restore.
    fn may_reuse(&self, id: &str) -> bool {
        is_counted(id) && self.app.is_empty()
    }

    fn hides_reuse(&self) -> bool {
        true
    }

    /// Miniflux before May 2026 removed a mark that was set a second time.
    fn may_toggle(&self, _kind: &MarkKind, on: bool, id: &str) -> bool {
        on && self.may_reuse(id) && !self.is_comma_feed()
    }

    fn abilities(&self) -> Abilities {
        Abilities::new(250, 1000)
    }

    fn pause(&self) -> Option<Duration> {
        let (quota, at) = self.quota?;
        let rest = quota.reset_after.saturating_sub(at.elapsed());
        Some(rest / (quota.reads / REQUESTS).max(1))
    }

    async fn has_labels(&mut self) -> Result<bool, SyncError> {
        match self.labels().await {
            Ok(None) => return Ok(false),
            Ok(Some(Labels { names, .. })) if !names.is_empty() => return Ok(true),
            Err(SyncError::Fetch(error)) if is_refusal(&error) => return Ok(false),
            labels => drop(labels?),
        }
        // There may be no labels yet. A server without labels (Miniflux) fails at the list of a label.
        let label = label_stream(self.folders.iter().min().map_or("Gleaner", String::as_str));
        match self.request("/stream/items/ids", &[("output", "json"), ("s", &label), ("n", "1")], None).await {
            Ok(response) => Ok(json::<Page>(response, "stream/items/ids").is_ok()),
            Err(FetchErrorOr::Fetch(error)) if is_refusal_or_failure(&error) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    async fn log_in(&mut self) -> Result<(), SyncError> {
        self.session().await.map(drop)
    }

    fn lacks_feeds(&self) -> bool {
        self.lacks_feeds
    }

    fn has_null_for_feeds(&self) -> bool {
        self.has_null_for_feeds
    }

    async fn feeds(&mut self) -> Result<Vec<RemoteFeed>, SyncError> {
        let list: Subscriptions = json(self.get("/subscription/list", &[]).await?, "subscription/list")?;
        self.has_null_for_feeds = list.subscriptions.is_none();
        let Readable { mut list, mut skipped } = list.subscriptions.unwrap_or_default();
        let all = list.len();
        list.retain(|feed| !feed.id.text().is_empty());
        skipped += all - list.len();
        self.lacks_feeds = skipped > 0;
        self.folders = list
            .iter()
            .flat_map(|feed| &feed.categories)
            .filter_map(|tag| label_name(&tag.id).map(str::to_owned))
            .collect();
        let is_fresh_rss = self.is_fresh_rss();
        Ok(list.into_iter().map(|feed| feed.into_feed(is_fresh_rss)).collect())
    }

    async fn labels(&mut self) -> Result<Option<Labels>, SyncError> {
        // Its labels are folders, including those that only contain other folders.
        if self.is_comma_feed() {
            return Ok(None);
        }
        let list: Tags = json(self.get("/tag/list", &[]).await?, "tag/list")?;
        let is_label = |tag: &&Tag| tag.kind.as_deref().is_none_or(|kind| kind == "tag");
        let Readable { list: tags, skipped } = list.tags;
        let is_long = |tag: &Tag| tag.id.contains("/label/") && label_name(&tag.id).is_none();
        let readable = skipped == 0 && !tags.iter().any(is_long);
        let names = tags.iter().filter(is_label).filter_map(|tag| label_name(&tag.id));
        let names: Vec<String> = names.filter(|name| !self.folders.contains(*name)).map(str::to_owned).collect();
        // Every server lists the star, even if there are no labels.
        Ok(Some(Labels { names, whole: readable && tags.iter().any(|tag| is_state(&tag.id, "starred")) }))
    }

    async fn ids(&mut self, list: &List, limit: usize) -> Result<Ids, SyncError> {
        let mut read = self.pages(list, limit).await?;
        for _ in 1..MAX_READINGS {
            if read.ids.whole || !read.complete {
                break;
            }
            let before: HashSet<String> = read.ids.ids.into_iter().collect();
            read = self.pages(list, limit).await?;
            let same = read.ids.ids.len() == before.len() && read.ids.ids.iter().all(|id| before.contains(id));
            read.ids.whole |= read.complete && same;
        }
        // The list of the newest articles removes no marks. Reading it again would return the same articles twice, so it counts as read.
        read.ids.whole |= *list == List::Newest && read.ended;
        Ok(read.ids)
    }

    async fn articles(&mut self, ids: &[String]) -> Result<Vec<RemoteArticle>, SyncError> {
        let contents = match self.contents(ids.iter()).await {
            // Miniflux before 2025 fails if it has none of the articles, so one that it has is requested with them.
            Err(FetchErrorOr::Fetch(error)) if is_refusal_or_failure(&error) => {
                match self.listed.clone().filter(|id| is_counted(id) && !ids.contains(id)) {
                    Some(listed) => self.contents(ids.iter().chain([&listed])).await?,
                    None => return Err(error.into()),
                }
            }
            contents => contents?,
        };
        let wanted: HashSet<&str> = ids.iter().map(String::as_str).collect();
        let is_fresh_rss = self.is_fresh_rss();
        let articles = contents.items.into_iter().map(|article| article.into_article(&self.folders, is_fresh_rss));
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
                Err(SyncError::LabelRefused)
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
            // If a feed may be in several folders, it leaves the former one only if the request names it. The Old Reader and CommaFeed have
            // each feed in one folder, and remove it from all folders if the request names one to leave.
            FeedChangeKind::Move { from: Some(from), to: Some(to) }
                if from != to && !is_object_id(&id) && !self.is_comma_feed() =>
            {
                (add, remove) = (label_stream(to), label_stream(from));
                vec![("ac", "edit"), ("s", &id), ("a", &add), ("r", &remove)]
            }
            FeedChangeKind::Move { to: Some(to), .. } => {
                add = label_stream(to);
                vec![("ac", "edit"), ("s", &id), ("a", &add)]
            }
            FeedChangeKind::Move { from: Some(from), to: None } => {
                (add, remove) = (label_stream(""), label_stream(from));
                // Miniflux ignores which folder a feed leaves. Without a new name it uses the folder of feeds that are in no other one.
                let folder = if self.is_miniflux() { ("a", add.as_str()) } else { ("r", remove.as_str()) };
                vec![("ac", "edit"), ("s", &id), folder]
            }
            FeedChangeKind::Move { from: None, to: None } => return Ok(Changed::Done(None)),
            FeedChangeKind::Leave => vec![("ac", "unsubscribe"), ("s", id.as_str())],
        };
        match self.edit("/subscription/edit", &form).await {
            Ok(()) => Ok(Changed::Done(None)),
            // The server no longer has it, which is what the user wants.
            Err(FetchErrorOr::Fetch(error)) if is_refusal_or_failure(&error) => match change.kind {
                FeedChangeKind::Leave
                    if !self.feeds().await?.iter().any(|feed| feed.remote_id == id) && !self.lacks_feeds =>
                {
                    Ok(Changed::Done(None))
                }
                _ if is_refusal(&error) => Ok(Changed::Refused),
                _ => Err(error.into()),
            },
            Err(error) => Err(error.into()),
        }
    }
}

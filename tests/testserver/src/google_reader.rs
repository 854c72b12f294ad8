//! A feed reader server with the Google Reader API, as measured with FreshRSS and Miniflux, as documented by The Old Reader, BazQux Reader,
//! FeedHQ and Inoreader, and as in the source of CommaFeed, including their differences.

mod dialect;
mod inoreader;

pub use dialect::Dialect;

use crate::{Reply, Request, Server, faults::Faults, form::pairs};
use inoreader::zones;
use parking_lot::{Mutex, MutexGuard};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const LONG_ID: &str = "tag:google.com,2005:reader/item/";

/// The first of the 24 digits of an id of The Old Reader.
const OBJECT: &str = "5d0cfa30";
/// Id of the app that Inoreader knows in tests.
pub const APP_ID: &str = "1000001";
/// Its key.
pub const APP_KEY: &str = "app-key-of-tests";

/// An article of the server.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    /// Id of its feed, such as `feed/1`.
    pub feed: String,
    /// Title as sent.
    pub title: String,
    /// Whether it was read.
    pub read: bool,
    /// Whether it has a star.
    pub starred: bool,
    /// Its labels.
    pub labels: BTreeSet<String>,
    /// Whether it has no address.
    pub no_address: bool,
    /// Values in place of the usual ones, by name; null: none.
    pub values: Value,
}

/// A subscription of the server.
#[derive(Debug, Clone, Default)]
pub struct Feed {
    /// Title as sent.
    pub title: String,
    /// Address.
    pub url: String,
    /// Name of its folder.
    pub folder: String,
    /// Names of its other folders. If there are any, a change adds it to a folder or removes it from one.
    pub others: Vec<String>,
}

impl Feed {
    fn change_folders(&mut self, name: &str, add: bool) {
        self.others.retain(|other| other != name);
        if add {
            self.others.push(name.to_owned());
        } else if self.folder == name {
            self.folder = self.others.remove(0);
        }
    }
}

/// What the server has.
#[derive(Debug, Default)]
pub struct State {
    /// Password of the user alice.
    pub password: String,
    /// Articles by id; a greater one is newer.
    pub entries: BTreeMap<i64, Entry>,
    /// Subscriptions by id.
    pub feeds: BTreeMap<String, Feed>,
    /// A new value makes all logins expire.
    pub session: u32,
    /// The token, if it differs from the server's usual one.
    pub token: Option<String>,
    /// Whether its ids are consecutive numbers, like those of Miniflux.
    pub counted: bool,
    /// Whether it fails if it has none of the requested articles, and removes marks that are set a second time, like older versions of
    /// Miniflux.
    pub is_old: bool,
    /// Maximum number of ids per page, whatever is requested; 0: as requested.
    pub page: usize,
    /// Whether each page but the first begins with the last id of the previous one instead of its own first one, as can happen if articles
    /// have the same date.
    pub repeats: bool,
    /// Replies in place of the usual ones, by endpoint, such as `/edit-tag`.
    pub replies: BTreeMap<String, Reply>,
    /// Whether the login is answered in JSON, as some servers with labels do.
    pub json_login: bool,
    /// Labels that are refused with status 403.
    pub refused_labels: BTreeSet<String>,
    /// Articles whose marks are refused with status 404.
    pub refused_articles: BTreeSet<i64>,
    /// Requests of Inoreader that read, and that change something.
    pub used: (u32, u32),
    /// The faults of the next requests.
    pub faults: Faults,
}

/// A running server of this kind.
pub struct GoogleReader {
    /// The scripted server, with all requests so far.
    pub server: Server,
    state: Arc<Mutex<State>>,
    dialect: Dialect,
}

impl GoogleReader {
    /// Starts a server with this number of feeds, each with articles. The user is alice, with the password "sesame".
    pub async fn start(dialect: Dialect, feeds: usize, articles: usize) -> Self {
        let server = Server::start().await;
        let counted = matches!(dialect, Dialect::Miniflux | Dialect::CommaFeed);
        let mut state = State { password: "sesame".to_owned(), counted, ..State::default() };
        for feed in 1..=feeds {
            let url = format!("http://feeds.test/{feed}.xml");
            let id = feed_id(feed, &url, dialect);
            let folder = if feed % 2 == 0 { "Tech" } else { "News & Views" }.to_owned();
            let feed = Feed { title: format!("Feed {feed}"), url, folder, ..Feed::default() };
            state.feeds.insert(id.clone(), feed);
            for _ in 0..articles {
                state.add(&id);
            }
        }
        let state = server.on_state(state, move |state, request| {
            let fault = state.faults.next();
            fault.reply(|| answer(state, dialect, request))
        });
        Self { server, state, dialect }
    }

    /// Returns what the server has.
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// Returns the id of an article as the server's lists have it.
    #[must_use]
    pub fn id(&self, id: i64) -> String {
        short_id(id, self.dialect)
    }

    /// Returns the path of an endpoint, such as `/edit-tag`.
    #[must_use]
    pub fn path(&self, endpoint: &str) -> String {
        format!("{}/reader/api/0{endpoint}", self.dialect.prefix())
    }

    /// Returns the address of the server as a user enters it. The API of CommaFeed is not looked for.
    #[must_use]
    pub fn address(&self) -> String {
        self.server.url(if self.dialect == Dialect::CommaFeed { self.dialect.prefix() } else { "/" })
    }
}

impl State {
    /// Adds an unread article, and returns its id.
    pub fn add(&mut self, feed: &str) -> i64 {
        let first = if self.counted { 101 } else { 1_795_406_884_000_000 };
        let id = self.entries.keys().next_back().map_or(first, |last| last + 1);
        let title = format!("Article {id} &amp; more");
        self.entries.insert(id, Entry { feed: feed.to_owned(), title, ..Entry::default() });
        id
    }

    fn auth(&self, dialect: Dialect) -> String {
        match dialect {
            Dialect::FreshRss => format!("alice/{:040x}", self.session),
            _ => format!("alice/{}", self.session),
        }
    }

    fn token(&self, dialect: Dialect) -> String {
        let usual = || match dialect {
            Dialect::FreshRss => format!("{:Z<57}", format!("{:040x}", self.session)),
            Dialect::Miniflux => self.auth(dialect),
            _ => format!("token{}", self.session),
        };
        self.token.clone().unwrap_or_else(usual)
    }
}

fn answer(state: &mut State, dialect: Dialect, request: &Request) -> Reply {
    let Some(path) = request.path().strip_prefix(dialect.prefix()) else { return Reply::status(404) };
    if dialect == Dialect::Inoreader {
        let keys = [request.text("AppId"), request.text("AppKey")];
        if keys != [Some(APP_ID.to_owned()), Some(APP_KEY.to_owned())] {
            return Reply::status(403);
        }
        return zones(state, request, |state| reply(state, dialect, request, path));
    }
    reply(state, dialect, request, path)
}

fn reply(state: &mut State, dialect: Dialect, request: &Request, path: &str) -> Reply {
    let query = pairs(request.target.split_once('?').map_or("", |(_, query)| query));
    let body = request.body_text();
    let form = pairs(&body);
    let first = |pairs: &[(String, String)], name: &str| {
        pairs.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone()).unwrap_or_default()
    };
    if path == "/accounts/ClientLogin" {
        if dialect == Dialect::FreshRss && first(&form, "Email").contains(' ') {
            return Reply::status(400);
        }
        if first(&form, "Email") != "alice" || first(&form, "Passwd") != state.password {
            return Reply::status(401);
        }
        let auth = state.auth(dialect);
        let is_json = state.json_login || matches!(dialect, Dialect::OldReader | Dialect::Miniflux);
        return Reply::ok(match is_json {
            true => json!({ "SID": auth, "LSID": auth, "Auth": auth }).to_string(),
            false => format!("SID={auth}\nLSID=null\nAuth={auth}\n"),
        });
    }
    let Some(endpoint) = path.strip_prefix("/reader/api/0") else { return Reply::status(404) };
    let token = state.token(dialect);
    if request.text("Authorization") != Some(format!("GoogleLogin auth={}", state.auth(dialect))) {
        return Reply::status(401);
    }
    if request.method == "POST" && first(&form, "T") != token {
        return Reply::status(401);
    }
    if let Some(reply) = state.replies.get(endpoint) {
        return reply.clone();
    }
    match endpoint {
        "/token" => Reply::ok(format!("{token}\n")),
        "/subscription/list" => Reply::ok(subscriptions(state, dialect).to_string()),
        "/tag/list" => Reply::ok(tags(state, dialect).to_string()),
        "/stream/items/ids" => ids(state, dialect, &|name: &str| first(&query, name)),
        "/stream/items/contents" => {
            let wanted: Vec<i64> = form.iter().filter(|(key, _)| key == "i").filter_map(|(_, id)| number(id)).collect();
            let most = if dialect == Dialect::Inoreader { 250 } else { 1000 };
            if wanted.len() > most {
                return Reply::status(400);
            }
            let shown = |id: i64| Some(article(id, state.entries.get(&id)?, state, dialect));
            let items: Vec<Value> = wanted.into_iter().filter_map(shown).collect();
            if items.is_empty() && state.is_old {
                return Reply::status(400);
            }
            Reply::ok(json!({ "id": "user/-/state/com.google/reading-list", "items": items }).to_string())
        }
        "/edit-tag" => edit_tag(state, dialect, &form),
        "/subscription/edit" => edit(state, dialect, &form, &|name: &str| first(&form, name)),
        "/subscription/quickadd" if dialect == Dialect::CommaFeed => Reply::status(404),
        "/subscription/quickadd" => quick_add(state, dialect, &first(&form, "quickadd")),
        _ if dialect == Dialect::Miniflux => Reply::ok("[]"),
        _ => Reply::status(400),
    }
}

fn subscriptions(state: &State, dialect: Dialect) -> Value {
    let feed = |(id, feed): (&String, &Feed)| {
        let label = |name| json!({ "id": format!("user/-/label/{name}"), "label": name, "type": "folder" });
        let labels: Vec<Value> = std::iter::once(&feed.folder).chain(&feed.others).map(label).collect();
        let mut subscription =
            json!({ "id": id, "title": feed.title, "categories": labels, "htmlUrl": "http://feeds.test/" });
        if dialect != Dialect::FeedHq {
            subscription["url"] = feed.url.as_str().into();
        }
        subscription
    };
    json!({ "subscriptions": state.feeds.iter().map(feed).collect::<Vec<_>>() })
}

fn tags(state: &State, dialect: Dialect) -> Value {
    let folders: BTreeSet<&String> = state.feeds.values().map(|feed| &feed.folder).collect();
    let labels: BTreeSet<&String> = state.entries.values().flat_map(|entry| &entry.labels).collect();
    let mut tags = vec![json!({ "id": "user/-/state/com.google/starred" })];
    let without_kind = matches!(dialect, Dialect::BazQux | Dialect::CommaFeed);
    let folder = |name: &&String| match without_kind {
        true => json!({ "id": format!("user/-/label/{name}") }),
        false => json!({ "id": format!("user/-/label/{name}"), "type": "folder" }),
    };
    tags.extend(folders.iter().map(folder));
    // A folder of folders.
    tags.extend((dialect == Dialect::CommaFeed).then(|| json!({ "id": "user/-/label/Parent" })));
    if dialect != Dialect::Miniflux {
        tags.extend(labels.iter().map(|name| json!({ "id": format!("user/-/label/{name}"), "type": "tag" })));
    }
    json!({ "tags": tags })
}

fn ids(state: &State, dialect: Dialect, query: &dyn Fn(&str) -> String) -> Reply {
    let stream = query("s");
    let label = stream.strip_prefix("user/-/label/").map(str::to_owned);
    if label.is_some() && dialect == Dialect::Miniflux {
        return Reply::status(500);
    }
    // The others are folders. Looked up once: there are tens of thousands of articles.
    let label = label.filter(|label| state.entries.values().any(|entry| entry.labels.contains(label)));
    let unread_only = query("xt") == "user/-/state/com.google/read";
    let is_in = |entry: &Entry| match &label {
        Some(label) => entry.labels.contains(label),
        None if stream.ends_with("/starred") => entry.starred,
        None => true,
    };
    let mut all: Vec<i64> = state
        .entries
        .iter()
        .rev()
        .filter(|(_, entry)| is_in(entry) && !(unread_only && entry.read))
        .map(|(id, _)| *id)
        .collect();
    let size = query("n").parse::<usize>().unwrap_or(20);
    let size = size.min(if matches!(dialect, Dialect::Inoreader | Dialect::CommaFeed) { 1000 } else { 10_000 });
    let size = if state.page > 0 { size.min(state.page) } else { size };
    let from = query("c");
    if dialect == Dialect::CommaFeed {
        all.retain(|id| from.parse().map_or(true, |last: i64| *id < last));
        all.sort_by_key(|id| std::cmp::Reverse(published(*id, &state.entries[id])));
    }
    let start = match dialect {
        Dialect::Miniflux => from.parse().unwrap_or(0),
        Dialect::CommaFeed => 0,
        _ => from.trim_start_matches("after-").parse::<i64>().map_or(0, |last| all.partition_point(|id| *id >= last)),
    };
    let mut page: Vec<i64> = all.iter().skip(start).take(size).copied().collect();
    if let (true, Some(first), Some(before)) =
        (state.repeats && start > 0, page.first_mut(), all.get(start.wrapping_sub(1)))
    {
        *first = *before;
    }
    let refs: Vec<Value> = page.iter().map(|id| json!({ "id": short_id(*id, dialect) })).collect();
    let mut body = json!({ "itemRefs": refs });
    if start + page.len() < all.len() {
        let next = match dialect {
            Dialect::Miniflux => (start + page.len()).to_string(),
            _ if dialect.hides_position() => page.last().map(|id| format!("after-{id}")).unwrap_or_default(),
            _ => page.last().map(i64::to_string).unwrap_or_default(),
        };
        body["continuation"] = next.into();
    }
    Reply::ok(body.to_string())
}

/// Returns the id of a feed.
fn feed_id(number: usize, url: &str, dialect: Dialect) -> String {
    match dialect {
        Dialect::FeedHq | Dialect::BazQux => format!("feed/{url}"),
        Dialect::OldReader => format!("feed/{OBJECT}{number:016x}"),
        _ => format!("feed/{number}"),
    }
}

/// Returns the id as lists have it.
fn short_id(id: i64, dialect: Dialect) -> String {
    if dialect == Dialect::OldReader { format!("{OBJECT}{id:016x}") } else { id.to_string() }
}

fn published(id: i64, entry: &Entry) -> i64 {
    entry.values["published"].as_i64().unwrap_or(1_795_300_000 + id % 1_000_000)
}

fn article(id: i64, entry: &Entry, state: &State, dialect: Dialect) -> Value {
    let long_id = match dialect {
        Dialect::OldReader => format!("{LONG_ID}{OBJECT}{id:016x}"),
        _ => format!("{LONG_ID}{id:016x}"),
    };
    let mut categories = vec!["user/-/state/com.google/reading-list".to_owned(), "nature".to_owned()];
    categories.extend(state.feeds.get(&entry.feed).map(|feed| format!("user/-/label/{}", feed.folder)));
    categories.extend(entry.read.then(|| "user/-/state/com.google/read".to_owned()));
    categories.extend(entry.starred.then(|| "user/-/state/com.google/starred".to_owned()));
    categories.extend(entry.labels.iter().map(|label| format!("user/-/label/{label}")));
    let address = (!entry.no_address).then(|| json!({ "href": format!("http://site.test/{id}") }));
    let mut article = json!({
        "id": long_id,
        "published": published(id, entry),
        "title": entry.title,
        "canonical": Vec::from_iter(address),
        "categories": categories,
        "origin": { "streamId": entry.feed },
        "author": "Ann",
        "enclosure": [{ "href": format!("http://site.test/{id}.mp3"), "type": "audio/mpeg", "length": "1000" }],
        "summary": { "content": format!("<p>Text of {id}, with a <a href=\"/more\">link</a>.</p>") },
    });
    for (name, value) in entry.values.as_object().into_iter().flatten() {
        article[name] = value.clone();
    }
    article
}

fn edit_tag(state: &mut State, dialect: Dialect, form: &[(String, String)]) -> Reply {
    let all =
        |name: &str| form.iter().filter(|(key, _)| key == name).map(|(_, value)| value.clone()).collect::<Vec<_>>();
    let ids: Vec<i64> = all("i").iter().filter_map(|id| number(id)).collect();
    if ids.iter().any(|id| state.refused_articles.contains(id)) {
        return Reply::status(404);
    }
    let last = |streams: Vec<String>| match dialect {
        Dialect::FreshRss => streams.into_iter().next_back().into_iter().collect(),
        _ => streams,
    };
    for (streams, on) in [(last(all("a")), true), (last(all("r")), false)] {
        for stream in streams {
            for id in &ids {
                let Some(entry) = state.entries.get_mut(id) else { continue };
                if stream.strip_prefix("user/-/label/").is_some_and(|label| state.refused_labels.contains(label)) {
                    return Reply::status(403);
                }
                match stream.strip_prefix("user/-/label/") {
                    Some(_) if dialect == Dialect::Miniflux => return Reply::status(500),
                    // Confirmed, and ignored.
                    Some(_) if dialect == Dialect::CommaFeed => {}
                    Some(label)
                        if dialect == Dialect::FreshRss && state.feeds.values().any(|feed| feed.folder == label) => {}
                    Some(label) if on => drop(entry.labels.insert(label.to_owned())),
                    Some(label) => drop(entry.labels.remove(label)),
                    None if stream.ends_with("/read") => entry.read = on && !(state.is_old && entry.read),
                    None if stream.ends_with("/starred") => entry.starred = on && !(state.is_old && entry.starred),
                    None => return Reply::status(400),
                }
            }
        }
    }
    Reply::ok("OK")
}

fn edit(state: &mut State, dialect: Dialect, form: &[(String, String)], value: &dyn Fn(&str) -> String) -> Reply {
    let id = value("s");
    if value("ac") == "subscribe" {
        quick_add(state, dialect, id.trim_start_matches("feed/"));
        return Reply::ok("OK");
    }
    if value("ac") == "unsubscribe" {
        return if state.feeds.remove(&id).is_some() { Reply::ok("OK") } else { Reply::status(400) };
    }
    let Some(feed) = state.feeds.get_mut(&id) else { return Reply::status(400) };
    let moved = form.iter().any(|(key, value)| key == "a" && value.starts_with("user/-/label/"));
    // The Old Reader and CommaFeed move a feed out of its folder, whatever else is said. Miniflux does so if it is moved to a folder without a
    // name.
    let moved = moved && !matches!(dialect, Dialect::OldReader | Dialect::CommaFeed) || dialect == Dialect::Miniflux;
    for (key, value) in form {
        match (key.as_str(), value.strip_prefix("user/-/label/")) {
            // As FreshRSS gives titles back.
            ("t", _) => feed.title = value.replace('&', "＆").replace('<', "＜").replace('>', "＞"),
            ("a" | "r", Some(label)) if !feed.others.is_empty() => feed.change_folders(label, key == "a"),
            ("a", Some("")) => feed.folder = "All".to_owned(),
            ("a", Some(label)) => feed.folder = label.to_owned(),
            ("r", Some(_)) if !moved => feed.folder = "Uncategorized".to_owned(),
            _ => {}
        }
    }
    Reply::ok("OK")
}

fn quick_add(state: &mut State, dialect: Dialect, url: &str) -> Reply {
    let known = state.feeds.values().any(|feed| feed.url == url);
    if known || url.contains("nothing") {
        return match dialect {
            Dialect::FreshRss => Reply::ok(json!({ "numResults": 0, "error": "no" }).to_string()),
            _ => Reply::status(500),
        };
    }
    let id = feed_id(state.feeds.len() + 100, url, dialect);
    let (title, url, folder) = ("Added".to_owned(), url.to_owned(), "Uncategorized".to_owned());
    state.feeds.insert(id.clone(), Feed { title, url: url.clone(), folder, ..Feed::default() });
    Reply::ok(json!({ "numResults": 1, "query": url, "streamId": id, "streamName": "Added" }).to_string())
}

fn number(id: &str) -> Option<i64> {
    match id.strip_prefix(LONG_ID) {
        Some(hex) => i64::from_str_radix(hex.strip_prefix(OBJECT).unwrap_or(hex), 16).ok(),
        None => id.parse().ok(),
    }
}

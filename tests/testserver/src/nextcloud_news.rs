//! A server with Nextcloud News, version 1.3 of its API, as its documentation and its code have it.

use crate::{
    ApiServer, Reply, Request,
    faults::{Fault, Faults},
    form::pairs,
};
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

/// Where the API is.
pub const PLACE: &str = "/index.php/apps/news/api/v1-3";
/// Login of alice with the password "sesame".
const LOGIN: &str = "Basic YWxpY2U6c2VzYW1l";

/// An article of the server.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    /// Id of its feed.
    pub feed: u64,
    /// Whether it was read.
    pub read: bool,
    /// Whether it has a star.
    pub starred: bool,
    /// When it changed, in microseconds.
    pub modified: u64,
}

/// A subscription of the server.
#[derive(Debug, Clone, Default)]
pub struct Feed {
    /// Title.
    pub title: String,
    /// Address.
    pub url: String,
    /// Id of its folder.
    pub folder: Option<u64>,
}

/// The state of the server.
#[derive(Debug, Default)]
pub struct State {
    /// Articles by id; a greater one is newer.
    pub entries: BTreeMap<u64, Entry>,
    /// Subscriptions by id.
    pub feeds: BTreeMap<u64, Feed>,
    /// Names of the folders by id.
    pub folders: BTreeMap<u64, String>,
    /// The time, in microseconds.
    pub now: u64,
    /// Whether it refuses the login.
    pub refuses: bool,
    /// Whether the article of the offset is returned, too, and read articles where unread ones are requested, as by some versions.
    pub imprecise: bool,
    /// Number of changed articles that make a response too large; 0: none.
    pub too_many: usize,
    /// Replies in place of the usual ones, by method and path, such as `GET /items`.
    pub replies: BTreeMap<String, Reply>,
    /// The faults of the next requests.
    pub faults: Faults,
}

/// A running server of this kind.
pub type NextcloudNews = ApiServer<State>;

impl ApiServer<State> {
    /// Starts a server with this number of feeds, each with articles. The user is alice, with the password "sesame".
    pub async fn start(feeds: u64, articles: usize) -> Self {
        // A time of the server that is not later than that of the computer.
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default() - Duration::from_secs(6 * 86_400);
        let now = now.as_secs() * 1_000_000;
        let mut state = State { now, ..State::default() };
        state.folders.insert(4, "Tech".to_owned());
        for feed in 1..=feeds {
            let folder = (feed % 2 == 0).then_some(4);
            let url = format!("http://feeds.test/{feed}.xml");
            state.feeds.insert(feed, Feed { title: format!("Feed {feed}"), url, folder });
            for _ in 0..articles {
                state.add(feed);
            }
        }
        Self::serve(state, |state, request| {
            let fault = match state.faults.next() {
                // This is how the real server answers a change that it made, so it made this one.
                Fault::Before(reply) if request.method != "GET" && reply.body == b"[]" => Fault::After(reply),
                fault => fault,
            };
            fault.reply(|| answer(state, request))
        })
        .await
    }
}

impl State {
    /// Adds an unread article, and returns its id.
    pub fn add(&mut self, feed: u64) -> u64 {
        let id = self.entries.keys().next_back().map_or(100, |last| last + 1);
        self.now += 1_000_000;
        self.entries.insert(id, Entry { feed, modified: self.now, ..Entry::default() });
        id
    }

    /// Marks an article, at a later time.
    pub fn mark(&mut self, id: u64, read: Option<bool>, starred: Option<bool>) {
        self.now += 1_000_000;
        let Some(entry) = self.entries.get_mut(&id) else { return };
        entry.read = read.unwrap_or(entry.read);
        entry.starred = starred.unwrap_or(entry.starred);
        entry.modified = self.now;
    }

    /// Marks all articles as read at the same time.
    pub fn mark_all_read(&mut self) {
        self.now += 1_000_000;
        for entry in self.entries.values_mut() {
            (entry.read, entry.modified) = (true, self.now);
        }
    }
}

fn answer(state: &mut State, request: &Request) -> Reply {
    let Some(path) = request.path().strip_prefix(PLACE) else { return Reply::status(404) };
    if state.refuses || request.text("Authorization").as_deref() != Some(LOGIN) {
        return Reply::status(401).body(r#"{"message":"Current user is not logged in"}"#);
    }
    if let Some(reply) = state.replies.get(&format!("{} {path}", request.method)) {
        return reply.clone();
    }
    let body: Value = serde_json::from_str(&request.body_text()).unwrap_or_default();
    let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    match (request.method.as_str(), parts.as_slice()) {
        ("GET", ["folders"]) => folders(state.folders.iter()),
        ("POST", ["folders"]) => {
            let name = body["name"].as_str().unwrap_or_default().to_owned();
            if name.is_empty() || state.folders.values().any(|other| *other == name) {
                return Reply::status(if name.is_empty() { 422 } else { 409 });
            }
            let id = state.folders.keys().next_back().map_or(1, |last| last + 1);
            state.folders.insert(id, name);
            folders(state.folders.range(id..))
        }
        ("GET", ["feeds"]) => feeds(state.feeds.iter()),
        ("POST", ["feeds"]) => {
            let url = body["url"].as_str().unwrap_or_default().to_owned();
            let known = state.feeds.values().any(|feed| feed.url == url);
            if known || url.contains("nothing") {
                return Reply::status(if known { 409 } else { 422 });
            }
            let id = state.feeds.keys().next_back().map_or(1, |last| last + 1);
            state.feeds.insert(id, Feed { title: "Added".to_owned(), url, folder: body["folderId"].as_u64() });
            feeds(state.feeds.range(id..))
        }
        (method, ["feeds", id, rest @ ..]) => change(state, method, id.parse().unwrap_or(0), rest, &body),
        ("GET", ["items"]) => page(state, request),
        ("GET", ["items", "updated"]) => {
            // Old versions have seconds.
            let precise = |time: u64| if time < 10_000_000_000 { time * 1_000_000 } else { time };
            let since = precise(query(request, "lastModified").parse().unwrap_or(0));
            let feed: u64 = query(request, "id").parse().unwrap_or(0);
            let is_in = |entry: &Entry| {
                precise(entry.modified) >= since && (query(request, "type") != "0" || entry.feed == feed)
            };
            let changed: Vec<_> = state.entries.iter().rev().filter(|(_, entry)| is_in(entry)).collect();
            if state.too_many > 0 && changed.len() >= state.too_many {
                return Reply::ok("{").content_length(1 << 30);
            }
            items(changed.into_iter())
        }
        ("POST", ["items", what @ ("read" | "unread" | "star" | "unstar"), "multiple"]) => {
            let Some(ids) = body["itemIds"].as_array() else { return Reply::status(400) };
            for id in ids.iter().filter_map(Value::as_u64) {
                match *what {
                    "read" | "unread" => state.mark(id, Some(*what == "read"), None),
                    _ => state.mark(id, None, Some(*what == "star")),
                }
            }
            Reply::ok("[]")
        }
        _ => Reply::status(404),
    }
}

fn query(request: &Request, name: &str) -> String {
    let query = pairs(request.target.split_once('?').map_or("", |(_, query)| query));
    query.into_iter().find(|(key, _)| key == name).map(|(_, value)| value).unwrap_or_default()
}

fn folders<'a>(folders: impl Iterator<Item = (&'a u64, &'a String)>) -> Reply {
    let folders: Vec<Value> =
        folders.map(|(id, name)| json!({ "id": id, "name": name, "opened": true, "feeds": [] })).collect();
    Reply::ok(json!({ "folders": folders }).to_string())
}

fn feeds<'a>(feeds: impl Iterator<Item = (&'a u64, &'a Feed)>) -> Reply {
    let feed = |(id, feed): (&u64, &Feed)| {
        json!({
            "id": id, "url": feed.url, "title": feed.title, "folderId": feed.folder, "link": "http://feeds.test/",
            "added": 1_367_063_790, "unreadCount": 9, "ordering": 0, "pinned": false, "updateErrorCount": 0,
        })
    };
    Reply::ok(json!({ "feeds": feeds.map(feed).collect::<Vec<_>>(), "starredCount": 2 }).to_string())
}

fn change(state: &mut State, method: &str, id: u64, rest: &[&str], body: &Value) -> Reply {
    let Some(feed) = state.feeds.get_mut(&id) else { return Reply::status(404) };
    match (method, rest) {
        ("POST", ["rename"]) => feed.title = body["feedTitle"].as_str().unwrap_or_default().to_owned(),
        ("POST", ["move"]) => feed.folder = body["folderId"].as_u64(),
        ("DELETE", []) => {
            state.feeds.remove(&id);
            state.entries.retain(|_, entry| entry.feed != id);
        }
        _ => return Reply::status(405),
    }
    Reply::ok("null")
}

fn page(state: &State, request: &Request) -> Reply {
    let number = |name: &str| query(request, name).parse::<i64>().unwrap_or(0);
    let offset = u64::try_from(number("offset")).unwrap_or(0);
    let size = usize::try_from(number("batchSize")).unwrap_or(usize::MAX);
    let unread_only = query(request, "getRead") == "false" && !state.imprecise;
    let is_in = |(id, entry): &(&u64, &Entry)| {
        let below = offset == 0 || **id < offset || (state.imprecise && **id == offset);
        below && !(unread_only && entry.read) && (number("type") != 2 || entry.starred)
    };
    items(state.entries.iter().rev().filter(is_in).take(size))
}

fn items<'a>(entries: impl Iterator<Item = (&'a u64, &'a Entry)>) -> Reply {
    let item = |(id, entry): (&u64, &Entry)| {
        json!({
            "id": id, "guid": format!("guid-{id}"), "guidHash": format!("{id:032x}"), "url": format!("http://site.test/{id}"),
            "title": format!("Article {id} & more"), "author": "Ann", "pubDate": 1_795_300_000 + id,
            "body": format!("<p>Text of {id}, with a <a href=\"/more\">link</a>.</p>"),
            "enclosureMime": "audio/mpeg", "enclosureLink": format!("http://site.test/{id}.mp3"),
            "mediaThumbnail": null, "mediaDescription": null, "feedId": entry.feed, "unread": !entry.read,
            "starred": entry.starred, "rtl": false, "lastModified": entry.modified.to_string(), "fingerprint": "f",
        })
    };
    Reply::ok(json!({ "items": entries.map(item).collect::<Vec<_>>() }).to_string())
}

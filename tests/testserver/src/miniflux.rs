//! A Miniflux server with its REST API, as it was measured to speak it.

use crate::{ApiServer, Reply, Request, faults::Faults, form::pairs};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Login of alice with the password "sesame".
const LOGIN: &str = "Basic YWxpY2U6c2VzYW1l";
/// An API key of alice.
pub const KEY: &str = "key-of-alice";

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
    pub changed: i64,
}

/// A subscription of the server.
#[derive(Debug, Clone, Default)]
pub struct Feed {
    /// Title.
    pub title: String,
    /// Address.
    pub url: String,
    /// Id of its folder.
    pub folder: u64,
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
    pub now: i64,
    /// Whether it refuses the login.
    pub refuses: bool,
    /// Whether stars can only be toggled, as in older versions.
    pub toggles: bool,
    /// Whether moments are ignored, as in versions that are older still.
    pub ignores_moments: bool,
    /// Replies in place of the usual ones, by method and path, such as `GET /entries`.
    pub replies: BTreeMap<String, Reply>,
    /// The faults of the next requests.
    pub faults: Faults,
    /// Maximum number of articles per page, whatever is requested; 0: as requested.
    pub page: usize,
    /// Articles with a text of 50 KB.
    pub large: BTreeSet<u64>,
    /// Ids that other articles have than the usual ones.
    pub others: BTreeSet<u64>,
}

/// A running server of this kind.
pub type Miniflux = ApiServer<State>;

impl ApiServer<State> {
    /// Starts a server with this number of feeds, each with articles. The user is alice, with the password "sesame".
    pub async fn start(feeds: u64, articles: usize) -> Self {
        let mut state = State { now: 1_795_300_000_000_000, ..State::default() };
        state.folders = [(1, "All".to_owned()), (4, "Tech".to_owned())].into();
        for feed in 1..=feeds {
            let folder = if feed % 2 == 0 { 4 } else { 1 };
            let url = format!("http://feeds.test/{feed}.xml");
            state.feeds.insert(feed, Feed { title: format!("Feed {feed}"), url, folder });
            for _ in 0..articles {
                state.add(feed);
            }
        }
        Self::serve(state, |state, request| {
            let fault = state.faults.next();
            fault.reply(|| answer(state, request))
        })
        .await
    }
}

impl State {
    /// Adds an unread article, and returns its id.
    pub fn add(&mut self, feed: u64) -> u64 {
        let id = self.entries.keys().next_back().map_or(100, |last| last + 1);
        self.now += 1_234_567;
        self.entries.insert(id, Entry { feed, changed: self.now, ..Entry::default() });
        id
    }

    /// Marks articles, at a later time. Returns whether there are any of them.
    pub fn mark(&mut self, ids: &[u64], read: Option<bool>, starred: Option<bool>) -> bool {
        self.now += 1_234_567;
        let mut some = false;
        for id in ids {
            let Some(entry) = self.entries.get_mut(id) else { continue };
            entry.read = read.unwrap_or(entry.read);
            entry.starred = starred.unwrap_or(entry.starred);
            (entry.changed, some) = (self.now, true);
        }
        some
    }
}

fn answer(state: &mut State, request: &Request) -> Reply {
    let Some(path) = request.path().strip_prefix("/v1") else { return Reply::status(404) };
    let by_key = request.text("X-Auth-Token").as_deref() == Some(KEY);
    if state.refuses || !(by_key || request.text("Authorization").as_deref() == Some(LOGIN)) {
        return Reply::status(401).body(r#"{"error_message":"access unauthorized"}"#);
    }
    if let Some(reply) = state.replies.get(&format!("{} {path}", request.method)) {
        return reply.clone();
    }
    let body: Value = serde_json::from_str(&request.body_text()).unwrap_or_default();
    let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    match (request.method.as_str(), parts.as_slice()) {
        ("GET", ["me"]) => Reply::ok(json!({ "id": 1, "username": "alice" }).to_string()),
        ("GET", ["categories"]) => {
            Reply::ok(Value::from_iter(state.folders.keys().map(|id| folder(state, *id))).to_string())
        }
        ("POST", ["categories"]) => {
            let name = body["title"].as_str().unwrap_or_default().to_owned();
            if name.is_empty() || state.folders.values().any(|other| *other == name) {
                return Reply::status(400);
            }
            let id = state.folders.keys().next_back().map_or(1, |last| last + 1);
            state.folders.insert(id, name);
            Reply::status(201).body(folder(state, id).to_string())
        }
        ("GET", ["feeds"]) => Reply::ok(Value::from_iter(state.feeds.keys().map(|id| feed(state, *id))).to_string()),
        ("POST", ["feeds"]) => {
            let url = body["feed_url"].as_str().unwrap_or_default().to_owned();
            let known = state.feeds.values().any(|feed| feed.url == url);
            // Here, addresses with HTTPS redirect to those with HTTP.
            let redirects = url.starts_with("https:");
            if known || redirects || url.contains("nothing") {
                return Reply::status(if known { 400 } else { 500 });
            }
            let id = state.feeds.keys().next_back().map_or(1, |last| last + 1);
            let folder = body["category_id"].as_u64().unwrap_or(1);
            state.feeds.insert(id, Feed { title: "Added".to_owned(), url, folder });
            Reply::status(201).body(json!({ "feed_id": id }).to_string())
        }
        (method @ ("PUT" | "DELETE"), ["feeds", id]) => {
            let id = id.parse().unwrap_or(0);
            let Some(changed) = state.feeds.get_mut(&id) else { return Reply::status(404) };
            if method == "DELETE" {
                state.feeds.remove(&id);
                state.entries.retain(|_, entry| entry.feed != id);
                return Reply::status(204);
            }
            changed.title = body["title"].as_str().unwrap_or(&changed.title).to_owned();
            changed.folder = body["category_id"].as_u64().unwrap_or(changed.folder);
            Reply::status(201).body(feed(state, id).to_string())
        }
        ("GET", ["entries"]) => entries(state, request),
        ("GET", ["entries", id]) => match id.parse().ok().and_then(|id: u64| Some((id, state.entries.get(&id)?))) {
            Some((id, found)) => Reply::ok(entry(state, id, found).to_string()),
            None => Reply::status(404),
        },
        ("PUT", ["entries"]) => {
            let ids: Vec<u64> = body["entry_ids"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
            match (body["status"].as_str(), body["starred"].as_bool()) {
                (Some(status), None) => drop(state.mark(&ids, Some(status == "read"), None)),
                // As the store answers that nothing has been updated.
                (None, Some(on)) if !state.toggles => {
                    if !state.mark(&ids, None, Some(on)) {
                        return Reply::status(500);
                    }
                }
                _ => return Reply::status(400),
            }
            Reply::status(204)
        }
        ("PUT", ["entries", id, "bookmark"]) => {
            let id = id.parse().unwrap_or(0);
            let on = state.entries.get(&id).map(|entry| !entry.starred);
            if state.mark(&[id], None, on) { Reply::status(204) } else { Reply::status(500) }
        }
        _ => Reply::status(404),
    }
}

fn folder(state: &State, id: u64) -> Value {
    json!({ "id": id, "title": state.folders.get(&id), "user_id": 1, "hide_globally": false })
}

fn feed(state: &State, id: u64) -> Value {
    let Some(feed) = state.feeds.get(&id) else { return Value::Null };
    json!({
        "id": id, "user_id": 1, "feed_url": feed.url, "site_url": "http://feeds.test/", "title": feed.title,
        "category": folder(state, feed.folder),
    })
}

fn time(microseconds: i64) -> String {
    let seconds = microseconds.div_euclid(1_000_000);
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    // Years that begin in March, in eras of 400 years.
    let (era, day) = ((days + 719_468).div_euclid(146_097), (days + 719_468).rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:06}Z", microseconds.rem_euclid(1_000_000))
}

fn entry(state: &State, id: u64, entry: &Entry) -> Value {
    let large = if state.large.contains(&id) { "x".repeat(50_000) } else { String::new() };
    let (site, minute) = if state.others.contains(&id) { ("other.test", 13) } else { ("site.test", 12) };
    let title = if state.others.contains(&id) { "Another" } else { "Article" };
    json!({
        "id": id, "user_id": 1, "feed_id": entry.feed, "status": if entry.read { "read" } else { "unread" }, "hash": "h",
        "title": format!("{title} {id} & more"), "url": format!("http://{site}/{id}"), "comments_url": "", "language": "",
        "published_at": format!("2026-11-21T17:{minute}:00Z"), "created_at": "2026-11-21T17:12:00Z", "changed_at": time(entry.changed),
        "content": format!("<p>Text of {id}, with a <a href=\"/more\">link</a>.</p>{large}"), "author": "Ann", "share_code": "",
        "starred": entry.starred, "reading_time": 1, "tags": [],
        "enclosures": [{ "id": 1, "url": format!("http://site.test/{id}.mp3"), "mime_type": "audio/mpeg", "size": 1000 }],
    })
}

fn entries(state: &State, request: &Request) -> Reply {
    let query: BTreeMap<String, String> =
        pairs(request.target.split_once('?').map_or("", |(_, query)| query)).into_iter().collect();
    let number = |name: &str| query.get(name).and_then(|value| value.parse::<i64>().ok()).filter(|value| *value > 0);
    let id = |id: u64| i64::try_from(id).unwrap_or(0);
    let mut found: Vec<(&u64, &Entry)> = state
        .entries
        .iter()
        .filter(|(key, entry)| {
            number("before_entry_id").is_none_or(|before| id(**key) < before)
                && number("after_entry_id").is_none_or(|after| id(**key) > after)
                && number("changed_after")
                    .filter(|_| !state.ignores_moments)
                    .is_none_or(|after| entry.changed > after * 1_000_000)
                && query.get("status").is_none_or(|status| (status == "read") == entry.read)
                && query.get("starred").is_none_or(|starred| (starred == "true") == entry.starred)
        })
        .collect();
    if query.get("order").is_some_and(|order| order == "changed_at") {
        found.sort_by_key(|(_, entry)| entry.changed);
    }
    if query.get("direction").is_some_and(|direction| direction == "desc") {
        found.reverse();
    }
    let size = number("limit").and_then(|size| usize::try_from(size).ok()).unwrap_or(100);
    let size = if state.page > 0 { size.min(state.page) } else { size };
    let offset = number("offset").and_then(|offset| usize::try_from(offset).ok()).unwrap_or(0);
    let page: Vec<Value> = found.iter().skip(offset).take(size).map(|(id, found)| entry(state, **id, found)).collect();
    Reply::ok(json!({ "total": found.len(), "entries": page }).to_string())
}

//! A feed reader server with the Fever API, as FreshRSS, yarr and Coldsweat were measured to speak it, differences included.

use crate::{ApiServer, Reply, Request, faults::Faults, form::pairs};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// MD5 of "alice:sesame", which is the login.
pub const KEY: &str = "ab7771c1190732a6d966f9cdd24680af";

/// Whose dialect the server speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// At `/api/fever.php`; ids of articles are text; a mark is answered with a list.
    FreshRss,
    /// At `/fever/`; ids are numbers; a request for both lists is answered with the unread one alone.
    Yarr,
}

/// An article of the server.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    /// Id of its feed.
    pub feed: i64,
    /// Whether it was read.
    pub read: bool,
    /// Whether it was saved.
    pub saved: bool,
    /// Number of the article, if it differs from its id.
    pub number: Option<i64>,
}

/// The state of the server.
#[derive(Debug, Default)]
pub struct State {
    /// Articles by id; a greater one is newer.
    pub entries: BTreeMap<i64, Entry>,
    /// Titles of the feeds by id. Those with odd ids are in the group Tech.
    pub feeds: BTreeMap<i64, String>,
    /// Whether it refuses the login.
    pub refuses: bool,
    /// Whether articles are not in the order of their ids, the newest first.
    pub newest_first: bool,
    /// Whether its ids are consecutive numbers, like those of all servers but FreshRSS.
    pub counted: bool,
    /// Whether stars change with each mark, set or removed, as with Miniflux.
    pub toggles: bool,
    /// Number of ids at which lists are cut, the newest first; 0: none.
    pub cut: usize,
    /// Whether a request fails for articles of which one is missing, and articles are returned by ranges of ids, as CommaFeed does.
    pub fails_at_missing: bool,
    /// Replies in place of the usual ones, by the query after `api`, such as `unread_item_ids`, or `mark`.
    pub replies: BTreeMap<String, Reply>,
    /// The faults of the next requests.
    pub faults: Faults,
}

/// A running server of this kind.
pub type Fever = ApiServer<State>;

impl ApiServer<State> {
    /// Starts a server with this number of feeds, each with articles. The user is alice, with the password "sesame".
    pub async fn start(dialect: Dialect, feeds: i64, articles: usize) -> Self {
        let mut state = State { counted: dialect == Dialect::Yarr, ..State::default() };
        for feed in 1..=feeds {
            state.feeds.insert(feed, format!("Feed {feed}"));
            for _ in 0..articles {
                state.add(feed);
            }
        }
        Self::serve(state, move |state, request| {
            let fault = state.faults.next();
            fault.reply(|| answer(state, dialect, request))
        })
        .await
    }
}

impl State {
    /// Adds an unread article, and returns its id.
    pub fn add(&mut self, feed: i64) -> i64 {
        let first = if self.counted { 101 } else { 1_795_406_884_000_000 };
        let id = self.entries.keys().next_back().map_or(first, |last| last + 1);
        self.entries.insert(id, Entry { feed, ..Entry::default() });
        id
    }

    fn ids(&self, is_in: impl Fn(&Entry) -> bool) -> String {
        let ids = self.entries.iter().rev().filter(|(_, entry)| is_in(entry)).map(|(id, _)| id.to_string());
        ids.take(if self.cut > 0 { self.cut } else { usize::MAX }).collect::<Vec<_>>().join(",")
    }
}

fn answer(state: &mut State, dialect: Dialect, request: &Request) -> Reply {
    let place = if dialect == Dialect::FreshRss { "/api/fever.php" } else { "/fever/" };
    let query = pairs(request.target.split_once('?').map_or("", |(_, query)| query));
    let value = |name: &str| query.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone());
    if request.path() != place || value("api").is_none() {
        return Reply::status(404);
    }
    let form: BTreeMap<String, String> = pairs(&request.body_text()).into_iter().collect();
    if state.refuses || form.get("api_key").is_none_or(|key| key != KEY) {
        return Reply::ok(json!({ "api_version": 3, "auth": 0 }).to_string());
    }
    let asked = if form.contains_key("mark") { "mark" } else { query.get(1).map_or("", |(key, _)| key) };
    if let Some(reply) = state.replies.get(asked) {
        return reply.clone();
    }
    let mut body = json!({ "api_version": 3, "auth": 1, "last_refreshed_on_time": 0 });
    match asked {
        "mark" => {
            let entry = form.get("id").and_then(|id| id.parse().ok()).and_then(|id: i64| state.entries.get_mut(&id));
            // Several ids are ignored.
            if let Some(entry) = entry {
                match form.get("as").map(String::as_str) {
                    Some("read") => entry.read = true,
                    Some("unread") => entry.read = false,
                    Some("saved" | "unsaved") if state.toggles => entry.saved = !entry.saved,
                    Some("saved") => entry.saved = true,
                    Some("unsaved") => entry.saved = false,
                    _ => return Reply::status(400),
                }
            }
            if dialect == Dialect::FreshRss {
                body["unread_item_ids"] = state.ids(|entry| !entry.read).into();
            }
        }
        "unread_item_ids" => body["unread_item_ids"] = state.ids(|entry| !entry.read).into(),
        "saved_item_ids" => body["saved_item_ids"] = state.ids(|entry| entry.saved).into(),
        "feeds" => {
            let feed = |(id, title): (&i64, &String)| {
                let url = format!("http://feeds.test/{id}.xml");
                json!({ "id": id, "title": title, "url": url, "site_url": "http://feeds.test/" })
            };
            body["feeds"] = state.feeds.iter().map(feed).collect();
        }
        "groups" => {
            let odd: Vec<String> = state.feeds.keys().filter(|id| *id % 2 == 1).map(i64::to_string).collect();
            body["groups"] = json!([{ "id": 7, "title": "Tech" }]);
            body["feeds_groups"] = json!([{ "group_id": 7, "feed_ids": odd.join(",") }]);
        }
        "items" => {
            let since: Option<i64> = value("since_id").and_then(|id| id.parse().ok());
            let with: Vec<i64> =
                value("with_ids").unwrap_or_default().split(',').filter_map(|id| id.parse().ok()).collect();
            if state.fails_at_missing && with.iter().any(|id| !state.entries.contains_key(id)) {
                return Reply::status(500);
            }
            let below = value("max_id").and_then(|id| id.parse().ok()).filter(|_| state.fails_at_missing);
            let wanted = state.entries.iter().filter(|(id, _)| match since {
                Some(since) => **id > since && below.is_none_or(|below: i64| **id < below),
                None => with.contains(id),
            });
            let mut wanted: Vec<_> = wanted.collect();
            if state.newest_first {
                wanted.reverse();
            }
            body["items"] = wanted.into_iter().take(50).map(|(id, entry)| item(dialect, *id, entry)).collect();
        }
        _ => {}
    }
    Reply::ok(body.to_string())
}

fn item(dialect: Dialect, id: i64, entry: &Entry) -> Value {
    let number = entry.number.unwrap_or(id);
    json!({
        "id": if dialect == Dialect::FreshRss { Value::from(id.to_string()) } else { id.into() },
        "feed_id": entry.feed,
        "title": format!("Article {number} &amp; more"),
        "author": "Ann",
        "html": format!("<p>Text of {number}, with a <a href=\"/more\">link</a>.</p>"),
        "url": format!("http://site.test/{number}"),
        "is_saved": u8::from(entry.saved),
        "is_read": u8::from(entry.read),
        "created_on_time": 1_795_300_000 + number % 1_000_000,
    })
}

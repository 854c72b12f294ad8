//! A server with the API of Feedbin, version 2, as its documentation says it.

use crate::{ApiServer, Reply, Request, faults::Faults, form::pairs};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Login of alice with the password "sesame".
const LOGIN: &str = "Basic YWxpY2U6c2VzYW1l";

/// A subscription of the server.
#[derive(Debug, Clone, Default)]
pub struct Feed {
    /// Id of the subscription, which is not that of the feed.
    pub subscription: u64,
    /// Title.
    pub title: String,
    /// Address.
    pub url: String,
}

/// The state of the server.
#[derive(Debug, Default)]
pub struct State {
    /// Ids of the feeds of all articles, by id; a greater one is newer.
    pub entries: BTreeMap<u64, u64>,
    /// Ids of the unread articles.
    pub unread: BTreeSet<u64>,
    /// Ids of the articles with a star.
    pub starred: BTreeSet<u64>,
    /// Subscriptions by the ids of their feeds.
    pub feeds: BTreeMap<u64, Feed>,
    /// Feeds and folders by the ids of the taggings.
    pub taggings: BTreeMap<u64, (u64, String)>,
    /// Whether it refuses the login.
    pub refuses: bool,
    /// Replies in place of the usual ones, by method and path, such as `GET /entries.json`.
    pub replies: BTreeMap<String, Reply>,
    /// The faults of the next requests.
    pub faults: Faults,
}

/// A running server of this kind.
pub type Feedbin = ApiServer<State>;

impl ApiServer<State> {
    /// Starts a server with this number of feeds, each with articles. The user is alice, with the password "sesame".
    pub async fn start(feeds: u64, articles: usize) -> Self {
        let mut state = State::default();
        for feed in 1..=feeds {
            state.subscribe(feed, &format!("Feed {feed}"), &format!("http://feeds.test/{feed}.xml"));
            if feed % 2 == 0 {
                state.taggings.insert(feed + 50, (feed, "Tech".to_owned()));
            }
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
        self.entries.insert(id, feed);
        self.unread.insert(id);
        id
    }

    /// Adds a subscription.
    pub fn subscribe(&mut self, feed: u64, title: &str, url: &str) {
        let (title, url) = (title.to_owned(), url.to_owned());
        self.feeds.insert(feed, Feed { subscription: feed + 1000, title, url });
    }

    /// Marks articles, and returns those that there are.
    pub fn mark(&mut self, ids: &[u64], read: Option<bool>, starred: Option<bool>) -> Vec<u64> {
        let there: Vec<u64> = ids.iter().copied().filter(|id| self.entries.contains_key(id)).collect();
        for id in &there {
            match read {
                Some(true) => drop(self.unread.remove(id)),
                Some(false) => drop(self.unread.insert(*id)),
                None => {}
            }
            match starred {
                Some(true) => drop(self.starred.insert(*id)),
                Some(false) => drop(self.starred.remove(id)),
                None => {}
            }
        }
        there
    }

    /// Deletes an article.
    pub fn delete(&mut self, id: u64) {
        self.entries.remove(&id);
        self.unread.remove(&id);
        self.starred.remove(&id);
    }
}

fn answer(state: &mut State, request: &Request) -> Reply {
    let Some(path) = request.path().strip_prefix("/v2") else { return Reply::status(404) };
    if state.refuses || request.text("Authorization").as_deref() != Some(LOGIN) {
        return Reply::status(401);
    }
    if let Some(reply) = state.replies.get(&format!("{} {path}", request.method)) {
        return reply.clone();
    }
    let body: Value = serde_json::from_str(&request.body_text()).unwrap_or_default();
    let ids =
        |list: &str| -> Vec<u64> { body[list].as_array().into_iter().flatten().filter_map(Value::as_u64).collect() };
    let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    let done = |ids: Vec<u64>| Reply::ok(Value::from(ids).to_string());
    match (request.method.as_str(), parts.as_slice()) {
        ("GET", ["authentication.json"]) => Reply::ok(""),
        ("GET", ["subscriptions.json"]) => {
            Reply::ok(Value::from_iter(state.feeds.iter().map(|(id, feed)| subscription(*id, feed))).to_string())
        }
        ("POST", ["subscriptions.json"]) => create_subscription(state, &body),
        ("POST", ["subscriptions", id, "update.json"]) => {
            let found = state.feeds.iter_mut().find(|(_, feed)| feed.subscription.to_string() == *id);
            let Some((id, feed)) = found else { return Reply::status(403) };
            feed.title = body["title"].as_str().unwrap_or_default().to_owned();
            Reply::ok(subscription(*id, feed).to_string())
        }
        ("DELETE", ["subscriptions", id]) => {
            let before = state.feeds.len();
            state.feeds.retain(|_, feed| format!("{}.json", feed.subscription) != *id);
            Reply::status(if state.feeds.len() < before { 204 } else { 403 })
        }
        ("GET", ["taggings.json"]) => Reply::ok(
            Value::from_iter(
                state.taggings.iter().map(|(id, tagging)| json!({ "id": id, "feed_id": tagging.0, "name": tagging.1 })),
            )
            .to_string(),
        ),
        ("GET", ["tags.json"]) => {
            let names: BTreeSet<&String> = state.taggings.values().map(|(_, name)| name).collect();
            Reply::ok(Value::from_iter(names.iter().map(|name| json!({ "id": 1, "name": name }))).to_string())
        }
        ("POST", ["taggings.json"]) => {
            let (feed, name) = (body["feed_id"].as_u64().unwrap_or(0), body["name"].as_str().unwrap_or_default());
            let id = state.taggings.keys().next_back().map_or(1, |last| last + 1);
            state.taggings.insert(id, (feed, name.to_owned()));
            Reply::status(201).body(json!({ "id": id, "feed_id": feed, "name": name }).to_string())
        }
        ("DELETE", ["taggings", id]) => {
            let id = id.strip_suffix(".json").and_then(|id| id.parse().ok()).unwrap_or(0);
            Reply::status(if state.taggings.remove(&id).is_some() { 204 } else { 403 })
        }
        ("GET", ["unread_entries.json"]) => done(state.unread.iter().copied().collect()),
        ("GET", ["starred_entries.json"]) => done(state.starred.iter().copied().collect()),
        ("POST", ["unread_entries.json"]) => done(state.mark(&ids("unread_entries"), Some(false), None)),
        ("POST", ["unread_entries", "delete.json"]) => done(state.mark(&ids("unread_entries"), Some(true), None)),
        ("POST", ["starred_entries.json"]) => done(state.mark(&ids("starred_entries"), None, Some(true))),
        ("POST", ["starred_entries", "delete.json"]) => done(state.mark(&ids("starred_entries"), None, Some(false))),
        ("GET", ["entries.json"]) => entries(state, request),
        ("GET", ["entries", id]) => {
            let id = id.trim_end_matches(".json").parse().unwrap_or(0);
            if state.entries.contains_key(&id) {
                Reply::ok(json!({ "id": id }).to_string())
            } else {
                Reply::status(404)
            }
        }
        _ => Reply::status(404),
    }
}

fn create_subscription(state: &mut State, body: &Value) -> Reply {
    let url = body["feed_url"].as_str().unwrap_or_default().to_owned();
    if url.contains("nothing") {
        return Reply::status(404);
    }
    if let Some(feed) = state.feeds.values().find(|feed| feed.url == url) {
        let location = format!("/v2/subscriptions/{}.json", feed.subscription);
        return Reply::status(302).header("Location", location);
    }
    let id = state.feeds.keys().next_back().map_or(1, |last| last + 1);
    state.subscribe(id, "Added", &url);
    Reply::status(201).body(state.feeds.get(&id).map(|feed| subscription(id, feed).to_string()).unwrap_or_default())
}

fn subscription(id: u64, feed: &Feed) -> Value {
    json!({
        "id": feed.subscription, "created_at": "2026-11-20T11:30:25.209432Z", "feed_id": id, "title": feed.title,
        "feed_url": feed.url, "site_url": "http://feeds.test/",
    })
}

fn created(id: u64) -> String {
    format!("2026-11-21T{:02}:{:02}:{:02}.127893Z", id / 3600, id / 60 % 60, id % 60)
}

fn entries(state: &State, request: &Request) -> Reply {
    let query: BTreeMap<String, String> =
        pairs(request.target.split_once('?').map_or("", |(_, query)| query)).into_iter().collect();
    let number = |name: &str| query.get(name).and_then(|value| value.parse::<usize>().ok());
    let wanted: Option<Vec<u64>> =
        query.get("ids").map(|ids| ids.split(',').filter_map(|id| id.parse().ok()).take(100).collect());
    let found = state.entries.iter().rev().filter(|(id, _)| {
        wanted.as_ref().is_none_or(|wanted| wanted.contains(id))
            && query.get("since").is_none_or(|since| created(**id) > *since)
            && query.get("read").is_none_or(|read| (read == "false") == state.unread.contains(id))
            && query.get("starred").is_none_or(|starred| (starred == "true") == state.starred.contains(id))
    });
    let (page, size) = (number("page").unwrap_or(1).max(1), number("per_page").unwrap_or(100).min(100));
    let entry = |(id, feed): (&u64, &u64)| {
        json!({
            "id": id, "feed_id": feed, "title": format!("Article {id} & more"), "url": format!("http://site.test/{id}"),
            "author": "Ann", "content": format!("<p>Text of {id}, with a <a href=\"/more\">link</a>.</p>"), "summary": "Text",
            "published": "2026-11-21T17:12:00.000000Z", "created_at": created(*id),
            "enclosure": { "enclosure_url": format!("http://site.test/{id}.mp3"), "enclosure_type": "audio/mpeg", "enclosure_length": "1000" },
        })
    };
    let entries: Vec<Value> = found.skip((page - 1) * size).take(size).map(entry).collect();
    if entries.is_empty() && page > 1 { Reply::status(404) } else { Reply::ok(Value::from(entries).to_string()) }
}

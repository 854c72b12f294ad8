//! A Tiny Tiny RSS server with its API, as it was measured to speak it.

use crate::{ApiServer, Reply, Request, faults::Faults};
use serde_json::{Value, json};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

/// Articles per page at most.
const PAGE: usize = 200;
/// The id of the first label.
const LABEL: i64 = -1025;

/// An article of the server.
#[derive(Debug, Clone, Default)]
pub struct Article {
    /// Id of its feed.
    pub feed: u64,
    /// Whether it was read.
    pub read: bool,
    /// Whether it has a star.
    pub starred: bool,
    /// Names of its labels.
    pub labels: BTreeSet<String>,
    /// The number in its title, its address and its date, where that is not its id.
    pub number: Option<u64>,
    /// How much later than its arrival it is dated; the newest date is first in lists.
    pub dated: i64,
    /// When it was marked as read or unread last, and when as starred: later marks have greater numbers.
    pub marked_at: (u64, u64),
}

/// A subscription of the server.
#[derive(Debug, Clone, Default)]
pub struct Feed {
    /// Title.
    pub title: String,
    /// Address.
    pub url: String,
    /// Id of its folder; 0 for none.
    pub folder: u64,
}

/// The state of the server.
#[derive(Debug, Default)]
pub struct State {
    /// Articles by id; a greater one is newer.
    pub articles: BTreeMap<u64, Article>,
    /// Subscriptions by id.
    pub feeds: BTreeMap<u64, Feed>,
    /// Names of the folders by id.
    pub folders: BTreeMap<u64, String>,
    /// Names of the labels, in the order of their ids.
    pub labels: Vec<String>,
    /// Level of the API.
    pub level: u64,
    /// Whether the user switched the API off.
    pub off: bool,
    /// Whether it refuses the login.
    pub refuses: bool,
    /// Number of the session; one with another number has ended.
    pub session: u64,
    /// Replies in place of the usual ones, by operation.
    pub replies: BTreeMap<String, Reply>,
    /// The faults of the next requests.
    pub faults: Faults,
    /// Number of marks so far.
    pub marks: u64,
}

/// A running server of this kind.
pub type TtRss = ApiServer<State>;

impl ApiServer<State> {
    /// Starts a server with this number of feeds, each with articles. The user is alice, with the password "sesame".
    pub async fn start(feeds: u64, articles: usize) -> Self {
        let mut state = State { level: 15, session: 1, ..State::default() };
        state.folders = [(4, "Tech".to_owned())].into();
        for feed in 1..=feeds {
            let folder = if feed % 2 == 0 { 4 } else { 0 };
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
        let id = self.articles.keys().next_back().map_or(100, |last| last + 1);
        self.articles.insert(id, Article { feed, ..Article::default() });
        id
    }

    /// Marks articles. Returns how many of them there are.
    pub fn mark(&mut self, ids: &[u64], read: Option<bool>, starred: Option<bool>) -> usize {
        let mut some = 0;
        for id in ids {
            let Some(article) = self.articles.get_mut(id) else { continue };
            self.marks += 1;
            if let Some(read) = read {
                (article.read, article.marked_at.0) = (read, self.marks);
            }
            if let Some(starred) = starred {
                (article.starred, article.marked_at.1) = (starred, self.marks);
            }
            some += 1;
        }
        some
    }
}

fn wrapped(content: Value) -> Reply {
    Reply::ok(json!({ "seq": 0, "status": 0, "content": content }).to_string())
}

fn error(code: &str) -> Reply {
    Reply::ok(json!({ "seq": 0, "status": 1, "content": { "error": code } }).to_string())
}

fn number(value: &Value) -> i64 {
    value.as_i64().or_else(|| value.as_str()?.parse().ok()).unwrap_or(0)
}

fn answer(state: &mut State, request: &Request) -> Reply {
    if request.path() != "/api/" || request.method != "POST" {
        return Reply::status(404);
    }
    let body: Value = serde_json::from_str(&request.body_text()).unwrap_or_default();
    let op = body["op"].as_str().unwrap_or_default();
    if let Some(reply) = state.replies.get(op) {
        return reply.clone();
    }
    if op == "login" {
        return match (body["user"].as_str(), body["password"].as_str()) {
            (Some("alice"), _) if state.off => error("API_DISABLED"),
            (Some("alice"), Some("sesame")) if !state.refuses => {
                wrapped(json!({ "session_id": format!("session-{}", state.session), "api_level": state.level }))
            }
            _ => error("LOGIN_ERROR"),
        };
    }
    if body["sid"] != format!("session-{}", state.session) || state.refuses {
        return error("NOT_LOGGED_IN");
    }
    if state.off {
        return error("API_DISABLED");
    }
    match op {
        "getCategories" => {
            let mut folders: Vec<Value> =
                state.folders.iter().map(|(id, title)| json!({ "id": id, "title": title, "unread": 0 })).collect();
            folders.push(json!({ "id": -1, "title": "Special", "unread": 0 }));
            folders.push(json!({ "id": 0, "title": "Uncategorized", "unread": 0 }));
            wrapped(folders.into())
        }
        "getFeeds" => {
            let feed = |(id, feed): (&u64, &Feed)| {
                json!({
                    "id": id, "feed_url": feed.url, "title": feed.title, "cat_id": feed.folder, "unread": 0, "has_icon": false,
                    "last_updated": 1_795_407_934, "order_id": 0,
                })
            };
            // The virtual feed of a plugin.
            let of_plugin = json!({ "id": -129, "title": "Plugin", "unread": 0, "cat_id": -1 });
            wrapped(std::iter::once(of_plugin).chain(state.feeds.iter().map(feed)).collect())
        }
        "getLabels" => {
            let label = |(at, name): (i64, &String)| json!({ "id": LABEL - at, "caption": name, "checked": false });
            wrapped(Value::from_iter((0..).zip(&state.labels).map(label)))
        }
        "getCounters" => wrapped(counters(state)),
        "getHeadlines" => headlines(state, &body),
        "getArticle" => wrapped(Value::from_iter(ids(&body["article_id"]).iter().filter_map(|id| {
            let mut article = article(state, *id, state.articles.get(id)?, true);
            let comments = article.as_object_mut()?.remove("comments_link");
            article["comments"] = comments.unwrap_or_default();
            Some(article)
        }))),
        "updateArticle" => update_article(state, &body),
        "setArticleLabel" => set_article_label(state, &body),
        "subscribeToFeed" => subscribe_to_feed(state, &body),
        "unsubscribeFeed" => {
            let id = u64::try_from(number(&body["feed_id"])).unwrap_or(0);
            if state.feeds.remove(&id).is_none() {
                return error(if state.level > 15 { "E_OPERATION_FAILED" } else { "FEED_NOT_FOUND" });
            }
            state.articles.retain(|_, article| article.feed != id || article.starred);
            wrapped(json!({ "status": "OK" }))
        }
        _ => error("UNKNOWN_METHOD"),
    }
}

fn update_article(state: &mut State, body: &Value) -> Reply {
    let on = match number(&body["mode"]) {
        0 => false,
        1 => true,
        _ => return error("INCORRECT_USAGE"),
    };
    let ids = ids(&body["article_ids"]);
    let updated = match number(&body["field"]) {
        0 => state.mark(&ids, None, Some(on)),
        2 => state.mark(&ids, Some(!on), None),
        _ => return error("INCORRECT_USAGE"),
    };
    wrapped(json!({ "status": "OK", "updated": updated }))
}

fn set_article_label(state: &mut State, body: &Value) -> Reply {
    let label = usize::try_from(LABEL - number(&body["label_id"])).ok();
    let mut updated = 0;
    if let Some(label) = label.and_then(|at| state.labels.get(at)).cloned() {
        for id in ids(&body["article_ids"]) {
            updated += 1;
            let Some(article) = state.articles.get_mut(&id) else { continue };
            match body["assign"].as_bool() {
                Some(true) => drop(article.labels.insert(label.clone())),
                _ => drop(article.labels.remove(&label)),
            }
        }
    }
    wrapped(json!({ "status": "OK", "updated": updated }))
}

fn subscribe_to_feed(state: &mut State, body: &Value) -> Reply {
    let url = body["feed_url"].as_str().unwrap_or_default().to_owned();
    if let Some((id, _)) = state.feeds.iter().find(|(_, feed)| feed.url == url) {
        return wrapped(json!({ "status": { "code": 0, "feed_id": id } }));
    }
    if url.contains("nothing") {
        return wrapped(json!({ "status": { "code": 5, "message": "HTTP/1.1 404 Not Found" } }));
    }
    let id = state.feeds.keys().next_back().map_or(1, |last| last + 1);
    let folder = u64::try_from(number(&body["category_id"])).unwrap_or(0);
    state.feeds.insert(id, Feed { title: "Added".to_owned(), url, folder });
    wrapped(json!({ "status": { "code": 1, "feed_id": id } }))
}

fn ids(list: &Value) -> Vec<u64> {
    list.as_str().unwrap_or_default().split(',').filter_map(|id| id.parse().ok()).collect()
}

fn counters(state: &State) -> Value {
    let count = |is: &dyn Fn(&Article) -> bool| state.articles.values().filter(|article| is(article)).count();
    let mut counters = vec![
        json!({ "id": "global-unread", "counter": count(&|article| !article.read) }),
        json!({ "id": "subscribed-feeds", "counter": state.feeds.len() }),
        json!({
            "id": -1, "counter": count(&|article| article.starred && !article.read),
            "auxcounter": count(&|article| article.starred),
        }),
    ];
    counters.extend(state.feeds.keys().map(|id| {
        json!({
            "id": id, "updated": "4:25", "counter": count(&|article| article.feed == *id && !article.read),
            "markedcounter": count(&|article| article.feed == *id && article.starred), "has_img": 0,
        })
    }));
    counters.extend((0..).zip(&state.labels).map(|(at, label)| {
        let at: i64 = at;
        json!({
            "id": LABEL - at, "counter": count(&|article| article.labels.contains(label) && !article.read),
            "auxcounter": count(&|article| article.labels.contains(label)),
        })
    }));
    counters.push(json!({ "id": 0, "kind": "cat", "counter": count(&|article| !article.read) }));
    counters.into()
}

fn headlines(state: &State, body: &Value) -> Reply {
    let feed = number(&body["feed_id"]);
    let label = usize::try_from(LABEL - feed).ok().and_then(|at| state.labels.get(at));
    if feed < 1 && !matches!(feed, -1 | -4 | -6) && label.is_none() {
        return error("INCORRECT_USAGE");
    }
    let since = u64::try_from(number(&body["since_id"])).unwrap_or(0);
    let skip = usize::try_from(number(&body["skip"])).unwrap_or(0);
    let limit = usize::try_from(number(&body["limit"])).ok().filter(|limit| (1..PAGE).contains(limit)).unwrap_or(PAGE);
    let texts = body["show_content"] == true;
    let mut articles: Vec<_> = state.articles.iter().rev().collect();
    articles.sort_by_key(|(id, article)| Reverse(id.cast_signed() + article.dated));
    match feed {
        -1 => articles.sort_by_key(|(_, article)| Reverse(article.marked_at.1)),
        -6 => articles.sort_by_key(|(_, article)| Reverse(article.marked_at.0)),
        _ => {}
    }
    let found = articles.into_iter().filter(|(id, article)| {
        **id > since
            && match feed {
                -1 => article.starred,
                // Those that were marked as read as they arrived have no time.
                -6 => article.read && article.marked_at.0 > 0,
                feed => feed < 1 || article.feed.cast_signed() == feed,
            }
            && label.is_none_or(|label| article.labels.contains(label))
            && match body["view_mode"].as_str() {
                Some("unread") => !article.read,
                Some("marked") => article.starred,
                _ => true,
            }
    });
    wrapped(Value::from_iter(found.skip(skip).take(limit).map(|(id, found)| article(state, *id, found, texts))))
}

fn article(state: &State, id: u64, article: &Article, texts: bool) -> Value {
    let label = |name: &String| {
        let at = state.labels.iter().position(|label| label == name).and_then(|at| i64::try_from(at).ok());
        json!([LABEL - at.unwrap_or(0), name, "", ""])
    };
    let number = article.number.unwrap_or(id);
    json!({
        "id": id, "guid": "{}", "unread": !article.read, "marked": article.starred, "published": false,
        "updated": 1_795_305_540 + number, "is_updated": false, "title": format!("Article {number} & more"),
        "link": format!("http://site.test/{number}"), "feed_id": article.feed.to_string(), "tags": [""],
        "attachments": [{
            "id": 1, "content_url": format!("http://site.test/{number}.mp3"), "content_type": "audio/mpeg", "title": "",
            "duration": "", "width": 0, "height": 0, "post_id": id,
        }],
        "content": if texts { format!("<p>Text of {number}, with a <a href=\"/more\">link</a>.</p>") } else { String::new() },
        "labels": article.labels.iter().map(label).collect::<Vec<_>>(), "feed_title": "", "comments_count": 0,
        "comments_link": "", "always_display_attachments": false, "author": "Ann", "score": 0, "note": null, "lang": "",
    })
}

//! Reads articles in the JSON format of Google Reader, which Inoreader, The Old Reader and FreshRSS still export, and Feedly and Feedbin
//! with other names. If the only id of an article is the service's own, its address is used instead.

use super::{
    Article, Articles, BATCH, Feed, ImportError, OtherFile, ReaderData, SkipReason, Skipped,
    database::MAX_FEEDS,
    json,
    raw::{self, Raw},
};
use chrono::DateTime;
use gleaner_address::is_web;
use gleaner_feed::Enclosure;
use gleaner_library::{Marks, Millis};
use serde_json::Value;
use std::{collections::BTreeMap, ops::ControlFlow, path::Path};
use tokio::sync::mpsc;
use url::Url;

/// Number of left-out articles that are listed one by one.
const MAX_LISTED: usize = 100;
/// Number of batches that are read ahead.
const WAITING: usize = 2;

/// Reads the format and the feeds of a file. The import reads the file again for its articles, with only a few of them in memory.
pub(super) fn read(path: &Path) -> Result<ReaderData, ImportError> {
    let (mut feeds, mut skipped, mut homeless): (BTreeMap<String, Feed>, _, _) = (BTreeMap::new(), Vec::new(), 0_usize);
    let (mut items, mut articles) = (0_usize, false);
    let document = json::items(path, |item| {
        items += 1;
        articles |= is_article(&item);
        match feed(&item) {
            Some(feed) => {
                feeds.entry(feed.id.clone()).or_insert(feed);
            }
            None if skipped.len() < MAX_LISTED => {
                let what = string(&item, "title").unwrap_or_default().to_owned();
                skipped.push(Skipped { what, why: SkipReason::NoFeed });
            }
            None => homeless += 1,
        }
        if feeds.len() > MAX_FEEDS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    if feeds.len() > MAX_FEEDS {
        return Err(ImportError::TooMany { limit: MAX_FEEDS });
    }
    if document.version.is_some_and(|version| version.contains("jsonfeed.org")) {
        return Err(OtherFile::JsonFeed.into());
    }
    if !document.has_items {
        return Err(OtherFile::OtherJson.into());
    }
    if items > 0 && !articles {
        return Err(OtherFile::OtherJson.into());
    }
    if homeless > 0 {
        skipped.push(Skipped { what: String::new(), why: SkipReason::MoreWithoutFeed { count: homeless } });
    }
    let facts = FileFacts::of(document.id.as_deref().unwrap_or_default());
    let (out, batches) = mpsc::channel(WAITING);
    let file = path.to_owned();
    let reading = std::thread::Builder::new().name("articles".to_owned()).spawn(move || {
        let sent = pass_on(&file, &facts, &out);
        if let Err(error) = sent {
            // After a cancellation, nothing receives it.
            let _sent = out.blocking_send(Err(error));
        }
    });
    reading.map_err(ImportError::unreadable(path))?;
    Ok(ReaderData {
        title: document.title,
        skipped,
        articles: Articles::Coming(batches),
        ..ReaderData::list("articles in the form of Google Reader", feeds.into_values().collect())
    })
}

/// Sends articles in batches, as long as they are received.
fn pass_on(
    file: &Path,
    facts: &FileFacts,
    out: &mpsc::Sender<Result<Vec<Article>, ImportError>>,
) -> Result<(), ImportError> {
    let mut batch = Vec::new();
    json::items(file, |item| {
        if let Some(feed) = feed(&item) {
            batch.push(article(&item, feed.id, facts));
        }
        if batch.len() >= BATCH && out.blocking_send(Ok(std::mem::take(&mut batch))).is_err() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    if !batch.is_empty() {
        // After a cancellation, nothing receives it.
        let _passed_on = out.blocking_send(Ok(batch));
    }
    Ok(())
}

fn is_article(item: &Value) -> bool {
    ["origin", "alternate", "canonical", "originId"].iter().any(|key| item.get(key).is_some()) || is_of_feedbin(item)
}

/// Whether this is one of the starred articles that Feedbin exports, which name no feed.
fn is_of_feedbin(item: &Value) -> bool {
    let keys = ["id", "title", "author", "content", "url", "published", "created_at"];
    item.as_object()
        .is_some_and(|members| members.len() == keys.len() && keys.iter().all(|key| members.contains_key(*key)))
}

/// The data of a file that applies to all of its articles.
struct FileFacts {
    starred: bool,
    tag: Option<String>,
}

impl FileFacts {
    fn of(stream: &str) -> Self {
        let end = stream.rsplit('/').next().unwrap_or_default();
        Self {
            starred: ["starred", "favorites", "global.saved"].contains(&end),
            tag: match end {
                "broadcast" => Some("shared".to_owned()),
                "like" => Some("liked".to_owned()),
                _ => label(stream),
            },
        }
    }
}

/// Returns the name in `user/…/label/NAME` and Feedly's `user/…/tag/NAME`.
fn label(stream: &str) -> Option<String> {
    let rest = stream.strip_prefix("user/")?;
    let (_, rest) = rest.split_once('/')?;
    let name = rest.strip_prefix("label/").or_else(|| rest.strip_prefix("tag/"))?;
    (!name.starts_with("global.")).then(|| name.to_owned())
}

fn string<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty())
}

/// Returns the first address in the list of links under a key.
fn link<'a>(item: &'a Value, key: &str) -> Option<&'a str> {
    let value = item.get(key)?;
    value.as_array().map_or(Some(value), |list| list.first()).and_then(|link| string(link, "href"))
}

fn address(item: &Value) -> Option<&str> {
    let of_feedbin = || string(item, "url").filter(|_| is_of_feedbin(item));
    link(item, "canonical")
        .or_else(|| string(item, "canonicalUrl"))
        .or_else(|| link(item, "alternate"))
        .or_else(of_feedbin)
}

/// Returns the feed of an article. It may not be subscribed, so it is not polled automatically.
fn feed(item: &Value) -> Option<Feed> {
    let origin = item.get("origin").unwrap_or(&Value::Null);
    let stream = string(origin, "streamId").map(|stream| stream.strip_prefix("feed/").unwrap_or(stream));
    let web = |url: Option<&str>| url.filter(|url| raw::is_web(url)).map(str::to_owned);
    let home = web(string(origin, "htmlUrl"));
    // Without an address of the feed, the site's is used.
    let url = web(stream).or_else(|| web(string(origin, "feedUrl"))).or_else(|| home.clone()).or_else(|| {
        let url = Url::parse(address(item)?).ok().filter(is_web)?;
        url.join("/").ok().map(String::from)
    })?;
    // Only Feedly distinguishes folders from tags.
    let folder = list(item, "categories").find_map(|category| string(category, "label")).map(str::to_owned);
    let folder = folder.into_iter().collect();
    let mut feed = raw::feed(&url, &url, string(origin, "title").map(raw::plain), folder);
    feed.subscription.home_url = home;
    feed.subscription.refresh_minutes = Some(0);
    Some(feed)
}

fn article(item: &Value, feed: String, facts: &FileFacts) -> Article {
    let body = |key: &str| {
        let value = item.get(key)?;
        string(value, "content").or_else(|| value.as_str()).map(str::to_owned)
    };
    let (content, summary) = (body("content"), body("summary"));
    let mut marks = Marks { starred: facts.starred || is_of_feedbin(item), ..Marks::default() };
    marks.tags.extend(facts.tag.clone());
    let (mut labels, mut categories, mut states) = (Vec::new(), Vec::new(), Vec::new());
    for category in list(item, "categories") {
        match category {
            Value::String(name) if name.starts_with("user/") => match label(name) {
                Some(label) => labels.push(label),
                None => states.push(name.rsplit('/').next().unwrap_or_default()),
            },
            Value::String(name) => categories.push(name.clone()),
            // Feedly: the folders of the feed.
            other => labels.extend(string(other, "label").map(str::to_owned)),
        }
    }
    for tag in list(item, "tags") {
        let id = string(tag, "id").unwrap_or_default();
        if id.ends_with("global.saved") {
            marks.starred = true;
        } else if !id.contains("/global.") {
            marks.tags.extend(string(tag, "label").map(str::to_owned).or_else(|| label(id)));
        }
    }
    // Feedly: the publisher's topics.
    categories.extend(list(item, "keywords").filter_map(Value::as_str).map(str::to_owned));
    marks.starred |= states.contains(&"starred");
    marks.tags.extend(states.contains(&"broadcast").then(|| "shared".to_owned()));
    marks.tags.extend(states.contains(&"like").then(|| "liked".to_owned()));
    marks.read = if states.contains(&"read") {
        Some(true)
    } else if ["unread", "kept-unread", "reading-list"].iter().any(|state| states.contains(state)) {
        Some(false)
    } else {
        item.get("unread").and_then(Value::as_bool).map(|unread| !unread)
    };
    let enclosures = list(item, "enclosure").chain(list(item, "enclosures")).filter_map(enclosure).collect();
    let own = string(item, "guid").or_else(|| string(item, "originId")).or_else(|| {
        // The ids of a service are not those of the feed.
        string(item, "id")
            .filter(|id| !id.starts_with("tag:google.com,2005:reader/") && !id.starts_with("tag:inoreader.com"))
    });
    let notes = list(item, "annotations").filter_map(|note| string(note, "content"));
    let notes: String =
        notes.map(|note| format!("<blockquote>{}</blockquote>", gleaner_html::escape::lines(note))).collect();
    let content = content.or_else(|| summary.clone().filter(|_| !notes.is_empty()));
    let raw = Raw {
        id: own.map(str::to_owned),
        url: address(item).map(str::to_owned),
        title: string(item, "title").map(raw::plain),
        author: string(item, "author").map(raw::authors),
        published: moment(item.get("published")),
        updated: moment(item.get("updated")),
        summary: content.is_some().then(|| summary.clone()).flatten(),
        content: content.or(summary).map(|html| html + &notes),
        base: item.get("origin").and_then(|origin| string(origin, "htmlUrl")).map(str::to_owned),
        categories,
        enclosures,
        ..Raw::default()
    };
    Article { labels, ..raw.article(feed, marks) }
}

fn list<'a>(item: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    item.get(key).and_then(Value::as_array).into_iter().flatten()
}

/// Converts seconds, or milliseconds (Feedly): no article is from before 1973. Feedbin writes ISO 8601.
fn moment(value: Option<&Value>) -> Option<Millis> {
    let value = value?;
    if let Some(date) = value.as_str().and_then(|text| DateTime::parse_from_rfc3339(text).ok()) {
        return Some(date.timestamp_millis());
    }
    let number = value
        .as_i64()
        .or_else(|| value.as_f64().map(|number| number as i64))
        .or_else(|| value.as_str()?.parse().ok())?;
    match number {
        1..100_000_000_000 => Some(number * 1000),
        100_000_000_000.. => Some(number),
        _ => None,
    }
}

fn enclosure(value: &Value) -> Option<Enclosure> {
    let length = value.get("length").and_then(|length| length.as_i64().or_else(|| length.as_str()?.parse().ok()));
    let url = string(value, "href").or_else(|| string(value, "url"))?;
    raw::enclosure(Some(url.to_owned()), string(value, "type").map(str::to_owned), length)
}

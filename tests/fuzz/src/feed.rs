//! Checks of feeds and dates.

use chrono::{DateTime, Datelike, Utc};
use gleaner_feed::{Body, Context, Feed, Format, Item, NotAFeed, Parsed, Person, dates};
use serde_json::Value;
use std::collections::HashSet;

const BASE: &str = "https://base.example/feed";

/// Asserts that any bytes give a feed or an error, and that the feed is as the model documents it.
pub fn parse(data: &[u8]) {
    let _ = read(data, None);
}

/// Asserts the same for a feed with an HTTP encoding: the first line is the `Content-Type`, the rest is the body.
pub fn charset(data: &[u8]) {
    let line = data.iter().position(|b| *b == b'\n').unwrap_or(data.len());
    let content_type = String::from_utf8_lossy(&data[..line]);
    let _ = read(data.get(line + 1..).unwrap_or_default(), Some(&content_type));
}

/// Asserts that no item of a JSON Feed is lost.
pub fn json_feed(data: &[u8]) {
    let parsed = read(data, None);
    let Ok(Value::Object(top)) = serde_json::from_slice::<Value>(data) else { return };
    let version = top.get("version").and_then(Value::as_str).unwrap_or("");
    if let Some(of) = version.strip_prefix("https://jsonfeed.org/version/") {
        let parsed = parsed.unwrap_or_else(|error| panic!("it says that it is a JSON Feed: {error}"));
        assert_eq!(parsed.format, if of == "1" { Format::JsonFeed10 } else { Format::JsonFeed11 });
        assert_eq!(parsed.repairs, [], "it is JSON");
        let items = top.get("items").and_then(Value::as_array).into_iter().flatten();
        assert_eq!(parsed.items.len(), items.filter(|item| item.is_object()).count());
    }
}

/// Asserts that a date is in a plausible year and is the same moment after printing in both standard forms.
pub fn date(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let Some(moment) = dates::parse(&text) else { return };
    check_date(Some(moment.at));
    let again = |printed: String| match dates::parse(&printed) {
        Some(read) if !read.uncertain => read.at,
        other => panic!("{text:?} is {printed}, which is {other:?}"),
    };
    assert_eq!(again(moment.at.to_rfc3339()), moment.at);
    assert_eq!(again(moment.at.to_rfc2822()).timestamp(), moment.at.timestamp());
}

fn read(data: &[u8], content_type: Option<&str>) -> Result<Parsed, NotAFeed> {
    let context = Context { content_type, base_url: Some(BASE) };
    let read = gleaner_feed::parse(data, context);
    assert_eq!(read, gleaner_feed::parse(data, context), "the same bytes give the same feed");
    if let Ok(parsed) = &read {
        check_repairs(parsed, data);
        check_feed(&parsed.feed);
        assert!(parsed.items.len() <= data.len());
        parsed.items.iter().for_each(check_item);
        check_size(parsed, data);
    }
    read
}

fn check_repairs(parsed: &Parsed, data: &[u8]) {
    assert_eq!(parsed.well_formed, parsed.repairs.is_empty());
    assert!(parsed.repairs.len() <= 1001);
    assert!(parsed.repairs.is_sorted_by_key(|repair| (repair.line, repair.column)), "{:?}", parsed.repairs);
    let lines = 1 + data.iter().filter(|b| matches!(b, b'\n' | b'\r')).count();
    for repair in &parsed.repairs {
        assert!((1..=lines).contains(&(repair.line as usize)), "{repair:?}, {lines} lines");
        assert!((1..=data.len() + 2).contains(&(repair.column as usize)), "{repair:?}");
    }
}

fn check_feed(feed: &Feed) {
    let Feed { title, description, rights, home_url, feed_url, icon_url, docs_url, next_url, .. } = feed;
    [title, description, rights].into_iter().for_each(check_line);
    [home_url, feed_url, icon_url, docs_url, next_url].into_iter().flatten().for_each(|url| check_address(url));
    feed.hubs.iter().for_each(|url| check_address(url));
    check_unique(&feed.hubs);
    feed.authors.iter().chain(&feed.contributors).for_each(check_person);
    check_date(feed.published);
    check_date(feed.updated);
    check_lower(&feed.language);
    check_unique(&feed.skip_hours);
    assert!(feed.skip_hours.iter().all(|hour| *hour < 24), "{:?}", feed.skip_hours);
    check_unique(&feed.skip_days);
    check_categories(&feed.categories);
    if let Some(image) = &feed.image {
        check_address(&image.url);
        check_line(&image.title);
    }
}

fn check_item(item: &Item) {
    assert!(!item.id.trim().is_empty(), "an id is never empty");
    assert!(!item.title_from_content || item.title.is_some());
    [&item.title, &item.rights].into_iter().for_each(check_line);
    let Item { url, external_url, content_src, thumbnail_url, comments_url, comments_feed_url, .. } = item;
    [url, external_url, content_src, thumbnail_url, comments_url, comments_feed_url]
        .into_iter()
        .flatten()
        .for_each(|url| check_address(url));
    item.authors.iter().chain(&item.contributors).for_each(check_person);
    check_date(item.published);
    check_date(item.updated);
    check_lower(&item.language);
    check_categories(&item.categories);
    for body in [&item.content, &item.summary].into_iter().flatten() {
        assert!(!body.html.trim().is_empty(), "a body holds something");
    }
    for enclosure in &item.enclosures {
        check_address(&enclosure.url);
        assert!(enclosure.duration_seconds.is_none_or(|s| s.is_finite() && s >= 0.0), "{enclosure:?}");
    }
    item.media.iter().for_each(|media| check_address(&media.url));
}

/// Asserts that the result is no longer than the source, except for entities.
fn check_size(parsed: &Parsed, data: &[u8]) {
    let length = |body: &Option<Body>| body.as_ref().map_or(0, |body| body.html.len());
    let read: usize = parsed.items.iter().map(|item| length(&item.content) + length(&item.summary)).sum();
    assert!(read <= 8_000_000 + 16 * data.len(), "{read} bytes of {}", data.len());
}

/// Asserts that a text is on one line.
fn check_line(text: &Option<String>) {
    let Some(text) = text else { return };
    assert!(!text.is_empty() && text.trim() == text && !text.contains(char::is_control), "{text:?}");
}

fn check_lower(text: &Option<String>) {
    assert!(text.as_ref().is_none_or(|text| *text == text.to_lowercase()), "{text:?}");
}

fn check_address(url: &str) {
    assert!(!url.is_empty() && url.trim() == url, "{url:?}");
    // As a browser reads it.
    if let Ok(read) = url::Url::parse(url) {
        assert!(!matches!(read.scheme(), "javascript" | "vbscript" | "data" | "blob" | "about"), "{url:?}");
    }
}

fn check_person(person: &Person) {
    assert_ne!(*person, Person::default(), "a person has something of their own");
}

fn check_date(date: Option<DateTime<Utc>>) {
    assert!(date.is_none_or(|date| (1400..=9999).contains(&date.year())), "{date:?}");
}

fn check_categories(categories: &[gleaner_feed::Category]) {
    assert!(categories.len() <= 500);
    check_unique(categories.iter().map(|category| (&category.key, &category.scheme)));
    for category in categories {
        assert!(!category.term.is_empty() && !category.path().is_empty(), "{category:?}");
        assert_eq!(category.key, category.key.to_lowercase());
    }
}

fn check_unique<T: Eq + std::hash::Hash + std::fmt::Debug>(list: impl IntoIterator<Item = T>) {
    let mut seen = HashSet::new();
    for one in list {
        assert!(!seen.contains(&one), "{one:?} is there twice");
        seen.insert(one);
    }
}

//! JSON Feed 1.0 and 1.1 (jsonfeed.org/version/1.1). A field of the wrong type is passed over; an item is never lost.

use crate::{
    address, categories, dates,
    draft::{Draft, keep_first},
    links,
    model::{Body, Enclosure, Feed, Format, Generator, Image, Item, Person},
    people, text,
};
use serde_json::{Map, Value};

type Object = Map<String, Value>;

/// Reads a JSON Feed; `Err` says what the JSON is instead.
pub(crate) fn read(value: &Value, base: Option<&str>) -> Result<(Format, Feed, Vec<Item>), &'static str> {
    let Some(top) = value.as_object() else { return Err("JSON of another kind") };
    let version = top.get("version").and_then(Value::as_str).unwrap_or("").trim_end_matches('/').to_ascii_lowercase();
    let items = top.get("items").and_then(Value::as_array);
    let format = match version.split_once("jsonfeed.org/version/").map(|(_, v)| v) {
        Some("1") | Some("1.0") => Format::JsonFeed10,
        Some(_) => Format::JsonFeed11,
        // Some forget to say what it is, and still say all the rest.
        None if items.is_some_and(|i| i.iter().any(is_item)) && matches!(version.as_str(), "1" | "1.0") => {
            Format::JsonFeed10
        }
        None if items.is_some_and(|i| i.iter().any(is_item)) && version == "1.1" => Format::JsonFeed11,
        None if items.is_some_and(|i| i.iter().any(is_item))
            && (top.contains_key("home_page_url") || top.contains_key("feed_url")) =>
        {
            Format::JsonFeed11
        }
        None => return Err("JSON of another kind"),
    };
    let feed = feed(top, base);
    let items = items.into_iter().flatten().filter_map(Value::as_object).map(|o| item(o, base)).collect();
    Ok((format, feed, items))
}

fn is_item(value: &Value) -> bool {
    ["content_html", "content_text", "url", "title"].iter().any(|key| value.get(key).is_some())
}

/// A string, or a number written out; trimmed, and never empty.
fn string(object: &Object, key: &str) -> Option<String> {
    let text = match object.get(key)? {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

fn address(object: &Object, key: &str, base: Option<&str>) -> Option<String> {
    address::absolute(&string(object, key)?, base)
}

fn number(object: &Object, key: &str) -> Option<f64> {
    match object.get(key)? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
    .filter(|n: &f64| n.is_finite() && *n >= 0.0)
}

fn list<'v>(object: &'v Object, key: &str) -> impl Iterator<Item = &'v Value> {
    object.get(key).and_then(Value::as_array).into_iter().flatten()
}

fn persons(object: &Object, base: Option<&str>) -> Vec<Person> {
    let mut found = Vec::new();
    let one = |value: &Value| match value {
        Value::String(name) => people::parse(name),
        Value::Object(author) => {
            let url = string(author, "url");
            let email = url.as_deref().and_then(|u| u.strip_prefix("mailto:")).map(str::to_owned);
            let name = string(author, "name").and_then(|n| text::line(&n));
            let url = url.filter(|_| email.is_none()).and_then(|u| address::absolute(&u, base));
            let person = Person { name, email, url };
            (person != Person::default()).then_some(person)
        }
        _ => None,
    };
    match object.get("authors") {
        Some(Value::Array(authors)) => authors.iter().for_each(|author| people::add(&mut found, one(author))),
        Some(author) => people::add(&mut found, one(author)),
        None => {}
    }
    if found.is_empty()
        && let Some(author) = object.get("author")
    {
        people::add(&mut found, one(author));
    }
    found
}

fn feed(top: &Object, base: Option<&str>) -> Feed {
    let mut feed = Feed {
        title: string(top, "title").and_then(|t| text::line(&t)),
        description: string(top, "description").and_then(|t| text::line(&t)),
        home_url: address(top, "home_page_url", base),
        feed_url: address(top, "feed_url", base),
        language: string(top, "language").map(|l| l.to_lowercase()),
        authors: persons(top, base),
        icon_url: address(top, "favicon", base),
        image: address(top, "icon", base).map(|url| Image { url, ..Image::default() }),
        next_url: address(top, "next_url", base),
        generator: string(top, "generator").map(|name| Generator { name: Some(name), ..Generator::default() }),
        rights: string(top, "copyright").or_else(|| string(top, "rights")),
        ..Feed::default()
    };
    for hub in list(top, "hubs").filter_map(Value::as_object).filter_map(|hub| address(hub, "url", base)) {
        if !feed.hubs.contains(&hub) {
            feed.hubs.push(hub);
        }
    }
    feed
}

fn item(object: &Object, base: Option<&str>) -> Item {
    let mut draft = Draft { guid: string(object, "id"), link: address(object, "url", base), ..Draft::default() };
    draft.title = string(object, "title").and_then(|t| text::line(&t));
    keep_first(&mut draft.bodies.full, string(object, "content_html").unwrap_or_default(), None);
    if let Some(plain) = string(object, "content_text") {
        keep_first(&mut draft.bodies.full, text::to_html(&plain), None);
    }
    if let Some(summary) = string(object, "summary") {
        keep_first(&mut draft.bodies.summary, text::to_html(&summary), None);
    }
    draft.creators = persons(object, base);
    draft.moments.published = string(object, "date_published").and_then(|d| dates::parse(&d));
    draft.moments.updated = string(object, "date_modified").and_then(|d| dates::parse(&d));
    let item = &mut draft.item;
    item.external_url = address(object, "external_url", base);
    item.thumbnail_url = address(object, "image", base).or_else(|| address(object, "banner_image", base));
    item.language = string(object, "language").map(|l| l.to_lowercase());
    for tag in list(object, "tags").filter_map(Value::as_str) {
        categories::add(&mut item.categories, tag, None, None);
    }
    for attachment in list(object, "attachments").filter_map(Value::as_object) {
        let Some(url) = address(attachment, "url", base) else { continue };
        let enclosure = Enclosure {
            url,
            mime_type: string(attachment, "mime_type"),
            length: number(attachment, "size_in_bytes").map(|n| n as u64),
            title: string(attachment, "title"),
            duration_seconds: number(attachment, "duration_in_seconds"),
        };
        links::push_enclosure(&mut item.enclosures, enclosure);
    }
    let external = item.external_url.clone();
    let mut item = draft.finish();
    // What has no page of its own opens what it is about.
    item.url = item.url.or(external);
    if let (None, Some(Body { html, .. })) = (&item.title, &item.content) {
        item.title = text::line_of_html(html);
    }
    item
}

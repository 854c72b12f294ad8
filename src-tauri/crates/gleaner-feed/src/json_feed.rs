//! JSON Feed 1.0 and 1.1 (jsonfeed.org/version/1.1). Fields of a wrong type are converted if possible and otherwise
//! ignored; items are never lost. Invalid JSON is repaired.

mod document;
mod items;
pub(crate) mod repair;

use crate::{
    Read, address,
    base::{Base, MAX_COLLECTED, Origin},
    categories,
    document::is_recognisable,
    draft::{Draft, keep_first},
    links,
    model::{Body, Enclosure, Feed, Format, Generator, Image, Item, Person, RepairDetail, RepairKind},
    modules, people,
    repair::Repairs,
    rss,
    sniff::{self, DocumentKind},
    text,
};
use document::Document;
use serde_json::{Map, Value};
use std::borrow::Cow;

type Object = Map<String, Value>;

/// Reads a JSON Feed that begins at a byte offset of the document; `Err` is the kind of another document.
pub(crate) fn read(
    source: &str,
    offset: usize,
    origin: Origin<'_>,
    repairs: &mut Repairs<'_>,
) -> Result<(Read, Base), DocumentKind> {
    let base = Base::of_origin(origin, source.len());
    if let Ok((document, rest)) = Document::read(source, &base) {
        // Anything after the first value is junk.
        if !rest.is_empty() {
            let start: String = rest.chars().take(40).collect();
            repairs.note(RepairKind::Other, offset + source.len() - rest.len(), RepairDetail::AfterFeed(start));
        }
        // The items may be in a list of any name.
        let is_lost = document.items.is_empty() && items::has_content(source);
        let name = document.list_name.clone();
        let is_whole = rest.is_empty() && !is_lost;
        let read = Some((document, base));
        let read = if is_whole { read } else { or_each(read, source, origin) };
        if name.as_deref() != Some("items") {
            repairs.note(RepairKind::Other, offset, name.unwrap_or_else(|| "items".to_owned()).as_str());
        }
        return read.and_then(feed_of).ok_or_else(|| sniff::text(None, source));
    }
    let document = |source: &str| read_document(source, origin);
    let repaired = repair::repair(source, offset, repairs);
    let read = repaired.and_then(|repaired| {
        let read = document(&repaired).or_else(|error| {
            // Items before a defect that could not be repaired are complete.
            let (head, rest) = repaired.split_at(end_of_valid(&repaired, &error));
            let start = rest.chars().take(40).collect();
            repairs.note(RepairKind::Truncated, offset + source.len(), RepairDetail::InvalidValue(start));
            document(&repair::repair(head, 0, &mut Repairs::new(head)).unwrap_or_default())
        });
        read.ok()
    });
    let has_items = read.as_ref().is_some_and(|(document, _)| !document.items.is_empty());
    let mut read = or_each(read, source, origin);
    if let Some((document, _)) = read.as_mut().filter(|_| !has_items) {
        items::members(source).into_iter().for_each(|(name, value)| {
            document.top.entry(name).or_insert(value);
        });
    }
    // If all items were lost, the feed is not empty but damaged. One that is cut off will be complete at another time.
    let is_lost =
        |items: &[Item]| items.is_empty() && items::has_content(source) && source.trim_ascii_end().ends_with('}');
    let feed = read.and_then(feed_of).filter(|(read, _)| !is_lost(&read.items));
    feed.ok_or_else(|| sniff::text(None, source))
}

/// Returns the JSON Feed in or after another JSON document, such as `{"data": …}`.
pub(crate) fn within(source: &str) -> Option<&str> {
    let head = source.get(..source.floor_char_boundary(4096))?;
    let before = head.get(..head.find("jsonfeed.org/version")?)?;
    let start = before.rfind(['{', '}']).filter(|start| *start > 0)?;
    source.get(start..).filter(|inner| inner.starts_with('{'))
}

fn read_document(source: &str, origin: Origin<'_>) -> serde_json::Result<(Document, Base)> {
    let base = Base::of_origin(origin, source.len());
    Document::read(source, &base).map(|(document, _)| (document, base))
}

/// Returns the document with the items that are found by repairing each one separately, if these are more: a defect may make an item end
/// within another one, or the list end early.
fn or_each(read: Option<(Document, Base)>, source: &str, origin: Origin<'_>) -> Option<(Document, Base)> {
    let count = read.as_ref().map_or(0, |(document, _)| document.items.len());
    let each = items::repair_each(source).filter(|each| each.count > count);
    let is_cut_off = each.as_ref().is_some_and(|each| each.is_cut_off);
    match each.and_then(|each| read_document(&each.json, origin).ok()) {
        Some((mut each, base)) => {
            if let Some(last) = each.items.last_mut() {
                last.is_cut_off = is_cut_off;
            }
            if is_cut_off {
                each.items.pop_if(|last| !is_recognisable(last));
            }
            if each.items.len() <= count {
                return read;
            }
            // Without any item, its members are not what they seem to be.
            let whole = read.map(|(whole, _)| whole).filter(|whole| !whole.items.is_empty());
            let top = whole.map_or(each.top, |whole| whole.top);
            Some((Document { top, ..each }, base))
        }
        _ => read,
    }
}

/// Returns the length of the text before an error.
pub(crate) fn end_of_valid(source: &str, error: &serde_json::Error) -> usize {
    let lines = source.split_inclusive('\n').take(error.line().saturating_sub(1));
    let end = lines.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
    source.floor_char_boundary(end)
}

/// Returns the feed in a document; `None` for other JSON.
fn feed_of((Document { top, items, has_items, has_bodies, .. }, base): (Document, Base)) -> Option<(Read, Base)> {
    let version = string(&top, "version").unwrap_or_default().trim_end_matches('/').to_ascii_lowercase();
    let format = match version.split_once("jsonfeed.org/version/").map(|(_, v)| v) {
        Some("1" | "1.0") => Format::JsonFeed10,
        Some(_) => Format::JsonFeed11,
        // In some feeds only the version is incomplete.
        None if has_items && matches!(version.as_str(), "1" | "1.0") => Format::JsonFeed10,
        None if has_items && version == "1.1" => Format::JsonFeed11,
        None if has_items && (top.contains_key("home_page_url") || top.contains_key("feed_url")) => Format::JsonFeed11,
        // Only JSON Feed has these members.
        None if has_bodies && top.contains_key("title") => Format::JsonFeed11,
        None => return None,
    };
    Some((Read { format, feed: feed(&top, &base), items }, base))
}

fn is_item(item: &Object) -> bool {
    ["content_html", "content_text", "url", "title"].iter().any(|key| item.contains_key(*key))
}

/// Returns a string, or a number as a string; trimmed, never empty.
fn string(object: &Object, key: &str) -> Option<String> {
    let text = match object.get(key)? {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

fn address(object: &Object, key: &str, base: &Base) -> Option<String> {
    base.absolute(&string(object, key)?)
}

fn number(object: &Object, key: &str) -> Option<f64> {
    match object.get(key)? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
    .filter(|n: &f64| n.is_finite() && *n >= 0.0)
}

/// Returns the members of a list, those of an object of numbered members, or a single value in place of a list.
fn list<'v>(object: &'v Object, key: &str) -> Vec<&'v Value> {
    match object.get(key) {
        Some(Value::Array(list)) => list.iter().collect(),
        Some(Value::Object(numbered)) if numbered.keys().any(|key| document::is_index(key)) => {
            numbered.values().collect()
        }
        Some(one) => vec![one],
        None => Vec::new(),
    }
}

/// Returns plain text, as specified. Some feeds publish HTML: text that contains references, and no unescaped
/// ampersand or `<`, was escaped.
fn unescaped(written: &str) -> Cow<'_, str> {
    let is_escaped = written.contains('&') && !written.contains('<') && !text::has_bare_ampersand(written);
    if is_escaped { Cow::Owned(text::decode(written)) } else { Cow::Borrowed(written) }
}

fn plain(object: &Object, key: &str) -> Option<String> {
    text::line(&unescaped(&string(object, key)?))
}

/// Returns a tag: a text, a number or an object with a name.
fn tag(value: &Value) -> Option<String> {
    match value {
        Value::String(tag) => Some(tag.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Object(tag) => string(tag, "name"),
        _ => None,
    }
}

fn persons(object: &Object, base: &Base) -> Vec<Person> {
    let mut found = Vec::new();
    let one = |value: &Value| match value {
        Value::String(name) => people::parse(name),
        Value::Object(author) => {
            let url = string(author, "url");
            let email = url.as_deref().and_then(|u| u.strip_prefix("mailto:")).map(str::to_owned);
            let name = string(author, "name").and_then(|name| people::name_of(&unescaped(&name)));
            let url = url.filter(|_| email.is_none()).and_then(|u| base.absolute(&u));
            let image_url = address(author, "avatar", base);
            let person = Person { name, email, url, role: None, image_url };
            Some(person).filter(|person| *person != Person::default()).into_iter().collect()
        }
        _ => Vec::new(),
    };
    list(object, "authors").into_iter().for_each(|author| people::add(&mut found, one(author)));
    if found.is_empty() {
        list(object, "author").into_iter().for_each(|author| people::add(&mut found, one(author)));
    }
    found
}

fn feed(top: &Object, base: &Base) -> Feed {
    let mut feed = Feed {
        title: plain(top, "title"),
        description: plain(top, "description"),
        home_url: address(top, "home_page_url", base),
        feed_url: address(top, "feed_url", base),
        language: string(top, "language").as_deref().and_then(rss::language),
        authors: persons(top, base),
        icon_url: address(top, "favicon", base),
        image: address(top, "icon", base).map(|url| Image { url, ..Image::default() }),
        next_url: address(top, "next_url", base),
        generator: string(top, "generator").map(|name| Generator { name: Some(name), ..Generator::default() }),
        rights: plain(top, "copyright").or_else(|| plain(top, "rights")),
        ..Feed::default()
    };
    for hub in list(top, "hubs").into_iter().filter_map(Value::as_object) {
        // The other type in use, rssCloud, has a different protocol.
        let is_cloud = string(hub, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("rsscloud"));
        let Some(hub) = address(hub, "url", base).filter(|_| !is_cloud) else { continue };
        if !feed.hubs.contains(&hub) && feed.hubs.len() < MAX_COLLECTED {
            feed.hubs.push(hub);
        }
    }
    feed
}

fn item(object: &Object, base: &Base) -> Item {
    let mut draft = Draft { guid: string(object, "id"), link: address(object, "url", base), ..Draft::default() };
    draft.title = plain(object, "title");
    if let Some(html) = string(object, "content_html") {
        let html = text::without_second_escaping(text::join_surrogates(&html).into_owned());
        keep_first(&mut draft.bodies.full, html, None);
    }
    if let Some(plain) = string(object, "content_text") {
        keep_first(&mut draft.bodies.full, text::to_html(&plain), None);
    }
    if let Some(summary) = string(object, "summary") {
        // Some generators write the HTML of the beginning.
        let is_html = text::looks_like_markup(&summary);
        let html = if is_html { summary } else { text::to_html(&unescaped(&summary)) };
        keep_first(&mut draft.bodies.summary, html, None);
    }
    draft.creators = persons(object, base);
    let date = |name| string(object, name).unwrap_or_default();
    draft.moments.read(|moments| &mut moments.published, &date("date_published"), base);
    draft.moments.read(|moments| &mut moments.updated, &date("date_modified"), base);
    let item = &mut draft.item;
    item.external_url = address(object, "external_url", base);
    item.thumbnail_url = address(object, "image", base).or_else(|| address(object, "banner_image", base));
    item.language = string(object, "language").as_deref().and_then(rss::language);
    let name = if object.contains_key("tags") { "tags" } else { "categories" };
    let tags = list(object, name).into_iter().filter_map(tag);
    // A single string instead of a list is separated by commas.
    let separator = if object.get(name).is_some_and(Value::is_string) { ',' } else { '\0' };
    for tags in tags {
        for tag in tags.split(separator) {
            // Tags are plain text, but categories are read as HTML.
            categories::add(&mut item.categories, &text::to_html(&unescaped(tag)), None, None);
        }
    }
    for attachment in list(object, "attachments").into_iter().filter_map(Value::as_object) {
        let Some(url) = address(attachment, "url", base) else { continue };
        let enclosure = Enclosure {
            url,
            mime_type: string(attachment, "mime_type"),
            length: number(attachment, "size_in_bytes").map(|n| n as u64),
            title: plain(attachment, "title"),
            duration_seconds: string(attachment, "duration_in_seconds").as_deref().and_then(modules::duration),
        };
        links::push_enclosure(&mut item.enclosures, enclosure);
    }
    let external = item.external_url.clone();
    let mut item = draft.finish(base);
    // An item without its own page opens the page that it is about. Ideally, the id is an address (section "Items").
    item.url = item.url.or(external).or_else(|| Some(item.id.clone()).filter(|id| address::is_web(id)));
    if let (None, Some(Body { html, .. })) = (&item.title, &item.content) {
        item.title = text::line_of_html(html);
    }
    item
}

//! What is new, what has changed, what is the same: old state + what came + now → intents. Pure.

use chrono::{DateTime, Utc};
use gleaner_feed::{Item, Parsed};
use gleaner_library::{Body, Enclosure, FeedFacts, Intent, KnownItem, Millis, NewItem, Texts};
use std::collections::{HashMap, HashSet};

/// So much of an article's start stands in its row of the list.
const EXCERPT_CHARACTERS: usize = 240;

/// The items of a document with the identity of each: its id; where one document uses an id for several items that
/// are not the same, the id and what tells them apart. The same item twice counts once, and no item is lost.
pub fn identities(parsed: &Parsed) -> Vec<(String, &Item)> {
    let mut seen: HashMap<&str, &Item> = HashMap::with_capacity(parsed.items.len());
    let mut keys: HashSet<String> = HashSet::new();
    let mut identified = Vec::with_capacity(parsed.items.len());
    for item in &parsed.items {
        let key = match seen.get(item.id.as_str()) {
            None => {
                seen.insert(&item.id, item);
                item.id.clone()
            }
            Some(first) if first.url == item.url && first.title == item.title => continue,
            Some(_) => {
                format!("{}\n{}\n{}", item.id, item.url.as_deref().unwrap_or(""), item.title.as_deref().unwrap_or(""))
            }
        };
        if keys.insert(key.clone()) {
            identified.push((key, item));
        }
    }
    identified
}

/// What is to be done with the items of a document, given those of them that are there.
pub fn intents(identified: Vec<(String, &Item)>, known: &HashMap<String, KnownItem>, now: Millis) -> Vec<Intent> {
    let mut intents = Vec::new();
    // Feeds list the newest first: the last one gets the lowest number, so that numbers rise with age's opposite.
    for (key, item) in identified.into_iter().rev() {
        let digest = digest(item);
        match known.get(&key) {
            Some(known) if known.digest == digest => {}
            Some(known) => intents.push(Intent::Update(known.id, Box::new(new_item(key, item, digest, now)))),
            None => intents.push(Intent::Insert(Box::new(new_item(key, item, digest, now)))),
        }
    }
    intents
}

/// What the feed says of itself.
pub fn facts(parsed: &Parsed) -> FeedFacts {
    FeedFacts {
        title: parsed.feed.title.clone(),
        description: parsed.feed.description.clone(),
        home_url: parsed.feed.home_url.clone(),
        language: parsed.feed.language.clone(),
    }
}

fn millis(moment: Option<DateTime<Utc>>) -> Option<Millis> {
    moment.map(|moment| moment.timestamp_millis())
}

/// Of all that a reader would see change: the same digest, the same item.
fn digest(item: &Item) -> Vec<u8> {
    let mut hasher = blake3::Hasher::new();
    let mut part = |text: Option<&str>| {
        // Lengths keep neighbouring fields from running into each other; absent is not empty.
        let length = text.map_or(u64::MAX, |text| text.len() as u64);
        hasher.update(&length.to_le_bytes());
        hasher.update(text.unwrap_or("").as_bytes());
    };
    part(item.title.as_deref());
    part(item.url.as_deref());
    part(item.content.as_ref().map(|body| body.html.as_str()));
    part(item.summary.as_ref().map(|body| body.html.as_str()));
    part(author(item).as_deref());
    for moment in [item.published, item.updated] {
        part(moment.map(|moment| moment.timestamp_millis().to_string()).as_deref());
    }
    for enclosure in &item.enclosures {
        part(Some(&enclosure.url));
    }
    hasher.finalize().as_bytes()[..16].to_vec()
}

fn author(item: &Item) -> Option<String> {
    let names: Vec<&str> =
        item.authors.iter().filter_map(|person| person.name.as_deref().or(person.email.as_deref())).collect();
    if names.is_empty() { None } else { Some(names.join(", ")) }
}

fn new_item(key: String, item: &Item, digest: Vec<u8>, now: Millis) -> NewItem {
    let body = |body: &gleaner_feed::Body| Body { html: body.html.clone(), base: body.base.clone() };
    let (content, summary) = (item.content.as_ref().map(body), item.summary.as_ref().map(body));
    let text = content.as_ref().map(|body| gleaner_content::plain_text(&body.html)).unwrap_or_default();
    let teaser = match &summary {
        Some(body) => gleaner_content::plain_text(&body.html),
        None => String::new(),
    };
    let teaser = if teaser.trim().is_empty() { &text } else { &teaser };
    let (published, updated) = (millis(item.published), millis(item.updated));
    NewItem {
        key,
        url: item.url.clone(),
        canonical_url: item.url.as_deref().and_then(gleaner_content::canonical_url),
        title: item.title.clone().unwrap_or_default(),
        author: author(item),
        language: item.language.clone(),
        published_at: published,
        updated_at: updated,
        date_uncertain: item.date_uncertain,
        received_at: now,
        // What lies in the future would stand above everything for ever.
        sort_at: published.or(updated).filter(|moment| *moment <= now).unwrap_or(now),
        excerpt: gleaner_content::excerpt(teaser, EXCERPT_CHARACTERS),
        word_count: i64::from(gleaner_content::word_count(&text)),
        thumbnail_url: thumbnail(item, content.as_ref()),
        media: item.enclosures.first().and_then(|enclosure| kind(enclosure.mime_type.as_deref())),
        comments_url: item.comments_url.clone(),
        digest,
        categories: item
            .categories
            .iter()
            .map(|category| category.label.clone().unwrap_or_else(|| category.term.clone()))
            .collect(),
        enclosures: item
            .enclosures
            .iter()
            .map(|enclosure| Enclosure {
                url: enclosure.url.clone(),
                mime_type: enclosure.mime_type.clone(),
                length: enclosure.length.and_then(|length| i64::try_from(length).ok()),
                title: enclosure.title.clone(),
                duration_seconds: enclosure.duration_seconds,
            })
            .collect(),
        texts: Texts::pack(content.as_ref(), summary.as_ref()),
    }
}

fn kind(mime_type: Option<&str>) -> Option<String> {
    let kind = mime_type?.split('/').next()?.trim().to_ascii_lowercase();
    ["audio", "video"].contains(&kind.as_str()).then_some(kind)
}

fn thumbnail(item: &Item, content: Option<&Body>) -> Option<String> {
    let is_web = |url: &String| url.starts_with("https://") || url.starts_with("http://");
    let image = |kind: Option<&str>| kind.is_some_and(|kind| kind.starts_with("image"));
    item.thumbnail_url
        .clone()
        .or_else(|| {
            item.media
                .iter()
                .find(|media| image(media.medium.as_deref()) || image(media.mime_type.as_deref()))
                .map(|m| m.url.clone())
        })
        .or_else(|| {
            item.enclosures.iter().find(|enclosure| image(enclosure.mime_type.as_deref())).map(|e| e.url.clone())
        })
        .or_else(|| {
            let body = content?;
            let url = gleaner_content::first_image(&body.html)?;
            match &body.base {
                Some(base) => url::Url::parse(base).ok()?.join(&url).ok().map(String::from),
                None => Some(url),
            }
        })
        .filter(is_web)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_feed::{Encoding, EncodingSource, Feed, Format};

    fn item(id: &str, url: &str, title: &str) -> Item {
        Item { id: id.to_owned(), url: Some(url.to_owned()), title: Some(title.to_owned()), ..Item::default() }
    }

    fn parsed(items: Vec<Item>) -> Parsed {
        let encoding = Encoding { name: "UTF-8", from: EncodingSource::Default };
        Parsed { format: Format::Rss20, encoding, well_formed: true, repairs: Vec::new(), feed: Feed::default(), items }
    }

    fn keep(intents: &[Intent]) -> HashMap<String, KnownItem> {
        let known = |(id, intent): (i64, &Intent)| match intent {
            Intent::Insert(item) | Intent::Update(_, item) => {
                (item.key.clone(), KnownItem { id, key: item.key.clone(), digest: item.digest.clone() })
            }
        };
        (1..).zip(intents).map(known).collect()
    }

    #[test]
    fn the_same_document_again_changes_nothing() {
        let document = parsed(vec![item("a", "https://example.com/a", "A"), item("b", "https://example.com/b", "B")]);
        let first = intents(identities(&document), &HashMap::new(), 1);
        assert_eq!(first.len(), 2);
        assert!(intents(identities(&document), &keep(&first), 2).is_empty());
    }

    #[test]
    fn a_changed_item_is_updated_not_added() {
        let first = intents(identities(&parsed(vec![item("a", "https://example.com/a", "A")])), &HashMap::new(), 1);
        let changed = parsed(vec![item("a", "https://example.com/a", "A, corrected")]);
        let second = intents(identities(&changed), &keep(&first), 2);
        assert!(matches!(second.as_slice(), [Intent::Update(1, item)] if item.title == "A, corrected"));
    }

    #[test]
    fn one_id_for_different_items_loses_none() {
        let document =
            parsed(vec![item("x", "https://example.com/1", "One"), item("x", "https://example.com/2", "Two")]);
        assert_eq!(identities(&document).len(), 2);
    }

    #[test]
    fn the_same_item_twice_counts_once() {
        let document =
            parsed(vec![item("x", "https://example.com/1", "One"), item("x", "https://example.com/1", "One")]);
        assert_eq!(identities(&document).len(), 1);
    }

    #[test]
    fn what_lies_in_the_future_sorts_by_when_it_came() {
        let mut future = item("a", "https://example.com/a", "A");
        future.published = DateTime::from_timestamp_millis(5_000);
        let document = parsed(vec![future]);
        let intents = intents(identities(&document), &HashMap::new(), 1_000);
        assert!(
            matches!(intents.as_slice(), [Intent::Insert(item)] if item.sort_at == 1_000 && item.published_at == Some(5_000))
        );
    }
}

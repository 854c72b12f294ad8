//! The stored form of a feed's item: titles, dates, excerpt, word count, thumbnail, metadata and compressed texts. Pure.

use crate::{
    enclosures,
    limits::{self, line, url},
    metadata,
    rules::FeedRules,
};
use gleaner_address::{has_web_scheme, may_request};
use gleaner_feed::Item;
use gleaner_identity::Identified;
use gleaner_library::{Body, Enclosure, Millis, NewItem, Texts};
use gleaner_query::Media;
use std::collections::HashSet;
use url::Url;

/// Maximum length of an excerpt, in characters.
const MAX_EXCERPT: usize = 240;
/// A date that is later than this computer's clock by no more than this is a difference of clocks.
const CLOCK_SKEW: Millis = 10 * 60_000;
/// The same for a date without a time zone: zones reach from UTC-12 to UTC+14.
const ZONE_SKEW: Millis = 14 * 3_600_000;
/// A date later than this is a mistake or a joke.
const FORESEEABLE: Millis = 366 * 24 * 3_600_000;
/// Minimum number of letters and digits in a title that duplicates are found by.
const MIN_DISTINCTIVE: usize = 20;

/// Returns an item as it is stored under `key`. `feed` is the feed's address; `rules` are given for new items only.
pub fn new_item(
    key: String,
    identified: Identified<'_>,
    now: Millis,
    feed: Option<&Url>,
    rules: Option<&FeedRules>,
) -> NewItem {
    let Identified { item, canonical_url, digest, .. } = identified;
    let body =
        |body: &gleaner_feed::Body| Body { html: body.html.clone(), base: body.base.as_deref().map(str::to_owned) };
    let (content, summary) = (item.content.as_ref().map(body), item.summary.as_ref().map(body));
    let text = content.as_ref().map(|body| gleaner_content::plain_text(&body.html)).unwrap_or_default();
    let short = match &summary {
        Some(body) => gleaner_content::plain_text(&body.html),
        None => String::new(),
    };
    let teaser = if short.trim().is_empty() { &text } else { &short };
    // The zero of a clock would put the article below all others.
    let millis = |moment: Option<chrono::DateTime<chrono::Utc>>| {
        moment.filter(|moment| !gleaner_feed::dates::is_zero(*moment)).map(|moment| moment.timestamp_millis())
    };
    let (published, updated) = (millis(item.published), millis(item.updated));
    let enclosures = enclosures::of_item(item);
    let mut new = NewItem {
        key,
        url: url(item.url.as_deref()),
        canonical_url: url(canonical_url.as_deref()),
        title: item.title.as_deref().map(|title| line(title, limits::TITLE)).unwrap_or_default(),
        title_key: item.title.as_deref().filter(|_| !item.title_from_content).and_then(title_key),
        author: gleaner_identity::author(item).map(|author| line(&author, limits::AUTHOR)),
        language: item.language.as_deref().map(|language| line(language, limits::LANGUAGE)),
        published_at: published,
        updated_at: updated,
        date_uncertain: item.date_uncertain,
        received_at: now,
        // A future date would keep the article at the top of every list.
        sort_at: published.or(updated).filter(|moment| *moment <= now).unwrap_or(now),
        excerpt: gleaner_content::excerpt(teaser, MAX_EXCERPT),
        word_count: i64::from(gleaner_content::word_count(&text)),
        thumbnail_url: thumbnail(item, &enclosures, content.as_ref(), feed),
        media: enclosures.iter().find_map(|file| kind(file.mime_type.as_deref())),
        comments_url: url(item.comments_url.as_deref()),
        digest,
        categories: categories(item),
        enclosures,
        metadata: metadata::of_item(item),
        due_at: due_at(published.or(updated), item.date_uncertain, now),
        read: rules.is_some_and(FeedRules::are_of_old),
        ruled: Vec::new(),
        texts: Texts::pack(content.as_ref(), summary.as_ref()),
    };
    if let Some(rules) = rules.filter(|rules| !rules.is_empty()) {
        new.ruled = rules.decide(&new, &gleaner_content::with_summary(text, &short));
    }
    new
}

/// Returns the names of the categories, without duplicates.
fn categories(item: &Item) -> Vec<String> {
    let mut seen = HashSet::new();
    let names = item.categories.iter().map(|category| line(&category.name(), limits::CATEGORY));
    names.filter(|name| seen.insert(name.to_lowercase())).collect()
}

/// Returns the date until which an item is scheduled, if it may be.
fn due_at(date: Option<Millis>, uncertain: bool, now: Millis) -> Option<Millis> {
    let least = if uncertain { ZONE_SKEW } else { CLOCK_SKEW };
    date.filter(|date| (now.saturating_add(least)..=now.saturating_add(FORESEEABLE)).contains(date))
}

/// Returns a key that is equal for titles with the same letters and digits, whatever their case, punctuation and white space.
fn title_key(title: &str) -> Option<i64> {
    let letters: String = title.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    // A Chinese or Japanese character counts as two letters.
    let distinctive = letters.chars().map(|c| if c > '\u{2e80}' { 2 } else { 1 }).sum::<usize>() >= MIN_DISTINCTIVE;
    let hash = blake3::hash(letters.as_bytes());
    let bytes = hash.as_bytes().first_chunk::<8>()?;
    distinctive.then(|| i64::from_le_bytes(*bytes))
}

fn kind(mime_type: Option<&str>) -> Option<String> {
    let kind = match Media::of_file(mime_type?)? {
        Media::Audio => "audio",
        Media::Video => "video",
        Media::Image | Media::Enclosure => return None,
    };
    Some(kind.to_owned())
}

fn thumbnail(item: &Item, files: &[Enclosure], content: Option<&Body>, feed: Option<&Url>) -> Option<String> {
    let image = |kind: Option<&str>| kind.is_some_and(|kind| kind.starts_with("image"));
    // As in articles, private addresses other than the feed's own host are removed.
    let may_load = |url: &String| Url::parse(url).is_ok_and(|url| may_request(&url, feed));
    let media = item.media.iter().filter(|media| image(media.medium.as_deref()) || image(media.mime_type.as_deref()));
    let files = files.iter().filter(|file| image(file.mime_type.as_deref()));
    let mut images = media.map(|media| &media.url).chain(files.map(|file| &file.url));
    item.thumbnail_url
        .clone()
        .or_else(|| images.find(|url| !gleaner_feed::is_avatar(url)).cloned())
        .or_else(|| gleaner_content::first_image(&content?.html, content?.base.as_deref()))
        .filter(|url| url.len() <= limits::URL && has_web_scheme(url) && may_load(url))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_back_only_credible_future_dates() {
        let (minute, day) = (60_000, 24 * 3_600_000);
        for (until, uncertain, is_scheduled) in [
            (-day, false, false),
            (0, false, false),
            (9 * minute, false, false),
            (11 * minute, false, true),
            (11 * minute, true, false),
            (13 * 60 * minute, true, false),
            (15 * 60 * minute, true, true),
            (365 * day, false, true),
            (367 * day, false, false),
            (1000 * 365 * day, false, false),
        ] {
            assert_eq!(due_at(Some(day + until), uncertain, day).is_some(), is_scheduled, "{until} {uncertain}");
        }
        assert_eq!(due_at(None, false, 0), None);
    }

    #[test]
    fn one_hostile_line_is_stored_short() {
        let long = "a".repeat(1 << 20);
        let address = format!("https://a.example/{long}");
        let author = gleaner_feed::Person { name: Some(long.clone()), ..gleaner_feed::Person::default() };
        let enclosure = gleaner_feed::Enclosure { url: address.clone(), ..gleaner_feed::Enclosure::default() };
        let file = gleaner_feed::Enclosure {
            url: "https://a.example/1.mp3".to_owned(),
            mime_type: Some(long.clone()),
            title: Some(long.clone()),
            ..gleaner_feed::Enclosure::default()
        };
        let item = Item {
            title: Some(long.clone()),
            url: Some(address.clone()),
            comments_url: Some(address.clone()),
            thumbnail_url: Some(address),
            language: Some(long.clone()),
            authors: [author].into(),
            categories: vec![gleaner_feed::Category { term: long.clone(), ..gleaner_feed::Category::default() }],
            enclosures: vec![enclosure, file],
            ..Item::default()
        };
        let identified = gleaner_identity::identify([&item].into_iter()).remove(0);
        let stored = new_item("1".to_owned(), identified, 0, None, None);
        assert!(stored.categories.iter().all(|category| category.len() < 2000));
        let lines = [Some(stored.title), stored.url, stored.canonical_url, stored.author, stored.language]
            .into_iter()
            .chain([stored.comments_url, stored.thumbnail_url]);
        assert!(lines.flatten().all(|line| line.len() < 70_000));
        let [file] = &stored.enclosures[..] else { unreachable!() };
        assert_eq!(file.url, "https://a.example/1.mp3");
        assert!(file.title.as_ref().is_some_and(|title| title.len() < 3000));
        assert!(file.mime_type.as_ref().is_some_and(|mime_type| mime_type.len() < 400));
    }

    #[test]
    fn the_first_recording_says_what_an_article_is() {
        for (mime_type, expected) in [
            ("Audio/mpeg", Some("audio")),
            ("video/mp4", Some("video")),
            ("application/vnd.apple.mpegurl", Some("video")),
            ("application/x-mpegURL", Some("video")),
            ("audio/x-mpegurl", Some("audio")),
            ("image/png", None),
            ("application/pdf", None),
        ] {
            assert_eq!(kind(Some(mime_type)).as_deref(), expected, "{mime_type}");
        }
        assert_eq!(kind(None), None);
    }

    #[test]
    fn takes_no_thumbnail_from_a_private_address_but_the_feeds_own() {
        let item = Item { thumbnail_url: Some("http://192.168.1.1/reboot.png".to_owned()), ..Item::default() };
        let thumbnail = |feed: &str| thumbnail(&item, &[], None, Url::parse(feed).ok().as_ref());
        assert_eq!(thumbnail("https://a.example/feed"), None);
        assert_eq!(thumbnail("http://192.168.1.1/feed"), item.thumbnail_url);
    }

    #[test]
    fn the_thumbnail_is_an_attached_image_but_not_the_authors_avatar() {
        let avatar = "https://1.gravatar.com/avatar/a?s=96";
        let media = |url: &str| gleaner_feed::Media {
            url: url.to_owned(),
            medium: Some("image".to_owned()),
            ..gleaner_feed::Media::default()
        };
        let attached =
            |url: &str| gleaner_feed::Enclosure { url: url.to_owned(), ..gleaner_feed::Enclosure::default() };
        let html = "<p>Plums <img src='https://a.example/plums.jpg'>".to_owned();
        let content = Body { html, base: None };
        for (enclosure, expected) in [
            ("https://a.example/1.jpg?w=9", "https://a.example/1.jpg?w=9"),
            ("https://a.example/1.mp3", "https://a.example/plums.jpg"),
            (avatar, "https://a.example/plums.jpg"),
        ] {
            let item = Item { media: vec![media(avatar)], enclosures: vec![attached(enclosure)], ..Item::default() };
            let found = thumbnail(&item, &enclosures::of_item(&item), Some(&content), None);
            assert_eq!(found.as_deref(), Some(expected), "{enclosure}");
        }
    }
}

//! What is new, what has changed, what is the same: old state + what came + now → intents. Pure.
// long: half of it are its cases.

use crate::{beside, rules::FeedRules};
use chrono::{DateTime, Utc};
use gleaner_feed::{Feed, Item, Parsed};
use gleaner_library::{Body, Enclosure, FeedFacts, Intent, KnownItem, Millis, NOTICED, NewItem, Texts};
use std::collections::{HashMap, HashSet};

/// So much of an article's start stands in its row of the list.
const EXCERPT_CHARACTERS: usize = 240;

/// The items of a document with the identity of each: its id; where one document uses an id for several items that
/// are not the same, the id and what tells them apart. The same item twice counts once, and no item is lost.
pub fn identities(parsed: &Parsed) -> Vec<(String, &Item)> {
    identities_of(parsed.items.iter())
}

/// The same, of items that come from elsewhere.
pub fn identities_of<'a>(items: impl ExactSizeIterator<Item = &'a Item>) -> Vec<(String, &'a Item)> {
    let mut seen: HashMap<&str, &Item> = HashMap::with_capacity(items.len());
    let mut keys: HashSet<String> = HashSet::new();
    let mut identified = Vec::with_capacity(items.len());
    for item in items {
        let key = match seen.get(item.id.as_str()) {
            None => {
                seen.insert(&item.id, item);
                item.id.clone()
            }
            Some(first) if first.url == item.url && first.title == item.title => continue,
            Some(_) => apart(&item.id, item),
        };
        if keys.insert(key.clone()) {
            identified.push((key, item));
        }
    }
    identified
}

/// So far apart, two publications under one id are not two versions of one article.
const ANOTHER: Millis = 36 * 3_600_000;

/// The items of a feed that are there already, to be found by what they may still have in common with one that came.
#[derive(Debug, Default)]
pub struct Known {
    items: Vec<KnownItem>,
    by_key: HashMap<String, usize>,
    by_url: HashMap<String, Vec<usize>>,
    by_date: HashMap<Millis, Vec<usize>>,
    by_digest: HashMap<Vec<u8>, usize>,
}

impl Known {
    /// Of what the library has.
    pub fn new(items: Vec<KnownItem>) -> Self {
        let mut known = Self::default();
        let mut items = items;
        for (at, item) in items.iter_mut().enumerate() {
            if item.gone.is_some() {
                // They have no numbers, and are told apart all the same.
                item.id = -1 - i64::try_from(at).unwrap_or(0);
            }
            // What is there goes before what was let go of.
            if item.gone.is_none() || !known.by_key.contains_key(&item.key) {
                known.by_key.insert(item.key.clone(), at);
            }
            if let Some(url) = &item.canonical_url {
                known.by_url.entry(without_scheme(url).to_owned()).or_default().push(at);
            }
            if let Some(date) = item.published_at {
                known.by_date.entry(date).or_default().push(at);
            }
            if item.gone.is_none() || !known.by_digest.contains_key(&item.digest) {
                known.by_digest.insert(item.digest.clone(), at);
            }
        }
        Self { items, ..known }
    }

    /// An item whose id is new, under the id that it had before: the same address and date; or the same title and date at
    /// another address, as when a site moves; or the very same in everything but its id. What the document still has under the
    /// old id is another item.
    fn renamed(&self, item: &Item, digest: &[u8], still_there: &HashSet<&str>) -> Option<&KnownItem> {
        let (title, date) = (item.title.as_deref().unwrap_or_default(), millis(item.published));
        let by_url = item.url.as_deref().and_then(gleaner_content::canonical_url);
        let same_url = by_url.iter().filter_map(|url| self.by_url.get(without_scheme(url))).flatten().filter(|at| {
            let known = &self.items[**at];
            // What another reader kept may have lost the date's fraction, or the date.
            match known.published_at.zip(date) {
                Some((one, other)) => (one - other).abs() < 1000,
                None => known.title == title,
            }
        });
        let same_date = date
            .iter()
            .filter_map(|date| self.by_date.get(date))
            .flatten()
            .filter(|at| !title.is_empty() && self.items[**at].title == title);
        same_url
            .chain(same_date)
            .chain(self.by_digest.get(digest))
            .map(|at| &self.items[*at])
            .find(|known| !still_there.contains(known.key.as_str()))
    }
}

/// http and https are one: sites that change over do not publish everything again.
fn without_scheme(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest)
}

/// The canonical URLs of items, each as http and as https: what [`Known`] is to be looked up by, besides the keys.
pub fn addresses(identified: &[(String, &Item)]) -> Vec<String> {
    let canonical = |item: &Item| item.url.as_deref().and_then(gleaner_content::canonical_url);
    let both = |url: String| [format!("http://{}", without_scheme(&url)), format!("https://{}", without_scheme(&url))];
    identified.iter().filter_map(|(_, item)| canonical(item)).flat_map(both).collect()
}

/// An item of a document, and what of the library it is.
#[derive(Debug)]
pub struct Recognised<'a> {
    /// Its identity from now on.
    pub key: String,
    /// What came.
    pub item: &'a Item,
    /// Of all that a reader would see change.
    pub digest: Vec<u8>,
    /// What is there of it; `None` where it is new.
    pub before: Option<&'a KnownItem>,
}

/// Which items of a document are there already: by id, then by address and date, then by digest. The last item comes first.
pub fn recognise<'a>(identified: Vec<(String, &'a Item)>, known: &'a Known) -> Vec<Recognised<'a>> {
    let ids: Vec<String> = identified.iter().map(|(key, _)| key.clone()).collect();
    let still_there: HashSet<&str> = ids.iter().map(String::as_str).collect();
    let mut taken: HashSet<i64> = HashSet::new();
    let mut recognised = Vec::with_capacity(identified.len());
    // Feeds list the newest first: the last one gets the lowest number, so that numbers rise with age's opposite.
    for (key, item) in identified.into_iter().rev() {
        let digest = digest(item);
        let before = known.by_key.get(&key).map(|at| &known.items[*at]);
        let (key, before) = match before {
            // The feed uses an id a second time: what it named before stays as it is.
            Some(before) if is_another(before, item) => {
                let key = apart(&key, item);
                let before = known.by_key.get(&key).map(|at| &known.items[*at]);
                (key, before)
            }
            Some(before) => (key, Some(before)),
            None => {
                let renamed = known.renamed(item, &digest, &still_there).filter(|known| !taken.contains(&known.id));
                (key, renamed)
            }
        };
        taken.extend(before.map(|before| before.id));
        recognised.push(Recognised { key, item, digest, before });
    }
    recognised
}

/// What is to be done with the items of a document, given those of them that are there. The feed's rules have their say on those
/// that are new.
pub fn intents(identified: Vec<(String, &Item)>, known: &Known, now: Millis, rules: &FeedRules) -> Vec<Intent> {
    let done = recognise(identified, known).into_iter().filter_map(|Recognised { key, item, digest, before }| {
        Some(match before {
            None => Intent::Insert(Box::new(new_item(key, item, digest, now, Some(rules)))),
            // It was let go of, and does not come back, whatever it says now.
            Some(KnownItem { gone: Some(noticed), key, .. }) => {
                if now - noticed <= NOTICED {
                    return None;
                }
                Intent::StillGone(key.clone())
            }
            Some(before) if before.digest != digest => {
                Intent::Update(before.id, Box::new(new_item(key, item, digest, now, None)))
            }
            Some(before) if before.key != key => Intent::Rename(before.id, key),
            Some(_) => return None,
        })
    });
    done.collect()
}

/// Whether an item with a known id is another one all the same: other address, other title, published long after or before.
fn is_another(before: &KnownItem, item: &Item) -> bool {
    let url = item.url.as_deref().and_then(gleaner_content::canonical_url);
    let far = before.published_at.zip(millis(item.published)).is_some_and(|(a, b)| (a - b).abs() > ANOTHER);
    far && url.is_some()
        && before.canonical_url.is_some()
        && before.canonical_url != url
        && before.title != item.title.as_deref().unwrap_or_default()
}

/// What tells items of one id apart.
fn apart(id: &str, item: &Item) -> String {
    format!("{id}\n{}\n{}", item.url.as_deref().unwrap_or(""), item.title.as_deref().unwrap_or(""))
}

/// What the feed says of itself.
pub fn facts(parsed: &Parsed) -> FeedFacts {
    FeedFacts {
        title: parsed.feed.title.clone(),
        description: parsed.feed.description.clone(),
        home_url: parsed.feed.home_url.clone(),
        language: parsed.feed.language.clone(),
        icon_url: icon(&parsed.feed),
        head: beside::head(parsed),
    }
}

/// What is meant as an icon goes before the picture of the channel.
fn icon(feed: &Feed) -> Option<String> {
    feed.icon_url.clone().or_else(|| feed.image.as_ref().map(|image| image.url.clone()))
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

/// So far ahead the clocks of others may be.
const CLOCKS: Millis = 10 * 60_000;
/// So far ahead a time without its zone may seem to be: zones reach from UTC-12 to UTC+14.
const ZONES: Millis = 14 * 3_600_000;
/// A date further ahead is a mistake, or a joke.
const FORESEEABLE: Millis = 366 * 24 * 3_600_000;

/// The date until which an item may be held back.
fn due_at(date: Option<Millis>, uncertain: bool, now: Millis) -> Option<Millis> {
    let least = if uncertain { ZONES } else { CLOCKS };
    date.filter(|date| (now.saturating_add(least)..=now.saturating_add(FORESEEABLE)).contains(date))
}

/// An item as it is to be kept; rules have their say on one that is new.
pub fn new_item(key: String, item: &Item, digest: Vec<u8>, now: Millis, rules: Option<&FeedRules>) -> NewItem {
    let body = |body: &gleaner_feed::Body| Body { html: body.html.clone(), base: body.base.clone() };
    let (content, summary) = (item.content.as_ref().map(body), item.summary.as_ref().map(body));
    let text = content.as_ref().map(|body| gleaner_content::plain_text(&body.html)).unwrap_or_default();
    let short = match &summary {
        Some(body) => gleaner_content::plain_text(&body.html),
        None => String::new(),
    };
    let teaser = if short.trim().is_empty() { &text } else { &short };
    let (published, updated) = (millis(item.published), millis(item.updated));
    let mut new = NewItem {
        key,
        url: item.url.clone(),
        canonical_url: item.url.as_deref().and_then(gleaner_content::canonical_url),
        title: item.title.clone().unwrap_or_default(),
        title_key: item.title.as_deref().filter(|_| !item.title_from_content).and_then(title_key),
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
        beside: beside::of(item),
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

/// Below so many letters and digits a title says too little to tell a story by.
const TELLING: usize = 20;

/// Of a title's letters and digits: punctuation, white space and case are the editor's.
fn title_key(title: &str) -> Option<i64> {
    let letters: String = title.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    // A character of Chinese or Japanese says as much as two letters.
    let telling = letters.chars().map(|c| if c > '\u{2e80}' { 2 } else { 1 }).sum::<usize>() >= TELLING;
    let hash = blake3::hash(letters.as_bytes());
    let bytes = hash.as_bytes().first_chunk::<8>()?;
    telling.then(|| i64::from_le_bytes(*bytes))
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
        .or_else(|| gleaner_content::first_image(&content?.html, content?.base.as_deref()))
        .filter(is_web)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_feed::{Encoding, EncodingSource, Format};

    fn item(id: &str, url: &str, title: &str) -> Item {
        Item { id: id.to_owned(), url: Some(url.to_owned()), title: Some(title.to_owned()), ..Item::default() }
    }

    fn parsed(items: Vec<Item>) -> Parsed {
        let encoding = Encoding { name: "UTF-8", from: EncodingSource::Default };
        Parsed { format: Format::Rss20, encoding, well_formed: true, repairs: Vec::new(), feed: Feed::default(), items }
    }

    /// What the library has after these.
    fn keep(intents: &[Intent]) -> Known {
        let known = |(id, intent): (i64, &Intent)| match intent {
            Intent::Insert(item) | Intent::Update(_, item) => KnownItem {
                id,
                key: item.key.clone(),
                canonical_url: item.canonical_url.clone(),
                title: item.title.clone(),
                published_at: item.published_at,
                digest: item.digest.clone(),
                gone: None,
            },
            Intent::Rename(..) | Intent::StillGone(_) => unreachable!("nothing is renamed in an empty library"),
        };
        Known::new((1..).zip(intents).map(known).collect())
    }

    /// A document, and then another: what is to be done with the second.
    fn then(first: Vec<Item>, second: Vec<Item>) -> Vec<Intent> {
        let (first, second) = (parsed(first), parsed(second));
        let rules = FeedRules::default();
        let known = keep(&intents(identities(&first), &Known::default(), 1, &rules));
        intents(identities(&second), &known, 2, &rules)
    }

    fn on(day: i64, item: Item) -> Item {
        Item { published: DateTime::from_timestamp(1_700_000_000 + day * 86_400, 0), ..item }
    }

    #[test]
    fn the_same_document_again_changes_nothing() {
        let document = vec![item("a", "https://example.com/a", "A"), item("b", "https://example.com/b", "B")];
        assert!(then(document.clone(), document).is_empty());
    }

    #[test]
    fn a_changed_item_is_updated_not_added() {
        let second = then(
            vec![item("a", "https://example.com/a", "A")],
            vec![item("a", "https://example.com/a", "A, corrected")],
        );
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
    fn an_id_that_is_used_again_for_another_item_loses_none() {
        let first = vec![on(0, item("latest", "https://example.com/1", "Monday"))];
        let second = vec![on(7, item("latest", "https://example.com/8", "Next Monday"))];
        let done = then(first.clone(), second.clone());
        assert!(matches!(done.as_slice(), [Intent::Insert(item)] if item.title == "Next Monday"), "{done:?}");
        // A new slug, a new title or a new date alone is an update.
        for changed in [
            on(0, item("latest", "https://example.com/1-b", "Monday, corrected")),
            on(7, item("latest", "https://example.com/1", "Monday, corrected")),
            on(7, item("latest", "https://example.com/1-b", "Monday")),
        ] {
            assert!(matches!(then(first.clone(), vec![changed]).as_slice(), [Intent::Update(1, _)]));
        }
    }

    #[test]
    fn an_id_that_changes_while_the_item_stays_adds_nothing() {
        let first = vec![on(0, item("tag:example.com,1", "http://example.com/a?utm_source=rss", "A"))];
        for (id, url) in [
            ("https://example.com/a", "https://example.com/a"),
            ("4711", "https://example.com/a?utm_medium=feed"),
            ("https://new.example/a", "https://new.example/a"),
        ] {
            let done = then(first.clone(), vec![on(0, item(id, url, "A"))]);
            assert!(matches!(done.as_slice(), [Intent::Update(1, item)] if item.key == id), "{id}: {done:?}");
        }
        let same_url = then(first.clone(), vec![on(0, item("4711", "http://example.com/a?utm_source=rss", "A"))]);
        assert!(matches!(same_url.as_slice(), [Intent::Rename(1, key)] if key == "4711"), "{same_url:?}");
        // Without dates and addresses what it says tells.
        let bare = |id: &str| Item { id: id.to_owned(), title: Some("A".to_owned()), ..Item::default() };
        assert!(matches!(then(vec![bare("1")], vec![bare("2")]).as_slice(), [Intent::Rename(1, _)]));
    }

    #[test]
    fn what_another_reader_kept_is_known_by_its_address_though_its_date_was_cut_or_made_up() {
        let came = |millis| Item {
            published: DateTime::from_timestamp_millis(millis),
            ..item("https://example.com/a", "https://example.com/a", "A")
        };
        let feed = |published: Option<i64>| Item {
            published: published.and_then(DateTime::from_timestamp_millis),
            ..item("tag:1", "https://example.com/a", "A")
        };
        for published in [Some(5_000_250), Some(5_000_000), None] {
            let done = then(vec![came(5_000_000)], vec![feed(published)]);
            assert!(
                matches!(done.as_slice(), [Intent::Update(1, _) | Intent::Rename(1, _)]),
                "{published:?}: {done:?}"
            );
        }
        assert!(matches!(then(vec![came(5_000_000)], vec![feed(Some(9_000_000))]).as_slice(), [Intent::Insert(_)]));
    }

    #[test]
    fn what_was_let_go_of_does_not_come_back() {
        let first = parsed(vec![on(0, item("1", "http://example.com/a", "A"))]);
        let known = keep(&intents(identities(&first), &Known::default(), 1, &FeedRules::default()));
        let gone =
            |at| Known::new(known.items.iter().map(|item| KnownItem { gone: Some(at), ..item.clone() }).collect());
        for (id, url, title) in [
            ("1", "http://example.com/a", "A"),
            ("1", "http://example.com/a", "A, corrected"),
            ("2", "https://example.com/a?utm_source=rss", "A"),
            ("3", "https://new.example/a", "A"),
        ] {
            let second = parsed(vec![on(0, item(id, url, title)), on(1, item("new", "https://example.com/b", "B"))]);
            let done = intents(identities(&second), &gone(1), 2, &FeedRules::default());
            assert!(matches!(done.as_slice(), [Intent::Insert(item)] if item.key == "new"), "{id}: {done:?}");
            // That it is still there is written down from time to time.
            let done = intents(identities(&second), &gone(1), 2 + NOTICED, &FeedRules::default());
            assert!(
                matches!(done.as_slice(), [Intent::Insert(_), Intent::StillGone(key)] if key == "1"),
                "{id}: {done:?}"
            );
        }
        // The same id for what is another article is another article.
        let another = parsed(vec![on(9, item("1", "https://example.com/z", "Z"))]);
        assert!(matches!(
            intents(identities(&another), &gone(1), 2, &FeedRules::default()).as_slice(),
            [Intent::Insert(_)]
        ));
    }

    #[test]
    fn items_that_share_an_address_or_a_date_stay_several() {
        // All lead to one page; the ids tell them apart.
        let open = |day, id: &str| on(day, item(id, "https://example.com/thread", "Open thread"));
        assert!(matches!(then(vec![open(0, "1")], vec![open(7, "2")]).as_slice(), [Intent::Insert(_)]));
        let both =
            vec![on(0, item("1", "https://example.com/1", "Note")), on(0, item("2", "https://example.com/2", "Note"))];
        let done = then(vec![both[0].clone()], both);
        assert!(matches!(done.as_slice(), [Intent::Insert(item)] if item.key == "2"), "{done:?}");
    }

    #[test]
    fn two_of_the_same_title_and_date_are_not_renamed_into_one() {
        let first = vec![on(0, item("1", "https://a.example/1", "Note"))];
        let second =
            vec![on(0, item("8", "https://b.example/1", "Note")), on(0, item("9", "https://b.example/2", "Note"))];
        let done = then(first, second);
        assert_eq!(done.iter().filter(|intent| matches!(intent, Intent::Insert(_))).count(), 1, "{done:?}");
    }

    #[test]
    fn what_can_be_held_back_has_a_date_ahead_that_can_be_believed() {
        let (minute, day) = (60_000, 24 * 3_600_000);
        for (ahead, uncertain, held) in [
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
            assert_eq!(due_at(Some(day + ahead), uncertain, day).is_some(), held, "{ahead} {uncertain}");
        }
        assert_eq!(due_at(None, false, 0), None);
    }

    #[test]
    fn what_lies_in_the_future_sorts_by_when_it_came() {
        let mut future = item("a", "https://example.com/a", "A");
        future.published = DateTime::from_timestamp_millis(5_000);
        let document = parsed(vec![future]);
        let intents = intents(identities(&document), &Known::default(), 1_000, &FeedRules::default());
        assert!(
            matches!(intents.as_slice(), [Intent::Insert(item)] if item.sort_at == 1_000 && item.published_at == Some(5_000))
        );
    }
}

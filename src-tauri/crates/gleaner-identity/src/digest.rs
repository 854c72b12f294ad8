//! Digests of items and documents, by which changes are detected.

use gleaner_feed::Item;
use std::collections::HashSet;

/// Length of a stored digest, in bytes.
const LENGTH: usize = 16;
/// The ending of the digest of an item that was cut off at the end of its document.
const CUT_OFF: u8 = 0;
/// Length of the ending of other digests, in bytes: see [`additions`].
const ADDITIONS: usize = 2;

/// Returns the digest of a response body.
#[must_use]
pub fn short_digest(body: &[u8]) -> Vec<u8> {
    blake3::hash(body).as_bytes()[..LENGTH].to_vec()
}

/// Returns the digest of all data of an item that users see. [`is_changed`] compares it with another.
#[must_use]
pub fn digest(item: &Item) -> Vec<u8> {
    let mut hasher = blake3::Hasher::new();
    let mut part = |text: Option<&str>| {
        // The length separates adjacent fields, and distinguishes a missing field from an empty one.
        let length = text.map_or(u64::MAX, |text| text.len() as u64);
        hasher.update(&length.to_le_bytes());
        hasher.update(text.unwrap_or("").as_bytes());
    };
    part(item.title.as_deref());
    part(item.url.as_deref());
    part(item.content.as_ref().map(|body| body.html.as_str()));
    part(item.summary.as_ref().map(|body| body.html.as_str()));
    part(author(item).as_deref());
    // A date that is read differently only because of another version of the document is not a change of the item.
    for moment in [item.published, item.updated].map(|moment| moment.filter(|_| !item.date_order_guessed)) {
        part(moment.map(|moment| moment.timestamp_millis().to_string()).as_deref());
    }
    for enclosure in &item.enclosures {
        part(Some(&enclosure.url));
    }
    // Publishers add these to an episode that they already published. Some sign the addresses for each response. The digests of all other
    // items stay as they are.
    let without_query = |url: &str| url.split('?').next().unwrap_or_default().to_owned();
    if let Some(chapters) = &item.chapters {
        part(chapters.url.as_deref().map(without_query).as_deref());
        for chapter in &chapters.list {
            part(Some(&chapter.start_seconds.to_string()));
            [&chapter.title, &chapter.url, &chapter.image_url].into_iter().for_each(|text| part(text.as_deref()));
        }
    }
    for transcript in &item.transcripts {
        part(Some(&without_query(&transcript.url)));
    }
    let mut digest = hasher.finalize().as_bytes()[..LENGTH].to_vec();
    if item.is_cut_off {
        digest.push(CUT_OFF);
    } else {
        digest.extend(additions(item));
    }
    digest
}

/// Returns which links an item has, as bits, and how many categories.
fn additions(item: &Item) -> [u8; ADDITIONS] {
    let links = u8::from(item.thumbnail_url.is_some()) | u8::from(item.comments_url.is_some()) << 1;
    let categories: HashSet<String> = item.categories.iter().map(|category| category.name().to_lowercase()).collect();
    [links, u8::try_from(categories.len()).unwrap_or(u8::MAX)]
}

/// Returns the part of an item's digest that identifies it: without what publishers may add to it.
#[must_use]
pub fn identifying(digest: &[u8]) -> &[u8] {
    if digest.len() == LENGTH + ADDITIONS { &digest[..LENGTH] } else { digest }
}

/// Whether an item with the digest `now` differs from the stored one with the digest `before`: in any data other than its categories,
/// thumbnail and link to comments; or because it has gained one of these kinds and lost none. Other changes of these do not count, since
/// servers list them differently in each response. So they change an item only a limited number of times.
///
/// Digests that Gleaner 0.2.0 and older versions stored do not say which of these the item has.
#[must_use]
pub fn is_changed(before: &[u8], now: &[u8]) -> bool {
    if identifying(before) != identifying(now) {
        return true;
    }
    match (before.get(LENGTH..), now.get(LENGTH..)) {
        (Some(&[links_before, categories_before]), Some(&[links, categories])) => {
            let has_all = links_before & !links == 0 && categories_before <= categories;
            has_all && (links_before, categories_before) != (links, categories)
        }
        _ => false,
    }
}

/// Whether this is the digest of an item that was cut off by the end of its document, so that the article has more than the library does.
#[must_use]
pub fn is_cut_off(digest: &[u8]) -> bool {
    digest.len() == LENGTH + 1 && digest.ends_with(&[CUT_OFF])
}

/// Returns the names of the authors in one line, or the addresses of those without a name.
#[must_use]
pub fn author(item: &Item) -> Option<String> {
    let names: Vec<&str> =
        item.authors.iter().filter_map(|person| person.name.as_deref().or(person.email.as_deref())).collect();
    if names.is_empty() { None } else { Some(names.join(", ")) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_feed::{Context, parse};

    #[test]
    fn new_chapters_and_transcripts_change_an_item_and_new_comments_do_not() {
        let of = |more: &str| {
            let feed = format!(
                "<rss version=\"2.0\" xmlns:podcast=\"https://podcastindex.org/namespace/1.0\" xmlns:psc=\"http://podlove.org/simple-chapters\" \
                 xmlns:slash=\"http://purl.org/rss/1.0/modules/slash/\"><channel><title>t</title><item><title>a</title>{more}</item></channel></rss>"
            );
            digest(&parse(feed.as_bytes(), Context::default()).unwrap().items[0])
        };
        let digests = [
            "",
            "<podcast:transcript url=\"https://a.example/1.vtt\" type=\"text/vtt\"/>",
            "<podcast:chapters url=\"https://a.example/1.json\" type=\"application/json+chapters\"/>",
            "<psc:chapters><psc:chapter start=\"0\" title=\"One\"/></psc:chapters>",
            "<psc:chapters><psc:chapter start=\"5\" title=\"One\"/></psc:chapters>",
        ]
        .map(of);
        let different: std::collections::HashSet<_> = digests.iter().collect();
        assert_eq!(different.len(), digests.len());
        assert_eq!(of("<slash:comments>1</slash:comments>"), of("<slash:comments>2</slash:comments>"));
        let signed =
            |key| of(&format!("<podcast:transcript url=\"https://a.example/1.vtt?key={key}\" type=\"text/vtt\"/>"));
        assert_eq!(signed(1), signed(2), "an address that is signed for each response");
    }

    #[test]
    fn only_more_categories_thumbnails_and_links_to_comments_change_an_item() {
        let of = |more: &str| {
            let feed = format!(
                "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel><title>t</title>\
                 <item><title>a</title>{more}</item></channel></rss>"
            );
            digest(&parse(feed.as_bytes(), Context::default()).unwrap().items[0])
        };
        let (plums, pears) = ("<category>Plums</category>", "<category>Pears</category>");
        let thumbnail = |url: &str| format!("<media:thumbnail url=\"https://{url}\"/>");
        let (thumbnail, other) = (thumbnail("a.example/1.jpg"), thumbnail("b.example/2.jpg"));
        let comments = "<comments>https://a.example/1#comments</comments>";
        for (before, now) in [
            (String::new(), plums.to_owned()),
            (plums.to_owned(), [plums, pears].concat()),
            (String::new(), thumbnail.clone()),
            (String::new(), comments.to_owned()),
            (plums.to_owned(), [plums, comments].concat()),
            (thumbnail.clone(), [&*other, pears].concat()),
        ] {
            let (before, now) = (of(&before), of(&now));
            assert!(is_changed(&before, &now));
            assert!(!is_changed(&now, &before), "they are kept where a response lacks them");
            assert!(!is_changed(&before, &before));
            assert_eq!(identifying(&before), identifying(&now), "they identify nothing");
            assert!(!is_changed(identifying(&before), &now), "an older version stored it");
        }
        for (before, now) in [
            (plums.to_owned(), pears.to_owned()),
            (plums.to_owned(), [plums, plums, "<category>plums</category>"].concat()),
            (thumbnail.clone(), other.clone()),
            (plums.to_owned(), thumbnail.clone()),
            (comments.to_owned(), thumbnail.clone()),
            (comments.to_owned(), "<comments>https://a.example/1?session=2</comments>".to_owned()),
        ] {
            assert!(!is_changed(&of(&before), &of(&now)), "{before} {now}");
        }
        assert!(is_changed(&of(plums), &of(&[plums, "<description>b</description>"].concat())));
        // The rest of an item that was cut off.
        let whole = of(plums);
        assert!(is_changed(&[identifying(&whole), &[CUT_OFF]].concat(), &whole) && !is_cut_off(&whole));
        assert!(!is_cut_off(&of("")));
    }

    #[test]
    fn a_date_that_other_dates_tell_to_read_differently_is_no_change() {
        let last = |dates: &[&str]| {
            let items: String =
                dates.iter().map(|date| format!("<item><title>a</title><pubDate>{date}</pubDate></item>")).collect();
            let feed = format!("<rss version=\"2.0\"><channel><title>t</title>{items}</channel></rss>");
            let feed = parse(feed.as_bytes(), Context::default()).unwrap();
            let item = feed.items.last().unwrap();
            (item.published, digest(item))
        };
        let (proven, guessed) = (last(&["13/11/2026", "05/11/2026"]), last(&["12/11/2026", "05/11/2026"]));
        assert_ne!(proven.0, guessed.0);
        assert_eq!(proven.1, guessed.1);
        assert_ne!(last(&["5 Nov 2026"]).1, last(&["6 Nov 2026"]).1);
    }
}

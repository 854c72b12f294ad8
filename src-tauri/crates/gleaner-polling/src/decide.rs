//! Decides which items of a document are new, changed or unchanged: known items, the document and the time → intents. Pure.

use crate::{
    article::new_item,
    limits::{self, line, url},
    metadata,
    rules::FeedRules,
};
use gleaner_feed::{Feed, Parsed};
pub use gleaner_identity::Known;

use gleaner_identity::{Identified, KnownItem, is_changed, recognise};
use gleaner_library::{FeedFacts, Intent, Millis, NOTICED};

/// Returns the items of a document with their identities.
pub fn identities(parsed: &Parsed) -> Vec<Identified<'_>> {
    gleaner_identity::identify(parsed.items.iter())
}

/// Returns the canonical addresses that known items are looked up by, besides their keys.
pub fn addresses(identified: &[Identified<'_>]) -> Vec<String> {
    gleaner_identity::addresses(identified.iter().filter_map(|item| item.canonical_url.as_deref()))
}

/// Returns what to do with the items of a document, given the known items of its feed. The feed's rules apply to new items.
pub fn intents(identified: Vec<Identified<'_>>, known: &Known, now: Millis, rules: &FeedRules) -> Vec<Intent> {
    let done = recognise(identified, known).into_iter().filter_map(|(item, found)| {
        Some(match found.before {
            None => Intent::Insert(Box::new(new_item(found.key, item, now, rules.url(), Some(rules)))),
            // A deleted item is not added again, even if it has changed.
            Some(KnownItem { gone: Some(noticed), key, .. }) => {
                if now - noticed <= NOTICED {
                    return None;
                }
                Intent::StillGone(key.clone())
            }
            // The library has all of it.
            Some(_) if item.item.is_cut_off => return None,
            Some(before) if is_changed(&before.digest, &item.digest) => {
                Intent::Update(before.id, Box::new(new_item(found.key, item, now, rules.url(), None)))
            }
            Some(before) if before.key != found.key => Intent::Rename(before.id, found.key),
            Some(_) => return None,
        })
    });
    done.collect()
}

/// Returns a document's data about its feed.
pub fn facts(parsed: &Parsed) -> FeedFacts {
    FeedFacts {
        title: parsed.feed.title.as_deref().map(|title| line(title, limits::TITLE)),
        description: parsed.feed.description.as_deref().map(|text| line(text, limits::DESCRIPTION)),
        home_url: url(parsed.feed.home_url.as_deref()),
        language: parsed.feed.language.as_deref().map(|language| line(language, limits::LANGUAGE)),
        icon_url: url(icon(&parsed.feed).as_deref()),
        head: metadata::of_feed(parsed),
    }
}

/// Returns the address of the feed's icon, else of its channel image.
fn icon(feed: &Feed) -> Option<String> {
    feed.icon_url.clone().or_else(|| feed.image.as_ref().map(|image| image.url.clone()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use chrono::DateTime;
    use gleaner_feed::{Encoding, EncodingSource, Format, Item};
    use gleaner_library::NewItem;

    fn item(id: &str, url: &str, title: &str) -> Item {
        Item { id: id.to_owned(), url: Some(url.to_owned()), title: Some(title.to_owned()), ..Item::default() }
    }

    fn parsed(items: Vec<Item>) -> Parsed {
        let encoding = Encoding { name: "UTF-8", from: EncodingSource::Default };
        Parsed { format: Format::Rss20, encoding, well_formed: true, repairs: Vec::new(), feed: Feed::default(), items }
    }

    /// Returns what the library has after these intents.
    fn stored(intents: &[Intent]) -> Vec<KnownItem> {
        let of = |(id, intent): (i64, &Intent)| match intent {
            Intent::Insert(item) | Intent::Update(_, item) => known(id, item),
            Intent::Rename(..) | Intent::StillGone(_) => unreachable!("nothing is renamed in an empty library"),
        };
        (1..).zip(intents).map(of).collect()
    }

    fn known(id: i64, item: &NewItem) -> KnownItem {
        KnownItem {
            id,
            key: item.key.clone(),
            canonical_url: item.canonical_url.clone(),
            title: item.title.clone(),
            published_at: item.published_at,
            digest: item.digest.clone(),
            gone: None,
        }
    }

    /// Returns the intents for a second document after a first one was stored.
    fn then(first: Vec<Item>, second: Vec<Item>) -> Vec<Intent> {
        let (first, second) = (parsed(first), parsed(second));
        let rules = FeedRules::default();
        let known = Known::new(stored(&intents(identities(&first), &Known::default(), 1, &rules)));
        intents(identities(&second), &known, 2, &rules)
    }

    fn on(day: i64, item: Item) -> Item {
        Item { published: DateTime::from_timestamp(1_700_000_000 + day * 86_400, 0), ..item }
    }

    #[test]
    fn does_nothing_for_an_unchanged_document() {
        let document = vec![item("a", "https://example.com/a", "A"), item("b", "https://example.com/b", "B")];
        assert!(then(document.clone(), document).is_empty());
    }

    #[test]
    fn updates_a_changed_item() {
        let second = then(
            vec![item("a", "https://example.com/a", "A")],
            vec![item("a", "https://example.com/a", "A, corrected")],
        );
        assert!(matches!(second.as_slice(), [Intent::Update(1, item)] if item.title == "A, corrected"));
    }

    #[test]
    fn an_item_is_updated_when_it_gets_a_thumbnail_but_not_whenever_it_has_another() {
        let with = |thumbnail: Option<&str>| Item {
            thumbnail_url: thumbnail.map(str::to_owned),
            ..item("a", "https://example.com/a", "A")
        };
        let (bare, one) = (|| vec![with(None)], || vec![with(Some("https://example.com/1.png"))]);
        assert!(matches!(then(bare(), one()).as_slice(), [Intent::Update(1, item)] if item.thumbnail_url.is_some()));
        assert!(then(one(), vec![with(Some("https://example.com/2.png"))]).is_empty());
        assert!(then(one(), bare()).is_empty());
        // An item stored by an older version is not stored again, and is recognised under another id.
        let other_id = Item { id: "b".to_owned(), url: None, ..with(Some("https://example.com/1.png")) };
        let document = parsed([one(), vec![other_id.clone()]].concat());
        let rules = FeedRules::default();
        let mut before = stored(&intents(identities(&document), &Known::default(), 1, &rules));
        before.iter_mut().for_each(|item| item.digest.truncate(16));
        let known = before.iter().find(|item| item.key == "b").unwrap().id;
        let renamed = parsed([one(), vec![Item { id: "c".to_owned(), ..other_id }]].concat());
        let done = intents(identities(&renamed), &Known::new(before), 2, &rules);
        assert!(matches!(done.as_slice(), [Intent::Rename(id, key)] if *id == known && key == "c"), "{done:?}");
    }

    #[test]
    fn an_item_that_is_cut_off_never_replaces_the_whole_one() {
        let whole = || on(0, item("a", "https://example.com/a", "A"));
        let cut_off = || Item { is_cut_off: true, title: Some("A, corrected".to_owned()), ..whole() };
        assert!(then(vec![whole()], vec![cut_off()]).is_empty());
        // A complete item replaces the truncated one, also under another id.
        assert!(matches!(then(vec![cut_off()], vec![whole()]).as_slice(), [Intent::Update(1, _)]));
        let other_id = on(0, item("b", "https://example.com/a", "A"));
        assert!(matches!(then(vec![cut_off()], vec![other_id]).as_slice(), [Intent::Update(1, _)]));
    }

    #[test]
    fn keeps_both_articles_when_an_id_is_reused() {
        let first = vec![on(0, item("latest", "https://example.com/1", "Monday"))];
        let second = vec![on(7, item("latest", "https://example.com/8", "Next Monday"))];
        let done = then(first.clone(), second.clone());
        assert!(matches!(done.as_slice(), [Intent::Insert(item)] if item.title == "Next Monday"), "{done:?}");
        // A new address, title or date alone is an update.
        for changed in [
            on(0, item("latest", "https://example.com/1-b", "Monday, corrected")),
            on(7, item("latest", "https://example.com/1", "Monday, corrected")),
            on(7, item("latest", "https://example.com/1-b", "Monday")),
        ] {
            assert!(matches!(then(first.clone(), vec![changed]).as_slice(), [Intent::Update(1, _)]));
        }
    }

    #[test]
    fn recognises_an_item_whose_id_changed() {
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
        // Without dates and addresses, the digest decides.
        let bare = |id: &str| Item { id: id.to_owned(), title: Some("A".to_owned()), ..Item::default() };
        assert!(matches!(then(vec![bare("1")], vec![bare("2")]).as_slice(), [Intent::Rename(1, _)]));
    }

    #[test]
    fn recognises_an_imported_item_by_address_despite_an_imprecise_date() {
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
    fn does_not_add_a_deleted_item_again() {
        let first = parsed(vec![on(0, item("1", "http://example.com/a", "A"))]);
        let known = stored(&intents(identities(&first), &Known::default(), 1, &FeedRules::default()));
        let gone = |at| Known::new(known.iter().map(|item| KnownItem { gone: Some(at), ..item.clone() }).collect());
        for (id, url, title) in [
            ("1", "http://example.com/a", "A"),
            ("1", "http://example.com/a", "A, corrected"),
            ("2", "https://example.com/a?utm_source=rss", "A"),
            ("3", "https://new.example/a", "A"),
        ] {
            let second = parsed(vec![on(0, item(id, url, title)), on(1, item("new", "https://example.com/b", "B"))]);
            let done = intents(identities(&second), &gone(1), 2, &FeedRules::default());
            assert!(matches!(done.as_slice(), [Intent::Insert(item)] if item.key == "new"), "{id}: {done:?}");
            // From time to time the library records that the feed still has it.
            let done = intents(identities(&second), &gone(1), 2 + NOTICED, &FeedRules::default());
            assert!(
                matches!(done.as_slice(), [Intent::Insert(_), Intent::StillGone(key)] if key == "1"),
                "{id}: {done:?}"
            );
        }
        // A reused id is another article.
        let another = parsed(vec![on(9, item("1", "https://example.com/z", "Z"))]);
        assert!(matches!(
            intents(identities(&another), &gone(1), 2, &FeedRules::default()).as_slice(),
            [Intent::Insert(_)]
        ));
    }

    #[test]
    fn keeps_items_apart_that_share_an_address_or_a_date() {
        // All link to one page; only the ids differ.
        let open = |day, id: &str| on(day, item(id, "https://example.com/thread", "Open thread"));
        assert!(matches!(then(vec![open(0, "1")], vec![open(7, "2")]).as_slice(), [Intent::Insert(_)]));
        let both =
            vec![on(0, item("1", "https://example.com/1", "Note")), on(0, item("2", "https://example.com/2", "Note"))];
        let done = then(vec![both[0].clone()], both);
        assert!(matches!(done.as_slice(), [Intent::Insert(item)] if item.key == "2"), "{done:?}");
    }

    #[test]
    fn dates_without_times_and_shared_addresses_or_titles_identify_nothing() {
        let page = |id: i64| on(0, item(&id.to_string(), "https://example.com/alerts", &format!("Alert {id}")));
        let same_title = |id: i64| on(0, item(&id.to_string(), &format!("https://example.com/{id}"), "Accident"));
        let no_id =
            |id: i64| on(0, item("https://example.com/alerts", "https://example.com/alerts", &format!("Alert {id}")));
        for article in [&page as &dyn Fn(i64) -> Item, &same_title, &no_id] {
            let windows = [1..4, 2..5, 5..8].map(|ids| ids.map(article).collect::<Vec<_>>());
            assert_eq!(articles(windows).len(), 7);
            // Only one was known before.
            assert_eq!(articles([vec![article(1)], vec![article(2), article(3)]]).len(), 3);
        }
        // Ids that change all at once are recognised, also when the site moves.
        for host in ["example.com", "example.org"] {
            let moved = |id: i64| {
                let url = format!("https://{host}/{id}");
                Item { id: format!("new {id}"), url: Some(url), ..same_title(id) }
            };
            assert_eq!(articles([(1..4).map(same_title).collect(), (1..4).map(moved).collect()]).len(), 3, "{host}");
        }
        let renumbered = |id: i64| Item { id: format!("new {id}"), ..page(id) };
        assert_eq!(articles([(1..4).map(page).collect(), (1..4).map(renumbered).collect()]).len(), 3);
    }

    #[test]
    fn items_that_a_document_has_with_one_address_title_and_date_stay_apart() {
        let body = |id: i64| Some(gleaner_feed::Body { html: format!("Text {id}"), ..gleaner_feed::Body::default() });
        let alert =
            |id: i64| Item { content: body(id), ..item(&id.to_string(), "https://example.com/alerts", "Alert") };
        let no_address = |id: i64| on(0, Item { url: None, ..alert(id) });
        let dated = |id: i64| on(0, alert(id));
        for article in [&alert as &dyn Fn(i64) -> Item, &dated, &no_address] {
            let windows = [1..4, 2..5, 5..8].map(|ids| ids.map(article).collect::<Vec<_>>());
            assert_eq!(articles(windows).len(), 7);
            assert_eq!(articles([vec![article(1)], vec![article(2), article(3)]]).len(), 3);
            assert_eq!(articles([vec![article(1), article(2)], vec![article(3)]]).len(), 3);
            // Ids that change all at once are recognised.
            let renumbered = |id: i64| Item { id: format!("new {id}"), ..article(id) };
            assert_eq!(articles([(1..4).map(article).collect(), (1..4).map(renumbered).collect()]).len(), 3);
        }
        // Only one is edited, under another id.
        assert_eq!(articles([vec![dated(1)], vec![dated(2)]]).len(), 1);
    }

    #[test]
    fn a_new_item_does_not_get_an_id_shared_by_several_items() {
        // Without ids, all items have the address of the same page.
        for day in [None, Some(0)] {
            let news = |number: i64, title: &str| {
                let id = "https://example.com/news";
                let item = Item { summary: None, ..item(id, id, title) };
                day.map_or(item.clone(), |day| on(day + number, item))
            };
            let first = vec![news(2, "Two"), news(1, "One")];
            let done = then(first.clone(), [vec![news(3, "Three")], first].concat());
            assert!(matches!(done.as_slice(), [Intent::Insert(item)] if item.title == "Three"), "{done:?}");
        }
        // Only one had the id.
        let news = |title: &str| item("x", "https://example.com/news", title);
        let done = then(vec![news("One")], vec![news("Two"), news("One")]);
        assert!(
            matches!(done.as_slice(), [Intent::Rename(1, _), Intent::Insert(item)] if item.title == "Two"),
            "{done:?}"
        );
    }

    #[test]
    fn recognises_items_whose_ids_are_their_positions() {
        let numbered = |newest: i64, count: i64| -> Vec<Item> {
            let numbers = (newest - count + 1..=newest).rev();
            let article = |number| item("", &format!("https://example.com/{number}"), &format!("Article {number}"));
            (1..).zip(numbers).map(|(id, number): (i32, i64)| Item { id: id.to_string(), ..article(number) }).collect()
        };
        for (count, added) in [(2, 1), (5, 1), (5, 3)] {
            let done = then(numbered(10, count), numbered(10 + added, count));
            let titles: Vec<&str> = done
                .iter()
                .filter_map(|intent| if let Intent::Insert(item) = intent { Some(&*item.title) } else { None })
                .collect();
            let expected: Vec<String> = (11..=10 + added).map(|number| format!("Article {number}")).collect();
            assert_eq!(
                (titles, done.len()),
                (expected.iter().map(String::as_str).collect(), expected.len()),
                "{done:?}"
            );
        }
    }

    /// Returns the articles after several documents.
    fn articles(documents: impl IntoIterator<Item = Vec<Item>>) -> Vec<NewItem> {
        let mut articles: Vec<NewItem> = Vec::new();
        for (now, document) in (1..).zip(documents) {
            let before = Known::new((0..).zip(&articles).map(|(id, item)| known(id, item)).collect());
            for intent in intents(identities(&parsed(document)), &before, now, &FeedRules::default()) {
                match intent {
                    Intent::Insert(item) => articles.push(*item),
                    Intent::Update(id, item) => articles[usize::try_from(id).unwrap()] = *item,
                    Intent::Rename(id, key) => articles[usize::try_from(id).unwrap()].key = key,
                    other => panic!("{other:?}"),
                }
            }
        }
        articles
    }

    #[test]
    fn positions_are_recognised_when_the_first_articles_have_left_the_document() {
        let window = |newest: i64| -> Vec<Item> {
            let article =
                |number: i64| item("", &format!("https://example.com/{number}"), &format!("Article {number}"));
            (0..3).map(|at| Item { id: (at + 1).to_string(), ..article(newest - at) }).collect()
        };
        let mut titles: Vec<String> = articles((3..=9).map(window)).into_iter().map(|item| item.title).collect();
        titles.sort_unstable();
        assert_eq!(titles, (1..=9).map(|number| format!("Article {number}")).collect::<Vec<_>>());
    }

    #[test]
    fn items_at_positions_on_one_page_are_recognised() {
        let warning = |at: i64, number: i64| {
            let url = format!("https://example.com/warnings#{at}");
            on(number, item(&url, &url, &format!("Warning {number}")))
        };
        // The newest one is the first.
        let titles = |documents: [Vec<Item>; 4]| {
            let mut titles: Vec<String> = articles(documents).into_iter().map(|item| item.title).collect();
            titles.sort_unstable();
            titles
        };
        let moving = |newest: i64| (1..4).map(|at| warning(at, newest - at)).collect::<Vec<_>>();
        assert_eq!(titles([4, 5, 5, 7].map(moving)), [1, 2, 3, 4, 5, 6].map(|number| format!("Warning {number}")));
        // Forecasts for the same three places each time.
        let replaced = |day: i64| (1..4).map(|at| warning(at, 10 * day + at)).collect::<Vec<_>>();
        assert_eq!(titles([1, 2, 2, 3].map(replaced)), [31, 32, 33].map(|number| format!("Warning {number}")));
        // A title or a date alone may change.
        for changed in [on(5, warning(1, 1)), Item { published: None, ..warning(1, 2) }] {
            assert_eq!(articles([vec![warning(1, 1), warning(2, 9)], vec![changed, warning(2, 9)]]).len(), 2);
        }
    }

    #[test]
    fn two_items_at_positions_are_never_one_article() {
        let update = |id: &str, url: &str| item(id, url, "Update");
        let (one, two) = ("https://example.com/u1", "https://example.com/u2");
        let other = |id: &str| item(id, "https://example.com/a", "A");
        for backwards in [false, true] {
            let mut first = vec![update("1", one), other("2")];
            let mut second = vec![update("1", two), update("2", one), other("3")];
            if backwards {
                first.reverse();
                second.reverse();
            }
            let mut urls: Vec<_> = articles([first, second]).into_iter().filter_map(|item| item.url).collect();
            urls.sort_unstable();
            assert_eq!(urls, ["https://example.com/a", one, two]);
        }
    }

    #[test]
    fn articles_at_lasting_addresses_are_new_each_time() {
        // A forecast for each of four places, and the last posts of five topics.
        let forecasts = |day: i64| (0..4).map(|place| (day, format!("{day}-{place}"), place)).collect::<Vec<_>>();
        let topics = |day: i64| (0..5).map(|topic| (day, format!("post-{}", day * 5 + topic), topic)).collect();
        let document = |of: &dyn Fn(i64) -> Vec<(i64, String, i64)>, day| {
            let article = |(day, id, at): (i64, String, i64)| {
                on(day, item(&id, &format!("https://example.com/{at}"), &format!("Title {at}")))
            };
            of(day).into_iter().map(article).collect::<Vec<_>>()
        };
        assert_eq!(articles((0..5).map(|day| document(&forecasts, day))).len(), 20);
        assert_eq!(articles((0..5).map(|day| document(&topics, day))).len(), 25);
    }
    #[test]
    fn an_address_in_another_spelling_is_the_same_id() {
        let page = |url: &str, title: &str| item(url, url, title);
        let first = || vec![on(0, page("http://example.com/a", "A"))];
        for url in ["https://example.com/a", "http://example.com/a/", "http://example.com/a?utm_source=feed"] {
            let done = then(first(), vec![on(3, page(url, "A, corrected"))]);
            assert!(matches!(done.as_slice(), [Intent::Update(1, item)] if item.key == url), "{url}: {done:?}");
        }
        for url in ["https://example.com/b", "http://example.com/a#2", "http://example.com/a?page=2"] {
            assert!(matches!(then(first(), vec![on(3, page(url, "B"))]).as_slice(), [Intent::Insert(_)]), "{url}");
        }
    }

    #[test]
    fn renames_a_known_item_at_most_once() {
        let first = vec![on(0, item("1", "https://a.example/1", "Note"))];
        let second =
            vec![on(0, item("8", "https://b.example/1", "Note")), on(0, item("9", "https://b.example/2", "Note"))];
        let done = then(first, second);
        assert_eq!(done.iter().filter(|intent| matches!(intent, Intent::Insert(_))).count(), 1, "{done:?}");
    }

    #[test]
    fn the_zero_of_a_clock_is_a_missing_date() {
        let zero = || Item { published: DateTime::from_timestamp(0, 0), ..item("a", "https://example.com/a", "A") };
        let updated = Item { updated: DateTime::from_timestamp(500, 0), ..zero() };
        for (zero, sort_at) in [(zero(), 1_000_000), (updated, 500_000)] {
            let document = parsed(vec![zero.clone()]);
            let intents = intents(identities(&document), &Known::default(), 1_000_000, &FeedRules::default());
            assert!(
                matches!(intents.as_slice(), [Intent::Insert(item)] if item.sort_at == sort_at && item.published_at.is_none()),
                "{intents:?}"
            );
            assert!(then(vec![zero.clone()], vec![zero]).is_empty());
        }
    }

    #[test]
    fn sorts_a_future_dated_item_by_its_arrival() {
        let mut future = item("a", "https://example.com/a", "A");
        future.published = DateTime::from_timestamp_millis(5_000);
        let document = parsed(vec![future]);
        let intents = intents(identities(&document), &Known::default(), 1_000, &FeedRules::default());
        assert!(
            matches!(intents.as_slice(), [Intent::Insert(item)] if item.sort_at == 1_000 && item.published_at == Some(5_000))
        );
    }
}

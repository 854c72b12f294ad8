//! Lists in every order: pages together give the whole list, and marks apply to what is shown.
#![allow(clippy::unwrap_used)]

use gleaner_library::{
    Enclosure, Incoming, Intent, Library, ListQuery, MarkScope, NewItem, NewSubscription, Order, Poll, Row, Source,
    Texts,
};
use gleaner_pipeline::all_pages;

const ALL: [Order; 10] = [
    Order::Newest,
    Order::Oldest,
    Order::ByFeed,
    Order::InfrequentFirst,
    Order::Longest,
    Order::Shortest,
    Order::Title,
    Order::TitleDescending,
    Order::Author,
    Order::AuthorDescending,
];

/// Texts in alphabetical order, without case, accents and quotes. An article without a title is sorted by its excerpt; one without an
/// author comes last.
const TITLES: [&str; 5] = ["apple", "“Banana”", "Çilek", "", "zebra"];
const EXCERPT: &str = "Door";
const AUTHORS: [Option<&str>; 4] = [Some("ada"), Some("ÉMILIE"), Some("Grace"), None];

/// In seconds.
const DURATIONS: [Option<f64>; 7] = [Some(1.9), None, Some(0.0), Some(1.0), Some(2.0), Some(1e12), Some(3600.0)];

fn episode(duration_seconds: Option<f64>) -> Enclosure {
    let url = "https://example.com/1.mp3".to_owned();
    Enclosure { url, mime_type: Some("audio/mpeg".to_owned()), duration_seconds, ..Enclosure::default() }
}

/// Returns the length of a row in words, of which 230 are read in a minute.
fn length(row: &Row) -> i64 {
    let seconds = row.duration_seconds.filter(|seconds| (1..=3600).contains(seconds));
    seconds.map_or(row.word_count, |seconds| seconds * 230 / 60)
}

/// Creates feeds "c", "B" and "a" with 10, 6 and 3 articles. The second posts most often; the frequency of the third is unknown.
async fn library() -> (tempfile::TempDir, Library, Vec<i64>) {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    let mut ids = Vec::new();
    for (title, articles, gaps) in [("c", 10_i64, Some("600 500")), ("B", 6, Some("60 80 70")), ("a", 3, None)] {
        let url = format!("https://example.com/{title}");
        let subscription = NewSubscription {
            url,
            title: Some(title.to_owned()),
            folder: vec!["Top".to_owned()],
            ..NewSubscription::default()
        };
        let feed_id = library.subscriptions().add(&subscription).await.unwrap();
        let insert = |at: i64| {
            Intent::Insert(Box::new(NewItem {
                key: at.to_string(),
                sort_at: at * 7 % 5,
                received_at: at,
                word_count: at * 13 % 8,
                title: TITLES[usize::try_from(at * 3 % 5).unwrap()].to_owned(),
                author: AUTHORS[usize::try_from(at * 3 % 4).unwrap()].map(str::to_owned),
                excerpt: EXCERPT.to_owned(),
                digest: vec![0; 16],
                media: (at % 3 > 0).then(|| "audio".to_owned()),
                // Without a duration, with one that is none, with one that no recording has, and with some among those of the texts.
                enclosures: (at % 3 > 0)
                    .then(|| episode(DURATIONS[usize::try_from(at % 7).unwrap()]))
                    .into_iter()
                    .collect(),
                texts: Texts::default(),
                ..NewItem::default()
            }))
        };
        let poll = Poll { feed_id, gaps: gaps.map(str::to_owned), ..Poll::default() };
        let incoming = Incoming { poll, intents: (0..articles).map(insert).collect(), ..Incoming::default() };
        library.polls().store(&[&incoming]).await.unwrap();
        ids.push(feed_id);
    }
    (folder, library, ids)
}

fn title_place(row: &Row) -> i64 {
    i64::try_from(TITLES.iter().position(|title| *title == row.title).unwrap()).unwrap()
}

fn author_place(row: &Row) -> i64 {
    i64::try_from(AUTHORS.iter().position(|author| *author == row.author.as_deref()).unwrap()).unwrap()
}

fn query(source: Source, order: Order, limit: u32) -> ListQuery {
    ListQuery { order, ..ListQuery::newest(source, limit) }
}

async fn sources(library: &Library, feeds: &[i64]) -> Vec<Source> {
    let top = library.folders().list().await.unwrap()[0].id;
    let few = library.lists().page(query(Source::All, Order::ByFeed, 400)).await.unwrap().0;
    let some: Vec<i64> = few.iter().step_by(2).map(|row| row.id).collect();
    library.articles().mark(&some, None, Some(true)).await.unwrap();
    library.articles().mark(&some[..5], Some(true), None).await.unwrap();
    library.tags().set(&some, "t", true).await.unwrap();
    let tag = library.tags().list().await.unwrap()[0].id;
    let mut sources = vec![Source::All, Source::Unread, Source::Starred, Source::Since(2), Source::Tag(tag)];
    sources.extend([Source::Feed(feeds[0]), Source::Folder(top)]);
    sources
}

#[tokio::test]
async fn pages_give_the_whole_list_in_every_order() {
    let (_folder, library, feeds) = library().await;
    for source in sources(&library, &feeds).await {
        for order in ALL {
            for unread_only in [false, true] {
                let query = |limit| ListQuery { unread_only, ..query(source, order, limit) };
                let whole = library.lists().page(query(400)).await.unwrap().0;
                let mut sorted = whole.clone();
                sorted.sort_by_key(|row| match order {
                    Order::Newest => (-row.sort_at, -row.id, 0),
                    Order::Oldest => (row.sort_at, row.id, 0),
                    // By title: "a", "B", "c". By posting frequency: unknown, ten hours, one hour.
                    Order::ByFeed => (-row.feed_id, -row.sort_at, -row.id),
                    Order::InfrequentFirst => {
                        let frequency = [feeds[2], feeds[0], feeds[1]];
                        let at = frequency.iter().position(|feed| *feed == row.feed_id).unwrap();
                        (i64::try_from(at).unwrap(), -row.sort_at, -row.id)
                    }
                    Order::Longest => (-length(row), -row.id, 0),
                    Order::Shortest => (length(row), row.id, 0),
                    Order::Title => (title_place(row), -row.sort_at, -row.id),
                    Order::TitleDescending => (-title_place(row), -row.sort_at, -row.id),
                    Order::Author => (author_place(row), -row.sort_at, -row.id),
                    Order::AuthorDescending if row.author.is_some() => (-author_place(row), -row.sort_at, -row.id),
                    Order::AuthorDescending => (1, -row.sort_at, -row.id),
                });
                assert_eq!(whole, sorted, "{source:?} {order:?}");
                assert!(!whole.is_empty());
                let all_feeds = matches!(source, Source::All | Source::Unread | Source::Feed(_) | Source::Folder(_));
                if all_feeds && matches!(order, Order::Longest | Order::Shortest) {
                    assert_eq!(
                        library.lists().by_length(&query(400), 400).await.unwrap(),
                        whole,
                        "{source:?} {order:?}"
                    );
                    for (at, row) in whole.iter().enumerate() {
                        let after = ListQuery { after: Some(row.cursor()), ..query(2) };
                        let next: Vec<Row> = whole.iter().skip(at + 1).take(2).cloned().collect();
                        let found = library.lists().by_length(&after, 2).await.unwrap();
                        assert_eq!(found, next, "{source:?} {order:?} {at}");
                    }
                }
                let pages = all_pages(&library, query(4)).await;
                assert_eq!(pages, whole, "{source:?} {order:?}");
            }
        }
    }
}

#[tokio::test]
async fn marks_the_articles_above_or_below() {
    let (_folder, library, feeds) = library().await;
    for source in sources(&library, &feeds).await {
        for order in ALL {
            for above in [true, false] {
                let unread = ListQuery { unread_only: true, ..query(source, order, 400) };
                let seen = library.lists().page(unread).await.unwrap().0;
                let at = seen.len() / 2;
                let cursor = seen[at].cursor();
                let scope = if above { MarkScope::Above(cursor) } else { MarkScope::Below(cursor) };
                let step = library.articles().mark_list_read(source, order, scope, None).await.unwrap().step;
                let left = library.lists().page(unread).await.unwrap().0;
                let expected = if above { &seen[at..] } else { &seen[..=at] };
                assert_eq!(left, expected, "{source:?} {order:?} {above}");
                library.undo(step).await.unwrap();
                assert_eq!(library.lists().page(unread).await.unwrap().0, seen);
            }
        }
    }
}

#[tokio::test]
async fn marks_above_or_below_by_the_duplicate_that_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    // Duplicates have other titles, authors, lengths, dates and feeds than the article that is shown, so each order puts them elsewhere.
    for (host, place) in [("m", 3), ("a", 1), ("z", 5)] {
        let url = format!("https://{host}.example/feed");
        let feed_id = library.subscriptions().add(&NewSubscription::new(url)).await.unwrap();
        let item = |key: &str, number: i64| NewItem {
            key: key.to_owned(),
            canonical_url: Some(format!("https://wire.example/{key}")),
            title: format!("{number}"),
            author: Some(format!("{number}")),
            sort_at: number,
            word_count: number,
            ..NewItem::default()
        };
        let items = [item("story", place), item(&format!("of {host}"), 6 - place)];
        let intents = items.into_iter().map(|item| Intent::Insert(Box::new(item))).collect();
        library.polls().store(&[&Incoming::of_items(feed_id, intents)]).await.unwrap();
    }
    for source in [Source::All, Source::Unread, Source::Since(0)] {
        for order in ALL {
            let unread = ListQuery { unread_only: true, ..query(source, order, 9) };
            let seen = library.lists().page(unread).await.unwrap().0;
            assert_eq!(seen.len(), 4, "{source:?} {order:?}");
            for (at, row) in seen.iter().enumerate() {
                let cursor = row.cursor();
                let both = [(MarkScope::Above(cursor), &seen[at..]), (MarkScope::Below(cursor), &seen[..=at])];
                for (scope, expected) in both {
                    let done = library.articles().mark_list_read(source, order, scope, None).await.unwrap();
                    let left = library.lists().page(unread).await.unwrap().0;
                    assert_eq!(left, expected, "{source:?} {order:?} {scope:?}");
                    assert_eq!(done.count, seen.len() - expected.len(), "{source:?} {order:?} {scope:?}");
                    library.undo(done.step).await.unwrap();
                }
            }
        }
    }
}

#[tokio::test]
async fn articles_stored_after_the_list_was_loaded_stay_unread() {
    let (_folder, library, _) = library().await;
    let unread = ListQuery { unread_only: true, ..query(Source::All, Order::ByFeed, 400) };
    let first = library.lists().page(unread).await.unwrap().0.remove(0);
    let below = MarkScope::Below(first.cursor());
    library.articles().mark_list_read(Source::All, Order::ByFeed, below, Some(2)).await.unwrap();
    let left = library.lists().page(unread).await.unwrap().0.len();
    // Three of each feed's 19 articles were there at that time; the first row is always marked.
    assert!((10..=11).contains(&left), "{left}");
    library.articles().mark_list_read(Source::All, Order::Newest, MarkScope::All, None).await.unwrap();
    assert!(library.lists().page(unread).await.unwrap().0.is_empty());
}

#[tokio::test]
async fn pages_of_both_directions_do_not_mix() {
    let (_folder, library, _) = library().await;
    let whole = library.lists().page(query(Source::All, Order::Title, 400)).await.unwrap().0;
    let first = library.lists().page(query(Source::All, Order::Title, 4)).await.unwrap().0;
    library.lists().page(query(Source::All, Order::TitleDescending, 4)).await.unwrap();
    let after = ListQuery { after: Some(first[3].cursor()), ..query(Source::All, Order::Title, 4) };
    assert_eq!(library.lists().page(after).await.unwrap().0, whole[4..8]);
}

#[tokio::test]
async fn a_list_by_title_goes_on_after_an_article_that_left_it() {
    let (_folder, library, feeds) = library().await;
    let unread = |source| ListQuery { unread_only: true, ..query(source, Order::Title, 4) };
    let first = library.lists().page(unread(Source::All)).await.unwrap().0;
    let next = library.lists().page(ListQuery { limit: 8, ..unread(Source::All) }).await.unwrap().0.split_off(4);
    library.articles().mark(&[first[3].id, next[1].id], Some(true), None).await.unwrap();
    // Another list is read in between, so that the ids of this one are no longer in memory.
    for between in [None, Some(Source::Feed(feeds[0]))] {
        if let Some(between) = between {
            library.lists().page(unread(between)).await.unwrap();
        }
        let after = ListQuery { after: Some(first[3].cursor()), limit: 3, ..unread(Source::All) };
        let page = library.lists().page(after).await.unwrap().0;
        let ids: Vec<i64> = page.iter().map(|row| row.id).collect();
        assert_eq!(ids, [next[0].id, next[2].id, next[3].id], "{between:?}");
    }
}

#[tokio::test]
async fn lists_in_every_order_show_one_of_several_duplicates() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    for host in ["a", "b"] {
        let url = format!("https://{host}.example/feed");
        let feed_id = library.subscriptions().add(&NewSubscription::new(url)).await.unwrap();
        let item = |number: i64| NewItem {
            key: number.to_string(),
            canonical_url: Some(format!("https://wire.example/{number}")),
            ..NewItem::default()
        };
        let intents = (0..3).map(|number| Intent::Insert(Box::new(item(number)))).collect();
        library.polls().store(&[&Incoming::of_items(feed_id, intents)]).await.unwrap();
    }
    for order in ALL {
        for source in [Source::All, Source::Unread, Source::Since(0)] {
            let whole = library.lists().page(query(source, order, 9)).await.unwrap().0;
            assert_eq!(whole.len(), 3, "{source:?} {order:?}");
            assert_eq!(all_pages(&library, query(source, order, 2)).await, whole, "{source:?} {order:?}");
        }
        let feeds = library.feeds().list().await.unwrap();
        let of_feed = query(Source::Feed(feeds[1].id), order, 9);
        assert_eq!(library.lists().page(of_feed).await.unwrap().0.len(), 3, "{order:?}");
    }
}

#[tokio::test]
async fn a_list_of_the_newest_shows_duplicates_of_older_articles() {
    let folder = tempfile::tempdir().unwrap();
    let library = Library::open(folder.path()).await.unwrap();
    for (host, sort_at) in [("a", 1), ("b", 5), ("c", 6)] {
        let url = format!("https://{host}.example/feed");
        let feed_id = library.subscriptions().add(&NewSubscription::new(url)).await.unwrap();
        let canonical_url = Some("https://wire.example/1".to_owned());
        let item = NewItem { key: "1".to_owned(), canonical_url, sort_at, ..NewItem::default() };
        library.polls().store(&[&Incoming::of_items(feed_id, vec![Intent::Insert(Box::new(item))])]).await.unwrap();
    }
    for (moment, shown) in [(0, 1), (3, 5), (6, 6), (7, 0)] {
        for order in ALL {
            for unread_only in [false, true] {
                let query = ListQuery { unread_only, ..query(Source::Since(moment), order, 9) };
                let rows = library.lists().page(query).await.unwrap().0;
                let dates: Vec<i64> = rows.iter().map(|row| row.sort_at).collect();
                assert_eq!(dates, if shown == 0 { vec![] } else { vec![shown] }, "since {moment}, {order:?}");
            }
        }
        assert_eq!(library.counts().unread_since(moment).await.unwrap(), i64::from(shown > 0), "since {moment}");
    }
}

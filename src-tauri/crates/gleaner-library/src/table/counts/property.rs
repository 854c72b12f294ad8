//! Property: after any actions in any order, the numbers of feeds, tags and saved searches are correct.
#![allow(clippy::unwrap_used)]

use crate::{
    CommonWords, FeedCount, Incoming, Intent, Library, LibraryError, ListQuery, Mark, MarkScope, NewItem,
    NewSubscription, Order, Source, UnreadFound,
};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const FEEDS: usize = 3;
const TITLES: [&str; 3] = ["grain", "straw", "grain and straw"];
const CATEGORIES: [&[&str]; 3] = [&[], &["News/Regional"], &["news", "Chaff"]];
const TAGS: [&str; 3] = ["Late", "LATE", "Other"];
const QUERIES: [&str; 5] = ["grain", "straw OR is:starred", "tag:late", "category:news -grain", "is:hidden"];

#[derive(Debug, Clone)]
enum Act {
    Store { feed: usize, key: usize, title: usize, categories: usize, read: bool },
    Mark { item: usize, mark: Mark, on: bool },
    MarkList { feed: Option<usize> },
    Tag { item: usize, tag: usize, on: bool },
    RenameTag { tag: usize, to: usize },
    DeleteTag { tag: usize },
    Unsubscribe { feed: usize },
    Merge { from: usize, into: usize },
    Undo { step: usize },
}

fn act() -> impl Strategy<Value = Act> {
    let (feed, tag, item) = (0..FEEDS, 0..TAGS.len(), 0..12_usize);
    let mark = prop::sample::select(vec![Mark::Read, Mark::Starred, Mark::Hidden, Mark::Kept]);
    prop_oneof![
        6 => (feed.clone(), 0..4_usize, 0..TITLES.len(), 0..CATEGORIES.len(), any::<bool>())
            .prop_map(|(feed, key, title, categories, read)| Act::Store { feed, key, title, categories, read }),
        5 => (item.clone(), mark, any::<bool>()).prop_map(|(item, mark, on)| Act::Mark { item, mark, on }),
        1 => proptest::option::of(feed.clone()).prop_map(|feed| Act::MarkList { feed }),
        4 => (item, tag.clone(), any::<bool>()).prop_map(|(item, tag, on)| Act::Tag { item, tag, on }),
        1 => (tag.clone(), tag.clone()).prop_map(|(tag, to)| Act::RenameTag { tag, to }),
        1 => tag.prop_map(|tag| Act::DeleteTag { tag }),
        1 => feed.clone().prop_map(|feed| Act::Unsubscribe { feed }),
        1 => (feed.clone(), feed).prop_map(|(from, into)| Act::Merge { from, into }),
        4 => (0..8_usize).prop_map(|step| Act::Undo { step }),
    ]
}

/// The data of one article.
struct Seen {
    id: i64,
    feed: i64,
    title: String,
    read: bool,
    starred: bool,
    hidden: bool,
    categories: String,
    tags: BTreeSet<i64>,
}

async fn seen(library: &Library) -> Vec<Seen> {
    type Stored = (i64, i64, String, bool, bool, bool, Option<String>);
    let rows: Vec<Stored> = sqlx::query_as(
        "SELECT i.id, i.feed_id, i.title, s.read, s.starred, s.hidden, b.categories FROM items i JOIN states s ON s.item_id = i.id
         JOIN bodies b ON b.item_id = i.id JOIN feeds f ON f.id = i.feed_id WHERE f.unsubscribed_at IS NULL ORDER BY i.id",
    )
    .fetch_all(&library.db.readers)
    .await
    .unwrap();
    let tagged: Vec<(i64, i64)> =
        sqlx::query_as("SELECT item_id, tag_id FROM item_tags").fetch_all(&library.db.readers).await.unwrap();
    let article = |(id, feed, title, read, starred, hidden, categories): Stored| Seen {
        tags: tagged.iter().filter(|(item, _)| *item == id).map(|(_, tag)| *tag).collect(),
        categories: categories.unwrap_or_default().to_lowercase(),
        id,
        feed,
        title,
        read,
        starred,
        hidden,
    };
    rows.into_iter().map(article).collect()
}

async fn do_it(library: &Library, act: &Act, feeds: &[i64], steps: &mut Vec<i64>) {
    let items: Vec<i64> =
        sqlx::query_scalar("SELECT id FROM items ORDER BY id").fetch_all(&library.db.readers).await.unwrap();
    let item = |at: usize| items.get(at % items.len().max(1)).copied().unwrap_or(99);
    let tags = library.tags().list().await.unwrap();
    let tag = |at: usize| tags.get(at % tags.len().max(1)).map_or(99, |tag| tag.id);
    // Actions on data that no longer exists are refused.
    let done = match act {
        Act::Store { feed, key, title, categories, read } => {
            let there: Option<i64> = sqlx::query_scalar("SELECT id FROM items WHERE feed_id = ? AND key = ?")
                .bind(feeds[*feed])
                .bind(key.to_string())
                .fetch_optional(&library.db.readers)
                .await
                .unwrap();
            let digest = vec![u8::try_from(*title).unwrap(), u8::try_from(*categories).unwrap()];
            let item = Box::new(NewItem {
                key: key.to_string(),
                title: TITLES[*title].to_owned(),
                sort_at: i64::try_from(*key).unwrap() * 5000,
                categories: CATEGORIES[*categories].iter().map(|category| (*category).to_owned()).collect(),
                digest,
                read: *read,
                ..NewItem::default()
            });
            let intent = there.map_or_else(|| Intent::Insert(item.clone()), |id| Intent::Update(id, item.clone()));
            library.polls().store(&[&Incoming::of_items(feeds[*feed], vec![intent])]).await.unwrap();
            return;
        }
        Act::Mark { item: at, mark, on } => library.articles().set_marks(&[item(*at)], &[(*mark, *on)]).await,
        Act::MarkList { feed } => {
            let source = feed.map_or(Source::All, |feed| Source::Feed(feeds[feed]));
            library.articles().mark_list_read(source, Order::Newest, MarkScope::All, None).await
        }
        Act::Tag { item: at, tag, on } => library.tags().set(&[item(*at)], TAGS[*tag], *on).await,
        Act::RenameTag { tag: at, to } => library.tags().rename(tag(*at), TAGS[*to]).await,
        Act::DeleteTag { tag: at } => library.tags().delete(tag(*at)).await,
        Act::Unsubscribe { feed } => library.feeds().unsubscribe(&[feeds[*feed]]).await,
        Act::Merge { from, into } => library.subscriptions().merge(feeds[*from], feeds[*into]).await,
        Act::Undo { step } => {
            if !steps.is_empty() {
                // A step on a deleted tag cannot be undone.
                let undone = library.undo(steps.remove(step % steps.len())).await;
                assert!(matches!(undone, Ok(_) | Err(LibraryError::NotFound("tag"))), "{undone:?}");
            }
            return;
        }
    };
    steps.extend(done.ok().map(|done| done.step));
}

async fn holds(library: &Library) -> Result<(), TestCaseError> {
    let seen = seen(library).await;
    let mut feeds: BTreeMap<i64, (i64, i64, i64)> = BTreeMap::new();
    for article in seen.iter().filter(|article| !article.hidden) {
        let count = feeds.entry(article.feed).or_default();
        *count = (count.0 + 1, count.1 + i64::from(!article.read), count.2 + i64::from(article.starred));
    }
    for FeedCount { feed_id, items, unread, starred } in library.counts().by_feed().await.unwrap() {
        prop_assert_eq!((items, unread, starred), feeds.get(&feed_id).copied().unwrap_or_default());
    }
    let hidden: Vec<i64> = seen.iter().filter(|article| article.hidden).map(|article| article.id).collect();
    prop_assert_eq!(library.articles().count_hidden().await.unwrap(), i64::try_from(hidden.len()).unwrap());
    let mut late = None;
    for tag in library.tags().list().await.unwrap() {
        let with = || seen.iter().filter(|article| !article.hidden && article.tags.contains(&tag.id));
        let unread = with().filter(|article| !article.read).count();
        prop_assert_eq!(
            (tag.items, tag.unread),
            (i64::try_from(with().count()).unwrap(), i64::try_from(unread).unwrap())
        );
        let query = ListQuery::newest(Source::Tag(tag.id), 50);
        let mut listed: Vec<i64> = library.lists().page(query).await.unwrap().0.into_iter().map(|row| row.id).collect();
        listed.sort_unstable();
        prop_assert_eq!(listed, with().map(|article| article.id).collect::<Vec<_>>());
        if tag.name.eq_ignore_ascii_case("late") {
            late = Some(tag.id);
        }
    }
    loop {
        let batch = library.search_index().pending(None, 50).await.unwrap();
        if batch.is_empty() {
            break;
        }
        library
            .search_index()
            .add(&batch.iter().map(|article| article.indexed("", &CommonWords::default())).collect::<Vec<_>>())
            .await
            .unwrap();
    }
    let counts: BTreeMap<i64, UnreadFound> =
        library.saved_searches().count_unread(&chrono::Utc::now()).await.unwrap().into_iter().collect();
    for search in library.saved_searches().list().await.unwrap() {
        let found = |article: &&Seen| match search.query.as_str() {
            "grain" => !article.hidden && article.title.contains("grain"),
            "straw OR is:starred" => !article.hidden && (article.title.contains("straw") || article.starred),
            "tag:late" => !article.hidden && late.is_some_and(|late| article.tags.contains(&late)),
            "category:news -grain" => {
                !article.hidden && article.categories.contains("news") && !article.title.contains("grain")
            }
            _ => article.hidden,
        };
        let unread = seen.iter().filter(|article| !article.read).filter(found).count();
        let expected = UnreadFound { unread: u32::try_from(unread).unwrap(), more: false };
        prop_assert_eq!(counts[&search.id], expected, "{}", search.query);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn stored_numbers_equal_counting(acts in proptest::collection::vec(act(), 1..40)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let folder = tempfile::tempdir().unwrap();
            let library = Library::open(folder.path()).await.unwrap();
            let mut feeds = Vec::new();
            for number in 0..FEEDS {
                feeds.push(library.subscriptions().add(&NewSubscription::new(format!("https://{number}.example/feed"))).await.unwrap());
            }
            for query in QUERIES {
                library.saved_searches().add(query, query).await.unwrap();
            }
            let mut steps = Vec::new();
            for (number, act) in acts.iter().enumerate() {
                do_it(&library, act, &feeds, &mut steps).await;
                // The index may lag behind.
                if number % 3 == 0 {
                    holds(&library).await?;
                }
            }
            holds(&library).await?;
            let verified = library.check(false).await.unwrap();
            prop_assert!(verified.findings.is_empty(), "{:?}", verified.findings);
            Ok(())
        })?;
    }
}

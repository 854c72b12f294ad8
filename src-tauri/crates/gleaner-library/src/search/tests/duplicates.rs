//! Duplicates in the results of a search.

use super::*;

/// Subscribes to another feed.
async fn other_feed(library: &Library, name: &str) -> i64 {
    library.subscriptions().add(&NewSubscription::new(format!("https://{name}.example/feed"))).await.unwrap()
}

fn copy(feed: i64, number: i64, text: &str) -> NewItem {
    let url = format!("https://wire.example/{number}");
    let sort_at = now().timestamp_millis() + number * HOUR + feed;
    NewItem { canonical_url: Some(url), sort_at, ..article(&number.to_string(), &format!("{feed}.{number}"), text) }
}

async fn all_pages(library: &Library, query: &str, order: SearchOrder, limit: u32) -> Vec<String> {
    let (query, mut found, mut after) = (parse(query).unwrap(), Vec::new(), None);
    loop {
        let (hits, more) = library.search().find(&query, &now(), SearchPage { order, after, limit }).await.unwrap();
        assert!(hits.len() == limit as usize || !more, "only the last page is shorter");
        after = hits.last().map(Hit::cursor);
        found.extend(hits.into_iter().map(|hit| hit.row.title));
        if !more {
            return found;
        }
    }
}

#[tokio::test]
async fn a_search_finds_one_of_several_duplicates() {
    let Scratch { library, feed, folder: _folder } = scratch().await;
    let feeds = [feed, other_feed(&library, "b").await, other_feed(&library, "c").await];
    for feed in feeds {
        let text = |number: i64| if feed == feeds[1] { format!("wheat rye{number}") } else { "wheat".to_owned() };
        let items = (0..10).map(|number| Intent::Insert(Box::new(copy(feed, number, &text(number)))));
        store(&library, feed, items.collect()).await;
    }
    index_all(&library, 64).await;
    let newest_first: Vec<String> = (0..10).rev().map(|number| format!("{feed}.{number}")).collect();
    for limit in [1, 3, 4, 100] {
        assert_eq!(all_pages(&library, "wheat", SearchOrder::Date, limit).await, newest_first, "{limit}");
        assert_eq!(all_pages(&library, "whea*", SearchOrder::Date, limit).await, newest_first, "{limit}");
        assert_eq!(all_pages(&library, "feed:example", SearchOrder::Date, limit).await, newest_first, "{limit}");
        assert_eq!(all_pages(&library, "wheat", SearchOrder::Rank, limit).await.len(), 10, "{limit}");
    }
    // The first one of those that match.
    assert_eq!(all_pages(&library, "rye3 OR is:starred", SearchOrder::Date, 5).await, [format!("{}.3", feeds[1])]);
    assert_eq!(all_pages(&library, "wheat feed:c.example", SearchOrder::Date, 4).await.len(), 10);
    let most = library.search().count_unread(&parse("wheat").unwrap(), &now(), 9).await.unwrap();
    assert_eq!(most, UnreadFound { unread: 9, more: true });
    let all = library.search().count_unread(&parse("wheat").unwrap(), &now(), 10).await.unwrap();
    assert_eq!(all, UnreadFound { unread: 10, more: false });
    library.duplicates().set_combined(false).await.unwrap();
    assert_eq!(all_pages(&library, "wheat", SearchOrder::Date, 7).await.len(), 30);
    let all = library.search().count_unread(&parse("wheat").unwrap(), &now(), 99).await.unwrap();
    assert_eq!(all, UnreadFound { unread: 30, more: false });
}

#[tokio::test]
async fn a_duplicate_that_no_list_shows_hides_no_other() {
    let Scratch { library, feed, folder: _folder } = scratch().await;
    let other = other_feed(&library, "b").await;
    for feed in [feed, other] {
        store(&library, feed, vec![Intent::Insert(Box::new(copy(feed, 1, "wheat")))]).await;
    }
    index_all(&library, 64).await;
    assert_eq!(all_pages(&library, "wheat", SearchOrder::Date, 9).await, [format!("{feed}.1")]);
    library.articles().set_marks(&[1], &[(crate::Mark::Hidden, true)]).await.unwrap();
    assert_eq!(all_pages(&library, "wheat", SearchOrder::Date, 9).await, [format!("{other}.1")]);
    library.articles().set_marks(&[1], &[(crate::Mark::Hidden, false)]).await.unwrap();
    library.feeds().unsubscribe(&[feed]).await.unwrap();
    assert_eq!(all_pages(&library, "wheat", SearchOrder::Date, 9).await, [format!("{other}.1")]);
}

/// Returns a library with a group of this many duplicates.
async fn group_of(number: usize) -> Scratch {
    let scratch = scratch().await;
    let copies = i64::try_from(number).unwrap();
    scratch.add((0..copies).map(|number| copy(scratch.feed, number, "wheat")).collect()).await;
    let sql = "INSERT OR REPLACE INTO stories (item_id, story_id) SELECT id, 1 FROM items";
    let mut writer = scratch.library.db.writer().await;
    let mut transaction = writer.begin().await.unwrap();
    sqlx::query(sql).execute(&mut *transaction).await.unwrap();
    transaction.commit().await.unwrap();
    drop(writer);
    scratch
}

#[test]
fn a_search_in_a_large_group_of_duplicates_takes_time_in_proportion_to_it() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let make = |number| runtime.block_on(group_of(number));
    gleaner_cpu_time::assert_linear("a search", 500, make, |Scratch { library, feed, .. }| {
        for order in [SearchOrder::Date, SearchOrder::Rank] {
            assert_eq!(runtime.block_on(all_pages(library, "wheat", order, 100)).len(), 1, "{feed}");
        }
    });
}

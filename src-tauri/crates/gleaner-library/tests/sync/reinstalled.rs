//! Subscriptions of a server that was installed again, or that has lost its database: its ids are those of other feeds.

use super::Fixture;
use gleaner_library::RemoteFeed;
use std::collections::HashMap;

fn feed(id: &str, name: &str) -> RemoteFeed {
    RemoteFeed {
        remote_id: id.to_owned(),
        title: format!("Title of {name}"),
        url: format!("https://feeds.example/{name}"),
        ..RemoteFeed::default()
    }
}

#[tokio::test]
async fn a_new_installation_of_a_server_with_other_ids_loses_no_feed() {
    let numbered = |numbers: [usize; 5]| {
        let feeds = ["a", "b", "c", "d", "e"].into_iter().zip(numbers);
        feeds.map(|(name, id)| feed(&id.to_string(), name)).collect::<Vec<_>>()
    };
    for (before, after) in [([1, 3, 5, 6, 9], [1, 2, 3, 4, 5]), ([5, 1, 2, 3, 4], [2, 9, 1, 8, 7])] {
        let f = Fixture::empty().await;
        f.library.sync().store_feeds(f.account, &numbered(before), true).await.unwrap();
        let first = f.library.sync().feeds(f.account).await.unwrap();
        let stored = f.library.sync().store_feeds(f.account, &numbered(after), false).await.unwrap();
        assert_eq!((stored.added.len(), stored.left.len(), stored.missing), (0, 0, 0));
        let second = f.library.sync().feeds(f.account).await.unwrap();
        let ids = |numbers: [usize; 5], of: &HashMap<String, i64>| numbers.map(|id| of[&id.to_string()]);
        assert_eq!((ids(before, &first), second.len()), (ids(after, &second), 5));
        assert!(f.changes().await.is_empty(), "nothing is sent");
    }
}

#[tokio::test]
async fn a_feed_does_not_become_another_known_one_whose_id_changed() {
    let f = Fixture::empty().await;
    let list = [feed("1", "b"), feed("2", "c"), feed("3", "d"), feed("4", "e"), feed("5", "a")];
    f.library.sync().store_feeds(f.account, &list, true).await.unwrap();
    let first = f.library.sync().feeds(f.account).await.unwrap();
    let list = [feed("1", "c"), feed("2", "a"), feed("3", "d"), feed("4", "e")];
    let stored = f.library.sync().store_feeds(f.account, &list, false).await.unwrap();
    let second = f.library.sync().feeds(f.account).await.unwrap();
    assert_eq!((second["1"], second["2"], second.len()), (first["2"], first["5"], 4));
    assert_eq!((stored.added.len(), stored.left), (0, vec![first["1"]]), "b is gone");
    assert!(f.changes().await.is_empty(), "nothing is sent");
}

#[tokio::test]
async fn the_second_feed_with_an_address_keeps_its_id_without_the_first() {
    let f = Fixture::empty().await;
    let list = [feed("1", "a"), feed("2", "a"), feed("3", "b")];
    f.library.sync().store_feeds(f.account, &list, false).await.unwrap();
    let first = f.library.sync().feeds(f.account).await.unwrap();
    let stored = f.library.sync().store_feeds(f.account, &list[1..], false).await.unwrap();
    let second = f.library.sync().feeds(f.account).await.unwrap();
    assert_eq!((second["2"], second.len(), stored.left), (first["2"], 2, vec![first["1"]]));
}

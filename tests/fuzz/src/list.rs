//! Checks of subscription lists.

use gleaner_feed::{
    RepairKind,
    opml::{self, Subscription},
};

/// Asserts that a list that was written and read again has every feed with all its attributes, and every
/// folder.
pub fn opml(data: &[u8]) {
    let read = opml::read(data);
    assert_eq!(read, opml::read(data), "the same bytes give the same list");
    let Ok(list) = read else { return };
    for feed in &list.feeds {
        assert!(!feed.url.is_empty() && feed.url.trim() == feed.url, "{feed:?}");
    }
    let Ok(written) = opml::write(&list) else { panic!("a list could not be written") };
    let again = opml::read(written.as_bytes()).unwrap_or_else(|error| panic!("{error}: {written}"));
    if let [repair] = again.repairs.as_slice()
        && repair.kind == RepairKind::DoubleEncodedUtf8
    {
        // The list itself contains such text, which the second reading repairs.
        return;
    }
    assert!(again.repairs.is_empty(), "{:?}: {written}", again.repairs);
    assert!(again.skipped.is_empty(), "{:?}: {written}", again.skipped);
    assert_eq!(again.title, list.title);
    assert_eq!(sorted(again.feeds.clone()), sorted(list.feeds), "{written}");
    let folders = |mut folders: Vec<Vec<String>>| {
        folders.sort();
        folders
    };
    assert_eq!(folders(again.folders.clone()), folders(list.folders), "{written}");
    // The first writing may put feeds of one folder together; the second changes nothing.
    assert_eq!(opml::write(&again), Ok(written));
}

/// Sorts feeds and their attributes, since the attributes of OPML are written first.
fn sorted(mut feeds: Vec<Subscription>) -> Vec<Subscription> {
    feeds.iter_mut().for_each(|feed| feed.other.sort());
    feeds.sort_by_cached_key(|feed| format!("{feed:?}"));
    feeds
}

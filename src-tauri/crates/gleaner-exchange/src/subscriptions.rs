//! Subscriptions as OPML.

use gleaner_feed::opml::{self, NotWritten, Subscription, SubscriptionList};
use gleaner_library::SubscriptionTree;

/// Returns all subscriptions as OPML.
///
/// # Errors
/// [`NotWritten`] when the XML writer fails.
pub fn subscriptions_opml(tree: SubscriptionTree) -> Result<String, NotWritten> {
    let feeds = tree.feeds.into_iter().map(|feed| Subscription {
        url: feed.url,
        title: Some(feed.title),
        own_title: feed.own_title,
        home_url: feed.home_url,
        folder: feed.folder,
        other: feed.outline,
    });
    opml::write(&SubscriptionList {
        title: Some("Gleaner".to_owned()),
        folders: tree.folders,
        feeds: feeds.collect(),
        ..Default::default()
    })
}

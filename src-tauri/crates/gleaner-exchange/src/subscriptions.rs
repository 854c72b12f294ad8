use gleaner_feed::opml::{self, Subscription, SubscriptionList};
use gleaner_library::SubscriptionTree;

/// All that is subscribed, as OPML.
#[must_use]
pub fn subscriptions_opml(tree: SubscriptionTree) -> String {
    let feeds = tree.feeds.into_iter().map(|feed| Subscription {
        url: feed.url,
        title: Some(feed.title),
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

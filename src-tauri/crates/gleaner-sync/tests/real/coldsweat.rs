//! Two devices that agree through a real Coldsweat.

use crate::Device;
use gleaner_fetch::{Fetcher, Limits};
use gleaner_sync::{Kind, Report, SyncError, find};
use gleaner_testserver::{
    Server,
    real::{Coldsweat, feed, skip},
};
use url::Url;

#[tokio::test(flavor = "multi_thread")]
async fn two_devices_agree_through_a_real_server() {
    let feeds = Server::start().await;
    feeds.on_request("*", |request| feed(&request.target, 60));
    let outlines: String = (1..=2)
        .map(|number| {
            format!("<outline type='rss' text='Feed {number}' xmlUrl='{}'/>", feeds.url(&format!("/{number}.xml")))
        })
        .collect();
    let list = format!("<opml version='2.0'><head/><body><outline text='News'>{outlines}</outline></body></opml>");
    let Some(server) = tokio::task::spawn_blocking(move || Coldsweat::start(&list)).await.unwrap() else {
        return skip("coldsweat-up.sh", "COLDSWEAT_BIN");
    };
    let address: Url = server.address().parse().unwrap();
    let fetcher = Fetcher::new(Limits::default()).unwrap();
    let refused = find(&fetcher, &address, None, Coldsweat::USER, "wrong", None).await;
    assert!(matches!(refused, Err(SyncError::Login)), "{refused:?}");

    let mut one = Device::new(&address, Coldsweat::USER, Coldsweat::PASSWORD, Kind::Fever).await;
    let report = one.sync().await;
    assert_eq!((report.new, report.feeds_added, report.incomplete), (120, 2, false));
    assert_eq!(one.sync().await, Report::default(), "nothing changed");
    let mut two = Device::new(&address, Coldsweat::USER, Coldsweat::PASSWORD, Kind::Fever).await;
    assert_eq!(two.sync().await.new, 120);
    assert_eq!(two.marks().await, one.marks().await);

    let items = one.items().await;
    one.library.articles().mark(&items[..20], Some(true), None).await.unwrap();
    one.library.articles().mark(&items[15..25], None, Some(true)).await.unwrap();
    assert_eq!(one.sync().await.sent, 30);
    assert_eq!(two.sync().await.changed, 25);
    assert_eq!(two.marks().await, one.marks().await);

    // Both at the same time, and what both mark.
    let others = two.items().await;
    two.library.articles().mark(&others[18..22], Some(false), Some(false)).await.unwrap();
    one.library.articles().mark(&items[100..], Some(true), None).await.unwrap();
    one.sync().await;
    two.sync().await;
    one.sync().await;
    assert_eq!(two.marks().await, one.marks().await);
    assert_eq!(one.sync().await, Report::default());
    tokio::task::spawn_blocking(move || drop(server)).await.unwrap();
}

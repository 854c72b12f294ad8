//! Two devices that agree through a real Tiny Tiny RSS.

use crate::Device;
use gleaner_fetch::{Accept, Fetcher, Limits, Method, Payload, Request};
use gleaner_sync::{Kind, Report, SyncError, find};
use gleaner_testserver::{
    Server,
    real::{TtRss, feed, skip},
};
use serde_json::{Value, json};
use url::Url;

/// Sends a request to the API, and returns the content of the response.
async fn ask(address: &Url, body: Value) -> Value {
    let payload =
        Payload { method: Method::Post, content_type: "application/json", body: body.to_string().into_bytes() };
    let request = Request::new(address.join("api/").unwrap()).accept(Accept::Api);
    let request = Request { payload: Some(payload), ..request };
    let response = Fetcher::new(Limits::default()).unwrap().fetch(request).await.unwrap();
    serde_json::from_slice::<Value>(&response.body.unwrap()).unwrap()["content"].take()
}

#[tokio::test]
async fn two_devices_agree_through_a_real_server() {
    let feeds = Server::start().await;
    feeds.on_request("*", |request| feed(&request.target, 150));
    let proxy = feeds.address().to_string();
    let Some(server) = tokio::task::spawn_blocking(|| TtRss::start(proxy)).await.unwrap() else {
        return skip("ttrss-up.sh", "PHP and PostgreSQL");
    };
    let address: Url = server.address().parse().unwrap();
    let fetcher = Fetcher::new(Limits::default()).unwrap();
    let refused = find(&fetcher, &address, None, TtRss::USER, "wrong", None).await;
    assert!(matches!(refused, Err(SyncError::Login)), "{refused:?}");

    let mut one = Device::new(&address, TtRss::USER, TtRss::PASSWORD, Kind::TtRss).await;
    for number in 1..=3 {
        let url = format!("http://feeds.test/{number}.xml");
        one.library.sync().subscribe(one.account, &url, None, None).await.unwrap();
    }
    assert_eq!(one.sync().await.changes_sent, 3);
    let session = ask(&address, json!({ "op": "login", "user": TtRss::USER, "password": TtRss::PASSWORD })).await;
    for feed in one.library.sync().feeds(one.account).await.unwrap().keys() {
        let fetched = ask(&address, json!({ "op": "updateFeed", "sid": session["session_id"], "feed_id": feed })).await;
        assert_eq!(fetched["status"], "OK");
    }
    one.sync().await;
    let first = one.marks().await;
    assert_eq!(first.len(), 450);
    assert!(first.values().all(|marks| *marks == (false, false)));
    assert_eq!(one.sync().await, Report::default(), "nothing changed");

    let mut two = Device::new(&address, TtRss::USER, TtRss::PASSWORD, Kind::TtRss).await;
    let report = two.sync().await;
    assert_eq!((report.new, report.feeds_added, report.incomplete), (450, 3, false));
    assert_eq!(two.marks().await, first);

    let items = one.items().await;
    one.library.articles().mark(&items[..300], Some(true), None).await.unwrap();
    one.library.articles().mark(&items[290..310], None, Some(true)).await.unwrap();
    assert_eq!(one.sync().await.sent, 320);
    let before = two.requests();
    let report = two.sync().await;
    assert_eq!((report.changed, report.incomplete), (310, false));
    // Folders, feeds, what arrived, counters, two pages of what was read last, what was starred last.
    assert_eq!(two.requests() - before, 7);
    let before = one.requests();
    assert_eq!(one.sync().await, Report::default());
    assert_eq!(one.requests() - before, 4, "nothing changed since the marks were sent");
    assert_eq!(two.marks().await, one.marks().await);

    // Both at the same time, and what both mark.
    let others = two.items().await;
    two.library.articles().mark(&others[295..305], Some(false), Some(false)).await.unwrap();
    one.library.articles().mark(&items[400..], Some(true), None).await.unwrap();
    one.sync().await;
    two.sync().await;
    one.sync().await;
    assert_eq!(two.marks().await, one.marks().await);
    assert_eq!(one.sync().await, Report::default());
    assert_eq!(two.sync().await, Report::default());

    let feeds = one.library.sync().feeds(one.account).await.unwrap();
    one.library.feeds().unsubscribe(&[*feeds.values().min().unwrap()]).await.unwrap();
    assert_eq!(one.sync().await.changes_sent, 1);
    assert_eq!(two.sync().await.feeds_left, 1);
    tokio::task::spawn_blocking(move || drop(server)).await.unwrap();
}

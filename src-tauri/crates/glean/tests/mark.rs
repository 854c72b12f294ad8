//! `glean mark`.
#![allow(clippy::unwrap_used)]

mod common;

use common::{glean, json, run};
use gleaner_testserver::{Reply, Server};

const FEED: &str = "<rss version=\"2.0\"><channel><title>Harbour</title><item><guid isPermaLink=\"false\">1</guid>\
    <title>Boats</title></item><item><guid isPermaLink=\"false\">2</guid><title>Nets</title></item></channel></rss>";

#[tokio::test(flavor = "multi_thread")]
async fn marks_and_tags_articles() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    server.on("/feed", Reply::ok(FEED));
    let found = |query: &str| {
        let found = json(&glean(folder.path(), &["search", "--json", query]));
        found["hits"].as_array().unwrap().iter().map(|hit| hit["id"].to_string()).collect::<Vec<_>>()
    };
    assert!(glean(folder.path(), &["add", &server.url("/feed")]).status.success());
    let (boats, nets) = (found("boats").remove(0), found("nets").remove(0));
    let (code, output) = run(folder.path(), &["mark", "--read", "--star", "--tag", "port", &boats, &nets]);
    assert_eq!((code, output.as_str()), (Some(0), "2 articles marked.\n"));
    assert_eq!(found("is:read is:starred tag:port").len(), 2);
    assert_eq!(run(folder.path(), &["mark", "--unread", "--unstar", "--untag", "port", &boats]).0, Some(0));
    assert_eq!(found("is:read"), [nets.as_str()]);
    assert_eq!(found("tag:port"), [nets.as_str()]);
    assert_eq!(run(folder.path(), &["mark", "--untag", "bay", &nets, &nets]).1, "1 article marked.\n");
    let tags = json(&glean(folder.path(), &["search", "--json", "tag:bay"]));
    assert_eq!(tags["hits"].as_array().map(Vec::len), Some(0));

    let (code, output) = run(folder.path(), &["mark", "--star", &boats, "999999"]);
    assert!(code == Some(1) && output.contains("there is no article 999999"), "{output}");
    assert_eq!(found("is:starred"), [nets.as_str()], "all of them or none");
    for wrong in [
        &["mark", &boats][..],
        &["mark", "--read"],
        &["mark", "--read", "--unread", &boats],
        &["mark", "--star", "--tag", " ", &boats],
    ] {
        assert_eq!(run(folder.path(), wrong).0, Some(2), "{wrong:?}");
    }
}

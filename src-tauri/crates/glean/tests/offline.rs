//! `glean offline`.
#![allow(clippy::unwrap_used)]

mod common;

use common::run;
use gleaner_testserver::{Reply, Server};

#[tokio::test(flavor = "multi_thread")]
async fn sets_and_runs_downloads() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    let glean = |words: &[&str]| run(folder.path(), words);
    let page = format!(
        "<html><body><article>{}</article></body></html>",
        "<p>The whole of it, on its own page.</p>".repeat(20)
    );
    server.on("/a", Reply::ok(page).header("Content-Type", "text/html"));
    server.on("/p.png", Reply::ok(&b"\x89PNG\r\n\x1a\n.."[..]));
    let item = |name: &str| {
        let link = server.url(&format!("/{name}"));
        format!(
            "<item><title>{name}</title><link>{link}</link><description>&lt;img src='/p.png'&gt;</description></item>"
        )
    };
    let feed = format!("<rss version='2.0'><channel><title>Harbour</title>{}{}</channel></rss>", item("a"), item("b"));
    server.on("/feed", Reply::ok(feed));
    assert_eq!(glean(&["add", &server.url("/feed")]).0, Some(0));
    assert_eq!(glean(&["refresh", "--all"]).0, Some(0));

    let (code, output) = glean(&["offline"]);
    assert!(code == Some(0) && output.contains("0 full texts and 0 images downloaded"), "{output}");
    let (code, output) = glean(&["offline", "--text"]);
    assert!(code == Some(2) && output.contains("--feed <FEED>|--starred|--all"), "{output}");
    assert_eq!(glean(&["offline", "--text", "--room", "500"]).0, Some(2), "no articles are chosen");
    assert_eq!(glean(&["offline", "--feed", "Harbour", "--all"]).0, Some(2));
    let (code, output) = glean(&["offline", "--feed", "Nowhere", "--text"]);
    assert!(code == Some(1), "{output}");
    let (code, output) = glean(&["offline", "--starred", "--text", "--room", "1"]);
    assert!(code == Some(0) && output.contains("Starred articles: full texts"), "{output}");
    let (code, output) = glean(&["offline", "--feed", "harbour", "--text", "--images"]);
    assert!(code == Some(0) && output.contains("full texts and images are downloaded"), "{output}");
    assert!(output.contains("4 downloads added (of images, where an article has any)"), "{output}");

    let (code, output) = glean(&["offline", "--json"]);
    assert_eq!(code, Some(1), "one page is missing: {output}");
    let report: serde_json::Value = serde_json::from_str(output.lines().next().unwrap()).unwrap();
    for (name, value) in [
        ("texts", 1),
        ("failed", 1),
        ("waiting", 0),
        ("given_up", 1),
        ("texts_kept", 1),
        ("pictures_kept", 1),
        ("picture_bytes", 10),
    ] {
        assert_eq!(report[name], value, "{name}: {report}");
    }
    assert_eq!((&report["offline"], &report["cancelled"]), (&false.into(), &false.into()));
    assert_eq!(server.requests_to("/p.png").len(), 1);
    let (code, output) = glean(&["offline", "--feed", "Harbour", "--as-all"]);
    assert!(code == Some(0) && output.contains("same as all feeds"), "{output}");
    assert_eq!(glean(&["check"]).0, Some(0));
}

//! `glean ahead` as a person uses it.
#![allow(clippy::unwrap_used)]

mod common;

use common::told;
use gleaner_testserver::{Reply, Server};

#[tokio::test(flavor = "multi_thread")]
async fn wishes_are_told_and_worked_off() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    let said = |words: &[&str]| told(folder.path(), words);
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
    assert_eq!(said(&["add", &server.url("/feed")]).0, Some(0));
    assert_eq!(said(&["refresh", "--all"]).0, Some(0));

    let (code, words) = said(&["ahead"]);
    assert!(code == Some(0) && words.contains("0 full texts and 0 pictures came"), "{words}");
    let (code, words) = said(&["ahead", "--text"]);
    assert!(code == Some(1) && words.contains("--feed FEED, --starred or --all"), "{words}");
    assert_eq!(said(&["ahead", "--feed", "Harbour", "--all"]).0, Some(2));
    let (code, words) = said(&["ahead", "--feed", "Nowhere", "--text"]);
    assert!(code == Some(1), "{words}");
    let (code, words) = said(&["ahead", "--starred", "--text", "--room", "1"]);
    assert!(code == Some(0) && words.contains("Of starred articles: full texts"), "{words}");
    let (code, words) = said(&["ahead", "--feed", "harbour", "--text", "--pictures"]);
    assert!(code == Some(0) && words.contains("full texts and pictures are fetched ahead"), "{words}");
    assert!(words.contains("4 texts and articles' pictures are asked for"), "{words}");

    let (code, words) = said(&["ahead", "--json"]);
    assert_eq!(code, Some(1), "one page is not there: {words}");
    let report: serde_json::Value = serde_json::from_str(words.lines().next().unwrap()).unwrap();
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
    let (code, words) = said(&["ahead", "--feed", "Harbour", "--as-all"]);
    assert!(code == Some(0) && words.contains("as for all feeds"), "{words}");
    assert_eq!(said(&["check"]).0, Some(0));
}

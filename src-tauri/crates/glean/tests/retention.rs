//! `glean retention` and `glean versions`, run against a library and a server on loopback.
#![allow(clippy::unwrap_used)]

mod common;

use common::{glean, json, text};
use gleaner_testserver::{Reply, Server};

/// Returns a feed of articles with these texts, oldest first.
fn rss(texts: &[&str]) -> String {
    let item = |(number, text): (usize, &&str)| {
        let day = number + 1;
        format!(
            "<item><guid isPermaLink=\"false\">{day}</guid><title>Day {day}</title>\
             <pubDate>{day:02} Jan 2024 08:00:00 GMT</pubDate><description>{text}</description></item>"
        )
    };
    let items: String = texts.iter().enumerate().map(item).collect();
    format!("<rss version=\"2.0\"><channel><title>Mill</title><link>https://example.com/</link>{items}</channel></rss>")
}

#[tokio::test(flavor = "multi_thread")]
async fn deletes_articles_beyond_the_limit_and_restores_them() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    let run = |words: &[&str]| glean(folder.path(), words);
    server.on("/feed", Reply::ok(rss(&["Wheat"; 5])).header("Content-Type", "application/rss+xml"));
    assert!(run(&["add", "--folder", "Land/Inner", &server.url("/feed")]).status.success());
    assert!(run(&["refresh", "--all"]).status.success());
    assert!(text(&run(&["keep"])).contains("Retention (inherited): all articles are kept."));

    let articles = || json(&run(&["stats", "--json"]))["articles"].clone();
    let preview =
        json(&run(&["retention", "--folder", "Land", "--articles", "2", "--unread-too", "--preview", "--json"]));
    assert_eq!((&preview["going"], &preview["until"], articles()), (&3.into(), &().into(), 5.into()));
    let output = text(&run(&["retention", "--folder", "Land", "--articles", "2"]));
    assert!(output.contains("unread, starred") && output.contains("0 articles deleted"), "{output}");
    let output = text(&run(&["retention", "--folder", "Land", "--articles", "2", "--unread-too"]));
    assert!(output.contains("3 articles deleted") && output.contains("Day 1") && output.contains("Day 3"), "{output}");
    assert_eq!(articles(), 2);
    // Deleted articles that are still in the feed are not added again. The feed inherits the folder's policy.
    assert!(run(&["refresh", "--all"]).status.success());
    let inherited = json(&run(&["retention", "--feed", "Mill", "--json"]));
    assert_eq!((&inherited["articles"], &inherited["own"], &inherited["going"]), (&2.into(), &false.into(), &0.into()));
    assert!(inherited["until"].is_i64() && articles() == 2, "{inherited}");

    // A refresh adds articles and deletes those beyond the limit.
    server.on("/feed", Reply::ok(rss(&["Wheat"; 7])).header("Content-Type", "application/rss+xml"));
    assert!(run(&["refresh", "--all"]).status.success());
    assert_eq!(articles(), 2);

    assert!(text(&run(&["retention", "--restore"])).contains("5 articles restored"));
    assert!(text(&run(&["retention", "--run"])).contains("0 articles deleted"));
    assert_eq!(articles(), 7);
    assert!(run(&["check"]).status.success());
}

#[tokio::test(flavor = "multi_thread")]
async fn shows_previous_versions_with_their_changes() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    let run = |words: &[&str]| glean(folder.path(), words);
    let serve = |words: &str| {
        server.on("/feed", Reply::ok(rss(&[words])).header("Content-Type", "application/rss+xml"));
    };
    serve("Wheat stands high");
    assert!(run(&["add", &server.url("/feed")]).status.success());
    assert!(run(&["refresh", "--all"]).status.success());
    assert!(text(&run(&["versions", "1"])).contains("has not changed"));
    serve("Wheat stood very high");
    assert!(run(&["refresh", "--all"]).status.success());
    let versions = json(&run(&["versions", "--json", "1"]));
    let [version] = versions.as_array().unwrap().as_slice() else { panic!("{versions}") };
    assert_eq!((&version["inserted"], &version["deleted"]), (&2.into(), &1.into()), "{versions}");
    assert!(version["difference"].as_str().unwrap().contains("<del class=\"gl-del\""), "{versions}");
    assert!(text(&run(&["versions", "1"])).contains("+2 -1 words  Day 1"));
    // As many as are allowed by hand.
    for words in 2..5 {
        serve(&format!("Wheat stood {}high", "very ".repeat(words)));
        assert!(run(&["refresh", "--all"]).status.success());
    }
    let versions = json(&run(&["versions", "--json", "1"]));
    let versions = versions.as_array().unwrap();
    assert_eq!(versions.len(), 4);
    assert!(versions.iter().take(3).all(|version| version["inserted"] == 1 && version["deleted"] == 0), "{versions:?}");
    assert!(versions.is_sorted_by_key(|version| std::cmp::Reverse(version["until"].as_i64())));
}

#[test]
fn rejects_invalid_arguments() {
    let folder = tempfile::tempdir().unwrap();
    for (words, expected, status) in [
        (vec!["retention", "--folder", "Nowhere", "--days", "3"], "there is no folder Nowhere", 1),
        (vec!["retention", "--days", "0"], "--days", 2),
        (vec!["retention", "--unread-too"], "--days", 2),
        (vec!["retention", "--restore", "--run"], "--restore", 2),
        (vec!["versions", "7"], "article", 1),
    ] {
        let output = glean(folder.path(), &words);
        assert_eq!(output.status.code(), Some(status), "{words:?}: {}", text(&output));
        assert!(String::from_utf8_lossy(&output.stderr).contains(expected), "{words:?}: {}", text(&output));
    }
}

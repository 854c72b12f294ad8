//! `glean rules`, run against a library and a server on loopback.
#![allow(clippy::unwrap_used)]

mod common;

use common::{glean, json, text};
use gleaner_testserver::{Reply, Server};

fn rss(titles: &[&str]) -> String {
    let items: String = titles
        .iter()
        .map(|title| format!("<item><guid isPermaLink=\"false\">{title}</guid><title>{title}</title></item>"))
        .collect();
    format!("<rss version=\"2.0\"><channel><title>Mill</title><link>https://example.com/</link>{items}</channel></rss>")
}

#[tokio::test(flavor = "multi_thread")]
async fn adds_previews_applies_and_deletes_a_rule() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    let run = |words: &[&str]| glean(folder.path(), words);
    server.on("/feed", Reply::ok(rss(&["Wheat", "Rye"])).header("Content-Type", "application/rss+xml"));
    assert!(text(&run(&["rules"])).contains("No rules yet"));
    assert!(run(&["add", "--folder", "Land/Inner", &server.url("/feed")]).status.success());
    assert!(run(&["refresh", "--all"]).status.success());

    let preview =
        json(&run(&["rules", "preview", "--json", "--do", "read,tag:To eat", "--folder", "Land", "wheat", "-rye"]));
    assert_eq!((&preview["articles"], &preview["newest"][0]["title"]), (&1.into(), &"Wheat".into()));
    assert_eq!(preview["changes"][1], serde_json::json!({ "action": "tag:To eat", "articles": 1 }));

    let added =
        run(&["rules", "add", "--name", "Bread", "--feed", "Mill", "--do", "star,tag:To eat", "wheat", "OR", "oats"]);
    assert!(added.status.success() && text(&added).contains("Added rule 1"), "{}", text(&added));
    let listed = json(&run(&["rules", "--json"]));
    assert_eq!(
        listed,
        serde_json::json!([{
            "id": 1, "name": "Bread", "query": "wheat OR oats", "feed": server.url("/feed"), "folder": null,
            "actions": ["star", "tag:To eat"], "enabled": true, "touched": 0, "broken": null,
        }])
    );
    assert!(text(&run(&["rules", "apply", "bread"])).contains("1 article changed"));
    server.on("/feed", Reply::ok(rss(&["Oats", "Wheat", "Rye"])));
    assert!(run(&["refresh", "--all"]).status.success());
    let found = json(&run(&["search", "--json", "tag:eat is:starred"]));
    assert_eq!(found["hits"].as_array().unwrap().len(), 2, "{found}");
    assert!(text(&run(&["rules"])).contains("2 articles changed so far"));

    assert_eq!(text(&run(&["rules", "disable", "1"])), "Disabled rule Bread.\n");
    assert!(text(&run(&["rules"])).contains("disabled"));
    assert_eq!(text(&run(&["rules", "enable", "bread"])), "Enabled rule Bread.\n");
    assert!(run(&["rules", "delete", "1"]).status.success());
    assert_eq!(json(&run(&["rules", "--json"])), serde_json::json!([]));
}

#[test]
fn rejects_invalid_arguments() {
    let folder = tempfile::tempdir().unwrap();
    for (words, expected, status) in [
        (vec!["rules", "apply", "7"], "no rule 7", 1),
        (vec!["rules", "add", "--do", "sing", "x"], "unknown action `sing`", 2),
        (vec!["rules", "add", "--do", "hide", "is:nonsense"], "is:", 2),
        (vec!["rules", "add", "--do", "hide", "--folder", "Nowhere", "x"], "no folder Nowhere", 1),
        (vec!["rules", "add", "--do", "hide", "--folder", "", "x"], "folder path is empty", 2),
        (vec!["rules", "add", "x"], "--do", 2),
    ] {
        let output = glean(folder.path(), &words);
        assert_eq!(output.status.code(), Some(status), "{words:?}: {}", text(&output));
        assert!(String::from_utf8_lossy(&output.stderr).contains(expected), "{words:?}: {}", text(&output));
    }
}

#[test]
fn the_number_of_a_rule_finds_it_where_another_one_has_it_as_name() {
    let folder = tempfile::tempdir().unwrap();
    for (name, query) in [("Bread", "rye"), ("1", "oats")] {
        assert!(glean(folder.path(), &["rules", "add", "--name", name, "--do", "star", query]).status.success());
    }
    let deleted = glean(folder.path(), &["rules", "delete", "1"]);
    assert!(deleted.status.success() && text(&deleted).contains("Bread"), "{}", text(&deleted));
    let deleted = glean(folder.path(), &["rules", "delete", "1"]);
    assert!(deleted.status.success(), "{}", text(&deleted));
    assert_eq!(json(&glean(folder.path(), &["rules", "--json"])), serde_json::json!([]));
}

//! The examples of the user guide (docs/guide): its commands succeed, and its searches find what it says.
#![allow(clippy::unwrap_used)]

mod common;

use common::{glean, json, text};
use gleaner_testserver::{Reply, Server};
use std::{collections::BTreeSet, fs, path::Path};

/// Returns the pages of the guide: names and texts.
fn pages() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/guide");
    let mut pages: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read_to_string(path).unwrap()))
        .collect();
    pages.sort();
    pages
}

/// An article about boats that is 40 days old, and the one that the searches of the guide describe.
const FEED: &str = r#"<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Harbour diary</title>
<item><guid isPermaLink="false">1</guid><title>Boats in winter</title><pubDate>OLD</pubDate>
 <description>The boats are laid up, before the football season and its tennis.</description></item>
<item><guid isPermaLink="false">2</guid><title>The old tree</title><pubDate>NEW</pubDate><dc:creator>Ann Moss</dc:creator>
 <enclosure url="MEDIA" type="audio/mpeg" length="9"/>
 <description>On slow reading on a balcony, above the gardens, with coffee. WORDS</description></item>
</channel></rss>"#;

async fn example_com() -> Server {
    let server = Server::start().await;
    let day = |days| (chrono::Utc::now() - chrono::Duration::days(days)).to_rfc2822();
    let feed = FEED.replace("OLD", &day(2000)).replace("NEW", &day(3)).replace("WORDS", &"leaf ".repeat(600));
    let feed = feed.replace("MEDIA", &server.url("/2.mp3"));
    server.on("/2.mp3", Reply::ok(b"\xff\xfb sound".repeat(100)).header("Content-Type", "audio/mpeg"));
    let page = "<html><head><link rel=alternate type=application/rss+xml href=/feed.xml></head></html>";
    server.on("/", Reply::ok(page).header("Content-Type", "text/html"));
    let news = |day| format!("<li><a href=/{day}>The boats of day {day} are back</a> 2026-11-0{day}</li>");
    let news: String = (1..6).map(news).collect();
    server.on("/news", Reply::ok(format!("<ul>{news}</ul>")).header("Content-Type", "text/html"));
    server.on("/feed.xml", Reply::ok(feed).header("Content-Type", "application/rss+xml"));
    server
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_of_the_guide_succeed() {
    let (server, folder) = (example_com().await, tempfile::tempdir().unwrap());
    let library = folder.path().join("library");
    let here = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::create_dir(here("Notes")).unwrap();
    let mut done = BTreeSet::new();
    for (page, source) in pages() {
        for line in source.lines().filter_map(|line| line.strip_prefix("    glean ")) {
            let words: Vec<String> = shlex::split(line)
                .unwrap()
                .into_iter()
                .map(|word| match word.as_str() {
                    folder if folder.starts_with("~/") => here(&folder[2..]),
                    // The number of an article, as the guide explains.
                    "42" => json(&glean(&library, &["search", "--json", "boats"]))["hits"][0]["id"].to_string(),
                    file if file.ends_with(".opml") || file.ends_with(".epub") || file.ends_with(".zip") => here(file),
                    _ => word.replace("https://example.com/", &server.url("/")),
                })
                .collect();
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let output = glean(&library, &words);
            assert!(output.status.success(), "{page}: glean {line}: {}", text(&output));
            done.insert(words[0].to_owned());
        }
    }
    let expected = [
        "add",
        "refresh",
        "why",
        "search",
        "rules",
        "retention",
        "export",
        "backup",
        "share",
        "inspect",
        "download",
        "feed",
        "mark",
    ];
    assert!(expected.iter().all(|command| done.contains(*command)), "{done:?}");
    for file in ["feeds.opml", "boats.epub", "library.zip"] {
        assert!(fs::metadata(here(file)).unwrap().len() > 100, "{file}");
    }
    assert_eq!(fs::read_dir(here("Notes")).unwrap().count(), 1, "the article was saved");
}

#[tokio::test(flavor = "multi_thread")]
async fn inspects_the_list_of_a_page() {
    let (server, folder) = (example_com().await, tempfile::tempdir().unwrap());
    let document = json(&glean(folder.path(), &["inspect", "--page", "--json", &server.url("/news")]));
    let item = &document["items"][4];
    assert_eq!((&document["format"], &item["title"]), (&"page".into(), &"The boats of day 5 are back".into()));
    assert_eq!((&item["date"], &item["url"]), (&"2026-11-05".into(), &server.url("/5").into()));
    // A feed has no list, and its own report has no such date.
    let document = json(&glean(folder.path(), &["inspect", "--page", "--json", &server.url("/feed.xml")]));
    assert_eq!(document["items"], serde_json::json!([]));
    let document = json(&glean(folder.path(), &["inspect", "--json", &server.url("/feed.xml")]));
    assert!(document["items"][0].get("date").is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn searches_of_the_guide_find_articles() {
    let (server, folder) = (example_com().await, tempfile::tempdir().unwrap());
    let succeed = |words: &[&str]| {
        let output = glean(folder.path(), words);
        assert!(output.status.success(), "{words:?}: {}", text(&output));
        output
    };
    succeed(&["rules", "add", "--do", "star,tag:recipes", "tree"]);
    succeed(&["add", &server.url("/")]);
    let (_, source) = pages().into_iter().find(|(name, _)| name == "searching.md").unwrap();
    let rows = source.lines().filter_map(|line| line.strip_prefix("| `")?.split_once(" |"));
    // The first cell has one query or several, each in backquotes.
    let queries: Vec<&str> = rows.flat_map(|(cell, _)| cell.trim_end_matches('`').split("`, `")).collect();
    assert!(queries.len() > 10, "{queries:?}");
    for query in queries {
        let found = json(&succeed(&["search", "--json", query]));
        assert!(found["hits"].as_array().is_some_and(|hits| !hits.is_empty()), "{query}: {found}");
    }
}

//! Commands that use the library, run against a server on loopback.
#![allow(clippy::unwrap_used)]

mod common;

use common::{glean, json, text};
use gleaner_testserver::{Reply, Server};
use std::{
    fs,
    io::Read as _,
    path::Path,
    process::{Command, Stdio},
};

fn rss(title: &str, items: usize) -> String {
    let items: String = (0..items)
        .map(|n| format!("<item><guid isPermaLink=\"false\">{title}{n}</guid><title>{title} {n}</title><description>Text {n}</description></item>"))
        .collect();
    format!(
        "<rss version=\"2.0\"><channel><title>{title}</title><link>https://example.com/</link>{items}</channel></rss>"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn adds_and_refreshes_feeds() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    server.on(
        "/",
        Reply::ok("<html><head><link rel=alternate type=application/rss+xml href=/feed></head></html>")
            .header("Content-Type", "text/html"),
    );
    server.on(
        "/feed",
        Reply::ok(rss("Grain", 3)).header("Content-Type", "application/rss+xml").header("ETag", "\"one\""),
    );

    let added = glean(folder.path(), &["add", "--folder", "A/B", &server.url("/")]);
    assert!(added.status.success() && text(&added).contains("Subscribed to Grain"), "{}", text(&added));
    let stats = json(&glean(folder.path(), &["stats", "--json"]));
    assert_eq!((&stats["articles"], &stats["requests"]), (&3.into(), &1.into()), "what was fetched is stored");
    let due = json(&glean(folder.path(), &["refresh", "--json"]));
    assert_eq!((&due["asked"], server.requests_to("/feed").len()), (&0.into(), 1));
    let again = glean(folder.path(), &["add", &server.url("/feed")]);
    assert!(again.status.success() && text(&again).contains("Already subscribed"), "{}", text(&again));
    for (folder_name, moves) in [("A/B", false), ("A", true), ("C", true)] {
        let again = text(&glean(folder.path(), &["add", "--folder", folder_name, &server.url("/feed")]));
        assert_eq!(again.contains(&format!("--folder {folder_name}` moves it")), moves, "{again}");
    }

    let refreshed = json(&glean(folder.path(), &["refresh", "--all", "--json"]));
    assert_eq!((&refreshed["asked"], &refreshed["items_new"], &refreshed["failed"]), (&1.into(), &0.into(), &0.into()));
    assert_eq!(server.requests_to("/feed").len(), 2, "once to add it, once to refresh it");
    assert_eq!(server.requests_to("/feed")[1].text("If-None-Match").as_deref(), Some("\"one\""));
    let due = json(&glean(folder.path(), &["refresh", "--json"]));
    assert_eq!(due["asked"], 0, "a feed that was just checked is not due");
    let named = json(&glean(folder.path(), &["refresh", "--json", "grain"]));
    assert_eq!((&named["feeds"], server.requests_to("/feed").len()), (&1.into(), 3), "one that is named is checked");
    for (words, code, expected) in [
        (&["refresh", "grian"][..], 1, "did you mean Grain?"),
        (&["refresh", "--all", "grain"], 2, "cannot be used with"),
    ] {
        let output = glean(folder.path(), words);
        assert!(output.status.code() == Some(code) && text(&output).contains(expected), "{}", text(&output));
    }
    assert!(text(&glean(folder.path(), &["search", "is:unread"])).contains(", unread, article 1\n"));
    let stats = json(&glean(folder.path(), &["stats", "--json"]));
    assert_eq!(
        (&stats["feeds"], &stats["folders"], &stats["articles"], &stats["unread"]),
        (&1.into(), &2.into(), &3.into(), &3.into())
    );
    assert!(stats["library_bytes"].as_u64().unwrap() > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn reports_addresses_that_cannot_be_added() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    server
        .on("/page", Reply::ok("<html><title>No feed</title>nothing here</html>").header("Content-Type", "text/html"));
    for (address, words) in [
        (server.url("/page"), "no feed was found"),
        ("not an address at all".to_owned(), "a web address can't contain spaces"),
        (server.url("/missing"), "404"),
    ] {
        let output = glean(folder.path(), &["add", &address]);
        assert_eq!(output.status.code(), Some(1), "{address}");
        assert!(text(&output).contains(words), "{address}: {}", text(&output));
    }
    assert_eq!(glean(folder.path(), &["add"]).status.code(), Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn extract_joins_the_pages_of_an_article() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    for (path, next) in [("/a", "/a/2"), ("/a/2", "/a/3")] {
        let sentence =
            format!("<p>The boats of {path} came back at dawn, and no one, as far as one could see, spoke.</p>");
        let page = format!("<title>T</title><link rel=next href='{next}'><article>{}</article>", sentence.repeat(6));
        server.on(path, Reply::ok(page).header("Content-Type", "text/html"));
    }
    let found = json(&glean(folder.path(), &["extract", "--json", &server.url("/a")]));
    let words = found["content_text"].as_str().unwrap();
    assert!(words.contains("boats of /a came") && words.contains("boats of /a/2 came"), "{words}");
    assert_eq!(found["next_page_url"], server.url("/a/3"), "the page that failed is named");
}

const LIST: &str = r#"<?xml version="1.0"?><opml version="2.0"><head><title>Mine</title></head><body>
  <outline text="News"><outline text="Deep"><outline type="rss" text="One" xmlUrl="https://one.example/feed" htmlUrl="https://one.example/" mood="calm"/></outline>
    <outline type="rss" title="Two" xmlUrl="https://two.example/feed"/></outline>
  <outline type="rss" text="Three & more" xmlUrl="https://three.example/feed"/>
  <outline text="Empty"/></body></opml>"#;

fn tree(library: &Path) -> serde_json::Value {
    let file = library.join("out.opml");
    assert!(glean(library, &["export", file.to_str().unwrap()]).status.success());
    let mut listed = json(&glean(library, &["import", "--dry-run", "--json", file.to_str().unwrap()]));
    listed.as_object_mut().unwrap().remove("source");
    listed
}

#[test]
fn exports_the_same_list_as_imported() {
    let (one, two) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let list = one.path().join("list.opml");
    fs::write(&list, LIST).unwrap();
    let first = json(&glean(one.path(), &["import", "--json", list.to_str().unwrap()]));
    assert_eq!(first["added"], 3, "{first}");
    assert_eq!(first["error"], serde_json::Value::Null);
    let second = json(&glean(one.path(), &["import", "--json", list.to_str().unwrap()]));
    assert_eq!((&second["added"], second["already"].as_array().unwrap().len()), (&0.into(), 3));

    let out = one.path().join("out.opml");
    let exported = tree(one.path());
    assert_eq!(exported["feeds"].as_array().unwrap().len(), 3);
    assert_eq!(exported["feeds"][0]["folder"], serde_json::json!(["News", "Deep"]));
    assert!(fs::read_to_string(&out).unwrap().contains("mood=\"calm\""), "unknown attributes are kept");
    assert!(glean(two.path(), &["import", out.to_str().unwrap()]).status.success());
    assert_eq!(tree(two.path()), exported);
}

#[test]
fn feeds_that_a_list_names_twice_are_not_called_subscribed() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list.opml");
    let feed = r#"<outline text="One" xmlUrl="https://one.example/feed"/>"#;
    let two = format!(r#"<outline text="A">{feed}</outline><outline text="B">{feed}</outline>"#);
    fs::write(&list, format!("<opml version=\"2.0\"><body>{two}</body></opml>")).unwrap();
    let import = |options: &[&str]| glean(folder.path(), &[&["import"], options, &[list.to_str().unwrap()]].concat());
    let first = text(&import(&[]));
    assert!(first.contains("1 feed and 2 folders added, 0 feeds already subscribed, 1 listed twice"), "{first}");
    let second = json(&import(&["--json"]));
    assert_eq!(
        (&second["already"], &second["repeated"]),
        (&serde_json::json!(["One", "One"]), &serde_json::json!(["One"]))
    );
    let second = text(&import(&[]));
    assert!(second.contains("0 feeds and 0 folders added, 1 feed already subscribed, 1 listed twice"), "{second}");
}

#[test]
fn rejects_files_that_are_not_lists() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes, words) in
        [("page.opml", &b"<html><body>hello</body></html>"[..], "not an OPML"), ("empty.opml", b"", "empty")]
    {
        let file = folder.path().join(name);
        fs::write(&file, bytes).unwrap();
        let output = glean(folder.path(), &["import", file.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output).contains(words), "{}", text(&output));
    }
    let missing = glean(folder.path(), &["import", "nowhere.opml"]);
    assert!(missing.status.code() == Some(1) && text(&missing).contains("nowhere.opml"), "{}", text(&missing));
    assert_eq!(json(&glean(folder.path(), &["stats", "--json"]))["feeds"], 0);
}

#[test]
fn leaves_a_library_of_a_newer_gleaner_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    assert!(glean(folder.path(), &["stats"]).status.success());
    let file = folder.path().join("library.sqlite");
    let mut bytes = fs::read(&file).unwrap();
    bytes[60..64].copy_from_slice(&77_u32.to_be_bytes());
    fs::write(&file, &bytes).unwrap();
    let output = glean(folder.path(), &["stats"]);
    assert!(output.status.code() == Some(1) && text(&output).contains("newer Gleaner"), "{}", text(&output));
    assert_eq!(fs::read(&file).unwrap(), bytes);
}

#[tokio::test(flavor = "multi_thread")]
async fn finds_new_articles() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    server.on("/feed", Reply::ok(rss("Grain", 3)).header("Content-Type", "application/rss+xml"));
    assert!(glean(folder.path(), &["add", &server.url("/feed")]).status.success());
    json(&glean(folder.path(), &["refresh", "--all", "--json"]));
    let search = |words: &[&str]| glean(folder.path(), &[&["search"], words].concat());
    let found = json(&search(&["--json", "grain", "-title:1"]));
    assert_eq!(
        (found["hits"].as_array().unwrap().len(), &found["more"], &found["waiting"]),
        (2, &false.into(), &0.into())
    );
    let hit = &found["hits"][0];
    assert_eq!(
        (&hit["title_marks"], &hit["feed"], &hit["read"]),
        (&serde_json::json!([[0, 5]]), &"Grain".into(), &false.into())
    );
    let limited = json(&search(&["grain", "text:\"text 2\"", "--json", "--limit", "1"]));
    assert_eq!(
        (&limited["hits"][0]["title"], &limited["more"]),
        (&"Grain 2".into(), &false.into()),
        "options may follow"
    );
    assert_eq!(json(&search(&["--limit=2", "-nothing", "--json", "--sort", "rank"]))["more"], true);
    let shown = search(&["feed:grain", "title:2"]);
    assert!(shown.status.success() && text(&shown).starts_with("Grain 2\n  Grain, "), "{}", text(&shown));
    let wrong = search(&["東京 autor:ada"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong).contains("\n  東京 autor:ada\n       ^^^^^^\n"), "{}", text(&wrong));
    let wrong = search(&["--json", "is:red"]);
    let error: serde_json::Value = serde_json::from_slice(&wrong.stdout).unwrap();
    assert_eq!((&error["error"]["start"], &error["error"]["end"]), (&3.into(), &6.into()));
    let stats = json(&glean(folder.path(), &["stats", "--json"]));
    assert_eq!((&stats["indexed"], &stats["index_waiting"]), (&3.into(), &0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn saves_searches_and_runs_them_by_name() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    server.on("/feed", Reply::ok(rss("Grain", 3)).header("Content-Type", "application/rss+xml"));
    assert!(glean(folder.path(), &["add", &server.url("/feed")]).status.success());
    json(&glean(folder.path(), &["refresh", "--all", "--json"]));
    let search = |words: &[&str]| glean(folder.path(), &[&["search"], words].concat());
    assert!(text(&search(&["--list-saved"])).contains("No saved searches"));
    let saved = json(&search(&["--json", "--save", "Second  grain", "grain", "-title:1", "-title:0"]));
    assert_eq!(saved["hits"].as_array().unwrap().len(), 1);
    assert_eq!(json(&search(&["--saved", "second GRAIN", "--json"]))["hits"], saved["hits"]);
    let listed = json(&search(&["--list-saved", "--json"]));
    let expected =
        serde_json::json!([{ "name": "Second grain", "query": "grain -title:1 -title:0", "unread": 1, "more": false }]);
    assert_eq!(listed, expected);
    for (words, status, expected) in [
        (&["--delete-saved", "third"][..], 1, "saved search"),
        (&["--delete-saved", "x", "y"][..], 2, "cannot be used with"),
        (&["--save", "second grain", "x"][..], 1, "another saved search has this name"),
        (&["--saved", "third"][..], 1, "saved search"),
        (&["--save", "y", "is:unred"][..], 2, "did you mean unread?"),
        (&["--save", "y"][..], 2, "QUERY"),
        (&["--saved", "x", "y"][..], 2, "cannot be used with"),
    ] {
        let output = search(words);
        assert_eq!(output.status.code(), Some(status), "{words:?}: {}", text(&output));
        assert!(text(&output).contains(expected), "{words:?}: {}", text(&output));
    }
    assert!(text(&search(&["--delete-saved", "second GRAIN"])).contains("Deleted the saved search Second grain"));
    assert!(text(&search(&["--list-saved"])).contains("No saved searches"));
}

/// Kills a refresh at several moments. The library stays undamaged, and the next refresh adds the remaining articles once.
#[tokio::test(flavor = "multi_thread")]
async fn a_killed_refresh_neither_loses_nor_duplicates_articles() {
    const FEEDS: usize = 150;
    const ITEMS: usize = 8;
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    let mut list = String::from("<opml version=\"2.0\"><head/><body>");
    for n in 0..FEEDS {
        server.on(&format!("/{n}"), Reply::ok(rss(&format!("F{n}"), ITEMS)));
        list.push_str(&format!("<outline type=\"rss\" text=\"{n}\" xmlUrl=\"{}\"/>", server.url(&format!("/{n}"))));
    }
    let file = folder.path().join("list.opml");
    fs::write(&file, list + "</body></opml>").unwrap();
    assert!(glean(folder.path(), &["import", file.to_str().unwrap()]).status.success());

    for requests in [1, 20, 60, 110] {
        server.forget_requests();
        let mut child = Command::new(env!("CARGO_BIN_EXE_glean"))
            .args(["--library", folder.path().to_str().unwrap(), "refresh", "--all"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Kills the program once the server has received this many requests.
        while server.requests().len() < requests && child.try_wait().unwrap().is_none() {
            tokio::task::yield_now().await;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let mut errors = String::new();
        child.stderr.take().unwrap().read_to_string(&mut errors).unwrap();
        let stats = json(&glean(folder.path(), &["stats", "--json"]));
        let articles = usize::try_from(stats["articles"].as_u64().unwrap()).unwrap();
        assert_eq!(articles % ITEMS, 0, "the items of a feed are added together or not at all: {errors}");
    }
    json(&glean(folder.path(), &["refresh", "--all", "--json"]));
    let stats = json(&glean(folder.path(), &["stats", "--json"]));
    assert_eq!((&stats["articles"], &stats["unread"]), (&(FEEDS * ITEMS).into(), &(FEEDS * ITEMS).into()));

    // Kills a search while it updates the index. The rest waits, and every article is found once.
    for _ in 0..3 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_glean"))
            .args(["--library", folder.path().to_str().unwrap(), "search", "f7"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let waiting = || json(&glean(folder.path(), &["stats", "--json"]))["index_waiting"].as_u64().unwrap();
        let before = waiting();
        while waiting() == before && child.try_wait().unwrap().is_none() {}
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let found = json(&glean(folder.path(), &["search", "--json", "--limit", "9999", "text"]));
    assert_eq!((found["hits"].as_array().unwrap().len(), &found["waiting"]), (FEEDS * ITEMS, &0.into()));
    let stats = json(&glean(folder.path(), &["stats", "--json"]));
    assert_eq!((&stats["indexed"], &stats["index_waiting"]), (&(FEEDS * ITEMS).into(), &0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn why_describes_what_replaced_a_feed() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    let page = |head: &str| {
        Reply::ok(format!("<html><head>{head}</head><body>Hello</body></html>")).header("Content-Type", "text/html")
    };
    let another = "<link rel=alternate type=application/rss+xml title=News href=/news.xml>";
    server.on_each("/feed", [Reply::ok(rss("Grain", 1)), Reply::ok(rss("Grain", 1)), page(another)]);
    server.on_each(
        "/gone",
        [Reply::ok(rss("Chaff", 1)), Reply::ok(rss("Chaff", 1)), page("<title>Buy this domain</title>")],
    );
    for (path, words) in [
        ("/feed", format!("The site now offers another feed: News, {}", server.url("/news.xml"))),
        ("/gone", "appears to have expired".to_owned()),
    ] {
        assert!(glean(folder.path(), &["add", &server.url(path)]).status.success());
        for _ in 0..2 {
            glean(folder.path(), &["refresh", "--all"]);
        }
        let output = text(&glean(folder.path(), &["why", &server.url(path)]));
        assert!(output.contains(&words), "{output}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn says_why_a_feed_could_not_be_checked_although_nothing_was_sent() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    server.on_each("/feed", [Reply::ok(rss("Grain", 1)), Reply::status(511)]);
    assert!(glean(folder.path(), &["add", &server.url("/feed")]).status.success());
    assert!(!text(&glean(folder.path(), &["why", "Grain"])).contains("Could not"));
    glean(folder.path(), &["refresh", "--all"]);
    let output = text(&glean(folder.path(), &["why", "Grain"]));
    assert!(
        output.contains("Could not be checked since 20") && output.contains("the network requires a login"),
        "{output}"
    );
    assert!(output.contains("Next attempt around 20") && !output.contains("511"), "{output}");
}

#[test]
fn imports_the_data_of_other_readers_from_files_and_folders() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/readers");
    let folder = tempfile::tempdir().unwrap();
    let database = fixtures.join("rssguard/database.db");
    let plan = json(&glean(folder.path(), &["import", "--dry-run", "--json", database.to_str().unwrap()]));
    assert_eq!(
        (&plan["kind"], &plan["articles"], &plan["starred"]),
        (&"RSS Guard".into(), &7.into(), &1.into()),
        "{plan}"
    );
    assert_eq!((plan["feeds"].as_array().unwrap().len(), &plan["deleted"]), (3, &1.into()));
    assert_eq!(json(&glean(folder.path(), &["stats", "--json"]))["feeds"], 0, "nothing was imported");

    let report = json(&glean(folder.path(), &["import", "--json", database.to_str().unwrap()]));
    assert_eq!(
        (&report["added"], &report["articles"], &report["unread"]),
        (&3.into(), &7.into(), &4.into()),
        "{report}"
    );
    let again = json(&glean(folder.path(), &["import", "--json", database.to_str().unwrap()]));
    assert_eq!((&again["added"], &again["articles"], &again["known"]), (&0.into(), &0.into(), &7.into()), "{again}");
    // The same articles from another reader, and a list whose tags do not apply to them.
    let newsboat = glean(folder.path(), &["import", fixtures.join("newsboat").to_str().unwrap()]);
    assert!(newsboat.status.success() && text(&newsboat).contains("7 already in the library"), "{}", text(&newsboat));
    let stats = json(&glean(folder.path(), &["stats", "--json"]));
    assert_eq!((&stats["feeds"], &stats["folders"]), (&3.into(), &2.into()), "{stats}");
    assert!(glean(folder.path(), &["check"]).status.success());

    let wrong = glean(folder.path(), &["import", fixtures.join("site").to_str().unwrap()]);
    assert_eq!(wrong.status.code(), Some(1));
    assert!(text(&wrong).contains("this folder contains nothing that Gleaner can import"), "{}", text(&wrong));
}

#[test]
fn an_emptied_library_is_recovered_from_its_backup() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list.opml");
    fs::write(&list, "<opml><body><outline xmlUrl=\"ftp://example.org/feed\" text=\"Grain\"/></body></opml>").unwrap();
    let library = folder.path().join("library");
    for words in [&["import", list.to_str().unwrap()][..], &["backup"]] {
        assert!(glean(&library, words).status.success());
    }
    fs::write(library.join("library.sqlite"), "").unwrap();
    let stats = glean(&library, &["stats"]);
    assert!(!stats.status.success() && text(&stats).contains("glean backup --list"), "{}", text(&stats));
    let listed = glean(&library, &["backup", "--list"]);
    assert!(listed.status.success() && text(&listed).contains("-by-hand.sqlite"), "{}", text(&listed));
    let recovered = glean(&library, &["recover"]);
    assert!(text(&recovered).contains("1 feed and"), "{}", text(&recovered));
    let refreshed = json(&glean(&library, &["refresh", "--all", "--json"]));
    assert_eq!((&refreshed["failed"], &refreshed["unsupported"]), (&0.into(), &1.into()));
    assert!(text(&glean(&library, &["refresh", "--all", "--verbose"])).contains("ftp:"));
    assert!(text(&glean(&library, &["why", "Grain"])).contains("Never checked: addresses that start with ftp:"));
}

#[cfg(unix)]
#[test]
fn a_library_whose_drive_is_missing_is_not_called_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink("/nowhere/drive", &link).unwrap();
    let output = glean(&link, &["stats"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("it is a link to /nowhere/drive, which does not exist"), "{}", text(&output));
}

//! `glean feed`: what it changes, and a feed whose server moves it to where its login is not sent.
#![allow(clippy::unwrap_used)]

mod common;

use common::{glean, json, run, text};
use gleaner_testserver::{Reply, Server};

const FEED: &str = "<rss version=\"2.0\"><channel><title>Harbour</title><item><guid isPermaLink=\"false\">1</guid>\
    <title>Boats</title></item></channel></rss>";

#[tokio::test(flavor = "multi_thread")]
async fn says_which_feeds_moved_or_are_gone_and_who_asks_for_a_longer_interval() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    let library = folder.path().join("library");
    let slow = Reply::ok(FEED).header("Cache-Control", "max-age=36000");
    for path in ["/slow", "/moved", "/gone", "/fine"] {
        server.on(path, slow.clone());
        assert!(glean(&library, &["add", &server.url(path)]).status.success());
        let (code, output) = run(&library, &["feed", &server.url(path), "--title", &path[1..]]);
        assert_eq!(code, Some(0), "{output}");
    }
    let changed = text(&glean(&library, &["feed", "slow", "--interval", "15"]));
    assert!(changed.contains("every 15 minutes, or less often at the request of the feed or its server)"), "{changed}");
    server.on("/moved", Reply::redirect(301, server.url("/fine")));
    server.on("/gone", Reply::status(410));
    let (code, output) = run(&library, &["refresh", "--all"]);
    assert!(code == Some(1) && output.contains("glean: gone: "), "{output}");
    // The failure is not one of this run.
    let nothing_due = glean(&library, &["refresh"]);
    assert!(nothing_due.status.success() && nothing_due.stderr.is_empty(), "{nothing_due:?}");
    let (_, output) = run(&library, &["refresh", "--verbose"]);
    assert!(output.contains("glean: gone: "), "{output}");
    let listed = text(&glean(&library, &["feed"]));
    let line = |title: &str| listed.lines().find(|line| line.starts_with(title)).unwrap().to_owned();
    assert!(line("gone").ends_with("(gone; see `glean why`)"), "{listed}");
    assert!(line("moved").ends_with("(same feed as another; see `glean why`)"), "{listed}");
    assert!(line("fine").ends_with('>'), "{listed}");
    let json_output = json(&glean(&library, &["feed", "fine", "--json"]));
    assert_eq!(json_output[0]["interval"], serde_json::Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_a_feed_and_unsubscribes_from_it() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    let library = folder.path().join("library");
    for path in ["/feed", "/new", "/other"] {
        server.on(path, Reply::ok(FEED));
    }
    assert!(glean(&library, &["add", &server.url("/feed")]).status.success());
    assert!(glean(&library, &["add", &server.url("/other")]).status.success());
    let (new, other) = (server.url("/new"), server.url("/other"));
    let words = [
        "feed",
        &server.url("/feed"),
        "--title",
        "Port",
        "--folder",
        "News/Local",
        "--interval",
        "90",
        "--address",
        &new,
    ];
    let changed = glean(&library, &words);
    assert_eq!(text(&changed), format!("News/Local/ Port <{new}> (checked every 90 minutes)\n"));
    assert!(glean(&library, &["feed", "Port", "--title", "", "--folder", "", "--interval", "never"]).status.success());
    let listed = json(&glean(&library, &["feed", "--json", &new]));
    assert_eq!(listed, serde_json::json!([{"title": "Harbour", "url": new, "folder": null, "interval": 0}]));
    assert_eq!(json(&glean(&library, &["feed", "--json"])).as_array().unwrap().len(), 2);
    let (code, output) = run(&library, &["feed", &new, "--address", &other]);
    assert!(code == Some(1) && output.contains("already subscribed"), "{output}");
    for wrong in [
        &["feed", "--title", "x"][..],
        &["feed", &new, "--interval", "5"],
        &["feed", &new, "--unsubscribe", "--title", "x"],
    ] {
        assert_eq!(run(&library, wrong).0, Some(2), "{wrong:?}");
    }

    assert!(glean(&library, &["feed", &new, "--unsubscribe"]).status.success());
    assert_eq!(json(&glean(&library, &["feed", "--json"])).as_array().unwrap().len(), 1);
    assert_eq!(json(&glean(&library, &["stats", "--json"]))["articles"], 1);
    assert!(glean(&library, &["add", &new]).status.success());
    assert_eq!(json(&glean(&library, &["stats", "--json"]))["articles"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_that_is_left_behind_by_a_move_can_be_entered_again() {
    let (before, after) = (Server::start().await, Server::start().await);
    let folder = tempfile::tempdir().unwrap();
    let (library, password) = (folder.path().join("library"), folder.path().join("password"));
    std::fs::write(&password, "sesame\n").unwrap();
    let new = after.url("/feed");
    let login = ["--user", "ada", "--password-file", password.to_str().unwrap(), "--password-in-library"];
    let protected = |request: &gleaner_testserver::Request| match request.header("Authorization") {
        Some(_) => Reply::ok(FEED),
        None => Reply::status(401).header("WWW-Authenticate", "Basic realm=\"a\""),
    };
    before.on_request("/feed", protected);
    after.on_request("/feed", protected);
    let old = before.url("/feed");
    let add = [&["add"], &login[..], &[&old]].concat();
    assert!(glean(&library, &add).status.success());

    before.on("/feed", Reply::redirect(301, new.clone()));
    let (code, output) = run(&library, &["refresh", "--all"]);
    assert_eq!(code, Some(1));
    assert!(output.contains(&format!("redirects to {new}, where a login is required")), "{output}");
    assert!(output.contains("`glean feed FEED --address URL`"), "{output}");
    assert!(run(&library, &["why", "Harbour"]).1.contains(&new));
    let (code, output) = run(&library, &["feed", "Harbour", "--address", &new]);
    assert_eq!(code, Some(0));
    assert!(output.contains("enter it again with `glean access`"), "{output}");
    assert!(glean(&library, &[&["access", "Harbour"], &login[..]].concat()).status.success());
    assert_eq!(run(&library, &["refresh", "--all"]).0, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn imports_a_list_from_the_web() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    let library = folder.path().join("library");
    let list = "<opml version=\"2.0\"><body><outline text=\"A\" xmlUrl=\"https://a.example/feed\"/></body></opml>";
    server.on("/list.opml", Reply::ok(list));
    let url = server.url("/list.opml");
    let plan = json(&glean(&library, &["import", "--dry-run", "--json", &url]));
    assert_eq!((&plan["source"], &plan["feeds"][0]["url"]), (&url.as_str().into(), &"https://a.example/feed".into()));
    assert!(!library.exists());
    let report = json(&glean(&library, &["import", "--json", &url]));
    assert_eq!((&report["source"], &report["added"]), (&url.as_str().into(), &1.into()));

    let (code, output) = run(&library, &["import", &server.url("/missing")]);
    assert_eq!(code, Some(1));
    assert!(output.contains("/missing: nothing exists at this address (404)"), "{output}");
    server.on("/page", Reply::ok("<html><body>Log in</body></html>"));
    assert!(run(&library, &["import", &server.url("/page")]).1.contains("web page, not an OPML list"));
}

#[test]
fn a_folder_whose_name_has_slashes_is_found_by_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let (library, list) = (folder.path().join("library"), folder.path().join("list.opml"));
    let feed = |host: &str| format!("<outline text='{host}' xmlUrl='https://{host}.example/feed'/>");
    let (mill, quay) = (feed("mill"), feed("quay"));
    std::fs::write(
        &list,
        format!("<opml version='2.0'><body><outline text='Land'><outline text='Rye/Oats'>{mill}</outline></outline>{quay}</body></opml>"),
    )
    .unwrap();
    assert!(glean(&library, &["import", list.to_str().unwrap()]).status.success());
    assert!(glean(&library, &["feed", "quay", "--folder", "Land/Rye/Oats"]).status.success());
    assert_eq!(json(&glean(&library, &["stats", "--json"]))["folders"], 2);
    let added = glean(&library, &["rules", "add", "--do", "star", "--folder", "Land / Rye / Oats", "rye"]);
    assert!(added.status.success(), "{}", text(&added));
    assert!(glean(&library, &["feed", "quay", "--folder", "Land/Rye"]).status.success());
    assert_eq!(json(&glean(&library, &["feed", "quay", "--json"]))[0]["folder"], "Land / Rye");
    assert_eq!(json(&glean(&library, &["rules", "--json"]))[0]["folder"], "Land / Rye/Oats");
    assert!(text(&glean(&library, &["rules"])).contains("in Land/Rye/Oats"));
    let missing = glean(&library, &["retention", "--folder", "Land/Oats"]);
    assert!(missing.status.code() == Some(1) && text(&missing).contains("no folder"), "{}", text(&missing));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_feed_that_is_added_again_has_its_articles_and_settings() {
    let (server, folder) = (Server::start().await, tempfile::tempdir().unwrap());
    let library = folder.path().join("library");
    let file = folder.path().join("feed.xml");
    std::fs::write(&file, FEED).unwrap();
    server.on("/feed", Reply::ok(FEED));
    for address in [server.url("/feed"), file.to_str().unwrap().to_owned()] {
        let run = |words: &[&str]| {
            let output = glean(&library, words);
            assert!(output.status.success(), "{words:?}: {}", text(&output));
            output
        };
        run(&["add", "--folder", "Sea", &address]);
        run(&["feed", "Harbour", "--title", "Port", "--interval", "300"]);
        let found = json(&run(&["search", "--json", "feed:port"]));
        run(&["mark", "--star", "--tag", "quay", &found["hits"][0]["id"].to_string()]);
        let before = json(&run(&["feed", "--json"]));
        run(&["feed", "Port", "--unsubscribe"]);
        assert_eq!(json(&run(&["feed", "--json"])), serde_json::json!([]));
        let again = run(&["add", &address]);
        assert!(text(&again).contains("Restored Port"), "{}", text(&again));
        assert_eq!(json(&run(&["feed", "--json"])), before);
        let found = json(&run(&["search", "--json", "is:starred tag:quay"]));
        assert_eq!(found["hits"].as_array().unwrap().len(), 1, "{found}");
        run(&["feed", "Port", "--unsubscribe"]);
        run(&["add", "--folder", "Land", &address]);
        assert_eq!(json(&run(&["feed", "Port", "--json"]))[0]["folder"], "Land");
        run(&["feed", "Port", "--unsubscribe"]);
    }
}

#[test]
fn words_of_other_programs_are_answered_with_the_command() {
    let folder = tempfile::tempdir().unwrap();
    for (words, expected) in [
        (&["list"][..], "did you mean `glean feed`?"),
        (&["--library", "x", "Update"], "did you mean `glean refresh`?"),
        (&["unsubscribe", "Mill"], "did you mean `glean feed`?"),
        (&["refrsh"], "'refresh'"),
    ] {
        let (code, output) = run(folder.path(), words);
        assert!(code == Some(2) && output.contains(expected), "{words:?}: {output}");
    }
    for words in [&["rules", "list"][..], &["nonsense"]] {
        let (code, output) = run(folder.path(), words);
        assert!(code == Some(2) && !output.contains("did you mean"), "{words:?}: {output}");
    }
}

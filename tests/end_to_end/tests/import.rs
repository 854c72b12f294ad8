//! Import and export of lists in the window.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, opml, rss, run, settled};
use gleaner_testserver::{Reply, Server};
use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};

#[test]
fn two_hundred_feeds_are_imported_and_read() {
    run(async {
        let (scratch, server) = (Scratch::new(), Server::start().await);
        server.on_request("*", |request| {
            let name = request.path().trim_start_matches('/').to_owned();
            Reply::ok(rss(
                &format!("Feed {name}"),
                &[
                    article(&format!("First of {name}"), "<p>one</p>"),
                    article(&format!("Second of {name}"), "<p>two</p>"),
                ],
            ))
            .header("ETag", "\"same\"")
        });
        let feeds: Vec<(String, String)> =
            (0..200).map(|n| (format!("Listed {n}"), server.url(&format!("/{n}")))).collect();
        let list = scratch.write("list.opml", &opml(&feeds));
        let window = Window::open_importing(&scratch, &[list.to_str().unwrap()]).await;
        window.shows("200 feeds added").await;
        window.audit("the import's summary").await;
        window.screenshot("import-summary").await;
        window.click("button", "Done").await;
        settled("all articles", || async {
            let stats = scratch.stats();
            if stats["articles"].as_i64() >= Some(400) { Ok(()) } else { Err(stats.to_string()) }
        })
        .await;
        window.until("the end of the refresh", "__e2e.all('progressbar', null).length === 0").await;
        window.press("4").await;
        window.until("a long list", "__e2e.all('option', null).length > 5").await;
        window.audit("the main window with 200 feeds").await;
        window.screenshot("many-feeds").await;
        // The same list again changes nothing, and the window says so.
        window.close().await;
        let window = Window::open_with(&scratch, &[list.to_str().unwrap()]).await;
        window.find("dialog", "Nothing new to import").await;
        window.shows("200 feeds already present").await;
        window.click("button", "Close").await;
        window.close().await;
        let stats = scratch.stats();
        assert_eq!((&stats["feeds"], &stats["folders"]), (&201.into(), &40.into()), "with the bundled feed");
    });
}

#[test]
fn feeds_get_their_names_while_another_does_not_respond() {
    run(async {
        let (scratch, server) = (Scratch::new(), Server::start().await);
        let silent = Server::start_at([127, 0, 0, 2]).await;
        // Held until the import itself has ended, which also loads the names.
        let (prompt, gate) = Reply::ok(rss("The Granary", &[article("Barley", "<p>barley</p>")])).held();
        server.on("/prompt", prompt);
        silent.on("/silent", Reply::ok("").hang_before_head());
        let list = scratch.write("list.opml", &opml(&[("", silent.url("/silent")), ("", server.url("/prompt"))]));
        let window = Window::open_importing(&scratch, &[list.to_str().unwrap()]).await;
        window.shows("2 feeds added").await;
        window.click("button", "Done").await;
        gate.open();
        window.shows("The Granary").await;
        window.find("progressbar", "Refreshing feeds").await;
        window.close().await;
    });
}

#[test]
fn a_slow_refresh_shows_its_progress_and_can_be_stopped() {
    run(async {
        let (scratch, server) = (Scratch::new(), Server::start().await);
        // A host gets one request at a time, so the refresh cannot end before it is stopped.
        let count = AtomicUsize::new(0);
        server.on_request("*", move |_| {
            let delay = if count.fetch_add(1, Ordering::Relaxed) < 4 { 100 } else { 4000 };
            Reply::ok(rss("Slow", &[article("Late", "<p>late</p>")])).delay(Duration::from_millis(delay))
        });
        let feeds: Vec<(String, String)> =
            (0..60).map(|n| (format!("Slow {n}"), server.url(&format!("/{n}")))).collect();
        let list = scratch.write("list.opml", &opml(&feeds));
        let window = Window::open_importing(&scratch, &[list.to_str().unwrap()]).await;
        window.shows("60 feeds added").await;
        window.click("button", "Done").await;
        window.find("progressbar", "Refreshing feeds").await;
        window.until("new articles while it runs", "__e2e.all('option', 'Unread Late').length + __e2e.all('option', 'Late').length > 0 || document.body.innerText.includes('Late')").await;
        window.screenshot("refreshing").await;
        window.audit("the window while it refreshes").await;
        window.click("button", "Cancel refresh").await;
        window.until("the end of the refresh", "__e2e.all('progressbar', null).length === 0").await;
        assert!(server.requests().len() < 60, "the remaining feeds are not polled");
        window.close().await;
    });
}

#[test]
fn an_invalid_list_gives_an_error_and_changes_nothing() {
    run(async {
        let scratch = Scratch::new();
        let page = scratch.write("page.opml", "<html><body>hello</body></html>");
        let window = Window::open_with(&scratch, &[page.to_str().unwrap()]).await;
        window.shows("Couldn’t import this file").await;
        window.shows("not a list of feeds").await;
        window.audit("an import that failed").await;
        window.screenshot("import-failed").await;
        window.close().await;
        assert_eq!(scratch.stats()["feeds"], 1, "only the bundled one");
    });
}

#[test]
fn an_exported_list_gives_the_same_feeds_in_another_library() {
    run(async {
        let (one, two) = (Scratch::new(), Scratch::new());
        let list = one.write(
            "list.opml",
            &opml(&[
                ("A & B".replace('&', "&amp;"), "http://127.0.0.1:1/a".to_owned()),
                ("C".to_owned(), "http://127.0.0.1:1/c".to_owned()),
            ]),
        );
        let window = Window::open_importing(&one, &[list.to_str().unwrap()]).await;
        window.shows("2 feeds added").await;
        // glean exports the list while the window has the library open.
        let out = one.path("out.opml");
        assert!(one.glean(&["export", out.to_str().unwrap()]).status.success());
        window.close().await;
        let window = Window::open_importing(&two, &[out.to_str().unwrap()]).await;
        window.shows("2 feeds added").await;
        window.click("button", "Done").await;
        window.find("treeitem", "A & B").await;
        window.close().await;
        let exported = |scratch: &Scratch| {
            String::from_utf8(scratch.glean(&["export"]).stdout).unwrap().replace(char::is_whitespace, "")
        };
        let outlines = |text: String| text[text.find("<body>").unwrap()..].to_owned();
        assert_eq!(outlines(exported(&one)), outlines(exported(&two)));
    });
}

#[test]
fn another_readers_database_is_imported_with_read_and_starred_articles() {
    run(async {
        let scratch = Scratch::new();
        let database = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/readers/liferea/liferea.db");
        let window = Window::open_importing(&scratch, &[database]).await;
        window.shows("3 feeds added · 2 new folders · 7 articles · 1 starred").await;
        window.audit("the summary of another reader's database").await;
        window.screenshot("import-reader").await;
        window.click("button", "Done").await;
        window.press("3").await;
        window.shows("Øresund für Anfänger 港").await;
        window.close().await;
        // A second import would change nothing, and the window says so.
        let window = Window::open_with(&scratch, &[database]).await;
        window.shows("Nothing new to import").await;
        window.shows("7 articles already present").await;
        window.close().await;
        let stats = scratch.stats();
        assert_eq!(stats["feeds"], 4, "with the bundled feed");
    });
}

#[test]
fn a_list_is_shown_before_it_is_imported_and_the_import_can_be_undone_and_done_again() {
    run(async {
        let (scratch, server) = (Scratch::new(), Server::start().await);
        for name in ["rye", "oats", "own"] {
            server.on(&format!("/{name}"), Reply::ok(rss(name, &[article(&format!("About {name}"), "<p>Text.</p>")])));
        }
        assert!(scratch.glean(&["add", &server.url("/own")]).status.success());
        let outline =
            |name: &str| format!("<outline type='rss' text='{name}' xmlUrl='{}'/>", server.url(&format!("/{name}")));
        let list = format!(
            "<opml version='2.0'><body><outline text='Grain'>{}{}</outline>{}</body></opml>",
            outline("rye"),
            outline("oats"),
            outline("own")
        );
        let list = scratch.write("list.opml", &list);
        let list = list.to_str().unwrap();
        let feeds = || scratch.stats()["feeds"].clone();
        let window = Window::open_with(&scratch, &[list]).await;
        window.find("dialog", "Import these feeds?").await;
        window.shows("2 new feeds · 1 folder").await;
        window.shows("1 feed already present").await;
        window.shows("Already subscribed").await;
        window.audit("what a list contains").await;
        window.screenshot("import-preview").await;
        window.click("button", "Cancel").await;
        window.no_dialog().await;
        assert_eq!(feeds(), 2, "with the bundled feed");
        // The same from a second start.
        assert!(scratch.start_again(&[list]).status.success());
        window.confirm_import().await;
        window.shows("2 feeds added · 1 new folder").await;
        window.find("button", "Undo import").await;
        window.audit("the summary of an import that can be undone").await;
        window.screenshot("import-undo").await;
        window.click("button", "Done").await;
        window.find("treeitem", "Grain").await;
        window.close().await;
    });
}

#[test]
fn an_import_is_undone_by_key_and_done_again() {
    run(async {
        let scratch = Scratch::new();
        let list = scratch.write(
            "list.opml",
            "<opml version='2.0'><body><outline text='Grain'><outline type='rss' text='Rye' xmlUrl='http://127.0.0.1:1/rye'/>\
             <outline type='rss' text='Oats' xmlUrl='http://127.0.0.1:1/oats'/></outline></body></opml>",
        );
        let window = Window::open_importing(&scratch, &[list.to_str().unwrap()]).await;
        window.shows("2 feeds added · 1 new folder").await;
        window.click("button", "Done").await;
        window.find("button", "Undo").await;
        window.press_control('z').await;
        window.shows("2 feeds removed").await;
        window.until("no folder", "__e2e.all('treeitem', 'Grain').length === 0").await;
        assert_eq!(scratch.stats()["folders"], 0);
        window.click("button", "Redo").await;
        window.find("treeitem", "Grain").await;
        assert_eq!((&scratch.stats()["feeds"], &scratch.stats()["folders"]), (&3.into(), &1.into()));
        window.close().await;
    });
}

#[test]
fn files_that_cannot_be_imported_say_why() {
    run(async {
        let scratch = Scratch::new();
        let empty = scratch.write("empty.opml", "");
        let folder = scratch.path("folder");
        std::fs::create_dir(&folder).unwrap();
        let window = Window::open(&scratch).await;
        for (path, text) in [
            (empty, "empty"),
            (folder, "Couldn’t import this folder"),
            (scratch.path("missing.opml"), "Couldn’t import this file"),
        ] {
            assert!(scratch.start_again(&[path.to_str().unwrap()]).status.success());
            window.shows(text).await;
            window.screenshot(&format!("import-{}", text.chars().take(5).collect::<String>())).await;
            window.click("button", "Done").await;
            window.no_dialog().await;
        }
        window.close().await;
    });
}

//! Lists in and out of the real window.
#![allow(clippy::unwrap_used)]

use gleaner_end_to_end::{Scratch, Window, article, opml, rss, run, settled};
use gleaner_testserver::{Reply, Server};

#[test]
fn two_hundred_feeds_come_in_by_a_list_and_are_read() {
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
        let window = Window::open_with(&scratch, &[list.to_str().unwrap()]).await;
        window.shows("200 feeds added").await;
        window.audit("the import's summary").await;
        window.picture("import-summary").await;
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
        window.picture("many-feeds").await;
        // The same list again changes nothing, and says so.
        window.close().await;
        let window = Window::open_with(&scratch, &[list.to_str().unwrap()]).await;
        window.shows("200 were there already").await;
        window.close().await;
        let stats = scratch.stats();
        assert_eq!((&stats["feeds"], &stats["folders"]), (&201.into(), &40.into()), "with the bundled feed");
    });
}

#[test]
fn progress_shows_while_a_slow_refresh_runs_and_it_can_be_stopped() {
    run(async {
        let (scratch, server) = (Scratch::new(), Server::start().await);
        server.on_request("*", |_| {
            Reply::ok(rss("Slow", &[article("Late", "<p>late</p>")])).delay(std::time::Duration::from_millis(400))
        });
        let feeds: Vec<(String, String)> =
            (0..60).map(|n| (format!("Slow {n}"), server.url(&format!("/{n}")))).collect();
        let list = scratch.write("list.opml", &opml(&feeds));
        let window = Window::open_with(&scratch, &[list.to_str().unwrap()]).await;
        window.shows("60 feeds added").await;
        window.click("button", "Done").await;
        window.find("progressbar", "Refreshing feeds").await;
        window.until("new articles while it runs", "__e2e.all('option', 'Unread Late').length + __e2e.all('option', 'Late').length > 0 || document.body.innerText.includes('Late')").await;
        window.picture("refreshing").await;
        window.audit("the window while it refreshes").await;
        window.click("button", "Stop refreshing").await;
        window.until("the end of the refresh", "__e2e.all('progressbar', null).length === 0").await;
        assert!(server.requests().len() < 60, "the rest was not asked");
        window.close().await;
    });
}

#[test]
fn a_file_that_is_no_list_is_said_so_and_changes_nothing() {
    run(async {
        let scratch = Scratch::new();
        let page = scratch.write("page.opml", "<html><body>hello</body></html>");
        let window = Window::open_with(&scratch, &[page.to_str().unwrap()]).await;
        window.shows("This file could not be imported").await;
        window.shows("not a list of feeds").await;
        window.audit("an import that failed").await;
        window.picture("import-failed").await;
        window.close().await;
        assert_eq!(scratch.stats()["feeds"], 1, "only the bundled one");
    });
}

#[test]
fn what_goes_out_of_one_library_comes_into_another_the_same() {
    run(async {
        let (one, two) = (Scratch::new(), Scratch::new());
        let list = one.write(
            "list.opml",
            &opml(&[
                ("A & B".replace('&', "&amp;"), "http://127.0.0.1:1/a".to_owned()),
                ("C".to_owned(), "http://127.0.0.1:1/c".to_owned()),
            ]),
        );
        let window = Window::open_with(&one, &[list.to_str().unwrap()]).await;
        window.shows("2 feeds added").await;
        // The window is open on the library; glean writes the list out beside it.
        let out = one.path("out.opml");
        assert!(one.glean(&["export", out.to_str().unwrap()]).status.success());
        window.close().await;
        let window = Window::open_with(&two, &[out.to_str().unwrap()]).await;
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
fn another_readers_database_comes_in_with_what_was_read_and_starred() {
    run(async {
        let scratch = Scratch::new();
        let database = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/readers/liferea/liferea.db");
        let window = Window::open_with(&scratch, &[database]).await;
        window.shows("3 feeds added, 2 new folders, 7 articles, 1 of them starred").await;
        window.audit("the summary of another reader's database").await;
        window.picture("import-reader").await;
        window.click("button", "Done").await;
        window.press("3").await;
        window.shows("Øresund für Anfänger 港").await;
        window.close().await;
        // Again, it changes nothing, and says so.
        let window = Window::open_with(&scratch, &[database]).await;
        window.shows("7 articles were here already").await;
        window.close().await;
        let stats = scratch.stats();
        assert_eq!(stats["feeds"], 4, "with the bundled feed");
    });
}

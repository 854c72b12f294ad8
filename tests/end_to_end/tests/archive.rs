//! Archives in the window.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run};
use gleaner_testserver::{Reply, Server};

#[test]
fn an_archive_of_one_library_is_imported_into_another() {
    run(async {
        let (one, two, server) = (Scratch::new(), Scratch::new(), Server::start().await);
        let items = [article("First boat", "<p>one</p>"), article("Second boat", "<p>two</p>")];
        server.on("/a", Reply::ok(rss("Harbour", &items)));
        one.import(&[("Harbour", server.url("/a"))]);
        assert!(one.glean(&["refresh", "--all"]).status.success());
        let archive = one.path("all.zip");
        let made = one.glean(&["export", "--everything", archive.to_str().unwrap()]);
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));

        let window = Window::open_importing(&two, &[archive.to_str().unwrap()]).await;
        window.shows("2 articles added").await;
        window.audit("the summary of an archive").await;
        window.screenshot("archive-summary").await;
        window.click("button", "Done").await;
        window.press("4").await;
        window.until("the articles", "__e2e.all('option', null).length > 1").await;
        window.click("button", "Menu").await;
        window.find("menuitem", "Export everything…").await;
        window.audit("the menu").await;
        window.screenshot("archive-menu").await;
        window.close().await;
        let found = |scratch: &Scratch| {
            let found = scratch.glean(&["search", "--json", "boat"]);
            let found: serde_json::Value = serde_json::from_slice(&found.stdout).unwrap();
            found["hits"].as_array().unwrap().len()
        };
        assert_eq!((found(&one), found(&two)), (2, 2));

        // The same archive again changes nothing, and the window says so before and after.
        let window = Window::open_with(&two, &[archive.to_str().unwrap()]).await;
        window.find("dialog", "No new feeds or articles").await;
        window.shows("2 articles already present").await;
        window.audit("an archive without anything new").await;
        window.screenshot("archive-nothing-new").await;
        window.confirm_import().await;
        window.find("dialog", "Import").await;
        window.shows("No new feeds or articles").await;
        window.shows("2 articles already present").await;
        window.close().await;
    });
}

#[test]
fn a_truncated_archive_gives_an_error_and_changes_nothing() {
    run(async {
        let scratch = Scratch::new();
        let half = scratch.write("half.zip", "PK\u{3}\u{4} and no more");
        let window = Window::open_with(&scratch, &[half.to_str().unwrap()]).await;
        window.shows("Couldn’t import this file").await;
        window.shows("damaged or incomplete").await;
        window.audit("an archive that failed").await;
        window.screenshot("archive-failed").await;
        window.close().await;
        assert_eq!(scratch.stats()["feeds"], 1, "only the bundled one");
    });
}

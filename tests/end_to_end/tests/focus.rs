//! Clicks with the mouse never take the keyboard focus: after each of them Space still scrolls, and Escape and the letters still work.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, opml, rss, run};
use gleaner_testserver::{Reply, Server};

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const TOP: &str = "__e2e.frame().scrollingElement.scrollTop";

/// Opens a window on a feed with long articles that have a category, and opens the first.
async fn reading(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    let long = "<p>A paragraph that goes on for a while, so that there is something to scroll through.</p>".repeat(200);
    let items: Vec<String> = (0..6)
        .map(|n| {
            let item = article(&format!("Article{n}"), &format!("<p>Text {n}.</p>{long}"));
            item.replace(
                "</item>",
                &format!(
                    "<category>Cereals</category><pubDate>Mon, 02 Nov 2026 10:{:02}:00 GMT</pubDate></item>",
                    59 - n
                ),
            )
        })
        .collect();
    server.on("/feed", Reply::ok(rss("Grain", &items)));
    scratch.import(&[("Grain", server.url("/feed"))]);
    assert!(scratch.glean(&["refresh", "--all"]).status.success());
    let window = Window::open(scratch).await;
    window.click("treeitem", "Grain").await;
    window.find("option", "Article0").await;
    (server, window)
}

/// Presses Space and waits until the article has scrolled.
async fn reads_on(window: &Window, after: &str) {
    let before = window.scrolled(TOP).await;
    window.press(" ").await;
    window.until(&format!("reading on after {after}"), &format!("{TOP} > {before}")).await;
}

#[test]
fn space_reads_on_after_every_click() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = reading(&scratch).await;
        // A click on a feed: Space opens its first unread article.
        window.press(" ").await;
        window.reads("Text 0.").await;
        reads_on(&window, "a click on a feed").await;

        // A toggle of the toolbar is clicked once, and Space does not click it again.
        window.click("button", "Star").await;
        window.find("button", "Remove star").await;
        reads_on(&window, "the star").await;
        window.find("button", "Remove star").await;

        // Menus: a button's, closed by Escape, and a category's.
        for (role, button) in [("button", "More actions"), ("button", "Menu"), ("button", "View options")] {
            window.click(role, button).await;
            window.until("a menu", "__e2e.all('menu', null).length === 1").await;
            window.press(ESCAPE).await;
            window.until("no menu", "__e2e.all('menu', null).length === 0").await;
            reads_on(&window, button).await;
            assert_eq!(window.value("document.querySelector('.tooltip') === null").await, true);
        }

        // A dialog that the mouse opened.
        window.click("button", "Edit tags").await;
        window.find("dialog", "Tags").await;
        window.escape().await;
        reads_on(&window, "a dialog").await;

        // The letters and Escape still work, too.
        window.press("j").await;
        window.reads("Text 1.").await;
        window.click("button", "Unread only").await;
        window.until("the unread articles", "__e2e.all('option', 'Article0').length === 0").await;
        window.press("j").await;
        window.reads("Text 2.").await;
        window.close().await;
    });
}

#[test]
fn tab_reaches_buttons_and_space_presses_them() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = reading(&scratch).await;
        window.press("j").await;
        window.reads("Text 0.").await;
        window.tab_to("Star").await;
        window.press(" ").await;
        window.find("button", "Remove star").await;
        window.close().await;
    });
}

#[test]
fn enter_presses_the_main_button_of_a_dialog_without_fields() {
    run(async {
        let scratch = Scratch::new();
        let server = Server::start().await;
        server.on("/feed", Reply::ok(rss("Grain", &[article("Article0", "<p>Text.</p>")])));
        let list = scratch.write("list.opml", &opml(&[("Grain", server.url("/feed"))]));
        let window = Window::open_with(&scratch, &[list.to_str().unwrap()]).await;
        window.find("dialog", "Import these feeds?").await;
        window.focus_on("Import").await;
        window.press(ENTER).await;
        window.find("button", "Done").await;
        window.press(ENTER).await;
        window.no_dialog().await;
        window.close().await;
    });
}

//! The command palette, and keys that are another way than they came: by keyboard alone.
#![allow(clippy::unwrap_used)]

use gleaner_end_to_end::{Scratch, Window, article, opml, rss, run, settled};
use gleaner_testserver::{Reply, Server};

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";

/// A window on two feeds: "Grain" with three articles, "Bread" with one.
async fn bakery(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    let rye: Vec<String> = (0..3).map(|n| article(&format!("Rye {n}"), &format!("<p>Text {n}.</p>"))).collect();
    server.on("/grain", Reply::ok(rss("Grain", &rye)));
    server.on("/bread", Reply::ok(rss("Bread", &[article("A loaf", "<p>Of rye.</p>")])));
    let feeds = [("Grain".to_owned(), server.url("/grain")), ("Bread".to_owned(), server.url("/bread"))];
    let list = scratch.write("list.opml", &opml(&feeds));
    assert!(scratch.glean(&["import", list.to_str().unwrap()]).status.success());
    assert!(scratch.glean(&["refresh"]).status.success());
    let window = Window::open(scratch).await;
    window.find("treeitem", "Bread").await;
    (server, window)
}

#[test]
fn the_palette_goes_anywhere_and_does_anything() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = bakery(&scratch).await;
        window.press_control('k').await;
        window.find("combobox", "An action, a feed").await;
        window.audit("the palette").await;
        window.press("brd").await;
        window.until("the feed is the first", "__e2e.all('option', null)[0]?.textContent.includes('Bread')").await;
        window.press(ENTER).await;
        window.until("its list", "__e2e.all('treeitem', 'Bread')[0]?.ariaSelected === 'true'").await;
        window.find("option", "A loaf").await;

        // An action, which opens a dialog of its own.
        window.press(":").await;
        window.find("combobox", "An action, a feed").await;
        window.press("well-known").await;
        window.press(ENTER).await;
        window.find("dialog", "Start with well-known feeds").await;
        window.press(ESCAPE).await;

        // What is nothing of that is looked for in the articles.
        window.press_control('k').await;
        window.find("combobox", "An action, a feed").await;
        window.press("text rye").await;
        window.find("option", "Search for “text rye”").await;
        window.press(ENTER).await;
        // Three, and one that came with Gleaner.
        window.shows("4 articles found").await;
        window.press(ESCAPE).await;
        window.press(ESCAPE).await;

        // Escape leaves everything as it was.
        window.find("option", "A loaf").await;
        window.press_control('k').await;
        window.find("combobox", "An action, a feed").await;
        window.press(ESCAPE).await;
        window.until("the palette is gone", "__e2e.all('combobox', null).length === 0").await;
        window.close().await;
    });
}

#[test]
fn keys_are_changed_and_stay_so() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = bakery(&scratch).await;
        window.press("?").await;
        window.find("dialog", "Keyboard shortcuts").await;
        window.find("button", "Change the keys of “Star”").await.click().await.unwrap();
        window.find("textbox", "Press the new keys").await;
        window.press("j").await;
        window.shows("So far: Next article").await;
        window.audit("a key that is changed").await;
        window.picture("keys-editor").await;
        // Escape begins anew; two keys in turn are fine.
        window.press(ESCAPE).await;
        window.press_word("gw").await;
        window.press(ENTER).await;
        window.find("button", "Remove G W").await;
        window.press(ESCAPE).await;
        window.find("button", "Take back own changes").await;
        window.press(ESCAPE).await;

        window.click("treeitem", "Bread").await;
        window.find("option", "A loaf").await;
        window.press("j").await;
        window.reads("Of rye.").await;
        window.press_word("gw").await;
        window.find("button", "Remove star").await;
        settled("the keys are kept", || async {
            let stats = scratch.stats();
            if stats["starred"] == 1 { Ok(()) } else { Err(stats.to_string()) }
        })
        .await;
        window.close().await;

        let window = Window::open(&scratch).await;
        window.click("treeitem", "Bread").await;
        window.find("option", "A loaf").await;
        window.press("j").await;
        window.reads("Of rye.").await;
        window.press_word("gw").await;
        window.find("button", "Star").await;
        // Another program's keys take their place, and that can be taken back.
        window.press("?").await;
        window.find("combobox", "Keys as in").await.select_by_value("vim").await.unwrap();
        window.shows("your own changes are gone").await;
        window.press(ESCAPE).await;
        window.press_word("ga").await;
        window.until("all articles", "__e2e.all('treeitem', 'All articles')[0]?.ariaSelected === 'true'").await;
        window.click("button", "Undo").await;
        window.press("1").await;
        window.until("today", "__e2e.all('treeitem', 'Today')[0]?.ariaSelected === 'true'").await;
        window.close().await;
    });
}

//! The command palette and changed keyboard shortcuts, by keyboard only.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run, settled};
use gleaner_testserver::{Reply, Server};

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";

/// Opens a window on two feeds: "Grain" with three articles, "Bread" with one.
async fn bakery(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    let rye: Vec<String> = (0..3).map(|n| article(&format!("Rye {n}"), &format!("<p>Text {n}.</p>"))).collect();
    server.on("/grain", Reply::ok(rss("Grain", &rye)));
    server.on("/bread", Reply::ok(rss("Bread", &[article("A loaf", "<p>Of rye.</p>")])));
    let feeds = [("Grain", server.url("/grain")), ("Bread", server.url("/bread"))];
    scratch.import(&feeds);
    assert!(scratch.glean(&["refresh"]).status.success());
    let window = Window::open(scratch).await;
    window.find("treeitem", "Bread").await;
    (server, window)
}

#[test]
fn the_palette_opens_feeds_and_runs_actions() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = bakery(&scratch).await;
        window.palette().await;
        window.audit("the palette").await;
        window.type_text("brd").await;
        window.until("the feed is the first", "__e2e.all('option', null)[0]?.textContent.includes('Bread')").await;
        window.press(ENTER).await;
        window.until("its list", "__e2e.all('treeitem', 'Bread')[0]?.ariaSelected === 'true'").await;
        window.find("option", "A loaf").await;

        // An action that opens a dialog.
        window.no_dialog().await;
        window.press(":").await;
        window.type_text("well-known").await;
        window.until("the action", "(__e2e.all('option', null)[0]?.textContent ?? '').includes('Well-known')").await;
        window.press(ENTER).await;
        window.find("dialog", "Start with well-known feeds").await;
        window.escape().await;

        // Other text is searched for in the articles.
        window.palette().await;
        window.type_text("text rye").await;
        window.find("option", "Search for “text rye”").await;
        window.press(ENTER).await;
        // Three, and a bundled one.
        window.shows("4 articles found").await;
        window.press(ESCAPE).await;
        window.press(ESCAPE).await;

        // Escape changes nothing.
        window.find("option", "A loaf").await;
        window.palette().await;
        window.escape().await;
        window.until("the palette is closed", "__e2e.all('combobox', null).length === 0").await;
        window.close().await;
    });
}

#[test]
fn changed_keys_survive_a_restart() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = bakery(&scratch).await;
        window.press("?").await;
        window.find("dialog", "Keyboard shortcuts").await;
        window.click("button", "Change shortcut for “Star or remove star”").await;
        window.focus_on("Press the new shortcut").await;
        window.press("j").await;
        window.shows("Already used by “Next article”").await;
        window.audit("a shortcut being changed").await;
        window.screenshot("keys-editor").await;
        // Escape clears the field; a sequence of two keys is allowed.
        window.press(ESCAPE).await;
        window.until("an empty field", "!document.body.innerText.includes('Already used by')").await;
        window.press_word("gw").await;
        window.press(ENTER).await;
        window.find("button", "Remove G W").await;
        window.press(ESCAPE).await;
        window.find("button", "Reset to preset").await;
        window.escape().await;

        window.click("treeitem", "Bread").await;
        window.find("option", "A loaf").await;
        window.press("j").await;
        window.reads("Of rye.").await;
        window.press_word("gw").await;
        window.find("button", "Remove star").await;
        settled("the shortcuts are stored", || async {
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
        // The keys of another program replace them, which can be undone.
        window.press("?").await;
        window.choose("Shortcut preset", "vim").await;
        window.shows("your changes were discarded").await;
        window.escape().await;
        window.press_word("ga").await;
        window.until("all articles", "__e2e.all('treeitem', 'All articles')[0]?.ariaSelected === 'true'").await;
        window.click("button", "Undo").await;
        window.press("1").await;
        window.until("today", "__e2e.all('treeitem', 'Today')[0]?.ariaSelected === 'true'").await;
        window.close().await;
    });
}

#[test]
fn menus_are_used_by_keys_alone() {
    run(async {
        const F10: &str = "\u{e03a}";
        const END: &str = "\u{e010}";
        const HOME: &str = "\u{e011}";
        const DOWN: &str = "\u{e015}";
        const UP: &str = "\u{e013}";
        let scratch = Scratch::new();
        let (_server, window) = bakery(&scratch).await;
        window.press("j").await;
        let in_list = "document.activeElement.closest('[data-pane]')?.dataset.pane === 'list'";
        window.until("the focus in the list", in_list).await;
        window.press(F10).await;
        window.find("menu", "Menu").await;
        window.press(HOME).await;
        window.focus_on("Well-known feeds").await;
        window.press(DOWN).await;
        window.focus_on("Import").await;
        window.press(END).await;
        window.focus_on("Quit Gleaner").await;
        window.press(UP).await;
        window.focus_on("About Gleaner").await;
        window.press_word("set").await;
        window.focus_on("Settings").await;
        window.screenshot("main-menu").await;
        window.press(ESCAPE).await;
        window.until("no menu", "__e2e.all('menu', null).length === 0").await;
        window.until("the focus in the list again", in_list).await;

        // The sidebar hides, lies above the list while it has the focus, and returns.
        const F9: &str = "\u{e039}";
        window.press(F9).await;
        window.find("button", "Show sidebar").await;
        window.until("no sidebar", "__e2e.all('tree', null).length === 0").await;
        window.screenshot("no-sidebar").await;
        window.press(F10).await;
        window.find("menu", "Menu").await;
        window.press(ESCAPE).await;
        window.until("no menu", "__e2e.all('menu', null).length === 0").await;
        window.screenshot("sidebar-above").await;
        window.press(ESCAPE).await;
        window.until("no sidebar", "__e2e.all('tree', null).length === 0").await;
        window.press("j").await;
        window.press(F9).await;
        window.until("the sidebar", "__e2e.all('tree', null).length === 1").await;
        window.until("no button for it", "__e2e.all('button', 'Show sidebar').length === 0").await;
        window.close().await;
    });
}

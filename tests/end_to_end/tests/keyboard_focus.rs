//! The focus by keyboard alone: rows that are removed hand it on, and articles that are not neighbours are selected.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, run};
use gleaner_testserver::{Reply, Server};

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const DOWN: char = '\u{e015}';
const F2: &str = "\u{e032}";
const F6: &str = "\u{e036}";

/// Opens a window with the feeds Barley, Oats and Rye, and Wheat in the folder Mill. Rye has three articles.
async fn granary(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    for name in ["Barley", "Oats", "Rye", "Wheat"] {
        let count = if name == "Rye" { 3 } else { 1 };
        let items: Vec<String> =
            (1..=count).map(|n| article(&format!("{name} {n}"), &format!("<p>What {name} is.</p>"))).collect();
        server.on(&format!("/{name}"), Reply::ok(gleaner_end_to_end::rss(name, &items)));
    }
    scratch.import_granary(&server);
    let window = Window::open(scratch).await;
    window.find("treeitem", "Rye, 3 unread").await;
    (server, window)
}

/// Moves the focus to a row of the sidebar and opens its menu, as Shift+F10 does.
async fn menu_of(window: &Window, name: &str) {
    window.value(&format!("__e2e.all('treeitem', {name:?})[0].focus() ?? null")).await;
    window.focus_on(name).await;
    window
        .value(
            "document.activeElement.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))",
        )
        .await;
    window.until("a menu", "__e2e.all('menu', null).length === 1").await;
}

#[test]
fn a_removed_row_of_the_sidebar_hands_the_focus_on() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        menu_of(&window, "Barley").await;
        window.click("menuitem", "Unsubscribe").await;
        window.focus_on("Oats").await;
        window.press("u").await;
        window.focus_on("Barley").await;

        menu_of(&window, "Rye").await;
        window.click("menuitem", "Unsubscribe").await;
        window.focus_on("Welcome to Gleaner").await;
        // The last row.
        menu_of(&window, "Welcome to Gleaner").await;
        window.click("menuitem", "Unsubscribe").await;
        window.focus_on("Oats").await;
        window.press(&DOWN.to_string()).await;
        window.focus_on("Oats").await;

        // A folder with its feeds.
        menu_of(&window, "Mill").await;
        window.click("menuitem", "Delete folder and unsubscribe").await;
        window.focus_on("Barley").await;
        window.press(&DOWN.to_string()).await;
        window.focus_on("Oats").await;
        window.close().await;
    });
}

#[test]
fn a_feed_renamed_out_of_a_search_keeps_the_focus() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.press("L").await;
        window.focus_on("Find a feed").await;
        window.press("oat").await;
        window.until("the match", "__e2e.all('treeitem', null).length === 1").await;
        window.press(&DOWN.to_string()).await;
        window.focus_on("Oats").await;
        window.press(F2).await;
        window.focus_on("Rename Oats").await;
        window.press("Spelt").await;
        window.press(ENTER).await;
        window.focus_on("Spelt").await;
        window.press(ESCAPE).await;
        window.until("the end of the search", "__e2e.all('textbox', 'Find a feed').length === 0").await;
        window.focus_on("Spelt").await;

        // The last match is removed: Escape in the field ends the search.
        window.press("L").await;
        window.focus_on("Find a feed").await;
        window.press("spelt").await;
        window.until("the match", "__e2e.all('treeitem', null).length === 1").await;
        menu_of(&window, "Spelt").await;
        window.click("menuitem", "Unsubscribe").await;
        window.focus_on("Find a feed").await;
        window.press(ESCAPE).await;
        window.until("the end of the search", "__e2e.all('textbox', 'Find a feed').length === 0").await;
        window.close().await;
    });
}

#[test]
fn articles_that_are_no_neighbours_are_selected_by_keyboard() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.click("treeitem", "Rye").await;
        window.find("option", "Rye 3").await;
        window.press("j").await;
        window.reads("What Rye is.").await;
        window.until("the list's focus", "document.activeElement.role === 'listbox'").await;
        window.press_control(DOWN).await;
        window.press_control(DOWN).await;
        let active = "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))";
        window.until("the third row", &format!("{active}?.ariaPosInSet === '3'")).await;
        window.until("the first is open", &format!("{active}.ariaSelected === 'false'")).await;
        window.press_control(' ').await;
        window
            .until(
                "the first and the third are selected",
                "__e2e.all('option', null).filter((row) => row.ariaSelected === 'true').map((row) => row.ariaPosInSet).join() === '1,3'",
            )
            .await;
        window.press("m").await;
        window.press(ESCAPE).await;
        window.until("the open row", &format!("{active}?.ariaPosInSet === '1'")).await;
        window.close().await;
    });
}

#[test]
fn the_focus_is_drawn_in_each_pane_that_a_key_reaches_after_the_mouse() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.click("treeitem", "Rye").await;
        window.click("option", "Rye 3").await;
        window.reads("What Rye is.").await;
        window.click("treeitem", "Rye").await;
        window.focus_on("Rye").await;
        let is_drawn = "[document.activeElement, document.activeElement.querySelector('.active .row')]
            .some((one) => one && getComputedStyle(one).boxShadow !== 'none')";
        for pane in ["list", "article"] {
            window.press(F6).await;
            let has_focus = format!("document.activeElement.closest('[data-pane]')?.dataset.pane === '{pane}'");
            window.until(&format!("the focus in the {pane}"), &format!("{has_focus} && {is_drawn}")).await;
        }
        window.close().await;
    });
}

//! The appearance of the window: lists of choices, tooltips, counts, and the bar for a selection.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run};
use gleaner_testserver::{Reply, Server};

const DOWN: &str = "\u{e015}";
const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const LISTS: &str = "document.querySelectorAll('[role=listbox][popover]').length";

async fn granary(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    let text = "<p>What the mill takes in by day it grinds by night.</p>".repeat(30);
    let name = "A feed whose name is much too long for the sidebar";
    server.on("/feed", Reply::ok(rss(name, &[article("Wheat", &text), article("Rye", "<p>Rye.</p>")])));
    scratch.import(&[(name, server.url("/feed"))]);
    assert!(scratch.glean(&["refresh", "--all"]).status.success());
    let window = Window::open(scratch).await;
    window.click("option", "Wheat").await;
    window.reads("grinds by night").await;
    (server, window)
}

#[test]
fn a_list_of_choices_has_the_keys_and_the_colours_of_the_window() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        for theme in ["Dark", "Light"] {
            window.theme(theme).await;
            window.view("Reading statistics").await;
            window.click("combobox", "Period").await;
            window.until("the list", &format!("{LISTS} === 1")).await;
            window.audit(&format!("a list of choices, {theme}")).await;
            window.screenshot(&format!("choices-{theme}")).await;
            // Escape closes the list and not the dialog.
            window.press(ESCAPE).await;
            window.until("no list", &format!("{LISTS} === 0")).await;
            window.find("dialog", "Reading statistics").await;
            window.leave().await;
        }
        window.view("Reading statistics").await;
        let says = |text: &str| format!("__e2e.all('combobox', 'Period')[0].textContent.trim() === '{text}'");
        window.find("combobox", "Period").await;
        window.value("document.querySelector('[role=combobox]').focus()").await;
        window.press(DOWN).await;
        window.until("the list", &format!("{LISTS} === 1")).await;
        window.press(&format!("{DOWN}{ENTER}")).await;
        window.until("the next period", &says("Last 90 days")).await;
        // The window's own keys do nothing while letters choose.
        window.press_word("last 7").await;
        window.press(ENTER).await;
        window.until("the typed period", &says("Last 7 days")).await;
        assert_eq!(window.value(LISTS).await, 0);
        window.leave().await;
        window.close().await;
    });
}

#[test]
fn tooltips_are_the_windows_own_and_numbers_in_the_sidebar_are_unread_articles() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.until("no native tooltip", "document.querySelectorAll('[title]:not(iframe)').length === 0").await;
        let name = "__e2e.all('treeitem', 'A feed whose name')[0].querySelector('.label').getBoundingClientRect()";
        let at = window.value(&format!("(() => {{ const box = {name}; return [box.x + 20, box.y + 8]; }})()")).await;
        window.point(at[0].as_f64().unwrap(), at[1].as_f64().unwrap()).await;
        window
            .until(
                "the whole name",
                "[...document.querySelectorAll('.tooltip')].some((tip) => tip.textContent.includes('too long for the sidebar'))",
            )
            .await;
        window.screenshot("tooltip").await;
        window.press("s").await;
        window.find("button", "Remove star").await;
        for (view, number) in [("unread", true), ("starred", false), ("all", false)] {
            let shown = format!("/[0-9]/.test(document.querySelector('[data-key={view}]').innerText) === {number}");
            window.until(view, &shown).await;
        }
        window.close().await;
    });
}

#[test]
fn a_key_hides_a_tooltip_before_it_opens_a_dialog() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        let button = "document.querySelector('[data-pane=list] button[aria-label=Search]').getBoundingClientRect()";
        let at = window.value(&format!("(() => {{ const box = {button}; return [box.x + 8, box.y + 8]; }})()")).await;
        window.point(at[0].as_f64().unwrap(), at[1].as_f64().unwrap()).await;
        window.until("the tooltip", "document.querySelector('.tooltip')?.textContent.includes('Search')").await;
        window.press("?").await;
        window.until("the shortcuts", "!!document.querySelector('[role=dialog]')").await;
        window.until("no tooltip", "!document.querySelector('.tooltip')").await;
        window.escape().await;
        // A button that gets the focus by key shows it as well, with its shortcut.
        window.value("document.querySelector('[data-pane=list] button[aria-label=Search]').focus()").await;
        window.until("its key", "document.querySelector('.tooltip kbd')?.textContent === '/'").await;
        window.close().await;
    });
}

#[test]
fn the_bar_for_a_selection_is_near_it_and_wide_windows_name_their_buttons() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        let select = "(() => { const doc = __e2e.frame(); const range = doc.createRange(); \
            range.selectNodeContents(doc.querySelectorAll('.gl-body p')[2]); \
            doc.getSelection().removeAllRanges(); doc.getSelection().addRange(range); return true; })()";
        window.until("a selection", select).await;
        let near = "(() => { const frame = document.querySelector('iframe').getBoundingClientRect(); \
            const chosen = __e2e.frame().getSelection().getRangeAt(0).getBoundingClientRect(); \
            const bar = document.querySelector('[data-selection]')?.getBoundingClientRect(); \
            return !!bar && Math.abs(bar.top - frame.top - chosen.bottom) < 24; })()";
        window.until("the bar near the selection", near).await;
        window.screenshot("selection").await;
        window.until("no selection", "__e2e.frame().getSelection().removeAllRanges() === undefined").await;
        let words = "[...document.querySelectorAll('[data-pane=article] > header .word')]";
        let named = format!("{words}.length === 6 && {words}.every((word) => word.offsetWidth > 0)");
        for theme in ["Dark", "Light"] {
            window.theme(theme).await;
            for width in [640, 1024, 1440, 1920] {
                window.resize(width, 850).await;
                window.until(&format!("labels at {width}"), &format!("({named}) === {}", width >= 1440)).await;
                window.screenshot(&format!("window-{theme}-{width}")).await;
            }
            window.audit(&format!("a wide window, {theme}")).await;
            window.resize(1280, 820).await;
        }
        window.close().await;
    });
}

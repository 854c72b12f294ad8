//! The text scale of the desktop, which WebKitGTK applies to all pages.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, TextScaleSetting, Window, article, rss, run};
use gleaner_testserver::{Reply, Server};

const ENTER: char = '\u{e007}';
const F10: &str = "\u{e03a}";
const LIST: &str = "document.querySelector('[data-pane=list] [role=listbox]')";
/// The rows of the list are below each other without a gap, and each is high enough for its text.
const ROWS_FIT: &str = "(() => {
    const rows = __e2e.all('option', null).map((row) => [row, row.getBoundingClientRect()]).sort((a, b) => a[1].top - b[1].top);
    return rows.length > 1 && rows.every(([row, box], at) => row.scrollHeight <= row.clientHeight + 1
        && (at === 0 || Math.abs(box.top - rows[at - 1][1].bottom) < 1.5)); })()";

async fn granary(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    let text =
        "<p>What the mill takes in by day it grinds by night, and what it grinds is bread for the town.</p>".repeat(20);
    let articles: Vec<String> =
        (1..=40).map(|n| article(&format!("Load {n} of the wheat that came by barge"), &text)).collect();
    server.on("/feed", Reply::ok(rss("Mill", &articles)));
    scratch.import(&[("Mill", server.url("/feed"))]);
    assert!(scratch.glean(&["refresh", "--all"]).status.success());
    let window = Window::open(scratch).await;
    window.click("treeitem", "Mill").await;
    window.click("option", "Load 1 of").await;
    window.reads("What the mill takes in").await;
    (server, window)
}

/// Waits until the page has a width, in its own pixels.
async fn is_wide(window: &Window, width: f64) {
    window.until(&format!("a page that is {width} px wide"), &format!("Math.abs(innerWidth - {width}) < 2")).await;
}

#[test]
fn the_window_follows_the_text_scale_of_the_desktop() {
    run(async {
        let scratch = Scratch::new();
        let mut desktop = TextScaleSetting::new(1.25);
        let (_server, window) = granary(&scratch).await;
        is_wide(&window, 1280.0 / 1.25).await;
        for (scale, becomes_narrow) in [(1.0, false), (1.5, true), (2.0, false), (1.25, false)] {
            desktop.set(scale);
            is_wide(&window, 1280.0 / scale).await;
            if becomes_narrow {
                // The only pane is the article.
                window.click("button", "Back to list").await;
            }
            window.until("rows that fit", ROWS_FIT).await;
            window.value(&format!("({LIST}.scrollTop = 2003, 0)")).await;
            window.until("further rows", "__e2e.all('option', 'Load 1 of').length === 0").await;
            assert!((window.scrolled(&format!("{LIST}.scrollTop")).await - 2003.0).abs() < 2.0);
            window.until("further rows that fit", ROWS_FIT).await;
            window.value(&format!("({LIST}.scrollTop = 0, 0)")).await;
            window.audit(&format!("the window at a text scale of {scale}")).await;
            window.screenshot(&format!("text-scale-{scale}")).await;
        }
        // The setting of the window multiplies it.
        window.press_control('=').await;
        window.press_control('=').await;
        window.until("larger text", "document.documentElement.style.fontSize === '20px'").await;
        window.click("button", "Back to list").await;
        window.until("rows that fit", ROWS_FIT).await;
        is_wide(&window, 1280.0 / 1.25).await;
        drop(desktop);
        is_wide(&window, 1280.0).await;
        window.close().await;
    });
}

#[test]
fn nothing_scrolls_sideways_in_the_smallest_window_with_the_largest_text() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.resize(480, 700).await;
        for _ in 0..7 {
            window.press_control('=').await;
        }
        window.until("the largest text", "document.documentElement.style.fontSize === '48px'").await;
        let fits = "[...document.querySelectorAll('.modal, .menu')].map((one) => [one.scrollWidth - one.clientWidth, \
            one.getBoundingClientRect().right - innerWidth]).every(([over, out]) => over <= 1 && out <= 0)";
        window.press_control(',').await;
        window.find("combobox", "Storage limit for images").await;
        window.until("settings that fit", fits).await;
        window.escape().await;
        window.press("i").await;
        window.click("tab", "Activity").await;
        window.find("table", "Request history").await;
        window.until("a request history that fits", fits).await;
        window.escape().await;
        window.press(F10).await;
        window.find("menuitem", "Settings…").await;
        window.until("a menu that fits", fits).await;
        window.close().await;
    });
}

#[test]
fn the_window_of_an_article_follows_the_text_scale_of_the_desktop() {
    run(async {
        let scratch = Scratch::new();
        let mut desktop = TextScaleSetting::new(1.25);
        let (_server, window) = granary(&scratch).await;
        let main = window.handle().await;
        window.press_shift(ENTER).await;
        let handles = window.windows(2).await;
        window.switch(handles.iter().find(|handle| **handle != main).unwrap()).await;
        window.until("the page", "document.readyState === 'complete' && !!document.body").await;
        is_wide(&window, 760.0 / 1.25).await;
        desktop.set(1.5);
        is_wide(&window, 760.0 / 1.5).await;
        // Keys zoom on from there.
        window.press_control('=').await;
        is_wide(&window, 760.0 / 1.5 / 1.1).await;
        desktop.set(1.0);
        is_wide(&window, 760.0 / 1.1).await;
        window.press_control('0').await;
        is_wide(&window, 760.0).await;
        window.close().await;
    });
}

#[test]
fn the_menu_of_an_article_is_at_the_pointer_where_the_desktop_scales_text() {
    run(async {
        let scratch = Scratch::new();
        let desktop = TextScaleSetting::new(1.25);
        let (_server, window) = granary(&scratch).await;
        let at = window.value("(() => { const { left, top } = document.querySelector('iframe').getBoundingClientRect(); return [left + 20, top + 200]; })()").await;
        let [x, y] = [0, 1].map(|side| at[side].as_f64().unwrap());
        // Pixels of the screen are smaller than those of the page.
        window.right_click_at(x * 1.25, y * 1.25);
        window.find("menuitem", "Copy").await;
        let menu = window.value("(() => { const { left, top } = document.querySelector('[role=menu]').getBoundingClientRect(); return [left, top]; })()").await;
        let [left, top] = [0, 1].map(|side| menu[side].as_f64().unwrap());
        assert!((left - x).abs() < 20.0 && (top - y).abs() < 20.0, "{left}, {top} instead of {x}, {y}");
        drop(desktop);
        window.close().await;
    });
}

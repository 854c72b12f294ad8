//! Going back and forward between lists, with keys and with the mouse, and what lists show while they are read.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run};
use gleaner_testserver::{Reply, Server};

const LEFT: char = '\u{e012}';
const RIGHT: char = '\u{e014}';
const HEADING: &str = "document.querySelector('[data-pane=list] h1').textContent";

fn dated(title: &str, text: &str, minute: usize) -> String {
    let date = format!("<pubDate>Mon, 02 Nov 2026 10:{minute:02}:00 GMT</pubDate></item>");
    article(title, &format!("<p>{text}</p>")).replace("</item>", &date)
}

/// Opens a window on the feeds "Rye" and "Barley" with ten articles each. The window downloads them, so that it has indexed them.
async fn granary(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    for name in ["Rye", "Barley"] {
        let items: Vec<String> = (0..10)
            .map(|n| dated(&format!("{name}{n}"), &format!("Text of {name} {n}, from the mill."), 59 - n))
            .collect();
        server.on(&format!("/{name}"), Reply::ok(rss(name, &items)));
    }
    let feeds = ["Rye", "Barley"].map(|name| (name, server.url(&format!("/{name}"))));
    scratch.import(&feeds);
    let window = Window::open(scratch).await;
    window.click("treeitem", "Rye").await;
    window.find("option", "Rye0").await;
    (server, window)
}

async fn shown(window: &Window, list: &str) {
    window.until(list, &format!("{HEADING} === {list:?}")).await;
}

async fn selected(window: &Window, title: &str) {
    window.until(title, &format!("__e2e.all('option', {title:?})[0]?.ariaSelected === 'true'")).await;
    window.reads(&format!("Text of {}", title.replace(|c: char| c.is_ascii_digit(), ""))).await;
}

#[test]
fn keys_and_buttons_of_the_mouse_go_back_and_forward() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.click("option", "Rye3").await;
        selected(&window, "Rye3").await;
        window.click("treeitem", "Barley").await;
        window.click("option", "Barley5").await;
        selected(&window, "Barley5").await;
        window.click("treeitem", "Starred").await;
        shown(&window, "Starred").await;

        window.press_alt(LEFT).await;
        shown(&window, "Barley").await;
        selected(&window, "Barley5").await;
        window.press_mouse_on_screen("option", "Barley2", 8).await;
        shown(&window, "Rye").await;
        selected(&window, "Rye3").await;
        window.press_mouse_on_screen("option", "Rye1", 9).await;
        shown(&window, "Barley").await;
        // Over the article, too.
        window.press_mouse_on_screen("main", "Barley5", 9).await;
        shown(&window, "Starred").await;
        window.press_mouse_on_screen("button", "Search", 8).await;
        shown(&window, "Barley").await;
        selected(&window, "Barley5").await;
        // Next and previous go on from there.
        window.press("j").await;
        selected(&window, "Barley6").await;

        // A search is a place, from its field as well.
        window.search("mill").await;
        window.click("option", "Rye5").await;
        window.reads("Text of Rye 5").await;
        window.click("treeitem", "All articles").await;
        shown(&window, "All articles").await;
        window.press_alt(LEFT).await;
        window.until("the search", "document.querySelector('[role=search] input')?.value === 'mill'").await;
        selected(&window, "Rye5").await;
        window.click("combobox", "Search all articles").await;
        window.press_alt(LEFT).await;
        shown(&window, "Barley").await;
        selected(&window, "Barley6").await;
        window.press_alt(RIGHT).await;
        window.until("the search", "document.querySelector('[role=search] input')?.value === 'mill'").await;

        // The menu and the command palette offer both.
        window.press_alt(LEFT).await;
        window.click("button", "Menu").await;
        window.click("menuitem", "Forward").await;
        window.press_control('k').await;
        window.find("option", "Back").await;
        window.close().await;
    });
}

#[test]
fn a_narrow_window_goes_back_from_an_article_to_its_list() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.resize(600, 800).await;
        let pane = |pane: &str| format!("document.querySelector('[data-stage]').dataset.stage === '{pane}'");
        window.click("option", "Rye3").await;
        window.until("the article", &pane("article")).await;
        window.press_alt(LEFT).await;
        window.until("the list", &pane("list")).await;
        window.press_alt(RIGHT).await;
        window.until("the article again", &pane("article")).await;
        window.press_mouse_on_screen("main", "Rye3", 8).await;
        window.until("the list again", &pane("list")).await;
        window.close().await;
    });
}

#[test]
fn nothing_has_a_focus_ring_before_a_key_is_pressed() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.close().await;
        let window = Window::open(&scratch).await;
        window.find("option", "Rye0").await;
        let focused = "document.activeElement.matches('[data-pane=list] [role=listbox]')";
        window.until("the focus of the list", focused).await;
        let ring = "getComputedStyle(document.querySelector('.active .row')).boxShadow !== 'none'";
        assert_eq!(window.value(ring).await, false);
        window.screenshot("start").await;
        window.press("j").await;
        window.until("an article", "document.querySelector('[role=option][aria-selected=true]') !== null").await;
        window.until("its ring", ring).await;
        window.close().await;
    });
}

#[test]
fn rows_do_not_keep_the_room_of_broken_thumbnails() {
    run(async {
        let scratch = Scratch::new();
        let server = Server::start().await;
        let items: Vec<String> = (0..60)
            .map(|n| {
                let image = format!(
                    "<media:thumbnail xmlns:media=\"http://search.yahoo.com/mrss/\" url=\"{}\"/></item>",
                    server.url(&format!("/gone{n}.jpg"))
                );
                dated(&format!("Net{n}"), "Short.", 59 - n % 60).replace("</item>", &image)
            })
            .collect();
        server.on("/feed", Reply::ok(rss("Harbour", &items)));
        scratch.import(&[("Harbour", server.url("/feed"))]);
        assert!(scratch.glean(&["refresh", "--all"]).status.success());
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Harbour").await;
        window.find("option", "Net0").await;
        let height = |n: usize| format!("(__e2e.all('option', 'Net{n}')[0]?.getBoundingClientRect().height ?? 0)");
        // The row that is read stays where it is, and the others lose the room below the screen and when it is left.
        window.click("option", "Net0").await;
        window.reads("Short.").await;
        let top = "__e2e.all('option', 'Net0')[0].getBoundingClientRect().top";
        let before = window.value(top).await;
        let list = "document.querySelector('[data-pane=list] [role=listbox]')";
        // Images that failed before the click have left no room.
        let has_room = window.value(&format!("{} >= 95", height(1))).await;
        window.value(&format!("{list}.scrollTop = 2500")).await;
        window.until("rows below", "__e2e.all('option', null).some((row) => /Net[34]\\d/.test(row.textContent))").await;
        // The rows on the screen stay in place while those above get lower.
        if has_room == true {
            window.until("lower rows above", &format!("{list}.scrollTop < 2500")).await;
        }
        window.value(&format!("{list}.scrollTop = 0")).await;
        window.until("no room", &format!("{} > 0 && {} < 95", height(0), height(1))).await;
        assert_eq!(window.value(top).await, before);
        window.screenshot("broken-thumbnails").await;
        window.close().await;
    });
}

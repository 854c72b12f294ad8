//! The window's own context menus in articles. WebKit's menu never appears.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run, settled};
use gleaner_testserver::{Reply, Server};

/// A PNG image of one pixel.
const PIXEL: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00, 0x00,
    0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x06, 0x00, 0x00, 0x00, 0x1f, 0x15, 0xc4, 0x89, 0x00, 0x00, 0x00, 0x0d, 0x49,
    0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0xf0, 0x1f, 0x00, 0x05, 0x00, 0x01, 0xff, 0x56, 0xc7, 0x2f,
    0x0d, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

async fn page(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    let html = format!(
        "<p id=\"first\">Barley grows by the harbour.</p><p><a href=\"https://example.com/out\">Onward</a></p>\
         <p><img src=\"{}\" width=\"200\" height=\"120\" alt=\"A field\"></p>",
        server.url("/field.png")
    );
    server.on("/field.png", Reply::ok(PIXEL.to_vec()).header("Content-Type", "image/png"));
    server.on("/feed", Reply::ok(rss("Grain", &[article("Article0", &html)])));
    scratch.import(&[("Grain", server.url("/feed"))]);
    assert!(scratch.glean(&["refresh", "--all"]).status.success());
    let window = Window::open(scratch).await;
    window.click("treeitem", "Grain").await;
    window.click("option", "Article0").await;
    window.reads("Barley grows").await;
    (server, window)
}

async fn items(window: &Window) -> String {
    window.find("menu", "Actions for the page").await;
    let items = window.value("__e2e.all('menuitem', null).map((item) => __e2e.name(item)).join('|')").await;
    items.as_str().unwrap().to_owned()
}

#[test]
fn one_menu_at_a_time_is_open() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = page(&scratch).await;
        window.click("button", "Menu").await;
        window.find("menuitem", "Quit Gleaner").await;
        window.menu_in_article(".gl-body p").await;
        window.until("the main menu to close", "__e2e.all('menuitem', 'Quit Gleaner').length === 0").await;
        items(&window).await;
        assert_eq!(window.count("menu").await, 1);
        window.until("the focus in the menu", "!!document.activeElement?.closest('[role=menu]')").await;
        window.click("menuitem", "Find in article").await;
        window.type_text("barley").await;
        window.until("no menu", "__e2e.all('menu', null).length === 0").await;
        window.close().await;
    });
}

#[test]
fn the_keys_for_menus_open_the_menu_of_what_has_the_focus() {
    const ESCAPE: u32 = 0xff1b;
    const MENU: u32 = 0xff67;
    const SHIFT: u32 = 0xffe1;
    const F10: u32 = 0xffc7;
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = page(&scratch).await;
        let none = "__e2e.all('menu', null).length === 0";
        for keys in [&[SHIFT, F10][..], &[MENU]] {
            for (pane, command) in [("list", "Hide article"), ("sidebar", "Unsubscribe")] {
                if pane == "list" {
                    window.click("option", "Article0").await;
                } else {
                    window.click("treeitem", "Grain").await;
                }
                window.press_on_screen(keys);
                window.find("menuitem", command).await;
                window.press_on_screen(&[ESCAPE]);
                window.until("no menu", none).await;
                // WebKit waited for a menu of its own, and opened no other one.
                let (role, name) = if pane == "list" { ("option", "Article0") } else { ("treeitem", "Grain") };
                window.right_click_on_screen(role, name).await;
                window.find("menuitem", command).await;
                window.press_on_screen(&[ESCAPE]);
                window.until("no menu", none).await;
            }
        }
        window.click("option", "Article0").await;
        window.reads("Barley grows").await;
        window.press("]").await;
        window.until("the focus in the article", "document.activeElement?.matches('main[data-pane=article]')").await;
        window.press_on_screen(&[SHIFT, F10]);
        items(&window).await;
        window.press_on_screen(&[ESCAPE]);
        window.until("no menu", none).await;
        window.menu_in_article(".gl-body p").await;
        items(&window).await;
        window.close().await;
    });
}

#[test]
fn a_click_below_the_last_row_opens_no_menu() {
    run(async {
        let scratch = Scratch::new();
        let window = Window::open(&scratch).await;
        window.click("button", "Explore first").await;
        window.find("option", "Welcome to Gleaner").await;
        window.search("keyboard").await;
        window.until("one row", "document.querySelectorAll('[role=option]').length === 1").await;
        window.click("option", "Keyboard shortcuts").await;
        let row = "(() => { const { left, bottom } = document.querySelector('[role=option]').getBoundingClientRect(); return [left + 60, bottom] })()";
        let row = window.value(row).await;
        let (x, bottom) = (row[0].as_f64().unwrap(), row[1].as_f64().unwrap());
        window.right_click(x, bottom + 200.0).await;
        assert_eq!(window.count("menu").await, 0);
        window.right_click(x, bottom - 20.0).await;
        window.find("menuitem", "Hide article").await;
        assert_eq!(window.count("menu").await, 1);
        window.close().await;
    });
}

#[test]
fn a_link_has_an_own_menu() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = page(&scratch).await;

        window.menu_in_article(".gl-body a[href='https://example.com/out']").await;
        let link = items(&window).await;
        assert_eq!(link, "Open link|Open link in background|Copy link|Subscribe to site…");
        window.screenshot("page-menu-link").await;
        window.audit("the menu of a link").await;
        window.click("menuitem", "Open link in background").await;
        settled("the browser", || async {
            let opened = scratch.opened();
            if opened == ["https://example.com/out"] { Ok(()) } else { Err(format!("{opened:?}")) }
        })
        .await;

        // The menu lies over the link until it has closed.
        window.until("no menu", "__e2e.all('menu', null).length === 0").await;
        window.menu_in_article(".gl-body a[href='https://example.com/out']").await;
        window.click("menuitem", "Subscribe to site…").await;
        window.find("dialog", "Add feed").await;
        window
            .until(
                "the link's address",
                "document.querySelector('[role=dialog] input').value === 'https://example.com/out'",
            )
            .await;
        window.focus_on("Address of a site or feed").await;
        window.close().await;
    });
}

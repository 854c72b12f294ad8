//! Everyday actions that failed in trials of the window.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run};
use gleaner_testserver::{Reply, Server};

/// Two feeds in a folder and one beside it. One article of Grain is of 2020, the other of 2099.
async fn farm(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    let dated = |title: &str, year: u16| {
        let date = format!("<pubDate>Fri, 03 Jan {year} 10:00:00 GMT</pubDate></item>");
        article(title, "<p>Barley grows by the harbour.</p>").replace("</item>", &date)
    };
    server.on("/grain", Reply::ok(rss("Grain", &[dated("Old barley", 2020), article("New barley", "<p>Fresh.</p>")])));
    server.on("/hay", Reply::ok(rss("Hay", &[article("A bale", "<p>Dry.</p>")])));
    server.on(
        "/milk",
        Reply::ok(rss(
            "Milk",
            &[article(
                "A churn",
                &format!("<p>White.</p><audio controls src=\"{}\"></audio>", server.url("/churning.wav")),
            )],
        )),
    );
    let list = format!(
        "<opml version=\"2.0\"><body><outline text=\"Field\"><outline type=\"rss\" text=\"Grain\" xmlUrl=\"{}\"/>\
         <outline type=\"rss\" text=\"Hay\" xmlUrl=\"{}\"/></outline><outline type=\"rss\" text=\"Milk\" xmlUrl=\"{}\"/></body></opml>",
        server.url("/grain"),
        server.url("/hay"),
        server.url("/milk")
    );
    let list = scratch.write("list.opml", &list);
    assert!(scratch.glean(&["import", list.to_str().unwrap()]).status.success());
    assert!(scratch.glean(&["refresh", "--all"]).status.success());
    let window = Window::open(scratch).await;
    window.find("treeitem", "Milk").await;
    (server, window)
}

#[test]
fn a_right_click_where_there_is_no_menu_leaves_the_other_menus() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = farm(&scratch).await;
        let no_menu = "__e2e.all('menu', null).length === 0";
        for (role, name) in [("main", "Article"), ("heading", "Unread")] {
            window.right_click_on_screen(role, name).await;
            window.until("no menu", no_menu).await;
            window.right_click_on_screen("treeitem", "Milk").await;
            window.find("menuitem", "Unsubscribe").await;
            window.escape().await;
            window.until("no menu", no_menu).await;
        }
        window.close().await;
    });
}

#[test]
fn a_second_right_click_moves_the_menu() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = farm(&scratch).await;
        // The first menu is below the second place.
        for (role, first, second) in [("treeitem", "Milk", "Grain"), ("option", "A bale", "A churn")] {
            window.right_click_on_screen(role, first).await;
            window.until("the menu", "__e2e.all('menu', null).length === 1").await;
            window.right_click_on_screen(role, second).await;
            let marked = "[...document.querySelectorAll('[data-menu]')]";
            window
                .until(
                    "the menu at the second place",
                    &format!(
                        "{marked}.length === 1 && __e2e.name({marked}[0]).includes('{second}') && __e2e.all('menu', null).length === 1 &&
                         Math.abs(__e2e.all('menu', null)[0].getBoundingClientRect().top - {marked}[0].getBoundingClientRect().bottom) < 60"
                    ),
                )
                .await;
            // It has the keys.
            window.until("the focus in the menu", "!!document.activeElement.closest('[role=menu]')").await;
            window.escape().await;
            window.until("no menu", "__e2e.all('menu', null).length === 0").await;
        }
        window.close().await;
    });
}

#[test]
fn columns_are_hidden_and_moved_by_the_menu_of_their_header() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = farm(&scratch).await;
        window.click("treeitem", "Field").await;
        window.find("option", "Old barley").await;
        // The list has the window for itself.
        window.resize(880, 760).await;
        window.press("vvv").await;
        let heads = "[...document.querySelectorAll('[data-column]')].map((one) => one.dataset.column).join(' ')";
        window.until("the columns", &format!("{heads}.includes('date')")).await;
        window.click("button", "Columns").await;
        window.click("menuitemcheckbox", "Length").await;
        window.until("no length", &format!("!{heads}.includes('length')")).await;
        let before = window.value(heads).await;
        window.right_click_on_screen("button", "Date").await;
        window.click("menuitem", "Move left").await;
        window.until("another order", &format!("{heads} !== {before}")).await;
        window.screenshot("columns-chosen").await;
        window.click("button", "Columns").await;
        window.click("menuitem", "Reset to defaults").await;
        window.until("the usual order", &format!("{heads} === {before} || {heads}.endsWith('length')")).await;
        window.close().await;
    });
}

#[test]
fn feed_info_names_the_feed_and_a_filled_form_is_not_lost_by_escape() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = farm(&scratch).await;
        window.click("treeitem", "Milk").await;
        window.press("i").await;
        window.click("tab", "General").await;
        window.fill("Name", "Dairy").await;
        window.press("\u{e007}").await;
        window.find("dialog", "Feed info: Dairy").await;
        window.shows("https://example.com/").await;
        window.audit("feed info, general").await;
        window.click("tab", "Activity").await;
        window.click("button", "Change connection…").await;
        window.fill("User-Agent", "Farm/1").await;
        window.press("\u{e00c}").await;
        window.shows("Press Escape again to discard your changes.").await;
        window.find("textbox", "User-Agent").await;
        window.press("\u{e00c}").await;
        window.until("no form", "__e2e.all('textbox', 'User-Agent').length === 0").await;
        window.find("dialog", "Feed info: Dairy").await;
        window.escape().await;
        window.close().await;
    });
}

#[test]
fn a_folder_is_deleted_with_its_feeds_and_restored() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = farm(&scratch).await;
        window.click("treeitem", "Field").await;
        window.find("option", "Old barley").await;
        window.right_click_on_screen("treeitem", "Field").await;
        window.click("menuitem", "Delete folder and unsubscribe from its feeds").await;
        window.shows("Folder Field and its 2 feeds deleted").await;
        // The next row of the sidebar is shown in place of the deleted one.
        window.find("option", "A churn").await;
        window.until("no feed", "__e2e.all('treeitem', 'Grain').length === 0").await;
        window.press("u").await;
        window.shows("Folder Field restored").await;
        window.find("treeitem", "Grain").await;
        window.find("option", "Old barley").await;
        window.click("treeitem", "Grain").await;
        window.find("option", "Old barley").await;
        window.right_click_on_screen("treeitem", "Grain").await;
        window.click("menuitem", "Unsubscribe").await;
        window.find("option", "A bale").await;
        window.press("u").await;
        window.shows("Subscribed to Grain again").await;
        window.find("option", "Old barley").await;
        window.close().await;
    });
}

#[test]
fn older_articles_are_marked_as_read() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = farm(&scratch).await;
        window.click("treeitem", "Grain").await;
        window.find("option", "Old barley").await;
        window.right_click_on_screen("treeitem", "Grain").await;
        window.click("menuitem", "Mark articles older than a week as read").await;
        let unread = "[...document.querySelectorAll('[role=option]')].filter((row) => row.textContent.includes('Unread')).map((row) => row.textContent.includes('New barley')).join()";
        window.until("only the new one unread", &format!("{unread} === 'true'")).await;
        window.press("u").await;
        window.until("both unread", &format!("{unread}.split(',').length === 2")).await;
        window.close().await;
    });
}

#[test]
fn audio_in_a_text_plays_in_the_player() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = farm(&scratch).await;
        window.click("treeitem", "Milk").await;
        window.click("option", "A churn").await;
        window.reads("White.").await;
        window.click_part_of_article("a[data-gl-media]").await;
        window.find("region", "Player").await;
        let plays = "document.querySelector('audio')?.src.endsWith('/churning.wav')";
        window.until("the file in the player", plays).await;
        window.close().await;
    });
}

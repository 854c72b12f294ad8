//! Saved searches, tags, hidden articles, and the reading position, by keyboard only.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run, settled};
use gleaner_testserver::{Reply, Server};

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";

/// Opens a window with five articles, newest first: "Wheat 0" to "Wheat 3", and a long one about rye.
async fn granary(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    let dated = |item: String, minute: usize| {
        let rest = format!(
            "<category>News / Regional</category><pubDate>Mon, 02 Nov 2026 10:{minute:02}:00 GMT</pubDate></item>"
        );
        item.replace("</item>", &rest)
    };
    let mut items: Vec<String> = (0..4)
        .map(|n| dated(article(&format!("Wheat {n}"), &format!("<p>Text {n}. What the mill takes in.</p>")), 50 - n))
        .collect();
    let rye: String = (0..200).map(|n| format!("<p>Rye, verse {n}: it grows where little else does.</p>")).collect();
    items.push(dated(article("On rye", &rye), 0));
    server.on("/feed", Reply::ok(rss("Grain", &items)).header("ETag", "\"1\""));
    scratch.import(&[("Grain", server.url("/feed"))]);
    let window = Window::open(scratch).await;
    window.click("treeitem", "Grain").await;
    window.find("option", "Wheat 0").await;
    (server, window)
}

async fn saved(scratch: &Scratch, expected: serde_json::Value) {
    settled(&format!("the saved searches {expected}"), || async {
        let listed = scratch.glean(&["search", "--list-saved", "--json"]);
        let listed: serde_json::Value = serde_json::from_slice(&listed.stdout).map_err(|error| error.to_string())?;
        if listed == expected { Ok(()) } else { Err(listed.to_string()) }
    })
    .await;
}

#[test]
fn a_search_is_saved_opened_renamed_and_deleted() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        // Four of the feed, and a bundled one.
        window.search("wheat").await;
        window.shows("5 articles found").await;
        window.press_control('s').await;
        window.find("dialog", "Save search").await;
        window.audit("a search to be saved").await;
        window.fill("Name", "All wheat").await;
        window.press(ENTER).await;
        window.find("treeitem", "All wheat, 5 unread").await;
        window.no_dialog().await;
        window.audit("a saved search").await;
        window.screenshot("saved-search").await;
        window.press(ESCAPE).await;
        window.press(ESCAPE).await;
        window.until("the former list", "__e2e.all('combobox', 'Search all articles').length === 0").await;

        // The number of unread articles is updated.
        window.click("option", "Wheat 0").await;
        window.find("treeitem", "All wheat, 4 unread").await;
        window.click("treeitem", "All wheat").await;
        window.until("its results", "__e2e.all('option', null).length === 5").await;
        window.until("it is selected", "__e2e.all('treeitem', 'All wheat')[0]?.ariaSelected === 'true'").await;
        // The query is changed in the field, and the change is undone.
        window.search("wheat -title:3").await;
        window.shows("4 articles found").await;
        window.press_control('s').await;
        window.shows("updated").await;
        saved(
            &scratch,
            serde_json::json!([{ "name": "All wheat", "query": "wheat -title:3", "unread": 3, "more": false }]),
        )
        .await;
        window.click("button", "Undo").await;
        saved(&scratch, serde_json::json!([{ "name": "All wheat", "query": "wheat", "unread": 4, "more": false }]))
            .await;

        window.find("treeitem", "All wheat, 4 unread").await;
        window.script("__e2e.all('treeitem', 'All wheat')[0].dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))", vec![]).await.unwrap();
        window.click("menuitem", "Delete saved search").await;
        window.until("it is removed", "__e2e.all('treeitem', 'All wheat').length === 0").await;
        window.click("button", "Undo").await;
        window.find("treeitem", "All wheat").await;
        window.close().await;
    });
}

#[test]
fn an_article_is_tagged_hidden_and_shown_again() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.press("j").await;
        window.reads("Text 0.").await;
        window.press("t").await;
        window.find("dialog", "Tags of Wheat 0").await;
        window.type_text("To bake").await;
        window.shows("New tag “To bake”").await;
        window.audit("the first tag").await;
        window.screenshot("tags-dialog").await;
        window.press(ENTER).await;
        window.until("the tag is set", "__e2e.all('option', 'To bake')[0]?.ariaSelected === 'true'").await;
        window.escape().await;
        window.find("button", "Articles tagged “To bake”").await;
        window.find("treeitem", "To bake").await;
        window.audit("a tagged article").await;
        window.screenshot("tagged").await;

        // The beginning of the name is enough.
        window.press("j").await;
        window.reads("Text 1.").await;
        window.press("t").await;
        window.find("dialog", "Tags of Wheat 1").await;
        window.type_text("to").await;
        window.find("option", "To bake").await;
        window.press(ENTER).await;
        window.until("the tag is set", "__e2e.all('option', 'To bake')[0]?.ariaSelected === 'true'").await;
        window.escape().await;
        window.click("treeitem", "Tags").await;
        window.until("the section is collapsed", "__e2e.all('treeitem', 'To bake').length === 0").await;
        window.click("button", "Articles tagged “To bake”").await;
        window.click("treeitem", "To bake").await;
        window.until("two articles", "__e2e.all('option', 'Wheat').length === 2").await;
        window.click("treeitem", "Grain").await;
        window.find("option", "Wheat 2").await;

        window.press("jx").await;
        window.until("it is removed", "__e2e.all('option', 'Wheat 0').length === 0").await;
        window.find("treeitem", "Hidden, 1 hidden").await;
        window.reads("Text 1.").await;
        window.click("treeitem", "Hidden").await;
        window.find("option", "Wheat 0").await;
        window.audit("hidden articles").await;
        window.press("jx").await;
        window.shows("No hidden articles").await;
        window.press("u").await;
        window.find("treeitem", "Hidden, 1 hidden").await;
        window.press("u").await;
        window.until("none is hidden", "__e2e.all('treeitem', 'Hidden').length === 0").await;
        window.click("treeitem", "Grain").await;
        window.find("option", "Wheat 0").await;

        // Hiding moves on to the next article, which marks it as read: undo applies to the hiding.
        window.click("option", "Wheat 2").await;
        window.reads("Text 2.").await;
        window.find("treeitem", "Grain, 2 unread").await;
        window.press("x").await;
        window.until("it is removed", "__e2e.all('option', 'Wheat 2').length === 0").await;
        window.reads("Text 3.").await;
        window.find("treeitem", "Grain, 1 unread").await;
        window.press("u").await;
        window.find("option", "Wheat 2").await;
        window.until("none is hidden", "__e2e.all('treeitem', 'Hidden').length === 0").await;
        window.find("treeitem", "Grain, 1 unread").await;
        window.close().await;
    });
}

#[test]
fn the_reading_position_is_restored_and_a_category_shows_its_articles() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.click("option", "On rye").await;
        window.reads("verse 7:").await;
        window.press("   ").await;
        let top = "__e2e.frame()?.scrollingElement?.scrollTop";
        window.until("a place further down", &format!("{top} > 500")).await;
        let place = window.scrolled(top).await;
        window.click("option", "Wheat 0").await;
        window.reads("Text 0.").await;
        window.click("option", "On rye").await;
        window.reads("verse 7:").await;
        window.until("the same place", &format!("Math.abs({top} - {place}) < 20")).await;
        window.close().await;

        // It survives a restart.
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Grain").await;
        window.click("option", "On rye").await;
        window.until("the same place", &format!("Math.abs({top} - {place}) < 20")).await;

        window.click_in_article("News / Regional").await;
        window.shows("5 articles found").await;
        window.press(ESCAPE).await;
        window.press(ESCAPE).await;
        window.click("button", "Menu").await;
        window.click("menuitem", "Categories…").await;
        window.find("dialog", "Categories").await;
        window.find("button", "News, 5 articles").await;
        window.audit("categories").await;
        window.screenshot("categories").await;

        // A category as a synonym of another, by keyboard.
        window.focus_on("Find a category").await;
        window.tab_to("Merge News into…").await;
        window.press(ENTER).await;
        window.focus_on("Merge news into").await;
        window.press(ESCAPE).await;
        window.focus_on("Merge News into…").await;
        window.press(ENTER).await;
        window.focus_on("Merge news into").await;
        window.press("papers").await;
        window.audit("a category to merge").await;
        window.screenshot("categories-means").await;
        window.press(ENTER).await;
        window.find("heading", "Merged categories").await;
        window.shows("news → papers").await;
        window.find("button", "papers, 5 articles").await;
        window.focus_on("Find a category").await;
        window.audit("merged categories").await;
        window.screenshot("categories-synonyms").await;
        window.tab_to("Stop merging news").await;
        window.press(ENTER).await;
        window.find("button", "News, 5 articles").await;
        window.until("no merged category", "__e2e.all('heading', 'Merged categories').length === 0").await;
        window.close().await;
    });
}

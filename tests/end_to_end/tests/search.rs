//! Searching by keyboard: the results replace the list, and the former list returns.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run, settled};
use gleaner_testserver::{Reply, Server};

const WHEAT: usize = 70;
const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const TAB: &str = "\u{e004}";
const END: &str = "\u{e010}";
const DOWN: &str = "\u{e015}";

/// Opens a window with seventy articles about wheat, newest first, and one about rye. The window downloads them itself, so that
/// it has indexed them.
async fn granary(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    let dated = |item: String, minute: usize| {
        item.replace(
            "</item>",
            &format!("<pubDate>Mon, 02 Nov 2026 1{}:{:02}:00 GMT</pubDate></item>", minute / 60, minute % 60),
        )
    };
    let mut items: Vec<String> = (0..WHEAT)
        .map(|n| dated(article(&format!("Wheat {n}"), &format!("<p>Text {n}. What the mill takes in.</p>")), 119 - n))
        .collect();
    let rye = "<p>On poor soil, by the sea, where little else stands upright in the wind, the <b>rye</b> is as tall as a man.</p>";
    items.push(dated(article("Bread of the coast", rye), 0));
    server.on("/feed", Reply::ok(rss("Grain", &items)).header("ETag", "\"1\""));
    scratch.import(&[("Grain", server.url("/feed"))]);
    let window = Window::open(scratch).await;
    window.click("treeitem", "Grain").await;
    window.find("option", "Wheat 0").await;
    (server, window)
}

async fn marked(window: &Window, text: &str) {
    window
        .until(
            &format!("the mark {text:?}"),
            &format!("[...document.querySelectorAll('mark')].some((mark) => mark.textContent === {text:?})"),
        )
        .await;
}

#[test]
fn everything_by_keyboard() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.press("jj").await;
        window.until("the second one", "__e2e.all('option', 'Wheat 1')[0]?.ariaSelected === 'true'").await;

        window.press("/").await;
        window.focus_on("Search all articles").await;
        window.shows("Search examples").await;
        window.audit("the search examples").await;
        window.screenshot("search-examples").await;
        window.press("SOIL").await;
        window.shows("1 article found").await;
        window.find("option", "Bread of the coast").await;
        marked(&window, "soil").await;
        assert_eq!(window.count("option").await, 1);
        window.press(ENTER).await;
        window.until("the list's focus", "document.activeElement.role === 'listbox'").await;
        window.press(DOWN).await;
        window.reads("as tall as a man").await;
        window.press("s").await;
        settled("a star", || async {
            if scratch.stats()["starred"] == 1 { Ok(()) } else { Err("no star".to_owned()) }
        })
        .await;

        window.press("/").await;
        let selected = "(({ value, selectionStart, selectionEnd }) => selectionStart === 0 && selectionEnd === value.length)(document.activeElement)";
        window.until("the text of the field selected", selected).await;
        // At once: between two keys on a busy computer, the part typed so far would be searched for.
        let typed = "document.activeElement.value = 'is:unred'; document.activeElement.dispatchEvent(new InputEvent('input', { bubbles: true }))";
        window.script(typed, vec![]).await.unwrap();
        window.shows("accepts unread, read, starred, updated, hidden, kept, tagged, highlighted, or noted. Did you mean unread?").await;
        marked(&window, "unred").await;
        window.find("option", "Bread of the coast").await;
        window.audit("a query that cannot be read").await;
        window.screenshot("search-error").await;
        window.click("button", "Search for is:unread").await;
        window.shows("More than 50 articles found").await;
        window.until("the corrected query", "document.activeElement.value === 'is:unread'").await;

        window.press(ESCAPE).await;
        window.shows("Search examples").await;
        window.until("an empty field", "document.activeElement.value === ''").await;
        window.press(ESCAPE).await;
        window.until("the former list", "__e2e.all('option', 'Wheat 1')[0]?.ariaSelected === 'true'").await;
        window.press("j").await;
        window.reads("Text 2.").await;
        window.close().await;
    });
}

#[test]
fn the_search_field_suggests_completions() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        let field = "document.activeElement.value";
        let chosen = "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))?.innerText";
        window.search("fe").await;
        window.find("listbox", "Suggestions").await;
        window.audit("suggested fields").await;
        window.press(DOWN).await;
        window.until("the field is chosen", &format!("{chosen}.includes('feed:')")).await;
        window.press(ENTER).await;
        window.until("the field's name", &format!("{field} === 'feed:'")).await;
        window.find("option", "Grain").await;
        window.screenshot("search-completion").await;
        window.audit("suggested feeds").await;
        // Escape closes the suggestions first, and the text stays.
        window.press(ESCAPE).await;
        window.until("no list", "__e2e.all('listbox', 'Suggestions').length === 0").await;
        window.until("the typed text", &format!("{field} === 'feed:'")).await;
        window.press("gra").await;
        window.find("listbox", "Suggestions").await;
        window.press(DOWN).await;
        window.until("the feed is chosen", &format!("{chosen}.includes('Grain')")).await;
        window.press(TAB).await;
        window.until("the feed's name", &format!("{field} === 'feed:Grain '")).await;
        window.press("is:").await;
        window.click("option", "unread").await;
        window.until("both", &format!("{field} === 'feed:Grain is:unread '")).await;
        window.shows("More than 50 articles found").await;
        window.press(ENTER).await;
        window.until("the list's focus", "document.activeElement.role === 'listbox'").await;
        window.close().await;
    });
}

#[test]
fn more_pages_are_loaded_and_the_list_keeps_its_position() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        let scrolled = "document.querySelector('[role=listbox]').scrollTop";
        window.script("document.querySelector('[role=listbox]').scrollTop = 1234", vec![]).await.unwrap();
        window.until("a place in the list", "__e2e.all('option', 'Wheat 0').length === 0").await;
        window.press_control('f').await;
        window.type_text("whea* -rye").await;
        window.shows("More than 50 articles found").await;
        marked(&window, "Wheat").await;
        window.press(ENTER).await;
        window.until("the list's focus", "document.activeElement.role === 'listbox'").await;
        window.press(END).await;
        window.shows("70 articles found").await;
        window.click("button", "Sort by: Newest first").await;
        window.click("menuitemcheckbox", "Most relevant first").await;
        window
            .until("the first page again", &format!("{scrolled} === 0 && __e2e.all('option', null).length > 3"))
            .await;
        window.shows("More than 50 articles found").await;
        // The menu may still close and give the focus back.
        window.until("the end of the menu", "!__e2e.all('menu', null).length").await;
        let field = "document.querySelector('input[type=search]').focus(); document.activeElement.select()";
        window.script(field, vec![]).await.unwrap();
        window.type_text("nothing-of-the-kind").await;
        window.shows("No results").await;
        window.audit("a search that finds nothing").await;
        window.press(ESCAPE).await;
        window.press(ESCAPE).await;
        window.find("button", "Search").await;
        window.until("its place", &format!("{scrolled} === 1234")).await;
        window.close().await;
    });
}

#[test]
fn light_and_dark_narrow_and_wide_are_clean() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.press("j").await;
        for theme in ["Light", "Dark"] {
            window.choose_theme(theme).await;
            for (width, height) in [(1280, 820), (640, 480)] {
                window.resize(width, height).await;
                window.search("mill").await;
                window.shows("More than 50 articles found").await;
                window.audit(&format!("a search, {theme} at {width}×{height}")).await;
                window.screenshot(&format!("search-{theme}-{width}")).await;
                window.press(ESCAPE).await;
                window.press(ESCAPE).await;
                window.until("no search", "__e2e.all('combobox', 'Search all articles').length === 0").await;
            }
            window.resize(1280, 820).await;
        }
        window.close().await;
    });
}

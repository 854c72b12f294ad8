//! Highlights and notes in the window: created, changed and deleted by keyboard, and found again when the article changes.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run, settled};
use gleaner_testserver::{Reply, Server};

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";

const FIRST: &str = "<p>What the mill takes in by day it <em>grinds</em> by night, and no one is woken by it.</p>\
    <p>Rye stands tall on poor soil, by the sea.</p><p>Nothing else does.</p>";

fn feed(text: &str, etag: &str) -> Reply {
    let dated = |item: String, minute: usize| {
        item.replace("</item>", &format!("<pubDate>Mon, 02 Nov 2026 10:{minute:02}:00 GMT</pubDate></item>"))
    };
    let items = [dated(article("The mill", text), 50), dated(article("The sea", "<p>Salt and wind.</p>"), 40)];
    Reply::ok(rss("Grain", &items)).header("ETag", etag)
}

/// Opens a window with "The mill" and below it "The sea".
async fn mill(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    server.on("/feed", feed(FIRST, "\"1\""));
    scratch.import(&[("Grain", server.url("/feed"))]);
    let window = Window::open(scratch).await;
    window.click("treeitem", "Grain").await;
    window.click("option", "The mill").await;
    window.reads("What the mill takes in").await;
    (server, window)
}

/// Waits until exactly this passage is highlighted in this way.
async fn drawn(window: &Window, how: &str, text: &str) {
    let ranges = format!("__e2e.frame()?.defaultView.CSS.highlights.get('gl-note-{how}')");
    let words = format!("[...({ranges} ?? [])].map((range) => __e2e.words(range.toString())).join('|') === {text:?}");
    window.until(&format!("{text:?} in {how}"), &words).await;
}

/// Selects text of the article, as the pointer does.
async fn select(window: &Window, paragraph: usize, from: usize, until: usize) {
    window
        .until(
            "a selection",
            &format!(
                "(() => {{ const page = __e2e.frame(); const text = page?.querySelectorAll('.gl-body p')[{paragraph}]?.firstChild;
                    page?.getSelection().setBaseAndExtent(text, {from}, text, {until}); return !!text; }})()"
            ),
        )
        .await;
    window.find("toolbar", "Selected text").await;
}

async fn themed(window: &Window, theme: &str) {
    let set = format!("(document.documentElement.dataset.theme = '{theme}') === '{theme}'");
    window.until(theme, &set).await;
}

#[test]
fn a_passage_is_highlighted_noted_and_found_by_keyboard() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = mill(&scratch).await;
        // Without a pointer: the first visible paragraph.
        window.press("H").await;
        window.find("toolbar", "Selected text").await;
        window.shows("Select text to highlight").await;
        window.audit("a selected passage").await;
        window.screenshot("notes-selected").await;
        window.press("H").await;
        drawn(&window, "yellow", "What the mill takes in by day it grinds by night, and no one is woken by it.").await;
        window.find("treeitem", "Notes, 1 article with notes").await;

        window.press("e").await;
        window.focus_on("Note").await;
        window.press("The quiet kind of work").await;
        window.audit("a note being written").await;
        window.screenshot("notes-writing").await;
        window.press_control('\u{e007}').await;
        window.shows("The quiet kind of work").await;
        window.until("no field", "__e2e.all('textbox', 'Note').length === 0").await;
        drawn(&window, "written", "What the mill takes in by day it grinds by night, and no one is woken by it.").await;
        for theme in ["dark", "light"] {
            themed(&window, theme).await;
            window.audit("the notes of an article").await;
            window.screenshot(&format!("notes-panel-{theme}")).await;
        }

        // Another highlight, and moving between them.
        select(&window, 1, 0, 16).await;
        window.click("button", "Highlight in blue").await;
        drawn(&window, "blue", "Rye stands tall").await;
        window.press(">").await;
        drawn(&window, "here", "What the mill takes in by day it grinds by night, and no one is woken by it.").await;
        window.press("<").await;
        drawn(&window, "here", "Rye stands tall").await;
        window.press("D").await;
        window.shows("Note deleted").await;
        drawn(&window, "blue", "").await;
        window.press("u").await;
        drawn(&window, "blue", "Rye stands tall").await;

        // The note is found, listed, and there after a restart.
        window.search("note:quiet").await;
        window.shows("1 article found").await;
        window.press(ESCAPE).await;
        window.press(ESCAPE).await;
        window.close().await;
        let window = Window::open(&scratch).await;
        window.find("treeitem", "Notes, 1 article with notes").await;
        window.press("5").await;
        window.until("one article", "__e2e.all('option', null).length === 1").await;
        window.audit("articles with notes").await;
        window.screenshot("notes-view").await;
        window.press("j").await;
        drawn(&window, "blue", "Rye stands tall").await;
        window.close().await;
    });
}

#[test]
fn a_passage_is_found_again_when_the_article_changes_and_a_lost_one_is_listed() {
    run(async {
        let scratch = Scratch::new();
        let (server, window) = mill(&scratch).await;
        select(&window, 1, 0, 16).await;
        window.press("H").await;
        drawn(&window, "yellow", "Rye stands tall").await;
        select(&window, 2, 0, 12).await;
        window.click("button", "Highlight in pink").await;
        drawn(&window, "pink", "Nothing else").await;
        server.on("/feed", feed("<h2>Revised</h2><p>The sea. Rye stands <b>tall</b> still.</p>", "\"2\""));
        window.click("treeitem", "Grain").await;
        window.press("r").await;
        settled("the new text", || async {
            let found = scratch.glean(&["search", "--json", "title:mill still"]);
            let found: serde_json::Value = serde_json::from_slice(&found.stdout).map_err(|error| error.to_string())?;
            if found["hits"].as_array().is_some_and(|hits| hits.len() == 1) { Ok(()) } else { Err(found.to_string()) }
        })
        .await;
        window.click("option", "The sea").await;
        window.reads("Salt and wind.").await;
        window.click("option", "The mill").await;
        window.reads("Revised").await;
        drawn(&window, "yellow", "Rye stands tall").await;
        drawn(&window, "pink", "").await;
        window.press("E").await;
        window.find("heading", "No longer in the article").await;
        window.shows("Nothing else").await;
        for theme in ["dark", "light"] {
            themed(&window, theme).await;
            window.audit("a lost passage").await;
        }
        window.screenshot("notes-lost").await;
        window.resize(640, 480).await;
        window.find("heading", "No longer in the article").await;
        window.audit("notes in a narrow window").await;
        window.screenshot("notes-narrow").await;
        window.close().await;
    });
}

#[test]
fn a_click_on_a_passage_shows_its_note() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = mill(&scratch).await;
        window.press("HH").await;
        drawn(&window, "yellow", "What the mill takes in by day it grinds by night, and no one is woken by it.").await;
        window.until("no notes", "__e2e.all('region', 'Notes').length === 0").await;
        window.press(">").await;
        window.click_part_of_article("em").await;
        window.find("region", "Notes").await;
        window.find("button", "Show in article: What the mill takes in").await;
        // The keys work again, and a note on the whole article is the first.
        window.click("button", "Write article note").await;
        window.focus_on("Note").await;
        window.press("Read twice").await;
        window.press_control('\u{e007}').await;
        window.find("heading", "Article note").await;
        window.tab_to("Delete note").await;
        window.press(ENTER).await;
        window.until("the note is deleted", "__e2e.all('heading', 'Article note').length === 0").await;
        window.click("button", "Undo").await;
        window.find("heading", "Article note").await;
        window.close().await;
    });
}

#[test]
fn a_note_that_is_being_typed_is_saved_when_gleaner_quits() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = mill(&scratch).await;
        window.press("e").await;
        window.focus_on("Note").await;
        window.press("The quiet kind of work").await;
        window.press_to_quit().await;
        window.ended().await;
        let window = Window::open(&scratch).await;
        window.search("note:quiet").await;
        window.shows("1 article found").await;
        window.close().await;
    });
}

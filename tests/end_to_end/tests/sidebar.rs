//! The sidebar by keyboard and pointer: order, names, selections, hidden read feeds, the feed filter, icons, languages.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run, settled};
use gleaner_testserver::{Reply, Server};

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const HOME: &str = "\u{e011}";
const UP: char = '\u{e013}';
const RIGHT: char = '\u{e014}';
const DOWN: char = '\u{e015}';
const LEFT: char = '\u{e012}';
const F2: &str = "\u{e032}";
const DELETE: &str = "\u{e017}";

/// Opens a window with the feeds Barley, Oats and Rye, and Wheat in the folder Mill; Oats is in German, and Rye has an icon.
async fn granary(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    for name in ["Barley", "Oats", "Rye", "Wheat"] {
        let text = rss(name, &[article(&format!("On {name}"), &format!("<p>What {name} is.</p>"))]);
        let language = if name == "Oats" { "de" } else { "en" };
        let said = format!("<language>{language}</language><link>{}</link>", server.url("/"));
        let text = text.replacen("<link>https://example.com/</link>", &said, 1);
        server.on(&format!("/{name}"), Reply::ok(text));
    }
    scratch.import_granary(&server);
    let window = Window::open(scratch).await;
    window.find("treeitem", "Rye, 1 unread").await;
    (server, window)
}

/// An expression for the names of folders and feeds in the tree, each with its level.
const TREE: &str = "__e2e.all('treeitem', null).filter((row) => /^(feed|folder)-/.test(row.dataset.key))
    .map((row) => `${row.ariaLevel} ${row.querySelector('.label').textContent}`).filter((name) => !name.includes('Welcome')).join(', ')";

async fn tree_is(window: &Window, tree: &str) {
    window.until(&format!("the tree {tree}"), &format!("({TREE}) === {tree:?}")).await;
}

/// Moves the focus to a row.
async fn focus_row(window: &Window, name: &str) {
    window.value(&format!("__e2e.all('treeitem', {name:?})[0].focus() ?? null")).await;
    window.focus_on(name).await;
}

#[test]
fn feeds_and_folders_are_moved_by_keyboard_and_pointer() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        tree_is(&window, "1 Mill, 2 Wheat, 1 Barley, 1 Oats, 1 Rye").await;
        focus_row(&window, "Rye").await;
        window.press_alt(UP).await;
        tree_is(&window, "1 Mill, 2 Wheat, 1 Barley, 1 Rye, 1 Oats").await;
        window.focus_on("Rye").await;
        window
            .until(
                "the announcement",
                "document.body.textContent.includes('Rye moved to the top level, position 3 of')",
            )
            .await;
        window.press_alt_shift(RIGHT).await;
        tree_is(&window, "1 Mill, 2 Wheat, 2 Rye, 1 Barley, 1 Oats").await;
        window.focus_on("Rye").await;
        window.press_alt(UP).await;
        tree_is(&window, "1 Mill, 2 Rye, 2 Wheat, 1 Barley, 1 Oats").await;
        window.focus_on("Rye").await;
        window.press_alt_shift(LEFT).await;
        tree_is(&window, "1 Mill, 2 Wheat, 1 Rye, 1 Barley, 1 Oats").await;
        window.focus_on("Rye").await;
        window.press_alt(DOWN).await;
        tree_is(&window, "1 Mill, 2 Wheat, 1 Barley, 1 Rye, 1 Oats").await;
        window.press("u").await;
        tree_is(&window, "1 Mill, 2 Wheat, 1 Rye, 1 Barley, 1 Oats").await;
        // An exported list has the order.
        let list = scratch.path("out.opml");
        assert!(scratch.glean(&["export", list.to_str().unwrap()]).status.success());
        let list = std::fs::read_to_string(list).unwrap();
        let at = |name: &str| list.find(&format!("\"{name}\"")).unwrap_or_else(|| panic!("{name} is in {list}"));
        assert!(at("Rye") < at("Barley") && at("Barley") < at("Oats"), "{list}");

        // Two at once by pointer; Escape cancels.
        window.click("treeitem", "Barley").await;
        window.value("__e2e.all('treeitem', 'Oats')[0].dispatchEvent(new MouseEvent('click', { bubbles: true, ctrlKey: true }))").await;
        window
            .until(
                "two are selected",
                "__e2e.all('treeitem', null).filter((row) => row.ariaSelected === 'true').length === 2",
            )
            .await;
        window.audit("two selected feeds").await;
        window.screenshot("sidebar-selected").await;
        let drag = "const at = (name, part) => { const box = __e2e.all('treeitem', name)[0].getBoundingClientRect();
                return { clientX: box.left + 60, clientY: box.top + box.height * part, bubbles: true, button: 0, pointerType: 'mouse' }; };
            const send = (type, on, where) => on.dispatchEvent(new PointerEvent(type, where));
            send('pointerdown', __e2e.all('treeitem', 'Oats')[0], at('Oats', 0.5));
            send('pointermove', window, at('Oats', 0.1));
            send('pointermove', window, at('Wheat', 0.2));";
        window.script(drag, vec![]).await.unwrap();
        window.until("a line", "document.querySelectorAll('.mark-before').length === 1").await;
        window.screenshot("sidebar-drag").await;
        window.press(ESCAPE).await;
        window.until("no line", "document.querySelectorAll('.mark-before').length === 0").await;
        tree_is(&window, "1 Mill, 2 Wheat, 1 Rye, 1 Barley, 1 Oats").await;
        window.script(drag, vec![]).await.unwrap();
        window.script("window.dispatchEvent(new PointerEvent('pointerup', { button: 0 }))", vec![]).await.unwrap();
        tree_is(&window, "1 Mill, 2 Barley, 2 Oats, 2 Wheat, 1 Rye").await;
        window.click("button", "Undo").await;
        tree_is(&window, "1 Mill, 2 Wheat, 1 Rye, 1 Barley, 1 Oats").await;
        window.close().await;
    });
}

#[test]
fn feeds_and_folders_are_renamed_in_place() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        focus_row(&window, "Rye").await;
        window.press(F2).await;
        window.focus_on("Rename Rye").await;
        window.audit("a name being edited").await;
        window.screenshot("sidebar-rename").await;
        window.focus_on("Rename Rye").await;
        window.press("Spelt").await;
        window.press(ESCAPE).await;
        window.focus_on("Rye").await;
        window.press(F2).await;
        window.focus_on("Rename Rye").await;
        window.press("Spelt").await;
        window.press(ENTER).await;
        window.find("treeitem", "Spelt, 1 unread").await;
        window.focus_on("Spelt").await;
        let drawn = "getComputedStyle(document.activeElement.querySelector('.tile'), '::before').content";
        assert_eq!(window.value(drawn).await, "\"S\"", "its letter is drawn again");
        // An empty name restores the feed's own.
        window.press(F2).await;
        window.focus_on("Rename Spelt").await;
        window.press("\u{e003}").await;
        window.press(ENTER).await;
        window.find("treeitem", "Rye, 1 unread").await;
        focus_row(&window, "Mill").await;
        window.press(F2).await;
        window.focus_on("Rename Mill").await;
        window.press("Windmill").await;
        window.press(ENTER).await;
        window.find("treeitem", "Windmill").await;
        window.close().await;
    });
}

#[test]
fn delete_does_what_the_menu_of_the_row_does() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        focus_row(&window, "All articles").await;
        window.press(DELETE).await;
        focus_row(&window, "Barley").await;
        // A key that is held down.
        let held = "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Delete', repeat: true, bubbles: true, cancelable: true }))";
        window.script(held, vec![]).await.unwrap();
        window.press(DELETE).await;
        tree_is(&window, "1 Mill, 2 Wheat, 1 Oats, 1 Rye").await;
        window.focus_on("Oats").await;
        window.press(DELETE).await;
        tree_is(&window, "1 Mill, 2 Wheat, 1 Rye").await;
        window.focus_on("Rye").await;
        window.press("u").await;
        tree_is(&window, "1 Mill, 2 Wheat, 1 Oats, 1 Rye").await;
        window.press("u").await;
        tree_is(&window, "1 Mill, 2 Wheat, 1 Barley, 1 Oats, 1 Rye").await;
        focus_row(&window, "Mill").await;
        window.press(DELETE).await;
        // As without its feeds in the menu.
        tree_is(&window, "1 Wheat, 1 Barley, 1 Oats, 1 Rye").await;
        window.click("button", "Undo").await;
        tree_is(&window, "1 Mill, 2 Wheat, 1 Barley, 1 Oats, 1 Rye").await;
        window.close().await;
    });
}

#[test]
fn several_feeds_are_unsubscribed_and_restored_together() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        focus_row(&window, "Barley").await;
        let shifted = "document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', shiftKey: true, bubbles: true, cancelable: true }))";
        window.script(shifted, vec![]).await.unwrap();
        window
            .until(
                "two are selected",
                "__e2e.all('treeitem', null).filter((row) => row.ariaSelected === 'true').length === 2",
            )
            .await;
        window.focus_on("Oats").await;
        window.value("document.activeElement.dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))").await;
        window.find("menuitem", "Unsubscribe from 2 feeds").await;
        window.audit("the menu of several feeds").await;
        window.click("menuitem", "Mark all as read").await;
        window.find("treeitem", "Rye, 1 unread").await;
        window
            .until(
                "two are read",
                "__e2e.all('treeitem', null).filter((row) => /^(Barley|Oats)$/.test(row.ariaLabel)).length === 2",
            )
            .await;
        window.click("button", "Undo").await;
        window.find("treeitem", "Oats, 1 unread").await;
        window.find("treeitem", "Barley, 1 unread").await;
        window.value("__e2e.all('treeitem', 'Oats')[0].dispatchEvent(new MouseEvent('contextmenu', { bubbles: true, cancelable: true }))").await;
        window.click("menuitem", "Unsubscribe from 2 feeds").await;
        tree_is(&window, "1 Mill, 2 Wheat, 1 Rye").await;
        window.shows("Unsubscribed from 2 feeds").await;
        window.press("u").await;
        tree_is(&window, "1 Mill, 2 Wheat, 1 Barley, 1 Oats, 1 Rye").await;
        window.close().await;
    });
}

#[test]
fn feeds_are_filtered_by_name_and_hidden_when_read() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.press("L").await;
        window.find("textbox", "Find a feed").await;
        window.focus_on("Find a feed").await;
        window.press("whe").await;
        tree_is(&window, "1 Mill, 2 Wheat").await;
        window.audit("filtered feeds").await;
        window.screenshot("sidebar-find").await;
        window.press(&DOWN.to_string()).await;
        window.focus_on("Mill").await;
        window.press(ESCAPE).await;
        tree_is(&window, "1 Mill, 2 Wheat, 1 Barley, 1 Oats, 1 Rye").await;
        window.press("L").await;
        window.focus_on("Find a feed").await;
        window.press("rye").await;
        tree_is(&window, "1 Rye").await;
        window.press(ENTER).await;
        window.find("option", "On Rye").await;
        tree_is(&window, "1 Mill, 2 Wheat, 1 Barley, 1 Oats, 1 Rye").await;

        // The open one stays until another is opened.
        window.press("j").await;
        window.reads("What Rye is.").await;
        window.press("U").await;
        window.find("treeitem", "Rye").await;
        window.click("treeitem", "Barley").await;
        tree_is(&window, "1 Mill, 2 Wheat, 1 Barley, 1 Oats").await;
        window.audit("feeds with something to read").await;
        window.press("U").await;
        tree_is(&window, "1 Mill, 2 Wheat, 1 Barley, 1 Oats, 1 Rye").await;
        window.close().await;
    });
}

#[test]
fn languages_are_lists_and_icons_are_downloaded_from_the_site() {
    run(async {
        let scratch = Scratch::new();
        let (server, window) = granary(&scratch).await;
        let pixel: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff\x89\x99=\x1d\0\0\0\0IEND\xaeB`\x82";
        server.on("/favicon.ico", Reply::ok(pixel));
        // The languages do not push the feeds down until the user wants them.
        window.find("treeitem", "Oats").await;
        assert_eq!(window.value("__e2e.all('treeitem', 'Languages').length").await, 0);
        window.press_control(',').await;
        window.find("dialog", "Settings").await;
        window.click("switch", "Languages").await;
        window.escape().await;
        window.find("treeitem", "German, 1 unread").await;
        window.click("treeitem", "German").await;
        window.find("option", "On Oats").await;
        window
            .until("it is selected", "__e2e.all('treeitem', 'German')[0]?.getAttribute('aria-current') === 'true'")
            .await;
        window.audit("a language").await;
        window.screenshot("sidebar-language").await;
        focus_row(&window, "Languages").await;
        window.press(&LEFT.to_string()).await;
        window.until("the section is collapsed", "__e2e.all('treeitem', 'German').length === 0").await;
        window.press(&RIGHT.to_string()).await;
        window.find("treeitem", "German").await;
        window.press(HOME).await;

        assert!(server.requests_to("/favicon.ico").is_empty(), "no icon is requested before a poll");
        window.press("R").await;
        settled("the icon", || async {
            let requested = !server.requests_to("/favicon.ico").is_empty();
            if requested { Ok(()) } else { Err("not requested".to_owned()) }
        })
        .await;
        let drawn =
            "[...document.querySelectorAll('.feed img')].filter((image) => image.naturalWidth === 1).length === 4";
        window.until("the icons of four feeds", drawn).await;
        assert_eq!(server.requests_to("/favicon.ico").len(), 1, "the site's icon is requested once");
        window.press_control(',').await;
        window.find("switch", "Feed icons").await;
        window.click("radio", "Dark").await;
        window.escape().await;
        window.audit("the sidebar, dark").await;
        window.screenshot("sidebar-dark").await;
        window.close().await;
    });
}

#[test]
fn the_names_in_deep_folders_have_room() {
    run(async {
        let scratch = Scratch::new();
        let server = Server::start().await;
        server.on("/feed", Reply::ok(rss("Rye", &[article("On rye", "<p>What rye is.</p>")])));
        let feed = format!("<outline text=\"Rye\" xmlUrl=\"{}\"/>", server.url("/feed"));
        let nested = (1..=40).fold(feed, |inner, n| format!("<outline text=\"Mill {n}\">{inner}</outline>"));
        let list = scratch.write("deep.opml", &format!("<opml version=\"2.0\"><body>{nested}</body></opml>"));
        assert!(scratch.glean(&["import", list.to_str().unwrap()]).status.success());
        let window = Window::open(&scratch).await;
        window.find("treeitem", "Rye").await;
        let shown = "__e2e.all('treeitem', 'Rye')[0].querySelector('.label').getBoundingClientRect()";
        window
            .until("a name in the sidebar", &format!("(({{ width, right }}) => width > 60 && right < 248)({shown})"))
            .await;
        window.close().await;
    });
}

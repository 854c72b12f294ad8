//! Settings of feeds and folders: inherited values, their source, by keyboard, and stored.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, rss, run, settled};
use gleaner_testserver::{Reply, Server};

const ENTER: &str = "\u{e007}";
const DOWN: &str = "\u{e015}";
const HOME: &str = "\u{e011}";

async fn serving(names: &[&str]) -> (Server, Scratch) {
    let server = Server::start().await;
    let image = Reply::ok(&b"GIF89a"[..]).header("Content-Type", "image/gif").header("Cache-Control", "no-store");
    server.on("/boat.png", image);
    let html = format!("<p>A boat.</p><img src='{}' alt='A boat'>", server.url("/boat.png"));
    let html = html.replace('<', "&lt;").replace('>', "&gt;");
    let mut outlines = String::new();
    for name in names {
        let item =
            format!("<item><guid>{name}</guid><title>{name} article</title><description>{html}</description></item>");
        server.on(&format!("/{name}"), Reply::ok(rss(name, &[item])));
        outlines += &format!("<outline text='{name}' type='rss' xmlUrl='{}'/>", server.url(&format!("/{name}")));
    }
    let scratch = Scratch::new();
    let list = format!("<opml version='2.0'><body><outline text='Coast'>{outlines}</outline></body></opml>");
    let list = scratch.write("coast.opml", &list);
    assert!(scratch.glean(&["import", list.to_str().unwrap()]).status.success());
    assert!(scratch.glean(&["refresh"]).status.success());
    (server, scratch)
}

/// Returns an expression that is true when a list of the dialog has this choice.
fn says(label: &str, chosen: &str) -> String {
    format!(
        "(() => {{ const box = __e2e.all('combobox', '{label}')[0]; return box?.textContent.trim() === '{chosen}'; }})()"
    )
}

async fn choose(window: &Window, label: &str, option: &str) {
    window.choose_text(label, option).await;
    window.until("it is selected", &says(label, option)).await;
}

#[test]
fn a_folder_setting_applies_to_its_feeds_until_they_have_their_own() {
    run(async {
        let (server, scratch) = serving(&["Harbour", "Lighthouse"]).await;
        let window = Window::open(&scratch).await;
        // The folder, by keyboard only.
        window.click("treeitem", "Coast").await;
        window.press("w").await;
        window.find("dialog", "Settings: Coast").await;
        window.audit("the settings of a folder").await;
        window.screenshot("preferences-folder").await;
        window.until("no preference is set", &says("Remote images", "Default: Shown")).await;
        choose(&window, "Remote images", "Blocked").await;
        choose(&window, "Refresh interval", "Every 12 hours").await;
        window.escape().await;

        window.click("treeitem", "Harbour").await;
        window.press("w").await;
        window.find("dialog", "Feed info: Harbour").await;
        window.until("where it comes from", &says("Remote images", "From folder Coast: Blocked")).await;
        window.until("where it comes from", &says("Refresh interval", "From folder Coast: Every 12 hours")).await;
        window.until("the rest", &says("Download", "Default: Nothing")).await;
        window.audit("the settings of a feed").await;
        window.screenshot("preferences-feed").await;
        window.escape().await;

        // Hidden images are not requested; the article offers to show them, and for the feed too.
        let before = server.requests_to("/boat.png").len();
        window.click("option", "Harbour article").await;
        window.reads("A boat.").await;
        window.shows("Always show for this feed").await;
        assert_eq!(server.requests_to("/boat.png").len(), before);
        window.screenshot("preferences-article").await;
        window.click("button", "Always show for this feed").await;
        window.shows("Remote images are shown for Harbour").await;
        settled("the image is requested", || async {
            let now = server.requests_to("/boat.png").len();
            if now > before { Ok(()) } else { Err(format!("{now} requests")) }
        })
        .await;
        let said = scratch.glean(&["check"]);
        assert!(said.status.success());
        window.click("treeitem", "Harbour").await;
        window.press("w").await;
        window.until("it has its own value", &says("Remote images", "Shown")).await;
        window.escape().await;
        window.close().await;

        // The settings survive a restart.
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Lighthouse").await;
        window.click("option", "Lighthouse article").await;
        window.reads("A boat.").await;
        window.press("w").await;
        window.until("the stored setting", &says("Refresh interval", "From folder Coast: Every 12 hours")).await;
        window.escape().await;
        window.close().await;
    });
}

#[test]
fn a_name_that_is_being_typed_stays_when_the_library_changes() {
    run(async {
        let (server, scratch) = serving(&["Harbour"]).await;
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Harbour").await;
        window.press("w").await;
        window.find("dialog", "Feed info: Harbour").await;
        window.click("textbox", "Name").await;
        window.press_control('a').await;
        window.press("Quay").await;
        scratch.import(&[("Lighthouse", server.url("/Lighthouse"))]);
        let rows = "[...document.querySelectorAll('[role=treeitem]')]";
        window.until("the other feed", &format!("{rows}.some((row) => row.textContent.includes('Lighthouse'))")).await;
        assert_eq!(window.value("document.activeElement.value").await, "Quay");
        window.press(ENTER).await;
        window.find("dialog", "Feed info: Quay").await;
        window.escape().await;
        window.close().await;
    });
}

/// Returns a name of letters that select rows of the tree, and except for the first are not shortcuts.
fn named(feed: usize) -> String {
    format!("q{feed:04}")
        .chars()
        .map(|digit| digit.to_digit(10).and_then(|digit| char::from_u32('α' as u32 + digit)).unwrap_or(digit))
        .collect()
}

#[test]
fn a_sidebar_of_a_thousand_feeds_draws_only_visible_rows() {
    run(async {
        let scratch = Scratch::new();
        let feeds: Vec<(String, String)> =
            (0..1000).map(|feed| (named(feed), format!("http://127.0.0.1:1/{feed}"))).collect();
        let list = scratch.write("many.opml", &gleaner_end_to_end::opml(&feeds));
        assert!(scratch.glean(&["import", list.to_str().unwrap()]).status.success());
        let window = Window::open(&scratch).await;
        window.find("treeitem", "qαααα").await;
        let count = window.value("document.querySelectorAll('[role=treeitem]').length").await;
        assert!(count.as_u64().unwrap() < 100, "{count}");
        window.click("treeitem", "All articles").await;
        window.press("\u{e010}").await;
        window
            .until("the last feed has the focus", "document.activeElement?.textContent.includes('Welcome to Gleaner')")
            .await;
        let gapless = "(() => { const places = [...document.querySelectorAll('[role=treeitem][aria-level=\"1\"]')].map((row) => Number(row.ariaPosInSet)); \
            return places.every((place, i) => i === 0 || place === places[i - 1] + 1) && places.at(-1) === 1005; })()";
        window.until("no gaps between rows", gapless).await;
        window.until(
            "it is visible",
            "(() => { const { top, bottom } = document.activeElement.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; })()",
        ).await;
        window.press(HOME).await;
        window.until("the first row has the focus", "document.activeElement?.textContent.includes('Today')").await;
        // A row that is scrolled out of view keeps the focus.
        window.value("(document.querySelector('[role=tree]').parentElement.scrollTop = 15050, true)").await;
        window
            .until(
                "it is scrolled",
                "[...document.querySelectorAll('[role=treeitem]')].some((row) => row.textContent.includes('qαγ'))",
            )
            .await;
        window.press(DOWN).await;
        window.until("the arrows go on", "document.activeElement?.textContent.includes('Unread')").await;
        // Letters also find feeds that are not drawn.
        // On a busy machine too much time may pass between two letters: then the word is typed again.
        let found = "document.activeElement?.textContent.includes('qαζαβ') ?? false";
        for _ in 0..20 {
            window.press_word("qαζαβ").await;
            if window.value(found).await == true {
                break;
            }
        }
        window.until("by letters", found).await;
        window.press(DOWN).await;
        window.until("the next one", "document.activeElement?.textContent.includes('qαζαγ')").await;
        window.press(ENTER).await;
        window.until("it is shown", "__e2e.all('heading', null).some((one) => one.textContent.includes('qαζαγ')) || document.title.includes('qαζαγ') || [...document.querySelectorAll('h1,h2')].some((one) => one.textContent.includes('qαζαγ'))").await;
        window.close().await;
    });
}

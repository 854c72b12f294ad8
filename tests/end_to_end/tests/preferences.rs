//! Settings of feeds and folders: said, inherited, told where they come from; by keyboard, and kept.
#![allow(clippy::unwrap_used)]

use gleaner_end_to_end::{Scratch, Window, rss, run, settled};
use gleaner_testserver::{Reply, Server};

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const DOWN: &str = "\u{e015}";
const HOME: &str = "\u{e011}";

async fn serving(names: &[&str]) -> (Server, Scratch) {
    let server = Server::start().await;
    let picture = Reply::ok(&b"GIF89a"[..]).header("Content-Type", "image/gif").header("Cache-Control", "no-store");
    server.on("/boat.png", picture);
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

/// Whether a choice of the dialog says so.
fn says(label: &str, chosen: &str) -> String {
    format!(
        "(() => {{ const box = __e2e.all('combobox', '{label}')[0]; return box?.selectedOptions[0]?.textContent.trim() === '{chosen}'; }})()"
    )
}

async fn choose(window: &Window, label: &str, option: &str) {
    // A native list opens outside of the page: its choice is made by letters, as a reader may.
    window
        .until(
            label,
            &format!("(__e2e.all('combobox', '{label}')[0]?.focus(), document.activeElement?.tagName === 'SELECT')"),
        )
        .await;
    let pick = format!(
        "(() => {{ const box = document.activeElement; const found = [...box.options].find((one) => one.textContent.trim() === '{option}'); \
         if (!found) return false; box.value = found.value; box.dispatchEvent(new Event('change', {{ bubbles: true }})); return true; }})()"
    );
    window.until(option, &pick).await;
    window.until("it is chosen", &says(label, option)).await;
}

#[test]
fn a_folders_word_holds_for_its_feeds_until_they_say_otherwise() {
    run(async {
        let (server, scratch) = serving(&["Harbour", "Lighthouse"]).await;
        let window = Window::open(&scratch).await;
        // The folder, by keyboard alone.
        window.click("treeitem", "Coast").await;
        window.press("w").await;
        window.find("dialog", "Settings of Coast").await;
        window.audit("the settings of a folder").await;
        window.picture("preferences-folder").await;
        window.until("nobody says anything", &says("Pictures from the web", "As for all feeds: Shown")).await;
        choose(&window, "Pictures from the web", "Not shown").await;
        choose(&window, "How often to ask", "Every 12 hours").await;
        window.press(ESCAPE).await;

        window.click("treeitem", "Harbour").await;
        window.press("w").await;
        window.find("dialog", "Settings of Harbour").await;
        window.until("where it comes from", &says("Pictures from the web", "As for Coast: Not shown")).await;
        window.until("where it comes from", &says("How often to ask", "As for Coast: Every 12 hours")).await;
        window.until("the rest", &says("Fetch ahead", "As for all feeds: Nothing")).await;
        window.audit("the settings of a feed").await;
        window.picture("preferences-feed").await;
        window.press(ESCAPE).await;

        // Nothing is asked for that is not to be shown; the article offers it, for the feed too.
        let asked = server.requests_to("/boat.png").len();
        window.click("option", "Harbour article").await;
        window.reads("A boat.").await;
        window.shows("Always show this feed’s").await;
        assert_eq!(server.requests_to("/boat.png").len(), asked);
        window.picture("preferences-article").await;
        window.click("button", "Always show this feed’s").await;
        window.shows("Pictures of Harbour are shown").await;
        settled("the picture is asked for", || async {
            let now = server.requests_to("/boat.png").len();
            if now > asked { Ok(()) } else { Err(format!("{now} requests")) }
        })
        .await;
        let said = scratch.glean(&["check"]);
        assert!(said.status.success());
        window.click("treeitem", "Harbour").await;
        window.press("w").await;
        window.until("it says so itself", &says("Pictures from the web", "Shown")).await;
        window.press(ESCAPE).await;
        window.close().await;

        // It is kept.
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Lighthouse").await;
        window.click("option", "Lighthouse article").await;
        window.reads("A boat.").await;
        window.press("w").await;
        window.until("kept", &says("How often to ask", "As for Coast: Every 12 hours")).await;
        window.press(ESCAPE).await;
        window.close().await;
    });
}

/// By letters alone, which go to rows of the tree.
fn named(feed: usize) -> String {
    format!("q{feed:04}")
        .chars()
        .map(|digit| digit.to_digit(10).map_or(digit, |digit| char::from(b'a' + digit as u8)))
        .collect()
}

#[test]
fn a_sidebar_of_a_thousand_feeds_draws_those_in_sight_and_goes_to_the_last_by_a_key() {
    run(async {
        let scratch = Scratch::new();
        let feeds: Vec<(String, String)> =
            (0..1000).map(|feed| (named(feed), format!("http://127.0.0.1:1/{feed}"))).collect();
        let list = scratch.write("many.opml", &gleaner_end_to_end::opml(&feeds));
        assert!(scratch.glean(&["import", list.to_str().unwrap()]).status.success());
        let window = Window::open(&scratch).await;
        window.find("treeitem", "qaaaa").await;
        let count = window.value("document.querySelectorAll('[role=treeitem]').length").await;
        assert!(count.as_u64().unwrap() < 100, "{count}");
        window.click("treeitem", "All articles").await;
        window.press("\u{e010}").await;
        window
            .until("the last feed has the focus", "document.activeElement?.textContent.includes('Welcome to Gleaner')")
            .await;
        let gapless = "(() => { const places = [...document.querySelectorAll('[role=treeitem][aria-level=\"1\"]')].map((row) => Number(row.ariaPosInSet)); \
            return places.every((place, i) => i === 0 || place === places[i - 1] + 1) && places.at(-1) === 1005; })()";
        window.until("none is left out", gapless).await;
        window.until(
            "it is in sight",
            "(() => { const { top, bottom } = document.activeElement.getBoundingClientRect(); return top >= 0 && bottom <= innerHeight; })()",
        ).await;
        window.press(HOME).await;
        window.until("the first row has the focus", "document.activeElement?.textContent.includes('Today')").await;
        // What is scrolled out of sight keeps the focus.
        window.value("(document.querySelector('[role=tree]').parentElement.scrollTop = 15050, true)").await;
        window
            .until(
                "it is scrolled",
                "[...document.querySelectorAll('[role=treeitem]')].some((row) => row.textContent.includes('qac'))",
            )
            .await;
        window.press(DOWN).await;
        window.until("the arrows go on", "document.activeElement?.textContent.includes('Unread')").await;
        // Letters go to feeds that are not drawn.
        window.press_word("qafab").await;
        window.until("by letters", "document.activeElement?.textContent.includes('qafab')").await;
        window.press(DOWN).await;
        window.until("the next one", "document.activeElement?.textContent.includes('qafac')").await;
        window.press(ENTER).await;
        window.until("it is shown", "__e2e.all('heading', null).some((one) => one.textContent.includes('qafac')) || document.title.includes('qafac') || [...document.querySelectorAll('h1,h2')].some((one) => one.textContent.includes('qafac'))").await;
        window.close().await;
    });
}

//! The window in another language: chosen in the settings, effective at once, from right to left where the language needs it, and
//! after a restart.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run, settled};
use gleaner_testserver::{Reply, Server};

const ESCAPE: &str = "\u{e00c}";
const LEFT: &str = "\u{e012}";
const RIGHT: &str = "\u{e014}";
/// The title of the first row begins at the right edge of its column.
const AT_START: &str = "(() => {
    const title = document.querySelector('[role=option] .title');
    const words = document.createRange();
    words.selectNodeContents(title);
    return Math.abs(title.getBoundingClientRect().right - words.getBoundingClientRect().right) < 2;
})()";

async fn library(scratch: &Scratch) -> Server {
    let server = Server::start().await;
    server.on("/feed", Reply::ok(rss("Grain", &[article("On rye", "<p>Rye stands upright in the wind.</p>")])));
    scratch.import(&[("Grain", server.url("/feed"))]);
    assert!(scratch.glean(&["refresh"]).status.success());
    server
}

/// Waits until the library has stored the language.
async fn stored(scratch: &Scratch, language: &str) {
    let wanted = format!("\"language\":\"{language}\"");
    settled("the language is stored", || async {
        let stored = ["library.sqlite", "library.sqlite-wal"].iter().any(|name| {
            let bytes = std::fs::read(scratch.library().join(name)).unwrap_or_default();
            bytes.windows(wanted.len()).any(|part| part == wanted.as_bytes())
        });
        if stored { Ok(()) } else { Err("not yet".to_owned()) }
    })
    .await;
}

/// Their letters are in further files of the font, which load once they are drawn.
#[test]
fn titles_in_other_scripts_are_shown_and_the_window_goes_on() {
    run(async {
        let scratch = Scratch::new();
        let server = Server::start().await;
        let titles = ["Łódź: nowe muzeum", "Новости дня", "Νέα της ημέρας"];
        let articles = titles.map(|title| article(title, "<p>Text.</p>"));
        server.on("/feed", Reply::ok(rss("Ziarno", &articles)));
        scratch.import(&[("Ziarno", server.url("/feed"))]);
        assert!(scratch.glean(&["refresh"]).status.success());
        let window = Window::open(&scratch).await;
        for title in titles {
            window.find("option", title).await;
        }
        window.until("all fonts", "document.fonts.status === 'loaded'").await;
        window.click("treeitem", "Ziarno").await;
        window.click("option", titles[0]).await;
        window.reads("Text.").await;
        window.close().await;
    });
}

#[test]
fn the_chosen_language_applies_at_once_and_after_a_restart() {
    run(async {
        let scratch = Scratch::new();
        let _server = library(&scratch).await;
        let window = Window::open(&scratch).await;
        window.until("English", "document.documentElement.lang === 'en'").await;
        window.press_control(',').await;
        window.choose("Language", "de").await;
        // At once, and behind the dialog too.
        window.find("dialog", "Einstellungen").await;
        window.until("German", "document.documentElement.lang === 'de'").await;
        if cfg!(target_os = "linux") {
            let hyphens = "getComputedStyle(document.querySelector('.modal-title')).hyphens";
            assert_eq!(window.value(hyphens).await, "manual", "WebKit breaks words with umlauts at wrong places");
        }
        window.audit("the settings in German").await;
        stored(&scratch, "de").await;
        window.escape().await;
        window.find("treeitem", "Alle Artikel").await;
        window.audit("the window in German").await;
        window.screenshot("german").await;
        window.search("is:unred").await;
        window.shows("War unread gemeint?").await;
        window.close().await;

        let window = Window::open(&scratch).await;
        window.find("treeitem", "Alle Artikel").await;
        window.press_control(',').await;
        window.choose("Sprache", "en").await;
        window.find("dialog", "Settings").await;
        window.close().await;
    });
}

#[test]
fn the_window_is_mirrored_in_arabic() {
    run(async {
        let scratch = Scratch::new();
        let _server = library(&scratch).await;
        assert!(scratch.glean(&["stats"]).status.success());
        let window = Window::open(&scratch).await;
        window.press_control(',').await;
        window.choose("Language", "ar").await;
        window.until("right to left", "document.documentElement.dir === 'rtl'").await;
        for theme in ["light", "dark"] {
            let choose = format!(
                "document.querySelectorAll('input[name=theme]')[{}].click()",
                if theme == "light" { 1 } else { 2 }
            );
            window.script(&choose, vec![]).await.unwrap();
            window.until(theme, &format!("document.documentElement.dataset.theme === '{theme}'")).await;
            window.audit(&format!("the settings from right to left, {theme}")).await;
        }
        stored(&scratch, "ar").await;
        window.escape().await;
        // The subscriptions are on the right, and the article is to the left of the list.
        window
            .until(
                "panes from right to left",
                "document.querySelector('[role=tree]').getBoundingClientRect().left > \
                 document.querySelector('[role=listbox]').getBoundingClientRect().right - 1",
            )
            .await;
        // In one line, Latin titles begin on the right as well.
        for layout in ["magazine", "compact", "columns"] {
            window.press("v").await;
            window.until(layout, &format!("document.querySelector('[role=option] .row.{layout}') !== null")).await;
            if layout != "magazine" {
                window.until("the title at the start of its column", AT_START).await;
            }
        }
        window.press("v").await;
        window.until("cards", "document.querySelector('[role=option] .row.panes') !== null").await;
        // The next pane is to the left.
        window.press("j").await;
        window.reads("Rye stands upright").await;
        window.value("__e2e.all('listbox', null)[0].focus() ?? null").await;
        window.until("the list's focus", "document.activeElement.role === 'listbox'").await;
        window.press(RIGHT).await;
        window.until("the subscriptions' focus", "document.activeElement.closest('[role=tree]') !== null").await;
        window.value("__e2e.all('listbox', null)[0].focus() ?? null").await;
        window.until("the list's focus", "document.activeElement.role === 'listbox'").await;
        window.press(LEFT).await;
        window.until("the article's focus", "document.activeElement.closest('main') !== null").await;
        // The icon is on the right, whatever is typed.
        window.search("rye").await;
        window.until("room for the icon", "getComputedStyle(document.activeElement).paddingRight === '34px'").await;
        window.until("no room without one", "getComputedStyle(document.activeElement).paddingLeft === '12px'").await;
        window.press(ESCAPE).await;
        window.audit("the window from right to left, dark").await;
        window.screenshot("right-to-left").await;
        window.resize(640, 480).await;
        window.audit("a narrow window from right to left").await;
        window.close().await;
    });
}

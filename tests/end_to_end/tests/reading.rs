//! Reading: opening marks as read, every action has a key, actions can be undone, and everything survives a restart.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run, settled};
use gleaner_testserver::{Reply, Server};

const ARTICLES: usize = 30;

/// Opens a window on a feed with thirty articles, newest first.
async fn reading(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    let long = "<p>A paragraph that goes on for a while, so that there is something to scroll through.</p>".repeat(60);
    let items: Vec<String> = (0..ARTICLES)
        .map(|n| {
            let item = article(
                &format!("Article{n}"),
                &format!("<p>Text {n}.</p><p><a href=\"https://example.com/out/{n}\">Onward {n}</a></p>{long}"),
            );
            item.replace("</item>", &format!("<pubDate>Mon, 02 Nov 2026 10:{:02}:00 GMT</pubDate></item>", 59 - n))
        })
        .collect();
    server.on("/feed", Reply::ok(rss("Grain", &items)).header("ETag", "\"1\""));
    scratch.import(&[("Grain", server.url("/feed"))]);
    assert!(scratch.glean(&["refresh", "--all"]).status.success());
    let window = Window::open(scratch).await;
    window.find("treeitem", "Grain").await;
    window.click("treeitem", "Grain").await;
    window.until("the feed's list", "__e2e.all('option', null)[0] === __e2e.all('option', 'Article0')[0] && __e2e.all('option', 'Article0').length === 1").await;
    (server, window)
}

async fn unread(scratch: &Scratch, count: i64) {
    settled(&format!("{count} unread"), || async {
        let stats = scratch.stats();
        // The bundled articles are unread as well.
        let bundled = stats["articles"].as_i64().unwrap() - i64::try_from(ARTICLES).unwrap();
        if stats["unread"] == bundled + count { Ok(()) } else { Err(stats.to_string()) }
    })
    .await;
}

#[test]
fn everything_by_keyboard() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = reading(&scratch).await;
        window.press("j").await;
        window.reads("Text 0.").await;
        unread(&scratch, 29).await;
        window.press("j").await;
        window.reads("Text 1.").await;
        window.press("k").await;
        window.reads("Text 0.").await;
        window.press("n").await;
        window.reads("Text 2.").await;
        window.press("m").await;
        unread(&scratch, 28).await;
        window.press("s").await;
        settled("a star", || async {
            if scratch.stats()["starred"] == 1 { Ok(()) } else { Err("no star".to_owned()) }
        })
        .await;
        window.press("o").await;
        settled("the browser", || async {
            let opened = scratch.opened();
            if opened == ["https://example.com/read/Article2"] { Ok(()) } else { Err(format!("{opened:?}")) }
        })
        .await;
        // Space scrolls down, and at the end opens the next unread article.
        window.press(" ").await;
        window.until("a page down", "__e2e.frame().scrollingElement.scrollTop > 0").await;
        window.screenshot("reading-dark-or-light").await;
        for _ in 0..40 {
            window.press(" ").await;
            if window.value("!!__e2e.frame()?.body && __e2e.frame().body.innerText.includes('Text 3.')").await == true {
                break;
            }
        }
        window.reads("Text 3.").await;
        window.press("?").await;
        window.find("dialog", "Keyboard shortcuts").await;
        window.audit("the list of keys").await;
        window.screenshot("keys").await;
        window.escape().await;
        window.find("treeitem", "Grain, 26 unread").await;
        window.press("A").await;
        unread(&scratch, 0).await;
        window.until("no number", "__e2e.all('treeitem', 'Grain')[0]?.ariaLabel === 'Grain'").await;
        window.press("u").await;
        window.find("treeitem", "Grain, 26 unread").await;
        settled("the undo", || async {
            let stats = scratch.stats();
            if stats["unread"].as_i64() > Some(20) { Ok(()) } else { Err(stats.to_string()) }
        })
        .await;
        window.press("3").await;
        window.until("only the starred article", "__e2e.all('option', null).length === 1").await;
        window.press("a").await;
        window.find("dialog", "Add feed").await;
        window.escape().await;
        window.close().await;
    });
}

#[test]
fn links_open_in_the_systems_browser() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = reading(&scratch).await;
        window.press("j").await;
        window.reads("Text 0.").await;
        window.click_in_article("Onward 0").await;
        settled("the browser", || async {
            let opened = scratch.opened();
            if opened == ["https://example.com/out/0"] { Ok(()) } else { Err(format!("{opened:?}")) }
        })
        .await;
        // The article had the focus; keys still work.
        window.press("j").await;
        window.reads("Text 1.").await;
        window.close().await;
    });
}

#[test]
fn marks_survive_a_restart_and_a_kill() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = reading(&scratch).await;
        window.press("j").await;
        window.reads("Text 0.").await;
        window.press("s").await;
        settled("a star", || async {
            if scratch.stats()["starred"] == 1 { Ok(()) } else { Err("no star".to_owned()) }
        })
        .await;
        unread(&scratch, 29).await;
        window.kill().await;
        let window = Window::open(&scratch).await;
        // A list that is chosen during start-up is not replaced by the first one.
        window.find("treeitem", "Grain").await;
        window.press("3").await;
        window.find("option", "Article0").await;
        window.close().await;
        assert_eq!(scratch.stats()["starred"], 1);
        unread(&scratch, 29).await;
    });
}

#[test]
fn light_and_dark_narrow_and_wide_are_clean() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = reading(&scratch).await;
        window.press("j").await;
        window.reads("Text 0.").await;
        for theme in ["Light", "Dark"] {
            window.press_control(',').await;
            window.find("dialog", "Settings").await;
            window.audit("settings").await;
            window.screenshot(&format!("settings-{theme}")).await;
            window.click("radio", theme).await;
            window.escape().await;
            for (width, height) in [(1280, 820), (640, 480), (1800, 1000)] {
                window.resize(width, height).await;
                window.audit(&format!("{theme} at {width}×{height}")).await;
                window.screenshot(&format!("reading-{theme}-{width}")).await;
            }
        }
        window.close().await;
    });
}

#[test]
fn a_library_of_a_newer_version_is_refused_with_a_message() {
    run(async {
        let scratch = Scratch::new();
        assert!(scratch.glean(&["stats"]).status.success());
        let file = scratch.library().join("library.sqlite");
        let mut bytes = std::fs::read(&file).unwrap();
        bytes[60..64].copy_from_slice(&99_u32.to_be_bytes());
        std::fs::write(&file, &bytes).unwrap();
        let window = Window::open(&scratch).await;
        window.find("heading", "This library needs a newer version of Gleaner").await;
        window.shows(scratch.library().to_str().unwrap()).await;
        window.audit("the view of a library that does not open").await;
        window.screenshot("newer-library").await;
        window.close().await;
        assert_eq!(std::fs::read(&file).unwrap(), bytes);
    });
}

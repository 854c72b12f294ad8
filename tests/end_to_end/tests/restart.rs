//! A restart shows what was shown before, without a white flash. A portable installation stores nothing elsewhere.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{LightWatch, Scratch, Window, article, program, rss, run, settled};
use gleaner_testserver::{Reply, Server};
use std::{fs, os::unix::fs::PermissionsExt as _};

const TOP: &str = "__e2e.frame().scrollingElement.scrollTop";
const STATE: &str = "window.__TAURI_INTERNALS__.invoke('window_state', { args: null })";
const LIST: &str = "document.querySelector('[role=listbox]').scrollTop";

/// Subscribes to two feeds; Grain has long articles, newest first.
async fn granary(scratch: &Scratch) -> Server {
    let server = Server::start().await;
    let long = "<p>A paragraph that goes on for a while, so that there is something to scroll through.</p>".repeat(200);
    let items: Vec<String> = (0..40)
        .map(|n| {
            let date = format!("<pubDate>Mon, 02 Nov 2026 10:{:02}:00 GMT</pubDate></item>", 59 - n);
            article(&format!("Wheat {n}."), &format!("<p>Text {n}.</p>{long}")).replace("</item>", &date)
        })
        .collect();
    server.on("/grain", Reply::ok(rss("Grain", &items)));
    server.on("/fruit", Reply::ok(rss("Fruit", &[article("Plums", "<p>Ripe plums.</p>")])));
    let feeds = ["Grain", "Fruit"].map(|name| (name, server.url(&format!("/{}", name.to_lowercase()))));
    scratch.import(&feeds);
    assert!(scratch.glean(&["refresh", "--all"]).status.success());
    server
}

/// Waits until the stored state of the window fulfils a condition.
async fn stored(window: &Window, condition: &str) {
    window.until("the stored state", &format!("{STATE}.then((state) => {condition})")).await;
}

#[test]
fn a_page_whose_process_ends_is_loaded_again() {
    run(async {
        let scratch = Scratch::new();
        let _server = granary(&scratch).await;
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Grain").await;
        window.click("option", "Wheat 3.").await;
        window.reads("Text 3.").await;
        // The last one begins without the article.
        for _ in 0..2 {
            let unread = || scratch.stats()["unread"].as_u64().unwrap();
            let before = unread();
            window.end_page_process().await;
            // WebDriver does not find the page again.
            settled("an article that is read by keyboard", || async {
                window.press_on_screen(&[u32::from('j')]);
                if unread() < before { Ok(()) } else { Err(format!("{before} are unread")) }
            })
            .await;
        }
        window.request_close();
        window.ended().await;
    });
}

#[test]
fn the_list_the_article_and_both_positions_come_back() {
    run(async {
        let scratch = Scratch::new();
        let _server = granary(&scratch).await;
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Grain").await;
        window.click("option", "Wheat 3.").await;
        window.reads("Text 3.").await;
        window.press("  ").await;
        let read_to = window.scrolled(TOP).await;
        assert!(read_to > 100.0);
        window.value(&format!("void ({LIST} = 777)")).await;
        let width = "document.querySelector('[data-pane=list]').offsetWidth";
        let wide = window.value(width).await.as_f64().unwrap();
        window.value("document.querySelectorAll('[role=separator]')[1].focus()").await;
        window.press("\u{e014}\u{e014}").await;
        window.until("a wider list", &format!("{width} > {wide}")).await;
        let wide = window.value(width).await;
        stored(&window, "state?.source.kind === 'feed' && state.top !== null && state.selected !== null").await;
        let opened = "window.__TAURI_INTERNALS__.invoke('open_article', { args: { id: state.article } })";
        stored(&window, &format!("{opened}.then((article) => article.progress > 0)")).await;
        let list_at = window.value(LIST).await;
        window.close().await;

        let window = Window::open(&scratch).await;
        window.reads("Text 3.").await;
        window.until("the place in the article", &format!("Math.abs({TOP} - {read_to}) < 3")).await;
        window.until("the place in the list", &format!("Math.abs({LIST} - {list_at}) < 3")).await;
        window.until("the feed in the sidebar", "__e2e.all('treeitem', 'Grain')[0]?.ariaSelected === 'true'").await;
        assert_eq!(window.value(width).await, wide);
        window.screenshot("restart").await;
        window.audit("the window after a restart").await;
        // The keys go on from the article that is open.
        window.press("j").await;
        window.reads("Text 4.").await;

        // A search comes back, too, and the keys are not typed into its field.
        window.search("wheat").await;
        stored(&window, "state?.search === 'wheat'").await;
        window.close().await;
        let window = Window::open(&scratch).await;
        window.until("the search", "document.querySelector('[role=search] input')?.value === 'wheat'").await;
        window.until("the list's focus", "document.activeElement.role === 'listbox'").await;
        window.close().await;
    });
}

#[test]
fn an_article_that_was_just_read_is_still_selected_among_the_unread_ones() {
    run(async {
        let scratch = Scratch::new();
        let _server = granary(&scratch).await;
        let window = Window::open(&scratch).await;
        window.click("option", "Wheat 2.").await;
        window.reads("Text 2.").await;
        stored(&window, "state?.source.kind === 'unread' && state.selected !== null").await;
        window.close().await;

        let window = Window::open(&scratch).await;
        window.reads("Text 2.").await;
        window.until("the selected row", "__e2e.all('option', 'Wheat 2.')[0]?.ariaSelected === 'true'").await;
        window.press("k").await;
        window.reads("Text 1.").await;
        window.close().await;
    });
}

#[test]
fn a_dark_window_is_never_white() {
    run(async {
        let scratch = Scratch::new();
        let _server = granary(&scratch).await;
        let watch = LightWatch::start();
        let window = Window::open(&scratch).await;
        window.find("option", "Wheat 0.").await;
        assert!(watch.end() > 0.5, "a light window is seen");
        window.theme("Dark").await;
        let saved =
            "window.__TAURI_INTERNALS__.invoke('settings', { args: null }).then(({ theme }) => theme === 'dark')";
        window.until("the stored theme", saved).await;
        window.close().await;

        let watch = LightWatch::start();
        let window = Window::open(&scratch).await;
        window.find("option", "Wheat 0.").await;
        window.until("the theme", "document.documentElement.dataset.theme === 'dark'").await;
        window.screenshot("restart-dark").await;
        let light = watch.end();
        assert!(light < 0.2, "{light}");
        window.close().await;
    });
}

#[test]
fn a_window_is_never_white_where_gtk_is_dark_and_no_portal_says_so() {
    run(async {
        let scratch = Scratch::new();
        let _server = granary(&scratch).await;
        let settings = scratch.path("home/config/gtk-3.0");
        fs::create_dir_all(&settings).unwrap();
        fs::write(settings.join("settings.ini"), "[Settings]\ngtk-application-prefer-dark-theme=1\n").unwrap();
        let watch = LightWatch::start();
        let window = Window::open(&scratch).await;
        window.find("option", "Wheat 0.").await;
        window.until("the theme", "document.documentElement.dataset.theme === 'dark'").await;
        let light = watch.end();
        assert!(light < 0.2, "{light}");
        window.close().await;
    });
}

#[test]
fn a_portable_installation_stores_the_data_of_pages_in_its_library() {
    run(async {
        let scratch = Scratch::new();
        let installed = scratch.path("stick/gleaner");
        let library = scratch.path("stick/gleaner-library");
        fs::create_dir_all(&library).unwrap();
        fs::copy(program("GLEANER_WINDOW", "gleaner"), &installed).unwrap();
        let start = format!("#!/bin/sh\nunset GLEANER_LIBRARY\nexec '{}' \"$@\"\n", installed.display());
        let start = scratch.write("start", &start);
        fs::set_permissions(&start, fs::Permissions::from_mode(0o755)).unwrap();
        let window = Window::open_program(&scratch, &start, &[]).await;
        window.click("button", "Explore first").await;
        window.find("treeitem", "Welcome to Gleaner").await;
        window.close().await;
        assert!(library.join("library.sqlite").exists() && library.join("webview").is_dir());
        assert!(!scratch.path("home/data/net.gleaner.Gleaner").exists());
    });
}

//! The window closes and Gleaner stays in the tray: asked once, then a setting; the tray's menu; a desktop without a tray.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Tray, Window, article, rss, run, settled};
use gleaner_testserver::{Reply, Server};

fn feed(titles: &[&str]) -> Reply {
    Reply::ok(rss("Harbour", &titles.iter().map(|title| article(title, "<p>text</p>")).collect::<Vec<_>>()))
}

async fn harbour(scratch: &Scratch) -> Server {
    let server = Server::start().await;
    server.on("/feed", feed(&["Cranes", "Tides"]));
    scratch.import(&[("Harbour", server.url("/feed"))]);
    assert!(scratch.glean(&["refresh"]).status.success());
    server
}

/// Opens a window on a library that was welcomed already.
async fn opened(scratch: &Scratch) -> Window {
    let window = Window::open(scratch).await;
    window.click("button", "Explore first").await;
    window.find("treeitem", "Welcome to Gleaner").await;
    window
}

/// Opens the settings of the background.
async fn settings(window: &Window) {
    window.press_control(',').await;
    window.find("dialog", "Settings").await;
    window.click("button", "Background").await;
}

fn unread(scratch: &Scratch) -> u64 {
    scratch.stats()["unread"].as_u64().unwrap()
}

/// Waits until the tray says when feeds are refreshed next, or no longer.
async fn says_when(tray: &Tray, wanted: bool) {
    settled("the time of the next refresh", || async {
        let menu = tray.menu().await?;
        let says = menu.iter().any(|item| item.label.starts_with("Next refresh: "));
        if says == wanted { Ok(()) } else { Err(format!("{menu:?}")) }
    })
    .await;
}

/// Keeps Gleaner in the tray when the window closes.
async fn close_to_tray(window: &Window) {
    window.request_close();
    window.find("dialog", "Keep Gleaner running?").await;
    window.click_on_screen("Keep running").await;
    window.hidden().await;
}

#[test]
fn a_hidden_window_is_unloaded_and_comes_back_as_it_was() {
    run(async {
        let (scratch, tray) = (Scratch::new(), Tray::start().await);
        let server = harbour(&scratch).await;
        let window = Window::open(&scratch).await;
        let before = unread(&scratch);
        window.click("treeitem", "Harbour").await;
        window.find("option", "Tides").await;
        let stored = "return window.__TAURI_INTERNALS__.invoke('window_state').then((state) => state?.source.kind)";
        settled("the stored list", || async {
            let kind = window.script(stored, vec![]).await?;
            if kind == "feed" { Ok(()) } else { Err(kind.to_string()) }
        })
        .await;
        // A visible window stays.
        window.value("void window.__TAURI_INTERNALS__.invoke('unload_window')").await;
        close_to_tray(&window).await;
        assert!(window.has_page_process());
        window.unload().await;
        settled("the end of the page's process", || async {
            if window.has_page_process() { Err("it is running".to_owned()) } else { Ok(()) }
        })
        .await;

        // Threads that only wait for work would wake up twice a second.
        settled("the end of idle threads", || async {
            let threads = window.threads();
            if threads.iter().any(|name| name.starts_with("blocking")) { Err(format!("{threads:?}")) } else { Ok(()) }
        })
        .await;

        // Gleaner goes on, and what is done in the tray can be undone in the window.
        server.on("/feed", feed(&["Gulls", "Cranes", "Tides"]));
        tray.choose("Refresh").await;
        tray.find(&format!("{} unread articles", before + 1)).await;
        tray.choose("Mark all as read").await;
        tray.find("0 unread articles").await;
        tray.click().await;
        window.loaded_again().await;
        window
            .until("the page", "document.readyState === 'complete' && !!document.querySelector('[role=option]')")
            .await;
        window.find("option", "Gulls").await;
        window
            .until(
                "the list of before",
                "document.querySelector('[role=treeitem][aria-selected=true]')?.textContent.includes('Harbour')",
            )
            .await;
        window.click("button", "Undo").await;
        tray.find(&format!("{} unread articles", before + 1)).await;

        // A second start loads it, too, and it quits from the tray while it is unloaded.
        for again in [true, false] {
            window.request_close();
            window.hidden().await;
            window.unload().await;
            if again {
                assert!(scratch.start_again(&[]).status.success());
                window.loaded_again().await;
            }
        }
        tray.choose("Quit").await;
        window.ended().await;
    });
}

#[test]
fn closing_asks_once_and_then_hides_the_window_in_the_tray() {
    run(async {
        let (scratch, tray) = (Scratch::new(), Tray::start().await);
        let server = harbour(&scratch).await;
        let window = Window::open(&scratch).await;
        let before = unread(&scratch);
        tray.find(&format!("{before} unread articles")).await;
        assert_eq!(tray.text("Title").await.unwrap(), "Gleaner");
        assert!(window.is_visible());

        window.request_close();
        window.find("dialog", "Keep Gleaner running?").await;
        window.audit("the question whether to stay in the background").await;
        window.screenshot("close-question").await;
        // Escape is not an answer: the next time asks again.
        window.escape().await;
        window.no_dialog().await;
        window.request_close();
        window.find("dialog", "Keep Gleaner running?").await;
        assert_eq!(window.asks_for_place(), None, "the first window is placed by the desktop");
        window.click_on_screen("Keep running").await;
        window.hidden().await;

        // New articles are counted while the window is hidden.
        server.on("/feed", feed(&["Gulls", "Cranes", "Tides"]));
        tray.choose("Refresh").await;
        tray.find(&format!("{} unread articles", before + 1)).await;
        tray.click().await;
        window.shown().await;
        assert!(window.asks_for_place().is_some(), "a window that is shown again stays where it was");
        window.find("option", "Gulls").await;

        // From now on closing hides without a question.
        window.request_close();
        window.hidden().await;
        tray.choose("Mark all as read").await;
        tray.find("0 unread articles").await;
        assert_eq!(unread(&scratch), 0);
        tray.choose("Show Gleaner").await;
        window.shown().await;
        window.no_dialog().await;
        window.click("button", "Undo").await;
        tray.find(&format!("{} unread articles", before + 1)).await;
        assert_eq!(unread(&scratch), before + 1);

        // The setting can be changed, also in the tray.
        assert!(!tray.find("Pause automatic refresh").await.checked);
        says_when(&tray, true).await;
        tray.choose("Pause automatic refresh").await;
        settled("the check mark", || async {
            let item = tray.find("Pause automatic refresh").await;
            if item.checked { Ok(()) } else { Err(format!("{item:?}")) }
        })
        .await;
        says_when(&tray, false).await;
        settings(&window).await;
        window.until("the switch", "!__e2e.all('switch', 'Refresh automatically')[0].checked").await;
        window
            .until("the choice", "__e2e.all('combobox', 'When the window is closed')[0].dataset.value === 'background'")
            .await;
        window.audit("the background settings").await;
        window.screenshot("background-settings").await;

        // A second start shows the hidden window.
        window.escape().await;
        window.no_dialog().await;
        window.request_close();
        window.hidden().await;
        assert!(scratch.start_again(&[]).status.success());
        window.shown().await;

        tray.choose("Quit").await;
        window.ended().await;
        tray.stop().await;
    });
}

#[test]
fn without_a_tray_closing_quits() {
    run(async {
        let scratch = Scratch::new();
        let window = Window::open(&scratch).await;
        window.request_close();
        window.ended().await;
    });
}

async fn text_scale(window: &Window) -> f64 {
    let script = "return window.__TAURI_INTERNALS__.invoke('settings').then((settings) => settings.text_scale)";
    window.script(script, vec![]).await.unwrap().as_f64().unwrap()
}

#[test]
fn what_was_changed_just_before_the_window_closes_is_stored() {
    run(async {
        let scratch = Scratch::new();
        let _server = harbour(&scratch).await;
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Harbour").await;
        window.find("option", "Tides").await;
        window.press_control('=').await;
        window.request_close();
        window.ended().await;
        let window = Window::open(&scratch).await;
        let list = "document.querySelector('[role=treeitem][aria-selected=true]')?.textContent.includes('Harbour')";
        window.until("the list of before", list).await;
        let larger = text_scale(&window).await;
        assert!(larger > 1.0);
        window.press_control('=').await;
        window.terminate().await;
        let window = Window::open(&scratch).await;
        assert!(text_scale(&window).await > larger, "after SIGTERM");
        window.close().await;
    });
}

#[test]
fn a_tray_that_disappears_makes_closing_ask_and_one_that_appears_is_used() {
    run(async {
        let scratch = Scratch::new();
        let window = opened(&scratch).await;
        settings(&window).await;
        window.shows("This desktop has no tray, so closing the window quits Gleaner.").await;
        window.audit("settings without a tray").await;
        window.escape().await;
        window.no_dialog().await;

        let tray = Tray::start().await;
        tray.find("Show Gleaner").await;
        window.request_close();
        window.click_on_screen("Keep running").await;
        window.hidden().await;
        tray.choose("Show Gleaner").await;
        window.shown().await;

        // A hidden window comes back when nothing else could show it.
        window.request_close();
        window.hidden().await;
        tray.stop().await;
        window.shown().await;
        let known = "window.__TAURI_INTERNALS__.invoke('desktop_state').then((state) => !state.tray)";
        window.until("Gleaner to notice it", known).await;
        window.request_close();
        window.find("dialog", "Quit Gleaner?").await;
        window.audit("the question without a tray").await;
        window.screenshot("close-no-tray").await;
        window.click_on_screen("Quit").await;
        window.ended().await;
    });
}

#[test]
fn it_starts_at_login_as_the_user_chooses_and_in_the_background_without_a_window() {
    run(async {
        let (scratch, tray) = (Scratch::new(), Tray::start().await);
        let window = opened(&scratch).await;
        settings(&window).await;
        window.choose("Start at login", "background").await;
        let file = scratch.path("home/config/autostart/net.gleaner.Gleaner.desktop");
        settled("the file for the login", || async {
            let text = std::fs::read_to_string(&file).unwrap_or_default();
            if text.contains("Exec=") && text.contains(" --background\n") { Ok(()) } else { Err(text) }
        })
        .await;
        let valid = std::process::Command::new("desktop-file-validate").arg(&file).output();
        if let Ok(valid) = valid {
            assert!(valid.status.success(), "{}", String::from_utf8_lossy(&valid.stdout));
        }
        window.escape().await;
        window.close().await;

        let window = Window::open_with(&scratch, &["--background"]).await;
        tray.find("Show Gleaner").await;
        assert!(!window.is_visible());
        tray.choose("Show Gleaner").await;
        window.shown().await;
        window.close().await;
        tray.stop().await;
    });
}

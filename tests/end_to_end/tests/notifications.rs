//! Desktop notifications: single ones with actions, one for many, quiet hours, and a service that hangs.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Notifications, Scratch, Tray, Window, article, rss, run, settled};
use gleaner_testserver::{Reply, Server};

fn feed(titles: &[&str]) -> Reply {
    Reply::ok(rss(
        "Harbour & quay",
        &titles.iter().map(|title| article(title, &format!("<p>About {title}</p>"))).collect::<Vec<_>>(),
    ))
}

/// Opens a window with a feed that has one article, and notifications of all feeds.
async fn harbour(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    server.on("/feed", feed(&["Cranes"]));
    scratch.import(&[("Harbour & quay", server.url("/feed"))]);
    assert!(scratch.glean(&["refresh"]).status.success());
    let window = Window::open(scratch).await;
    window.find("treeitem", "Harbour & quay").await;
    window.press_control(',').await;
    window.find("dialog", "Settings").await;
    window.click("switch", "Desktop notifications").await;
    let stored = "window.__TAURI_INTERNALS__.invoke('preferences', { args: { kind: 'all' } }).then(({ own }) => own.notify === true)";
    window.until("the stored choice", stored).await;
    window.escape().await;
    window.no_dialog().await;
    (server, window)
}

async fn refresh(server: &Server, window: &Window, titles: &[&str]) {
    // While a refresh runs, another one is not started.
    window.until("the end of the last refresh", "__e2e.all('button', 'Cancel refresh').length === 0").await;
    server.on("/feed", feed(titles));
    window.press("R").await;
}

#[test]
fn a_few_articles_have_notifications_with_actions_and_many_have_one() {
    run(async {
        let (scratch, service) = (Scratch::new(), Notifications::start().await);
        let (server, window) = harbour(&scratch).await;
        refresh(&server, &window, &["Gulls & terns", "Tides", "Locks", "Cranes"]).await;
        let tides = service.find("Tides").await;
        // Markup in the text is escaped.
        assert_eq!(tides.body, "Harbour &amp; quay");
        assert_eq!(tides.actions, ["default", "Open", "read", "Mark as read", "star", "Star"]);
        service.find("Gulls & terns").await;
        assert_eq!(service.calls(), 3);

        // More than three are one notification, and the next replaces it.
        refresh(&server, &window, &["E5", "E4", "E3", "E2", "E1"]).await;
        let five = service.find("5 new articles · Harbour & quay").await;
        assert_eq!(five.body, "E5\nE4\nE3\nE2\n…");
        assert_eq!(five.actions, ["default", "Open", "read", "Mark as read"]);
        refresh(&server, &window, &["F4", "F3", "F2", "F1", "E1"]).await;
        let four = service.find("4 new articles · Harbour & quay").await;
        assert_eq!(four.body, "F4\nF3\nF2\nF1");

        // Single ones are three at most: the oldest are replaced.
        refresh(&server, &window, &["G2", "G1", "F1"]).await;
        let newest = service.find("G2").await;
        let mut shown: Vec<_> = service.all().into_iter().map(|shown| shown.summary).collect();
        shown.sort();
        assert_eq!(shown, ["4 new articles · Harbour & quay", "G1", "G2", "Gulls & terns"]);

        // Star and read: in the library, and in the window with an undo.
        let oldest = service.find("G1").await;
        service.choose(&oldest, "star").await;
        settled("the star", || async {
            let starred = scratch.stats()["starred"].clone();
            if starred == 1 { Ok(()) } else { Err(starred.to_string()) }
        })
        .await;
        service.choose(&four, "read").await;
        window.shows("4 articles marked as read").await;

        // A click opens that article.
        service.choose(&newest, "default").await;
        window.reads("About G2").await;
        window.close().await;
        service.stop().await;
    });
}

#[test]
fn a_click_shows_the_hidden_window_with_the_article() {
    run(async {
        let (scratch, service, tray) = (Scratch::new(), Notifications::start().await, Tray::start().await);
        let (server, window) = harbour(&scratch).await;
        tray.find("Show Gleaner").await;
        window.request_close();
        window.find("dialog", "Keep Gleaner running?").await;
        window.click_on_screen("Keep running").await;
        window.hidden().await;
        server.on("/feed", feed(&["Lock gates", "Cranes"]));
        tray.choose("Refresh").await;
        let shown = service.find("Lock gates").await;
        service.choose(&shown, "default").await;
        window.shown().await;
        window.reads("About Lock gates").await;

        // Likewise if the hidden window was unloaded.
        window.request_close();
        window.hidden().await;
        window.unload().await;
        server.on("/feed", feed(&["Pilots", "Lock gates", "Cranes"]));
        tray.choose("Refresh").await;
        let shown = service.find("Pilots").await;
        service.choose(&shown, "default").await;
        window.loaded_again().await;
        window.reads("About Pilots").await;
        tray.choose("Quit").await;
        window.ended().await;
        service.stop().await;
        tray.stop().await;
    });
}

#[test]
fn quiet_hours_and_a_service_that_hangs_delay_nothing() {
    run(async {
        let (scratch, service) = (Scratch::new(), Notifications::start_hanging().await);
        let (server, window) = harbour(&scratch).await;
        window.press_control(',').await;
        window.find("dialog", "Settings").await;
        window.click("switch", "Quiet hours").await;
        // All hours but the one before this.
        let from = window.value("new Date().getHours()").await.as_u64().unwrap();
        let to = (from + 23) % 24;
        window.choose("From", &from.to_string()).await;
        window.choose("To", &to.to_string()).await;
        window.audit("quiet hours").await;
        window.screenshot("quiet-hours").await;
        window.until("the hours", &format!("__e2e.all('combobox', 'To')[0].dataset.value === '{to}'")).await;
        let stored = "window.__TAURI_INTERNALS__.invoke('settings').then(({ quiet_hours: { from, to } }) =>";
        window.until("the stored hours", &format!("{stored} from === {from} && to === {to})")).await;
        window.escape().await;
        window.no_dialog().await;
        refresh(&server, &window, &["Silence", "Cranes"]).await;
        window.find("option", "Silence").await;
        assert_eq!(service.calls(), 0);

        window.press_control(',').await;
        window.click("switch", "Quiet hours").await;
        window.until("no hours", "__e2e.all('combobox', 'To').length === 0").await;
        let off = "window.__TAURI_INTERNALS__.invoke('settings').then(({ quiet_hours }) => !quiet_hours.enabled)";
        window.until("the stored switch", off).await;
        window.escape().await;
        window.no_dialog().await;
        refresh(&server, &window, &["Noise", "Cranes"]).await;
        settled("a notification without a response", || async {
            if service.calls() == 1 { Ok(()) } else { Err(service.calls().to_string()) }
        })
        .await;
        // The window works on while the service hangs, and ends at once.
        window.find("option", "Noise").await;
        refresh(&server, &window, &["Still here", "Cranes"]).await;
        window.find("option", "Still here").await;
        window.close().await;
        service.stop().await;
    });
}

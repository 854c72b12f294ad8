//! The panes of the window: words in their toolbars, the player after a restart, and what an article shows in place of missing images.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, recording, rss, run};
use gleaner_testserver::{Reply, Server};

const STATE: &str = "window.__TAURI_INTERNALS__.invoke('window_state', { args: null })";

async fn granary(scratch: &Scratch) -> (Server, Window) {
    let server = Server::start().await;
    let text = "<p>What the mill takes in by day it grinds by night.</p>".repeat(40);
    let titles = ["Wheat", "Rye", "Oats"];
    server.on("/feed", Reply::ok(rss("Granary", &titles.map(|title| article(title, &text)))));
    server.on("/other", Reply::ok(rss("Barn", &[article("Straw", &text), article("Hay", "<p>Hay.</p>")])));
    let feeds = [("Granary", "/feed"), ("Barn", "/other")].map(|(name, path)| (name, server.url(path)));
    scratch.import(&feeds);
    assert!(scratch.glean(&["refresh", "--all"]).status.success());
    let window = Window::open(scratch).await;
    window.find("option", "Wheat").await;
    (server, window)
}

async fn dark(window: &Window, dark: bool) {
    let theme = if dark { "dark" } else { "light" };
    window.value(&format!("document.documentElement.dataset.theme = '{theme}'")).await;
}

#[test]
fn toolbars_have_words_where_they_fit_into_one_line() {
    run(async {
        let scratch = Scratch::new();
        let (_server, window) = granary(&scratch).await;
        window.resize(1440, 900).await;
        window.click("option", "Wheat").await;
        window.reads("grinds by night").await;
        // Whether the word of a button is drawn.
        let word = |name: &str| format!("__e2e.all('button', '{name}')[0].querySelector('.word')?.offsetWidth > 0");
        // Each group of a toolbar has all its words or none.
        let all_or_none = "[...document.querySelectorAll('[data-pane] > header')].every((bar) => {
            const last = bar.querySelector('[data-last]');
            const isLast = (word) => !!last && (last.compareDocumentPosition(word) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;
            const drawn = (group) => new Set([...bar.querySelectorAll('.word')].filter((word) => isLast(word) === group).map((word) => word.offsetWidth > 0));
            return drawn(true).size <= 1 && drawn(false).size <= 1;
        })";
        let one_line = "[...document.querySelectorAll('[data-pane] > header')].every((bar) => bar.offsetHeight <= 56)";
        for width in [640, 900, 1024, 1440, 1920] {
            window.resize(width, 900).await;
            if width >= 1440 {
                for name in ["Mark as unread", "Star", "Open in browser"] {
                    window.until(&format!("{name} at {width}"), &word(name)).await;
                }
            }
            window.until(&format!("one line at {width}"), one_line).await;
            window.until(&format!("all words or none at {width}"), all_or_none).await;
            window.screenshot(&format!("toolbars-{width}")).await;
        }
        dark(&window, true).await;
        window.screenshot("toolbars-dark").await;
        dark(&window, false).await;
        window.press("v").await;
        window.until("the magazine", "document.querySelector('.row.magazine') !== null").await;
        window.until("words of the list", &word("Mark all as read")).await;
        window.screenshot("toolbars-magazine").await;
        window.press("v").await;
        window.until("one line", "document.querySelector('.row.compact') !== null").await;
        window.press("v").await;
        window.until("columns", "document.querySelector('.row.columns') !== null").await;
        // The name of the feed is in each row, in a pane of the usual width.
        window.until("the feed", "__e2e.all('option', null)[0]?.textContent.includes('Barn')").await;
        window.screenshot("toolbars-columns").await;
        window.audit("toolbars with words").await;
        window.close().await;
    });
}

#[test]
fn missing_images_and_posters_have_a_quiet_place_and_a_video_no_torrent() {
    run(async {
        let scratch = Scratch::new();
        let server = Server::start().await;
        let at = |path: &str| server.url(path);
        let id = "0a1b2c3d-0a1b-2c3d-4e5f-0a1b2c3d4e5f";
        let html = format!(
            "<p>Before.</p><p><img src=\"{gone}\" alt=\"A torn net\" width=\"300\" height=\"200\"></p><p><img src=\"{gone}\"></p>\
             <p>Between.</p><p><img src=\"{gone}\" alt=\"\"></p><video src=\"{gone}\" controls></video><p>After.</p>",
            gone = at("/gone.png")
        );
        let item = article("Nets", &html)
            .replace("https://example.com/read/Nets", &at(&format!("/videos/watch/{id}")))
            .replace("</item>", &format!(
                "<media:thumbnail xmlns:media=\"http://search.yahoo.com/mrss/\" url=\"{}\"/><enclosure url=\"{}\" type=\"application/x-bittorrent\" length=\"9\"/></item>",
                at("/gone.jpg"), at("/nets.torrent")
            ));
        server.on("/feed", Reply::ok(rss("Harbour", &[item])));
        scratch.import(&[("Harbour", at("/feed"))]);
        assert!(scratch.glean(&["refresh", "--all"]).status.success());
        let window = Window::open(&scratch).await;
        window.click("option", "Nets").await;
        window.reads("Between.").await;
        let part = |selector: &str| format!("__e2e.frame().querySelector('{selector}')");
        window.until("the text", &format!("{}?.offsetHeight > 10", part("img.gl-off[alt=\"A torn net\"]"))).await;
        window.until("the place", &format!("{}?.offsetHeight > 10", part("img.gl-blank"))).await;
        window.until("the card", &format!("{}?.offsetHeight > 10", part(".gl-video .gl-plain"))).await;
        assert_eq!(window.value(&format!("{}.offsetHeight < 200", part(".gl-plain"))).await, true);
        let link = format!("{}?.textContent === 'Play gone.png'", part("a[data-gl-media]"));
        window.until("the link in place of the video", &link).await;
        window.until("no square in the list", "document.querySelectorAll('.row .thumb').length === 0").await;
        assert_eq!(window.value("__e2e.frame().body.textContent.includes('torrent')").await, false);
        window.screenshot("missing").await;
        window.audit("missing images").await;
        window.theme("Dark").await;
        window.screenshot("missing-dark").await;
        window.close().await;
    });
}

#[test]
fn the_player_comes_back_paused_after_a_restart() {
    run(async {
        let scratch = Scratch::new();
        let server = Server::start().await;
        let sound =
            format!("<enclosure url=\"{}\" type=\"audio/wav\" length=\"960044\"/></item>", server.url("/e.wav"));
        let item = article("Episode", "<p>Notes.</p>").replace("</item>", &sound);
        server.on("/feed", Reply::ok(rss("Granary", &[item])));
        server.on("/e.wav", Reply::ok(recording()).header("Content-Type", "audio/wav"));
        scratch.import(&[("Granary", server.url("/feed"))]);
        assert!(scratch.glean(&["refresh", "--all"]).status.success());
        let window = Window::open(&scratch).await;
        window.click("option", "Episode").await;
        window.click("button", "Play Episode").await;
        window.until("a place", "document.querySelector('audio')?.currentTime > 1").await;
        window.click("button", "Pause").await;
        let place = "document.querySelector('.player [role=slider], .player input[type=range]')";
        window.until("paused", "document.querySelector('audio').paused").await;
        let value = window.value(&format!("Math.floor({place}.value)")).await;
        window.until("the stored player", &format!("{STATE}.then((state) => state?.player !== null)")).await;
        window.close().await;
        let requests = server.requests_to("/e.wav").len();
        let window = Window::open(&scratch).await;
        window.until("the place", &format!("Math.floor({place}?.value ?? -1) === {value}")).await;
        assert_eq!(window.value("document.querySelector('audio').paused").await, true);
        assert_eq!(server.requests_to("/e.wav").len(), requests, "nothing is requested before Play");
        window.screenshot("player-restored").await;
        window.click("button", "Play").await;
        window.until("it goes on", &format!("document.querySelector('audio').currentTime >= {value}")).await;
        window.close().await;
    });
}

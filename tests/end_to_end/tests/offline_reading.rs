//! Offline reading: full texts and images are downloaded and shown without the server, by keyboard.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, recording, rss, run, settled};
use gleaner_testserver::{Reply, Server};
use std::time::Duration;

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const PIXEL: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff\x89\x99=\x1d\0\0\0\0IEND\xaeB`\x82";

fn item(server: &Server, title: &str, html: &str) -> String {
    let html = html.replace('&', "&amp;").replace('<', "&lt;");
    let link = server.url(&format!("/read/{title}"));
    format!(
        "<item><guid isPermaLink=\"false\">{title}</guid><title>{title}</title><link>{link}</link><description>{html}</description></item>"
    )
}

fn page(words: &str) -> Reply {
    let body =
        format!("<p>{words} The harbour was quiet, the boats were in, and no one was about to repair a net.</p>")
            .repeat(6);
    Reply::ok(format!("<html><head><title>T</title></head><body><article>{body}<p><img src=/page.png alt='A net'></p></article></body></html>"))
        .header("Content-Type", "text/html; charset=utf-8")
}

async fn serving() -> Server {
    let server = Server::start().await;
    for (name, more) in [("/feed.png", &b"1"[..]), ("/page.png", b"2")] {
        // Bytes after the end of the image make it a different file without a visible difference.
        server.on(name, Reply::ok([PIXEL, more].concat()).header("Content-Type", "image/png"));
    }
    server.on("/read/Harbour", page("On the page."));
    server.on("/read/Locked", Reply::ok("<html><body></body></html>").header("Content-Type", "text/html"));
    let items = [
        item(&server, "Harbour", "<p>In the feed.</p><img src='/feed.png' alt='A boat'>"),
        item(&server, "Locked", "<p>Only this.</p>"),
    ];
    server.on("/feed", Reply::ok(rss("Coast", &items)));
    server
}

/// Returns an expression that is true when the article shows this number of images, all from the library.
fn stored_images(count: usize) -> String {
    format!(
        "(() => {{ const all = [...(__e2e.frame()?.querySelectorAll('main img') ?? [])]; \
         return all.length === {count} && all.every((one) => one.currentSrc.startsWith('gleaner-image:') && one.complete && one.naturalWidth === 1); }})()"
    )
}

#[test]
fn downloaded_articles_are_read_without_a_network() {
    run(async {
        let (scratch, server) = (Scratch::new(), serving().await);
        assert!(scratch.glean(&["add", &server.url("/feed")]).status.success());
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Coast").await;
        window.press("w").await;
        window.find("region", "Offline reading").await;
        window.choose("Download", "both").await;
        window.value("__e2e.all('region', 'Offline reading')[0].scrollIntoView({ block: 'center' })").await;
        window.audit("the settings of a feed with downloads").await;
        window.screenshot("offline-feed").await;
        settled("everything is downloaded", || async {
            let paths = ["/read/Harbour", "/read/Locked", "/feed.png", "/page.png"];
            match paths.iter().find(|path| server.requests_to(path).is_empty()) {
                None => Ok(()),
                Some(path) => Err(format!("{path} was not requested")),
            }
        })
        .await;
        settled("it will be stored", || async {
            let said = scratch.glean(&["check"]);
            let stored = scratch.library().join("images").read_dir().map_or(0, Iterator::count);
            if said.status.success() && stored == 2 { Ok(()) } else { Err(format!("{stored} images")) }
        })
        .await;
        window.escape().await;
        // Remote images are off: nothing may be requested, not even for the list.
        window.press_control(',').await;
        window.find("region", "Offline reading").await;
        window.shows("Downloaded: 1 full text · 2 images").await;
        window.click("switch", "Load remote images").await;
        window.audit("the settings for offline reading").await;
        window.value("__e2e.all('region', 'Offline reading')[0].scrollIntoView()").await;
        window.screenshot("offline-settings").await;
        window.escape().await;
        window.close().await;
        let (before, address) = (server.requests().len(), server.address());
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Coast").await;
        window.click("option", "Harbour").await;
        window.reads("In the feed.").await;
        window.until("the feed's image", &stored_images(1)).await;
        window.press("f").await;
        window.reads("On the page.").await;
        window.until("the page's image", &stored_images(1)).await;
        window.audit("a full text").await;
        window.screenshot("offline-full-text").await;
        assert_eq!(server.requests().len(), before, "nothing was requested: {address}");

        window.press_control(',').await;
        window.click("radio", "Dark").await;
        window.value("__e2e.all('region', 'Offline reading')[0].scrollIntoView()").await;
        window.audit("the settings, dark").await;
        window.screenshot("offline-settings-dark").await;
        window.escape().await;

        // The same without the server.
        drop(server);
        window.click("option", "Locked").await;
        window.reads("Only this.").await;
        window.shows("could not be downloaded").await;
        window.audit("an article whose full text could not be downloaded").await;
        window.screenshot("offline-error").await;
        window.click("option", "Harbour").await;
        window.reads("In the feed.").await;
        window.until("the feed's image", &stored_images(1)).await;
        window.press("f").await;
        window.reads("On the page.").await;
        window.press("f").await;
        window.reads("In the feed.").await;

        // A script of the window can read only images through this protocol, and with GET only.
        let ask = "(window.__answer = 'waiting', fetch('gleaner-image://localhost/library.sqlite').then(() => (window.__answer = 'read'), \
            () => (window.__answer = 'refused')), true)";
        window.until("the protocol responded", ask).await;
        window.until("the window's policy allows only images", "window.__answer === 'refused'").await;
        window.close().await;
    });
}

#[test]
fn a_full_text_is_downloaded_on_demand_by_keyboard() {
    run(async {
        let (scratch, server) = (Scratch::new(), serving().await);
        assert!(scratch.glean(&["add", &server.url("/feed")]).status.success());
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Coast").await;
        window.click("option", "Harbour").await;
        window.reads("In the feed.").await;
        window.press("f").await;
        window.reads("On the page.").await;
        window.press("f").await;
        window.reads("In the feed.").await;
        assert_eq!(server.requests_to("/read/Harbour").len(), 1, "the page is requested once");

        window.click("option", "Locked").await;
        window.reads("Only this.").await;
        window.press("f").await;
        window.shows("Couldn’t load the full text").await;
        window.shows("It may require JavaScript or a login").await;
        window.audit("a failed download of a full text").await;
        window.screenshot("full-text-failed").await;
        let (late, gate) = page("It came after all.").held();
        server.on("/read/Locked", late);
        window.value("__e2e.all('button', 'Try again')[0].focus()").await;
        window.press(ENTER).await;
        window.shows("Loading the full text").await;
        window.screenshot("full-text-fetching").await;
        gate.open();
        window.reads("It came after all.").await;

        // A window that becomes too narrow for two panes shows the article, and the row of the open article shows it again.
        window.resize(640, 480).await;
        window.click("button", "Back to list").await;
        window.find("button", "Show sidebar").await;
        window.click("option", "Locked").await;
        window.find("button", "Back to list").await;
        window.reads("It came after all.").await;
        window.audit("a full text in a narrow window").await;
        window.screenshot("full-text-narrow").await;
        window.press(" ").await;
        let place = "__e2e.frame().scrollingElement.scrollTop";
        window.until("a position further down", &format!("{place} > 20")).await;
        let before = window.scrolled(place).await;
        window.press(ESCAPE).await;
        window.click("option", "Locked").await;
        window.find("button", "Back to list").await;
        window.until("the article at its former position", &format!("Math.abs({place} - {before}) < 1")).await;
        window.press("f").await;
        window.reads("Only this.").await;
        window.press("f").await;
        window.reads("It came after all.").await;
        window.close().await;
    });
}

#[test]
fn a_download_is_shown_as_done_while_the_next_one_runs() {
    run(async {
        let (scratch, server) = (Scratch::new(), Server::start().await);
        let episode = |title: &str| {
            let url = server.url(&format!("/{title}.wav"));
            format!(
                "<item><guid>{title}</guid><title>{title}</title><enclosure url=\"{url}\" type=\"audio/wav\" length=\"1\"/></item>"
            )
        };
        server.on("/feed", Reply::ok(rss("Radio", &[episode("First"), episode("Second")])));
        assert!(scratch.glean(&["add", &server.url("/feed")]).status.success());
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Radio").await;
        window.find("option", "Second").await;
        let id = |title: &str| format!("Number(__e2e.all('option', '{title}')[0].id.replace('article-', ''))");
        let (first, second) = (id("First"), id("Second"));
        // In the order of their ids, as they are queued at the same time.
        let in_order = window.value(&format!("{first} < {second}")).await == true;
        let (done, running) = if in_order { ("First", "Second") } else { ("Second", "First") };
        let file = || Reply::ok(recording()).header("Content-Type", "audio/wav");
        server.on(&format!("/{done}.wav"), file());
        server.on(&format!("/{running}.wav"), file().drip(Duration::from_millis(20)));
        let queue = format!(
            "__TAURI_INTERNALS__.invoke('download_episodes', {{ args: {{ ids: [{first}, {second}], url: null }} }}) && 0"
        );
        window.value(&queue).await;
        window.press("7").await;
        let says =
            |title: &str, state: &str| format!("__e2e.all('option', '{title}')[0]?.textContent.includes('{state}')");
        window.until("the second is running", &says(running, "Downloading")).await;
        window.until("the first is done", &says(done, "Downloaded")).await;
        window.close().await;
    });
}

//! The play queue: its order, its menus, undoing a move, and playing on.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, recording, run};
use gleaner_testserver::{Reply, Server};

#[test]
fn the_play_queue_is_ordered_survives_a_restart_and_plays_on() {
    run(async {
        let scratch = Scratch::new();
        let server = Server::start().await;
        let episodes: String = ["Alpha", "Beta", "Gamma"]
            .iter()
            .map(|name| {
                server.on(&format!("/{name}.wav"), Reply::ok(recording()).header("Content-Type", "audio/wav"));
                let url = server.url(&format!("/{name}.wav"));
                format!(
                    r#"<item><guid>{name}</guid><title>{name}</title><description>Notes on {name}.</description>
                    <enclosure url="{url}" type="audio/wav" length="960044"/></item>"#
                )
            })
            .collect();
        let feed = format!(r#"<rss version="2.0"><channel><title>Mill</title>{episodes}</channel></rss>"#);
        server.on("/feed", Reply::ok(feed));
        assert!(scratch.glean(&["add", &server.url("/feed")]).status.success());
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Mill").await;
        window.click("option", "Alpha").await;
        window.reads("Notes on Alpha.").await;
        window.press("Q").await;
        window.shows("Nothing in the queue").await;
        window.audit("an empty play queue").await;
        window.escape().await;

        // Later by key, next by the menu of the file.
        window.press("W").await;
        window.shows("“Alpha” added to the queue, position 1").await;
        window.click("option", "Gamma").await;
        window.reads("Notes on Gamma.").await;
        window.press("W").await;
        window.click("option", "Beta").await;
        window.reads("Notes on Beta.").await;
        window.click("button", "Actions for “Beta”").await;
        window.click("menuitem", "Play next").await;
        window.shows("“Beta” will play next").await;

        let order =
            "[...document.querySelectorAll('button.episode .title')].map((title) => title.textContent).join(' ')";
        window.press("Q").await;
        window.until("the order", &format!("{order} === 'Beta Alpha Gamma'")).await;
        window.audit("the play queue").await;
        window.screenshot("media-queue").await;
        window.until("the focus", "document.activeElement?.matches('button.episode')").await;
        window.press_alt('\u{e015}').await;
        window.until("a move by key", &format!("{order} === 'Alpha Beta Gamma'")).await;
        let stays =
            "document.activeElement?.matches('button.episode') && document.activeElement.textContent.includes('Beta')";
        window.until("the focus stays", stays).await;
        window.shows("“Beta” moved to position 2").await;
        window.click("button", "Dismiss").await;
        window.press("u").await;
        window.until("the move is undone", &format!("{order} === 'Beta Alpha Gamma'")).await;
        window.shows("Undone: “Beta” moved to position 2").await;
        window.until("the focus stays", stays).await;
        window.click("button", "Redo").await;
        window.until("the move is done again", &format!("{order} === 'Alpha Beta Gamma'")).await;

        // A row has its menu at the pointer, too.
        window.right_click_on_screen("button", "Gamma").await;
        window.click("menuitem", "Move up").await;
        window.until("a move by the menu", &format!("{order} === 'Alpha Gamma Beta'")).await;
        window.press_control('z').await;
        window.until("it is undone", &format!("{order} === 'Alpha Beta Gamma'")).await;
        window.click("button", "Clear queue").await;
        window.shows("Nothing in the queue").await;
        window.click("button", "Undo").await;
        window.until("all of it again", &format!("{order} === 'Alpha Beta Gamma'")).await;
        window.close().await;

        let window = Window::open(&scratch).await;
        window.find("treeitem", "Mill").await;
        window.press("Q").await;
        window.until("the order after a restart", &format!("{order} === 'Alpha Beta Gamma'")).await;
        window.click("button", "Play").await;
        window.find("button", "Show the article “Alpha”").await;
        let plays =
            "document.querySelector('audio')?.readyState > 0 || document.body.innerText.includes('Couldn’t play')";
        window.until("audio, or a message", plays).await;
        // The system may lack the codec.
        if window.value("document.querySelector('audio').readyState > 0").await == true {
            window.value("void (document.querySelector('audio').currentTime = 119.5)").await;
            window.find("button", "Show the article “Beta”").await;
            window
                .until(
                    "the next one plays",
                    "document.querySelector('audio').currentTime > 0 && !document.querySelector('audio').paused",
                )
                .await;
            window.press("Q").await;
            window.until("the rest", &format!("{order} === 'Gamma'")).await;
            window.escape().await;
        }
        window.close().await;
    });
}

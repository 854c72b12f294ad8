//! Appearance: themes, typography, and the user's own style sheet.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, rss, run, settled};
use gleaner_testserver::{Reply, Server};

/// The computed style of the article's first paragraph.
const SHOWN: &str = "document.querySelector('iframe').contentWindow.getComputedStyle(document.querySelector('iframe').contentDocument.querySelector('main p'))";

#[test]
fn themes_and_typography_follow_the_settings() {
    run(async {
        let scratch = Scratch::new();
        let server = Server::start().await;
        let text = "<p>How much one reads depends on how it is set, they say, and on what there is to read.</p>";
        server.on("/feed", Reply::ok(rss("Type", &[article("On type", text)])));
        scratch.import(&[("Type", server.url("/feed"))]);
        assert!(scratch.glean(&["refresh"]).status.success());

        let window = Window::open(&scratch).await;
        window.click("treeitem", "Type").await;
        window.click("option", "On type").await;
        window.reads("How much one reads").await;
        for (name, theme) in [("Sepia", "sepia"), ("High contrast", "contrast"), ("Dark", "dark"), ("Light", "light")] {
            window.press_control(',').await;
            window.find("dialog", "Settings").await;
            window.click("radio", name).await;
            window.until(name, &format!("document.documentElement.dataset.theme === '{theme}'")).await;
            window.audit(&format!("the settings, {name}")).await;
            window.escape().await;
            window
                .until(
                    "the article follows",
                    &format!(
                        "document.querySelector('iframe').contentDocument.documentElement.dataset.theme === '{theme}'"
                    ),
                )
                .await;
            window.audit(&format!("an article, {name}")).await;
            window.screenshot(&format!("theme-{theme}")).await;
        }

        window.press_control(',').await;
        window.choose("Font", "sans").await;
        window.click("button", "Article text size: increase").await;
        window.until("a sans font", &format!("{SHOWN}.fontFamily.includes('Inter')")).await;
        window.until("larger", &format!("Math.abs(parseFloat({SHOWN}.fontSize) - 19.8) < 0.1")).await;
        window.fill("Custom CSS", "p { color: rgb(1, 2, 3) }").await;
        window.until("the reader's own colour", &format!("{SHOWN}.color === 'rgb(1, 2, 3)'")).await;
        window.escape().await;
        window.screenshot("own-style").await;
        settled("the style sheet is stored", || async {
            let stored = ["library.sqlite", "library.sqlite-wal"].iter().any(|name| {
                let bytes = std::fs::read(scratch.library().join(name)).unwrap_or_default();
                bytes.windows(12).any(|part| part == b"rgb(1, 2, 3)")
            });
            if stored { Ok(()) } else { Err("not yet".to_owned()) }
        })
        .await;
        window.close().await;

        // The settings survive a restart.
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Type").await;
        window.click("option", "On type").await;
        window.reads("How much one reads").await;
        window.until("the reader's own colour", &format!("{SHOWN}.color === 'rgb(1, 2, 3)'")).await;
        window.press_control(',').await;
        window.click("button", "Reset to defaults").await;
        window
            .until(
                "the window's own",
                &format!("{SHOWN}.color !== 'rgb(1, 2, 3)' && {SHOWN}.fontFamily.includes('Serif')"),
            )
            .await;
        window.click("button", "Undo").await;
        window.until("and back", &format!("{SHOWN}.color === 'rgb(1, 2, 3)'")).await;
        window.close().await;
    });
}

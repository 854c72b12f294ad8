//! The user guide: F1 opens it, a search finds a section, Escape closes it.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, run};

#[test]
fn the_guide_opens_by_f1_and_is_searched() {
    run(async {
        let scratch = Scratch::new();
        let window = Window::open(&scratch).await;
        window.click("button", "Explore first").await;
        window.find("treeitem", "Welcome to Gleaner").await;
        window.press("\u{e031}").await;
        window.shows("Bring your feeds from another reader").await;
        window.audit("the user guide").await;
        window.screenshot("guide").await;
        // The search field has the focus.
        window.press("sleep timer").await;
        window.click("button", "Podcasts and other audio").await;
        window
            .until("the section that was found", "document.activeElement?.textContent === 'Podcasts and other audio'")
            .await;
        window.screenshot("guide-section").await;
        window.leave().await;
        window.until("no dialog", "!document.querySelector('[role=dialog]')").await;
    });
}

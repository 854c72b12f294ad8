//! About Gleaner, and the report on a crash.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, program, run};

#[test]
fn about_shows_version_and_library_and_a_crash_is_announced_once() {
    run(async {
        let scratch = Scratch::new();
        let window = Window::open(&scratch).await;
        window.click("button", "Explore first").await;
        window.find("treeitem", "Welcome to Gleaner").await;
        window.click("button", "Menu").await;
        window.find("menuitem", "About Gleaner").await;
        window.screenshot("menu").await;
        window.click("menuitem", "About Gleaner").await;
        window.shows(&format!("Version {}", env!("CARGO_PKG_VERSION"))).await;
        window.shows(scratch.library().to_str().unwrap()).await;
        assert_eq!(window.value("__e2e.all('button', 'Check for updates').length").await, 0, "the system updates it");
        window.audit("about Gleaner").await;
        window.screenshot("about").await;
        window.click("button", "Copy diagnostics").await;
        window.shows("Diagnostics copied").await;
        window.escape().await;
        window.no_dialog().await;
        window.close().await;

        let mut start = std::process::Command::new(program("GLEANER_WINDOW", "gleaner"));
        let start = start.envs(scratch.environment()).env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        let ended = start.output().unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert_eq!(ended.status.code(), Some(1), "{said}");
        assert!(said.starts_with("gleaner: there is no display") && said.lines().count() == 1, "{said}");
        assert!(!scratch.library().join("gleaner-crash.txt").exists());

        // The files of a panic, as its unit test finds them.
        std::fs::write(scratch.library().join("gleaner-crash.txt"), "a report").unwrap();
        std::fs::write(scratch.library().join("gleaner-crash.new"), "").unwrap();
        let window = Window::open(&scratch).await;
        window.shows("Gleaner had a problem last time it ran").await;
        window.find("button", "Copy diagnostics").await;
        window.screenshot("crash").await;
        let diagnostics = "window.__TAURI_INTERNALS__.invoke('diagnostics').then((text) => text.includes('a report') && text.includes('Settings: {'))";
        window.until("the report in the diagnostics", diagnostics).await;
        window.close().await;
        let window = Window::open(&scratch).await;
        window.find("treeitem", "Welcome to Gleaner").await;
        let again = "window.__TAURI_INTERNALS__.invoke('crash_reported').then((reported) => !reported)";
        window.until("no second announcement", again).await;
        window.close().await;
    });
}

//! Drives the real window through WebDriver, as a person would use it: elements are found by their accessible names, and axe audits
//! each view. Each test has its own library, home folder and browser.
//!
//! How to wait: for the state that the next step needs, never for time. Three traps:
//! - A state that held before the action shows nothing. Wait for something that only the action brings.
//! - A dialog takes the focus only after it is shown, and while it closes it still takes the keys: use [`Window::type_text`] and
//!   [`Window::escape`].
//! - A scroll goes on after the key: use [`Window::scrolled`] before reading a place.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod accessibility;
mod audit;
mod browser;
mod feeds;
mod input;
mod scratch;
mod tray;
mod views;
mod x11;
mod xsettings;

pub use accessibility::{AccessibilityTree, Node, announce_screen_reader};
pub use browser::Window;
pub use feeds::{article, opml, recording, rss};
pub use gleaner_testserver::notifications::Notifications;
pub use scratch::{Scratch, program, settled};
pub use tray::{Tray, TrayMenuItem};
pub use views::VIEWS;
pub use x11::LightWatch;
pub use xsettings::TextScaleSetting;

/// Runs a test on a runtime of its own.
pub fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(test);
}

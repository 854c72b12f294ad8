//! The real window, driven through WebDriver as a person would use it: things are found by their accessible names, and
//! each view is audited by axe. Each test has a library, a home and a browser of its own.
#![allow(clippy::unwrap_used)]

mod browser;
mod feeds;
mod heard;
mod scratch;
mod views;

pub use browser::Window;
pub use feeds::{article, opml, rss};
pub use heard::{Heard, Node, listen};
pub use scratch::{Scratch, settled};
pub use views::VIEWS;

/// Runs a test on a runtime of its own, since a test may close the window and open it again.
pub fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap().block_on(test);
}

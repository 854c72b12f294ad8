//! Checks for code that reads untrusted bytes. A check panics if a property does not hold. The fuzz targets (`targets/`)
//! search for bytes that make it panic, and `cargo test` repeats earlier findings (`tests/found.rs`).

mod article;
mod cost;
mod feed;
mod list;
mod page;

pub use article::{extract, sanitise, url};
pub use cost::{Cost, cost, measure};
pub use feed::{charset, date, json_feed, parse};
pub use list::opml;
pub use page::page;

/// A check of some bytes.
pub type Check = fn(&[u8]);

/// Every check by its name, which is also the name of its fuzz target and of its folder in `tests/fixtures/fuzz`.
pub const CHECKS: [(&str, Check); 10] = [
    ("charset", charset),
    ("cost", cost),
    ("date", date),
    ("extract", extract),
    ("json_feed", json_feed),
    ("opml", opml),
    ("page", page),
    ("parse", parse),
    ("sanitise", sanitise),
    ("url", url),
];

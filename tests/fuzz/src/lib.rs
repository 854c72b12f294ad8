//! What must hold of any bytes, one function a reader: each panics where it does not. Fuzz targets (`targets/`) look for such
//! bytes, and what they found once is tried again by every `cargo test` (`tests/found.rs`).

mod article;
mod feed;
mod list;
mod page;

pub use article::{extract, sanitise, url};
pub use feed::{charset, date, json_feed, parse};
pub use list::opml;
pub use page::page;

/// A check of some bytes.
pub type Check = fn(&[u8]);

/// Every check by its name, which is its fuzz target's and its folder's in `tests/fixtures/fuzz`.
pub const CHECKS: [(&str, Check); 9] = [
    ("charset", charset),
    ("date", date),
    ("extract", extract),
    ("json_feed", json_feed),
    ("opml", opml),
    ("page", page),
    ("parse", parse),
    ("sanitise", sanitise),
    ("url", url),
];

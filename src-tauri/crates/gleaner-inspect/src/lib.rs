//! The inspect report (a public contract): what Gleaner makes of a feed, as one JSON document. Shown by `glean inspect`
//! and the window's feed inspector. Fields are added, never renamed; absent values are `null`, absent lists `[]`.

mod fields;
mod item;
mod readable;
mod told;
mod whole;

pub use fields::{Field, fields};
pub use item::Item;
pub use readable::readable;
pub use told::{Told, ToldItem, ToldRepair, keep};
pub use whole::{Document, Encoding, Error, ErrorKind, Feed, Repair, Report};

use gleaner_feed::{NotAFeed, Parsed};

/// The report on what [`gleaner_feed::parse`] gave for a source (a file or an address, as it was named).
pub fn report(source: &str, parsed: &Result<Parsed, NotAFeed>) -> Document {
    match parsed {
        Ok(parsed) => Document::Report(Box::new(Report::new(source, parsed))),
        Err(error) => {
            let kind = match error {
                NotAFeed::Empty => ErrorKind::Empty,
                NotAFeed::TooLarge { .. } => ErrorKind::TooLarge,
                NotAFeed::Other { .. } => ErrorKind::NotAFeed,
            };
            failure(source, kind, error.to_string())
        }
    }
}

/// The report on a source that gave nothing to parse.
pub fn failure(source: &str, kind: ErrorKind, message: impl Into<String>) -> Document {
    Document::Failure { source: source.to_owned(), error: Error { kind, message: message.into() } }
}

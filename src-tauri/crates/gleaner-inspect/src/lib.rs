//! The inspect report, a public contract: how Gleaner reads a feed, as one JSON document. Shown by `glean inspect` and
//! the window's feed inspector. Fields are added, never renamed; absent values are `null`, absent lists `[]`.

mod fields;
mod item;
mod parts;
mod readable;
mod report;
mod summary;

pub use fields::{Field, fields};
pub use item::Item;
pub use readable::readable;
pub use report::{Document, Encoding, Error, ErrorKind, Feed, Repair, Report};
pub use summary::{FlatItem, FlatRepair, FlatReport, to_stored};

use gleaner_feed::{NotAFeed, Parsed};

/// Creates the report for the result of [`gleaner_feed::parse`]. `source` is the file or URL as given.
pub fn report(source: &str, parsed: &Result<Parsed, NotAFeed>) -> Document {
    match parsed {
        Ok(parsed) => Document::Report(Box::new(Report::new(source, parsed))),
        Err(error) => {
            let kind = match error {
                NotAFeed::Empty => ErrorKind::Empty,
                NotAFeed::TooLarge { .. } => ErrorKind::TooLarge,
                NotAFeed::Other { .. } | NotAFeed::Moved { .. } => ErrorKind::NotAFeed,
            };
            failure(source, kind, error.to_string())
        }
    }
}

/// Creates the report for a source that could not be read.
pub fn failure(source: &str, kind: ErrorKind, message: impl Into<String>) -> Document {
    Document::Failure { source: source.to_owned(), error: Error { kind, message: message.into() } }
}

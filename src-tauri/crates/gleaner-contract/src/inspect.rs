//! The report of the feed inspector.

use serde::Serialize;
use ts_rs::TS;

/// A field of the feed report. Its name is a path, such as `image.url` or `categories[0].term`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ReportField {
    pub name: String,
    /// `null` if the feed does not state it.
    pub value: Option<String>,
}

/// A repair of the document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ReportRepair {
    /// Code of the repair, such as "bare-ampersand".
    pub kind: String,
    pub line: u32,
    pub column: u32,
    /// Code of the detail, such as `not_closed`; empty if there is none.
    pub detail: String,
    /// Values of the detail: text of the document, or names of elements and encodings.
    pub detail_values: Vec<String>,
    /// The line of the document, or the part of a long line around the repair.
    pub text: String,
    /// Position of the repair in `text`, in characters.
    pub at: u32,
}

/// An item of the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ReportItem {
    pub title: Option<String>,
    pub fields: Vec<ReportField>,
}

/// A report on a feed's document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct FeedReport {
    /// When the document was received, in Unix milliseconds.
    pub at: i64,
    /// Format of the feed, such as "rss-2.0".
    pub format: String,
    pub encoding: String,
    /// Source of the encoding: http, bom, xml, detected or default.
    pub encoding_source: String,
    pub well_formed: bool,
    /// The first repairs.
    pub repairs: Vec<ReportRepair>,
    pub repairs_total: i64,
    pub feed: Vec<ReportField>,
    /// The first items of a document that was just downloaded. A stored report has none.
    pub items: Vec<ReportItem>,
    pub items_total: i64,
}

/// The stored report on a feed and when it posts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Inspection {
    /// `null` until a document has been received.
    pub report: Option<FeedReport>,
    /// Publication dates of the newest articles, newest first.
    pub published: Vec<i64>,
    /// Start of the first counted week.
    pub weeks_from: i64,
    /// Number of articles per week.
    pub weeks: Vec<i64>,
}

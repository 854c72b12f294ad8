use serde::Serialize;
use ts_rs::TS;

/// A field of the inspect report, by its name there: `image.url`, `categories[0].term`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ReportField {
    pub name: String,
    /// `null`: the feed says nothing of it.
    pub value: Option<String>,
}

/// One thing that had to be forgiven.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ReportRepair {
    /// In the words of the report: "bare-ampersand".
    pub kind: String,
    pub line: u32,
    pub column: u32,
    pub detail: String,
    /// The line as the document has it, or what of a long one stands around the place.
    pub text: String,
    /// So many characters of `text` stand before the place.
    pub at: u32,
}

/// An item of the report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ReportItem {
    pub title: Option<String>,
    pub fields: Vec<ReportField>,
}

/// What a feed's document says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct FeedReport {
    /// When it came.
    pub at: i64,
    /// "rss-2.0".
    pub format: String,
    pub encoding: String,
    /// http, bom, xml, detected, default.
    pub encoding_from: String,
    pub well_formed: bool,
    /// The first ones.
    pub repairs: Vec<ReportRepair>,
    pub repairs_total: i64,
    pub feed: Vec<ReportField>,
    /// Those of a document that was just fetched, the first ones; what is kept has none.
    pub items: Vec<ReportItem>,
    pub items_total: i64,
}

/// What is known of a feed's documents and of its habits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Inspection {
    /// As it was kept; `null` until a document has come.
    pub report: Option<FeedReport>,
    /// When its newest articles were published, the newest first.
    pub postings: Vec<i64>,
    /// When the first of the weeks began that are counted.
    pub weeks_from: i64,
    /// Articles a week.
    pub weeks: Vec<i64>,
}

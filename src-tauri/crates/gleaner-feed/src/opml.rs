//! Subscription lists: lenient OPML import, and export. The `opml` crate provides the model and the writer. This module repairs input that
//! the crate would reject, and preserves data that it would drop.

mod reader;
mod writer;

use crate::model::Repair;
use crate::sniff::DocumentKind;

/// A parsed subscription list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SubscriptionList {
    /// Title of the list.
    pub title: Option<String>,
    /// Repairs.
    pub repairs: Vec<Repair>,
    /// In document order.
    pub feeds: Vec<Subscription>,
    /// Paths of all folders in document order, including empty ones.
    pub folders: Vec<Vec<String>>,
    /// Outlines that are neither folder nor feed.
    pub skipped: Vec<Skipped>,
}

/// A feed of a subscription list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Subscription {
    /// URL of the feed, trimmed.
    pub url: String,
    /// Title in the list.
    pub title: Option<String>,
    /// The feed's own title, if the list contains it in addition to another one.
    pub own_title: Option<String>,
    /// URL of the site.
    pub home_url: Option<String>,
    /// Path of the folder; empty at the root.
    pub folder: Vec<String>,
    /// Unknown attributes, preserved for export: name and value, in document order.
    pub other: Vec<(String, String)>,
}

/// An outline that was skipped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// Why it was skipped.
    pub reason: SkipReason,
    /// Identifies the outline: its text, title or URL; may be empty.
    pub outline: String,
}

/// Why an outline was skipped. `Display` is for logs.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SkipReason {
    /// The URL has a scheme that can run code.
    #[error("unsafe address")]
    UnsafeUrl,
    /// A feed without a URL.
    #[error("no feed address")]
    NoUrl,
    /// An outline of a type that is not a feed or folder.
    #[error("of type {0}")]
    OtherType(String),
    /// A link to a page.
    #[error("a link, not a feed")]
    Link,
    /// An outline without any data about feeds.
    #[error("empty")]
    Empty,
}

impl SkipReason {
    /// Returns a stable snake_case code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnsafeUrl => "unsafe_url",
            Self::NoUrl => "no_url",
            Self::OtherType(_) => "other_type",
            Self::Link => "link",
            Self::Empty => "empty",
        }
    }
}

/// Why bytes are not a subscription list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotOpml {
    /// Nothing, or white space only.
    #[error("the file is empty")]
    Empty,
    /// Another kind of document.
    #[error("this is {kind}, not an OPML list")]
    Other {
        /// The kind of document.
        kind: DocumentKind,
    },
    /// The file is longer than the limit.
    #[error("the file is larger than {} MB", .limit >> 20)]
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
}

/// Parses a subscription list of any version and encoding, repairing it where necessary.
///
/// # Errors
/// [`NotOpml`] if the bytes are something else.
pub fn read(bytes: &[u8]) -> Result<SubscriptionList, NotOpml> {
    reader::read(bytes)
}

/// Why a list could not be written as XML.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the list of subscriptions could not be written: {0}")]
pub struct NotWritten(pub String);

/// Writes an OPML 2.0 document from which other feed readers and [`read`] get the same tree.
///
/// # Errors
/// [`NotWritten`] when the XML writer fails.
pub fn write(list: &SubscriptionList) -> Result<String, NotWritten> {
    writer::write(list)
}

#[cfg(test)]
mod tests;

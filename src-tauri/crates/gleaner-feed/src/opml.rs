//! Subscription lists: OPML in, however broken, and out. The `opml` crate is the model and writer; what it would refuse
//! or drop is mended or kept here.

mod reader;
mod writer;

/// A subscription list as read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SubscriptionList {
    /// The list's own title.
    pub title: Option<String>,
    /// What had to be forgiven, in words.
    pub repairs: Vec<String>,
    /// In document order.
    pub feeds: Vec<Subscription>,
    /// Folders in document order, empty ones too, each by its path.
    pub folders: Vec<Vec<String>>,
    /// Outlines that are neither folder nor feed, and why.
    pub skipped: Vec<Skipped>,
}

/// One feed of a subscription list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Subscription {
    /// The feed's address, trimmed.
    pub url: String,
    /// What the list calls it.
    pub title: Option<String>,
    /// The site's address.
    pub home_url: Option<String>,
    /// The folder's path from the root; empty at the root.
    pub folder: Vec<String>,
    /// Attributes that we do not know, kept for the way out: name and value, in document order.
    pub other: Vec<(String, String)>,
}

/// An outline that brings nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Skipped {
    /// Why, in words.
    pub reason: String,
    /// The outline as a person would recognise it: its text, title or the start of its source.
    pub outline: String,
}

/// Why bytes are not a subscription list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotOpml {
    /// Nothing, or white space only.
    #[error("the file is empty")]
    Empty,
    /// Something else.
    #[error("this is {what}, not an OPML list")]
    Other {
        /// Names it for a person, such as "a web page" or "an RSS feed".
        what: String,
    },
    /// Past the limit on size.
    #[error("the file is too large: {limit}")]
    TooLarge {
        /// The limit, in words.
        limit: String,
    },
}

/// Reads a subscription list of any version, encoding and state of repair.
///
/// # Errors
/// [`NotOpml`] when the bytes are something else.
pub fn read(bytes: &[u8]) -> Result<SubscriptionList, NotOpml> {
    reader::read(bytes)
}

/// Writes an OPML 2.0 document that other readers and [`read`] read back to the same tree.
pub fn write(list: &SubscriptionList) -> String {
    writer::write(list)
}

#[cfg(test)]
mod tests;

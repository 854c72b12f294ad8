//! Links that are opened in the browser.

use serde::Deserialize;
use ts_rs::TS;

/// The links of the open article whose text, letters or user name may deceive. They are opened only after a confirmation.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct SetSuspiciousLinks {
    pub addresses: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct OpenSuspiciousLink {
    /// One of the addresses given to `set_suspicious_links`.
    pub address: String,
}

/// A link of the article's page, chosen in the window's own menu.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct OpenLink {
    pub address: String,
    /// Whether the window keeps the focus, if the system allows it.
    pub behind: bool,
}

/// Opens the site's result for a text in the browser.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct SearchSite {
    pub feed_id: i64,
    /// At most 1,000 characters.
    pub text: String,
}

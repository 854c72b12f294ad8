//! The state that all polls of a refresh share.

use super::Poller;
use crate::{report::Captured, rules::Rules};
use gleaner_library::{Access, LibraryError};
use std::collections::HashMap;

/// Data that is read once per refresh.
pub(crate) struct Round {
    pub(super) accesses: HashMap<i64, Access>,
    pub(super) rules: Rules,
    pub(super) by_hand: bool,
    /// Whether the user named one feed, and is to be informed why it cannot be requested.
    pub(super) named: bool,
    /// Where to put the whole document for the inspector; then validators are not sent.
    pub(super) captured: Option<Captured>,
}

impl Poller {
    /// Reads the data that a refresh needs from the library.
    pub(crate) async fn round(&self, by_hand: bool, captured: Option<Captured>) -> Result<Round, LibraryError> {
        let accesses = self.library.connections().list().await?;
        Ok(Round { accesses, rules: self.rules().await?, by_hand, named: false, captured })
    }
}

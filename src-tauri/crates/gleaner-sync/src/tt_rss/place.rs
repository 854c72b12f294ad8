//! Pages by offset that overlap, to notice articles that moved between them.

use super::PAGE;
use serde::{Deserialize, Serialize};

/// Where the next page begins.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Place {
    /// Number of articles before it.
    pub(super) skip: usize,
    /// The first article of the page, which was the last one of the page before.
    pub(super) anchor: Option<u64>,
}

impl Place {
    /// Moves on after a page. Returns whether it follows on from the one before.
    /// `all`: number of its articles, with those that can't be read.
    pub(super) fn advance(&mut self, page: &[u64], all: usize) -> bool {
        let joined = self.anchor.is_none_or(|anchor| page.contains(&anchor));
        if joined && page.len() < all {
            // It is unknown whether the last one is among these.
            (self.skip, self.anchor) = (self.skip + all, None);
        } else if joined {
            self.skip += all.saturating_sub(1);
            self.anchor = page.last().copied();
        } else {
            // Articles before it were deleted, so that others moved to a page that was already read: it is read again.
            (self.skip, self.anchor) = (self.skip.saturating_sub(PAGE), None);
        }
        joined
    }
}

/// Returns the place of the articles below those that were read.
pub(super) fn below(read: &Place) -> Place {
    Place { skip: read.skip.saturating_sub(1), anchor: read.anchor }
}

//! The first reading of all articles of a server that pages by id: the newest ones, then older ones that are unread or starred.

use serde::{Deserialize, Serialize};

/// The articles that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Part {
    /// All of them.
    Newest,
    /// The unread ones.
    Unread,
    /// Those with a star.
    Starred,
}

/// The progress of the first reading. Ids only grow, so no article moves from one page to another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FirstRead {
    /// What is read.
    pub part: Part,
    /// Articles with this id and greater ones were read.
    pub below: Option<u64>,
    /// The lowest id of the newest articles; `None` if there are none.
    floor: Option<u64>,
    /// Number of the newest articles that are still to be read.
    left: usize,
}

impl FirstRead {
    /// Begins with the newest articles, this many.
    pub fn new(newest: usize) -> Self {
        let part = if newest > 0 { Part::Newest } else { Part::Unread };
        Self { part, below: None, floor: None, left: newest }
    }

    /// Returns the size of the next page, at most `most`.
    pub fn size(&self, most: usize) -> usize {
        if self.part == Part::Newest { most.min(self.left) } else { most }
    }

    /// Returns the id below which read articles were not downloaded; without newest articles none of them was.
    pub fn floor(&self, newest: usize) -> u64 {
        if newest == 0 { u64::MAX } else { self.floor.unwrap_or(0) }
    }

    /// Moves on after a page with these ids. Returns whether there is more to read. A page without lower ids is the end of a part: a server may
    /// give less than was requested.
    #[must_use]
    pub fn advance(&mut self, ids: impl Iterator<Item = u64>) -> bool {
        let ids: Vec<u64> = ids.filter(|id| self.below.is_none_or(|below| *id < below)).collect();
        if let Some(lowest) = ids.iter().min() {
            self.below = Some(*lowest);
        }
        match self.part {
            Part::Newest => {
                self.floor = self.below;
                self.left = self.left.saturating_sub(ids.len());
                if self.left == 0 {
                    self.part = Part::Unread;
                }
                // An empty page: there are no older articles.
                !ids.is_empty()
            }
            Part::Unread => {
                if ids.is_empty() {
                    (self.part, self.below) = (Part::Starred, self.floor);
                }
                true
            }
            Part::Starred => !ids.is_empty(),
        }
    }
}

/// Returns the greatest of the ids that are still to be read, and the size of the page that begins with it. APIs that have no request for
/// several articles return them on pages of all articles. `None` at the end.
pub(crate) fn scan(left: &mut [u64], most: usize) -> Option<(u64, usize)> {
    left.sort_unstable();
    let (lowest, top) = (left.first().copied()?, left.last().copied()?);
    let span = usize::try_from(top - lowest).unwrap_or(usize::MAX);
    // If most of a page would be other articles, each is read alone.
    let is_dense = span <= left.len().saturating_mul(4);
    Some((top, if is_dense { (span + 1).min(most) } else { 1 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_newest_and_below_them_what_is_marked() {
        let mut read = FirstRead::new(5);
        assert_eq!((read.size(3), read.advance([9, 8, 7].into_iter())), (3, true));
        assert_eq!((read.size(3), read.advance([6, 5].into_iter())), (2, true));
        assert_eq!((read.part, read.below), (Part::Unread, Some(5)));
        assert!(read.advance([3].into_iter()) && read.below == Some(3));
        assert!(read.advance([].into_iter()));
        assert_eq!((read.part, read.below), (Part::Starred, Some(5)));
        assert!(
            read.advance([5, 4, 1].into_iter()) && !read.advance([1].into_iter()),
            "a server may repeat the last one"
        );
        let mut read = FirstRead::new(5);
        assert!(read.advance([2, 1].into_iter()) && !read.advance([].into_iter()), "there are no more");
        assert_eq!(FirstRead::new(0).part, Part::Unread);
    }

    #[test]
    fn reads_pages_where_ids_are_dense() {
        assert_eq!(scan(&mut [7, 9, 8], 100), Some((9, 3)));
        assert_eq!(scan(&mut [7, 9, 8], 2), Some((9, 2)));
        assert_eq!(scan(&mut [7, 9_000], 100), Some((9_000, 1)));
        assert_eq!(scan(&mut [], 100), None);
    }
}

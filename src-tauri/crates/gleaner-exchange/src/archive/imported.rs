//! The result of importing an archive, and the problems in it.

use super::{Problem, listed::ListedFeed};
use gleaner_library::{
    GainedMarks,
    archive::{HeadCounts, ItemCounts},
};

/// Number of problems that are listed one by one.
const MAX_LISTED: usize = 50;

/// Something in an archive that could not be imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Skipped {
    /// The file within the archive.
    pub file: String,
    /// Number of the line, from 1; `None` for the whole file.
    pub line: Option<u64>,
    /// The kind of problem.
    pub why: Problem,
}

/// Result of importing an archive, or of checking it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Imported {
    /// When the archive was written, RFC 3339.
    pub made_at: String,
    /// Counts of feeds, folders, rules and searches.
    pub head: HeadCounts,
    /// Number of feeds in the archive.
    pub feeds: u64,
    /// Number of folders in the archive, if it was only checked.
    pub folders: u64,
    /// The first feeds, if the archive was only checked.
    pub listed: Vec<ListedFeed>,
    /// Counts of articles.
    pub articles: ItemCounts,
    /// Number of articles that received marks from the archive. If it was only checked, this and the numbers of tags, versions and images
    /// are those in the archive.
    pub marked: u64,
    /// The marks of articles that the library had, and the tags that were created.
    pub gained: GainedMarks,
    /// Number of tags set.
    pub tagged: u64,
    /// Number of earlier versions.
    pub versions: u64,
    /// Number of images.
    pub images: u64,
    /// The first problems.
    pub problems: Vec<Skipped>,
    /// Number of all problems.
    pub problems_total: u64,
    /// Whether it was cancelled; the data imported before stays.
    pub cancelled: bool,
}

impl Imported {
    /// Records a problem. The first ones are listed, all are counted.
    pub(super) fn add_problem(&mut self, file: &str, line: Option<u64>, why: Problem) {
        self.problems_total += 1;
        if self.problems.len() < MAX_LISTED {
            self.problems.push(Skipped { file: file.to_owned(), line, why });
        }
    }
}

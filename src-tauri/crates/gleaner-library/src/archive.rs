//! All that a library holds, out of it record by record and into another: what an archive is made of (gleaner-exchange), for which
//! docs/archive.md says what each file is. Reading is one snapshot, so that a refresh beside it shows in no part of it. Taking in
//! merges: what is there stays as it is, what is marked in either is marked, and taking the same in again changes nothing.

mod give;
mod records;
mod take;

pub use give::Snapshot;
pub use records::{
    FeedRecord, FolderRecord, FullTextRecord, ImageRecord, ItemRecord, NoteRecord, OpenedRecord, PictureRecord,
    PlaybackRecord, ProgressRecord, Record, RetentionRecord, RuleRecord, SavedSearchRecord, StateRecord, SynonymRecord,
    TagRecord, TaggedRecord, TombstoneRecord, TouchRecord, VersionRecord,
};
pub use take::{Arrival, Head, HeadCounts, ItemCounts};

/// Settings that are a library's own, and no wishes of the reader's.
const OWN_SETTINGS: [&str; 4] = ["library_id", "packed_up_to", "search_drift", "ahead_seen"];

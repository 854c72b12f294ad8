//! Exporting a library record by record, and importing it into another one: the content of an archive (gleaner-exchange). docs/archive.md
//! describes its files. An export reads one snapshot. An import merges: existing data stays as it is, the marks of both sides are combined,
//! and importing the same archive again changes nothing.

use crate::{database::repository, former_feeds};
mod export;
mod import;
mod records;

pub use export::Snapshot;
pub use import::{ArchiveImport, ArchiveLookup, Head, HeadCounts, ItemCounts};
pub use records::{
    FeedRecord, FolderRecord, FullTextRecord, ImageRecord, ItemImageRecord, ItemRecord, NoteRecord, PlayQueueRecord,
    PlaybackRecord, ProgressRecord, ReadingStatsRecord, Record, RetentionRecord, RuleRecord, SavedSearchRecord,
    StateRecord, SynonymRecord, TagRecord, TaggedRecord, TombstoneRecord, TouchRecord, TranscriptRecord, VersionRecord,
};

/// Settings that belong to the library itself and are not exported.
const OWN_SETTINGS: [&str; 7] =
    ["library_id", "packed_up_to", "search_drift", "ahead_seen", WINDOW_STATE, LAST_VERSION, former_feeds::SETTING];

/// Key of the setting that contains what the window showed last.
pub const WINDOW_STATE: &str = "window_state";

/// Key of the setting that contains the version of the window that opened the library last.
pub const LAST_VERSION: &str = "last_version";

repository!(
    /// Exports a library as an archive, and imports archives.
    Archive
);

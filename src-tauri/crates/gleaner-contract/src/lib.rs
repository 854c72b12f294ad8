//! What crosses between the core and the window: the types, and the one list of commands and events. The window's
//! TypeScript (`ui/src/lib/ipc/generated.ts`) is made from here; a test says when it is stale:
//! `cargo run -p gleaner-contract` writes it anew.

// Plain records: where a field's name says all, it stands without a sentence.
#![allow(missing_docs)]

mod access;
mod article;
mod backfill;
mod backups;
mod error;
mod import;
mod library;
mod list;
mod record;
mod search;
mod settings;
mod subscribe;
mod typescript;

pub use access::{
    AcceptCertificate, Certificate, CertificateFault, FeedAccess, Header, Login, LoginKind, Reach, Secret, SecretPlace,
    SetAccess,
};
pub use article::{Article, ArticlePage, ArticleRow, Cursor, Elsewhere, Enclosure, ListQuery, OpenArticle, Source};
pub use backfill::{BackfillEnd, BackfillProgress, StartBackfill};
pub use backups::{Backup, BackupOccasion, Backups, LostPart, Renewed, RestoreBackup};
pub use error::{ErrorCode, IpcError};
pub use import::{ImportPhase, ImportProgress, ImportSummary, ImportTrouble};
pub use library::{
    Counts, CreateFolder, Feed, FeedUnread, Folder, FolderId, LibraryChanged, Mark, MarkAll, MarkScope, Marked,
    MoveFeed, MoveFolder, Overview, RefreshProgress, RefreshScope, RenameFeed, RenameFolder, SetFolderOpen,
    SmartCounts, Trouble, UndoStep, Unsubscribe,
};
pub use list::{COMMANDS, EVENTS};
pub use record::{
    ChangeFeedAddress, FeedId, FeedRecord, MergeFeeds, PollLine, PollReason, PollWishes, Remedy, SetRefreshInterval,
    Traffic,
};
pub use search::{Search, SearchAnswer, SearchHit, SearchOrder, TextRange};
pub use settings::{Settings, Theme};
pub use subscribe::{
    Candidate, CandidateItem, Discover, Discovered, FolderChoice, StarterFeed, StarterSubject, Subscribe,
    SubscribeMany, Subscribed,
};
pub use typescript::typescript;

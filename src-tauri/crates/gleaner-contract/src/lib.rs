//! What crosses between the core and the window: the types, and the one list of commands and events. The window's
//! TypeScript (`ui/src/lib/ipc/generated.ts`) is made from here; a test says when it is stale:
//! `cargo run -p gleaner-contract` writes it anew.

// Plain records: where a field's name says all, it stands without a sentence.
#![allow(missing_docs)]

mod access;
mod ahead;
mod article;
mod backfill;
mod backups;
mod beside;
mod collections;
mod error;
mod import;
mod inspect;
mod keeping;
mod library;
mod list;
mod notes;
mod preferences;
mod record;
mod rules;
mod search;
mod settings;
mod statistics;
mod subscribe;
mod typescript;

pub use access::{
    AcceptCertificate, Certificate, CertificateFault, FeedAccess, Header, Login, LoginKind, Reach, Secret, SecretPlace,
    SetAccess,
};
pub use ahead::{AheadProgress, AheadSettings, AheadState, AheadWish, KeptPicture, ShowText};
pub use article::{
    Article, ArticlePage, ArticleRow, Articles, Cursor, DoubtLinks, Elsewhere, Enclosure, Grouping, ListOrder,
    ListQuery, OpenArticle, OpenDoubted, Source, View,
};
pub use backfill::{BackfillEnd, BackfillProgress, StartBackfill};
pub use backups::{Backup, BackupOccasion, Backups, LostPart, Renewed, RestoreBackup};
pub use beside::{Chapter, Comment, Comments, Credit, FeedHead, FeedImage, FullTextWhen, SearchSite, TextInput};
pub use collections::{
    Categories, ChangeSearch, Collections, DeleteSearch, DeleteTag, Facet, KeepPlayback, KeepProgress, LanguageView,
    MoveSearch, Playback, RenameTag, SaveSearch, SavedSearch, SearchId, SetSynonym, Synonym, Tag, TagArticles,
};
pub use error::{ErrorCode, IpcError};
pub use import::{
    ArchiveCounts, DocumentForm, ExportProgress, Exported, ImportPhase, ImportProgress, ImportSummary, ImportTrouble,
    SaveArticles, SavedDocument,
};
pub use inspect::{FeedReport, Inspection, ReportField, ReportItem, ReportRepair};
pub use keeping::{ArticleGoing, CompareVersions, Comparison, FeedGoing, Keep, KeepPreview, Keeping, SetKeep};
pub use library::{
    Arrange, Counts, CreateFolder, Feed, FeedUnread, Folder, FolderId, LibraryChanged, Mark, MarkAll, MarkScope,
    Marked, Overview, RefreshProgress, RefreshScope, RenameFeed, RenameFolder, SetFolderOpen, SmartCounts, Trouble,
    UndoStep, Unsubscribe,
};
pub use list::{COMMANDS, EVENTS};
pub use notes::{AddNote, AddedNote, ChangeNote, Note, NoteColor, NoteId, NotesOf, Quote};
pub use preferences::{FeedScope, Preferences, PreferencesFrom, PreferencesSaid, SetPreferences};
pub use record::{
    ChangeFeedAddress, FeedId, FeedRecord, MergeFeeds, PollLine, PollReason, PollWishes, Remedy, Traffic,
};
pub use rules::{
    ApplyProgress, BrokenRule, EnableRule, Notice, OrderRules, PreviewRule, Rule, RuleAction, RuleChange, RuleId,
    RulePreview, RuleScope, RuleTouch, SaveRule, SavedRule,
};
pub use search::{
    QueryField, QueryMedia, QueryProblem, QueryState, Search, SearchAnswer, SearchHit, SearchOrder, TextRange,
};
pub use settings::{ArticleFont, ArticleLook, KeyPreset, Language, ListLayout, Settings, Theme};
pub use statistics::{AskStatistics, FeedStatistics, OpenedHour, Statistics};
pub use subscribe::{
    Candidate, CandidateItem, Discover, Discovered, FolderChoice, StarterFeed, StarterSubject, Subscribe,
    SubscribeMany, Subscribed,
};
pub use typescript::typescript;

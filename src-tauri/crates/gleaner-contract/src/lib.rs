//! The contract between the core and the window: request and response types, and the one declaration of commands and
//! events (`commands.rs`). `cargo run -p gleaner-contract` generates the window's TypeScript
//! (`ui/src/lib/ipc/generated.ts`); a test fails when it is stale.

// Fields with a self-explanatory name have no doc comment.
#![allow(missing_docs)]

mod accounts;
mod articles;
mod backfill;
mod backups;
mod categories;
mod collections;
mod commands;
mod connection;
mod declared;
mod desktop;
mod discovery;
mod episodes;
mod error;
mod feed_info;
mod import;
mod inspect;
mod library;
mod links;
mod lists;
mod metadata;
mod notes;
mod offline;
mod play_queue;
mod preferences;
mod retention;
mod rules;
mod search;
mod settings;
mod sharing;
mod statistics;
mod subscriptions;
mod tags;
mod typescript;

pub use accounts::{
    AddServerAccount, AddedServerAccount, AppKeys, MarkCause, MarkChange, MarkHistory, MarkName, MoveToAccount,
    RemoveServerAccount, RenameServerAccount, ServerAccount, ServerAccountId, ServerOnlyFeed, ServerOnlyFeedId,
    ServerSynced, SetServerLogin, SetServerOptions, SyncLogEntry, SyncProgress, SyncRejection, SyncRejectionKind,
    SyncStage,
};
pub use articles::{
    Article, ArticleId, ArticleImage, ArticleWindow, CompareVersions, Comparison, DuplicateArticle, Enclosure,
    FetchFullText, FindWords, Playback, SavePlayback, SaveReadingProgress, WindowPoint,
};
pub use backfill::{BackfillOutcome, BackfillProgress, StartBackfill};
pub use backups::{Backup, BackupOccasion, Backups, LostPart, RestoreBackup, RestoredLibrary};
pub use categories::{Categories, Facet, SetSynonym, Synonym};
pub use collections::{
    ChangeSearch, Collections, DeleteSearch, LanguageView, MoveSearch, SaveSearch, SavedSearch, SearchId,
};
pub use connection::{
    AcceptCertificate, Certificate, CertificateFault, Connection, FeedConnection, Header, Login, LoginKind, Secret,
    SecretStore, SetConnection,
};
pub use declared::{COMMANDS, Command, EVENTS, Event, EventType};
pub use desktop::{
    About, AnswerClose, CloseAnswer, DesktopState, FindUpdate, LoginStart, OnClose, SetLoginStart, ShowFolder,
    ShownFolder, UpdateProgress,
};
pub use discovery::{Candidate, CandidateItem, Discover, Discovered};
pub use episodes::{EpisodeDownload, EpisodeFiles, EpisodeProgress, EpisodeSettings, EpisodeState};
pub use error::{ErrorCode, IpcError};
pub use feed_info::{
    ChangeFeedAddress, FeedId, FeedInfo, FeedSuggestion, MergeFeeds, PollLogEntry, PollReason, RequestedIntervals,
    Traffic,
};
pub use import::{
    ArchiveCounts, Bookmark, Browser, DocumentFormat, ExportProgress, ExportSummary, ImportPhase, ImportPreview,
    ImportProgress, ImportSummary, ImportUndone, InstalledReader, PreviewFeed, SaveArticles, SavedDocument, SkipReason,
    SkippedOutline,
};
pub use inspect::{FeedReport, Inspection, ReportField, ReportItem, ReportRepair};
pub use library::{
    Arrange, Counts, CreateFolder, Feed, FeedError, FeedPlayback, FeedUnread, Folder, FolderAccount, FolderId,
    LibraryChanged, Overview, RefreshProgress, RefreshScope, RenameFeed, RenameFolder, SetFeedPlayback, SetFolderOpen,
    SmartCounts, UndoStep, Undone, Unsubscribe, Unsubscribed,
};
pub use links::{OpenLink, OpenSuspiciousLink, SearchSite, SetSuspiciousLinks};
pub use lists::{
    ArticleIds, ArticlePage, ArticleRow, Cursor, Grouping, ListOrder, ListQuery, Mark, MarkAll, MarkScope, Marked,
    Played, RequestedList, Source, View,
};
pub use metadata::{
    Chapter, Comment, Comments, Credit, FeedHeader, FeedImage, Participant, Passage, TextInput, Transcript,
};
pub use notes::{AddNote, AddedNote, ChangeNote, Note, NoteColor, NoteId, NotesForArticles, Quote};
pub use offline::{
    DownloadsWait, FullTextWhen, OfflineContent, OfflineImage, OfflineProgress, OfflineSettings, OfflineState, ShowText,
};
pub use play_queue::{AddToPlayQueue, MoveInPlayQueue, QueuedEpisode, RemoveFromPlayQueue};
pub use preferences::{FeedScope, PreferenceSources, Preferences, ScopedPreferences, SetPreferences};
pub use retention::{ExpiringArticle, ExpiringFeed, Retention, RetentionPolicy, RetentionPreview, SetRetention};
pub use rules::{
    AppliedRule, ApplyProgress, EnableRule, OrderRules, PreviewRule, Rule, RuleAction, RuleChange, RuleError, RuleId,
    RulePreview, RuleScope, SaveRule, SavedRule,
};
pub use search::{
    QueryField, QueryMedia, QueryProblem, QueryState, Search, SearchHit, SearchOrder, SearchResult, TextRange,
};
pub use settings::{
    Arrangement, ArticleFont, ColumnWidths, Density, KeyPreset, Language, ListColumn, ListLayout, PlayerItem,
    QuietHours, Settings, SidebarSections, Theme, Typography, WindowState,
};
pub use sharing::{
    AddShareService, RenameShareService, SetShareLogin, ShareArticles, ShareKind, ShareService, ShareServiceId, Shared,
};
pub use statistics::{FeedStatistics, ReadingHour, Statistics, StatisticsQuery};
pub use subscriptions::{FolderChoice, StarterFeed, StarterSubject, Subscribe, SubscribeMany, Subscribed};
pub use tags::{DeleteTag, RenameTag, Tag, TagArticles};
pub use typescript::typescript;

//! The one list of commands and events.

use crate::*;
use ts_rs::{Config, TS};

/// A command: its name, and the TypeScript names of what it takes and gives.
pub struct Command {
    /// As the shell registers it.
    pub name: &'static str,
    pub(crate) args: fn(&Config) -> String,
    pub(crate) result: fn(&Config) -> String,
}

/// An event: its name, and the TypeScript name of what it carries.
pub struct Event {
    /// As the shell emits it.
    pub name: &'static str,
    pub(crate) payload: fn(&Config) -> String,
}

const fn command<A: TS, R: TS>(name: &'static str) -> Command {
    Command { name, args: A::name, result: R::name }
}

const fn event<P: TS>(name: &'static str) -> Event {
    Event { name, payload: P::name }
}

/// Every command of the shell. One that takes nothing takes `()`.
pub const COMMANDS: &[Command] = &[
    // The library
    command::<(), Overview>("overview"),
    command::<(), Counts>("counts"),
    command::<(), ()>("leave_welcome"),
    // Reading
    command::<ListQuery, ArticlePage>("articles"),
    command::<Search, SearchAnswer>("search"),
    // The article; it does not mark it read.
    command::<OpenArticle, Article>("open_article"),
    // Opens the article's own address in the system's browser.
    command::<OpenArticle, ()>("open_in_browser"),
    command::<Mark, Marked>("mark"),
    command::<MarkAll, Marked>("mark_all_read"),
    // Undoes a mark, an unsubscription, the deletion of a folder, a change of address or access, a merge, the keeping of a silent feed.
    command::<UndoStep, ()>("undo"),
    // Subscribing
    command::<Discover, Discovered>("discover"),
    command::<(), ()>("cancel_discover"),
    // Opens the system's file dialog, and reads the file as a feed; null when the user chose none.
    command::<(), Option<Candidate>>("pick_feed_file"),
    command::<Subscribe, Subscribed>("subscribe"),
    command::<(), Vec<StarterSubject>>("starter_feeds"),
    command::<SubscribeMany, Vec<Subscribed>>("subscribe_many"),
    // Tending
    command::<RenameFeed, ()>("rename_feed"),
    command::<MoveFeed, ()>("move_feed"),
    command::<Unsubscribe, UndoStep>("unsubscribe"),
    command::<CreateFolder, FolderId>("create_folder"),
    command::<RenameFolder, ()>("rename_folder"),
    command::<MoveFolder, ()>("move_folder"),
    command::<SetFolderOpen, ()>("set_folder_open"),
    // Deletes the folder; what is in it moves one level up.
    command::<FolderId, UndoStep>("delete_folder"),
    // Refreshing
    command::<RefreshScope, ()>("refresh"),
    command::<(), ()>("cancel_refresh"),
    command::<FeedId, FeedRecord>("feed_record"),
    command::<(), Traffic>("traffic"),
    command::<SetRefreshInterval, ()>("set_refresh_interval"),
    command::<ChangeFeedAddress, UndoStep>("change_feed_address"),
    command::<MergeFeeds, UndoStep>("merge_feeds"),
    // How a feed is reached
    command::<FeedId, FeedAccess>("feed_access"),
    command::<SetAccess, UndoStep>("set_access"),
    // Asks the feed's server for its certificate; null where it is good.
    command::<FeedId, Option<Certificate>>("feed_certificate"),
    command::<AcceptCertificate, UndoStep>("accept_certificate"),
    // Its history
    command::<StartBackfill, ()>("backfill"),
    command::<FeedId, ()>("cancel_backfill"),
    // Looks for another feed of its site: what is found comes as the remedy "switch"; none is the error `no_feed`.
    command::<FeedId, ()>("look_for_feed"),
    // Its silence is not mentioned again until it has posted and fallen silent anew.
    command::<FeedId, UndoStep>("keep_silent_feed"),
    // OPML. Both open the system's file dialog; true when the user chose a file.
    command::<(), bool>("import_opml"),
    command::<(), ()>("cancel_import"),
    // The path that was written; null when the user chose none.
    command::<(), Option<String>>("export_opml"),
    // Backups
    command::<(), Backups>("backups"),
    command::<(), Backup>("back_up"),
    // What was there is set aside. Both fail with `busy` while another program has the library open.
    command::<RestoreBackup, Renewed>("restore_backup"),
    // Makes a new library of what can be read of the damaged one, and of the newest backup.
    command::<(), Renewed>("recover_library"),
    // Shows the library's folder in the system's file manager.
    command::<(), ()>("show_library_folder"),
    // Settings
    command::<(), Settings>("settings"),
    command::<Settings, ()>("save_settings"),
];

/// Every event of the shell.
pub const EVENTS: &[Event] = &[
    event::<LibraryChanged>("library_changed"),
    event::<RefreshProgress>("refresh_progress"),
    event::<BackfillProgress>("backfill_progress"),
    // The search index follows what comes in: articles that it has still to take in.
    event::<i64>("index_progress"),
    event::<ImportProgress>("import_progress"),
    event::<ImportSummary>("import_finished"),
    // Files are held over the window, or were let go or taken away.
    event::<bool>("files_over"),
    // A link of an article that may not be opened; its address.
    event::<String>("link_refused"),
];

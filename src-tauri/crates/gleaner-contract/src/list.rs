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
    // The window listens by now: it hears what changed before that, and what goes on beside it and what the command line asked for begin.
    // How far a refresh is.
    command::<(), Option<RefreshProgress>>("hear"),
    // The library
    command::<(), Overview>("overview"),
    command::<(), Counts>("counts"),
    command::<(), ()>("leave_welcome"),
    // Reading
    command::<ListQuery, ArticlePage>("articles"),
    // How lists are looked at, where that is not as usual.
    command::<(), Vec<View>>("views"),
    command::<View, ()>("save_view"),
    // The addresses of those that name one, in their order.
    command::<Articles, Vec<String>>("article_addresses"),
    command::<Search, SearchAnswer>("search"),
    // The article; it does not mark it read. That an unread one was opened is counted.
    command::<OpenArticle, Article>("open_article"),
    // Two versions of the article as one.
    command::<CompareVersions, Comparison>("compare_versions"),
    // Opens the article's own address in the system's browser.
    command::<OpenArticle, ()>("open_in_browser"),
    // Fetches them: from the feed of comments that the article names, and the chapters from the feed's own text or the document that it names.
    command::<OpenArticle, Comments>("comments"),
    command::<OpenArticle, Vec<Chapter>>("chapters"),
    command::<(), ()>("cancel_comments"),
    command::<FeedId, FeedHead>("feed_head"),
    command::<SearchSite, ()>("search_site"),
    // The same, and the window keeps the focus where the system lets it.
    command::<OpenArticle, ()>("open_in_background"),
    // The article as a Markdown document.
    command::<OpenArticle, String>("article_markdown"),
    command::<DoubtLinks, ()>("doubt_links"),
    command::<OpenDoubted, ()>("open_doubted"),
    command::<Mark, Marked>("mark"),
    command::<MarkAll, Marked>("mark_all_read"),
    // Where it was left; `open_article` gives it back.
    command::<KeepProgress, ()>("keep_progress"),
    command::<KeepPlayback, ()>("keep_playback"),
    // The reader's order
    command::<(), Collections>("collections"),
    command::<SaveSearch, SearchId>("save_search"),
    command::<ChangeSearch, UndoStep>("change_saved_search"),
    command::<MoveSearch, ()>("move_saved_search"),
    command::<DeleteSearch, UndoStep>("delete_saved_search"),
    command::<TagArticles, Marked>("tag"),
    command::<RenameTag, UndoStep>("rename_tag"),
    command::<DeleteTag, UndoStep>("delete_tag"),
    command::<(), Categories>("categories"),
    command::<SetSynonym, UndoStep>("set_category_synonym"),
    // What the reader marks in an article and writes about it, those on the whole of it first, then in the order of the text.
    command::<OpenArticle, Vec<Note>>("notes"),
    command::<AddNote, AddedNote>("add_note"),
    command::<ChangeNote, UndoStep>("change_note"),
    command::<NoteId, UndoStep>("delete_note"),
    // As Markdown, for copying.
    command::<NotesOf, String>("notes_markdown"),
    // How many articles of a feed have notes, which go with it.
    command::<FeedId, i64>("noted_in_feed"),
    // Undoes a mark, a tag, a note, what became of a saved search or a synonym, an unsubscription, the deletion of a folder, a new order
    // of feeds and folders, a change of address or access, a merge, the keeping of a silent feed, what was done with a rule, a bound on what is kept.
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
    command::<Arrange, UndoStep>("arrange"),
    command::<Unsubscribe, UndoStep>("unsubscribe"),
    command::<CreateFolder, FolderId>("create_folder"),
    command::<RenameFolder, ()>("rename_folder"),
    command::<SetFolderOpen, ()>("set_folder_open"),
    // Deletes the folder; what is in it moves one level up.
    command::<FolderId, UndoStep>("delete_folder"),
    // Refreshing
    command::<RefreshScope, ()>("refresh"),
    command::<(), ()>("cancel_refresh"),
    command::<FeedId, FeedRecord>("feed_record"),
    // What its documents say, as far as that is kept, and when it posts.
    command::<FeedId, Inspection>("inspection"),
    // Asks it as by hand for its whole document, and tells all of that; null where it was not asked, or no feed came.
    command::<FeedId, Option<FeedReport>>("inspect_feed"),
    command::<(), Traffic>("traffic"),
    // What is wished of a feed, of the feeds in a folder, or of all. Of all, what the settings hold is not said here.
    command::<FeedScope, PreferencesSaid>("preferences"),
    command::<SetPreferences, ()>("set_preferences"),
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
    // What is fetched ahead
    command::<(), AheadState>("ahead"),
    command::<AheadSettings, ()>("save_ahead"),
    command::<(), ()>("run_ahead"),
    command::<(), ()>("cancel_ahead"),
    // Fetches the article's full text, and gives the article with it.
    command::<OpenArticle, Article>("fetch_full_text"),
    command::<(), ()>("cancel_full_text"),
    // The article with the one or the other of its texts, as they are there.
    command::<ShowText, Article>("show_text"),
    // Looks for another feed of its site: what is found comes as the remedy "switch"; none is the error `no_feed`.
    command::<FeedId, ()>("look_for_feed"),
    // Its silence is not mentioned again until it has posted and fallen silent anew.
    command::<FeedId, UndoStep>("keep_silent_feed"),
    // OPML. Both open the system's file dialog; true when the user chose a file.
    command::<(), bool>("import_opml"),
    command::<(), ()>("cancel_import"),
    // The path that was written; null when the user chose none.
    command::<(), Option<String>>("export_opml"),
    // Everything, as one archive; and articles as documents. Both open the system's file dialog; null when the user chose no file.
    command::<(), Option<Exported>>("export_everything"),
    command::<SaveArticles, Option<SavedDocument>>("save_articles"),
    command::<(), ()>("cancel_export"),
    // Backups
    command::<(), Backups>("backups"),
    command::<(), Backup>("back_up"),
    // What was there is set aside. Both fail with `busy` while another program has the library open.
    command::<RestoreBackup, Renewed>("restore_backup"),
    // Makes a new library of what can be read of the damaged one, and of the newest backup.
    command::<(), Renewed>("recover_library"),
    // Shows the library's folder in the system's file manager.
    command::<(), ()>("show_library_folder"),
    // Rules
    command::<(), Vec<Rule>>("rules"),
    command::<SaveRule, SavedRule>("save_rule"),
    command::<EnableRule, UndoStep>("enable_rule"),
    command::<OrderRules, UndoStep>("order_rules"),
    command::<RuleId, UndoStep>("delete_rule"),
    command::<PreviewRule, RulePreview>("preview_rule"),
    // Does with all articles that are there what the rule says; null when it was cancelled, and then nothing was done.
    command::<RuleId, Option<Marked>>("apply_rule"),
    command::<(), ()>("cancel_apply"),
    // What rules did to an article, the first first.
    command::<OpenArticle, Vec<RuleTouch>>("rule_touches"),
    // Tells the desktop what the event `notice` asked the window to say.
    command::<Notice, ()>("notify"),
    // How much is kept
    command::<FeedScope, Keeping>("keeping"),
    command::<SetKeep, KeepPreview>("preview_keep"),
    // Lets go at once of what is more.
    command::<SetKeep, Marked>("set_keep"),
    command::<(), ()>("cancel_keep"),
    // What was let go within a day comes back, and is kept for good; how many articles.
    command::<(), i64>("bring_back"),
    command::<AskStatistics, Statistics>("statistics"),
    // Settings
    command::<(), Settings>("settings"),
    command::<Settings, ()>("save_settings"),
];

/// Every event of the shell.
pub const EVENTS: &[Event] = &[
    event::<LibraryChanged>("library_changed"),
    event::<Collections>("collections"),
    event::<RefreshProgress>("refresh_progress"),
    event::<BackfillProgress>("backfill_progress"),
    event::<AheadProgress>("ahead_progress"),
    // The search index follows what comes in: articles that it has still to take in.
    event::<i64>("index_progress"),
    // Articles came in that a rule wants told; the window answers with `notify`.
    event::<Notice>("notice"),
    event::<ApplyProgress>("apply_progress"),
    event::<ImportProgress>("import_progress"),
    event::<ImportSummary>("import_finished"),
    event::<Option<ExportProgress>>("export_progress"),
    // Files are held over the window, or were let go or taken away.
    event::<bool>("files_over"),
    // A link of an article that may not be opened; its address.
    event::<String>("link_refused"),
    // A link that asks the window for something was followed; its address, which says by a token of which page it is.
    event::<String>("article_act"),
    event::<String>("link_doubted"),
];

// The only declaration of the commands that the window may call. The list and the TypeScript of gleaner-contract, the dispatch of
// gleaner-app, and the permissions that build.rs gives to Tauri are generated from it.
//
// `module { name(Request) -> Response; }` calls the use case `gleaner_app::module::name`.
// To add a command, add a line here and write the use case. A command without a request takes `()`.

/// Calls the macro `$callback` with the declaration of all commands.
#[macro_export]
macro_rules! commands {
    ($callback:ident) => {
        $callback! {
            background {
                /// Reports that the window is ready for events. Missed changes are then sent, and background work starts.
                /// Returns the progress of a running refresh.
                ready(()) -> Option<RefreshProgress>;
                /// Announces the changes that another process, such as `glean`, has made to the library since the last call.
                notice_changes(()) -> ();
            }
            diagnostics {
                /// Returns versions, sizes and the end of the log, for a bug report.
                diagnostics(()) -> String;
                /// Returns the version, and where the library is.
                about(()) -> About;
                /// Shows a folder in the file manager.
                show_folder(ShowFolder) -> ();
                /// Returns true once after each crash: `diagnostics` then contains a report on it.
                crash_reported(()) -> bool;
                /// Returns the version once after each update of Gleaner.
                updated(()) -> Option<String>;
            }
            sidebar {
                /// Returns folders, feeds and unread counts.
                overview(()) -> Overview;
                /// Returns the unread counts.
                counts(()) -> Counts;
                /// Records that the user closed the welcome view.
                close_welcome(()) -> ();
                rename_feed(RenameFeed) -> UndoStep;
                /// Moves feeds and folders within the tree.
                arrange(Arrange) -> UndoStep;
                unsubscribe(Unsubscribe) -> Unsubscribed;
                create_folder(CreateFolder) -> FolderId;
                rename_folder(RenameFolder) -> UndoStep;
                set_folder_open(SetFolderOpen) -> ();
                /// Deletes a folder. Its contents move one level up.
                delete_folder(FolderId) -> UndoStep;
            }
            lists {
                /// Returns one page of a list.
                articles(ListQuery) -> ArticlePage;
                /// Returns the view options of lists that differ from the defaults.
                views(()) -> Vec<View>;
                save_view(View) -> ();
                /// Returns the links of the articles that have one, in the given order.
                article_addresses(ArticleIds) -> Vec<String>;
                mark(Mark) -> Marked;
                mark_all_read(MarkAll) -> Marked;
            }
            articles {
                /// Returns an article and counts it in the reading statistics if it was unread. Does not mark it as read.
                open_article(ArticleId) -> Article;
                /// Returns the differences between two versions of an article.
                compare_versions(CompareVersions) -> Comparison;
                /// Returns an article as a Markdown document.
                article_markdown(ArticleId) -> String;
                /// Shows an article in a separate window, raises the window that already shows it, or prints the article.
                open_article_window(ArticleWindow) -> ();
                /// Stores the reading position, which `open_article` returns.
                save_reading_progress(SaveReadingProgress) -> ();
                /// Stores the playback position of a recording. Returns how far its article was played; `null` if it is not started.
                save_playback(SavePlayback) -> Option<Played>;
                /// Marks the started audio and video of an article as played to the end.
                mark_played(ArticleId) -> UndoStep;
            }
            play_queue {
                play_queue(()) -> Vec<QueuedEpisode>;
                /// Adds audio and video files of articles. Returns the number of files.
                add_to_play_queue(AddToPlayQueue) -> u32;
                move_in_play_queue(MoveInPlayQueue) -> ();
                remove_from_play_queue(RemoveFromPlayQueue) -> UndoStep;
                clear_play_queue(()) -> UndoStep;
            }
            metadata {
                /// Downloads the comments feed of an article.
                comments(ArticleId) -> Comments;
                /// Returns the chapters of a podcast episode, downloaded if the feed only links to them.
                chapters(ArticleId) -> Vec<Chapter>;
                cancel_comments(()) -> ();
                /// Returns the transcript of a podcast episode, downloaded and stored on the first request.
                transcript(ArticleId) -> Transcript;
                cancel_transcript(()) -> ();
                /// Returns the description, image, search box and donation link of a feed.
                feed_header(FeedId) -> FeedHeader;
            }
            links {
                /// Opens the article's web page in the browser.
                open_in_browser(ArticleId) -> ();
                /// Opens the article's web page in the browser and keeps the focus where the system allows it.
                open_in_background(ArticleId) -> ();
                /// Opens a link of the article's page, or asks for a confirmation first.
                open_link(OpenLink) -> ();
                /// Sends a text to the search box of a feed's site (RSS 2.0, `textInput`).
                search_site(SearchSite) -> ();
                /// Sets the links of the open article that need a confirmation.
                set_suspicious_links(SetSuspiciousLinks) -> ();
                /// Opens a suspicious link after the user confirmed it.
                open_suspicious_link(OpenSuspiciousLink) -> ();
            }
            collections {
                /// Returns saved searches, tags and languages with their counts.
                collections(()) -> Collections;
                save_search(SaveSearch) -> SearchId;
                change_saved_search(ChangeSearch) -> UndoStep;
                move_saved_search(MoveSearch) -> ();
                delete_saved_search(DeleteSearch) -> UndoStep;
            }
            tags {
                tag_articles(TagArticles) -> Marked;
                rename_tag(RenameTag) -> UndoStep;
                delete_tag(DeleteTag) -> UndoStep;
            }
            categories {
                categories(()) -> Categories;
                set_category_synonym(SetSynonym) -> UndoStep;
            }
            notes {
                /// Returns the notes on an article: those on the whole article first, then in the order of the text.
                notes(ArticleId) -> Vec<Note>;
                add_note(AddNote) -> AddedNote;
                change_note(ChangeNote) -> UndoStep;
                delete_note(NoteId) -> UndoStep;
                /// Returns notes as a Markdown document.
                notes_markdown(NotesForArticles) -> String;
                /// Returns how many articles of a feed have notes.
                count_notes_in_feed(FeedId) -> i64;
            }
            search {
                search(Search) -> SearchResult;
            }
            undo {
                /// Undoes a change by the step that the change returned.
                undo(UndoStep) -> Undone;
                /// Undoes an import. Feeds with articles that were marked after it stay.
                undo_import(UndoStep) -> ImportUndone;
            }
            discovery {
                /// Finds the feeds behind an address.
                discover(Discover) -> Discovered;
                cancel_discover(()) -> ();
            }
            feed_files {
                /// Opens a file dialog and reads the file as a feed. Returns `null` if the dialog was cancelled.
                pick_feed_file(()) -> Option<Candidate>;
            }
            subscriptions {
                subscribe(Subscribe) -> Subscribed;
                /// Returns the bundled list of well-known feeds.
                starter_feeds(()) -> Vec<StarterSubject>;
                /// Subscribes to feeds of the bundled list.
                subscribe_many(SubscribeMany) -> Vec<Subscribed>;
            }
            refresh {
                refresh(RefreshScope) -> ();
                cancel_refresh(()) -> ();
            }
            feed_info {
                /// Returns the schedule of a feed, its state and its latest requests.
                feed_info(FeedId) -> FeedInfo;
                /// Returns the totals of all requests.
                traffic(()) -> Traffic;
                change_feed_address(ChangeFeedAddress) -> UndoStep;
                merge_feeds(MergeFeeds) -> UndoStep;
                /// Searches the feed's site for another feed. A result becomes the suggestion `switch`; otherwise the error is `no_feed`.
                rediscover_feed(FeedId) -> ();
                allow_private_network(FeedId) -> ();
                /// Dismisses the hint that a feed is inactive, until the feed has posted and become inactive again.
                keep_inactive_feed(FeedId) -> UndoStep;
                /// Returns whether a feed has articles with audio or video.
                has_media(FeedId) -> bool;
                /// Sets how the episodes of a feed are played.
                set_feed_playback(SetFeedPlayback) -> ();
            }
            inspect {
                /// Returns the stored report on a feed's last document, and when the feed posts.
                inspection(FeedId) -> Inspection;
                /// Downloads a feed and returns the full report. Returns `null` if the feed may not be requested now or is not a feed.
                inspect_feed(FeedId) -> Option<FeedReport>;
            }
            preferences {
                /// Returns the preferences of a feed, a folder or all feeds, and the sources of inherited values.
                preferences(FeedScope) -> ScopedPreferences;
                set_preferences(SetPreferences) -> ();
            }
            connection {
                /// Returns the connection settings of a feed, without secrets.
                feed_connection(FeedId) -> FeedConnection;
                set_connection(SetConnection) -> UndoStep;
                /// Returns the certificate of a feed's server if it is not valid.
                feed_certificate(FeedId) -> Option<Certificate>;
                accept_certificate(AcceptCertificate) -> UndoStep;
            }
            backfill {
                /// Starts to download older articles of a feed.
                backfill(StartBackfill) -> ();
                cancel_backfill(FeedId) -> ();
            }
            offline {
                /// Returns the settings and the state of offline reading.
                offline_state(()) -> OfflineState;
                save_offline_settings(OfflineSettings) -> ();
                /// Starts the downloads for offline reading.
                start_downloads(()) -> ();
                cancel_downloads(()) -> ();
                /// Downloads the full text of an article and returns the article with it.
                fetch_full_text(FetchFullText) -> Article;
                cancel_full_text(()) -> ();
                /// Returns an article with its stored full text or with the feed's text.
                show_text(ShowText) -> Article;
            }
            episodes {
                /// Returns the downloaded and queued episodes, newest first.
                episodes(()) -> Vec<EpisodeDownload>;
                /// Queues audio and video files of articles. Returns the number of files.
                download_episodes(EpisodeFiles) -> u32;
                /// Cancels downloads, and removes downloaded files.
                remove_episodes(EpisodeFiles) -> ();
                episode_settings(()) -> EpisodeSettings;
                save_episode_settings(EpisodeSettings) -> ();
            }
            import {
                /// Opens a file dialog and reads the chosen files; an event says what they contain. Returns whether any were chosen.
                import_opml(()) -> bool;
                /// Stops reading or importing files.
                cancel_import(()) -> ();
                /// Returns the other readers whose data is on this computer.
                installed_readers(()) -> Vec<InstalledReader>;
                /// Reads the data of another reader, like `import_opml`.
                import_installed(InstalledReader) -> ();
                /// Returns the browsers whose bookmarks are on this computer.
                browsers(()) -> Vec<Browser>;
                /// Returns the bookmarked sites of a browser.
                bookmarks(Browser) -> Vec<Bookmark>;
            }
            import_preview {
                /// Imports the files of the last `import_prepared` events.
                confirm_import(()) -> ();
                /// Discards the files of the last `import_prepared` events.
                discard_import(()) -> ();
            }
            images {
                /// Opens a file dialog and writes an image of an article. Returns the path, or `null` if the dialog was cancelled.
                save_image(ArticleImage) -> Option<String>;
                /// Returns an image of an article as a `data:` URL.
                image_data(ArticleImage) -> String;
            }
            export {
                /// Opens a file dialog and writes the subscriptions as OPML. Returns the path, or `null` if the dialog was cancelled.
                export_opml(()) -> Option<String>;
                /// Opens a file dialog and writes the whole library as an archive.
                export_archive(()) -> Option<ExportSummary>;
                /// Opens a file dialog and writes articles as a document.
                save_articles(SaveArticles) -> Option<SavedDocument>;
                cancel_export(()) -> ();
            }
            server_accounts {
                /// Returns the accounts on servers, also removed ones that can be restored.
                server_accounts(()) -> Vec<ServerAccount>;
                add_server_account(AddServerAccount) -> AddedServerAccount;
                sync_server_account(ServerAccountId) -> ServerSynced;
                cancel_server_sync(()) -> ();
                /// Replaces the password of an account, and the address of its server. Returns the server's certificate if it is not valid;
                /// then nothing was changed.
                set_server_login(SetServerLogin) -> Option<Certificate>;
                remove_server_account(RemoveServerAccount) -> ();
                /// Restores an account that was removed less than a day ago.
                restore_server_account(ServerAccountId) -> ();
                /// Returns the feeds of an account that were unsubscribed here and that the server keeps, by title.
                server_only_feeds(ServerAccountId) -> Vec<ServerOnlyFeed>;
                /// Restores one of these feeds, and synchronises the account.
                restore_server_only_feed(ServerOnlyFeedId) -> ();
                set_server_options(SetServerOptions) -> ();
                /// Renames an account and the folder of its feeds.
                rename_server_account(RenameServerAccount) -> UndoStep;
                /// Moves feeds into an account or out of one, with their articles and marks.
                move_to_account(MoveToAccount) -> UndoStep;
                /// Returns the last synchronisations of an account, newest first.
                sync_log(ServerAccountId) -> Vec<SyncLogEntry>;
                /// Returns the progress of the running synchronisation.
                sync_progress(()) -> Option<SyncProgress>;
                /// Returns how the marks of an article changed, if it is from an account.
                mark_history(ArticleId) -> MarkHistory;
            }
            sharing {
                /// Returns the services that articles are saved in.
                share_services(()) -> Vec<ShareService>;
                /// Adds a service, after it accepted the login. For a folder, a dialog opens; returns `false` if it was cancelled.
                add_share_service(AddShareService) -> bool;
                /// Replaces the login of a service, and its address, after it accepted them. Then sends the articles that wait for it.
                set_share_login(SetShareLogin) -> ();
                /// Renames a service. Fails with `service_exists` if another one has the name.
                rename_share_service(RenameShareService) -> ();
                /// Removes a service with the articles that wait for it.
                remove_share_service(ShareServiceId) -> ();
                /// Saves articles in a service. Articles that it can't receive now are sent later.
                share_articles(ShareArticles) -> Shared;
                /// Sends all articles that wait for a service, including those that it refused.
                send_shares_again(ShareServiceId) -> ();
                /// Discards all articles that wait for a service.
                discard_shares(ShareServiceId) -> UndoStep;
                /// Queues the articles that a step discarded again.
                restore_shares(UndoStep) -> ();
                /// Opens a new e-mail with the titles and links of articles.
                share_by_mail(ArticleIds) -> ();
            }
            backups {
                backups(()) -> Backups;
                create_backup(()) -> Backup;
                /// Replaces the library with a backup. The current library is moved aside. Fails with `library_in_use` while another
                /// program has the library open.
                restore_backup(RestoreBackup) -> RestoredLibrary;
                /// Builds a new library from the readable data of a damaged one and from the latest backup.
                recover_library(()) -> RestoredLibrary;
            }
            rules {
                rules(()) -> Vec<Rule>;
                save_rule(SaveRule) -> SavedRule;
                enable_rule(EnableRule) -> UndoStep;
                order_rules(OrderRules) -> UndoStep;
                delete_rule(RuleId) -> UndoStep;
                preview_rule(PreviewRule) -> RulePreview;
                /// Applies a rule to all stored articles. Returns `null` and changes nothing if it was cancelled.
                apply_rule(RuleId) -> Option<Marked>;
                cancel_apply_rule(()) -> ();
                /// Returns the rules that were applied to an article, oldest first.
                applied_rules(ArticleId) -> Vec<AppliedRule>;
            }
            desktop {
                /// Returns whether there is a tray, and how Gleaner starts at login.
                desktop_state(()) -> DesktopState;
                set_login_start(SetLoginStart) -> DesktopState;
                /// Hides the window, quits or does nothing, according to the user's answer to the event `close_requested`.
                answer_close(AnswerClose) -> ();
                /// Unloads the page of the window if it is hidden, which frees its memory. It is loaded again before it is shown.
                unload_window(()) -> ();
                /// Returns the latest version if it is newer than this one.
                find_update(FindUpdate) -> Option<String>;
                /// Downloads the latest version, verifies its signature and replaces this version; the next start uses it. Returns `false`
                /// if it was cancelled.
                install_update(()) -> bool;
                cancel_update(()) -> ();
                /// Ends the program and starts it again, after an update (the event `program_updated`).
                restart(()) -> ();
            }
            retention {
                retention(FeedScope) -> Retention;
                /// Returns what a retention policy would delete.
                preview_retention(SetRetention) -> RetentionPreview;
                /// Stores a retention policy and applies it.
                set_retention(SetRetention) -> Marked;
                cancel_retention(()) -> ();
                /// Restores the articles that retention deleted within the last day. Returns their number.
                restore_expired(()) -> i64;
            }
            statistics {
                statistics(StatisticsQuery) -> Statistics;
            }
            settings {
                settings(()) -> Settings;
                save_settings(Settings) -> ();
                /// Returns what the window showed last; `null` on the first start.
                window_state(()) -> Option<WindowState>;
                save_window_state(WindowState) -> ();
            }
        }
    };
}

/// Calls the macro `$callback` with the declaration of all events that the core sends to the window.
#[macro_export]
macro_rules! events {
    ($callback:ident) => {
        $callback! {
            LibraryChanged(LibraryChanged) = "library_changed";
            Collections(Collections) = "collections";
            RefreshProgress(RefreshProgress) = "refresh_progress";
            /// A refresh that the user asked for could not be stored.
            RefreshFailed(IpcError) = "refresh_failed";
            /// The progress of the running synchronisation; `null` when it ends.
            SyncProgress(Option<SyncProgress>) = "sync_progress";
            BackfillProgress(BackfillProgress) = "backfill_progress";
            OfflineProgress(OfflineProgress) = "offline_progress";
            /// The downloaded and queued episodes, after every change.
            EpisodesChanged(Vec<EpisodeDownload>) = "episodes_changed";
            EpisodeProgress(EpisodeProgress) = "episode_progress";
            /// Number of articles that the search index does not contain yet.
            IndexProgress(i64) = "index_progress";
            /// An article to open, chosen in a notification.
            ArticleRequested(ArticleId) = "article_requested";
            /// A list to show, with what is new, chosen in a notification of several articles.
            ListRequested(RequestedList) = "list_requested";
            /// The user closed the window and is asked whether to quit or to stay in the tray. Without a tray (`false`), the window can
            /// only quit.
            CloseRequested(bool) = "close_requested";
            /// Gleaner is about to quit. It waits a moment for the window to store its latest changes, and to answer as after
            /// `close_requested`.
            QuitRequested(()) = "quit_requested";
            UpdateProgress(UpdateProgress) = "update_progress";
            /// An update has replaced the program while it is running.
            ProgramUpdated(()) = "program_updated";
            /// The settings were changed outside the window, such as in the tray.
            SettingsChanged(Box<Settings>) = "settings_changed";
            /// Articles were marked as read outside the window.
            MarkedOutside(Marked) = "marked_outside";
            /// The services that articles are saved in, after every change.
            SharingChanged(Vec<ShareService>) = "sharing_changed";
            ApplyProgress(ApplyProgress) = "apply_progress";
            ImportProgress(ImportProgress) = "import_progress";
            /// What files contain, which the user is asked to confirm.
            ImportPrepared(Vec<ImportPreview>) = "import_prepared";
            ImportFinished(Box<ImportSummary>) = "import_finished";
            ExportProgress(Option<ExportProgress>) = "export_progress";
            /// Whether files are dragged over the window.
            FilesDraggedOver(bool) = "files_dragged_over";
            /// The address of a link that may not be opened.
            LinkRefused(String) = "link_refused";
            /// The address of a link for which no browser could be started.
            BrowserFailed(String) = "browser_failed";
            /// An address that was dropped on the window or given on the command line, to subscribe to.
            AddressReceived(String) = "address_received";
            /// Feeds in files that were dropped on the window or given on the command line, to subscribe to.
            FeedFilesReceived(Vec<Candidate>) = "feed_files_received";
            /// Where a context menu was requested in the article's page. WebKit calls no listener inside the frame.
            PageMenuRequested(WindowPoint) = "page_menu_requested";
            /// The address of a link in the article's page that triggers an action of the window. A token in it identifies
            /// the page.
            ArticleAction(String) = "article_action";
            /// The separate window of an article was closed.
            ArticleWindowClosed(ArticleId) = "article_window_closed";
            /// The address of a link that needs a confirmation.
            SuspiciousLinkClicked(String) = "suspicious_link_clicked";
        }
    };
}

// The messages of the catalogues that the core shows itself, outside the window. build.rs copies them into the program.

/// Calls the macro `$callback` with the messages and their keys.
macro_rules! messages {
    ($callback:ident) => {
        $callback! {
            /// How many articles are unread.
            Unread = "desktop.unread",
            /// When feeds are checked next.
            NextRefresh = "desktop.next_refresh",
            Show = "desktop.show",
            Refresh = "sidebar.refresh",
            MarkAllRead = "menu.mark_all",
            /// Stops automatic refreshing.
            Pause = "desktop.pause",
            Quit = "desktop.quit",
            /// How many articles are new.
            NewArticles = "desktop.new_articles",
            Open = "desktop.open",
            /// In file dialogs.
            AllFiles = "desktop.all_files",
            MarkRead = "article.read",
            Star = "article.star",
            /// The title of an article without one.
            Untitled = "list.untitled",
        }
    };
}

//! The sidebar: feeds, folders, counts.

use crate::{
    App,
    accounts::changes_subscriptions,
    days::last_midnight,
    error::{Result, stored_error},
    feeds,
};
use gleaner_contract::{
    Arrange, Counts, CreateFolder, FeedUnread, Folder, FolderAccount, FolderId, Overview, RenameFeed, RenameFolder,
    SetFolderOpen, SmartCounts, UndoStep, Unsubscribe, Unsubscribed,
};
use gleaner_library::{Account, Library, Rearrangement};
use std::collections::HashMap;

const WELCOME_LEFT: &str = "welcome_left";

/// Counts unread, starred and all articles.
pub(crate) async fn count(library: &Library) -> Result<Counts> {
    let feeds = library.counts().by_feed().await?;
    let today = library.counts().unread_since(last_midnight()).await?;
    let doubles = library.duplicates().count_unread(i64::MIN).await?;
    let sum = |part: fn(&gleaner_library::FeedCount) -> i64| feeds.iter().map(part).sum();
    Ok(Counts {
        smart: SmartCounts {
            today,
            unread: sum(|feed| feed.unread) - doubles,
            starred: sum(|feed| feed.starred),
            all: sum(|feed| feed.items),
        },
        unread: feeds
            .iter()
            .filter(|feed| feed.unread > 0)
            .map(|feed| FeedUnread { feed_id: feed.feed_id, unread: feed.unread })
            .collect(),
    })
}

pub async fn overview(app: &App, (): ()) -> Result<Overview> {
    let library = app.core().await?.library;
    let polls = library.polls().list().await?;
    let mut suggestions = gleaner_polling::suggestions(&polls, gleaner_library::now());
    let polls: HashMap<i64, _> = polls.into_iter().map(|poll| (poll.feed_id, poll)).collect();
    let folders = library.folders().list().await?;
    let feeds = library.feeds().list().await?;
    let accounts = library.accounts().list().await?;
    let image_loading = library.preferences().image_loading().await?;
    let welcome_left = library.settings().get(WELCOME_LEFT).await?.is_some();
    Ok(Overview {
        first_run: !welcome_left && feeds.iter().all(|feed| feed.local),
        folders: folders
            .into_iter()
            .map(|row| Folder {
                account: account_of(&accounts, row.id),
                id: row.id,
                parent_id: row.parent_id,
                name: row.name,
                open: row.open,
            })
            .collect(),
        feeds: feeds::feeds(feeds, &polls, &mut suggestions, &image_loading),
        counts: count(&library).await?,
    })
}

/// Returns the account whose feeds are in a folder.
fn account_of(accounts: &[Account], folder: i64) -> Option<FolderAccount> {
    let account = accounts.iter().find(|account| account.folder_id == Some(folder) && account.removed_at.is_none())?;
    let code = account.error_code.as_deref();
    let needs_password = matches!(code, Some("server_login" | "secret_gone" | "secret_unreadable"));
    // The server asks to wait: this needs nothing from the user.
    let waits = matches!(code, Some("server_changes_wait" | "retry_after_until"));
    let failed = code.filter(|_| !waits);
    let error = failed.map(|code| stored_error(code.to_owned(), account.error_parameters.clone()));
    Some(FolderAccount { id: account.id, needs_password, error })
}

pub async fn counts(app: &App, (): ()) -> Result<Counts> {
    count(&app.core().await?.library).await
}

pub async fn close_welcome(app: &App, (): ()) -> Result<()> {
    Ok(app.core().await?.library.settings().set(WELCOME_LEFT, "true").await?)
}

/// Gives a feed another title, or its own one again.
///
/// # Errors
/// There is no such feed, or the library cannot be written.
pub async fn rename_feed(app: &App, args: RenameFeed) -> Result<UndoStep> {
    let done = app.core().await?.library.feeds().rename(args.feed_id, &args.title).await?;
    app.library_changed(true, false);
    Ok(UndoStep { undo: done.step })
}

/// Moves feeds and folders.
///
/// # Errors
/// The move is not possible, or the library cannot be written.
pub async fn arrange(app: &App, args: Arrange) -> Result<UndoStep> {
    let Arrange { feeds, folders, parent_id: parent, before_feed, before_folder } = args;
    let change = Rearrangement { feeds, folders, parent, before_feed, before_folder };
    let done = app.core().await?.library.subscriptions().arrange(&change).await?;
    app.library_changed(true, false);
    Ok(UndoStep { undo: done.step })
}

/// Unsubscribes from feeds. A feed of an account whose API can't unsubscribe stays on the server.
///
/// # Errors
/// There is no such feed, or the library cannot be written.
pub async fn unsubscribe(app: &App, args: Unsubscribe) -> Result<Unsubscribed> {
    let library = app.core().await?.library;
    let keeping: Vec<Account> =
        library.accounts().list().await?.into_iter().filter(|account| !changes_subscriptions(account)).collect();
    let mut kept_by = None;
    for feed in args.feed_ids.iter().filter(|_| !keeping.is_empty()) {
        let account = library.feeds().get(*feed).await?.account_id;
        kept_by = kept_by.or_else(|| keeping.iter().find(|other| other.id == account).map(|other| other.name.clone()));
    }
    let done = library.feeds().unsubscribe(&args.feed_ids).await?;
    app.library_changed(true, true);
    Ok(Unsubscribed { undo: done.step, kept_by })
}

/// Creates a folder, or returns the one that there is.
///
/// # Errors
/// The name is not valid, there is no such parent, or the library cannot be written.
pub async fn create_folder(app: &App, args: CreateFolder) -> Result<FolderId> {
    let folder_id = app.core().await?.library.folders().create(&args.name, args.parent_id).await?;
    app.library_changed(true, false);
    Ok(FolderId { folder_id })
}

pub async fn rename_folder(app: &App, args: RenameFolder) -> Result<UndoStep> {
    let done = app.core().await?.library.folders().rename(args.folder_id, &args.name).await?;
    app.library_changed(true, false);
    Ok(UndoStep { undo: done.step })
}

pub async fn set_folder_open(app: &App, args: SetFolderOpen) -> Result<()> {
    Ok(app.core().await?.library.folders().set_open(args.folder_id, args.open).await?)
}

pub async fn delete_folder(app: &App, args: FolderId) -> Result<UndoStep> {
    let done = app.core().await?.library.folders().delete(args.folder_id).await?;
    app.library_changed(true, true);
    Ok(UndoStep { undo: done.step })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_contract::ErrorCode;

    #[test]
    fn an_account_shows_why_it_failed_but_not_that_its_server_asks_to_wait() {
        let failed = |code: Option<&str>| {
            let account = Account { folder_id: Some(7), error_code: code.map(str::to_owned), ..Account::default() };
            account_of(&[account], 7).unwrap()
        };
        assert_eq!(failed(Some("connection_refused")).error.unwrap().code, ErrorCode::ConnectionRefused);
        let login = failed(Some("server_login"));
        assert!(login.needs_password && login.error.is_some());
        for code in [None, Some("server_changes_wait"), Some("retry_after_until")] {
            assert_eq!(failed(code).error, None);
        }
    }
}

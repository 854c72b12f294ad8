//! Restores a backup.

use crate::{
    Clock, Library, LibraryError, Millis, backup,
    files::{DATABASE, copy_private, create_private_folder, write_error},
    replacement::{NewFolder, lock_exclusively, replace_library},
    table::{feeds::UNSUBSCRIBED_STORED_FOR, pending_deletion::RESTORABLE_FOR},
};
use std::{
    io,
    path::{Path, PathBuf},
};

/// Replaces the library with a backup. No process may have the library open.
///
/// # Errors
/// [`LibraryError::Locked`] while a process has it open; [`LibraryError::Damaged`] when the backup is damaged. Then nothing was
/// changed.
pub async fn restore(folder: &Path, backup: &Path) -> Result<PathBuf, LibraryError> {
    create_private_folder(folder).map_err(|error| write_error(folder, &error))?;
    let _alone = lock_exclusively(folder)?;
    let new_folder = NewFolder::create(folder)?;
    copy_private(backup, &new_folder.join(DATABASE)).map_err(|error| write_error(&new_folder, &error))?;
    // The newest changes of a library that was copied, or was moved aside, may be in its log only.
    let mut log = backup.as_os_str().to_owned();
    log.push("-wal");
    match copy_private(Path::new(&log), &new_folder.join("library.sqlite-wal")) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(write_error(&new_folder, &error)),
        _ => {}
    }
    // Opening also updates its schema, and deletes data that could no longer be restored when the backup was made.
    let now = Clock::system().now();
    let made_at = backup::made_at(backup).filter(|at| *at <= now).unwrap_or(now);
    let library = Box::pin(Library::open_with(&new_folder, Clock::new(move || made_at))).await?;
    let whole: Vec<String> = sqlx::query_scalar("PRAGMA quick_check").fetch_all(&library.db.readers).await?;
    postpone_deletion(&library, made_at, now).await?;
    library.close().await?;
    if whole != ["ok"] {
        return Err(LibraryError::Damaged { folder: new_folder.to_owned(), why: whole.join("; ") });
    }
    replace_library(folder, new_folder).await
}

/// Extends the time for data that could still be restored when the backup was made (unsubscribed feeds, expired articles, removed accounts)
/// by the rest of its day. The user may have restored the backup because of it.
async fn postpone_deletion(library: &Library, made_at: Millis, now: Millis) -> Result<(), LibraryError> {
    let mut writer = library.db.writer().await;
    let mut transaction = writer.begin().await?;
    for (sql, time) in [
        (
            "UPDATE feeds SET unsubscribed_at = min(unsubscribed_at + ?1, ?2) WHERE unsubscribed_at >= ?3",
            UNSUBSCRIBED_STORED_FOR,
        ),
        ("UPDATE going SET at = min(at + ?1, ?2) WHERE at >= ?3", RESTORABLE_FOR),
        ("UPDATE servers SET removed_at = min(removed_at + ?1, ?2) WHERE removed_at >= ?3", RESTORABLE_FOR),
    ] {
        sqlx::query(sql).bind(now - made_at).bind(now).bind(made_at - time).execute(&mut *transaction).await?;
    }
    Ok(transaction.commit().await?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{FeedScope, Incoming, Intent, NewAccount, NewItem, NewSubscription, Occasion, RetentionPolicy};
    use chrono::DateTime;
    use std::{
        fs::{self, File},
        time::{Duration, SystemTime},
    };

    const DAY: Millis = 24 * 60 * 60 * 1000;

    #[tokio::test]
    async fn a_restored_backup_can_still_restore_what_it_could_before() {
        let folder = tempfile::tempdir().unwrap();
        let then = Clock::system().now() - 30 * DAY;
        let library = Library::open_with(folder.path(), Clock::new(move || then)).await.unwrap();
        let [read, left] = [1, 2].map(|n| NewSubscription::new(format!("https://{n}.example/feed")));
        for new in [&read, &left] {
            let feed = library.subscriptions().add(new).await.unwrap();
            let item = |n: i64| NewItem { key: n.to_string(), sort_at: n, read: true, ..NewItem::default() };
            let intents = (0..9).map(|n| Intent::Insert(Box::new(item(n)))).collect();
            library.polls().store(&[&Incoming::of_items(feed, intents)]).await.unwrap();
        }
        let policy = RetentionPolicy { articles: Some(4), ..RetentionPolicy::EVERYTHING };
        library.retention().set(FeedScope::All, Some(policy), then, |_| true).await.unwrap();
        let left_id = library.feeds().find_by_url(&left.url).await.unwrap().unwrap();
        library.feeds().unsubscribe(&[left_id]).await.unwrap();
        let account = library.accounts().add(&NewAccount::default()).await.unwrap();
        library.accounts().remove(account, false).await.unwrap();
        let backup = library.back_up(Occasion::ByHand).await.unwrap().path;
        library.close().await.unwrap();
        // The name contains the time of the backup; otherwise the date of the file is used.
        let two_days_later = DateTime::from_timestamp_millis(then + 2 * DAY).unwrap().format("%Y%m%dT%H%M%S%3f");
        let copy = folder.path().join("copy");
        let later = folder.path().join(format!("{two_days_later}-by-hand.sqlite"));
        fs::copy(&backup, &copy).unwrap();
        let moment = SystemTime::UNIX_EPOCH + Duration::from_millis(u64::try_from(then).unwrap());
        File::options().write(true).open(&copy).unwrap().set_modified(moment).unwrap();
        fs::copy(&backup, &later).unwrap();
        for (file, is_there) in [(&backup, true), (&copy, true), (&later, false)] {
            restore(folder.path(), file).await.unwrap();
            let library = Library::open(folder.path()).await.unwrap();
            library.retention().delete_expired(library.now(), |_| true).await.unwrap();
            library.accounts().delete_removed().await.unwrap();
            assert_eq!(library.retention().pending_deletion().await.unwrap().articles, if is_there { 10 } else { 0 });
            assert_eq!(library.feeds().restore_unsubscribed(&left.url).await.unwrap().is_some(), is_there);
            assert_eq!(library.accounts().restore(account).await.is_ok(), is_there);
            assert_eq!(library.feeds().list().await.unwrap().len(), if is_there { 2 } else { 1 });
            library.close().await.unwrap();
        }
    }
}

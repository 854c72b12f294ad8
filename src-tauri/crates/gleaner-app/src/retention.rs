//! Retention: which articles expire, and the clean-up in the background.

use crate::{App, error::Result, jobs::Job, lists::marked, numbers::to_number};
use gleaner_contract::{
    ExpiringArticle, ExpiringFeed, FeedScope, Marked, Retention, RetentionPolicy, RetentionPreview, SetRetention,
};
use gleaner_library::{Undoable, now};
use std::{collections::HashMap, time::Duration};

/// Delay of the first clean-up, so that it does not slow down the start.
const FIRST_AFTER: Duration = Duration::from_secs(60);
const CHECK_EVERY: Duration = Duration::from_secs(3600);

/// Converts a scope of the contract.
pub(crate) fn scope(scope: FeedScope) -> gleaner_library::FeedScope {
    match scope {
        FeedScope::All => gleaner_library::FeedScope::All,
        FeedScope::Folder { id } => gleaner_library::FeedScope::Folder(id),
        FeedScope::Feed { id } => gleaner_library::FeedScope::Feed(id),
    }
}

fn policy(RetentionPolicy { days, articles, bytes, keep_unread }: RetentionPolicy) -> gleaner_library::RetentionPolicy {
    gleaner_library::RetentionPolicy { days, articles, bytes, keep_unread }
}

fn shown(keep: gleaner_library::RetentionPolicy) -> RetentionPolicy {
    RetentionPolicy { days: keep.days, articles: keep.articles, bytes: keep.bytes, keep_unread: keep.keep_unread }
}

pub async fn retention(app: &App, args: FeedScope) -> Result<Retention> {
    let library = app.core().await?.library;
    let (own, from, inherited) = library.retention().get(scope(args)).await?;
    let pending = library.retention().pending_deletion().await?;
    let inherited_from = match from {
        gleaner_library::FeedScope::Folder(id) => {
            let folders = library.folders().list().await?;
            folders.into_iter().find(|folder| folder.id == id).map(|folder| folder.name)
        }
        _ => None,
    };
    Ok(Retention {
        own: own.map(shown),
        inherited: shown(inherited),
        inherited_from,
        pending_deletion: pending.articles,
        pending_deletion_until: pending.next_at,
        library_bytes: to_number(library.bytes_on_disk()),
    })
}

pub async fn preview_retention(app: &App, args: SetRetention) -> Result<RetentionPreview> {
    let library = app.core().await?.library;
    let preview = library.retention().preview(scope(args.scope), args.policy.map(policy), now()).await?;
    let feeds = library.feeds().list().await?;
    let titles: HashMap<i64, String> = feeds.iter().map(|feed| (feed.id, feed.shown_title())).collect();
    let edge = |edge: Option<(i64, String)>| edge.map(|(at, title)| ExpiringArticle { at, title });
    let title = |feed: i64| titles.get(&feed).cloned().unwrap_or_default();
    Ok(RetentionPreview {
        articles: preview.articles,
        bytes: preview.bytes,
        feeds: preview
            .feeds
            .iter()
            .map(|(feed, articles)| ExpiringFeed { title: title(*feed), articles: *articles })
            .collect(),
        oldest: edge(preview.oldest),
        newest: edge(preview.newest),
    })
}

pub async fn set_retention(app: &App, args: SetRetention) -> Result<Marked> {
    let done = set(app, scope(args.scope), args.policy.map(policy)).await;
    app.library_changed(false, true);
    Ok(marked(done?))
}

/// Sets the retention policy of a scope and deletes what exceeds it.
///
/// # Errors
/// There is no such feed or folder, the policy is invalid, or the library cannot be written.
pub async fn set(
    app: &App,
    scope: gleaner_library::FeedScope,
    policy: Option<gleaner_library::RetentionPolicy>,
) -> Result<Undoable> {
    let library = app.core().await?.library;
    let run = app.jobs().replace(Job::Retention).await;
    Ok(library.retention().set(scope, policy, now(), |_| !run.is_cancelled()).await?)
}

/// Stops the deletion that `set_retention` started. The rest is deleted with the next clean-up.
pub async fn cancel_retention(app: &App, (): ()) -> Result<()> {
    app.jobs().cancel(Job::Retention);
    Ok(())
}

/// Restores the articles that were deleted within the last day and not by the user. Returns their number.
///
/// # Errors
/// When the library cannot be written.
pub async fn restore_expired(app: &App, (): ()) -> Result<i64> {
    let done = app.core().await?.library.retention().restore_all().await;
    app.library_changed(false, true);
    Ok(to_number(done?))
}

/// Deletes what retention policies exclude, after each refresh and every hour.
pub(crate) async fn clean_up_automatically(app: App) {
    let mut wait = FIRST_AFTER;
    loop {
        tokio::select! {
            () = tokio::time::sleep(wait) => {}
            () = app.signals().retention.notified() => {}
        }
        wait = CHECK_EVERY;
        // Articles of a refresh in progress are checked after it.
        app.jobs().idle(Job::Refresh).await;
        if let Err(error) = clean_up(&app).await {
            tracing::warn!(%error, "the clean-up failed");
        }
    }
}

/// Deletes articles beyond the retention policies, and permanently deletes those that were deleted a day ago.
///
/// # Errors
/// When the library cannot be read or written.
pub async fn clean_up(app: &App) -> Result<()> {
    let library = app.core().await?.library;
    let run = app.jobs().replace(Job::Cleanup).await;
    let deleted = |_| app.library_changed(false, true);
    Ok(library.retention().clean_up(now(), || !run.is_cancelled(), deleted).await?)
}

//! How much is kept.

use super::articles::marked;
use crate::{convert, events, shell::Shell};
use gleaner_contract::{ArticleGoing, FeedGoing, FeedScope, IpcError, Keep, KeepPreview, Keeping, Marked, SetKeep};
use gleaner_library::now;
use std::collections::HashMap;
use tauri::{AppHandle, State};

pub fn scope(scope: FeedScope) -> gleaner_library::FeedScope {
    match scope {
        FeedScope::All => gleaner_library::FeedScope::All,
        FeedScope::Folder { id } => gleaner_library::FeedScope::Folder(id),
        FeedScope::Feed { id } => gleaner_library::FeedScope::Feed(id),
    }
}

fn wish(Keep { days, articles, bytes, keep_unread }: Keep) -> gleaner_library::Keep {
    gleaner_library::Keep { days, articles, bytes, keep_unread }
}

fn told(keep: gleaner_library::Keep) -> Keep {
    Keep { days: keep.days, articles: keep.articles, bytes: keep.bytes, keep_unread: keep.keep_unread }
}

#[tauri::command]
pub async fn keeping(shell: State<'_, Shell>, args: FeedScope) -> Result<Keeping, IpcError> {
    let library = shell.core().await?.library;
    let failed = convert::library_error;
    let (own, from, inherited) = library.keeping(scope(args)).await.map_err(failed)?;
    let going = library.going().await.map_err(failed)?;
    let inherited_from = match from {
        gleaner_library::FeedScope::Folder(id) => {
            let folders = library.folders().await.map_err(failed)?;
            folders.into_iter().find(|folder| folder.id == id).map(|folder| folder.name)
        }
        _ => None,
    };
    Ok(Keeping {
        own: own.map(told),
        inherited: told(inherited),
        inherited_from,
        going: going.articles,
        going_until: going.next_at,
        library_bytes: i64::try_from(library.bytes_on_disk()).unwrap_or(i64::MAX),
    })
}

#[tauri::command]
pub async fn preview_keep(shell: State<'_, Shell>, args: SetKeep) -> Result<KeepPreview, IpcError> {
    let library = shell.core().await?.library;
    let failed = convert::library_error;
    let preview = library.would_go(scope(args.scope), args.keep.map(wish), now()).await.map_err(failed)?;
    let feeds = library.feeds().await.map_err(failed)?;
    let titles: HashMap<i64, String> = feeds.iter().map(|feed| (feed.id, feed.shown_title())).collect();
    let edge = |edge: Option<(i64, String)>| edge.map(|(at, title)| ArticleGoing { at, title });
    let title = |feed: i64| titles.get(&feed).cloned().unwrap_or_default();
    Ok(KeepPreview {
        articles: preview.articles,
        bytes: preview.bytes,
        feeds: preview
            .feeds
            .iter()
            .map(|(feed, articles)| FeedGoing { title: title(*feed), articles: *articles })
            .collect(),
        oldest: edge(preview.oldest),
        newest: edge(preview.newest),
    })
}

#[tauri::command]
pub async fn set_keep(app: AppHandle, shell: State<'_, Shell>, args: SetKeep) -> Result<Marked, IpcError> {
    let library = shell.core().await?.library;
    let cancel = shell.keeping.begin();
    let done = library.keep(scope(args.scope), args.keep.map(wish), now(), |_| !cancel.is_cancelled()).await;
    events::library_changed(&app, false, true);
    done.map(marked).map_err(convert::library_error)
}

#[tauri::command]
pub fn cancel_keep(shell: State<'_, Shell>) {
    shell.keeping.cancel();
}

#[tauri::command]
pub async fn bring_back(app: AppHandle, shell: State<'_, Shell>) -> Result<i64, IpcError> {
    let done = shell.core().await?.library.bring_all_back().await;
    events::library_changed(&app, false, true);
    done.map(convert::count).map_err(convert::library_error)
}

//! Saved searches are counted behind the reader's back, whenever something changed that they may find.

use crate::{convert, events, shell::Shell};
use chrono::Local;
use gleaner_contract::{Collections, IpcError, LanguageView, SavedSearch, Tag};
use gleaner_library::{Library, UnreadFound};
use std::{collections::HashMap, sync::PoisonError, time::Duration};
use tauri::{AppHandle, Manager as _};

/// What changes within this time is counted at once.
const TOGETHER: Duration = Duration::from_millis(300);

/// What the sidebar shows; saved searches with their numbers as they were last counted.
pub async fn read(shell: &Shell, library: &Library) -> Result<Collections, IpcError> {
    let failed = convert::library_error;
    let searches = library.saved_searches().await.map_err(failed)?;
    let tags = library.tags().await.map_err(failed)?;
    let noted = library.noted_count().await.map_err(failed)?;
    let hidden = library.hidden_count().await.map_err(failed)?;
    let counted = shell.counted.lock().unwrap_or_else(PoisonError::into_inner);
    let search = |search: gleaner_library::SavedSearch| {
        let found = counted.get(&search.id);
        SavedSearch {
            id: search.id,
            name: search.name,
            query: search.query,
            unread: found.map(|found| found.unread),
            more: found.is_some_and(|found| found.more),
        }
    };
    Ok(Collections {
        searches: searches.into_iter().map(search).collect(),
        tags: tags
            .into_iter()
            .map(|tag| Tag { id: tag.id, name: tag.name, items: tag.items, unread: tag.unread })
            .collect(),
        noted,
        hidden,
        languages: languages(shell),
    })
}

/// As they were last counted; one alone is not worth a list.
fn languages(shell: &Shell) -> Vec<LanguageView> {
    let counted = shell.languages.lock().unwrap_or_else(PoisonError::into_inner);
    let view = |(tag, found): &(String, UnreadFound)| LanguageView {
        tag: tag.clone(),
        unread: found.unread,
        more: found.more,
    };
    if counted.len() < 2 { Vec::new() } else { counted.iter().map(view).collect() }
}

/// Counts anew whenever something may have changed, and tells the window, for as long as it is open.
pub fn follow(app: AppHandle) {
    tauri::async_runtime::spawn(async move {
        let shell = app.state::<Shell>();
        loop {
            shell.collections_changed.notified().await;
            // pause: an act often comes with others, and each would be a count.
            tokio::time::sleep(TOGETHER).await;
            match count(&shell).await {
                Ok(collections) => events::emit(&app, "collections", collections),
                Err(error) => eprintln!("gleaner: counting saved searches: {}", error.message),
            }
        }
    });
}

async fn count(shell: &Shell) -> Result<Collections, IpcError> {
    let library = shell.core().await?.library;
    let counts = library.count_saved_searches(&Local::now()).await.map_err(convert::library_error)?;
    let counts: HashMap<_, _> = counts.into_iter().collect();
    let languages = library.count_languages(&Local::now()).await.map_err(convert::library_error)?;
    *shell.languages.lock().unwrap_or_else(PoisonError::into_inner) = languages;
    *shell.counted.lock().unwrap_or_else(PoisonError::into_inner) = counts;
    read(shell, &library).await
}

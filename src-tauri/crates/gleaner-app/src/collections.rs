//! Saved searches, tags and languages in the sidebar. Saved searches are counted in the background.

use crate::{App, error::Result};
use gleaner_contract::{
    ChangeSearch, Collections, DeleteSearch, Event, LanguageView, MoveSearch, SaveSearch, SavedSearch, SearchId, Tag,
    UndoStep,
};
use gleaner_library::{Library, LibraryError, SearchChange, Undoable, UnreadFound, now_local};
use std::{collections::HashMap, time::Duration};

/// Changes within this time are counted once.
const GROUP_WITHIN: Duration = Duration::from_millis(300);

/// The undo step of a change that also affects the sidebar and the search index.
pub(crate) fn step(app: &App, done: Result<Undoable, LibraryError>) -> Result<UndoStep> {
    app.signals().index.notify_one();
    app.marks_changed();
    Ok(UndoStep { undo: done?.step })
}

pub async fn collections(app: &App, (): ()) -> Result<Collections> {
    let library = app.core().await?.library;
    app.signals().collections.notify_one();
    read(app, &library).await
}

/// Saves a search under a name.
///
/// # Errors
/// The name is empty or the query invalid, or the library cannot be written.
pub async fn save_search(app: &App, args: SaveSearch) -> Result<SearchId> {
    let library = app.core().await?.library;
    let search_id = library.saved_searches().add(&args.name, &args.query).await?;
    app.signals().collections.notify_one();
    Ok(SearchId { search_id })
}

pub async fn change_saved_search(app: &App, args: ChangeSearch) -> Result<UndoStep> {
    let library = app.core().await?.library;
    let change = SearchChange { name: args.name.as_deref(), query: args.query.as_deref(), notify: args.notify };
    step(app, library.saved_searches().change(args.search_id, change).await)
}

pub async fn move_saved_search(app: &App, args: MoveSearch) -> Result<()> {
    let library = app.core().await?.library;
    let to = usize::try_from(args.to).unwrap_or(usize::MAX);
    library.saved_searches().move_to(args.search_id, to).await?;
    app.signals().collections.notify_one();
    Ok(())
}

/// Deletes a saved search.
///
/// # Errors
/// There is no such search, or the library cannot be written.
pub async fn delete_saved_search(app: &App, args: DeleteSearch) -> Result<UndoStep> {
    let library = app.core().await?.library;
    step(app, library.saved_searches().delete(args.search_id).await)
}

/// Returns the collections with the counts of the last time.
async fn read(app: &App, library: &Library) -> Result<Collections> {
    let searches = library.saved_searches().list().await?;
    let tags = library.tags().list().await?;
    let noted = library.notes().count_articles().await?;
    let listening = library.progress().count_started().await?;
    let hidden = library.articles().count_hidden().await?;
    let counted = app.session().search_counts.lock();
    let search = |search: gleaner_library::SavedSearch| {
        let found = counted.get(&search.id);
        SavedSearch {
            id: search.id,
            name: search.name,
            query: search.query,
            unread: found.map(|found| found.unread),
            more: found.is_some_and(|found| found.more),
            notify: search.notify,
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
        listening,
        languages: languages(app),
    })
}

/// The languages as last counted. A single language is not worth a list.
fn languages(app: &App) -> Vec<LanguageView> {
    let counted = app.session().language_counts.lock();
    let view = |(tag, found): &(String, UnreadFound)| LanguageView {
        tag: tag.clone(),
        unread: found.unread,
        more: found.more,
    };
    if counted.len() < 2 { Vec::new() } else { counted.iter().map(view).collect() }
}

/// Counts again whenever something may have changed.
pub(crate) async fn follow(app: App) {
    loop {
        app.signals().collections.notified().await;
        // pause: several changes in quick succession are counted once.
        tokio::time::sleep(GROUP_WITHIN).await;
        match count(&app).await {
            Ok(collections) => app.emit(Event::Collections(collections)),
            Err(error) => tracing::warn!(%error, "saved searches could not be counted"),
        }
    }
}

async fn count(app: &App) -> Result<Collections> {
    let library = app.core().await?.library;
    let counts = library.saved_searches().count_unread(&now_local()).await?;
    let counts: HashMap<_, _> = counts.into_iter().collect();
    let languages = library.search().count_languages(&now_local()).await?;
    *app.session().language_counts.lock() = languages;
    *app.session().search_counts.lock() = counts;
    read(app, &library).await
}

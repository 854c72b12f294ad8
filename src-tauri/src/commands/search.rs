//! Searching.

use crate::{convert, shell::Shell};
use chrono::Local;
use gleaner_contract::{IpcError, Search, SearchAnswer};
use tauri::State;

#[tauri::command]
pub async fn search(shell: State<'_, Shell>, args: Search) -> Result<SearchAnswer, IpcError> {
    let query = match gleaner_query::parse(&args.query) {
        Ok(query) => query,
        Err(error) => return Ok(convert::not_understood(&args.query, &error)),
    };
    let library = shell.core().await?.library;
    let after = args.after.as_deref().map(convert::search_cursor).transpose()?;
    let limit = convert::page_size(args.limit)?;
    let order = convert::search_order(args.order);
    let found = gleaner_search::search(&library, &query, &Local::now(), order, after, limit).await;
    let (found, more) = found.map_err(convert::search_error)?;
    let waiting = library.index_state().await.map_err(convert::library_error)?.waiting;
    if waiting > 0 {
        // Another process may have brought them.
        shell.index_behind.notify_one();
    }
    let next = found.last().filter(|_| more).map(|last| convert::search_place(last.hit.cursor()));
    Ok(SearchAnswer::Found { hits: found.into_iter().map(convert::search_hit).collect(), next, waiting })
}

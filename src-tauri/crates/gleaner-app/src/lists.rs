//! Lists of articles, their view options, and marks on many articles at once.

use crate::{
    App,
    article_rows::article_row,
    error::{Result, internal},
    links::shown_link,
    list_query::{list_order, list_query, mark_scope, source},
    numbers::to_number,
};
use gleaner_contract::{ArticleIds, ArticlePage, ListQuery, Mark, MarkAll, Marked, View};
use gleaner_library::{Mark as LibraryMark, Undoable};

/// The number of changed articles and the undo step of a change.
pub(crate) fn marked(done: Undoable) -> Marked {
    Marked { count: to_number(done.count), undo: done.step }
}

/// Returns one page of a list.
pub async fn articles(app: &App, args: ListQuery) -> Result<ArticlePage> {
    let library = app.core().await?.library;
    let (rows, more) = library.lists().page(list_query(args)?).await?;
    Ok(ArticlePage { rows: rows.into_iter().map(article_row).collect(), more })
}

/// Returns the stored view options. Options of another version of Gleaner count as defaults.
pub async fn views(app: &App, (): ()) -> Result<Vec<View>> {
    let views = app.core().await?.library.lists().views().await?;
    Ok(views.into_iter().filter_map(|(_, view)| serde_json::from_str(&view).ok()).collect())
}

/// Stores the view options of one list.
pub async fn save_view(app: &App, args: View) -> Result<()> {
    let json = |error: serde_json::Error| internal(error);
    let source = serde_json::to_string(&args.source).map_err(json)?;
    let view = serde_json::to_string(&args).map_err(json)?;
    Ok(app.core().await?.library.lists().set_view(&source, &view).await?)
}

/// Returns the links of the articles that have one.
pub async fn article_addresses(app: &App, args: ArticleIds) -> Result<Vec<String>> {
    let addresses = app.core().await?.library.articles().addresses(&args.ids).await?;
    Ok(addresses.into_iter().map(shown_link).collect())
}

/// Sets or removes marks.
///
/// # Errors
/// When the library cannot be written.
pub async fn mark(app: &App, args: Mark) -> Result<Marked> {
    let wanted = [
        (LibraryMark::Read, args.read),
        (LibraryMark::Starred, args.starred),
        (LibraryMark::Hidden, args.hidden),
        (LibraryMark::Kept, args.kept),
    ];
    let marks: Vec<_> = wanted.into_iter().filter_map(|(mark, on)| Some((mark, on?))).collect();
    let done = app.core().await?.library.articles().set_marks(&args.ids, &marks).await;
    if args.starred == Some(true) {
        app.signals().downloads.notify_one();
    }
    app.marks_changed();
    Ok(marked(done?))
}

/// Marks a list, or the part above or below an article, as read.
pub async fn mark_all_read(app: &App, args: MarkAll) -> Result<Marked> {
    let library = app.core().await?.library;
    let (source, order, scope) = (source(args.source), list_order(args.order), mark_scope(args.scope));
    let done = library.articles().mark_list_read(source, order, scope, args.received_before).await;
    app.marks_changed();
    Ok(marked(done?))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use tokio::runtime::Handle;

    /// Returns whether changes to send to servers were announced since the last call.
    async fn announced(app: &App) -> bool {
        tokio::select! {
            biased;
            () = app.signals().marks.notified() => true,
            () = std::future::ready(()) => false,
        }
    }

    #[tokio::test]
    async fn marks_are_announced_to_the_synchronisation() {
        let folder = tempfile::tempdir().unwrap();
        let app = App::without_window(folder.path().to_owned(), Handle::current());
        app.core().await.unwrap();
        announced(&app).await;
        assert!(!announced(&app).await);
        mark(&app, Mark { ids: vec![1], read: Some(true), starred: None, hidden: None, kept: None }).await.unwrap();
        assert!(announced(&app).await);
        let scope = gleaner_contract::MarkScope::All;
        let source = gleaner_contract::Source::All;
        let order = gleaner_contract::ListOrder::Newest;
        mark_all_read(&app, MarkAll { source, order, scope, received_before: None }).await.unwrap();
        assert!(announced(&app).await);
    }
}

//! Lists and articles.

use crate::{convert, links, shell::Shell};
use gleaner_contract::{
    Article, ArticlePage, Enclosure, ErrorCode, IpcError, ListQuery, Mark, MarkAll, Marked, OpenArticle,
};
use gleaner_library::{Body, Undoable};
use tauri::{AppHandle, State};
use url::Url;

fn marked(done: Undoable) -> Marked {
    Marked { count: convert::count(done.count), undo: done.step }
}

#[tauri::command]
pub async fn articles(shell: State<'_, Shell>, args: ListQuery) -> Result<ArticlePage, IpcError> {
    let (rows, more) = shell.core().await?.library.list(convert::query(args)?).await.map_err(convert::library_error)?;
    Ok(ArticlePage { rows: rows.into_iter().map(convert::row).collect(), more })
}

#[tauri::command]
pub async fn open_article(shell: State<'_, Shell>, args: OpenArticle) -> Result<Article, IpcError> {
    let library = shell.core().await?.library;
    let failed = convert::library_error;
    let item = library.item(args.id).await.map_err(failed)?;
    let feed = library.feed(item.feed_id).await.map_err(failed)?;
    let text = library.article_text(args.id).await.map_err(failed)?;
    let enclosures = library.enclosures(args.id).await.map_err(failed)?;
    let elsewhere = library.elsewhere(args.id).await.map_err(failed)?;
    // Few articles are elsewhere too: only for those are all feeds read.
    let feeds = if elsewhere.is_empty() { Vec::new() } else { library.feeds().await.map_err(failed)? };
    let body = text.content.or(text.summary).unwrap_or_default();
    let Body { html, base } = body;
    let base = base.or_else(|| item.url.clone()).unwrap_or_else(|| feed.url.clone());
    // Sanitised each time it is opened, from what the feed gave: a mended policy mends the whole library.
    let stated = item.language;
    let sanitising = tauri::async_runtime::spawn_blocking(move || {
        let html = gleaner_content::sanitise(&html, Some(&base));
        // Feeds state the language of their software as often as their own: what the text tells for certain goes first.
        let guess = || gleaner_content::language(&gleaner_content::plain_text(&html)).map(str::to_owned);
        let language = stated.or_else(guess);
        (html, language)
    });
    let (html, language) = sanitising.await.map_err(|error| convert::internal(&error.to_string()))?;
    Ok(Article {
        id: item.id,
        feed_id: item.feed_id,
        feed_title: feed.shown_title(),
        feed_home_url: feed.home_url,
        title: item.title,
        author: item.author,
        published: item.published_at,
        updated: item.updated_at,
        url: item.url,
        html,
        language: language.or(feed.language),
        read: item.read,
        starred: item.starred,
        word_count: u32::try_from(item.word_count).unwrap_or(0),
        reading_minutes: convert::reading_minutes(item.word_count),
        enclosures: enclosures
            .into_iter()
            .map(|file| Enclosure { url: file.url, mime_type: file.mime_type, length: file.length, title: file.title })
            .collect(),
        comments_url: item.comments_url,
        categories: text.categories,
        elsewhere: convert::elsewhere(elsewhere, &feeds),
    })
}

#[tauri::command]
pub async fn open_in_browser(app: AppHandle, shell: State<'_, Shell>, args: OpenArticle) -> Result<(), IpcError> {
    let item = shell.core().await?.library.item(args.id).await.map_err(convert::library_error)?;
    let Some(url) = item.url.as_deref().and_then(|url| Url::parse(url).ok()) else {
        let message = "the article names no page".to_owned();
        return Err(IpcError { code: ErrorCode::NotFound, message, detail: None });
    };
    links::open(&app, &url);
    Ok(())
}

#[tauri::command]
pub async fn mark(shell: State<'_, Shell>, args: Mark) -> Result<Marked, IpcError> {
    let done = shell.core().await?.library.mark(&args.ids, args.read, args.starred).await;
    done.map(marked).map_err(convert::library_error)
}

#[tauri::command]
pub async fn mark_all_read(shell: State<'_, Shell>, args: MarkAll) -> Result<Marked, IpcError> {
    let library = shell.core().await?.library;
    let done = library
        .mark_list_read(
            convert::source(args.source),
            args.oldest_first,
            convert::scope(args.scope),
            args.received_before,
        )
        .await;
    done.map(marked).map_err(convert::library_error)
}

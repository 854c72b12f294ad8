//! Lists and articles.

use crate::{convert, images, links, shell::Shell};
use gleaner_contract::{
    Article, ArticlePage, CompareVersions, Comparison, DoubtLinks, Enclosure, ErrorCode, IpcError, ListQuery, Mark,
    MarkAll, Marked, OpenArticle, OpenDoubted,
};
use gleaner_library::{Body, Library, LibraryError, Mark as LibraryMark, Undoable, Version};
use tauri::{AppHandle, State};
use url::Url;

pub fn marked(done: Undoable) -> Marked {
    Marked { count: convert::count(done.count), undo: done.step }
}

#[tauri::command]
pub async fn articles(shell: State<'_, Shell>, args: ListQuery) -> Result<ArticlePage, IpcError> {
    let (rows, more) = shell.core().await?.library.list(convert::query(args)?).await.map_err(convert::library_error)?;
    Ok(ArticlePage { rows: rows.into_iter().map(convert::row).collect(), more })
}

#[tauri::command]
pub async fn open_article(shell: State<'_, Shell>, args: OpenArticle) -> Result<Article, IpcError> {
    article(&shell.core().await?.library, args.id, None).await
}

/// An article with its full text, with the feed's, or with `None` as is wished of its feed; what is not there is not shown.
pub async fn article(library: &Library, id: i64, full: Option<bool>) -> Result<Article, IpcError> {
    let failed = convert::library_error;
    let item = library.item(id).await.map_err(failed)?;
    let feed = library.feed(item.feed_id).await.map_err(failed)?;
    let text = library.article_text(id).await.map_err(failed)?;
    let enclosures = library.enclosures(id).await.map_err(failed)?;
    let tags = library.tags_of(id).await.map_err(failed)?;
    let progress = library.progress(id).await.map_err(failed)?;
    let playback = library.playback(id).await.map_err(failed)?;
    let elsewhere = library.elsewhere(id).await.map_err(failed)?;
    let versions = library.version_dates(id).await.map_err(failed)?;
    // Few articles are elsewhere too: only for those are all feeds read.
    let feeds = if elsewhere.is_empty() { Vec::new() } else { library.feeds().await.map_err(failed)? };
    let full_text = library.full_text(id).await.map_err(failed)?;
    let (_, full_text_first) = library.feed_ahead(item.feed_id).await.map_err(failed)?;
    let full_text_trouble = library.ahead_trouble(id).await.map_err(failed)?;
    let kept_pictures = images::kept(library.item_images(id).await.map_err(failed)?);
    let has_full_text = full_text.is_some();
    let full_text = full_text.filter(|_| full.unwrap_or(full_text_first));
    let shows_full = full_text.is_some();
    let body = full_text.map(|text| text.body).or(text.content).or(text.summary).unwrap_or_default();
    let Body { html, base } = body;
    let base = base.or_else(|| item.url.clone()).unwrap_or_else(|| feed.url.clone());
    // Sanitised each time it is opened, from what the feed gave: a mended policy mends the whole library.
    let stated = item.language;
    let sanitising = tauri::async_runtime::spawn_blocking(move || {
        let html = gleaner_content::sanitise(&html, Some(&base));
        // Feeds state the language of their software as often as their own: what the text tells for certain goes first.
        let guess = || gleaner_content::language(&gleaner_content::plain_text(&html)).map(str::to_owned);
        let language = stated.or_else(guess);
        // The list's count is of the feed's text.
        let words = shows_full.then(|| gleaner_content::word_count(&gleaner_content::plain_text(&html)));
        (html, language, words)
    });
    let (html, language, words) = sanitising.await.map_err(|error| convert::internal(&error.to_string()))?;
    let word_count = words.map_or(item.word_count, i64::from);
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
        hidden: item.hidden,
        kept: item.kept,
        tags: tags.into_iter().map(|(_, name)| name).collect(),
        progress,
        playback: playback.into_iter().map(convert::playback).collect(),
        word_count: u32::try_from(word_count).unwrap_or(0),
        reading_minutes: convert::reading_minutes(word_count),
        enclosures: enclosures
            .into_iter()
            .map(|file| Enclosure { url: file.url, mime_type: file.mime_type, length: file.length, title: file.title })
            .collect(),
        comments_url: item.comments_url,
        categories: text.categories,
        elsewhere: convert::elsewhere(elsewhere, &feeds),
        full: shows_full,
        has_full_text,
        full_text_trouble,
        kept_pictures,
        versions,
    })
}

#[tauri::command]
pub async fn compare_versions(shell: State<'_, Shell>, args: CompareVersions) -> Result<Comparison, IpcError> {
    let library = shell.core().await?.library;
    let failed = convert::library_error;
    let item = library.item(args.id).await.map_err(failed)?;
    let feed = library.feed(item.feed_id).await.map_err(failed)?;
    let versions = library.versions(args.id).await.map_err(failed)?;
    let former = |until: i64| match versions.iter().find(|version| version.until == until) {
        None => Err(failed(LibraryError::NotFound("version"))),
        Some(Version { damage: Some(why), .. }) => {
            Err(failed(LibraryError::Invalid(format!("this version cannot be read: {why}"))))
        }
        Some(version) => {
            let body = version.content.clone().or_else(|| version.summary.clone());
            Ok((version.title.clone(), body.unwrap_or_default()))
        }
    };
    let older = former(args.older)?;
    let newer = match args.newer {
        Some(until) => former(until)?,
        None => {
            let text = library.article_text(args.id).await.map_err(failed)?;
            (item.title, text.content.or(text.summary).unwrap_or_default())
        }
    };
    let address = item.url.unwrap_or(feed.url);
    let comparing = tauri::async_runtime::spawn_blocking(move || {
        let clean = |body: Body| gleaner_content::sanitise(&body.html, Some(body.base.as_deref().unwrap_or(&address)));
        let title = gleaner_content::text_difference(&older.0, &newer.0);
        (title, gleaner_content::difference(&clean(older.1), &clean(newer.1)))
    });
    let (title, text) = comparing.await.map_err(|error| convert::internal(&error.to_string()))?;
    Ok(Comparison {
        inserted: title.inserted + text.inserted,
        deleted: title.deleted + text.deleted,
        title: title.html,
        html: text.html,
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
pub async fn doubt_links(shell: State<'_, Shell>, args: DoubtLinks) -> Result<(), IpcError> {
    shell.doubted.replace(&args.addresses);
    Ok(())
}

#[tauri::command]
pub async fn open_doubted(app: AppHandle, shell: State<'_, Shell>, args: OpenDoubted) -> Result<(), IpcError> {
    match Url::parse(&args.address) {
        Ok(url) if shell.doubted.holds(&url) => links::open(&app, &url),
        _ => {
            let message = "the article on the page has no such link".to_owned();
            return Err(IpcError { code: ErrorCode::NotFound, message, detail: None });
        }
    }
    Ok(())
}

#[tauri::command]
pub async fn mark(shell: State<'_, Shell>, args: Mark) -> Result<Marked, IpcError> {
    let wanted = [
        (LibraryMark::Read, args.read),
        (LibraryMark::Starred, args.starred),
        (LibraryMark::Hidden, args.hidden),
        (LibraryMark::Kept, args.kept),
    ];
    let marks: Vec<_> = wanted.into_iter().filter_map(|(mark, on)| Some((mark, on?))).collect();
    let done = shell.core().await?.library.set_marks(&args.ids, &marks).await;
    if args.starred == Some(true) {
        shell.ahead_wanted.notify_one();
    }
    shell.collections_changed.notify_one();
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
    shell.collections_changed.notify_one();
    done.map(marked).map_err(convert::library_error)
}

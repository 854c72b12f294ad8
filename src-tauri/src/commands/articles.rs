//! Lists and articles.

use crate::{commands::settings, convert, images, links, shell::Shell};
use gleaner_content::GivenText;
use gleaner_contract::{
    Article, ArticlePage, CompareVersions, Comparison, DoubtLinks, Enclosure, ErrorCode, FullTextWhen, IpcError,
    ListOrder, ListQuery, Mark, MarkAll, Marked, OpenArticle, OpenDoubted,
};
use gleaner_exchange::documents;
use gleaner_library::{ArrangedQuery, Body, Library, LibraryError, Mark as LibraryMark, Undoable, Version, now};
use tauri::{AppHandle, State};
use url::Url;

pub fn marked(done: Undoable) -> Marked {
    Marked { count: convert::count(done.count), undo: done.step }
}

#[tauri::command]
pub async fn articles(shell: State<'_, Shell>, args: ListQuery) -> Result<ArticlePage, IpcError> {
    let library = shell.core().await?.library;
    let page = match convert::arrangement(args.order) {
        Some(arrangement) => library.arranged_list(convert::arranged(args, arrangement)?).await,
        None => library.list(convert::query(args)?).await,
    };
    let (rows, more) = page.map_err(convert::library_error)?;
    Ok(ArticlePage { rows: rows.into_iter().map(convert::row).collect(), more })
}

#[tauri::command]
pub async fn open_article(shell: State<'_, Shell>, args: OpenArticle) -> Result<Article, IpcError> {
    let library = shell.core().await?.library;
    let opened = article(&library, args.id, None).await?;
    if !opened.read {
        let feed = opened.feed_id;
        // Nobody waits for the count.
        tauri::async_runtime::spawn(async move {
            if let Err(error) = library.count_opened(feed, now()).await {
                eprintln!("gleaner: {error}");
            }
        });
    }
    Ok(opened)
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
    let preferred = library.preferred(item.feed_id).await.map_err(failed)?;
    let full_text_first = preferred.full_text_first.unwrap_or(false);
    let full_text_trouble = library.ahead_trouble(id).await.map_err(failed)?;
    let kept_pictures = images::kept(library.item_images(id).await.map_err(failed)?);
    let of_feed =
        preferred.full_text_when.and_then(gleaner_library::FullTextWhen::of_number).map(convert::full_text_when);
    let when = of_feed.unwrap_or(settings::of(library).await?.full_text);
    let usual_words = library.usual_words(item.feed_id).await.map_err(failed)?;
    let is_media = enclosures.iter().any(|file| file.mime_type.as_deref().is_some_and(is_recording));
    // One that is long is not read through for that.
    let may_be = usize::try_from(item.word_count).is_ok_and(|words| words < gleaner_content::NO_BEGINNING);
    let own = text.content.as_ref().or(text.summary.as_ref()).filter(|_| may_be);
    let own = own.map(|body| body.html.clone()).unwrap_or_default();
    let title = item.title.clone();
    let telling = tauri::async_runtime::spawn_blocking(move || {
        let text = gleaner_content::plain_text(&own);
        may_be && gleaner_content::is_beginning(&GivenText { text: &text, title: &title, usual_words, is_media })
    });
    let is_beginning = telling.await.map_err(|error| convert::internal(&error.to_string()))?;
    let by_itself = match when {
        FullTextWhen::Never => false,
        FullTextWhen::Short => is_beginning,
        FullTextWhen::Always => true,
    };
    let has_page = item.url.as_deref().is_some_and(|url| url.starts_with("http://") || url.starts_with("https://"));
    let has_full_text = full_text.is_some();
    let offer_text = is_beginning && of_feed.is_none() && !by_itself && has_page && !feed.local && !has_full_text;
    // What was given up is not tried again by itself; neither is anything fetched where the reader chose a text.
    let fetch_text =
        by_itself && full.is_none() && has_page && !feed.local && !has_full_text && full_text_trouble.is_none();
    let full_text = full_text.filter(|_| full.unwrap_or(full_text_first || by_itself));
    let shows_full = full_text.is_some();
    let beside = text.beside;
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
            .map(|file| Enclosure {
                url: file.url,
                mime_type: file.mime_type,
                length: file.length,
                duration: file.duration_seconds,
                title: file.title,
            })
            .collect(),
        comments_url: item.comments_url,
        comments_count: beside.comments,
        has_comments_feed: beside.comments_feed.is_some(),
        has_chapters: !beside.chapters.is_empty() || beside.chapters_url.is_some(),
        source: beside.source.and_then(convert::credit),
        via: beside.via.into_iter().filter_map(convert::credit).collect(),
        categories: text.categories,
        elsewhere: convert::elsewhere(elsewhere, &feeds),
        full: shows_full,
        has_full_text,
        offer_text,
        fetch_text,
        full_text_trouble,
        kept_pictures,
        versions,
    })
}

fn is_recording(mime_type: &str) -> bool {
    let kind = mime_type.split('/').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("audio") || kind.eq_ignore_ascii_case("video")
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
    links::open(&app, &address(&shell, args.id).await?);
    Ok(())
}

#[tauri::command]
pub async fn open_in_background(app: AppHandle, shell: State<'_, Shell>, args: OpenArticle) -> Result<(), IpcError> {
    links::open_behind(&app, &address(&shell, args.id).await?);
    Ok(())
}

async fn address(shell: &Shell, id: i64) -> Result<Url, IpcError> {
    let item = shell.core().await?.library.item(id).await.map_err(convert::library_error)?;
    item.url.as_deref().and_then(|url| Url::parse(url).ok()).ok_or_else(|| {
        let message = "the article names no page".to_owned();
        IpcError { code: ErrorCode::NotFound, message, detail: None }
    })
}

#[tauri::command]
pub async fn article_markdown(shell: State<'_, Shell>, args: OpenArticle) -> Result<String, IpcError> {
    let library = shell.core().await?.library;
    let article = documents::article(&library, args.id).await.map_err(convert::library_error)?;
    Ok(documents::markdown(&article))
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
    let source = convert::source(args.source);
    let done = match (convert::arrangement(args.order), convert::beside(args.scope)) {
        (Some(arrangement), Some((place, above))) => {
            let query = ArrangedQuery { source, unread_only: true, arrangement, after: None, limit: 0 };
            library.mark_arranged_read(query, place, above, args.received_before).await
        }
        _ => {
            let oldest_first = args.order == ListOrder::Oldest;
            library.mark_list_read(source, oldest_first, convert::scope(args.scope), args.received_before).await
        }
    };
    shell.collections_changed.notify_one();
    done.map(marked).map_err(convert::library_error)
}

//! Opening articles.

use crate::{App, convert, error::Result, images, settings};
use gleaner_content::GivenText;
use gleaner_contract::{
    Article, ArticleId, CompareVersions, Comparison, Enclosure, FullTextWhen, SavePlayback, SaveReadingProgress,
};
use gleaner_exchange::documents;
use gleaner_library::{Body, Library, LibraryError, Playback, Version, now};

pub async fn open_article(app: &App, args: ArticleId) -> Result<Article> {
    let library = app.core().await?.library;
    let opened = article(&library, args.id, None).await?;
    if !opened.read {
        let feed = opened.feed_id;
        // The article is shown without waiting for the count.
        app.spawn(async move {
            if let Err(error) = library.reading_stats().record_opened(feed, now()).await {
                tracing::warn!(%error);
            }
        });
    }
    Ok(opened)
}

/// Returns an article with its full text (`Some(true)`), with the feed's text (`Some(false)`), or with the text that the
/// preferences of its feed ask for.
pub async fn article(library: &Library, id: i64, full: Option<bool>) -> Result<Article> {
    let item = library.articles().get(id).await?;
    let feed = library.feeds().get(item.feed_id).await?;
    let text = library.articles().text(id).await?;
    let enclosures = library.articles().enclosures(id).await?;
    let tags = library.tags().of_article(id).await?;
    let progress = library.progress().reading(id).await?;
    let playback = library.progress().playback(id).await?;
    let duplicates = library.duplicates().of_article(id).await?;
    let versions = library.versions().dates(id).await?;
    // All feeds are read only for the few articles with duplicates.
    let feeds = if duplicates.is_empty() { Vec::new() } else { library.feeds().list().await? };
    let full_text = library.articles().full_text(id).await?;
    let preferred = library.preferences().effective(item.feed_id).await?;
    let full_text_first = preferred.full_text_first.unwrap_or(false);
    let full_text_error = library.downloads().text_error(id).await?;
    let offline_images = images::offline_images(library.images().of_article(id).await?);
    let of_feed =
        preferred.full_text_when.and_then(gleaner_library::FullTextWhen::of_number).map(convert::full_text_when);
    let when = of_feed.unwrap_or(settings::of(library).await?.full_text);
    let usual_words = library.feeds().average_words(item.feed_id).await?;
    let is_media = enclosures.iter().any(|file| file.mime_type.as_deref().is_some_and(is_recording));
    // A long text is not an excerpt, so it need not be read.
    let may_be = usize::try_from(item.word_count).is_ok_and(|words| words < gleaner_content::NO_BEGINNING);
    let own = text.content.as_ref().or(text.summary.as_ref()).filter(|_| may_be);
    let own = own.map(|body| body.html.clone()).unwrap_or_default();
    let title = item.title.clone();
    let telling = tokio::task::spawn_blocking(move || {
        let text = gleaner_content::plain_text(&own);
        may_be && gleaner_content::is_beginning(&GivenText { text: &text, title: &title, usual_words, is_media })
    });
    let is_beginning = telling.await?;
    let automatic = match when {
        FullTextWhen::Never => false,
        FullTextWhen::Short => is_beginning,
        FullTextWhen::Always => true,
    };
    let has_page = item.url.as_deref().is_some_and(|url| url.starts_with("http://") || url.starts_with("https://"));
    let has_full_text = full_text.is_some();
    let offer_full_text = is_beginning && of_feed.is_none() && !automatic && has_page && !feed.local && !has_full_text;
    // A download that failed for good is not repeated automatically, and a choice of the user is not overridden.
    let fetch_full_text =
        automatic && full.is_none() && has_page && !feed.local && !has_full_text && full_text_error.is_none();
    let full_text = full_text.filter(|_| full.unwrap_or(full_text_first || automatic));
    let shows_full = full_text.is_some();
    let metadata = text.metadata;
    let body = full_text.map(|text| text.body).or(text.content).or(text.summary).unwrap_or_default();
    let Body { html, base } = body;
    let base = base.or_else(|| item.url.clone()).unwrap_or_else(|| feed.url.clone());
    // Sanitised from the stored HTML on every opening, so that a fix of the sanitiser applies to the whole library.
    let stated = item.language;
    let feed_url = feed.url.clone();
    let sanitising = tokio::task::spawn_blocking(move || {
        let html = gleaner_content::sanitise_for(&html, Some(&base), Some(&feed_url));
        // The language that a feed states is often that of its software, but it is better than a guess.
        let guess = || gleaner_content::language(&gleaner_content::plain_text(&html)).map(str::to_owned);
        let language = stated.or_else(guess);
        // The stored count is of the feed's text.
        let words = shows_full.then(|| gleaner_content::word_count(&gleaner_content::plain_text(&html)));
        (html, language, words)
    });
    let (html, language, words) = sanitising.await?;
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
        comments_count: metadata.comments,
        has_comments_feed: metadata.comments_feed.is_some(),
        has_chapters: !metadata.chapters.is_empty() || metadata.chapters_url.is_some(),
        source: metadata.source.and_then(convert::credit),
        via: metadata.via.into_iter().filter_map(convert::credit).collect(),
        categories: text.categories,
        duplicates: convert::duplicates(duplicates, &feeds),
        shows_full_text: shows_full,
        has_full_text,
        offer_full_text,
        fetch_full_text,
        full_text_error,
        offline_images,
        versions,
    })
}

fn is_recording(mime_type: &str) -> bool {
    let kind = mime_type.split('/').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("audio") || kind.eq_ignore_ascii_case("video")
}

pub async fn compare_versions(app: &App, args: CompareVersions) -> Result<Comparison> {
    let library = app.core().await?.library;
    let item = library.articles().get(args.id).await?;
    let feed = library.feeds().get(item.feed_id).await?;
    let versions = library.versions().of_article(args.id).await?;
    let former = |until: i64| match versions.iter().find(|version| version.until == until) {
        None => Err(LibraryError::NotFound("version")),
        Some(Version { damage: Some(why), .. }) => {
            Err(LibraryError::Invalid(format!("this version cannot be read: {why}")))
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
            let text = library.articles().text(args.id).await?;
            (item.title, text.content.or(text.summary).unwrap_or_default())
        }
    };
    let feed_url = feed.url;
    let address = item.url.unwrap_or_else(|| feed_url.clone());
    let comparing = tokio::task::spawn_blocking(move || {
        let clean = |body: Body| {
            let base = body.base.as_deref().unwrap_or(&address);
            gleaner_content::sanitise_for(&body.html, Some(base), Some(&feed_url))
        };
        let title = gleaner_content::text_difference(&older.0, &newer.0);
        (title, gleaner_content::difference(&clean(older.1), &clean(newer.1)))
    });
    let (title, text) = comparing.await?;
    Ok(Comparison {
        inserted: title.inserted + text.inserted,
        deleted: title.deleted + text.deleted,
        title: title.html,
        html: text.html,
    })
}

pub async fn article_markdown(app: &App, args: ArticleId) -> Result<String> {
    let library = app.core().await?.library;
    let article = documents::article(&library, args.id).await?;
    Ok(documents::markdown(&article))
}

/// Stores the reading position.
pub async fn save_reading_progress(app: &App, args: SaveReadingProgress) -> Result<()> {
    Ok(app.core().await?.library.progress().set_reading(args.id, args.position).await?)
}

/// Stores the playback position of a recording.
pub async fn save_playback(app: &App, args: SavePlayback) -> Result<()> {
    let gleaner_contract::Playback { url, seconds, duration, finished } = args.playback;
    let played = Playback { url, seconds, duration, finished };
    Ok(app.core().await?.library.progress().set_playback(args.id, &played).await?)
}

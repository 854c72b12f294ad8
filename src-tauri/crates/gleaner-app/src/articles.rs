//! Opening articles.

use crate::{
    App, AppError, convert,
    error::{Result, internal},
    images, settings,
};
use gleaner_content::GivenText;
use gleaner_contract::{
    Article, ArticleId, ArticleWindow, CompareVersions, Comparison, DuplicateArticle, Enclosure, ErrorCode,
    FullTextWhen, SavePlayback, SaveReadingProgress, UndoStep,
};
use gleaner_exchange::documents;
use gleaner_library::{Body, Duplicate, Library, LibraryError, Millis, Playback, StoredArticle, now};
use gleaner_polling::FeedError;

/// Maximum size of an article's page in a window of its own, in bytes.
const MAX_PAGE: usize = 64 << 20;
/// Maximum length of the title of such a window, in characters.
const MAX_TITLE: usize = 200;

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
    let (stored, settings) = {
        let mut snapshot = library.snapshot().await?;
        (snapshot.article(id).await?, settings::read(snapshot.setting(settings::KEY).await?))
    };
    let StoredArticle { item, feed, text, full_text, full_text_error, preferences, .. } = stored;
    let full_text_error =
        full_text_error.and_then(|(code, parameters)| FeedError::stored(Some(&code), &parameters)).map(convert::ipc);
    let of_feed =
        preferences.full_text_when.and_then(gleaner_library::FullTextWhen::of_number).map(convert::full_text_when);
    let when = of_feed.unwrap_or(settings.full_text);
    let usual_words = stored.average_words;
    let is_media = stored.enclosures.iter().any(|file| file.mime_type.as_deref().is_some_and(is_recording))
        || item.url.as_deref().is_some_and(gleaner_content::is_video_page);
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
    let full_text_first = preferences.full_text_first.unwrap_or(false);
    let full_text = full_text.filter(|_| full.unwrap_or(full_text_first || automatic));
    let shows_full = full_text.is_some();
    let metadata = text.metadata;
    // Those that the feed names take part in each of its recordings.
    let participants = match (is_media, metadata.participants.is_empty()) {
        (false, _) => Vec::new(),
        (true, true) => stored.head.participants,
        (true, false) => metadata.participants,
    };
    let body = full_text.map(|text| text.body).or(text.content).or(text.summary).unwrap_or_default();
    let Body { html, base } = body;
    let base = base.or_else(|| item.url.clone()).unwrap_or_else(|| feed.url.clone());
    // Sanitised from the stored HTML on every opening, so that a fix of the sanitiser applies to the whole library.
    let stated = item.language;
    let feed_url = feed.url.clone();
    // The image of a recording is its cover, which the player shows.
    let images: Vec<_> = stored.enclosures.iter().filter(|file| !is_media && is_image(file)).cloned().collect();
    let sanitising = tokio::task::spawn_blocking(move || {
        let shown = images.iter().map(|file| (file.url.as_str(), file.title.as_deref()));
        let html = gleaner_content::with_attached_images(html, shown);
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
        feed_home_url: feed.home_url.map(convert::link),
        title: item.title,
        author: item.author,
        published: item.published_at,
        updated: item.updated_at,
        url: item.url.map(convert::link),
        html,
        language: language.or(feed.language),
        read: item.read,
        starred: item.starred,
        hidden: item.hidden,
        kept: item.kept,
        tags: stored.tags,
        progress: stored.progress,
        playback: stored.playback.into_iter().map(convert::playback).collect(),
        word_count: u32::try_from(word_count).unwrap_or(0),
        reading_minutes: convert::reading_minutes(word_count),
        enclosures: stored
            .enclosures
            .into_iter()
            .map(|file| Enclosure {
                url: file.url,
                mime_type: file.mime_type,
                length: file.length,
                duration: file.duration_seconds,
                title: file.title,
            })
            .collect(),
        thumbnail: item.thumbnail_url,
        comments_url: item.comments_url.map(convert::link),
        comments_count: metadata.comments,
        has_comments_feed: metadata.comments_feed.is_some(),
        has_chapters: !metadata.chapters.is_empty() || metadata.chapters_url.is_some(),
        has_transcript: !metadata.transcripts.is_empty() || stored.has_transcript,
        participants: participants.into_iter().map(convert::participant).collect(),
        season: metadata.season,
        season_name: metadata.season_name,
        episode: metadata.episode,
        episode_display: metadata.episode_display,
        source: metadata.source.and_then(convert::credit),
        via: metadata.via.into_iter().filter_map(convert::credit).collect(),
        categories: text.categories,
        duplicates: stored.duplicates.into_iter().map(duplicate).collect(),
        shows_full_text: shows_full,
        has_full_text,
        offer_full_text,
        fetch_full_text,
        full_text_error,
        offline_images: images::offline_images(stored.images),
        versions: stored.versions,
    })
}

fn duplicate((article, feed_title): (Duplicate, String)) -> DuplicateArticle {
    DuplicateArticle { article_id: article.id, feed_id: article.feed_id, feed_title }
}

/// Whether an attached file is shown in the article. Avatars of authors are not.
fn is_image(file: &gleaner_library::Enclosure) -> bool {
    file.mime_type.as_deref().is_some_and(|kind| kind.trim_start().starts_with("image/"))
        && !gleaner_feed::is_avatar(&file.url)
}

fn is_recording(mime_type: &str) -> bool {
    let kind = mime_type.split('/').next().unwrap_or_default().trim();
    // A playlist of HTTP Live Streaming (RFC 8216) is played, too.
    let is_stream = mime_type.to_ascii_lowercase().contains("mpegurl");
    kind.eq_ignore_ascii_case("audio") || kind.eq_ignore_ascii_case("video") || is_stream
}

pub async fn compare_versions(app: &App, args: CompareVersions) -> Result<Comparison> {
    let library = app.core().await?.library;
    let wanted = [Some(args.older), args.newer];
    let found = versions(&library, args.id, move |until| wanted.contains(&until)).await?;
    let version = |until| match found.iter().find(|version| version.until == until) {
        None => Err(LibraryError::NotFound("version").into()),
        Some(Sanitised { damage: Some(why), .. }) => Err(damaged(why)),
        Some(version) => Ok(version),
    };
    Ok(compared(version(Some(args.older))?, version(args.newer)?))
}

fn damaged(why: &str) -> AppError {
    AppError::new(ErrorCode::LibraryDamaged, format_args!("a version cannot be read: {why}"))
}

/// What replaced a former version of an article.
#[derive(Debug)]
pub struct VersionChange {
    /// When the version was replaced.
    pub until: Millis,
    /// The version's title.
    pub title: String,
    /// Its differences to the next version that can be read, or why it cannot be read.
    pub change: Result<Comparison>,
}

/// Returns the former versions of an article, newest first, each with what replaced it.
///
/// # Errors
/// There is no such article, or the library cannot be read.
pub async fn version_changes(app: &App, id: i64) -> Result<Vec<VersionChange>> {
    let mut versions = versions(&app.core().await?.library, id, |_| true).await?.into_iter();
    let mut next = versions.next();
    let mut changes = Vec::new();
    for version in versions {
        let (until, title) = (version.until.unwrap_or_default(), version.title.clone());
        let change = match (&version.damage, &next) {
            (None, Some(newer)) => Ok(compared(&version, newer)),
            (damage, _) => Err(damaged(damage.as_deref().unwrap_or_default())),
        };
        if change.is_ok() {
            next = Some(version);
        }
        changes.push(VersionChange { until, title, change });
    }
    Ok(changes)
}

/// A version of an article, sanitised.
struct Sanitised {
    /// When it was replaced; `None` for the present version.
    until: Option<Millis>,
    title: String,
    html: String,
    damage: Option<String>,
}

/// Returns the wanted versions of an article, newest first.
async fn versions(
    library: &Library,
    id: i64,
    wanted: impl Fn(Option<Millis>) -> bool + Send + 'static,
) -> Result<Vec<Sanitised>> {
    let StoredArticle { item, feed, text, .. } = library.snapshot().await?.article(id).await?;
    let former = library.versions().of_article(id).await?;
    let sanitising = move || {
        let address = item.url.as_deref().unwrap_or(&feed.url);
        let sanitised = |until, title, body: Option<Body>, damage| {
            let Body { html, base } = body.unwrap_or_default();
            let html = gleaner_content::sanitise_for(&html, Some(base.as_deref().unwrap_or(address)), Some(&feed.url));
            Sanitised { until, title, html, damage }
        };
        let present = wanted(None).then(|| sanitised(None, item.title, text.content.or(text.summary), None));
        let former = former.into_iter().filter(|version| wanted(Some(version.until)));
        let former = former.map(|old| sanitised(Some(old.until), old.title, old.content.or(old.summary), old.damage));
        present.into_iter().chain(former).collect()
    };
    Ok(tokio::task::spawn_blocking(sanitising).await?)
}

fn compared(older: &Sanitised, newer: &Sanitised) -> Comparison {
    let title = gleaner_content::text_difference(&older.title, &newer.title);
    let text = gleaner_content::difference(&older.html, &newer.html);
    Comparison {
        inserted: title.inserted + text.inserted,
        deleted: title.deleted + text.deleted,
        title: title.html,
        html: text.html,
    }
}

pub async fn article_markdown(app: &App, args: ArticleId) -> Result<String> {
    let library = app.core().await?.library;
    let article = documents::article(&library, args.id).await?;
    Ok(documents::markdown(&article))
}

/// Opens an article's page in a window of its own, or prints it.
pub async fn open_article_window(app: &App, args: ArticleWindow) -> Result<()> {
    if args.html.len() > MAX_PAGE || args.css.len() > MAX_PAGE {
        return Err(AppError::new(ErrorCode::TooLarge, "the page of the article is too large for a window"));
    }
    let position = args.position.clamp(0.0, 1.0);
    // What is printed may also be the list of shortcuts.
    if !args.print {
        app.core().await?.library.articles().get(args.id).await?;
    }
    let title = args.title.chars().filter(|letter| !letter.is_control()).take(MAX_TITLE).collect();
    app.platform()?.open_article(ArticleWindow { title, position, ..args }).map_err(internal)
}

/// Stores the reading position.
pub async fn save_reading_progress(app: &App, args: SaveReadingProgress) -> Result<()> {
    Ok(app.core().await?.library.progress().set_reading(args.id, args.position).await?)
}

/// Marks the started recordings of an article as played to the end.
pub async fn mark_played(app: &App, args: ArticleId) -> Result<UndoStep> {
    let done = app.core().await?.library.progress().finish(args.id).await?;
    app.signals().collections.notify_one();
    Ok(UndoStep { undo: done.step })
}

/// Stores the playback position of a recording.
pub async fn save_playback(app: &App, args: SavePlayback) -> Result<()> {
    let gleaner_contract::Playback { url, seconds, duration, finished } = args.playback;
    let played = Playback { url, seconds, duration, finished };
    if app.core().await?.library.progress().set_playback(args.id, &played).await? {
        app.signals().collections.notify_one();
    }
    Ok(())
}

//! Opening articles.

use crate::{App, convert, error::Result, images, settings};
use gleaner_content::GivenText;
use gleaner_contract::{
    Article, ArticleId, CompareVersions, Comparison, DuplicateArticle, Enclosure, FullTextWhen, SavePlayback,
    SaveReadingProgress,
};
use gleaner_exchange::documents;
use gleaner_library::{Body, Elsewhere, Library, LibraryError, Millis, Playback, StoredArticle, Version, now};

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
        (snapshot.article(id).await?, settings::in_snapshot(&mut snapshot).await?)
    };
    let StoredArticle { item, feed, text, full_text, full_text_error, preferences, .. } = stored;
    let of_feed =
        preferences.full_text_when.and_then(gleaner_library::FullTextWhen::of_number).map(convert::full_text_when);
    let when = of_feed.unwrap_or(settings.full_text);
    let usual_words = stored.average_words;
    let is_media = stored.enclosures.iter().any(|file| file.mime_type.as_deref().is_some_and(is_recording));
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
    let by_itself = match when {
        FullTextWhen::Never => false,
        FullTextWhen::Short => is_beginning,
        FullTextWhen::Always => true,
    };
    let has_page = item.url.as_deref().is_some_and(|url| url.starts_with("http://") || url.starts_with("https://"));
    let has_full_text = full_text.is_some();
    let offer_full_text = is_beginning && of_feed.is_none() && !by_itself && has_page && !feed.local && !has_full_text;
    // A download that failed for good is not repeated automatically, and a choice of the user is not overridden.
    let fetch_full_text =
        by_itself && full.is_none() && has_page && !feed.local && !has_full_text && full_text_error.is_none();
    let full_text_first = preferences.full_text_first.unwrap_or(false);
    let full_text = full_text.filter(|_| full.unwrap_or(full_text_first || by_itself));
    let shows_full = full_text.is_some();
    let beside = text.beside;
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
        comments_url: item.comments_url,
        comments_count: beside.comments,
        has_comments_feed: beside.comments_feed.is_some(),
        has_chapters: !beside.chapters.is_empty() || beside.chapters_url.is_some(),
        source: beside.source.and_then(convert::credit),
        via: beside.via.into_iter().filter_map(convert::credit).collect(),
        categories: text.categories,
        duplicates: stored.duplicates.into_iter().map(duplicate).collect(),
        shows_full_text: shows_full,
        has_full_text,
        offer_full_text,
        fetch_full_text,
        full_text_error,
        offline_images: images::kept(stored.images),
        versions: stored.versions,
    })
}

fn duplicate((twin, feed_title): (Elsewhere, String)) -> DuplicateArticle {
    DuplicateArticle { article_id: twin.id, feed_id: twin.feed_id, feed_title }
}

fn is_recording(mime_type: &str) -> bool {
    let kind = mime_type.split('/').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("audio") || kind.eq_ignore_ascii_case("video")
}

pub async fn compare_versions(app: &App, args: CompareVersions) -> Result<Comparison> {
    let library = app.core().await?.library;
    let former = library.versions().of_article(args.id).await?;
    let text = |until: i64| match former.iter().find(|version| version.until == until) {
        None => Err(LibraryError::NotFound("version")),
        Some(Version { damage: Some(why), .. }) => {
            Err(LibraryError::Invalid(format!("this version cannot be read: {why}")))
        }
        Some(version) => Ok(VersionText::former(version.clone())),
    };
    let (current, shown) = current_version(&library, args.id).await?;
    let older = text(args.older)?;
    let newer = args.newer.map_or(Ok(current), text)?;
    Ok(tokio::task::spawn_blocking(move || shown.of(older).compared(&shown.of(newer))).await?)
}

/// What replaced a former version of an article.
#[derive(Debug)]
pub struct VersionChange {
    /// When the version was replaced.
    pub until: Millis,
    /// The version's title.
    pub title: String,
    /// Its differences to the next version that can be read, or why it cannot be read.
    pub change: Result<Comparison, String>,
}

/// Returns the former versions of an article, newest first, each with what replaced it.
///
/// # Errors
/// There is no such article, or the library cannot be read.
pub async fn version_changes(app: &App, id: i64) -> Result<Vec<VersionChange>> {
    let library = app.core().await?.library;
    let (current, shown) = current_version(&library, id).await?;
    let former = library.versions().of_article(id).await?;
    let compared = move || {
        let mut next = shown.of(current);
        let change = |mut version: Version| {
            let (until, title) = (version.until, version.title.clone());
            let change = match version.damage.take() {
                Some(why) => Err(why),
                None => {
                    let version = shown.of(VersionText::former(version));
                    let change = version.compared(&next);
                    next = version;
                    Ok(change)
                }
            };
            VersionChange { until, title, change }
        };
        former.into_iter().map(change).collect()
    };
    Ok(tokio::task::spawn_blocking(compared).await?)
}

/// The title and text of a version.
struct VersionText {
    title: String,
    body: Body,
}

impl VersionText {
    fn former(version: Version) -> Self {
        Self { title: version.title, body: version.content.or(version.summary).unwrap_or_default() }
    }

    /// Compares with a newer version, both sanitised.
    fn compared(&self, newer: &Self) -> Comparison {
        let title = gleaner_content::text_difference(&self.title, &newer.title);
        let text = gleaner_content::difference(&self.body.html, &newer.body.html);
        Comparison {
            inserted: title.inserted + text.inserted,
            deleted: title.deleted + text.deleted,
            title: title.html,
            html: text.html,
        }
    }
}

/// The addresses that the versions of an article are sanitised with.
struct VersionBase {
    article: String,
    feed: String,
}

impl VersionBase {
    /// Sanitises a version.
    fn of(&self, VersionText { title, body }: VersionText) -> VersionText {
        let base = body.base.as_deref().unwrap_or(&self.article);
        let html = gleaner_content::sanitise_for(&body.html, Some(base), Some(&self.feed));
        VersionText { title, body: Body { html, base: body.base } }
    }
}

async fn current_version(library: &Library, id: i64) -> Result<(VersionText, VersionBase)> {
    let item = library.articles().get(id).await?;
    let feed = library.feeds().get(item.feed_id).await?.url;
    let text = library.articles().text(id).await?;
    let body = text.content.or(text.summary).unwrap_or_default();
    let article = item.url.unwrap_or_else(|| feed.clone());
    Ok((VersionText { title: item.title, body }, VersionBase { article, feed }))
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

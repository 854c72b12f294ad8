//! Opening articles, comparing their versions, and their positions.

mod shown;

use crate::{
    App, AppError, article_rows,
    error::{Result, internal},
    settings,
};
use gleaner_contract::{
    Article, ArticleId, ArticleWindow, CompareVersions, Comparison, ErrorCode, Played, SavePlayback,
    SaveReadingProgress, UndoStep,
};
use gleaner_exchange::documents;
use gleaner_library::{Body, Library, LibraryError, Millis, Playback, StoredArticle, Version, now};
use std::sync::Arc;

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
    shown::article(stored, full, settings.full_text).await
}

pub async fn compare_versions(app: &App, args: CompareVersions) -> Result<Comparison> {
    let library = app.core().await?.library;
    let wanted = [Some(args.older), args.newer];
    let (present, site) = present(&library, args.id).await?;
    let old = library.versions().selected(args.id, |until| wanted.contains(&Some(until))).await?;
    let present = Some(present).filter(|_| args.newer.is_none());
    let found = sanitised(&site, present.into_iter().chain(old.into_iter().map(former)).collect()).await?;
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

/// What replaced an earlier version of an article.
#[derive(Debug)]
pub struct VersionChange {
    /// When the version was replaced.
    pub until: Millis,
    /// The version's title.
    pub title: String,
    /// Its differences to the next version that can be read, or why it cannot be read.
    pub change: Result<Comparison>,
}

/// Calls `each` with the earlier versions of an article, newest first, each with what replaced it. A few are in memory at a time.
///
/// # Errors
/// There is no such article, or the library cannot be read.
pub async fn version_changes(app: &App, id: i64, mut each: impl FnMut(VersionChange) + Send) -> Result<()> {
    let library = app.core().await?.library;
    let (present, site) = present(&library, id).await?;
    let mut next = sanitised(&site, vec![present]).await?.pop();
    for group in library.versions().groups(id).await? {
        let group = library.versions().group(id, group).await?.into_iter().map(former).collect();
        for version in sanitised(&site, group).await? {
            let (until, title) = (version.until.unwrap_or_default(), version.title.clone());
            let change = match (&version.damage, &next) {
                (None, Some(newer)) => Ok(compared(&version, newer)),
                (damage, _) => Err(damaged(damage.as_deref().unwrap_or_default())),
            };
            if change.is_ok() {
                next = Some(version);
            }
            each(VersionChange { until, title, change });
        }
    }
    Ok(())
}

/// A version of an article, sanitised.
struct Sanitised {
    /// When it was replaced; `None` for the present version.
    until: Option<Millis>,
    title: String,
    html: String,
    damage: Option<String>,
}

/// The addresses that links and images of an article are relative to.
struct Site {
    address: String,
    feed: String,
}

/// A version that is not sanitised yet: when it was replaced, its title and text, and why these can't be read.
type Raw = (Option<Millis>, String, Option<Body>, Option<String>);

fn former(old: Version) -> Raw {
    (Some(old.until), old.title, old.content.or(old.summary), old.damage)
}

/// Returns an article's present version, and its addresses.
async fn present(library: &Library, id: i64) -> Result<(Raw, Arc<Site>)> {
    let StoredArticle { item, feed, text, .. } = library.snapshot().await?.article(id).await?;
    let site = Site { address: item.url.unwrap_or_else(|| feed.url.clone()), feed: feed.url };
    Ok(((None, item.title, text.content.or(text.summary), None), Arc::new(site)))
}

async fn sanitised(site: &Arc<Site>, versions: Vec<Raw>) -> Result<Vec<Sanitised>> {
    let site = Arc::clone(site);
    let sanitise = move |(until, title, body, damage): Raw| {
        let Body { html, base } = body.unwrap_or_default();
        let base = base.as_deref().unwrap_or(&site.address);
        Sanitised { until, title, html: gleaner_content::sanitise_for(&html, Some(base), Some(&site.feed)), damage }
    };
    Ok(tokio::task::spawn_blocking(move || versions.into_iter().map(sanitise).collect()).await?)
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

/// Stores the playback position of a recording. Returns how far its article was played.
pub async fn save_playback(app: &App, args: SavePlayback) -> Result<Option<Played>> {
    let gleaner_contract::Playback { url, seconds, duration, finished } = args.playback;
    let played = Playback { url, seconds, duration, finished };
    let library = app.core().await?.library;
    if library.progress().set_playback(args.id, &played).await? {
        app.signals().collections.notify_one();
    }
    Ok(library.progress().played(args.id).await?.and_then(article_rows::played))
}

//! Builds an article as the window shows it from the library's data.

use crate::{
    article_rows::reading_minutes,
    error::{Result, feeds::stored_feed_error},
    full_text, images,
    links::shown_link,
    metadata::{credit, participant},
};
use gleaner_address::has_web_scheme;
use gleaner_content::GivenText;
use gleaner_contract::{self as contract, Article, DuplicateArticle, Enclosure, FullTextWhen, Participant};
use gleaner_library::{Body, Duplicate, StoredArticle};
use gleaner_query::Media;

/// Builds an article with its full text (`Some(true)`), with the feed's text (`Some(false)`), or with the text that the preferences
/// of its feed ask for; `default_when` applies where they are not set.
pub(super) async fn article(
    mut stored: StoredArticle,
    full: Option<bool>,
    default_when: FullTextWhen,
) -> Result<Article> {
    let is_media = is_media(&stored);
    let full_text_error = stored.full_text_error.take();
    let full_text_error = full_text_error.and_then(|(code, parameters)| stored_feed_error(Some(&code), &parameters));
    let has_full_text = stored.full_text.is_some();
    let text_choice = choose_text(&stored, full, default_when, is_media, full_text_error.is_some()).await?;
    let participants = participants(&mut stored, is_media);
    let SanitisedText { html, language, words } = sanitise(&mut stored, text_choice.full, is_media).await?;
    let StoredArticle { item, feed, text, .. } = stored;
    let metadata = text.metadata;
    let word_count = words.map_or(item.word_count, i64::from);
    Ok(Article {
        id: item.id,
        feed_id: item.feed_id,
        feed_title: feed.shown_title(),
        feed_home_url: feed.home_url.map(shown_link),
        title: item.title,
        author: item.author,
        published: item.published_at,
        updated: item.updated_at,
        sort_at: item.sort_at,
        url: item.url.map(shown_link),
        html,
        language: language.or(feed.language),
        read: item.read,
        starred: item.starred,
        hidden: item.hidden,
        kept: item.kept,
        tags: stored.tags,
        progress: stored.progress,
        playback: stored.playback.into_iter().map(playback).collect(),
        word_count: u32::try_from(word_count).unwrap_or(0),
        reading_minutes: reading_minutes(word_count),
        enclosures: stored.enclosures.into_iter().map(enclosure).collect(),
        thumbnail: item.thumbnail_url,
        comments_url: item.comments_url.map(shown_link),
        comments_count: metadata.comments,
        has_comments_feed: metadata.comments_feed.is_some(),
        has_chapters: !metadata.chapters.is_empty() || metadata.chapters_url.is_some(),
        has_transcript: !metadata.transcripts.is_empty() || stored.has_transcript,
        participants,
        season: metadata.season,
        season_name: metadata.season_name,
        episode: metadata.episode,
        episode_display: metadata.episode_display,
        source: metadata.source.and_then(credit),
        via: metadata.via.into_iter().filter_map(credit).collect(),
        categories: text.categories,
        duplicates: stored.duplicates.into_iter().map(duplicate).collect(),
        shows_full_text: text_choice.full,
        has_full_text,
        offer_full_text: text_choice.offer_full,
        fetch_full_text: text_choice.fetch_full,
        full_text_error,
        offline_images: images::offline_images(stored.images),
        versions: stored.versions,
    })
}

/// The choice of an article's text, and what is offered.
struct TextChoice {
    /// The stored full text is shown.
    full: bool,
    /// Downloading the full text is offered.
    offer_full: bool,
    /// The full text is downloaded automatically.
    fetch_full: bool,
}

async fn choose_text(
    stored: &StoredArticle,
    full: Option<bool>,
    default_when: FullTextWhen,
    is_media: bool,
    has_failed: bool,
) -> Result<TextChoice> {
    let preferences = &stored.preferences;
    let of_feed =
        preferences.full_text_when.and_then(gleaner_library::FullTextWhen::of_number).map(full_text::from_library);
    let is_excerpt = is_excerpt(stored, is_media).await?;
    let automatic = match of_feed.unwrap_or(default_when) {
        FullTextWhen::Never => false,
        FullTextWhen::Short => is_excerpt,
        FullTextWhen::Always => true,
    };
    let url = stored.item.url.as_deref();
    let has_page = url.is_some_and(has_web_scheme);
    let is_stored = stored.full_text.is_some();
    let can_fetch = has_page && !stored.feed.local && !is_stored;
    Ok(TextChoice {
        full: is_stored && full.unwrap_or(preferences.full_text_first.unwrap_or(false) || automatic),
        offer_full: is_excerpt && of_feed.is_none() && !automatic && can_fetch,
        // A download that failed for good is not repeated automatically, and a choice of the user is not overridden.
        fetch_full: automatic && full.is_none() && can_fetch && !has_failed,
    })
}

/// Returns whether the feed seems to give only the beginning of the article's text.
async fn is_excerpt(stored: &StoredArticle, is_media: bool) -> Result<bool> {
    // A long text is not an excerpt, so it is not examined.
    if !usize::try_from(stored.item.word_count).is_ok_and(|words| words < gleaner_content::NO_BEGINNING) {
        return Ok(false);
    }
    let body = stored.text.content.as_ref().or(stored.text.summary.as_ref());
    let html = body.map(|body| body.html.clone()).unwrap_or_default();
    let (title, usual_words) = (stored.item.title.clone(), stored.average_words);
    let examining = tokio::task::spawn_blocking(move || {
        let text = gleaner_content::plain_text(&html);
        let has_image = gleaner_content::first_image(&html, Some("https://example.invalid/")).is_some();
        gleaner_content::is_beginning(&GivenText { text: &text, title: &title, usual_words, is_media, has_image })
    });
    Ok(examining.await?)
}

/// The shown text of an article.
struct SanitisedText {
    html: String,
    /// The language that the feed states for the article, else the one recognised in the text.
    language: Option<String>,
    /// Number of words, counted only of a full text: the library stores that of the feed's text.
    words: Option<u32>,
}

/// Takes the full text or the feed's text out of a stored article, and sanitises it. It is sanitised on every opening, so that a fix of
/// the sanitiser applies to the whole library.
async fn sanitise(stored: &mut StoredArticle, full: bool, is_media: bool) -> Result<SanitisedText> {
    let full_text = stored.full_text.take().filter(|_| full);
    let body = full_text.map(|text| text.body).or(stored.text.content.take()).or(stored.text.summary.take());
    let Body { html, base } = body.unwrap_or_default();
    let feed_url = stored.feed.url.clone();
    let base = base.or_else(|| stored.item.url.clone()).unwrap_or_else(|| feed_url.clone());
    let stated = stored.item.language.take();
    // The image of a recording is its cover, which the player shows.
    let images: Vec<_> = stored.enclosures.iter().filter(|file| !is_media && is_image(file)).cloned().collect();
    let sanitising = tokio::task::spawn_blocking(move || {
        let images = images.iter().map(|file| (file.url.as_str(), file.title.as_deref()));
        let html = gleaner_content::with_attached_images(html, images);
        let html = gleaner_content::sanitise_for(&html, Some(&base), Some(&feed_url));
        // The language that a feed states is often that of its software, but it is better than a guess.
        let guess = || gleaner_content::language(&gleaner_content::plain_text(&html)).map(str::to_owned);
        let language = stated.or_else(guess);
        let words = full.then(|| gleaner_content::word_count(&gleaner_content::plain_text(&html)));
        SanitisedText { html, language, words }
    });
    Ok(sanitising.await?)
}

/// Returns the participants of a recording: its own, else those of its feed.
fn participants(stored: &mut StoredArticle, is_media: bool) -> Vec<Participant> {
    if !is_media {
        return Vec::new();
    }
    let own = std::mem::take(&mut stored.text.metadata.participants);
    let participants = if own.is_empty() { std::mem::take(&mut stored.head.participants) } else { own };
    participants.into_iter().map(participant).collect()
}

fn duplicate((article, feed_title): (Duplicate, String)) -> DuplicateArticle {
    DuplicateArticle { article_id: article.id, feed_id: article.feed_id, feed_title }
}

fn enclosure(file: gleaner_library::Enclosure) -> Enclosure {
    Enclosure {
        url: file.url,
        mime_type: file.mime_type,
        length: file.length,
        duration: file.duration_seconds,
        title: file.title,
    }
}

/// Returns whether an attached file is shown in the article. Avatars of authors are not.
fn is_image(file: &gleaner_library::Enclosure) -> bool {
    file.mime_type.as_deref().is_some_and(|kind| kind.trim_start().starts_with("image/"))
        && !gleaner_feed::is_avatar(&file.url)
}

/// Returns whether an article is a recording, which its text only introduces.
fn is_media(stored: &StoredArticle) -> bool {
    stored.enclosures.iter().any(|file| file.mime_type.as_deref().is_some_and(is_recording))
        || stored.item.url.as_deref().is_some_and(gleaner_content::is_video_page)
}

fn is_recording(mime_type: &str) -> bool {
    matches!(Media::of_file(mime_type), Some(Media::Audio | Media::Video))
}

fn playback(played: gleaner_library::Playback) -> contract::Playback {
    let gleaner_library::Playback { url, seconds, duration, finished } = played;
    contract::Playback { url, seconds, duration, finished }
}

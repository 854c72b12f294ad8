//! Converts the rows of lists of articles.

use crate::{images::image_url, metadata::may_show};
use gleaner_contract as contract;
use gleaner_library::{Played, Row};

/// Returns the reading time at the usual speed of adults. Lists by length use it, too (`Row::length`).
pub(crate) fn reading_minutes(words: i64) -> u32 {
    const WORDS_A_MINUTE: i64 = 230;
    u32::try_from((words + WORDS_A_MINUTE / 2) / WORDS_A_MINUTE).unwrap_or(0).max(u32::from(words > 0))
}

pub(crate) fn article_row(row: Row) -> contract::ArticleRow {
    let length = row.length();
    let show_image =
        row.show_image.zip(row.show_url).filter(|(image, feed)| may_show(image, feed)).map(|(image, _)| image);
    contract::ArticleRow {
        id: row.id,
        feed_id: row.feed_id,
        title: row.title,
        excerpt: row.excerpt,
        author: row.author,
        language: row.language,
        published: row.published_at,
        sort_at: row.sort_at,
        read: row.read,
        starred: row.starred,
        reading_minutes: reading_minutes(row.word_count),
        length: u32::try_from(length).unwrap_or(u32::MAX),
        thumbnail: row.thumbnail_url,
        has_link: row.has_link,
        show_image,
        offline_thumbnail: row.stored_thumbnail.map(|name| image_url(&name)),
        media: row.media,
        duration: row.duration_seconds.and_then(|seconds| u32::try_from(seconds).ok()).filter(|seconds| *seconds > 0),
        updated: row.updated,
        played: row.played.and_then(played),
    }
}

/// Returns how far an episode was played; `None` if the position is not valid.
pub(crate) fn played(played: Played) -> Option<contract::Played> {
    Some(contract::Played {
        seconds: u32::try_from(played.seconds).ok()?,
        duration: played.duration.and_then(|duration| u32::try_from(duration).ok()),
        finished: played.finished,
    })
}

//! `enclosures`: files attached to articles, the most important first.

use serde::{Deserialize, Serialize};
use sqlx::{SqliteConnection, SqliteExecutor};

/// A file attached to an article.
#[derive(Debug, Clone, PartialEq, Default, sqlx::FromRow, Serialize, Deserialize)]
pub struct Enclosure {
    /// Absolute address.
    pub url: String,
    /// MIME type as the feed gives it.
    pub mime_type: Option<String>,
    /// Size in bytes as the feed gives it.
    pub length: Option<i64>,
    /// Plain text.
    pub title: Option<String>,
    /// Duration in seconds.
    pub duration_seconds: Option<f64>,
}

/// Returns the enclosures of an article.
pub(crate) async fn of_article<'c>(reader: impl SqliteExecutor<'c>, item: i64) -> sqlx::Result<Vec<Enclosure>> {
    let sql =
        "SELECT url, mime_type, length, title, duration_seconds FROM enclosures WHERE item_id = ? ORDER BY position";
    sqlx::query_as(sql).bind(item).fetch_all(reader).await
}

/// Replaces the enclosures of an article.
pub(crate) async fn replace(
    connection: &mut SqliteConnection,
    item: i64,
    enclosures: &[Enclosure],
    is_new: bool,
) -> sqlx::Result<()> {
    if !is_new {
        let before = of_article(&mut *connection, item).await?;
        follow(connection, item, &before, enclosures).await?;
        sqlx::query("DELETE FROM enclosures WHERE item_id = ?").bind(item).execute(&mut *connection).await?;
    }
    for (position, enclosure) in (0_i64..).zip(enclosures) {
        sqlx::query(
            "INSERT INTO enclosures (item_id, position, url, mime_type, length, title, duration_seconds) VALUES (?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(item)
        .bind(position)
        .bind(&enclosure.url)
        .bind(&enclosure.mime_type)
        .bind(enclosure.length)
        .bind(&enclosure.title)
        .bind(enclosure.duration_seconds)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// Moves playback positions, places in the play queue and queued downloads of recordings to their new addresses, if these have changed. A
/// download that has begun keeps its address, since the name of its file follows from it.
async fn follow(
    connection: &mut SqliteConnection,
    item: i64,
    before: &[Enclosure],
    after: &[Enclosure],
) -> sqlx::Result<()> {
    for (from, to) in moved(before, after) {
        for sql in [
            "UPDATE OR IGNORE playback SET url = ?3 WHERE item_id = ?1 AND url = ?2",
            "UPDATE OR IGNORE play_queue SET url = ?3 WHERE item_id = ?1 AND url = ?2",
            "UPDATE OR IGNORE episodes SET url = ?3 WHERE item_id = ?1 AND url = ?2 AND state <> 1 AND bytes = 0",
        ] {
            sqlx::query(sql).bind(item).bind(from).bind(to).execute(&mut *connection).await?;
        }
    }
    Ok(())
}

/// Returns the former and new addresses of recordings whose file name stayed the same. They differ in a signature that expires, or in the
/// server. With another file name, it is another recording, such as the next one of an article that always has the latest news.
fn moved<'a>(before: &'a [Enclosure], after: &'a [Enclosure]) -> Vec<(&'a str, &'a str)> {
    let is_in = |list: &[Enclosure], file: &Enclosure| list.iter().any(|other| other.url == file.url);
    let gone: Vec<&Enclosure> = before.iter().filter(|file| !is_in(after, file)).collect();
    let new: Vec<&Enclosure> = after.iter().filter(|file| !is_in(before, file)).collect();
    let only = |list: &[&'a Enclosure], name: &str| {
        let mut same = list.iter().filter(|file| file.file_name() == Some(name));
        same.next().filter(|_| same.next().is_none()).copied()
    };
    let pairs = gone.iter().filter_map(|file| Some((only(&gone, file.file_name()?)?, only(&new, file.file_name()?)?)));
    pairs.map(|(from, to)| (from.url.as_str(), to.url.as_str())).collect()
}

impl Enclosure {
    /// Returns the name of the file in the address's path. For a program there is none: the query says which file it sends.
    fn file_name(&self) -> Option<&str> {
        let name = self.url.split(['?', '#']).next()?.rsplit('/').next()?;
        Some(name).filter(|name| name.contains('.'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(list: &[&str]) -> Vec<Enclosure> {
        let file = |written: &&str| Enclosure {
            url: format!("https://a.example/{written}"),
            mime_type: Some(if written.contains(".jpg") { "image/jpeg" } else { "audio/mpeg" }.to_owned()),
            ..Enclosure::default()
        };
        list.iter().map(file).collect()
    }

    #[test]
    fn recordings_are_followed_to_their_new_addresses() {
        for (before, after, expected) in [
            (&["1.mp3?s=a"][..], &["1.mp3?s=b"][..], &[("1.mp3?s=a", "1.mp3?s=b")][..]),
            (&["1.mp3"], &["new/1.mp3"], &[("1.mp3", "new/1.mp3")]),
            (&["1.mp3", "p.jpg"], &["2.mp3", "p.jpg"], &[]),
            (&["get?id=1"], &["get?id=2"], &[]),
            (&["1.mp3?a", "2.mp3?a"], &["2.mp3?b", "1.mp3?b"], &[("1.mp3?a", "1.mp3?b"), ("2.mp3?a", "2.mp3?b")]),
            (&["1.mp3", "2.mp3"], &["3.mp3", "4.mp3"], &[]),
            (&["get?id=1", "get?id=2"], &["get?id=3", "get?id=4"], &[]),
            (&["1.mp3"], &["1.jpg"], &[]),
            (&["1.mp3"], &["1.mp3", "2.mp3"], &[]),
            (&["1.mp3"], &[], &[]),
        ] {
            let (before, after) = (files(before), files(after));
            let found: Vec<(&str, &str)> = moved(&before, &after)
                .into_iter()
                .map(|(from, to)| {
                    (from.trim_start_matches("https://a.example/"), to.trim_start_matches("https://a.example/"))
                })
                .collect();
            assert_eq!(found, expected);
        }
    }
}

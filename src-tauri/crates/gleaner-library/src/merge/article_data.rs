//! Moves the user's data of articles to the same articles of the feed into which their feed is merged: reading and playback positions,
//! entries of the play queue, articles to be saved in services, downloads, full texts, transcripts, stored images and earlier versions.
//! Data that a counterpart already has stays as it is.

use super::COUNTERPARTS;
use crate::{LibraryError, json::json};
use sqlx::SqliteConnection;

/// A row of an article: the article, its counterpart, and the rest of the row's key.
type Row = (i64, i64, String);

/// A table with data of articles.
struct Table {
    /// Selects the [`Row`]s that the counterparts `c.other` of articles `c.one` do not have.
    missing: &'static str,
    /// Moves or copies a row from the article `?1` to `?2`.
    carry: &'static str,
    /// Undoes that, from `?1` to `?2`.
    back: &'static str,
    /// Whether the index contains whether an article has such rows, and no trigger updates it.
    is_searched: bool,
}

const TABLES: [Table; 9] = [
    Table {
        missing: "SELECT c.one, c.other, '' FROM counterparts c CROSS JOIN progress t ON t.item_id = c.one
            WHERE NOT EXISTS (SELECT 1 FROM progress o WHERE o.item_id = c.other)",
        carry: "UPDATE OR IGNORE progress SET item_id = ?2 WHERE item_id = ?1 AND ?3 = ?3",
        back: "UPDATE OR IGNORE progress SET item_id = ?2 WHERE item_id = ?1 AND ?3 = ?3",
        is_searched: false,
    },
    Table {
        missing: "SELECT c.one, c.other, t.url FROM counterparts c CROSS JOIN playback t ON t.item_id = c.one
            WHERE NOT EXISTS (SELECT 1 FROM playback o WHERE o.item_id = c.other AND o.url = t.url)",
        carry: "UPDATE OR IGNORE playback SET item_id = ?2 WHERE item_id = ?1 AND url = ?3",
        back: "UPDATE OR IGNORE playback SET item_id = ?2 WHERE item_id = ?1 AND url = ?3",
        is_searched: false,
    },
    Table {
        missing: "SELECT c.one, c.other, t.url FROM counterparts c CROSS JOIN play_queue t ON t.item_id = c.one
            WHERE NOT EXISTS (SELECT 1 FROM play_queue o WHERE o.item_id = c.other AND o.url = t.url)",
        carry: "UPDATE OR IGNORE play_queue SET item_id = ?2 WHERE item_id = ?1 AND url = ?3",
        back: "UPDATE OR IGNORE play_queue SET item_id = ?2 WHERE item_id = ?1 AND url = ?3",
        is_searched: false,
    },
    Table {
        missing: "SELECT c.one, c.other, CAST(t.service_id AS TEXT) FROM counterparts c CROSS JOIN share_queue t ON t.item_id = c.one
            WHERE NOT EXISTS (SELECT 1 FROM share_queue o WHERE o.item_id = c.other AND o.service_id = t.service_id)",
        carry: "UPDATE OR IGNORE share_queue SET item_id = ?2 WHERE item_id = ?1 AND service_id = CAST(?3 AS INTEGER)",
        back: "UPDATE OR IGNORE share_queue SET item_id = ?2 WHERE item_id = ?1 AND service_id = CAST(?3 AS INTEGER)",
        is_searched: false,
    },
    Table {
        missing: "SELECT c.one, c.other, '' FROM counterparts c CROSS JOIN full_texts t ON t.item_id = c.one
            WHERE NOT EXISTS (SELECT 1 FROM full_texts o WHERE o.item_id = c.other)",
        carry: "INSERT OR IGNORE INTO full_texts (item_id, url, codec, content, fetched_at)
            SELECT ?2, url, codec, content, fetched_at FROM full_texts WHERE item_id = ?1 AND ?3 = ?3",
        back: "DELETE FROM full_texts WHERE item_id = ?1 AND ?2 = ?2 AND ?3 = ?3",
        is_searched: false,
    },
    Table {
        missing: "SELECT c.one, c.other, '' FROM counterparts c
            WHERE (SELECT t.item_id FROM transcripts t WHERE t.item_id = c.one) IS NOT NULL
                AND NOT EXISTS (SELECT 1 FROM transcripts o WHERE o.item_id = c.other)",
        carry: "INSERT OR IGNORE INTO transcripts (item_id, url, language, codec, content, fetched_at)
            SELECT ?2, url, language, codec, content, fetched_at FROM transcripts WHERE item_id = ?1 AND ?3 = ?3",
        back: "DELETE FROM transcripts WHERE item_id = ?1 AND ?2 = ?2 AND ?3 = ?3",
        is_searched: false,
    },
    Table {
        missing: "SELECT c.one, c.other, t.url FROM counterparts c CROSS JOIN item_images t ON t.item_id = c.one
            WHERE t.digest IS NOT NULL AND NOT EXISTS (SELECT 1 FROM item_images o WHERE o.item_id = c.other AND o.url = t.url)",
        carry: "INSERT OR IGNORE INTO item_images (item_id, url, digest)
            SELECT ?2, url, digest FROM item_images WHERE item_id = ?1 AND url = ?3",
        back: "DELETE FROM item_images WHERE item_id = ?1 AND ?2 = ?2 AND url = ?3",
        is_searched: false,
    },
    // Those of one article or none, since they are compressed with each other. Those of a counterpart are mostly the same ones. Newer
    // versions may be compressed with a copy, which stays then.
    Table {
        missing: "SELECT c.one, c.other, CAST(max(t.at) AS TEXT) FROM counterparts c CROSS JOIN versions t ON t.item_id = c.one
            WHERE NOT EXISTS (SELECT 1 FROM versions o WHERE o.item_id = c.other) GROUP BY c.one, c.other",
        carry: "INSERT OR IGNORE INTO versions
                (item_id, at, title, codec, content, content_base, summary, summary_base, base_at)
            SELECT ?2, at, title, codec, content, content_base, summary, summary_base, base_at FROM versions
            WHERE item_id = ?1 AND at <= CAST(?3 AS INTEGER) AND NOT EXISTS (SELECT 1 FROM versions WHERE item_id = ?2)",
        back: "DELETE FROM versions WHERE item_id = ?1 AND ?2 = ?2
            AND NOT EXISTS (SELECT 1 FROM versions WHERE item_id = ?1 AND at > CAST(?3 AS INTEGER))",
        is_searched: true,
    },
    // The name of its file contains the article, so that an episode is downloaded again.
    Table {
        missing: "SELECT c.one, c.other, t.url FROM counterparts c CROSS JOIN episodes t ON t.item_id = c.one
            WHERE NOT EXISTS (SELECT 1 FROM episodes o WHERE o.item_id = c.other AND o.url = t.url)",
        carry: "INSERT OR IGNORE INTO episodes (item_id, url, at) SELECT ?2, url, at FROM episodes WHERE item_id = ?1 AND url = ?3",
        back: "DELETE FROM episodes WHERE item_id = ?1 AND ?2 = ?2 AND url = ?3",
        is_searched: false,
    },
];

/// The rows that were moved or copied, of each table.
#[derive(Debug, Clone, Default)]
pub(super) struct ArticleData(Vec<Vec<Row>>);

impl ArticleData {
    /// Returns the number of rows.
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// Moves or copies what articles have and their counterparts do not. `counterparts` is the JSON of [`COUNTERPARTS`].
    pub(super) async fn carry(connection: &mut SqliteConnection, counterparts: &str) -> Result<Self, LibraryError> {
        let mut data = Vec::new();
        for table in &TABLES {
            let sql = format!("{COUNTERPARTS} {}", table.missing);
            let rows: Vec<Row> =
                sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(counterparts).fetch_all(&mut *connection).await?;
            for (one, other, key) in &rows {
                sqlx::query(table.carry).bind(one).bind(other).bind(key).execute(&mut *connection).await?;
            }
            if table.is_searched {
                index_again(connection, &rows).await?;
            }
            data.push(rows);
        }
        Ok(Self(data))
    }

    /// Moves the rows back and removes the copies, if the articles still exist.
    pub(super) async fn part(&self, connection: &mut SqliteConnection) -> Result<(), LibraryError> {
        for (table, rows) in TABLES.iter().zip(&self.0) {
            for (one, other, key) in rows {
                let sql = "SELECT EXISTS (SELECT 1 FROM items WHERE id = ?)";
                if sqlx::query_scalar(sql).bind(one).fetch_one(&mut *connection).await? {
                    sqlx::query(table.back).bind(other).bind(one).bind(key).execute(&mut *connection).await?;
                }
            }
            if table.is_searched {
                index_again(connection, rows).await?;
            }
        }
        Ok(())
    }
}

/// Indexes the counterparts of articles again, those that exist.
async fn index_again(connection: &mut SqliteConnection, rows: &[Row]) -> Result<(), LibraryError> {
    let others: Vec<i64> = rows.iter().map(|(_, other, _)| *other).collect();
    let sql = "INSERT INTO search_queue (item_id, stamp) SELECT id, random() FROM items WHERE id IN (SELECT value FROM json_each(?))
         ON CONFLICT (item_id) DO UPDATE SET stamp = excluded.stamp";
    sqlx::query(sql).bind(json(&others)?).execute(connection).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::{Incoming, Intent, Library, Mark, NewItem, NewSubscription};

    #[tokio::test]
    async fn positions_queue_downloads_and_texts_move_with_the_marks() {
        const TABLES: [&str; 9] = [
            "progress",
            "playback",
            "play_queue",
            "share_queue",
            "full_texts",
            "episodes",
            "transcripts",
            "item_images",
            "versions",
        ];
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let mut feeds = Vec::new();
        for articles in [3, 2] {
            let new = NewSubscription::new(format!("https://a.example/{articles}"));
            let feed = library.subscriptions().add(&new).await.unwrap();
            let item = |number: i64| NewItem { key: number.to_string(), sort_at: number, ..NewItem::default() };
            let intents = (1..=articles).map(|number| Intent::Insert(Box::new(item(number)))).collect();
            library.polls().store(&[&Incoming::of_items(feed, intents)]).await.unwrap();
            feeds.push(feed);
        }
        let (one, other) = (feeds[0], feeds[1]);
        {
            let mut writer = library.db.writer().await;
            let sql = "INSERT INTO share_services (id, kind, name, address, user_name) VALUES (1, 'folder', 'Notes', '/notes', '');
                INSERT INTO progress (item_id, position, at) VALUES (1, 0.5, 1), (2, 0.6, 1), (5, 0.7, 1);
                INSERT INTO playback (item_id, url, seconds, finished, at) VALUES (1, 'a.mp3', 7, 0, 1), (1, 'b.mp3', 8, 0, 1), (4, 'b.mp3', 9, 0, 1);
                INSERT INTO play_queue (item_id, url, position) VALUES (3, 'c.mp3', 0), (2, 'a.mp3', 1), (1, 'b.mp3', 2);
                INSERT INTO share_queue (service_id, item_id, added_at) VALUES (1, 1, 5);
                INSERT INTO full_texts (item_id, url, codec, content, fetched_at) VALUES (1, 'https://a.example/1', 0, x'41', 5);
                INSERT INTO episodes (item_id, url, at, state, bytes) VALUES (1, 'a.mp3', 3, 1, 9);
                INSERT INTO transcripts (item_id, url, codec, content, fetched_at) VALUES (1, 'a.vtt', 0, x'5b5d', 5);
                INSERT INTO images (digest, mime_type, bytes, fetched_at, there) VALUES (x'01', 'image/png', 9, 5, 1), (x'02', 'image/png', 9, 5, 1);
                INSERT INTO item_images (item_id, url, digest, error) VALUES (1, 'a.png', x'01', NULL), (1, 'b.png', x'01', NULL),
                    (1, 'c.png', NULL, 'gone'), (4, 'b.png', x'02', NULL);
                INSERT INTO versions (item_id, at, title, codec) VALUES (1, 7, 'Rye', 0), (2, 7, 'Rye', 0), (2, 9, 'Oats', 0), (4, 8, 'Rye', 0)";
            sqlx::raw_sql(sql).execute(writer.connection()).await.unwrap();
        }
        // Articles 4 and 5 are the counterparts of 1 and 2.
        let of = async |feed: i64| -> Vec<String> {
            let mut writer = library.db.writer().await;
            let mut all = Vec::new();
            for table in TABLES {
                let sql = format!(
                    "SELECT '{table} ' || t.item_id FROM {table} t JOIN items i ON i.id = t.item_id WHERE i.feed_id = ? ORDER BY 1"
                );
                let rows: Vec<String> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
                    .bind(feed)
                    .fetch_all(writer.connection())
                    .await
                    .unwrap();
                all.extend(rows);
            }
            all
        };
        let before = (of(one).await, of(other).await);
        sqlx::raw_sql("DELETE FROM search_queue").execute(library.db.writer().await.connection()).await.unwrap();
        let step = library.subscriptions().merge(one, other).await.unwrap().step;
        let after = [
            "progress 4",
            "progress 5",
            "playback 4",
            "playback 4",
            "play_queue 3",
            "play_queue 4",
            "play_queue 5",
            "share_queue 4",
            "full_texts 4",
            "episodes 4",
            "transcripts 4",
            "item_images 4",
            "item_images 4",
            "versions 4",
            "versions 5",
            "versions 5",
        ];
        assert_eq!(of(other).await, after);
        let waiting: Vec<i64> =
            sqlx::query_scalar("SELECT item_id FROM search_queue").fetch_all(&library.db.readers).await.unwrap();
        assert_eq!(waiting, [3, 4, 5], "of the last one only the versions moved");
        let queue = library.play_queue().list().await.unwrap();
        assert_eq!(queue.iter().map(|file| file.item_id).collect::<Vec<_>>(), [3, 5, 4], "in the same order");
        assert_eq!(library.episodes().due().await.unwrap().len(), 1);
        library.undo(step).await.unwrap();
        assert_eq!((of(one).await, of(other).await), before);
    }

    #[tokio::test]
    async fn hidden_articles_stay_hidden() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let mut feeds = Vec::new();
        for name in ["one", "other"] {
            let new = NewSubscription::new(format!("https://a.example/{name}"));
            let feed = library.subscriptions().add(&new).await.unwrap();
            let item = |number: i64| NewItem { key: number.to_string(), sort_at: number, ..NewItem::default() };
            let intents = (1..=2).map(|number| Intent::Insert(Box::new(item(number)))).collect();
            library.polls().store(&[&Incoming::of_items(feed, intents)]).await.unwrap();
            feeds.push(feed);
        }
        let (one, other) = (feeds[0], feeds[1]);
        library.articles().set_marks(&[1], &[(Mark::Hidden, true)]).await.unwrap();
        let visible = async |feed| {
            let counts = library.counts().by_feed().await.unwrap();
            counts.into_iter().find(|count| count.feed_id == feed).map(|count| count.items)
        };
        let step = library.subscriptions().merge(one, other).await.unwrap().step;
        assert_eq!((visible(one).await, visible(other).await), (None, Some(1)));
        library.undo(step).await.unwrap();
        assert_eq!((visible(one).await, visible(other).await), (Some(1), Some(2)));
        assert_eq!(library.check(false).await.unwrap().findings, []);
    }
}

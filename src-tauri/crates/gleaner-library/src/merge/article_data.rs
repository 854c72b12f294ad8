//! Moves the user's data of articles to the equal articles of the feed that theirs is merged into: reading and playback positions, entries
//! of the play queue, articles to be saved in services, downloads and full texts. What a counterpart has already stays as it is.

use super::COUNTERPARTS;
use crate::LibraryError;
use sqlx::SqliteConnection;

/// A row of an article: the article, its counterpart, and what else identifies the row.
type Row = (i64, i64, String);

/// A table with data of articles.
struct Table {
    /// Selects the [`Row`]s that the counterparts `c.other` of articles `c.one` do not have.
    missing: &'static str,
    /// Moves or copies a row from the article `?1` to `?2`.
    carry: &'static str,
    /// Undoes that, from `?1` to `?2`.
    back: &'static str,
}

const TABLES: [Table; 6] = [
    Table {
        missing: "SELECT c.one, c.other, '' FROM counterparts c CROSS JOIN progress t ON t.item_id = c.one
            WHERE NOT EXISTS (SELECT 1 FROM progress o WHERE o.item_id = c.other)",
        carry: "UPDATE OR IGNORE progress SET item_id = ?2 WHERE item_id = ?1 AND ?3 = ?3",
        back: "UPDATE OR IGNORE progress SET item_id = ?2 WHERE item_id = ?1 AND ?3 = ?3",
    },
    Table {
        missing: "SELECT c.one, c.other, t.url FROM counterparts c CROSS JOIN playback t ON t.item_id = c.one
            WHERE NOT EXISTS (SELECT 1 FROM playback o WHERE o.item_id = c.other AND o.url = t.url)",
        carry: "UPDATE OR IGNORE playback SET item_id = ?2 WHERE item_id = ?1 AND url = ?3",
        back: "UPDATE OR IGNORE playback SET item_id = ?2 WHERE item_id = ?1 AND url = ?3",
    },
    Table {
        missing: "SELECT c.one, c.other, t.url FROM counterparts c CROSS JOIN play_queue t ON t.item_id = c.one
            WHERE NOT EXISTS (SELECT 1 FROM play_queue o WHERE o.item_id = c.other AND o.url = t.url)",
        carry: "UPDATE OR IGNORE play_queue SET item_id = ?2 WHERE item_id = ?1 AND url = ?3",
        back: "UPDATE OR IGNORE play_queue SET item_id = ?2 WHERE item_id = ?1 AND url = ?3",
    },
    Table {
        missing: "SELECT c.one, c.other, CAST(t.service_id AS TEXT) FROM counterparts c CROSS JOIN share_queue t ON t.item_id = c.one
            WHERE NOT EXISTS (SELECT 1 FROM share_queue o WHERE o.item_id = c.other AND o.service_id = t.service_id)",
        carry: "UPDATE OR IGNORE share_queue SET item_id = ?2 WHERE item_id = ?1 AND service_id = CAST(?3 AS INTEGER)",
        back: "UPDATE OR IGNORE share_queue SET item_id = ?2 WHERE item_id = ?1 AND service_id = CAST(?3 AS INTEGER)",
    },
    Table {
        missing: "SELECT c.one, c.other, '' FROM counterparts c CROSS JOIN full_texts t ON t.item_id = c.one
            WHERE NOT EXISTS (SELECT 1 FROM full_texts o WHERE o.item_id = c.other)",
        carry: "INSERT OR IGNORE INTO full_texts (item_id, url, codec, content, fetched_at)
            SELECT ?2, url, codec, content, fetched_at FROM full_texts WHERE item_id = ?1 AND ?3 = ?3",
        back: "DELETE FROM full_texts WHERE item_id = ?1 AND ?2 = ?2 AND ?3 = ?3",
    },
    // The name of its file contains the article, so that an episode is downloaded again.
    Table {
        missing: "SELECT c.one, c.other, t.url FROM counterparts c CROSS JOIN episodes t ON t.item_id = c.one
            WHERE NOT EXISTS (SELECT 1 FROM episodes o WHERE o.item_id = c.other AND o.url = t.url)",
        carry: "INSERT OR IGNORE INTO episodes (item_id, url, at) SELECT ?2, url, at FROM episodes WHERE item_id = ?1 AND url = ?3",
        back: "DELETE FROM episodes WHERE item_id = ?1 AND ?2 = ?2 AND url = ?3",
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
            data.push(rows);
        }
        Ok(Self(data))
    }

    /// Moves the rows back and removes the copies, as far as the articles still exist.
    pub(super) async fn part(&self, connection: &mut SqliteConnection) -> Result<(), LibraryError> {
        for (table, rows) in TABLES.iter().zip(&self.0) {
            for (one, other, key) in rows {
                let sql = "SELECT EXISTS (SELECT 1 FROM items WHERE id = ?)";
                if sqlx::query_scalar(sql).bind(one).fetch_one(&mut *connection).await? {
                    sqlx::query(table.back).bind(other).bind(one).bind(key).execute(&mut *connection).await?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::{Incoming, Intent, Library, NewItem, NewSubscription};

    #[tokio::test]
    async fn positions_queue_downloads_and_texts_move_with_the_marks() {
        const TABLES: [&str; 6] = ["progress", "playback", "play_queue", "share_queue", "full_texts", "episodes"];
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
                INSERT INTO episodes (item_id, url, at, state, bytes) VALUES (1, 'a.mp3', 3, 1, 9)";
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
        ];
        assert_eq!(of(other).await, after);
        let queue = library.play_queue().list().await.unwrap();
        assert_eq!(queue.iter().map(|file| file.item_id).collect::<Vec<_>>(), [3, 5, 4], "in the same order");
        assert_eq!(library.episodes().due().await.unwrap().len(), 1);
        library.undo(step).await.unwrap();
        assert_eq!((of(one).await, of(other).await), before);
    }
}

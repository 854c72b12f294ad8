//! The database for comparison: one plain table with an index for each list, and FTS5, in the same SQLite.

use super::{
    corpus::{FOLDERS, Language, Numbers},
    milliseconds,
};
use gleaner_library::{Incoming, Intent};
use sqlx::{Connection as _, Row as _, SqliteConnection, sqlite::SqliteConnectOptions};
use std::{path::Path, time::Instant};

pub struct Plain {
    pub connection: SqliteConnection,
    next: i64,
}

async fn open(file: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new()
        .filename(file)
        .create_if_missing(true)
        .page_size(8192)
        .journal_mode(sqlx::sqlite::SqliteJournalMode::Wal)
        .synchronous(sqlx::sqlite::SqliteSynchronous::Full)
        .pragma("cache_size", "-8192");
    SqliteConnection::connect_with(&options).await.unwrap()
}

impl Plain {
    pub async fn make(file: &Path) -> Self {
        let mut connection = open(file).await;
        sqlx::raw_sql(
            "CREATE TABLE plain (id INTEGER PRIMARY KEY, feed INTEGER, folder INTEGER, sort_at INTEGER, read INTEGER, starred INTEGER,
                title TEXT, excerpt TEXT, author TEXT, word_count INTEGER, text TEXT)",
        )
        .execute(&mut connection)
        .await
        .unwrap();
        Self { connection, next: 1 }
    }

    /// Inserts the rows; two of the indexes are created later.
    pub async fn store(&mut self, batch: &[Incoming]) {
        let mut transaction = self.connection.begin().await.unwrap();
        for feed in batch {
            for chunk in feed.intents.chunks(16) {
                let values = vec!["(?,?,?,?,?,0,?,?,?,?,?)"; chunk.len()].join(",");
                let sql = format!(
                    "INSERT INTO plain (id, feed, folder, sort_at, read, starred, title, excerpt, author, word_count, text) VALUES {values}"
                );
                let mut statement = sqlx::query(sqlx::AssertSqlSafe(sql));
                for intent in chunk {
                    let Intent::Insert(item) = intent else { continue };
                    statement = statement
                        .bind(self.next)
                        .bind(feed.poll.feed_id)
                        .bind(feed.poll.feed_id % i64::try_from(FOLDERS).unwrap())
                        .bind(item.sort_at)
                        .bind(item.read)
                        .bind(item.title.as_str())
                        .bind(item.excerpt.as_str())
                        .bind(item.author.as_deref())
                        .bind(item.word_count)
                        // As long as the library's stored form of a text.
                        .bind(item.excerpt.repeat(5));
                    self.next += 1;
                }
                statement.execute(&mut *transaction).await.unwrap();
            }
        }
        transaction.commit().await.unwrap();
    }

    pub async fn star(&mut self, ids: &[i64]) {
        let sql = "UPDATE plain SET starred = 1 WHERE id IN (SELECT value FROM json_each(?))";
        sqlx::query(sql).bind(serde_json::to_string(ids).unwrap()).execute(&mut self.connection).await.unwrap();
    }

    pub async fn index(&mut self) {
        sqlx::raw_sql(
            "CREATE INDEX by_date ON plain (sort_at, id); CREATE INDEX by_feed ON plain (feed, sort_at, id);
             CREATE INDEX by_folder ON plain (folder, sort_at, id); CREATE INDEX unread ON plain (sort_at, id) WHERE read = 0;
             CREATE INDEX starred ON plain (sort_at, id) WHERE starred = 1;
             CREATE TABLE counts AS SELECT feed, count(*) AS items, sum(read = 0) AS unread FROM plain GROUP BY feed;",
        )
        .execute(&mut self.connection)
        .await
        .unwrap();
    }

    /// Returns the time for reading all rows of a query, in milliseconds.
    pub async fn read(&mut self, sql: &str) -> f64 {
        let began = Instant::now();
        let rows = sqlx::query(sqlx::AssertSqlSafe(sql.to_owned())).fetch_all(&mut self.connection).await.unwrap();
        let read: usize = rows.iter().map(|row| row.columns().len()).sum();
        assert!(read > 0, "{sql}");
        milliseconds(began)
    }
}

/// Measures the rate of FTS5 for articles of the same kind, in wall-clock and processor time.
pub async fn fts5(folder: &Path, language: &Language, articles: usize, cpu: impl Fn() -> f64) -> (f64, f64) {
    let mut connection = open(&folder.join("fts5.sqlite")).await;
    let sql = "CREATE VIRTUAL TABLE bare USING fts5 (text, title, author, content = '', contentless_delete = 1, tokenize = 'ascii')";
    sqlx::raw_sql(sql).execute(&mut connection).await.unwrap();
    let (mut numbers, mut wall, mut processor) = (Numbers(2), 0.0, 0.0);
    // In batches from the newest down, ascending in each, as the library's own index receives them.
    let mut top = 157 * i64::try_from(articles).unwrap();
    for _ in 0..articles / 500 {
        let made: Vec<_> = (0..500).map(|_| language.article(&mut numbers)).collect();
        let (began, before) = (Instant::now(), cpu());
        let mut transaction = connection.begin().await.unwrap();
        top -= 157 * 500;
        for (chunk, at) in made.chunks(16).zip((0..).step_by(16)) {
            let values = vec!["(?,?,?,?)"; chunk.len()].join(",");
            let sql = format!("INSERT INTO bare (rowid, text, title, author) VALUES {values}");
            let mut statement = sqlx::query(sqlx::AssertSqlSafe(sql));
            for ((text, title, author), number) in chunk.iter().zip(at..) {
                statement = statement.bind(top + 157 * number).bind(text).bind(title).bind(author);
            }
            statement.execute(&mut *transaction).await.unwrap();
        }
        transaction.commit().await.unwrap();
        wall += began.elapsed().as_secs_f64();
        processor += cpu() - before;
    }
    connection.close().await.unwrap();
    std::fs::remove_file(folder.join("fts5.sqlite")).unwrap();
    (articles as f64 / wall, articles as f64 / processor)
}

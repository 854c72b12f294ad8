//! Reads all data of a library at one moment.

use super::{
    OWN_SETTINGS,
    records::{ImageRecord, Record},
};
use crate::{LibraryError, archive::Archive, database::Database};
use futures::{Stream, TryStreamExt as _};
use sqlx::SqliteConnection;
use std::{collections::HashMap, path::PathBuf};

/// Feeds that are not exported: unsubscribed ones and those bundled with Gleaner.
const LEFT: &str = "(SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL OR local = 1)";

/// Condition for articles `i` that are exported: those of exported feeds that are not pending deletion.
const THERE: &str = "i.feed_id NOT IN {left} AND i.id NOT IN (SELECT item_id FROM going)";

/// A snapshot of a library. Has a reading connection of its own.
#[derive(Debug)]
pub struct Snapshot<'a> {
    db: &'a Database,
    /// In a transaction until it is closed.
    connection: SqliteConnection,
}

impl<'a> Archive<'a> {
    /// Takes a snapshot, to be read record by record.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn snapshot(self) -> Result<Snapshot<'a>, LibraryError> {
        let mut connection = self.db.text_reader().await?;
        sqlx::raw_sql("BEGIN").execute(&mut connection).await?;
        // SQLite begins the snapshot with the first read.
        let _feeds: i64 = sqlx::query_scalar("SELECT count(*) FROM feeds").fetch_one(&mut connection).await?;
        // Later dictionaries are not needed for the texts of this snapshot.
        let codecs: Vec<i64> = sqlx::query_scalar("SELECT id FROM dictionaries").fetch_all(&mut connection).await?;
        for codec in codecs {
            self.db.dictionaries.learn(&mut connection, codec).await?;
        }
        Ok(Snapshot { db: self.db, connection })
    }

    /// Returns the path of the image with this digest (hexadecimal), whether the file exists or not; `None` for an invalid digest.
    pub fn image_file(self, digest: &str) -> Option<PathBuf> {
        let is_digest = digest.len() == 64 && digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_digest.then(|| self.db.folder().join("images").join(&digest[..2]).join(&digest[2..]))
    }
}

impl Archive<'_> {
    /// Returns the stored images of an article: digest (hexadecimal) and type by the address in the article.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn images_of_article(self, item: i64) -> Result<HashMap<String, (String, String)>, LibraryError> {
        let sql = "SELECT p.url, lower(hex(g.digest)), g.mime_type FROM item_images p JOIN images g ON g.digest = p.digest WHERE p.item_id = ? AND g.there = 1";
        let rows: Vec<(String, String, String)> = sqlx::query_as(sql).bind(item).fetch_all(&self.db.readers).await?;
        Ok(rows.into_iter().map(|(url, digest, mime_type)| (url, (digest, mime_type))).collect())
    }
}

impl Snapshot<'_> {
    /// Streams all records of a kind.
    pub fn records<R: Record>(&mut self) -> impl Stream<Item = Result<R, LibraryError>> + Send + Unpin + '_ {
        let archive = Archive::new(self.db);
        let sql = R::SELECT.replace("{there}", THERE).replace("{left}", LEFT);
        let rows = sqlx::query_as::<_, R::Row>(sqlx::AssertSqlSafe(sql)).fetch(&mut self.connection);
        rows.map_err(LibraryError::from).and_then(move |row| std::future::ready(R::of(row, &archive)))
    }

    /// Returns the number of articles, for progress.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn articles(&mut self) -> Result<i64, LibraryError> {
        let sql = format!("SELECT ifnull(sum(items), 0) FROM counts WHERE feed_id NOT IN {LEFT}");
        Ok(sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(&mut self.connection).await?)
    }

    /// Returns the exported settings, JSON by key.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn settings(&mut self) -> Result<Vec<(String, String)>, LibraryError> {
        let all: Vec<(String, String)> =
            sqlx::query_as("SELECT key, value FROM settings ORDER BY key").fetch_all(&mut self.connection).await?;
        Ok(all.into_iter().filter(|(key, _)| !OWN_SETTINGS.contains(&key.as_str())).collect())
    }

    /// Returns the number of feeds with connection settings, which are not exported.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn feeds_with_access(&mut self) -> Result<i64, LibraryError> {
        let sql = format!("SELECT count(*) FROM access WHERE feed_id NOT IN {LEFT}");
        Ok(sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(&mut self.connection).await?)
    }

    /// Returns the images whose files exist.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn images(&mut self) -> Result<Vec<(ImageRecord, PathBuf)>, LibraryError> {
        let archive = Archive::new(self.db);
        let all: Vec<ImageRecord> = self.records().try_collect().await?;
        let there = |image: ImageRecord| {
            let file = archive.image_file(&image.digest).filter(|file| file.is_file())?;
            Some((image, file))
        };
        Ok(all.into_iter().filter_map(there).collect())
    }
}

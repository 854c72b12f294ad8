//! All that a library holds, as it is at one moment.

use super::{
    OWN_SETTINGS,
    records::{ImageRecord, Record},
};
use crate::{Library, LibraryError};
use futures::{Stream, TryStreamExt as _};
use sqlx::{Sqlite, Transaction};
use std::{collections::HashMap, path::PathBuf};

/// Feeds that are no part of an archive: what the reader left, and what is bundled with Gleaner.
const LEFT: &str = "(SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL OR local = 1)";

/// Articles `i` that are part of one: what is about to be deleted is as good as gone.
const THERE: &str = "i.feed_id NOT IN {left} AND i.id NOT IN (SELECT item_id FROM going)";

/// A library as it was when this was made, whatever is written beside it. Holds a reading connection.
#[derive(Debug)]
pub struct Snapshot<'a> {
    library: &'a Library,
    transaction: Transaction<'static, Sqlite>,
}

impl Library {
    /// The library as it is now, to be read record by record.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn snapshot(&self) -> Result<Snapshot<'_>, LibraryError> {
        let mut transaction = self.readers.begin().await?;
        // The first reading makes it one.
        let _feeds: i64 = sqlx::query_scalar("SELECT count(*) FROM feeds").fetch_one(&mut *transaction).await?;
        // No text of this moment needs another one.
        let codecs: Vec<i64> = sqlx::query_scalar("SELECT id FROM dictionaries").fetch_all(&mut *transaction).await?;
        for codec in codecs {
            self.dictionaries.learn(&mut *transaction, codec).await?;
        }
        Ok(Snapshot { library: self, transaction })
    }

    /// Where a picture is kept that has this digest (hexadecimal digits), whether it is there or not; `None` for what is no digest.
    pub fn image_file(&self, digest: &str) -> Option<PathBuf> {
        let is_digest = digest.len() == 64 && digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        is_digest.then(|| self.folder().join("images").join(&digest[..2]).join(&digest[2..]))
    }
}

impl Library {
    /// The pictures of an article that are kept: digest (hexadecimal digits) and type by the address that the article names.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn pictures_of(&self, item: i64) -> Result<HashMap<String, (String, String)>, LibraryError> {
        let sql = "SELECT p.url, lower(hex(g.digest)), g.mime_type FROM item_images p JOIN images g ON g.digest = p.digest WHERE p.item_id = ? AND g.there = 1";
        let rows: Vec<(String, String, String)> = sqlx::query_as(sql).bind(item).fetch_all(&self.readers).await?;
        Ok(rows.into_iter().map(|(url, digest, mime_type)| (url, (digest, mime_type))).collect())
    }
}

impl Snapshot<'_> {
    /// All records of a kind, one after the other.
    pub fn records<R: Record>(&mut self) -> impl Stream<Item = Result<R, LibraryError>> + Send + Unpin + '_ {
        let library = self.library;
        let sql = R::SELECT.replace("{there}", THERE).replace("{left}", LEFT);
        let rows = sqlx::query_as::<_, R::Row>(sqlx::AssertSqlSafe(sql)).fetch(&mut *self.transaction);
        rows.map_err(LibraryError::from).and_then(move |row| std::future::ready(R::of(row, library)))
    }

    /// How many articles there are, for progress.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn articles(&mut self) -> Result<i64, LibraryError> {
        let sql = format!("SELECT ifnull(sum(items), 0) FROM counts WHERE feed_id NOT IN {LEFT}");
        Ok(sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(&mut *self.transaction).await?)
    }

    /// What the reader has set, JSON by key.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn settings(&mut self) -> Result<Vec<(String, String)>, LibraryError> {
        let all: Vec<(String, String)> =
            sqlx::query_as("SELECT key, value FROM settings ORDER BY key").fetch_all(&mut *self.transaction).await?;
        Ok(all.into_iter().filter(|(key, _)| !OWN_SETTINGS.contains(&key.as_str())).collect())
    }

    /// How many feeds are reached in a way of their own, of which an archive says nothing.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn feeds_with_access(&mut self) -> Result<i64, LibraryError> {
        let sql = format!("SELECT count(*) FROM access WHERE feed_id NOT IN {LEFT}");
        Ok(sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).fetch_one(&mut *self.transaction).await?)
    }

    /// The pictures whose files are there.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn images(&mut self) -> Result<Vec<(ImageRecord, PathBuf)>, LibraryError> {
        let library = self.library;
        let all: Vec<ImageRecord> = self.records().try_collect().await?;
        let there = |image: ImageRecord| {
            let file = library.image_file(&image.digest).filter(|file| file.is_file())?;
            Some((image, file))
        };
        Ok(all.into_iter().filter_map(there).collect())
    }
}

//! `reports`: what each feed's last document said of the feed, and what in it had to be repaired, as `gleaner-inspect` keeps it: without
//! its items, a few KB at most. Written when a document comes that is not the one before.

use crate::{Body, Library, LibraryError, Millis, body};
use sqlx::SqliteConnection;

/// More bytes of JSON than these are not kept.
pub const LONGEST_REPORT: usize = 64 << 10;

/// A report as it is to be kept: compressed where there are cores to spare, not in the writer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedReport {
    codec: i64,
    report: Vec<u8>,
}

impl PackedReport {
    /// Packs a report; `None` where it is too long to be kept.
    pub fn pack(json: String) -> Option<Self> {
        if json.len() > LONGEST_REPORT {
            return None;
        }
        let packed = body::pack(Some(&Body { html: json, base: None }), None);
        Some(Self { codec: packed.codec, report: packed.content? })
    }
}

impl Library {
    /// The report on a feed's last document, with when that came: JSON.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn report(&self, feed: i64) -> Result<Option<(Millis, String)>, LibraryError> {
        let sql = "SELECT at, codec, report FROM reports WHERE feed_id = ?";
        let row: Option<(Millis, i64, Vec<u8>)> = sqlx::query_as(sql).bind(feed).fetch_optional(&self.readers).await?;
        // One that cannot be read is as good as none: the next document brings another.
        Ok(row.and_then(|(at, codec, report)| Some((at, body::unpack(codec, &report, None).ok()?))))
    }
}

pub(crate) async fn write(
    connection: &mut SqliteConnection,
    feed: i64,
    at: Option<Millis>,
    packed: &PackedReport,
) -> sqlx::Result<()> {
    sqlx::query("INSERT OR REPLACE INTO reports (feed_id, at, codec, report) VALUES (?, ?, ?, ?)")
        .bind(feed)
        .bind(at.unwrap_or(0))
        .bind(packed.codec)
        .bind(&packed.report)
        .execute(connection)
        .await?;
    Ok(())
}

//! `reports`: for each feed a report on its last document and what had to be repaired in it, by `gleaner-inspect`: without items, a
//! few KB at most. Written when the document changes.

use crate::{Body, LibraryError, Millis, body, table::polls::Polls};

/// Maximum length of a report, in bytes of JSON.
const MAX_REPORT: usize = 64 << 10;

/// A compressed report. Made outside of the writer, which would block others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackedReport {
    pub(crate) codec: i64,
    pub(crate) report: Vec<u8>,
}

impl PackedReport {
    /// Compresses a report; `None` if it is too long.
    pub fn pack(json: String) -> Option<Self> {
        if json.len() > MAX_REPORT {
            return None;
        }
        let packed = body::pack(Some(&Body { html: json, base: None }), None);
        Some(Self { codec: packed.codec, report: packed.content? })
    }
}

impl Polls<'_> {
    /// Returns the report on a feed's last document and its date: JSON.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn report(self, feed: i64) -> Result<Option<(Millis, String)>, LibraryError> {
        let sql = "SELECT at, codec, report FROM reports WHERE feed_id = ?";
        let row: Option<(Millis, i64, Vec<u8>)> =
            sqlx::query_as(sql).bind(feed).fetch_optional(&self.db.readers).await?;
        // An unreadable report counts as none: the next document brings another.
        Ok(row.and_then(|(at, codec, report)| Some((at, body::unpack(codec, &report, None).ok()?))))
    }
}

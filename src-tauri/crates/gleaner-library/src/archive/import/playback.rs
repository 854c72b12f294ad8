//! Imports reading positions, playback positions and the play queue.

use super::ArchiveImport;
use crate::{
    LibraryError,
    archive::records::{PlayQueueRecord, PlaybackRecord, ProgressRecord},
    json::json,
    table::play_queue::{self, QueueEntry},
};

impl ArchiveImport<'_> {
    /// Imports reading positions.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing was stored.
    pub async fn progress(&mut self, records: &[ProgressRecord]) -> Result<u64, LibraryError> {
        self.insert(
            "INSERT INTO progress (item_id, position, at) SELECT a.id, min(max(j.value ->> '$.position', 0), 1), j.value ->> '$.at'
             FROM json_each(?) j JOIN temp.imported_items a ON a.number = j.value ->> '$.item' WHERE true ON CONFLICT DO NOTHING",
            records,
        )
        .await
    }

    /// Imports playback positions.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing was stored.
    pub async fn playback(&mut self, records: &[PlaybackRecord]) -> Result<u64, LibraryError> {
        self.insert(
            "INSERT INTO playback (item_id, url, seconds, duration, finished, at) SELECT a.id, j.value ->> '$.url', j.value ->> '$.seconds',
                j.value ->> '$.duration', j.value ->> '$.finished', j.value ->> '$.at'
             FROM json_each(?) j JOIN temp.imported_items a ON a.number = j.value ->> '$.item' WHERE true ON CONFLICT DO NOTHING",
            records,
        )
        .await
    }

    /// Adds files to the end of the play queue, up to its maximum length. Returns how many were missing from it.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing was stored.
    pub async fn play_queue(&mut self, records: &[PlayQueueRecord]) -> Result<u64, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let files: Vec<QueueEntry> = sqlx::query_as(
            "SELECT a.id, j.value ->> '$.url' FROM json_each(?) j JOIN temp.imported_items a ON a.number = j.value ->> '$.item'
             WHERE EXISTS (SELECT 1 FROM enclosures e WHERE e.item_id = a.id AND e.url = j.value ->> '$.url' AND (e.url LIKE 'http://%' OR e.url LIKE 'https://%'))
             ORDER BY j.key",
        )
        .bind(json(records)?)
        .fetch_all(&mut *transaction)
        .await?;
        let added = play_queue::append(&mut transaction, files).await?;
        transaction.commit().await?;
        Ok(added as u64)
    }
}

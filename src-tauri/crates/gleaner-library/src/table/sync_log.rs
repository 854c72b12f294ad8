//! `sync_log`: the last synchronisations of each account, with their time, duration, what was sent and received, and errors. Consecutive
//! synchronisations that fail in the same way share a row.

use crate::{LibraryError, Millis, json::json, parameters::Parameters, table::remote_items::SyncStore};

/// Number of synchronisations that are kept of each account.
const MAX_ENTRIES: i64 = 200;
/// Maximum number of changes per synchronisation that are named because the server did not accept them.
const MAX_REJECTIONS: usize = 20;

/// What happens to a change that the server did not accept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RejectionKind {
    /// The server refused it, so that it was abandoned.
    Refused,
    /// It is sent again at the next synchronisation.
    Delayed,
    /// The server's API has no request for it.
    Unsupported,
    /// The feed was unsubscribed here only: the server keeps it.
    Kept,
}

/// A synchronisation.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SyncLogEntry {
    /// When it began.
    pub at: Millis,
    /// Duration in milliseconds.
    pub took_ms: i64,
    /// Number of requests.
    pub requests: i64,
    /// Bytes received.
    pub bytes: i64,
    /// Number of marks and changes of subscriptions sent.
    pub sent: i64,
    /// Number of new articles.
    pub new_items: i64,
    /// Number of articles whose marks changed on the server.
    pub changed: i64,
    /// Number of feeds that are new here.
    pub feeds_added: i64,
    /// Number of feeds that the server no longer has, and that were unsubscribed here.
    pub feeds_left: i64,
    /// Whether a list of the server was incomplete, so that it took no marks away.
    pub incomplete: bool,
    /// Whether the user stopped it.
    pub stopped: bool,
    /// Code of the error.
    pub error_code: Option<String>,
    /// Parameters of its message.
    pub error_parameters: Parameters,
    /// Changes that the server did not accept, each with the title of a feed or the name of a label.
    pub rejections: Vec<(RejectionKind, String)>,
    /// How many times in a row it failed in this way.
    pub times: i64,
}

#[derive(sqlx::FromRow)]
struct Stored {
    at: Millis,
    took_ms: i64,
    requests: i64,
    bytes: i64,
    sent: i64,
    new_items: i64,
    changed: i64,
    feeds_added: i64,
    feeds_left: i64,
    incomplete: bool,
    stopped: bool,
    error_code: Option<String>,
    #[sqlx(try_from = "String")]
    error_parameters: Parameters,
    rejections: String,
    times: i64,
}

impl From<Stored> for SyncLogEntry {
    fn from(row: Stored) -> Self {
        Self {
            at: row.at,
            took_ms: row.took_ms,
            requests: row.requests,
            bytes: row.bytes,
            sent: row.sent,
            new_items: row.new_items,
            changed: row.changed,
            feeds_added: row.feeds_added,
            feeds_left: row.feeds_left,
            incomplete: row.incomplete,
            stopped: row.stopped,
            error_code: row.error_code,
            error_parameters: row.error_parameters,
            // Of another version.
            rejections: serde_json::from_str(&row.rejections).unwrap_or_default(),
            times: row.times,
        }
    }
}

impl SyncStore<'_> {
    /// Returns the last synchronisations of an account, newest first.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn log(self, account: i64) -> Result<Vec<SyncLogEntry>, LibraryError> {
        let rows: Vec<Stored> = sqlx::query_as(
            "SELECT at, took_ms, requests, bytes, sent, new_items, changed, feeds_added, feeds_left, incomplete, stopped, error_code,
                error_parameters, rejections, times
             FROM sync_log WHERE account_id = ? ORDER BY id DESC",
        )
        .bind(account)
        .fetch_all(&self.db.readers)
        .await?;
        Ok(rows.into_iter().map(SyncLogEntry::from).collect())
    }

    /// Writes a synchronisation, and deletes the oldest one beyond the limit. If it failed in the same way as the one before it, that one's
    /// count is raised instead.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn write_log(self, account: i64, entry: &SyncLogEntry) -> Result<(), LibraryError> {
        let parameters = entry.error_parameters.stored();
        let rejections = &entry.rejections[..entry.rejections.len().min(MAX_REJECTIONS)];
        let only_failed = entry.error_code.is_some()
            && rejections.is_empty()
            && [entry.sent, entry.new_items, entry.changed, entry.feeds_added, entry.feeds_left] == [0; 5];
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        if only_failed {
            let again = sqlx::query(
                "UPDATE sync_log SET at = ?2, took_ms = ?3, requests = requests + ?4, bytes = bytes + ?5, times = times + 1
                 WHERE id = (SELECT max(id) FROM sync_log WHERE account_id = ?1) AND error_code = ?6 AND error_parameters = ?7
                    AND sent + new_items + changed + feeds_added + feeds_left = 0 AND rejections = '[]'",
            )
            .bind(account)
            .bind(entry.at)
            .bind(entry.took_ms)
            .bind(entry.requests)
            .bind(entry.bytes)
            .bind(&entry.error_code)
            .bind(&parameters)
            .execute(&mut *transaction)
            .await?;
            if again.rows_affected() > 0 {
                return Ok(transaction.commit().await?);
            }
        }
        sqlx::query(
            "INSERT INTO sync_log (account_id, at, took_ms, requests, bytes, sent, new_items, changed, feeds_added, feeds_left, incomplete,
                stopped, error_code, error_parameters, rejections)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(account)
        .bind(entry.at)
        .bind(entry.took_ms)
        .bind(entry.requests)
        .bind(entry.bytes)
        .bind(entry.sent)
        .bind(entry.new_items)
        .bind(entry.changed)
        .bind(entry.feeds_added)
        .bind(entry.feeds_left)
        .bind(entry.incomplete)
        .bind(entry.stopped)
        .bind(&entry.error_code)
        .bind(parameters)
        .bind(json(&rejections)?)
        .execute(&mut *transaction)
        .await?;
        sqlx::query(
            "DELETE FROM sync_log INDEXED BY sync_log_by_account WHERE account_id = ?1 AND id <= (SELECT id FROM sync_log
                INDEXED BY sync_log_by_account WHERE account_id = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)",
        )
        .bind(account)
        .bind(MAX_ENTRIES)
        .execute(&mut *transaction)
        .await?;
        Ok(transaction.commit().await?)
    }
}

//! The history of an article's marks, from `mark_log`.

use crate::{
    LibraryError, Millis,
    table::{mark_log::Cause, outbox::MarkKind, remote_items::SyncStore},
};

/// Maximum number of changes of one article that are returned.
const MAX_CHANGES: i64 = 200;

/// A change of a mark, or whether the server accepted it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkChange {
    /// When the mark changed.
    pub at: Millis,
    /// What it is about.
    pub kind: MarkKind,
    /// The mark.
    pub on: bool,
    /// The cause of the change.
    pub cause: Cause,
    /// Name of the article's account; `None` if it was deleted.
    pub account: Option<String>,
    /// Name of the rule.
    pub rule: Option<String>,
}

impl SyncStore<'_> {
    /// Returns how the marks of an article changed, the newest change first. Empty for articles of feeds that Gleaner checks itself.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn mark_changes(self, item: i64) -> Result<Vec<MarkChange>, LibraryError> {
        type Row = (Millis, String, bool, String, Option<i64>, Option<String>, Option<String>);
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT l.at, l.what, l.value, l.cause, l.rule_id, a.name, r.name FROM mark_log l INDEXED BY mark_log_by_item
             LEFT JOIN accounts a ON a.id = l.account_id LEFT JOIN rules r ON r.id = l.rule_id
             WHERE l.item_id = ? ORDER BY l.seq DESC LIMIT ?",
        )
        .bind(item)
        .bind(MAX_CHANGES)
        .fetch_all(&self.db.readers)
        .await?;
        // Kinds and causes of later versions are left out.
        let change = |(at, what, on, cause, rule_id, account, rule): Row| {
            let (kind, cause) = (MarkKind::of(&what)?, Cause::of(&cause, rule_id)?);
            Some(MarkChange { at, kind, on, cause, account, rule })
        };
        Ok(rows.into_iter().filter_map(change).collect())
    }

    /// Returns the account of an article, and when the article was received; `None` for articles of other feeds.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn origin(self, item: i64) -> Result<Option<(String, Millis)>, LibraryError> {
        let sql = "SELECT a.name, i.received_at FROM remote_items r JOIN accounts a ON a.id = r.account_id JOIN items i ON i.id = r.item_id
             WHERE r.item_id = ?";
        Ok(sqlx::query_as(sql).bind(item).fetch_optional(&self.db.readers).await?)
    }
}

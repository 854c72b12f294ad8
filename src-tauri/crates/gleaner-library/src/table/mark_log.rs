//! `mark_log`: why an article of an account on a server has its marks: each change with its time and cause, and when the server received
//! it. Written in the transaction that changes the marks. The newest 50,000 changes of the library are kept. Articles of other feeds are
//! not in it.

use crate::{LibraryError, Millis};
use sqlx::SqliteConnection;

/// Why a mark changed, or whether the server accepted it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The user set it in this library.
    Here,
    /// The user undid a change.
    Undo,
    /// The rule with this id set it.
    Rule(i64),
    /// A duplicate of the article was marked.
    Duplicate,
    /// It was imported.
    Import,
    /// The server had it: another client set it there.
    Server,
    /// It was sent to the server.
    Sent,
    /// The server refused it, so that it stays in this library only.
    Refused,
}

impl Cause {
    fn stored(self) -> (&'static str, Option<i64>) {
        match self {
            Self::Here => ("here", None),
            Self::Undo => ("undo", None),
            Self::Rule(id) => ("rule", Some(id)),
            Self::Duplicate => ("duplicate", None),
            Self::Import => ("import", None),
            Self::Server => ("server", None),
            Self::Sent => ("sent", None),
            Self::Refused => ("refused", None),
        }
    }

    pub(crate) fn of(stored: &str, rule: Option<i64>) -> Option<Self> {
        Some(match stored {
            "here" => Self::Here,
            "undo" => Self::Undo,
            "rule" => Self::Rule(rule?),
            "duplicate" => Self::Duplicate,
            "import" => Self::Import,
            "server" => Self::Server,
            "sent" => Self::Sent,
            "refused" => Self::Refused,
            _ => return None,
        })
    }
}

/// A change of a mark or a tag.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MarkChange {
    /// Whether it is set or removed.
    pub on: bool,
    pub at: Millis,
    pub cause: Cause,
}

impl MarkChange {
    /// Sets the mark.
    pub fn on(at: Millis, cause: Cause) -> Self {
        Self { on: true, at, cause }
    }

    /// Removes the mark.
    pub fn off(at: Millis, cause: Cause) -> Self {
        Self { on: false, at, cause }
    }
}

/// Returns the stored form of a tag.
pub(crate) fn label(name: &str) -> String {
    format!("label:{name}")
}

/// Records that a mark of these articles, a JSON list of ids, was changed.
pub(crate) async fn record(
    connection: &mut SqliteConnection,
    items: &str,
    what: &str,
    change: MarkChange,
) -> Result<(), LibraryError> {
    let (cause, rule) = change.cause.stored();
    // Without an account nothing is looked up.
    sqlx::query(
        "INSERT INTO mark_log (at, item_id, account_id, what, value, cause, rule_id)
         SELECT ?1, r.item_id, r.account_id, ?3, ?4, ?5, ?6
         FROM (SELECT 1 FROM servers LIMIT 1) CROSS JOIN json_each(?2) j CROSS JOIN remote_items r ON r.item_id = j.value",
    )
    .bind(change.at)
    .bind(items)
    .bind(what)
    .bind(change.on)
    .bind(cause)
    .bind(rule)
    .execute(connection)
    .await?;
    Ok(())
}

/// Records that these articles got or lost a tag.
pub(crate) async fn record_tag(
    connection: &mut SqliteConnection,
    items: &str,
    tag: i64,
    change: MarkChange,
) -> Result<(), LibraryError> {
    let sql = "SELECT name FROM tags WHERE id = ? AND EXISTS (SELECT 1 FROM servers)";
    let name: Option<String> = sqlx::query_scalar(sql).bind(tag).fetch_optional(&mut *connection).await?;
    match name {
        Some(name) => record(connection, items, &label(&name), change).await,
        None => Ok(()),
    }
}

/// Records whether the server accepted marks. `rows` is a JSON list: id on the server, mark, value.
pub(crate) async fn record_outcome(
    connection: &mut SqliteConnection,
    account: i64,
    rows: &str,
    now: Millis,
    cause: Cause,
) -> Result<(), LibraryError> {
    sqlx::query(
        "INSERT INTO mark_log (at, item_id, account_id, what, value, cause)
         SELECT ?3, r.item_id, r.account_id, j.value ->> 1, j.value ->> 2, ?4
         FROM json_each(?2) j CROSS JOIN remote_items r ON r.account_id = ?1 AND r.remote_id = j.value ->> 0
         WHERE r.item_id IS NOT NULL",
    )
    .bind(account)
    .bind(rows)
    .bind(now)
    .bind(cause.stored().0)
    .execute(connection)
    .await?;
    Ok(())
}

/// Records what rules and duplicates changed when these articles were received. They are known to be from a server only afterwards.
pub(crate) async fn record_arrivals(
    connection: &mut SqliteConnection,
    account: i64,
    remote_ids: &str,
    first: i64,
    now: Millis,
) -> Result<(), LibraryError> {
    for sql in [
        "INSERT INTO mark_log (at, item_id, account_id, what, value, cause, rule_id)
         SELECT ?4, r.item_id, r.account_id,
            CASE a.value WHEN 'read' THEN 'read' WHEN 'star' THEN 'starred' ELSE 'label:' || substr(a.value, 5) END, 1, 'rule', t.rule_id
         FROM json_each(?2) j CROSS JOIN remote_items r ON r.account_id = ?1 AND r.remote_id = j.value
            CROSS JOIN rule_touches t ON t.item_id = r.item_id CROSS JOIN json_each(iif(json_valid(t.actions), t.actions, '[]')) a
         WHERE r.item_id >= ?3 AND (a.value IN ('read', 'star') OR a.value LIKE 'tag:%')",
        "INSERT INTO mark_log (at, item_id, account_id, what, value, cause)
         SELECT ?4, r.item_id, r.account_id, 'read', s.read, 'duplicate'
         FROM json_each(?2) j CROSS JOIN remote_items r ON r.account_id = ?1 AND r.remote_id = j.value
            CROSS JOIN states s ON s.item_id = r.item_id
         WHERE r.item_id >= ?3 AND s.read <> r.read
            AND NOT EXISTS (SELECT 1 FROM mark_log l INDEXED BY mark_log_by_item WHERE l.item_id = r.item_id AND l.what = 'read')",
    ] {
        sqlx::query(sql).bind(account).bind(remote_ids).bind(first).bind(now).execute(&mut *connection).await?;
    }
    Ok(())
}

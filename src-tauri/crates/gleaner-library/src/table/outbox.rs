//! `outbox`: marks that a server does not have yet. Triggers add them in the transaction that sets a mark, so that undo, rules, duplicates
//! and `glean` are included. A mark that equals the server's is not in it, unless it may be being sent (`sending`): then `sending` is 1 if
//! the response is unknown, and equals `stamp` if the server refused this mark once.

use crate::{
    LibraryError, Millis,
    database::Database,
    json::json,
    table::mark_log::{self, Cause},
};
use sqlx::SqliteConnection;

/// The server's id of an article, and what of it a mark is about.
pub type RemoteMark = (String, MarkKind);

/// The kind of a mark.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MarkKind {
    /// Whether it was read.
    Read,
    /// Whether it has a star.
    Starred,
    /// Whether it has the label with this name.
    Label(String),
}

impl MarkKind {
    /// Returns the form in the table.
    pub(crate) fn stored(&self) -> String {
        match self {
            Self::Read => "read".to_owned(),
            Self::Starred => "starred".to_owned(),
            Self::Label(name) => format!("label:{name}"),
        }
    }

    pub(crate) fn of(stored: &str) -> Option<Self> {
        match stored {
            "read" => Some(Self::Read),
            "starred" => Some(Self::Starred),
            other => other.strip_prefix("label:").map(|name| Self::Label(name.to_owned())),
        }
    }
}

/// A mark to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingMark {
    /// Id of the article on the server.
    pub remote_id: String,
    /// What it is about.
    pub kind: MarkKind,
    /// The mark.
    pub on: bool,
    /// A number that is different after each change of the mark.
    pub stamp: i64,
    /// Whether the server refused it before.
    pub refused: bool,
}

/// Returns the marks to send after one.
pub(crate) async fn pending(
    db: &Database,
    account: i64,
    after: Option<&PendingMark>,
    limit: i64,
) -> Result<Vec<PendingMark>, LibraryError> {
    let sql = "SELECT remote_id, what, value, stamp, sending = stamp FROM outbox
         WHERE account_id = ? AND (remote_id, what) > (?, ?) ORDER BY remote_id, what LIMIT ?";
    let rows: Vec<(String, String, bool, i64, bool)> = sqlx::query_as(sql)
        .bind(account)
        .bind(after.map_or("", |mark| mark.remote_id.as_str()))
        .bind(after.map_or_else(String::new, |mark| mark.kind.stored()))
        .bind(limit)
        .fetch_all(&db.readers)
        .await?;
    let pending = rows.into_iter().filter_map(|(remote_id, what, on, stamp, refused)| {
        Some(PendingMark { remote_id, kind: MarkKind::of(&what)?, on, stamp, refused })
    });
    Ok(pending.collect())
}

/// Returns the content of the outbox: articles and kinds of marks.
pub(crate) async fn all(connection: &mut SqliteConnection, account: i64) -> Result<Vec<RemoteMark>, LibraryError> {
    let sql = "SELECT remote_id, what FROM outbox WHERE account_id = ?";
    let rows: Vec<(String, String)> = sqlx::query_as(sql).bind(account).fetch_all(connection).await?;
    Ok(rows.into_iter().filter_map(|(remote_id, what)| Some((remote_id, MarkKind::of(&what)?))).collect())
}

fn rows(marks: &[PendingMark]) -> Result<String, LibraryError> {
    let rows: Vec<_> = marks.iter().map(|mark| (&mark.remote_id, mark.kind.stored(), mark.on, mark.stamp)).collect();
    json(&rows)
}

// Articles are looked up with IN: in `UPDATE … FROM json_each(…)`, SQLite would read the list once for each row of the table.

/// Records that marks are being sent, before they are.
pub(crate) async fn sending(
    connection: &mut SqliteConnection,
    account: i64,
    marks: &[PendingMark],
) -> Result<(), LibraryError> {
    sqlx::query(
        "UPDATE outbox SET sending = 1 WHERE account_id = ?1 AND (remote_id, what) IN
            (SELECT j.value ->> 0, j.value ->> 1 FROM json_each(?2) AS j) AND sending <> stamp",
    )
    .bind(account)
    .bind(rows(marks)?)
    .execute(connection)
    .await?;
    Ok(())
}

/// Records that the server refused these marks for the first time.
pub(crate) async fn refused_once(
    connection: &mut SqliteConnection,
    account: i64,
    marks: &[PendingMark],
) -> Result<(), LibraryError> {
    sqlx::query(
        "UPDATE outbox SET sending = stamp WHERE account_id = ?1 AND (remote_id, what, stamp) IN
            (SELECT j.value ->> 0, j.value ->> 1, j.value ->> 3 FROM json_each(?2) AS j)",
    )
    .bind(account)
    .bind(rows(marks)?)
    .execute(connection)
    .await?;
    Ok(())
}

/// Abandons these marks.
pub(crate) async fn refused(
    connection: &mut SqliteConnection,
    account: i64,
    marks: &[PendingMark],
    now: Millis,
) -> Result<(), LibraryError> {
    let rows = rows(marks)?;
    mark_log::record_outcome(connection, account, &rows, now, Cause::Refused).await?;
    sqlx::query(
        "DELETE FROM outbox WHERE account_id = ?1 AND (remote_id, what, stamp) IN
            (SELECT j.value ->> 0, j.value ->> 1, j.value ->> 3 FROM json_each(?2) AS j)",
    )
    .bind(account)
    .bind(rows)
    .execute(connection)
    .await?;
    Ok(())
}

/// Records that the server has these marks. Those that changed in the meantime stay. A label counts as known to the server only when the
/// server lists it: FreshRSS confirms labels that it ignores, such as those with the name of a folder, and without this their tags would be
/// removed here.
pub(crate) async fn sent(
    connection: &mut SqliteConnection,
    account: i64,
    marks: &[PendingMark],
    now: Millis,
) -> Result<(), LibraryError> {
    let rows = rows(marks)?;
    mark_log::record_outcome(connection, account, &rows, now, Cause::Sent).await?;
    for sql in [
        "UPDATE remote_items SET read = 1 WHERE account_id = ?1 AND remote_id IN
            (SELECT j.value ->> 0 FROM json_each(?2) AS j WHERE j.value ->> 1 = 'read' AND j.value ->> 2)",
        "UPDATE remote_items SET read = 0 WHERE account_id = ?1 AND remote_id IN
            (SELECT j.value ->> 0 FROM json_each(?2) AS j WHERE j.value ->> 1 = 'read' AND NOT j.value ->> 2)",
        "UPDATE remote_items SET starred = 1 WHERE account_id = ?1 AND remote_id IN
            (SELECT j.value ->> 0 FROM json_each(?2) AS j WHERE j.value ->> 1 = 'starred' AND j.value ->> 2)",
        "UPDATE remote_items SET starred = 0 WHERE account_id = ?1 AND remote_id IN
            (SELECT j.value ->> 0 FROM json_each(?2) AS j WHERE j.value ->> 1 = 'starred' AND NOT j.value ->> 2)",
        "DELETE FROM remote_labels WHERE account_id = ?1 AND (remote_id, label) IN
            (SELECT j.value ->> 0, substr(j.value ->> 1, 7) FROM json_each(?2) AS j WHERE j.value ->> 1 LIKE 'label:%' AND NOT j.value ->> 2)",
        "DELETE FROM outbox WHERE account_id = ?1 AND (remote_id, what, stamp) IN
            (SELECT j.value ->> 0, j.value ->> 1, j.value ->> 3 FROM json_each(?2) AS j)",
        "UPDATE outbox SET sending = 0 WHERE account_id = ?1 AND (remote_id, what) IN
            (SELECT j.value ->> 0, j.value ->> 1 FROM json_each(?2) AS j)",
        // Set back while it was being sent, to what the server has now by another way.
        "DELETE FROM outbox WHERE account_id = ?1 AND sending = 0 AND (remote_id, what) IN
            (SELECT j.value ->> 0, j.value ->> 1 FROM json_each(?2) AS j)
            AND value = (SELECT iif(outbox.what = 'read', r.read, r.starred) FROM remote_items r
                WHERE r.account_id = outbox.account_id AND r.remote_id = outbox.remote_id) AND what IN ('read', 'starred')",
    ] {
        sqlx::query(sql).bind(account).bind(&rows).execute(&mut *connection).await?;
    }
    Ok(())
}

/// Adds the marks of articles that differ from the server's, such as those set by rules or duplicates before the server's id of the article
/// was known.
pub(crate) async fn add_differences(
    connection: &mut SqliteConnection,
    account: i64,
    remote_ids: &str,
) -> Result<(), LibraryError> {
    for sql in [
        "INSERT INTO outbox (account_id, remote_id, what, value, stamp)
         SELECT r.account_id, r.remote_id, 'read', s.read, random() FROM remote_items r JOIN states s ON s.item_id = r.item_id
         WHERE r.account_id = ?1 AND r.remote_id IN (SELECT value FROM json_each(?2)) AND s.read <> r.read
         ON CONFLICT (account_id, remote_id, what) DO UPDATE SET value = excluded.value, stamp = excluded.stamp",
        "INSERT INTO outbox (account_id, remote_id, what, value, stamp)
         SELECT r.account_id, r.remote_id, 'starred', s.starred, random() FROM remote_items r JOIN states s ON s.item_id = r.item_id
         WHERE r.account_id = ?1 AND r.remote_id IN (SELECT value FROM json_each(?2)) AND s.starred <> r.starred
         ON CONFLICT (account_id, remote_id, what) DO UPDATE SET value = excluded.value, stamp = excluded.stamp",
        "INSERT INTO outbox (account_id, remote_id, what, value, stamp)
         SELECT r.account_id, r.remote_id, 'label:' || t.name, 1, random()
         FROM remote_items r JOIN servers s ON s.account_id = r.account_id AND s.labels = 1
            JOIN item_tags m ON m.item_id = r.item_id JOIN tags t ON t.id = m.tag_id
         WHERE r.account_id = ?1 AND r.remote_id IN (SELECT value FROM json_each(?2)) AND NOT EXISTS (SELECT 1 FROM remote_labels l
            WHERE l.account_id = r.account_id AND l.remote_id = r.remote_id AND l.label = t.name)
         ON CONFLICT (account_id, remote_id, what) DO UPDATE SET value = excluded.value, stamp = excluded.stamp",
    ] {
        sqlx::query(sql).bind(account).bind(remote_ids).execute(&mut *connection).await?;
    }
    Ok(())
}

//! `rule_touches`: which rule did what to which article: when it came in, or when the rule was applied to all. An article that a
//! rule found nothing to do with is not touched by it. For an article that is `held` these rows also say what it is to be when it is
//! let go.

use super::{
    held,
    rules::{Action, known, written},
    states::{Mark, Marked, json, read_twins, unmark_in},
    tags::{self, Tagged},
};
use crate::{Library, LibraryError, Millis, NewItem, Undoable, now, undo::Undo};
use sqlx::SqliteConnection;
use std::collections::HashMap;

/// What one rule does to an article as it comes in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ruled {
    /// The rule.
    pub rule: i64,
    /// What it does: nothing that one before it did.
    pub did: Vec<Action>,
}

/// What a rule did to an article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleTouch {
    /// The rule.
    pub rule: i64,
    /// Its name, as it is now.
    pub name: String,
    /// It is not there any more.
    pub deleted: bool,
    /// What it did.
    pub did: Vec<Action>,
    /// When.
    pub at: Millis,
}

/// What came of applying a rule to articles, so that it can be taken back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Applied {
    rule: i64,
    at: Millis,
    pub marks: Vec<Marked>,
    pub tags: Vec<Tagged>,
    /// Those whose text is now to be fetched.
    pub ahead: Vec<i64>,
}

/// So many articles are changed by one statement.
const BATCH: usize = 1000;

/// Whether a rule has done this to the row of `items` that is looked at.
pub(crate) fn said(action: &Action) -> String {
    format!(
        "EXISTS (SELECT 1 FROM rule_touches t, json_each(iif(json_valid(t.actions), t.actions, '[]')) a WHERE t.item_id = items.id AND a.value = '{action}')"
    )
}

impl NewItem {
    /// Whether a rule does this with it.
    pub(crate) fn is_to(&self, action: &Action) -> bool {
        self.ruled.iter().any(|ruled| ruled.did.contains(action))
    }
}

/// What a rule marks read of the articles from the number `first` on is read in all of its story, as what the reader marks is.
pub(crate) async fn read_stories(connection: &mut SqliteConnection, first: i64) -> Result<(), LibraryError> {
    let sql = format!(
        "SELECT id FROM items WHERE id >= ? AND id IN (SELECT item_id FROM stories) AND {}",
        said(&Action::Read)
    );
    let read: Vec<i64> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(first).fetch_all(&mut *connection).await?;
    if read.is_empty() { Ok(()) } else { read_twins(connection, &read).await }
}

/// Keeps what rules made of articles that have just come in; their states are set already. Says which of those that show the reader
/// is to be told of.
pub(crate) async fn keep(
    connection: &mut SqliteConnection,
    items: &[(i64, i64, &NewItem)],
    hold: bool,
) -> Result<Vec<i64>, LibraryError> {
    let mut told = Vec::new();
    for (id, _, item) in items {
        for ruled in &item.ruled {
            // A rule may have gone with its feed since it was read.
            sqlx::query(
                "INSERT INTO rule_touches (item_id, rule_id, at, actions)
                 SELECT ?1, id, ?3, ?4 FROM rules WHERE id = ?2 ON CONFLICT DO NOTHING",
            )
            .bind(id)
            .bind(ruled.rule)
            .bind(item.received_at)
            .bind(written(&ruled.did)?)
            .execute(&mut *connection)
            .await?;
            for action in &ruled.did {
                match action {
                    Action::Tag(name) => {
                        let tag = tags::named(connection, name).await?;
                        tags::set(connection, tag, true, &[*id]).await?;
                    }
                    Action::FullText => {
                        fetch_text(connection, &[*id], item.received_at).await?;
                    }
                    Action::Notify if held::until(item, hold).is_none() => told.push(*id),
                    _ => {}
                }
            }
        }
    }
    Ok(told)
}

/// Has the full texts of articles fetched, where they are not there or on their way. Says whose.
async fn fetch_text(connection: &mut SqliteConnection, ids: &[i64], at: Millis) -> Result<Vec<i64>, LibraryError> {
    let sql = "INSERT INTO ahead (item_id, what, next_at)
        SELECT id, 'text', ?2 FROM items WHERE id IN (SELECT value FROM json_each(?1)) AND url IS NOT NULL
            AND id NOT IN (SELECT item_id FROM full_texts)
        ON CONFLICT DO NOTHING RETURNING item_id";
    Ok(sqlx::query_scalar(sql).bind(json(ids)?).bind(at).fetch_all(connection).await?)
}

impl Library {
    /// What rules did to an article, in order.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn rule_touches(&self, item: i64) -> Result<Vec<RuleTouch>, LibraryError> {
        type Row = (i64, String, bool, String, Millis);
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT r.id, r.name, r.deleted_at IS NOT NULL, t.actions, t.at FROM rule_touches t JOIN rules r ON r.id = t.rule_id
             WHERE t.item_id = ? ORDER BY t.at, r.position, r.id",
        )
        .bind(item)
        .fetch_all(&self.readers)
        .await?;
        let touch = |(rule, name, deleted, did, at): Row| RuleTouch { rule, name, deleted, did: known(&did), at };
        Ok(rows.into_iter().map(touch).collect())
    }

    /// On how many of these articles each action would change something. None is changed by [`Action::Notify`]: it is for those that
    /// come.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn would_change(&self, items: &[i64], actions: &[Action]) -> Result<Vec<i64>, LibraryError> {
        let mut counts = vec![0; actions.len()];
        for batch in items.chunks(BATCH) {
            let batch = json(batch)?;
            for (action, count) in actions.iter().zip(&mut counts) {
                let (sql, tag) = match action {
                    Action::Read => ("states s ON s.item_id = j.value AND s.read = 0", None),
                    Action::Star => ("states s ON s.item_id = j.value AND s.starred = 0", None),
                    Action::Hide => ("states s ON s.item_id = j.value AND s.hidden = 0", None),
                    Action::Keep => ("states s ON s.item_id = j.value AND s.kept = 0", None),
                    Action::Tag(name) => (
                        "items i ON i.id = j.value AND NOT EXISTS
                            (SELECT 1 FROM item_tags m WHERE m.item_id = i.id AND m.tag_id = (SELECT id FROM tags WHERE key = ?2))",
                        Some(tags::tag_key(name)),
                    ),
                    Action::FullText => (
                        "items i ON i.id = j.value AND i.url IS NOT NULL AND i.id NOT IN (SELECT item_id FROM full_texts)
                            AND NOT EXISTS (SELECT 1 FROM ahead a WHERE a.item_id = i.id AND a.what = 'text')",
                        None,
                    ),
                    Action::Notify => continue,
                };
                let sql = format!("SELECT count(*) FROM json_each(?1) j CROSS JOIN {sql}");
                let changed: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(sql))
                    .bind(&batch)
                    .bind(tag)
                    .fetch_one(&self.readers)
                    .await?;
                *count += changed;
            }
        }
        Ok(counts)
    }

    /// Does with these articles what a rule says: with all of them, or with none. After each batch `go_on` hears how many are done
    /// and says whether to; `None` where it said no. Counts those on which something was changed.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be written.
    pub async fn apply_rule(
        &self,
        id: i64,
        items: &[i64],
        mut go_on: impl FnMut(usize) -> bool,
    ) -> Result<Option<Undoable>, LibraryError> {
        let rule = self.rule(id).await?;
        let mut applied = Applied { rule: id, at: now(), marks: Vec::new(), tags: Vec::new(), ahead: Vec::new() };
        let (mut done, mut touched) = (0, 0);
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        for batch in items.chunks(BATCH) {
            touched += self.apply_batch(&mut transaction, &rule.actions, batch, &mut applied).await?;
            done += batch.len();
            if !go_on(done) {
                return Ok(None);
            }
        }
        transaction.commit().await?;
        Ok(Some(self.undo.push(touched, Undo::Applied(applied))))
    }

    async fn apply_batch(
        &self,
        connection: &mut SqliteConnection,
        actions: &[Action],
        batch: &[i64],
        applied: &mut Applied,
    ) -> Result<usize, LibraryError> {
        let mut did: HashMap<i64, Vec<Action>> = batch.iter().map(|id| (*id, Vec::new())).collect();
        let mut note = |changed: &[i64], action: &Action| {
            for id in changed {
                // The others of its story are read with it, and not by the rule.
                if let Some(did) = did.get_mut(id) {
                    did.push(action.clone());
                }
            }
        };
        for action in actions {
            let mark = match action {
                Action::Read => Mark::Read,
                Action::Star => Mark::Starred,
                Action::Hide => Mark::Hidden,
                Action::Keep => Mark::Kept,
                Action::Tag(name) => {
                    let tag = tags::named(connection, name).await?;
                    let tagged = tags::set(connection, tag, true, batch).await?;
                    note(&tagged.items, action);
                    applied.tags.push(tagged);
                    continue;
                }
                Action::FullText => {
                    let ahead = fetch_text(connection, batch, applied.at).await?;
                    note(&ahead, action);
                    applied.ahead.extend(ahead);
                    continue;
                }
                Action::Notify => continue,
            };
            let marked = self.mark_in(connection, mark, true, batch).await?;
            note(&marked.items, action);
            applied.marks.push(marked);
        }
        let mut touches = Vec::new();
        for (id, did) in did.iter().filter(|(_, did)| !did.is_empty()) {
            touches.push((*id, written(did)?));
        }
        sqlx::query(
            "INSERT INTO rule_touches (item_id, rule_id, at, actions)
             SELECT j.value ->> 0, ?2, ?3, j.value ->> 1 FROM json_each(?1) j JOIN items i ON i.id = j.value ->> 0
             ON CONFLICT DO NOTHING",
        )
        .bind(serde_json::to_string(&touches).map_err(|error| LibraryError::Invalid(error.to_string()))?)
        .bind(applied.rule)
        .bind(applied.at)
        .execute(connection)
        .await?;
        Ok(touches.len())
    }

    /// Takes back what a rule did, all of it or nothing.
    pub(crate) async fn unapply(&self, applied: &Applied) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        unmark_in(&mut transaction, &applied.marks).await?;
        for tagged in applied.tags.iter().rev() {
            tags::set(&mut transaction, tagged.tag, false, &tagged.items).await?;
        }
        // A text that came meanwhile is there, and does no harm.
        sqlx::query("DELETE FROM ahead WHERE what = 'text' AND item_id IN (SELECT value FROM json_each(?))")
            .bind(json(&applied.ahead)?)
            .execute(&mut *transaction)
            .await?;
        sqlx::query("DELETE FROM rule_touches WHERE rule_id = ? AND at = ?")
            .bind(applied.rule)
            .bind(applied.at)
            .execute(&mut *transaction)
            .await?;
        Ok(transaction.commit().await?)
    }
}

//! `rule_touches`: which rule changed which article, and how, when it was received or when the rule was applied to existing articles. Only
//! changes are recorded. For a scheduled article these rows also determine its state when it is released.

use crate::{
    LibraryError, Millis, NewItem, Stored, Undoable,
    database::{Database, undo::UndoStep},
    json::json,
    table::{
        mark_log::{Cause, MarkChange},
        rules::{Action, Rules, known, to_json, was_applied},
        scheduled,
        states::{self, Mark, Marked, unmark_in},
        tags::{self, Tagged},
    },
};
use futures::future::BoxFuture;
use sqlx::SqliteConnection;
use std::collections::HashMap;

/// The effect that a rule had on an article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleTouch {
    /// Id of the rule.
    pub rule: i64,
    /// Current name of the rule.
    pub name: String,
    /// Whether it was deleted.
    pub deleted: bool,
    /// The actions.
    pub did: Vec<Action>,
    /// When it was applied.
    pub at: Millis,
}

/// The result of applying a rule, for undoing it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Applied {
    rule: i64,
    at: Millis,
    pub marks: Vec<Marked>,
    pub tags: Vec<Tagged>,
    /// Articles whose full text was queued.
    pub queued: Vec<i64>,
}

/// Number of articles per statement.
const BATCH: usize = 1000;

/// Marks read the duplicates of articles from the id `first` on that a rule marked read.
pub(crate) async fn mark_duplicates_read(
    connection: &mut SqliteConnection,
    first: i64,
    now: Millis,
) -> Result<(), LibraryError> {
    let sql = format!(
        "SELECT id FROM items WHERE id >= ? AND id IN (SELECT item_id FROM stories) AND {}",
        was_applied(&Action::Read)
    );
    let read: Vec<i64> = sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(first).fetch_all(&mut *connection).await?;
    if read.is_empty() { Ok(()) } else { states::mark_duplicates_read(connection, &read, now).await }
}

/// Records what rules did to new articles, whose states are set already. Adds those of the visible ones to notify.
pub(crate) async fn record(
    connection: &mut SqliteConnection,
    items: &[(i64, i64, &NewItem)],
    schedules: bool,
    stored: &mut Stored,
) -> Result<(), LibraryError> {
    for (id, _, item) in items {
        for ruled in &item.ruled {
            // The rule may have been deleted with its feed after it was read.
            sqlx::query(
                "INSERT INTO rule_touches (item_id, rule_id, at, actions)
                 SELECT ?1, id, ?3, ?4 FROM rules WHERE id = ?2 ON CONFLICT DO NOTHING",
            )
            .bind(id)
            .bind(ruled.rule)
            .bind(item.received_at)
            .bind(to_json(&ruled.did)?)
            .execute(&mut *connection)
            .await?;
            for action in &ruled.did {
                match action {
                    Action::Tag(name) => {
                        let tag = tags::get_or_create(connection, name).await?;
                        tags::set(connection, tag, &[*id], MarkChange::on(item.received_at, Cause::Rule(ruled.rule)))
                            .await?;
                    }
                    Action::FullText => {
                        queue_full_texts(connection, &[*id], item.received_at).await?;
                    }
                    Action::Notify if scheduled::until(item, schedules).is_none() => {
                        stored.notify.push(*id);
                        // Saved searches have negative ids among rules.
                        if ruled.rule < 0 {
                            stored.searches.push((*id, -ruled.rule));
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    Ok(())
}

/// Queues the full texts of articles that have none and are not queued. Returns these.
async fn queue_full_texts(
    connection: &mut SqliteConnection,
    ids: &[i64],
    at: Millis,
) -> Result<Vec<i64>, LibraryError> {
    let sql = "INSERT INTO ahead (item_id, what, next_at)
        SELECT id, 'text', ?2 FROM items WHERE id IN (SELECT value FROM json_each(?1)) AND url IS NOT NULL
            AND id NOT IN (SELECT item_id FROM full_texts)
        ON CONFLICT DO NOTHING RETURNING item_id";
    Ok(sqlx::query_scalar(sql).bind(json(ids)?).bind(at).fetch_all(connection).await?)
}

impl Rules<'_> {
    /// Returns what rules did to an article, in order.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn applied_to(self, item: i64) -> Result<Vec<RuleTouch>, LibraryError> {
        type Row = (i64, String, bool, String, Millis);
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT r.id, r.name, r.deleted_at IS NOT NULL, t.actions, t.at FROM rule_touches t JOIN rules r ON r.id = t.rule_id
             WHERE t.item_id = ? ORDER BY t.at, r.position, r.id",
        )
        .bind(item)
        .fetch_all(&self.db.readers)
        .await?;
        let touch = |(rule, name, deleted, did, at): Row| RuleTouch { rule, name, deleted, did: known(&did), at };
        Ok(rows.into_iter().map(touch).collect())
    }

    /// Returns for each action how many of these articles it would change. [`Action::Notify`] changes none: it is for new articles.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn preview(self, items: &[i64], actions: &[Action]) -> Result<Vec<i64>, LibraryError> {
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
                    .fetch_one(&self.db.readers)
                    .await?;
                *count += changed;
            }
        }
        Ok(counts)
    }

    /// Applies a rule to these articles, to all of them or none. After each batch `keep_going` gets the number done and returns whether
    /// to continue; `None` if it returned no. Counts the changed articles.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be written.
    pub async fn apply(
        self,
        id: i64,
        items: &[i64],
        mut keep_going: impl FnMut(usize) -> bool,
    ) -> Result<Option<Undoable>, LibraryError> {
        let rule = self.get(id).await?;
        let mut applied =
            Applied { rule: id, at: self.db.now(), marks: Vec::new(), tags: Vec::new(), queued: Vec::new() };
        let (mut done, mut touched) = (0, 0);
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        for batch in items.chunks(BATCH) {
            touched += self.apply_batch(&mut transaction, &rule.actions, batch, &mut applied).await?;
            done += batch.len();
            if !keep_going(done) {
                return Ok(None);
            }
        }
        transaction.commit().await?;
        Ok(Some(self.db.undo.push(touched, applied)))
    }

    async fn apply_batch(
        self,
        connection: &mut SqliteConnection,
        actions: &[Action],
        batch: &[i64],
        applied: &mut Applied,
    ) -> Result<usize, LibraryError> {
        let cause = Cause::Rule(applied.rule);
        let mut did: HashMap<i64, Vec<Action>> = batch.iter().map(|id| (*id, Vec::new())).collect();
        let mut note = |changed: &[i64], action: &Action| {
            for id in changed {
                // Duplicates are marked read with the article, not by the rule.
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
                    let tag = tags::get_or_create(connection, name).await?;
                    let tagged = tags::set(connection, tag, batch, MarkChange::on(applied.at, cause)).await?;
                    note(&tagged.items, action);
                    applied.tags.push(tagged);
                    continue;
                }
                Action::FullText => {
                    let queued = queue_full_texts(connection, batch, applied.at).await?;
                    note(&queued, action);
                    applied.queued.extend(queued);
                    continue;
                }
                Action::Notify => continue,
            };
            let marked =
                states::mark_in(self.db, connection, mark, batch, MarkChange::on(self.db.now(), cause)).await?;
            note(&marked.items, action);
            applied.marks.push(marked);
        }
        let mut touches = Vec::new();
        for (id, did) in did.iter().filter(|(_, did)| !did.is_empty()) {
            touches.push((*id, to_json(did)?));
        }
        sqlx::query(
            "INSERT INTO rule_touches (item_id, rule_id, at, actions)
             SELECT j.value ->> 0, ?2, ?3, j.value ->> 1 FROM json_each(?1) j JOIN items i ON i.id = j.value ->> 0
             ON CONFLICT DO NOTHING",
        )
        .bind(json(&touches)?)
        .bind(applied.rule)
        .bind(applied.at)
        .execute(connection)
        .await?;
        Ok(touches.len())
    }

    /// Undoes applying a rule, all of it or nothing.
    async fn unapply(self, applied: &Applied) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        unmark_in(&mut transaction, &applied.marks, self.db.now()).await?;
        for tagged in applied.tags.iter().rev() {
            tags::set(&mut transaction, tagged.tag, &tagged.items, MarkChange::off(self.db.now(), Cause::Undo)).await?;
        }
        // A text that was downloaded in the meantime stays.
        sqlx::query("DELETE FROM ahead WHERE what = 'text' AND item_id IN (SELECT value FROM json_each(?))")
            .bind(json(&applied.queued)?)
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

impl UndoStep for Applied {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { Rules::new(db).unapply(self).await })
    }

    fn articles(&self) -> usize {
        let marked = self.marks.iter().map(|marked| marked.items.len()).sum::<usize>();
        let tagged = self.tags.iter().map(|tagged| tagged.items.len()).sum::<usize>();
        marked + tagged + self.queued.len()
    }
}

//! Undoing and redoing an import. Undoing
//! - unsubscribes from the feeds that the import added, which keeps them for a day as unsubscribing always does;
//! - deletes the folders that it created and that are empty then;
//! - removes the marks that it gave to articles of other feeds;
//! - deletes the tags that it created and that are on no article then.
//!
//! A feed with articles that were starred, tagged, annotated or kept since the import stays, with all of its articles and its folder.

use crate::{
    GainedMarks, LOCAL_ACCOUNT, LibraryError, Undoable,
    database::{Database, undo::UndoStep},
    json::json,
    subscriptions::Subscriptions,
    table::{
        feeds::shown_title,
        folders::{self, FolderDeleted},
        tags::{self, DeletedTag},
    },
    unsubscribing::resubscribe,
};
use futures::future::BoxFuture;
use sqlx::SqliteConnection;
use std::{
    any::Any,
    collections::{HashMap, HashSet},
};

/// The changes of undoing an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportUndone {
    /// The step that redoes the import, for [`crate::Library::undo`]. After that, the step of the import can be undone again.
    pub redo: Undoable,
    /// Number of feeds that were unsubscribed.
    pub feeds: usize,
    /// Number of folders that were deleted.
    pub folders: usize,
    /// Titles of the feeds that stay because articles of them were marked after the import.
    pub kept: Vec<String>,
}

/// The data that an import added.
#[derive(Debug, Clone)]
pub(crate) struct AddedByImport {
    feeds: Vec<i64>,
    /// Parents before their subfolders.
    folders: Vec<i64>,
    /// Marks that the import set on articles of these feeds.
    marks: HashSet<ArticleMark>,
    /// Marks that it set on articles of other feeds, and tags that it created.
    gained: GainedMarks,
}

/// Selects the articles of a JSON list of ids that are not of a feed of another list.
const OF_OTHER_FEEDS: &str = "SELECT id FROM items WHERE id IN (SELECT value FROM json_each(?1))
    AND feed_id NOT IN (SELECT value FROM json_each(?2))";

/// A mark that keeps an article from expiring: its article, its kind (of a note with its color), its id, and when a note was last changed.
type ArticleMark = (i64, i64, i64, i64);

/// The kind of a tag among them.
const TAG: i64 = 2;

/// An import that was undone.
#[derive(Debug)]
struct Undone {
    step: i64,
    import: AddedByImport,
    removed: Removed,
}

/// The data that undoing an import removed.
#[derive(Debug)]
struct Removed {
    feeds: Vec<i64>,
    /// In the order of their deletion.
    folders: Vec<RemovedFolder>,
    marks: GainedMarks,
    tags: Vec<DeletedTag>,
}

/// A folder that was deleted.
#[derive(Debug)]
struct RemovedFolder {
    deleted: FolderDeleted,
    /// The folders that it was in, the nearest first.
    above: Vec<i64>,
}

impl Subscriptions<'_> {
    /// Records the feeds, folders and tags that an import added, and the marks that it gave to articles of other feeds, so that the import
    /// can be undone. Returns `None` if there are none.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn remember_import(
        self,
        feeds: &[i64],
        folders: &[i64],
        mut gained: GainedMarks,
    ) -> Result<Option<Undoable>, LibraryError> {
        let mut marks = HashSet::new();
        let mut reader = self.db.readers.acquire().await?;
        // The file may name an article twice: the marks of the second time are on an article that the import added.
        let ids: Vec<i64> = gained.articles().into_iter().collect();
        let others: Vec<i64> =
            sqlx::query_scalar(OF_OTHER_FEEDS).bind(json(&ids)?).bind(json(feeds)?).fetch_all(&mut *reader).await?;
        gained.retain(&others.into_iter().collect());
        if feeds.is_empty() && folders.is_empty() && gained.is_empty() {
            return Ok(None);
        }
        for feed in feeds {
            marks.extend(protecting_marks(&mut reader, *feed).await?);
        }
        let import = AddedByImport { feeds: feeds.to_vec(), folders: folders.to_vec(), marks, gained };
        Ok(Some(self.db.undo.push(feeds.len(), import)))
    }

    /// Undoes an import by the step that [`Self::remember_import`] returned.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`] when the step was undone already or is too old; when the library cannot be written. Then nothing has
    /// changed.
    pub async fn undo_import(self, step: i64) -> Result<ImportUndone, LibraryError> {
        let not_found = LibraryError::NotFound("step");
        let taken = self.db.undo.take(step).ok_or(not_found)?;
        let step_taken: &dyn Any = &*taken;
        let Some(import) = step_taken.downcast_ref::<AddedByImport>().cloned() else {
            self.db.undo.put_back(step, taken);
            return Err(LibraryError::NotFound("step"));
        };
        match import.remove(self.db).await {
            Ok((removed, kept)) => {
                let (feeds, folders) = (removed.feeds.len(), removed.folders.len());
                let redo = self.db.undo.push(feeds, Undone { step, import, removed });
                Ok(ImportUndone { redo, feeds, folders, kept })
            }
            Err(error) => {
                self.db.undo.put_back(step, taken);
                Err(error)
            }
        }
    }
}

impl AddedByImport {
    /// Replaces tags by others, by id, which the import has not created.
    fn replace_tags(&mut self, others: &HashMap<i64, i64>) {
        let replaced = |(item, kind, id, changed): ArticleMark| match others.get(&id) {
            Some(other) if kind == TAG => (item, kind, *other, changed),
            _ => (item, kind, id, changed),
        };
        self.marks = self.marks.drain().map(replaced).collect();
        self.gained.replace_tags(others);
    }

    /// Returns what was removed, and the titles of the feeds that stay.
    async fn remove(&self, db: &Database) -> Result<(Removed, Vec<String>), LibraryError> {
        let mut writer = db.writer().await;
        let mut transaction = writer.begin().await?;
        let now = db.now();
        let (mut feeds, mut deleted, mut kept) = (Vec::new(), Vec::new(), Vec::new());
        for feed in &self.feeds {
            // A feed that was unsubscribed or moved to an account in the meantime is left as it is.
            let sql = "SELECT custom_title, title, url FROM feeds WHERE id = ? AND account_id = ? AND unsubscribed_at IS NULL";
            let row: Option<(Option<String>, Option<String>, String)> =
                sqlx::query_as(sql).bind(feed).bind(LOCAL_ACCOUNT).fetch_optional(&mut *transaction).await?;
            let Some((custom_title, title, url)) = row else { continue };
            if protecting_marks(&mut transaction, *feed).await?.iter().any(|mark| !self.marks.contains(mark)) {
                kept.push(shown_title(custom_title.as_deref(), title.as_deref(), &url));
                continue;
            }
            let sql = "UPDATE feeds SET unsubscribed_at = ?2 WHERE id = ?1";
            sqlx::query(sql).bind(feed).bind(now).execute(&mut *transaction).await?;
            feeds.push(*feed);
        }
        for folder in self.folders.iter().rev() {
            let empty: Option<bool> = sqlx::query_scalar(
                "SELECT NOT EXISTS (SELECT 1 FROM feeds WHERE folder_id = ?1 AND unsubscribed_at IS NULL)
                    AND NOT EXISTS (SELECT 1 FROM folders WHERE parent_id = ?1) FROM folders WHERE id = ?1",
            )
            .bind(folder)
            .fetch_optional(&mut *transaction)
            .await?;
            if empty == Some(true) {
                let above = folders::ancestors(&mut transaction, *folder).await?;
                deleted.push(RemovedFolder { deleted: folders::delete(&mut transaction, *folder, now).await?, above });
            }
        }
        let marks = self.gained.undo_in(&mut transaction, now).await?;
        let tags = self.gained.delete_unused_tags(&mut transaction, &feeds, now).await?;
        transaction.commit().await?;
        Ok((Removed { feeds, folders: deleted, marks, tags }, kept))
    }
}

/// Returns the marks of a feed's articles, by the user or a rule, because of which they never expire.
async fn protecting_marks(connection: &mut SqliteConnection, feed: i64) -> sqlx::Result<Vec<ArticleMark>> {
    let sql = "SELECT i.id, 0, 0, 0 FROM items i JOIN states s ON s.item_id = i.id WHERE i.feed_id = ?1 AND s.starred = 1
        UNION ALL SELECT i.id, 1, 0, 0 FROM items i JOIN states s ON s.item_id = i.id WHERE i.feed_id = ?1 AND s.kept = 1
        UNION ALL SELECT i.id, 2, t.tag_id, 0 FROM items i CROSS JOIN item_tags t ON t.item_id = i.id WHERE i.feed_id = ?1
        UNION ALL SELECT i.id, 3 + n.color, n.id, n.changed_at FROM items i CROSS JOIN notes n ON n.item_id = i.id WHERE i.feed_id = ?1";
    sqlx::query_as(sql).bind(feed).fetch_all(connection).await
}

impl UndoStep for AddedByImport {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { self.remove(db).await.map(drop) })
    }

    fn articles(&self) -> usize {
        self.marks.len() + self.gained.count()
    }
}

impl UndoStep for Undone {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move {
            let mut writer = db.writer().await;
            let mut transaction = writer.begin().await?;
            // A folder that the user created again in the meantime has another id.
            let mut ids = HashMap::new();
            let Removed { feeds, folders, marks, tags } = &self.removed;
            for RemovedFolder { deleted, above } in folders.iter().rev() {
                // If the user deleted its folder, it is moved one level up.
                let above: Vec<i64> = above.iter().map(|id| *ids.get(id).unwrap_or(id)).collect();
                let parent = folders::first_existing(&mut transaction, &above).await?;
                let id = folders::restore_in(&mut transaction, deleted, parent, db.now()).await?;
                ids.insert(deleted.id(), id);
            }
            let mut restored = false;
            for feed in feeds {
                match resubscribe(&mut transaction, *feed, db.now()).await {
                    // The user subscribed to its address again, or it was deleted.
                    Err(LibraryError::NotFound(_) | LibraryError::AlreadySubscribed(_)) => {}
                    done => {
                        done?;
                        restored = true;
                    }
                }
            }
            if !restored && !feeds.is_empty() && marks.count() == 0 {
                return Err(LibraryError::NotFound("feed"));
            }
            let (mut import, mut marks, mut others) = (self.import.clone(), marks.clone(), HashMap::new());
            for tag in tags {
                let id = tags::restore_row(&mut transaction, tag, db.now()).await?;
                if id != tag.id {
                    others.insert(tag.id, id);
                }
            }
            // A tag that the user created again in the meantime stays when the import is undone once more.
            marks.replace_tags(&others);
            import.replace_tags(&others);
            marks.undo_in(&mut transaction, db.now()).await?;
            transaction.commit().await?;
            db.undo.put_back(self.step, Box::new(import));
            Ok(())
        })
    }

    fn articles(&self) -> usize {
        let tagged: usize = self.removed.tags.iter().map(|tag| tag.items.len()).sum();
        self.import.articles() + self.removed.marks.count() + tagged
    }
}

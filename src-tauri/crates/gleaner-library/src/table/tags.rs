//! `tags`, `item_tags`: the user's tags on articles. Names that differ only in case, accents' encoding or white space are the same
//! ([`tag_key`]). A tag exists, even without articles, until the user deletes it or undoes what created it. The query `tag:`
//! finds tags like the feeds' categories, once the index is updated.

use crate::{
    LibraryError, Millis, Refusal, Undoable,
    database::{Database, repository, undo::UndoStep},
    json::json,
    names::checked_name,
    table::mark_log::{self, Cause, MarkChange},
};
use futures::future::BoxFuture;
use gleaner_query::one_line;
use sqlx::{SqliteConnection, SqliteExecutor};

/// A tag and its number of visible articles.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Tag {
    /// Id.
    pub id: i64,
    /// Name as it was first written.
    pub name: String,
    /// Number of articles.
    pub items: i64,
    /// Number of unread ones among them.
    pub unread: i64,
}

/// Articles to which a tag was added, or from which it was removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tagged {
    pub tag: i64,
    pub on: bool,
    pub items: Vec<i64>,
}

/// A tag that an import or a first article created.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CreatedTag {
    pub id: i64,
    name: String,
}

/// Articles that got or lost a tag, which may have been created for them.
#[derive(Debug)]
struct SetTag {
    tagged: Tagged,
    created: Option<CreatedTag>,
}

/// A deleted tag, for restoring it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DeletedTag {
    pub id: i64,
    name: String,
    pub items: Vec<i64>,
}

/// A renamed tag, and the one that had the new name before.
#[derive(Debug, Clone, PartialEq, Eq)]
struct RenamedTag {
    id: i64,
    before: String,
    pub other: Option<DeletedTag>,
    /// Articles that only the other one was on.
    pub gained: Tagged,
}

/// Returns the key by which two names are the same tag: lower case, white space as one blank each.
#[must_use]
pub fn tag_key(name: &str) -> String {
    one_line(name).to_lowercase()
}

/// Returns the id of the tag with this name, created if it is missing.
pub(crate) async fn get_or_create(connection: &mut SqliteConnection, name: &str) -> Result<i64, LibraryError> {
    Ok(ensure(connection, name).await?.0)
}

/// Returns the id of a tag, and the tag if there was none with this name, so that it was created.
pub(crate) async fn ensure(
    connection: &mut SqliteConnection,
    name: &str,
) -> Result<(i64, Option<CreatedTag>), LibraryError> {
    let name = checked_name(name, Refusal::TagName)?;
    let done = sqlx::query("INSERT INTO tags (name, key) VALUES (?, ?) ON CONFLICT (key) DO NOTHING")
        .bind(&name)
        .bind(tag_key(&name))
        .execute(&mut *connection)
        .await?;
    let sql = "SELECT id FROM tags WHERE key = ?";
    let id = sqlx::query_scalar(sql).bind(tag_key(&name)).fetch_one(connection).await?;
    Ok((id, (done.rows_affected() > 0).then_some(CreatedTag { id, name })))
}

/// Deletes those of these tags that are on no article, ignoring articles of these feeds. A tag that was renamed in the meantime stays.
pub(crate) async fn delete_unused(
    connection: &mut SqliteConnection,
    tags: &[CreatedTag],
    feeds: &[i64],
    now: Millis,
) -> Result<Vec<DeletedTag>, LibraryError> {
    let feeds = json(feeds)?;
    let mut deleted = Vec::new();
    for CreatedTag { id, name } in tags {
        let unused: bool = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM tags WHERE id = ?1 AND name = ?2)
                AND NOT EXISTS (SELECT 1 FROM item_tags m CROSS JOIN items i ON i.id = m.item_id
                    WHERE m.tag_id = ?1 AND i.feed_id NOT IN (SELECT value FROM json_each(?3)))",
        )
        .bind(id)
        .bind(name)
        .bind(&feeds)
        .fetch_one(&mut *connection)
        .await?;
        if unused {
            deleted.push(delete(connection, *id, now, Cause::Undo).await?);
        }
    }
    Ok(deleted)
}

/// Adds or removes a tag, and returns the changed articles.
pub(crate) async fn set(
    connection: &mut SqliteConnection,
    tag: i64,
    ids: &[i64],
    change: MarkChange,
) -> Result<Tagged, LibraryError> {
    let sql = if change.on {
        "INSERT INTO item_tags (tag_id, sort_at, item_id, at)
         SELECT ?1, sort_at, id, ?2 FROM items WHERE id IN (SELECT value FROM json_each(?3)) AND EXISTS (SELECT 1 FROM tags WHERE id = ?1)
         ON CONFLICT DO NOTHING RETURNING item_id"
    } else {
        "DELETE FROM item_tags WHERE tag_id = ?1 AND (tag_id, sort_at, item_id) IN
            (SELECT tag_id, sort_at, item_id FROM item_tags WHERE item_id IN (SELECT value FROM json_each(?3)) AND tag_id = ?1)
         RETURNING item_id"
    };
    let items: Vec<i64> =
        sqlx::query_scalar(sql).bind(tag).bind(change.at).bind(json(ids)?).fetch_all(&mut *connection).await?;
    mark_log::record_tag(connection, &json(&items)?, tag, change).await?;
    Ok(Tagged { tag, on: change.on, items })
}

async fn set_name(connection: &mut SqliteConnection, id: i64, name: &str) -> sqlx::Result<()> {
    let sql = "UPDATE tags SET name = ?, key = ? WHERE id = ?";
    sqlx::query(sql).bind(name).bind(tag_key(name)).bind(id).execute(connection).await?;
    Ok(())
}

async fn delete(
    connection: &mut SqliteConnection,
    id: i64,
    now: Millis,
    cause: Cause,
) -> Result<DeletedTag, LibraryError> {
    let items: Vec<i64> = sqlx::query_scalar("DELETE FROM item_tags WHERE tag_id = ? RETURNING item_id")
        .bind(id)
        .fetch_all(&mut *connection)
        .await?;
    let name: Option<String> = sqlx::query_scalar("DELETE FROM tags WHERE id = ? RETURNING name")
        .bind(id)
        .fetch_optional(&mut *connection)
        .await?;
    let name = name.ok_or(LibraryError::NotFound("tag"))?;
    mark_log::record(connection, &json(&items)?, &mark_log::label(&name), MarkChange::off(now, cause)).await?;
    Ok(DeletedTag { id, name, items })
}

/// Restores a deleted tag. Returns its id, or that of the tag that has its name by now.
pub(crate) async fn restore_row(
    connection: &mut SqliteConnection,
    tag: &DeletedTag,
    now: Millis,
) -> Result<i64, LibraryError> {
    // With its former id, so that older steps about it can be undone too.
    sqlx::query("INSERT OR IGNORE INTO tags (id, name, key) VALUES (?, ?, ?)")
        .bind(tag.id)
        .bind(&tag.name)
        .bind(tag_key(&tag.name))
        .execute(&mut *connection)
        .await?;
    let id = get_or_create(connection, &tag.name).await?;
    set(connection, id, &tag.items, MarkChange::on(now, Cause::Undo)).await?;
    Ok(id)
}

repository!(
    /// The user's tags.
    Tags
);

impl Tags<'_> {
    /// Returns the names of an article's tags, sorted.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn names(self, article: i64) -> Result<Vec<String>, LibraryError> {
        let tags = of_article(&self.db.readers, article).await?;
        Ok(tags.into_iter().map(|(_, name)| name).collect())
    }

    /// Returns all tags by name, and how many articles have each.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn list(self) -> Result<Vec<Tag>, LibraryError> {
        Ok(sqlx::query_as(
            "SELECT t.id, t.name, ifnull(n.items, 0) AS items, ifnull(n.unread, 0) AS unread FROM tags t LEFT JOIN (
                SELECT m.tag_id, count(*) AS items, sum(s.read = 0) AS unread FROM item_tags m JOIN states s ON s.item_id = m.item_id
                WHERE s.hidden = 0 AND s.feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL) GROUP BY m.tag_id
             ) n ON n.tag_id = t.id ORDER BY t.key",
        )
        .fetch_all(&self.db.readers)
        .await?)
    }

    /// Adds a tag to articles, or removes it. A tag that does not exist is created.
    ///
    /// # Errors
    /// [`LibraryError::Refused`] without a name; when the library cannot be written.
    pub async fn set(self, ids: &[i64], name: &str, on: bool) -> Result<Undoable, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let (tag, created) = if on {
            ensure(&mut transaction, name).await?
        } else {
            let sql = "SELECT id FROM tags WHERE key = ?";
            let key = tag_key(&checked_name(name, Refusal::TagName)?);
            let tag: Option<i64> = sqlx::query_scalar(sql).bind(key).fetch_optional(&mut *transaction).await?;
            // No row has this id, so nothing changes.
            (tag.unwrap_or(0), None)
        };
        let tagged = set(&mut transaction, tag, ids, MarkChange { on, at: self.db.now(), cause: Cause::Here }).await?;
        transaction.commit().await?;
        Ok(self.db.undo.push(tagged.items.len(), SetTag { tagged, created }))
    }

    /// Renames a tag. If another tag has the name, the two are merged.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`], [`LibraryError::Refused`] without a name; when the library cannot be written.
    pub async fn rename(self, id: i64, name: &str) -> Result<Undoable, LibraryError> {
        let name = checked_name(name, Refusal::TagName)?;
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let before: Option<String> =
            sqlx::query_scalar("SELECT name FROM tags WHERE id = ?").bind(id).fetch_optional(&mut *transaction).await?;
        let before = before.ok_or(LibraryError::NotFound("tag"))?;
        let other: Option<i64> = sqlx::query_scalar("SELECT id FROM tags WHERE key = ? AND id <> ?")
            .bind(tag_key(&name))
            .bind(id)
            .fetch_optional(&mut *transaction)
            .await?;
        let other = match other {
            Some(other) => Some(delete(&mut transaction, other, self.db.now(), Cause::Here).await?),
            None => None,
        };
        let items = other.as_ref().map_or(&[][..], |other| &other.items);
        let gained = set(&mut transaction, id, items, MarkChange::on(self.db.now(), Cause::Here)).await?;
        set_name(&mut transaction, id, &name).await?;
        transaction.commit().await?;
        Ok(self.db.undo.push(1, RenamedTag { id, before, other, gained }))
    }

    /// Deletes a tag.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be written.
    pub async fn delete(self, id: i64) -> Result<Undoable, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let deleted = delete(&mut transaction, id, self.db.now(), Cause::Here).await?;
        transaction.commit().await?;
        Ok(self.db.undo.push(deleted.items.len(), deleted))
    }

    async fn untag(self, SetTag { tagged, created }: &SetTag) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let sql = "SELECT id FROM tags WHERE id = ?";
        let there: Option<i64> = sqlx::query_scalar(sql).bind(tagged.tag).fetch_optional(&mut *transaction).await?;
        if there.is_none() && !tagged.on {
            return Err(LibraryError::NotFound("tag"));
        }
        set(
            &mut transaction,
            tagged.tag,
            &tagged.items,
            MarkChange { on: !tagged.on, at: self.db.now(), cause: Cause::Undo },
        )
        .await?;
        // Other articles may have got it meanwhile, hidden ones among them.
        delete_unused(&mut transaction, created.as_slice(), &[], self.db.now()).await?;
        Ok(transaction.commit().await?)
    }

    async fn restore(self, tag: &DeletedTag) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        restore_row(&mut transaction, tag, self.db.now()).await?;
        Ok(transaction.commit().await?)
    }

    async fn restore_name(self, tag: &RenamedTag) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let sql = "SELECT id FROM tags WHERE id = ?";
        let there: Option<i64> = sqlx::query_scalar(sql).bind(tag.id).fetch_optional(&mut *transaction).await?;
        there.ok_or(LibraryError::NotFound("tag"))?;
        set(&mut transaction, tag.id, &tag.gained.items, MarkChange::off(self.db.now(), Cause::Undo)).await?;
        // Another tag may have the name by now: then the two are united.
        let taken: Option<i64> = sqlx::query_scalar("SELECT id FROM tags WHERE key = ? AND id <> ?")
            .bind(tag_key(&tag.before))
            .bind(tag.id)
            .fetch_optional(&mut *transaction)
            .await?;
        if let Some(taken) = taken {
            let taken = delete(&mut transaction, taken, self.db.now(), Cause::Undo).await?;
            set(&mut transaction, tag.id, &taken.items, MarkChange::on(self.db.now(), Cause::Undo)).await?;
        }
        set_name(&mut transaction, tag.id, &tag.before).await?;
        if let Some(other) = &tag.other {
            restore_row(&mut transaction, other, self.db.now()).await?;
        }
        Ok(transaction.commit().await?)
    }
}

/// Returns the tags of an article, by name.
pub(crate) async fn of_article<'c>(reader: impl SqliteExecutor<'c>, item: i64) -> sqlx::Result<Vec<(i64, String)>> {
    let sql = "SELECT t.id, t.name FROM item_tags m JOIN tags t ON t.id = m.tag_id WHERE m.item_id = ? ORDER BY t.key";
    sqlx::query_as(sql).bind(item).fetch_all(reader).await
}

impl UndoStep for SetTag {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { Tags::new(db).untag(self).await })
    }

    fn articles(&self) -> usize {
        self.tagged.items.len()
    }
}

impl UndoStep for DeletedTag {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { Tags::new(db).restore(self).await })
    }

    fn articles(&self) -> usize {
        self.items.len()
    }
}

impl UndoStep for RenamedTag {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { Tags::new(db).restore_name(self).await })
    }

    fn articles(&self) -> usize {
        self.gained.items.len() + self.other.as_ref().map_or(0, |other| other.items.len())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Library;
    use crate::{Incoming, Intent, ListQuery, Mark, NewItem, NewSubscription, Order, Source};

    async fn library(folder: &std::path::Path) -> Library {
        let library = Library::open(folder).await.unwrap();
        let feed_id = library.subscriptions().add(&NewSubscription::new("https://a.example/feed")).await.unwrap();
        let item = |number: i64| {
            let (key, title) = (number.to_string(), number.to_string());
            Intent::Insert(Box::new(NewItem { key, title, sort_at: number, ..NewItem::default() }))
        };
        library.polls().store(&[&Incoming::of_items(feed_id, (1..=4).map(item).collect())]).await.unwrap();
        library
    }

    async fn listed(library: &Library, source: Source) -> Vec<i64> {
        let query = ListQuery::newest(source, 10);
        library.lists().page(query).await.unwrap().0.into_iter().map(|row| row.id).collect()
    }

    #[tokio::test]
    async fn equal_names_are_one_tag_and_each_step_can_be_undone() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        library.tags().set(&[1, 2, 99], " To  read ", true).await.unwrap();
        let step = library.tags().set(&[2, 3], "to READ", true).await.unwrap();
        assert_eq!(step.count, 1, "one had it");
        let tags = library.tags().list().await.unwrap();
        assert_eq!((tags.len(), tags[0].name.as_str(), tags[0].items, tags[0].unread), (1, "To read", 3, 3));
        assert_eq!(listed(&library, Source::Tag(tags[0].id)).await, [3, 2, 1]);
        library.undo(step.step).await.unwrap();
        assert_eq!(listed(&library, Source::Tag(tags[0].id)).await, [2, 1]);

        library.tags().set(&[4], "Later", true).await.unwrap();
        let both = library.tags().list().await.unwrap();
        let step = library.tags().rename(tags[0].id, "later").await.unwrap();
        assert_eq!(library.tags().list().await.unwrap()[0].items, 3, "one of two");
        library.undo(step.step).await.unwrap();
        assert_eq!(library.tags().list().await.unwrap(), both, "two of one");
        library.tags().rename(tags[0].id, "later").await.unwrap();
        let tags = library.tags().list().await.unwrap();
        let step = library.tags().delete(tags[0].id).await.unwrap();
        assert_eq!(library.tags().list().await.unwrap(), []);
        library.undo(step.step).await.unwrap();
        assert_eq!(library.tags().list().await.unwrap(), tags);
        assert_eq!(of_article(&library.db.readers, 4).await.unwrap(), [(tags[0].id, "later".to_owned())]);
        assert!(matches!(library.tags().set(&[1], " \u{a0}", true).await, Err(LibraryError::Refused(_))));
    }

    #[tokio::test]
    async fn undoing_a_new_tag_deletes_it_unless_it_is_used_or_renamed() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        let names =
            async || -> Vec<String> { library.tags().list().await.unwrap().into_iter().map(|tag| tag.name).collect() };
        library.tags().set(&[1], "Old", true).await.unwrap();
        library.tags().set(&[1], "Old", false).await.unwrap();
        for name in ["New", "old"] {
            let step = library.tags().set(&[2], name, true).await.unwrap();
            library.undo(step.step).await.unwrap();
            assert_eq!(names().await, ["Old"], "{name}");
        }
        // On a hidden article, which no list of tags counts.
        let step = library.tags().set(&[2], "New", true).await.unwrap();
        library.tags().set(&[3], "New", true).await.unwrap();
        library.articles().set_marks(&[3], &[(Mark::Hidden, true)]).await.unwrap();
        library.undo(step.step).await.unwrap();
        assert_eq!(
            (names().await, library.tags().names(3).await.unwrap()),
            (vec!["New".into(), "Old".into()], vec!["New".into()])
        );
        let step = library.tags().set(&[2], "Newer", true).await.unwrap();
        let tag = library.tags().list().await.unwrap().into_iter().find(|tag| tag.name == "Newer").unwrap();
        let renamed = library.tags().rename(tag.id, "Newest").await.unwrap();
        library.undo(step.step).await.unwrap();
        assert_eq!(names().await, ["New", "Newest", "Old"]);
        library.undo(renamed.step).await.unwrap();
        assert!(library.check(false).await.unwrap().findings.is_empty());
    }

    #[tokio::test]
    async fn restoring_a_tag_affects_no_tag_with_its_former_name() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        library.tags().set(&[1], "One", true).await.unwrap();
        let one = library.tags().list().await.unwrap()[0].id;
        let renamed = library.tags().rename(one, "Two").await.unwrap();
        let deleted = library.tags().delete(one).await.unwrap();
        library.tags().set(&[2, 3], "one", true).await.unwrap();
        assert!(matches!(library.undo(renamed.step).await, Err(LibraryError::NotFound("tag"))));
        let tags = library.tags().list().await.unwrap();
        assert_eq!((tags.len(), tags[0].name.as_str(), tags[0].items), (1, "one", 2));
        // It is restored step by step.
        library.undo(deleted.step).await.unwrap();
        library.undo(renamed.step).await.unwrap();
        let tags = library.tags().list().await.unwrap();
        assert_eq!((tags.len(), tags[0].id, tags[0].name.as_str(), tags[0].items), (1, one, "One", 3));
    }

    #[tokio::test]
    async fn hidden_articles_are_in_their_own_list_only() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        library.tags().set(&[1, 2], "t", true).await.unwrap();
        library.articles().set_marks(&[3], &[(Mark::Starred, true)]).await.unwrap();
        let step = library.articles().set_marks(&[1, 3], &[(Mark::Hidden, true)]).await.unwrap();
        let tag = library.tags().list().await.unwrap().remove(0);
        let count = library.counts().by_feed().await.unwrap()[0];
        assert_eq!((count.items, count.unread, count.starred, tag.items, tag.unread), (2, 2, 0, 1, 1));
        for (source, shown) in [
            (Source::All, vec![4, 2]),
            (Source::Unread, vec![4, 2]),
            (Source::Starred, vec![]),
            (Source::Feed(count.feed_id), vec![4, 2]),
            (Source::Tag(tag.id), vec![2]),
            (Source::Hidden, vec![3, 1]),
        ] {
            assert_eq!(listed(&library, source).await, shown, "{source:?}");
        }
        assert!(library.articles().get(3).await.unwrap().hidden);
        library.articles().mark_list_read(Source::All, Order::Newest, crate::MarkScope::All, None).await.unwrap();
        library.undo(step.step).await.unwrap();
        let count = library.counts().by_feed().await.unwrap()[0];
        assert_eq!((count.items, count.unread, count.starred), (4, 2, 1), "what was hidden was not marked");
        assert!(library.check(false).await.unwrap().findings.is_empty());
    }
}

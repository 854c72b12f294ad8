//! `tags`, `item_tags`: the reader's own words on articles. Two names that differ in case, accents of writing or white space only are
//! one tag ([`tag_key`]). A tag is there for as long as the reader keeps it, on articles or not. `tag:` finds them as it finds
//! what feeds say their articles are about, once the index has followed.

use crate::{Library, LibraryError, Undoable, now, table::states::json, undo::Undo};
use sqlx::SqliteConnection;

/// A tag and how many articles have it that lists show.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct Tag {
    /// Its number.
    pub id: i64,
    /// As the reader wrote it first.
    pub name: String,
    /// Articles.
    pub items: i64,
    /// Those of them that are not read.
    pub unread: i64,
}

/// Articles that were given a tag, or had it taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Tagged {
    pub tag: i64,
    pub on: bool,
    pub items: Vec<i64>,
}

/// A tag that is gone, with all that can bring it back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DeletedTag {
    id: i64,
    name: String,
    pub items: Vec<i64>,
}

/// A tag that was called something else, and what became of another that had its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RenamedTag {
    id: i64,
    before: String,
    pub other: Option<DeletedTag>,
    /// Articles that only the other one was on.
    pub came: Tagged,
}

/// What makes two names of tags one: letters without case, white space as one blank each.
#[must_use]
pub fn tag_key(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// As it is kept: white space as one blank each.
fn tidied(name: &str) -> Result<String, LibraryError> {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(LibraryError::Invalid("a tag needs a name".to_owned()));
    }
    Ok(name)
}

/// The number of a tag, which is made where there is none of this name.
pub(crate) async fn named(connection: &mut SqliteConnection, name: &str) -> Result<i64, LibraryError> {
    let name = tidied(name)?;
    sqlx::query("INSERT INTO tags (name, key) VALUES (?, ?) ON CONFLICT (key) DO NOTHING")
        .bind(&name)
        .bind(tag_key(&name))
        .execute(&mut *connection)
        .await?;
    Ok(sqlx::query_scalar("SELECT id FROM tags WHERE key = ?").bind(tag_key(&name)).fetch_one(connection).await?)
}

/// Gives items a tag or takes it, and says which had it not, or had it.
pub(crate) async fn set(
    connection: &mut SqliteConnection,
    tag: i64,
    on: bool,
    ids: &[i64],
) -> Result<Tagged, LibraryError> {
    let sql = if on {
        "INSERT INTO item_tags (tag_id, sort_at, item_id, at)
         SELECT ?1, sort_at, id, ?2 FROM items WHERE id IN (SELECT value FROM json_each(?3)) AND EXISTS (SELECT 1 FROM tags WHERE id = ?1)
         ON CONFLICT DO NOTHING RETURNING item_id"
    } else {
        "DELETE FROM item_tags WHERE tag_id = ?1 AND (tag_id, sort_at, item_id) IN
            (SELECT tag_id, sort_at, item_id FROM item_tags WHERE item_id IN (SELECT value FROM json_each(?3)) AND tag_id = ?1)
         RETURNING item_id"
    };
    let items = sqlx::query_scalar(sql).bind(tag).bind(now()).bind(json(ids)?).fetch_all(connection).await?;
    Ok(Tagged { tag, on, items })
}

async fn call(connection: &mut SqliteConnection, id: i64, name: &str) -> sqlx::Result<()> {
    let sql = "UPDATE tags SET name = ?, key = ? WHERE id = ?";
    sqlx::query(sql).bind(name).bind(tag_key(name)).bind(id).execute(connection).await?;
    Ok(())
}

async fn delete(connection: &mut SqliteConnection, id: i64) -> Result<DeletedTag, LibraryError> {
    let items: Vec<i64> = sqlx::query_scalar("DELETE FROM item_tags WHERE tag_id = ? RETURNING item_id")
        .bind(id)
        .fetch_all(&mut *connection)
        .await?;
    let name: Option<String> =
        sqlx::query_scalar("DELETE FROM tags WHERE id = ? RETURNING name").bind(id).fetch_optional(connection).await?;
    Ok(DeletedTag { id, name: name.ok_or(LibraryError::NotFound("tag"))?, items })
}

async fn bring_back(connection: &mut SqliteConnection, tag: &DeletedTag) -> Result<(), LibraryError> {
    // Under its own number, so that older steps that speak of it can be taken back too.
    sqlx::query("INSERT OR IGNORE INTO tags (id, name, key) VALUES (?, ?, ?)")
        .bind(tag.id)
        .bind(&tag.name)
        .bind(tag_key(&tag.name))
        .execute(&mut *connection)
        .await?;
    let id = named(connection, &tag.name).await?;
    set(connection, id, true, &tag.items).await?;
    Ok(())
}

impl Library {
    /// All tags by name, and how many articles have each.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn tags(&self) -> Result<Vec<Tag>, LibraryError> {
        Ok(sqlx::query_as(
            "SELECT t.id, t.name, ifnull(n.items, 0) AS items, ifnull(n.unread, 0) AS unread FROM tags t LEFT JOIN (
                SELECT m.tag_id, count(*) AS items, sum(s.read = 0) AS unread FROM item_tags m JOIN states s ON s.item_id = m.item_id
                WHERE s.hidden = 0 AND s.feed_id NOT IN (SELECT id FROM feeds WHERE unsubscribed_at IS NOT NULL) GROUP BY m.tag_id
             ) n ON n.tag_id = t.id ORDER BY t.key",
        )
        .fetch_all(&self.readers)
        .await?)
    }

    /// The tags of an article, by name: numbers and names.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn tags_of(&self, item: i64) -> Result<Vec<(i64, String)>, LibraryError> {
        let sql =
            "SELECT t.id, t.name FROM item_tags m JOIN tags t ON t.id = m.tag_id WHERE m.item_id = ? ORDER BY t.key";
        Ok(sqlx::query_as(sql).bind(item).fetch_all(&self.readers).await?)
    }

    /// Gives articles a tag, which is made where there is none of this name, or takes it from them.
    ///
    /// # Errors
    /// [`LibraryError::Invalid`] without a name; when the library cannot be written.
    pub async fn tag(&self, ids: &[i64], name: &str, on: bool) -> Result<Undoable, LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let tag = named(&mut transaction, name).await?;
        let tagged = set(&mut transaction, tag, on, ids).await?;
        transaction.commit().await?;
        Ok(self.undo.push(tagged.items.len(), Undo::Tagged(tagged)))
    }

    /// Calls a tag something else. A name that another tag has makes one of the two.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`], [`LibraryError::Invalid`] without a name; when the library cannot be written.
    pub async fn rename_tag(&self, id: i64, name: &str) -> Result<Undoable, LibraryError> {
        let name = tidied(name)?;
        let mut writer = self.writer().await;
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
            Some(other) => Some(delete(&mut transaction, other).await?),
            None => None,
        };
        let items = other.as_ref().map_or(&[][..], |other| &other.items);
        let came = set(&mut transaction, id, true, items).await?;
        call(&mut transaction, id, &name).await?;
        transaction.commit().await?;
        Ok(self.undo.push(1, Undo::RenamedTag(RenamedTag { id, before, other, came })))
    }

    /// Takes a tag from all articles, and is done with it.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be written.
    pub async fn delete_tag(&self, id: i64) -> Result<Undoable, LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let deleted = delete(&mut transaction, id).await?;
        transaction.commit().await?;
        Ok(self.undo.push(deleted.items.len(), Undo::DeletedTag(deleted)))
    }

    pub(crate) async fn untag(&self, tagged: &Tagged) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let sql = "SELECT id FROM tags WHERE id = ?";
        let there: Option<i64> = sqlx::query_scalar(sql).bind(tagged.tag).fetch_optional(&mut *transaction).await?;
        if there.is_none() && !tagged.on {
            return Err(LibraryError::NotFound("tag"));
        }
        set(&mut transaction, tagged.tag, !tagged.on, &tagged.items).await?;
        Ok(transaction.commit().await?)
    }

    pub(crate) async fn restore_tag(&self, tag: &DeletedTag) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        bring_back(&mut transaction, tag).await?;
        Ok(transaction.commit().await?)
    }

    pub(crate) async fn restore_tag_name(&self, tag: &RenamedTag) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let sql = "SELECT id FROM tags WHERE id = ?";
        let there: Option<i64> = sqlx::query_scalar(sql).bind(tag.id).fetch_optional(&mut *transaction).await?;
        there.ok_or(LibraryError::NotFound("tag"))?;
        set(&mut transaction, tag.id, false, &tag.came.items).await?;
        // Another may be called so by now: then the two are one.
        let taken: Option<i64> = sqlx::query_scalar("SELECT id FROM tags WHERE key = ? AND id <> ?")
            .bind(tag_key(&tag.before))
            .bind(tag.id)
            .fetch_optional(&mut *transaction)
            .await?;
        if let Some(taken) = taken {
            let taken = delete(&mut transaction, taken).await?;
            set(&mut transaction, tag.id, true, &taken.items).await?;
        }
        call(&mut transaction, tag.id, &tag.before).await?;
        if let Some(other) = &tag.other {
            bring_back(&mut transaction, other).await?;
        }
        Ok(transaction.commit().await?)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Incoming, Intent, ListQuery, Mark, NewItem, NewSubscription, Poll, Source};

    async fn library(folder: &std::path::Path) -> Library {
        let library = Library::open(folder).await.unwrap();
        let url = "https://a.example/feed".to_owned();
        let feed_id = library.subscribe(&NewSubscription { url, ..NewSubscription::default() }).await.unwrap();
        let item = |number: i64| {
            let (key, title) = (number.to_string(), number.to_string());
            Intent::Insert(Box::new(NewItem { key, title, sort_at: number, ..NewItem::default() }))
        };
        let poll = Poll { feed_id, ..Poll::default() };
        library
            .store(&[&Incoming { poll, intents: (1..=4).map(item).collect(), ..Incoming::default() }])
            .await
            .unwrap();
        library
    }

    async fn listed(library: &Library, source: Source) -> Vec<i64> {
        let query = ListQuery { source, unread_only: false, oldest_first: false, after: None, before: None, limit: 10 };
        library.list(query).await.unwrap().0.into_iter().map(|row| row.id).collect()
    }

    #[tokio::test]
    async fn names_that_say_the_same_are_one_tag_and_each_step_can_be_undone() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        library.tag(&[1, 2, 99], " To  read ", true).await.unwrap();
        let step = library.tag(&[2, 3], "to READ", true).await.unwrap();
        assert_eq!(step.count, 1, "one had it");
        let tags = library.tags().await.unwrap();
        assert_eq!((tags.len(), tags[0].name.as_str(), tags[0].items, tags[0].unread), (1, "To read", 3, 3));
        assert_eq!(listed(&library, Source::Tag(tags[0].id)).await, [3, 2, 1]);
        library.undo(step.step).await.unwrap();
        assert_eq!(listed(&library, Source::Tag(tags[0].id)).await, [2, 1]);

        library.tag(&[4], "Later", true).await.unwrap();
        let both = library.tags().await.unwrap();
        let step = library.rename_tag(tags[0].id, "later").await.unwrap();
        assert_eq!(library.tags().await.unwrap()[0].items, 3, "one of two");
        library.undo(step.step).await.unwrap();
        assert_eq!(library.tags().await.unwrap(), both, "two of one");
        library.rename_tag(tags[0].id, "later").await.unwrap();
        let tags = library.tags().await.unwrap();
        let step = library.delete_tag(tags[0].id).await.unwrap();
        assert_eq!(library.tags().await.unwrap(), []);
        library.undo(step.step).await.unwrap();
        assert_eq!(library.tags().await.unwrap(), tags);
        assert_eq!(library.tags_of(4).await.unwrap(), [(tags[0].id, "later".to_owned())]);
        assert!(matches!(library.tag(&[1], " \u{a0}", true).await, Err(LibraryError::Invalid(_))));
    }

    #[tokio::test]
    async fn a_name_of_a_tag_that_is_gone_takes_no_other_tag_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        library.tag(&[1], "One", true).await.unwrap();
        let one = library.tags().await.unwrap()[0].id;
        let renamed = library.rename_tag(one, "Two").await.unwrap();
        let deleted = library.delete_tag(one).await.unwrap();
        library.tag(&[2, 3], "one", true).await.unwrap();
        assert!(matches!(library.undo(renamed.step).await, Err(LibraryError::NotFound("tag"))));
        let tags = library.tags().await.unwrap();
        assert_eq!((tags.len(), tags[0].name.as_str(), tags[0].items), (1, "one", 2));
        // Step by step it comes back.
        library.undo(deleted.step).await.unwrap();
        library.undo(renamed.step).await.unwrap();
        let tags = library.tags().await.unwrap();
        assert_eq!((tags.len(), tags[0].id, tags[0].name.as_str(), tags[0].items), (1, one, "One", 3));
    }

    #[tokio::test]
    async fn what_is_hidden_is_in_no_list_and_no_count_but_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let library = library(folder.path()).await;
        library.tag(&[1, 2], "t", true).await.unwrap();
        library.set_marks(&[3], &[(Mark::Starred, true)]).await.unwrap();
        let step = library.set_marks(&[1, 3], &[(Mark::Hidden, true)]).await.unwrap();
        let tag = library.tags().await.unwrap().remove(0);
        let count = library.feed_counts().await.unwrap()[0];
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
        assert!(library.item(3).await.unwrap().hidden);
        library.mark_list_read(Source::All, false, crate::MarkScope::All, None).await.unwrap();
        library.undo(step.step).await.unwrap();
        let count = library.feed_counts().await.unwrap()[0];
        assert_eq!((count.items, count.unread, count.starred), (4, 2, 1), "what was hidden was not marked");
        assert!(library.check(false).await.unwrap().findings.is_empty());
    }
}

//! The order of the tree, which is the reader's: feeds and folders are put elsewhere, several at once, as one step that can be taken
//! back. In each folder its folders stand above its feeds, and both have an order of their own.

use crate::{
    Library, LibraryError, Undoable,
    table::{preferences, search::from_json},
    undo::Undo,
};
use serde::Serialize;
use sqlx::SqliteConnection;

/// Where feeds and folders are to stand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rearrangement {
    /// In the order that they are to have.
    pub feeds: Vec<i64>,
    /// The same for folders, each with all that is in it.
    pub folders: Vec<i64>,
    /// The folder that they are put into; `None`: at the top.
    pub parent: Option<i64>,
    /// The feed there that the feeds come before; `None`: they are the last.
    pub before_feed: Option<i64>,
    /// The folder there that the folders come before; `None`: they are the last.
    pub before_folder: Option<i64>,
}

/// Where one stood before: its number, the folder that it was in, and its position.
pub(crate) type Place = (i64, Option<i64>, i64);

/// The two kinds of what is in a folder, by the columns that they are kept in.
struct Kind {
    table: &'static str,
    parent: &'static str,
    there: &'static str,
}

const FEEDS: Kind = Kind { table: "feeds", parent: "folder_id", there: "unsubscribed_at IS NULL" };
const FOLDERS: Kind = Kind { table: "folders", parent: "parent_id", there: "TRUE" };

impl Kind {
    /// Those that stand in a folder, in their order.
    async fn of_folder(&self, connection: &mut SqliteConnection, folder: Option<i64>) -> sqlx::Result<Vec<Place>> {
        let Self { table, parent, there } = self;
        let sql =
            format!("SELECT id, {parent}, position FROM {table} WHERE {parent} IS ? AND {there} ORDER BY position, id");
        sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(folder).fetch_all(connection).await
    }

    async fn these(&self, connection: &mut SqliteConnection, ids: &str) -> sqlx::Result<Vec<Place>> {
        let Self { table, parent, there } = self;
        let sql = format!(
            "SELECT id, {parent}, position FROM {table} WHERE id IN (SELECT value FROM json_each(?)) AND {there}"
        );
        sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(ids).fetch_all(connection).await
    }

    async fn put(&self, connection: &mut SqliteConnection, places: &[Place]) -> Result<(), LibraryError> {
        let Self { table, parent, .. } = self;
        // Two folders of one name in one place would be one: then nothing is moved.
        let sql = format!(
            "UPDATE OR IGNORE {table} SET {parent} = j.value ->> 1, position = j.value ->> 2
             FROM json_each(?) AS j WHERE {table}.id = j.value ->> 0"
        );
        let done = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(json(&places)?).execute(connection).await?;
        if usize::try_from(done.rows_affected()).ok() != Some(places.len()) {
            return Err(LibraryError::Invalid("there is a folder of that name already".to_owned()));
        }
        Ok(())
    }

    /// Puts some into a folder before one that is there; gives where all that moved by it stood.
    async fn arrange(
        &self,
        connection: &mut SqliteConnection,
        moved: &[i64],
        (folder, before): (Option<i64>, Option<i64>),
    ) -> Result<Vec<Place>, LibraryError> {
        let mut stood = self.these(connection, &json(&moved)?).await?;
        if stood.len() != moved.len() {
            return Err(LibraryError::NotFound("feed or folder"));
        }
        let there = self.of_folder(connection, folder).await?;
        // Where it is moved itself, what comes after it is meant.
        let from = before.and_then(|before| there.iter().position(|(id, ..)| *id == before)).unwrap_or(there.len());
        let stays = |(id, ..): &&Place| !moved.contains(id);
        let (above, below) = there.split_at(from);
        let ids = |part: &[Place]| part.iter().filter(stays).map(|(id, ..)| *id).collect::<Vec<_>>();
        let order = [ids(above), moved.to_vec(), ids(below)].concat();
        let places: Vec<Place> = (1..).zip(order).map(|(position, id)| (id, folder, position)).collect();
        // Positions that are there already are not written again.
        stood.extend(there.into_iter().filter(|place| !moved.contains(&place.0)));
        let changed: Vec<Place> = places.into_iter().filter(|place| !stood.contains(place)).collect();
        stood.retain(|(id, ..)| changed.iter().any(|(other, ..)| other == id));
        self.put(connection, &changed).await?;
        Ok(stood)
    }

    /// Puts those that are still there back to where they stood.
    async fn put_back(&self, connection: &mut SqliteConnection, stood: &[Place]) -> Result<(), LibraryError> {
        let ids: Vec<i64> = stood.iter().map(|(id, ..)| *id).collect();
        let there = self.these(connection, &json(&ids)?).await?;
        let stood: Vec<Place> = stood.iter().filter(|(id, ..)| there.iter().any(|(t, ..)| t == id)).copied().collect();
        self.put(connection, &stood).await
    }
}

fn json(what: &impl Serialize) -> Result<String, LibraryError> {
    serde_json::to_string(what).map_err(|error| LibraryError::Invalid(error.to_string()))
}

/// Refuses places in folders that are not there.
async fn folders_are_there(connection: &mut SqliteConnection, folders: Vec<i64>) -> Result<(), LibraryError> {
    let there: String =
        sqlx::query_scalar("SELECT json_group_array(id) FROM folders WHERE id IN (SELECT value FROM json_each(?))")
            .bind(json(&folders)?)
            .fetch_one(connection)
            .await?;
    let there: Vec<i64> = from_json(&there)?;
    if folders.iter().all(|folder| there.contains(folder)) { Ok(()) } else { Err(LibraryError::NotFound("folder")) }
}

/// Refuses folders that lie in a ring: none of them would be in the tree any more.
async fn in_no_ring(connection: &mut SqliteConnection) -> Result<(), LibraryError> {
    let lost: i64 = sqlx::query_scalar(
        "WITH RECURSIVE reached (id) AS (
             SELECT id FROM folders WHERE parent_id IS NULL UNION ALL SELECT f.id FROM folders f JOIN reached r ON f.parent_id = r.id)
         SELECT (SELECT count(*) FROM folders) - (SELECT count(*) FROM reached)",
    )
    .fetch_one(connection)
    .await?;
    if lost == 0 { Ok(()) } else { Err(LibraryError::Invalid("a folder cannot be put into itself".to_owned())) }
}

impl Library {
    /// Puts feeds and folders elsewhere, all of them or none.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; [`LibraryError::Invalid`] when a folder would end inside itself, or its name is taken there.
    pub async fn arrange(&self, wish: &Rearrangement) -> Result<Undoable, LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        folders_are_there(&mut transaction, wish.parent.into_iter().collect()).await?;
        let feeds = FEEDS.arrange(&mut transaction, &wish.feeds, (wish.parent, wish.before_feed)).await?;
        let folders = FOLDERS.arrange(&mut transaction, &wish.folders, (wish.parent, wish.before_folder)).await?;
        in_no_ring(&mut transaction).await?;
        preferences::moved(&mut transaction).await?;
        transaction.commit().await?;
        Ok(self.undo.push(wish.feeds.len() + wish.folders.len(), Undo::Arranged { feeds, folders }))
    }

    pub(crate) async fn arrange_back(&self, feeds: &[Place], folders: &[Place]) -> Result<(), LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let parents = feeds.iter().chain(folders).filter_map(|(_, parent, _)| *parent).collect();
        folders_are_there(&mut transaction, parents).await?;
        FOLDERS.put_back(&mut transaction, folders).await?;
        FEEDS.put_back(&mut transaction, feeds).await?;
        in_no_ring(&mut transaction).await?;
        preferences::moved(&mut transaction).await?;
        Ok(transaction.commit().await?)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::NewSubscription;

    /// Four feeds at the top, and the folders A, B and, in A, C.
    async fn library() -> (tempfile::TempDir, Library, Vec<i64>, [i64; 3]) {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let mut feeds = Vec::new();
        for name in 1..=4 {
            let new = NewSubscription { url: format!("https://a.example/{name}"), ..NewSubscription::default() };
            feeds.push(library.subscribe(&new).await.unwrap());
        }
        let a = library.create_folder("A", None).await.unwrap();
        let b = library.create_folder("B", None).await.unwrap();
        let c = library.create_folder("C", Some(a)).await.unwrap();
        (folder, library, feeds, [a, b, c])
    }

    async fn feeds_of(library: &Library, folder: Option<i64>) -> Vec<i64> {
        let feeds = library.feeds().await.unwrap().into_iter();
        feeds.filter(|feed| feed.folder_id == folder).map(|feed| feed.id).collect()
    }

    async fn tree(library: &Library) -> (Vec<(i64, Option<i64>)>, Vec<(i64, Option<i64>)>) {
        let folders =
            library.folders().await.unwrap().into_iter().map(|folder| (folder.id, folder.parent_id)).collect();
        (folders, library.feeds().await.unwrap().into_iter().map(|feed| (feed.id, feed.folder_id)).collect())
    }

    #[tokio::test]
    async fn several_are_put_between_others_and_back() {
        let (_folder, library, feeds, [a, b, c]) = library().await;
        let [one, two, three, four] = feeds[..] else { panic!() };
        let before = tree(&library).await;
        let wish = Rearrangement { feeds: vec![four, three], before_feed: Some(two), ..Rearrangement::default() };
        let first = library.arrange(&wish).await.unwrap();
        assert_eq!(feeds_of(&library, None).await, [one, four, three, two]);
        let wish = Rearrangement {
            feeds: vec![one, three],
            folders: vec![b],
            parent: Some(a),
            before_folder: Some(c),
            ..Rearrangement::default()
        };
        let second = library.arrange(&wish).await.unwrap();
        assert_eq!(second.count, 3);
        assert_eq!(
            (feeds_of(&library, None).await, feeds_of(&library, Some(a)).await),
            (vec![four, two], vec![one, three])
        );
        assert_eq!(tree(&library).await.0, [(a, None), (b, Some(a)), (c, Some(a))]);
        // What is moved itself stands for what comes after it; what is new is the last.
        library
            .arrange(&Rearrangement { feeds: vec![four, two], before_feed: Some(four), ..Rearrangement::default() })
            .await
            .unwrap();
        let url = "https://a.example/new".to_owned();
        let new = library.subscribe(&NewSubscription { url, ..NewSubscription::default() }).await.unwrap();
        assert_eq!(feeds_of(&library, None).await, [four, two, new]);
        let gone = library.unsubscribe(&[new, one]).await.unwrap();
        assert_eq!(feeds_of(&library, Some(a)).await, [three]);
        library.undo(gone.step).await.unwrap();
        library.undo(second.step).await.unwrap();
        assert_eq!(feeds_of(&library, Some(a)).await, [0; 0]);
        library.undo(first.step).await.unwrap();
        library.unsubscribe(&[new]).await.unwrap();
        assert_eq!(tree(&library).await, before);
    }

    #[tokio::test]
    async fn what_cannot_be_moved_moves_nothing() {
        let (_folder, library, feeds, [a, b, c]) = library().await;
        let before = tree(&library).await;
        let wish = |folders: &[i64], parent| Rearrangement {
            feeds: feeds.clone(),
            folders: folders.to_vec(),
            parent,
            ..Rearrangement::default()
        };
        for parent in [a, c] {
            let refused = library.arrange(&wish(&[b, a], Some(parent))).await;
            assert!(matches!(refused, Err(LibraryError::Invalid(_))), "{refused:?}");
        }
        for (folders, parent) in [(vec![99], None), (vec![b], Some(99))] {
            assert!(matches!(library.arrange(&wish(&folders, parent)).await, Err(LibraryError::NotFound(_))));
        }
        let double = library.create_folder("C", None).await.unwrap();
        let refused = library.arrange(&wish(&[double], Some(a))).await;
        assert!(matches!(refused, Err(LibraryError::Invalid(_))), "there is a C in A");
        library.delete_folder(double).await.unwrap();
        assert_eq!(tree(&library).await, before);

        // Meanwhile B went, and C is around A: the step cannot be taken back, and says so.
        let step = library.arrange(&wish(&[c], Some(b))).await.unwrap().step;
        library.arrange(&wish(&[c], None)).await.unwrap();
        library.arrange(&wish(&[a], Some(c))).await.unwrap();
        assert!(matches!(library.undo(step).await, Err(LibraryError::Invalid(_))));
        library.arrange(&wish(&[a], None)).await.unwrap();
        library.undo(step).await.unwrap();
        let mut folders = tree(&library).await.0;
        folders.sort_unstable();
        assert_eq!(folders, before.0);
    }
}

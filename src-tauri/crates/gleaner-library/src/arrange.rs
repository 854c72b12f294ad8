//! Moves feeds and folders in the tree, several as one step that can be undone. In each folder the folders come before the feeds,
//! and both are in the user's order.

use crate::{
    LibraryError, Refusal, Undoable, account_folders,
    database::{Database, undo::UndoStep},
    json::{from_json, json},
    subscriptions::Subscriptions,
    table::{folders, preferences},
};
use futures::future::BoxFuture;
use sqlx::SqliteConnection;

/// A new place for feeds and folders.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rearrangement {
    /// In their new order.
    pub feeds: Vec<i64>,
    /// Folders with their contents, in their new order.
    pub folders: Vec<i64>,
    /// The folder that they move to; `None`: the top level.
    pub parent: Option<i64>,
    /// The feed there that the feeds come before; `None`: the end.
    pub before_feed: Option<i64>,
    /// The folder there that the folders come before; `None`: the end.
    pub before_folder: Option<i64>,
}

/// A place in the tree: the id of a feed or folder, the folder that it is in, and its position.
type Place = (i64, Option<i64>, i64);

/// Feeds or folders, by the columns that place them.
struct Kind {
    table: &'static str,
    parent: &'static str,
    there: &'static str,
}

const FEEDS: Kind = Kind { table: "feeds", parent: "folder_id", there: "unsubscribed_at IS NULL" };
const FOLDERS: Kind = Kind { table: "folders", parent: "parent_id", there: "TRUE" };

impl Kind {
    /// Returns the contents of a folder, in order.
    async fn of_folder(&self, connection: &mut SqliteConnection, folder: Option<i64>) -> sqlx::Result<Vec<Place>> {
        let Self { table, parent, there } = self;
        let sql =
            format!("SELECT id, {parent}, position FROM {table} WHERE {parent} IS ? AND {there} ORDER BY position, id");
        sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(folder).fetch_all(connection).await
    }

    /// Returns the places of these ids, a JSON list.
    async fn by_ids(&self, connection: &mut SqliteConnection, ids: &str) -> sqlx::Result<Vec<Place>> {
        let Self { table, parent, there } = self;
        let sql = format!(
            "SELECT id, {parent}, position FROM {table} WHERE id IN (SELECT value FROM json_each(?)) AND {there}"
        );
        sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(ids).fetch_all(connection).await
    }

    async fn put(&self, connection: &mut SqliteConnection, places: &[Place]) -> Result<(), LibraryError> {
        let Self { table, parent, .. } = self;
        // Two folders in one place cannot have the same name; then nothing is moved.
        let sql = format!(
            "UPDATE OR IGNORE {table} SET {parent} = j.value ->> 1, position = j.value ->> 2
             FROM json_each(?) AS j WHERE {table}.id = j.value ->> 0"
        );
        let done = sqlx::query(sqlx::AssertSqlSafe(sql)).bind(json(&places)?).execute(connection).await?;
        if usize::try_from(done.rows_affected()).ok() != Some(places.len()) {
            return Err(LibraryError::from(Refusal::FolderNameTaken));
        }
        Ok(())
    }

    /// Moves feeds or folders into a folder, before one that is there. Returns the former places of all whose place changed.
    async fn arrange(
        &self,
        connection: &mut SqliteConnection,
        moved: &[i64],
        (folder, before): (Option<i64>, Option<i64>),
    ) -> Result<Vec<Place>, LibraryError> {
        let mut former = self.by_ids(connection, &json(&moved)?).await?;
        if former.len() != moved.len() {
            return Err(LibraryError::NotFound("feed or folder"));
        }
        let there = self.of_folder(connection, folder).await?;
        // If it is moved itself, the node after it is used.
        let from = before.and_then(|before| there.iter().position(|(id, ..)| *id == before)).unwrap_or(there.len());
        let stays = |(id, ..): &&Place| !moved.contains(id);
        let (above, below) = there.split_at(from);
        let ids = |part: &[Place]| part.iter().filter(stays).map(|(id, ..)| *id).collect::<Vec<_>>();
        let order = [ids(above), moved.to_vec(), ids(below)].concat();
        let places: Vec<Place> = (1..).zip(order).map(|(position, id)| (id, folder, position)).collect();
        // Unchanged positions are not written.
        former.extend(there.into_iter().filter(|place| !moved.contains(&place.0)));
        let changed: Vec<Place> = places.into_iter().filter(|place| !former.contains(place)).collect();
        former.retain(|(id, ..)| changed.iter().any(|(other, ..)| other == id));
        self.put(connection, &changed).await?;
        Ok(former)
    }

    /// Moves those that still exist back to their former places.
    async fn put_back(&self, connection: &mut SqliteConnection, former: &[Place]) -> Result<(), LibraryError> {
        let ids: Vec<i64> = former.iter().map(|(id, ..)| *id).collect();
        let there = self.by_ids(connection, &json(&ids)?).await?;
        let former: Vec<Place> =
            former.iter().filter(|(id, ..)| there.iter().any(|(t, ..)| t == id)).copied().collect();
        self.put(connection, &former).await
    }
}

/// Refuses folders that do not exist.
async fn check_folders(connection: &mut SqliteConnection, folders: Vec<i64>) -> Result<(), LibraryError> {
    let there: String =
        sqlx::query_scalar("SELECT json_group_array(id) FROM folders WHERE id IN (SELECT value FROM json_each(?))")
            .bind(json(&folders)?)
            .fetch_one(connection)
            .await?;
    let there: Vec<i64> = from_json(&there)?;
    if folders.iter().all(|folder| there.contains(folder)) { Ok(()) } else { Err(LibraryError::NotFound("folder")) }
}

/// Refuses folders that contain each other: they would not be in the tree.
async fn check_no_cycle(connection: &mut SqliteConnection) -> Result<(), LibraryError> {
    let lost: i64 = sqlx::query_scalar(
        "WITH RECURSIVE reached (id) AS (
             SELECT id FROM folders WHERE parent_id IS NULL UNION ALL SELECT f.id FROM folders f JOIN reached r ON f.parent_id = r.id)
         SELECT (SELECT count(*) FROM folders) - (SELECT count(*) FROM reached)",
    )
    .fetch_one(connection)
    .await?;
    if lost == 0 { Ok(()) } else { Err(LibraryError::from(Refusal::FolderInItself)) }
}

/// Returns the feeds that a change moves, with those in the folders.
async fn affected(connection: &mut SqliteConnection, change: &Rearrangement) -> Result<Vec<i64>, LibraryError> {
    let mut feeds = change.feeds.clone();
    for folder in &change.folders {
        let sql = format!(
            "{} SELECT id FROM feeds WHERE folder_id IN (SELECT id FROM below) AND unsubscribed_at IS NULL",
            folders::BELOW
        );
        feeds.extend(
            sqlx::query_scalar::<_, i64>(sqlx::AssertSqlSafe(sql)).bind(folder).fetch_all(&mut *connection).await?,
        );
    }
    Ok(feeds)
}

impl Subscriptions<'_> {
    /// Moves feeds and folders, all of them or none.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; [`LibraryError::Refused`] when a folder would be inside itself, its name is taken there, or a feed would
    /// leave the folders of its account or get into those of another one.
    pub async fn arrange(self, change: &Rearrangement) -> Result<Undoable, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        check_folders(&mut transaction, change.parent.into_iter().collect()).await?;
        let affected = affected(&mut transaction, change).await?;
        let misplaced = account_folders::misplaced(&mut transaction, &affected).await?;
        for folder in &change.folders {
            let sql = "SELECT name FROM folders WHERE id = ?";
            let name: Option<String> = sqlx::query_scalar(sql).bind(folder).fetch_optional(&mut *transaction).await?;
            if let Some(name) = name {
                folders::make_way(&mut transaction, change.parent, &name).await?;
            }
        }
        let feeds = FEEDS.arrange(&mut transaction, &change.feeds, (change.parent, change.before_feed)).await?;
        let folders = FOLDERS.arrange(&mut transaction, &change.folders, (change.parent, change.before_folder)).await?;
        check_no_cycle(&mut transaction).await?;
        account_folders::check_places(&mut transaction, &affected, &misplaced).await?;
        preferences::after_move(&mut transaction, self.db.now()).await?;
        transaction.commit().await?;
        Ok(self.db.undo.push(change.feeds.len() + change.folders.len(), Arranged { feeds, folders }))
    }

    async fn arrange_back(self, feeds: &[Place], folders: &[Place]) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let parents = feeds.iter().chain(folders).filter_map(|(_, parent, _)| *parent).collect();
        check_folders(&mut transaction, parents).await?;
        FOLDERS.put_back(&mut transaction, folders).await?;
        FEEDS.put_back(&mut transaction, feeds).await?;
        check_no_cycle(&mut transaction).await?;
        preferences::after_move(&mut transaction, self.db.now()).await?;
        Ok(transaction.commit().await?)
    }
}

/// Where feeds and folders were before.
#[derive(Debug)]
struct Arranged {
    feeds: Vec<Place>,
    folders: Vec<Place>,
}

impl UndoStep for Arranged {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { Subscriptions::new(db).arrange_back(&self.feeds, &self.folders).await })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Library;
    use crate::NewSubscription;

    /// Four feeds at the top level, and the folders A, B and, in A, C.
    async fn library() -> (tempfile::TempDir, Library, Vec<i64>, [i64; 3]) {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let mut feeds = Vec::new();
        for name in 1..=4 {
            let new = NewSubscription::new(format!("https://a.example/{name}"));
            feeds.push(library.subscriptions().add(&new).await.unwrap());
        }
        let a = library.folders().create("A", None).await.unwrap();
        let b = library.folders().create("B", None).await.unwrap();
        let c = library.folders().create("C", Some(a)).await.unwrap();
        (folder, library, feeds, [a, b, c])
    }

    async fn feeds_of(library: &Library, folder: Option<i64>) -> Vec<i64> {
        let feeds = library.feeds().list().await.unwrap().into_iter();
        feeds.filter(|feed| feed.folder_id == folder).map(|feed| feed.id).collect()
    }

    async fn tree(library: &Library) -> (Vec<(i64, Option<i64>)>, Vec<(i64, Option<i64>)>) {
        let folders =
            library.folders().list().await.unwrap().into_iter().map(|folder| (folder.id, folder.parent_id)).collect();
        (folders, library.feeds().list().await.unwrap().into_iter().map(|feed| (feed.id, feed.folder_id)).collect())
    }

    #[tokio::test]
    async fn moves_several_between_others_and_undoes_it() {
        let (_folder, library, feeds, [a, b, c]) = library().await;
        let [one, two, three, four] = feeds[..] else { panic!() };
        let before = tree(&library).await;
        let change = Rearrangement { feeds: vec![four, three], before_feed: Some(two), ..Rearrangement::default() };
        let first = library.subscriptions().arrange(&change).await.unwrap();
        assert_eq!(feeds_of(&library, None).await, [one, four, three, two]);
        let change = Rearrangement {
            feeds: vec![one, three],
            folders: vec![b],
            parent: Some(a),
            before_folder: Some(c),
            ..Rearrangement::default()
        };
        let second = library.subscriptions().arrange(&change).await.unwrap();
        assert_eq!(second.count, 3);
        assert_eq!(
            (feeds_of(&library, None).await, feeds_of(&library, Some(a)).await),
            (vec![four, two], vec![one, three])
        );
        assert_eq!(tree(&library).await.0, [(a, None), (b, Some(a)), (c, Some(a))]);
        // If the target position is a moved feed, the feed after it is used; a new feed comes last.
        library
            .subscriptions()
            .arrange(&Rearrangement { feeds: vec![four, two], before_feed: Some(four), ..Rearrangement::default() })
            .await
            .unwrap();
        let new = library.subscriptions().add(&NewSubscription::new("https://a.example/new")).await.unwrap();
        assert_eq!(feeds_of(&library, None).await, [four, two, new]);
        let gone = library.feeds().unsubscribe(&[new, one]).await.unwrap();
        assert_eq!(feeds_of(&library, Some(a)).await, [three]);
        library.undo(gone.step).await.unwrap();
        library.undo(second.step).await.unwrap();
        assert_eq!(feeds_of(&library, Some(a)).await, [0; 0]);
        library.undo(first.step).await.unwrap();
        library.feeds().unsubscribe(&[new]).await.unwrap();
        assert_eq!(tree(&library).await, before);
    }

    #[tokio::test]
    async fn an_impossible_move_changes_nothing() {
        let (_folder, library, feeds, [a, b, c]) = library().await;
        let before = tree(&library).await;
        let change = |folders: &[i64], parent| Rearrangement {
            feeds: feeds.clone(),
            folders: folders.to_vec(),
            parent,
            ..Rearrangement::default()
        };
        for parent in [a, c] {
            let refused = library.subscriptions().arrange(&change(&[b, a], Some(parent))).await;
            assert!(matches!(refused, Err(LibraryError::Refused(_))), "{refused:?}");
        }
        for (folders, parent) in [(vec![99], None), (vec![b], Some(99))] {
            assert!(matches!(
                library.subscriptions().arrange(&change(&folders, parent)).await,
                Err(LibraryError::NotFound(_))
            ));
        }
        let double = library.folders().create("C", None).await.unwrap();
        let refused = library.subscriptions().arrange(&change(&[double], Some(a))).await;
        assert!(matches!(refused, Err(LibraryError::Refused(_))), "there is a C in A");
        library.folders().delete(double).await.unwrap();
        assert_eq!(tree(&library).await, before);

        // In the meantime B was moved away and C contains A: undoing fails.
        let step = library.subscriptions().arrange(&change(&[c], Some(b))).await.unwrap().step;
        library.subscriptions().arrange(&change(&[c], None)).await.unwrap();
        library.subscriptions().arrange(&change(&[a], Some(c))).await.unwrap();
        assert!(matches!(library.undo(step).await, Err(LibraryError::Refused(_))));
        library.subscriptions().arrange(&change(&[a], None)).await.unwrap();
        library.undo(step).await.unwrap();
        let mut folders = tree(&library).await.0;
        folders.sort_unstable();
        assert_eq!(folders, before.0);
    }
}

//! `retention`: how much the reader wishes to keep, of a feed, of the feeds in a folder, or of all. The nearest wish holds whole: a
//! feed's own, else that of the folder it stands in, else of the folder around that, else the one for all; none keeps everything. The
//! bounds hold for each feed by itself. What never goes is said in [`crate::keeping`].

use crate::{Library, LibraryError};
use sqlx::SqliteConnection;
use std::collections::{BTreeMap, HashMap};

/// What a wish is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FeedScope {
    /// All feeds of which nothing nearer is said.
    All,
    /// The feeds in a folder and in those in it.
    Folder(i64),
    /// One feed.
    Feed(i64),
}

impl FeedScope {
    fn columns(self) -> (&'static str, i64) {
        match self {
            Self::All => ("all", 0),
            Self::Folder(id) => ("folder", id),
            Self::Feed(id) => ("feed", id),
        }
    }
}

/// How much of a feed is kept. Without any bound: everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct Keep {
    /// What came, was read and was listened to longer ago than so many days goes.
    pub days: Option<i64>,
    /// So many of the newest articles stay.
    pub articles: Option<i64>,
    /// The newest articles whose texts, as they are stored, take so many bytes stay.
    pub bytes: Option<i64>,
    /// What is unread stays.
    pub keep_unread: bool,
}

impl Keep {
    /// No bound.
    pub const EVERYTHING: Self = Self { days: None, articles: None, bytes: None, keep_unread: true };

    /// Nothing goes.
    pub fn is_everything(&self) -> bool {
        (self.days, self.articles, self.bytes) == (None, None, None)
    }
}

/// All wishes, and where feeds and folders stand.
#[derive(Debug, Default)]
pub(crate) struct Wishes {
    pub said: HashMap<FeedScope, Keep>,
    pub folders: HashMap<i64, Option<i64>>,
    /// Feeds that are subscribed to, and their folders.
    pub feeds: BTreeMap<i64, Option<i64>>,
}

impl Wishes {
    /// The wish that holds for a feed or folder, and where it is said. `of_itself`: its own counts.
    pub(crate) fn holding(&self, scope: FeedScope, of_itself: bool) -> (FeedScope, Keep) {
        let mut folder = match scope {
            FeedScope::All => None,
            FeedScope::Folder(id) => self.folders.get(&id).copied().flatten(),
            FeedScope::Feed(id) => self.feeds.get(&id).copied().flatten(),
        };
        if of_itself && let Some(keep) = self.said.get(&scope) {
            return (scope, *keep);
        }
        // A ring of folders, which only damage can make, ends too.
        for _ in 0..=self.folders.len() {
            let Some(id) = folder else { break };
            if let Some(keep) = self.said.get(&FeedScope::Folder(id)) {
                return (FeedScope::Folder(id), *keep);
            }
            folder = self.folders.get(&id).copied().flatten();
        }
        match self.said.get(&FeedScope::All) {
            Some(keep) if scope != FeedScope::All => (FeedScope::All, *keep),
            _ => (FeedScope::All, Keep::EVERYTHING),
        }
    }

    /// The feeds of a scope.
    pub(crate) fn within(&self, scope: FeedScope) -> Vec<i64> {
        let inside = |mut folder: Option<i64>, of: i64| {
            for _ in 0..=self.folders.len() {
                match folder {
                    Some(id) if id == of => return true,
                    Some(id) => folder = self.folders.get(&id).copied().flatten(),
                    None => return false,
                }
            }
            false
        };
        let feeds = self.feeds.iter().filter(|(id, folder)| match scope {
            FeedScope::All => true,
            FeedScope::Folder(of) => inside(**folder, of),
            FeedScope::Feed(of) => **id == of,
        });
        feeds.map(|(id, _)| *id).collect()
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    scope: String,
    scope_id: i64,
    #[sqlx(flatten)]
    keep: Keep,
}

impl Library {
    pub(crate) async fn wishes(&self) -> Result<Wishes, LibraryError> {
        let said = all_said(&mut *self.readers.acquire().await?).await?;
        let folders: Vec<(i64, Option<i64>)> =
            sqlx::query_as("SELECT id, parent_id FROM folders").fetch_all(&self.readers).await?;
        // What came with Gleaner is no subscription.
        let feeds: Vec<(i64, Option<i64>)> =
            sqlx::query_as("SELECT id, folder_id FROM feeds WHERE unsubscribed_at IS NULL AND local = 0")
                .fetch_all(&self.readers)
                .await?;
        Ok(Wishes { said, folders: folders.into_iter().collect(), feeds: feeds.into_iter().collect() })
    }

    /// What is said of a feed, a folder or all, and what would hold there if nothing were said, with where that is said.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn keeping(&self, scope: FeedScope) -> Result<(Option<Keep>, FeedScope, Keep), LibraryError> {
        let wishes = self.wishes().await?;
        let (from, inherited) = wishes.holding(scope, false);
        Ok((wishes.said.get(&scope).copied(), from, inherited))
    }
}

/// All that is said.
pub(crate) async fn all_said(connection: &mut SqliteConnection) -> sqlx::Result<HashMap<FeedScope, Keep>> {
    let rows: Vec<Row> = sqlx::query_as("SELECT scope, scope_id, days, articles, bytes, keep_unread FROM retention")
        .fetch_all(connection)
        .await?;
    let scope = |row: &Row| match row.scope.as_str() {
        "feed" => FeedScope::Feed(row.scope_id),
        "folder" => FeedScope::Folder(row.scope_id),
        _ => FeedScope::All,
    };
    Ok(rows.iter().map(|row| (scope(row), row.keep)).collect())
}

/// Says how much is kept there, `None`: as further out. Gives what was said before.
///
/// # Errors
/// [`LibraryError::NotFound`] without such a feed or folder, [`LibraryError::Invalid`] where a bound is no number above nothing.
pub(crate) async fn say(
    connection: &mut SqliteConnection,
    scope: FeedScope,
    keep: Option<Keep>,
) -> Result<Option<Keep>, LibraryError> {
    let (name, id) = scope.columns();
    let there: i64 = match scope {
        FeedScope::All => 1,
        FeedScope::Folder(_) => {
            sqlx::query_scalar("SELECT count(*) FROM folders WHERE id = ?").bind(id).fetch_one(&mut *connection).await?
        }
        FeedScope::Feed(_) => {
            sqlx::query_scalar("SELECT count(*) FROM feeds WHERE id = ? AND unsubscribed_at IS NULL")
                .bind(id)
                .fetch_one(&mut *connection)
                .await?
        }
    };
    if there == 0 {
        return Err(LibraryError::NotFound(if matches!(scope, FeedScope::Feed(_)) { "feed" } else { "folder" }));
    }
    let bounds = |keep: &Keep| [keep.days, keep.articles, keep.bytes];
    if keep.is_some_and(|keep| bounds(&keep).into_iter().flatten().any(|bound| bound <= 0)) {
        return Err(LibraryError::Invalid("a bound of what is kept is a number above 0".to_owned()));
    }
    let before = said(connection, scope).await?;
    sqlx::query("DELETE FROM retention WHERE scope = ? AND scope_id = ?")
        .bind(name)
        .bind(id)
        .execute(&mut *connection)
        .await?;
    if let Some(keep) = keep {
        sqlx::query(
            "INSERT INTO retention (scope, scope_id, days, articles, bytes, keep_unread) VALUES (?, ?, ?, ?, ?, ?)",
        )
        .bind(name)
        .bind(id)
        .bind(keep.days)
        .bind(keep.articles)
        .bind(keep.bytes)
        .bind(keep.keep_unread)
        .execute(connection)
        .await?;
    }
    Ok(before)
}

/// What is said there itself.
pub(crate) async fn said(connection: &mut SqliteConnection, scope: FeedScope) -> sqlx::Result<Option<Keep>> {
    let (name, id) = scope.columns();
    sqlx::query_as("SELECT days, articles, bytes, keep_unread FROM retention WHERE scope = ? AND scope_id = ?")
        .bind(name)
        .bind(id)
        .fetch_optional(connection)
        .await
}

//! `retention`: retention policies of feeds, of the feeds in a folder, and of all feeds. The nearest policy applies as a whole: the feed's
//! own, or else that of its folder, of the folder around it, or of all feeds. Without any, everything stays. Bounds apply to each feed
//! separately. [`crate::retention`] lists the articles that never expire.

use crate::{LibraryError, Refusal, database::repository};
use sqlx::SqliteConnection;
use std::collections::{BTreeMap, HashMap};

/// The scope of a policy or preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FeedScope {
    /// All feeds without a nearer policy.
    All,
    /// The feeds in a folder and its subfolders.
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

/// A retention policy. Without bounds everything is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct RetentionPolicy {
    /// Articles received, read and played longer ago than this expire.
    pub days: Option<i64>,
    /// Number of newest articles that are kept.
    pub articles: Option<i64>,
    /// Size of the stored texts of the newest articles that are kept, in bytes.
    pub bytes: Option<i64>,
    /// Unread articles are kept.
    pub keep_unread: bool,
}

impl RetentionPolicy {
    /// No bounds.
    pub const EVERYTHING: Self = Self { days: None, articles: None, bytes: None, keep_unread: true };

    /// Returns whether nothing expires.
    pub fn is_everything(&self) -> bool {
        (self.days, self.articles, self.bytes) == (None, None, None)
    }
}

/// All policies, and the tree of feeds and folders.
#[derive(Debug, Default)]
pub(crate) struct Policies {
    pub own: HashMap<FeedScope, RetentionPolicy>,
    pub folders: HashMap<i64, Option<i64>>,
    /// Subscribed feeds and their folders.
    pub feeds: BTreeMap<i64, Option<i64>>,
}

impl Policies {
    /// Returns the policy that applies to a feed or folder, and its scope. `of_itself`: including its own.
    pub(crate) fn effective(&self, scope: FeedScope, of_itself: bool) -> (FeedScope, RetentionPolicy) {
        let mut folder = match scope {
            FeedScope::All => None,
            FeedScope::Folder(id) => self.folders.get(&id).copied().flatten(),
            FeedScope::Feed(id) => self.feeds.get(&id).copied().flatten(),
        };
        if of_itself && let Some(policy) = self.own.get(&scope) {
            return (scope, *policy);
        }
        // Also ends for a ring of folders, which only damage can cause.
        for _ in 0..=self.folders.len() {
            let Some(id) = folder else { break };
            if let Some(policy) = self.own.get(&FeedScope::Folder(id)) {
                return (FeedScope::Folder(id), *policy);
            }
            folder = self.folders.get(&id).copied().flatten();
        }
        match self.own.get(&FeedScope::All) {
            Some(policy) if scope != FeedScope::All => (FeedScope::All, *policy),
            _ => (FeedScope::All, RetentionPolicy::EVERYTHING),
        }
    }

    /// Returns the feeds of a scope.
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
    policy: RetentionPolicy,
}

repository!(
    /// Retention: which articles are kept, expired, restored and deleted.
    Retention
);

impl Retention<'_> {
    pub(crate) async fn policies(self) -> Result<Policies, LibraryError> {
        let own = all(&mut *self.db.readers.acquire().await?).await?;
        let folders: Vec<(i64, Option<i64>)> =
            sqlx::query_as("SELECT id, parent_id FROM folders").fetch_all(&self.db.readers).await?;
        // Bundled feeds are not subscriptions.
        let feeds: Vec<(i64, Option<i64>)> =
            sqlx::query_as("SELECT id, folder_id FROM feeds WHERE unsubscribed_at IS NULL AND local = 0")
                .fetch_all(&self.db.readers)
                .await?;
        Ok(Policies { own, folders: folders.into_iter().collect(), feeds: feeds.into_iter().collect() })
    }

    /// Returns the policy of a feed, a folder or all feeds, and the inherited one with its scope.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn get(
        self,
        scope: FeedScope,
    ) -> Result<(Option<RetentionPolicy>, FeedScope, RetentionPolicy), LibraryError> {
        let policies = self.policies().await?;
        let (from, inherited) = policies.effective(scope, false);
        Ok((policies.own.get(&scope).copied(), from, inherited))
    }
}

/// Returns all policies.
pub(crate) async fn all(connection: &mut SqliteConnection) -> sqlx::Result<HashMap<FeedScope, RetentionPolicy>> {
    let rows: Vec<Row> = sqlx::query_as("SELECT scope, scope_id, days, articles, bytes, keep_unread FROM retention")
        .fetch_all(connection)
        .await?;
    let scope = |row: &Row| match row.scope.as_str() {
        "feed" => FeedScope::Feed(row.scope_id),
        "folder" => FeedScope::Folder(row.scope_id),
        _ => FeedScope::All,
    };
    Ok(rows.iter().map(|row| (scope(row), row.policy)).collect())
}

/// Sets or removes a policy, and returns the former one.
///
/// # Errors
/// [`LibraryError::NotFound`] without such a feed or folder, [`LibraryError::Refused`] if a bound is not above 0.
pub(crate) async fn set_in(
    connection: &mut SqliteConnection,
    scope: FeedScope,
    policy: Option<RetentionPolicy>,
) -> Result<Option<RetentionPolicy>, LibraryError> {
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
    let bounds = |policy: &RetentionPolicy| [policy.days, policy.articles, policy.bytes];
    if policy.is_some_and(|policy| bounds(&policy).into_iter().flatten().any(|bound| bound <= 0)) {
        return Err(LibraryError::from(Refusal::RetentionLimit));
    }
    let before = of_scope(connection, scope).await?;
    sqlx::query("DELETE FROM retention WHERE scope = ? AND scope_id = ?")
        .bind(name)
        .bind(id)
        .execute(&mut *connection)
        .await?;
    if let Some(policy) = policy {
        sqlx::query(
            "INSERT INTO retention (scope, scope_id, days, articles, bytes, keep_unread) VALUES (?, ?, ?, ?, ?, ?)",
        )
        .bind(name)
        .bind(id)
        .bind(policy.days)
        .bind(policy.articles)
        .bind(policy.bytes)
        .bind(policy.keep_unread)
        .execute(connection)
        .await?;
    }
    Ok(before)
}

/// Returns the policy of a scope itself.
pub(crate) async fn of_scope(
    connection: &mut SqliteConnection,
    scope: FeedScope,
) -> sqlx::Result<Option<RetentionPolicy>> {
    let (name, id) = scope.columns();
    sqlx::query_as("SELECT days, articles, bytes, keep_unread FROM retention WHERE scope = ? AND scope_id = ?")
        .bind(name)
        .bind(id)
        .fetch_optional(connection)
        .await
}

//! Subscribing: one feed, or a whole list; and the tree as it goes out again.

use crate::{
    LOCAL_ACCOUNT, Library, LibraryError, feed_key, now,
    table::{
        folders,
        numbers::{self, Numbered},
    },
};
use sqlx::SqliteConnection;

/// A feed to subscribe to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewSubscription {
    /// Where it is fetched.
    pub url: String,
    /// Its own title, until it says otherwise.
    pub title: Option<String>,
    /// The user's name for it.
    pub custom_title: Option<String>,
    /// The site.
    pub home_url: Option<String>,
    /// The folder's path; folders that are missing are made. Empty: in no folder.
    pub folder: Vec<String>,
    /// Attributes of its outline that we do not know.
    pub outline: Vec<(String, String)>,
    /// Bundled with Gleaner, never polled.
    pub local: bool,
    /// The user's wish: minutes between polls; 0: never by itself.
    pub refresh_minutes: Option<u32>,
}

/// A feed as it goes out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineFeed {
    /// Where it is fetched.
    pub url: String,
    /// What it is called here.
    pub title: String,
    /// The site.
    pub home_url: Option<String>,
    /// The folder's path.
    pub folder: Vec<String>,
    /// Attributes that came with it and that we do not know.
    pub outline: Vec<(String, String)>,
}

/// All that is subscribed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SubscriptionTree {
    /// Every folder's path, empty ones too, in the order that they are shown in.
    pub folders: Vec<Vec<String>>,
    /// In the order that they are shown in.
    pub feeds: Vec<OutlineFeed>,
}

/// What came of a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportCounts {
    /// The numbers of the feeds that are new.
    pub added: Vec<i64>,
    /// Folders that are new.
    pub folders_added: usize,
    /// What the feeds that were there already are called in the list.
    pub already: Vec<String>,
}

/// A list is taken in by so many feeds at a time: between two of them it can be cancelled.
const CHUNK: usize = 100;

impl Library {
    /// Subscribes to a feed.
    ///
    /// # Errors
    /// [`LibraryError::AlreadySubscribed`], and when the library cannot be written.
    pub async fn subscribe(&self, subscription: &NewSubscription) -> Result<i64, LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let mut counts = ImportCounts::default();
        let id = add(&mut transaction, subscription, &mut counts).await?;
        if counts.added.is_empty() {
            return Err(LibraryError::AlreadySubscribed(id));
        }
        transaction.commit().await?;
        Ok(id)
    }

    /// Takes a list in. `progress` hears after each hundred feeds how many are done, and says whether to go on.
    /// What came in before it was stopped stays.
    ///
    /// # Errors
    /// When the library cannot be written; what came in before stays.
    pub async fn import(
        &self,
        folders: &[Vec<String>],
        feeds: &[NewSubscription],
        mut progress: impl FnMut(usize) -> bool,
    ) -> Result<ImportCounts, LibraryError> {
        let mut counts = ImportCounts::default();
        for (chunk, feeds) in feeds.chunks(CHUNK).enumerate() {
            if !progress(chunk * CHUNK) {
                return Ok(counts);
            }
            let mut writer = self.writer().await;
            let mut transaction = writer.begin().await?;
            let mut so_far = counts.clone();
            for feed in feeds {
                add(&mut transaction, feed, &mut so_far).await?;
            }
            transaction.commit().await?;
            counts = so_far;
        }
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        for path in folders {
            ensure_path(&mut transaction, path, &mut counts).await?;
        }
        transaction.commit().await?;
        progress(feeds.len());
        Ok(counts)
    }

    /// All that is subscribed, for a list that other readers read.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn subscriptions(&self) -> Result<SubscriptionTree, LibraryError> {
        let folders = self.folders().await?;
        let path = |mut id: Option<i64>| {
            let mut path = Vec::new();
            while let Some(folder) = id.and_then(|id| folders.iter().find(|folder| folder.id == id)) {
                path.insert(0, folder.name.clone());
                id = folder.parent_id;
            }
            path
        };
        let mut tree = SubscriptionTree {
            folders: folders.iter().map(|folder| path(Some(folder.id))).collect(),
            feeds: Vec::new(),
        };
        for feed in self.feeds().await? {
            if feed.local {
                continue;
            }
            let outline = feed.outline.as_deref().map_or(Ok(Vec::new()), serde_json::from_str);
            tree.feeds.push(OutlineFeed {
                title: feed.shown_title(),
                folder: path(feed.folder_id),
                outline: outline.map_err(|error| LibraryError::Invalid(error.to_string()))?,
                url: feed.url,
                home_url: feed.home_url,
            });
        }
        Ok(tree)
    }
}

async fn ensure_path(
    connection: &mut SqliteConnection,
    path: &[String],
    counts: &mut ImportCounts,
) -> Result<Option<i64>, LibraryError> {
    let mut folder = None;
    for name in path {
        let (id, made) = folders::ensure(connection, folder, name).await?;
        folder = Some(id);
        counts.folders_added += usize::from(made);
    }
    Ok(folder)
}

async fn add(
    connection: &mut SqliteConnection,
    new: &NewSubscription,
    counts: &mut ImportCounts,
) -> Result<i64, LibraryError> {
    let key = feed_key(&new.url);
    let there: Option<i64> =
        sqlx::query_scalar("SELECT id FROM feeds WHERE account_id = ? AND url_key = ? AND unsubscribed_at IS NULL")
            .bind(LOCAL_ACCOUNT)
            .bind(&key)
            .fetch_optional(&mut *connection)
            .await?;
    if let Some(id) = there {
        counts.already.push(new.custom_title.clone().or_else(|| new.title.clone()).unwrap_or_else(|| new.url.clone()));
        return Ok(id);
    }
    let folder = ensure_path(connection, &new.folder, counts).await?;
    let outline = match new.outline.as_slice() {
        [] => None,
        some => Some(serde_json::to_string(some).map_err(|error| LibraryError::Invalid(error.to_string()))?),
    };
    let added = now();
    let id = numbers::next(connection, Numbered::Feeds).await?;
    sqlx::query(
        "INSERT INTO feeds (id, account_id, url, url_key, title, custom_title, home_url, folder_id, outline, local, refresh_minutes, added_at,
            position) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(id)
    .bind(LOCAL_ACCOUNT)
    .bind(new.url.trim())
    .bind(key)
    .bind(&new.title)
    .bind(&new.custom_title)
    .bind(&new.home_url)
    .bind(folder)
    .bind(outline)
    .bind(new.local)
    .bind(new.refresh_minutes)
    .bind(added)
    .bind(id)
    .execute(&mut *connection)
    .await?;
    sqlx::query("INSERT INTO polls (feed_id, next_at) VALUES (?, ?)")
        .bind(id)
        .bind(Some(added).filter(|_| !new.local && new.refresh_minutes != Some(0)))
        .execute(connection)
        .await?;
    counts.added.push(id);
    Ok(id)
}

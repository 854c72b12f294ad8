//! Subscribing to one feed or a list of feeds, and exporting the list.

use crate::{
    LOCAL_ACCOUNT, LibraryError, Millis, account_folders,
    database::repository,
    json::json,
    table::{
        feeds::{self, Feeds},
        folders::{self, Folders},
        id_sequences::{self, Numbered},
        logins::{self, Place},
        preferences,
    },
};
use gleaner_address::without_stored_password;
use sqlx::SqliteConnection;
use std::{
    borrow::Borrow,
    collections::{HashMap, HashSet},
};

/// A feed to subscribe to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewSubscription {
    /// Address of the feed. A login in it becomes its connection settings.
    pub url: String,
    /// The feed's title, until its document gives one.
    pub title: Option<String>,
    /// The user's title for it.
    pub custom_title: Option<String>,
    /// Address of the site.
    pub home_url: Option<String>,
    /// Path of the folder, which is created if it is missing. Empty: no folder.
    pub folder: Vec<String>,
    /// Unknown attributes of its outline.
    pub outline: Vec<(String, String)>,
    /// Bundled with Gleaner, never polled.
    pub local: bool,
    /// The user's update interval in minutes; 0: never automatically.
    pub refresh_minutes: Option<u32>,
    /// A public page named it, so that it may be requested from public addresses only.
    pub public: bool,
    /// Its first document was received already and is stored next, so the feed is not due at once.
    pub fetched: bool,
}

impl NewSubscription {
    /// Returns a subscription to an address, without anything else.
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), ..Self::default() }
    }
}

/// A subscribed feed for export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineFeed {
    /// Address of the feed.
    pub url: String,
    /// Title as shown; its address if it has none.
    pub title: String,
    /// The feed's own title, if another is shown.
    pub own_title: Option<String>,
    /// Address of the site.
    pub home_url: Option<String>,
    /// Path of its folder.
    pub folder: Vec<String>,
    /// Unknown attributes of its outline.
    pub outline: Vec<(String, String)>,
}

/// All subscriptions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SubscriptionTree {
    /// Paths of all folders, in order.
    pub folders: Vec<Vec<String>>,
    /// All feeds, in order.
    pub feeds: Vec<OutlineFeed>,
}

/// The result of importing a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ImportCounts {
    /// Ids of the new feeds.
    pub added: Vec<i64>,
    /// Ids of those of them that are never polled automatically.
    pub manual: Vec<i64>,
    /// Ids of the new folders, parents before their subfolders.
    pub folders: Vec<i64>,
    /// Titles in the list of feeds that were subscribed already.
    pub already: Vec<String>,
    /// Titles of entries with a feed that the list has named before.
    pub repeated: Vec<String>,
}

impl ImportCounts {
    fn append(&mut self, mut other: Self) {
        self.added.append(&mut other.added);
        self.manual.append(&mut other.manual);
        self.already.append(&mut other.already);
        self.repeated.append(&mut other.repeated);
        self.folders.append(&mut other.folders);
    }
}

impl NewSubscription {
    /// Returns the title that its list gives it, or the address.
    #[must_use]
    pub fn listed_title(&self) -> String {
        self.custom_title.clone().or_else(|| self.title.clone()).unwrap_or_else(|| without_stored_password(&self.url))
    }
}

/// Time after which a feed is polled whose first document was not stored.
const STORED_WITHIN: Millis = 60_000;
/// Number of feeds or folders after which an import reports its progress and can be cancelled.
const CHUNK: usize = 100;
/// Number of feeds or folders per transaction.
const PER_TRANSACTION: usize = 20 * CHUNK;

repository!(
    /// Subscribing, importing and arranging feeds.
    Subscriptions
);

impl Subscriptions<'_> {
    /// Subscribes to a feed.
    ///
    /// # Errors
    /// [`LibraryError::AlreadySubscribed`], and when the library cannot be written.
    pub async fn add(self, subscription: &NewSubscription) -> Result<i64, LibraryError> {
        self.add_into(subscription, None, false).await
    }

    /// Subscribes to a feed in an existing folder, all of it in one transaction. `picked_file`: the user picked the file at its
    /// address, so it may be read.
    ///
    /// # Errors
    /// [`LibraryError::AlreadySubscribed`]; then a login in the address is stored if the feed has none. [`LibraryError::NotFound`] if
    /// the folder was deleted, [`LibraryError::Refused`] for a folder of an account, and when the library cannot be written; then nothing
    /// was written.
    pub async fn add_into(
        self,
        subscription: &NewSubscription,
        folder: Option<i64>,
        picked_file: bool,
    ) -> Result<i64, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let mut counts = ImportCounts::default();
        let place = logins::place(&mut transaction, &subscription.url, None).await?;
        let id = add(&mut transaction, subscription, place, OfAccount::Take, &mut counts, self.db.now()).await?;
        if counts.added.is_empty() {
            transaction.commit().await?;
            return Err(LibraryError::AlreadySubscribed(id));
        }
        if let Some(folder) = folder {
            let sql = "UPDATE feeds SET folder_id = ?2 WHERE id = ?1 AND EXISTS (SELECT 1 FROM folders WHERE id = ?2)";
            let done = sqlx::query(sql).bind(id).bind(folder).execute(&mut *transaction).await?;
            if done.rows_affected() == 0 {
                return Err(LibraryError::NotFound("folder"));
            }
        }
        account_folders::check_places(&mut transaction, &[id], &[]).await?;
        if picked_file {
            let sql = "UPDATE feeds SET picked_file = url WHERE id = ?";
            sqlx::query(sql).bind(id).execute(&mut *transaction).await?;
        }
        if folder.is_some() {
            preferences::after_move(&mut transaction, self.db.now()).await?;
        }
        transaction.commit().await?;
        Ok(id)
    }

    /// Imports a list. After each hundred feeds `progress` gets the number done and returns whether to continue. Imported feeds stay. A
    /// feed that an account has counts as subscribed already. New folders have the order of `folders`. A new feed whose folder would be
    /// inside that of an account is put into a folder next to it.
    ///
    /// # Errors
    /// When the library cannot be written; imported feeds stay.
    pub async fn import(
        self,
        folders: &[Vec<String>],
        feeds: &[impl Borrow<NewSubscription>],
        mut progress: impl FnMut(usize) -> bool,
    ) -> Result<ImportCounts, LibraryError> {
        let mut counts = ImportCounts::default();
        let mut seen = HashSet::with_capacity(feeds.len());
        let listed: HashSet<&[String]> = folders.iter().map(Vec::as_slice).collect();
        let (mut folders, mut begun, mut new) = (folders, HashSet::new(), HashSet::new());
        let (mut done, mut go_on) = (0, true);
        for batch in feeds.chunks(PER_TRANSACTION) {
            let mut writer = self.db.writer().await;
            let mut transaction = writer.begin().await?;
            let mut of_batch = ImportCounts::default();
            for chunk in batch.chunks(CHUNK) {
                go_on = go_on && progress(done);
                for feed in chunk.iter().map(Borrow::<NewSubscription>::borrow).filter(|_| go_on) {
                    if !seen.insert(logins::user_key(&feed.url)) {
                        of_batch.repeated.push(feed.listed_title());
                        continue;
                    }
                    let place = logins::imported_place(&mut transaction, &feed.url).await?;
                    if place.there.is_none() && listed.contains(feed.folder.as_slice()) {
                        // Folders that are listed before the feed's folder come first, even if their feeds follow later or they have none.
                        while !begun.contains(feed.folder.as_slice())
                            && let Some((folder, rest)) = folders.split_first()
                        {
                            ensure_path(&mut transaction, folder, OfAccount::Skip, &mut of_batch).await?;
                            begun.insert(folder.as_slice());
                            folders = rest;
                        }
                    }
                    let was_there = place.there.is_some();
                    let id =
                        add(&mut transaction, feed, place, OfAccount::Beside, &mut of_batch, self.db.now()).await?;
                    if !was_there {
                        new.insert(id);
                    } else if new.contains(&id) {
                        // With a login and without it.
                        of_batch.repeated.extend(of_batch.already.pop());
                    }
                }
                done += chunk.len();
            }
            transaction.commit().await?;
            counts.append(of_batch);
            if !go_on {
                return Ok(counts);
            }
        }
        for batch in folders.chunks(PER_TRANSACTION) {
            if !progress(feeds.len()) {
                return Ok(counts);
            }
            let mut writer = self.db.writer().await;
            let mut transaction = writer.begin().await?;
            let mut of_batch = ImportCounts::default();
            for path in batch {
                ensure_path(&mut transaction, path, OfAccount::Skip, &mut of_batch).await?;
            }
            transaction.commit().await?;
            counts.append(of_batch);
        }
        progress(feeds.len());
        Ok(counts)
    }

    /// Returns all subscriptions, for export.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn tree(self) -> Result<SubscriptionTree, LibraryError> {
        let folders = Folders::new(self.db).list().await?;
        let by_id: HashMap<i64, &_> = folders.iter().map(|folder| (folder.id, folder)).collect();
        let path = |mut id: Option<i64>| {
            let mut path = Vec::new();
            while let Some(folder) = id.and_then(|id| by_id.get(&id)) {
                path.insert(0, folder.name.clone());
                id = folder.parent_id;
            }
            path
        };
        let mut tree = SubscriptionTree {
            folders: folders.iter().map(|folder| path(Some(folder.id))).collect(),
            feeds: Vec::new(),
        };
        for feed in Feeds::new(self.db).list().await? {
            if feed.local {
                continue;
            }
            let outline = feed.outline.as_deref().map_or(Ok(Vec::new()), serde_json::from_str);
            let title = feeds::listed_title(feed.custom_title.as_deref(), feed.title.as_deref(), &feed.url);
            tree.feeds.push(OutlineFeed {
                own_title: feed.title.filter(|own| *own != title && !own.trim().is_empty()),
                title,
                folder: path(feed.folder_id),
                outline: outline.map_err(|error| LibraryError::Invalid(error.to_string()))?,
                url: feed.url,
                home_url: feed.home_url,
            });
        }
        Ok(tree)
    }
}

/// What to do with a path into the folder of an account, which contains only feeds of the account.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OfAccount {
    Take,
    /// Nothing is created.
    Skip,
    /// A folder next to it is used: "Server (2)".
    Beside,
}

async fn ensure_path(
    connection: &mut SqliteConnection,
    path: &[String],
    of_account: OfAccount,
    counts: &mut ImportCounts,
) -> Result<Option<i64>, LibraryError> {
    let mut folder = None;
    for name in path {
        let (mut id, mut made) = folders::ensure(connection, folder, name).await?;
        let mut number = 2;
        while of_account != OfAccount::Take && !made && account_folders::is_one(connection, id).await? {
            if of_account == OfAccount::Skip {
                return Ok(None);
            }
            (id, made) = folders::ensure(connection, folder, &format!("{name} ({number})")).await?;
            number += 1;
        }
        folder = Some(id);
        counts.folders.extend(made.then_some(id));
    }
    Ok(folder)
}

async fn add(
    connection: &mut SqliteConnection,
    new: &NewSubscription,
    Place { url, key, login, there }: Place,
    of_account: OfAccount,
    counts: &mut ImportCounts,
    now: Millis,
) -> Result<i64, LibraryError> {
    if let Some(id) = there {
        if let Some(login) = &login {
            logins::add(connection, id, login).await?;
        }
        counts.already.push(new.listed_title());
        return Ok(id);
    }
    let folder = ensure_path(connection, &new.folder, of_account, counts).await?;
    let outline: Vec<_> = new.outline.iter().map(|(name, value)| (name, without_stored_password(value))).collect();
    let outline = match outline.as_slice() {
        [] => None,
        some => Some(json(some)?),
    };
    let id = id_sequences::next(connection, Numbered::Feeds).await?;
    sqlx::query(
        "INSERT INTO feeds (id, account_id, url, url_key, title, custom_title, home_url, folder_id, outline, local, refresh_minutes, added_at,
            position) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )
    .bind(id)
    .bind(LOCAL_ACCOUNT)
    .bind(url)
    .bind(key)
    .bind(&new.title)
    .bind(&new.custom_title)
    .bind(new.home_url.as_deref().map(without_stored_password))
    .bind(folder)
    .bind(outline)
    .bind(new.local)
    .bind(new.refresh_minutes)
    .bind(now)
    .bind(id)
    .execute(&mut *connection)
    .await?;
    let due = if new.fetched { now + STORED_WITHIN } else { now };
    sqlx::query("INSERT INTO polls (feed_id, next_at, private) VALUES (?, ?, ?)")
        .bind(id)
        .bind(Some(due).filter(|_| !new.local && new.refresh_minutes != Some(0)))
        .bind(new.public.then_some(false))
        .execute(&mut *connection)
        .await?;
    if let Some(login) = &login {
        logins::store(connection, id, login, true).await?;
    }
    counts.added.push(id);
    counts.manual.extend(Some(id).filter(|_| new.refresh_minutes == Some(0)));
    Ok(id)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Library;

    #[tokio::test]
    async fn a_feed_that_a_public_page_named_is_public_before_it_answers() {
        let scratch = tempfile::tempdir().unwrap();
        let library = Library::open(scratch.path()).await.unwrap();
        for (public, expected) in [(true, Some(false)), (false, None)] {
            let url = format!("https://a.example/{public}");
            let id = library.subscriptions().add(&NewSubscription { url, public, ..Default::default() }).await.unwrap();
            let polls = library.polls().list().await.unwrap();
            assert_eq!(polls.iter().find(|poll| poll.feed_id == id).unwrap().private, expected);
        }
    }

    fn listed(name: &str, folder: &[&str]) -> NewSubscription {
        let folder = folder.iter().map(|name| (*name).to_owned()).collect();
        NewSubscription { folder, ..NewSubscription::new(format!("https://{name}.example/feed")) }
    }

    #[tokio::test]
    async fn imported_folders_have_the_order_of_the_list() {
        let scratch = tempfile::tempdir().unwrap();
        let library = Library::open(scratch.path()).await.unwrap();
        library.subscriptions().import(&[], &[listed("own", &["Old"])], |_| true).await.unwrap();
        // Folders without feeds, with feeds of other folders only, and with feeds only in subfolders.
        let folders: Vec<Vec<String>> = ["Empty", "Grain", "Twice", "Old", "Mill", "Mill/Rye", "Last"]
            .map(|path| path.split('/').map(str::to_owned).collect())
            .into();
        let feeds = [
            listed("rye", &["Grain"]),
            listed("rye", &["Twice"]),
            listed("own", &["Old"]),
            listed("oats", &["Mill", "Rye"]),
            listed("milk", &["Unlisted"]),
            NewSubscription { refresh_minutes: Some(0), ..listed("top", &[]) },
        ];
        let counts = library.subscriptions().import(&folders, &feeds, |_| true).await.unwrap();
        assert_eq!(counts.manual.as_slice(), &counts.added[3..]);
        assert_eq!((counts.added.len(), counts.folders.len()), (4, 7));
        assert_eq!(counts.already, ["https://own.example/feed"]);
        assert_eq!(counts.repeated, ["https://rye.example/feed"]);
        let names = |tree: SubscriptionTree| tree.folders.iter().map(|path| path.join("/")).collect::<Vec<_>>();
        assert_eq!(
            names(library.subscriptions().tree().await.unwrap()),
            ["Old", "Empty", "Grain", "Twice", "Mill", "Unlisted", "Last", "Mill/Rye"]
        );
        let with_login = listed("rye", &[]).url.replacen("://", "://ada:sesame@", 1);
        let both = [NewSubscription::new("https://oil.example/"), NewSubscription::new("https://ada:x@oil.example/")];
        let counts = library.subscriptions().import(&[], &both, |_| true).await.unwrap();
        assert_eq!((counts.added.len(), counts.already.len(), counts.repeated.len()), (1, 0, 1));
        let counts = library.subscriptions().import(&[], &[NewSubscription::new(with_login)], |_| true).await.unwrap();
        assert_eq!((counts.added.len(), counts.already.len(), counts.repeated.len()), (0, 1, 0));
    }

    #[tokio::test]
    async fn a_list_adds_nothing_to_the_folder_of_an_account() {
        let scratch = tempfile::tempdir().unwrap();
        let library = Library::open(scratch.path()).await.unwrap();
        let account = crate::NewAccount { name: "Server".to_owned(), ..Default::default() };
        library.accounts().add(&account).await.unwrap();
        let folders: Vec<Vec<String>> =
            ["Server", "Server/Empty"].map(|path| path.split('/').map(str::to_owned).collect()).into();
        let paths = async || {
            let tree = library.subscriptions().tree().await.unwrap();
            (tree.folders.iter().map(|path| path.join("/")).collect::<Vec<_>>(), tree.feeds)
        };
        library.subscriptions().import(&folders, &[listed("top", &[])], |_| true).await.unwrap();
        assert_eq!(paths().await.0, ["Server"], "an exported list adds no empty folders");
        for _ in 0..2 {
            let feeds = [listed("rye", &["Server", "Grain"]), listed("oats", &["Server"])];
            library.subscriptions().import(&folders, &feeds, |_| true).await.unwrap();
            let (paths, feeds) = paths().await;
            assert_eq!(paths, ["Server", "Server (2)", "Server (2)/Grain"]);
            assert_eq!(feeds[1].folder.join("/"), "Server (2)/Grain");
            assert_eq!(feeds[2].folder.join("/"), "Server (2)");
        }
        // A single feed is refused there.
        assert!(library.subscriptions().add(&listed("milk", &["Server"])).await.is_err());
    }

    #[tokio::test]
    async fn a_feed_without_a_title_is_listed_by_its_address() {
        let scratch = tempfile::tempdir().unwrap();
        let library = Library::open(scratch.path()).await.unwrap();
        let titled = NewSubscription { title: Some("Rye".to_owned()), ..listed("rye", &[]) };
        let blank = NewSubscription { title: Some(" ".to_owned()), ..listed("oats", &[]) };
        library.subscriptions().import(&[], &[titled, blank, listed("milk", &[])], |_| true).await.unwrap();
        let titles: Vec<_> = library.subscriptions().tree().await.unwrap().feeds.into_iter().map(|f| f.title).collect();
        assert_eq!(titles, ["Rye", "https://oats.example/feed", "https://milk.example/feed"]);
    }

    #[tokio::test]
    async fn does_not_subscribe_into_a_deleted_folder() {
        let scratch = tempfile::tempdir().unwrap();
        let library = Library::open(scratch.path()).await.unwrap();
        let new = NewSubscription::new("file:///feed.xml");
        let gone = library.subscriptions().add_into(&new, Some(77), true).await;
        assert!(matches!(gone, Err(LibraryError::NotFound("folder"))), "{gone:?}");
        assert!(library.feeds().find_by_url(&new.url).await.unwrap().is_none(), "nothing was written");
        let folder = library.folders().create("News", None).await.unwrap();
        let feed = library.subscriptions().add_into(&new, Some(folder), true).await.unwrap();
        assert_eq!(library.feeds().get(feed).await.unwrap().folder_id, Some(folder));
        assert_eq!(library.polls().list().await.unwrap()[0].picked_file.as_deref(), Some("file:///feed.xml"));
    }
}

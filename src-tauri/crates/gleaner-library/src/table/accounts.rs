//! `accounts`, `servers`: the account of this computer, whose feeds Gleaner polls, and accounts on servers, which fetch their feeds
//! themselves. The feeds of a server's account are in a folder with its name. A removed account can be restored for a day; during that time
//! only `removed_at` and its feeds have changed.

use crate::{
    Access, LibraryError, Millis, Parameters, Refusal, Secret, Undoable, account_folders, account_moves,
    database::repository,
    former_feeds,
    table::{
        access,
        folders::{self, Names},
    },
};
use sqlx::SqliteConnection;

/// How long a removed account can be restored.
const RESTORABLE_FOR: Millis = 24 * 60 * 60 * 1000;
/// Number of newest articles that an account downloads unless the user chooses another, besides unread and starred ones.
pub const DEFAULT_HISTORY: i64 = 10_000;

/// An account on a server.
#[derive(Debug, Clone, PartialEq, Eq, Default, sqlx::FromRow)]
pub struct Account {
    /// Id.
    pub id: i64,
    /// Name of the server's API, as gleaner-sync defines it.
    pub kind: String,
    /// Name that the user sees.
    pub name: String,
    /// Base address of the API.
    pub url: String,
    /// User name; empty if the server needs none.
    pub user_name: String,
    /// Name of the password's entry in the keyring.
    pub keyring_entry: Option<String>,
    /// The password, if it is stored here.
    pub secret: Option<Secret>,
    /// SHA-256 of the certificate that is accepted whatever is wrong with it, 32 bytes.
    pub certificate: Option<Vec<u8>>,
    /// Whether tags are synchronised with the server's labels.
    pub labels: bool,
    /// Number of the newest articles that are downloaded, besides unread and starred ones.
    pub history: i64,
    /// Whether that number was raised, and older articles were not downloaded yet.
    pub extend_history: bool,
    /// Minutes between two synchronisations in the background; 0: only by hand.
    pub sync_minutes: i64,
    /// Id of the folder that contains its feeds.
    pub folder_id: Option<i64>,
    /// When it was last synchronised without an error.
    pub synced_at: Option<Millis>,
    /// The server asked not to be contacted before.
    pub wait_until: Option<Millis>,
    /// Code of the last error; `None` if the last synchronisation succeeded.
    pub error_code: Option<String>,
    /// Parameters of its message.
    #[sqlx(try_from = "String")]
    pub error_parameters: Parameters,
    /// When the error first occurred.
    pub error_since: Option<Millis>,
    /// When the user removed it.
    pub removed_at: Option<Millis>,
    /// Whether its feeds became feeds of this computer when it was removed.
    pub kept: bool,
}

impl Account {
    /// Returns where its password is stored, in the form for reading secrets.
    #[must_use]
    pub fn access(&self) -> Access {
        Access { keyring_entry: self.keyring_entry.clone(), secret: self.secret.clone(), ..Access::default() }
    }
}

/// An account to add.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewAccount {
    /// Name of the server's API.
    pub kind: String,
    /// Name that the user sees.
    pub name: String,
    /// Base address of the API.
    pub url: String,
    /// User name; empty if the server needs none.
    pub user_name: String,
    /// Name of the password's entry in the keyring.
    pub keyring_entry: Option<String>,
    /// The password, if it is stored here.
    pub secret: Option<Secret>,
    /// SHA-256 of the certificate that is accepted.
    pub certificate: Option<Vec<u8>>,
    /// Whether the server has labels.
    pub labels: bool,
    /// Number of the newest articles to download.
    pub history: i64,
}

const SELECT: &str =
    "SELECT a.id, a.kind, a.name, s.url, s.user_name, s.keyring_entry, s.secret, s.certificate, s.labels, s.history, s.extend_history, s.sync_minutes,
        s.folder_id, s.synced_at, s.wait_until, s.error_code, s.error_parameters, s.error_since, s.removed_at, s.kept
    FROM accounts a JOIN servers s ON s.account_id = a.id";

repository!(
    /// Accounts on servers.
    Accounts
);

impl Accounts<'_> {
    /// Returns all accounts on servers, also removed ones that can be restored.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn list(self) -> Result<Vec<Account>, LibraryError> {
        let sql = format!("{SELECT} ORDER BY a.id");
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&self.db.readers).await?)
    }

    /// Returns one account on a server.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`].
    pub async fn get(self, id: i64) -> Result<Account, LibraryError> {
        let sql = format!("{SELECT} WHERE a.id = ?");
        let found = sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(id).fetch_optional(&self.db.readers).await?;
        found.ok_or(LibraryError::NotFound("account"))
    }

    /// Returns the account of a feed; `None` for a feed that Gleaner polls.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn of_feed(self, feed: i64) -> Result<Option<i64>, LibraryError> {
        let sql = "SELECT account_id FROM feeds WHERE id = ? AND account_id <> 1";
        Ok(sqlx::query_scalar(sql).bind(feed).fetch_optional(&self.db.readers).await?)
    }

    /// Adds an account, with a folder for its feeds.
    ///
    /// # Errors
    /// [`LibraryError::Refused`] if the account exists already; when the library cannot be written.
    pub async fn add(self, new: &NewAccount) -> Result<i64, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        refuse_existing(&mut transaction, None, &new.url, &new.user_name).await?;
        let sql = "INSERT INTO accounts (kind, name) VALUES (?, ?) RETURNING id";
        let id: i64 = sqlx::query_scalar(sql).bind(&new.kind).bind(&new.name).fetch_one(&mut *transaction).await?;
        let folder = account_folders::create(&mut transaction, &new.name).await?;
        sqlx::query(
            "INSERT INTO servers (account_id, url, user_name, keyring_entry, secret, certificate, labels, history, folder_id)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        )
        .bind(id)
        .bind(&new.url)
        .bind(&new.user_name)
        .bind(&new.keyring_entry)
        .bind(&new.secret)
        .bind(&new.certificate)
        .bind(new.labels)
        .bind(new.history)
        .bind(folder)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(id)
    }

    /// Returns a new name for the keyring entry of an account. No other secret ever had it.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn new_keyring_entry(self) -> Result<String, LibraryError> {
        access::new_keyring_entry(self.db, "account").await
    }

    /// Replaces the address of an account's server, its password, and the accepted certificate with those of `account`, and removes the
    /// error of its last synchronisation.
    ///
    /// # Errors
    /// [`LibraryError::Refused`] if there is another account with this address; when the library cannot be written.
    pub async fn set_login(self, account: &Account) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        refuse_existing(&mut transaction, Some(account.id), &account.url, &account.user_name).await?;
        let sql = "UPDATE servers SET url = ?2, keyring_entry = ?3, secret = ?4, certificate = ?5, wait_until = iif(url IS ?2, wait_until, NULL),
            synced_at = iif(url IS ?2, synced_at, NULL),
            error_code = NULL, error_since = NULL WHERE account_id = ?1";
        sqlx::query(sql)
            .bind(account.id)
            .bind(&account.url)
            .bind(&account.keyring_entry)
            .bind(&account.secret)
            .bind(&account.certificate)
            .execute(&mut *transaction)
            .await?;
        Ok(transaction.commit().await?)
    }

    /// Sets how often an account is synchronised in the background, in minutes (0: only by hand), and how many of the newest articles it
    /// downloads, besides unread and starred ones. With a lower number nothing is deleted.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be written.
    pub async fn set_options(self, id: i64, sync_minutes: i64, history: i64) -> Result<(), LibraryError> {
        self.get(id).await?;
        let sql = "UPDATE servers SET sync_minutes = ?2, extend_history = max(extend_history, ?3 > history), history = ?3 WHERE account_id = ?1";
        self.db.execute(sqlx::query(sql).bind(id).bind(sync_minutes.max(0)).bind(history.max(0))).await
    }

    /// Renames an account and the folder of its feeds.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; [`LibraryError::Refused`] when the name is empty, or another folder in the same place has it.
    pub async fn rename(self, id: i64, name: &str) -> Result<Undoable, LibraryError> {
        let account = self.get(id).await?;
        if account.removed_at.is_some() {
            return Err(LibraryError::NotFound("account"));
        }
        match account.folder_id {
            Some(folder) => folders::Folders::new(self.db).rename(folder, name).await,
            None => folders::rename(self.db, Names { folder: None, account: Some((id, account.name)) }, name).await,
        }
    }

    /// Records that the older articles were downloaded after their number was raised.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set_history_extended(self, id: i64) -> Result<(), LibraryError> {
        let sql = "UPDATE servers SET extend_history = 0 WHERE account_id = ?";
        self.db.execute(sqlx::query(sql).bind(id)).await
    }

    /// Records the result of a synchronisation: an error with its parameters, and until when the server must not be requested.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn record(
        self,
        id: i64,
        error: Option<(&str, &Parameters)>,
        wait_until: Option<Millis>,
    ) -> Result<(), LibraryError> {
        let now = self.db.now();
        let query = match error {
            None => sqlx::query(
                "UPDATE servers SET synced_at = ?2, wait_until = ?3, error_code = NULL, error_parameters = '{}', error_since = NULL
                 WHERE account_id = ?1",
            ),
            Some(_) => sqlx::query(
                "UPDATE servers SET error_since = iif(error_code IS ?4, error_since, ?2), wait_until = ?3, error_code = ?4,
                    error_parameters = ?5 WHERE account_id = ?1",
            ),
        };
        let query = query.bind(id).bind(now).bind(wait_until);
        let query = match error {
            None => query,
            Some((code, parameters)) => query.bind(code.to_owned()).bind(parameters.stored()),
        };
        self.db.execute(query).await
    }

    /// Removes an account. `keep`: its feeds become feeds of this computer, which Gleaner polls; otherwise they are deleted with their
    /// articles. Both can be undone for a day with [`Self::restore`]. Returns the feeds to merge, each with the feed of this computer
    /// that has the same address.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be written.
    pub async fn remove(self, id: i64, keep: bool) -> Result<Vec<(i64, i64)>, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let now = self.db.now();
        // Done first, so that removing the feeds does not unsubscribe from them on the server.
        let sql = "UPDATE servers SET removed_at = ?2, kept = ?3 WHERE account_id = ?1 AND removed_at IS NULL";
        if sqlx::query(sql).bind(id).bind(now).bind(keep).execute(&mut *transaction).await?.rows_affected() == 0 {
            return Err(LibraryError::NotFound("account"));
        }
        let mut twice = Vec::new();
        if keep {
            // Moved into the account, which does not have them yet.
            let sql = "SELECT feed_id, former_folder FROM feed_outbox WHERE account_id = ? AND what = 'subscribe' AND was_local = 1";
            let moved: Vec<(i64, Option<i64>)> = sqlx::query_as(sql).bind(id).fetch_all(&mut *transaction).await?;
            for (feed, folder) in moved {
                account_moves::return_refused(self.db, &mut transaction, feed, folder).await?;
            }
            let former: Vec<i64> = sqlx::query_scalar(
                "UPDATE OR IGNORE feeds SET account_id = 1 WHERE account_id = ?1 AND unsubscribed_at IS NULL
                    AND id IN (SELECT feed_id FROM remote_feeds WHERE account_id = ?1) RETURNING id",
            )
            .bind(id)
            .fetch_all(&mut *transaction)
            .await?;
            former_feeds::add(&mut transaction, &former).await?;
            sqlx::query(
                "UPDATE polls SET next_at = ?2 WHERE next_at IS NULL AND feed_id IN
                    (SELECT r.feed_id FROM remote_feeds r JOIN feeds f ON f.id = r.feed_id WHERE r.account_id = ?1 AND f.account_id = 1)",
            )
            .bind(id)
            .bind(now)
            .execute(&mut *transaction)
            .await?;
            twice = sqlx::query_as(
                "SELECT f.id, o.id FROM feeds f JOIN feeds o ON o.account_id = 1 AND o.url_key = f.url_key AND o.unsubscribed_at IS NULL
                 WHERE f.account_id = ? AND f.unsubscribed_at IS NULL",
            )
            .bind(id)
            .fetch_all(&mut *transaction)
            .await?;
        } else {
            let sql = "UPDATE feeds SET unsubscribed_at = ?2 WHERE account_id = ?1 AND unsubscribed_at IS NULL";
            sqlx::query(sql).bind(id).bind(now).execute(&mut *transaction).await?;
        }
        transaction.commit().await?;
        Ok(twice)
    }

    /// Restores an account that was removed less than a day ago, with its feeds.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; [`LibraryError::Refused`] if the user added it again; when the library cannot be written.
    pub async fn restore(self, id: i64) -> Result<(), LibraryError> {
        let account = self.get(id).await?;
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let earliest = self.db.now() - RESTORABLE_FOR;
        let removed = account.removed_at.filter(|at| *at >= earliest).ok_or(LibraryError::NotFound("account"))?;
        refuse_existing(&mut transaction, Some(id), &account.url, &account.user_name).await?;
        if account.kept {
            sqlx::query(
                "UPDATE OR IGNORE feeds SET account_id = ?1 WHERE account_id = 1 AND id IN (SELECT feed_id FROM remote_feeds WHERE account_id = ?1)
                    AND id NOT IN (SELECT feed_id FROM feed_outbox WHERE account_id = ?1 AND what = 'leave')",
            )
            .bind(id)
            .execute(&mut *transaction)
            .await?;
            let sql = "UPDATE polls SET next_at = NULL WHERE feed_id IN (SELECT id FROM feeds WHERE account_id = ?)";
            sqlx::query(sql).bind(id).execute(&mut *transaction).await?;
        }
        let sql = "UPDATE OR IGNORE feeds SET unsubscribed_at = NULL WHERE account_id = ?1 AND unsubscribed_at >= ?2";
        sqlx::query(sql).bind(id).bind(removed).execute(&mut *transaction).await?;
        // Last: feeds of a removed account do not tell the server that the user subscribed to them.
        let sql = "UPDATE servers SET removed_at = NULL, kept = 0 WHERE account_id = ?";
        sqlx::query(sql).bind(id).execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// Deletes the accounts that can no longer be restored. Their rows stay until their last feed is deleted.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn delete_removed(self) -> Result<(), LibraryError> {
        let earliest = self.db.now() - RESTORABLE_FOR;
        if !self.list().await?.iter().any(|account| account.removed_at.is_some_and(|at| at < earliest)) {
            return Ok(());
        }
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let gone: Vec<i64> = sqlx::query_scalar("SELECT account_id FROM servers WHERE removed_at < ?")
            .bind(earliest)
            .fetch_all(&mut *transaction)
            .await?;
        for id in gone {
            folders::delete_removed(&mut transaction, id, self.db.now()).await?;
            for sql in [
                "DELETE FROM outbox WHERE account_id = ?",
                "DELETE FROM feed_outbox WHERE account_id = ?",
                "DELETE FROM remote_labels WHERE account_id = ?",
                "DELETE FROM remote_items WHERE account_id = ?",
                "DELETE FROM remote_feeds WHERE account_id = ?",
                "DELETE FROM server_only_feeds WHERE account_id = ?",
                "DELETE FROM accounts WHERE id = ? AND id NOT IN (SELECT account_id FROM feeds)",
            ] {
                sqlx::query(sql).bind(id).execute(&mut *transaction).await?;
            }
        }
        Ok(transaction.commit().await?)
    }
}

/// Refuses an account that there is already.
async fn refuse_existing(
    connection: &mut SqliteConnection,
    id: Option<i64>,
    url: &str,
    user: &str,
) -> Result<(), LibraryError> {
    let sql = "SELECT account_id FROM servers WHERE rtrim(url, '/') = rtrim(?2, '/') AND user_name = ?3 AND removed_at IS NULL AND account_id IS NOT ?1";
    let there: Option<i64> = sqlx::query_scalar(sql).bind(id).bind(url).bind(user).fetch_optional(connection).await?;
    if there.is_some() { Err(LibraryError::from(Refusal::AccountExists)) } else { Ok(()) }
}

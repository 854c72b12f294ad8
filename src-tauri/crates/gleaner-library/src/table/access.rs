//! `access`: connection settings of feeds: user name and password or token, headers, user agent, proxy, a certificate that the user
//! accepted. A secret is in the platform's keyring, and this table only has the name of its entry; or it is in this table, if the user
//! chose that. The settings are deleted with the feed, and never exported.
//!
//! `secrets_left`: unused entries of the keyring; triggers add them, polling removes them from the keyring.

use crate::{
    LibraryError, Undoable,
    database::{Database, repository, undo::UndoStep},
    table::{feeds::Feeds, settings::Settings},
};
use futures::future::BoxFuture;
use sqlx::SqliteConnection;
use std::{collections::HashMap, fmt};

/// A password or a token; `Debug` does not show it.
#[derive(Clone, PartialEq, Eq, sqlx::Type)]
#[sqlx(transparent)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// How a secret is sent to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(rename_all = "lowercase")]
pub enum Auth {
    /// RFC 7617, with a user name.
    Basic,
    /// RFC 6750, a token.
    Bearer,
}

/// Header fields: name and value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Headers(pub Vec<(String, String)>);

/// JSON, `[[name, value], …]`.
impl TryFrom<String> for Headers {
    type Error = serde_json::Error;

    fn try_from(json: String) -> Result<Self, serde_json::Error> {
        serde_json::from_str(&json).map(Self)
    }
}

/// The connection settings of a feed.
#[derive(Debug, Clone, PartialEq, Eq, Default, sqlx::FromRow)]
pub struct Access {
    /// Id of the feed.
    pub feed_id: i64,
    /// Scheme, host and port that credentials and headers are for, such as `https://example.com`: they are not sent elsewhere when
    /// the feed moves.
    pub origin: String,
    /// User agent instead of Gleaner's own.
    pub user_agent: Option<String>,
    /// Additional headers.
    #[sqlx(try_from = "String")]
    pub headers: Headers,
    /// "direct", or the address of a proxy; `None`: the system's.
    pub proxy: Option<String>,
    /// SHA-256 of the certificate that is accepted whatever is wrong with it, 32 bytes.
    pub certificate: Option<Vec<u8>>,
    /// Type of authentication.
    pub auth: Option<Auth>,
    /// User name for basic authentication.
    pub user_name: Option<String>,
    /// Name of the secret's entry in the keyring.
    pub keyring_entry: Option<String>,
    /// The secret, if it is stored here.
    pub secret: Option<Secret>,
    /// Whether it came with the address and waits here for a keyring. Otherwise the user chose this place.
    pub from_address: bool,
}

const SELECT: &str = "SELECT feed_id, origin, user_agent, headers, proxy, certificate, auth, user_name, keyring_entry, secret, from_address FROM access";

repository!(
    /// Connection settings of feeds: credentials, headers, proxies, certificates.
    Connections
);

/// Returns a new name for an entry of the keyring; `owner` says whose secret it is. No other secret ever had it.
pub(crate) async fn new_keyring_entry(db: &Database, owner: &str) -> Result<String, LibraryError> {
    let library = Settings::new(db).get("library_id").await?.unwrap_or_default();
    Ok(format!("{}/{owner}/{}", library.trim_matches('"'), db.now()))
}

/// Records that an entry of the keyring is unused.
pub(crate) async fn leave_secret(connection: &mut SqliteConnection, entry: &str) -> Result<(), LibraryError> {
    let sql = "INSERT OR IGNORE INTO secrets_left (keyring_entry) VALUES (?)";
    sqlx::query(sql).bind(entry).execute(connection).await?;
    Ok(())
}

impl Connections<'_> {
    /// Returns the connection settings of all feeds that have some.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn list(self) -> Result<HashMap<i64, Access>, LibraryError> {
        let rows: Vec<Access> = sqlx::query_as(SELECT).fetch_all(&self.db.readers).await?;
        Ok(rows.into_iter().map(|access| (access.feed_id, access)).collect())
    }

    /// Sets the connection settings of a feed.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`] if there is no such feed.
    pub async fn set(self, access: &Access) -> Result<(), LibraryError> {
        Feeds::new(self.db).get(access.feed_id).await?;
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        write(&mut transaction, access).await?;
        forget_validators(&mut transaction, access.feed_id).await?;
        // The feed is polled at once, so that the user sees the effect, unless it is never polled automatically.
        sqlx::query(
            "UPDATE polls SET next_at = ?2, next_reason = NULL, failures = 0
             WHERE feed_id = ?1 AND (SELECT refresh_minutes FROM feed_preferences WHERE feed_id = ?1) IS NOT 0",
        )
        .bind(access.feed_id)
        .bind(self.db.now())
        .execute(&mut *transaction)
        .await?;
        Ok(transaction.commit().await?)
    }

    /// Sets or removes (`None`) the connection settings of a feed; can be undone.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`] if there is no such feed.
    pub async fn change(self, feed: i64, access: Option<&Access>) -> Result<Undoable, LibraryError> {
        let before = self.list().await?.remove(&feed).map(Box::new);
        match access {
            Some(access) => self.set(access).await?,
            None => self.delete(feed).await?,
        }
        Ok(self.db.undo.push(1, AccessChanged { feed, before }))
    }

    /// Removes the connection settings of a feed.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn delete(self, feed: i64) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        sqlx::query("DELETE FROM access WHERE feed_id = ?").bind(feed).execute(&mut *transaction).await?;
        forget_validators(&mut transaction, feed).await?;
        Ok(transaction.commit().await?)
    }

    /// Returns a new name for a keyring entry of a feed. No other secret ever had it.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn new_keyring_entry(self, feed: i64) -> Result<String, LibraryError> {
        new_keyring_entry(self.db, &feed.to_string()).await
    }

    /// Records that the secret of an address was stored in the keyring under this name. If the feed has another one now, the entry is
    /// unused.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn secret_moved(self, feed: i64, entry: &str, secret: &Secret) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let sql = "UPDATE access SET keyring_entry = ?2, secret = NULL, from_address = 0 WHERE feed_id = ?1 AND secret = ?3 AND from_address = 1";
        let moved = sqlx::query(sql).bind(feed).bind(entry).bind(secret).execute(&mut *transaction).await?;
        if moved.rows_affected() == 0 {
            leave_secret(&mut transaction, entry).await?;
        }
        Ok(transaction.commit().await?)
    }

    /// Returns the unused entries of the keyring.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn unused_secrets(self) -> Result<Vec<String>, LibraryError> {
        let sql = "SELECT keyring_entry FROM secrets_left WHERE keyring_entry NOT IN (SELECT keyring_entry FROM access WHERE keyring_entry IS NOT NULL
                UNION ALL SELECT keyring_entry FROM servers WHERE keyring_entry IS NOT NULL
                UNION ALL SELECT keyring_entry FROM share_services WHERE keyring_entry IS NOT NULL)";
        let mut left: Vec<String> = sqlx::query_scalar(sql).fetch_all(&self.db.readers).await?;
        // Entries that undoing needs are in use.
        let undoable = self.db.undo.keyring_entries();
        left.retain(|entry| !undoable.contains(entry));
        Ok(left)
    }

    /// Records that an entry was removed from the keyring.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn forget_secret(self, entry: &str) -> Result<(), LibraryError> {
        self.db.execute(sqlx::query("DELETE FROM secrets_left WHERE keyring_entry = ?").bind(entry)).await
    }
}

/// The server may send another document to another login or browser, but have the same validators for it.
async fn forget_validators(connection: &mut SqliteConnection, feed: i64) -> Result<(), LibraryError> {
    let sql = "UPDATE polls SET etag = NULL, last_modified = NULL WHERE feed_id = ?";
    sqlx::query(sql).bind(feed).execute(connection).await?;
    Ok(())
}

/// Writes the connection settings of a feed.
pub(crate) async fn write(connection: &mut SqliteConnection, access: &Access) -> Result<(), LibraryError> {
    let headers = serde_json::to_string(&access.headers.0);
    let headers = headers.map_err(|error| LibraryError::Invalid(error.to_string()))?;
    sqlx::query(
        "INSERT INTO access (feed_id, origin, user_agent, headers, proxy, certificate, auth, user_name, keyring_entry, secret, from_address)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (feed_id) DO UPDATE SET origin = excluded.origin, user_agent = excluded.user_agent, headers = excluded.headers,
            proxy = excluded.proxy, certificate = excluded.certificate, auth = excluded.auth, user_name = excluded.user_name,
            keyring_entry = excluded.keyring_entry, secret = excluded.secret, from_address = excluded.from_address",
    )
    .bind(access.feed_id)
    .bind(&access.origin)
    .bind(&access.user_agent)
    .bind(headers)
    .bind(&access.proxy)
    .bind(&access.certificate)
    .bind(access.auth)
    .bind(&access.user_name)
    .bind(&access.keyring_entry)
    .bind(&access.secret)
    .bind(access.from_address)
    .execute(connection)
    .await?;
    Ok(())
}

/// Removes the connection settings of a feed.
pub(crate) async fn remove(connection: &mut SqliteConnection, feed: i64) -> sqlx::Result<()> {
    sqlx::query("DELETE FROM access WHERE feed_id = ?").bind(feed).execute(connection).await?;
    Ok(())
}

/// Returns the connection settings of a feed.
pub(crate) async fn get(connection: &mut SqliteConnection, feed: i64) -> sqlx::Result<Option<Access>> {
    let sql = format!("{SELECT} WHERE feed_id = ?");
    sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(feed).fetch_optional(connection).await
}

/// The connection settings before.
#[derive(Debug)]
struct AccessChanged {
    feed: i64,
    before: Option<Box<Access>>,
}

impl UndoStep for AccessChanged {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move {
            match &self.before {
                Some(access) => Connections::new(db).set(access).await,
                None => Connections::new(db).delete(self.feed).await,
            }
        })
    }

    fn keyring_entry(&self) -> Option<&str> {
        self.before.as_ref()?.keyring_entry.as_deref()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Library;
    use crate::NewSubscription;

    async fn library() -> (tempfile::TempDir, Library, i64) {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let feed = library.subscriptions().add(&NewSubscription::new("https://example.com/feed")).await.unwrap();
        (folder, library, feed)
    }

    fn access(feed_id: i64) -> Access {
        Access { feed_id, origin: "https://example.com".to_owned(), ..Access::default() }
    }

    #[tokio::test]
    async fn reads_what_was_stored() {
        let (_folder, library, feed) = library().await;
        assert!(library.connections().list().await.unwrap().is_empty());
        let whole = Access {
            user_agent: Some("Me/1".to_owned()),
            headers: Headers(vec![("X-Key".to_owned(), "one".to_owned())]),
            proxy: Some("direct".to_owned()),
            certificate: Some(vec![7; 32]),
            auth: Some(Auth::Basic),
            user_name: Some("ada".to_owned()),
            keyring_entry: Some("entry".to_owned()),
            from_address: true,
            ..access(feed)
        };
        for access in [whole, access(feed)] {
            library.connections().set(&access).await.unwrap();
            assert_eq!(library.connections().list().await.unwrap()[&feed], access);
        }
        assert!(matches!(library.connections().set(&access(77)).await, Err(LibraryError::NotFound(_))));
        library.connections().delete(feed).await.unwrap();
        assert!(library.connections().list().await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn remembers_unused_keyring_entries_until_they_are_removed() {
        let (folder, library, feed) = library().await;
        let entry =
            |name: &str| Access { auth: Some(Auth::Bearer), keyring_entry: Some(name.to_owned()), ..access(feed) };
        for name in ["one", "one", "two"] {
            library.connections().set(&entry(name)).await.unwrap();
        }
        assert_eq!(library.connections().unused_secrets().await.unwrap(), ["one"]);
        library.connections().forget_secret("one").await.unwrap();
        assert!(library.connections().unused_secrets().await.unwrap().is_empty());
        library.feeds().unsubscribe(&[feed]).await.unwrap();
        assert!(library.connections().unused_secrets().await.unwrap().is_empty(), "leaving can be undone for a day");
        let mut writer = library.db.writer().await;
        let mut transaction = writer.begin().await.unwrap();
        sqlx::query("UPDATE feeds SET unsubscribed_at = 0").execute(&mut *transaction).await.unwrap();
        transaction.commit().await.unwrap();
        drop(writer);
        library.close().await.unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        assert!(library.connections().list().await.unwrap().is_empty());
        assert_eq!(library.connections().unused_secrets().await.unwrap(), ["two"]);
    }

    #[tokio::test]
    async fn a_change_can_be_undone_and_needs_its_secret_until_then() {
        let (_folder, library, feed) = library().await;
        let with = Access { auth: Some(Auth::Bearer), keyring_entry: Some("one".to_owned()), ..access(feed) };
        let given = library.connections().change(feed, Some(&with)).await.unwrap();
        let taken = library.connections().change(feed, None).await.unwrap();
        assert!(library.connections().list().await.unwrap().is_empty());
        assert!(library.connections().unused_secrets().await.unwrap().is_empty(), "it can still be taken back");
        library.undo(taken.step).await.unwrap();
        assert_eq!(library.connections().list().await.unwrap()[&feed], with);
        assert!(library.connections().unused_secrets().await.unwrap().is_empty(), "it is in use again");
        library.undo(given.step).await.unwrap();
        assert!(library.connections().list().await.unwrap().is_empty());
        assert_eq!(library.connections().unused_secrets().await.unwrap(), ["one"]);
    }

    #[tokio::test]
    async fn debug_output_does_not_show_secrets() {
        let (folder, library, feed) = library().await;
        let with = Access { auth: Some(Auth::Bearer), secret: Some(Secret("sesame".to_owned())), ..access(feed) };
        assert!(!format!("{with:?}").contains("sesame"));
        library.connections().set(&with).await.unwrap();
        #[cfg(unix)]
        for file in std::fs::read_dir(folder.path()).unwrap() {
            use std::os::unix::fs::PermissionsExt as _;
            let file = file.unwrap();
            if file.file_name().to_string_lossy().starts_with("library.sqlite") {
                let mode = file.metadata().unwrap().permissions().mode();
                assert_eq!(mode & 0o077, 0, "{}", file.path().display());
            }
        }
        let one = library.connections().new_keyring_entry(feed).await.unwrap();
        assert!(one.len() > 16, "{one}");
    }
}

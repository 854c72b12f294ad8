//! `access`: how a feed is reached where that is out of the ordinary: name and password or token, headers, a name of one's
//! own for Gleaner, a proxy, a certificate that the user accepted. A secret is in the platform's keyring, and here only the
//! name of its entry; or here, where the user said so. It goes with the feed, and into no list of subscriptions.
//!
//! `secrets_left`: entries of the keyring that nothing needs any more; triggers write them, polling has the keyring forget them.

use crate::{Library, LibraryError, Undoable, now, undo::Undo};
use std::{collections::HashMap, fmt};

/// A password or a token: never shown, not even in debugging.
#[derive(Clone, PartialEq, Eq, sqlx::Type)]
#[sqlx(transparent)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// How a secret is told to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::Type)]
#[sqlx(rename_all = "lowercase")]
pub enum Auth {
    /// RFC 7617, with a user name.
    Basic,
    /// RFC 6750.
    Bearer,
}

/// Header fields, name and value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Headers(pub Vec<(String, String)>);

/// JSON, `[[name, value], …]`.
impl TryFrom<String> for Headers {
    type Error = serde_json::Error;

    fn try_from(json: String) -> Result<Self, serde_json::Error> {
        serde_json::from_str(&json).map(Self)
    }
}

/// How one feed is reached.
#[derive(Debug, Clone, PartialEq, Eq, Default, sqlx::FromRow)]
pub struct Access {
    /// Which feed.
    pub feed_id: i64,
    /// Scheme, host and port that name, secret and headers are for, such as `https://example.com`: a feed that moves
    /// elsewhere does not take them along.
    pub origin: String,
    /// In place of Gleaner's own.
    pub user_agent: Option<String>,
    /// Further headers.
    #[sqlx(try_from = "String")]
    pub headers: Headers,
    /// "direct", or a proxy's address; `None`: as the system says.
    pub proxy: Option<String>,
    /// SHA-256 of the certificate that is accepted whatever is wrong with it, 32 bytes.
    pub certificate: Option<Vec<u8>>,
    /// Whether and how there is a secret.
    pub auth: Option<Auth>,
    /// For basic authentication.
    pub user_name: Option<String>,
    /// The secret is in the keyring, under this name.
    pub keyring_entry: Option<String>,
    /// The secret is here.
    pub secret: Option<Secret>,
}

const SELECT: &str = "SELECT feed_id, origin, user_agent, headers, proxy, certificate, auth, user_name, keyring_entry, secret FROM access";

impl Library {
    /// How feeds are reached, of those where it is out of the ordinary.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn accesses(&self) -> Result<HashMap<i64, Access>, LibraryError> {
        let rows: Vec<Access> = sqlx::query_as(SELECT).fetch_all(&self.readers).await?;
        Ok(rows.into_iter().map(|access| (access.feed_id, access)).collect())
    }

    /// How a feed is reached from now on, in place of what was said before.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`] where there is no such feed.
    pub async fn set_access(&self, access: &Access) -> Result<(), LibraryError> {
        self.feed(access.feed_id).await?;
        let headers = serde_json::to_string(&access.headers.0);
        let headers = headers.map_err(|error| LibraryError::Invalid(error.to_string()))?;
        if access.secret.is_some() {
            self.for_the_user_alone()?;
        }
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        sqlx::query(
            "INSERT INTO access (feed_id, origin, user_agent, headers, proxy, certificate, auth, user_name, keyring_entry, secret)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
             ON CONFLICT (feed_id) DO UPDATE SET origin = excluded.origin, user_agent = excluded.user_agent, headers = excluded.headers,
                proxy = excluded.proxy, certificate = excluded.certificate, auth = excluded.auth, user_name = excluded.user_name,
                keyring_entry = excluded.keyring_entry, secret = excluded.secret",
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
        .execute(&mut *transaction)
        .await?;
        // Whoever changes this wants to see what comes of it, unless the feed is never asked by itself.
        sqlx::query(
            "UPDATE polls SET next_at = ?2, next_reason = NULL, failures = 0
             WHERE feed_id = ?1 AND (SELECT refresh_minutes FROM feed_preferences WHERE feed_id = ?1) IS NOT 0",
        )
        .bind(access.feed_id)
        .bind(now())
        .execute(&mut *transaction)
        .await?;
        Ok(transaction.commit().await?)
    }

    /// How a feed is reached from now on (`None`: like any other), so that it can be taken back.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`] where there is no such feed.
    pub async fn change_access(&self, feed: i64, access: Option<&Access>) -> Result<Undoable, LibraryError> {
        let before = self.accesses().await?.remove(&feed).map(Box::new);
        match access {
            Some(access) => self.set_access(access).await?,
            None => self.delete_access(feed).await?,
        }
        Ok(self.undo.push(1, Undo::ChangedAccess { feed, before }))
    }

    /// The feed is reached like any other from now on.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn delete_access(&self, feed: i64) -> Result<(), LibraryError> {
        self.delete("DELETE FROM access WHERE feed_id = ?", feed).await
    }

    /// A name in the keyring for a secret of a feed: no other secret ever had it.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn keyring_entry(&self, feed: i64) -> Result<String, LibraryError> {
        let library = self.setting("library_id").await?.unwrap_or_default();
        Ok(format!("{}/{feed}/{}", library.trim_matches('"'), now()))
    }

    /// Entries of the keyring that nothing needs any more.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn secrets_left(&self) -> Result<Vec<String>, LibraryError> {
        let sql = "SELECT keyring_entry FROM secrets_left WHERE keyring_entry NOT IN (SELECT keyring_entry FROM access WHERE keyring_entry IS NOT NULL)";
        let mut left: Vec<String> = sqlx::query_scalar(sql).fetch_all(&self.readers).await?;
        // What can still be brought back is needed.
        let undoable = self.undo.keyring_entries();
        left.retain(|entry| !undoable.contains(entry));
        Ok(left)
    }

    /// The keyring has forgotten an entry.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn secret_forgotten(&self, entry: &str) -> Result<(), LibraryError> {
        self.delete("DELETE FROM secrets_left WHERE keyring_entry = ?", entry).await
    }

    async fn delete<'a, T>(&self, sql: &'static str, which: T) -> Result<(), LibraryError>
    where
        T: sqlx::Encode<'a, sqlx::Sqlite> + sqlx::Type<sqlx::Sqlite> + Send + 'a,
    {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        sqlx::query(sql).bind(which).execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::NewSubscription;

    async fn library() -> (tempfile::TempDir, Library, i64) {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let url = "https://example.com/feed".to_owned();
        let feed = library.subscribe(&NewSubscription { url, ..NewSubscription::default() }).await.unwrap();
        (folder, library, feed)
    }

    fn access(feed_id: i64) -> Access {
        Access { feed_id, origin: "https://example.com".to_owned(), ..Access::default() }
    }

    #[tokio::test]
    async fn what_is_written_is_read() {
        let (_folder, library, feed) = library().await;
        assert!(library.accesses().await.unwrap().is_empty());
        let whole = Access {
            user_agent: Some("Me/1".to_owned()),
            headers: Headers(vec![("X-Key".to_owned(), "one".to_owned())]),
            proxy: Some("direct".to_owned()),
            certificate: Some(vec![7; 32]),
            auth: Some(Auth::Basic),
            user_name: Some("ada".to_owned()),
            keyring_entry: Some("entry".to_owned()),
            ..access(feed)
        };
        for access in [whole, access(feed)] {
            library.set_access(&access).await.unwrap();
            assert_eq!(library.accesses().await.unwrap()[&feed], access);
        }
        assert!(matches!(library.set_access(&access(77)).await, Err(LibraryError::NotFound(_))));
        library.delete_access(feed).await.unwrap();
        assert!(library.accesses().await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn an_entry_of_the_keyring_that_nothing_needs_is_remembered_until_it_is_forgotten() {
        let (folder, library, feed) = library().await;
        let entry =
            |name: &str| Access { auth: Some(Auth::Bearer), keyring_entry: Some(name.to_owned()), ..access(feed) };
        for name in ["one", "one", "two"] {
            library.set_access(&entry(name)).await.unwrap();
        }
        assert_eq!(library.secrets_left().await.unwrap(), ["one"]);
        library.secret_forgotten("one").await.unwrap();
        assert!(library.secrets_left().await.unwrap().is_empty());
        library.unsubscribe(&[feed]).await.unwrap();
        assert!(library.secrets_left().await.unwrap().is_empty(), "leaving can be undone for a day");
        let mut writer = library.writer().await;
        let mut transaction = writer.begin().await.unwrap();
        sqlx::query("UPDATE feeds SET unsubscribed_at = 0").execute(&mut *transaction).await.unwrap();
        transaction.commit().await.unwrap();
        drop(writer);
        library.close().await.unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        assert!(library.accesses().await.unwrap().is_empty());
        assert_eq!(library.secrets_left().await.unwrap(), ["two"]);
    }

    #[tokio::test]
    async fn a_change_can_be_taken_back_and_its_secret_is_needed_until_then() {
        let (_folder, library, feed) = library().await;
        let with = Access { auth: Some(Auth::Bearer), keyring_entry: Some("one".to_owned()), ..access(feed) };
        let given = library.change_access(feed, Some(&with)).await.unwrap();
        let taken = library.change_access(feed, None).await.unwrap();
        assert!(library.accesses().await.unwrap().is_empty());
        assert!(library.secrets_left().await.unwrap().is_empty(), "it can still be taken back");
        library.undo(taken.step).await.unwrap();
        assert_eq!(library.accesses().await.unwrap()[&feed], with);
        assert!(library.secrets_left().await.unwrap().is_empty(), "it is in use again");
        library.undo(given.step).await.unwrap();
        assert!(library.accesses().await.unwrap().is_empty());
        assert_eq!(library.secrets_left().await.unwrap(), ["one"]);
    }

    #[tokio::test]
    async fn secrets_are_not_shown_and_a_library_that_holds_some_is_the_users_alone() {
        let (folder, library, feed) = library().await;
        let with = Access { auth: Some(Auth::Bearer), secret: Some(Secret("sesame".to_owned())), ..access(feed) };
        assert!(!format!("{with:?}").contains("sesame"));
        library.set_access(&with).await.unwrap();
        #[cfg(unix)]
        for file in std::fs::read_dir(folder.path()).unwrap() {
            use std::os::unix::fs::PermissionsExt as _;
            let file = file.unwrap();
            if file.file_name().to_string_lossy().starts_with("library.sqlite") {
                let mode = file.metadata().unwrap().permissions().mode();
                assert_eq!(mode & 0o077, 0, "{}", file.path().display());
            }
        }
        let one = library.keyring_entry(feed).await.unwrap();
        assert!(one.len() > 16, "{one}");
    }
}

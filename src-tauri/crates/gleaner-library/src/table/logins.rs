//! Logins in the addresses of feeds (`https://user:password@host/`). They become connection settings wherever an address enters the
//! library, so that no address that is shown, logged or exported contains a password. The secret stays in the library
//! (`access.from_address`) until the application has moved it to the keyring.

use crate::{LOCAL_ACCOUNT, LibraryError, feed_key, table::feeds};
use gleaner_address::{Login, split_login, without_stored_password};
use sqlx::{Connection as _, SqliteConnection};
use url::Url;

/// The feed with an address, or the address for a new one.
#[derive(Debug)]
pub(crate) struct Place {
    /// The address, without a password.
    pub(crate) url: String,
    pub(crate) key: String,
    /// The login that was in the address.
    pub(crate) login: Option<OriginLogin>,
    /// The subscription with this address.
    pub(crate) there: Option<i64>,
}

/// A login and the origin that it is for.
#[derive(Debug, Clone)]
pub(crate) struct OriginLogin {
    origin: String,
    login: Login,
}

/// Returns the login in an address.
pub(crate) fn of(text: &str) -> Option<OriginLogin> {
    let (url, login) = split_login(&Url::parse(text.trim()).ok()?)?;
    Some(OriginLogin { origin: url.origin().ascii_serialization(), login })
}

/// Returns the key of an address and the user name in it: what is the same in a list.
pub(crate) fn user_key(url: &str) -> (String, Option<String>) {
    let login = Url::parse(url.trim()).ok().as_ref().and_then(split_login);
    (feed_key(url), login.map(|(_, login)| login.user))
}

/// Finds the place of an address. Feeds at one address with the passwords of different users are different feeds: then
/// the address keeps the user name. `except` is a feed to leave out.
pub(crate) async fn place(
    connection: &mut SqliteConnection,
    url: &str,
    except: Option<i64>,
) -> Result<Place, LibraryError> {
    let split = Url::parse(url.trim()).ok().as_ref().and_then(split_login);
    let Some((mut url, login)) = split else {
        // A login that is recognised in what is no URL has no server that it could be sent to.
        let url = without_stored_password(url.trim());
        let key = feed_key(&url);
        let there = find(connection, &key, except).await?;
        return Ok(Place { url, key, login: None, there });
    };
    let mut key = feed_key(url.as_str());
    let mut there = find(connection, &key, except).await?;
    if let Some(id) = there
        && user(connection, id).await?.is_some_and(|user| user != login.user)
        && url.set_username(&login.user).is_ok()
    {
        key = feed_key(url.as_str());
        there = find(connection, &key, except).await?;
    }
    let login = Some(OriginLogin { origin: url.origin().ascii_serialization(), login });
    Ok(Place { url: url.into(), key, login, there })
}

/// Finds the place of an address in an imported list or archive, as [`place`] does. A feed that an account has is not added a second time,
/// since two sources of one article make duplicates.
pub(crate) async fn imported_place(connection: &mut SqliteConnection, url: &str) -> Result<Place, LibraryError> {
    let mut place = place(connection, url, None).await?;
    if place.there.is_none() && place.login.is_none() {
        place.there = feeds::find_in_any_account(connection, &place.key).await?;
    }
    Ok(place)
}

async fn find(connection: &mut SqliteConnection, key: &str, except: Option<i64>) -> Result<Option<i64>, LibraryError> {
    let sql = "SELECT id FROM feeds WHERE account_id = ? AND url_key = ? AND unsubscribed_at IS NULL AND id IS NOT ?";
    Ok(sqlx::query_scalar(sql).bind(LOCAL_ACCOUNT).bind(key).bind(except).fetch_optional(connection).await?)
}

/// Returns the user name that a feed logs in with; an empty one for a token, `None` without a login.
async fn user(connection: &mut SqliteConnection, feed: i64) -> Result<Option<String>, LibraryError> {
    let sql = "SELECT ifnull(user_name, '') FROM access WHERE feed_id = ? AND auth IS NOT NULL";
    Ok(sqlx::query_scalar(sql).bind(feed).fetch_optional(connection).await?)
}

/// Stores the login of an address. A login that the feed has for the same server stays, unless `replace` is set: the user entered it
/// separately from the address.
pub(crate) async fn store(
    connection: &mut SqliteConnection,
    feed: i64,
    OriginLogin { origin, login }: &OriginLogin,
    replace: bool,
) -> Result<(), LibraryError> {
    // Headers and certificate belong to the former server.
    sqlx::query(
        "INSERT INTO access (feed_id, origin, headers, auth, user_name, secret, from_address) VALUES (?1, ?2, '[]', 'basic', ?3, ?4, 1)
         ON CONFLICT (feed_id) DO UPDATE SET origin = excluded.origin, auth = excluded.auth, user_name = excluded.user_name,
            keyring_entry = NULL, secret = excluded.secret, from_address = 1,
            headers = iif(origin = excluded.origin, headers, '[]'), certificate = iif(origin = excluded.origin, certificate, NULL)
         WHERE ?5 OR auth IS NULL OR origin <> excluded.origin",
    )
    .bind(feed)
    .bind(origin)
    .bind(&login.user)
    .bind(&login.password)
    .bind(replace)
    .execute(connection)
    .await?;
    Ok(())
}

/// Stores the login of an address that is subscribed already, if the feed has none and is at the same server.
pub(crate) async fn add(connection: &mut SqliteConnection, feed: i64, login: &OriginLogin) -> Result<(), LibraryError> {
    let url: String =
        sqlx::query_scalar("SELECT url FROM feeds WHERE id = ?").bind(feed).fetch_one(&mut *connection).await?;
    let is_same = Url::parse(&url).is_ok_and(|url| url.origin().ascii_serialization() == login.origin);
    if is_same && user(connection, feed).await?.is_none() {
        store(connection, feed, login, true).await?;
    }
    Ok(())
}

/// Moves the logins out of stored addresses: those of older versions, of restored backups and of recovered libraries. If other feeds
/// already have the address without the login, the address stays as it is.
pub(crate) async fn move_all(connection: &mut SqliteConnection) -> Result<(), LibraryError> {
    let sql = "SELECT id, url, former_url FROM feeds
         WHERE url LIKE '%:%@%' OR url LIKE 'exec:%' OR url LIKE 'filter:%' OR url LIKE '|%' OR former_url LIKE '%:%@%' ORDER BY id";
    let mut feeds: Vec<(i64, String, Option<String>)> = sqlx::query_as(sql).fetch_all(&mut *connection).await?;
    feeds.retain(|(_, url, former)| {
        without_stored_password(url) != *url
            || former.as_ref().is_some_and(|former| without_stored_password(former) != *former)
    });
    if feeds.is_empty() {
        return Ok(());
    }
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    for (id, url, former) in feeds {
        let former = former.as_deref().map(without_stored_password);
        let mut place = place(&mut transaction, &url, Some(id)).await?;
        if let (Some(_), Some(OriginLogin { login, .. }), Ok(mut named)) =
            (place.there, &place.login, Url::parse(&place.url))
            && named.set_username(&login.user).is_ok()
        {
            place.key = feed_key(named.as_str());
            place.there = find(&mut transaction, &place.key, Some(id)).await?;
            place.url = named.into();
        }
        if place.there.is_some() {
            let sql = "UPDATE feeds SET former_url = ?2 WHERE id = ?1";
            sqlx::query(sql).bind(id).bind(former).execute(&mut *transaction).await?;
            continue;
        }
        sqlx::query("UPDATE OR IGNORE feeds SET url = ?2, url_key = ?3, former_url = ?4 WHERE id = ?1")
            .bind(id)
            .bind(place.url)
            .bind(place.key)
            .bind(former)
            .execute(&mut *transaction)
            .await?;
        if let Some(login) = &place.login {
            store(&mut transaction, id, login, false).await?;
        }
        // The inspector's report names the address; the next document gives another.
        sqlx::query("DELETE FROM reports WHERE feed_id = ?").bind(id).execute(&mut *transaction).await?;
    }
    Ok(transaction.commit().await?)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Library, NewSubscription};

    /// Writes addresses as older versions did.
    async fn write(library: &Library, rows: &[(i64, &str)]) {
        let mut writer = library.db.writer().await;
        for (id, url) in rows {
            let key = url.split_once("://").map_or(*url, |(_, rest)| rest);
            sqlx::query("UPDATE feeds SET url = ?2, url_key = ?3, former_url = ?2 WHERE id = ?1")
                .bind(id)
                .bind(url)
                .bind(key)
                .execute(writer.connection())
                .await
                .unwrap();
        }
    }

    #[tokio::test]
    async fn moves_the_passwords_of_older_versions_once_and_loses_none() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let mut feeds = Vec::new();
        for n in 0..6 {
            feeds.push(
                library.subscriptions().add(&NewSubscription::new(format!("https://{n}.example/"))).await.unwrap(),
            );
        }
        let own = crate::Access {
            feed_id: feeds[4],
            origin: "https://own.example".to_owned(),
            auth: Some(crate::Auth::Bearer),
            keyring_entry: Some("entry".to_owned()),
            ..crate::Access::default()
        };
        library.connections().set(&own).await.unwrap();
        let urls = [
            "https://ada:one@a.example/feed?q",
            "https://bob:two@a.example/feed?q",
            "http://host.example:8080/@ada",
            "https://a.example/other",
            "https://ada:three@own.example/feed",
            "https://ada:f%6Fur@b.example/",
        ];
        write(&library, &feeds.iter().copied().zip(urls).collect::<Vec<_>>()).await;
        library.feeds().unsubscribe(&feeds[5..]).await.unwrap();
        library.close().await.unwrap();
        for _ in 0..2 {
            let library = Library::open(folder.path()).await.unwrap();
            let rows: Vec<(String, Option<String>, String)> =
                sqlx::query_as("SELECT url, former_url, url_key FROM feeds WHERE local = 0 ORDER BY id")
                    .fetch_all(&library.db.readers)
                    .await
                    .unwrap();
            let text = format!("{rows:?}");
            assert!(["one", "two", "three", "f%6Fur"].iter().all(|password| !text.contains(password)), "{text}");
            let urls: Vec<&str> = rows.iter().map(|(url, _, _)| url.as_str()).collect();
            let bare = [
                "https://a.example/feed?q",
                "https://bob@a.example/feed?q",
                "http://host.example:8080/@ada",
                "https://a.example/other",
                "https://own.example/feed",
                "https://b.example/",
            ];
            assert_eq!(urls, bare);
            assert!(rows.iter().take(2).all(|(url, _, key)| *key == feed_key(url)));
            let access = library.connections().list().await.unwrap();
            let login = |feed: &i64| {
                let access = &access[feed];
                (access.user_name.clone().unwrap_or_default(), access.secret.clone().map(|secret| secret.0))
            };
            assert_eq!(login(&feeds[0]), ("ada".to_owned(), Some("one".to_owned())));
            assert_eq!(login(&feeds[1]), ("bob".to_owned(), Some("two".to_owned())));
            assert_eq!(login(&feeds[5]), ("ada".to_owned(), Some("four".to_owned())), "it can be restored");
            assert_eq!(access[&feeds[4]], own, "a login entered apart from the address overrode it before, too");
            assert_eq!(access.len(), 4);
            library.close().await.unwrap();
        }
    }

    #[tokio::test]
    async fn addresses_that_cannot_be_fetched_lose_their_passwords() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let urls =
            ["http://ada:pw@[::zz]/x", "http://ada:pw@a.example:99999/", "exec:curl -u ada:pw http://a.example/"];
        let bare = ["http://[::zz]/x", "http://a.example:99999/", "exec:curl -u ada http://a.example/"];
        let others =
            ["newsletter:5:ada@a.example", "newsletter:5:b@a.example", "https://a.example/@ada:b", "exec:date -u a:b"];
        let (urls, bare) = ([&urls[..], &others].concat(), [&bare[..], &others].concat());
        let mut feeds = Vec::new();
        for url in &urls {
            feeds.push(library.subscriptions().add(&NewSubscription::new(*url)).await.unwrap());
        }
        let stored = async |library: &Library| {
            sqlx::query_as::<_, (String, String)>("SELECT url, url_key FROM feeds WHERE local = 0 ORDER BY id")
                .fetch_all(&library.db.readers)
                .await
                .unwrap()
        };
        let expected: Vec<_> = bare.into_iter().map(|url| (url.to_owned(), feed_key(url))).collect();
        assert_eq!(stored(&library).await, expected);
        write(&library, &feeds.into_iter().zip(urls).collect::<Vec<_>>()).await;
        library.close().await.unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        assert_eq!(stored(&library).await, expected, "those of older versions");
        library.close().await.unwrap();
    }

    #[tokio::test]
    async fn the_login_of_an_address_is_stored_for_a_feed_that_has_none() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let add = async |url: &str| library.subscriptions().add(&NewSubscription::new(url)).await;
        let feed = add("https://a.example/feed").await.unwrap();
        let secret =
            async || library.connections().list().await.unwrap().remove(&feed).map(|access| access.secret.unwrap().0);
        assert_eq!(secret().await, None);
        // A password that differs from the feed's may be outdated.
        for again in ["sesame", "other"] {
            let error = add(&format!("https://ada:{again}@a.example/feed")).await.unwrap_err();
            assert!(matches!(error, LibraryError::AlreadySubscribed(id) if id == feed), "{error}");
            assert_eq!(secret().await.as_deref(), Some("sesame"), "{again}");
        }
    }

    #[tokio::test]
    async fn a_secret_is_in_the_keyring_or_here_and_an_unneeded_entry_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let feed =
            library.subscriptions().add(&NewSubscription::new("https://ada:sesame@a.example/feed")).await.unwrap();
        let connections = library.connections();
        let secret = connections.list().await.unwrap()[&feed].secret.clone().unwrap();
        assert!(!format!("{:?}", connections.list().await.unwrap()).contains("sesame"));
        connections.secret_moved(feed, "entry", &secret).await.unwrap();
        let access = connections.list().await.unwrap().remove(&feed).unwrap();
        assert_eq!((access.keyring_entry.as_deref(), access.secret, access.from_address), (Some("entry"), None, false));
        // The user has changed it in the meantime.
        connections.secret_moved(feed, "late", &secret).await.unwrap();
        assert_eq!(connections.unused_secrets().await.unwrap(), ["late"]);
        assert_eq!(connections.list().await.unwrap()[&feed].keyring_entry.as_deref(), Some("entry"));
    }
}

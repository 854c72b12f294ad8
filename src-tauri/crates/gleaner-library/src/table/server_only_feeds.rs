//! `server_only_feeds`: feeds of accounts that the user unsubscribed from here, and that their servers keep, because the API can't
//! unsubscribe (Fever) or the server refuses it. They are not added again although the server lists them, until the user restores them.
//! Unsubscribing is not refused in this case: a user who no longer wants to see a feed can't always change the server, and other clients
//! still show it.

use crate::{LibraryError, feed_key};
use sqlx::SqliteConnection;
use std::collections::{HashMap, HashSet};

/// A feed that only the server of an account has.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ServerOnlyFeed {
    /// Id on the server.
    pub remote_id: String,
    /// Address of the feed; empty until the next synchronisation if it was deleted here before the server was informed.
    pub url: String,
    /// Title on the server; may be empty.
    pub title: String,
}

/// A feed that the server of an account lists.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Listed<'a> {
    pub remote_id: &'a str,
    pub url: &'a str,
    pub title: &'a str,
}

pub(crate) async fn list(connection: &mut SqliteConnection, account: i64) -> sqlx::Result<Vec<ServerOnlyFeed>> {
    let sql = "SELECT remote_id, url, title FROM server_only_feeds WHERE account_id = ?";
    sqlx::query_as(sql).bind(account).fetch_all(connection).await
}

pub(crate) async fn remove(connection: &mut SqliteConnection, account: i64, remote_id: &str) -> sqlx::Result<bool> {
    let sql = "DELETE FROM server_only_feeds WHERE account_id = ? AND remote_id = ?";
    Ok(sqlx::query(sql).bind(account).bind(remote_id).execute(connection).await?.rows_affected() > 0)
}

/// Removes the feeds with an address, because the user wants it here again. Returns whether there was any: then the server is not to
/// be asked to subscribe.
pub(crate) async fn take(connection: &mut SqliteConnection, account: i64, url: &str) -> sqlx::Result<bool> {
    let (key, mut any) = (feed_key(url), false);
    for feed in list(&mut *connection, account).await? {
        if feed_key(&feed.url) == key {
            any |= remove(&mut *connection, account, &feed.remote_id).await?;
        }
    }
    Ok(any)
}

/// Keeps a restored feed as it is on the server, which never unsubscribed from it.
pub(crate) async fn rejoin(connection: &mut SqliteConnection, feed: i64) -> Result<(), LibraryError> {
    let sql = "SELECT account_id, url FROM feeds WHERE id = ? AND account_id <> 1";
    let row: Option<(i64, String)> = sqlx::query_as(sql).bind(feed).fetch_optional(&mut *connection).await?;
    if let Some((account, url)) = row
        && take(&mut *connection, account, &url).await?
    {
        let sql = "DELETE FROM feed_outbox WHERE feed_id = ? AND what = 'subscribe'";
        sqlx::query(sql).bind(feed).execute(connection).await?;
    }
    Ok(())
}

/// Returns the ids of the listed feeds that only the server has. Rows of feeds that it no longer lists are removed, so that a feed to which
/// the user subscribes again on the server is added here.
pub(crate) async fn listed(
    connection: &mut SqliteConnection,
    account: i64,
    feeds: &[Listed<'_>],
) -> sqlx::Result<HashSet<String>> {
    let mut found = HashSet::new();
    let rows = list(&mut *connection, account).await?;
    if rows.is_empty() {
        return Ok(found);
    }
    let keys: Vec<String> = feeds.iter().map(|feed| feed_key(feed.url)).collect();
    let (mut by_id, mut by_key, mut titles) = (HashMap::new(), HashMap::new(), HashMap::new());
    for (feed, key) in feeds.iter().zip(&keys) {
        by_id.entry(feed.remote_id).or_insert((feed, key));
        by_key.entry(key.as_str()).or_insert(feed);
        *titles.entry(feed.title.trim()).or_insert(0) += 1;
    }
    // A title that several feeds have does not identify one.
    let is_unique = |title: &str| !title.trim().is_empty() && titles.get(title.trim()) == Some(&1);
    for row in rows {
        let key = feed_key(&row.url);
        // A new installation of a server reuses ids; a feed that moved still has its title.
        let at_its_id = by_id.get(row.remote_id.as_str());
        let same = at_its_id.filter(|(_, its_key)| row.url.is_empty() || **its_key == key).map(|(feed, _)| *feed);
        let at_its_address = || by_key.get(key.as_str()).copied().filter(|_| !row.url.is_empty());
        let has_its_title = |feed: &&Listed<'_>| feed.title == row.title && is_unique(feed.title);
        let moved = || at_its_id.map(|(feed, _)| *feed).filter(has_its_title);
        match same.or_else(at_its_address).or_else(moved) {
            Some(feed) => {
                if (feed.remote_id, feed.url) != (row.remote_id.as_str(), row.url.as_str()) {
                    remove(&mut *connection, account, &row.remote_id).await?;
                    let sql = "INSERT OR REPLACE INTO server_only_feeds (account_id, remote_id, url, title) VALUES (?, ?, ?, ?)";
                    let query = sqlx::query(sql).bind(account).bind(feed.remote_id).bind(feed.url).bind(feed.title);
                    query.execute(&mut *connection).await?;
                }
                found.insert(feed.remote_id.to_owned());
            }
            // An empty list may be a wrong response.
            None if feeds.is_empty() => {}
            None => {
                remove(&mut *connection, account, &row.remote_id).await?;
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{LOCAL_ACCOUNT, Library};

    fn at(remote_id: &str, title: &str, name: &str) -> ServerOnlyFeed {
        let url = format!("https://{name}.example/feed");
        ServerOnlyFeed { remote_id: remote_id.to_owned(), title: title.to_owned(), url }
    }

    /// Returns which of the listed feeds only the server has, given the ones that it `kept` before.
    async fn server_only(kept: &ServerOnlyFeed, feeds: &[ServerOnlyFeed]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let mut writer = library.db.writer().await;
        let mut transaction = writer.begin().await.unwrap();
        let sql = "INSERT INTO server_only_feeds (account_id, remote_id, url, title) VALUES (?, ?, ?, ?)";
        let query = sqlx::query(sql).bind(LOCAL_ACCOUNT).bind(&kept.remote_id).bind(&kept.url).bind(&kept.title);
        query.execute(&mut *transaction).await.unwrap();
        let feeds: Vec<Listed> = feeds
            .iter()
            .map(|feed| Listed { remote_id: &feed.remote_id, url: &feed.url, title: &feed.title })
            .collect();
        let mut found: Vec<String> =
            listed(&mut transaction, LOCAL_ACCOUNT, &feeds).await.unwrap().into_iter().collect();
        found.sort_unstable();
        found
    }

    #[tokio::test]
    async fn a_feed_that_moved_is_known_by_its_id_and_title() {
        let kept = at("2", "Harbour diary", "harbour");
        assert_eq!(server_only(&kept, &[at("1", "Rye", "rye"), at("2", "Harbour diary", "moved")]).await, ["2"]);
        assert_eq!(server_only(&kept, &[at("5", "Renamed", "harbour"), at("2", "Oats", "oats")]).await, ["5"]);
        assert!(server_only(&kept, &[at("2", "Oats", "oats")]).await.is_empty(), "another one has its id");
    }

    #[tokio::test]
    async fn titles_that_do_not_tell_feeds_apart_are_not_compared() {
        let untitled = at("2", "", "harbour");
        assert_eq!(server_only(&untitled, &[at("2", "", "oats"), at("3", "", "harbour")]).await, ["3"]);
        assert!(server_only(&untitled, &[at("2", "", "oats")]).await.is_empty());
        let blog = at("2", "Blog", "harbour");
        assert_eq!(server_only(&blog, &[at("2", "Blog", "oats"), at("3", "Blog", "harbour")]).await, ["3"]);
        assert!(server_only(&blog, &[at("2", "Blog", "oats"), at("3", "Blog", "rye")]).await.is_empty());
    }

    #[tokio::test]
    async fn the_address_comes_before_the_title() {
        let kept = at("2", "Blog", "harbour");
        assert_eq!(server_only(&kept, &[at("2", "Blog", "oats"), at("3", "News", "harbour")]).await, ["3"]);
    }
}

//! `remote_items`: ids of a server that no longer belong to the same article. An article that was deleted here returns when it is marked on
//! the server. A server that was restored from a backup gives ids to other articles.

use crate::{LibraryError, Millis, RemoteMark, SyncStore, json::json};
use url::Url;

/// The properties of an article on a server by which a reused id is recognised.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RemoteTraits {
    /// Id on the server.
    pub remote_id: String,
    /// Its canonical address.
    pub url: Option<String>,
    /// Its title.
    pub title: Option<String>,
    /// When it was published.
    pub published_at: Option<Millis>,
}

/// The article that an id stands for here.
#[derive(sqlx::FromRow)]
struct Known {
    remote_id: String,
    item_id: i64,
    url: Option<String>,
    title: String,
    published_at: Option<Millis>,
}

impl Known {
    /// Whether address and title are known and different, and so is the date or, if there are no dates, the host. An article that was
    /// edited keeps some of them.
    fn is_another(&self, now: &RemoteTraits) -> bool {
        let differ = |before: &str, now: &str| {
            !before.trim().is_empty() && !now.trim().is_empty() && before.trim() != now.trim()
        };
        let url = self.url.as_deref().zip(now.url.as_deref()).is_some_and(|(before, now)| differ(before, now));
        let title = now.title.as_deref().is_some_and(|now| differ(&self.title, now));
        let date = self.published_at.zip(now.published_at).is_some_and(|(before, now)| (before - now).abs() >= 1000);
        let host = |url: &Option<String>| Url::parse(url.as_deref()?).ok()?.host_str().map(str::to_owned);
        let undated = self.published_at.zip(now.published_at).is_none();
        url && title && (date || undated && host(&self.url) != host(&now.url))
    }
}

impl SyncStore<'_> {
    /// Forgets articles that were deleted here, so that they are downloaded again. Articles of feeds that are not subscribed, and those
    /// that can't be downloaded, stay known. Returns their ids.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn bring_back(self, account: i64, remote_ids: &[String]) -> Result<Vec<String>, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let back: Vec<String> = sqlx::query_scalar(
            "DELETE FROM remote_items WHERE account_id = ?1 AND remote_id IN (SELECT value FROM json_each(?2))
                AND item_id IS NULL AND foreign_feed IS NULL RETURNING remote_id",
        )
        .bind(account)
        .bind(json(&remote_ids)?)
        .fetch_all(&mut *transaction)
        .await?;
        if back.is_empty() {
            return Ok(back);
        }
        let sql = "DELETE FROM tombstones WHERE (feed_id, key) IN (SELECT f.id, j.value FROM feeds f JOIN json_each(?2) AS j WHERE f.account_id = ?1)";
        sqlx::query(sql).bind(account).bind(json(&back)?).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(back)
    }

    /// Separates the articles here from ids that the server has given to other articles, so that those are unknown. Changes to be sent
    /// under such an id were meant for another article, and are dropped; those in `sent` have to be reverted. Returns the ids.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn separate(
        self,
        account: i64,
        articles: &[RemoteTraits],
        sent: &[RemoteMark],
    ) -> Result<Vec<String>, LibraryError> {
        let ids: Vec<&str> = articles.iter().map(|article| article.remote_id.as_str()).collect();
        let sql = "SELECT r.remote_id, r.item_id, i.canonical_url AS url, i.title, i.published_at FROM remote_items r JOIN items i ON i.id = r.item_id
             WHERE r.account_id = ? AND r.remote_id IN (SELECT value FROM json_each(?))";
        let mut known: Vec<Known> =
            sqlx::query_as(sql).bind(account).bind(json(&ids)?).fetch_all(&self.db.readers).await?;
        known.retain(|known| articles.iter().any(|now| now.remote_id == known.remote_id && known.is_another(now)));
        if known.is_empty() {
            return Ok(Vec::new());
        }
        let others: Vec<String> = known.iter().map(|known| known.remote_id.clone()).collect();
        let items: Vec<i64> = known.iter().map(|known| known.item_id).collect();
        let ids = json(&others)?;
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        for sql in [
            "DELETE FROM outbox WHERE account_id = ?1 AND remote_id IN (SELECT value FROM json_each(?2))",
            "DELETE FROM remote_labels WHERE account_id = ?1 AND remote_id IN (SELECT value FROM json_each(?2))",
            "DELETE FROM remote_items WHERE account_id = ?1 AND remote_id IN (SELECT value FROM json_each(?2))",
        ] {
            sqlx::query(sql).bind(account).bind(&ids).execute(&mut *transaction).await?;
        }
        let back: Vec<_> = sent.iter().map(|(id, kind)| (id, kind.stored())).collect();
        let sql = "INSERT OR IGNORE INTO outbox (account_id, remote_id, what, value, stamp)
             SELECT ?1, j.value ->> 0, j.value ->> 1, 0, random() FROM json_each(?3) AS j
             WHERE j.value ->> 0 IN (SELECT value FROM json_each(?2))";
        sqlx::query(sql).bind(account).bind(&ids).bind(json(&back)?).execute(&mut *transaction).await?;
        // The key is the id that another article has now.
        let sql = "UPDATE items SET key = 'former ' || id || ' ' || key WHERE id IN (SELECT value FROM json_each(?))";
        sqlx::query(sql).bind(json(&items)?).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(others)
    }
}

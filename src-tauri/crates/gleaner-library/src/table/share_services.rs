//! `share_services`, `share_queue`: services in which the user saves articles, and the articles that have not been sent to them yet. An
//! article leaves the queue when the service has it. An article that the service refused stays with the reason until the user sends it
//! again or discards it.

use crate::{
    Access, LibraryError, Millis, Parameters, Secret, Undoable,
    database::{Database, repository, undo::UndoStep},
    json::json,
    table::access,
};
use futures::future::BoxFuture;
use std::collections::HashMap;

/// A service that articles are saved in.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct ShareService {
    /// Id.
    pub id: i64,
    /// Name of the kind, as gleaner-share defines it.
    pub kind: String,
    /// Name that the user sees.
    pub name: String,
    /// Base address of the server, or path of a folder.
    pub address: String,
    /// User name; empty if the service needs none.
    pub user_name: String,
    /// Name of the secret's entry in the keyring.
    pub keyring_entry: Option<String>,
    /// The secret, if it is stored here.
    pub secret: Option<Secret>,
    /// Not tried again before this time. `None` with an error: only when the user asks for it.
    pub retry_at: Option<Millis>,
    /// Number of failures since the last success.
    pub failures: i64,
    /// Code of the last error; `None` after a success.
    pub error_code: Option<String>,
    /// Parameters of its message.
    #[sqlx(try_from = "String")]
    pub error_parameters: Parameters,
}

impl ShareService {
    /// Returns where its secret is stored, in the form for reading secrets.
    #[must_use]
    pub fn access(&self) -> Access {
        Access { keyring_entry: self.keyring_entry.clone(), secret: self.secret.clone(), ..Access::default() }
    }
}

/// A service to add.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewShareService {
    /// Name of the kind.
    pub kind: String,
    /// Name that the user sees.
    pub name: String,
    /// Base address of the server, or path of a folder.
    pub address: String,
    /// User name; empty if the service needs none.
    pub user_name: String,
    /// Name of the secret's entry in the keyring.
    pub keyring_entry: Option<String>,
    /// The secret, if it is stored here.
    pub secret: Option<Secret>,
}

/// Number of articles that a service does not have yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ShareCounts {
    /// Articles to send.
    pub waiting: i64,
    /// Articles that the service refused.
    pub refused: i64,
}

/// An article that waits to be sent to a service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct Queued {
    /// Id of the article.
    #[sqlx(rename = "item_id")]
    pub article: i64,
    /// When it was queued.
    #[sqlx(rename = "added_at")]
    pub queued_at: Millis,
}

const SELECT: &str =
    "SELECT id, kind, name, address, user_name, keyring_entry, secret, retry_at, failures, error_code, error_parameters
    FROM share_services";

/// Forgets why a service could not be used.
const WORKS: &str =
    "UPDATE share_services SET failures = 0, retry_at = NULL, error_code = NULL, error_parameters = '{}'
    WHERE id = ? AND (failures > 0 OR error_code IS NOT NULL)";

/// Forgets the last error of a service, unless it asked to wait.
const MAY_BE_TRIED: &str = "UPDATE share_services SET retry_at = NULL, error_code = NULL, error_parameters = '{}'
    WHERE id = ? AND error_code IS NOT 'retry_after_until'";

repository!(
    /// Services that articles are saved in.
    ShareServices
);

/// The discarded articles of a service's queue, each with the time when it was queued, and why it was refused.
#[derive(Debug)]
struct Discarded {
    service: i64,
    queue: Vec<(i64, Millis, Option<String>)>,
}

impl UndoStep for Discarded {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { ShareServices::new(db).queue_again(self).await })
    }

    fn articles(&self) -> usize {
        self.queue.len()
    }
}

impl ShareServices<'_> {
    /// Returns all services in the order in which they were added.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn list(self) -> Result<Vec<ShareService>, LibraryError> {
        let sql = format!("{SELECT} ORDER BY id");
        Ok(sqlx::query_as(sqlx::AssertSqlSafe(sql)).fetch_all(&self.db.readers).await?)
    }

    /// Returns one service.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`].
    pub async fn get(self, id: i64) -> Result<ShareService, LibraryError> {
        let sql = format!("{SELECT} WHERE id = ?");
        let found = sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(id).fetch_optional(&self.db.readers).await?;
        found.ok_or(LibraryError::NotFound("service"))
    }

    /// Returns the number of articles that each service does not have yet.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn counts(self) -> Result<HashMap<i64, ShareCounts>, LibraryError> {
        let rows: Vec<(i64, i64, i64)> = sqlx::query_as(
            "SELECT service_id, count(*) - count(error_code) AS to_send, count(error_code) FROM share_queue GROUP BY service_id",
        )
        .fetch_all(&self.db.readers)
        .await?;
        Ok(rows.into_iter().map(|(id, waiting, refused)| (id, ShareCounts { waiting, refused })).collect())
    }

    /// Returns how many of these articles a service does not have.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn remaining(self, id: i64, articles: &[i64]) -> Result<ShareCounts, LibraryError> {
        let sql = "SELECT count(*) - count(error_code), count(error_code) FROM share_queue
            WHERE service_id = ? AND item_id IN (SELECT value FROM json_each(?))";
        let (waiting, refused) = sqlx::query_as(sql).bind(id).bind(json(articles)?).fetch_one(&self.db.readers).await?;
        Ok(ShareCounts { waiting, refused })
    }

    /// Returns the code of the error for which a service refused one of these articles.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn refusal(self, id: i64, articles: &[i64]) -> Result<Option<String>, LibraryError> {
        let sql = "SELECT error_code FROM share_queue
            WHERE service_id = ? AND item_id IN (SELECT value FROM json_each(?)) AND error_code IS NOT NULL LIMIT 1";
        Ok(sqlx::query_scalar(sql).bind(id).bind(json(articles)?).fetch_optional(&self.db.readers).await?)
    }

    /// Returns a new name for the keyring entry of a service. No other secret ever had it.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn new_keyring_entry(self) -> Result<String, LibraryError> {
        access::new_keyring_entry(self.db, "service").await
    }

    /// Adds a service. Returns its id.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn add(self, new: &NewShareService) -> Result<i64, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let sql = "INSERT INTO share_services (kind, name, address, user_name, keyring_entry, secret) VALUES (?, ?, ?, ?, ?, ?) RETURNING id";
        let id = sqlx::query_scalar(sql)
            .bind(&new.kind)
            .bind(&new.name)
            .bind(&new.address)
            .bind(&new.user_name)
            .bind(&new.keyring_entry)
            .bind(&new.secret)
            .fetch_one(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(id)
    }

    /// Replaces the name, address, user name and secret of a service, which accepted them, and removes its last error. The former secret is
    /// deleted from the keyring later.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be written.
    pub async fn set_login(self, changed: &ShareService) -> Result<(), LibraryError> {
        let former = self.get(changed.id).await?.keyring_entry;
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        if let Some(former) = former {
            access::leave_secret(&mut transaction, &former).await?;
        }
        let sql = "UPDATE share_services SET address = ?2, user_name = ?3, keyring_entry = ?4, secret = ?5, name = ?6,
                failures = 0, retry_at = NULL, error_code = NULL, error_parameters = '{}'
            WHERE id = ?1";
        sqlx::query(sql)
            .bind(changed.id)
            .bind(&changed.address)
            .bind(&changed.user_name)
            .bind(&changed.keyring_entry)
            .bind(&changed.secret)
            .bind(&changed.name)
            .execute(&mut *transaction)
            .await?;
        Ok(transaction.commit().await?)
    }

    /// Renames a service.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be written.
    pub async fn rename(self, id: i64, name: &str) -> Result<(), LibraryError> {
        self.get(id).await?;
        let sql = "UPDATE share_services SET name = ?2 WHERE id = ?1";
        self.db.execute(sqlx::query(sql).bind(id).bind(name)).await
    }

    /// Removes a service with what is queued for it. Its secret is deleted from the keyring later.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`]; when the library cannot be written.
    pub async fn remove(self, id: i64) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let done = sqlx::query("DELETE FROM share_services WHERE id = ?").bind(id).execute(&mut *transaction).await?;
        if done.rows_affected() == 0 {
            return Err(LibraryError::NotFound("service"));
        }
        Ok(transaction.commit().await?)
    }

    /// Queues articles in their order, including ones that the service refused. Those that no longer exist are left out. Returns how many
    /// are queued now.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`] without the service; when the library cannot be written.
    pub async fn queue(self, id: i64, articles: &[i64]) -> Result<u64, LibraryError> {
        self.get(id).await?;
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let now = self.db.now();
        let mut queued = 0;
        for (article, at) in articles.iter().zip(now..) {
            let sql =
                "INSERT INTO share_queue (service_id, item_id, added_at) SELECT ?1, id, ?3 FROM items WHERE id = ?2
                ON CONFLICT (service_id, item_id) DO UPDATE SET error_code = NULL";
            let done = sqlx::query(sql).bind(id).bind(article).bind(at).execute(&mut *transaction).await?;
            queued += done.rows_affected();
        }
        transaction.commit().await?;
        Ok(queued)
    }

    /// Returns the article to send next: the first one after `last`, or else the first of all.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn next(self, id: i64, last: Option<Queued>) -> Result<Option<Queued>, LibraryError> {
        if let Some(Queued { article, queued_at }) = last {
            let sql = "SELECT item_id, added_at FROM share_queue
                WHERE service_id = ? AND error_code IS NULL AND (added_at, item_id) > (?, ?) ORDER BY added_at, item_id LIMIT 1";
            let after = sqlx::query_as(sql).bind(id).bind(queued_at).bind(article);
            if let Some(found) = after.fetch_optional(&self.db.readers).await? {
                return Ok(Some(found));
            }
        }
        let sql = "SELECT item_id, added_at FROM share_queue WHERE service_id = ? AND error_code IS NULL ORDER BY added_at, item_id LIMIT 1";
        Ok(sqlx::query_as(sql).bind(id).fetch_optional(&self.db.readers).await?)
    }

    /// Records that the service has an article.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn saved(self, id: i64, article: i64) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let sql = "DELETE FROM share_queue WHERE service_id = ? AND item_id = ?";
        sqlx::query(sql).bind(id).bind(article).execute(&mut *transaction).await?;
        sqlx::query(WORKS).bind(id).execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// Records that the service works, although it does not have the article: removes its last error.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn answered(self, id: i64) -> Result<(), LibraryError> {
        self.db.execute(sqlx::query(WORKS).bind(id)).await
    }

    /// Records that the service refuses an article, and why.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn refused(self, id: i64, article: i64, code: &str) -> Result<(), LibraryError> {
        let sql = "UPDATE share_queue SET error_code = ?3 WHERE service_id = ?1 AND item_id = ?2";
        self.db.execute(sqlx::query(sql).bind(id).bind(article).bind(code)).await
    }

    /// Records that the service cannot be used, and when to try again; `None`: when the user asks for it.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn failed(
        self,
        id: i64,
        code: &str,
        parameters: &Parameters,
        retry_at: Option<Millis>,
    ) -> Result<(), LibraryError> {
        let sql = "UPDATE share_services SET failures = failures + 1, retry_at = ?4, error_code = ?2, error_parameters = ?3 WHERE id = ?1";
        self.db.execute(sqlx::query(sql).bind(id).bind(code).bind(parameters.stored()).bind(retry_at)).await
    }

    /// Makes everything that is queued, including refused articles, be sent again, unless the service asked to wait.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn retry(self, id: i64) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let sql = "UPDATE share_queue SET error_code = NULL WHERE service_id = ?";
        sqlx::query(sql).bind(id).execute(&mut *transaction).await?;
        sqlx::query(MAY_BE_TRIED).bind(id).execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// Discards everything that is queued for a service.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn discard(self, id: i64) -> Result<Undoable, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let sql = "DELETE FROM share_queue WHERE service_id = ? RETURNING item_id, added_at, error_code";
        let queue: Vec<(i64, Millis, Option<String>)> =
            sqlx::query_as(sql).bind(id).fetch_all(&mut *transaction).await?;
        sqlx::query(MAY_BE_TRIED).bind(id).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(self.db.undo.push(queue.len(), Discarded { service: id, queue }))
    }

    /// Queues discarded articles again, if the service and the articles still exist.
    async fn queue_again(self, discarded: &Discarded) -> Result<(), LibraryError> {
        let Discarded { service, queue } = discarded;
        self.get(*service).await?;
        let sql = "INSERT OR IGNORE INTO share_queue (service_id, item_id, added_at, error_code)
            SELECT ?1, i.id, j.value ->> 1, j.value ->> 2 FROM json_each(?2) j JOIN items i ON i.id = j.value ->> 0";
        self.db.execute(sqlx::query(sql).bind(service).bind(json(queue)?)).await
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Library, NewSubscription};

    #[tokio::test]
    async fn articles_stay_queued_until_the_service_has_them() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let new = NewSubscription::new("https://a.example/feed");
        let feed = library.subscriptions().add(&new).await.unwrap();
        let mut ids = Vec::new();
        for number in 0..3 {
            let mut writer = library.db.writer().await;
            let mut transaction = writer.begin().await.unwrap();
            let sql = "INSERT INTO items (feed_id, key, title, received_at, sort_at, excerpt, word_count, digest)
                VALUES (?, ?, 'x', 1, 1, '', 0, x'00') RETURNING id";
            let id: i64 =
                sqlx::query_scalar(sql).bind(feed).bind(number.to_string()).fetch_one(&mut *transaction).await.unwrap();
            transaction.commit().await.unwrap();
            ids.push(id);
        }
        let services = library.share_services();
        let entry = Some("entry".to_owned());
        let new = NewShareService { name: "Mine".to_owned(), keyring_entry: entry, ..NewShareService::default() };
        let id = services.add(&new).await.unwrap();
        assert_eq!(services.queue(id, &[ids[2], ids[0], ids[1], 9999]).await.unwrap(), 3);
        let next = async |last| services.next(id, last).await.unwrap().unwrap();
        let first = next(None).await;
        assert_eq!(first.article, ids[2], "in the order of the user");
        let second = next(Some(first)).await;
        assert_eq!((second.article, next(Some(second)).await.article), (ids[0], ids[1]));
        assert_eq!(next(Some(next(Some(second)).await)).await, first, "after the last one");
        services.refused(id, ids[2], "no_page").await.unwrap();
        assert_eq!(next(None).await, second);
        services.failed(id, "offline", &Parameters::default(), Some(5)).await.unwrap();
        assert_eq!(services.get(id).await.unwrap().failures, 1);
        services.saved(id, ids[0]).await.unwrap();
        let service = services.get(id).await.unwrap();
        assert_eq!((service.failures, service.error_code, service.retry_at), (0, None, None));
        assert_eq!(services.counts().await.unwrap()[&id], ShareCounts { waiting: 1, refused: 1 });
        services.retry(id).await.unwrap();
        assert_eq!(services.counts().await.unwrap()[&id], ShareCounts { waiting: 2, refused: 0 });
        services.failed(id, "server_login", &Parameters::default(), None).await.unwrap();
        let former = services.get(id).await.unwrap();
        services.set_login(&ShareService { keyring_entry: Some("second".to_owned()), ..former }).await.unwrap();
        let service = services.get(id).await.unwrap();
        assert_eq!((service.failures, service.error_code, service.keyring_entry.as_deref()), (0, None, Some("second")));
        assert_eq!(services.counts().await.unwrap()[&id].waiting, 2, "they are sent with the new password");
        assert_eq!(library.connections().unused_secrets().await.unwrap(), ["entry"]);
        services.refused(id, ids[2], "no_page").await.unwrap();
        let (queued, first) = (services.counts().await.unwrap(), services.next(id, None).await.unwrap());
        services.failed(id, "offline", &Parameters::default(), Some(5)).await.unwrap();
        services.answered(id).await.unwrap();
        let service = services.get(id).await.unwrap();
        assert_eq!((service.failures, service.error_code, service.retry_at), (0, None, None));
        let discarded = services.discard(id).await.unwrap();
        assert_eq!((discarded.count, services.counts().await.unwrap().len()), (2, 0));
        library.undo(discarded.step).await.unwrap();
        assert_eq!((services.counts().await.unwrap(), services.next(id, None).await.unwrap()), (queued, first));
        assert_eq!(services.refusal(id, &ids).await.unwrap().as_deref(), Some("no_page"));
        services.discard(id).await.unwrap();
        assert_eq!(services.next(id, None).await.unwrap(), None);
        services.queue(id, &ids).await.unwrap();
        services.remove(id).await.unwrap();
        assert!(services.counts().await.unwrap().is_empty() && services.remove(id).await.is_err());
        assert_eq!(library.connections().unused_secrets().await.unwrap(), ["entry", "second"]);
    }
}

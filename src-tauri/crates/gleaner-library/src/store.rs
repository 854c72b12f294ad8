//! Stores the results of polls, many feeds in one transaction, so that a refresh of a thousand feeds does not wait for the disk a
//! thousand times. Polling decides what to insert and change; [`settle()`] decides again inside the transaction.

mod polled;
mod settle;

use crate::{
    Incoming, LibraryError, NewItem, Stored,
    database::{Database, Writer},
    json::json,
    rows::{chunks, repeated},
    table::{
        duplicates, enclosures, feeds, hosts,
        id_sequences::{self, Numbered},
        polls::Polls,
        preferences, rule_touches,
        rules::Action,
        scheduled, tombstones, versions,
    },
};
use gleaner_identity::KnownItem;
pub(crate) use settle::{unknown, unknown_among};

use settle::{Before, Settled, known_items, settle};
use sqlx::{Arguments as _, SqliteConnection, sqlite::SqliteArguments};
use std::{borrow::Cow, collections::HashSet, sync::atomic::Ordering};

const ITEM_COLUMNS: &str = "id, feed_id, key, url, canonical_url, title, author, language, published_at, updated_at, date_uncertain, \
    received_at, sort_at, excerpt, word_count, thumbnail_url, media, comments_url, digest, title_key";
const ITEM_VALUES: &str = "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";

impl Polls<'_> {
    /// Returns the items and tombstones of a feed that have one of these keys or canonical addresses, and the newest ones.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn known_items(self, feed: i64, keys: &[&str], urls: &[String]) -> Result<Vec<KnownItem>, LibraryError> {
        known_items(&self.db.readers, feed, keys, urls, &[], &[]).await
    }

    /// Returns the id that the next item will have: items with greater ids were added later.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn next_item(self) -> Result<i64, LibraryError> {
        Ok(id_sequences::next(&mut *self.db.readers.acquire().await?, Numbered::Items).await?)
    }

    /// Returns whether a feed has any items.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn has_items(self, feed: i64) -> Result<bool, LibraryError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM items WHERE feed_id = ?)";
        Ok(sqlx::query_scalar(sql).bind(feed).fetch_one(&self.db.readers).await?)
    }

    /// Stores the results of polling some feeds, all of them or nothing.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing was stored.
    pub async fn store(self, incoming: &[&Incoming]) -> Result<Vec<Stored>, LibraryError> {
        let mut writer = self.db.writer().await;
        let stored = self.store_all(&mut writer, incoming).await;
        if matches!(stored, Err(LibraryError::DiskFull)) {
            // The log still contains the data that did not fit; truncating it makes room to open the library again.
            let _spared = sqlx::raw_sql("PRAGMA wal_checkpoint(TRUNCATE)").execute(writer.connection()).await;
        }
        stored
    }

    /// Stores the results of polling some feeds. A feed whose result cannot be stored does not prevent storing the others: all are tried in
    /// one transaction first, and each in its own if that fails.
    ///
    /// # Errors
    /// When nothing can be written at all. The inner error is one feed's own; then nothing of that feed was stored.
    pub async fn store_each(self, incoming: &[&Incoming]) -> Result<Vec<Result<Stored, LibraryError>>, LibraryError> {
        match self.store(incoming).await {
            Ok(stored) => return Ok(stored.into_iter().map(Ok).collect()),
            Err(error) if !error.is_of_data() => return Err(error),
            Err(error) if incoming.len() == 1 => return Ok(vec![Err(error)]),
            Err(_) => {}
        }
        let mut each = Vec::with_capacity(incoming.len());
        for one in incoming {
            each.push(match self.store(&[one]).await {
                Ok(mut stored) => Ok(stored.pop().unwrap_or_default()),
                Err(error) if error.is_of_data() => Err(error),
                Err(error) => return Err(error),
            });
        }
        Ok(each)
    }

    async fn store_all(self, writer: &mut Writer<'_>, incoming: &[&Incoming]) -> Result<Vec<Stored>, LibraryError> {
        let mut transaction = writer.begin().await?;
        let mut next_id = id_sequences::next(&mut transaction, Numbered::Items).await?;
        let (mut stored, mut new) = (Vec::new(), Vec::new());
        let first = next_id;
        let feeds: Vec<i64> = incoming.iter().map(|incoming| incoming.poll.feed_id).collect();
        let since =
            incoming.iter().filter(|incoming| !incoming.intents.is_empty()).filter_map(|incoming| incoming.since);
        let polled: Vec<(i64, &str)> =
            incoming.iter().map(|incoming| (incoming.poll.feed_id, incoming.poll.url.as_str())).collect();
        let before = settle::before(&mut transaction, &polled, since.min()).await?;
        let (current, outdated): (Vec<&Incoming>, Vec<&Incoming>) =
            incoming.iter().copied().partition(|incoming| before.contains_key(&incoming.poll.feed_id));
        polled::store(&mut transaction, &current).await?;
        polled::store_requests(&mut transaction, &outdated).await?;
        for feed in incoming {
            // The host asked for the pause, even if the feed was changed or unsubscribed in the meantime.
            if let Some((host, until)) = &feed.wait {
                hosts::wait(&mut transaction, host, *until).await?;
            }
            let begin = new.len();
            let stored_one = match before.get(&feed.poll.feed_id) {
                Some(before) => self.store_one(&mut transaction, *before, feed, &mut next_id, &mut new).await?,
                None => Stored { outdated: true, ..Stored::default() },
            };
            stored.push((stored_one, begin..new.len()));
        }
        let schedules = self.db.schedules_future();
        let new: Vec<(i64, i64, &NewItem)> = new.iter().map(|(id, feed, item)| (*id, *feed, &**item)).collect();
        insert_all(&mut transaction, &new, schedules).await?;
        for (stored, its) in &mut stored {
            rule_touches::record(&mut transaction, &new[its.clone()], schedules, stored).await?;
        }
        if next_id > first {
            let mut notified: HashSet<i64> = stored.iter().flat_map(|(stored, _)| &stored.notify).copied().collect();
            for (item, feed) in group_duplicates(self.db, &mut transaction, first).await? {
                let of_feed = incoming.iter().position(|incoming| incoming.poll.feed_id == feed);
                if let Some((stored, _)) = of_feed.and_then(|at| stored.get_mut(at))
                    && notified.insert(item)
                {
                    stored.notify.push(item);
                }
            }
        }
        // Preferences may have changed since the feeds were requested.
        preferences::update_next_polls_of(&mut transaction, &json(&feeds)?, self.db.now()).await?;
        transaction.commit().await?;
        Ok(stored.into_iter().map(|(stored, _)| stored).collect())
    }

    /// Stores items from the history of the feed at `url`, without touching its polling state. Items that the library already has are left
    /// out, and all of them if the feed now has another address. `document_keys` are the keys of all items of the page that they come from,
    /// `since` is as in [`Incoming`]. Returns how many are new.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing was stored.
    pub async fn store_older(
        self,
        feed: i64,
        url: &str,
        items: &[NewItem],
        document_keys: &[String],
        since: Option<i64>,
    ) -> Result<usize, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        if settle::before(&mut transaction, &[(feed, url)], None).await?.is_empty() {
            return Ok(0);
        }
        let items: Vec<&NewItem> = items.iter().collect();
        let items = unknown(&mut transaction, feed, &items, document_keys, since).await?.new;
        let first = id_sequences::next(&mut transaction, Numbered::Items).await?;
        let numbered: Vec<(i64, i64, &NewItem)> =
            (first..).zip(&items).map(|(id, (_, item))| (id, feed, &**item)).collect();
        insert_all(&mut transaction, &numbered, false).await?;
        rule_touches::record(&mut transaction, &numbered, false, &mut Stored::default()).await?;
        if !items.is_empty() {
            duplicates::group_new(&mut transaction, first, self.db.combines_duplicates(), self.db.now()).await?;
        }
        transaction.commit().await?;
        Ok(items.len())
    }

    /// Stores the rest of a result: changed items, and the rare changes of the feed's address. New items are added to `new`, so
    /// that those of many feeds share statements.
    async fn store_one<'a>(
        self,
        connection: &mut SqliteConnection,
        before: Before,
        incoming: &'a Incoming,
        next_id: &mut i64,
        new: &mut Vec<(i64, i64, Cow<'a, NewItem>)>,
    ) -> Result<Stored, LibraryError> {
        let feed = incoming.poll.feed_id;
        if let Some(url) = &incoming.moved {
            feeds::set_moved_address(connection, feed, url).await?;
        }
        let schedules = self.db.schedules_future();
        let mut stored = Stored::default();
        for settled in settle(connection, before, &incoming.intents, &incoming.keys, incoming.since).await? {
            match settled {
                Settled::Insert(item) => {
                    stored.new += usize::from(scheduled::until(&item, schedules).is_none());
                    new.push((*next_id, feed, item));
                    *next_id += 1;
                }
                Settled::Update(id, item) => {
                    let limit = self.db.version_limit.load(Ordering::Relaxed);
                    versions::store(connection, &self.db.dictionaries, id, &item, limit, self.db.now()).await?;
                    update(connection, id, &item).await?;
                    let until = scheduled::until(&item, schedules);
                    let is_scheduled = scheduled::date_changed(connection, id, until.unwrap_or(item.sort_at)).await?;
                    match (is_scheduled, until) {
                        (true, Some(_)) => {}
                        (true, None) => {
                            let which = scheduled::Which::One(id);
                            let released =
                                scheduled::release(connection, which, item.received_at, self.db.combines_duplicates())
                                    .await?;
                            stored.new += released.new;
                            stored.notify.extend(released.notify);
                        }
                        (false, _) => stored.changed += 1,
                    }
                }
                Settled::StillGone(key) => tombstones::record_seen(connection, feed, key, self.db.now()).await?,
                Settled::Rename(id, key) => {
                    sqlx::query("UPDATE items SET key = ? WHERE id = ?")
                        .bind(key)
                        .bind(id)
                        .execute(&mut *connection)
                        .await?;
                }
            }
        }
        Ok(stored)
    }
}

/// Returns whether a feed is subscribed. One that was unsubscribed while it was being fetched gets no articles.
pub(crate) async fn is_subscribed(connection: &mut SqliteConnection, feed: i64) -> Result<bool, LibraryError> {
    let sql = "SELECT id FROM feeds WHERE id = ? AND unsubscribed_at IS NULL";
    let found: Option<i64> = sqlx::query_scalar(sql).bind(feed).fetch_optional(connection).await?;
    Ok(found.is_some())
}

/// Groups the new items with ids of at least `first` with their duplicates, which are marked as read if a rule marked one of them as read.
/// Returns the new items to notify of, each with the id of its feed.
pub(crate) async fn group_duplicates(
    db: &Database,
    connection: &mut SqliteConnection,
    first: i64,
) -> Result<Vec<(i64, i64)>, LibraryError> {
    let (combines, now) = (db.combines_duplicates(), db.now());
    duplicates::group_new(connection, first, combines, now).await?;
    if combines {
        rule_touches::mark_duplicates_read(connection, first, now).await?;
    }
    Ok(preferences::to_notify(connection, first).await?)
}

/// Inserts items of any feeds: id, feed, item. With `schedules`, those dated in the future are scheduled for their date.
pub(crate) async fn insert_all(
    connection: &mut SqliteConnection,
    items: &[(i64, i64, &NewItem)],
    schedules: bool,
) -> Result<(), LibraryError> {
    for chunk in chunks(items) {
        insert_chunk(connection, chunk, schedules).await?;
    }
    Ok(())
}

async fn insert_chunk(
    connection: &mut SqliteConnection,
    items: &[(i64, i64, &NewItem)],
    schedules: bool,
) -> Result<(), LibraryError> {
    let failed = |error: sqlx::error::BoxDynError| LibraryError::Sql(sqlx::Error::Encode(error));
    let (mut rows, mut bodies, mut states) =
        (SqliteArguments::default(), SqliteArguments::default(), SqliteArguments::default());
    let mut shown = 0;
    for (id, feed, item) in items {
        bind_item(&mut rows, *id, *feed, item).map_err(failed)?;
        bind_body(&mut bodies, *id, item).map_err(failed)?;
        if scheduled::until(item, schedules).is_none() {
            shown += 1;
            let is_to = |action| i64::from(item.is_to(&action));
            let (read, starred) = (item.read || item.is_to(&Action::Read), item.is_to(&Action::Star));
            let marks = [i64::from(read), i64::from(starred), is_to(Action::Hide), is_to(Action::Keep)];
            for value in [*id, *feed, item.sort_at].into_iter().chain(marks) {
                states.add(value).map_err(failed)?;
            }
            states.add(starred.then_some(item.received_at)).map_err(failed)?;
        }
    }
    let sql = format!("INSERT INTO items ({ITEM_COLUMNS}) VALUES {}", repeated(ITEM_VALUES, items.len()));
    sqlx::query_with(sqlx::AssertSqlSafe(sql), rows).execute(&mut *connection).await?;
    let sql = format!(
        "INSERT INTO bodies (item_id, codec, content, content_base, summary, summary_base, categories, beside) VALUES {}",
        repeated("(?,?,?,?,?,?,?,?)", items.len())
    );
    sqlx::query_with(sqlx::AssertSqlSafe(sql), bodies).execute(&mut *connection).await?;
    if shown > 0 {
        let rows = repeated("(?,?,?,?,?,?,?,?)", shown);
        let sql = format!(
            "INSERT INTO states (item_id, feed_id, sort_at, read, starred, hidden, kept, starred_at) VALUES {rows}"
        );
        sqlx::query_with(sqlx::AssertSqlSafe(sql), states).execute(&mut *connection).await?;
    }
    for (id, _, item) in items {
        if let Some(until) = scheduled::until(item, schedules) {
            scheduled::schedule(connection, *id, until).await?;
        }
        enclosures::replace(connection, *id, &item.enclosures, true).await?;
    }
    Ok(())
}

fn bind_item(
    arguments: &mut SqliteArguments,
    id: i64,
    feed: i64,
    item: &NewItem,
) -> Result<(), sqlx::error::BoxDynError> {
    arguments.add(id)?;
    arguments.add(feed)?;
    arguments.add(item.key.clone())?;
    arguments.add(item.url.clone())?;
    arguments.add(item.canonical_url.clone())?;
    arguments.add(item.title.clone())?;
    arguments.add(item.author.clone())?;
    arguments.add(item.language.clone())?;
    arguments.add(item.published_at)?;
    arguments.add(item.updated_at)?;
    arguments.add(item.date_uncertain)?;
    arguments.add(item.received_at)?;
    arguments.add(item.sort_at)?;
    arguments.add(item.excerpt.clone())?;
    arguments.add(item.word_count)?;
    arguments.add(item.thumbnail_url.clone())?;
    arguments.add(item.media.clone())?;
    arguments.add(item.comments_url.clone())?;
    arguments.add(item.digest.clone())?;
    arguments.add(item.title_key)?;
    Ok(())
}

fn bind_body(arguments: &mut SqliteArguments, id: i64, item: &NewItem) -> Result<(), sqlx::error::BoxDynError> {
    arguments.add(id)?;
    arguments.add(item.texts.packed.codec)?;
    arguments.add(item.texts.packed.content.clone())?;
    arguments.add(item.texts.content_base.clone())?;
    arguments.add(item.texts.packed.summary.clone())?;
    arguments.add(item.texts.summary_base.clone())?;
    let categories = if item.categories.is_empty() { None } else { Some(serde_json::to_string(&item.categories)?) };
    arguments.add(categories)?;
    arguments.add(item.metadata.stored(item.url.as_deref())?)?;
    Ok(())
}

/// Updates everything about an item but when it was received and its position in lists.
async fn update(connection: &mut SqliteConnection, id: i64, item: &NewItem) -> Result<(), LibraryError> {
    sqlx::query(
        "UPDATE items SET url = ?2, canonical_url = ?3, title = ?4, author = ?5, language = ?6, published_at = ?7, updated_at = ?8,
                date_uncertain = ?9, excerpt = ?10, word_count = ?11, thumbnail_url = ?12, media = ?13, comments_url = ?14, digest = ?15,
                key = ?16, title_key = ?17
         WHERE id = ?1",
    )
    .bind(id)
    .bind(&item.url)
    .bind(&item.canonical_url)
    .bind(&item.title)
    .bind(&item.author)
    .bind(&item.language)
    .bind(item.published_at)
    .bind(item.updated_at)
    .bind(item.date_uncertain)
    .bind(&item.excerpt)
    .bind(item.word_count)
    .bind(&item.thumbnail_url)
    .bind(&item.media)
    .bind(&item.comments_url)
    .bind(&item.digest)
    .bind(&item.key)
    .bind(item.title_key)
    .execute(&mut *connection)
    .await?;
    let failed = |error: sqlx::error::BoxDynError| LibraryError::Sql(sqlx::Error::Encode(error));
    let mut body = SqliteArguments::default();
    bind_body(&mut body, id, item).map_err(failed)?;
    sqlx::query_with(
        "INSERT OR REPLACE INTO bodies (item_id, codec, content, content_base, summary, summary_base, categories, beside)
         VALUES (?,?,?,?,?,?,?,?)",
        body,
    )
    .execute(&mut *connection)
    .await?;
    enclosures::replace(connection, id, &item.enclosures, false).await?;
    Ok(())
}

#[cfg(test)]
mod tests;

//! `remote_items`, `remote_labels`: the articles of accounts on servers, with their marks as the server last had them. Marks that differ
//! from them here are in `outbox`. A server's id is opaque text; if a server gives its articles new ids, they are recognised by the rules
//! of gleaner-identity and get the new ids here.

use crate::{
    LibraryError, Mark, MarkKind, NewItem, PendingMark, Stored, Undoable,
    database::repository,
    json::json,
    store,
    table::{
        id_sequences::{self, Numbered},
        mark_log::{self, Cause, MarkChange},
        outbox::{self, RemoteMark},
        rule_touches, states,
        tags::{self, tag_key},
    },
};
use futures::TryStreamExt as _;
use sqlx::SqliteConnection;
use std::collections::{BTreeMap, HashMap, HashSet};

/// An article's marks on the server.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RemoteState {
    /// Id on the server.
    pub remote_id: String,
    /// Whether it was read.
    pub read: bool,
    /// Whether it has a star.
    pub starred: bool,
    /// Names of its labels.
    pub labels: Vec<String>,
}

/// An article that the library knows, with its marks as the server last had them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KnownArticle {
    /// Its id; `None` if it was deleted here.
    pub item: Option<i64>,
    /// Whether it was read.
    pub read: bool,
    /// Whether it had a star.
    pub starred: bool,
    /// Whether the server no longer had it.
    pub gone: bool,
}

/// Articles of one feed of a server.
#[derive(Debug, Clone, Default)]
pub struct RemoteArticles {
    /// Id of the feed.
    pub feed: i64,
    /// Articles, keyed by their ids on the server.
    pub items: Vec<(NewItem, RemoteState)>,
}

/// A mark that the server has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flip {
    /// Id of the article on the server.
    pub remote_id: String,
    /// What it is about.
    pub kind: MarkKind,
    /// The mark.
    pub on: bool,
}

/// The marks that were applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Applied {
    /// Number of articles that changed.
    pub articles: usize,
    /// Undoes them all in one step.
    pub undo: Option<Undoable>,
}

repository!(
    /// The data that accounts on servers and the library exchange.
    SyncStore
);

impl SyncStore<'_> {
    /// Returns the articles of an account that are known, by their ids on the server. Those of a feed that was not subscribed are unknown
    /// again once it is.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn known(self, account: i64) -> Result<HashMap<String, KnownArticle>, LibraryError> {
        let sql = "SELECT remote_id, item_id, read, starred, gone FROM remote_items WHERE account_id = ?1
             AND (foreign_feed IS NULL OR foreign_feed NOT IN (SELECT r.remote_id FROM remote_feeds r JOIN feeds f ON f.id = r.feed_id
                WHERE r.account_id = ?1 AND f.account_id = ?1 AND f.unsubscribed_at IS NULL))";
        let count = "SELECT count(*) FROM remote_items WHERE account_id = ?";
        let count: i64 = sqlx::query_scalar(count).bind(account).fetch_one(&self.db.readers).await?;
        // Row by row: there may be a million.
        let mut known = HashMap::with_capacity(usize::try_from(count).unwrap_or(0));
        let mut rows =
            sqlx::query_as::<_, (String, Option<i64>, bool, bool, bool)>(sql).bind(account).fetch(&self.db.readers);
        while let Some((id, item, read, starred, gone)) = rows.try_next().await? {
            known.insert(id, KnownArticle { item, read, starred, gone });
        }
        Ok(known)
    }

    /// Returns the labels of an account, each with the ids of its articles, as the server last had them.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn labels(self, account: i64) -> Result<BTreeMap<String, HashSet<String>>, LibraryError> {
        let sql = "SELECT label, remote_id FROM remote_labels WHERE account_id = ?";
        let rows: Vec<(String, String)> = sqlx::query_as(sql).bind(account).fetch_all(&self.db.readers).await?;
        let mut labels: BTreeMap<String, HashSet<String>> = BTreeMap::new();
        for (label, id) in rows {
            labels.entry(label).or_default().insert(id);
        }
        Ok(labels)
    }

    /// Returns the ids of the feeds on the server of the articles of an account, by the ids of the articles there. Articles that were deleted
    /// here are missing.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn feeds_of_articles(self, account: i64) -> Result<HashMap<String, String>, LibraryError> {
        let sql = "SELECT i.remote_id, f.remote_id FROM remote_items i JOIN items a ON a.id = i.item_id
             JOIN remote_feeds f ON f.account_id = i.account_id AND f.feed_id = a.feed_id WHERE i.account_id = ?";
        let rows: Vec<(String, String)> = sqlx::query_as(sql).bind(account).fetch_all(&self.db.readers).await?;
        Ok(rows.into_iter().collect())
    }

    /// Stores articles of a server with their marks, all of them or none. `listed` are the ids of all articles that the server is known to
    /// have: a new article can't be one of them under another id.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing was stored.
    pub async fn store_articles(
        self,
        account: i64,
        feeds: &[RemoteArticles],
        listed: &[String],
    ) -> Result<Stored, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let first = id_sequences::next(&mut transaction, Numbered::Items).await?;
        let mut next = first;
        let (mut links, mut stored) = (Vec::new(), Stored::default());
        let stored_now = feeds.iter().flat_map(|feed| &feed.items).map(|(item, _)| item.key.as_str());
        let still_there: HashSet<&str> = listed.iter().map(String::as_str).chain(stored_now).collect();
        for feed in feeds {
            if store::is_subscribed(&mut transaction, feed.feed).await? {
                links.extend(store_feed(&mut transaction, feed, &still_there, &mut next, &mut stored).await?);
            }
        }
        let new = links.iter().filter_map(|(state, item)| item.filter(|id| *id >= first).map(|id| (*state, id)));
        self.mark_new(&mut transaction, &new.collect::<Vec<_>>()).await?;
        if next > first {
            let notified = store::group_duplicates(self.db, &mut transaction, first).await?;
            stored.notify.extend(notified.into_iter().map(|(item, _)| item));
            stored.notify.sort_unstable();
            stored.notify.dedup();
        }
        link(&mut transaction, account, &links).await?;
        if next > first {
            let ids: Vec<&str> = links.iter().map(|(state, _)| state.remote_id.as_str()).collect();
            mark_log::record_arrivals(&mut transaction, account, &json(&ids)?, first, self.db.now()).await?;
        }
        transaction.commit().await?;
        Ok(stored)
    }

    /// Gives new articles the stars and tags that they have on the server.
    async fn mark_new(
        self,
        connection: &mut SqliteConnection,
        new: &[(&RemoteState, i64)],
    ) -> Result<(), LibraryError> {
        let change = MarkChange::on(self.db.now(), Cause::Server);
        let starred: Vec<i64> = new.iter().filter(|(state, _)| state.starred).map(|(_, id)| *id).collect();
        states::mark_in(self.db, connection, Mark::Starred, &starred, change).await?;
        let mut labelled: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
        for (state, id) in new {
            for label in state.labels.iter().filter(|label| !label.trim().is_empty()) {
                labelled.entry(label).or_default().push(*id);
            }
        }
        for (label, items) in labelled {
            let tag = tags::get_or_create(connection, label).await?;
            tags::set(connection, tag, &items, change).await?;
        }
        Ok(())
    }

    /// Applies the server's marks as one undo step, except where the outbox has a newer mark.
    ///
    /// # Errors
    /// When the library cannot be written; then none was applied.
    pub async fn apply(self, account: i64, flips: &[Flip]) -> Result<Applied, LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let pending = outbox::all(&mut transaction, account).await?.into_iter().collect::<HashSet<RemoteMark>>();
        let mut groups: BTreeMap<(&MarkKind, bool), Vec<&str>> = BTreeMap::new();
        for flip in flips.iter().filter(|flip| !is_pending(&pending, flip)) {
            groups.entry((&flip.kind, flip.on)).or_default().push(&flip.remote_id);
        }
        let (mut marked, mut changed) = (Vec::new(), HashSet::new());
        for ((kind, on), ids) in groups {
            let ids = json(&ids)?;
            // First: a mark that the server has is not sent to it.
            let items = record(&mut transaction, account, kind, on, &ids).await?;
            let mark = match kind {
                MarkKind::Read => Mark::Read,
                MarkKind::Starred => Mark::Starred,
                // No tag can have it.
                MarkKind::Label(name) if name.trim().is_empty() => continue,
                MarkKind::Label(name) => {
                    let tag = tags::get_or_create(&mut transaction, name).await?;
                    let done = tags::set(
                        &mut transaction,
                        tag,
                        &items,
                        MarkChange { on, at: self.db.now(), cause: Cause::Server },
                    )
                    .await?;
                    changed.extend(done.items);
                    forget_label(&mut transaction, account, tag, &ids).await?;
                    continue;
                }
            };
            let done = states::mark_in(
                self.db,
                &mut transaction,
                mark,
                &items,
                MarkChange { on, at: self.db.now(), cause: Cause::Server },
            )
            .await?;
            changed.extend(done.items.iter().copied());
            marked.push(done);
        }
        transaction.commit().await?;
        let undo = (!marked.iter().all(|marked| marked.items.is_empty()))
            .then(|| states::remember(self.db, changed.len(), marked));
        Ok(Applied { articles: changed.len(), undo })
    }

    /// Records articles of feeds that are not subscribed, each with the id of its feed, so that they are not downloaded again.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set_foreign(self, account: i64, articles: &[(String, String)]) -> Result<(), LibraryError> {
        let sql = "INSERT INTO remote_items (account_id, remote_id, read, starred, foreign_feed)
             SELECT ?1, value ->> 0, 0, 0, value ->> 1 FROM json_each(?2) WHERE true
             ON CONFLICT (account_id, remote_id) DO UPDATE SET foreign_feed = excluded.foreign_feed WHERE item_id IS NULL";
        self.db.execute(sqlx::query(sql).bind(account).bind(json(articles)?)).await
    }

    /// Records which articles the server no longer has, or has again.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set_gone(self, account: i64, remote_ids: &[String], gone: bool) -> Result<(), LibraryError> {
        let sql = "UPDATE remote_items SET gone = ?2 WHERE account_id = ?1 AND remote_id IN (SELECT value FROM json_each(?3))";
        self.db.execute(sqlx::query(sql).bind(account).bind(gone).bind(json(remote_ids)?)).await
    }

    /// Returns whether there are changes that servers do not have yet.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn has_changes(self) -> Result<bool, LibraryError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM outbox) OR EXISTS (SELECT 1 FROM feed_outbox)";
        Ok(sqlx::query_scalar(sql).fetch_one(&self.db.readers).await?)
    }

    /// Returns the number of changes to send, by account. Accounts without any are missing.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn count_changes(self) -> Result<HashMap<i64, i64>, LibraryError> {
        let sql = "SELECT account_id, sum(changes) FROM (
                SELECT account_id, count(*) AS changes FROM outbox GROUP BY account_id
                UNION ALL SELECT account_id, count(*) FROM feed_outbox GROUP BY account_id)
             GROUP BY account_id";
        let rows: Vec<(i64, i64)> = sqlx::query_as(sql).fetch_all(&self.db.readers).await?;
        Ok(rows.into_iter().collect())
    }

    /// Returns the marks to send after one, in an order that stays the same, at most `limit`.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn pending_marks(
        self,
        account: i64,
        after: Option<&PendingMark>,
        limit: i64,
    ) -> Result<Vec<PendingMark>, LibraryError> {
        outbox::pending(self.db, account, after, limit).await
    }

    /// Records that marks are being sent, before they are.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn marks_sending(self, account: i64, marks: &[PendingMark]) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        outbox::sending(&mut transaction, account, marks).await?;
        Ok(transaction.commit().await?)
    }

    /// Records that the server refused these marks for the first time; they are sent once more at the next synchronisation.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn marks_refused_once(self, account: i64, marks: &[PendingMark]) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        outbox::refused_once(&mut transaction, account, marks).await?;
        Ok(transaction.commit().await?)
    }

    /// Abandons marks that the server refused again. Those that changed in the meantime stay.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn marks_refused(self, account: i64, marks: &[PendingMark]) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        outbox::refused(&mut transaction, account, marks, self.db.now()).await?;
        Ok(transaction.commit().await?)
    }

    /// Records that the server has these marks.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn marks_sent(self, account: i64, marks: &[PendingMark]) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        outbox::sent(&mut transaction, account, marks, self.db.now()).await?;
        Ok(transaction.commit().await?)
    }
}

/// Whether the outbox has a mark of the same kind. Labels with the same key are the same.
fn is_pending(pending: &HashSet<RemoteMark>, flip: &Flip) -> bool {
    let own = |kind: &MarkKind| pending.contains(&(flip.remote_id.clone(), kind.clone()));
    match &flip.kind {
        MarkKind::Label(name) => pending.iter().any(|(id, kind)| {
            *id == flip.remote_id && matches!(kind, MarkKind::Label(other) if tag_key(other) == tag_key(name))
        }),
        kind => own(kind),
    }
}

/// An article on the server with its id here; `None` if it was deleted here.
type Link<'a> = (&'a RemoteState, Option<i64>);

/// Stores the articles of a subscribed feed; the ids of new ones begin at `next`. `still_there` are the keys of all articles that the
/// server still has.
async fn store_feed<'a>(
    connection: &mut SqliteConnection,
    feed: &'a RemoteArticles,
    still_there: &HashSet<&str>,
    next: &mut i64,
    stored: &mut Stored,
) -> Result<Vec<Link<'a>>, LibraryError> {
    let items: Vec<&NewItem> = feed.items.iter().map(|(item, _)| item).collect();
    let unknown = store::unknown_among(connection, feed.feed, &items, still_there, Some(0)).await?;
    let (mut links, mut new, mut decided) = (Vec::new(), Vec::new(), HashSet::new());
    for (at, item) in &unknown.new {
        let Some((_, state)) = feed.items.get(*at) else { continue };
        links.push((state, Some(*next)));
        new.push((*next, feed.feed, &**item));
        decided.insert(*at);
        *next += 1;
    }
    store::insert_all(connection, &new, false).await?;
    stored.new += new.len();
    rule_touches::record(connection, &new, false, stored).await?;
    for (at, item) in &unknown.known {
        let Some((_, state)) = feed.items.get(*at) else { continue };
        let sql = "UPDATE OR IGNORE items SET key = ? WHERE id = ?";
        sqlx::query(sql).bind(&state.remote_id).bind(item).execute(&mut *connection).await?;
        links.push((state, Some(*item)));
        decided.insert(*at);
    }
    // Deleted here, and not added again.
    let deleted = feed.items.iter().enumerate().filter(|(at, _)| !decided.contains(at));
    links.extend(deleted.map(|(_, (_, state))| (state, None)));
    Ok(links)
}

/// Stores the ids of articles on the server and their marks there. Marks that differ here are to be sent.
async fn link(connection: &mut SqliteConnection, account: i64, links: &[Link<'_>]) -> Result<(), LibraryError> {
    for (state, item) in links {
        // The server gave the article a new id. Marks that were to be sent under the former id have to be compared with the server's again.
        let sql =
            "DELETE FROM remote_items WHERE item_id = ? AND account_id = ? AND remote_id <> ? RETURNING remote_id";
        let former: Option<String> = sqlx::query_scalar(sql)
            .bind(item)
            .bind(account)
            .bind(&state.remote_id)
            .fetch_optional(&mut *connection)
            .await?;
        if let Some(former) = former {
            for sql in [
                "DELETE FROM remote_labels WHERE account_id = ? AND remote_id = ?",
                "DELETE FROM outbox WHERE account_id = ? AND remote_id = ?",
            ] {
                sqlx::query(sql).bind(account).bind(&former).execute(&mut *connection).await?;
            }
        }
        // Its feed was moved here from another account, or merged.
        let sql = "UPDATE remote_items SET item_id = NULL WHERE item_id = ? AND account_id <> ?";
        sqlx::query(sql).bind(item).bind(account).execute(&mut *connection).await?;
        sqlx::query(
            "INSERT INTO remote_items (account_id, remote_id, item_id, read, starred) VALUES (?, ?, ?, ?, ?)
             ON CONFLICT (account_id, remote_id) DO UPDATE SET item_id = excluded.item_id, gone = 0, foreign_feed = NULL,
                read = iif(foreign_feed IS NULL, read, excluded.read), starred = iif(foreign_feed IS NULL, starred, excluded.starred)",
        )
        .bind(account)
        .bind(&state.remote_id)
        .bind(item)
        .bind(state.read)
        .bind(state.starred)
        .execute(&mut *connection)
        .await?;
        for label in &state.labels {
            let sql = "INSERT OR IGNORE INTO remote_labels (account_id, remote_id, label) VALUES (?, ?, ?)";
            sqlx::query(sql).bind(account).bind(&state.remote_id).bind(label).execute(&mut *connection).await?;
        }
    }
    let ids: Vec<&str> = links.iter().map(|(state, _)| state.remote_id.as_str()).collect();
    outbox::add_differences(connection, account, &json(&ids)?).await
}

/// Records a mark that the server has. Returns the articles.
async fn record(
    connection: &mut SqliteConnection,
    account: i64,
    kind: &MarkKind,
    on: bool,
    ids: &str,
) -> Result<Vec<i64>, LibraryError> {
    let sql = match kind {
        MarkKind::Read => {
            "UPDATE remote_items SET read = ?3 WHERE account_id = ?1 AND remote_id IN (SELECT value FROM json_each(?2))"
        }
        MarkKind::Starred => {
            "UPDATE remote_items SET starred = ?3 WHERE account_id = ?1 AND remote_id IN (SELECT value FROM json_each(?2))"
        }
        MarkKind::Label(_) if on => {
            "INSERT OR IGNORE INTO remote_labels (account_id, remote_id, label) SELECT ?1, value, ?4 FROM json_each(?2) WHERE ?3 = ?3"
        }
        MarkKind::Label(_) => {
            "DELETE FROM remote_labels WHERE account_id = ?1 AND remote_id IN (SELECT value FROM json_each(?2)) AND label = ?4 AND ?3 = ?3"
        }
    };
    let query = sqlx::query(sql).bind(account).bind(ids).bind(on);
    let query = match kind {
        MarkKind::Label(name) => query.bind(name),
        MarkKind::Read | MarkKind::Starred => query,
    };
    query.execute(&mut *connection).await?;
    let sql = "SELECT item_id FROM remote_items WHERE account_id = ? AND remote_id IN (SELECT value FROM json_each(?)) AND item_id IS NOT NULL";
    Ok(sqlx::query_scalar(sql).bind(account).bind(ids).fetch_all(connection).await?)
}

/// Removes labels from the outbox that the server has under another spelling of the tag's name.
async fn forget_label(
    connection: &mut SqliteConnection,
    account: i64,
    tag: i64,
    ids: &str,
) -> Result<(), LibraryError> {
    sqlx::query(
        "DELETE FROM outbox WHERE account_id = ?1 AND remote_id IN (SELECT value FROM json_each(?2)) AND sending = 0
            AND what = (SELECT 'label:' || name FROM tags WHERE id = ?3)",
    )
    .bind(account)
    .bind(ids)
    .bind(tag)
    .execute(connection)
    .await?;
    Ok(())
}

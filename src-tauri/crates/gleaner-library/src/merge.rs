//! Merges two subscriptions that lead to the same address (politeness P39), and undoes that.

mod article_data;
mod settings;

use crate::{
    KnownItem, LibraryError, Millis, Refusal, Undoable,
    database::{Database, undo::UndoStep},
    json::json,
    subscriptions::Subscriptions,
    table::{
        feeds::Feeds,
        mark_log::{Cause, MarkChange},
        notes, reading_stats, rules, scheduled,
        tags::{self, Tagged},
        tombstones,
    },
    unsubscribing::resubscribe,
};
use article_data::ArticleData;
use futures::future::BoxFuture;
use gleaner_identity::{Counterparts, SharedAddresses, Traits, disambiguated_key, is_other_with_key};
use settings::FeedSettings;
use sqlx::SqliteConnection;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The result of a merge, for undoing it.
#[derive(Debug, Clone)]
pub(crate) struct Merged {
    from: i64,
    into: i64,
    /// Articles of the first feed, each with the same article of the second feed.
    counterparts: HashMap<i64, i64>,
    /// Articles that only the first feed had.
    moved: Vec<i64>,
    /// Articles whose key belonged to another article of the second feed, each with that key and its new one.
    rekeyed: Vec<(i64, String, String)>,
    /// Articles of the second feed that got the mark of their counterpart.
    read: Vec<i64>,
    starred: Vec<i64>,
    /// Rules of the first feed that now apply to the second.
    rules: Vec<i64>,
    kept: Vec<i64>,
    hidden: Vec<i64>,
    /// Keys of tombstones that were copied to the second feed.
    tombstones: Vec<String>,
    /// Reading statistics of the first feed: hours and numbers of articles.
    opened: Vec<(i64, i64)>,
    /// Tags that were copied to counterparts, with the articles that did not have them.
    tagged: Vec<Tagged>,
    /// Notes that were moved to counterparts, each with its former article.
    notes: Vec<(i64, i64)>,
    /// Positions, queue entries, downloads, texts, images and versions of counterparts.
    data: ArticleData,
    settings: FeedSettings,
}

impl Merged {
    fn remembered(&self) -> usize {
        let tagged = self.tagged.iter().map(|tagged| tagged.items.len()).sum::<usize>();
        self.notes.len()
            + self.counterparts.len()
            + self.moved.len()
            + self.read.len()
            + self.starred.len()
            + self.kept.len()
            + self.hidden.len()
            + self.tombstones.len()
            + self.data.len()
            + tagged
    }
}

/// Articles of a feed with their counterparts, from the JSON of [`counterparts`].
const COUNTERPARTS: &str =
    "WITH counterparts AS (SELECT value ->> '$[0]' AS one, value ->> '$[1]' AS other FROM json_each(?1))";

type ArticleRow = (i64, String, Option<String>, String, Option<Millis>, Vec<u8>);

/// Reads the data that identify the articles of a feed.
async fn articles(connection: &mut SqliteConnection, feed: i64) -> Result<Vec<KnownItem>, LibraryError> {
    let sql = "SELECT id, key, canonical_url, title, published_at, digest FROM items WHERE feed_id = ?";
    let rows: Vec<ArticleRow> = sqlx::query_as(sql).bind(feed).fetch_all(connection).await?;
    let item = |(id, key, canonical_url, title, published_at, digest)| KnownItem {
        id,
        key,
        canonical_url,
        title,
        published_at,
        digest,
        gone: None,
    };
    Ok(rows.into_iter().map(item).collect())
}

/// Pairs articles of one feed with the same articles of another: by key, or else by address. Returns the pairs, and the articles whose key
/// another article has, each with a new key.
fn counterparts(from: &[KnownItem], into: &[KnownItem]) -> (Vec<(i64, i64)>, HashMap<i64, String>) {
    let by_key: HashMap<&str, &KnownItem> = into.iter().map(|item| (item.key.as_str(), item)).collect();
    let mut shared = SharedAddresses::default();
    from.iter().for_each(|item| shared.add(0, &item.traits()));
    let (mut pairs, mut others, mut keys) = (Vec::new(), Vec::new(), HashMap::new());
    for item in from {
        match by_key.get(item.key.as_str()) {
            Some(known) if is_other_with_key(known, &item.traits()) => {
                let key = disambiguated_key(&item.key, item.canonical_url.as_deref(), &item.title);
                match by_key.get(key.as_str()) {
                    Some(known) => pairs.push((item.id, known.id)),
                    None => {
                        keys.insert(item.id, key);
                        others.push(item);
                    }
                }
            }
            Some(known) => pairs.push((item.id, known.id)),
            None => others.push(item),
        }
    }
    let mut taken: HashSet<i64> = pairs.iter().map(|pair| pair.1).collect();
    let known = Counterparts::new(into);
    for item in others {
        let Some(url) = item.canonical_url.as_deref() else { continue };
        let traits = Traits { alike: shared.is_alike(0, &item.traits()), ..item.traits() };
        pairs.extend(known.find(&traits, shared.contains(0, url), &mut taken).map(|other| (item.id, other)));
    }
    (pairs, keys)
}

impl Subscriptions<'_> {
    /// Unsubscribes the feed `from`. Articles that only it had move to `into`. Of the others, the marks (read, starred, kept, hidden), tags
    /// and notes are applied to the articles of `into`. Positions, queue entries, downloads, texts, images and versions move as well, and
    /// so do settings that `into` does not have.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`] if one of them is not subscribed, [`LibraryError::Refused`] if they are the same.
    pub async fn merge(self, from: i64, into: i64) -> Result<Undoable, LibraryError> {
        if from == into {
            return Err(LibraryError::from(Refusal::SameFeed));
        }
        let feeds = Feeds::new(self.db);
        feeds.get(from).await?;
        feeds.get(into).await?;
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        let merged = merge_in(self.db, &mut transaction, from, into).await?;
        transaction.commit().await?;
        Ok(self.db.undo.push(1, merged))
    }

    async fn unmerge(self, merged: &Merged) -> Result<(), LibraryError> {
        let mut writer = self.db.writer().await;
        let mut transaction = writer.begin().await?;
        unmerge_in(self.db, &mut transaction, merged).await?;
        Ok(transaction.commit().await?)
    }
}

/// Merges as [`Subscriptions::merge`] does, in a transaction of the caller's.
pub(crate) async fn merge_in(
    db: &Database,
    transaction: &mut SqliteConnection,
    from: i64,
    into: i64,
) -> Result<Merged, LibraryError> {
    let now = db.now();
    let (articles_from, articles_into) = (articles(transaction, from).await?, articles(transaction, into).await?);
    let (pairs, mut keys) = counterparts(&articles_from, &articles_into);
    let pairs_json = json(&pairs)?;
    show_counterparts(db, transaction, &pairs_json).await?;
    let read = mark_counterparts(transaction, &pairs_json, "read = 1, read_at = ?2", now).await?;
    let starred = mark_counterparts(transaction, &pairs_json, "starred = 1, starred_at = ?2", now).await?;
    let kept = mark_counterparts(transaction, &pairs_json, "kept = 1", now).await?;
    let hidden = mark_counterparts(transaction, &pairs_json, "hidden = 1", now).await?;
    let tagged = tag_counterparts(transaction, &pairs_json, now).await?;
    let notes = move_notes(transaction, &pairs_json).await?;
    let data = ArticleData::carry(transaction, &pairs_json).await?;
    let counterparts: HashMap<i64, i64> = pairs.into_iter().collect();
    let (mut moved, mut rekeyed) = (Vec::new(), Vec::new());
    for item in articles_from.into_iter().filter(|item| !counterparts.contains_key(&item.id)) {
        moved.push(item.id);
        rekeyed.extend(keys.remove(&item.id).map(|key| (item.id, item.key, key)));
    }
    set_keys(transaction, rekeyed.iter().map(|(item, was, now)| (*item, was, now))).await?;
    move_articles(transaction, &moved, from, into).await?;
    let opened = reading_stats::move_counts(transaction, from, into).await?;
    let rules = rules::change_feed(transaction, from, into).await?;
    let tombstones = copy_tombstones(transaction, from, into).await?;
    let settings = FeedSettings::carry(transaction, from, into, now).await?;
    sqlx::query("UPDATE feeds SET unsubscribed_at = ?2 WHERE id = ?1")
        .bind(from)
        .bind(now)
        .execute(transaction)
        .await?;
    Ok(Merged {
        from,
        into,
        counterparts,
        moved,
        rekeyed,
        read,
        starred,
        rules,
        kept,
        hidden,
        tombstones,
        opened,
        tagged,
        notes,
        data,
        settings,
    })
}

/// Releases scheduled articles if lists show their counterparts, which must not disappear.
async fn show_counterparts(
    db: &Database,
    connection: &mut SqliteConnection,
    counterparts: &str,
) -> Result<(), LibraryError> {
    let shown = format!(
        "{COUNTERPARTS} SELECT DISTINCT other FROM counterparts JOIN states ON states.item_id = counterparts.one JOIN held ON held.item_id = counterparts.other"
    );
    let shown: Vec<i64> =
        sqlx::query_scalar(sqlx::AssertSqlSafe(shown)).bind(counterparts).fetch_all(&mut *connection).await?;
    for item in shown {
        scheduled::release(&mut *connection, scheduled::Which::One(item), db.now(), db.combines_duplicates()).await?;
    }
    Ok(())
}

/// Sets a mark of the counterparts of articles that have it, and returns which did not have it. `set`: assignments, the mark's first.
async fn mark_counterparts(
    connection: &mut SqliteConnection,
    counterparts: &str,
    set: &str,
    now: Millis,
) -> Result<Vec<i64>, LibraryError> {
    let column = set.split(' ').next().unwrap_or_default();
    let sql = format!(
        "{COUNTERPARTS} UPDATE states SET {set} WHERE {column} = 0 AND ?2 IS NOT NULL AND item_id IN
                (SELECT other FROM counterparts JOIN states ON states.item_id = counterparts.one WHERE states.{column} = 1) RETURNING item_id"
    );
    Ok(sqlx::query_scalar(sqlx::AssertSqlSafe(sql)).bind(counterparts).bind(now).fetch_all(connection).await?)
}

/// Moves notes to the counterparts of their articles. Returns each with its former article.
async fn move_notes(connection: &mut SqliteConnection, counterparts: &str) -> Result<Vec<(i64, i64)>, LibraryError> {
    let noted = format!(
        "{COUNTERPARTS} SELECT one, other FROM counterparts WHERE EXISTS (SELECT 1 FROM notes n WHERE n.item_id = one)"
    );
    let noted: Vec<(i64, i64)> =
        sqlx::query_as(sqlx::AssertSqlSafe(noted)).bind(counterparts).fetch_all(&mut *connection).await?;
    notes::move_notes(connection, &noted).await
}

/// Copies tombstones to another feed, so that articles deleted from one do not return with the other. Returns the keys of the new ones.
async fn copy_tombstones(connection: &mut SqliteConnection, from: i64, into: i64) -> Result<Vec<String>, LibraryError> {
    let sql =
        "INSERT OR IGNORE INTO tombstones (feed_id, key, canonical_url, title, published_at, digest, at)
         SELECT ?2, key, canonical_url, title, published_at, digest, at FROM tombstones WHERE feed_id = ?1 RETURNING key";
    Ok(sqlx::query_scalar(sql).bind(from).bind(into).fetch_all(connection).await?)
}

/// Undoes a merge.
pub(crate) async fn unmerge_in(
    db: &Database,
    transaction: &mut SqliteConnection,
    merged: &Merged,
) -> Result<(), LibraryError> {
    resubscribe(&mut *transaction, merged.from, db.now()).await?;
    move_articles(&mut *transaction, &merged.moved, merged.into, merged.from).await?;
    set_keys(&mut *transaction, merged.rekeyed.iter().map(|(item, was, now)| (*item, now, was))).await?;
    reading_stats::move_back(&mut *transaction, &merged.opened, merged.into, merged.from).await?;
    sqlx::query("UPDATE rules SET feed_id = ?1 WHERE id IN (SELECT value FROM json_each(?2)) AND feed_id = ?3")
        .bind(merged.from)
        .bind(json(&merged.rules)?)
        .bind(merged.into)
        .execute(&mut *transaction)
        .await?;
    tombstones::remove(&mut *transaction, merged.into, &merged.tombstones).await?;
    for (sql, ids) in [
        ("UPDATE states SET read = 0, read_at = NULL WHERE item_id IN (SELECT value FROM json_each(?))", &merged.read),
        (
            "UPDATE states SET starred = 0, starred_at = NULL WHERE item_id IN (SELECT value FROM json_each(?))",
            &merged.starred,
        ),
        ("UPDATE states SET kept = 0 WHERE item_id IN (SELECT value FROM json_each(?))", &merged.kept),
        (
            "UPDATE states SET hidden = 0 WHERE item_id IN (SELECT value FROM json_each(?)) AND hidden = 1",
            &merged.hidden,
        ),
    ] {
        sqlx::query(sql).bind(json(ids)?).execute(&mut *transaction).await?;
    }
    notes::move_back(&mut *transaction, &merged.notes).await?;
    merged.data.part(&mut *transaction).await?;
    merged.settings.part(&mut *transaction, merged.from, merged.into, db.now()).await?;
    for tagged in &merged.tagged {
        tags::set(&mut *transaction, tagged.tag, &tagged.items, MarkChange::off(db.now(), Cause::Undo)).await?;
    }
    Ok(())
}

impl UndoStep for Merged {
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
        Box::pin(async move { Subscriptions::new(db).unmerge(self).await })
    }

    fn articles(&self) -> usize {
        self.remembered()
    }

    fn counterpart(&self, article: i64) -> Option<i64> {
        self.counterparts.get(&article).copied()
    }
}

/// Tags the counterparts of tagged articles.
async fn tag_counterparts(
    connection: &mut SqliteConnection,
    counterparts: &str,
    now: Millis,
) -> Result<Vec<Tagged>, LibraryError> {
    let sql =
        format!("{COUNTERPARTS} SELECT DISTINCT m.tag_id, other FROM counterparts JOIN item_tags m ON m.item_id = one");
    let pairs: Vec<(i64, i64)> =
        sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(counterparts).fetch_all(&mut *connection).await?;
    let mut by_tag: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for (tag, item) in pairs {
        by_tag.entry(tag).or_default().push(item);
    }
    let mut tagged = Vec::new();
    for (tag, items) in by_tag {
        tagged.push(tags::set(connection, tag, &items, MarkChange::on(now, Cause::Here)).await?);
    }
    Ok(tagged)
}

/// Changes the keys of articles, given their ids and keys before and after. An article whose key was changed in the meantime keeps it.
async fn set_keys(
    connection: &mut SqliteConnection,
    keys: impl Iterator<Item = (i64, &String, &String)>,
) -> Result<(), LibraryError> {
    for (item, before, after) in keys {
        sqlx::query("UPDATE OR IGNORE items SET key = ?3 WHERE id = ?1 AND key = ?2")
            .bind(item)
            .bind(before)
            .bind(after)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

/// Moves articles and their states to another feed, and updates the counts. Articles that are in a third feed by now stay.
async fn move_articles(
    connection: &mut SqliteConnection,
    items: &[i64],
    from: i64,
    to: i64,
) -> Result<(), LibraryError> {
    for sql in [
        "UPDATE items SET feed_id = ?2 WHERE id IN (SELECT value FROM json_each(?1)) AND feed_id = ?3",
        "UPDATE states SET feed_id = ?2 WHERE item_id IN (SELECT value FROM json_each(?1)) AND feed_id = ?3",
    ] {
        sqlx::query(sql).bind(json(items)?).bind(to).bind(from).execute(&mut *connection).await?;
    }
    sqlx::query(
        "UPDATE counts SET (items, unread, starred) =
            (SELECT count(*), ifnull(sum(s.read = 0), 0), ifnull(sum(s.starred), 0) FROM items i CROSS JOIN states s ON s.item_id = i.id
             WHERE i.feed_id = counts.feed_id AND s.hidden = 0)
         WHERE feed_id IN (?, ?)",
    )
    .bind(from)
    .bind(to)
    .execute(connection)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::{Incoming, Intent, Library, NewItem, NewSubscription};
    use std::ops::Range;

    fn news(number: i64, url: &str) -> NewItem {
        NewItem {
            key: format!("g{number}"),
            title: format!("News {number}"),
            canonical_url: Some(url.to_owned()),
            published_at: Some(number),
            sort_at: number,
            ..NewItem::default()
        }
    }

    /// Articles of a day that all link to the home page, a second apart.
    fn several(numbers: Range<i64>) -> Vec<NewItem> {
        numbers
            .map(|number| NewItem { published_at: Some(1_000 * number), ..news(number, "https://a.example/") })
            .collect()
    }

    async fn feed(library: &Library, url: &str, items: Vec<NewItem>) -> i64 {
        let new = NewSubscription::new(url);
        let feed_id = library.subscriptions().add(&new).await.unwrap();
        let intents = items.into_iter().map(|item| Intent::Insert(Box::new(item))).collect();
        library.polls().store(&[&Incoming::of_items(feed_id, intents)]).await.unwrap();
        feed_id
    }

    /// Returns the articles of a feed in the order of their dates: keys, with what they have.
    async fn articles(library: &Library, feed: i64) -> Vec<String> {
        let sql = "SELECT i.key || iif(s.read, ' read', '') || iif(s.starred, ' starred', '')
                || iif(EXISTS (SELECT 1 FROM item_tags t WHERE t.item_id = i.id), ' tagged', '')
                || iif(EXISTS (SELECT 1 FROM notes n WHERE n.item_id = i.id), ' noted', '')
             FROM items i JOIN states s ON s.item_id = i.id WHERE i.feed_id = ? ORDER BY i.sort_at, i.id";
        let mut writer = library.db.writer().await;
        sqlx::query_scalar(sql).bind(feed).fetch_all(writer.connection()).await.unwrap()
    }

    /// Merges two feeds, of which each article of the first one is starred. Returns the articles of both, and undoes it.
    async fn merged(from: Vec<NewItem>, into: Vec<NewItem>) -> (Vec<String>, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let ids: Vec<i64> = (1..).take(from.len()).collect();
        let one = feed(&library, "https://a.example/one", from).await;
        let other = feed(&library, "https://a.example/other", into).await;
        library.articles().mark(&ids, None, Some(true)).await.unwrap();
        let before = (articles(&library, one).await, articles(&library, other).await);
        let step = library.subscriptions().merge(one, other).await.unwrap().step;
        let after = (articles(&library, one).await, articles(&library, other).await);
        library.undo(step).await.unwrap();
        assert_eq!((articles(&library, one).await, articles(&library, other).await), before);
        assert_eq!(library.check(false).await.unwrap().findings, []);
        after
    }

    #[tokio::test]
    async fn articles_that_share_an_address_all_move_with_their_marks() {
        let (left, all) = merged(several(0..2), several(2..4)).await;
        assert_eq!((left.len(), all), (0, ["g0 starred", "g1 starred", "g2", "g3"].map(str::to_owned).to_vec()));
        let (left, all) = merged(several(0..1), several(2..4)).await;
        assert_eq!((left.len(), all), (0, ["g0 starred", "g2", "g3"].map(str::to_owned).to_vec()));
        let (left, all) = merged(several(0..2), several(2..3)).await;
        assert_eq!((left.len(), all), (0, ["g0 starred", "g1 starred", "g2"].map(str::to_owned).to_vec()));
        // Those with the same title and date are the same, whatever their ids.
        let renamed = several(1..4).into_iter().map(|item| NewItem { key: format!("x{}", item.key), ..item }).collect();
        let (left, all) = merged(several(0..2), renamed).await;
        assert_eq!(left, ["g1 starred"]);
        assert_eq!(all, ["g0 starred", "xg1 starred", "xg2", "xg3"]);
    }

    #[tokio::test]
    async fn articles_at_positions_all_move() {
        const DAY: i64 = 24 * 3_600_000;
        let bulletin = |day: i64| -> Vec<NewItem> {
            let warning = |at: i64| NewItem {
                key: format!("https://a.example/#{at}"),
                published_at: Some(day * DAY),
                ..news(10 * day + at, "https://a.example/")
            };
            (1..3).map(warning).collect()
        };
        let (left, all) = merged(bulletin(1), bulletin(2)).await;
        assert_eq!(left.len(), 0);
        let key = |at, number| format!("https://a.example/#{at}\nhttps://a.example/\nNews {number} starred");
        let later = [1, 2].map(|at| format!("https://a.example/#{at}"));
        assert_eq!(all, [[key(1, 11), key(2, 12)], later].concat());
        // The same bulletin.
        let (left, all) = merged(bulletin(1), bulletin(1)).await;
        assert_eq!((left.len(), all.len()), (2, 2));
    }

    #[tokio::test]
    async fn an_article_with_a_changed_id_is_recognised_by_its_address() {
        let from = vec![news(1, "http://a.example/1"), news(2, "https://a.example/2")];
        let into = vec![
            NewItem { key: "x".to_owned(), ..news(1, "https://a.example/1") },
            NewItem { key: "y".to_owned(), title: "Corrected".to_owned(), ..news(2, "https://a.example/2") },
        ];
        let (left, all) = merged(from, into).await;
        assert_eq!((left.len(), all), (2, ["x starred", "y starred"].map(str::to_owned).to_vec()));
    }

    #[tokio::test]
    async fn a_note_is_restored_on_the_article_that_its_own_was_recognised_as() {
        let folder = tempfile::tempdir().unwrap();
        let library = Library::open(folder.path()).await.unwrap();
        let one = feed(&library, "https://a.example/one", several(1..4)).await;
        let renamed = several(1..3).into_iter().map(|item| NewItem { key: format!("x{}", item.key), ..item }).collect();
        let other = feed(&library, "https://a.example/other", renamed).await;
        let (note, _) = library.notes().add(2, None, 0, "about the second").await.unwrap();
        let deleted = library.notes().delete(note.id).await.unwrap().step;
        library.subscriptions().merge(one, other).await.unwrap();
        library.undo(deleted).await.unwrap();
        assert_eq!(articles(&library, other).await, ["xg1", "xg2 noted", "g3"]);
    }
}

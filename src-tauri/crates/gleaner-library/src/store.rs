//! Keeping what came: many feeds' polls in one transaction, so that a refresh of a thousand feeds is not a thousand
//! waits for the disk. What to insert and what to change was decided before (in polling); here it is only done.
// long: what comes in is kept in one transaction, told from top to bottom.

use crate::{
    Beside, Body, Enclosure, FeedHead, Library, LibraryError, Millis, Poll,
    body::{self, Packed},
    now,
    open::Writer,
    table::{
        enclosures, feeds, held, hosts,
        numbers::{self, Numbered},
        poll_log::Exchange,
        polls, preferences,
        reports::{self, PackedReport},
        rule_touches::{self, Ruled},
        rules::Action,
        states::json,
        stories, tombstones, versions,
    },
};
use sqlx::{Arguments as _, SqliteConnection, sqlite::SqliteArguments};
use std::sync::atomic::Ordering;

/// An item as it is to be kept.
#[derive(Debug, Clone, Default)]
pub struct NewItem {
    /// Its identity within the feed.
    pub key: String,
    /// What the browser opens.
    pub url: Option<String>,
    /// For recognising it under other addresses.
    pub canonical_url: Option<String>,
    /// Plain text; may be empty.
    pub title: String,
    /// The same for titles that say the same; `None` where one says too little to be told by.
    pub title_key: Option<i64>,
    /// Plain text.
    pub author: Option<String>,
    /// A language tag.
    pub language: Option<String>,
    /// As the feed says.
    pub published_at: Option<Millis>,
    /// As the feed says.
    pub updated_at: Option<Millis>,
    /// The date has no zone, or an implausible form.
    pub date_uncertain: bool,
    /// When it came.
    pub received_at: Millis,
    /// Its place in lists.
    pub sort_at: Millis,
    /// The start of its text.
    pub excerpt: String,
    /// Of its text.
    pub word_count: i64,
    /// A small picture's URL.
    pub thumbnail_url: Option<String>,
    /// "audio" or "video", after the first enclosure.
    pub media: Option<String>,
    /// The page that people comment on.
    pub comments_url: Option<String>,
    /// Of all that the feed says of it: the same digest, the same item.
    pub digest: Vec<u8>,
    /// Terms.
    pub categories: Vec<String>,
    /// The most important one first.
    pub enclosures: Vec<Enclosure>,
    /// Comments, credits, chapters.
    pub beside: Beside,
    /// Its date, where that lies in the future and is to be believed: until then it may be held back.
    pub due_at: Option<Millis>,
    /// It comes in read: it is old.
    pub read: bool,
    /// What rules do with it, in their order.
    pub ruled: Vec<Ruled>,
    /// Its HTML.
    pub texts: Texts,
}

/// An item's HTML, compressed as it is kept: made where there are cores to spare, not in the writer.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    packed: Packed,
    content_base: Option<String>,
    summary_base: Option<String>,
}

impl Texts {
    /// Compresses both bodies.
    pub fn pack(content: Option<&Body>, summary: Option<&Body>) -> Self {
        Self {
            packed: body::pack(content, summary),
            content_base: content.and_then(|body| body.base.clone()),
            summary_base: summary.and_then(|body| body.base.clone()),
        }
    }

    pub(crate) fn codec(&self) -> i64 {
        self.packed.codec
    }

    pub(crate) fn content(&self) -> Option<&[u8]> {
        self.packed.content.as_deref()
    }

    pub(crate) fn summary(&self) -> Option<&[u8]> {
        self.packed.summary.as_deref()
    }
}

/// An item that is there already, as far as deciding needs it.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct KnownItem {
    /// Its number.
    pub id: i64,
    /// Its identity within the feed.
    pub key: String,
    /// For recognising it under another identity.
    pub canonical_url: Option<String>,
    /// Plain text.
    pub title: String,
    /// As the feed said.
    pub published_at: Option<Millis>,
    /// Of all that the feed said of it.
    pub digest: Vec<u8>,
    /// It was let go of and deleted, and this is when its feed was last noticed to have it: it does not come back. It has no number.
    pub gone: Option<Millis>,
}

/// What is to be done with an item that came.
#[derive(Debug, Clone)]
pub enum Intent {
    /// It is new.
    Insert(Box<NewItem>),
    /// It is there as this number, and has changed; perhaps its identity too.
    Update(i64, Box<NewItem>),
    /// It is there as this number, the same, under a new identity.
    Rename(i64, String),
    /// It was let go of under this identity, and its feed still has it.
    StillGone(String),
}

/// What a feed says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FeedFacts {
    /// Plain text.
    pub title: Option<String>,
    /// Plain text.
    pub description: Option<String>,
    /// The site.
    pub home_url: Option<String>,
    /// A language tag.
    pub language: Option<String>,
    /// The icon that it names, absolute.
    pub icon_url: Option<String>,
    /// Its picture and its search box.
    pub head: FeedHead,
}

/// What came of polling one feed.
#[derive(Debug, Clone, Default)]
pub struct Incoming {
    /// The new state of polling it.
    pub poll: Poll,
    /// What it says of itself; `None` where nothing was read.
    pub facts: Option<FeedFacts>,
    /// What its document said, for the inspector; `None` where nothing was read.
    pub report: Option<PackedReport>,
    /// What is to be done.
    pub intents: Vec<Intent>,
    /// The request that was sent; `None` where its server wants to be left alone.
    pub exchange: Option<Exchange>,
    /// It answered "not modified".
    pub not_modified: bool,
    /// Its server wants to be left alone: host and moment.
    pub wait: Option<(String, Millis)>,
    /// It has moved to this address for good.
    pub moved: Option<String>,
}

impl Incoming {
    /// New and changed items.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let count = |wanted: fn(&Intent) -> bool| self.intents.iter().filter(|intent| wanted(intent)).count();
        (count(|intent| matches!(intent, Intent::Insert(_))), count(|intent| matches!(intent, Intent::Update(..))))
    }
}

/// What was kept, as far as it shows: articles that are held back count when they are let go.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stored {
    /// New items.
    pub new: usize,
    /// Changed items.
    pub changed: usize,
    /// Those of the new ones that the reader is to be told of, by a rule or since their feed's are.
    pub notify: Vec<i64>,
}

const ITEM_COLUMNS: &str = "id, feed_id, key, url, canonical_url, title, author, language, published_at, updated_at, date_uncertain, \
    received_at, sort_at, excerpt, word_count, thumbnail_url, media, comments_url, digest, title_key";
const ITEM_VALUES: &str = "(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
/// So many rows go into one statement: what a statement costs is shared by them.
pub(crate) const CHUNK: usize = 32;
/// So many of a feed's newest items are looked at to know one again.
const NEIGHBOURS: i64 = 200;

impl Library {
    /// The items of a feed that have one of these keys or one of these canonical URLs, and its newest ones; also such as were let go of.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn known_items(&self, feed: i64, keys: &[&str], urls: &[String]) -> Result<Vec<KnownItem>, LibraryError> {
        let json = |error: serde_json::Error| LibraryError::Invalid(error.to_string());
        Ok(sqlx::query_as(
            "SELECT id, key, canonical_url, title, published_at, digest, NULL AS gone FROM items WHERE id IN (
                SELECT id FROM items WHERE feed_id = ?1 AND key IN (SELECT value FROM json_each(?2))
                UNION SELECT id FROM items WHERE canonical_url IN (SELECT value FROM json_each(?3)) AND feed_id = ?1
                UNION SELECT * FROM (SELECT id FROM items WHERE feed_id = ?1 ORDER BY sort_at DESC, id DESC LIMIT ?4))
             UNION ALL SELECT 0, key, canonical_url, title, published_at, digest, at FROM tombstones WHERE feed_id = ?1 AND key IN (
                SELECT value FROM json_each(?2)
                UNION SELECT key FROM tombstones WHERE canonical_url IN (SELECT value FROM json_each(?3)) AND feed_id = ?1
                UNION SELECT * FROM (SELECT key FROM tombstones WHERE feed_id = ?1 ORDER BY at DESC LIMIT ?4))",
        )
        .bind(feed)
        .bind(serde_json::to_string(keys).map_err(json)?)
        .bind(serde_json::to_string(urls).map_err(json)?)
        .bind(NEIGHBOURS)
        .fetch_all(&self.readers)
        .await?)
    }

    /// Whether a feed has any items at all.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn has_items(&self, feed: i64) -> Result<bool, LibraryError> {
        let sql = "SELECT EXISTS (SELECT 1 FROM items WHERE feed_id = ?)";
        Ok(sqlx::query_scalar(sql).bind(feed).fetch_one(&self.readers).await?)
    }

    /// Keeps what came of polling some feeds, all of it or nothing.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing of it was.
    pub async fn store(&self, incoming: &[&Incoming]) -> Result<Vec<Stored>, LibraryError> {
        let mut writer = self.writer().await;
        let stored = self.store_all(&mut writer, incoming).await;
        if matches!(stored, Err(LibraryError::DiskFull)) {
            // What did not fit stands in the log, for nothing: without it there is room to open the library again.
            let _spared = sqlx::raw_sql("PRAGMA wal_checkpoint(TRUNCATE)").execute(writer.connection()).await;
        }
        stored
    }

    async fn store_all(&self, writer: &mut Writer<'_>, incoming: &[&Incoming]) -> Result<Vec<Stored>, LibraryError> {
        let mut transaction = writer.begin().await?;
        let mut next_id = numbers::next(&mut transaction, Numbered::Items).await?;
        let (mut stored, mut new) = (Vec::new(), Vec::new());
        let first = next_id;
        for feed in incoming {
            let begin = new.len();
            stored.push((self.store_one(&mut transaction, feed, &mut next_id, &mut new).await?, begin..new.len()));
        }
        let hold = self.holds_future();
        insert_all(&mut transaction, &new, hold).await?;
        for (stored, its) in &mut stored {
            stored.notify.extend(rule_touches::keep(&mut transaction, &new[its.clone()], hold).await?);
        }
        if next_id > first {
            stories::gather(&mut transaction, first, self.stories_are_one()).await?;
            if self.stories_are_one() {
                rule_touches::read_stories(&mut transaction, first).await?;
            }
            for (item, feed) in preferences::news(&mut transaction, first).await? {
                let of_feed = incoming.iter().position(|incoming| incoming.poll.feed_id == feed);
                if let Some((stored, _)) = of_feed.and_then(|at| stored.get_mut(at))
                    && !stored.notify.contains(&item)
                {
                    stored.notify.push(item);
                }
            }
        }
        // They may be wished otherwise since they were asked.
        let feeds: Vec<i64> = incoming.iter().map(|incoming| incoming.poll.feed_id).collect();
        preferences::settle_these(&mut transaction, &json(&feeds)?, now()).await?;
        transaction.commit().await?;
        Ok(stored.into_iter().map(|(stored, _)| stored).collect())
    }

    /// Keeps items that a feed published before it was subscribed to; polling knows nothing of it. Says how many.
    ///
    /// # Errors
    /// When the library cannot be written; then nothing of it was.
    pub async fn store_older(&self, feed: i64, items: &[NewItem]) -> Result<usize, LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        if !is_subscribed(&mut transaction, feed).await? {
            return Ok(0);
        }
        let first = numbers::next(&mut transaction, Numbered::Items).await?;
        let numbered: Vec<(i64, i64, &NewItem)> = (first..).zip(items).map(|(id, item)| (id, feed, item)).collect();
        insert_all(&mut transaction, &numbered, false).await?;
        rule_touches::keep(&mut transaction, &numbered, false).await?;
        if !items.is_empty() {
            stories::gather(&mut transaction, first, self.stories_are_one()).await?;
        }
        transaction.commit().await?;
        Ok(items.len())
    }

    /// All but the new items, which are left for the end so that those of many feeds share statements.
    async fn store_one<'a>(
        &self,
        connection: &mut SqliteConnection,
        incoming: &'a Incoming,
        next_id: &mut i64,
        new: &mut Vec<(i64, i64, &'a NewItem)>,
    ) -> Result<Stored, LibraryError> {
        let feed = incoming.poll.feed_id;
        if !is_subscribed(connection, feed).await? {
            return Ok(Stored::default());
        }
        polls::record(connection, incoming).await?;
        if let Some((host, until)) = &incoming.wait {
            hosts::wait(connection, host, *until).await?;
        }
        if let Some(url) = &incoming.moved {
            feeds::follow(connection, feed, url).await?;
        }
        if let Some(facts) = &incoming.facts {
            keep_facts(connection, feed, facts).await?;
        }
        if let Some(report) = &incoming.report {
            reports::write(connection, feed, incoming.poll.checked_at, report).await?;
        }
        let hold = self.holds_future();
        let mut stored = Stored::default();
        for intent in &incoming.intents {
            match intent {
                Intent::Insert(item) => {
                    new.push((*next_id, feed, item.as_ref()));
                    stored.new += usize::from(held::until(item, hold).is_none());
                    *next_id += 1;
                }
                Intent::Update(id, item) => {
                    let kept = self.versions_kept.load(Ordering::Relaxed);
                    versions::keep(connection, &self.dictionaries, *id, item, kept).await?;
                    update(connection, *id, item).await?;
                    let until = held::until(item, hold);
                    let held = held::date_changed(connection, *id, until.unwrap_or(item.sort_at)).await?;
                    match (held, until) {
                        (true, Some(_)) => {}
                        (true, None) => {
                            let which = held::Which::One(*id);
                            let released =
                                held::release(connection, which, item.received_at, self.stories_are_one()).await?;
                            stored.new += released.new;
                            stored.notify.extend(released.notify);
                        }
                        (false, _) => stored.changed += 1,
                    }
                }
                Intent::StillGone(key) => tombstones::noticed(connection, feed, key, now()).await?,
                Intent::Rename(id, key) => {
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

/// Left while it was being fetched: its articles must not come back.
pub(crate) async fn is_subscribed(connection: &mut SqliteConnection, feed: i64) -> Result<bool, LibraryError> {
    let sql = "SELECT id FROM feeds WHERE id = ? AND unsubscribed_at IS NULL";
    let found: Option<i64> = sqlx::query_scalar(sql).bind(feed).fetch_optional(connection).await?;
    Ok(found.is_some())
}

async fn keep_facts(connection: &mut SqliteConnection, feed: i64, facts: &FeedFacts) -> Result<(), LibraryError> {
    // A feed that falls silent about itself keeps what it said before; the list that brought it gave a title for the start.
    sqlx::query(
        "UPDATE feeds SET title = ifnull(?2, title), description = ifnull(?3, description), home_url = ifnull(?4, home_url),
                language = ifnull(?5, language), icon_url = ifnull(?6, icon_url), head = ?7
         WHERE id = ?1 AND (title IS NOT ifnull(?2, title) OR description IS NOT ifnull(?3, description)
                OR home_url IS NOT ifnull(?4, home_url) OR language IS NOT ifnull(?5, language) OR icon_url IS NOT ifnull(?6, icon_url)
                OR head IS NOT ?7)",
    )
    .bind(feed)
    .bind(facts.title.as_deref().filter(|title| !title.is_empty()))
    .bind(&facts.description)
    .bind(&facts.home_url)
    .bind(&facts.language)
    .bind(&facts.icon_url)
    .bind(facts.head.stored()?)
    .execute(connection)
    .await?;
    Ok(())
}

fn rows_of(values: &str, rows: usize) -> String {
    let mut sql = String::with_capacity((values.len() + 1) * rows);
    for row in 0..rows {
        if row > 0 {
            sql.push(',');
        }
        sql.push_str(values);
    }
    sql
}

/// Items of any feeds: numbers, feeds, and what they are. Says how many of them show.
pub(crate) async fn insert_all(
    connection: &mut SqliteConnection,
    items: &[(i64, i64, &NewItem)],
    hold: bool,
) -> Result<usize, LibraryError> {
    let mut shown = 0;
    for chunk in items.chunks(CHUNK) {
        shown += insert_chunk(connection, chunk, hold).await?;
    }
    Ok(shown)
}

async fn insert_chunk(
    connection: &mut SqliteConnection,
    items: &[(i64, i64, &NewItem)],
    hold: bool,
) -> Result<usize, LibraryError> {
    let failed = |error: sqlx::error::BoxDynError| LibraryError::Sql(sqlx::Error::Encode(error));
    let (mut rows, mut bodies, mut states) =
        (SqliteArguments::default(), SqliteArguments::default(), SqliteArguments::default());
    let mut shown = 0;
    for (id, feed, item) in items {
        bind_item(&mut rows, *id, *feed, item).map_err(failed)?;
        bind_body(&mut bodies, *id, item).map_err(failed)?;
        if held::until(item, hold).is_none() {
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
    let sql = format!("INSERT INTO items ({ITEM_COLUMNS}) VALUES {}", rows_of(ITEM_VALUES, items.len()));
    sqlx::query_with(sqlx::AssertSqlSafe(sql), rows).execute(&mut *connection).await?;
    let sql = format!(
        "INSERT INTO bodies (item_id, codec, content, content_base, summary, summary_base, categories, beside) VALUES {}",
        rows_of("(?,?,?,?,?,?,?,?)", items.len())
    );
    sqlx::query_with(sqlx::AssertSqlSafe(sql), bodies).execute(&mut *connection).await?;
    if shown > 0 {
        let rows = rows_of("(?,?,?,?,?,?,?,?)", shown);
        let sql = format!(
            "INSERT INTO states (item_id, feed_id, sort_at, read, starred, hidden, kept, starred_at) VALUES {rows}"
        );
        sqlx::query_with(sqlx::AssertSqlSafe(sql), states).execute(&mut *connection).await?;
    }
    for (id, _, item) in items {
        if let Some(until) = held::until(item, hold) {
            held::hold(connection, *id, until).await?;
        }
        enclosures::replace(connection, *id, &item.enclosures, true).await?;
    }
    Ok(shown)
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
    arguments.add(item.beside.stored(item.url.as_deref())?)?;
    Ok(())
}

/// Everything but what must not move: when it came, and its place in lists.
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

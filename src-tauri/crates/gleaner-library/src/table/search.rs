//! `search`, `search_docs`, `search_queue`: the full-text index, which article each of its rows is, and what it has not seen yet.
//!
//! The index follows. Triggers on `items` put what is new or changed into the queue within the writer's own transaction,
//! and take what is deleted out of the index at once, whoever writes. An indexer reads a batch without any lock, makes its
//! words on other cores, and writes it in one short transaction that takes the batch off the queue too. A row that changed in
//! between has another stamp by then and stays queued; a process that dies in between has changed nothing.
//!
//! A row's number in the index rises with the article's date, so that the newest hits come first without sorting: one a second,
//! as fine as most feeds tell dates; finer ones would take more bytes beside each word. Where a number is taken the next free one
//! below it is; `search_drift` in `settings` says how far down that ever led, so that dates can be told from numbers.
//!
//! Each column of words begins with the first three letters of its words, each once, as words of their own: what begins so is found
//! as a word is, among others and within a column too. FTS5's own index of beginnings keeps every place of theirs, half as much again.
//!
//! The column `facts` holds no words of the article but facts that the index can join with words by itself: see [`fact`].

use crate::{Body, Library, LibraryError, Millis};
use gleaner_query::{Media, words};
use sqlx::SqliteConnection;
use std::{
    collections::{HashMap, HashSet},
    time::{Duration, Instant},
};

/// Words of which no text has any, most of them for the column `facts`. The first character says what it is about.
pub(crate) mod fact {
    use gleaner_query::Media;

    /// Every article has it.
    pub const ANY: &str = "\u{e001}";
    /// It said something else before.
    pub const UPDATED: &str = "\u{e002}";
    /// Before a word of its address.
    pub const ADDRESS: char = '\u{e00a}';
    /// Before the first letters of a word.
    pub const BEGINNING: char = '\u{e00c}';

    pub fn media(media: Media) -> &'static str {
        match media {
            Media::Audio => "\u{e003}",
            Media::Video => "\u{e004}",
            Media::Image => "\u{e005}",
            Media::Enclosure => "\u{e006}",
        }
    }

    pub fn feed(feed: i64) -> String {
        format!("\u{e007}{feed}")
    }

    /// A tag, or its first subtags.
    pub fn language(tag: &str) -> String {
        format!("\u{e008}{}", tag.replace('-', "\u{e00b}"))
    }

    /// The power of two that the number of its words lies below.
    pub fn words(bits: u32) -> String {
        format!("\u{e009}{bits}")
    }
}

/// Below how many powers of two a number of words lies: 0 for none, 1 for one, 2 for two and three, …
pub(crate) fn bits(words: u32) -> u32 {
    u32::BITS - words.leading_zeros()
}

/// The first so many letters of words stand in the index as a word too.
pub(crate) const BEGINNING: usize = 3;

/// So many bytes of a text go into the index; what is longer is a data dump.
const LONGEST_TEXT: usize = 1 << 20;
/// So many rows go into one statement.
const CHUNK: usize = 16;

/// An article that the index has not seen as it is now.
#[derive(Debug, Clone)]
pub struct Unindexed {
    item: i64,
    stamp: i64,
    sort_at: Millis,
    title: String,
    author: Option<String>,
    url: Option<String>,
    language: Option<String>,
    words: u32,
    feed: i64,
    updated: bool,
    media: Vec<Media>,
    tags: Vec<String>,
    /// The fullest text there is.
    pub content: Option<Body>,
    /// The short form when it carries both.
    pub summary: Option<Body>,
}

/// An article's words, as the index takes them.
#[derive(Debug, Clone)]
pub struct Indexed {
    item: i64,
    stamp: i64,
    sort_at: Millis,
    columns: [String; 5],
}

/// What the index holds and what it does not yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexState {
    /// Articles that can be found.
    pub indexed: i64,
    /// Articles that are new or have changed since.
    pub waiting: i64,
}

#[derive(sqlx::FromRow)]
struct UnindexedRow {
    item_id: i64,
    stamp: i64,
    sort_at: Millis,
    title: String,
    author: Option<String>,
    url: Option<String>,
    language: Option<String>,
    word_count: i64,
    feed_id: i64,
    updated: bool,
    thumbnail_url: Option<String>,
    mime_types: String,
    codec: Option<i64>,
    content: Option<Vec<u8>>,
    summary: Option<Vec<u8>>,
    categories: Option<String>,
}

impl Unindexed {
    /// Its words; `text` is its text without mark-up. Takes a moment of a processor.
    #[must_use]
    pub fn indexed(&self, text: &str) -> Indexed {
        let written = |text: &str| {
            let mut out = String::with_capacity(text.len() + text.len() / 8);
            words::write(text, &mut out);
            with_beginnings(&out)
        };
        let mut tags = String::new();
        for tag in &self.tags {
            if !tags.is_empty() {
                tags.push(' ');
                tags.push_str(words::BETWEEN);
            }
            words::write(tag, &mut tags);
        }
        let mut cut = text.len().min(LONGEST_TEXT);
        while !text.is_char_boundary(cut) {
            cut -= 1;
        }
        Indexed {
            item: self.item,
            stamp: self.stamp,
            sort_at: self.sort_at,
            columns: [
                written(&text[..cut]),
                written(&self.title),
                written(self.author.as_deref().unwrap_or_default()),
                with_beginnings(&tags),
                self.facts(),
            ],
        }
    }

    fn facts(&self) -> String {
        let mut facts = vec![fact::ANY.to_owned(), fact::feed(self.feed), fact::words(bits(self.words))];
        if self.updated {
            facts.push(fact::UPDATED.to_owned());
        }
        facts.extend(self.media.iter().map(|media| fact::media(*media).to_owned()));
        if let Some(tag) = &self.language {
            let tag = tag.to_ascii_lowercase().replace('_', "-");
            let subtags = tag.match_indices('-').map(|(at, _)| at).chain([tag.len()]);
            facts.extend(subtags.map(|end| fact::language(&tag[..end])));
        }
        let address = words::words(words::of_address(self.url.as_deref().unwrap_or_default()));
        facts.extend(address.iter().map(|word| format!("{}{}", fact::ADDRESS, word.text)));
        facts.join(" ")
    }
}

impl Indexed {
    /// The article's number.
    pub fn item(&self) -> i64 {
        self.item
    }
}

impl Library {
    /// What the index holds and what it does not yet.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn index_state(&self) -> Result<IndexState, LibraryError> {
        let (indexed, waiting) =
            sqlx::query_as("SELECT (SELECT count(*) FROM search_docs), (SELECT count(*) FROM search_queue)")
                .fetch_one(&self.readers)
                .await?;
        Ok(IndexState { indexed, waiting })
    }

    /// Articles that the index has not seen as they are now, those that came last first; with `before`, those that came before
    /// that one.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn unindexed(&self, before: Option<i64>, limit: usize) -> Result<Vec<Unindexed>, LibraryError> {
        let rows: Vec<UnindexedRow> = sqlx::query_as(
            "SELECT q.item_id, q.stamp, i.sort_at, i.title, i.author, i.url, ifnull(i.language, f.language) AS language, i.word_count,
                    i.feed_id, EXISTS (SELECT 1 FROM versions v WHERE v.item_id = i.id) AS updated, i.thumbnail_url,
                    (SELECT json_group_array(ifnull(e.mime_type, '')) FROM enclosures e WHERE e.item_id = i.id) AS mime_types,
                    b.codec, b.content, b.summary, b.categories
             FROM (SELECT item_id, stamp FROM search_queue WHERE item_id < ? ORDER BY item_id DESC LIMIT ?) q
             JOIN items i ON i.id = q.item_id JOIN feeds f ON f.id = i.feed_id LEFT JOIN bodies b ON b.item_id = i.id
             ORDER BY q.item_id DESC",
        )
        .bind(before.unwrap_or(i64::MAX))
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(&self.readers)
        .await?;
        rows.into_iter().map(|row| self.unindexed_from(row)).collect()
    }

    fn unindexed_from(&self, row: UnindexedRow) -> Result<Unindexed, LibraryError> {
        let listed = |text: &str| -> Result<Vec<String>, LibraryError> {
            serde_json::from_str(text)
                .map_err(|error| LibraryError::Invalid(format!("article {}: {error}", row.item_id)))
        };
        // A text that is damaged is found by its title: what is wrong is said when it is opened, and the others must not wait.
        let body = |bytes| self.unpacked(row.item_id, row.codec.unwrap_or_default(), bytes, None).ok().flatten();
        Ok(Unindexed {
            item: row.item_id,
            stamp: row.stamp,
            sort_at: row.sort_at,
            author: row.author,
            url: row.url,
            language: row.language,
            words: u32::try_from(row.word_count).unwrap_or(0),
            feed: row.feed_id,
            updated: row.updated,
            media: media(&listed(&row.mime_types)?, row.thumbnail_url.is_some()),
            tags: row.categories.as_deref().map_or(Ok(Vec::new()), listed)?,
            title: row.title,
            content: body(row.content),
            summary: body(row.summary),
        })
    }

    /// Puts articles into the index as they are now, and takes them off the queue: all of them or none. Those that changed
    /// or went since they were read are left out. Says how long the writer was held up.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn index(&self, articles: &[Indexed]) -> Result<Duration, LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let began = Instant::now();
        index(&mut transaction, articles).await?;
        transaction.commit().await?;
        Ok(began.elapsed())
    }
}

/// What an article carries.
fn media(mime_types: &[String], thumbnail: bool) -> Vec<Media> {
    let of = |kind: &str| mime_types.iter().any(|mime| mime.trim_start().to_ascii_lowercase().starts_with(kind));
    let there = [
        (Media::Audio, of("audio/")),
        (Media::Video, of("video/")),
        (Media::Image, thumbnail || of("image/")),
        (Media::Enclosure, !mime_types.is_empty()),
    ];
    there.into_iter().filter_map(|(media, there)| there.then_some(media)).collect()
}

/// The first letters of the words that have so many, each once.
fn beginnings(words: &str) -> impl Iterator<Item = &str> {
    let mut seen = HashSet::new();
    words
        .split(' ')
        .filter_map(|word| word.char_indices().nth(BEGINNING - 1).map(|(last, c)| &word[..last + c.len_utf8()]))
        .filter(move |beginning| seen.insert(*beginning))
}

fn with_beginnings(words: &str) -> String {
    let mut out = String::with_capacity(words.len() * 2);
    for beginning in beginnings(words) {
        out.push(fact::BEGINNING);
        out.push_str(beginning);
        out.push(' ');
    }
    out.push_str(words);
    out
}

/// The number that an article's date asks for.
pub(crate) fn number_of(date: Millis) -> i64 {
    date.div_euclid(1000)
}

fn json<T: serde::Serialize>(values: &[T]) -> Result<String, LibraryError> {
    serde_json::to_string(values).map_err(|error| LibraryError::Invalid(error.to_string()))
}

/// In few statements, each for all of the batch: what a statement costs is shared by them.
async fn index(connection: &mut SqliteConnection, articles: &[Indexed]) -> Result<(), LibraryError> {
    let stamps = json(&articles.iter().map(|article| (article.item, article.stamp)).collect::<Vec<_>>())?;
    let taken: Vec<i64> = sqlx::query_scalar(
        "DELETE FROM search_queue WHERE (item_id, stamp) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?)) RETURNING item_id",
    )
    .bind(&stamps)
    .fetch_all(&mut *connection)
    .await?;
    let there: Vec<(i64, i64)> = sqlx::query_as(
        "SELECT d.item_id, d.docid FROM json_each(?) j CROSS JOIN search_docs d ON d.item_id = j.value ->> 0",
    )
    .bind(&stamps)
    .fetch_all(&mut *connection)
    .await?;
    let (taken, there): (HashSet<i64>, HashMap<i64, i64>) = (taken.into_iter().collect(), there.into_iter().collect());
    let (mut new, mut rows): (Vec<&Indexed>, Vec<(i64, &Indexed)>) = (Vec::new(), Vec::new());
    for article in articles.iter().filter(|article| taken.contains(&article.item)) {
        match there.get(&article.item) {
            Some(docid) => rows.push((*docid, article)),
            None => new.push(article),
        }
    }
    if !rows.is_empty() {
        sqlx::query("DELETE FROM search WHERE rowid IN (SELECT value FROM json_each(?))")
            .bind(json(&rows.iter().map(|(docid, _)| docid).collect::<Vec<_>>())?)
            .execute(&mut *connection)
            .await?;
    }
    // From the newest down, as numbers that are taken send each other down: what is listed above is found above.
    new.sort_by_key(|article| std::cmp::Reverse((article.sort_at, article.item)));
    let numbers =
        numbers(connection, &new.iter().map(|article| number_of(article.sort_at)).collect::<Vec<_>>()).await?;
    let pairs: Vec<(i64, i64)> = numbers.iter().zip(&new).map(|(docid, article)| (*docid, article.item)).collect();
    sqlx::query("INSERT INTO search_docs (docid, item_id) SELECT value ->> 0, value ->> 1 FROM json_each(?)")
        .bind(json(&pairs)?)
        .execute(&mut *connection)
        .await?;
    rows.extend(numbers.into_iter().zip(new));
    // In rising order: anything else makes FTS5 write out what it has at each step back.
    rows.sort_by_key(|(docid, _)| *docid);
    for chunk in rows.chunks(CHUNK) {
        let values = vec!["(?,?,?,?,?,?)"; chunk.len()].join(",");
        let sql = format!("INSERT INTO search (rowid, text, title, author, tags, facts) VALUES {values}");
        let mut statement = sqlx::query(sqlx::AssertSqlSafe(sql));
        for (docid, article) in chunk {
            statement = statement.bind(docid);
            for column in &article.columns {
                statement = statement.bind(column.as_str());
            }
        }
        statement.execute(&mut *connection).await?;
    }
    Ok(())
}

/// For each of the numbers that are wanted, which fall, itself or a free one below it. How far down that led is remembered.
async fn numbers(connection: &mut SqliteConnection, wanted: &[i64]) -> Result<Vec<i64>, LibraryError> {
    let taken: Vec<i64> =
        sqlx::query_scalar("SELECT docid FROM search_docs WHERE docid IN (SELECT value FROM json_each(?))")
            .bind(json(wanted)?)
            .fetch_all(&mut *connection)
            .await?;
    let taken: HashSet<i64> = taken.into_iter().collect();
    let (mut numbers, mut drift) = (Vec::with_capacity(wanted.len()), 0);
    for wanted in wanted {
        let from = numbers.last().map_or(*wanted, |last: &i64| (*wanted).min(last - 1));
        let number =
            if from == *wanted && !taken.contains(wanted) { from } else { free_below(connection, from).await? };
        drift = drift.max(wanted - number);
        numbers.push(number);
    }
    if drift > 0 {
        sqlx::query(
            "UPDATE settings SET value = CAST(?1 AS TEXT) WHERE key = 'search_drift' AND CAST(value AS INTEGER) < ?1",
        )
        .bind(drift)
        .execute(connection)
        .await?;
    }
    Ok(numbers)
}

/// This number or a free one below it: in ever longer steps until one is free, and back to where the taken ones end, since many
/// articles may have one date.
async fn free_below(connection: &mut SqliteConnection, from: i64) -> sqlx::Result<i64> {
    let (mut taken, mut free) = (-1, 0);
    while is_taken(connection, from - free).await? {
        taken = free;
        free = free * 2 + 1;
    }
    while free - taken > 1 {
        let middle = taken + (free - taken) / 2;
        if is_taken(connection, from - middle).await? {
            taken = middle;
        } else {
            free = middle;
        }
    }
    Ok(from - free)
}

async fn is_taken(connection: &mut SqliteConnection, number: i64) -> sqlx::Result<bool> {
    sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM search_docs WHERE docid = ?)")
        .bind(number)
        .fetch_one(connection)
        .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_rise_with_dates() {
        let dates = [-70_000, -60_000, -1, 0, 999, 1000, 59_999, 60_000, 1_700_000_000_000];
        assert!(dates.windows(2).all(|pair| number_of(pair[0]) <= number_of(pair[1])));
        assert_eq!((number_of(-1), number_of(0), number_of(60_000)), (-1, 0, 60));
    }

    #[test]
    fn words_have_their_beginnings_before_them_once() {
        let words = "we они онидва rust rus rusty";
        assert_eq!(with_beginnings(words), format!("\u{e00c}они \u{e00c}rus {words}"));
        assert_eq!(with_beginnings("東京 京都 都"), "東京 京都 都");
    }

    #[test]
    fn words_fall_between_powers_of_two() {
        assert_eq!([0, 1, 2, 3, 4, 1000, u32::MAX].map(bits), [0, 1, 2, 2, 3, 10, 32]);
    }

    #[test]
    fn what_an_article_carries() {
        assert_eq!(media(&["Audio/mpeg".to_owned()], false), [Media::Audio, Media::Enclosure]);
        assert_eq!(media(&[String::new()], true), [Media::Image, Media::Enclosure]);
        assert_eq!(media(&[], false), []);
    }
}

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
//! Words that most articles are made of have no beginnings there: they stand in `search_common` and are looked for by themselves, a few
//! for each beginning. So most beginnings need not be written down. Common words are told from a library's own first thousands of
//! articles; none ever leaves the table, so that what was taken in with fewer of them is found with more.
//!
//! The column `facts` holds no words of the article but facts that the index can join with words by itself: see [`fact`].
// long: what stands in the index, and how it gets there and out again.

use super::{
    categories,
    search_common::CommonWords,
    search_docs::{number_of, numbers},
};
use crate::{Body, Library, LibraryError, Millis, NewItem};
use gleaner_query::{Media, category_path, words};
use sqlx::SqliteConnection;
use std::{
    collections::{BTreeMap, HashMap, HashSet},
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
    /// Before a word of the reader's notes, or of what they have marked.
    pub const NOTE: char = '\u{e00e}';
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

    /// Before a language.
    pub const LANGUAGE: char = '\u{e008}';

    /// A tag, or its first subtags.
    pub fn language(tag: &str) -> String {
        format!("{LANGUAGE}{}", tag.replace('-', "\u{e00b}"))
    }

    /// The language that a word of the index stands for, where that is a primary subtag.
    pub fn language_of(word: &str) -> Option<&str> {
        let tag = word.strip_prefix(LANGUAGE)?;
        ((2..=3).contains(&tag.len()) && tag.bytes().all(|byte| byte.is_ascii_lowercase())).then_some(tag)
    }

    /// Before a category's key.
    pub const CATEGORY: char = '\u{e00d}';
    /// What stands for an ASCII character that would end a word of the index lies so much further up.
    const SHIFT: u32 = 0xe100;

    /// A category, by its key: what it is itself or what it lies below.
    pub fn category(key: &str) -> String {
        let shifted =
            |c: char| if c.is_ascii_alphanumeric() { c } else { char::from_u32(u32::from(c) + SHIFT).unwrap_or(c) };
        let shifted = |c: char| if c.is_ascii() { shifted(c) } else { c };
        std::iter::once(CATEGORY).chain(key.chars().map(shifted)).collect()
    }

    /// The key of the category that a word of the index stands for.
    pub fn category_of(word: &str) -> Option<String> {
        let back = |c: char| match u32::from(c).checked_sub(SHIFT) {
            Some(ascii @ 0..0x80) => char::from_u32(ascii).unwrap_or(c),
            _ => c,
        };
        Some(word.strip_prefix(CATEGORY)?.chars().map(back).collect())
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
/// So many pages of the index are merged at once: some milliseconds.
const MERGED: i64 = 64;
/// After so long an index that grows lets others write; writing down what it took in comes to that.
const SOON: Duration = Duration::from_millis(6);

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
    /// As the feed says.
    categories: Vec<String>,
    /// The reader's own.
    tags: Vec<String>,
    /// What the reader has marked, and has written about it.
    notes: Vec<String>,
    /// The fullest text there is.
    pub content: Option<Body>,
    /// The short form when it carries both.
    pub summary: Option<Body>,
    /// Its text from its own page, where that was fetched.
    pub full: Option<Body>,
}

/// An article's words, as the index takes them.
#[derive(Debug, Clone)]
pub struct Indexed {
    item: i64,
    stamp: i64,
    sort_at: Millis,
    columns: [String; 5],
    categories: BTreeMap<String, String>,
}

/// What the index holds and what it does not yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexState {
    /// Articles that can be found.
    pub indexed: i64,
    /// Articles that are new or have changed since.
    pub waiting: i64,
}

/// What one time of indexing did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TakenIn {
    /// Articles that can be found now as they are.
    pub articles: usize,
    /// So long the writer was held.
    pub held: Duration,
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
    full_codec: Option<i64>,
    full: Option<Vec<u8>>,
    categories: Option<String>,
    /// The reader's own.
    tags: String,
    /// Passages and words of the reader's, some of them empty.
    notes: String,
}

impl Unindexed {
    /// Its words; `text` is its text without mark-up. Takes a moment of a processor.
    #[must_use]
    pub fn indexed(&self, text: &str, common: &CommonWords) -> Indexed {
        let with_beginnings = |words: &str| with_beginnings(words, common);
        let written = |text: &str| {
            let mut out = String::with_capacity(text.len() + text.len() / 8);
            words::write(text, &mut out);
            with_beginnings(&out)
        };
        let mut tags = String::new();
        for tag in self.categories.iter().chain(&self.tags) {
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
            categories: self.paths(),
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
        facts.extend(self.noted());
        facts.extend(self.paths().into_keys().map(|key| fact::category(&key)));
        facts.join(" ")
    }

    /// The words of its notes; nothing stands in two of them at once.
    fn noted(&self) -> Vec<String> {
        let mut left = LONGEST_TEXT;
        let mut found = Vec::new();
        for text in &self.notes {
            left = left.saturating_sub(text.len());
            if left == 0 {
                break;
            }
            found.extend(words::words(text).iter().map(|word| format!("{}{}", fact::NOTE, word.text)));
            found.push(words::BETWEEN.to_owned());
        }
        found
    }

    /// Its categories and those above them: keys and names.
    fn paths(&self) -> BTreeMap<String, String> {
        self.categories.iter().rev().flat_map(|category| category_path(category)).collect()
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
                    b.codec, b.content, b.summary, b.categories, t.codec AS full_codec, t.content AS full,
                    (SELECT json_group_array(t.name) FROM item_tags m JOIN tags t ON t.id = m.tag_id WHERE m.item_id = i.id) AS tags,
                    (SELECT json_group_array(v.value) FROM notes n, json_each(json_array(ifnull(n.quote, ''), n.note)) v WHERE n.item_id = i.id) AS notes
             FROM (SELECT item_id, stamp FROM search_queue WHERE item_id < ? ORDER BY item_id DESC LIMIT ?) q
             JOIN items i ON i.id = q.item_id JOIN feeds f ON f.id = i.feed_id LEFT JOIN bodies b ON b.item_id = i.id
             LEFT JOIN full_texts t ON t.item_id = i.id ORDER BY q.item_id DESC",
        )
        .bind(before.unwrap_or(i64::MAX))
        .bind(i64::try_from(limit).unwrap_or(i64::MAX))
        .fetch_all(&self.readers)
        .await?;
        self.learn(rows.iter().flat_map(|row| [row.codec, row.full_codec]).flatten().collect()).await?;
        rows.into_iter().map(|row| self.unindexed_from(row)).collect()
    }

    fn unindexed_from(&self, row: UnindexedRow) -> Result<Unindexed, LibraryError> {
        let listed = |text: &str| -> Result<Vec<String>, LibraryError> {
            serde_json::from_str(text)
                .map_err(|error| LibraryError::Invalid(format!("article {}: {error}", row.item_id)))
        };
        // A text that is damaged is found by its title: what is wrong is said when it is opened, and the others must not wait.
        let body = |codec: Option<i64>, bytes| {
            self.unpacked(row.item_id, codec.unwrap_or_default(), bytes, None).ok().flatten()
        };
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
            categories: row.categories.as_deref().map_or(Ok(Vec::new()), listed)?,
            tags: listed(&row.tags)?,
            notes: listed(&row.notes)?,
            title: row.title,
            content: body(row.codec, row.content),
            summary: body(row.codec, row.summary),
            full: body(row.full_codec, row.full),
        })
    }

    /// Puts articles into the index as they are now, and takes them off the queue: all of them or none. Those that changed
    /// or went since they were read are left out. When somebody else wants to write soon after, the rest stays queued.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn index(&self, articles: &[Indexed]) -> Result<TakenIn, LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let began = Instant::now();
        let enough = || self.writer_is_wanted() && began.elapsed() >= SOON;
        let articles = index(&mut transaction, articles, enough).await?;
        transaction.commit().await?;
        Ok(TakenIn { articles, held: began.elapsed() })
    }

    /// Merges the parts that the index has grown into, for a moment: the fewer there are, the fewer a search looks into. Says whether there was
    /// anything to merge.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn merge_index(&self) -> Result<bool, LibraryError> {
        let mut writer = self.writer().await;
        let mut transaction = writer.begin().await?;
        let changes = "SELECT total_changes()";
        let before: i64 = sqlx::query_scalar(changes).fetch_one(&mut *transaction).await?;
        sqlx::query("INSERT INTO search (search, rank) VALUES ('merge', ?)")
            .bind(MERGED)
            .execute(&mut *transaction)
            .await?;
        let after: i64 = sqlx::query_scalar(changes).fetch_one(&mut *transaction).await?;
        transaction.commit().await?;
        // FTS5 counts itself as one change.
        Ok(after - before > 1)
    }
}

impl NewItem {
    /// What of it a query can ask for with `has:`.
    #[must_use]
    pub fn carries(&self) -> Vec<Media> {
        let mime_types = self.enclosures.iter().map(|enclosure| enclosure.mime_type.clone().unwrap_or_default());
        media(&mime_types.collect::<Vec<_>>(), self.thumbnail_url.is_some())
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

/// The beginning of a word that has so many letters.
pub(crate) fn first_letters(word: &str) -> Option<&str> {
    word.char_indices().nth(BEGINNING - 1).map(|(last, c)| &word[..last + c.len_utf8()])
}

/// The first letters of the words that have so many and are not common, each once.
fn beginnings<'a>(words: &'a str, common: &CommonWords) -> impl Iterator<Item = &'a str> {
    let mut seen = HashSet::new();
    words
        .split(' ')
        .filter(|word| !common.has(word))
        .filter_map(first_letters)
        .filter(move |beginning| seen.insert(*beginning))
}

fn with_beginnings(words: &str, common: &CommonWords) -> String {
    let mut out = String::with_capacity(words.len() + words.len() / 4);
    for beginning in beginnings(words, common) {
        out.push(fact::BEGINNING);
        out.push_str(beginning);
        out.push(' ');
    }
    out.push_str(words);
    out
}

pub(crate) fn json<T: serde::Serialize>(values: &[T]) -> Result<String, LibraryError> {
    serde_json::to_string(values).map_err(|error| LibraryError::Invalid(error.to_string()))
}

pub(crate) fn from_json<'a, T: serde::Deserialize<'a>>(values: &'a str) -> Result<T, LibraryError> {
    serde_json::from_str(values).map_err(|error| LibraryError::Invalid(error.to_string()))
}

/// In few statements, each for all of the batch: what a statement costs is shared by them. Says how many were taken in, which are less than
/// all where that was `enough`.
pub(crate) async fn index(
    connection: &mut SqliteConnection,
    articles: &[Indexed],
    enough: impl Fn() -> bool,
) -> Result<usize, LibraryError> {
    let stamps = json(&articles.iter().map(|article| (article.item, article.stamp)).collect::<Vec<_>>())?;
    let queued: Vec<(i64, Option<i64>)> = sqlx::query_as(
        "SELECT q.item_id, d.docid FROM json_each(?) j CROSS JOIN search_queue q ON q.item_id = j.value ->> 0 AND q.stamp = j.value ->> 1
         LEFT JOIN search_docs d ON d.item_id = q.item_id",
    )
    .bind(&stamps)
    .fetch_all(&mut *connection)
    .await?;
    let queued: HashMap<i64, Option<i64>> = queued.into_iter().collect();
    let (mut new, mut rows): (Vec<&Indexed>, Vec<(i64, &Indexed)>) = (Vec::new(), Vec::new());
    for article in articles {
        match queued.get(&article.item) {
            Some(Some(docid)) => rows.push((*docid, article)),
            Some(None) => new.push(article),
            None => {}
        }
    }
    let anew = !rows.is_empty();
    if anew {
        sqlx::query("DELETE FROM search WHERE rowid IN (SELECT value FROM json_each(?))")
            .bind(json(&rows.iter().map(|(docid, _)| docid).collect::<Vec<_>>())?)
            .execute(&mut *connection)
            .await?;
    }
    // From the newest down, as numbers that are taken send each other down: what is listed above is found above.
    new.sort_by_key(|article| std::cmp::Reverse((article.sort_at, article.item)));
    let numbers =
        numbers(connection, &new.iter().map(|article| number_of(article.sort_at)).collect::<Vec<_>>()).await?;
    rows.extend(numbers.into_iter().zip(new));
    // In rising order: anything else makes FTS5 write out what it has at each step back.
    rows.sort_by_key(|(docid, _)| *docid);
    let mut done = 0;
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
        done += chunk.len();
        // What was taken out is put in again.
        if !anew && enough() {
            break;
        }
    }
    let pairs = json(&rows[..done].iter().map(|(docid, article)| (docid, article.item)).collect::<Vec<_>>())?;
    for sql in [
        "INSERT OR IGNORE INTO search_docs (docid, item_id) SELECT value ->> 0, value ->> 1 FROM json_each(?)",
        "DELETE FROM search_queue WHERE item_id IN (SELECT value ->> 1 FROM json_each(?))",
    ] {
        sqlx::query(sql).bind(&pairs).execute(&mut *connection).await?;
    }
    // Of how one is written the oldest counts.
    categories::name(connection, rows[..done].iter().rev().flat_map(|(_, article)| &article.categories)).await?;
    Ok(done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_their_beginnings_before_them_once() {
        let words = "we они онидва rust rus rusty";
        let none = CommonWords::default();
        assert_eq!(with_beginnings(words, &none), format!("\u{e00c}они \u{e00c}rus {words}"));
        assert_eq!(with_beginnings("東京 京都 都", &none), "東京 京都 都");
        let common = ["они", "rust", "rusty"].map(Box::from).into_iter().collect();
        assert_eq!(with_beginnings(words, &common), format!("\u{e00c}они \u{e00c}rus {words}"), "onidva, rus");
        assert_eq!(with_beginnings("они rust", &common), "они rust");
    }

    #[test]
    fn a_category_is_one_word_of_the_index_and_comes_back() {
        for key in ["sci-tech/deep learning", "c++", "\"quoted\"", "ｸﾞﾙﾒ/東京", "a\u{1}b"] {
            let word = fact::category(key);
            assert!(word.chars().all(|c| !c.is_ascii() || c.is_ascii_alphanumeric()), "{word}");
            assert_eq!(fact::category_of(&word).as_deref(), Some(key));
        }
        assert_eq!(fact::category_of("word"), None);
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

//! `versions`: earlier titles and texts of changed articles, up to the number that the user chose. Versions differ little, so they are
//! compressed in groups: the first of a group alone, the others with the first one's text as zstd's dictionary. Damage to a text affects at
//! most its group, never the article; `glean check` reads them all. Groups are deleted as a whole, so there may be a few more versions than
//! the limit.

use crate::{
    Body, LibraryError, Millis, NewItem, body, database::repository, dictionary_cache::DictionaryCache,
    table::settings::Settings,
};
use futures::TryStreamExt as _;
use gleaner_identity::is_cut_off;
use sqlx::{Connection as _, SqliteConnection, SqliteExecutor};
use std::{iter, ops::Range, sync::atomic::Ordering};

/// The setting with the number of earlier versions to keep: a number, or "null" for all.
pub(crate) const SETTING: &str = "versions_kept";

/// Number of versions stored by default.
pub(crate) const DEFAULT_LIMIT: i64 = 20;

/// Stands for all versions.
pub(crate) const ALL: i64 = -1;

/// Maximum number of versions in a group.
const GROUP: i64 = 8;

/// An earlier version of an article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// When the next version replaced it.
    pub until: Millis,
    /// Plain text.
    pub title: String,
    /// Full body.
    pub content: Option<Body>,
    /// Short form.
    pub summary: Option<Body>,
    /// Why its texts are unreadable, if they are.
    pub damage: Option<String>,
}

#[derive(sqlx::FromRow)]
pub(crate) struct Row {
    pub item_id: i64,
    pub at: Millis,
    pub title: String,
    pub codec: i64,
    pub content: Option<Vec<u8>>,
    pub content_base: Option<String>,
    pub summary: Option<Vec<u8>>,
    pub summary_base: Option<String>,
    pub base_at: Option<Millis>,
}

/// The present version of an article.
#[derive(sqlx::FromRow)]
struct Present {
    #[sqlx(flatten)]
    row: Row,
    digest: Vec<u8>,
}

pub(crate) const COLUMNS: &str = "item_id, at, title, codec, content, content_base, summary, summary_base, base_at";

/// Content and summary.
type Texts = (Option<String>, Option<String>);

/// The first texts of groups, while versions are read from the oldest to the newest.
#[derive(Default)]
pub(crate) struct Base {
    of: Option<(i64, Millis)>,
    content: String,
    summary: String,
}

impl Base {
    /// Decompresses a version.
    pub(crate) fn read(&mut self, row: Row, dictionaries: &DictionaryCache) -> Version {
        let (mut content, mut summary, mut damage) = (None, None, None);
        match self.texts(&row, dictionaries) {
            Ok(texts) => {
                content = texts.0.map(|html| Body { html, base: row.content_base });
                summary = texts.1.map(|html| Body { html, base: row.summary_base });
            }
            Err(why) => damage = Some(why),
        }
        Version { until: row.at, title: row.title, content, summary, damage }
    }

    fn texts(&mut self, row: &Row, dictionaries: &DictionaryCache) -> Result<Texts, String> {
        if row.base_at.is_some() && self.of != row.base_at.map(|at| (row.item_id, at)) {
            return Err("the version that it stands on cannot be read".to_owned());
        }
        let unpack = |bytes: &Option<Vec<u8>>, base: &str| {
            let unpack = |bytes: &[u8]| match row.codec {
                body::ZSTD_WITH => body::unpack_with(bytes, base),
                codec => dictionaries.unpack(codec, bytes),
            };
            bytes.as_deref().map(unpack).transpose()
        };
        let texts = (unpack(&row.content, &self.content)?, unpack(&row.summary, &self.summary)?);
        if row.base_at.is_none() {
            let (content, summary) = texts.clone();
            *self = Self {
                of: Some((row.item_id, row.at)),
                content: content.unwrap_or_default(),
                summary: summary.unwrap_or_default(),
            };
        }
        Ok(texts)
    }
}

repository!(
    /// Earlier versions of articles.
    Versions
);

impl Versions<'_> {
    /// Returns how many earlier versions of an article are stored; `None`: all.
    pub fn limit(self) -> Option<u32> {
        u32::try_from(self.db.version_limit.load(Ordering::Relaxed)).ok()
    }

    /// Sets how many earlier versions of an article are stored; `None`: all. Existing ones stay until their article changes again.
    ///
    /// # Errors
    /// When the library cannot be written.
    pub async fn set_limit(self, limit: Option<u32>) -> Result<(), LibraryError> {
        let value = limit.map_or("null".to_owned(), |limit| limit.to_string());
        Settings::new(self.db).set(SETTING, &value).await?;
        self.db.version_limit.store(limit.map_or(ALL, i64::from), Ordering::Relaxed);
        Ok(())
    }

    /// Returns the earlier versions of an article, newest first.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn of_article(self, item: i64) -> Result<Vec<Version>, LibraryError> {
        self.selected(item, |_| true).await
    }

    /// Returns the earlier versions of an article that were replaced at these moments, newest first. The others are not in memory together.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn selected(
        self,
        item: i64,
        is_wanted: impl Fn(Millis) -> bool + Send,
    ) -> Result<Vec<Version>, LibraryError> {
        self.read(item, Millis::MIN..Millis::MAX, is_wanted).await
    }

    /// Returns the periods of the groups of an article's versions, newest first. The versions of one are read with [`Self::group`].
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn groups(self, item: i64) -> Result<Vec<Range<Millis>>, LibraryError> {
        // Versions whose first one is missing are read, too, and reported as damaged.
        let sql = "SELECT at FROM versions WHERE item_id = ?1
            AND (base_at IS NULL OR at = (SELECT min(at) FROM versions WHERE item_id = ?1)) ORDER BY at DESC";
        let starts: Vec<Millis> = sqlx::query_scalar(sql).bind(item).fetch_all(&self.db.readers).await?;
        let ends = iter::once(Millis::MAX).chain(starts.clone());
        Ok(starts.into_iter().zip(ends).map(|(start, end)| start..end).collect())
    }

    /// Returns the versions of a group, newest first.
    ///
    /// # Errors
    /// When the library cannot be read.
    pub async fn group(self, item: i64, group: Range<Millis>) -> Result<Vec<Version>, LibraryError> {
        self.read(item, group, |_| true).await
    }

    async fn read(
        self,
        item: i64,
        period: Range<Millis>,
        is_wanted: impl Fn(Millis) -> bool + Send,
    ) -> Result<Vec<Version>, LibraryError> {
        let sql = format!("SELECT {COLUMNS} FROM versions WHERE item_id = ?1 AND at >= ?2 AND at < ?3 ORDER BY at");
        let mut reader = self.db.text_reader().await?;
        let query = sqlx::query_as::<_, Row>(sqlx::AssertSqlSafe(sql)).bind(item).bind(period.start).bind(period.end);
        let mut rows = query.fetch(&mut reader);
        let (mut base, mut versions) = (Base::default(), Vec::new());
        while let Some(row) = rows.try_next().await? {
            self.db.learn(vec![row.codec]).await?;
            // Others may be compressed with the text of this one.
            let version = base.read(row, &self.db.dictionaries);
            if is_wanted(version.until) {
                versions.push(version);
            }
        }
        drop(rows);
        reader.close().await?;
        versions.reverse();
        Ok(versions)
    }
}

/// Returns when each earlier version of an article was replaced, newest first.
pub(crate) async fn dates<'c>(reader: impl SqliteExecutor<'c>, item: i64) -> sqlx::Result<Vec<Millis>> {
    sqlx::query_scalar("SELECT at FROM versions WHERE item_id = ? ORDER BY at DESC").bind(item).fetch_all(reader).await
}

/// Reads the setting.
pub(crate) fn limit_of(setting: Option<&str>) -> i64 {
    match setting {
        None => DEFAULT_LIMIT,
        Some("null") => ALL,
        Some(number) => number.parse().ok().filter(|limit| *limit >= 0).unwrap_or(DEFAULT_LIMIT),
    }
}

/// Stores the current version of an article before `next` replaces it, unless both are the same, or the current one was cut off at the end
/// of its document: then `next` is the same version, complete. `limit` is the setting.
pub(crate) async fn store(
    connection: &mut SqliteConnection,
    dictionaries: &DictionaryCache,
    item: i64,
    next: &NewItem,
    limit: i64,
    now: Millis,
) -> sqlx::Result<()> {
    let now_there: Option<Present> = sqlx::query_as(
        "SELECT i.id AS item_id, ?2 AS at, i.title, b.codec, b.content, b.content_base, b.summary, b.summary_base, NULL AS base_at,
                i.digest
         FROM items i JOIN bodies b ON b.item_id = i.id WHERE i.id = ?1",
    )
    .bind(item)
    .bind(now)
    .fetch_optional(&mut *connection)
    .await?;
    let Some(Present { mut row, digest }) = now_there else { return Ok(()) };
    if is_cut_off(&digest) {
        return Ok(());
    }
    dictionaries.learn(&mut *connection, row.codec).await?;
    // The same text may be compressed in two ways; an unreadable one is kept for a version of Gleaner that can read it.
    let was = Base::default().texts(&row, dictionaries);
    let read = |bytes: Option<&[u8]>| bytes.map(|bytes| dictionaries.unpack(next.texts.codec(), bytes)).transpose();
    let comes = read(next.texts.content()).and_then(|content| Ok((content, read(next.texts.summary())?)));
    if row.title == next.title && was.is_ok() && was == comes {
        return Ok(());
    }
    if limit == 0 {
        sqlx::query("DELETE FROM versions WHERE item_id = ?").bind(item).execute(connection).await?;
        return Ok(());
    }
    if let Ok(texts) = was {
        compress(connection, dictionaries, &mut row, texts).await?;
    }
    sqlx::query(
        "INSERT INTO versions (item_id, at, title, codec, content, content_base, summary, summary_base, base_at)
         VALUES (?1, max(?2, ifnull((SELECT max(at) + 1 FROM versions WHERE item_id = ?1), ?2)), ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )
    .bind(item)
    .bind(row.at)
    .bind(&row.title)
    .bind(row.codec)
    .bind(&row.content)
    .bind(&row.content_base)
    .bind(&row.summary)
    .bind(&row.summary_base)
    .bind(row.base_at)
    .execute(&mut *connection)
    .await?;
    if limit == ALL {
        return Ok(());
    }
    // Deletes the versions before the group of the last one to keep.
    sqlx::query(
        "DELETE FROM versions WHERE item_id = ?1 AND at < (SELECT max(at) FROM versions WHERE item_id = ?1 AND base_at IS NULL
            AND at <= (SELECT at FROM versions WHERE item_id = ?1 ORDER BY at DESC LIMIT 1 OFFSET ?2))",
    )
    .bind(item)
    .bind(limit - 1)
    .execute(connection)
    .await?;
    Ok(())
}

/// Compresses a version alone, or with the first text of the last group where that has room and it pays.
async fn compress(
    connection: &mut SqliteConnection,
    dictionaries: &DictionaryCache,
    row: &mut Row,
    (content, summary): Texts,
) -> sqlx::Result<()> {
    let [whole_content, whole_summary] =
        [&content, &summary].map(|text| text.as_ref().map(|html| Body { html: html.clone(), base: None }));
    let alone = body::pack(whole_content.as_ref(), whole_summary.as_ref());
    (row.codec, row.content, row.summary) = (alone.codec, alone.content, alone.summary);

    let sql = format!("SELECT {COLUMNS} FROM versions WHERE item_id = ? AND base_at IS NULL ORDER BY at DESC LIMIT 1");
    let first: Option<Row> =
        sqlx::query_as(sqlx::AssertSqlSafe(sql)).bind(row.item_id).fetch_optional(&mut *connection).await?;
    let Some(first) = first else { return Ok(()) };
    let on_it: i64 = sqlx::query_scalar("SELECT count(*) FROM versions WHERE item_id = ? AND at > ?")
        .bind(row.item_id)
        .bind(first.at)
        .fetch_one(connection)
        .await?;
    if on_it + 1 >= GROUP {
        return Ok(());
    }
    let at = first.at;
    let mut base = Base::default();
    if base.texts(&first, dictionaries).is_err() {
        return Ok(());
    }
    let pack = |text: Option<String>, base: &str| text.map(|text| body::pack_with(&text, base)).transpose();
    let (Ok(content), Ok(summary)) = (pack(content, &base.content), pack(summary, &base.summary)) else {
        return Ok(());
    };
    let bytes =
        |texts: [&Option<Vec<u8>>; 2]| texts.iter().map(|text| text.as_ref().map_or(0, Vec::len)).sum::<usize>();
    if bytes([&content, &summary]) < bytes([&row.content, &row.summary]) {
        (row.codec, row.content, row.summary, row.base_at) = (body::ZSTD_WITH, content, summary, Some(at));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use crate::{Body, Incoming, Intent, Library, NewItem, NewSubscription, Texts, archive};
    use futures::TryStreamExt as _;

    /// Texts that each say a little more than the one before.
    fn text(number: usize) -> String {
        let line = |n: usize| format!("<p>Line {n}: {}</p>", blake3::hash(&n.to_le_bytes()).to_hex());
        (0..60 + number).map(line).collect()
    }

    async fn store_edition(library: &Library, feed_id: i64, number: usize) {
        let body = Body { html: text(number), base: None };
        let item = NewItem {
            key: "a".to_owned(),
            title: format!("Version {number}"),
            texts: Texts::pack(Some(&body), None),
            digest: number.to_le_bytes().to_vec(),
            ..NewItem::default()
        };
        let intent = if number == 0 { Intent::Insert(Box::new(item)) } else { Intent::Update(1, Box::new(item)) };
        library.polls().store(&[&Incoming::of_items(feed_id, vec![intent])]).await.unwrap();
    }

    async fn library(folder: &tempfile::TempDir) -> (Library, i64) {
        let library = Library::open(folder.path()).await.unwrap();
        let feed = NewSubscription::new("https://a.example/");
        let feed = library.subscriptions().add(&feed).await.unwrap();
        (library, feed)
    }

    #[tokio::test]
    async fn keeps_the_wanted_number_of_versions_in_little_space() {
        for (limit, least, most) in [(Some(0), 0, 0), (Some(1), 1, 8), (Some(20), 20, 27), (None, 99, 99)] {
            let folder = tempfile::tempdir().unwrap();
            let (library, feed) = library(&folder).await;
            library.versions().set_limit(limit).await.unwrap();
            for number in 0..100 {
                store_edition(&library, feed, number).await;
            }
            library.close().await.unwrap();
            let library = Library::open(folder.path()).await.unwrap();
            assert_eq!(library.versions().limit(), limit);
            let versions = library.versions().of_article(1).await.unwrap();
            assert!((least..=most).contains(&versions.len()), "{limit:?}: {}", versions.len());
            for (version, number) in versions.iter().zip((0..99).rev()) {
                assert_eq!(version.content.as_ref().unwrap().html, text(number));
                assert_eq!(version.title, format!("Version {number}"));
            }
            let dates: Vec<i64> = versions.iter().map(|version| version.until).collect();
            let some = library.versions().selected(1, |until| Some(&until) == dates.get(3)).await.unwrap();
            assert_eq!(some.as_slice(), versions.get(3..4).unwrap_or_default());
            assert_eq!(super::dates(&library.db.readers, 1).await.unwrap(), dates);
            let mut by_group = Vec::new();
            for group in library.versions().groups(1).await.unwrap() {
                let some = library.versions().group(1, group).await.unwrap();
                assert!((1..=8).contains(&some.len()));
                by_group.extend(some);
            }
            assert_eq!(by_group, versions);
            let mut snapshot = library.archive().snapshot().await.unwrap();
            let mut given: Vec<archive::VersionRecord> = snapshot.records().try_collect().await.unwrap();
            given.reverse();
            assert!(given.iter().zip(&versions).all(|(given, version)| given.content == version.content));
            assert_eq!(given.iter().map(|version| version.at).collect::<Vec<_>>(), dates);
            drop(snapshot);
            if versions.len() > 20 {
                let sql = "SELECT sum(length(content)) FROM versions";
                let bytes: i64 = sqlx::query_scalar(sql).fetch_one(&library.db.readers).await.unwrap();
                let alone = i64::try_from(
                    Texts::pack(Some(&Body { html: text(50), base: None }), None).content().unwrap().len(),
                )
                .unwrap();
                assert!(bytes * 3 < alone * i64::try_from(versions.len()).unwrap(), "{bytes} of {alone} each");
            }
            assert!(library.check(false).await.unwrap().is_intact());
        }
    }

    #[tokio::test]
    async fn an_article_that_a_document_ended_in_is_no_former_version() {
        let folder = tempfile::tempdir().unwrap();
        let (library, feed_id) = library(&folder).await;
        for (is_cut_off, html, versions) in [(true, "Half", 0), (false, "Half and more", 0), (false, "Corrected", 1)] {
            let mut digest = gleaner_identity::short_digest(html.as_bytes());
            digest.extend(is_cut_off.then_some(0));
            assert_eq!(gleaner_identity::is_cut_off(&digest), is_cut_off);
            let texts = Texts::pack(Some(&Body { html: html.to_owned(), base: None }), None);
            let item = Box::new(NewItem { key: "a".to_owned(), texts, digest, ..NewItem::default() });
            let intent = if is_cut_off { Intent::Insert(item) } else { Intent::Update(1, item) };
            library.polls().store(&[&Incoming::of_items(feed_id, vec![intent])]).await.unwrap();
            assert_eq!(library.versions().of_article(1).await.unwrap().len(), versions, "{html}");
        }
    }

    #[tokio::test]
    async fn a_damaged_version_is_reported_and_affects_its_group_only() {
        let folder = tempfile::tempdir().unwrap();
        let (library, feed) = library(&folder).await;
        for number in 0..20 {
            store_edition(&library, feed, number).await;
        }
        let harm = "UPDATE versions SET content = x'00' WHERE at = (SELECT min(at) FROM versions)";
        sqlx::raw_sql(harm).execute(library.db.writer().await.connection()).await.unwrap();
        let versions = library.versions().of_article(1).await.unwrap();
        let damaged = versions.iter().filter(|version| version.damage.is_some()).count();
        assert_eq!((versions.len(), damaged), (19, 8));
        let mut groups = library.versions().groups(1).await.unwrap();
        let oldest = library.versions().group(1, groups.pop().unwrap()).await.unwrap();
        assert!(oldest.iter().all(|version| version.damage.is_some()) && oldest.len() == 8);
        let found = library.check(true).await.unwrap().findings;
        assert_eq!((&found[0].fault, found[0].count), (&crate::Fault::UnreadableVersions, 8));
    }
}

//! Reads RSS Guard's `database.db`. Feeds belong to accounts. Those of online services have an address only if the service
//! uses it as the feed's name. Articles refer to their feed and labels by the ids of the services, since version 5 by numbers.

use super::{
    ImportError, ReaderData, SkipReason, Skipped,
    database::{Cells, Database, Form, MAX_FEEDS, Query, marks, path},
    raw::{self, Raw},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use gleaner_feed::Enclosure;
use serde::Deserialize;
use std::collections::HashMap;

pub(super) const NAME: &str = "RSS Guard";
pub(super) const FORM: Form = Form {
    program: NAME,
    tables: &["feeds", "messages", "categories"],
    needs: &[
        ("feeds", &["id", "title", "category", "source", "account_id", "custom_id"]),
        ("categories", &["id", "parent_id", "title"]),
        (
            "messages",
            &[
                "id",
                "is_read",
                "is_important",
                "is_deleted",
                "feed",
                "title",
                "url",
                "author",
                "date_created",
                "contents",
                "account_id",
                "custom_id",
            ],
        ),
    ],
};

pub(super) async fn open(database: &mut Database) -> Result<(ReaderData, Query), ImportError> {
    let sql = "SELECT id, parent_id, title FROM categories".to_owned();
    let folders: HashMap<_, _> = database
        .all(sql, MAX_FEEDS, |row| Some((row.text(0)?, (row.text(1), row.text(2)?))))
        .await?
        .into_iter()
        .collect();
    let mut paths: Vec<Vec<String>> = folders.keys().map(|id| path(&folders, Some(id.clone()))).collect();
    paths.sort();
    let mut skipped = Vec::new();
    let sql =
        "SELECT account_id || '/' || custom_id, source, title, category, custom_id FROM feeds ORDER BY id".to_owned();
    let feeds = database
        .all(sql, MAX_FEEDS, |row| {
            let at_service = row.text(4).and_then(|id| Some(id.strip_prefix("feed/")?.to_owned()));
            let Some(url) = row.text(1).or(at_service.filter(|url| raw::is_web(url))) else {
                skipped.push(Skipped { what: row.text(2).unwrap_or_default(), why: SkipReason::NoAddress });
                return None;
            };
            Some(raw::feed(&row.text(0)?, &url, row.text(2), path(&folders, row.text(3))))
        })
        .await?;
    let by_number = database
        .all("SELECT typeof(feed) FROM messages LIMIT 1".to_owned(), 1, |row| row.text(0))
        .await?
        .iter()
        .any(|kind| kind == "integer");
    let (mut feed, mut labels) = ("account_id || '/' || feed", "NULL");
    let mut words = HashMap::new();
    if by_number {
        feed =
            "ifnull((SELECT f.account_id || '/' || f.custom_id FROM feeds f WHERE f.id = messages.feed), '#' || feed)";
    }
    if by_number && database.has("labelsinmessages", "label") {
        labels = "(SELECT group_concat(l.name, char(31)) FROM labelsinmessages m JOIN labels l ON l.id = m.label
            WHERE m.message = messages.id)";
    } else if database.has("messages", "labels") && database.has("labels", "custom_id") {
        labels = "(SELECT group_concat(l.name, char(31)) FROM labels l
            WHERE l.account_id = messages.account_id AND instr(messages.labels, '.' || l.custom_id || '.'))";
    } else if database.has("labelsinmessages", "message") && database.has("labels", "custom_id") {
        let sql = "SELECT m.account_id || '/' || m.message, l.name FROM labelsinmessages m
            JOIN labels l ON l.custom_id = m.label AND l.account_id = m.account_id";
        words = database.words(sql.to_owned()).await?;
    }
    let sql = format!(
        "SELECT rowid, {feed}, custom_id, title, url, author, date_created, contents, is_read, is_important, \
            is_deleted, {}, {}, id, account_id || '/' || custom_id, {labels} \
         FROM messages WHERE rowid > ?1 ORDER BY rowid LIMIT ?2",
        database.column("messages", "is_pdeleted"),
        database.column("messages", "enclosures"),
    );
    let data = ReaderData { skipped, folders: paths, ..ReaderData::list(NAME, feeds) };
    Ok((data, Query { sql, article, words, last: i64::MIN }))
}

fn article(row: &Cells<'_>, query: &Query) -> Option<super::Article> {
    let mut tags = row.text(14).and_then(|key| query.words.get(&key)).cloned().unwrap_or_default();
    tags.extend(row.words(15));
    let raw = Raw {
        // If the feed gave no id, RSS Guard stores its own number.
        id: row.text(2).filter(|id| Some(id) != row.text(13).as_ref()),
        title: row.text(3),
        url: row.text(4),
        author: row.text(5),
        published: row.number(6),
        content: row.text(7),
        enclosures: enclosures(&row.text(12).unwrap_or_default()),
        ..Raw::default()
    };
    Some(raw.article(row.text(1)?, marks(Some(row.is(8)), row.is(9), row.is(10) || row.is(11), tags)))
}

#[derive(Deserialize)]
struct Attached {
    url: String,
    mime: Option<String>,
}

/// Parses a list in JSON, or of older versions types and addresses in Base64.
fn enclosures(text: &str) -> Vec<Enclosure> {
    if text.starts_with('[') {
        let attached: Vec<Attached> = serde_json::from_str(text).unwrap_or_default();
        return attached.into_iter().filter_map(|one| raw::enclosure(Some(one.url), one.mime, None)).collect();
    }
    text.split('#').filter_map(enclosure).collect()
}

/// Parses type and address, each in Base64, separated by `&`; or the address alone.
fn enclosure(text: &str) -> Option<Enclosure> {
    let decoded = |text: &str| STANDARD.decode(text).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    match text.split_once('&') {
        Some((mime_type, url)) => raw::enclosure(decoded(url), decoded(mime_type), None),
        None => raw::enclosure(decoded(text), None, None),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{find, open};
    use sqlx::{AssertSqlSafe, ConnectOptions as _, sqlite::SqliteConnectOptions};

    /// The tables of version 4.8 that are read. The service "2" has other ids than the database.
    const TABLES: &str = r#"
        CREATE TABLE Categories (id INTEGER PRIMARY KEY, parent_id INTEGER, title TEXT, account_id INTEGER);
        CREATE TABLE Feeds (id INTEGER PRIMARY KEY, title TEXT, category INTEGER, source TEXT, account_id INTEGER, custom_id TEXT);
        CREATE TABLE Labels (id INTEGER PRIMARY KEY, name TEXT, custom_id TEXT, account_id INTEGER);
        CREATE TABLE Messages (id INTEGER PRIMARY KEY, is_read INTEGER, is_important INTEGER, is_deleted INTEGER, is_pdeleted INTEGER,
            feed TEXT, title TEXT, url TEXT, author TEXT, date_created BIGINT, contents TEXT, enclosures TEXT, account_id INTEGER,
            custom_id TEXT, labels TEXT NOT NULL DEFAULT '.');
        INSERT INTO Feeds VALUES (1, 'One', -1, 'https://one.example/feed', 1, '1');
        INSERT INTO Feeds VALUES (2, 'Two', -1, 'https://two.example/feed', 2, 'f/9');
        INSERT INTO Labels VALUES (1, 'later', '1', 1), (2, 'To keep', 'user/-/label/x', 2), (3, 'other', '-12', 2);
        INSERT INTO Messages VALUES (1, 1, 0, 0, 0, '1', 'A', '', '', 1793600100000, '', '', 1, 'a', '.1.');
        INSERT INTO Messages VALUES (2, 0, 1, 0, 0, 'f/9', 'B', '', '', 1793600100000, '', 'YXVkaW8vbXBlZw==&aHR0cDovL2EuZXhhbXBsZS9i',
            2, 'b', '.user/-/label/x.1.');
    "#;

    /// Columns that version 5 has in another form.
    const NUMBERS: &str = r#"
        ALTER TABLE Messages RENAME TO Old;
        CREATE TABLE Messages (id INTEGER PRIMARY KEY, is_read INTEGER, is_important INTEGER, is_deleted INTEGER, is_pdeleted INTEGER,
            feed INTEGER, title TEXT, url TEXT, author TEXT, date_created BIGINT, contents TEXT, enclosures TEXT, account_id INTEGER,
            custom_id TEXT);
        INSERT INTO Messages SELECT id, is_read, is_important, is_deleted, is_pdeleted, id, title, url, author, date_created, contents,
            iif(enclosures = '', '[]', '[{"mime":"audio/mpeg","url":"http://a.example/b"}]'), account_id, custom_id FROM Old;
        CREATE TABLE LabelsInMessages (message INTEGER, label INTEGER);
        INSERT INTO LabelsInMessages VALUES (1, 1), (2, 2);
    "#;

    #[tokio::test]
    async fn reads_the_labels_of_each_version() {
        let tables = [TABLES.to_owned(), format!("{TABLES}{NUMBERS}")];
        for sql in tables {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("database.db");
            let mut database =
                SqliteConnectOptions::new().filename(&file).create_if_missing(true).connect().await.unwrap();
            sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut database).await.unwrap();
            let mut data = open(&find(&file).unwrap()[0]).await.unwrap();
            let articles = data.next().await.unwrap();
            let read =
                articles.iter().map(|article| (article.feed.as_str(), article.item.id.as_str(), &article.marks.tags));
            assert_eq!(
                read.collect::<Vec<_>>(),
                [("1/1", "a", &vec!["later".to_owned()]), ("2/f/9", "b", &vec!["To keep".to_owned()])]
            );
            let attached = &articles[1].item.enclosures;
            assert_eq!(
                (attached[0].url.as_str(), attached[0].mime_type.as_deref()),
                ("http://a.example/b", Some("audio/mpeg"))
            );
            assert!(articles[0].item.enclosures.is_empty() && attached.len() == 1);
        }
    }
}

//! Reads RSS Guard's `database.db`. Feeds belong to accounts. Those of online services have an address only if the service
//! uses it as the feed's name.

use super::{
    ImportError, ReaderData, SkipReason, Skipped,
    database::{Cells, Database, Form, MAX_FEEDS, Query, marks, path},
    raw::{self, Raw},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use gleaner_feed::Enclosure;
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
    let words = if database.has("labelsinmessages", "message") && database.has("labels", "custom_id") {
        let sql = "SELECT m.account_id || '/' || m.message, l.name FROM labelsinmessages m
            JOIN labels l ON l.custom_id = m.label AND l.account_id = m.account_id";
        database.words(sql.to_owned()).await?
    } else {
        HashMap::new()
    };
    let sql = format!(
        "SELECT rowid, account_id || '/' || feed, custom_id, title, url, author, date_created, contents, is_read, is_important, \
            is_deleted, {}, {}, id, account_id || '/' || custom_id \
         FROM messages WHERE rowid > ?1 ORDER BY rowid LIMIT ?2",
        database.column("messages", "is_pdeleted"),
        database.column("messages", "enclosures"),
    );
    let data = ReaderData { skipped, folders: paths, ..ReaderData::list(NAME, feeds) };
    Ok((data, Query { sql, article, words, last: i64::MIN }))
}

fn article(row: &Cells<'_>, query: &Query) -> Option<super::Article> {
    let tags = row.text(14).and_then(|key| query.words.get(&key)).cloned().unwrap_or_default();
    let raw = Raw {
        // If the feed gave no id, RSS Guard stores its own number.
        id: row.text(2).filter(|id| Some(id) != row.text(13).as_ref()),
        title: row.text(3),
        url: row.text(4),
        author: row.text(5),
        published: row.number(6),
        content: row.text(7),
        enclosures: row.text(12).unwrap_or_default().split('#').filter_map(enclosure).collect(),
        ..Raw::default()
    };
    Some(raw.article(row.text(1)?, marks(Some(row.is(8)), row.is(9), row.is(10) || row.is(11), tags)))
}

/// Parses type and address, each in Base64, separated by `&`; or the address alone.
fn enclosure(text: &str) -> Option<Enclosure> {
    let decoded = |text: &str| STANDARD.decode(text).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    match text.split_once('&') {
        Some((mime_type, url)) => raw::enclosure(decoded(url), decoded(mime_type), None),
        None => raw::enclosure(decoded(text), None, None),
    }
}

//! Reads the `DB.sqlite3` of an account of NetNewsWire. It contains the addresses of feeds only for the account "On My Mac"; their titles
//! and folders are in `Subscriptions.opml` next to it.

use super::{
    ImportError, ReaderData, SkipReason, Skipped,
    database::{Cells, Database, Form, MAX_FEEDS, Query, marks},
    raw::{self, Raw},
};
use std::collections::HashMap;

pub(super) const NAME: &str = "NetNewsWire";
pub(super) const FORM: Form = Form {
    program: NAME,
    tables: &["articles", "statuses"],
    needs: &[
        ("articles", &["articleid", "feedid", "uniqueid", "title", "contenthtml", "url", "datepublished"]),
        ("statuses", &["articleid", "read", "starred"]),
    ],
};

pub(super) async fn open(database: &mut Database) -> Result<(ReaderData, Query), ImportError> {
    let mut skipped = Vec::new();
    let feeds = database
        .all("SELECT DISTINCT feedID FROM articles".to_owned(), MAX_FEEDS, |row| {
            let id = row.text(0)?;
            if raw::is_web(&id) {
                return Some(raw::feed(&id, &id, None, Vec::new()));
            }
            skipped.push(Skipped { what: id, why: SkipReason::NoAddress });
            None
        })
        .await?;
    let mut words = HashMap::new();
    if database.has("authorslookup", "articleid") && database.has("authors", "name") {
        let sql = "SELECT l.articleID, ifnull(a.name, a.emailAddress) FROM authorsLookup l JOIN authors a ON a.authorID = l.authorID";
        words = database.words(sql.to_owned()).await?;
    }
    let attachments = if database.has("attachments", "sizeinbytes") {
        "(SELECT group_concat(ifnull(mimeType, '') || char(30) || ifnull(sizeInBytes, '') || char(30) || url, char(31))
            FROM attachments t WHERE t.articleID = articles.articleID)"
    } else {
        "NULL"
    };
    let column = |name| database.column("articles", name);
    let sql = format!(
        "SELECT articles.rowid, feedID, uniqueID, articles.title, articles.url, datePublished, contentHTML, s.read, s.starred, \
            articles.articleID, {}, {}, {}, {}, {attachments} \
         FROM articles LEFT JOIN statuses s ON s.articleID = articles.articleID WHERE articles.rowid > ?1 ORDER BY articles.rowid LIMIT ?2",
        column("contenttext"),
        column("externalurl"),
        column("summary"),
        column("datemodified"),
    );
    Ok((ReaderData { skipped, ..ReaderData::list(NAME, feeds) }, Query { sql, article, words, last: i64::MIN }))
}

fn article(row: &Cells<'_>, query: &Query) -> Option<super::Article> {
    let authors = row.text(9).and_then(|id| query.words.get(&id)).map(|names| names.join(", "));
    let raw = Raw {
        id: row.text(2),
        title: row.text(3),
        url: row.text(4).or_else(|| row.text(11)),
        author: authors,
        published: row.seconds(5),
        updated: row.seconds(13),
        content: row.text(6).or_else(|| row.text(10).map(|text| gleaner_html::escape::lines(&text))),
        summary: row.text(12),
        enclosures: row.enclosures(14),
        ..Raw::default()
    };
    let read = row.number(7).map(|read| read != 0);
    Some(raw.article(row.text(1)?, marks(read, row.is(8), false, Vec::new())))
}

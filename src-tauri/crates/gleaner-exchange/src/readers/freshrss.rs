//! Reads the SQLite database that FreshRSS has for each user. Its texts other than articles are escaped.

use super::{
    ImportError, ReaderData,
    database::{Cells, Database, Form, MAX_FEEDS, Query, marks},
    raw::{self, Raw},
};
use std::collections::HashMap;

pub(super) const NAME: &str = "FreshRSS";
pub(super) const FORM: Form = Form {
    program: NAME,
    tables: &["feed", "entry", "category"],
    needs: &[
        ("feed", &["id", "url", "category", "name", "website"]),
        ("category", &["id", "name"]),
        ("entry", &["id", "guid", "title", "author", "content", "link", "date", "is_read", "is_favorite", "id_feed"]),
    ],
};

pub(super) async fn open(database: &mut Database) -> Result<(ReaderData, Query), ImportError> {
    let kind = database.column("feed", "kind");
    let sql = format!(
        "SELECT feed.id, feed.url, feed.name, feed.website, c.name, c.id, {kind} FROM feed LEFT JOIN category c ON c.id = feed.category ORDER BY feed.id"
    );
    let feeds = database
        .all(sql, MAX_FEEDS, |row| {
            // The first category contains the feeds without a category.
            let folder = row.text(4).filter(|_| row.number(5) != Some(1)).map(|name| raw::plain(&name));
            let title = row.text(2).map(|name| raw::plain(&name));
            let mut feed = raw::feed(&row.text(0)?, &unescaped(row.text(1)?), title, folder.into_iter().collect());
            feed.subscription.home_url = row.text(3).map(unescaped);
            // Web pages that FreshRSS turns into feeds.
            if row.number(6).is_some_and(|kind| kind >= 10) {
                feed.subscription.refresh_minutes = Some(0);
            }
            Some(feed)
        })
        .await?;
    let mut words = HashMap::new();
    if database.has("entrytag", "id_entry") && database.has("tag", "name") {
        let sql = "SELECT e.id_entry, t.name FROM entrytag e JOIN tag t ON t.id = e.id_tag";
        words = database.words(sql.to_owned()).await?;
    }
    // Since version 1.20.1; before, they are in the content.
    let enclosures = if database.has("entry", "attributes") {
        "iif(json_valid(attributes),
            (SELECT group_concat(ifnull(e.value ->> 'type', '') || char(30) || ifnull(e.value ->> 'length', '') || char(30)
                || replace(e.value ->> 'url', '&amp;', '&'), char(31))
            FROM json_each(attributes, '$.enclosures') e WHERE e.type = 'object'), NULL)"
    } else {
        "NULL"
    };
    let sql = format!(
        "SELECT rowid, id_feed, guid, title, link, author, date, content, is_read, is_favorite, id, {}, {enclosures} \
         FROM entry WHERE rowid > ?1 ORDER BY rowid LIMIT ?2",
        database.column("entry", "tags"),
    );
    Ok((ReaderData::list(NAME, feeds), Query { sql, article, words, last: i64::MIN }))
}

fn unescaped(text: String) -> String {
    text.replace("&amp;", "&")
}

fn article(row: &Cells<'_>, query: &Query) -> Option<super::Article> {
    let tags = row.text(10).and_then(|id| query.words.get(&id)).into_iter().flatten();
    let raw = Raw {
        id: row.text(2),
        title: row.text(3).map(|title| raw::plain(&title)),
        url: row.text(4).map(unescaped),
        author: row.text(5).map(|names| raw::authors(&names)),
        published: row.seconds(6),
        content: row.text(7),
        enclosures: row.enclosures(12),
        categories: row.text(11).unwrap_or_default().split('#').map(|tag| tag.trim().to_owned()).collect(),
        ..Raw::default()
    };
    let tags = tags.map(|tag| raw::plain(tag)).collect();
    Some(raw.article(row.text(1)?, marks(Some(row.is(8)), row.is(9), false, tags)))
}

//! Reads QuiteRSS's `feeds.db`. A feed without an address is a folder.

use super::{
    ImportError, ReaderData,
    database::{Cells, Database, Form, MAX_FEEDS, Query, marks, path},
    raw::{self, Raw},
};
use chrono::NaiveDateTime;
use gleaner_library::Millis;
use std::collections::HashMap;

pub(super) const NAME: &str = "QuiteRSS";
pub(super) const FORM: Form = Form {
    program: NAME,
    tables: &["feeds", "news", "labels"],
    needs: &[
        ("feeds", &["id", "text", "title", "xmlurl", "htmlurl", "parentid"]),
        (
            "news",
            &[
                "id",
                "feedid",
                "guid",
                "description",
                "content",
                "title",
                "published",
                "read",
                "starred",
                "deleted",
                "link_href",
            ],
        ),
        ("labels", &["id", "name"]),
    ],
};

pub(super) async fn open(database: &mut Database) -> Result<(ReaderData, Query), ImportError> {
    let rows = database
        .all("SELECT id, parentId, text, title, xmlUrl, htmlUrl FROM feeds ORDER BY id".to_owned(), MAX_FEEDS, |row| {
            Some((row.text(0)?, row.text(1), row.text(2).or_else(|| row.text(3)), row.text(4), row.text(5)))
        })
        .await?;
    let folders: HashMap<_, _> = rows
        .iter()
        .filter(|(_, _, _, url, _)| url.is_none())
        .map(|(id, parent, name, _, _)| (id.clone(), (parent.clone(), name.clone().unwrap_or_default())))
        .collect();
    let paths = rows.iter().filter(|row| row.3.is_none()).map(|row| path(&folders, Some(row.0.clone()))).collect();
    let feeds = rows
        .into_iter()
        .filter_map(|(id, parent, title, url, home)| {
            let mut feed = raw::feed(&id, &url?, title, path(&folders, parent));
            feed.subscription.home_url = home;
            Some(feed)
        })
        .collect();
    let column = |name| database.column("news", name);
    let sql = format!(
        "SELECT rowid, feedId, guid, title, link_href, author_name, published, description, content, read, starred, deleted, \
            (SELECT group_concat(l.name, char(31)) FROM labels l WHERE instr(news.label, ',' || l.id || ',')), \
            {}, {}, {}, {}, {}, {} \
         FROM news WHERE rowid > ?1 ORDER BY rowid LIMIT ?2",
        column("category"),
        column("enclosure_url"),
        column("enclosure_type"),
        column("enclosure_length"),
        column("link_alternate"),
        column("comments"),
    );
    let data = ReaderData { folders: paths, ..ReaderData::list(NAME, feeds) };
    Ok((data, Query { sql, article, words: HashMap::new(), last: i64::MIN }))
}

fn article(row: &Cells<'_>, _: &Query) -> Option<super::Article> {
    let (description, content) = (raw::filled(row.text(7)), raw::filled(row.text(8)));
    let raw = Raw {
        id: row.text(2),
        title: row.text(3),
        url: row.text(4).or_else(|| row.text(17)),
        author: row.text(5),
        published: row.text(6).and_then(|text| date(&text)),
        summary: content.is_some().then(|| description.clone()).flatten(),
        content: content.or(description),
        categories: row.text(13).unwrap_or_default().split(',').map(str::to_owned).collect(),
        enclosures: raw::enclosure(row.text(14), row.text(15), row.number(16)).into_iter().collect(),
        comments_url: row.text(18),
        ..Raw::default()
    };
    Some(raw.article(row.text(1)?, marks(Some(row.is(9)), row.is(10), row.is(11), row.words(12))))
}

/// Parses a date in UTC, with or without a zone.
fn date(text: &str) -> Option<Millis> {
    let text = text.trim_end_matches('Z');
    NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f").ok().map(|date| date.and_utc().timestamp_millis())
}

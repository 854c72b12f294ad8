//! Reads the `Database` of gPodder. Its sections are folders.

use super::{
    ImportError, ReaderData,
    database::{Cells, Database, Form, MAX_FEEDS, Query, marks},
    raw::{self, Raw},
};
use std::collections::HashMap;

pub(super) const NAME: &str = "gPodder";
pub(super) const FORM: Form = Form {
    program: NAME,
    tables: &["podcast", "episode"],
    needs: &[
        ("podcast", &["id", "title", "url"]),
        ("episode", &["podcast_id", "title", "description", "url", "published", "guid", "state", "is_new"]),
    ],
};

/// State of an episode whose download was deleted.
const DELETED: i64 = 2;

pub(super) async fn open(database: &mut Database) -> Result<(ReaderData, Query), ImportError> {
    let (link, section) = (database.column("podcast", "link"), database.column("podcast", "section"));
    let feeds = database
        .all(format!("SELECT id, url, title, {link}, {section} FROM podcast ORDER BY id"), MAX_FEEDS, |row| {
            let folder = raw::filled(row.text(4)).into_iter().collect();
            let mut feed = raw::feed(&row.text(0)?, &raw::filled(row.text(1))?, row.text(2), folder);
            feed.subscription.home_url = raw::filled(row.text(3));
            Some(feed)
        })
        .await?;
    let column = |name| database.column("episode", name);
    let sql = format!(
        "SELECT rowid, podcast_id, guid, title, url, published, description, state, is_new, {}, {}, {}, {} \
         FROM episode WHERE rowid > ?1 ORDER BY rowid LIMIT ?2",
        column("link"),
        column("description_html"),
        column("mime_type"),
        column("file_size"),
    );
    Ok((ReaderData::list(NAME, feeds), Query { sql, article, words: HashMap::new(), last: i64::MIN }))
}

fn article(row: &Cells<'_>, _: &Query) -> Option<super::Article> {
    let text = || row.text(6).map(|text| gleaner_html::escape::lines(&text));
    let raw = Raw {
        id: row.text(2),
        title: row.text(3),
        url: row.text(9),
        published: row.seconds(5),
        content: raw::filled(row.text(10)).or_else(text),
        enclosures: raw::enclosure(raw::filled(row.text(4)), row.text(11), row.number(12).filter(|size| *size > 0))
            .into_iter()
            .collect(),
        ..Raw::default()
    };
    let is_read = !row.is(8) || row.number(7) == Some(DELETED);
    Some(raw.article(row.text(1)?, marks(Some(is_read), false, false, Vec::new())))
}

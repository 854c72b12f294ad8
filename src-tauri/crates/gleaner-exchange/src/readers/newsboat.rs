//! Reads the `cache.db` of newsboat and its predecessor newsbeuter. Subscriptions are in the file `urls`. newsboat has no stars: an article
//! with any flag gets a star, and a tag for the flag.

use super::{
    ImportError, ReaderData,
    database::{Cells, Database, Form, MAX_FEEDS, Query, marks},
    raw::{self, Raw},
};
use std::collections::HashMap;

pub(super) const NAME: &str = "newsboat";
pub(super) const FORM: Form = Form {
    program: NAME,
    tables: &["rss_feed", "rss_item"],
    needs: &[
        ("rss_feed", &["rssurl", "url", "title"]),
        ("rss_item", &["guid", "title", "author", "url", "feedurl", "pubdate", "content", "unread"]),
    ],
};

pub(super) async fn open(database: &mut Database) -> Result<(ReaderData, Query), ImportError> {
    let feeds = database
        .all("SELECT rssurl, title, url FROM rss_feed".to_owned(), MAX_FEEDS, |row| {
            let url = row.text(0)?;
            let mut feed = raw::feed(&url, &url, row.text(1), Vec::new());
            // If the site is unknown, newsboat stores the feed's own address.
            feed.subscription.home_url = row.text(2).filter(|home| *home != url);
            Some(feed)
        })
        .await?;
    let column = |name| database.column("rss_item", name);
    let sql = format!(
        "SELECT rowid, feedurl, guid, title, author, url, pubDate, content, unread, {}, {}, {}, {}, {}, {} FROM rss_item \
         WHERE rowid > ?1 ORDER BY rowid LIMIT ?2",
        column("flags"),
        column("deleted"),
        column("base"),
        column("enclosure_url"),
        column("enclosure_type"),
        column("content_mime_type"),
    );
    Ok((ReaderData::list(NAME, feeds), Query { sql, article, words: HashMap::new(), last: i64::MIN }))
}

fn article(row: &Cells<'_>, _: &Query) -> Option<super::Article> {
    let (url, flags) = (row.text(5), row.text(9).unwrap_or_default());
    let tags = flags.chars().filter(|flag| flag.is_alphabetic()).map(|flag| format!("flag {flag}")).collect();
    let is_plain = row.text(14).as_deref() == Some("text/plain");
    let raw = Raw {
        id: row.text(2).filter(|id| !is_made(id, url.as_deref())),
        title: row.text(3),
        author: row.text(4),
        published: row.seconds(6),
        content: row.text(7).map(|text| if is_plain { gleaner_html::escape::lines(&text) } else { text }),
        base: row.text(11),
        enclosures: raw::enclosure(row.text(12), row.text(13), None).into_iter().collect(),
        url,
        ..Raw::default()
    };
    Some(raw.article(row.text(1)?, marks(Some(!row.is(8)), !flags.is_empty(), row.is(10), tags)))
}

/// Whether newsboat made an item's id from its address and date, because the feed has none.
fn is_made(id: &str, url: Option<&str>) -> bool {
    url.and_then(|url| id.strip_prefix(url)).is_some_and(|rest| {
        !rest.is_empty()
            && (chrono::DateTime::parse_from_rfc2822(rest).is_ok()
                || chrono::DateTime::parse_from_rfc3339(rest).is_ok())
    })
}

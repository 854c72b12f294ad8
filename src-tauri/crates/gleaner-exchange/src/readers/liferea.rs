//! Reads Liferea's `liferea.db`. Feeds and folders are nodes of one tree; news bins contain copies of articles, and become tags.

use super::{
    ImportError, ReaderData,
    database::{Cells, Database, Form, MAX_FEEDS, Query, marks, path},
    raw::{self, Raw},
};
use gleaner_feed::Enclosure;
use std::collections::HashMap;

pub(super) const NAME: &str = "Liferea";
pub(super) const FORM: Form = Form {
    program: NAME,
    tables: &["items", "subscription", "metadata"],
    needs: &[
        ("items", &["item_id", "node_id", "title", "read", "marked", "source", "source_id", "description", "date"]),
        ("subscription", &["node_id", "source"]),
        ("metadata", &["item_id", "key", "value"]),
    ],
};

pub(super) async fn open(database: &mut Database) -> Result<(ReaderData, Query), ImportError> {
    let mut nodes = HashMap::new();
    if database.has("node", "parent_id") && database.has("node", "title") {
        let sql = "SELECT node_id, parent_id, title FROM node".to_owned();
        let rows = database
            .all(sql, MAX_FEEDS, |row| Some((row.text(0)?, (row.text(1), row.text(2).unwrap_or_default()))))
            .await?;
        nodes.extend(rows);
    }
    let home = if database.has("subscription_metadata", "value") {
        "(SELECT value FROM subscription_metadata m WHERE m.node_id = subscription.node_id AND m.key = 'homepage')"
    } else {
        "NULL"
    };
    let sql = format!("SELECT node_id, source, {home} FROM subscription");
    let feeds = database
        .all(sql, MAX_FEEDS, |row| {
            let (id, url) = (row.text(0)?, row.text(1)?);
            let node = nodes.get(&id);
            let folder = path(&nodes, node.and_then(|(parent, _)| parent.clone()));
            let mut feed = raw::feed(&id, &url, node.map(|(_, title)| title.clone()), folder);
            feed.subscription.home_url = row.text(2);
            Some(feed)
        })
        .await?;
    let is_feed = "EXISTS (SELECT 1 FROM subscription s WHERE s.node_id = items.node_id)";
    let (parent, bin) = if database.has("items", "parent_node_id") && !nodes.is_empty() {
        ("items.parent_node_id", "(SELECT title FROM node n WHERE n.node_id = items.node_id)")
    } else {
        ("items.node_id", "NULL")
    };
    let metadata = |keys: &str| {
        format!(
            "(SELECT group_concat(value, char(31)) FROM metadata m WHERE m.item_id = items.item_id AND key IN ({keys}))"
        )
    };
    let sql = format!(
        "SELECT rowid, iif({is_feed}, node_id, {parent}), iif({is_feed}, NULL, {bin}), title, read, marked, source, source_id, \
            {valid}, description, date, {authors}, {categories}, {enclosures} \
         FROM items WHERE rowid > ?1 AND ifnull({comment}, 0) = 0 ORDER BY rowid LIMIT ?2",
        valid = database.column("items", "valid_guid"),
        comment = database.column("items", "comment"),
        authors = metadata("'author', 'creator'"),
        categories = metadata("'category'"),
        enclosures = metadata("'enclosure'"),
    );
    Ok((ReaderData::list(NAME, feeds), Query { sql, article, words: HashMap::new(), last: i64::MIN }))
}

fn article(row: &Cells<'_>, _: &Query) -> Option<super::Article> {
    let bin = row.text(2).into_iter().collect();
    let text = row.text(9).unwrap_or_default();
    let (content, base) = unwrapped(&text);
    let raw = Raw {
        id: row.text(7).filter(|_| row.number(8) != Some(0)),
        title: row.text(3),
        url: row.text(6),
        author: row.words(11).first().cloned(),
        published: row.seconds(10),
        content: Some(content.to_owned()),
        base: base.map(str::to_owned),
        categories: row.words(12),
        enclosures: row.words(13).iter().filter_map(|text| enclosure(text)).collect(),
        ..Raw::default()
    };
    Some(raw.article(row.text(1)?, marks(Some(row.is(4)), row.is(5), false, bin)))
}

/// Removes the `div` that Liferea puts around each text, and returns the text and the base of its links, if the `div` has one.
fn unwrapped(text: &str) -> (&str, Option<&str>) {
    let inner = text.strip_prefix(r#"<div xmlns="http://www.w3.org/1999/xhtml""#).and_then(|rest| rest.split_once('>'));
    let Some((attributes, content)) = inner else { return (text, None) };
    let Some(content) = content.trim_end().strip_suffix("</div>") else { return (text, None) };
    let base = attributes.split_once(r#"xml:base=""#).and_then(|(_, rest)| rest.split_once('"')).map(|(base, _)| base);
    (content, base)
}

/// Parses `enc:<opened>:<type>:<bytes>:<address>`, or the address alone of old versions.
fn enclosure(text: &str) -> Option<Enclosure> {
    let Some(rest) = text.strip_prefix("enc:") else { return raw::enclosure(Some(text.to_owned()), None, None) };
    let mut parts = rest.splitn(4, ':');
    let (_, mime_type, length) = (parts.next()?, parts.next()?, parts.next()?);
    raw::enclosure(Some(parts.next()?.to_owned()), Some(mime_type.to_owned()), length.parse().ok())
}

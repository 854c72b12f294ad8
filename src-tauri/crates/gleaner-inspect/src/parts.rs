//! The parts that the report of a feed and those of its items share.

use chrono::{DateTime, SecondsFormat, Utc};
use gleaner_feed as feed;
use serde::Serialize;

/// A person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Person {
    pub name: Option<String>,
    pub email: Option<String>,
    pub url: Option<String>,
    pub role: Option<String>,
    pub image_url: Option<String>,
}

/// A category, with its grouping key and path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs)]
pub struct Category {
    pub term: String,
    pub scheme: Option<String>,
    pub label: Option<String>,
    pub key: String,
    pub path: Vec<String>,
}

/// Formats a time as RFC 3339 in UTC, to the second.
pub(crate) fn format_time(at: Option<DateTime<Utc>>) -> Option<String> {
    at.map(|at| at.to_rfc3339_opts(SecondsFormat::Secs, true))
}

/// Returns the people of a feed or an item.
pub(crate) fn people(list: &[feed::Person]) -> Vec<Person> {
    let one = |p: &feed::Person| {
        let feed::Person { name, email, url, role, image_url } = p.clone();
        Person { name, email, url, role, image_url }
    };
    list.iter().map(one).collect()
}

/// Returns the categories of a feed or an item, each with its place in the tree that its name describes.
pub(crate) fn categories(list: &[feed::Category]) -> Vec<Category> {
    let one = |c: &feed::Category| {
        let path = c.path().into_iter().map(str::to_owned).collect();
        let feed::Category { term, scheme, label, key } = c.clone();
        Category { term, scheme, label, key, path }
    };
    list.iter().map(one).collect()
}

//! Reads the content of the demonstration's feeds: one text file in `content/` for each.

use chrono::{DateTime, TimeDelta, Utc};

/// Format of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Rss,
    Rdf,
    Atom,
    Json,
    /// RSS with audio.
    Podcast,
}

#[derive(Debug, Clone)]
pub struct Article {
    pub title: String,
    pub published: DateTime<Utc>,
    /// HTML; `{picture}` is replaced by the address of an image made for this article.
    pub html: String,
    /// Path on its site, such as `/feed/1`.
    pub path: String,
}

#[derive(Debug, Clone)]
pub struct Feed {
    /// Path on the server, such as `/hedgerow/`.
    pub name: &'static str,
    pub title: String,
    pub about: String,
    /// Folders from the outermost, separated by slashes.
    pub folder: String,
    pub format: Format,
    pub lang: String,
    pub author: String,
    /// Articles, newest first.
    pub articles: Vec<Article>,
}

/// Parses `key: value` lines, then articles: `== title | age in hours`, followed by their HTML.
fn parse(name: &'static str, text: &str, now: DateTime<Utc>) -> Feed {
    let mut parts = text.split("\n== ");
    let head = parts.next().unwrap_or_default();
    let value = |key: &str| {
        let line = head.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
        line.unwrap_or_default().to_owned()
    };
    let articles = parts.enumerate().map(|(number, part)| {
        let (first, html) = part.split_once('\n').unwrap_or((part, ""));
        let (title, hours) = first.rsplit_once(" | ").unwrap_or((first, "1"));
        // Odd minutes make the list look natural.
        let minutes = hours.parse::<i64>().unwrap_or(1) * 60 + (title.len() as i64 * 7) % 53;
        Article {
            title: title.to_owned(),
            published: now - TimeDelta::minutes(minutes),
            html: html.trim().to_owned(),
            path: format!("/{name}/{}", number + 1),
        }
    });
    Feed {
        name,
        title: value("title"),
        about: value("about"),
        folder: value("folder"),
        format: match value("format").as_str() {
            "rdf" => Format::Rdf,
            "atom" => Format::Atom,
            "json" => Format::Json,
            "podcast" => Format::Podcast,
            _ => Format::Rss,
        },
        lang: value("lang"),
        author: value("author"),
        articles: articles.collect(),
    }
}

/// Returns all feeds. Their articles are dated by their age.
pub fn feeds(now: DateTime<Utc>) -> Vec<Feed> {
    macro_rules! all { ($($name:literal),* $(,)?) => { vec![$(parse($name, include_str!(concat!("../content/", $name, ".txt")), now)),*] } }
    all!["wire", "hedgerow", "window", "slowweb", "orbit", "kitchen", "roji", "madina", "nachtzug", "unhurried"]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_gives_a_feed_with_articles() {
        for feed in feeds(Utc::now()) {
            assert!(!feed.title.is_empty() && !feed.about.is_empty() && !feed.folder.is_empty(), "{}", feed.name);
            assert!(feed.articles.len() >= 3, "{} has {} articles", feed.name, feed.articles.len());
            assert!(feed.articles.is_sorted_by_key(|article| std::cmp::Reverse(article.published)), "{}", feed.name);
        }
    }
}

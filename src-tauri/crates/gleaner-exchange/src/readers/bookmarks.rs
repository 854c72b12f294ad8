//! Reads the bookmarks of browsers: `places.sqlite` of Firefox, and the JSON file `Bookmarks` of Chromium and its relatives. Each site
//! is listed once, by the bookmark that is most likely to lead to its feed.

use super::{
    ImportError, OtherFile,
    database::{self, Form},
    lists, raw,
};
use gleaner_html::one_line;
use serde::Deserialize;
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
};
use url::{Origin, Url};

/// Maximum number of bookmarks that are read.
const MAX_BOOKMARKS: usize = 200_000;
/// Maximum number of sites that are listed.
const MAX_SITES: usize = 5_000;
/// Maximum depth of folders.
const MAX_DEPTH: usize = 64;

const FIREFOX: Form = Form {
    program: "Firefox",
    tables: &["moz_bookmarks", "moz_places"],
    needs: &[("moz_bookmarks", &["id", "fk", "type", "title", "parent"]), ("moz_places", &["id", "url", "title"])],
};

/// A site that is bookmarked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bookmark {
    /// Plain text; may be empty.
    pub title: String,
    /// http or https.
    pub url: String,
    /// Name of the user's folder that it is in, without those around it.
    pub folder: Option<String>,
}

/// A bookmark as it is stored.
struct Stored {
    url: String,
    title: String,
    folder: Option<String>,
}

/// Returns the bookmarked sites of the files of a browser, by title.
///
/// # Errors
/// [`ImportError`] when a file cannot be read.
pub async fn bookmarks(paths: &[PathBuf]) -> Result<Vec<Bookmark>, ImportError> {
    let mut all = Vec::new();
    for path in paths {
        if path.extension().is_some_and(|extension| extension == "sqlite") {
            let mut database = database::connect(path, &[&FIREFOX]).await?;
            // Type 1: a bookmark, not a folder or separator. The toolbar, the menu and the like are in the root, which is in no
            // folder; each tag is a folder in one of them, too.
            let sql = "SELECT p.url, ifnull(nullif(b.title, ''), p.title),
                    (SELECT f.title FROM moz_bookmarks f JOIN moz_bookmarks o ON o.id = f.parent WHERE f.id = b.parent AND o.parent > 0
                        AND NOT (o.title = 'tags' AND EXISTS (SELECT 1 FROM moz_bookmarks r WHERE r.id = o.parent AND r.parent = 0)))
                FROM moz_bookmarks b JOIN moz_places p ON p.id = b.fk WHERE b.type = 1 ORDER BY b.rowid";
            let row = |row: &database::Cells<'_>| {
                Some(Stored { url: row.text(0)?, title: row.text(1).unwrap_or_default(), folder: row.text(2) })
            };
            all.extend(database.all(sql.to_owned(), MAX_BOOKMARKS, row).await?);
        } else {
            let owned = path.clone();
            let reading = tokio::task::spawn_blocking(move || chromium(&owned));
            let failed = |error| ImportError::unreadable(path)(std::io::Error::other(error));
            all.extend(reading.await.map_err(failed)??);
        }
    }
    Ok(sites(all))
}

#[derive(Deserialize)]
struct File {
    roots: HashMap<String, serde_json::Value>,
}

#[derive(Deserialize)]
struct Node {
    #[serde(default)]
    name: String,
    url: Option<String>,
    #[serde(default)]
    children: Vec<Node>,
}

fn chromium(path: &Path) -> Result<Vec<Stored>, ImportError> {
    let file: File =
        serde_json::from_slice(&lists::read(path)?).map_err(|error| OtherFile::DamagedJson(error.to_string()))?;
    let mut roots: Vec<_> = file.roots.into_iter().collect();
    roots.sort_by(|a, b| a.0.cmp(&b.0));
    // Other values among the roots are data of the browser.
    let nodes = roots.into_iter().filter_map(|(_, root)| serde_json::from_value::<Node>(root).ok());
    let mut waiting: Vec<(Node, usize, Option<String>)> = nodes.map(|node| (node, 0, None)).collect();
    let mut found = Vec::new();
    while let Some((node, depth, folder)) = waiting.pop() {
        if found.len() >= MAX_BOOKMARKS {
            return Err(ImportError::TooMany { limit: MAX_BOOKMARKS });
        }
        if depth < MAX_DEPTH {
            // The roots are not folders of the user.
            let name = (depth > 0).then(|| node.name.clone());
            waiting.extend(node.children.into_iter().map(|child| (child, depth + 1, name.clone())));
        }
        found.extend(node.url.map(|url| Stored { url, title: node.name, folder }));
    }
    Ok(found)
}

/// Keeps one bookmark of each public site, and of each person, channel or community on it.
fn sites(all: Vec<Stored>) -> Vec<Bookmark> {
    let mut sites: HashMap<(Origin, String), (bool, usize, Bookmark)> = HashMap::new();
    for Stored { url: written, title, folder } in all {
        let Ok(url) = Url::parse(&written) else { continue };
        if !raw::is_web(&written) || !url.host_str().is_some_and(|host| host.contains('.')) {
            continue;
        }
        let other = !looks_like_feed(url.path());
        let length = url.path().len() + url.query().map_or(0, str::len);
        let folder = folder.map(|name| one_line(&name)).filter(|name| !name.is_empty());
        let mut bookmark = Bookmark { title: one_line(&title), url: written, folder };
        let site = sites.entry((url.origin(), part(&url)));
        let best = site.or_insert_with(|| (other, length, bookmark.clone()));
        // A feed, or else the page nearest to the site's home page.
        if (other, length) < (best.0, best.1) {
            bookmark.folder = bookmark.folder.or(best.2.folder.take());
            *best = (other, length, bookmark);
        } else if best.2.folder.is_none() {
            best.2.folder = bookmark.folder;
        }
    }
    let mut sites: Vec<Bookmark> = sites.into_values().map(|(_, _, bookmark)| bookmark).collect();
    sites.sort_by_cached_key(|site| (site.title.to_lowercase(), site.url.clone()));
    sites.truncate(MAX_SITES);
    sites
}

/// Returns the part of a site that has its own feed: a person, a channel or a community. Empty: the whole site.
fn part(url: &Url) -> String {
    let mut segments = url.path_segments().into_iter().flatten();
    match (segments.next().unwrap_or_default(), segments.next().unwrap_or_default()) {
        (person, _) if person.len() > 1 && person.starts_with('@') => person.to_ascii_lowercase(),
        (kind @ ("channel" | "r" | "user"), name) if !name.is_empty() => {
            format!("{kind}/{}", name.to_ascii_lowercase())
        }
        _ => String::new(),
    }
}

fn looks_like_feed(path: &str) -> bool {
    let path = path.trim_end_matches('/').to_ascii_lowercase();
    let last = path.rsplit('/').next().unwrap_or_default();
    matches!(last, "feed" | "rss" | "atom" | "feed.json")
        || [".rss", ".atom", ".rdf", "rss.xml", "atom.xml", "feed.xml", "index.xml"]
            .iter()
            .any(|end| last.ends_with(end))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use sqlx::{ConnectOptions as _, sqlite::SqliteConnectOptions};
    use std::fs;

    fn listed(sites: &[Bookmark]) -> Vec<String> {
        sites.iter().map(|site| format!("{} {}", site.title, site.url)).collect()
    }

    #[tokio::test]
    async fn each_site_of_firefox_is_listed_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("places.sqlite");
        let mut database = SqliteConnectOptions::new().filename(&path).create_if_missing(true).connect().await.unwrap();
        sqlx::raw_sql(
            "CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR, visit_count INTEGER);
             CREATE TABLE moz_bookmarks (id INTEGER PRIMARY KEY, type INTEGER, fk INTEGER, parent INTEGER, position INTEGER, title LONGVARCHAR);
             INSERT INTO moz_places VALUES (1, 'https://grain.example/2026/05/a-long-article', 'Barley', 1),
                (2, 'https://grain.example/blog', 'Grain', 1), (3, 'https://b.example/index.xml', NULL, 0), (4, 'https://b.example/', 'B', 0),
                (5, 'place:type=6', NULL, 0), (6, 'javascript:alert(1)', 'x', 0), (7, 'http://localhost:8080/', 'mine', 0), (8, 'https://visited.example/', 'v', 9);
             INSERT INTO moz_bookmarks VALUES (1, 2, NULL, 0, 0, 'menu'), (2, 1, 1, 1, 0, ''), (3, 1, 2, 1, 1, 'The  Grain'), (4, 1, 3, 1, 2, 'Feed of B'),
                (5, 1, 4, 1, 3, 'B'), (6, 1, 5, 1, 4, 'Recent'), (7, 1, 6, 1, 5, 'x'), (8, 1, 7, 1, 6, 'mine'), (9, 3, NULL, 1, 7, NULL);",
        )
        .execute(&mut database)
        .await
        .unwrap();
        let found = bookmarks(&[path]).await.unwrap();
        assert_eq!(listed(&found), ["Feed of B https://b.example/index.xml", "The Grain https://grain.example/blog"]);
        assert!(found.iter().all(|site| site.folder.is_none()));
    }

    #[tokio::test]
    async fn sites_of_firefox_have_the_folders_of_the_user_but_not_its_tags() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("places.sqlite");
        let mut database = SqliteConnectOptions::new().filename(&path).create_if_missing(true).connect().await.unwrap();
        sqlx::raw_sql(
            "CREATE TABLE moz_places (id INTEGER PRIMARY KEY, url LONGVARCHAR, title LONGVARCHAR);
             CREATE TABLE moz_bookmarks (id INTEGER PRIMARY KEY, type INTEGER, fk INTEGER, parent INTEGER, title LONGVARCHAR);
             INSERT INTO moz_places VALUES (1, 'https://a.example/', 'A'), (2, 'https://b.example/', 'B'), (3, 'https://c.example/', 'C');
             INSERT INTO moz_bookmarks VALUES (1, 2, NULL, 0, ''), (2, 2, NULL, 1, 'menu'), (3, 2, NULL, 1, 'toolbar'), (4, 2, NULL, 1, 'tags'),
                (5, 2, NULL, 3, ' On  rye '), (6, 2, NULL, 5, 'Inner'), (7, 2, NULL, 4, 'a tag'), (8, 1, 1, 7, NULL), (9, 1, 1, 5, 'A'),
                (10, 1, 2, 6, 'B'), (11, 1, 3, 2, 'C'), (12, 1, 3, 7, NULL);",
        )
        .execute(&mut database)
        .await
        .unwrap();
        let found = bookmarks(&[path]).await.unwrap();
        let folders: Vec<_> = found.iter().map(|site| (&*site.title, site.folder.as_deref())).collect();
        assert_eq!(folders, [("A", Some("On rye")), ("B", Some("Inner")), ("C", None)]);
    }

    #[test]
    fn people_and_channels_of_one_site_are_listed_each() {
        let site = |address: &str| Stored {
            url: format!("https://video.example{address}"),
            title: address.to_owned(),
            folder: None,
        };
        let all = [
            "/",
            "/watch?v=1",
            "/@Ann/videos",
            "/@ann",
            "/@Ben",
            "/channel/A/videos",
            "/channel/B",
            "/r/rye/top",
            "/@",
            "/c",
        ];
        let found = sites(all.map(site).into());
        let titles: Vec<&str> = found.iter().map(|bookmark| &*bookmark.title).collect();
        assert_eq!(titles, ["/", "/@ann", "/@Ben", "/channel/A/videos", "/channel/B", "/r/rye/top"]);
    }

    #[tokio::test]
    async fn folders_of_chromium_are_read_and_damage_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Bookmarks");
        let json = r#"{"checksum":"x","version":1,"roots":{
            "bookmark_bar":{"type":"folder","name":"Bar","children":[{"type":"url","name":"One","url":"https://one.example/"},
                {"type":"folder","name":"F","children":[{"type":"url","name":"Two","url":"http://two.example/blog/"}]}]},
            "other":{"type":"folder","name":"Other","children":[{"type":"url","name":"Settings","url":"chrome://settings/"}]},
            "sync_transaction_version":"7"}}"#;
        fs::write(&path, json).unwrap();
        let found = bookmarks(std::slice::from_ref(&path)).await.unwrap();
        assert_eq!(listed(&found), ["One https://one.example/", "Two http://two.example/blog/"]);
        let folders: Vec<_> = found.iter().map(|site| site.folder.as_deref()).collect();
        assert_eq!(folders, [None, Some("F")]);
        fs::write(&path, &json[..200]).unwrap();
        assert!(matches!(bookmarks(&[path]).await, Err(ImportError::Other(OtherFile::DamagedJson(_)))));
        let missing = bookmarks(&[folder.path().join("places.sqlite")]).await;
        assert!(matches!(missing, Err(ImportError::Unreadable { .. })), "{missing:?}");
    }
}

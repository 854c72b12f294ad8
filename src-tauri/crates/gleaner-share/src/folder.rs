//! A folder of Markdown files with the properties that Obsidian and others read (YAML front matter). No file is ever replaced.

use crate::{Article, Service, ShareError, Web};
use futures::{FutureExt as _, future::BoxFuture};
use std::{
    fs,
    io::{self, BufRead as _, BufReader, Read as _, Write as _},
    path::{Path, PathBuf},
};
use tempfile::Builder;

/// Maximum length of a file name without its extension, in bytes.
const MAX_NAME: usize = 120;
/// Maximum number of articles with the same title.
const MAX_SAME_TITLE: usize = 1000;
/// Length of an existing file's beginning that is searched for the address, in bytes.
const BEGINNING: u64 = 64 << 10;
/// Names that Windows refuses with any extension.
const RESERVED: [&str; 4] = ["con", "prn", "aux", "nul"];

pub struct Folder {
    pub path: PathBuf,
}

impl Service for Folder {
    fn check<'a>(&'a self, _web: &'a Web) -> BoxFuture<'a, Result<(), ShareError>> {
        blocking(self.path.clone(), |folder| {
            // Created and removed at once.
            Builder::new().prefix(".gleaner-").tempfile_in(folder).map(drop)
        })
    }

    fn save<'a>(&'a self, _web: &'a Web, article: &'a Article) -> BoxFuture<'a, Result<(), ShareError>> {
        let article = article.clone();
        blocking(self.path.clone(), move |folder| write(folder, &article))
    }
}

fn blocking(
    folder: PathBuf,
    act: impl FnOnce(&Path) -> io::Result<()> + Send + 'static,
) -> BoxFuture<'static, Result<(), ShareError>> {
    async move {
        let file = folder.clone();
        let done = tokio::task::spawn_blocking(move || act(&folder)).await.unwrap_or_else(|error| Err(error.into()));
        done.map_err(|why| ShareError::File { file, why })
    }
    .boxed()
}

/// Returns a file name for a title that all systems and Obsidian accept.
fn file_name(title: &str) -> String {
    let forbidden = |c: char| c.is_control() || r#"/\:*?"<>|#^[]"#.contains(c);
    let plain: String = title.chars().map(|c| if forbidden(c) { ' ' } else { c }).collect();
    let mut name = String::new();
    for word in plain.split_whitespace() {
        if name.len() + word.len() >= MAX_NAME {
            if name.is_empty() {
                name.extend(word.char_indices().take_while(|(at, c)| at + c.len_utf8() < MAX_NAME).map(|(_, c)| c));
            }
            break;
        }
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(word);
    }
    // A name that begins with a dot is hidden, and Windows removes dots at the end.
    let name = name.trim_matches(['.', ' ']);
    match name {
        "" => "Article".to_owned(),
        name if RESERVED.contains(&name.to_lowercase().as_str()) => format!("{name}_"),
        name => name.to_owned(),
    }
}

/// Returns a JSON string, which is a YAML string too.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn url_line(article: &Article) -> Option<String> {
    article.url.as_deref().map(|url| format!("url: {}", quoted(url)))
}

fn document(article: &Article) -> String {
    let mut lines = vec!["---".to_owned(), format!("title: {}", quoted(&article.title))];
    lines.extend(url_line(article));
    lines.extend(article.author.as_deref().map(|author| format!("author: {}", quoted(author))));
    lines.push(format!("feed: {}", quoted(&article.feed)));
    lines.extend(article.published.as_deref().map(|at| format!("published: {at}")));
    if !article.tags.is_empty() {
        let tags: Vec<String> = article.tags.iter().map(|tag| quoted(&tag.replace(' ', "-"))).collect();
        lines.push(format!("tags: [{}]", tags.join(", ")));
    }
    format!("{}\n---\n\n{}", lines.join("\n"), article.markdown)
}

/// Whether a file is that of the article: its properties have the same address.
fn is_same(file: &Path, line: &str) -> io::Result<bool> {
    let begin = BufReader::new(fs::File::open(file)?.take(BEGINNING));
    for (at, found) in begin.lines().enumerate() {
        let found = match found {
            Ok(found) => found,
            // Not a text.
            Err(error) if error.kind() == io::ErrorKind::InvalidData => return Ok(false),
            Err(error) => return Err(error),
        };
        match found.trim_end() {
            "---" if at == 0 => {}
            _ if at == 0 => return Ok(false),
            "---" => return Ok(false),
            found if found == line => return Ok(true),
            _ => {}
        }
    }
    Ok(false)
}

/// Writes an article, unless it is there already.
fn write(folder: &Path, article: &Article) -> io::Result<()> {
    let mut builder = Builder::new();
    builder.prefix(".gleaner-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // Reduced by the user's umask, as in other programs.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(document(article).as_bytes())?;
    file.as_file().sync_all()?;
    let (name, line) = (file_name(&article.title), url_line(article));
    for number in 1..=MAX_SAME_TITLE {
        let path = match number {
            1 => folder.join(format!("{name}.md")),
            _ => folder.join(format!("{name} ({number}).md")),
        };
        match file.persist_noclobber(&path) {
            Ok(_) => return Ok(()),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => file = error.file,
            Err(error) => return Err(error.error),
        }
        if let Some(line) = &line
            && is_same(&path, line)?
        {
            return Ok(());
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "too many files with this name"))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn file_names_are_valid_everywhere() {
        assert_eq!(file_name("A/B: what? \"x\" [y] #z"), "A B what x y z");
        assert_eq!(file_name("..\n"), "Article");
        assert_eq!(file_name("../../etc/passwd"), "etc passwd");
        assert_eq!(file_name("NUL"), "NUL_");
        assert_eq!(file_name(&"字".repeat(200)).len(), 117);
        assert!(file_name(&"word ".repeat(200)).len() <= MAX_NAME);
    }

    #[test]
    fn articles_are_written_once_and_replace_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let article = |url: &str| Article {
            title: "Plums: a study".to_owned(),
            url: Some(url.to_owned()),
            feed: "Fruit \"today\"".to_owned(),
            tags: vec!["to read".to_owned()],
            published: Some("2026-05-03T10:00:00Z".to_owned()),
            markdown: "# Plums\n".to_owned(),
            ..Article::default()
        };
        fs::write(folder.path().join("Plums a study.md"), "mine").unwrap();
        for url in ["https://a.example/1", "https://a.example/1", "https://a.example/2"] {
            write(folder.path(), &article(url)).unwrap();
        }
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(read("Plums a study.md"), "mine");
        assert_eq!(
            read("Plums a study (2).md"),
            "---\ntitle: \"Plums: a study\"\nurl: \"https://a.example/1\"\nfeed: \"Fruit \\\"today\\\"\"\n\
             published: 2026-05-03T10:00:00Z\ntags: [\"to-read\"]\n---\n\n# Plums\n"
        );
        assert!(read("Plums a study (3).md").contains("https://a.example/2"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "no unfinished file remains");
    }
}

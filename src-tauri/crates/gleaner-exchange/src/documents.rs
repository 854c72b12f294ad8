//! Articles as documents: Markdown, one page of HTML, or an EPUB. What is written was sanitised, runs nothing and, unless pictures are
//! wished by their addresses, asks nothing of anybody; Markdown is text, and names them by these always.

mod epub;
mod markdown;
mod markup;
mod notes;
mod page;

pub use markdown::markdown;
pub use notes::{notes, save_notes};

use crate::{
    archive::ArchiveError,
    whole::{Part, failure},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use gleaner_library::{Body, Library, LibraryError};
use std::{
    collections::HashMap,
    fs::{self, File},
    io::{self, BufWriter, Write as _},
    path::{Path, PathBuf},
};

/// What kind of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Text with CommonMark's marks, and the tables, strikethrough and footnotes that most readers of it know.
    Markdown,
    /// One page, whole by itself.
    Html,
    /// A book of EPUB 3, an article a chapter.
    Epub,
}

impl Form {
    /// How files of it end.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Html => "html",
            Self::Epub => "epub",
        }
    }
}

/// Which articles, and how.
#[derive(Debug, Clone)]
pub struct Wish {
    /// Their numbers, in the order that they are to stand in.
    pub articles: Vec<i64>,
    /// What the document is called where it is of several.
    pub title: String,
    /// Its kind.
    pub form: Form,
    /// Pictures that are not kept here stand in it by their addresses: whoever opens it asks the servers for them. A book holds none.
    pub remote_pictures: bool,
}

/// An article that is to be written.
#[derive(Debug, Clone, Default)]
pub struct Article {
    /// Plain text.
    pub title: String,
    /// Plain text.
    pub author: Option<String>,
    /// What its feed is called.
    pub feed: String,
    /// Its page.
    pub url: Option<String>,
    /// When it was published, RFC 3339.
    pub published: Option<String>,
    /// A language tag.
    pub language: Option<String>,
    /// Most of its text runs from the right to the left.
    pub right_to_left: bool,
    /// Sanitised.
    pub html: String,
    /// Pictures that are kept, by their addresses: digest and type.
    pub pictures: HashMap<String, (String, String)>,
}

/// Writes articles into one file. `progress` hears how many are done and says whether to go on. Gives how many were written; one that is
/// gone by then is passed over; where that is all of them, nothing is written. A file that was there is lost only for a whole one.
///
/// # Errors
/// [`ArchiveError::Write`], [`ArchiveError::Full`], [`ArchiveError::Cancelled`] and the library's own; then nothing is left behind.
pub async fn save(
    library: &Library,
    wish: &Wish,
    file: &Path,
    mut progress: impl FnMut(usize) -> bool,
) -> Result<usize, ArchiveError> {
    let failed = |error: io::Error| failure(file, &error);
    let (part, out) = Part::of(file)?;
    let mut document = Document::begin(wish, BufWriter::new(out)).map_err(failed)?;
    let mut written = 0;
    for (done, id) in wish.articles.iter().enumerate() {
        if !progress(done) {
            return Err(ArchiveError::Cancelled);
        }
        match article(library, *id).await {
            Ok(article) => {
                document.add(library, wish, &article).map_err(failed)?;
                written += 1;
            }
            Err(LibraryError::NotFound(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
    if written == 0 {
        return Ok(0);
    }
    let out = document.end().map_err(failed)?.into_inner().map_err(|error| failed(error.into_error()))?;
    part.into_place(file, out)?;
    Ok(written)
}

/// An article of the library, sanitised.
///
/// # Errors
/// [`LibraryError::NotFound`]; when the library cannot be read.
pub async fn article(library: &Library, id: i64) -> Result<Article, LibraryError> {
    let item = library.item(id).await?;
    let feed = library.feed(item.feed_id).await?;
    // Its own page says all of it, where that was fetched.
    let text = match library.full_text(id).await? {
        Some(full) => Some(full.body),
        None => {
            let text = library.article_text(id).await?;
            text.content.or(text.summary)
        }
    };
    let Body { html, base } = text.unwrap_or_default();
    let base = base.or_else(|| item.url.clone()).unwrap_or_else(|| feed.url.clone());
    let html = gleaner_content::sanitise(&html, Some(&base));
    let words = gleaner_content::plain_text(&html);
    let guess = || gleaner_content::language(&words).map(str::to_owned);
    let language = item.language.clone().or_else(guess).or_else(|| feed.language.clone());
    let at = item.published_at.and_then(chrono::DateTime::from_timestamp_millis);
    Ok(Article {
        title: if item.title.is_empty() { feed.shown_title() } else { item.title },
        author: item.author,
        feed: feed.shown_title(),
        url: item.url,
        published: at.map(|at| at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)),
        language,
        right_to_left: right_to_left(&words),
        pictures: library.pictures_of(id).await?,
        html,
    })
}

/// Whether most letters of a text are of a script that runs from the right to the left (Hebrew, Arabic, Syriac, Thaana, N'Ko, …).
fn right_to_left(text: &str) -> bool {
    let right = |c: &char| matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}' | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}');
    let letters = || text.chars().filter(|c| c.is_alphabetic()).take(2000);
    letters().filter(right).count() * 2 > letters().count()
}

/// A document that is being written.
enum Document {
    Text(BufWriter<File>, bool),
    Page(BufWriter<File>),
    Book(Box<epub::Book>),
}

impl Document {
    fn begin(wish: &Wish, mut out: BufWriter<File>) -> io::Result<Self> {
        Ok(match wish.form {
            Form::Markdown => Self::Text(out, false),
            Form::Html => {
                out.write_all(page::head(&wish.title, wish.remote_pictures).as_bytes())?;
                Self::Page(out)
            }
            Form::Epub => Self::Book(Box::new(epub::Book::begin(&wish.title, out)?)),
        })
    }

    fn add(&mut self, library: &Library, wish: &Wish, article: &Article) -> io::Result<()> {
        match self {
            Self::Text(out, further) => {
                if std::mem::replace(further, true) {
                    out.write_all(b"\n---\n\n")?;
                }
                out.write_all(markdown(article).as_bytes())
            }
            Self::Page(out) => {
                let picture = |url: &str| match kept(library, article, url) {
                    Some((_, mime_type, file)) => {
                        Some(format!("data:{mime_type};base64,{}", STANDARD.encode(fs::read(file).ok()?)))
                    }
                    None => wish.remote_pictures.then(|| url.to_owned()),
                };
                out.write_all(page::article(article, &picture).as_bytes())
            }
            Self::Book(book) => book.add(article, &|url| kept(library, article, url)),
        }
    }

    fn end(self) -> io::Result<BufWriter<File>> {
        match self {
            Self::Text(out, _) => Ok(out),
            Self::Page(mut out) => {
                out.write_all(page::END.as_bytes())?;
                Ok(out)
            }
            Self::Book(book) => book.end(),
        }
    }
}

/// A picture that is kept: digest, type, file.
fn kept(library: &Library, article: &Article, url: &str) -> Option<(String, String, PathBuf)> {
    let (digest, mime_type) = article.pictures.get(url)?;
    let file = library.image_file(digest).filter(|file| file.is_file())?;
    Some((digest.clone(), mime_type.clone(), file))
}

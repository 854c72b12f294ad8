//! Exports articles as Markdown, as one HTML page or as an EPUB. Documents are sanitised. They run nothing and, unless remote images were
//! requested, load nothing. Markdown refers to all images by their addresses.

mod epub;
mod markdown;
mod markup;
mod notes;
mod page;

pub use markdown::markdown;
pub use notes::{notes, save_notes};

use crate::{
    archive::ArchiveError,
    file::{Unfinished, failure},
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use gleaner_library::{Body, FeedRow, ItemRow, Library, LibraryError};
use std::{
    collections::HashMap,
    fs::{self, File},
    io::{self, BufWriter, Write as _},
    path::{Path, PathBuf},
};
use tokio::sync::mpsc;

/// Number of articles that are read ahead of the writing thread.
const AT_ONCE: usize = 4;

/// Format of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// CommonMark with tables, strikethrough and footnotes.
    Markdown,
    /// One self-contained HTML page.
    Html,
    /// An EPUB 3 book, one chapter per article.
    Epub,
}

impl Form {
    /// Returns the file extension.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Markdown => "md",
            Self::Html => "html",
            Self::Epub => "epub",
        }
    }
}

/// Which articles to export, and how.
#[derive(Debug, Clone)]
pub struct DocumentOptions {
    /// Ids of the articles, in the order of the document.
    pub articles: Vec<i64>,
    /// Title of a document with several articles.
    pub title: String,
    /// Format of the document.
    pub form: Form,
    /// Whether images that are not stored are linked by their addresses, so that opening the document loads them. Has no effect on books.
    pub remote_images: bool,
}

/// An article to export.
#[derive(Debug, Clone, Default)]
pub struct Article {
    /// Plain text.
    pub title: String,
    /// Plain text.
    pub author: Option<String>,
    /// Title of its feed.
    pub feed: String,
    /// Address of its page.
    pub url: Option<String>,
    /// When it was published, RFC 3339.
    pub published: Option<String>,
    /// A language tag.
    pub language: Option<String>,
    /// Whether most of its text is written from right to left.
    pub right_to_left: bool,
    /// Sanitised HTML.
    pub html: String,
    /// Digests and types of its stored images, by address.
    pub images: HashMap<String, (String, String)>,
}

/// Writes articles into one file. `progress` receives the number of articles done and returns whether to continue. Returns the number of
/// articles written. Articles that were deleted meanwhile are skipped; if none remains, no file is written. An existing file is replaced
/// only by a complete one.
///
/// # Errors
/// [`ArchiveError::Write`], [`ArchiveError::Full`], [`ArchiveError::Cancelled`] and errors of the library. No unfinished file remains then.
pub async fn save(
    library: &Library,
    options: &DocumentOptions,
    file: &Path,
    progress: impl FnMut(usize) -> bool,
) -> Result<usize, ArchiveError> {
    // Sanitising, compressing and writing block the thread, so they have a thread of their own.
    let (sender, receiver) = mpsc::channel(AT_ONCE);
    let writing = tokio::task::spawn_blocking({
        let (options, file) = (options.clone(), file.to_owned());
        move || write(&options, &file, receiver)
    });
    let sent = send(library, options, sender, progress).await;
    let written = writing.await.unwrap_or_else(|error| Err(failure(file, io::Error::other(error))));
    // If the thread stopped early, its error is the reason.
    sent.and(written)
}

/// A message to the writing thread. If `End` does not follow, the file is discarded.
enum Part {
    Article(Box<Stored>),
    End,
}

/// Reads articles and sends them to the writing thread, until it stops receiving.
async fn send(
    library: &Library,
    options: &DocumentOptions,
    sender: mpsc::Sender<Part>,
    mut progress: impl FnMut(usize) -> bool,
) -> Result<(), ArchiveError> {
    for (done, id) in options.articles.iter().enumerate() {
        if !progress(done) {
            return Err(ArchiveError::Cancelled);
        }
        let stored = match stored(library, *id).await {
            Ok(stored) => Part::Article(Box::new(stored)),
            Err(LibraryError::NotFound(_)) => continue,
            Err(error) => return Err(error.into()),
        };
        if sender.send(stored).await.is_err() {
            return Ok(());
        }
    }
    // If nothing receives this, the thread has failed and returns its own error.
    let _received = sender.send(Part::End).await;
    Ok(())
}

/// Writes the articles received. Blocks.
fn write(options: &DocumentOptions, file: &Path, mut parts: mpsc::Receiver<Part>) -> Result<usize, ArchiveError> {
    let failed = |error: io::Error| failure(file, error);
    let (unfinished, out) = Unfinished::create(file)?;
    let mut document = Document::begin(options, BufWriter::new(out)).map_err(failed)?;
    let mut written = 0;
    loop {
        match parts.blocking_recv() {
            Some(Part::Article(stored)) => {
                let files = stored.files.clone();
                document.add(&files, options, &stored.sanitised()).map_err(failed)?;
                written += 1;
            }
            Some(Part::End) => break,
            None => return Err(ArchiveError::Cancelled),
        }
    }
    if written == 0 {
        return Ok(0);
    }
    let out = document.end().map_err(failed)?.into_inner().map_err(|error| failed(error.into_error()))?;
    unfinished.into_place(file, out)?;
    Ok(written)
}

/// Reads an article from the library and sanitises it for sharing. Its address has no tracking parameters, as when the window opens it.
///
/// # Errors
/// [`LibraryError::NotFound`]; when the library cannot be read.
pub async fn article(library: &Library, id: i64) -> Result<Article, LibraryError> {
    let stored = stored(library, id).await?;
    let sanitising = tokio::task::spawn_blocking(move || stored.sanitised());
    let article = sanitising.await.map_err(|error| LibraryError::Invalid(error.to_string()))?;
    Ok(Article { url: article.url.map(|url| gleaner_content::without_tracking(&url).into_owned()), ..article })
}

/// An article as stored in the library, not sanitised.
struct Stored {
    item: ItemRow,
    feed: FeedRow,
    body: Body,
    /// Digests and types of its stored images, by address.
    images: HashMap<String, (String, String)>,
    /// Files of its stored images, by digest.
    files: HashMap<String, PathBuf>,
}

async fn stored(library: &Library, id: i64) -> Result<Stored, LibraryError> {
    let item = library.articles().get(id).await?;
    let feed = library.feeds().get(item.feed_id).await?;
    // If the full text was downloaded, it is the complete article.
    let body = match library.articles().full_text(id).await? {
        Some(full) => Some(full.body),
        None => {
            let text = library.articles().text(id).await?;
            text.content.or(text.summary)
        }
    };
    let images = library.archive().images_of_article(id).await?;
    let file = |(digest, _): &(String, String)| Some((digest.clone(), library.archive().image_file(digest)?));
    let files = images.values().filter_map(file).collect();
    Ok(Stored { item, feed, body: body.unwrap_or_default(), images, files })
}

impl Stored {
    fn sanitised(self) -> Article {
        let Self { item, feed, body: Body { html, base }, images, .. } = self;
        let base = base.or_else(|| item.url.clone()).unwrap_or_else(|| feed.url.clone());
        let html = gleaner_content::sanitise_for(&html, Some(&base), Some(&feed.url));
        let text = gleaner_content::plain_text(&html);
        let guess = || gleaner_content::language(&text).map(str::to_owned);
        let language = item.language.clone().or_else(guess).or_else(|| feed.language.clone());
        let at = item.published_at.and_then(chrono::DateTime::from_timestamp_millis);
        Article {
            feed: feed.shown_title(),
            title: if item.title.is_empty() { feed.shown_title() } else { item.title },
            author: item.author,
            url: item.url,
            published: at.map(|at| at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)),
            language,
            right_to_left: right_to_left(&text),
            images,
            html,
        }
    }
}

/// Whether most letters of a text belong to right-to-left scripts (Hebrew, Arabic, Syriac, Thaana, N'Ko, …).
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
    fn begin(options: &DocumentOptions, mut out: BufWriter<File>) -> io::Result<Self> {
        Ok(match options.form {
            Form::Markdown => Self::Text(out, false),
            Form::Html => {
                out.write_all(page::head(&options.title, options.remote_images).as_bytes())?;
                Self::Page(out)
            }
            Form::Epub => Self::Book(Box::new(epub::Book::begin(&options.title, out)?)),
        })
    }

    fn add(
        &mut self,
        files: &HashMap<String, PathBuf>,
        options: &DocumentOptions,
        article: &Article,
    ) -> io::Result<()> {
        match self {
            Self::Text(out, further) => {
                if std::mem::replace(further, true) {
                    out.write_all(b"\n---\n\n")?;
                }
                out.write_all(markdown(article).as_bytes())
            }
            Self::Page(out) => {
                let image = |url: &str| match image_file(files, article, url) {
                    Some((_, mime_type, file)) => {
                        Some(format!("data:{mime_type};base64,{}", STANDARD.encode(fs::read(file).ok()?)))
                    }
                    None => options.remote_images.then(|| url.to_owned()),
                };
                out.write_all(page::article(article, &image).as_bytes())
            }
            Self::Book(book) => book.add(article, &|url| image_file(files, article, url)),
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

/// Returns digest, type and file of a stored image.
fn image_file(files: &HashMap<String, PathBuf>, article: &Article, url: &str) -> Option<(String, String, PathBuf)> {
    let (digest, mime_type) = article.images.get(url)?;
    let file = files.get(digest).filter(|file| file.is_file())?;
    Some((digest.clone(), mime_type.clone(), file.clone()))
}

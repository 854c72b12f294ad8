//! Writes an EPUB 3.3 book of one or more articles (<https://www.w3.org/TR/epub-33/>).

use super::{
    Article,
    markup::{escaped, is_language, markup},
    page::{direction, heading},
};
use crate::zip_file::ZipFile;
use std::{
    cell::RefCell,
    collections::BTreeMap,
    fs::{self, File},
    io::{self, BufWriter},
    path::PathBuf,
};
use zip::{CompressionMethod, write::SimpleFileOptions};

const STYLE: &str = "body{line-height:1.5}img{max-width:100%}pre{white-space:pre-wrap}table{border-collapse:collapse}td,th{border:1px solid #999;padding:.2em .4em}\n";

/// A stored image: digest, type, file.
type Image = (String, String, PathBuf);

/// A book that is being written.
pub struct Book {
    zip: ZipFile,
    title: String,
    /// Titles and languages of the chapters.
    chapters: Vec<(String, String)>,
    authors: Vec<String>,
    /// Number of chapters written from right to left.
    right_to_left: usize,
    /// Types of the images, by digest.
    images: BTreeMap<String, String>,
    /// Digest of the chapters, which identifies the book.
    identity: blake3::Hasher,
}

/// Returns a chapter's title, or a dash.
fn title(title: &str) -> &str {
    if title.trim().is_empty() { "—" } else { title }
}

/// Returns the file extension of an image type that every e-book reader shows.
fn ending(mime_type: &str) -> Option<&'static str> {
    match mime_type {
        "image/png" => Some("png"),
        "image/jpeg" => Some("jpg"),
        "image/gif" => Some("gif"),
        "image/webp" => Some("webp"),
        _ => None,
    }
}

impl Book {
    pub fn begin(title: &str, out: BufWriter<File>) -> io::Result<Self> {
        let mut book = Self {
            zip: ZipFile::new(out),
            title: title.to_owned(),
            chapters: Vec::new(),
            authors: Vec::new(),
            right_to_left: 0,
            images: BTreeMap::new(),
            identity: blake3::Hasher::new(),
        };
        // First and uncompressed, since programs recognise books by these bytes.
        book.file("mimetype", b"application/epub+zip", CompressionMethod::Stored)?;
        book.text(
            "META-INF/container.xml",
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\">\
             <rootfiles><rootfile full-path=\"EPUB/package.opf\" media-type=\"application/oebps-package+xml\"/></rootfiles></container>\n",
        )?;
        book.text("EPUB/style.css", STYLE)?;
        Ok(book)
    }

    fn file(&mut self, name: &str, bytes: &[u8], method: CompressionMethod) -> io::Result<()> {
        self.zip.begin(name, SimpleFileOptions::default().compression_method(method))?;
        self.zip.write_all(bytes)
    }

    fn text(&mut self, name: &str, text: &str) -> io::Result<()> {
        self.file(name, text.as_bytes(), CompressionMethod::Deflated)
    }

    /// Adds a chapter with its stored images.
    pub fn add(&mut self, article: &Article, kept: &dyn Fn(&str) -> Option<Image>) -> io::Result<()> {
        let used: RefCell<Vec<Image>> = RefCell::default();
        let image = |url: &str| {
            let (digest, mime_type, file) = kept(url)?;
            let name = format!("images/{digest}.{}", ending(&mime_type)?);
            used.borrow_mut().push((digest, mime_type, file));
            Some(name)
        };
        let language = article.language.as_deref().filter(|tag| is_language(tag)).unwrap_or("und");
        let text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"{language}\" xml:lang=\"{language}\" dir=\"{}\">\n\
             <head><title>{}</title><link rel=\"stylesheet\" type=\"text/css\" href=\"style.css\"/></head>\n<body>\n{}{}\n</body>\n</html>\n",
            direction(article),
            escaped(title(&article.title)),
            heading(article),
            markup(&article.html, &image)
        );
        self.identity.update(text.as_bytes());
        self.chapters.push((article.title.clone(), language.to_owned()));
        self.right_to_left += usize::from(article.right_to_left);
        self.text(&format!("EPUB/{}.xhtml", self.chapters.len()), &text)?;
        if let Some(author) = article.author.clone().filter(|author| !self.authors.contains(author)) {
            self.authors.push(author);
        }
        for (digest, mime_type, file) in used.into_inner() {
            if let Some(ending) = ending(&mime_type).filter(|_| !self.images.contains_key(&digest)) {
                self.file(&format!("EPUB/images/{digest}.{ending}"), &fs::read(file)?, CompressionMethod::Stored)?;
                self.images.insert(digest, mime_type);
            }
        }
        Ok(())
    }

    pub fn end(mut self) -> io::Result<BufWriter<File>> {
        let mut languages: Vec<&str> = Vec::new();
        for (_, language) in &self.chapters {
            if !languages.contains(&language.as_str()) {
                languages.push(language);
            }
        }
        let languages: String =
            languages.iter().map(|language| format!("<dc:language>{language}</dc:language>\n")).collect();
        let direction = if self.right_to_left * 2 > self.chapters.len() { "rtl" } else { "ltr" };
        let (mut manifest, mut spine, mut entries) = (String::new(), String::new(), String::new());
        for (number, (chapter, language)) in (1..).zip(&self.chapters) {
            manifest.push_str(&format!(
                "<item id=\"c{number}\" href=\"{number}.xhtml\" media-type=\"application/xhtml+xml\"/>\n"
            ));
            spine.push_str(&format!("<itemref idref=\"c{number}\"/>\n"));
            entries.push_str(&format!(
                "<li lang=\"{language}\" xml:lang=\"{language}\" dir=\"auto\"><a href=\"{number}.xhtml\">{}</a></li>\n",
                escaped(title(chapter))
            ));
        }
        for (digest, mime_type) in &self.images {
            let name = format!("images/{digest}.{}", ending(mime_type).unwrap_or_default());
            manifest.push_str(&format!("<item id=\"p{digest}\" href=\"{name}\" media-type=\"{mime_type}\"/>\n"));
        }
        let title = escaped(if self.title.trim().is_empty() { "Gleaner" } else { &self.title });
        let contents = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" xmlns:epub=\"http://www.idpf.org/2007/ops\">\n\
             <head><title>{title}</title></head>\n<body><nav epub:type=\"toc\"><h1 dir=\"auto\">{title}</h1><ol>\n{entries}</ol></nav></body>\n</html>\n"
        );
        self.text("EPUB/contents.xhtml", &contents)?;
        let authors: String =
            self.authors.iter().map(|author| format!("<dc:creator>{}</dc:creator>\n", escaped(author))).collect();
        let identity = self.identity.finalize().to_hex();
        let at = gleaner_library::now_utc().to_rfc3339_opts(chrono::SecondsFormat::Secs, true);
        let package = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\" unique-identifier=\"id\" xml:lang=\"en\">\n\
             <metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n<dc:identifier id=\"id\">urn:gleaner:{identity}</dc:identifier>\n\
             <dc:title>{title}</dc:title>\n{languages}{authors}<meta property=\"dcterms:modified\">{at}</meta>\n</metadata>\n\
             <manifest>\n<item id=\"nav\" href=\"contents.xhtml\" media-type=\"application/xhtml+xml\" properties=\"nav\"/>\n\
             <item id=\"style\" href=\"style.css\" media-type=\"text/css\"/>\n{manifest}</manifest>\n<spine page-progression-direction=\"{direction}\">\n{spine}</spine>\n</package>\n"
        );
        self.text("EPUB/package.opf", &package)?;
        self.zip.finish()
    }
}

//! Identifies documents that are not feeds.

use std::fmt::{self, Display, Formatter};

/// The kind of a document that is not the expected one. [`DocumentKind::code`] is for message catalogues; `Display` is
/// an English noun phrase for logs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DocumentKind {
    /// A web page (HTML).
    WebPage,
    /// A feed, where a subscription list was expected.
    Feed,
    /// A subscription list (OPML).
    OpmlList,
    /// An XML sitemap.
    Sitemap,
    /// RDF without a feed.
    Rdf,
    /// RSS without a channel.
    RssWithoutChannel,
    /// An Apple property list.
    PropertyList,
    /// An OpenSearch description.
    SearchDescription,
    /// Other XML.
    Xml {
        /// Name of the root element.
        root: String,
    },
    /// JSON other than a JSON Feed.
    Json,
    /// Plain text.
    PlainText,
    /// An image.
    Image {
        /// Name of the format, such as `PNG`.
        format: &'static str,
    },
    /// A PDF document.
    Pdf,
    /// An archive or compressed file.
    Archive {
        /// Name of the format, such as `ZIP`.
        format: &'static str,
    },
    /// An audio file.
    Audio,
    /// A media file: audio, video or image.
    MediaFile,
    /// An executable program.
    Program,
    /// A font.
    Font,
}

impl DocumentKind {
    /// Returns a stable snake_case code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::WebPage => "web_page",
            Self::Feed => "feed",
            Self::OpmlList => "opml_list",
            Self::Sitemap => "sitemap",
            Self::Rdf => "rdf",
            Self::RssWithoutChannel => "rss_without_channel",
            Self::PropertyList => "property_list",
            Self::SearchDescription => "search_description",
            Self::Xml { .. } => "xml",
            Self::Json => "json",
            Self::PlainText => "plain_text",
            Self::Image { .. } => "image",
            Self::Pdf => "pdf",
            Self::Archive { .. } => "archive",
            Self::Audio => "audio",
            Self::MediaFile => "media_file",
            Self::Program => "program",
            Self::Font => "font",
        }
    }

    /// Returns the parameter of the message, if any: the root element or the name of the format.
    #[must_use]
    pub fn parameter(&self) -> Option<&str> {
        match self {
            Self::Xml { root } => Some(root),
            Self::Image { format } | Self::Archive { format } => Some(format),
            _ => None,
        }
    }
}

impl Display for DocumentKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::WebPage => f.write_str("a web page"),
            Self::Feed => f.write_str("a feed"),
            Self::OpmlList => f.write_str("an OPML list"),
            Self::Sitemap => f.write_str("a sitemap"),
            Self::Rdf => f.write_str("an RDF document without a feed"),
            Self::RssWithoutChannel => f.write_str("an RSS document without a channel"),
            Self::PropertyList => f.write_str("a property list"),
            Self::SearchDescription => f.write_str("a search engine description"),
            Self::Xml { root } => write!(f, "another XML document (<{root}>)"),
            Self::Json => f.write_str("another JSON document"),
            Self::PlainText => f.write_str("plain text"),
            Self::Image { format } => write!(f, "an image ({format})"),
            Self::Pdf => f.write_str("a PDF document"),
            Self::Archive { format } => write!(f, "an archive ({format})"),
            Self::Audio => f.write_str("an audio file"),
            Self::MediaFile => f.write_str("an audio, video or image file"),
            Self::Program => f.write_str("a program"),
            Self::Font => f.write_str("a font"),
        }
    }
}

/// Identifies a binary format by its first bytes.
pub(crate) fn binary(bytes: &[u8]) -> Option<DocumentKind> {
    use DocumentKind::{Archive, Audio, Font, Image, MediaFile, Pdf, Program};
    const MAGIC: [(&[u8], DocumentKind); 19] = [
        (b"\x89PNG\r\n", Image { format: "PNG" }),
        (b"GIF8", Image { format: "GIF" }),
        (b"\xff\xd8\xff", Image { format: "JPEG" }),
        (b"BM", Image { format: "BMP" }),
        (b"\0\0\x01\0", Image { format: "ICO" }),
        (b"%PDF", Pdf),
        (b"PK\x03\x04", Archive { format: "ZIP" }),
        (b"\x1f\x8b", Archive { format: "gzip" }),
        (b"BZh", Archive { format: "bzip2" }),
        (b"\xfd7zXZ", Archive { format: "xz" }),
        (b"\x28\xb5\x2f\xfd", Archive { format: "Zstandard" }),
        (b"7z\xbc\xaf", Archive { format: "7-Zip" }),
        (b"Rar!", Archive { format: "RAR" }),
        (b"ID3", Audio),
        (b"OggS", MediaFile),
        (b"fLaC", Audio),
        (b"\x7fELF", Program),
        (b"wOFF", Font),
        (b"wOF2", Font),
    ];
    if let (Some(b"RIFF"), Some(b"WEBP")) = (bytes.get(..4), bytes.get(8..12)) {
        return Some(Image { format: "WebP" });
    }
    if bytes.get(4..8) == Some(b"ftyp") {
        return Some(MediaFile);
    }
    // "BM" alone may begin a text; a bitmap has four reserved zero bytes.
    let is_bitmap = bytes.get(6..10) == Some(&[0; 4]);
    MAGIC
        .into_iter()
        .find(|(magic, _)| bytes.starts_with(magic) && (*magic != b"BM" || is_bitmap))
        .map(|(_, kind)| kind)
}

/// Identifies an XML document by its root, or other text.
pub(crate) fn text(root: Option<&str>, text: &str) -> DocumentKind {
    let head: String = text.trim_start().chars().take(2000).collect::<String>().to_ascii_lowercase();
    let name = root.unwrap_or("").to_ascii_lowercase();
    match name.as_str() {
        "html" | "head" | "body" | "div" | "p" | "table" | "br" | "meta" | "script" | "title" => DocumentKind::WebPage,
        "opml" | "outline" => DocumentKind::OpmlList,
        "urlset" | "sitemapindex" => DocumentKind::Sitemap,
        "svg" => DocumentKind::Image { format: "SVG" },
        "rdf" => DocumentKind::Rdf,
        "rss" => DocumentKind::RssWithoutChannel,
        "plist" => DocumentKind::PropertyList,
        "opensearchdescription" => DocumentKind::SearchDescription,
        _ if head.contains("<!doctype html") || head.contains("<html") => DocumentKind::WebPage,
        "" if head.starts_with(['{', '[']) => DocumentKind::Json,
        "" => DocumentKind::PlainText,
        _ => DocumentKind::Xml { root: root.unwrap_or("").chars().take(40).collect() },
    }
}

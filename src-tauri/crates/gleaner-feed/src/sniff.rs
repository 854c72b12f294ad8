//! What a document is when it is no feed, in words for a person.

/// What [`crate::NotAFeed::Other`] calls a web page.
pub const WEB_PAGE: &str = "a web page";

/// Known by its first bytes, before anything is decoded.
pub(crate) fn binary(bytes: &[u8]) -> Option<&'static str> {
    const MAGIC: [(&[u8], &str); 19] = [
        (b"\x89PNG\r\n", "a PNG image"),
        (b"GIF8", "a GIF image"),
        (b"\xff\xd8\xff", "a JPEG image"),
        (b"BM", "a bitmap image"),
        (b"\0\0\x01\0", "an icon"),
        (b"%PDF", "a PDF document"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x1f\x8b", "a gzip archive"),
        (b"BZh", "a bzip2 archive"),
        (b"\xfd7zXZ", "an xz archive"),
        (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
        (b"7z\xbc\xaf", "a 7-Zip archive"),
        (b"Rar!", "a RAR archive"),
        (b"ID3", "an audio file"),
        (b"OggS", "an audio or video file"),
        (b"fLaC", "an audio file"),
        (b"\x7fELF", "a program"),
        (b"wOFF", "a font"),
        (b"wOF2", "a font"),
    ];
    if let (Some(b"RIFF"), Some(b"WEBP")) = (bytes.get(..4), bytes.get(8..12)) {
        return Some("a WebP image");
    }
    if bytes.get(4..8) == Some(b"ftyp") {
        return Some("an audio, video or image file");
    }
    MAGIC
        .iter()
        .find(|(magic, _)| bytes.starts_with(magic) && !(*magic == b"BM" && bytes.get(6..10) != Some(&[0; 4])))
        .map(|(_, what)| *what)
}

/// An XML document by its root, or whatever text it is.
pub(crate) fn text(root: Option<&str>, text: &str) -> String {
    let head: String = text.trim_start().chars().take(2000).collect::<String>().to_ascii_lowercase();
    let name = root.unwrap_or("").to_ascii_lowercase();
    let what = match name.as_str() {
        "html" | "head" | "body" | "div" | "p" | "table" | "br" | "meta" | "script" | "title" => WEB_PAGE,
        "opml" | "outline" => "an OPML list",
        "urlset" | "sitemapindex" => "a sitemap",
        "svg" => "an SVG image",
        "rdf" => "an RDF document without a feed",
        "rss" => "an RSS document without a channel",
        "plist" => "a property list",
        "opensearchdescription" => "a description of a search engine",
        _ if head.contains("<!doctype html") || head.contains("<html") => WEB_PAGE,
        "" if head.starts_with(['{', '[']) => "JSON of another kind",
        "" => "plain text",
        _ => {
            return format!(
                "an XML document of another kind (<{}>)",
                root.unwrap_or("").chars().take(40).collect::<String>()
            );
        }
    };
    what.to_owned()
}

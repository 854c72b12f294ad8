//! Namespaces. An element is identified by its namespace URI, never by the prefix. URIs are compared ignoring case,
//! scheme and trailing punctuation, since generators spell them in many ways.

/// A known or unknown namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Ns {
    /// No namespace.
    None,
    /// A namespace used for RSS 2.0 elements (userland and similar).
    Rss,
    Rss090,
    Rss10,
    Rss11,
    Rdf,
    Atom,
    Atom03,
    Content,
    Dc,
    DcTerms,
    Syndication,
    Slash,
    Wfw,
    Media,
    Itunes,
    Podcast,
    /// Podlove Simple Chapters.
    Chapters,
    Threading,
    FeedBurner,
    Taxonomy,
    CreativeCommons,
    /// `mod_enclosure` of RSS 1.0.
    Enclosure,
    RawVoice,
    /// Yandex News and Turbo pages, Rambler and Mail.ru: the full texts of articles.
    Yandex,
    History,
    /// Hints of publishers for readers (Feedly).
    WebFeeds,
    /// Metadata of journals.
    Prism,
    Admin,
    /// Hatena Bookmark, of Japan.
    Hatena,
    /// `source` of Scripting News.
    Source,
    /// Products and listings (Google Base, Google Merchant Center).
    Google,
    Xhtml,
    Xml,
    SvgOrMath,
    /// Any other namespace, numbered by first appearance in the document.
    Other(u16),
}

impl Ns {
    /// Returns the namespace of a URI, or `None` if unknown.
    pub(crate) fn of_uri(uri: &str) -> Option<Ns> {
        let uri = uri.trim();
        if uri.is_empty() {
            return Some(Ns::None);
        }
        let lower = uri.to_ascii_lowercase();
        let bare = lower.strip_prefix("https://").or_else(|| lower.strip_prefix("http://")).unwrap_or(&lower);
        let bare = bare.strip_prefix("www.").unwrap_or(bare).trim_end_matches(['/', '#', '.']);
        Some(match bare {
            "w3.org/2005/atom" | "purl.org/atom/ns/1.0" => Ns::Atom,
            "purl.org/atom/ns" | "example.com/newformat" | "example.com/necho" | "purl.org/echo" => Ns::Atom03,
            "uri/of/echo/namespace#" | "uri/of/echo/namespace" => Ns::Atom03,
            "backend.userland.com/rss"
            | "backend.userland.com/rss2"
            | "backend.userland.com/rss092"
            | "backend.userland.com/rss091"
            | "backend.userland.com/rss20"
            | "blogs.law.harvard.edu/tech/rss"
            | "cyber.law.harvard.edu/rss"
            | "rssboard.org/rss-specification" => Ns::Rss,
            "my.netscape.com/rdf/simple/0.9"
            | "channel.netscape.com/rdf/simple/0.9"
            | "my.netscape.com/rdf/simple/0.0" => Ns::Rss090,
            "purl.org/rss/1.0" | "my.netscape.com/rdf/simple/1.0" => Ns::Rss10,
            "purl.org/net/rss1.1" => Ns::Rss11,
            "w3.org/1999/02/22-rdf-syntax-ns" => Ns::Rdf,
            "purl.org/rss/1.0/modules/content" => Ns::Content,
            "purl.org/dc/elements/1.1" | "purl.org/dc/elements/1.0" | "purl.org/dc" => Ns::Dc,
            "purl.org/dc/terms" => Ns::DcTerms,
            "purl.org/rss/1.0/modules/syndication" => Ns::Syndication,
            "purl.org/rss/1.0/modules/slash" => Ns::Slash,
            "wellformedweb.org/commentapi" | "wfw.org/commentapi" => Ns::Wfw,
            "search.yahoo.com/mrss"
            | "video.search.yahoo.com/mrss"
            | "tools.search.yahoo.com/mrss"
            | "search.yahoo.com/mrss/" => Ns::Media,
            // Google's has the same elements.
            "google.com/schemas/play-podcasts/1.0" | "google.com/schemas/play-podcasts/1.0/play-podcasts.xsd" => {
                Ns::Itunes
            }
            "itunes.com/dtds/podcast-1.0.dtd" | "itunes.com/dtds/podcast" | "example.com/dtds/podcast-1.0.dtd" => {
                Ns::Itunes
            }
            "podcastindex.org/namespace/1.0"
            | "github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md" => Ns::Podcast,
            "podlove.org/simple-chapters" => Ns::Chapters,
            "purl.org/syndication/thread/1.0" => Ns::Threading,
            "rssnamespace.org/feedburner/ext/1.0" => Ns::FeedBurner,
            "purl.org/rss/1.0/modules/taxonomy" => Ns::Taxonomy,
            "backend.userland.com/creativecommonsrssmodule"
            | "cyber.law.harvard.edu/rss/creativecommonsrssmodule.html"
            | "web.resource.org/cc"
            | "creativecommons.org/ns" => Ns::CreativeCommons,
            "purl.oclc.org/net/rss_2.0/enc" => Ns::Enclosure,
            "rawvoice.com/rawvoicerssmodule" | "blubrry.com/developer/rawvoice-rss" => Ns::RawVoice,
            "news.yandex.ru" | "turbo.yandex.ru" | "news.rambler.ru" | "news.mail.ru" => Ns::Yandex,
            "purl.org/syndication/history/1.0" => Ns::History,
            "webfeeds.org/rss/1.0" => Ns::WebFeeds,
            "webns.net/mvcb" => Ns::Admin,
            "hatena.ne.jp/info/xmlns" => Ns::Hatena,
            "source.scripting.com" | "source.smallpict.com/2014/07/12/thesourcenamespace.html" => Ns::Source,
            "base.google.com/ns/1.0" => Ns::Google,
            "w3.org/1999/xhtml" => Ns::Xhtml,
            "w3.org/xml/1998/namespace" => Ns::Xml,
            "w3.org/2000/svg" | "w3.org/1998/math/mathml" => Ns::SvgOrMath,
            _ => return Ns::of_misremembered_uri(bare),
        })
    }

    /// Returns the namespace of a URI that was written from memory, or replaced by that of its specification, without its
    /// scheme and in lower case. Both are widespread, and the URI still names the vocabulary.
    fn of_misremembered_uri(bare: &str) -> Option<Ns> {
        let (host, path) = bare.split_once('/').unwrap_or((bare, ""));
        let last = path.rsplit('/').next().unwrap_or(path);
        Some(match (host, last) {
            ("purl.org", _) if path.contains("dc/elements") => Ns::Dc,
            ("purl.org", "content") if path.starts_with("rss/") => Ns::Content,
            ("purl.org", "slash") if path.starts_with("rss/") => Ns::Slash,
            ("purl.org", "syndication") if path.starts_with("rss/") => Ns::Syndication,
            ("dublincore.org", _) if path.starts_with("documents/") => Ns::Dc,
            ("rssboard.org", "media-rss") => Ns::Media,
            ("search.yahoo.com", _) if path.starts_with("mrss") || path == "rss" => Ns::Media,
            ("itunes.com" | "itunes.apple.com", "podcast-1.0.dtd") => Ns::Itunes,
            ("w3.org", "rec-rdf-syntax") => Ns::Rdf,
            ("prismstandard.org", _) if path.starts_with("namespaces/") => Ns::Prism,
            ("podcastindex.org", _) => Ns::Podcast,
            ("github.com", _) if path.starts_with("podcastindex-org/podcast-namespace") => Ns::Podcast,
            _ => {
                let (_, ns) = CORE.iter().find(|(uri, _)| is_one_letter_off(bare, uri))?;
                *ns
            }
        })
    }

    /// Returns the usual namespace of a prefix, for documents that do not declare it.
    pub(crate) fn of_usual_prefix(prefix: &str) -> Option<Ns> {
        Some(match prefix.to_ascii_lowercase().as_str() {
            "xml" => Ns::Xml,
            "atom" | "atom10" | "a10" => Ns::Atom,
            "rdf" => Ns::Rdf,
            "content" => Ns::Content,
            "dc" => Ns::Dc,
            "dcterms" => Ns::DcTerms,
            "sy" => Ns::Syndication,
            "slash" => Ns::Slash,
            "wfw" => Ns::Wfw,
            "media" => Ns::Media,
            "itunes" | "gplay" | "googleplay" => Ns::Itunes,
            "podcast" => Ns::Podcast,
            "psc" => Ns::Chapters,
            "thr" => Ns::Threading,
            "feedburner" => Ns::FeedBurner,
            "taxo" => Ns::Taxonomy,
            "yandex" | "turbo" | "rambler" | "mailru" => Ns::Yandex,
            "creativecommons" | "cc" => Ns::CreativeCommons,
            "rawvoice" => Ns::RawVoice,
            "webfeeds" => Ns::WebFeeds,
            "prism" => Ns::Prism,
            "fh" => Ns::History,
            "admin" => Ns::Admin,
            "hatena" => Ns::Hatena,
            "xhtml" | "html" => Ns::Xhtml,
            "svg" | "math" => Ns::SvgOrMath,
            "source" => Ns::Source,
            "g" => Ns::Google,
            _ => return None,
        })
    }

    /// Whether RSS elements, of any version, belong to this namespace.
    pub(crate) fn is_rss(self) -> bool {
        matches!(self, Ns::None | Ns::Rss | Ns::Rss090 | Ns::Rss10 | Ns::Rss11)
    }

    pub(crate) fn is_atom(self) -> bool {
        matches!(self, Ns::Atom | Ns::Atom03)
    }
}

/// The URIs of the formats, without which a feed has no elements.
const CORE: [(&str, Ns); 4] = [
    ("w3.org/2005/atom", Ns::Atom),
    ("purl.org/rss/1.0", Ns::Rss10),
    ("my.netscape.com/rdf/simple/0.9", Ns::Rss090),
    ("w3.org/1999/02/22-rdf-syntax-ns", Ns::Rdf),
];

/// Beginnings of the URI of a format, or their remainder if a letter is damaged.
const BEFORE_CORE: [&str; 6] = ["", "www.", "http://", "http://www.", "https://", "https://www."];

/// Whether a URI differs from another one, after one of these beginnings, by one wrong, missing or extra letter.
fn is_one_letter_off(uri: &str, other: &str) -> bool {
    BEFORE_CORE.iter().any(|before| {
        let length = before.len() + other.len();
        uri.len().abs_diff(length) <= 1 && {
            let letters = || before.bytes().chain(other.bytes());
            let start = uri.bytes().zip(letters()).take_while(|(a, b)| a == b).count();
            let end = uri.bytes().rev().zip(letters().rev()).take_while(|(a, b)| a == b).count();
            start + end + 1 >= uri.len().max(length)
        }
    })
}

/// The namespaces of a document; caches the result for each URI.
#[derive(Debug, Default)]
pub(crate) struct Namespaces {
    seen: Vec<(Box<str>, Ns)>,
    others: u16,
}

impl Namespaces {
    pub(crate) fn resolve(&mut self, uri: &str) -> Ns {
        if uri.is_empty() {
            return Ns::None;
        }
        if let Some((_, ns)) = self.seen.iter().find(|(known, _)| &**known == uri) {
            return *ns;
        }
        let ns = Ns::of_uri(uri).unwrap_or_else(|| {
            self.others = self.others.saturating_add(1);
            Ns::Other(self.others)
        });
        // Limits the list, and so the search time, for documents with a new namespace in each element.
        if self.seen.len() < 64 {
            self.seen.push((uri.into(), ns));
        }
        ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_a_uri_are_the_same_namespace() {
        for uri in
            ["http://purl.org/dc/elements/1.1/", "http://purl.org/dc/elements/1.1", "HTTP://PURL.ORG/DC/elements/1.1/"]
        {
            assert_eq!(Ns::of_uri(uri), Some(Ns::Dc));
        }
        assert_eq!(Ns::of_uri("urn:something"), None);
    }

    #[test]
    fn a_wrong_letter_in_the_namespace_of_a_format_changes_nothing() {
        for (uri, ns) in [
            ("http://purl.org/rss/1.0/", Ns::Rss10),
            ("http://www.w3.org/1999/02/22-rdf-syntax-ns#", Ns::Rdf),
            ("http://www.w3.org/2005/Atom", Ns::Atom),
        ] {
            for at in 0..uri.len() {
                let mut damaged = uri.to_owned();
                damaged.remove(at);
                // Without the last digit, it could be any version.
                if damaged.ends_with("1./") {
                    continue;
                }
                assert_eq!(Ns::of_uri(&damaged), Some(ns), "{damaged}");
            }
        }
        assert_eq!(Ns::of_uri("http://my.netscape.com/rdf/simple/0.91/"), Some(Ns::Rss090));
        assert_eq!(Ns::of_uri("http://www.w3.org/TR/REC-rdf-syntax#"), Some(Ns::Rdf));
        for uri in ["http://www.w3.org/2005/Atom/x", "http://purl.org/rss/1.0/modules/x/", "urn:x"] {
            assert_eq!(Ns::of_uri(uri), None, "{uri}");
        }
    }

    #[test]
    fn a_misremembered_uri_is_the_namespace_that_it_names() {
        for (uri, ns) in [
            ("http://purl.org/rss/modules/content/", Ns::Content),
            ("http://purl.org/rss/1.0/content/", Ns::Content),
            ("http://purl.org/rss/1.0/modules/dc/elements/1.1/", Ns::Dc),
            ("http://dublincore.org/documents/dcmi-namespace/", Ns::Dc),
            ("http://www.rssboard.org/media-rss", Ns::Media),
            ("http://search.yahoo.com/rss/", Ns::Media),
            ("http://itunes.apple.com/dtds/podcast-1.0.dtd", Ns::Itunes),
            ("https://podcastindex.org/podcast1.0", Ns::Podcast),
        ] {
            assert_eq!(Ns::of_uri(uri), Some(ns), "{uri}");
        }
        for uri in ["http://purl.org/content", "http://example.com/modules/content", "https://rssboard.org/", "content"]
        {
            assert_eq!(Ns::of_uri(uri), None, "{uri}");
        }
    }

    #[test]
    fn unknown_namespaces_differ() {
        let mut namespaces = Namespaces::default();
        let one = namespaces.resolve("urn:one");
        assert_ne!(one, namespaces.resolve("urn:two"));
        assert_eq!(one, namespaces.resolve("urn:one"));
    }
}

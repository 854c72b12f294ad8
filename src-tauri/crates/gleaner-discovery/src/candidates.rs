//! Candidates for feeds from a page's links and anchors, and their order.

use crate::page::{Page, Reference};
use crate::{Found, From, in_scripts, languages, sites};
use gleaner_feed::{Context, NotAFeed};
use std::collections::HashSet;
use url::{Url, form_urlencoded};

/// Returns the feeds of a document without fetching them: the document itself if it is a feed; or else those that its `<link>`s and the
/// site's rules name; or else its anchors. Without duplicates, feeds of comments last. Pure.
pub fn in_page(html: &[u8], content_type: Option<&str>, base: &Url) -> Vec<Found> {
    if let Ok(found) = itself(html, content_type, base) {
        return vec![found];
    }
    let page = Page::read(html, content_type, base);
    let mut found = linked(&page);
    found.extend(sites::feeds(base, Some(&page), !found.is_empty()));
    if found.is_empty() {
        found = anchored(&page, base);
    }
    languages::named(ranked(found))
}

/// Returns the replacement for a feed that used to be at this address: the first feed that the page's `<link>`s name, except feeds of
/// comments and of parts of the site. Pure.
pub fn offered(html: &[u8], content_type: Option<&str>, base: &Url) -> Option<Found> {
    let page = Page::read(html, content_type, base);
    ranked(linked(&page)).into_iter().find(|found| !is_of_comments(found) && !is_of_part(&found.url))
}

/// Returns the document as a feed.
///
/// # Errors
/// [`NotAFeed`] if it is none.
pub(crate) fn itself(bytes: &[u8], content_type: Option<&str>, url: &Url) -> Result<Found, NotAFeed> {
    let context = Context { content_type, base_url: Some(url.as_str()) };
    let parsed = gleaner_feed::parse(bytes, context)?;
    let mime_type = content_type.map(essence).filter(|value| !value.is_empty());
    let found = Found::new(url.clone(), parsed.feed.title.clone(), mime_type, From::SelfFeed);
    Ok(Found { parsed: Some(Box::new(parsed)), ..found })
}

/// Returns a media type without its parameters.
pub(crate) fn essence(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Returns the feeds that `<link>`s name, in document order.
pub(crate) fn linked(page: &Page) -> Vec<Found> {
    let mut found: Vec<Found> =
        page.links.iter().filter(|link| is_feed_link(link)).map(|link| found(link, From::Link)).collect();
    languages::compare(&mut found, page.language.as_deref());
    found
}

/// Returns the anchors that look like feeds, in document order, except those to the page itself. Without any, those that scripts name,
/// then those to XML files.
pub(crate) fn anchored(page: &Page, base: &Url) -> Vec<Found> {
    let other_page = |anchor: &&Reference| without_fragment(&anchor.url) != without_fragment(base);
    let anchors = page.anchors.iter().filter(other_page);
    let found: Vec<Found> = anchors
        .clone()
        .filter_map(|anchor| match is_other_service(&anchor.url) {
            // The title is that of the button.
            true => Some(Found { url: subscribed(&anchor.url)?, title: None, ..found(anchor, From::Anchor) }),
            false => is_feed_anchor(anchor).then(|| found(anchor, From::Anchor)),
        })
        .collect();
    if !found.is_empty() {
        return found;
    }
    let named = in_scripts::addresses(&page.text)
        .into_iter()
        .filter(|url| without_fragment(url) != without_fragment(base))
        .map(|url| Found::new(url, None, None, From::Anchor));
    let files = anchors.filter(|anchor| is_xml_file(&anchor.url)).take(MAX_XML_FILES);
    named.chain(files.map(|anchor| self::found(anchor, From::Anchor))).collect()
}

/// Whether an address names an XML file that is not one for search engines or programs.
fn is_xml_file(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    let name = path.rsplit('/').next().and_then(|last| last.strip_suffix(".xml"));
    name.is_some_and(|name| {
        !["sitemap", "opensearch", "manifest", "config", "schema"].iter().any(|word| name.contains(word))
    })
}

fn found(reference: &Reference, from: From) -> Found {
    let text = Some(&reference.text).filter(|text| from == From::Anchor && !text.is_empty());
    let title = reference.title.clone().or_else(|| text.cloned());
    let mime_type = reference.mime_type.clone().filter(|value| value.contains('/'));
    let language = reference.language.clone();
    Found { language, ..Found::new(without_fragment(&reference.url), title, mime_type, from) }
}

fn without_fragment(url: &Url) -> Url {
    let mut url = url.clone();
    url.set_fragment(None);
    url
}

/// Whether a media type is that of a feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Feed,
    /// XML or JSON, which may be a feed.
    Maybe,
    Other,
}

fn kind(mime_type: &str) -> Kind {
    match mime_type {
        "application/feed+json"
        | "application/rss"
        | "text/rss"
        | "rss"
        | "application/atom"
        | "text/atom"
        | "atom" => Kind::Feed,
        "application/json" | "text/xml" | "application/xml" | "application/rdf+xml" | "text/rdf" => Kind::Maybe,
        // application/rss+xml, application/atom+xml and their variants: x.atom+xml, x-rss+xml, text/rss+xml.
        _ if mime_type.ends_with("+oembed") => Kind::Other,
        _ if mime_type.ends_with("xml") && (mime_type.contains("rss") || mime_type.contains("atom")) => Kind::Feed,
        _ => Kind::Other,
    }
}

fn is_feed_link(link: &Reference) -> bool {
    let kind = link.mime_type.as_deref().map(kind);
    let Some(rel) = &link.rel else { return kind == Some(Kind::Feed) && !link.version };
    let has = |token: &str| rel.iter().any(|word| word == token);
    if has("stylesheet") || has("icon") || !(has("alternate") || has("feed")) {
        return false;
    }
    match kind {
        Some(Kind::Feed) => true,
        // WordPress links to its API and oEmbed like to a JSON Feed.
        Some(Kind::Maybe) if link.mime_type.as_deref() == Some("application/json") => {
            !is_api(&link.url) && !link.version
        }
        Some(Kind::Maybe) => {
            let has_title =
                || link.mime_type.as_deref() == Some("text/xml") && link.title.as_deref().is_some_and(is_feed_text);
            let is_named = mentions_feed(&link.url) || has_title();
            !is_other_file(&link.url) && !link.version && is_named
        }
        Some(Kind::Other) => false,
        None => has("feed") || (!link.version && looks_like_feed(&link.url)),
    }
}

fn is_api(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    path.contains("/wp-json")
        || path.contains("oembed")
        || url.query().is_some_and(|query| query.contains("rest_route="))
}

/// Maximum number of links to XML files that are tried if no link looks like a feed.
const MAX_XML_FILES: usize = 3;
const FILE_NAMES: [&str; 10] =
    ["feed", "feeds", "rss", "rss1", "rss2", "atom", "index", "rss-feed", "blog-feed", "rssfeed"];
const LAST_WORDS: [&str; 7] = ["feed", "rss", "rss2", "atom", "rss.php", "feed.php", "feed.json"];

/// Whether an address alone suggests a feed.
pub(crate) fn looks_like_feed(url: &Url) -> bool {
    let path = url.path().trim_end_matches('/').to_ascii_lowercase();
    let last = path.rsplit('/').next().unwrap_or_default();
    let by_name = match last.rsplit_once('.') {
        Some((_, "rss" | "atom" | "rdf")) => true,
        Some((name, "xml" | "json")) => {
            FILE_NAMES.contains(&name) || name.ends_with("feed") || name.ends_with("rss") || name.ends_with("atom")
        }
        _ => false,
    };
    let index_json = last == "index.json";
    let blogger = path.ends_with("/feeds/posts/default");
    (by_name && !index_json) || LAST_WORDS.contains(&last) || blogger || by_query(url) || is_feed_host(url)
}

/// Whether an address contains a word for feeds anywhere, for links whose type is only XML.
fn mentions_feed(url: &Url) -> bool {
    let text = format!("{}?{}", url.path(), url.query().unwrap_or_default()).to_ascii_lowercase();
    ["rss", "atom", "feed", "rdf", "syndication", ".xml", "backend"].iter().any(|word| text.contains(word))
}

/// Whether the host serves feeds: `feeds.example.com` or a feed hosting service; front pages excepted.
fn is_feed_host(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let known = ["feeds2.feedburner.com", "feedpress.me", "feed.podbean.com"];
    (host.starts_with("feeds.") || host.starts_with("rss.") || known.contains(&host)) && url.path().len() > 1
}

fn by_query(url: &Url) -> bool {
    url.query_pairs().any(|(name, value)| {
        let value = value.to_ascii_lowercase();
        let format = matches!(value.as_str(), "rss" | "rss2" | "atom" | "rdf" | "feed" | "jsonfeed");
        match name.to_ascii_lowercase().as_str() {
            "feed" => format || value.is_empty(),
            // TYPO3's page type for its news feed.
            "type" if value == "100" => true,
            "format" | "type" | "alt" | "output" | "_format" | "action" | "t" | "view" => format,
            _ => false,
        }
    })
}

/// Whether an address is another kind of file.
fn is_other_file(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    let last = path.rsplit('/').next().unwrap_or_default();
    last.contains("sitemap")
        || last.rsplit_once('.').is_some_and(|(_, extension)| {
            matches!(
                extension,
                "png"
                    | "gif"
                    | "jpg"
                    | "jpeg"
                    | "svg"
                    | "webp"
                    | "pdf"
                    | "zip"
                    | "gz"
                    | "mp3"
                    | "mp4"
                    | "css"
                    | "js"
                    | "opml"
            )
        })
}

fn is_feed_anchor(anchor: &Reference) -> bool {
    if is_other_file(&anchor.url) || is_api(&anchor.url) {
        return false;
    }
    anchor.is_marked
        || anchor.mime_type.as_deref().is_some_and(|value| kind(value) == Kind::Feed)
        || looks_like_feed(&anchor.url)
        || is_in_rss_folder(&anchor.url)
        || is_feed_text(&anchor.text)
        || anchor.title.as_deref().is_some_and(is_feed_text)
}

/// Whether an address is in a folder of feeds, as on sites with a feed for each topic.
fn is_in_rss_folder(url: &Url) -> bool {
    let path = url.path().trim_end_matches('/').to_ascii_lowercase();
    path.rsplit('/').skip(1).any(|folder| folder == "rss")
}

/// Returns the address of the feed that the address of another reader's button contains.
fn subscribed(url: &Url) -> Option<Url> {
    let feed = |text: &str| {
        let start = ["https://", "http://"].iter().filter_map(|scheme| text.find(scheme)).min()?;
        Url::parse(&text[start..]).ok().filter(Url::has_host)
    };
    let rest = &url[url::Position::BeforePath..];
    if url.host_str().is_some_and(|host| host.ends_with("subscribeonandroid.com")) {
        // The address without its scheme. The site's own pages are paths without a host.
        let is_host = |url: &Url| url.domain().is_some_and(|host| host.contains('.'));
        return Url::parse(&format!("https:/{rest}")).ok().filter(is_host);
    }
    // In a parameter, or else at the end as written, or else encoded as a part of the path or fragment.
    url.query_pairs()
        .find_map(|(_, value)| feed(&value))
        .or_else(|| feed(rest))
        .or_else(|| form_urlencoded::parse(rest.replace('+', "%2B").as_bytes()).find_map(|(part, _)| feed(&part)))
}

/// Whether an address belongs to another reader: its subscribe buttons contain the feed's address.
fn is_other_service(url: &Url) -> bool {
    const READERS: [&str; 10] = [
        "feedly.com",
        "inoreader.com",
        "newsblur.com",
        "netvibes.com",
        "subscribeonandroid.com",
        "theoldreader.com",
        "add.my.yahoo.com",
        "bloglovin.com",
        "wikipedia.org",
        "validator.w3.org",
    ];
    let host = url.host_str().unwrap_or_default();
    READERS.iter().any(|reader| host == *reader || host.strip_suffix(reader).is_some_and(|rest| rest.ends_with('.')))
}

/// Whether the text of a link names a feed: "RSS", "Subscribe (RSS)", "Blog Atom feed", but not "What is RSS?".
fn is_feed_text(text: &str) -> bool {
    const QUESTIONS: [&str; 14] = [
        "what", "how", "why", "about", "help", "is", "reader", "readers", "using", "guide", "was", "ist", "hilfe",
        "aide",
    ];
    let lower = text.to_lowercase();
    let words = words(&lower);
    let names = words.iter().any(|word| matches!(*word, "rss" | "rss2" | "atom" | "rdf" | "xml"))
        || matches!(words[..], ["feed"] | ["feeds"] | ["json", "feed"] | ["web", "feed"] | ["news", "feed"]);
    // "Subscribe to our RSS feed for news and updates"
    let is_invitation = words.windows(2).any(|pair| {
        matches!(pair, ["rss" | "atom", "feed" | "feeds"] | ["flux" | "feed" | "canal" | "fuente" | "kanal", "rss"])
    });
    let most = if is_invitation { 10 } else { 5 };
    names && words.len() <= most && !lower.contains('?') && !words.iter().any(|word| QUESTIONS.contains(word))
}

/// Returns the words of a text. Scripts without spaces are not part of a Latin word: "RSSフィード" has two.
fn words(text: &str) -> Vec<&str> {
    let is_east_asian = |c: char| c >= '\u{2e80}';
    let mut words = Vec::new();
    for part in text.split(|c: char| !c.is_alphanumeric()) {
        let mut rest = part;
        while let Some(first) = rest.chars().next() {
            let end = rest.find(|c| is_east_asian(c) != is_east_asian(first)).unwrap_or(rest.len());
            words.push(&rest[..end]);
            rest = &rest[end..];
        }
    }
    words
}

/// Maximum number of feeds that are offered; a longer list is of no use.
const MAX_CANDIDATES: usize = 500;

/// Returns the candidates without duplicates, best first. The sort is stable: the page's order decides among equals.
pub(crate) fn ranked(found: Vec<Found>) -> Vec<Found> {
    let mut known = HashSet::new();
    let mut unique: Vec<Found> = found.into_iter().filter(|candidate| known.insert(candidate.url.clone())).collect();
    unique.sort_by_key(|candidate| (rank(candidate), candidate.is_other_language));
    unique.truncate(MAX_CANDIDATES);
    unique
}

fn rank(found: &Found) -> u8 {
    let maybe = found.from == From::Link && found.mime_type.as_deref().is_some_and(|value| kind(value) == Kind::Maybe);
    let plain_json = found.mime_type.as_deref() == Some("application/json");
    match () {
        () if is_of_comments(found) => 3,
        () if is_of_part(&found.url) => 2,
        () if maybe && !plain_json => 1,
        () => 0,
    }
}

/// Words for comments, in lower case; only the singular if the plural begins with it.
pub(crate) const COMMENTS: [&str; 14] = [
    "comment",
    "kommentar",
    "commentaire",
    "comentario",
    "comentário",
    "commenti",
    "reacties",
    "komentar",
    "komentář",
    "комментари",
    "коментар",
    "コメント",
    "评论",
    "댓글",
];

fn is_of_comments(found: &Found) -> bool {
    let about = |text: &str| {
        let lower = text.to_lowercase();
        COMMENTS.iter().any(|word| lower.contains(word))
    };
    let path = found.url.path().to_ascii_lowercase();
    let by_path = path.split('/').any(|segment| {
        matches!(
            segment,
            "comments" | "comments-feed" | "comments.xml" | "comments.rss" | "comments.atom" | "comments-rss2"
        )
    });
    by_path
        || found.url.query().is_some_and(|query| query.contains("comments"))
        || found.title.as_deref().is_some_and(about)
        || found.parsed.as_ref().and_then(|parsed| parsed.feed.title.as_deref()).is_some_and(|title| {
            let lower = title.to_lowercase();
            lower.starts_with("comments on") || lower.starts_with("comments for") || lower.starts_with("kommentare zu")
        })
}

/// Whether a feed is only for a category, tag or author.
fn is_of_part(url: &Url) -> bool {
    let mut segments = url.path().split('/').map(str::to_ascii_lowercase);
    segments.any(|segment| matches!(segment.as_str(), "category" | "tag" | "tags" | "author" | "search"))
}

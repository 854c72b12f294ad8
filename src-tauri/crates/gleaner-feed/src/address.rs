//! URLs in feeds: trimmed, and never with a scheme that runs code.

use url::Url;

/// Whether opening a URL of this scheme would run code or display an embedded document.
fn runs_code(url: &str) -> bool {
    // Like browsers, ignores control characters and white space within the scheme.
    let scheme: String = url
        .chars()
        .filter(|c| !c.is_control() && !c.is_whitespace())
        .take_while(|c| *c != ':')
        .take(16)
        .flat_map(char::to_lowercase)
        .collect();
    matches!(
        scheme.as_str(),
        "javascript"
            | "vbscript"
            | "data"
            | "livescript"
            | "mocha"
            | "jscript"
            | "view-source"
            | "jar"
            | "about"
            | "blob"
    ) && url.contains(':')
}

/// Removes surrounding white space and line breaks (RFC 3986, appendix C), also those that are invisible.
fn normalize(url: &str) -> String {
    let is_blank = |c: char| c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
    let mut url: String =
        url.trim_matches(is_blank).chars().filter(|c| !matches!(c, '\n' | '\r' | '\t') && *c != '\0').collect();
    // An ampersand that was escaped twice; no parameter is named `amp;`.
    for escaped in ["&amp;", "&#38;", "&#038;", "&#x26;"] {
        if url.contains(escaped) {
            url = url.replace(escaped, "&");
        }
    }
    url
}

pub(crate) fn has_scheme(url: &str) -> bool {
    url.find(':').is_some_and(|at| {
        let scheme = url.get(..at).unwrap_or("");
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    })
}

/// Whether a URL without a scheme begins with the name of a host, such as `www.example.com`.
fn is_host(url: &str) -> bool {
    let host = url.split(['/', '?', '#']).next().unwrap_or(url);
    let begins = host.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."));
    begins && host.matches('.').count() > 1 && !host.contains(char::is_whitespace)
}

/// Returns the trimmed URL. `None` if it is empty or has a scheme that can run code.
pub(crate) fn normalized(url: &str) -> Option<String> {
    let mut url = normalize(url);
    if is_host(&url) {
        url.insert_str(0, "http://");
    }
    (!url.is_empty() && !runs_code(&url)).then_some(url)
}

/// Schemes of addresses of feeds.
const FEED_SCHEMES: [&str; 6] = ["feed:", "rss:", "itpc:", "pcast:", "web+feed:", "podcast:"];

/// Whether an address has a scheme that only feeds have.
#[must_use]
pub fn has_feed_scheme(text: &str) -> bool {
    FEED_SCHEMES.iter().any(|prefix| text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix)))
}

/// Removes `feed:`, `feed://` and the equivalent schemes of other readers.
#[must_use]
pub fn without_feed_scheme(text: &str) -> String {
    for prefix in FEED_SCHEMES {
        let Some(rest) = text.get(..prefix.len()).filter(|start| start.eq_ignore_ascii_case(prefix)) else { continue };
        let rest = &text[rest.len()..];
        let bare = rest.trim_start_matches('/');
        if let Some((scheme, after)) = bare.split_once(':')
            && ["http", "https"].iter().any(|web| scheme.eq_ignore_ascii_case(web))
        {
            return format!("{}:{after}", scheme.to_ascii_lowercase());
        }
        // `feed://` means http; servers with https redirect.
        return if rest.starts_with("//") { format!("http://{bare}") } else { bare.to_owned() };
    }
    text.to_owned()
}

/// Returns the web address of a feed in a list of subscriptions: without a scheme of readers, and with `https:` if the
/// scheme is missing. Other addresses, such as files and commands, stay as they are.
#[must_use]
pub fn subscription_url(written: &str) -> String {
    let url = without_feed_scheme(&normalize(written));
    if let Some(rest) = url.strip_prefix("//") {
        return format!("https://{rest}");
    }
    let (host, path) = url.split_once('/').unwrap_or((&url, ""));
    let host = host.trim_end_matches(|c: char| c.is_ascii_digit()).strip_suffix(':').unwrap_or(host);
    let is_host = |host: &str| {
        let mut parts = host.split('.');
        let is_part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '-');
        parts.next().is_some_and(is_part) && parts.clone().next().is_some() && parts.all(is_part)
    };
    let is_web = is_host(host) && (!path.is_empty() || host.to_ascii_lowercase().starts_with("www."));
    if is_web { format!("https://{url}") } else { url }
}

/// Parses a URL that relative URLs can be resolved against.
pub(crate) fn base(url: &str) -> Option<Url> {
    Url::parse(url).ok().filter(|parsed| !parsed.cannot_be_a_base() && !runs_code(url))
}

/// Whether the text looks like a web address.
pub(crate) fn is_web(url: &str) -> bool {
    let lower = url.trim_start().get(..8).unwrap_or(url).to_ascii_lowercase();
    (lower.starts_with("http://") || lower.starts_with("https://")) && !url.trim().contains(char::is_whitespace)
}

/// Whether the text begins with a scheme.
pub(crate) fn is_absolute(url: &str) -> bool {
    has_scheme(url) && !runs_code(url)
}

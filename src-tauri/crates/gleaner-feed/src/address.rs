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

/// Removes surrounding white space and line breaks (RFC 3986, appendix C).
fn normalize(url: &str) -> String {
    let url: String = url.trim().chars().filter(|c| !matches!(c, '\n' | '\r' | '\t') && *c != '\0').collect();
    // An ampersand that was escaped twice; no parameter is named `amp;`.
    if url.contains("&amp;") { url.replace("&amp;", "&") } else { url }
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

//! URLs in feeds: trimmed, made absolute, and never with a scheme that runs code.

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

fn has_scheme(url: &str) -> bool {
    url.find(':').is_some_and(|at| {
        let scheme = url.get(..at).unwrap_or("");
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    })
}

/// Returns the trimmed URL, made absolute if a base is known. `None` if it is empty or has a scheme that can run code.
pub(crate) fn absolute(url: &str, base: Option<&str>) -> Option<String> {
    let url = normalize(url);
    if url.is_empty() || runs_code(&url) {
        return None;
    }
    if has_scheme(&url) {
        return Some(url);
    }
    let Some(base) = base.and_then(|b| Url::parse(b).ok()).filter(|b| !b.cannot_be_a_base()) else { return Some(url) };
    match base.join(&url) {
        Ok(joined) => Some(joined.into()),
        Err(_) => Some(url),
    }
}

/// Whether relative URLs can be resolved against this one.
pub(crate) fn can_be_base(url: &str) -> bool {
    Url::parse(url).is_ok_and(|u| !u.cannot_be_a_base() && !runs_code(url))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_schemes_that_run_code() {
        for url in ["javascript:alert(1)", " JaVaScript:x", "java\nscript:x", "data:text/html,x", "vbscript:x", ""] {
            assert_eq!(absolute(url, Some("http://a/")), None, "{url}");
        }
    }

    #[test]
    fn resolves_relative_addresses() {
        assert_eq!(absolute("../x?y", Some("http://a/b/c/d")).as_deref(), Some("http://a/b/x?y"));
        assert_eq!(absolute("//b/x", Some("https://a/")).as_deref(), Some("https://b/x"));
        assert_eq!(absolute("x", None).as_deref(), Some("x"));
        assert_eq!(absolute("news:comp.x", Some("http://a/")).as_deref(), Some("news:comp.x"));
        assert_eq!(absolute("HTTP://A/ b", None).as_deref(), Some("HTTP://A/ b"));
    }
}

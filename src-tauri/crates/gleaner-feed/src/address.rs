//! URLs as feeds write them: trimmed, made absolute, and never of a scheme that runs code.

use url::Url;

/// Whether a URL of this kind would run code or carry a document of its own when opened.
fn runs_code(url: &str) -> bool {
    // As browsers do: controls and white space inside the scheme do not count.
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

/// Tidies the text of a URL: white space around it and line breaks within it go (RFC 3986, appendix C).
fn tidy(url: &str) -> String {
    let url: String = url.trim().chars().filter(|c| !matches!(c, '\n' | '\r' | '\t') && *c != '\0').collect();
    // An ampersand that was escaped once too often; no parameter is called `amp;`.
    if url.contains("&amp;") { url.replace("&amp;", "&") } else { url }
}

fn has_scheme(url: &str) -> bool {
    url.find(':').is_some_and(|at| {
        let scheme = url.get(..at).unwrap_or("");
        scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    })
}

/// The URL as the feed wrote it, made absolute where it is relative and a base is known. `None` when it is empty or of a
/// scheme that can run code.
pub(crate) fn absolute(url: &str, base: Option<&str>) -> Option<String> {
    let url = tidy(url);
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

/// Whether others can be resolved against this one.
pub(crate) fn can_be_base(url: &str) -> bool {
    Url::parse(url).is_ok_and(|u| !u.cannot_be_a_base() && !runs_code(url))
}

/// Whether a text is a web address by its looks.
pub(crate) fn is_web(url: &str) -> bool {
    let lower = url.trim_start().get(..8).unwrap_or(url).to_ascii_lowercase();
    (lower.starts_with("http://") || lower.starts_with("https://")) && !url.trim().contains(char::is_whitespace)
}

/// Whether a text begins with a scheme and so may be opened.
pub(crate) fn is_absolute(url: &str) -> bool {
    has_scheme(url) && !runs_code(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_no_address() {
        for url in ["javascript:alert(1)", " JaVaScript:x", "java\nscript:x", "data:text/html,x", "vbscript:x", ""] {
            assert_eq!(absolute(url, Some("http://a/")), None, "{url}");
        }
    }

    #[test]
    fn relative_addresses_hang_on_the_base() {
        assert_eq!(absolute("../x?y", Some("http://a/b/c/d")).as_deref(), Some("http://a/b/x?y"));
        assert_eq!(absolute("//b/x", Some("https://a/")).as_deref(), Some("https://b/x"));
        assert_eq!(absolute("x", None).as_deref(), Some("x"));
        assert_eq!(absolute("news:comp.x", Some("http://a/")).as_deref(), Some("news:comp.x"));
        assert_eq!(absolute("HTTP://A/ b", None).as_deref(), Some("HTTP://A/ b"));
    }
}

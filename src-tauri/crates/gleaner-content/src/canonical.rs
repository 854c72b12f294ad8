//! The canonical form of a URL, by which two spellings of one address are known to be one.
//!
//! Seven rules: scheme and host in lower case; no default port; no slash at the end of a path; parameters in
//! alphabetical order of their names; no tracking parameters; nothing percent-encoded that need not be; no fragment
//! unless an application routes by it. All else stays, since it may mean something to the server.

use std::borrow::Cow;
use url::Url;

/// Parameters that say where a reader came from and nothing about what is read. The two that are words of their own
/// count only as they stand here.
const TRACKING: [&str; 2] = ["ref", "source"];

/// Names that trackers write, in whatever case.
#[rustfmt::skip]
const TRACKERS: [&str; 25] = [
    "fbclid", "gclid", "dclid", "gbraid", "wbraid", "msclkid", "twclid", "yclid", "ysclid", "igshid", "li_fat_id", "mc_cid", "mc_eid", "mkt_tok",
    "_hsenc", "_hsmi", "__hssc", "__hstc", "__hsfp", "hsctatracking", "vero_id", "oly_anon_id", "oly_enc_id", "_openstat", "wickedid",
];

/// What families of such names begin with: those of Google's and of Matomo's campaigns.
const FAMILIES: [&str; 2] = ["utm_", "mtm_"];

/// The canonical form of a URL; `None` where it is no absolute URL. Canonicalising twice is canonicalising once.
#[must_use]
pub fn canonical_url(url: &str) -> Option<String> {
    let mut url = Url::parse(url.trim()).ok()?;
    if url.scheme() == "file" {
        // The host before a drive's letter goes only when what was written is read again.
        url = Url::parse(url.as_str()).ok()?;
    }
    let fragment = url.fragment().filter(|f| f.starts_with('/') || f.starts_with("!/")).map(str::to_owned);
    url.set_fragment(None);
    if !url.has_host() {
        // Only what stands behind the scheme, which is not ours to read.
        return Some(with_fragment(String::from(url), fragment.as_deref()));
    }
    let query = url.query().map(canonical_query);
    // Decoding first: a path that ends in a slash only once decoded does not exist, %2F stays what it is.
    let path = unreserved(url.path()).into_owned();
    let trimmed = path.trim_end_matches('/');
    let path = if trimmed.is_empty() { "/" } else { trimmed };
    url.set_path(path);
    url.set_query(query.as_deref().filter(|query| !query.is_empty()));
    Some(with_fragment(String::from(url), fragment.as_deref()))
}

fn with_fragment(mut url: String, fragment: Option<&str>) -> String {
    if let Some(fragment) = fragment {
        url.push('#');
        url.push_str(fragment);
    }
    url
}

fn canonical_query(query: &str) -> String {
    let mut parameters: Vec<Cow<'_, str>> = query
        .split('&')
        .map(unreserved)
        .filter(|parameter| !parameter.is_empty() && !is_tracking(name(parameter)))
        .collect();
    // Stable: parameters of one name may mean something by their order.
    parameters.sort_by(|a, b| name(a).cmp(name(b)));
    parameters.join("&")
}

fn is_tracking(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    TRACKING.contains(&name)
        || TRACKERS.contains(&&*lower)
        || FAMILIES.iter().any(|start| lower.len() > start.len() && lower.starts_with(start))
}

fn name(parameter: &str) -> &str {
    parameter.split_once('=').map_or(parameter, |(name, _)| name)
}

/// With unreserved characters (RFC 3986 § 2.3) decoded and the hex digits of all others in upper case.
fn unreserved(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let code = rest.get(at + 1..at + 3).filter(|hex| hex.bytes().all(|b| b.is_ascii_hexdigit()));
        match code.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => {
                out.push(char::from(byte));
                rest = &rest[at + 3..];
            }
            Some(byte) => {
                out.push_str(&format!("%{byte:02X}"));
                rest = &rest[at + 3..];
            }
            None => {
                // Before digits that were decoded it would begin a code of its own.
                out.push_str("%25");
                rest = &rest[at + 1..];
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn is(url: &str, expected: &str) {
        assert_eq!(canonical_url(url).as_deref(), Some(expected), "{url}");
        assert_eq!(canonical_url(expected).as_deref(), Some(expected), "twice: {url}");
    }

    #[test]
    fn one_rule_each() {
        is("HTTP://Blog.Example/Some/Path", "http://blog.example/Some/Path");
        is("https://blog.example:443/x", "https://blog.example/x");
        is("https://blog.example/x///", "https://blog.example/x");
        is("https://blog.example/x?m=1&k=3&m=0", "https://blog.example/x?k=3&m=1&m=0");
        is("https://blog.example/x?fbclid=q&p=7&ref=feed", "https://blog.example/x?p=7");
        is("https://blog.example/x?UTM_Medium=q&mtm_kwd=a&utm_=1&Ref=2", "https://blog.example/x?Ref=2&utm_=1");
        is("https://blog.example/%6Fld%2f", "https://blog.example/old%2F");
        is("https://blog.example/x#part", "https://blog.example/x");
        is("https://blog.example/x#!/page/2", "https://blog.example/x#!/page/2");
    }

    #[test]
    fn what_is_no_absolute_url_has_none() {
        assert_eq!(canonical_url("/just/a/path"), None);
        assert_eq!(canonical_url(""), None);
    }

    #[test]
    fn other_schemes_stay() {
        is("MAILTO:Someone@blog.example", "mailto:Someone@blog.example");
        is("tag:blog.example,2026:1", "tag:blog.example,2026:1");
    }

    #[test]
    fn the_founding_cases() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../shared/conformance/seeds/urls.jsonl");
        let Ok(cases) = std::fs::read_to_string(path) else { return };
        let mut failed = Vec::new();
        for line in cases.lines() {
            let case: serde_json::Value = serde_json::from_str(line).unwrap();
            let input = case["in"].as_str().unwrap();
            let result = canonical_url(input);
            let found = result.as_deref();
            let right = found == case["canonical"].as_str()
                || case["also"].as_array().is_some_and(|also| also.iter().any(|a| a.as_str() == found));
            let again = found.and_then(canonical_url);
            if !right || again.as_deref() != found {
                failed.push(format!("{}: {found:?}, not {}", case["id"], case["canonical"]));
            }
        }
        assert!(failed.is_empty(), "{failed:#?}");
    }
}

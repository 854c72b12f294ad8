//! Computes the canonical form of a URL, which is the same for all spellings of an address.
//!
//! Eight rules:
//!
//! - scheme and host are in lower case;
//! - no default port;
//! - no slash at the end of the path;
//! - parameters are sorted by name;
//! - no tracking or session parameters;
//! - no unnecessary percent-encoding;
//! - no fragment, unless an application routes by it;
//! - a redirect of a search engine or network that names its target becomes the target.
//!
//! Everything else is kept, since it may matter to the server.

use std::borrow::Cow;
use url::Url;

/// Tracking parameters that are ordinary words; they are recognised in this spelling only.
const TRACKING: [&str; 2] = ["ref", "source"];

/// Names of tracking parameters, in lower case; they are recognised in any case.
#[rustfmt::skip]
const TRACKERS: [&str; 28] = [
    "fbclid", "gclid", "dclid", "gbraid", "wbraid", "msclkid", "twclid", "yclid", "ysclid", "igshid", "li_fat_id", "mc_cid", "mc_eid", "mkt_tok",
    "_hsenc", "_hsmi", "__hssc", "__hstc", "__hsfp", "hsctatracking", "vero_id", "oly_anon_id", "oly_enc_id", "_openstat", "wickedid",
    // Sessions.
    "phpsessid", "jsessionid", "oscsid",
];

/// Prefixes of tracking parameters: campaigns of Google and Matomo.
const TRACKER_PREFIXES: [&str; 2] = ["utm_", "mtm_"];

/// Redirects whose addresses name their target: host without `www.`, path without the slash at its end, parameter. Google Alerts and Bing
/// News link to articles through them.
const REDIRECTS: [(&str, &str, &str); 12] = [
    ("google.com", "/url", "url"),
    ("google.com", "/url", "q"),
    ("news.google.com", "/news/url", "url"),
    ("bing.com", "/news/apiclick.aspx", "url"),
    ("duckduckgo.com", "/l", "uddg"),
    ("youtube.com", "/redirect", "q"),
    ("l.facebook.com", "/l.php", "u"),
    ("lm.facebook.com", "/l.php", "u"),
    ("l.instagram.com", "", "u"),
    ("t.umblr.com", "/redirect", "z"),
    ("out.reddit.com", ANY_PATH, "url"),
    ("steamcommunity.com", "/linkfilter", "u"),
];

/// The path of redirects whose path has an id.
const ANY_PATH: &str = "*";

/// Maximum number of redirects that name each other.
const MAX_REDIRECTS: usize = 4;

/// Returns the page that a redirect leads to, if its address names it. No request is sent.
fn without_redirects(url: &Url) -> Option<Url> {
    let mut page = target(url)?;
    for _ in 1..MAX_REDIRECTS {
        match target(&page) {
            Some(next) => page = next,
            None => return Some(page),
        }
    }
    // The canonical form of a shorter chain would be another one.
    target(&page).is_none().then_some(page)
}

/// Returns the target of a redirect that names it.
fn target(url: &Url) -> Option<Url> {
    let host = url.host_str().map(|host| host.strip_prefix("www.").unwrap_or(host))?;
    if !REDIRECTS.iter().any(|(known, ..)| *known == host) {
        return None;
    }
    let path = without_session(url.path());
    let path = unreserved(&path);
    let path = path.trim_end_matches('/');
    let of_host = REDIRECTS.iter().filter(|(known, of, _)| *known == host && (*of == ANY_PATH || *of == path));
    let named = |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    let target = of_host.filter_map(|(_, _, name)| named(name)).find(|target| is_web(target))?;
    Url::parse(&target).ok()
}

/// Returns the canonical form of a URL; `None` if it is not absolute. Idempotent.
#[must_use]
pub fn canonical_url(url: &str) -> Option<String> {
    let mut url = Url::parse(url.trim()).ok()?;
    if let Some(page) = without_redirects(&url) {
        url = page;
    }
    if url.scheme() == "file" {
        // The parser drops the host before a drive letter only when it parses its own output.
        url = Url::parse(url.as_str()).ok()?;
    }
    let fragment = url.fragment().filter(|f| f.starts_with('/') || f.starts_with("!/")).map(str::to_owned);
    url.set_fragment(None);
    if !url.has_host() {
        // Without a host the part after the scheme is opaque.
        return Some(with_fragment(String::from(url), fragment.as_deref()));
    }
    let query = url.query().map(canonical_query);
    // A session of a Java server. A path that stays the same is not parsed again.
    if let Cow::Owned(path) = without_session(url.path()) {
        url.set_path(&path);
    }
    // Decoded before slashes are trimmed. Decoding adds no slash, since %2F is not decoded.
    let path = unreserved(url.path());
    let trimmed = path.trim_end_matches('/');
    let path = if trimmed.is_empty() { "/" } else { trimmed };
    if path != url.path() {
        let path = path.to_owned();
        url.set_path(&path);
    }
    url.set_query(query.as_deref().filter(|query| !query.is_empty()));
    Some(with_fragment(String::from(url), fragment.as_deref()))
}

/// Returns an address without the parameters that only track readers. Everything else stays the same, byte for byte.
#[must_use]
pub fn without_tracking(url: &str) -> Cow<'_, str> {
    let (before, fragment) = url.split_at(url.find('#').unwrap_or(url.len()));
    let Some((page, query)) = before.split_once('?') else { return Cow::Borrowed(url) };
    let tracks = |parameter: &&str| is_tracker(name(&unreserved(parameter)));
    if !is_web(page) || !query.split('&').any(|parameter| tracks(&parameter)) {
        return Cow::Borrowed(url);
    }
    let kept: Vec<&str> = query.split('&').filter(|parameter| !tracks(parameter)).collect();
    let separator = if kept.is_empty() { "" } else { "?" };
    Cow::Owned(format!("{page}{separator}{}{fragment}", kept.join("&")))
}

/// Returns a path without `;jsessionid=…`.
fn without_session(path: &str) -> Cow<'_, str> {
    let at = path.contains(';').then(|| path.to_ascii_lowercase().find(";jsessionid=")).flatten();
    let Some((before, after)) = at.and_then(|at| path.split_at_checked(at)) else { return Cow::Borrowed(path) };
    let end = after.get(1..).and_then(|after| after.find(['/', ';'])).map_or(after.len(), |end| end + 1);
    Cow::Owned(format!("{before}{}", after.get(end..).unwrap_or("")))
}

fn is_web(url: &str) -> bool {
    let scheme = url.split_once("://").map_or("", |(scheme, _)| scheme);
    scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http")
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
    // A stable sort: the order of parameters with the same name may matter.
    parameters.sort_by(|a, b| name(a).cmp(name(b)));
    parameters.join("&")
}

fn is_tracking(name: &str) -> bool {
    TRACKING.contains(&name) || is_tracker(name)
}

/// Whether a parameter has no other purpose than tracking, unlike those in [`TRACKING`].
fn is_tracker(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    TRACKERS.contains(&&*lower)
        || TRACKER_PREFIXES.iter().any(|start| lower.len() > start.len() && lower.starts_with(start))
}

fn name(parameter: &str) -> &str {
    parameter.split_once('=').map_or(parameter, |(name, _)| name)
}

/// Decodes unreserved characters (RFC 3986, section 2.3), and writes the hex digits of all others in upper case.
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
                // Without encoding, a `%` before digits that were decoded would start a new code.
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
    fn applies_each_rule() {
        is("HTTP://Blog.Example/Some/Path", "http://blog.example/Some/Path");
        is("https://blog.example:443/x", "https://blog.example/x");
        is("https://blog.example/x///", "https://blog.example/x");
        is("https://blog.example/x?m=1&k=3&m=0", "https://blog.example/x?k=3&m=1&m=0");
        is("https://blog.example/x?fbclid=q&p=7&ref=feed", "https://blog.example/x?p=7");
        is("https://blog.example/x?UTM_Medium=q&mtm_kwd=a&utm_=1&Ref=2", "https://blog.example/x?Ref=2&utm_=1");
        is("https://blog.example/x;jsessionid=0A1?a=1&PHPSESSID=b", "https://blog.example/x?a=1");
        is("https://blog.example/x;JSESSIONID=0A1/y;z", "https://blog.example/x/y;z");
        is("https://blog.example/%6Fld%2f", "https://blog.example/old%2F");
        is("https://blog.example/x#part", "https://blog.example/x");
        is("https://blog.example/x#!/page/2", "https://blog.example/x#!/page/2");
    }

    #[test]
    fn redirects_that_name_their_target_are_that_target() {
        let target = "https://mill.example/a?b=1";
        for url in [
            "https://www.google.com/url?rct=j&sa=t&url=https://mill.example/a%3Fb%3D1&ct=ga&cd=x&usg=y",
            "https://www.google.com/url?q=https%3A%2F%2Fmill.example%2Fa%3Fb%3D1&sa=U",
            "http://www.bing.com/news/apiclick.aspx?ref=FexRss&aid=&url=https%3a%2f%2fmill.example%2fa%3fb%3d1&c=1&mkt=en-us",
            "https://l.facebook.com/l.php?u=https%3A%2F%2Fmill.example%2Fa%3Fb%3D1%26utm_source%3Dx&h=z",
            "https://out.reddit.com/t3_x?url=https%3A%2F%2Fmill.example%2Fa%3Fb%3D1&token=1",
            "https://www.google.com/url?url=https%3A%2F%2Fwww.google.com%2Furl%3Fq%3Dhttps%253A%252F%252Fmill.example%252Fa%253Fb%253D1",
        ] {
            is(url, target);
        }
        is("https://www.google.com/%75rl/?url=https://mill.example/a%3Fb%3D1", target);
        is("https://www.google.com/url?q=mill", "https://www.google.com/url?q=mill");
        is("https://www.google.com/url?url=/a", "https://www.google.com/url?url=/a");
        is(
            "https://www.google.com/search?q=https://mill.example/a",
            "https://www.google.com/search?q=https://mill.example/a",
        );
        is("https://mill.example/url?url=https://b.example/", "https://mill.example/url?url=https://b.example/");
        is("https://www.google.com/url?url=javascript:x", "https://www.google.com/url?url=javascript:x");
        // Idempotent for any number of redirects.
        let mut url = target.to_owned();
        for _ in 0..7 {
            let query: String = url::form_urlencoded::Serializer::new(String::new()).append_pair("url", &url).finish();
            url = format!("https://www.google.com/url?{query}");
            let once = canonical_url(&url).unwrap();
            assert_eq!(canonical_url(&once).as_deref(), Some(&*once), "{url}");
        }
    }

    #[test]
    fn removes_tracking_parameters_only() {
        let cases = [
            ("https://a.example/x?utm_source=rss&utm_medium=feed", "https://a.example/x"),
            ("https://a.example/x?utm_source=rss#part", "https://a.example/x#part"),
            ("https://a.example/x?p=7&UTM_Source=rss&q=1&fbclid=a&gclid", "https://a.example/x?p=7&q=1"),
            ("https://a.example/x?p=7&utm%5Fsource=a", "https://a.example/x?p=7"),
            ("HTTPS://A.example:443/%7ex/?b=%2f&&a=+&mc_cid=1", "HTTPS://A.example:443/%7ex/?b=%2f&&a=+"),
        ];
        for (url, clean) in cases {
            assert_eq!(without_tracking(url), clean);
        }
        for same in [
            "https://a.example/x?X-Amz-Signature=a%2Fb&ref=main&source=b&&Z=1&A=2",
            "https://a.example/?",
            "https://a.example/x?u=https://b.example/?utm_source",
            "https://a.example/utm_source=1#?utm_source=1",
            "mailto:a@b.example?utm_source=1",
            "?utm_source=1",
            "",
        ] {
            assert_eq!(without_tracking(same), same);
        }
    }

    #[test]
    fn a_relative_url_has_no_canonical_form() {
        assert_eq!(canonical_url("/just/a/path"), None);
        assert_eq!(canonical_url(""), None);
    }

    #[test]
    fn keeps_other_schemes() {
        is("MAILTO:Someone@blog.example", "mailto:Someone@blog.example");
        is("tag:blog.example,2026:1", "tag:blog.example,2026:1");
    }

    #[test]
    fn agrees_with_the_conformance_cases() {
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

//! URLs in feeds: trimmed, and never with a scheme that runs code.

use gleaner_html::references;
use percent_encoding::{CONTROLS, percent_decode_str, utf8_percent_encode};
use std::net::Ipv4Addr;
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

/// Removes surrounding white space, quotes and brackets, and line breaks (RFC 3986, appendix C), also those that are invisible.
fn normalize(url: &str) -> String {
    let is_blank = |c: char| c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
    let url = url.trim_matches(is_blank);
    let pairs = [('"', '"'), ('\'', '\''), ('<', '>')];
    let quoted = pairs.into_iter().find_map(|(open, close)| url.strip_prefix(open)?.strip_suffix(close));
    // References that were escaped twice; no parameter is named `amp;`.
    let url = references::decode_terminated(quoted.unwrap_or(url));
    let url: String = url.chars().filter(|c| !matches!(c, '\n' | '\r' | '\t' | '\0')).collect();
    with_web_scheme(&url).unwrap_or(url)
}

/// Percent-encodes control characters in an address, and characters that change the direction of text, as `Url` does. The addresses of
/// items are not encoded, since an item may be identified by its address.
fn encoded(url: String) -> String {
    if runs_code(&url) {
        return url;
    }
    let mut encoded = String::with_capacity(url.len());
    for c in url.chars() {
        if c.is_control() || is_direction(c) {
            encoded.extend(utf8_percent_encode(c.encode_utf8(&mut [0; 4]), CONTROLS));
        } else {
            encoded.push(c);
        }
    }
    encoded
}

/// Whether a character changes the direction of a text, so that an address looks like another one.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Returns an address without white space around it and line breaks, and with the scheme of web addresses repaired.
#[must_use]
pub fn written_url(written: &str) -> String {
    encoded(normalize(written))
}

/// Maximum length of a misspelled scheme, in bytes.
const MAX_SCHEME: usize = 16;

/// Returns the web scheme that a misspelled one means: the `h` or a `t` may be missing, the other letters may be written twice, and there
/// may be signs among them.
fn web_scheme(written: &str) -> Option<&'static str> {
    let is_sign = |c: &char| matches!(c, ':' | ';' | '.' | ',' | '=' | '|' | '(' | ')') || c.is_whitespace();
    let mut letters: Vec<char> = written.chars().filter(|c| !is_sign(c)).map(|c| c.to_ascii_lowercase()).collect();
    letters.dedup_by(|a, b| a == b && *a != 'h');
    let is_web = written.len() <= MAX_SCHEME
        && letters.iter().all(|c| matches!(c, 'h' | 't' | 'p' | 's'))
        && !letters.windows(2).any(|two| two == ['h', 'h']);
    // The last one counts in `http:https:`.
    match letters.rsplit(|c| *c == 'h').next().filter(|_| is_web)? {
        ['t', 'p'] => Some("http"),
        ['t', 'p', 's'] => Some("https"),
        _ => None,
    }
}

/// Maximum number of times that a scheme is repeated.
const MAX_REPEATED: usize = 8;

/// A web address, however its scheme and the signs after it are written.
struct WebAddress<'a> {
    scheme: &'static str,
    /// From the host on.
    rest: &'a str,
    has_single_slash: bool,
    is_right: bool,
}

/// Signs that may follow the slashes.
const SIGNS: [char; 5] = ['/', '\\', ':', '.', ','];

/// Returns the login, host and port that a text begins with (WHATWG URL, authority state).
fn authority(rest: &str) -> &str {
    rest.split(['/', '\\', '?', '#']).next().unwrap_or(rest)
}

impl<'a> WebAddress<'a> {
    fn read(url: &'a str) -> Option<Self> {
        let start = url.trim_start_matches('/');
        let (written, after) = start.split_at(start.find(['/', '\\'])?);
        let scheme = web_scheme(written).filter(|_| written.starts_with(char::is_alphabetic))?;
        let slashes = after.trim_start_matches(['/', '\\']);
        // These signs belong to a login: `:password@host` has an empty user name (WHATWG URL, authority state).
        let host = if authority(slashes).contains('@') { slashes } else { slashes.trim_start_matches(SIGNS) };
        let signs = after.get(..after.len() - host.len())?;
        let rest = host.trim_start();
        let is_right = start == url
            && signs == "//"
            && rest == host
            && written.strip_suffix(':').is_some_and(|written| written.eq_ignore_ascii_case(scheme));
        // A single slash follows the name of a folder.
        let has_single_slash = signs == "/";
        (!has_single_slash || written.ends_with(':')).then_some(Self { scheme, rest, has_single_slash, is_right })
    }

    fn has_host(&self) -> bool {
        let host = authority(self.rest);
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        // `http:/a/b` is a path at the same host, and so is `http:/v1.2/b`.
        let is_domain = |(_, last): (&str, &str)| last.starts_with(char::is_alphabetic);
        let is_path =
            self.has_single_slash && !(self.rest.contains('/') && host.rsplit_once('.').is_some_and(is_domain));
        host.contains('.') && host.starts_with(|c: char| c.is_alphanumeric()) && !is_path
    }
}

/// Repairs the scheme of a web address that is written twice, has a missing or extra character, or another separator. `None` if it is
/// correct.
fn with_web_scheme(url: &str) -> Option<String> {
    let mut address = WebAddress::read(url)?;
    for _ in 0..MAX_REPEATED {
        let Some(inner) = WebAddress::read(address.rest) else { break };
        address = WebAddress { is_right: false, ..inner };
    }
    (!address.is_right && address.has_host()).then(|| format!("{}://{}", address.scheme, address.rest))
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

/// Schemes that stand before a `@` as user names do.
const NO_USERS: [&str; 13] =
    ["http", "https", "ftp", "mailto", "acct", "xmpp", "sip", "exec", "filter", "query", "tag", "urn", "newsletter"];

/// Returns the web address of a feed in a list of subscriptions: without a scheme of readers, and with `https:` if the
/// scheme is missing. Other addresses, such as files and commands, stay as they are.
#[must_use]
pub fn subscription_url(written: &str) -> String {
    let url = without_feed_scheme(&encoded(normalize(written)));
    if let Some(rest) = url.strip_prefix("//") {
        return format!("https://{rest}");
    }
    let (written, path) = url.split_once('/').unwrap_or((&url, ""));
    // `user:password@host`, but not `mailto:user@host` or `exec:program user@host`.
    let is_login = |login: &str| {
        let name = login.split_once(':').map(|(name, _)| name.to_ascii_lowercase());
        name.is_some_and(|name| !NO_USERS.contains(&name.as_str())) && !login.contains(char::is_whitespace)
    };
    let (login, host) = written.rsplit_once('@').filter(|(login, _)| is_login(login)).unwrap_or(("", written));
    let host = host.trim_end_matches(|c: char| c.is_ascii_digit()).strip_suffix(':').unwrap_or(host);
    let is_address = !login.is_empty() && (host == "localhost" || host.parse::<Ipv4Addr>().is_ok());
    if is_address {
        return format!("http://{url}");
    }
    let is_host = |host: &str| {
        let mut parts = host.split('.');
        let is_part = |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || c == '-');
        parts.next().is_some_and(is_part) && parts.clone().next().is_some() && parts.all(is_part)
    };
    let is_named = !path.is_empty() || host.to_ascii_lowercase().starts_with("www.");
    let is_web = is_host(host) && is_named;
    if is_web { format!("https://{url}") } else { url }
}

/// Whether a feed may be stored with this address: of any scheme that does not run code, as lists of other readers have them.
#[must_use]
pub fn is_subscribable(url: &str) -> bool {
    normalized(url).is_some()
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

/// Returns the name of a topic that is given as a URL: the last segment, or the value of a query as in `tags.php?tag=plums`. If neither is
/// a name, returns the URL.
pub(crate) fn topic(url: &str) -> String {
    let (place, query) = url.split_once('?').map_or((url, None), |(place, query)| (place, Some(query)));
    let segment = place.trim_end_matches(['/', '#']).rsplit(['/', '#']).next().unwrap_or_default();
    let name = match query {
        Some(query) if segment.contains('.') => {
            let query = query.split('#').next().unwrap_or_default();
            let value = url::form_urlencoded::parse(query.as_bytes()).last().map(|(_, value)| value);
            // A number is no name.
            value.filter(|value| value.contains(char::is_alphabetic) && !value.contains('/')).unwrap_or_default()
        }
        _ => {
            let decoded = percent_decode_str(segment).decode_utf8().ok();
            // A slash would make it a topic within another.
            decoded.filter(|decoded| !decoded.contains('/')).unwrap_or(segment.into())
        }
    };
    if name.trim().is_empty() { url.to_owned() } else { name.replace('_', " ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_no_address_has_are_encoded() {
        let written = "http://a.example/\u{202e}lmx\u{1b}[2J\u{9b}\u{7f}é";
        let encoded = "http://a.example/%E2%80%AElmx%1B[2J%C2%9B%7Fé";
        assert_eq!((written_url(written), subscription_url(written)), (encoded.to_owned(), encoded.to_owned()));
        assert_eq!(normalized(written).as_deref(), Some(written), "of an item");
        assert_eq!(normalized(&subscription_url("java\u{1}script:x")), None);
    }

    #[test]
    fn an_address_with_a_login_and_without_a_scheme_is_completed() {
        for (written, completed) in [
            ("ou:pw@a.example/x", "https://ou:pw@a.example/x"),
            (":pw@a.example/x", "https://:pw@a.example/x"),
            ("ou:pw@a.example:8443/x", "https://ou:pw@a.example:8443/x"),
            ("ou:pw@127.0.0.1:80/x", "http://ou:pw@127.0.0.1:80/x"),
        ] {
            assert_eq!(subscription_url(written), completed);
        }
        for right in [
            "mailto:ou@a.example/x",
            "exec:ou@a.example/x",
            "tag:ou@a.example/x",
            "newsletter:5:ou@a.example",
            "ou:pw@a.example",
            "exec:a b:c@a.example/x",
            "ou@a.example",
            "exec:curl -u a:b c",
        ] {
            assert_eq!(subscription_url(right), right);
        }
    }

    #[test]
    fn the_scheme_of_a_web_address_is_repaired() {
        for (written, repaired) in [
            ("https://https://a.example/x", "https://a.example/x"),
            ("http://https://a.example", "https://a.example"),
            ("http://http://http://a.example/", "http://a.example/"),
            ("https://https//a.example/x", "https://a.example/x"),
            ("http//a.example/x", "http://a.example/x"),
            ("http:/a.example/x", "http://a.example/x"),
            ("https:///a.example/x", "https://a.example/x"),
            ("https://:a.example/x", "https://a.example/x"),
            ("https:// a.example/x", "https://a.example/x"),
            ("ttps://a.example/x", "https://a.example/x"),
            ("Htpp://a.example/x", "http://a.example/x"),
            ("/http://a.example/x", "http://a.example/x"),
            ("htttps://a.example:8080/x", "https://a.example:8080/x"),
            ("httpss://a.example/x", "https://a.example/x"),
            ("http=//a.example/x", "http://a.example/x"),
            ("http.//a.example/x", "http://a.example/x"),
            ("http: //a.example/x", "http://a.example/x"),
            ("http\\//a.example/x", "http://a.example/x"),
            ("http(s)://a.example/x", "https://a.example/x"),
            ("http:s//a.example/x", "https://a.example/x"),
            ("ht:tps//a.example/x", "https://a.example/x"),
            ("http:https://a.example/x", "https://a.example/x"),
            ("http://,a.example/x", "http://a.example/x"),
            ("http://:a.example/x@y", "http://a.example/x@y"),
            ("ttps://:pw@a.example/x", "https://:pw@a.example/x"),
            ("https:///:pw@a.example/x", "https://:pw@a.example/x"),
            ("https://https://:pw@a.example/x", "https://:pw@a.example/x"),
            ("<http://a.example/x>", "http://a.example/x"),
            ("http:&#x2F;&#47;a.example/?x&#x3D;1&amp;y=2&copy=3", "http://a.example/?x=1&y=2&copy=3"),
        ] {
            assert_eq!(normalized(written).as_deref(), Some(repaired), "{written}");
            assert_eq!(subscription_url(written), repaired, "{written}");
        }
        for right in [
            "https://a.example/https://b.example/",
            "HTTP://A.example/x",
            "http:/index.html",
            "http:/a/b",
            "http:/v1.2/notes",
            "http:/2026.05/post",
            "http/a.example/x",
            "https://https/x",
            "http://localhost/x",
            "http://:pw@a.example/x",
            "http://.u:pw@a.example/x",
            "http://,:@a.example/",
            "http://a.example//x",
            "httpbin.example/x",
            "ttp/x",
            "?http://a.example/x",
            "x/http://a.example/x",
            "https://htt.ps/x.y",
            "shttp/a.example",
            "ssh://a.example/x",
        ] {
            assert_eq!(normalized(right).as_deref(), Some(right));
        }
    }
}

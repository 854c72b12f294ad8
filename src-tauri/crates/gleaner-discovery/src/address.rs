//! What a person typed or pasted, made a web address.

use crate::DiscoveryError;
use url::{Host, Url};

/// Completes what a person typed or pasted: white space and angle brackets go, `feed:` and `feed://` too, and where there
/// is no scheme it becomes `https://`, or `http://` for this machine, plain IP addresses and names without a dot.
///
/// # Errors
/// [`DiscoveryError::Address`] when it can be no web address.
pub fn address(input: &str) -> Result<Url, DiscoveryError> {
    complete(input).map(|(url, _)| url)
}

/// The same, and whether `https://` was our own guess.
pub(crate) fn complete(input: &str) -> Result<(Url, bool), DiscoveryError> {
    let refuse = |words: String| Err(DiscoveryError::Address(words));
    let text = undress(input);
    if text.is_empty() {
        return refuse("An address is missing".to_owned());
    }
    let text = handle(&text).unwrap_or_else(|| without_feed_scheme(&text));
    if let Some((scheme, rest)) = scheme(&text) {
        if !matches!(scheme.as_str(), "http" | "https") {
            return refuse(format!(
                "Addresses that begin with {scheme}: are not on the web; only http: and https: are"
            ));
        }
        // One slash, none or three are slips of the hand; browsers forgive them too.
        let rest = rest.trim_start_matches(['/', '\\']);
        return check(&format!("{scheme}://{rest}"), input).map(|url| (url, false));
    }
    let bare = text.trim_start_matches('/');
    if bare.chars().any(char::is_whitespace) {
        return refuse(format!("“{}” is no web address: it has spaces in it", input.trim()));
    }
    let url = check(&format!("https://{bare}"), input)?;
    let plain = match url.host() {
        Some(Host::Ipv4(_) | Host::Ipv6(_)) => true,
        Some(Host::Domain(name)) => {
            let local = name == "localhost" || name.ends_with(".localhost");
            // A word alone is rather a search than a machine, unless a port or a path says otherwise.
            if !local && !name.trim_end_matches('.').contains('.') && url.port().is_none() {
                return refuse(format!("“{}” is no web address: it names no site, such as example.com", input.trim()));
            }
            local || !name.contains('.')
        }
        None => false,
    };
    if plain {
        return check(&format!("http://{bare}"), input).map(|url| (url, false));
    }
    Ok((url, true))
}

fn check(text: &str, input: &str) -> Result<Url, DiscoveryError> {
    let shown = input.trim();
    match Url::parse(text) {
        Ok(url) if url.host_str().is_some_and(|host| !host.is_empty() && host != ".") => Ok(url),
        Ok(_) => Err(DiscoveryError::Address(format!("“{shown}” is no web address: it names no site"))),
        Err(error) => Err(DiscoveryError::Address(format!("“{shown}” is no web address ({error})"))),
    }
}

/// White space around, line breaks and tabs within (a long address copied from a mail), and the brackets or quotes that
/// texts put around addresses.
fn undress(input: &str) -> String {
    let text: String = input.chars().filter(|c| !matches!(c, '\n' | '\r' | '\t' | '\u{feff}' | '\u{200b}')).collect();
    let mut text = text.trim();
    for (open, close) in [('<', '>'), ('"', '"'), ('\'', '\''), ('“', '”'), ('«', '»'), ('(', ')')] {
        if let Some(inner) = text.strip_prefix(open).and_then(|text| text.strip_suffix(close)) {
            text = inner.trim();
        }
    }
    text.to_owned()
}

/// Names of people: `@someone@social.example` and `acct:someone@social.example` (RFC 7565) in the fediverse, whose profiles are
/// nearly everywhere at `/@someone`; `at://someone.example` (AT Protocol) on Bluesky.
fn handle(text: &str) -> Option<String> {
    let rest = |scheme: &str| {
        text.get(..scheme.len()).filter(|start| start.eq_ignore_ascii_case(scheme)).map(|_| &text[scheme.len()..])
    };
    if let Some(who) = rest("at://") {
        let who = who.split('/').next().filter(|who| !who.is_empty())?;
        return Some(format!("https://bsky.app/profile/{who}"));
    }
    let (name, host) = rest("acct:").or_else(|| rest("@"))?.trim_start_matches('@').split_once('@')?;
    let plain = |text: &str| {
        !text.is_empty() && !text.contains(['/', ':', '@', '?', '#']) && !text.contains(char::is_whitespace)
    };
    (plain(name) && plain(host)).then(|| format!("https://{host}/@{name}"))
}

/// `feed:https://…`, `feed://…`, `feed:…`, and the words that other readers registered for the same.
fn without_feed_scheme(text: &str) -> String {
    for prefix in ["feed:", "rss:", "itpc:", "pcast:", "web+feed:", "podcast:"] {
        let Some(rest) = text.get(..prefix.len()).filter(|start| start.eq_ignore_ascii_case(prefix)) else { continue };
        let rest = &text[rest.len()..];
        let bare = rest.trim_start_matches('/');
        if let Some((name, after)) = scheme(bare)
            && matches!(name.as_str(), "http" | "https")
        {
            return format!("{name}:{after}");
        }
        // `feed://` came before https was everywhere, and means http; a server that has https redirects there.
        return if rest.starts_with("//") { format!("http://{bare}") } else { bare.to_owned() };
    }
    text.to_owned()
}

/// The scheme, lower-cased, and what follows its colon. `localhost:8080` and `example.com:80/x` have none.
fn scheme(text: &str) -> Option<(String, &str)> {
    let (name, rest) = text.split_once(':')?;
    let good = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    let port = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let is_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    // `user:word@host`, but not `mailto:user@host`.
    let is_user =
        port.contains('@') && !matches!(name.to_ascii_lowercase().as_str(), "mailto" | "acct" | "xmpp" | "sip");
    (good && !is_port && !is_user && !name.contains('.')).then(|| (name.to_ascii_lowercase(), rest))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn addresses_are_completed() {
        for (input, url) in [
            ("example.com", "https://example.com/"),
            ("  example.com/blog \n", "https://example.com/blog"),
            ("Example.COM:8443/x", "https://example.com:8443/x"),
            ("//example.com/x", "https://example.com/x"),
            ("http://example.com", "http://example.com/"),
            ("HTTPS://example.com/A?b=C#d", "https://example.com/A?b=C#d"),
            ("https:/example.com", "https://example.com/"),
            ("https:///example.com", "https://example.com/"),
            ("feed:https://example.com/feed", "https://example.com/feed"),
            ("feed://example.com/feed", "http://example.com/feed"),
            ("feed://https://example.com/feed", "https://example.com/feed"),
            ("FEED:example.com/feed", "https://example.com/feed"),
            ("itpc://example.com/podcast", "http://example.com/podcast"),
            ("<https://example.com/a>", "https://example.com/a"),
            ("“example.com”", "https://example.com/"),
            ("https://example.com/a\n  b", "https://example.com/a%20%20b"),
            ("bücher.example", "https://xn--bcher-kva.example/"),
            ("https://例え.テスト/フィード", "https://xn--r8jz45g.xn--zckzah/%E3%83%95%E3%82%A3%E3%83%BC%E3%83%89"),
            ("localhost:8080/x", "http://localhost:8080/x"),
            ("localhost", "http://localhost/"),
            ("nas:5000/feed", "http://nas:5000/feed"),
            ("192.168.1.5/feed.xml", "http://192.168.1.5/feed.xml"),
            ("[::1]:8080/feed", "http://[::1]:8080/feed"),
            ("@someone@social.example", "https://social.example/@someone"),
            ("acct:someone@Social.example", "https://social.example/@someone"),
            ("at://someone.example/app.bsky.feed.post/1", "https://bsky.app/profile/someone.example"),
            ("at://did:plc:abc", "https://bsky.app/profile/did:plc:abc"),
            ("@someone.bsky.social", "https://someone.bsky.social/"),
            ("user:pass@example.com/feed", "https://user:pass@example.com/feed"),
        ] {
            assert_eq!(address(input).unwrap().as_str(), url, "{input}");
        }
    }

    #[test]
    fn what_can_be_no_web_address_is_refused_with_a_reason() {
        for (input, words) in [
            ("", "An address is missing"),
            ("  \n", "An address is missing"),
            ("gardening", "“gardening” is no web address: it names no site, such as example.com"),
            ("blogs about tea", "“blogs about tea” is no web address: it has spaces in it"),
            (
                "mailto:me@example.com",
                "Addresses that begin with mailto: are not on the web; only http: and https: are",
            ),
            (
                "javascript:alert(1)",
                "Addresses that begin with javascript: are not on the web; only http: and https: are",
            ),
            ("file:///etc/passwd", "Addresses that begin with file: are not on the web; only http: and https: are"),
        ] {
            assert_eq!(address(input).unwrap_err().to_string(), words, "{input}");
        }
        for input in ["https://", "http://[", "https://exa mple.com", "example.com:99999999/", "http://?", "feed:"] {
            assert!(matches!(address(input), Err(DiscoveryError::Address(_))), "{input}");
        }
    }

    #[test]
    fn only_our_own_https_is_a_guess() {
        assert!(complete("example.com").unwrap().1);
        assert!(!complete("https://example.com").unwrap().1);
        assert!(!complete("127.0.0.1").unwrap().1);
    }
}

//! Completes what a user typed or pasted to a web address.

use crate::{AddressProblem, DiscoveryError};
use gleaner_address::Login;
use gleaner_feed::{without_feed_scheme, written_url};
use url::{Host, Url};

/// Completes what a user typed or pasted to a web address.
///
/// Removes white space, brackets around the address, and `feed:`. An address without a scheme gets `https://`, or `http://` for localhost,
/// IP addresses and names without a dot.
///
/// # Errors
/// [`DiscoveryError::Address`] if it cannot be a web address.
pub fn address(input: &str) -> Result<Url, DiscoveryError> {
    complete(input).map(|(url, _)| url)
}

/// Separates the login from the address that a user typed or pasted, if it contains a password.
pub fn split_login(input: &str) -> (String, Option<Login>) {
    let split = complete(input).ok().and_then(|(url, guessed)| Some((gleaner_address::split_login(&url)?, guessed)));
    match split {
        Some(((bare, login), true)) => (bare.as_str().trim_start_matches("https://").to_owned(), Some(login)),
        Some(((bare, login), false)) => (bare.into(), Some(login)),
        None => (input.to_owned(), None),
    }
}

/// Completes an address, and returns whether `https://` was guessed.
pub(crate) fn complete(input: &str) -> Result<(Url, bool), DiscoveryError> {
    let text = strip_decoration(input);
    if text.is_empty() {
        return Err(AddressProblem::Missing.into());
    }
    let text = handle(&text).unwrap_or_else(|| written_url(&without_feed_scheme(&text)));
    if let Some((scheme, rest)) = scheme(&text) {
        if !matches!(scheme.as_str(), "http" | "https") {
            return Err(AddressProblem::Scheme(scheme).into());
        }
        // Browsers accept any number of slashes, too.
        let rest = rest.trim_start_matches(['/', '\\']);
        return Ok((check(&format!("{scheme}://{rest}"))?, false));
    }
    let bare = text.trim_start_matches('/');
    if bare.chars().any(char::is_whitespace) {
        return Err(AddressProblem::Spaces.into());
    }
    let url = check(&format!("https://{bare}"))?;
    let plain = match url.host() {
        Some(Host::Ipv4(_) | Host::Ipv6(_)) => true,
        Some(Host::Domain(name)) => {
            let local = name == "localhost" || name.ends_with(".localhost");
            // A single word without a port is more likely a search than the name of a host.
            if !local && !name.trim_end_matches('.').contains('.') && url.port().is_none() {
                return Err(AddressProblem::NoSite.into());
            }
            local || !name.contains('.')
        }
        None => false,
    };
    if plain {
        return Ok((check(&format!("http://{bare}"))?, false));
    }
    Ok((url, true))
}

fn check(text: &str) -> Result<Url, AddressProblem> {
    let url = Url::parse(text)?;
    let has_host = url.host_str().is_some_and(|host| !host.is_empty() && host != ".");
    if has_host { Ok(url) } else { Err(AddressProblem::NoSite) }
}

/// Removes surrounding white space, brackets and quotes, and line breaks and tabs inside (addresses copied from mails have them).
fn strip_decoration(input: &str) -> String {
    let text: String = input.chars().filter(|c| !matches!(c, '\n' | '\r' | '\t' | '\u{feff}' | '\u{200b}')).collect();
    let mut text = text.trim();
    for (open, close) in [('<', '>'), ('"', '"'), ('\'', '\''), ('“', '”'), ('«', '»'), ('(', ')')] {
        if let Some(inner) = text.strip_prefix(open).and_then(|text| text.strip_suffix(close)) {
            text = inner.trim();
        }
    }
    text.to_owned()
}

/// Returns the profile of a user name: `@someone@social.example` and `acct:someone@social.example` (RFC 7565) in the
/// Fediverse, where profiles are nearly always at `/@someone`; `at://someone.example` (AT Protocol) on Bluesky.
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

/// Returns the scheme in lower case and the rest after the colon. `localhost:8080` and `example.com:80/x` have none.
fn scheme(text: &str) -> Option<(String, &str)> {
    let (name, rest) = text.split_once(':')?;
    let good = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    let port = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let is_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    // `user:password@host`, but not `mailto:user@host`.
    let is_user =
        port.contains('@') && !matches!(name.to_ascii_lowercase().as_str(), "mailto" | "acct" | "xmpp" | "sip");
    (good && !is_port && !is_user && !name.contains('.')).then(|| (name.to_ascii_lowercase(), rest))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn completes_addresses() {
        for (input, url) in [
            ("example.com", "https://example.com/"),
            ("  example.com/blog \n", "https://example.com/blog"),
            ("Example.COM:8443/x", "https://example.com:8443/x"),
            ("//example.com/x", "https://example.com/x"),
            ("http://example.com", "http://example.com/"),
            ("HTTPS://example.com/A?b=C#d", "https://example.com/A?b=C#d"),
            ("https:/example.com", "https://example.com/"),
            ("https:///example.com", "https://example.com/"),
            ("https://https://example.com/a", "https://example.com/a"),
            ("http//example.com/a", "http://example.com/a"),
            ("ttps://example.com/a", "https://example.com/a"),
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
            ("http://:pass@example.com/feed", "http://:pass@example.com/feed"),
            ("http:///:pass@example.com/feed", "http://:pass@example.com/feed"),
            ("feed://:pass@example.com/feed", "http://:pass@example.com/feed"),
            (":pass@example.com/feed", "https://:pass@example.com/feed"),
            ("https://.user:pass@example.com/feed", "https://.user:pass@example.com/feed"),
        ] {
            assert_eq!(address(input).unwrap().as_str(), url, "{input}");
        }
    }

    #[test]
    fn rejects_input_that_is_not_a_web_address() {
        let scheme = |name: &str| AddressProblem::Scheme(name.to_owned());
        for (input, problem) in [
            ("", AddressProblem::Missing),
            ("  \n", AddressProblem::Missing),
            ("gardening", AddressProblem::NoSite),
            ("blogs about tea", AddressProblem::Spaces),
            ("mailto:me@example.com", scheme("mailto")),
            ("javascript:alert(1)", scheme("javascript")),
            ("file:///etc/passwd", scheme("file")),
        ] {
            assert!(matches!(address(input), Err(DiscoveryError::Address(found)) if found == problem), "{input}");
        }
        for input in ["https://", "http://[", "https://exa mple.com", "example.com:99999999/", "http://?", "feed:"] {
            assert!(matches!(address(input), Err(DiscoveryError::Address(_))), "{input}");
        }
    }

    #[test]
    fn reports_a_guessed_scheme() {
        assert!(complete("example.com").unwrap().1);
        assert!(!complete("https://example.com").unwrap().1);
        assert!(!complete("127.0.0.1").unwrap().1);
    }
}

//! Answers the challenge of a server that requires Digest authentication (RFC 7616). This does not protect the password, since each request
//! is sent with Basic authentication first: only the challenge shows that the server does not accept it.

use md5::{Digest as _, Md5};
use reqwest::header::{HeaderMap, WWW_AUTHENTICATE};
use ring::rand::{SecureRandom, SystemRandom};
use std::collections::HashMap;
use std::fmt::Write as _;

use crate::header_values::joined;

/// Maximum number of challenges and parameters that are read.
const MAX_PARTS: usize = 64;

/// A challenge that can be answered.
#[derive(Debug, Clone)]
pub(crate) struct Challenge {
    realm: String,
    nonce: String,
    opaque: Option<String>,
    algorithm: Algorithm,
    /// The algorithm's name as the server wrote it; `None` if it named none.
    algorithm_name: Option<String>,
    /// Whether the hash of user name and password is bound to this session.
    session: bool,
    /// Whether the server offers the quality of protection `auth`; older ones offer none.
    auth: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Algorithm {
    Md5,
    Sha256,
}

impl Algorithm {
    fn hash(self, text: &str) -> String {
        match self {
            Self::Md5 => hex::encode(Md5::digest(text)),
            Self::Sha256 => hex::encode(ring::digest::digest(&ring::digest::SHA256, text.as_bytes())),
        }
    }
}

impl Challenge {
    /// Returns the strongest Digest challenge of a response that can be answered. `None` if the server accepts Basic too, which was sent
    /// already.
    pub(crate) fn of(headers: &HeaderMap) -> Option<Self> {
        let value = joined(headers, &WWW_AUTHENTICATE);
        let challenges = challenges(&value);
        if challenges.iter().any(|(scheme, _)| scheme.eq_ignore_ascii_case("basic")) {
            return None;
        }
        let digests = challenges.into_iter().filter(|(scheme, _)| scheme.eq_ignore_ascii_case("digest"));
        digests.filter_map(|(_, parameters)| Self::from_parameters(parameters)).max_by_key(|one| one.algorithm)
    }

    fn from_parameters(mut parameters: HashMap<String, String>) -> Option<Self> {
        let algorithm_name = parameters.remove("algorithm");
        let lower = algorithm_name.as_deref().unwrap_or("MD5").to_ascii_lowercase();
        let (name, session) = lower.strip_suffix("-sess").map_or((lower.as_str(), false), |name| (name, true));
        let algorithm = match name {
            "md5" => Algorithm::Md5,
            "sha-256" => Algorithm::Sha256,
            _ => return None,
        };
        let offered = parameters.remove("qop");
        let auth = offered
            .as_deref()
            .is_some_and(|offered| offered.split(',').any(|one| one.trim().eq_ignore_ascii_case("auth")));
        if offered.is_some_and(|offered| !offered.trim().is_empty()) && !auth {
            return None;
        }
        let (realm, nonce) = (parameters.remove("realm")?, parameters.remove("nonce")?);
        let opaque = parameters.remove("opaque");
        Some(Self { realm, nonce, opaque, algorithm, algorithm_name, session, auth })
    }

    /// Returns the value of `Authorization` for a request. `uri` is its path and query. `None` if the system has no random numbers.
    pub(crate) fn answer(&self, (user, password): (&str, &str), method: &str, uri: &str) -> Option<String> {
        let mut random = [0; 16];
        SystemRandom::new().fill(&mut random).ok()?;
        Some(self.answer_with((user, password), method, uri, &hex::encode(random)))
    }

    fn answer_with(&self, (user, password): (&str, &str), method: &str, uri: &str, cnonce: &str) -> String {
        let hash = |text: String| self.algorithm.hash(&text);
        let Self { realm, nonce, .. } = self;
        let mut login = hash(format!("{user}:{realm}:{password}"));
        if self.session {
            login = hash(format!("{login}:{nonce}:{cnonce}"));
        }
        let request = hash(format!("{method}:{uri}"));
        let response = match self.auth {
            true => hash(format!("{login}:{nonce}:00000001:{cnonce}:auth:{request}")),
            false => hash(format!("{login}:{nonce}:{request}")),
        };
        let mut value = format!(
            "Digest username={}, realm={}, nonce={}, uri={}, response=\"{response}\"",
            quoted(user),
            quoted(realm),
            quoted(nonce),
            quoted(uri)
        );
        // Writing to a string does not fail.
        if let Some(name) = &self.algorithm_name {
            let _ = write!(value, ", algorithm={name}");
        }
        if let Some(opaque) = &self.opaque {
            let _ = write!(value, ", opaque={}", quoted(opaque));
        }
        if self.auth {
            let _ = write!(value, ", qop=auth, nc=00000001");
        }
        if self.auth || self.session {
            let _ = write!(value, ", cnonce=\"{cnonce}\"");
        }
        value
    }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Returns the schemes of challenges with their parameters (RFC 9110, section 11.6.1). Names of parameters are in lower case.
fn challenges(value: &str) -> Vec<(String, HashMap<String, String>)> {
    let mut found: Vec<(String, HashMap<String, String>)> = Vec::new();
    for element in elements(value).take(MAX_PARTS) {
        let element = element.trim();
        let name_end = element.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(element.len());
        let (name, rest) = element.split_at(name_end);
        let parameter = match rest.trim_start().strip_prefix('=') {
            Some(value) => Some((name, value)),
            None if name.is_empty() => None,
            // A scheme, and its first parameter.
            None => {
                found.push((name.to_owned(), HashMap::new()));
                rest.trim_start().split_once('=')
            }
        };
        if let (Some((name, value)), Some((_, parameters))) = (parameter, found.last_mut()) {
            parameters.entry(name.trim().to_ascii_lowercase()).or_insert_with(|| unquoted(value.trim()));
        }
    }
    found
}

/// Splits a list at the commas outside of quoted texts.
fn elements(value: &str) -> impl Iterator<Item = &str> {
    let (mut quoted, mut escaped) = (false, false);
    value.split(move |c: char| {
        let separates = c == ',' && !quoted;
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ => {}
        }
        separates
    })
}

fn unquoted(value: &str) -> String {
    let Some(inner) = value.strip_prefix('"') else { return value.to_owned() };
    let mut text = String::with_capacity(inner.len());
    let mut characters = inner.strip_suffix('"').unwrap_or(inner).chars();
    while let Some(c) = characters.next() {
        text.extend(if c == '\\' { characters.next() } else { Some(c) });
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use reqwest::header::HeaderValue;

    fn challenge(values: &[&str]) -> Option<Challenge> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(WWW_AUTHENTICATE, HeaderValue::from_str(value).unwrap());
        }
        Challenge::of(&headers)
    }

    /// The examples of RFC 7616, section 3.9.1.
    const MD5: &str = r#"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5,
        nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#;
    const SHA: &str = r#"Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256,
        nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#;

    fn response(challenge: &Challenge) -> String {
        let cnonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ";
        let value = challenge.answer_with(("Mufasa", "Circle of Life"), "GET", "/dir/index.html", cnonce);
        value.split_once("response=\"").unwrap().1.split_once('"').unwrap().0.to_owned()
    }

    #[test]
    fn answers_as_the_rfc_does() {
        let one_line = |text: &str| text.replace('\n', " ");
        let md5 = challenge(&[&one_line(MD5)]).unwrap();
        assert_eq!(response(&md5), "8ca523f5e9506fed4657c9700eebdbec");
        let both = challenge(&[&one_line(MD5), &one_line(SHA)]).unwrap();
        assert_eq!(response(&both), "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1");
        // RFC 2069, without a quality of protection.
        let old =
            challenge(&[r#"Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#]).unwrap();
        assert_eq!(
            response(&old),
            Algorithm::Md5.hash(&format!(
                "{}:dcd98b7102dd2f0e8b11d0f600bfb0c093:{}",
                Algorithm::Md5.hash("Mufasa:testrealm@host.com:Circle of Life"),
                Algorithm::Md5.hash("GET:/dir/index.html")
            ))
        );
    }

    #[test]
    fn answers_only_challenges_that_it_knows() {
        assert!(challenge(&[]).is_none());
        assert!(challenge(&["Negotiate, NTLM"]).is_none());
        assert!(challenge(&[r#"Digest realm="a", nonce="b", algorithm=MD9"#]).is_none());
        assert!(challenge(&[r#"Digest realm="a", nonce="b", qop="auth-int""#]).is_none());
        assert!(challenge(&[r#"Digest realm="a""#]).is_none());
        assert!(challenge(&[r#"Basic realm="a", Digest realm="a", nonce="b""#]).is_none(), "it was sent already");
        let odd = challenge(&[r#"NTLM, Digest Realm = "a, \"b\"" ,nonce=c,, Bearer"#]).unwrap();
        assert_eq!((odd.realm.as_str(), odd.nonce.as_str()), (r#"a, "b""#, "c"));
        assert!(odd.answer_with(("a", "b"), "GET", "/", "c").contains(r#"realm="a, \"b\"""#));
    }
}

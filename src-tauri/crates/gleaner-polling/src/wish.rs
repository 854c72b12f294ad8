//! What the user wishes of how a feed is reached: from words to what the library keeps, and the secret to where it belongs.

use crate::{
    access,
    secrets::{self, SecretError},
};
use gleaner_discovery::Source;
use gleaner_fetch::{Answer, FetchError, FetchErrorKind, Fetcher, Fingerprint, Request, Route};
use gleaner_library::{Access, Auth, Headers, Library, LibraryError, Secret};
use std::fmt;
use url::Url;

/// How to log in from now on.
#[derive(Clone, PartialEq, Eq)]
pub enum Login {
    /// Not at all.
    None,
    /// RFC 7617.
    Basic {
        /// Without a colon.
        user: String,
        /// Not empty.
        password: String,
    },
    /// RFC 6750.
    Bearer {
        /// Not empty.
        token: String,
    },
}

impl Login {
    /// What is to be kept safe.
    pub fn secret(&self) -> Option<&str> {
        match self {
            Self::None => None,
            Self::Basic { password, .. } => Some(password),
            Self::Bearer { token } => Some(token),
        }
    }
}

/// Never with the secret.
impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "None",
            Self::Basic { .. } => "Basic(…)",
            Self::Bearer { .. } => "Bearer(…)",
        })
    }
}

/// What is wished of how a feed is reached. What is `None` stays as it was.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wish {
    /// Whether and how to log in.
    pub login: Option<Login>,
    /// A name in place of Gleaner's; empty: Gleaner's.
    pub user_agent: Option<String>,
    /// "direct", or a proxy's address; empty: as the system says.
    pub proxy: Option<String>,
    /// All further headers. Those without a value keep the one that they have.
    pub headers: Option<Vec<(String, Option<String>)>>,
    /// The certificate to accept whatever is wrong with it; `Some(None)`: none.
    pub certificate: Option<Option<Fingerprint>>,
    /// The library's file may hold the secret. Otherwise only the platform's keyring may.
    pub in_library: bool,
}

/// Why a wish cannot be fulfilled.
#[derive(Debug, thiserror::Error)]
pub enum WishError {
    /// It makes no sense; in words for a person.
    #[error("{0}")]
    Invalid(String),
    /// The keyring does not take the secret: it is nowhere.
    #[error(transparent)]
    Keyring(#[from] SecretError),
    /// The library cannot be written.
    #[error(transparent)]
    Library(#[from] LibraryError),
}

impl Wish {
    /// Whether it makes sense, before anything is asked or kept.
    ///
    /// # Errors
    /// [`WishError::Invalid`]. The words name no value, since that may be a secret.
    pub fn check(&self) -> Result<(), WishError> {
        let invalid = |words: &str| Err(WishError::Invalid(words.to_owned()));
        match &self.login {
            Some(Login::Basic { user, .. }) if user.contains(':') => return invalid("a name cannot have a colon"),
            Some(Login::Basic { user, .. }) if user.is_empty() => return invalid("a password needs a name"),
            Some(login) if login.secret().is_some_and(str::is_empty) => return invalid("the password is empty"),
            Some(login) if login.secret().is_some_and(|secret| secret.contains(char::is_control)) => {
                return invalid("a password or token is one line");
            }
            _ => {}
        }
        if self.user_agent.as_ref().is_some_and(|agent| agent.contains(char::is_control)) {
            return invalid("a User-Agent is one line");
        }
        if let Some(proxy) = self.proxy.as_deref().filter(|proxy| !proxy.is_empty()) {
            match proxy.parse::<Route>() {
                Ok(Route::Proxy(url)) if url.password().is_some() => {
                    return invalid("a proxy's password cannot be kept safely yet");
                }
                Ok(_) => {}
                Err(error) => return invalid(&error.to_string()),
            }
        }
        for (name, value) in self.headers.iter().flatten() {
            let good = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic() && byte != b':');
            if !good || value.as_ref().is_some_and(|value| value.contains(char::is_control)) {
                return Err(WishError::Invalid(format!("{name}: that cannot be a header")));
            }
        }
        Ok(())
    }

    /// How the feed at `url` would be reached, but for the secret: that is in `login` still.
    pub fn applied(&self, feed_id: i64, url: &Url, before: Option<Access>) -> Access {
        let mut access = before.unwrap_or_default();
        let origin = url.origin().ascii_serialization();
        if !access.origin.is_empty() && access.origin != origin {
            // What was for another server is not for this one.
            access = Access { user_agent: access.user_agent, proxy: access.proxy, ..Access::default() };
        }
        (access.feed_id, access.origin) = (feed_id, origin);
        let filled = |text: &String| Some(text.trim().to_owned()).filter(|text| !text.is_empty());
        if let Some(agent) = &self.user_agent {
            access.user_agent = filled(agent);
        }
        if let Some(proxy) = &self.proxy {
            access.proxy = filled(proxy);
        }
        if let Some(certificate) = &self.certificate {
            access.certificate = certificate.map(|Fingerprint(bytes)| bytes.to_vec());
        }
        if let Some(headers) = &self.headers {
            let before = std::mem::take(&mut access.headers.0);
            let kept = |name: &String| before.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
            let now = headers.iter().filter_map(|(name, value)| {
                let value = value.clone().or_else(|| kept(name))?;
                Some((name.clone(), value))
            });
            access.headers = Headers(now.collect());
        }
        if let Some(login) = &self.login {
            (access.auth, access.user_name) = match login {
                Login::None => (None, None),
                Login::Basic { user, .. } => (Some(Auth::Basic), Some(user.clone())),
                Login::Bearer { .. } => (Some(Auth::Bearer), None),
            };
            (access.keyring_entry, access.secret) = (None, None);
        }
        access
    }

    /// The same with the secret where it belongs: in the keyring or, where that is wished, with the rest. A feed that would be
    /// reached like any other needs nothing: `None`. The library does not have it yet.
    ///
    /// # Errors
    /// [`WishError`]; then nothing is kept anywhere.
    pub async fn kept(
        self,
        library: &Library,
        feed_id: i64,
        url: &Url,
        before: Option<Access>,
    ) -> Result<Option<Access>, WishError> {
        self.check()?;
        let mut access = self.applied(feed_id, url, before);
        match self.login.as_ref().and_then(Login::secret) {
            Some(secret) if self.in_library => access.secret = Some(Secret(secret.to_owned())),
            Some(secret) => {
                let entry = library.keyring_entry(feed_id).await?;
                secrets::keep(&entry, secret.to_owned()).await?;
                access.keyring_entry = Some(entry);
            }
            None => {}
        }
        let usual = Access { feed_id, origin: access.origin.clone(), ..Access::default() };
        Ok(Some(access).filter(|access| *access != usual))
    }
}

/// Asks as the user wishes, at the server that the user named: for looking behind an address before there is a feed.
#[derive(Debug)]
pub struct Reaching<'a> {
    fetcher: &'a Fetcher,
    /// How; nothing out of the ordinary without a wish.
    access: Access,
    secret: Option<String>,
}

impl<'a> Reaching<'a> {
    /// As any other address is reached, or as `wish` says at the origin of `named`.
    pub fn new(fetcher: &'a Fetcher, wish: Option<(&Wish, &Url)>) -> Self {
        let access = wish.map(|(wish, named)| wish.applied(0, named, None)).unwrap_or_default();
        let secret = wish.and_then(|(wish, _)| wish.login.as_ref()?.secret().map(str::to_owned));
        Self { fetcher, access, secret }
    }

    /// Whether this address is asked with the login.
    pub fn has_login_for(&self, url: &Url) -> bool {
        self.secret.is_some() && access::is_home(url, &self.access)
    }
}

impl Source for Reaching<'_> {
    async fn get(&self, request: Request) -> Result<Answer, FetchError> {
        let url = Box::new(request.url.clone());
        match access::request(request, &self.access, self.secret.clone()) {
            Ok(request) => self.fetcher.fetch(request).await,
            Err(message) => {
                Err(FetchError { kind: FetchErrorKind::Connect, message, retry_after: None, url, certificate: None })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn url(text: &str) -> Url {
        text.parse().unwrap()
    }

    fn login() -> Option<Login> {
        Some(Login::Basic { user: "ada".to_owned(), password: "sesame".to_owned() })
    }

    #[test]
    fn what_is_not_wished_stays_and_what_is_empty_goes() {
        let headers =
            Some(vec![("X-Key".to_owned(), Some("one".to_owned())), ("X-Two".to_owned(), Some("2".to_owned()))]);
        let wish = Wish { login: login(), user_agent: Some("Me/1".to_owned()), headers, ..Wish::default() };
        let mut access = wish.applied(1, &url("https://example.com/feed"), None);
        assert_eq!((access.auth, access.user_name.as_deref()), (Some(Auth::Basic), Some("ada")));
        access.keyring_entry = Some("entry".to_owned());
        let headers = Some(vec![("X-Key".to_owned(), None), ("X-New".to_owned(), None)]);
        let wish = Wish { user_agent: Some(String::new()), headers, ..Wish::default() };
        let after = wish.applied(1, &url("https://example.com/other"), Some(access.clone()));
        assert_eq!((after.user_agent, after.keyring_entry.as_deref()), (None, Some("entry")));
        assert_eq!(after.headers.0, [("X-Key".to_owned(), "one".to_owned())], "a value that never was is no header");
        let elsewhere = Wish::default().applied(1, &url("http://example.com/feed"), Some(access.clone()));
        assert_eq!((elsewhere.auth, elsewhere.keyring_entry, elsewhere.headers.0.len()), (None, None, 0));
        assert_eq!(elsewhere.user_agent, access.user_agent);
        let without = Wish { login: Some(Login::None), ..Wish::default() };
        let without = without.applied(1, &url("https://example.com/feed"), Some(access));
        assert_eq!((without.auth, without.user_name, without.keyring_entry), (None, None, None));
    }

    #[test]
    fn what_makes_no_sense_is_said_without_a_secret() {
        let basic = |user: &str, password: &str| Wish {
            login: Some(Login::Basic { user: user.to_owned(), password: password.to_owned() }),
            ..Wish::default()
        };
        let proxy = |text: &str| Wish { proxy: Some(text.to_owned()), ..Wish::default() };
        let header = |name: &str, value: &str| Wish {
            headers: Some(vec![(name.to_owned(), Some(value.to_owned()))]),
            ..Wish::default()
        };
        for wish in [
            basic("a:da", "sesame"),
            basic("", "sesame"),
            basic("ada", ""),
            basic("ada", "sesame\nX: y"),
            proxy("nowhere"),
            proxy("ftp://127.0.0.1/"),
            proxy("socks5://ada:sesame@127.0.0.1:1"),
            header("X Key", "sesame"),
            header("X-Key", "sesame\r\nX: y"),
        ] {
            let words = wish.check().unwrap_err().to_string();
            assert!(!words.contains("sesame"), "{words}");
            assert!(!format!("{wish:?}").contains("sesame") || wish.login.is_none(), "{wish:?}");
        }
        for wish in
            [basic("ada", "sesame"), proxy("direct"), proxy(""), proxy("socks5://127.0.0.1:9050"), header("X-Key", "")]
        {
            wish.check().unwrap();
        }
    }
}

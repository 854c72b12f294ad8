//! Connection settings of feeds: checks what the user enters, stores it in the library, and its secret in the keyring.

use crate::{
    access,
    runner::Poller,
    secrets::{self, SecretError},
};
use gleaner_discovery::Source;
use gleaner_fetch::{FetchCause, FetchError, Fingerprint, Request, Response, Route};
use gleaner_library::{Access, Auth, Headers, Library, LibraryError, Secret};
use std::fmt;
use url::Url;

/// How to log in.
#[derive(Clone, PartialEq, Eq)]
pub enum Login {
    /// Without a login.
    None,
    /// Basic authentication (RFC 7617).
    Basic {
        /// Without a colon.
        user: String,
        /// Not empty.
        password: String,
    },
    /// Bearer token (RFC 6750).
    Bearer {
        /// Not empty.
        token: String,
    },
}

impl Login {
    /// Returns the password or token.
    pub fn secret(&self) -> Option<&str> {
        match self {
            Self::None => None,
            Self::Basic { password, .. } => Some(password),
            Self::Bearer { token } => Some(token),
        }
    }
}

/// Without the secret.
impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "None",
            Self::Basic { .. } => "Basic(…)",
            Self::Bearer { .. } => "Bearer(…)",
        })
    }
}

/// A change of a feed's connection settings. `None` leaves a setting unchanged.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConnectionChange {
    /// Whether and how to log in.
    pub login: Option<Login>,
    /// User-Agent header; empty for Gleaner's own.
    pub user_agent: Option<String>,
    /// "direct", or a proxy's address; empty for the system's settings.
    pub proxy: Option<String>,
    /// All further headers. Headers without a value keep their stored one.
    pub headers: Option<Vec<(String, Option<String>)>>,
    /// The certificate to accept although it is invalid; `Some(None)` for none.
    pub certificate: Option<Option<Fingerprint>>,
    /// Whether the secret may be stored in the library. Otherwise it is stored in the platform's keyring only.
    pub in_library: bool,
}

/// A value that cannot be used. `Display` is for logs; it contains no value that may be a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidConnection {
    /// A user name contains a colon.
    #[error("the user name contains a colon")]
    UserNameWithColon,
    /// A password without a user name.
    #[error("the user name is missing")]
    UserNameMissing,
    /// The password or token is empty.
    #[error("the password is empty")]
    PasswordMissing,
    /// The password or token contains a control character.
    #[error("the password or token contains a control character")]
    Password,
    /// The User-Agent contains a control character.
    #[error("the User-Agent contains a control character")]
    UserAgent,
    /// The proxy has a password, which is not supported.
    #[error("the proxy has a password")]
    ProxyWithPassword,
    /// Not the address of a proxy.
    #[error("the proxy is invalid")]
    Proxy(String),
    /// The name or the value of a header is invalid.
    #[error("the header {0} is invalid")]
    Header(String),
}

/// Why connection settings cannot be stored.
#[derive(Debug, thiserror::Error)]
pub enum ConnectionError {
    /// A value is invalid.
    #[error(transparent)]
    Invalid(#[from] InvalidConnection),
    /// The keyring cannot store the secret.
    #[error(transparent)]
    Keyring(#[from] SecretError),
    /// The library cannot be written.
    #[error(transparent)]
    Library(#[from] LibraryError),
}

impl ConnectionChange {
    /// Returns a change to the login of an address.
    #[must_use]
    pub fn with_login(login: &gleaner_address::Login) -> Self {
        let login = Login::Basic { user: login.user.clone(), password: login.password.clone() };
        Self { login: Some(login), ..Self::default() }
    }

    /// Checks the values, before anything is requested or stored.
    ///
    /// # Errors
    /// [`InvalidConnection`].
    pub fn check(&self) -> Result<(), InvalidConnection> {
        match &self.login {
            Some(Login::Basic { user, .. }) if user.contains(':') => {
                return Err(InvalidConnection::UserNameWithColon);
            }
            Some(Login::Basic { user, .. }) if user.is_empty() => {
                return Err(InvalidConnection::UserNameMissing);
            }
            Some(login) if login.secret().is_some_and(str::is_empty) => {
                return Err(InvalidConnection::PasswordMissing);
            }
            Some(login) if login.secret().is_some_and(|secret| secret.contains(char::is_control)) => {
                return Err(InvalidConnection::Password);
            }
            _ => {}
        }
        if self.user_agent.as_ref().is_some_and(|agent| agent.contains(char::is_control)) {
            return Err(InvalidConnection::UserAgent);
        }
        if let Some(proxy) = self.proxy.as_deref().filter(|proxy| !proxy.is_empty()) {
            match proxy.parse::<Route>() {
                Ok(Route::Proxy(url)) if url.password().is_some() => {
                    return Err(InvalidConnection::ProxyWithPassword);
                }
                Ok(_) => {}
                Err(_) => return Err(InvalidConnection::Proxy(proxy.to_owned())),
            }
        }
        for (name, value) in self.headers.iter().flatten() {
            let good = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic() && byte != b':');
            if !good || value.as_ref().is_some_and(|value| value.contains(char::is_control)) {
                return Err(InvalidConnection::Header(name.clone()));
            }
        }
        Ok(())
    }

    /// Returns the connection settings of the feed at `url` with this change, without the secret.
    pub fn applied(&self, feed_id: i64, url: &Url, before: Option<Access>) -> Access {
        let mut access = before.unwrap_or_default();
        let origin = url.origin().ascii_serialization();
        if !access.origin.is_empty() && access.origin != origin {
            // Login, headers and certificate belong to the former server.
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
            let stored = |name: &String| before.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
            let now = headers.iter().filter_map(|(name, value)| {
                let value = value.clone().or_else(|| stored(name))?;
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
            (access.keyring_entry, access.secret, access.from_address) = (None, None, false);
        }
        access
    }

    /// Stores the secret in the keyring or, if allowed, adds it to the settings. Returns the settings to store in the library; `None` if they
    /// are the defaults.
    ///
    /// # Errors
    /// [`ConnectionError`]; then nothing is stored.
    pub async fn store(
        self,
        library: &Library,
        feed_id: i64,
        url: &Url,
        before: Option<Access>,
    ) -> Result<Option<Access>, ConnectionError> {
        self.check()?;
        let mut access = self.applied(feed_id, url, before);
        match self.login.as_ref().and_then(Login::secret) {
            Some(secret) if self.in_library => access.secret = Some(Secret(secret.to_owned())),
            Some(secret) => {
                let entry = library.connections().new_keyring_entry(feed_id).await?;
                secrets::store(&entry, secret.to_owned()).await?;
                access.keyring_entry = Some(entry);
            }
            None => {}
        }
        let usual = Access { feed_id, origin: access.origin.clone(), ..Access::default() };
        Ok(Some(access).filter(|access| *access != usual))
    }
}

/// Sends requests with connection settings before a feed is subscribed: for discovery.
#[derive(Debug)]
pub struct AuthorizedFetcher<'a> {
    poller: &'a Poller,
    /// The connection settings; defaults if none were given.
    access: Access,
    secret: Option<String>,
}

impl<'a> AuthorizedFetcher<'a> {
    /// Uses the settings `change` for the origin of `named`, or the defaults.
    pub fn new(poller: &'a Poller, change: Option<(&ConnectionChange, &Url)>) -> Self {
        let access = change.map(|(change, named)| change.applied(0, named, None)).unwrap_or_default();
        let secret = change.and_then(|(change, _)| change.login.as_ref()?.secret().map(str::to_owned));
        Self { poller, access, secret }
    }

    /// Whether requests to this address include the login.
    pub fn has_login_for(&self, url: &Url) -> bool {
        self.secret.is_some() && access::is_home(url, &self.access)
    }
}

impl Source for AuthorizedFetcher<'_> {
    async fn get(&self, request: Request) -> Result<Response, FetchError> {
        let url = request.url.clone();
        match access::request(request, &self.access, self.secret.clone()) {
            Ok(request) => self.poller.fetch_named(request).await,
            Err(_) => {
                let proxy = self.access.proxy.clone().unwrap_or_default();
                Err(FetchError::new(FetchCause::InvalidProxy { proxy }, &url))
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
    fn leaves_unset_values_and_removes_empty_ones() {
        let headers =
            Some(vec![("X-Key".to_owned(), Some("one".to_owned())), ("X-Two".to_owned(), Some("2".to_owned()))]);
        let change = ConnectionChange {
            login: login(),
            user_agent: Some("Me/1".to_owned()),
            headers,
            ..ConnectionChange::default()
        };
        let mut access = change.applied(1, &url("https://example.com/feed"), None);
        assert_eq!((access.auth, access.user_name.as_deref()), (Some(Auth::Basic), Some("ada")));
        access.keyring_entry = Some("entry".to_owned());
        let headers = Some(vec![("X-Key".to_owned(), None), ("X-New".to_owned(), None)]);
        let change = ConnectionChange { user_agent: Some(String::new()), headers, ..ConnectionChange::default() };
        let after = change.applied(1, &url("https://example.com/other"), Some(access.clone()));
        assert_eq!((after.user_agent, after.keyring_entry.as_deref()), (None, Some("entry")));
        assert_eq!(after.headers.0, [("X-Key".to_owned(), "one".to_owned())], "a header without a value is dropped");
        let moved = ConnectionChange::default().applied(1, &url("http://example.com/feed"), Some(access.clone()));
        assert_eq!((moved.auth, moved.keyring_entry, moved.headers.0.len()), (None, None, 0));
        assert_eq!(moved.user_agent, access.user_agent);
        let without = ConnectionChange { login: Some(Login::None), ..ConnectionChange::default() };
        let without = without.applied(1, &url("https://example.com/feed"), Some(access));
        assert_eq!((without.auth, without.user_name, without.keyring_entry), (None, None, None));
    }

    #[test]
    fn rejects_invalid_values_without_revealing_secrets() {
        let basic = |user: &str, password: &str| ConnectionChange {
            login: Some(Login::Basic { user: user.to_owned(), password: password.to_owned() }),
            ..ConnectionChange::default()
        };
        let proxy = |text: &str| ConnectionChange { proxy: Some(text.to_owned()), ..ConnectionChange::default() };
        let header = |name: &str, value: &str| ConnectionChange {
            headers: Some(vec![(name.to_owned(), Some(value.to_owned()))]),
            ..ConnectionChange::default()
        };
        for change in [
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
            let words = change.check().unwrap_err().to_string();
            assert!(!words.contains("sesame"), "{words}");
            assert!(!format!("{change:?}").contains("sesame") || change.login.is_none(), "{change:?}");
        }
        for change in
            [basic("ada", "sesame"), proxy("direct"), proxy(""), proxy("socks5://127.0.0.1:9050"), header("X-Key", "")]
        {
            change.check().unwrap();
        }
    }
}

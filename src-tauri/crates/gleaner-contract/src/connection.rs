//! Connection settings of feeds: logins, headers, and certificates. No response contains a secret.

use serde::{Deserialize, Serialize};
use std::fmt;
use ts_rs::TS;

/// A password, token or header value. The window sends it to the core, which never returns or prints it.
#[derive(Clone, PartialEq, Eq, Deserialize, TS)]
#[serde(transparent)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// The connection settings of a feed, without secrets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct FeedConnection {
    pub feed_id: i64,
    /// Scheme, host and port of the feed. Secrets are sent only there.
    pub origin: String,
    /// The origin that login, headers and certificate were entered for, if the feed has moved to another one. Then they are no longer used.
    pub former_origin: Option<String>,
    pub login: LoginKind,
    pub user_name: Option<String>,
    /// Where the password or token is stored; `null` if there is none.
    pub secret_store: Option<SecretStore>,
    pub user_agent: Option<String>,
    /// "direct" or the address of a proxy; `null` uses the system's setting.
    pub proxy: Option<String>,
    /// Names of the headers. Their values are not returned, since they may be secret.
    pub headers: Vec<String>,
    /// SHA-256 of the certificate that is accepted despite its faults.
    pub certificate: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LoginKind {
    None,
    /// User name and password.
    Basic,
    /// Bearer token (RFC 6750).
    Bearer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SecretStore {
    Keyring,
    Library,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Login {
    None,
    Basic { user: String, password: Secret },
    Bearer { token: Secret },
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct Header {
    pub name: String,
    /// `null` keeps the stored value.
    pub value: Option<Secret>,
}

/// Changes the connection settings of a feed and checks it again. Fails with `no_keyring` if no keyring can store the secret
/// and `store_in_library` is false.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct SetConnection {
    pub feed_id: i64,
    /// `null` keeps the stored login.
    pub login: Option<Login>,
    /// Empty for Gleaner's default.
    pub user_agent: String,
    /// "direct" or the address of a proxy; empty uses the system's setting.
    pub proxy: String,
    pub headers: Vec<Header>,
    pub store_in_library: bool,
}

/// Accepts this certificate from the feed's host despite its faults, and checks the feed again.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct AcceptCertificate {
    pub feed_id: i64,
    /// Fingerprint as in [`Certificate`]; `null` removes the exception.
    pub fingerprint: Option<String>,
}

/// Connection settings for a search for feeds, and for the feed that is then subscribed to.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct Connection {
    /// The only origin that the settings are used for.
    pub origin: String,
    pub login: Option<Login>,
    /// Fingerprint of the certificate that the user accepts.
    pub certificate: Option<String>,
    /// Whether the library may store the password or token.
    pub store_in_library: bool,
}

/// A rejected certificate. All fields except the fingerprint are claims of the certificate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Certificate {
    /// Host that sent the certificate.
    pub host: String,
    /// SHA-256, such as `3A:0F:…`.
    pub fingerprint: String,
    pub subject: String,
    pub issuer: String,
    /// Host names for which the certificate is valid.
    pub names: Vec<String>,
    /// Unix milliseconds.
    pub not_before: Option<i64>,
    pub not_after: Option<i64>,
    /// Reasons why the certificate is not valid; never empty.
    pub faults: Vec<CertificateFault>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum CertificateFault {
    Expired,
    NotYetValid,
    WrongName,
    SelfSigned,
    /// Issued by an unknown authority, or another fault.
    Untrusted,
}

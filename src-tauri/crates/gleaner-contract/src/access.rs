use serde::{Deserialize, Serialize};
use std::fmt;
use ts_rs::TS;

/// A password, a token, the value of a header: it crosses from the window to the core, never back, and is never shown.
#[derive(Clone, PartialEq, Eq, Deserialize, TS)]
#[serde(transparent)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// How a feed is reached where that is out of the ordinary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct FeedAccess {
    pub feed_id: i64,
    /// Scheme, host and port of the feed: what is secret goes there only.
    pub origin: String,
    /// Where login, headers and certificate were for another origin: they are not used any more.
    pub former_origin: Option<String>,
    pub login: LoginKind,
    pub user_name: Option<String>,
    /// Where the password or token is; `null`: there is none.
    pub kept: Option<SecretPlace>,
    pub user_agent: Option<String>,
    /// "direct", or a proxy's address; `null`: as the system says.
    pub proxy: Option<String>,
    /// Their names. Their values may well be secrets.
    pub headers: Vec<String>,
    /// The SHA-256 of the certificate that is accepted whatever is wrong with it.
    pub certificate: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LoginKind {
    None,
    /// Name and password.
    Basic,
    /// A token.
    Bearer,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SecretPlace {
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
    /// `null`: the one that it has.
    pub value: Option<Secret>,
}

/// Reaches a feed so from now on, and asks it again. Fails with `no_keyring` where the secret can be kept in no keyring and
/// `in_library` does not say that the library may hold it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct SetAccess {
    pub feed_id: i64,
    /// `null`: as before.
    pub login: Option<Login>,
    /// Empty: Gleaner's own.
    pub user_agent: String,
    /// "direct", or a proxy's address; empty: as the system says.
    pub proxy: String,
    pub headers: Vec<Header>,
    pub in_library: bool,
}

/// Accepts this very certificate at the feed's host from now on, whatever is wrong with it, and asks the feed again.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct AcceptCertificate {
    pub feed_id: i64,
    /// As [`Certificate`] has it; `null`: none is accepted any more.
    pub fingerprint: Option<String>,
}

/// How an address is reached while it is looked into, and how its feed is from then on.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct Reach {
    /// What it is for: it goes nowhere else.
    pub origin: String,
    pub login: Option<Login>,
    /// The fingerprint of the certificate that the user accepts.
    pub certificate: Option<String>,
    /// The library may hold the password or token.
    pub in_library: bool,
}

/// A certificate that was refused, in its own words: all but the fingerprint may be lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Certificate {
    /// The host that showed it.
    pub host: String,
    /// SHA-256, such as `3A:0F:…`.
    pub fingerprint: String,
    pub subject: String,
    pub issuer: String,
    /// The hosts that it is for.
    pub names: Vec<String>,
    /// Unix milliseconds.
    pub not_before: Option<i64>,
    pub not_after: Option<i64>,
    /// What is wrong with it. Never empty.
    pub faults: Vec<CertificateFault>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum CertificateFault {
    Expired,
    NotYetValid,
    WrongName,
    SelfSigned,
    /// From an authority that this computer does not know, or something rarer.
    Untrusted,
}

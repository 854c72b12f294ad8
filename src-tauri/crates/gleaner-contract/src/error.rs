use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The kind of an error. The message catalogue has a text for every code in every language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// Not a web address; `detail` is the reason.
    InvalidAddress,
    /// The page exists and links to no feed.
    NoFeed,
    /// The document is not a feed; `detail` names its kind ("a web page").
    NotAFeed,
    /// A page that offers the domain for sale; `detail` is the host.
    Parked,
    /// The host name could not be resolved.
    HostNotFound,
    /// The connection was refused or reset, or the host is unreachable.
    HostUnreachable,
    /// The secure connection failed; `detail` names the fault of the certificate.
    Tls,
    Timeout,
    /// A status of 400 or above; `detail` is the status.
    HttpStatus,
    TooLarge,
    /// The response was truncated or is not HTTP.
    InvalidResponse,
    /// The computer is offline.
    Offline,
    /// The server asked to wait; `detail` is the end of the wait.
    RetryAfter,
    /// The password of a feed cannot be read.
    UnreadableSecret,
    /// No keyring can store the password or token; `detail` is the reason. The user may choose to store it in the library.
    NoKeyring,
    /// A user name, header, proxy or certificate is not valid; `detail` is the reason.
    InvalidConnection,
    /// The proxy of a feed is not valid or does not respond.
    Proxy,
    AlreadySubscribed,
    /// The file is not OPML; `detail` names its kind.
    NotOpml,
    /// A file cannot be read or written; `detail` names it and the reason.
    File,
    /// No full text was found; `detail` is no_page, not_a_page, no_article or less.
    NoFullText,
    /// The item no longer exists.
    NotFound,
    /// The arguments are not valid, which is a bug of the window.
    InvalidInput,
    /// An operation of this kind is already running.
    Busy,
    /// The library's folder is read-only; `detail` is its path.
    LibraryReadOnly,
    /// The library was written by a newer version of Gleaner; `detail` is its path.
    LibraryNewer,
    /// The file is damaged or not a library; `detail` is its path.
    LibraryDamaged,
    DiskFull,
    /// Any other error.
    Internal,
}

/// An error as the window receives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct IpcError {
    pub code: ErrorCode,
    /// English text of the core, shown as technical details.
    pub message: String,
    /// Parameter of the catalogue's message: a host, a path, a status.
    pub detail: Option<String>,
}

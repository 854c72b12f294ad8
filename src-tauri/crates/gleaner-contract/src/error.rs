use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What went wrong, for the window to branch on; every code has words in every language of the catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// Not a web address. `detail` says why.
    InvalidAddress,
    /// The page is there and names no feed.
    NoFeed,
    /// The document is something else; `detail` names it ("a web page").
    NotAFeed,
    /// A page that offers the domain for sale; `detail` is the host.
    Parked,
    /// The host's name is unknown.
    HostNotFound,
    /// Refused, unreachable or reset.
    HostUnreachable,
    /// The certificate; `detail` says what is wrong with it.
    Tls,
    Timeout,
    /// A status of 400 and above; `detail` is the status.
    HttpStatus,
    TooLarge,
    /// The answer was cut off or is no HTTP.
    BrokenAnswer,
    /// This machine is off the network.
    Offline,
    /// The server asks to be left alone; `detail` says until when.
    AskedToWait,
    /// The password of a feed cannot be read; `message` says why.
    Secret,
    /// No keyring takes a password or token; `detail` says why. The user may want it kept in the library.
    NoKeyring,
    /// A name, header, proxy or certificate that cannot be; `detail` says why.
    BadAccess,
    /// The proxy of a feed makes no sense or does not answer; `message` says which.
    Proxy,
    AlreadySubscribed,
    /// The file is no OPML list; `detail` says what it is.
    NotOpml,
    /// A file that cannot be read or written; `detail` names it and the reason.
    File,
    /// A page gives no full text; `detail` says why: no_page, not_a_page, no_article or less.
    NoFullText,
    /// The thing is not there any more.
    NotFound,
    /// The arguments make no sense; a bug of the window's.
    InvalidInput,
    /// Something of that kind is already under way.
    Busy,
    /// The library's folder cannot be written; `detail` is its path.
    LibraryReadOnly,
    /// The library was written by a newer Gleaner; `detail` is its path.
    LibraryNewer,
    /// The file is no library, or damaged; `detail` is its path.
    LibraryDamaged,
    DiskFull,
    /// Everything else: `message` says it.
    Internal,
}

/// An error as the window gets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct IpcError {
    pub code: ErrorCode,
    /// The core's own words, in English: shown as the details beneath the catalogue's words.
    pub message: String,
    /// What the catalogue's words name: a host, a path, a status.
    pub detail: Option<String>,
}

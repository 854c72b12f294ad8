//! Errors that cross to the window: a code and parameters.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ts_rs::TS;

/// What failed. The catalogues of the window and of `glean` have one message for every code. The parameters are named in braces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    // Web addresses.
    /// Not a web address.
    InvalidAddress,
    AddressMissing,
    AddressWithSpaces,
    /// The address names no site.
    AddressWithoutSite,
    /// The address is not http or https: {scheme}.
    UnsupportedScheme,

    // Requests.
    /// The computer is offline.
    Offline,
    /// The network requires a login in the browser first.
    NetworkLogin,
    /// {scheme}
    RedirectToUnsupportedScheme,
    /// {location}
    InvalidRedirect,
    RedirectLoop,
    /// {limit}
    TooManyRedirects,
    /// {host}
    RedirectToOtherSite,
    /// A public page refers to a private {host}.
    PrivateAddress,
    /// {host}
    RedirectToPrivateAddress,
    /// The name of the {host} does not exist.
    HostNotFound,
    /// The name server did not respond about the {host}.
    LookupFailed,
    /// {proxy}
    ProxyNotFound,
    /// {proxy}
    InvalidProxy,
    /// {proxy}
    ProxyRefused,
    /// {proxy}
    ProxyUnreachable,
    /// {proxy}
    ProxyLogin,
    /// {proxy}
    ProxyFailed,
    /// {host}
    ConnectionRefused,
    /// {host}
    HostUnreachable,
    /// {host}
    ConnectionFailed,
    /// {host}
    ConnectionReset,
    /// {host}
    Timeout,
    /// {host}
    IncompleteResponse,
    /// Another status of 400 or above: {status}.
    HttpStatus,
    /// 401
    Unauthorized,
    /// 401 although a login was sent.
    LoginRefused,
    /// 403
    Forbidden,
    /// 404
    HttpNotFound,
    /// 410
    Gone,
    /// 429
    TooManyRequests,
    /// The server asked to wait.
    RetryAfter,
    /// {until}, in Unix milliseconds.
    RetryAfterUntil,
    TooLarge,
    DamagedCompression,
    ConnectionLost,
    /// The response is not valid HTTP.
    InvalidResponse,
    /// A request header is not valid: {name}.
    InvalidHeader,
    /// The server does not use TLS on this port.
    NotTls,
    TlsIncompatible,
    TlsFailed,
    /// TLS or the proxy could not be set up on this computer.
    TlsSetupFailed,
    /// {date}, such as 2026-05-03.
    CertificateExpired,
    /// {date}
    CertificateNotYetValid,
    /// {host}
    CertificateWrongHost,
    CertificateUntrusted,
    CertificateRevoked,
    CertificateInvalid,
    /// The password of the feed cannot be read from the keyring.
    SecretUnreadable,
    /// The password of the feed is no longer in the keyring.
    SecretGone,

    // Documents.
    /// The page exists and links to no feed.
    NoFeed,
    /// A page that offers the domain for sale: {host}.
    Parked,
    /// A document of another kind.
    NotAFeed,
    NotAFeedEmpty,
    NotAFeedWebPage,
    NotAFeedOpml,
    NotAFeedSitemap,
    /// {root} is the name of the root element.
    NotAFeedXml,
    NotAFeedJson,
    NotAFeedText,
    NotAFeedImage,
    NotAFeedMedia,
    NotAFeedPdf,
    NotAFeedArchive,
    /// A notice that the feed has moved: {location}.
    FeedMoved,
    /// The feed gives no link for the article.
    NoPage,
    /// The link of the article does not lead to a web page.
    NotAPage,
    /// The server returned a web page in place of an audio or video file.
    NotMedia,
    /// The page has no article.
    NoArticle,
    /// The page has less text than the feed.
    LessText,

    // Connection settings.
    /// No keyring can store the password or token. The user may choose to store it in the library.
    NoKeyring,
    UserNameWithColon,
    UserNameMissing,
    PasswordMissing,
    /// A password or token has a line break or another control character.
    InvalidPassword,
    InvalidUserAgent,
    ProxyWithPassword,

    // Accounts on servers.
    /// No API that Gleaner supports was found at the address.
    NoServer,
    /// The server has an API, which is switched off.
    ServerApiOff,
    /// The server has an API in a version that is too old.
    ServerTooOld,
    /// The server refuses the user name or the password.
    ServerLogin,
    /// Inoreader needs the id and the key of an app.
    AppKeysMissing,
    /// The server accepts no more changes until {until}; they wait.
    ServerChangesWait,
    /// The response is not what the API returns.
    InvalidServerResponse,
    /// More than half of the feeds, {count}, are missing on the server.
    ServerFeedsMissing,
    /// The server does not subscribe to the feed: {url}.
    ServerRefusedFeed,
    /// The server of an account fetches the feed, so this computer can't do that.
    FeedOfServer,
    /// A folder contains the feeds of one account, or those of this computer.
    FolderOfOtherAccount,
    /// There is an account on this server with this user name.
    AccountExists,

    // Sharing.
    /// The service refuses the article, such as for its address.
    ServiceRefusedArticle,
    /// Zotero does not run on this computer.
    ZoteroNotRunning,
    /// There is a service with this address and user name, or with this name.
    ServiceExists,
    /// There are too many articles for one e-mail.
    MailTooLong,

    // Files. {file} is the name or path of the file.
    FileNotFound,
    FileNotPermitted,
    FileUnreadable,
    FileUnwritable,
    /// A folder, pipe or device.
    NotAFile,
    /// The user did not select this file.
    FileNotPicked,
    /// The disk of {file} is full.
    FileDiskFull,
    /// Another program is writing to the {file}.
    FileInUse,

    // Imports.
    NotOpml,
    NotOpmlEmpty,
    NotOpmlFeed,
    NotOpmlWebPage,
    /// Longer than `limit` MB.
    ImportTooLarge,
    /// More than `limit` feeds, bookmarks, articles or files.
    ImportTooMany,
    ImportEmptyFolder,
    ImportEmptyZip,
    ImportDamagedZip,
    /// A JSON Feed, which is subscribed to, not imported.
    ImportJsonFeed,
    ImportOtherJson,
    ImportDamagedJson,
    ImportDamagedDatabase,
    ImportUnknownDatabase,
    /// The database of a Gleaner library.
    ImportLibrary,
    /// The database of a {program}, of an unknown version.
    ImportUnknownVersion,
    /// {program}
    ImportDamaged,
    /// {file}
    NotAnArchive,
    /// {file}
    ArchiveDamaged,
    /// {file}
    ArchiveNewer,

    // The library.
    /// {folder}
    LibraryReadOnly,
    /// {folder}
    LibraryNewer,
    /// An older Gleaner has the library open.
    LibraryOlderInUse,
    /// Another program uses the library, and does not let it be opened or written.
    LibraryInUse,
    /// {folder}, if it is known.
    LibraryDamaged,
    DiskFull,
    /// The limit for the size of downloaded episodes is reached.
    EpisodesFull,
    DiskFailed,
    /// The item no longer exists.
    NotFound,
    AlreadySubscribed,
    FolderName,
    FolderNameTaken,
    SubfolderNameTaken,
    FolderInItself,
    SameFeed,
    FeedUnsubscribed,
    InvalidQuery,
    SearchName,
    /// {name}
    SearchNameTaken,
    SearchQuery,
    TagName,
    CategoryName,
    PlayQueueFull,
    /// {means}
    CircularSynonym,
    RuleActions,
    RuleName,
    /// Its query is not empty, but contains no words.
    RuleQuery,
    RuleFolderDeleted,
    HighlightTooLong,
    NoteEmpty,
    NoteTooLong,
    TooManyNotes,
    NotAnImage,

    // Updates of the program.
    /// Something else updates the program, such as a package manager.
    UpdatedBySystem,
    /// The latest version could not be requested or downloaded.
    UpdateUnreachable,
    /// The update is not signed by the project, or for another version.
    UpdateUntrusted,
    /// The program could not be replaced.
    UpdateFailed,

    // The application.
    /// An operation of this kind is already running.
    Busy,
    /// The user cancelled it.
    Cancelled,
    /// The system does not say where the user's home folder is.
    NoHomeFolder,
    /// The arguments are not valid, which is a bug of the window.
    InvalidInput,
    /// An error that an older version of Gleaner stored with a code that is no longer known, or without one.
    Unknown,
    /// Any other error.
    Internal,
}

/// An error as the window receives it: a code and the parameters of its message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct IpcError {
    pub code: ErrorCode,
    /// Names and values, without words of any language.
    pub params: BTreeMap<String, String>,
}

impl IpcError {
    /// Creates an error without parameters.
    pub fn new(code: ErrorCode) -> Self {
        Self { code, params: BTreeMap::new() }
    }
}

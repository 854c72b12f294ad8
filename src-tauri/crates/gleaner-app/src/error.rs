//! The one error of the application layer: a code and parameters, made from the errors of every crate. The window and `glean` word it.

pub(crate) mod feeds;

use crate::platform::UpdateError;
use gleaner_contract::{ErrorCode, IpcError};
use gleaner_discovery::{AddressProblem, DiscoveryError};
use gleaner_exchange::{
    archive::ArchiveError,
    readers::{ImportError, OtherFile},
};
use gleaner_feed::{DocumentKind, opml::NotOpml};
use gleaner_fetch::{FetchError, FetchErrorKind};
use gleaner_library::{LibraryError, Parameters, Refusal};
use gleaner_polling::{
    PollError, RediscoverError,
    connection::{ConnectionError, InvalidConnection},
    secrets::SecretError,
};
use gleaner_search::SearchError;
use gleaner_sync::SyncError;
use serde::Serialize;
use std::{fmt, io, path::Path};
use tokio::task::JoinError;

/// An error of a use case. `Display` is for the terminal, and [`AppError::without_names`] for the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct AppError {
    /// What the window and `glean` word.
    pub ipc: IpcError,
    #[serde(skip)]
    log: String,
}

/// The result of a use case.
pub type Result<T, E = AppError> = std::result::Result<T, E>;

/// Parameters of errors that are the user's own, and are not logged.
const PRIVATE: [&str; 6] = ["file", "folder", "url", "location", "name", "means"];
/// Maximum length of a file name's extension that is logged, in bytes.
const MAX_EXTENSION: usize = 8;

impl AppError {
    /// Creates an error without parameters. `log` is a message for the log.
    pub fn new(code: ErrorCode, log: impl fmt::Display) -> Self {
        Self { ipc: IpcError::new(code), log: log.to_string() }
    }

    /// Adds a parameter of the message.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl fmt::Display) -> Self {
        self.ipc.params.insert(name.to_owned(), value.to_string());
        self
    }

    /// The code of this error.
    pub fn code(&self) -> ErrorCode {
        self.ipc.code
    }

    /// Returns the message for the log without the user's own data: paths, addresses and names. Only the extension of a file stays.
    pub(crate) fn without_names(&self) -> String {
        let own = PRIVATE.iter().filter_map(|name| Some((*name, self.ipc.params.get(*name)?)));
        own.filter(|(_, value)| value.len() > 2).fold(self.log.clone(), |log, (name, value)| {
            let extension = Path::new(value).extension().and_then(|extension| extension.to_str());
            let is_plain = |text: &str| text.len() <= MAX_EXTENSION && text.bytes().all(|b| b.is_ascii_alphanumeric());
            let extension = extension.filter(|extension| name == "file" && is_plain(extension));
            log.replace(value.as_str(), &extension.map_or_else(|| "…".to_owned(), |extension| format!("….{extension}")))
        })
    }
}

impl fmt::Display for AppError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.log)
    }
}

impl std::error::Error for AppError {}

/// The error of a request that the window never makes.
pub(crate) fn invalid_input(log: impl fmt::Display) -> AppError {
    AppError::new(ErrorCode::InvalidInput, log)
}

/// An error that only a bug or the system can cause.
pub(crate) fn internal(log: impl fmt::Display) -> AppError {
    AppError::new(ErrorCode::Internal, log)
}

/// Returns an error from its stored code and parameters.
pub(crate) fn stored_error(code: String, parameters: Parameters) -> IpcError {
    // A code of a later version of Gleaner.
    let code = serde_json::from_value(code.into()).unwrap_or(ErrorCode::Internal);
    IpcError { params: parameters.0, ..IpcError::new(code) }
}

impl From<UpdateError> for AppError {
    fn from(error: UpdateError) -> Self {
        let code = match error {
            UpdateError::BySystem => ErrorCode::UpdatedBySystem,
            UpdateError::Unreachable(_) => ErrorCode::UpdateUnreachable,
            UpdateError::Untrusted(_) => ErrorCode::UpdateUntrusted,
            UpdateError::Failed(_) => ErrorCode::UpdateFailed,
        };
        Self::new(code, error)
    }
}

impl From<AddressProblem> for AppError {
    fn from(error: AddressProblem) -> Self {
        let of = |code| Self::new(code, &error);
        match &error {
            AddressProblem::Missing => of(ErrorCode::AddressMissing),
            AddressProblem::Scheme(scheme) => of(ErrorCode::UnsupportedScheme).with("scheme", scheme),
            AddressProblem::Spaces => of(ErrorCode::AddressWithSpaces),
            AddressProblem::NoSite => of(ErrorCode::AddressWithoutSite),
            AddressProblem::Malformed(_) => of(ErrorCode::InvalidAddress),
        }
    }
}

impl From<DiscoveryError> for AppError {
    fn from(error: DiscoveryError) -> Self {
        match error {
            DiscoveryError::Address(error) => error.into(),
            DiscoveryError::Fetch(error) => error.into(),
            DiscoveryError::NoFeed(ref url) => Self::new(ErrorCode::NoFeed, &error).with("url", url),
        }
    }
}

fn refusal_code(refusal: &Refusal) -> ErrorCode {
    match refusal {
        Refusal::FolderName => ErrorCode::FolderName,
        Refusal::FolderNameTaken => ErrorCode::FolderNameTaken,
        Refusal::SubfolderNameTaken => ErrorCode::SubfolderNameTaken,
        Refusal::FolderInItself => ErrorCode::FolderInItself,
        Refusal::SameFeed => ErrorCode::SameFeed,
        Refusal::FeedUnsubscribed => ErrorCode::FeedUnsubscribed,
        Refusal::FeedOfServer => ErrorCode::FeedOfServer,
        Refusal::FolderOfOtherAccount => ErrorCode::FolderOfOtherAccount,
        Refusal::AccountExists => ErrorCode::AccountExists,
        Refusal::ServiceExists => ErrorCode::ServiceExists,
        Refusal::Query(_) => ErrorCode::InvalidQuery,
        Refusal::SearchName => ErrorCode::SearchName,
        Refusal::SearchNameTaken(_) => ErrorCode::SearchNameTaken,
        Refusal::SearchQuery => ErrorCode::SearchQuery,
        Refusal::TagName => ErrorCode::TagName,
        Refusal::CategoryName => ErrorCode::CategoryName,
        Refusal::CircularSynonym(_) => ErrorCode::CircularSynonym,
        Refusal::RuleActions => ErrorCode::RuleActions,
        Refusal::RuleName => ErrorCode::RuleName,
        Refusal::RuleQuery => ErrorCode::RuleQuery,
        Refusal::RuleFolderDeleted => ErrorCode::RuleFolderDeleted,
        Refusal::HighlightTooLong => ErrorCode::HighlightTooLong,
        Refusal::NoteEmpty => ErrorCode::NoteEmpty,
        Refusal::NoteTooLong => ErrorCode::NoteTooLong,
        Refusal::TooManyNotes => ErrorCode::TooManyNotes,
        Refusal::PlayQueueFull => ErrorCode::PlayQueueFull,
        Refusal::NotAnImage => ErrorCode::NotAnImage,
        // The window and `glean` offer no such value.
        Refusal::UnknownAction(_)
        | Refusal::RetentionLimit
        | Refusal::Preference
        | Refusal::HighlightEmpty
        | Refusal::ContextTooLong
        | Refusal::Color
        | Refusal::ReadingPosition
        | Refusal::Duration => ErrorCode::InvalidInput,
    }
}

impl From<Refusal> for AppError {
    fn from(refusal: Refusal) -> Self {
        let error = Self::new(refusal_code(&refusal), &refusal);
        match refusal {
            Refusal::SearchNameTaken(name) => error.with("name", name),
            Refusal::CircularSynonym(means) => error.with("means", means),
            _ => error,
        }
    }
}

impl From<LibraryError> for AppError {
    fn from(error: LibraryError) -> Self {
        let of = |code| Self::new(code, &error);
        match &error {
            LibraryError::ReadOnly { folder, .. } => of(ErrorCode::LibraryReadOnly).with("folder", folder.display()),
            LibraryError::Newer { folder, .. } => of(ErrorCode::LibraryNewer).with("folder", folder.display()),
            LibraryError::Damaged { folder, .. } => of(ErrorCode::LibraryDamaged).with("folder", folder.display()),
            LibraryError::DiskFull => of(ErrorCode::DiskFull),
            LibraryError::DiskFailed(_) => of(ErrorCode::DiskFailed),
            LibraryError::OlderInUse => of(ErrorCode::LibraryOlderInUse),
            LibraryError::Locked => of(ErrorCode::LibraryInUse),
            LibraryError::NotFound(_) => of(ErrorCode::NotFound),
            LibraryError::Refused(refusal) => refusal.clone().into(),
            LibraryError::Invalid(_) => of(ErrorCode::InvalidInput),
            LibraryError::AlreadySubscribed(_) => of(ErrorCode::AlreadySubscribed),
            LibraryError::Sql(_) if error.is_damage() => of(ErrorCode::LibraryDamaged),
            LibraryError::Sql(_) => of(ErrorCode::Internal),
        }
    }
}

impl From<PollError> for AppError {
    fn from(error: PollError) -> Self {
        match error {
            PollError::Library(error) => error.into(),
            PollError::Task(error) => error.into(),
        }
    }
}

impl From<RediscoverError> for AppError {
    fn from(error: RediscoverError) -> Self {
        match error {
            RediscoverError::Discovery(error) => error.into(),
            RediscoverError::Library(error) => error.into(),
        }
    }
}

impl From<SyncError> for AppError {
    fn from(error: SyncError) -> Self {
        let of = |code| Self::new(code, &error);
        match error {
            // The list of a server, not a document that the user chose.
            SyncError::Fetch(error) if error.kind == FetchErrorKind::TooLarge => {
                Self::new(ErrorCode::InvalidServerResponse, &error)
            }
            // 403 refuses this request, not the login of the account.
            SyncError::Fetch(error) => FetchError { login_sent: false, ..error }.into(),
            SyncError::Library(error) => error.into(),
            SyncError::Task(error) => error.into(),
            SyncError::Login => of(ErrorCode::ServerLogin),
            SyncError::ApiOff => of(ErrorCode::ServerApiOff),
            SyncError::TooOld => of(ErrorCode::ServerTooOld),
            SyncError::NoServer => of(ErrorCode::NoServer),
            SyncError::InvalidResponse(_) | SyncError::LabelRefused => of(ErrorCode::InvalidServerResponse),
            SyncError::Wait(_) => of(ErrorCode::RetryAfter),
            // Only for a change; a synchronisation reports it and goes on.
            SyncError::ChangesWait(_) => of(ErrorCode::RetryAfter),
            SyncError::AppKeys => of(ErrorCode::AppKeysMissing),
            SyncError::Waiting(until) => of(ErrorCode::RetryAfterUntil).with("until", until),
            SyncError::Secret(SecretError::Gone) => of(ErrorCode::SecretGone),
            SyncError::Secret(SecretError::Keyring(_)) => of(ErrorCode::SecretUnreadable),
            SyncError::OtherProcess => of(ErrorCode::Busy),
            SyncError::Cancelled => of(ErrorCode::Cancelled),
        }
    }
}

impl From<SearchError> for AppError {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Library(error) => error.into(),
            SearchError::Query(error) => Self::new(ErrorCode::InvalidQuery, error),
            SearchError::Task(error) => error.into(),
        }
    }
}

impl From<InvalidConnection> for AppError {
    fn from(error: InvalidConnection) -> Self {
        let of = |code| Self::new(code, &error);
        match &error {
            InvalidConnection::UserNameWithColon => of(ErrorCode::UserNameWithColon),
            InvalidConnection::UserNameMissing => of(ErrorCode::UserNameMissing),
            InvalidConnection::PasswordMissing => of(ErrorCode::PasswordMissing),
            InvalidConnection::Password => of(ErrorCode::InvalidPassword),
            InvalidConnection::UserAgent => of(ErrorCode::InvalidUserAgent),
            InvalidConnection::ProxyWithPassword => of(ErrorCode::ProxyWithPassword),
            InvalidConnection::Proxy(proxy) => of(ErrorCode::InvalidProxy).with("proxy", proxy),
            InvalidConnection::Header(name) => of(ErrorCode::InvalidHeader).with("name", name),
        }
    }
}

impl From<ConnectionError> for AppError {
    fn from(error: ConnectionError) -> Self {
        match error {
            ConnectionError::Invalid(error) => error.into(),
            ConnectionError::Keyring(ref why @ SecretError::Keyring(_)) => Self::new(ErrorCode::NoKeyring, why),
            ConnectionError::Keyring(ref why @ SecretError::Gone) => Self::new(ErrorCode::SecretGone, why),
            ConnectionError::Library(error) => error.into(),
        }
    }
}

impl From<JoinError> for AppError {
    fn from(error: JoinError) -> Self {
        internal(error)
    }
}

/// Converts an error of the system about a file. `other` is the code for all kinds without their own.
pub(crate) fn of_io(error: &io::Error, file: &Path, other: ErrorCode) -> AppError {
    let code = match error.kind() {
        io::ErrorKind::NotFound => ErrorCode::FileNotFound,
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => ErrorCode::FileNotPermitted,
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ErrorCode::FileDiskFull,
        _ => other,
    };
    AppError::new(code, format_args!("{}: {error}", file.display())).with("file", file.display())
}

impl From<ArchiveError> for AppError {
    fn from(error: ArchiveError) -> Self {
        let of = |code, file: &Path| Self::new(code, &error).with("file", file.display());
        match error {
            ArchiveError::Library(error) => error.into(),
            // Its folder is missing.
            ArchiveError::Write { ref file, ref why } if why.kind() == io::ErrorKind::NotFound => {
                of(ErrorCode::FileUnwritable, file)
            }
            ArchiveError::Write { ref file, ref why } => of_io(why, file, ErrorCode::FileUnwritable),
            ArchiveError::Read { ref file, ref why } => of_io(why, file, ErrorCode::FileUnreadable),
            ArchiveError::NotAFile(ref file) => of(ErrorCode::NotAFile, file),
            ArchiveError::Full(ref file) => of(ErrorCode::FileDiskFull, file),
            ArchiveError::CutOff { ref file, .. } => of(ErrorCode::ArchiveDamaged, file),
            ArchiveError::Other { ref file, .. } => of(ErrorCode::NotAnArchive, file),
            ArchiveError::Newer { ref file, .. } => of(ErrorCode::ArchiveNewer, file),
            ArchiveError::Cancelled => Self::new(ErrorCode::Cancelled, &error),
        }
    }
}

impl From<OtherFile> for AppError {
    fn from(error: OtherFile) -> Self {
        let code = match &error {
            OtherFile::Folder => ErrorCode::ImportEmptyFolder,
            OtherFile::Zip => ErrorCode::ImportEmptyZip,
            OtherFile::DamagedZip(_) => ErrorCode::ImportDamagedZip,
            OtherFile::JsonFeed => ErrorCode::ImportJsonFeed,
            OtherFile::OtherJson => ErrorCode::ImportOtherJson,
            OtherFile::DamagedJson(_) => ErrorCode::ImportDamagedJson,
            OtherFile::DamagedDatabase(_) => ErrorCode::ImportDamagedDatabase,
            OtherFile::UnknownDatabase(_) => ErrorCode::ImportUnknownDatabase,
            OtherFile::Library => ErrorCode::ImportLibrary,
        };
        Self::new(code, error)
    }
}

/// The error of a file that is longer than `limit` bytes.
fn too_large(limit: u64, error: &dyn fmt::Display) -> AppError {
    AppError::new(ErrorCode::ImportTooLarge, error).with("limit", limit >> 20)
}

impl From<NotOpml> for AppError {
    fn from(error: NotOpml) -> Self {
        let code = match &error {
            NotOpml::TooLarge { limit } => return too_large(*limit as u64, &error),
            NotOpml::Empty => ErrorCode::NotOpmlEmpty,
            NotOpml::Other { kind: DocumentKind::Feed } => ErrorCode::NotOpmlFeed,
            NotOpml::Other { kind: DocumentKind::WebPage } => ErrorCode::NotOpmlWebPage,
            NotOpml::Other { .. } => ErrorCode::NotOpml,
        };
        Self::new(code, error)
    }
}

impl From<ImportError> for AppError {
    fn from(error: ImportError) -> Self {
        match error {
            ImportError::Library(error) => error.into(),
            ImportError::Unreadable { path, why } => of_io(&why, &path, ErrorCode::FileUnreadable),
            ImportError::NotAFile { ref path } => Self::new(ErrorCode::NotAFile, &error).with("file", path.display()),
            ImportError::NotOpml(error) => error.into(),
            ImportError::Other(error) => error.into(),
            ImportError::AnotherForm { program, .. } => {
                Self::new(ErrorCode::ImportUnknownVersion, &error).with("program", program)
            }
            ImportError::Damaged { program, .. } => {
                Self::new(ErrorCode::ImportDamaged, &error).with("program", program)
            }
            ImportError::Busy { ref path } => Self::new(ErrorCode::FileInUse, &error).with("file", path.display()),
            ImportError::TooLarge { limit } => too_large(limit, &error),
            ImportError::TooMany { limit } => Self::new(ErrorCode::ImportTooMany, &error).with("limit", limit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_has_no_names_of_the_user() {
        let missing = || io::Error::from(io::ErrorKind::NotFound);
        let path = Path::new("/home/ada/Private Title.opml");
        let error = of_io(&missing(), path, ErrorCode::FileUnreadable);
        assert_eq!(error.without_names(), format!("….opml: {}", missing()));
        assert!(error.to_string().contains("Private Title"), "the terminal has it");
        let error = of_io(&missing(), Path::new("/home/ada.b/Letters. To whom"), ErrorCode::FileUnreadable);
        assert_eq!(error.without_names(), format!("…: {}", missing()));
        let taken = AppError::from(Refusal::SearchNameTaken("Illness".to_owned()));
        assert!(!taken.without_names().contains("Illness"), "{taken}");
        let taken = AppError::from(Refusal::SearchNameTaken("About Dr.Grey".to_owned()));
        assert!(!taken.without_names().contains("Grey"), "{taken}");
        let url = "https://clinic.example/feed.xml";
        let error = AppError::new(ErrorCode::NoFeed, format_args!("no feed at {url}")).with("url", url);
        assert_eq!(error.without_names(), "no feed at …");
    }
}

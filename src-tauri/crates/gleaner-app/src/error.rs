//! The one error of the application layer, made from the errors of every crate.

use gleaner_contract::{ErrorCode, IpcError};
use gleaner_discovery::DiscoveryError;
use gleaner_exchange::{archive::ArchiveError, readers::ImportError};
use gleaner_feed::opml::NotOpml;
use gleaner_fetch::FetchError;
use gleaner_library::LibraryError;
use gleaner_polling::{FullTextError, NoText, PollError, RediscoverError, connection::ConnectionError, feed_error};
use gleaner_search::SearchError;
use serde::Serialize;
use std::{fmt, path::Path};
use tokio::task::JoinError;

/// An error as the window and `glean` receive it: a code with parameters.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct AppError(pub Box<IpcError>);

/// The result of a use case.
pub type Result<T, E = AppError> = std::result::Result<T, E>;

impl AppError {
    /// Creates an error without a parameter. `message` is for the log.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self(Box::new(IpcError { code, message: message.into(), detail: None }))
    }

    /// Creates an error whose message names `detail`.
    pub fn with_detail(code: ErrorCode, message: impl Into<String>, detail: impl Into<String>) -> Self {
        Self(Box::new(IpcError { code, message: message.into(), detail: Some(detail.into()) }))
    }

    /// The code of this error.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }
}

impl fmt::Display for AppError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for AppError {}

/// Polling stores the code of an error by its name, which is also its name in the contract.
pub(crate) fn code(name: &str) -> ErrorCode {
    serde_json::from_value(serde_json::Value::from(name)).unwrap_or(ErrorCode::Internal)
}

/// An error that only a bug or the system can cause.
pub(crate) fn internal(message: impl Into<String>) -> AppError {
    AppError::new(ErrorCode::Internal, message)
}

impl From<LibraryError> for AppError {
    fn from(error: LibraryError) -> Self {
        let message = error.to_string();
        if error.is_damage() {
            return Self::new(ErrorCode::LibraryDamaged, message);
        }
        match error {
            LibraryError::ReadOnly { folder, .. } => {
                Self::with_detail(ErrorCode::LibraryReadOnly, message, folder.display().to_string())
            }
            LibraryError::Newer { folder, .. } => {
                Self::with_detail(ErrorCode::LibraryNewer, message, folder.display().to_string())
            }
            LibraryError::DiskFull => Self::new(ErrorCode::DiskFull, message),
            LibraryError::Locked => Self::new(ErrorCode::Busy, message),
            LibraryError::NotFound(_) => Self::new(ErrorCode::NotFound, message),
            LibraryError::Refused(refusal) => Self::with_detail(ErrorCode::InvalidInput, message, refusal.to_string()),
            LibraryError::Invalid(why) => Self::with_detail(ErrorCode::InvalidInput, message, why),
            LibraryError::AlreadySubscribed(_) => Self::new(ErrorCode::AlreadySubscribed, message),
            LibraryError::Damaged { .. } | LibraryError::DiskFailed(_) | LibraryError::Sql(_) => internal(message),
        }
    }
}

impl From<&FetchError> for AppError {
    fn from(error: &FetchError) -> Self {
        let (name, detail) = feed_error::of_fetch(error);
        Self(Box::new(IpcError { code: code(name), message: error.to_string(), detail }))
    }
}

impl From<FetchError> for AppError {
    fn from(error: FetchError) -> Self {
        Self::from(&error)
    }
}

impl From<DiscoveryError> for AppError {
    fn from(error: DiscoveryError) -> Self {
        let message = error.to_string();
        match error {
            DiscoveryError::Address(why) => Self::with_detail(ErrorCode::InvalidAddress, message, why.to_string()),
            DiscoveryError::Fetch(error) => Self::from(&error),
            DiscoveryError::NoFeed(url) => Self::with_detail(ErrorCode::NoFeed, message, url),
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

impl From<SearchError> for AppError {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Library(error) => error.into(),
            SearchError::Query(error) => {
                Self::with_detail(ErrorCode::InvalidInput, error.to_string(), error.to_string())
            }
            SearchError::Task(error) => error.into(),
        }
    }
}

impl From<ConnectionError> for AppError {
    fn from(error: ConnectionError) -> Self {
        match error {
            ConnectionError::Invalid(why) => Self::with_detail(ErrorCode::InvalidConnection, why.clone(), why),
            ConnectionError::Keyring(error) => {
                let message = error.to_string();
                Self::with_detail(ErrorCode::NoKeyring, message.clone(), message)
            }
            ConnectionError::Library(error) => error.into(),
        }
    }
}

impl From<FullTextError> for AppError {
    fn from(error: FullTextError) -> Self {
        let message = error.to_string();
        match error {
            FullTextError::Library(error) => error.into(),
            FullTextError::Fetch(error) => (*error).into(),
            FullTextError::Wait(_) => Self::new(ErrorCode::RetryAfter, message),
            FullTextError::Access(_) => Self::new(ErrorCode::UnreadableSecret, message),
            FullTextError::NoText(why) => {
                let name = match why {
                    NoText::NoPage => "no_page",
                    NoText::NotAPage(_) => "not_a_page",
                    NoText::NoArticle => "no_article",
                    NoText::LessText => "less",
                };
                Self::with_detail(ErrorCode::NoFullText, message, name)
            }
            FullTextError::OtherProcess => Self::new(ErrorCode::Busy, message),
            FullTextError::Cancelled | FullTextError::Task(_) => internal(message),
        }
    }
}

impl From<JoinError> for AppError {
    fn from(error: JoinError) -> Self {
        internal(error.to_string())
    }
}

impl AppError {
    /// An error with a file of the user's, or with the library.
    pub(crate) fn of_file(error: ArchiveError, file: &Path) -> Self {
        match error {
            ArchiveError::Library(error) => error.into(),
            error => {
                let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
                Self::with_detail(ErrorCode::File, error.to_string(), format!("{name}: {error}"))
            }
        }
    }

    /// An error with a file that was to be imported.
    pub(crate) fn of_import(error: ImportError, file: &str) -> Self {
        let message = format!("{file}: {error}");
        match error {
            ImportError::Library(error) => error.into(),
            ImportError::Unreadable { path, .. } => {
                Self::with_detail(ErrorCode::File, message, path.display().to_string())
            }
            ImportError::NotOpml(NotOpml::Empty) => Self::with_detail(ErrorCode::NotOpml, message, "an empty file"),
            ImportError::NotOpml(NotOpml::Other { kind }) => {
                Self::with_detail(ErrorCode::NotOpml, message, kind.to_string())
            }
            ImportError::Other { what } => Self::with_detail(ErrorCode::File, message, format!("{file}: {what}")),
            ImportError::NotOpml(NotOpml::TooLarge { .. }) => Self::new(ErrorCode::TooLarge, message),
            ImportError::TooLarge { limit } => Self::with_detail(ErrorCode::NotOpml, message, limit),
            other => Self::with_detail(ErrorCode::File, message, other.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_fetch::FetchErrorKind as Kind;

    #[test]
    fn every_fetch_error_has_a_code_of_its_own() {
        let kinds = [
            Kind::Scheme,
            Kind::Dns,
            Kind::Connect,
            Kind::Tls,
            Kind::Timeout,
            Kind::Http(500),
            Kind::TooManyRedirects,
            Kind::PrivateAddress,
            Kind::TooLarge,
            Kind::Broken,
            Kind::Offline,
        ];
        for kind in kinds {
            let url = Box::new(url::Url::parse("https://example.com/").unwrap());
            let error = FetchError {
                kind,
                cause: Box::new(gleaner_fetch::FetchCause::Offline),
                retry_after: None,
                url,
                certificate: None,
            };
            assert_ne!(AppError::from(&error).code(), ErrorCode::Internal, "{kind:?}");
        }
    }
}

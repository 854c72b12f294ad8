//! The error of saving an article.

use gleaner_fetch::{FetchError, FetchErrorKind};
use std::{io, path::PathBuf, time::Duration};

/// Pause for a service that reports too many requests (status 429) without saying how long to wait.
pub(crate) const WAIT: Duration = Duration::from_secs(15 * 60);

/// Why an article could not be saved.
#[derive(Debug, thiserror::Error)]
pub enum ShareError {
    /// The address is not a web address.
    #[error("not a web address")]
    Address,
    /// The request failed.
    #[error(transparent)]
    Fetch(FetchError),
    /// The program on this computer that saves the article does not run.
    #[error("the program is not running")]
    NotRunning,
    /// The service refuses the login.
    #[error("the service refuses the login")]
    Login,
    /// The service refuses this article (status 400, 413 or 422).
    #[error("the service refuses the article")]
    Refused,
    /// The service needs an address, and the article has none.
    #[error("the article has no address")]
    NoAddress,
    /// The response is not what the service's API returns.
    #[error("the response is not that of the API")]
    InvalidResponse,
    /// The service asks to wait: for how long.
    #[error("the service asks to wait")]
    Wait(Duration),
    /// The folder cannot be written.
    #[error("{}: {why}", file.display())]
    File {
        /// The file or folder.
        file: PathBuf,
        /// The reason.
        why: io::Error,
    },
}

impl ShareError {
    /// Whether it concerns only this article, so that others may be saved.
    #[must_use]
    pub fn is_of_article(&self) -> bool {
        matches!(self, Self::Refused | Self::NoAddress)
    }

    /// Whether it may be caused by this article, so that others are tried before it: the service was reached.
    #[must_use]
    pub fn may_be_of_article(&self) -> bool {
        use FetchErrorKind as Kind;
        match self {
            Self::Fetch(error) => {
                matches!(error.kind, Kind::Http(_) | Kind::Timeout | Kind::TooLarge | Kind::Broken)
                    && !error.is_own_network()
            }
            Self::Refused | Self::NoAddress | Self::InvalidResponse | Self::File { .. } => true,
            Self::Address | Self::NotRunning | Self::Login | Self::Wait(_) => false,
        }
    }

    /// Whether only the user can solve it, so that it is not tried again automatically.
    #[must_use]
    pub fn needs_user(&self) -> bool {
        matches!(self, Self::Login | Self::Address)
    }
}

impl From<FetchError> for ShareError {
    fn from(error: FetchError) -> Self {
        match error.kind {
            _ if error.asks_to_wait() => Self::Wait(error.retry_after.unwrap_or(WAIT)),
            FetchErrorKind::Http(401 | 403) => Self::Login,
            FetchErrorKind::Http(400 | 413 | 422) => Self::Refused,
            FetchErrorKind::Http(429) => Self::Wait(WAIT),
            _ => Self::Fetch(error),
        }
    }
}

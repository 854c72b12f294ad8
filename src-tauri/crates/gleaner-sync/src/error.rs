//! The error of a synchronisation.

use gleaner_fetch::{FetchError, FetchErrorKind};
use gleaner_library::{LibraryError, Millis};
use gleaner_polling::{PollError, secrets::SecretError};
use std::time::Duration;

/// Pause for a server that reports too many requests (status 429) without saying how long to wait.
const WAIT: Duration = Duration::from_secs(3600);

/// Why an account could not be synchronised, or not completely. Everything done until then stays done.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    /// The request failed.
    #[error(transparent)]
    Fetch(FetchError),
    /// The server refuses the user name or the password.
    #[error("the server refuses the login")]
    Login,
    /// The server has the API, but it is switched off.
    #[error("the API of the server is switched off")]
    ApiOff,
    /// The server has the API in a version that is too old.
    #[error("the server is too old")]
    TooOld,
    /// No API that Gleaner supports was found at the address.
    #[error("no supported API was found")]
    NoServer,
    /// The server refused this label of articles.
    #[error("the server refuses the label")]
    LabelRefused,
    /// The response is not what the API returns. The text names the request.
    #[error("the response to {0} is not valid")]
    InvalidResponse(&'static str),
    /// The server asks to wait: for how long.
    #[error("the server asks to wait")]
    Wait(Duration),
    /// The server accepts no more changes for this time, but still responds.
    #[error("the server accepts no more changes")]
    ChangesWait(Duration),
    /// The account needs the id and the key of an app.
    #[error("the server wants the keys of an app")]
    AppKeys,
    /// The server asked to wait, until then.
    #[error("the server asked to wait until {0}")]
    Waiting(Millis),
    /// The password cannot be read.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// Another process synchronises.
    #[error("another process is synchronising")]
    OtherProcess,
    /// The user cancelled it.
    #[error("cancelled")]
    Cancelled,
    /// The library cannot be read or written.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// A task panicked: a bug.
    #[error("a task failed: {0}")]
    Task(#[from] tokio::task::JoinError),
}

impl SyncError {
    /// Whether the error concerns only this request: the server refused it, failed at it, or responded with something else. Other requests
    /// may succeed, unlike without a connection or a login.
    #[must_use]
    pub fn is_about_request(&self) -> bool {
        use FetchErrorKind::{Broken, Http, Timeout, TooLarge, TooManyRedirects};
        match self {
            Self::InvalidResponse(_) | Self::LabelRefused => true,
            Self::Fetch(error) => match error.kind {
                Http(status) => !matches!(status, 401 | 425 | 429),
                kind => matches!(kind, Timeout | Broken | TooLarge | TooManyRedirects),
            },
            _ => false,
        }
    }

    /// Whether one of several articles may have caused the failure, so that a request for fewer of them may succeed.
    pub(crate) fn may_be_one_article(&self) -> bool {
        let waited = matches!(self, Self::Fetch(error) if error.kind == FetchErrorKind::Timeout);
        self.is_about_request() && !waited
    }

    /// Whether the response is larger than Gleaner reads.
    pub(crate) fn is_too_large(&self) -> bool {
        matches!(self, Self::Fetch(error) if error.kind == FetchErrorKind::TooLarge)
    }

    /// Whether the server clearly refused what was asked, rather than failed at it.
    pub(crate) fn is_refusal(&self) -> bool {
        match self {
            Self::LabelRefused => true,
            Self::Fetch(error) => is_refusal(error),
            _ => false,
        }
    }
}

/// Whether the server refused the request or failed at it. Some respond with 500 to a request that is not valid.
pub(crate) fn is_refusal_or_failure(error: &FetchError) -> bool {
    is_refusal(error) || matches!(error.kind, FetchErrorKind::Http(500 | 501))
}

/// Whether a server clearly refused what was asked (status 4xx), rather than failed, or asked for a login or to wait.
pub(crate) fn is_refusal(error: &FetchError) -> bool {
    matches!(error.kind, FetchErrorKind::Http(400..=499))
        && !matches!(error.kind, FetchErrorKind::Http(401 | 408 | 425 | 429))
}

/// An error of a request whose status some callers understand.
pub(crate) enum FetchErrorOr {
    Fetch(FetchError),
    Other(SyncError),
}

impl From<FetchError> for FetchErrorOr {
    fn from(error: FetchError) -> Self {
        Self::Fetch(error)
    }
}

impl From<FetchErrorOr> for SyncError {
    fn from(error: FetchErrorOr) -> Self {
        match error {
            FetchErrorOr::Fetch(error) => error.into(),
            FetchErrorOr::Other(error) => error,
        }
    }
}

impl From<FetchError> for SyncError {
    fn from(error: FetchError) -> Self {
        match error.kind {
            FetchErrorKind::Http(401) => Self::Login,
            FetchErrorKind::Http(429) => Self::Wait(error.retry_after.unwrap_or(WAIT)),
            // Without a time, 503 is a failure like any other: a server that restarts, or one request that is too much for it.
            _ if error.asks_to_wait() => Self::Wait(error.retry_after.unwrap_or(WAIT)),
            _ => Self::Fetch(error),
        }
    }
}

impl From<PollError> for SyncError {
    fn from(error: PollError) -> Self {
        match error {
            PollError::Library(error) => Self::Library(error),
            PollError::Task(error) => Self::Task(error),
        }
    }
}

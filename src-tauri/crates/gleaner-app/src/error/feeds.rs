//! The errors of feeds, of what they contain, and of requests.

use super::AppError;
use gleaner_contract::{ErrorCode, IpcError};
use gleaner_fetch::{FetchError, FetchErrorKind};
use gleaner_library::{Failure, Parameters, now};
use gleaner_polling::{FeedError, FeedErrorCode, FullTextError, file::FeedFileError};
use std::fmt;

/// Converts the error that is stored of a feed, a poll or a download.
pub(crate) fn stored_feed_error(code: Option<&str>, parameters: &Parameters) -> Option<IpcError> {
    FeedError::stored(code, parameters).map(|error| AppError::from(error).ipc)
}

/// Converts the error of the last poll of a feed.
pub(crate) fn poll_error(failure: &Failure) -> Option<IpcError> {
    stored_feed_error(failure.error_code.as_deref(), &failure.error_parameters)
}

macro_rules! convert_codes {
    ($($variant:ident = $name:literal),+ $(,)?) => {
        fn feed_code(code: FeedErrorCode) -> ErrorCode {
            match code { $(FeedErrorCode::$variant => ErrorCode::$variant),+ }
        }
    };
}
gleaner_polling::feed_error_codes!(convert_codes);

/// Converts an error of a feed. `log` is the error that it was made from.
fn of_feed(error: FeedError, log: impl fmt::Display) -> AppError {
    AppError { ipc: IpcError { code: feed_code(error.code), params: error.parameters.0 }, log: log.to_string() }
}

impl From<FeedError> for AppError {
    fn from(error: FeedError) -> Self {
        let log = error.to_string();
        of_feed(error, log)
    }
}

impl From<&FetchError> for AppError {
    fn from(error: &FetchError) -> Self {
        let app_error = of_feed(error.into(), error);
        match error.retry_after.filter(|_| error.kind == FetchErrorKind::Waiting) {
            Some(wait) => {
                let until = now().saturating_add(wait.as_millis().try_into().unwrap_or(i64::MAX));
                Self { ipc: IpcError { code: ErrorCode::RetryAfterUntil, ..app_error.ipc }, ..app_error }
                    .with("until", until)
            }
            None => app_error,
        }
    }
}

impl From<FetchError> for AppError {
    fn from(error: FetchError) -> Self {
        Self::from(&error)
    }
}

impl From<FeedFileError> for AppError {
    fn from(error: FeedFileError) -> Self {
        of_feed((&error).into(), error)
    }
}

impl From<FullTextError> for AppError {
    fn from(error: FullTextError) -> Self {
        match error {
            FullTextError::Library(error) => error.into(),
            FullTextError::Task(error) => error.into(),
            error => {
                let log = error.to_string();
                of_feed(error.into(), log)
            }
        }
    }
}

//! Decides whether a feed's address can be requested. Lists of other readers contain addresses of programs (`exec:`), of files and of
//! FTP and Gopher servers. Pure.

use crate::{FeedError, FeedErrorCode};
use gleaner_fetch::{FetchCause, FetchError};
use gleaner_library::Poll;
use url::Url;

/// Returns the address of a feed if it is one of a web server, or of a file that the user picked: an imported list of subscriptions may
/// name any file.
pub(crate) fn requestable(poll: &Poll) -> Result<Url, FeedError> {
    let url = Url::parse(&poll.url).map_err(|_| FeedError::from(FeedErrorCode::InvalidAddress))?;
    match url.scheme() {
        "http" | "https" => Ok(url),
        "file" if poll.picked_file.as_deref() == Some(poll.url.as_str()) => Ok(url),
        "file" => Err(FeedError::with(FeedErrorCode::FileNotPicked, "file", &poll.url)),
        scheme => Err((&FetchError::new(FetchCause::UnsupportedScheme { scheme: scheme.to_owned() }, &url)).into()),
    }
}

//! A client of a server whatever its API, for those who keep one. The only place that lists the clients of all APIs.

use crate::{
    Connection, Feedbin, Fever, GoogleReader, Kind, Miniflux, NextcloudNews, Options, Report, Server, SyncError, TtRss,
    error::is_refusal, sync,
};
use gleaner_library::{Account, Library};
use gleaner_polling::rules::Rules;
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// A client of a server, with its session.
#[derive(Debug)]
pub enum Client {
    /// Of Miniflux.
    Miniflux(Miniflux),
    /// Of Nextcloud News.
    NextcloudNews(NextcloudNews),
    /// Of Tiny Tiny RSS.
    TtRss(TtRss),
    /// Of Feedbin.
    Feedbin(Feedbin),
    /// Of the Google Reader API.
    GoogleReader(GoogleReader),
    /// Of the Fever API.
    Fever(Fever),
}

/// Does the same with the client of any API.
macro_rules! with {
    ($client:expr, $server:ident => $done:expr) => {
        match $client {
            Client::Miniflux($server) => $done,
            Client::NextcloudNews($server) => $done,
            Client::TtRss($server) => $done,
            Client::Feedbin($server) => $done,
            Client::GoogleReader($server) => $done,
            Client::Fever($server) => $done,
        }
    };
}

impl Client {
    /// Creates a client that is not logged in yet.
    #[must_use]
    pub fn new(kind: Kind, connection: Connection, user: &str, password: String) -> Self {
        match kind {
            Kind::Miniflux => Self::Miniflux(Miniflux::new(connection, user, password)),
            Kind::NextcloudNews => Self::NextcloudNews(NextcloudNews::new(connection, user, password)),
            Kind::TtRss => Self::TtRss(TtRss::new(connection, user, password)),
            Kind::Feedbin => Self::Feedbin(Feedbin::new(connection, user, password)),
            Kind::GoogleReader => Self::GoogleReader(GoogleReader::new(connection, user.to_owned(), password)),
            Kind::Fever => Self::Fever(Fever::new(connection, user, &password)),
        }
    }

    /// Synchronises an account with its server.
    ///
    /// # Errors
    /// As [`sync()`].
    pub async fn sync(
        &mut self,
        library: &Library,
        account: &Account,
        rules: &Rules,
        options: &Options,
        cancel: &CancellationToken,
    ) -> Result<Report, SyncError> {
        with!(self, server => sync(library, account, server, rules, options, cancel).await)
    }

    /// Returns how long synchronisations in the background should wait for the server's limit of requests; `None` without one.
    #[must_use]
    pub fn pause(&self) -> Option<Duration> {
        match self {
            Self::GoogleReader(server) => server.pause(),
            Self::Miniflux(_) | Self::NextcloudNews(_) | Self::TtRss(_) | Self::Feedbin(_) | Self::Fever(_) => None,
        }
    }

    /// Checks the login, and that the server has the subscriptions: a login page may answer like a login. Returns whether it is the API:
    /// a server that wants a login for everything may have nothing behind it, and a version may be too old.
    pub(crate) async fn check(&mut self) -> Result<bool, SyncError> {
        async fn check(server: &mut impl Server) -> Result<(), SyncError> {
            server.log_in().await?;
            server.feeds().await.map(drop)
        }
        match with!(self, server => check(server).await) {
            Err(SyncError::Fetch(error)) if is_refusal(&error) => Ok(false),
            Err(SyncError::NoServer) => Ok(false),
            done => done.map(|()| true),
        }
    }

    /// Returns whether the server has labels for articles.
    pub(crate) async fn has_labels(&mut self) -> Result<bool, SyncError> {
        match self {
            Self::GoogleReader(server) => server.has_labels().await,
            Self::TtRss(_) => Ok(true),
            Self::Miniflux(_) | Self::NextcloudNews(_) | Self::Feedbin(_) | Self::Fever(_) => Ok(false),
        }
    }
}

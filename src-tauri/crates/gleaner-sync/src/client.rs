//! A client of a server with any API, for callers that keep one. The only place that lists the clients of all APIs.

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
pub struct Client(Box<dyn Server>);

impl Client {
    /// Creates a client that is not logged in yet.
    #[must_use]
    pub fn new(kind: Kind, connection: Connection, user: &str, password: String) -> Self {
        Self(match kind {
            Kind::Miniflux => Box::new(Miniflux::new(connection, user, password)),
            Kind::NextcloudNews => Box::new(NextcloudNews::new(connection, user, password)),
            Kind::TtRss => Box::new(TtRss::new(connection, user, password)),
            Kind::Feedbin => Box::new(Feedbin::new(connection, user, password)),
            Kind::GoogleReader => Box::new(GoogleReader::new(connection, user.to_owned(), password)),
            Kind::Fever => Box::new(Fever::new(connection, user, &password)),
        })
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
        sync(library, account, &mut *self.0, rules, options, cancel).await
    }

    /// Returns how long synchronisations in the background should wait for the server's limit of requests; `None` without one.
    #[must_use]
    pub fn pause(&self) -> Option<Duration> {
        self.0.pause()
    }

    /// Checks the login, and that the server returns the subscriptions, since a login page may respond like a login. Returns whether it is
    /// the API: a server that requires a login for every address may not have the API, and a version may be too old.
    pub(crate) async fn check(&mut self) -> Result<bool, SyncError> {
        let checked = match self.0.log_in().await {
            Ok(()) => self.0.feeds().await.map(drop),
            Err(error) => Err(error),
        };
        match checked {
            Err(SyncError::Fetch(error)) if is_refusal(&error) => Ok(false),
            Err(SyncError::NoServer) => Ok(false),
            done => done.map(|()| true),
        }
    }

    /// Returns whether the server has labels for articles.
    pub(crate) async fn has_labels(&mut self) -> Result<bool, SyncError> {
        self.0.has_labels().await
    }
}

//! Limits the requests to each host. An exchange needs a permit for each hop that leads to another host, so that a host's limits also hold
//! for redirects to it.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;
use url::Url;

/// Decides when a request may go to a host.
pub trait HostLimiter: fmt::Debug + Send + Sync {
    /// Waits until a request may go to the host of `url`. `redirected`: a redirect leads there.
    ///
    /// # Errors How long the host must not be contacted.
    fn acquire<'a>(&'a self, url: &'a Url, redirected: bool) -> Acquiring<'a>;
}

/// The future of [`HostLimiter::acquire`].
pub type Acquiring<'a> = Pin<Box<dyn Future<Output = Result<Box<dyn HostPermit>, Duration>> + Send + 'a>>;

/// Permission to contact a host, until it is dropped. An exchange that has a permit does not wait for another one.
pub trait HostPermit: Send + Sync {
    /// Records that the host asked to be left alone for this long.
    fn wait(&self, retry_after: Duration);
}

//! Fetches documents and files through the shared clients.

use crate::clients::{Settings, Shared};
use crate::request_counter::RequestCounter;
use crate::{Download, FetchError, HostLimiter, Limits, Request, Response, exchange};
use std::sync::Arc;

/// Fetches URLs over HTTP. Cheap to clone; keeps no cookies for the next request.
#[derive(Debug, Clone)]
pub struct Fetcher {
    shared: Arc<Shared>,
    limiter: Option<Arc<dyn HostLimiter>>,
    counter: Option<Arc<RequestCounter>>,
}

impl Fetcher {
    /// Creates a fetcher with the given limits and default settings.
    ///
    /// # Errors
    /// When TLS cannot be set up on this machine.
    pub fn new(limits: Limits) -> Result<Self, FetchError> {
        Self::with(Settings { limits, ..Settings::default() })
    }

    /// Creates a fetcher with the given settings.
    ///
    /// # Errors
    /// When TLS cannot be set up on this machine, or the settings are invalid.
    pub fn with(settings: Settings) -> Result<Self, FetchError> {
        let shared = Shared::new(settings)?;
        Ok(Self { shared: Arc::new(shared), limiter: None, counter: None })
    }

    /// Returns the same fetcher, with its connections, whose requests are limited per host.
    #[must_use]
    pub fn with_limiter(&self, limiter: Arc<dyn HostLimiter>) -> Self {
        Self { shared: Arc::clone(&self.shared), limiter: Some(limiter), counter: self.counter.clone() }
    }

    /// Returns the same fetcher, with its connections, whose requests are counted.
    #[must_use]
    pub fn with_counter(&self, counter: Arc<RequestCounter>) -> Self {
        Self { shared: Arc::clone(&self.shared), limiter: self.limiter.clone(), counter: Some(counter) }
    }

    /// Sends one GET request and follows its redirects.
    ///
    /// # Errors
    /// [`FetchError`] for everything except a 200 to 203 with a body, or a 304 to a conditional request.
    pub async fn fetch(&self, request: Request) -> Result<Response, FetchError> {
        // On the heap: it is large, and would be a part of each future that waits for it, on the stack of a thread of two megabytes.
        let done = Box::pin(exchange::exchange(&self.shared, self.limiter.as_deref(), request)).await;
        if let Some(counter) = &self.counter {
            let (hops, bytes) = done.as_ref().map_or((0, 0), |response| (response.hops.len(), response.wire_bytes));
            counter.sent(1 + hops as u64);
            counter.received(bytes);
        }
        done
    }

    /// Requests a file, or the rest of one, and follows redirects. The body is read with [`Download::chunk`].
    ///
    /// # Errors
    /// [`FetchError`] for everything except a 200 with the whole file, or a 206 with the requested rest.
    pub async fn download(&self, request: Request) -> Result<Download, FetchError> {
        let counter = self.counter.clone();
        if let Some(counter) = &counter {
            counter.sent(1);
        }
        Box::pin(exchange::download(&self.shared, self.limiter.as_deref(), counter, request)).await
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use hyper_util::client::proxy::matcher::Matcher;

    #[tokio::test]
    async fn a_public_page_reaches_the_host_of_a_proxy_through_a_proxy_only() {
        let refuses = async |proxy: &str, url: &str| {
            let mut shared = Shared::new(Settings::default()).unwrap();
            shared.system = Matcher::builder().http(proxy).no(".corp.invalid").build();
            let fetcher = Fetcher { shared: Arc::new(shared), limiter: None, counter: None };
            let request = Request { public_only: true, ..Request::new(url.parse().unwrap()) };
            fetcher.fetch(request).await.unwrap_err().kind == crate::FetchErrorKind::PrivateAddress
        };
        assert!(refuses("http://proxy.corp.invalid:3128", "http://proxy.corp.invalid:9090/").await);
        assert!(!refuses("http://proxy.corp.invalid:3128", "http://blog.corp.invalid/").await);
        // Through the proxy, whose host is not found.
        assert!(!refuses("http://proxy.invalid:3128", "http://proxy.invalid/").await);
    }
}

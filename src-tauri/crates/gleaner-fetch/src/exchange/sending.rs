//! Sends a request to the current host, and once more if that certainly does no harm.

use super::Exchange;
use crate::clients::NetworkScope;
use crate::explain::{self, Phase};
use crate::open_connections::{stays_open, was_closed};
use crate::{FetchCause, FetchError};
use gleaner_address::is_private_host;
use reqwest::Response;
use reqwest::header::CONTENT_TYPE;
use tokio::time::timeout;

/// A request without a response.
struct Failed {
    error: FetchError,
    /// Whether the server says that it did not process the request.
    unprocessed: bool,
    /// Whether it says that it responds by HTTP/1.1 only.
    requires_http1: bool,
}

impl Exchange<'_> {
    /// Sends the request. Sends it once more if an open connection turns out to be closed, or if the server says that it did not process it
    /// or that it responds by HTTP/1.1 only.
    pub(super) async fn send(&self, scope: NetworkScope) -> Result<Response, FetchError> {
        let reused = self.shared.take_open(self.client_key(scope), &self.url);
        let result = self.send_once(scope).await;
        let unprocessed = result.as_ref().is_err_and(|failed| failed.unprocessed || failed.requires_http1);
        if result.as_ref().is_err_and(|failed| failed.requires_http1) {
            self.shared.require_http1(&self.url);
        }
        let result = result.map_err(|failed| failed.error);
        // A change may have been made although there is no response.
        match unprocessed || reused && self.request.payload.is_none() && was_closed(&result) {
            true => self.send_once(scope).await.map_err(|failed| failed.error),
            false => result,
        }
    }

    async fn send_once(&self, scope: NetworkScope) -> Result<Response, Failed> {
        let failed = |error| Failed { error, unprocessed: false, requires_http1: false };
        let limits = &self.shared.limits;
        let headers = self.headers().map_err(failed)?;
        let client = self.shared.client(self.client_key(scope), &self.url).map_err(failed)?;
        let request = client.request(self.method(), self.address()).headers(headers);
        let request = match &self.request.payload {
            Some(payload) => request.header(CONTENT_TYPE, payload.content_type).body(payload.body.clone()),
            None => request,
        };
        match timeout(limits.first_byte, self.with_login(request).send()).await {
            Ok(Ok(response)) => {
                if !is_private_host(&self.url) {
                    self.shared.connectivity.record_response();
                }
                if stays_open(&response) {
                    self.shared.record_open(self.client_key(scope), &self.url);
                }
                Ok(response)
            }
            Ok(Err(error)) => {
                let (unprocessed, requires_http1) = (explain::is_unprocessed(&error), explain::requires_http1(&error));
                Err(Failed { error: self.explain(&error, Phase::Head).await, unprocessed, requires_http1 })
            }
            Err(_) => Err(failed(self.error(FetchCause::NoResponse { limit: limits.first_byte }))),
        }
    }
}

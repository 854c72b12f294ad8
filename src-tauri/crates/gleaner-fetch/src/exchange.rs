//! Sends a request and follows redirects until there is a response, an error or a limit is reached.

use crate::body::ACCEPT_ENCODING;
use crate::clients::{ClientKey, NetworkScope, Shared};
use crate::clock::now_utc;
use crate::cookies::Cookies;
use crate::digest::Challenge;
use crate::explain::{self, Phase};
use crate::freshness::{freshness, quota, retry_after};
use crate::header_values::{is_whole, joined, location, validator};
use crate::memory::{Held, Waits};
use crate::open_connections::drain;
use crate::site::same_site;
use crate::{
    Accept, Download, FetchCause, FetchError, FetchErrorKind, Hop, HostLimiter, HostPermit, Method, Request,
    RequestCounter, Response, Resume, Route, Validators,
};
use gleaner_address::{is_private_host, is_web, without_login};
use reqwest::StatusCode;
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING as ACCEPT_ENCODING_HEADER, CONTENT_TYPE, ETAG, HeaderMap, HeaderName, HeaderValue,
    IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, LAST_MODIFIED, LINK, RANGE, USER_AGENT,
};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::time::{timeout, timeout_at};
use url::{Position, Url};

mod authentication;
mod receiving;
mod sending;

use receiving::Received;

/// Sends a request and follows its redirects. Each host that they lead to needs a permit, and the time spent waiting for it
/// does not count.
pub(crate) async fn exchange(
    shared: &Shared,
    limiter: Option<&dyn HostLimiter>,
    request: Request,
) -> Result<Response, FetchError> {
    let (total, waits) = (shared.limits.whole, Waits::new());
    let mut exchange = Exchange::new(shared, request, &waits);
    let mut spent = Duration::ZERO;
    loop {
        exchange.check_url()?;
        let permit = match limiter {
            Some(limiter) => Some(exchange.acquire(limiter).await?),
            None => None,
        };
        let (start, waited) = (Instant::now(), waits.total());
        let result = within(total.saturating_sub(spent), &waits, exchange.at_host()).await;
        spent += start.elapsed().saturating_sub(waits.total().saturating_sub(waited));
        match result {
            Some(Ok(None)) => {}
            Some(Ok(Some(response))) => return Ok(Response { took: spent, ..response }),
            Some(Err(error)) => {
                if let (Some(permit), Some(retry_after)) = (permit, error.retry_after) {
                    permit.wait(retry_after);
                }
                return Err(error);
            }
            None => return Err(exchange.error(FetchCause::IncompleteResponse { limit: total })),
        }
    }
}

/// Does the same for a file, whose body the caller reads. The host is free for other requests once there is a response, since a file may
/// take a long time.
pub(crate) async fn download(
    shared: &Arc<Shared>,
    limiter: Option<&dyn HostLimiter>,
    counter: Option<Arc<RequestCounter>>,
    request: Request,
) -> Result<Download, FetchError> {
    let (limit, waits) = (shared.limits.whole, Waits::new());
    let mut exchange = Exchange::new(shared, request, &waits);
    loop {
        exchange.check_url()?;
        let permit = match limiter {
            Some(limiter) => Some(exchange.acquire(limiter).await?),
            None => None,
        };
        let refused = match timeout(limit, exchange.response_at_host()).await {
            Ok(Ok(None)) => continue,
            Ok(Ok(Some(response))) if matches!(response.status(), StatusCode::OK | StatusCode::PARTIAL_CONTENT) => {
                let Exchange { request, url, .. } = exchange;
                return Download::new(Arc::clone(shared), response, &request, url, counter);
            }
            Ok(Ok(Some(response))) => exchange.refused(response).await,
            Ok(Err(error)) => error,
            Err(_) => exchange.error(FetchCause::NoResponse { limit }),
        };
        if let (Some(permit), Some(retry_after)) = (permit, refused.retry_after) {
            permit.wait(retry_after);
        }
        return Err(refused);
    }
}

/// Returns the result, or `None` after this time, which is longer by the time that was spent waiting for memory.
async fn within<T>(limit: Duration, waits: &Waits, work: impl Future<Output = T>) -> Option<T> {
    let mut work = std::pin::pin!(work);
    let (deadline, before) = (Instant::now() + limit, waits.total());
    let mut waited = Duration::ZERO;
    loop {
        if let Ok(result) = timeout_at((deadline + waited).into(), &mut work).await {
            return Some(result);
        }
        let total = waits.total().saturating_sub(before);
        if total == waited {
            return None;
        }
        waited = total;
    }
}

/// A request in progress.
struct Exchange<'a> {
    shared: &'a Shared,
    request: Request,
    /// The requested URL. Credentials are sent to its origin only.
    first: Url,
    /// The URL of the current hop.
    url: Url,
    hops: Vec<Hop>,
    scope: NetworkScope,
    /// The route of the current hop.
    route: Route,
    /// The URLs of all hops, since a redirect first set a cookie for its origin.
    seen: Vec<Url>,
    cookies: Cookies,
    /// The authentication that the requested origin requires in place of a password.
    challenge: Option<Challenge>,
    /// Whether the last request had validators.
    conditional: bool,
    waits: &'a Waits,
}

impl<'a> Exchange<'a> {
    fn new(shared: &'a Shared, request: Request, waits: &'a Waits) -> Self {
        let first = without_login(&request.url);
        let private = is_private_host(&first) && !request.public_only;
        let scope = if private { NetworkScope::Any } else { NetworkScope::Public };
        let (hops, cookies, seen) = (Vec::new(), Cookies::default(), vec![first.clone()]);
        let (challenge, conditional, route) = (None, false, request.route.clone());
        let url = first.clone();
        Self { shared, url, seen, cookies, challenge, conditional, first, request, hops, scope, route, waits }
    }
}

impl Exchange<'_> {
    /// Follows redirects within a host and reads the response. Returns `None` when one leads to another host, which is then the
    /// current one.
    async fn at_host(&mut self) -> Result<Option<Response>, FetchError> {
        match self.response_at_host().await? {
            Some(response) => self.read_response(response).await.map(Some),
            None => Ok(None),
        }
    }

    /// Follows redirects within a host.
    async fn response_at_host(&mut self) -> Result<Option<reqwest::Response>, FetchError> {
        let public_only = self.request.public_only;
        let is_private = |error: &FetchError| error.kind == FetchErrorKind::PrivateAddress;
        loop {
            self.route = self.request.route.clone();
            self.route = self.shared.route(self.client_key(self.scope), &self.url).await;
            self.check_url()?;
            self.conditional = self.validators().is_some_and(|validators| !validators.is_empty());
            let response = match self.send(self.scope).await {
                // The requested name resolves to a private address. The user entered it, so it is allowed.
                Err(error) if is_private(&error) && self.hops.is_empty() && !public_only => {
                    self.scope = NetworkScope::Any;
                    self.send(self.scope).await?
                }
                Err(error) if is_private(&error) => return Err(self.private_address()),
                response => response?,
            };
            let status = response.status();
            if status == StatusCode::UNAUTHORIZED && self.accept_challenge(&response) {
                drain(response).await;
                continue;
            }
            let Some(target) = self.redirect(&response) else { return Ok(Some(response)) };
            let target = target?;
            if self.cookies.record(&self.url, response.headers()) {
                // With the cookie it may give the document.
                self.seen.clear();
            }
            drain(response).await;
            if self.request.own_site && !same_site(&self.first, &target) {
                let host = target.host_str().unwrap_or_default().to_owned();
                return Err(self.error(FetchCause::RedirectToOtherSite { host }));
            }
            self.hops.push(Hop { status: status.as_u16(), to: target.clone() });
            let before = std::mem::replace(&mut self.url, target);
            self.challenge = None;
            if self.seen.contains(&self.url) {
                return Err(self.error(FetchCause::RedirectLoop));
            }
            if self.hops.len() > self.shared.limits.redirects {
                return Err(self.error(FetchCause::TooManyRedirects { limit: self.shared.limits.redirects }));
            }
            self.seen.push(self.url.clone());
            if before.host() != self.url.host() {
                return Ok(None);
            }
        }
    }

    /// Checks that the current hop goes to a web server that this request may contact.
    fn check_url(&self) -> Result<(), FetchError> {
        if !is_web(&self.url) || self.url.host_str().is_none() {
            return Err(self.unsupported_scheme());
        }
        if self.scope == NetworkScope::Public
            && (is_private_host(&self.url) || self.shared.is_a_proxy_itself(self.client_key(self.scope), &self.url))
        {
            return Err(self.private_address());
        }
        Ok(())
    }

    async fn acquire(&self, limiter: &dyn HostLimiter) -> Result<Box<dyn HostPermit>, FetchError> {
        limiter.acquire(&self.url, !self.hops.is_empty()).await.map_err(|wait| {
            let host = self.url.host_str().unwrap_or_default().to_owned();
            FetchError { retry_after: Some(wait), ..self.error(FetchCause::HostWaits { host, wait }) }
        })
    }

    /// Returns the client key of this hop. A certificate exception holds for the requested host only, also after a
    /// redirect.
    fn client_key(&self, scope: NetworkScope) -> ClientKey {
        let requested = self.first.host_str().filter(|requested| self.url.host_str() == Some(requested));
        ClientKey {
            scope,
            route: self.route.clone(),
            exception: requested
                .map(str::to_owned)
                .zip(self.request.exception)
                .filter(|_| self.url.scheme() == "https"),
            http1: self.shared.requires_http1(&self.url),
        }
    }

    async fn explain(&self, error: &reqwest::Error, phase: Phase) -> FetchError {
        let proxy = self.shared.proxy(self.client_key(self.scope), &self.url);
        let connectivity = &self.shared.connectivity;
        if let Some(proxy) = &proxy
            && let Some(cause) = explain::proxy_failure(error, proxy, connectivity).await
        {
            return self.error(cause);
        }
        let unreachable = explain::is_unreachable(error) && !is_private_host(&self.url);
        let offline = unreachable && connectivity.record_unreachable(self.url.host_str().unwrap_or_default())
            || explain::may_be_offline(error, &self.url, proxy.as_ref()) && connectivity.is_offline().await;
        let error = explain::explain(error, phase, self.shared.limits.connect, &self.url, proxy.as_ref(), offline);
        FetchError { conditional: self.conditional, ..error }
    }

    fn method(&self) -> reqwest::Method {
        match self.request.payload.as_ref().map(|payload| payload.method) {
            None => reqwest::Method::GET,
            Some(Method::Post) => reqwest::Method::POST,
            Some(Method::Put) => reqwest::Method::PUT,
            Some(Method::Delete) => reqwest::Method::DELETE,
        }
    }

    fn headers(&self) -> Result<HeaderMap, FetchError> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(self.request.accept.header()));
        let encoding = if self.request.accept == Accept::Media { "identity" } else { ACCEPT_ENCODING };
        headers.insert(ACCEPT_ENCODING_HEADER, HeaderValue::from_static(encoding));
        if let Some(Resume { from, validator }) = &self.request.resume {
            headers.insert(RANGE, self.value("Range", format!("bytes={from}-").as_bytes())?);
            headers.insert(IF_RANGE, self.value("If-Range", validator)?);
        }
        if let Some(agent) = &self.request.user_agent {
            headers.insert(USER_AGENT, self.value("User-Agent", agent.as_bytes())?);
        }
        let sent = self.validators();
        if let Some(etag) = sent.and_then(Validators::etag) {
            headers.insert(IF_NONE_MATCH, self.value("If-None-Match", etag)?);
        }
        if let Some(last_modified) = sent.and_then(Validators::last_modified) {
            headers.insert(IF_MODIFIED_SINCE, self.value("If-Modified-Since", last_modified)?);
        }
        for (name, value) in self.request.headers.iter().filter(|_| self.at_requested_origin()) {
            let value = self.value(name, value.as_bytes())?;
            headers.insert(HeaderName::from_bytes(name.as_bytes()).map_err(|_| self.invalid_header(name))?, value);
        }
        self.cookies.add_to(&self.url, &mut headers);
        Ok(headers)
    }

    /// Returns the validators for this hop. Its query may be another one, since many contain signatures.
    fn validators(&self) -> Option<&Validators> {
        let from = self.request.validated.as_ref().unwrap_or(&self.first);
        Some(&self.request.validators).filter(|_| from[..Position::AfterPath] == self.url[..Position::AfterPath])
    }

    fn value(&self, name: &str, bytes: &[u8]) -> Result<HeaderValue, FetchError> {
        HeaderValue::from_bytes(bytes).map_err(|_| self.invalid_header(name))
    }

    fn invalid_header(&self, name: &str) -> FetchError {
        self.error(FetchCause::InvalidHeader { name: name.to_owned() })
    }

    /// Returns the target of a redirect, or `None` if the response is not one. A 3xx status without `Location` is
    /// handled as an error status.
    fn redirect(&self, response: &reqwest::Response) -> Option<Result<Url, FetchError>> {
        if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
            return None;
        }
        let location = location(response.headers())?;
        let location = location.trim();
        let target = self.url.join(location).map(|url| without_login(&url));
        if self.request.payload.is_some() {
            let same_origin = target.as_ref().is_ok_and(|target| target.origin() == self.first.origin());
            if !same_origin || !matches!(response.status().as_u16(), 307 | 308) {
                return None;
            }
        }
        // Text that is not a URL may still contain a password.
        let shown = || location.rsplit_once('@').map_or(location, |(_, rest)| rest).to_owned();
        Some(target.map_err(|_| self.error(FetchCause::InvalidRedirect { location: shown() })))
    }

    /// Returns the response, or the error for a status without the requested content.
    async fn read_response(&mut self, received: reqwest::Response) -> Result<Response, FetchError> {
        let status = received.status();
        let headers = received.headers();
        let now = now_utc();
        let done = status == StatusCode::NO_CONTENT && self.request.payload.is_some();
        let good = matches!(status.as_u16(), 200..=203)
            || done
            || (status == StatusCode::NOT_MODIFIED && self.conditional)
            || (status == StatusCode::PARTIAL_CONTENT && is_whole(headers));
        if !good {
            return Err(self.refused(received).await);
        }
        let mut response = Response {
            status: status.as_u16(),
            body: None,
            content_type: headers.get(CONTENT_TYPE).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()),
            link: Some(joined(headers, &LINK)).filter(|link| !link.is_empty()),
            url: self.url.clone(),
            hops: std::mem::take(&mut self.hops),
            conditional: self.conditional,
            is_whole: true,
            validators: Validators {
                etag: validator(headers, &ETAG),
                last_modified: validator(headers, &LAST_MODIFIED),
            },
            freshness: freshness(headers, now),
            quota: quota(headers),
            wire_bytes: 0,
            took: Duration::ZERO,
            held: Held::default(),
            private: self.scope != NetworkScope::Public,
        };
        if status != StatusCode::NOT_MODIFIED {
            let Received { body, is_whole, wire_bytes, held } = self.read(received).await?;
            if !is_whole {
                // The rest would not be sent until the feed changes.
                response.is_whole = false;
                response.validators = Validators::default();
            }
            response.body = Some(body);
            response.wire_bytes = wire_bytes;
            response.held = held;
        }
        Ok(response)
    }

    /// Returns the error for a status without the requested content.
    async fn refused(&self, response: reqwest::Response) -> FetchError {
        let status = response.status();
        // Some servers and their firewalls respond with 403 to too many requests.
        let waits =
            matches!(status, StatusCode::FORBIDDEN | StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
        let quota = quota(response.headers());
        let retry_after = waits.then(|| retry_after(response.headers(), now_utc())).flatten();
        let used_up = quota.filter(|quota| waits && quota.reads == 0).map(|quota| quota.reset_after);
        let proxy = self.shared.proxy(self.client_key(self.scope), &self.url);
        let error = self.error(explain::refusal(status, &self.url, proxy.as_ref()));
        drain(response).await;
        let detour = self.hops.iter().any(|hop| !matches!(hop.status, 301 | 308));
        FetchError { retry_after: retry_after.or(used_up), quota, detour, login_sent: self.sends_login(), ..error }
    }

    fn unsupported_scheme(&self) -> FetchError {
        let scheme = self.url.scheme().to_owned();
        self.error(match self.hops.is_empty() {
            true => FetchCause::UnsupportedScheme { scheme },
            false => FetchCause::RedirectToUnsupportedScheme { scheme },
        })
    }

    fn private_address(&self) -> FetchError {
        let host = self.url.host_str().unwrap_or_default().to_owned();
        self.error(match self.hops.is_empty() {
            true => FetchCause::PrivateAddress { host },
            false => FetchCause::RedirectToPrivateAddress { host },
        })
    }

    fn error(&self, cause: FetchCause) -> FetchError {
        FetchError { conditional: self.conditional, ..FetchError::new(cause, &self.url) }
    }
}

//! The exchange itself: hop after hop until an answer, an error or a limit.

use crate::body::{ACCEPT_ENCODING, Body, BodyError};
use crate::clients::{Reach, Shared, Way};
use crate::freshness::{freshness, retry_after};
use crate::resolver::is_private_host;
use crate::site::same_site;
use crate::words::{self, Phase};
use crate::{Answer, FetchError, FetchErrorKind, Hop, Request, Validators};
use chrono::Utc;
use reqwest::header::{
    ACCEPT, ACCEPT_ENCODING as ACCEPT_ENCODING_HEADER, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap,
    HeaderName, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED, LOCATION, USER_AGENT,
};
use reqwest::{Response, StatusCode};
use std::time::{Duration, Instant};
use tokio::time::{timeout, timeout_at};
use url::Url;

/// A short body that nobody wants is read to its end, so that the connection can serve the next request.
const DRAINED: u64 = 64 << 10;
const DRAIN_FOR: Duration = Duration::from_millis(250);

pub(crate) async fn exchange(shared: &Shared, request: Request) -> Result<Answer, FetchError> {
    let start = Instant::now();
    let whole = shared.limits.whole;
    let first = without_credentials(&request.url);
    let mut journey = Journey { shared, url: first.clone(), first, request, hops: Vec::new(), start };
    match timeout_at((start + whole).into(), journey.run()).await {
        Ok(result) => result,
        Err(_) => {
            let message = format!("The answer was not complete after {}", words::seconds(whole));
            Err(FetchError::new(FetchErrorKind::Timeout, message, &journey.url))
        }
    }
}

/// An exchange under way.
struct Journey<'a> {
    shared: &'a Shared,
    request: Request,
    /// Where the user sent us: its origin alone is told secrets.
    first: Url,
    /// Where we are now.
    url: Url,
    hops: Vec<Hop>,
    start: Instant,
}

impl Journey<'_> {
    async fn run(&mut self) -> Result<Answer, FetchError> {
        let public_only = self.request.public_only;
        let mut reach = if is_private_host(&self.url) && !public_only { Reach::Any } else { Reach::Public };
        let is_private = |error: &FetchError| error.kind == FetchErrorKind::PrivateAddress;
        let mut seen = vec![self.url.clone()];
        loop {
            if !matches!(self.url.scheme(), "http" | "https") || self.url.host_str().is_none() {
                return Err(self.error(FetchErrorKind::Scheme, self.wrong_scheme()));
            }
            if reach == Reach::Public && is_private_host(&self.url) {
                return Err(self.to_private());
            }
            let response = match self.send(reach).await {
                // The user's own address leads into the private network by name: then that is what the user wants.
                Err(error) if is_private(&error) && self.hops.is_empty() && !public_only => {
                    reach = Reach::Any;
                    self.send(reach).await?
                }
                Err(error) if is_private(&error) => return Err(self.to_private()),
                response => response?,
            };
            let status = response.status();
            let Some(target) = self.redirect(&response) else { return self.arrive(response).await };
            let target = target?;
            drain(response).await;
            if self.request.own_site && !same_site(&self.first, &target) {
                let message = format!("The server redirects to another site, {}", target.host_str().unwrap_or("none"));
                return Err(self.error(FetchErrorKind::TooManyRedirects, message));
            }
            self.hops.push(Hop { status: status.as_u16(), to: target.clone() });
            self.url = target;
            if seen.contains(&self.url) {
                return Err(self.error(FetchErrorKind::TooManyRedirects, "The server redirects in a circle"));
            }
            if self.hops.len() > self.shared.limits.redirects {
                let message = format!("The server redirects more than {} times", self.shared.limits.redirects);
                return Err(self.error(FetchErrorKind::TooManyRedirects, message));
            }
            seen.push(self.url.clone());
        }
    }

    async fn send(&self, reach: Reach) -> Result<Response, FetchError> {
        let limits = &self.shared.limits;
        let headers = self.headers()?;
        let request = self.shared.client(self.way(reach), &self.url)?.get(self.address()).headers(headers);
        let request = match (&self.request.bearer, &self.request.basic_auth) {
            (Some(token), _) if self.at_home() => request.bearer_auth(token),
            (None, Some((user, password))) if self.at_home() => request.basic_auth(user, Some(password)),
            _ => request,
        };
        match timeout(limits.first_byte, request.send()).await {
            Ok(Ok(response)) => {
                if !is_private_host(&self.url) {
                    self.shared.outlook.reached();
                }
                Ok(response)
            }
            Ok(Err(error)) => Err(self.explain(&error, Phase::Head).await),
            Err(_) => Err(self.error(FetchErrorKind::Timeout, words::not_answered(limits.first_byte))),
        }
    }

    /// An exception holds for the host that the user named, wherever a redirect at that host leads.
    fn way(&self, reach: Reach) -> Way {
        let home = self.first.host_str().filter(|home| self.url.host_str() == Some(home));
        Way {
            reach,
            route: self.request.route.clone(),
            exception: home.map(str::to_owned).zip(self.request.exception).filter(|_| self.url.scheme() == "https"),
        }
    }

    async fn explain(&self, error: &reqwest::Error, phase: Phase) -> FetchError {
        let proxy = self.shared.proxy(&self.request.route);
        let outlook = &self.shared.outlook;
        let no_way = words::is_without_way(error) && !is_private_host(&self.url);
        let offline = no_way && outlook.unreached(self.url.host_str().unwrap_or_default())
            || words::may_be_offline(error, &self.url) && outlook.is_offline().await;
        words::explain(error, phase, self.shared.limits.connect, &self.url, proxy, offline)
    }

    /// Whether this hop goes to the origin that the user named, which alone is told secrets.
    fn at_home(&self) -> bool {
        self.url.origin() == self.first.origin()
    }

    /// The URL of this hop, with the user's credentials at home: the client makes basic authentication of them.
    fn address(&self) -> Url {
        let mut url = self.url.clone();
        let explicit = self.request.bearer.is_some() || self.request.basic_auth.is_some();
        if self.at_home() && !explicit {
            // These fail only for URLs that cannot hold credentials, and those have none.
            let _ = url.set_username(self.request.url.username());
            let _ = url.set_password(self.request.url.password());
        }
        url
    }

    fn headers(&self) -> Result<HeaderMap, FetchError> {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(self.request.accept.header()));
        headers.insert(ACCEPT_ENCODING_HEADER, HeaderValue::from_static(ACCEPT_ENCODING));
        if let Some(agent) = &self.request.user_agent {
            headers.insert(USER_AGENT, self.value(agent.as_bytes())?);
        }
        let sent = &self.request.validators;
        if let Some(etag) = &sent.etag {
            headers.insert(IF_NONE_MATCH, self.value(etag)?);
        }
        if let Some(last_modified) = &sent.last_modified {
            headers.insert(IF_MODIFIED_SINCE, self.value(last_modified)?);
        }
        if !self.at_home() {
            return Ok(headers);
        }
        for (name, value) in &self.request.headers {
            let name = HeaderName::from_bytes(name.as_bytes())
                .map_err(|_| self.error(FetchErrorKind::Broken, format!("“{name}” is no name for a header")))?;
            headers.insert(name, self.value(value.as_bytes())?);
        }
        Ok(headers)
    }

    fn value(&self, bytes: &[u8]) -> Result<HeaderValue, FetchError> {
        HeaderValue::from_bytes(bytes)
            .map_err(|_| self.error(FetchErrorKind::Broken, "A header to be sent has a line end in it"))
    }

    /// Where a redirect leads; `None` where the answer is none. A 3xx without a place to go is an answer, and an error later.
    fn redirect(&self, response: &Response) -> Option<Result<Url, FetchError>> {
        if !matches!(response.status().as_u16(), 301 | 302 | 303 | 307 | 308) {
            return None;
        }
        let location = response.headers().get(LOCATION)?;
        // Raw UTF-8 is common, and becomes percent-encoded as in a browser.
        let location = String::from_utf8_lossy(location.as_bytes());
        let location = location.trim();
        let target = self.url.join(location).map(|url| without_credentials(&url));
        Some(target.map_err(|_| {
            self.error(FetchErrorKind::Scheme, format!("The server redirects to “{location}”, which is no address"))
        }))
    }

    async fn arrive(&mut self, response: Response) -> Result<Answer, FetchError> {
        let status = response.status();
        let headers = response.headers();
        let now = Utc::now();
        let conditional = !self.request.validators.is_empty();
        let good = matches!(status.as_u16(), 200..=203) || (status == StatusCode::NOT_MODIFIED && conditional);
        if !good {
            let waits = matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
            let retry_after = waits.then(|| retry_after(headers, now)).flatten();
            let error = self.error(FetchErrorKind::Http(status.as_u16()), answered(status));
            drain(response).await;
            return Err(FetchError { retry_after, ..error });
        }
        let mut answer = Answer {
            status: status.as_u16(),
            body: None,
            content_type: headers.get(CONTENT_TYPE).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()),
            url: self.url.clone(),
            hops: std::mem::take(&mut self.hops),
            validators: Validators { etag: bytes(headers, &ETAG), last_modified: bytes(headers, &LAST_MODIFIED) },
            freshness: freshness(headers, now),
            wire_bytes: 0,
            took: Duration::ZERO,
        };
        if status != StatusCode::NOT_MODIFIED {
            let (body, wire_bytes) = self.read(response).await?;
            answer.body = Some(body);
            answer.wire_bytes = wire_bytes;
        }
        answer.took = self.start.elapsed();
        Ok(answer)
    }

    async fn read(&self, mut response: Response) -> Result<(Vec<u8>, u64), FetchError> {
        let limit = self.shared.limits.body.min(self.request.at_most.unwrap_or(u64::MAX));
        let failed = |error| match error {
            BodyError::TooLarge => {
                self.error(FetchErrorKind::TooLarge, format!("The answer is larger than {}", words::size(limit)))
            }
            BodyError::Corrupt => self.error(FetchErrorKind::Broken, "The answer's compression is damaged"),
        };
        let coding = response.headers().get_all(CONTENT_ENCODING).iter();
        let coding = coding.map(|value| String::from_utf8_lossy(value.as_bytes())).collect::<Vec<_>>().join(",");
        let mut body = Body::new(&coding, length(response.headers()), limit).map_err(failed)?;
        let mut wire_bytes = 0;
        loop {
            match response.chunk().await {
                Ok(Some(chunk)) => {
                    wire_bytes += chunk.len() as u64;
                    // Decoded it can only be larger, but for what a damaged or hostile stream makes of it.
                    if wire_bytes > limit {
                        return Err(failed(BodyError::TooLarge));
                    }
                    body.push(&chunk).map_err(failed)?;
                }
                Ok(None) => return Ok((body.finish().map_err(failed)?, wire_bytes)),
                Err(error) => return Err(self.explain(&error, Phase::Body).await),
            }
        }
    }

    fn wrong_scheme(&self) -> String {
        match self.hops.is_empty() {
            true => format!("Addresses that begin with {}: are not fetched, only http: and https:", self.url.scheme()),
            false => format!("The server redirects to an address that begins with {}:", self.url.scheme()),
        }
    }

    fn to_private(&self) -> FetchError {
        let host = self.url.host_str().unwrap_or_default();
        let message = match self.hops.is_empty() {
            true => format!("{host} is in a private network, and was named by a public page"),
            false => format!("The server redirects into a private network ({host})"),
        };
        self.error(FetchErrorKind::PrivateAddress, message)
    }

    fn error(&self, kind: FetchErrorKind, message: impl Into<String>) -> FetchError {
        FetchError::new(kind, message, &self.url)
    }
}

/// "The server answered 500 (Internal Server Error)".
fn answered(status: StatusCode) -> String {
    let code = status.as_u16();
    match status.canonical_reason() {
        Some(reason) => format!("The server answered {code} ({reason})"),
        None => format!("The server answered {code}"),
    }
}

async fn drain(mut response: Response) {
    if length(response.headers()).is_none_or(|length| length > DRAINED) {
        return;
    }
    let rest = async { while let Ok(Some(_)) = response.chunk().await {} };
    // When it does not end in time the connection is dropped: no harm but a new connection later.
    let _ = timeout(DRAIN_FOR, rest).await;
}

fn length(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.trim().parse().ok()
}

fn bytes(headers: &HeaderMap, name: &HeaderName) -> Option<Vec<u8>> {
    headers.get(name).map(|value| value.as_bytes().to_vec())
}

fn without_credentials(url: &Url) -> Url {
    let mut url = url.clone();
    // These fail only for URLs that cannot hold credentials anyway.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

//! Requests, responses and limits.

use crate::{Fingerprint, Held};
use std::str::FromStr;
use std::time::Duration;
use url::Url;

/// Limits of an exchange.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Time to connect: DNS lookup, TCP and TLS.
    pub connect: Duration,
    /// Time until the response headers have arrived, for each hop.
    pub first_byte: Duration,
    /// Time for the whole exchange with all redirects.
    pub whole: Duration,
    /// Maximum length of the decompressed body, in bytes.
    pub body: u64,
    /// Maximum number of redirects.
    pub redirects: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(20),
            whole: Duration::from_secs(60),
            body: 32 << 20,
            redirects: 10,
        }
    }
}

/// Cache validators (RFC 9110, section 8.8), byte for byte as the server sent them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Validators {
    /// With quotes and `W/` prefix, if any.
    pub etag: Option<Vec<u8>>,
    /// May be any text; not necessarily a date.
    pub last_modified: Option<Vec<u8>>,
}

impl Validators {
    /// Whether both validators are missing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.etag().is_none() && self.last_modified().is_none()
    }

    /// Returns the ETag; `None` if it is blank: an empty header means nothing, and is not sent back.
    #[must_use]
    pub fn etag(&self) -> Option<&[u8]> {
        present(self.etag.as_deref())
    }

    /// Returns Last-Modified; `None` if it is blank.
    #[must_use]
    pub fn last_modified(&self) -> Option<&[u8]> {
        present(self.last_modified.as_deref())
    }
}

fn present(value: Option<&[u8]>) -> Option<&[u8]> {
    value.filter(|value| !value.trim_ascii().is_empty())
}

/// An HTTP request, GET unless it has a [`Payload`]. Created by [`Request::new`]; everything except the URL has a default.
#[derive(Debug, Clone)]
pub struct Request {
    /// An http or https URL. Its user name and password are sent as basic authentication, to its own origin only.
    pub url: Url,
    /// Sent unchanged, and only to the address that gave them. Without validators the request is unconditional.
    pub validators: Validators,
    /// The address that gave the validators, if redirects led there from `url`.
    pub validated: Option<Url>,
    /// Kind of document requested.
    pub accept: Accept,
    /// The part of a file to request; only for [`crate::Fetcher::download`].
    pub resume: Option<Resume>,
    /// Method and body; `None`: a GET request.
    pub payload: Option<Payload>,
    /// User name and password, sent to the origin of `url` only. Overrides those in the URL.
    pub basic_auth: Option<(String, String)>,
    /// Bearer token, sent to the origin of `url` only. Overrides `basic_auth`.
    pub bearer: Option<String>,
    /// Additional headers, sent to the origin of `url` only, since they may contain secrets.
    pub headers: Vec<(String, String)>,
    /// Replaces [`crate::USER_AGENT`] if the user sets one for a feed.
    pub user_agent: Option<String>,
    /// Maximum length of the decompressed body in bytes, if lower than [`Limits::body`].
    pub at_most: Option<u64>,
    /// Whether a feed that is cut off or damaged is an error. Otherwise it is read up to there.
    pub whole: bool,
    /// Refuses private addresses from the first hop on: for URLs that come from a public page and not from the user.
    pub public_only: bool,
    /// Follows redirects within the site of `url` only ([`crate::same_site`]).
    pub own_site: bool,
    /// Proxy to use.
    pub route: Route,
    /// Certificate that the user accepted for the host of `url`, whatever is wrong with it. Certificates that the
    /// system trusts need no exception; all others are refused as usual.
    pub exception: Option<Fingerprint>,
}

impl Request {
    /// Creates an unconditional request for a feed.
    #[must_use]
    pub fn new(url: Url) -> Self {
        Self {
            url,
            validators: Validators::default(),
            validated: None,
            accept: Accept::Feed,
            resume: None,
            payload: None,
            basic_auth: None,
            bearer: None,
            headers: Vec::new(),
            user_agent: None,
            at_most: None,
            whole: false,
            public_only: false,
            own_site: false,
            route: Route::Default,
            exception: None,
        }
    }

    /// Sets the validators.
    #[must_use]
    pub fn validators(self, validators: Validators) -> Self {
        Self { validators, ..self }
    }

    /// Sets the kind of document requested.
    #[must_use]
    pub fn accept(self, accept: Accept) -> Self {
        Self { accept, ..self }
    }
}

/// The rest of a file whose beginning was already received (RFC 9110, section 14).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resume {
    /// Length of the beginning, in bytes.
    pub from: u64,
    /// Strong ETag or Last-Modified of the beginning: if the file has changed since, the server sends all of it.
    pub validator: Vec<u8>,
}

/// The method and body of a request that changes something on a server. It is sent again only by a redirect with status 307 or 308 within
/// its own origin, since it may contain secrets.
#[derive(Clone)]
pub struct Payload {
    /// Method.
    pub method: Method,
    /// Value of `Content-Type`.
    pub content_type: &'static str,
    /// The body.
    pub body: Vec<u8>,
}

/// Without the body, which may contain secrets.
impl std::fmt::Debug for Payload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {} ({} bytes)", self.method, self.content_type, self.body.len())
    }
}

/// The method of a [`Payload`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// POST.
    Post,
    /// PUT.
    Put,
    /// DELETE.
    Delete,
}

/// The proxy of a request. This machine itself is always contacted directly.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Route {
    /// The proxy of [`crate::Settings`], else the system's proxy settings.
    #[default]
    Default,
    /// No proxy, regardless of the settings.
    Direct,
    /// This proxy. With `socks5` and `socks4` names are resolved locally, with the others by the proxy.
    Proxy(Url),
}

/// Parses "direct" or the URL of a proxy: http, https, socks5, socks5h, socks4 or socks4a.
impl FromStr for Route {
    type Err = NoRoute;

    fn from_str(text: &str) -> Result<Self, NoRoute> {
        if text.eq_ignore_ascii_case("direct") {
            return Ok(Self::Direct);
        }
        let known = ["http", "https", "socks5", "socks5h", "socks4", "socks4a"];
        let proxy = Url::parse(text).ok().filter(|url| known.contains(&url.scheme()) && url.has_host());
        proxy.map(Self::Proxy).ok_or(NoRoute)
    }
}

/// The text is not a valid [`Route`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a proxy is “direct” for none, or an address such as socks5://127.0.0.1:9050 or http://proxy.example:3128")]
pub struct NoRoute;

/// Kind of document requested; determines the `Accept` header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Accept {
    /// A feed of any format.
    #[default]
    Feed,
    /// A web page, or a feed.
    Page,
    /// An image.
    Image,
    /// A raster image. Excludes SVG, which can contain scripts and references.
    Photograph,
    /// The response of an API.
    Api,
    /// A transcript of a recording, in one of several formats.
    Transcript,
    /// An audio or video file. It is requested without compression, so that a part of it can be requested.
    Media,
}

impl Accept {
    /// Returns the `Accept` header. It always ends in `*/*`, since some servers answer 406 otherwise.
    pub(crate) fn header(self) -> &'static str {
        match self {
            Accept::Feed => {
                "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml;q=0.9, \
                 application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.5"
            }
            Accept::Page => {
                "text/html, application/xhtml+xml, application/atom+xml;q=0.9, application/rss+xml;q=0.9, \
                 application/feed+json;q=0.9, application/xml;q=0.8, */*;q=0.5"
            }
            Accept::Media => "audio/*, video/*, */*;q=0.5",
            Accept::Transcript => {
                "text/vtt, application/json;q=0.9, application/x-subrip;q=0.9, text/html;q=0.8, text/plain;q=0.8, */*;q=0.5"
            }
            Accept::Api => "application/json, text/plain;q=0.9, */*;q=0.5",
            Accept::Photograph => "image/avif, image/webp, image/png, image/jpeg, image/gif, */*;q=0.1",
            Accept::Image => "image/svg+xml, image/webp, image/png, image/jpeg, image/*;q=0.9, */*;q=0.5",
        }
    }
}

/// A successful response: 200 to 203 with a body, 206 with all of it, 204 to a request with a payload, or 304.
#[derive(Debug, Clone)]
pub struct Response {
    /// 200, 201, 202, 203, 206 with the whole document, 204 to a request with a payload, or 304 to a conditional request.
    pub status: u16,
    /// Decompressed body; `None` on 304.
    pub body: Option<Vec<u8>>,
    /// As the server sent it, with invalid UTF-8 replaced.
    pub content_type: Option<String>,
    /// The values of `Link` (RFC 8288), with commas between them.
    pub link: Option<String>,
    /// Final URL, without credentials.
    pub url: Url,
    /// Redirects in order.
    pub hops: Vec<Hop>,
    /// Whether validators were sent, with the last request of the exchange.
    pub conditional: bool,
    /// Whether the body was received completely and undamaged. Otherwise `validators` is empty.
    pub is_whole: bool,
    /// Validators in this response, not merged with those sent.
    pub validators: Validators,
    /// How long the response stays fresh.
    pub freshness: Freshness,
    /// How many requests the server still allows, if it says so.
    pub quota: Option<Quota>,
    /// Length of the body as transferred, in bytes.
    pub wire_bytes: u64,
    /// Time from the call to the last byte, without waiting for other requests to the same host.
    pub took: Duration,
    /// The memory of the body. Kept as long as the body is.
    pub held: Held,
    /// Whether private addresses were allowed, because the user entered one or a name that leads to one.
    pub private: bool,
}

/// How many requests a server still allows this app, in the headers `X-Reader-Zone1-Limit`, `-Usage`, `X-Reader-Zone2-…` and
/// `X-Reader-Limits-Reset-After` of Inoreader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quota {
    /// Requests that read (zone 1).
    pub reads: u32,
    /// Requests that change something (zone 2).
    pub changes: u32,
    /// Time until the numbers are reset, at most a week.
    pub reset_after: Duration,
}

/// A redirect that was followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hop {
    /// 301, 302, 303, 307 or 308.
    pub status: u16,
    /// Absolute target URL, without credentials.
    pub to: Url,
}

/// Freshness of a response for a private cache (RFC 9111, section 4.2); `s-maxage` is for shared caches and ignored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Freshness {
    /// From max-age, else Expires minus Date; minus Age; at most 30 days. `None` if the server does not say.
    pub fresh_for: Option<Duration>,
    /// `Cache-Control: no-store`.
    pub no_store: bool,
}

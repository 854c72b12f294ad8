//! What goes into an exchange and what comes out of it.

use crate::Fingerprint;
use std::str::FromStr;
use std::time::Duration;
use url::Url;

/// What a [`crate::Fetcher`] bears before it gives an exchange up.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Until the connection stands: the name looked up, TCP and TLS agreed on.
    pub connect: Duration,
    /// Until the answer's head has come, for each hop.
    pub first_byte: Duration,
    /// The whole exchange with all redirects.
    pub whole: Duration,
    /// Bytes of the body after decompression.
    pub body: u64,
    /// How many redirects are followed.
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

/// The two validators of RFC 9110, section 8.8, byte for byte as the server sent them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Validators {
    /// With its quotes and its `W/`, if any.
    pub etag: Option<Vec<u8>>,
    /// Whether or not it is a date.
    pub last_modified: Option<Vec<u8>>,
}

impl Validators {
    /// Whether there is neither.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }
}

/// What to ask for. Made by [`Request::new`]; everything but the URL has a default.
#[derive(Debug, Clone)]
pub struct Request {
    /// http or https. A user name and a password in it are sent as basic authentication, to its own origin only.
    pub url: Url,
    /// Sent as they are; without any, the request is unconditional.
    pub validators: Validators,
    /// What the answer is wanted for.
    pub accept: Accept,
    /// User name and password, sent to the origin of `url` only. Goes before those in the URL.
    pub basic_auth: Option<(String, String)>,
    /// A bearer token, sent to the origin of `url` only. Goes before `basic_auth`.
    pub bearer: Option<String>,
    /// Further headers, sent to the origin of `url` only, since they may hold secrets.
    pub headers: Vec<(String, String)>,
    /// In place of [`crate::USER_AGENT`], where the user wants it so for a feed.
    pub user_agent: Option<String>,
    /// Bytes of the body after decompression, where that is to be less than [`Limits::body`].
    pub at_most: Option<u64>,
    /// Refuses private addresses from the first hop on: for addresses that a public page named and not the user.
    pub public_only: bool,
    /// Follows redirects within the site of `url` only ([`crate::same_site`]): for what is to come from nobody else.
    pub own_site: bool,
    /// Through which proxy.
    pub route: Route,
    /// The certificate that the user accepts at the host of `url`, whatever is wrong with it. What the system finds good is
    /// good without it, and everything else is refused as ever.
    pub exception: Option<Fingerprint>,
}

impl Request {
    /// An unconditional request for a feed.
    #[must_use]
    pub fn new(url: Url) -> Self {
        Self {
            url,
            validators: Validators::default(),
            accept: Accept::Feed,
            basic_auth: None,
            bearer: None,
            headers: Vec::new(),
            user_agent: None,
            at_most: None,
            public_only: false,
            own_site: false,
            route: Route::Usual,
            exception: None,
        }
    }

    /// The same with validators.
    #[must_use]
    pub fn validators(self, validators: Validators) -> Self {
        Self { validators, ..self }
    }

    /// The same for another purpose.
    #[must_use]
    pub fn accept(self, accept: Accept) -> Self {
        Self { accept, ..self }
    }
}

/// How a request leaves this machine. This machine itself is always asked directly.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum Route {
    /// Through the proxy of [`crate::Settings`], else as the system's settings say.
    #[default]
    Usual,
    /// Through none, whatever the settings say.
    Direct,
    /// Through this one. With `socks5` and `socks4` names are looked up here, with the others by the proxy.
    Proxy(Url),
}

/// "direct", or the address of a proxy: http, https, socks5, socks5h, socks4 or socks4a.
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

/// A text is no [`Route`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a proxy is “direct” for none, or an address such as socks5://127.0.0.1:9050 or http://proxy.example:3128")]
pub struct NoRoute;

/// What an answer is wanted for; decides the `Accept` header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Accept {
    /// A feed of any format.
    #[default]
    Feed,
    /// A web page, or a feed in its place.
    Page,
    /// A picture.
    Image,
    /// A photograph or the like: no drawing, which may hold more than a picture.
    Photograph,
}

impl Accept {
    /// Everything is taken in the end: a server that refuses by `Accept` serves nobody.
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
            Accept::Photograph => "image/avif, image/webp, image/png, image/jpeg, image/gif, */*;q=0.1",
            Accept::Image => "image/svg+xml, image/webp, image/png, image/jpeg, image/*;q=0.9, */*;q=0.5",
        }
    }
}

/// An answer that is no error: 200 to 203 with a body, or 304.
#[derive(Debug, Clone)]
pub struct Answer {
    /// 200, 201, 202, 203 or 304. 304 comes only where validators were sent.
    pub status: u16,
    /// Decompressed. `None` on 304.
    pub body: Option<Vec<u8>>,
    /// As the server sent it; bytes that are no UTF-8 are replaced.
    pub content_type: Option<String>,
    /// After redirects, without credentials.
    pub url: Url,
    /// The redirects in their order.
    pub hops: Vec<Hop>,
    /// What the answer carried, not merged with what was sent.
    pub validators: Validators,
    /// How long the server says that the answer stays good.
    pub freshness: Freshness,
    /// Bytes of the body as they came over the wire.
    pub wire_bytes: u64,
    /// From the call to the last byte.
    pub took: Duration,
}

/// A redirect that was followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hop {
    /// 301, 302, 303, 307 or 308.
    pub status: u16,
    /// Where it led, absolute and without credentials.
    pub to: Url,
}

/// RFC 9111, section 4.2, as a private cache reads it: `s-maxage` is for shared ones.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Freshness {
    /// From max-age, else Expires minus Date; less Age; thirty days at most. `None` where the server is silent.
    pub fresh_for: Option<Duration>,
    /// `Cache-Control: no-store`.
    pub no_store: bool,
}

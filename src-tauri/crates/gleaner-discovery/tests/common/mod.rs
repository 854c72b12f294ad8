//! A web in memory; unknown addresses answer 404.
#![allow(dead_code)]

use gleaner_discovery::{Discovery, DiscoveryError, Source, discover_with};
use gleaner_fetch::{FetchCause, FetchError, FetchErrorKind, Freshness, Held, Hop, Request, Response, Validators};
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;
use url::Url;

#[derive(Clone)]
pub enum Reply {
    Document(String, Vec<u8>),
    Fails(FetchErrorKind),
    /// Status and target.
    Redirect(u16, String),
}

#[derive(Default)]
pub struct Web {
    replies: HashMap<String, Reply>,
    links: HashMap<String, String>,
    requested: Mutex<Vec<String>>,
    /// Requests that may go to private addresses.
    not_public_only: Mutex<Vec<String>>,
}

impl Web {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn html(self, url: &str, html: &str) -> Self {
        self.document(url, "text/html; charset=utf-8", html)
    }

    pub fn rss(self, url: &str, title: &str) -> Self {
        let rss = format!(
            "<rss version=\"2.0\"><channel><title>{title}</title><link>https://example.org/</link><description/>\
             <item><title>One</title><guid>1</guid></item></channel></rss>"
        );
        self.document(url, "application/rss+xml", &rss)
    }

    pub fn document(self, url: &str, content_type: &str, body: &str) -> Self {
        self.reply(url, Reply::Document(content_type.to_owned(), body.as_bytes().to_vec()))
    }

    /// Sends a `Link` header with a document.
    pub fn link(mut self, url: &str, link: &str) -> Self {
        self.links.insert(url.to_owned(), link.to_owned());
        self
    }

    pub fn fails(self, url: &str, kind: FetchErrorKind) -> Self {
        self.reply(url, Reply::Fails(kind))
    }

    pub fn redirect(self, url: &str, status: u16, to: &str) -> Self {
        self.reply(url, Reply::Redirect(status, to.to_owned()))
    }

    pub fn reply(mut self, url: &str, reply: Reply) -> Self {
        self.replies.insert(url.to_owned(), reply);
        self
    }

    /// Returns the requested URLs in order.
    pub fn requested(&self) -> Vec<String> {
        self.requested.lock().unwrap().clone()
    }

    /// Returns the requested URLs that a private address may answer.
    pub fn not_public_only(&self) -> Vec<String> {
        self.not_public_only.lock().unwrap().clone()
    }

    pub async fn discover(&self, input: &str) -> Result<Discovery, DiscoveryError> {
        discover_with(self, input).await
    }

    pub async fn urls(&self, input: &str) -> Vec<String> {
        self.discover(input).await.unwrap().feeds.iter().map(|found| found.url.to_string()).collect()
    }
}

impl Source for Web {
    async fn get(&self, request: Request) -> Result<Response, FetchError> {
        self.requested.lock().unwrap().push(request.url.to_string());
        if !request.public_only {
            self.not_public_only.lock().unwrap().push(request.url.to_string());
        }
        let mut url = request.url.clone();
        let mut hops = Vec::new();
        let fail = |kind, url: &Url| FetchError {
            kind,
            cause: Box::new(FetchCause::Offline),
            retry_after: None,
            quota: None,
            detour: false,
            conditional: false,
            login_sent: false,
            url: Box::new(url.clone()),
            certificate: None,
        };
        loop {
            match self.replies.get(url.as_str()) {
                Some(Reply::Redirect(status, to)) => {
                    url = Url::parse(to).unwrap();
                    hops.push(Hop { status: *status, to: url.clone() });
                }
                Some(Reply::Document(content_type, body)) => {
                    return Ok(Response {
                        status: 200,
                        body: Some(body.clone()),
                        content_type: Some(content_type.clone()),
                        link: self.links.get(url.as_str()).cloned(),
                        url,
                        hops,
                        conditional: false,
                        is_whole: true,
                        validators: Validators::default(),
                        freshness: Freshness::default(),
                        quota: None,
                        wire_bytes: body.len() as u64,
                        took: Duration::ZERO,
                        held: Held::default(),
                        private: false,
                    });
                }
                Some(Reply::Fails(kind)) => return Err(fail(*kind, &url)),
                None => return Err(fail(FetchErrorKind::Http(404), &url)),
            }
        }
    }
}

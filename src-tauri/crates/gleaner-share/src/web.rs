//! Requests to a service.

use crate::{Article, ShareError};
use gleaner_fetch::{Accept, FetchError, Fetcher, Method, Payload, Request, Response};
use serde::de::DeserializeOwned;
use serde_json::Value;
use url::{Url, form_urlencoded};

/// Maximum length of a service's response, in bytes.
const MAX_RESPONSE: u64 = 1 << 20;

/// Sends the requests.
#[derive(Debug, Clone)]
pub struct Web(Fetcher);

/// The authorisation of a request.
pub(crate) enum Login<'a> {
    None,
    /// A header with its value.
    Header(&'static str, String),
    /// User name and password.
    Basic(&'a str, &'a str),
}

impl Web {
    /// Sends the requests with this client and its limits.
    #[must_use]
    pub fn new(fetcher: Fetcher) -> Self {
        Self(fetcher)
    }

    pub(crate) async fn get(&self, url: Url, login: Login<'_>) -> Result<Response, FetchError> {
        self.send(url, login, None).await
    }

    pub(crate) async fn json(&self, url: Url, login: Login<'_>, body: &Value) -> Result<Response, FetchError> {
        let body = body.to_string().into_bytes();
        let payload = Payload { method: Method::Post, content_type: "application/json", body };
        self.send(url, login, Some(payload)).await
    }

    pub(crate) async fn form(&self, url: Url, login: Login<'_>, form: &[(&str, &str)]) -> Result<Response, FetchError> {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish().into_bytes();
        let payload = Payload { method: Method::Post, content_type: "application/x-www-form-urlencoded", body };
        self.send(url, login, Some(payload)).await
    }

    async fn send(&self, url: Url, login: Login<'_>, payload: Option<Payload>) -> Result<Response, FetchError> {
        let request = Request { payload, at_most: Some(MAX_RESPONSE), ..Request::new(url).accept(Accept::Api) };
        let request = match login {
            Login::None => request,
            Login::Header(name, value) => Request { headers: vec![(name.to_owned(), value)], ..request },
            Login::Basic(user, password) => {
                Request { basic_auth: Some((user.to_owned(), password.to_owned())), ..request }
            }
        };
        self.0.fetch(request).await
    }
}

/// Returns the address of a path below a base address.
pub(crate) fn below(base: &Url, path: &str) -> Url {
    let mut url = base.clone();
    url.set_path(&format!("{}{path}", base.path().trim_end_matches('/')));
    url.set_query(None);
    url.set_fragment(None);
    url
}

/// Reads the JSON of a response.
pub(crate) fn read<T: DeserializeOwned>(response: &Response) -> Result<T, ShareError> {
    serde_json::from_slice(response.body.as_deref().unwrap_or_default()).map_err(|_| ShareError::InvalidResponse)
}

/// Checks that a response is JSON with this field, as a page of a login or a proxy is not.
pub(crate) fn with(field: &str, response: &Response) -> Result<(), ShareError> {
    let value: Value = read(response)?;
    value.get(field).map(drop).ok_or(ShareError::InvalidResponse)
}

/// Returns the address of an article, for a service that needs one.
pub(crate) fn address(article: &Article) -> Result<&str, ShareError> {
    article.url.as_deref().ok_or(ShareError::NoAddress)
}

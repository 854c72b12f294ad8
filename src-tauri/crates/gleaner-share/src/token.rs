//! Requests to a service that a token authorises.

use crate::{
    Web,
    web::{Login, below},
};
use gleaner_fetch::{FetchError, Response};
use serde_json::Value;
use url::Url;

pub struct TokenService {
    base: Url,
    /// Value of the header `Authorization`.
    authorization: String,
}

impl TokenService {
    /// `scheme` is the word before the token in the header.
    pub fn new(base: Url, scheme: &str, token: &str) -> Self {
        Self { base, authorization: format!("{scheme} {token}") }
    }

    /// Returns the address of a path of the service.
    pub fn url(&self, path: &str) -> Url {
        below(&self.base, path)
    }

    pub async fn get(&self, web: &Web, url: Url) -> Result<Response, FetchError> {
        web.get(url, self.login()).await
    }

    pub async fn post(&self, web: &Web, url: Url, body: &Value) -> Result<Response, FetchError> {
        web.json(url, self.login(), body).await
    }

    fn login(&self) -> Login<'_> {
        Login::Header("Authorization", self.authorization.clone())
    }
}

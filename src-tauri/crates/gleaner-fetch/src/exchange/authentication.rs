//! Sends the login of a request to its origin.

use super::Exchange;
use crate::Request;
use crate::digest::Challenge;
use gleaner_address::split_login;
use reqwest::header::{AUTHORIZATION, HeaderValue};
use reqwest::{RequestBuilder, Response};
use url::{Position, Url};

impl Exchange<'_> {
    /// Whether this hop goes to the requested origin, the only one that receives credentials.
    pub(super) fn at_requested_origin(&self) -> bool {
        self.url.origin() == self.first.origin()
    }

    /// Whether this hop gets a login.
    pub(super) fn sends_login(&self) -> bool {
        self.at_requested_origin() && (self.request.bearer.is_some() || self.login().is_some())
    }

    /// Returns the URL of this hop, with the user's credentials if it is the requested origin. reqwest sends them as
    /// basic authentication.
    pub(super) fn address(&self) -> Url {
        let mut url = self.url.clone();
        let Request { bearer, basic_auth, .. } = &self.request;
        let explicit = bearer.is_some() || basic_auth.is_some() || self.challenge.is_some();
        if self.at_requested_origin() && !explicit {
            // Fails only for URLs that cannot have credentials, and those have none.
            let _ = url.set_username(self.request.url.username());
            let _ = url.set_password(self.request.url.password());
        }
        url
    }

    /// Adds the login, which is not that of the URL, if this hop goes to the requested origin.
    pub(super) fn with_login(&self, request: RequestBuilder) -> RequestBuilder {
        if !self.at_requested_origin() {
            return request;
        }
        match (&self.challenge, &self.request.bearer, &self.request.basic_auth) {
            (Some(challenge), ..) => match self.proof(challenge) {
                Some(proof) => request.header(AUTHORIZATION, proof),
                None => request,
            },
            (None, Some(token), _) => request.bearer_auth(token),
            (None, None, Some((user, password))) => request.basic_auth(user, Some(password)),
            (None, None, None) => request,
        }
    }

    fn proof(&self, challenge: &Challenge) -> Option<HeaderValue> {
        let (user, password) = self.login()?;
        let uri = &self.url[Position::BeforePath..Position::AfterQuery];
        let answer = challenge.answer((&user, &password), self.method().as_str(), uri)?;
        HeaderValue::from_bytes(answer.as_bytes()).ok()
    }

    /// Returns whether a refused request is to be repeated with Digest authentication: once per address, so that a wrong password ends.
    pub(super) fn accept_challenge(&mut self, response: &Response) -> bool {
        if self.challenge.is_some() || !self.at_requested_origin() || self.login().is_none() {
            return false;
        }
        self.challenge = Challenge::of(response.headers());
        self.challenge.is_some()
    }

    /// Returns the user name and password for the requested origin.
    fn login(&self) -> Option<(String, String)> {
        let Request { bearer, basic_auth, url, .. } = &self.request;
        match (bearer, basic_auth) {
            (Some(_), _) => None,
            (None, Some(login)) => Some(login.clone()),
            (None, None) => split_login(url).map(|(_, login)| (login.user, login.password)),
        }
    }
}

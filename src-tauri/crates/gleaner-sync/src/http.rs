//! Requests to the API of one server: its address, and the certificate that the user accepted for it.

use crate::{SyncError, lenient};
use gleaner_fetch::{
    Accept, FetchCause, FetchError, FetchErrorKind, Fetcher, Fingerprint, Method, Payload, Request, Response,
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use url::{Url, form_urlencoded};

/// A server's address and how it is contacted.
#[derive(Debug, Clone)]
pub struct Connection {
    /// Sends the requests.
    pub fetcher: Fetcher,
    /// Base address of the API, without a trailing slash.
    pub base: Url,
    /// The certificate that is accepted whatever is wrong with it.
    pub certificate: Option<Fingerprint>,
}

impl Connection {
    /// Returns the address of a path of the API with a query.
    pub(crate) fn url(&self, path: &str, query: &[(&str, &str)]) -> Url {
        let mut url = self.base.clone();
        url.set_path(&format!("{}{path}", self.base.path().trim_end_matches('/')));
        url.set_query(None);
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        url
    }

    /// Sends a GET request.
    pub(crate) async fn get(&self, url: Url, headers: &[(String, String)]) -> Result<Response, FetchError> {
        self.send(url, headers, None).await
    }

    /// Whether a path of the API requires a login.
    pub(crate) async fn wants_login(&self, path: &str) -> Result<bool, FetchError> {
        match self.get(self.url(path, &[]), &[]).await {
            Err(error) if error.kind == FetchErrorKind::Http(401) => Ok(true),
            response => response.map(|_| false),
        }
    }

    /// Sends a form.
    pub(crate) async fn post(
        &self,
        url: Url,
        headers: &[(String, String)],
        form: &[(&str, &str)],
    ) -> Result<Response, FetchError> {
        let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish().into_bytes();
        let payload = Payload { method: Method::Post, content_type: "application/x-www-form-urlencoded", body };
        self.send(url, headers, Some(payload)).await
    }

    /// Sends JSON without a login.
    pub(crate) async fn post_json(&self, url: Url, body: &Value) -> Result<Response, FetchError> {
        let body = body.to_string().into_bytes();
        self.send(url, &[], Some(Payload { method: Method::Post, content_type: "application/json", body })).await
    }

    async fn send(
        &self,
        url: Url,
        headers: &[(String, String)],
        payload: Option<Payload>,
    ) -> Result<Response, FetchError> {
        let request = Request::new(url.clone()).accept(Accept::Api);
        let is_form = payload.is_some();
        let request = Request { headers: headers.to_vec(), payload, exception: self.certificate, ..request };
        match self.fetcher.fetch(request).await {
            // A form is sent to no other server. A request without it shows where it would go.
            Err(error) if is_form && matches!(error.kind, FetchErrorKind::Http(301..=308)) => {
                let request = Request { exception: self.certificate, ..Request::new(url.clone()).accept(Accept::Api) };
                let reached =
                    self.fetcher.fetch(request).await.map_or_else(|error| *error.url, |response| response.url);
                Err(moved(&url, &reached).unwrap_or(error))
            }
            done => done,
        }
    }

    /// Sends a request with the login, and with JSON unless it is a GET request.
    pub(crate) async fn call(
        &self,
        url: Url,
        login: &Login,
        change: Option<(Method, Value)>,
    ) -> Result<Response, FetchError> {
        let payload = change.map(|(method, body)| Payload {
            method,
            content_type: "application/json",
            body: body.to_string().into_bytes(),
        });
        let request = Request::new(url.clone()).accept(Accept::Api);
        let request = Request { payload, exception: self.certificate, ..request };
        match self.fetcher.fetch(login.sign(request)).await {
            // The login was not sent there.
            Err(error) if matches!(error.kind, FetchErrorKind::Http(401 | 403)) => {
                Err(moved(&url, &error.url).unwrap_or(error))
            }
            done => done,
        }
    }
}

/// Returns the error of a request that was redirected to another server.
fn moved(asked: &Url, reached: &Url) -> Option<FetchError> {
    let host = reached.host_str().filter(|_| reached.origin() != asked.origin())?.to_owned();
    Some(FetchError::new(FetchCause::RedirectToOtherSite { host }, reached))
}

/// A login that is sent with every request.
#[derive(Clone)]
pub(crate) struct Login {
    /// User name; empty where `password` is a token.
    pub user: String,
    pub password: String,
    /// Header for a token, if the API has tokens.
    pub token_header: Option<&'static str>,
}

/// Without its secret.
impl std::fmt::Debug for Login {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Login").field("user", &self.user).finish_non_exhaustive()
    }
}

impl Login {
    fn sign(&self, request: Request) -> Request {
        match self.token_header.filter(|_| self.user.is_empty()) {
            Some(header) => Request { headers: vec![(header.to_owned(), self.password.clone())], ..request },
            None => Request { basic_auth: Some((self.user.clone(), self.password.clone())), ..request },
        }
    }
}

/// An API of JSON that requires a login with every request.
#[derive(Debug, Clone)]
pub(crate) struct Api {
    connection: Connection,
    login: Login,
}

impl Api {
    pub(crate) fn new(connection: Connection, login: Login) -> Self {
        Self { connection, login }
    }

    /// Sends a GET request and reads its JSON. `what` names the request in the error.
    pub(crate) async fn get<T: DeserializeOwned>(
        &self,
        path: &str,
        query: &[(&str, &str)],
        what: &'static str,
    ) -> Result<T, SyncError> {
        json(self.connection.call(self.connection.url(path, query), &self.login, None).await?, what)
    }

    /// Sends JSON.
    pub(crate) async fn send(&self, method: Method, path: &str, body: Value) -> Result<Response, FetchError> {
        self.connection.call(self.connection.url(path, &[]), &self.login, Some((method, body))).await
    }

    /// Sends a GET request whose body does not matter.
    pub(crate) async fn check(&self, path: &str) -> Result<(), FetchError> {
        self.connection.call(self.connection.url(path, &[]), &self.login, None).await.map(drop)
    }
}

/// Returns the text of a response.
pub(crate) fn text(response: Response) -> String {
    String::from_utf8_lossy(&response.body.unwrap_or_default()).into_owned()
}

/// Reads the JSON of a response. `what` names the request in the error.
pub(crate) fn json<T: DeserializeOwned>(response: Response, what: &'static str) -> Result<T, SyncError> {
    let body = response.body.unwrap_or_default();
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&body);
    serde_json::from_slice(body)
        .or_else(|_| serde_json::from_str(&lenient::fixed(&String::from_utf8_lossy(body))))
        .map_err(|_| SyncError::InvalidResponse(what))
}

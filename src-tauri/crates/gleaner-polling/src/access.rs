//! Applies a feed's connection settings to requests.

use crate::{
    FeedError, FeedErrorCode,
    secrets::{self, SecretError},
};
use gleaner_fetch::{Fingerprint, Request};
use gleaner_library::{Access, Auth};
use url::Url;

/// Whether an address belongs to the origin that login, headers and certificate are for.
pub fn is_home(url: &Url, access: &Access) -> bool {
    url.origin().is_tuple() && url.origin().ascii_serialization() == access.origin
}

/// Applies connection settings to a request. At other origins only the proxy and the User-Agent apply.
///
/// # Errors
/// If the proxy is invalid.
pub fn request(mut request: Request, access: &Access, secret: Option<String>) -> Result<Request, FeedError> {
    request.user_agent.clone_from(&access.user_agent);
    if let Some(proxy) = &access.proxy {
        request.route = proxy.parse().map_err(|_| FeedError::with(FeedErrorCode::InvalidProxy, "proxy", proxy))?;
    }
    if !is_home(&request.url, access) {
        return Ok(request);
    }
    request.headers.clone_from(&access.headers.0);
    request.exception = access.certificate.as_deref().and_then(|bytes| bytes.try_into().ok()).map(Fingerprint);
    match (access.auth, secret) {
        (Some(Auth::Bearer), Some(token)) => request.bearer = Some(token),
        (Some(Auth::Basic), Some(password)) => {
            request.basic_auth = Some((access.user_name.clone().unwrap_or_default(), password));
        }
        _ => {}
    }
    Ok(request)
}

/// Applies connection settings and the secret to a request. Without the secret, nothing may be sent.
pub(crate) async fn authorized(wanted: Request, access: Option<&Access>) -> Result<Request, FeedError> {
    let Some(access) = access else { return Ok(wanted) };
    let secret = match access.auth {
        Some(_) if is_home(&wanted.url, access) => {
            let read = secrets::read(access).await.and_then(|secret| secret.ok_or(SecretError::Gone));
            Some(read.map_err(|error| FeedError::from(&error))?)
        }
        _ => None,
    };
    request(wanted, access, secret)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_fetch::Route;
    use gleaner_library::Headers;

    fn requested(url: &str, access: &Access) -> Request {
        request(Request::new(url.parse().unwrap()), access, Some("sesame".to_owned())).unwrap()
    }

    #[test]
    fn sends_secrets_to_their_origin_only_and_uses_the_proxy_everywhere() {
        let access = Access {
            origin: "https://example.com".to_owned(),
            user_agent: Some("Me/1".to_owned()),
            headers: Headers(vec![("X-Key".to_owned(), "one".to_owned())]),
            proxy: Some("direct".to_owned()),
            certificate: Some(vec![7; 32]),
            auth: Some(Auth::Basic),
            user_name: Some("ada".to_owned()),
            ..Access::default()
        };
        let home = requested("https://example.com:443/feed", &access);
        assert_eq!(home.basic_auth, Some(("ada".to_owned(), "sesame".to_owned())));
        assert_eq!((home.headers.len(), home.exception), (1, Some(Fingerprint([7; 32]))));
        for other_origin in
            ["http://example.com/feed", "https://example.com:8443/feed", "https://feeds.example.com/feed"]
        {
            let away = requested(other_origin, &access);
            assert_eq!((away.basic_auth, away.headers, away.exception), (None, vec![], None), "{other_origin}");
            assert_eq!((away.route, away.user_agent.as_deref()), (Route::Direct, Some("Me/1")));
        }
        let bearer = Access { auth: Some(Auth::Bearer), ..access.clone() };
        assert_eq!(requested("https://example.com/", &bearer).bearer.as_deref(), Some("sesame"));
        let wrong = Access { proxy: Some("nowhere".to_owned()), ..access };
        assert!(request(Request::new("https://example.com/".parse().unwrap()), &wrong, None).is_err());
    }
}

//! How a feed is reached where that is out of the ordinary: from what the library keeps to a request, and files as feeds.

use crate::secrets::{self, SecretError};
use gleaner_fetch::{Answer, Fingerprint, Freshness, Request, Validators};
use gleaner_library::{Access, Auth};
use std::{
    fs::File,
    io::{self, Read as _},
    path::Path,
    time::{Instant, UNIX_EPOCH},
};
use url::Url;

/// Bytes: what a file may hold at most, as an answer may.
const FILE_AT_MOST: u64 = 32 << 20;

/// Whether an address belongs to the origin that name, secret, headers and certificate are for.
pub fn is_home(url: &Url, access: &Access) -> bool {
    url.origin().is_tuple() && url.origin().ascii_serialization() == access.origin
}

/// The request as the user wants it for this feed. Away from its home only the proxy and Gleaner's name hold.
///
/// # Errors
/// In words, where the proxy is none.
pub fn request(mut request: Request, access: &Access, secret: Option<String>) -> Result<Request, String> {
    request.user_agent.clone_from(&access.user_agent);
    if let Some(proxy) = &access.proxy {
        request.route = proxy.parse().map_err(|error| format!("{proxy}: {error}"))?;
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

/// The same with the secret, from wherever it is; without it nothing is to be sent. An error is a trouble's name and words.
pub(crate) async fn dressed(wanted: Request, access: Option<&Access>) -> Result<Request, (&'static str, String)> {
    let Some(access) = access else { return Ok(wanted) };
    let secret = match access.auth {
        Some(_) if is_home(&wanted.url, access) => {
            let read = secrets::read(access).await.and_then(|secret| secret.ok_or(SecretError::Gone));
            Some(read.map_err(|error| ("secret", format!("The password of this feed cannot be read: {error}")))?)
        }
        _ => None,
    };
    request(wanted, access, secret).map_err(|why| ("proxy", why))
}

/// A feed's file. Its size and the moment when it was last changed are its validator: the same ones, and it is not read.
pub(crate) fn read_file(url: &Url, sent: &Validators) -> Result<Answer, String> {
    let began = Instant::now();
    let path = url.to_file_path().map_err(|()| format!("{url} names no file of this computer"))?;
    let (validator, body) = contents_unless(&path, sent).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Answer {
        status: if body.is_some() { 200 } else { 304 },
        body,
        content_type: None,
        url: url.clone(),
        hops: Vec::new(),
        validators: Validators { etag: None, last_modified: Some(validator) },
        freshness: Freshness::default(),
        wire_bytes: 0,
        took: began.elapsed(),
    })
}

/// What is in a feed's file.
///
/// # Errors
/// When it cannot be read, is no file, or is larger than an answer may be.
pub fn contents(path: &Path) -> io::Result<Vec<u8>> {
    Ok(contents_unless(path, &Validators::default())?.1.unwrap_or_default())
}

/// Its validator, and its contents unless that is what was sent.
fn contents_unless(path: &Path, sent: &Validators) -> io::Result<(Vec<u8>, Option<Vec<u8>>)> {
    // Asked before it is opened: opening a pipe would wait for somebody to write.
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("it is not a file"));
    }
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    let changed = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    let validator = format!("{}.{:09} {}", changed.as_secs(), changed.subsec_nanos(), metadata.len()).into_bytes();
    if sent.last_modified.as_ref() == Some(&validator) {
        return Ok((validator, None));
    }
    let mut body = Vec::new();
    file.take(FILE_AT_MOST + 1).read_to_end(&mut body)?;
    if body.len() as u64 > FILE_AT_MOST {
        return Err(io::Error::other(format!("it is larger than {} MB", FILE_AT_MOST >> 20)));
    }
    Ok((validator, Some(body)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_fetch::Route;
    use gleaner_library::Headers;

    fn asked(url: &str, access: &Access) -> Request {
        request(Request::new(url.parse().unwrap()), access, Some("sesame".to_owned())).unwrap()
    }

    #[test]
    fn secrets_stay_at_home_and_the_proxy_holds_everywhere() {
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
        let home = asked("https://example.com:443/feed", &access);
        assert_eq!(home.basic_auth, Some(("ada".to_owned(), "sesame".to_owned())));
        assert_eq!((home.headers.len(), home.exception), (1, Some(Fingerprint([7; 32]))));
        for elsewhere in ["http://example.com/feed", "https://example.com:8443/feed", "https://feeds.example.com/feed"]
        {
            let away = asked(elsewhere, &access);
            assert_eq!((away.basic_auth, away.headers, away.exception), (None, vec![], None), "{elsewhere}");
            assert_eq!((away.route, away.user_agent.as_deref()), (Route::Direct, Some("Me/1")));
        }
        let bearer = Access { auth: Some(Auth::Bearer), ..access.clone() };
        assert_eq!(asked("https://example.com/", &bearer).bearer.as_deref(), Some("sesame"));
        let wrong = Access { proxy: Some("nowhere".to_owned()), ..access };
        assert!(request(Request::new("https://example.com/".parse().unwrap()), &wrong, None).is_err());
    }
}

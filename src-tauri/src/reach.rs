//! How feeds are reached, between the core's types and the window's.

use crate::{convert, shell::Core};
use chrono::Utc;
use gleaner_contract::{self as contract, ErrorCode, IpcError, LoginKind, SecretPlace};
use gleaner_fetch::{Fault, FetchError, Fingerprint};
use gleaner_library::{Access, Auth, FeedRow};
use gleaner_polling::{
    access::is_home,
    wish::{Login, Reaching, Wish, WishError},
};
use url::Url;

pub fn url(feed: &FeedRow) -> Result<Url, IpcError> {
    Url::parse(&feed.url).map_err(|error| IpcError {
        code: ErrorCode::InvalidAddress,
        message: error.to_string(),
        detail: Some(error.to_string()),
    })
}

pub fn bad_access(why: &str) -> IpcError {
    IpcError { code: ErrorCode::BadAccess, message: why.to_owned(), detail: Some(why.to_owned()) }
}

pub fn wish_error(error: WishError) -> IpcError {
    match error {
        WishError::Invalid(why) => bad_access(&why),
        WishError::Keyring(error) => {
            let message = error.to_string();
            IpcError { code: ErrorCode::NoKeyring, detail: Some(message.clone()), message }
        }
        WishError::Library(error) => convert::library_error(error),
    }
}

pub fn login(login: contract::Login) -> Login {
    match login {
        contract::Login::None => Login::None,
        contract::Login::Basic { user, password } => Login::Basic { user, password: password.0 },
        contract::Login::Bearer { token } => Login::Bearer { token: token.0 },
    }
}

pub fn fingerprint(text: &str) -> Result<Fingerprint, IpcError> {
    text.parse().map_err(|error: gleaner_fetch::NoFingerprint| bad_access(&error.to_string()))
}

/// What the window may know of how a feed is reached: no secret.
pub fn told(feed_id: i64, url: &Url, access: Option<Access>) -> contract::FeedAccess {
    let access = access.unwrap_or_default();
    let home = is_home(url, &access);
    let place = match (access.auth.filter(|_| home), &access.secret) {
        (None, _) => None,
        (Some(_), Some(_)) => Some(SecretPlace::Library),
        (Some(_), None) => Some(SecretPlace::Keyring),
    };
    let certificate = access.certificate.filter(|_| home).and_then(|bytes| bytes.try_into().ok());
    contract::FeedAccess {
        feed_id,
        origin: url.origin().ascii_serialization(),
        former_origin: Some(access.origin).filter(|origin| !home && !origin.is_empty()),
        login: match access.auth.filter(|_| home) {
            None => LoginKind::None,
            Some(Auth::Basic) => LoginKind::Basic,
            Some(Auth::Bearer) => LoginKind::Bearer,
        },
        user_name: access.user_name.filter(|_| home),
        kept: place,
        user_agent: access.user_agent,
        proxy: access.proxy,
        headers: if home { access.headers.0.into_iter().map(|(name, _)| name).collect() } else { Vec::new() },
        certificate: certificate.map(|bytes| Fingerprint(bytes).to_string()),
    }
}

/// The certificate that was refused in an exchange.
pub fn certificate(error: &FetchError) -> Option<contract::Certificate> {
    let shown = error.certificate.as_deref()?;
    let host = error.url.host_str().unwrap_or_default().to_owned();
    let fault = |fault| match fault {
        Fault::Expired => contract::CertificateFault::Expired,
        Fault::NotYetValid => contract::CertificateFault::NotYetValid,
        Fault::WrongName => contract::CertificateFault::WrongName,
        Fault::SelfSigned => contract::CertificateFault::SelfSigned,
        Fault::Untrusted => contract::CertificateFault::Untrusted,
    };
    Some(contract::Certificate {
        faults: shown.faults(&host, Utc::now()).into_iter().map(fault).collect(),
        host,
        fingerprint: shown.fingerprint.to_string(),
        subject: shown.subject.clone(),
        issuer: shown.issuer.clone(),
        names: shown.names.clone(),
        not_before: shown.not_before.map(|moment| moment.timestamp_millis()),
        not_after: shown.not_after.map(|moment| moment.timestamp_millis()),
    })
}

/// What the user said of a server, while its addresses are looked into and when one is subscribed to.
pub fn wish(reach: contract::Reach) -> Result<(String, Wish), IpcError> {
    let wish = Wish {
        login: reach.login.map(login),
        certificate: reach.certificate.as_deref().map(fingerprint).transpose()?.map(Some),
        in_library: reach.in_library,
        ..Wish::default()
    };
    wish.check().map_err(wish_error)?;
    Ok((reach.origin, wish))
}

/// Asks as the user said, at the server that the user named.
pub fn reaching(core: &Core, reach: Option<contract::Reach>) -> Result<Reaching<'_>, IpcError> {
    let Some(reach) = reach else { return Ok(Reaching::new(&core.fetcher, None)) };
    let (origin, wish) = wish(reach)?;
    let origin = Url::parse(&origin).map_err(|error| bad_access(&error.to_string()))?;
    Ok(Reaching::new(&core.fetcher, Some((&wish, &origin))))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_library::{Headers, Secret};

    #[test]
    fn the_window_is_told_everything_but_secrets() {
        let access = Access {
            origin: "https://example.com".to_owned(),
            headers: Headers(vec![("X-Key".to_owned(), "hidden-value".to_owned())]),
            certificate: Some(vec![7; 32]),
            auth: Some(Auth::Basic),
            user_name: Some("ada".to_owned()),
            secret: Some(Secret("hidden-password".to_owned())),
            user_agent: Some("Me/1".to_owned()),
            ..Access::default()
        };
        let home = told(1, &"https://example.com/feed".parse().unwrap(), Some(access.clone()));
        let json = serde_json::to_string(&home).unwrap();
        assert!(!json.contains("hidden"), "{json}");
        assert_eq!((home.login, home.kept), (LoginKind::Basic, Some(SecretPlace::Library)));
        assert_eq!((home.headers, home.former_origin), (vec!["X-Key".to_owned()], None));
        let moved = told(1, &"https://example.org/feed".parse().unwrap(), Some(access));
        assert_eq!((moved.login, moved.kept, moved.certificate), (LoginKind::None, None, None));
        assert_eq!(
            (moved.former_origin.as_deref(), moved.user_agent.as_deref()),
            (Some("https://example.com"), Some("Me/1"))
        );
        let usual = told(1, &"https://example.org/feed".parse().unwrap(), None);
        assert_eq!(usual.former_origin, None);
    }

    #[test]
    fn what_the_window_says_is_not_shown() {
        let said: contract::Login =
            serde_json::from_str(r#"{"kind":"basic","user":"ada","password":"hidden"}"#).unwrap();
        assert!(!format!("{said:?}").contains("hidden"));
        let reach = contract::Reach {
            origin: "https://example.com".to_owned(),
            login: Some(said),
            certificate: None,
            in_library: false,
        };
        let (_, wish) = wish(reach).unwrap();
        assert!(!format!("{wish:?}").contains("hidden"));
    }
}

//! Connection settings of feeds: login, headers, proxy, certificate. Secrets are received here and never returned.

use crate::{
    App, Core,
    error::{Result, invalid_input},
    refresh,
};
use gleaner_contract::{
    self as contract, AcceptCertificate, Certificate, FeedConnection, FeedId, LoginKind, SecretStore, SetConnection,
    UndoStep,
};
use gleaner_discovery::AddressProblem;
use gleaner_fetch::{Fault, FetchError, FetchErrorKind, Fingerprint, Request};
use gleaner_library::{Access, Auth, FeedRow, Library, now_utc};
use gleaner_polling::{
    Scope,
    access::{self, is_home},
    connection::{AuthorizedFetcher, ConnectionChange, Login},
    secrets,
};
use url::Url;

pub async fn feed_connection(app: &App, args: FeedId) -> Result<FeedConnection> {
    let library = app.core().await?.library;
    let feed = library.feeds().get(args.feed_id).await?;
    let access = library.connections().list().await?.remove(&feed.id);
    Ok(without_secrets(feed.id, &url(&feed)?, access))
}

pub async fn set_connection(app: &App, args: SetConnection) -> Result<UndoStep> {
    let new_settings = ConnectionChange {
        login: args.login.map(login),
        user_agent: Some(args.user_agent),
        proxy: Some(args.proxy),
        headers: Some(
            args.headers.into_iter().map(|header| (header.name, header.value.map(|value| value.0))).collect(),
        ),
        certificate: None,
        in_library: args.store_in_library,
    };
    change(app, args.feed_id, new_settings).await
}

pub async fn accept_certificate(app: &App, args: AcceptCertificate) -> Result<UndoStep> {
    let fingerprint = args.fingerprint.as_deref().map(fingerprint).transpose()?;
    change(app, args.feed_id, ConnectionChange { certificate: Some(fingerprint), ..ConnectionChange::default() }).await
}

/// Stores the connection settings of a feed, with the secret in the keyring or, if allowed, in the library. Returns the
/// settings; `None` for the default connection.
///
/// # Errors
/// `no_keyring`; the code of the setting that is not valid; when there is no such feed, or the library cannot be written.
pub async fn save_connection(app: &App, feed_id: i64, new_settings: ConnectionChange) -> Result<Option<Access>> {
    let library = app.core().await?.library;
    let access = changed(&library, feed_id, new_settings).await?;
    match &access {
        Some(access) => library.connections().set(access).await?,
        None => library.connections().delete(feed_id).await?,
    }
    secrets::delete_unused(&library).await?;
    Ok(access)
}

/// Moves the passwords that came with addresses to the keyring. Without one they stay in the library, where the addresses were.
///
/// # Errors
/// When the library cannot be read or written.
pub async fn move_passwords(app: &App) -> Result<()> {
    Ok(secrets::move_from_addresses(&app.core().await?.library).await?)
}

/// Does this in the background.
pub(crate) fn start_moving_passwords(app: &App) {
    let task = app.clone();
    app.spawn(async move {
        if let Err(error) = move_passwords(&task).await {
            tracing::warn!(%error, "passwords of addresses could not be moved");
        }
    });
}

/// Resets a feed to the default connection and deletes its secret.
///
/// # Errors
/// When the library cannot be written.
pub async fn reset_connection(app: &App, feed_id: i64) -> Result<()> {
    let library = app.core().await?.library;
    library.connections().delete(feed_id).await?;
    Ok(secrets::delete_unused(&library).await?)
}

/// Returns the connection settings of a feed with a change, after storing its secret.
async fn changed(library: &Library, feed_id: i64, new_settings: ConnectionChange) -> Result<Option<Access>> {
    let feed = library.feeds().get(feed_id).await?;
    let before = library.connections().list().await?.remove(&feed_id);
    Ok(new_settings.store(library, feed_id, &url(&feed)?, before).await?)
}

/// Stores the connection settings of a feed as an undoable change, and polls it with them.
async fn change(app: &App, feed_id: i64, new_settings: ConnectionChange) -> Result<UndoStep> {
    let library = app.core().await?.library;
    let access = changed(&library, feed_id, new_settings).await?;
    let done = library.connections().change(feed_id, access.as_ref()).await?;
    secrets::delete_unused(&library).await?;
    app.library_changed(true, false);
    refresh::start(app, Scope::Feeds(vec![feed_id]));
    Ok(UndoStep { undo: done.step })
}

pub async fn feed_certificate(app: &App, args: FeedId) -> Result<Option<Certificate>> {
    let core = app.core().await?;
    let feed = core.library.feeds().get(args.feed_id).await?;
    let known = core.library.connections().list().await?.remove(&feed.id);
    // Without secrets, and without the accepted certificate, which would hide the fault.
    let plain = known.map(|access| Access { user_agent: access.user_agent, proxy: access.proxy, ..Access::default() });
    let request = access::request(Request::new(url(&feed)?), &plain.unwrap_or_default(), None);
    match core.poller()?.fetcher().fetch(request?).await {
        Err(error) if error.certificate.is_some() => Ok(certificate(&error)),
        Err(error) if error.kind == FetchErrorKind::Tls => Err(error.into()),
        // Any HTTP response means that the certificate is valid.
        Err(FetchError { kind: FetchErrorKind::Http(_), .. }) | Ok(_) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn url(feed: &FeedRow) -> Result<Url> {
    Ok(Url::parse(&feed.url).map_err(AddressProblem::Malformed)?)
}

fn login(login: contract::Login) -> Login {
    match login {
        contract::Login::None => Login::None,
        contract::Login::Basic { user, password } => Login::Basic { user, password: password.0 },
        contract::Login::Bearer { token } => Login::Bearer { token: token.0 },
    }
}

pub(crate) fn fingerprint(text: &str) -> Result<Fingerprint> {
    text.parse().map_err(|error: gleaner_fetch::NoFingerprint| invalid_input(error))
}

/// Returns the connection settings of a feed without secrets.
fn without_secrets(feed_id: i64, url: &Url, access: Option<Access>) -> contract::FeedConnection {
    let access = access.unwrap_or_default();
    let home = is_home(url, &access);
    let place = match (access.auth.filter(|_| home), &access.secret) {
        (None, _) => None,
        (Some(_), Some(_)) => Some(SecretStore::Library),
        (Some(_), None) => Some(SecretStore::Keyring),
    };
    let certificate = access.certificate.filter(|_| home).and_then(|bytes| bytes.try_into().ok());
    contract::FeedConnection {
        feed_id,
        origin: url.origin().ascii_serialization(),
        former_origin: Some(access.origin).filter(|origin| !home && !origin.is_empty()),
        login: match access.auth.filter(|_| home) {
            None => LoginKind::None,
            Some(Auth::Basic) => LoginKind::Basic,
            Some(Auth::Bearer) => LoginKind::Bearer,
        },
        user_name: access.user_name.filter(|_| home),
        secret_store: place,
        user_agent: access.user_agent,
        proxy: access.proxy,
        headers: if home { access.headers.0.into_iter().map(|(name, _)| name).collect() } else { Vec::new() },
        certificate: certificate.map(|bytes| Fingerprint(bytes).to_string()),
    }
}

/// Returns the certificate that a request refused.
pub(crate) fn certificate(error: &FetchError) -> Option<contract::Certificate> {
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
        faults: shown.faults(&host, now_utc()).into_iter().map(fault).collect(),
        host,
        fingerprint: shown.fingerprint.to_string(),
        subject: shown.subject.clone(),
        issuer: shown.issuer.clone(),
        names: shown.names.clone(),
        not_before: shown.not_before.map(|moment| moment.timestamp_millis()),
        not_after: shown.not_after.map(|moment| moment.timestamp_millis()),
    })
}

/// Returns the origin of the server that the user entered settings for, and the settings.
pub(crate) fn settings(connection: contract::Connection) -> Result<(String, ConnectionChange)> {
    let new_settings = ConnectionChange {
        login: connection.login.map(login),
        certificate: connection.certificate.as_deref().map(fingerprint).transpose()?.map(Some),
        in_library: connection.store_in_library,
        ..ConnectionChange::default()
    };
    new_settings.check()?;
    Ok((connection.origin, new_settings))
}

/// Returns a client that sends the entered settings to the server that they were entered for. `typed` is the address with a login in it.
pub(crate) fn authorised<'a>(
    core: &'a Core,
    connection: Option<contract::Connection>,
    typed: Option<&(Url, gleaner_address::Login)>,
) -> Result<AuthorizedFetcher<'a>> {
    let poller = core.poller()?;
    let Some(connection) = connection else {
        let login = typed.map(|(url, login)| (ConnectionChange::with_login(login), url));
        return Ok(AuthorizedFetcher::new(poller, login.as_ref().map(|(change, url)| (change, *url))));
    };
    let (origin, new_settings) = settings(connection)?;
    let origin = Url::parse(&origin).map_err(invalid_input)?;
    Ok(AuthorizedFetcher::new(poller, Some((&new_settings, &origin))))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gleaner_library::{Headers, Secret};

    #[test]
    fn the_window_receives_no_secrets() {
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
        let home = without_secrets(1, &"https://example.com/feed".parse().unwrap(), Some(access.clone()));
        let json = serde_json::to_string(&home).unwrap();
        assert!(!json.contains("hidden"), "{json}");
        assert_eq!((home.login, home.secret_store), (LoginKind::Basic, Some(SecretStore::Library)));
        assert_eq!((home.headers, home.former_origin), (vec!["X-Key".to_owned()], None));
        let moved = without_secrets(1, &"https://example.org/feed".parse().unwrap(), Some(access));
        assert_eq!((moved.login, moved.secret_store, moved.certificate), (LoginKind::None, None, None));
        assert_eq!(
            (moved.former_origin.as_deref(), moved.user_agent.as_deref()),
            (Some("https://example.com"), Some("Me/1"))
        );
        let usual = without_secrets(1, &"https://example.org/feed".parse().unwrap(), None);
        assert_eq!(usual.former_origin, None);
    }

    #[test]
    fn secrets_are_not_printed_by_debug() {
        let login: contract::Login =
            serde_json::from_str(r#"{"kind":"basic","user":"ada","password":"hidden"}"#).unwrap();
        assert!(!format!("{login:?}").contains("hidden"));
        let connection = contract::Connection {
            origin: "https://example.com".to_owned(),
            login: Some(login),
            certificate: None,
            store_in_library: false,
        };
        let (_, new_settings) = settings(connection).unwrap();
        assert!(!format!("{new_settings:?}").contains("hidden"));
    }
}

//! Finds the API behind the address that the user entered, and checks the login.

use crate::{Connection, GoogleReader, Kind, Server, SyncError};
use gleaner_fetch::{FetchError, FetchErrorKind, Fetcher, Fingerprint};
use url::Url;

/// A server with a login that it accepts.
#[derive(Debug)]
pub struct Found {
    /// The API.
    pub kind: Kind,
    /// Its base address.
    pub base: Url,
    /// Whether the server has labels for articles.
    pub labels: bool,
}

/// Where the Google Reader API may be, relative to the address of the server.
const PLACES: [&str; 5] = ["", "/api/greader.php", "/greader.php", "/p/api/greader.php", "/reader"];

/// What an address turned out to be.
enum Probe {
    /// The API, which wants a login.
    Api,
    /// The API, which is switched off.
    Off,
    /// Something else.
    Other,
    /// The request failed in a way that another path would not change.
    Failed(FetchError),
}

/// Finds a supported API at a server and logs in. The password is sent only to an address that asks for a login as the API does.
///
/// # Errors
/// [`SyncError::NoServer`], [`SyncError::ApiOff`], [`SyncError::Login`], and why the server cannot be reached.
pub async fn find(
    fetcher: &Fetcher,
    address: &Url,
    certificate: Option<Fingerprint>,
    user: &str,
    password: &str,
) -> Result<Found, SyncError> {
    let (mut off, mut refused) = (false, None);
    for base in candidates(address) {
        let connection = Connection { fetcher: fetcher.clone(), base, certificate };
        match probe(&connection).await {
            Probe::Other => {}
            Probe::Off => off = true,
            // What was found before says more.
            Probe::Failed(_) if off || refused.is_some() => break,
            Probe::Failed(error) => return Err(error.into()),
            Probe::Api => {
                let base = connection.base.clone();
                let mut server = GoogleReader::new(connection, user.to_owned(), password.to_owned());
                match server.log_in().await {
                    Ok(()) => {
                        // A login page may answer like a login; a list of subscriptions only the API has.
                        server.feeds().await?;
                        return Ok(Found { kind: server.kind(), base, labels: server.has_labels() });
                    }
                    Err(error @ (SyncError::Login | SyncError::InvalidResponse(_))) => {
                        refused = refused.or(Some(error))
                    }
                    Err(error) => return Err(error),
                }
            }
        }
    }
    match refused {
        Some(error) => Err(error),
        None if off => Err(SyncError::ApiOff),
        None => Err(SyncError::NoServer),
    }
}

/// Returns the addresses where the API may be: the one that the user entered, with and without its last parts.
fn candidates(address: &Url) -> Vec<Url> {
    let mut plain = address.clone();
    plain.set_query(None);
    plain.set_fragment(None);
    // Fails only for addresses that have no login.
    let _ = plain.set_username("");
    let _ = plain.set_password(None);
    let path = plain.path().trim_end_matches('/').to_owned();
    // The address of a page of the server, or of the API itself.
    let mut folders = vec![path.clone()];
    for part in ["/reader/api/0", "/accounts/ClientLogin", "/api/fever.php", "/api/greader.php", "/api", "/i", "/p"] {
        folders.extend(path.find(part).map(|at| path[..at].to_owned()));
    }
    if path.ends_with(".php") || path.ends_with(".html") {
        folders.extend(path.rfind('/').map(|at| path[..at].to_owned()));
    }
    let mut found: Vec<Url> = Vec::new();
    for folder in folders {
        for place in PLACES {
            let mut url = plain.clone();
            url.set_path(&format!("{folder}{place}"));
            if !found.contains(&url) {
                found.push(url);
            }
        }
    }
    found
}

/// Looks at a path that the API protects. It answers 401; a page that answers everything with 200 is not the API.
async fn probe(connection: &Connection) -> Probe {
    match connection.get(connection.url("/reader/api/0/token", &[]), &[]).await {
        Ok(_) => Probe::Other,
        Err(error) => match error.kind {
            FetchErrorKind::Http(401 | 403) => Probe::Api,
            FetchErrorKind::Http(503) if connection.base.path().ends_with(".php") => Probe::Off,
            FetchErrorKind::Http(429 | 503) => Probe::Failed(error),
            FetchErrorKind::Http(_) | FetchErrorKind::TooLarge | FetchErrorKind::TooManyRedirects => Probe::Other,
            _ => Probe::Failed(error),
        },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn looks_where_servers_have_the_api() {
        for (entered, base) in [
            ("https://rss.example", "https://rss.example/api/greader.php"),
            ("https://rss.example/", "https://rss.example/"),
            ("https://rss.example/freshrss/p/i/?a=normal#x", "https://rss.example/freshrss/p/api/greader.php"),
            ("https://rss.example/freshrss/i/", "https://rss.example/freshrss/api/greader.php"),
            ("https://rss.example/api/greader.php/reader/api/0", "https://rss.example/api/greader.php"),
            ("https://ada:x@rss.example/api/fever.php", "https://rss.example/api/greader.php"),
        ] {
            let found = candidates(&entered.parse().unwrap());
            assert!(found.iter().any(|url| url.as_str() == base), "{entered}: {found:?}");
            assert!(found.iter().all(|url| url.username().is_empty() && url.query().is_none()));
        }
    }
}

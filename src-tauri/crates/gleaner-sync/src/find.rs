//! Finds the API behind the address that the user entered, and checks the login.

use crate::{AppLogin, Client, Connection, Feedbin, Fever, Kind, Miniflux, NextcloudNews, SyncError, TtRss};
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

/// Where an API may be, relative to the address of the server.
fn places(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Miniflux => &[""],
        Kind::NextcloudNews => &["/index.php/apps/news/api/v1-3", "/nextcloud/index.php/apps/news/api/v1-3"],
        Kind::TtRss => &["/api", "/tt-rss/api"],
        Kind::Feedbin => &["/v2", ""],
        Kind::GoogleReader => &["", "/api/greader.php", "/greader.php", "/p/api/greader.php", "/reader"],
        Kind::Fever => &["", "/", "/fever/", "/api/fever.php", "/fever.php", "/p/api/fever.php"],
    }
}

/// The kind of server that an address turned out to have.
enum Probe {
    /// The API in a version that is too old.
    Old,
    /// The API, which wants a login.
    Api,
    /// The API, which is switched off.
    Off,
    /// A redirect, which requests with a form do not follow.
    Redirect,
    /// Something else.
    Other,
    /// The request failed in a way that another path would not change.
    Failed(FetchError),
}

/// Finds a supported API on a server, or the given one, and logs in. The password is sent only to an address that asks for a login like the
/// API. If an API refuses the login, the others may accept it: some servers have a password for each.
///
/// # Errors
/// [`SyncError::NoServer`], [`SyncError::ApiOff`], [`SyncError::TooOld`], [`SyncError::Login`], [`SyncError::AppKeys`], and why the server cannot be reached.
pub async fn find(
    fetcher: &Fetcher,
    address: &Url,
    certificate: Option<Fingerprint>,
    user: &str,
    password: &str,
    api: Option<Kind>,
) -> Result<Found, SyncError> {
    let app = AppLogin::from_secret(password).is_some();
    if is_service(address, "inoreader.com") && !app {
        return Err(SyncError::AppKeys);
    }
    let (mut off, mut refused, mut old) = (false, None, false);
    // No other API has keys of an app.
    for kind in apis(address, api).into_iter().filter(|kind| !app || *kind == Kind::GoogleReader) {
        for base in candidates(address, kind) {
            let mut connection = Connection { fetcher: fetcher.clone(), base, certificate };
            let mut probed = probe(kind, &connection).await;
            if matches!(probed, Probe::Redirect | Probe::Api) {
                let there = redirected(kind, &connection).await;
                if let (Probe::Redirect, Some(base)) = (&probed, &there) {
                    connection.base = base.clone();
                    probed = probe(kind, &connection).await;
                }
                connection.base = there.unwrap_or(connection.base);
            }
            match probed {
                Probe::Other | Probe::Redirect => {}
                Probe::Off => off = true,
                Probe::Old => old = true,
                // The earlier result says more.
                Probe::Failed(_) if off || old || refused.is_some() => break,
                Probe::Failed(error) => return Err(error.into()),
                Probe::Api => {
                    let base = connection.base.clone();
                    let mut client = Client::new(kind, connection, user, password.to_owned());
                    match client.check().await {
                        Ok(false) => {}
                        Ok(true) => return Ok(Found { kind, base, labels: client.has_labels().await? }),
                        // It may have another API.
                        Err(SyncError::TooOld) => old = true,
                        Err(error @ (SyncError::Login | SyncError::InvalidResponse(_))) => {
                            refused = refused.or(Some(error))
                        }
                        Err(error) => return Err(error),
                    }
                }
            }
        }
    }
    match refused {
        Some(error) => Err(error),
        None if off => Err(SyncError::ApiOff),
        None if old => Err(SyncError::TooOld),
        None => Err(SyncError::NoServer),
    }
}

/// Whether the address is of the service with this domain.
fn is_service(address: &Url, domain: &str) -> bool {
    let part = |host: &str| host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    address.host_str().is_some_and(part)
}

/// Whether this is the service of that name. Its API has a host of its own.
fn is_feedbin(address: &Url) -> bool {
    is_service(address, "feedbin.com")
}

/// Returns the APIs to look for: the one that the address names is the first.
fn apis(address: &Url, api: Option<Kind>) -> Vec<Kind> {
    let mut apis: Vec<Kind> = Kind::ALL.into_iter().filter(|kind| api.is_none_or(|api| api == *kind)).collect();
    if is_feedbin(address) {
        apis.retain(|kind| *kind == Kind::Feedbin);
    } else if api.is_none() {
        // Other servers have its path, too, and only a login shows whether it is this API.
        apis.retain(|kind| *kind != Kind::Feedbin);
    }
    let path = address.path();
    let named = [(Kind::Fever, "/fever"), (Kind::GoogleReader, "greader.php"), (Kind::GoogleReader, "/reader/api")];
    if let Some((named, _)) = named.into_iter().find(|(_, part)| path.contains(part)) {
        apis.sort_by_key(|kind| *kind != named);
    }
    apis
}

/// Returns the addresses at which the API may be: the one that the user entered, with and without its last parts.
fn candidates(address: &Url, kind: Kind) -> Vec<Url> {
    let mut plain = address.clone();
    plain.set_query(None);
    plain.set_fragment(None);
    // Fails only for addresses that have no login.
    let _ = plain.set_username("");
    let _ = plain.set_password(None);
    if kind == Kind::Feedbin && is_feedbin(&plain) && plain.set_host(Some("api.feedbin.com")).is_ok() {
        plain.set_path("/v2");
        return vec![plain];
    }
    if is_service(&plain, "inoreader.com") && plain.set_host(Some("www.inoreader.com")).is_ok() {
        plain.set_path("/");
        return vec![plain];
    }
    let path = plain.path().trim_end_matches('/').to_owned();
    // The address of a page of the server, or of the API itself.
    let mut folders = vec![path.clone()];
    if kind == Kind::TtRss {
        // Some servers ignore the rest of the path after the API's address, so it would be found twice.
        folders.splice(0..0, path.strip_suffix("/api").map(str::to_owned));
    }
    let parts = [
        "/index.php",
        "/v1",
        "/v2",
        "/apps/",
        "/login",
        "/reader/api/0",
        "/accounts/ClientLogin",
        "/api/fever.php",
        "/api/greader.php",
        "/api",
        "/fever",
        "/i",
        "/p",
        // Pages of Miniflux.
        "/unread",
        "/starred",
        "/history",
        "/feeds",
        "/feed/",
        "/categories",
        "/category/",
        "/settings",
        "/keys",
        "/search",
        "/shares",
        "/tags/",
        "/about",
        "/users",
        "/sessions",
        "/subscribe",
        "/export",
    ];
    for part in parts {
        folders.extend(path.find(part).map(|at| path[..at].to_owned()));
    }
    if path.ends_with(".php") || path.ends_with(".html") {
        folders.extend(path.rfind('/').map(|at| path[..at].to_owned()));
    }
    let mut found: Vec<Url> = Vec::new();
    for folder in folders {
        for place in places(kind) {
            let mut url = plain.clone();
            url.set_path(&format!("{folder}{place}"));
            if !found.contains(&url) {
                found.push(url);
            }
        }
    }
    found
}

/// Returns the address of an API on another server to which this one redirects: the password is sent only there. Returns `None` if it does
/// not redirect, or from https to http.
async fn redirected(kind: Kind, connection: &Connection) -> Option<Url> {
    let base = &connection.base;
    let asked = match kind {
        Kind::Miniflux => connection.url("/v1/me", &[]),
        Kind::NextcloudNews => connection.url("/folders", &[]),
        Kind::Feedbin => connection.url("/authentication.json", &[]),
        Kind::GoogleReader => connection.url("/reader/api/0/token", &[]),
        Kind::TtRss => connection.url("/", &[]),
        Kind::Fever => base.clone(),
    };
    let reached = match connection.get(asked.clone(), &[]).await {
        Ok(response) => response.url,
        Err(error) => *error.url,
    };
    if reached.origin() == asked.origin() || (base.scheme() == "https" && reached.scheme() != "https") {
        return None;
    }
    let rest = asked.path().strip_prefix(base.path().trim_end_matches('/')).unwrap_or_default();
    let mut there = base.clone();
    there.set_scheme(reached.scheme()).ok()?;
    there.set_host(reached.host_str()).ok()?;
    there.set_port(reached.port()).ok()?;
    there.set_path(reached.path().strip_suffix(rest).filter(|_| kind != Kind::Fever).unwrap_or(reached.path()));
    Some(there)
}

/// Looks whether an API is at an address, without the password.
async fn probe(kind: Kind, connection: &Connection) -> Probe {
    let looked = match kind {
        Kind::Miniflux => Miniflux::probe(connection).await,
        Kind::NextcloudNews => match NextcloudNews::probe(connection).await {
            Err(error) if error.kind == FetchErrorKind::Http(404) && NextcloudNews::is_old(connection).await => {
                return Probe::Old;
            }
            looked => looked,
        },
        Kind::TtRss => TtRss::probe(connection).await,
        Kind::Feedbin => Feedbin::probe(connection).await,
        // The API protects this path: it answers 401. A page that responds to everything with 200 is not the API.
        Kind::GoogleReader => match connection.get(connection.url("/reader/api/0/token", &[]), &[]).await {
            Ok(_) => Ok(false),
            Err(error) if matches!(error.kind, FetchErrorKind::Http(401 | 403)) => Ok(true),
            Err(error) => Err(error),
        },
        Kind::Fever => Fever::probe(connection).await,
    };
    match looked {
        Ok(true) => Probe::Api,
        Ok(false) => Probe::Other,
        Err(error) => match error.kind {
            FetchErrorKind::Http(503) if connection.base.path().ends_with(".php") => Probe::Off,
            FetchErrorKind::Http(301..=308) | FetchErrorKind::TooManyRedirects => Probe::Redirect,
            FetchErrorKind::Http(429 | 503) => Probe::Failed(error),
            FetchErrorKind::Http(_) | FetchErrorKind::TooLarge => Probe::Other,
            _ => Probe::Failed(error),
        },
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn tries_the_usual_addresses_of_the_api() {
        for (entered, base) in [
            ("https://rss.example", "https://rss.example/api/greader.php"),
            ("https://rss.example/", "https://rss.example/"),
            ("https://rss.example/freshrss/p/i/?a=normal#x", "https://rss.example/freshrss/p/api/greader.php"),
            ("https://rss.example/freshrss/i/", "https://rss.example/freshrss/api/greader.php"),
            ("https://rss.example/api/greader.php/reader/api/0", "https://rss.example/api/greader.php"),
            ("https://ada:x@rss.example/api/fever.php", "https://rss.example/api/greader.php"),
        ] {
            let found = candidates(&entered.parse().unwrap(), Kind::GoogleReader);
            assert!(found.iter().any(|url| url.as_str() == base), "{entered}: {found:?}");
            assert!(found.iter().all(|url| url.username().is_empty() && url.query().is_none()));
        }
    }

    #[test]
    fn finds_the_host_of_the_api_of_feedbin() {
        for entered in ["https://feedbin.com", "https://www.feedbin.com/settings", "https://api.feedbin.com/v2/entries"]
        {
            let entered = entered.parse().unwrap();
            assert_eq!(apis(&entered, None), [Kind::Feedbin]);
            assert_eq!(candidates(&entered, Kind::Feedbin), ["https://api.feedbin.com/v2".parse().unwrap()]);
        }
        assert!(!apis(&"https://feedbin.com.example/".parse().unwrap(), None).contains(&Kind::Feedbin));
    }

    #[test]
    fn finds_the_services_of_the_google_reader_api() {
        for (entered, base) in [
            ("https://inoreader.com", "https://www.inoreader.com/"),
            ("https://www.inoreader.com/all_articles", "https://www.inoreader.com/"),
            ("https://theoldreader.com", "https://theoldreader.com/"),
            ("https://bazqux.com", "https://bazqux.com/"),
            ("https://feedhq.org/login/", "https://feedhq.org/"),
        ] {
            let found = candidates(&entered.parse().unwrap(), Kind::GoogleReader);
            assert!(found.iter().any(|url| url.as_str() == base), "{entered}: {found:?}");
        }
        assert!(!is_service(&"https://notinoreader.com".parse().unwrap(), "inoreader.com"));
    }

    #[test]
    fn commafeed_is_found_by_the_address_of_its_fever_api() {
        let entered = "https://feeds.example/rest/fever/user/1000".parse().unwrap();
        assert_eq!(apis(&entered, None)[0], Kind::Fever);
        assert!(candidates(&entered, Kind::Fever).contains(&entered));
    }

    #[test]
    fn the_address_of_an_api_says_which_is_meant() {
        let order = |entered: &str| apis(&entered.parse().unwrap(), None)[0];
        assert_eq!(order("https://rss.example/"), Kind::ALL[0]);
        assert_eq!(order("https://rss.example/p/api/greader.php"), Kind::GoogleReader);
        assert_eq!(order("https://rss.example/api/fever.php"), Kind::Fever);
        assert_eq!(order("https://rss.example/fever/?api"), Kind::Fever);
        for entered in ["", "/", "/index.php/login", "/apps/news/", "/index.php/apps/news/api/v1-3/feeds", "/login?x=1"]
        {
            let found = candidates(&format!("https://cloud.example{entered}").parse().unwrap(), Kind::NextcloudNews);
            let base = "https://cloud.example/index.php/apps/news/api/v1-3";
            assert!(found.iter().any(|url| url.as_str() == base), "{entered}: {found:?}");
        }
        let found = candidates(&"https://rss.example/fever/".parse().unwrap(), Kind::Fever);
        assert!(found.iter().any(|url| url.as_str() == "https://rss.example/fever/"), "{found:?}");
        let found = candidates(&"https://rss.example/i/".parse().unwrap(), Kind::Fever);
        assert!(found.iter().any(|url| url.as_str() == "https://rss.example/api/fever.php"), "{found:?}");
    }
}

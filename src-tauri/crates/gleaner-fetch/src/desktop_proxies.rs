//! The proxy settings of the desktop, with its exceptions and automatic configuration.

use crate::Route;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;
use url::Url;

/// Maximum time of a lookup, which may download and run a configuration script.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(10);

/// Looks up proxies in the settings of the desktop. They apply where neither the user nor the environment sets a proxy.
pub trait DesktopProxies: Debug + Send + Sync {
    /// Returns the proxies for a URL as URLs, best first, among them `direct://` for none. May block.
    fn lookup(&self, url: &Url) -> Vec<String>;
}

/// Returns the route to a URL by the settings of the desktop.
pub(crate) async fn route(desktop: &Arc<dyn DesktopProxies>, url: &Url) -> Route {
    // A configuration script is foreign code, and gets no secrets of addresses.
    let Ok(site) = Url::parse(&url.origin().ascii_serialization()) else { return Route::Default };
    let desktop = Arc::clone(desktop);
    let lookup = tokio::task::spawn_blocking(move || desktop.lookup(&site));
    match timeout(LOOKUP_TIMEOUT, lookup).await {
        Ok(Ok(proxies)) => proxies.iter().find_map(|proxy| parse(proxy)).unwrap_or_default(),
        // As browsers do, if the script cannot be downloaded.
        _ => Route::Default,
    }
}

/// Parses a proxy as desktops write it; `None` if it is of an unknown kind. Proxies for SOCKS 5 look up names themselves there.
fn parse(proxy: &str) -> Option<Route> {
    let (scheme, rest) = proxy.split_once("://")?;
    match scheme {
        "direct" => Some(Route::Direct),
        "socks" | "socks5" => format!("socks5h://{rest}").parse().ok(),
        "socks4" => format!("socks4a://{rest}").parse().ok(),
        _ => proxy.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[derive(Debug)]
    struct Fixed(&'static [&'static str]);

    impl DesktopProxies for Fixed {
        fn lookup(&self, _: &Url) -> Vec<String> {
            self.0.iter().map(|&proxy| proxy.to_owned()).collect()
        }
    }

    #[tokio::test]
    async fn takes_the_first_proxy_that_is_known() {
        let url: Url = "https://example.com/feed".parse().unwrap();
        let through = |proxy: &str| Route::Proxy(proxy.parse().unwrap());
        for (settings, expected) in [
            (&["direct://"] as &[_], Route::Direct),
            (&[], Route::Default),
            (&["http://proxy.example:3128", "direct://"], through("http://proxy.example:3128")),
            (&["socks5://proxy.example:1080", "socks4://proxy.example:1080"], through("socks5h://proxy.example:1080")),
            (&["socks://[::1]:1080"], through("socks5h://[::1]:1080")),
            (&["quic://proxy.example:1", "direct://"], Route::Direct),
            (&["nonsense"], Route::Default),
        ] {
            let desktop: Arc<dyn DesktopProxies> = Arc::new(Fixed(settings));
            assert_eq!(route(&desktop, &url).await, expected, "{settings:?}");
        }
    }
}

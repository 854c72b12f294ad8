//! The proxy settings of the desktop, with its exceptions and automatic configuration.

use crate::Route;
use parking_lot::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Notify, Semaphore};
use tokio::time::{Instant, timeout};
use url::Url;

/// Maximum number of lookups at a time. Each has a thread, also while its script hangs.
const MAX_LOOKUPS: usize = 4;
/// Maximum number of sites whose results are stored.
const MAX_SITES: usize = 2000;

/// Looks up proxies in the settings of the desktop. They apply if neither the user nor the environment sets a proxy.
pub trait DesktopProxies: Debug + Send + Sync {
    /// Returns the proxies for a URL as URLs, best first, among them `direct://` for none. May block.
    fn lookup(&self, url: &Url) -> Vec<String>;
}

/// Time limits.
#[derive(Debug, Clone, Copy)]
struct Times {
    /// Maximum time of a lookup, which may download and run a configuration script.
    lookup: Duration,
    /// How long the result for a site is used without another lookup. The settings may change at any time.
    fresh: Duration,
    /// How long nothing is looked up after a script hung, so that it delays a refresh once and not each of its requests.
    pause: Duration,
}

const TIMES: Times =
    Times { lookup: Duration::from_secs(10), fresh: Duration::from_secs(30), pause: Duration::from_secs(5 * 60) };

/// The lookups of a fetcher.
#[derive(Debug)]
pub(crate) struct Lookups {
    desktop: Arc<dyn DesktopProxies>,
    times: Times,
    threads: Arc<Semaphore>,
    known: Mutex<Known>,
    /// Wakes the requests that wait for a thread when a lookup has hung.
    hung: Notify,
}

#[derive(Debug, Default)]
struct Known {
    /// The routes to sites, with the time of their lookup.
    routes: HashMap<Url, (Route, Instant)>,
    /// When a lookup has hung, if none has succeeded since.
    hung: Option<Instant>,
}

impl Lookups {
    pub(crate) fn new(desktop: Arc<dyn DesktopProxies>) -> Self {
        let threads = Arc::new(Semaphore::new(MAX_LOOKUPS));
        Self { desktop, times: TIMES, threads, known: Mutex::default(), hung: Notify::new() }
    }

    /// Returns the route to a URL by the settings of the desktop.
    pub(crate) async fn route(&self, url: &Url) -> Route {
        // A configuration script is foreign code, and gets no secrets of addresses.
        let Ok(site) = Url::parse(&url.origin().ascii_serialization()) else { return Route::Default };
        let mut hung = std::pin::pin!(self.hung.notified());
        hung.as_mut().enable();
        if let Some(route) = self.known_route(&site) {
            return route;
        }
        let thread = tokio::select! {
            thread = Arc::clone(&self.threads).acquire_owned() => thread,
            () = hung => return self.last_route(&site),
        };
        // Another request may have looked it up meanwhile.
        if let Some(route) = self.known_route(&site) {
            return route;
        }
        let (desktop, wanted) = (Arc::clone(&self.desktop), site.clone());
        let lookup = tokio::task::spawn_blocking(move || {
            let _held_while_it_runs = thread;
            desktop.lookup(&wanted)
        });
        match timeout(self.times.lookup, lookup).await {
            Ok(proxies) => {
                let proxies = proxies.unwrap_or_default();
                let route = proxies.iter().find_map(|proxy| parse(proxy)).unwrap_or_default();
                self.store(site, route.clone());
                route
            }
            Err(_) => {
                self.known().hung = Some(Instant::now());
                self.hung.notify_waiters();
                self.last_route(&site)
            }
        }
    }

    /// Returns the route to a site if it needs no lookup, or if no lookup may be made now.
    fn known_route(&self, site: &Url) -> Option<Route> {
        let known = self.known();
        let fresh =
            known.routes.get(site).filter(|(_, at)| at.elapsed() < self.times.fresh).map(|(route, _)| route.clone());
        let paused =
            known.hung.is_some_and(|at| at.elapsed() < self.times.pause || self.threads.available_permits() == 0);
        drop(known);
        fresh.or_else(|| paused.then(|| self.last_route(site)))
    }

    /// Returns the route to a site from the last lookup. Without one, the default is used, like in browsers if the script cannot be
    /// downloaded.
    fn last_route(&self, site: &Url) -> Route {
        self.known().routes.get(site).map(|(route, _)| route.clone()).unwrap_or_default()
    }

    fn store(&self, site: Url, route: Route) {
        let mut known = self.known();
        known.hung = None;
        if known.routes.len() >= MAX_SITES {
            known.routes.retain(|_, (_, at)| at.elapsed() < self.times.fresh);
        }
        if known.routes.len() < MAX_SITES {
            known.routes.insert(site, (route, Instant::now()));
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock()
    }
}

/// Parses a proxy in the form that desktops use; `None` if it is of an unknown kind. SOCKS 5 proxies in it look up names themselves.
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
    use std::sync::mpsc::{Receiver, Sender, channel};
    use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
    use tokio::task::JoinHandle;

    #[derive(Debug)]
    struct Fixed(&'static [&'static str]);

    impl DesktopProxies for Fixed {
        fn lookup(&self, _: &Url) -> Vec<String> {
            self.0.iter().map(|&proxy| proxy.to_owned()).collect()
        }
    }

    /// Settings whose lookups end when the test sends what they return.
    #[derive(Debug)]
    struct Script {
        begun: UnboundedSender<String>,
        answers: Mutex<Receiver<&'static str>>,
    }

    impl DesktopProxies for Script {
        fn lookup(&self, url: &Url) -> Vec<String> {
            self.begun.send(url.host_str().unwrap_or_default().to_owned()).unwrap();
            let answer = self.answers.lock().recv();
            answer.into_iter().map(str::to_owned).collect()
        }
    }

    fn script(times: Times) -> (Arc<Lookups>, UnboundedReceiver<String>, Sender<&'static str>) {
        let (begun, begins) = unbounded_channel();
        let (answer, answers) = channel();
        let lookups = Lookups::new(Arc::new(Script { begun, answers: Mutex::new(answers) }));
        (Arc::new(Lookups { times, ..lookups }), begins, answer)
    }

    fn site(number: usize) -> Url {
        format!("https://site{number}.example/feed?key=1").parse().unwrap()
    }

    fn start(lookups: &Arc<Lookups>, number: usize) -> JoinHandle<Route> {
        let lookups = Arc::clone(lookups);
        tokio::spawn(async move { lookups.route(&site(number)).await })
    }

    fn through(proxy: &str) -> Route {
        Route::Proxy(proxy.parse().unwrap())
    }

    #[tokio::test]
    async fn takes_the_first_proxy_that_is_known() {
        for (settings, expected) in [
            (&["direct://"] as &[_], Route::Direct),
            (&[], Route::Default),
            (&["http://proxy.example:3128", "direct://"], through("http://proxy.example:3128")),
            (&["socks5://proxy.example:1080", "socks4://proxy.example:1080"], through("socks5h://proxy.example:1080")),
            (&["socks://[::1]:1080"], through("socks5h://[::1]:1080")),
            (&["quic://proxy.example:1", "direct://"], Route::Direct),
            (&["nonsense"], Route::Default),
        ] {
            let lookups = Lookups::new(Arc::new(Fixed(settings)));
            assert_eq!(lookups.route(&site(1)).await, expected, "{settings:?}");
        }
    }

    #[tokio::test]
    async fn a_site_is_looked_up_again_after_a_while() {
        for (fresh, expected) in [(TIMES.fresh, through("http://old.example:1")), (Duration::ZERO, Route::Direct)] {
            let (lookups, _begins, answer) = script(Times { fresh, ..TIMES });
            answer.send("http://old.example:1").unwrap();
            assert_eq!(lookups.route(&site(1)).await, through("http://old.example:1"));
            answer.send("direct://").unwrap();
            assert_eq!(lookups.route(&site(1)).await, expected);
            answer.send("direct://").unwrap();
            assert_eq!(lookups.route(&site(2)).await, Route::Direct, "another site");
        }
    }

    #[tokio::test]
    async fn a_script_that_hangs_delays_requests_once_and_holds_few_threads() {
        let (lookups, mut begins, answer) = script(Times { fresh: Duration::ZERO, ..TIMES });
        answer.send("http://proxy.example:1").unwrap();
        assert_eq!(lookups.route(&site(0)).await, through("http://proxy.example:1"));
        begins.recv().await.unwrap();
        let lookups = Arc::into_inner(lookups).unwrap();
        let at_once = Times { lookup: Duration::from_millis(1), ..lookups.times };
        let lookups = Arc::new(Lookups { times: at_once, ..lookups });
        let requests: Vec<_> = (0..50).map(|number| start(&lookups, number)).collect();
        for (number, request) in requests.into_iter().enumerate() {
            let expected = if number == 0 { through("http://proxy.example:1") } else { Route::Default };
            assert_eq!(request.await.unwrap(), expected, "of the last lookup of site {number}");
        }
        assert_eq!(lookups.route(&site(99)).await, Route::Default);
        // A thread may begin its lookup only now.
        let free = lookups.threads.available_permits();
        let hanging = MAX_LOOKUPS - free;
        assert!(hanging >= 1);

        // Nothing waits for threads that hang, also later.
        let lookups = Arc::into_inner(lookups).unwrap();
        let lookups = Lookups { times: Times { pause: Duration::ZERO, ..TIMES }, ..lookups };
        let others = Arc::clone(&lookups.threads).acquire_many_owned(u32::try_from(free).unwrap()).await.unwrap();
        assert_eq!(lookups.route(&site(99)).await, Route::Default);

        // The script returns, and runs again.
        drop(others);
        for _ in 0..=hanging {
            answer.send("direct://").unwrap();
        }
        drop(lookups.threads.acquire_many(u32::try_from(MAX_LOOKUPS).unwrap()).await.unwrap());
        assert_eq!(lookups.route(&site(99)).await, Route::Direct);
        let sites: Vec<String> = std::iter::from_fn(|| begins.try_recv().ok()).collect();
        assert_eq!(sites.len(), hanging + 1, "{sites:?}");
    }

    #[tokio::test]
    async fn more_requests_than_threads_wait_for_a_slow_script() {
        let (lookups, mut begins, answer) = script(TIMES);
        let requests: Vec<_> = (0..3 * MAX_LOOKUPS).map(|number| start(&lookups, number)).collect();
        for _ in 0..MAX_LOOKUPS {
            begins.recv().await.unwrap();
        }
        assert_eq!(lookups.threads.available_permits(), 0);
        assert!(begins.try_recv().is_err(), "the others wait");
        for _ in 0..requests.len() {
            answer.send("direct://").unwrap();
        }
        for request in requests {
            assert_eq!(request.await.unwrap(), Route::Direct);
        }
    }
}

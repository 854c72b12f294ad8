//! Connections: a login, an accepted certificate, a file, and older articles.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use gleaner_end_to_end::{Scratch, Window, article, program, rss, run, settled};
use gleaner_testserver::{Certificate, Reply, Server};
use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};
use zbus::{
    fdo,
    zvariant::{OwnedObjectPath, OwnedValue},
};

const PASSWORD: &str = "open-sesame-4711";
const TAB: &str = "\u{e004}";
const BACKSPACE: &str = "\u{e003}";
const ENTER: &str = "\u{e007}";

/// Starts a server that requires the user Ada with [`PASSWORD`] (RFC 7617).
async fn private() -> Server {
    let server = Server::start().await;
    server.on_request("/feed", |request| match request.text("Authorization").as_deref() {
        Some("Basic YWRhOm9wZW4tc2VzYW1lLTQ3MTE=") => {
            Reply::ok(rss("Private", &[article("Secret", "<p>For Ada.</p>")]))
        }
        _ => Reply::status(401).header("WWW-Authenticate", "Basic realm=\"x\""),
    });
    server
}

/// The keyring of a free desktop (Secret Service) that lets no one in. It counts the attempts.
struct Keyring(Arc<AtomicUsize>);

#[zbus::interface(name = "org.freedesktop.Secret.Service")]
impl Keyring {
    async fn open_session(&self, _algorithm: String, _input: OwnedValue) -> fdo::Result<(OwnedValue, OwnedObjectPath)> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Err(fdo::Error::AccessDenied("it is locked".to_owned()))
    }
}

impl Keyring {
    async fn start(self) -> zbus::Connection {
        let bus = zbus::connection::Builder::session().unwrap().serve_at("/org/freedesktop/secrets", self).unwrap();
        bus.name("org.freedesktop.secrets").unwrap().build().await.unwrap()
    }
}

/// Returns true when a file of the library contains this text.
fn library_holds(scratch: &Scratch, text: &str) -> bool {
    fs::read_dir(scratch.library()).unwrap().any(|file| {
        let bytes = fs::read(file.unwrap().path()).unwrap_or_default();
        bytes.windows(text.len()).any(|window| window == text.as_bytes())
    })
}

#[test]
fn a_feed_behind_a_login_is_added_and_read_by_keyboard() {
    run(async {
        let (scratch, server) = (Scratch::new(), private().await);
        let window = Window::open(&scratch).await;
        window.click("button", "Explore first").await;
        window.until("the bundled articles", "__e2e.all('option', null).length >= 5").await;
        window.press("a").await;
        window.find("dialog", "Add feed").await;
        window.type_text(&server.url("/feed")).await;
        window.press(ENTER).await;
        window.shows("requires a login").await;
        window
            .until("the name has the focus", "document.activeElement?.labels?.[0]?.textContent === 'User name'")
            .await;
        window.audit("the add dialog that requires a login").await;
        window.screenshot("add-login").await;
        window.press("ada").await;
        window.press(TAB).await;
        window.press("wrong").await;
        window.press(ENTER).await;
        window.shows("rejected this login").await;
        window.until("the password has the focus", "document.activeElement?.type === 'password'").await;
        window.press_control('a').await;
        window.press(PASSWORD).await;
        window.press(ENTER).await;
        window.find("checkbox", "Private").await;
        window.value("__e2e.all('button', 'Subscribe')[0].focus()").await;
        window.press(ENTER).await;

        // This session has no keyring: nothing is stored before the user has chosen.
        window.shows("No keyring is available").await;
        window.until("the safe answer has the focus", "document.activeElement?.textContent?.trim() === 'Cancel'").await;
        // The pointer may be on an element with a tooltip.
        window.until("no tooltip", "!document.querySelector('.tooltip')").await;
        window.audit("the question about the library's file").await;
        window.screenshot("add-keyring").await;
        assert!(!library_holds(&scratch, PASSWORD));
        // A keyring that starts later is tried.
        let attempts = Arc::<AtomicUsize>::default();
        let keyring = Keyring(attempts.clone()).start().await;
        window.press(ENTER).await;
        window.until("no question", "__e2e.all('button', 'Save in library file').length === 0").await;
        window.click("button", "Subscribe").await;
        window.shows("No keyring is available").await;
        assert!(attempts.load(Ordering::Relaxed) > 0);
        keyring.close().await.unwrap();
        window.click("button", "Save in library file").await;
        window.find("treeitem", "Private").await;
        window.until("its article", "__e2e.all('option', 'Secret').length === 1").await;
        window.no_dialog().await;
        window.press("j").await;
        window.reads("For Ada.").await;

        window.press("i").await;
        window.find("region", "Connection").await;
        window.shows("User name: ada").await;
        let shown = window.value("document.documentElement.outerHTML").await;
        assert!(!shown.as_str().unwrap().contains(PASSWORD), "a secret is never sent to the window");
        window.audit("the dialog about a feed behind a login").await;
        window.screenshot("about-login").await;
        window.close().await;
    });
}

#[test]
fn connection_settings_are_changed_and_undone() {
    run(async {
        let (scratch, server) = (Scratch::new(), private().await);
        scratch.glean(&["add", &server.url("/feed")]);
        server.on_request("/open", |request| {
            let named = request.text("User-Agent").unwrap_or_default();
            Reply::ok(rss(
                "Open",
                &[article(&named, "text"), article(&request.text("X-Key").unwrap_or_default(), "text")],
            ))
        });
        assert!(scratch.glean(&["add", &server.url("/open")]).status.success());
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Open").await;
        window.press("i").await;
        window.shows("Default: no login, system proxy.").await;
        window.click("button", "Change connection…").await;
        window.fill("User-Agent", "Ada/1").await;
        window.click("button", "Add header").await;
        window.fill("Name of header 1", "X-Key").await;
        window.fill("Value of header 1", "hidden-value").await;
        window.audit("the connection form").await;
        window.screenshot("connection-form").await;
        window.click("button", "Save").await;
        window.shows("User-Agent Ada/1").await;
        settled("the feed is polled with the new settings", || async {
            let last = server.requests_to("/open").pop().unwrap();
            match (last.text("User-Agent").as_deref(), last.text("X-Key").as_deref()) {
                (Some("Ada/1"), Some("hidden-value")) => Ok(()),
                seen => Err(format!("{seen:?}")),
            }
        })
        .await;
        let shown = window.value("document.querySelector('[role=dialog]').outerHTML").await;
        assert!(!shown.as_str().unwrap().contains("hidden-value"), "the value of a header is never sent to the window");
        // The message of the first change is closed, so that "Undo" below is of the second; on a slow machine it has closed already.
        window.script("__e2e.all('button', 'Dismiss')[0]?.click()", vec![]).await.unwrap();
        window.until("no message", "__e2e.all('button', 'Undo').length === 0").await;
        window.click("button", "Change connection…").await;
        window.click("textbox", "User-Agent").await;
        window.press_control('a').await;
        window.press(BACKSPACE).await;
        window.click("button", "Save").await;
        settled("other settings are unchanged", || async {
            let last = server.requests_to("/open").pop().unwrap();
            match (last.text("User-Agent").unwrap().contains("Gleaner"), last.text("X-Key").as_deref()) {
                (true, Some("hidden-value")) => Ok(()),
                seen => Err(format!("{seen:?}")),
            }
        })
        .await;
        window.click("button", "Undo").await;
        window.shows("User-Agent Ada/1").await;
        window.close().await;
    });
}

#[test]
fn a_certificate_is_accepted_and_rejected_again() {
    run(async {
        let scratch = Scratch::new();
        let server = Server::start_tls(&Certificate::self_signed(&["127.0.0.1"])).await;
        server.on("/feed", Reply::ok(rss("Own", &[article("Homemade", "<p>By ourselves.</p>")])));
        let window = Window::open(&scratch).await;
        window.click("button", "Add a site or feed").await;
        window.fill("Address of a site or feed", &server.url("/feed")).await;
        window.press(ENTER).await;
        window.shows("The certificate of 127.0.0.1 is not valid").await;
        window.shows("It is self-signed").await;
        window.audit("an invalid certificate").await;
        window.screenshot("add-certificate").await;
        assert!(server.requests().is_empty(), "nothing is requested before it is accepted");
        window.click("button", "Accept and continue").await;
        window.find("checkbox", "Own").await;
        window.click("button", "Subscribe").await;
        window.until("its article", "__e2e.all('option', 'Homemade').length === 1").await;
        window.no_dialog().await;
        window.press("i").await;
        window.shows("Accepted for").await;
        window.screenshot("about-certificate-accepted").await;
        window.click("button", "Stop accepting it").await;
        window.shows("self-signed or from an untrusted authority").await;
        // The list behind the dialog has the same button.
        let button = "__e2e.all('button', 'View certificate').find((button) => button.closest('[role=dialog]'))";
        window.until("the button for the certificate", &format!("!!{button}")).await;
        window.script(&format!("{button}.focus()"), vec![]).await.unwrap();
        window.press(ENTER).await;
        window.find("group", "Certificate presented by").await;
        window.shows("It is self-signed").await;
        window.audit("the certificate of a feed").await;
        window.screenshot("about-certificate").await;
        let before = server.requests().len();
        window.click("button", "Accept this certificate").await;
        window.shows("Accepted for").await;
        settled("the feed is polled again", || async {
            if server.requests().len() > before { Ok(()) } else { Err(server.requests().len().to_string()) }
        })
        .await;
        window.close().await;
    });
}

#[test]
fn a_local_file_is_a_feed() {
    run(async {
        let scratch = Scratch::new();
        let path = scratch.write("own.xml", &rss("Own file", &[article("Written down", "<p>In a file.</p>")]));
        assert!(scratch.glean(&["add", path.to_str().unwrap()]).status.success());
        assert!(scratch.glean(&["refresh", "--all"]).status.success());
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Own file").await;
        window.until("its article", "__e2e.all('option', 'Written down').length === 1").await;
        window.press("j").await;
        window.reads("In a file.").await;
        window.press("i").await;
        window.find("dialog", "Feed info: Own file").await;
        window.find("region", "Schedule").await;
        assert_eq!(window.value("__e2e.all('region', 'Connection').length").await, 0, "a file has no login");
        window.audit("the dialog about a file").await;
        window.click("button", "Done").await;
        // The window cannot open a file by its path: only the system's dialog can.
        let refused = "window.__TAURI_INTERNALS__.invoke('subscribe', { args: { url: arguments[0], title: null, folder: { kind: 'none' }, connection: null } })
                .then(() => (window.__refused = 'no'), (error) => (window.__refused = error.code)); return true;";
        let other = scratch.write("other.xml", &rss("Other", &[]));
        window.script(refused, vec![format!("file://{}", other.display()).into()]).await.unwrap();
        window.until("the refusal", "window.__refused === 'unsupported_scheme'").await;
        window.close().await;
    });
}

#[test]
fn older_articles_are_downloaded_page_by_page_until_stopped() {
    run(async {
        let (scratch, server, other) = (Scratch::new(), Server::start().await, Server::start().await);
        // RFC 5005: each page names the one before it, without end.
        let page = |number: usize| {
            let link = format!(
                "<atom:link xmlns:atom=\"http://www.w3.org/2005/Atom\" rel=\"prev-archive\" href=\"/feed?{}\"/><item>",
                number + 1
            );
            Reply::ok(rss("Endless", &[article(&format!("Number {number}"), "text")]).replacen("<item>", &link, 1))
        };
        server.on_request("/feed", move |request| {
            let number = request.target.split_once('?').and_then(|(_, number)| number.parse().ok()).unwrap_or(0);
            page(number).delay(Duration::from_millis(if number > 2 { 3000 } else { 0 }))
        });
        other.on("/feed", Reply::ok(rss("Bare", &[article("Only this", "text")])));
        for url in [server.url("/feed"), other.url("/feed")] {
            assert!(scratch.glean(&["add", &url]).status.success());
        }
        assert!(scratch.glean(&["refresh", "--all"]).status.success());
        let window = Window::open(&scratch).await;
        window.click("treeitem", "Endless").await;
        window.press("i").await;
        window.find("region", "Older articles").await;
        window.click("button", "Download older articles").await;
        let pages = "Number(/([0-9]+) pages downloaded/.exec(document.body.innerText)?.[1])";
        window.until("three pages", &format!("{pages} >= 3")).await;
        window.find("progressbar", "Downloading older articles").await;
        window.audit("a running backfill").await;
        window.screenshot("older-running").await;

        // Another feed is refreshed meanwhile.
        let before = other.requests().len();
        window.click("button", "Done").await;
        window.click("treeitem", "Bare").await;
        window.press("r").await;
        settled("the other feed is polled", || async {
            if other.requests().len() > before { Ok(()) } else { Err("not yet".to_owned()) }
        })
        .await;

        window.click("treeitem", "Endless").await;
        window.press("i").await;
        window.click("button", "Stop").await;
        window.shows("Cancelled; articles already downloaded").await;
        let pages = server.requests_to("/feed").len();
        window.click("button", "Done").await;
        window.until("the downloaded articles are listed", "__e2e.all('option', 'Number 2').length === 1").await;
        window.click("treeitem", "Bare").await;
        window.press("i").await;
        window.click("button", "Download older articles").await;
        window.shows("This feed has no archive").await;
        window.screenshot("older-none").await;
        assert_eq!(server.requests_to("/feed").len(), pages, "no more pages are requested");
        window.close().await;
    });
}

#[test]
fn feeds_are_checked_through_the_proxy_of_the_desktop() {
    run(async {
        let (scratch, proxy) = (Scratch::new(), Server::start().await);
        proxy.on("http://feeds.example/feed", Reply::ok(rss("Far away", &[article("By proxy", "<p>Text.</p>")])));
        let list = r#"<opml version="2.0"><body><outline type="rss" text="Far away" xmlUrl="http://feeds.example/feed"/></body></opml>"#;
        let list = scratch.write("list.opml", list);
        assert!(scratch.glean(&["import", list.to_str().unwrap()]).status.success());
        // The settings of GNOME, in a file in place of dconf.
        let settings = scratch.path("home/config/glib-2.0/settings");
        fs::create_dir_all(&settings).unwrap();
        let port = proxy.address().port();
        let manual = format!("[system/proxy]\nmode='manual'\n[system/proxy/http]\nhost='127.0.0.1'\nport={port}\n");
        fs::write(settings.join("keyfile"), manual).unwrap();
        let gleaner = program("GLEANER_WINDOW", "gleaner").canonicalize().unwrap();
        let started = format!(
            "#!/bin/sh\nexport XDG_CURRENT_DESKTOP=GNOME GSETTINGS_BACKEND=keyfile\nexec '{}' \"$@\"\n",
            gleaner.display()
        );
        let started = scratch.write("start", &started);
        fs::set_permissions(&started, fs::Permissions::from_mode(0o755)).unwrap();
        let window = Window::open_program(&scratch, &started, &[]).await;
        window.shows("By proxy").await;
        assert_eq!(proxy.requests()[0].target, "http://feeds.example/feed");
    });
}

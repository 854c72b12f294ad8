//! Feeds with a login, with and without a keyring, and local files.
#![allow(clippy::unwrap_used)]

use gleaner_testserver::{ClosedPort, Reply, Server};
use std::{
    fs,
    path::Path,
    process::{Command, Output, Stdio},
};

const PASSWORD: &str = "open-sesame-4711";
const FEED: &str = "<rss version=\"2.0\"><channel><title>Private</title><item><guid isPermaLink=\"false\">1</guid>\
    <title>One</title></item></channel></rss>";

/// A temporary home with a library, without access to the user's keyring.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        fs::write(home.path().join("password"), format!("{PASSWORD}\n")).unwrap();
        home
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.path())
            .env("HOME", self.path())
            .env("XDG_DATA_HOME", self.path().join("data"))
            .env("XDG_RUNTIME_DIR", self.path())
            .env("GLEANER_LIBRARY", self.path().join("library"))
            .env("DBUS_SESSION_BUS_ADDRESS", format!("unix:path={}/no-bus", self.path().display()))
            .stdin(Stdio::null());
        command
    }

    fn glean(&self, words: &[&str]) -> (bool, String) {
        result(&self.output(words))
    }

    fn output(&self, words: &[&str]) -> Output {
        self.command(env!("CARGO_BIN_EXE_glean")).args(words).output().unwrap()
    }

    /// Returns whether a file of the library contains this text.
    fn library_contains(&self, text: &str) -> bool {
        fs::read_dir(self.path().join("library")).unwrap().any(|file| {
            let bytes = fs::read(file.unwrap().path()).unwrap();
            bytes.windows(text.len()).any(|window| window == text.as_bytes())
        })
    }
}

fn result(output: &Output) -> (bool, String) {
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(!text.contains(PASSWORD), "a secret is never printed: {text}");
    (output.status.success(), text)
}

async fn server() -> Server {
    let server = Server::start().await;
    server.on_request("/feed", |request| match request.text("Authorization").as_deref() {
        // ada:open-sesame-4711
        Some("Basic YWRhOm9wZW4tc2VzYW1lLTQ3MTE=") => Reply::ok(FEED),
        _ => Reply::status(401),
    });
    server
}

#[tokio::test(flavor = "multi_thread")]
async fn saves_a_password_in_the_library_only_on_request() {
    let (home, server) = (Home::new(), server().await);
    let url = server.url("/feed");
    let (success, text) = home.glean(&["add", &url]);
    assert!(!success && text.contains("401"), "{text}");
    std::fs::write(home.path().join("wrong"), "sesame").unwrap();
    let (success, text) =
        home.glean(&["add", "--user", "ada", "--password-file", "wrong", "--password-in-library", &url]);
    assert!(!success && text.contains("rejected the user name or password (401)"), "{text}");
    let login = ["add", "--user", "ada", "--password-file", "password", &url];
    let (success, text) = home.glean(&login);
    assert!(!success && text.contains("keyring cannot be used") && text.contains("--password-in-library"), "{text}");
    assert!(!home.library_contains(PASSWORD));
    let (_, text) = home.glean(&["stats"]);
    assert!(!text.contains("1 feed"), "{text}");

    let (success, text) = home.glean(&[&login[..], &["--password-in-library"]].concat());
    assert!(success, "{text}");
    let (success, text) = home.glean(&["refresh", "--all"]);
    assert!(success && text.contains("0 new articles"), "it is stored already: {text}");
    let (_, text) = home.glean(&["search", "one"]);
    assert!(text.contains("One"), "{text}");
    let (_, text) = home.glean(&["access", "Private"]);
    assert!(text.contains("User name: ada; password: saved in the library file"), "{text}");
    let (_, text) = home.glean(&["export"]);
    assert!(text.contains("/feed") && !text.contains("ada"), "{text}");
    let (success, text) = home.glean(&["access", "Private", "--user-agent", "Ada/1", "--header", "X-Key: one"]);
    assert!(success && text.contains("Ada/1") && text.contains("X-Key") && text.contains("ada"), "{text}");
    let wrong = ["access", "Private", "--user", "ada", "--password-file", "wrong", "--password-in-library"];
    assert!(home.glean(&wrong).0);
    let (_, text) = home.glean(&["refresh", "Private"]);
    assert!(text.contains("rejected the user name or password (401); enter them again with `glean access`"), "{text}");
    let (_, text) = home.glean(&["why", "Private"]);
    assert!(text.contains("rejected the user name or password (401)"), "{text}");
    let (_, text) = home.glean(&["access", "Private", "--forget"]);
    assert!(text.contains("default connection"), "{text}");
    let mut command = home.command(env!("CARGO_BIN_EXE_glean"));
    command.args(["access", "Private", "--user", "ada", "--password-file", "-", "--password-in-library"]);
    command.stdin(fs::File::open(home.path().join("password")).unwrap());
    let (success, text) = result(&command.output().unwrap());
    assert!(success && text.contains("User name: ada; password: saved in the library file"), "{text}");
}

#[test]
fn a_password_file_that_cannot_be_used_is_no_wrong_usage() {
    let home = Home::new();
    fs::write(home.path().join("tab"), "a\tb").unwrap();
    let output = home.output(&["add", "--user", "ada", "--password-file", "tab", "http://127.0.0.1:1/feed"]);
    assert!(output.status.code() == Some(1) && result(&output).1.contains("must be one line"), "{output:?}");
}

/// Returns an address with the login of Ada in it.
fn with_password(url: &str) -> String {
    url.replacen("://", &format!("://ada:{PASSWORD}@"), 1)
}

// `result` checks for each output that it does not contain the password.
#[tokio::test(flavor = "multi_thread")]
async fn a_password_in_an_address_is_used_and_never_printed() {
    let (home, server) = (Home::new(), server().await);
    server.on("/", Reply::ok("<html><link rel=alternate type=application/rss+xml href=/feed>A site</html>"));
    let (url, typed) = (server.url("/feed"), with_password(&server.url("/feed")));
    for words in [
        &["discover", &typed][..],
        &["discover", "--json", &typed],
        &["inspect", &typed],
        &["inspect", "--json", &typed],
    ] {
        let (success, text) = home.glean(words);
        assert!(success && text.contains("Private"), "{words:?}: {text}");
    }
    let empty = Server::start().await;
    for missing in ["/missing", "/%zz"] {
        for command in ["add", "discover", "inspect", "extract", "why", "access", "backfill"] {
            let (success, _) = home.glean(&[command, &with_password(&empty.url(missing))]);
            assert!(!success, "{command}");
        }
    }
    let (success, text) = home.glean(&["add", &with_password(&server.url("/"))]);
    assert!(success && text.contains(&format!("Subscribed to Private ({url})")), "{text}");
    assert!(text.contains("saved in the library file"), "{text}");
    assert_eq!(
        server.requests_to("/feed").iter().filter(|request| request.header("Authorization").is_some()).count(),
        5
    );
    let (success, text) = home.glean(&["add", &typed]);
    assert!(success && text.contains("Already subscribed"), "{text}");
    for words in [
        &["refresh", "--all", "--json"][..],
        &["why", &typed],
        &["why", "Private"],
        &["access", &typed],
        &["search", "--json", "one"],
        &["search", "one"],
        &["stats", "--json"],
        &["backfill", "Private"],
        &["check"],
    ] {
        let (success, text) = home.glean(words);
        assert!(success, "{words:?}: {text}");
    }
    let (_, text) = home.glean(&["access", "Private"]);
    assert!(text.contains("User name: ada; password: saved in the library file"), "{text}");
    let (_, list) = home.glean(&["export"]);
    assert!(list.contains(&url) && !list.contains("ada"), "{list}");
    home.glean(&["export", "--everything", "all.zip"]);
    let mut archive = zip::ZipArchive::new(fs::File::open(home.path().join("all.zip")).unwrap()).unwrap();
    for index in 0..archive.len() {
        let mut text = Vec::new();
        std::io::Read::read_to_end(&mut archive.by_index(index).unwrap(), &mut text).unwrap();
        assert!(!String::from_utf8_lossy(&text).contains(PASSWORD), "{index}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn passwords_in_a_list_are_used_and_never_printed() {
    let (home, server) = (Home::new(), server().await);
    let typed = with_password(&server.url("/feed"));
    let list = format!(
        "<opml version=\"2.0\"><body><outline type=\"rss\" text=\"Private\" xmlUrl=\"{typed}\" htmlUrl=\"{typed}\" url=\"{typed}\"/>\
         <outline type=\"rss\" xmlUrl=\"{typed}\"/></body></opml>"
    );
    fs::write(home.path().join("list.opml"), list).unwrap();
    for words in [
        &["import", "--dry-run", "list.opml"][..],
        &["import", "--dry-run", "--json", "list.opml"],
        &["import", "--json", "list.opml"],
        &["import", "list.opml"],
        &["refresh"],
        &["why", "Private"],
        &["search", "--json", "one"],
        &["export"],
    ] {
        let (success, text) = home.glean(words);
        assert!(success, "{words:?}: {text}");
    }
    assert_eq!(server.requests().len(), 1, "the first fetch");
    let (_, text) = home.glean(&["stats", "--json"]);
    assert!(text.contains("\"feeds\":1") && text.contains("\"articles\":1"), "{text}");
}

#[test]
fn passwords_in_addresses_that_cannot_be_fetched_are_never_printed() {
    let home = Home::new();
    let addresses = [
        format!("http://ou:{PASSWORD}@[::zz]/x"),
        format!("http://ou:{PASSWORD}@127.0.0.1:99999/x"),
        format!("ou:{PASSWORD}@127.0.0.1:1/x"),
        format!("exec:curl -u ou:{PASSWORD} http://127.0.0.1/"),
        format!("gemini://ou:{PASSWORD}@127.0.0.1/"),
    ];
    let outlines: String = addresses.iter().map(|url| format!("<outline xmlUrl=\"{url}\"/>")).collect();
    fs::write(home.path().join("list.opml"), format!("<opml version=\"2.0\"><body>{outlines}</body></opml>")).unwrap();
    fs::write(home.path().join("urls"), format!("{}\n\"{}\"\n", addresses[0], addresses[3])).unwrap();
    for words in [
        &["import", "--dry-run", "list.opml", "urls"][..],
        &["import", "list.opml", "urls"],
        &["feed"],
        &["feed", "--json"],
        &["export"],
        &["export", "--everything", "all.zip"],
    ] {
        let (success, text) = home.glean(words);
        assert!(success, "{words:?}: {text}");
    }
    let (_, text) = home.glean(&["feed"]);
    for kept in ["http://[::zz]/x", "http://127.0.0.1:1/x", "exec:curl -u ou http://127.0.0.1/"] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
    let mut archive = zip::ZipArchive::new(fs::File::open(home.path().join("all.zip")).unwrap()).unwrap();
    for index in 0..archive.len() {
        let mut text = Vec::new();
        std::io::Read::read_to_end(&mut archive.by_index(index).unwrap(), &mut text).unwrap();
        assert!(!String::from_utf8_lossy(&text).contains(PASSWORD), "{index}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_login_without_a_user_name_is_sent_and_never_printed() {
    let (home, server) = (Home::new(), Server::start().await);
    server.on("/feed", Reply::ok("<rss><channel><title>Private</title></channel></rss>"));
    let typed = server.url("/feed").replace("http://", &format!("http://:{PASSWORD}@"));
    let (success, text) = home.glean(&["add", &typed]);
    assert!(success, "{text}");
    let sent = server.requests().first().unwrap().header("Authorization").map(<[u8]>::to_vec);
    // That is ":" and the password.
    assert_eq!(sent.as_deref(), Some(&b"Basic Om9wZW4tc2VzYW1lLTQ3MTE="[..]));
    for words in [&["feed", "--json"][..], &["why", "Private"], &["access", "Private"], &["export"]] {
        let (success, text) = home.glean(words);
        assert!(success, "{words:?}: {text}");
    }
}

#[test]
fn rejects_invalid_arguments() {
    let home = Home::new();
    for (words, status, why) in [
        (&["--user", "ada"][..], 1, "no terminal"),
        (&["--user", "ada", "--password-file", "missing"], 1, "missing"),
        (&["--header", "no colon"], 2, "NAME: VALUE"),
        (&["--header", "A B: c"], 2, "header A B is not valid"),
        (&["--user", "a:b", "--password-file", "password"], 2, "colon"),
        (&["--proxy", "nowhere"], 2, "socks5://"),
        (&["--proxy", "socks5://ada:pw@127.0.0.1:1"], 2, "password"),
        (&["--accept-certificate", "12:34"], 2, "64 hexadecimal"),
        (&["--password-file", "password"], 2, "--user"),
    ] {
        let output = home.output(&[&["add", "http://127.0.0.1:1/"], words].concat());
        let (_, text) = result(&output);
        assert!(output.status.code() == Some(status) && text.contains(why), "{words:?}: {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_is_read_once_for_all_addresses() {
    let (home, server) = (Home::new(), server().await);
    server.on_request("/other", |request| match request.header("Authorization") {
        Some(_) => Reply::ok(FEED),
        None => Reply::status(401),
    });
    let mut command = home.command(env!("CARGO_BIN_EXE_glean"));
    command.args(["add", "--user", "ada", "--password-file", "-", "--password-in-library"]);
    command.args([server.url("/feed"), server.url("/other")]);
    command.stdin(fs::File::open(home.path().join("password")).unwrap());
    let (success, text) = result(&command.output().unwrap());
    assert!(success && text.matches("Subscribed to Private").count() == 2, "{text}");
}

#[test]
fn subscribes_to_a_local_file() {
    let home = Home::new();
    fs::write(home.path().join("feed.xml"), FEED).unwrap();
    let (success, text) = home.glean(&["add", "feed.xml"]);
    assert!(success && text.contains("Subscribed to Private (file:///"), "{text}");
    let (success, text) = home.glean(&["stats"]);
    assert!(success && text.contains("1 unread"), "{text}");
    let (success, _) = home.glean(&["add", "password"]);
    assert!(!success, "a file that is not a feed is rejected");
}

/// Uses gnome-keyring on a private bus. Needs `dbus-run-session` and `gnome-keyring-daemon`, so it runs only by name:
/// `cargo test -p glean --test access -- --ignored`.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs dbus-run-session and gnome-keyring-daemon"]
async fn saves_a_password_in_the_keyring_and_not_in_the_library() {
    let (home, server) = (Home::new(), server().await);
    let script = format!(
        "set -e
        printf keyring | gnome-keyring-daemon --unlock --components=secrets > /dev/null
        glean='{}'
        $glean add --user ada --password-file password {}
        $glean refresh --all
        $glean search one
        $glean access Private
        $glean access Private --forget
        $glean add {}
        $glean refresh --all
        $glean access Private
        ls data/keyrings
        rm data/keyrings/login.keyring",
        env!("CARGO_BIN_EXE_glean"),
        server.url("/feed"),
        with_password(&server.url("/feed"))
    );
    let mut session = home.command("dbus-run-session");
    let output = session.args(["--", "sh", "-c", &script]).output().unwrap();
    let (success, text) = result(&output);
    assert!(success, "{text}");
    for words in
        ["Subscribed to Private", "Already subscribed", "password: saved in the system keyring", "default connection"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!home.library_contains(PASSWORD));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_systems_proxy_may_be_private_and_is_named_when_it_fails() {
    let (proxy, home) = (Server::start().await, Home::new());
    proxy.on("http://feeds.example/feed", Reply::ok(FEED));
    let glean = |proxy: String, words: &[&str]| {
        result(&home.command(env!("CARGO_BIN_EXE_glean")).env("http_proxy", proxy).args(words).output().unwrap())
    };
    // The feed answers from a public network, and then through a proxy of the company's.
    assert!(glean(proxy.url("/"), &["add", "http://feeds.example/feed"]).0);
    let private = proxy.url_at("localhost", "/");
    let (done, output) = glean(private, &["refresh", "--all"]);
    assert!(done, "{output}");
    assert_eq!(proxy.requests().len(), 2);
    let (_, output) = glean(ClosedPort::new().url("/"), &["refresh", "--all"]);
    assert!(output.contains("the proxy 127.0.0.1 refused"), "{output}");
}

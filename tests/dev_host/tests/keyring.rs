//! After its dialog was dismissed, a locked keyring asks again for actions that the user starts.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)]

#[path = "../../../src-tauri/src/test_bus.rs"]
mod test_bus;

use gleaner_library::{Access, Auth, Library, ListQuery, NewAccount, NewShareService, NewSubscription, Source};
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Child, Command, Stdio},
    time::Duration,
};
use test_bus::Bus;
use tokio::sync::watch;
use url::Url;
use zbus::zvariant::{OwnedObjectPath, OwnedValue, Value as Variant};

/// A machine that is busy may be ten times slower, so this is no measure of speed.
const PATIENCE: Duration = Duration::from_secs(90);
const SECRETS: &str = "/org/freedesktop/secrets";
const COLLECTION: &str = "/org/freedesktop/secrets/collection/passwords";

/// A locked keyring (Secret Service) that opens its dialog for each search, as KeePassXC does. The user dismisses it each time.
struct Keyring {
    dialogs: watch::Sender<usize>,
}

#[zbus::interface(name = "org.freedesktop.Secret.Service")]
impl Keyring {
    async fn open_session(&self, _algorithm: String, _input: OwnedValue) -> (OwnedValue, OwnedObjectPath) {
        let public_key = Variant::from(vec![2_u8; 128]).try_to_owned().unwrap();
        (public_key, OwnedObjectPath::try_from("/org/freedesktop/secrets/session/1").unwrap())
    }

    async fn search_items(&self, _attributes: HashMap<String, String>) -> (Vec<OwnedObjectPath>, Vec<OwnedObjectPath>) {
        self.dialogs.send_modify(|dialogs| *dialogs += 1);
        Default::default()
    }

    async fn read_alias(&self, _name: String) -> OwnedObjectPath {
        OwnedObjectPath::try_from(COLLECTION).unwrap()
    }
}

/// What that keyring contains.
struct Collection;

#[zbus::interface(name = "org.freedesktop.Secret.Collection")]
impl Collection {
    #[zbus(property)]
    async fn locked(&self) -> bool {
        true
    }
}

/// The program, which ends with the test.
struct Host {
    program: Child,
    address: String,
}

impl Host {
    fn start(bus: &Bus, folder: &std::path::Path) -> Self {
        let mut program = Command::new(env!("CARGO_BIN_EXE_gleaner-dev-host"));
        program.env("DBUS_SESSION_BUS_ADDRESS", &bus.address).env("TMPDIR", folder).stdout(Stdio::piped());
        let mut program = program.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(program.stdout.take().unwrap()).read_line(&mut line).unwrap();
        Self { program, address: line.trim().trim_start_matches("http://").to_owned() }
    }

    /// Posts to the program and returns the JSON of its response.
    fn post(&self, path: &str, body: &Value) -> Value {
        let (mut stream, body, mut response) =
            (TcpStream::connect(&self.address).unwrap(), body.to_string(), String::new());
        let (host, length) = (&self.address, body.len());
        let head =
            format!("POST {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n");
        stream.write_all((head + &body).as_bytes()).unwrap();
        stream.read_to_string(&mut response).unwrap();
        serde_json::from_str(response.split_once("\r\n\r\n").unwrap().1).unwrap()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.program.kill().unwrap();
        self.program.wait().unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_keyring_whose_dialog_was_dismissed_asks_again_for_what_the_user_starts() {
    let (bus, folder) = (Bus::start(), tempfile::tempdir().unwrap());
    let (dialogs, mut shown) = watch::channel(0);
    let keyring = bus.connect().serve_at(SECRETS, Keyring { dialogs }).unwrap().serve_at(COLLECTION, Collection);
    let _keyring = keyring.unwrap().name("org.freedesktop.secrets").unwrap().build().await.unwrap();
    let host = Host::start(&bus, folder.path());
    assert_eq!(host.post("/libraries", &json!({ "content": "filled" })), 1);
    let scratch = folder.path().read_dir().unwrap().next().unwrap().unwrap().path();
    let library = Library::open(&scratch.join("1")).await.unwrap();

    let entry = || Some("entry".to_owned());
    let with_login = |feed_id: i64, url: &str| Access {
        feed_id,
        origin: url.parse::<Url>().unwrap().origin().ascii_serialization(),
        auth: Some(Auth::Bearer),
        keyring_entry: entry(),
        ..Access::default()
    };
    let article = library.lists().page(ListQuery::newest(Source::All, 1)).await.unwrap().0.pop().unwrap();
    let article = library.articles().get(article.id).await.unwrap();
    library.connections().set(&with_login(article.feed_id, &article.url.unwrap())).await.unwrap();
    // Nothing listens at this port.
    let server = "http://127.0.0.1:9/";
    let feed = library.subscriptions().add(&NewSubscription::new(server)).await.unwrap();
    library.connections().set(&with_login(feed, server)).await.unwrap();
    let service = NewShareService {
        kind: "webhook".to_owned(),
        address: server.to_owned(),
        keyring_entry: entry(),
        ..NewShareService::default()
    };
    let service = library.share_services().add(&service).await.unwrap();
    let account = NewAccount {
        kind: "google_reader".to_owned(),
        url: server.to_owned(),
        keyring_entry: entry(),
        ..NewAccount::default()
    };
    let account = library.accounts().add(&account).await.unwrap();

    let call = |command: &str, request: Value| host.post(&format!("/libraries/1/call/{command}"), &request);
    let text = |by_hand| call("fetch_full_text", json!({ "id": article.id, "by_hand": by_hand }));
    assert_eq!(text(false)["code"], "secret_unreadable");
    assert_eq!(*shown.borrow_and_update(), 1);
    assert_eq!(text(false)["code"], "secret_unreadable");
    assert!(!shown.has_changed().unwrap(), "it was dismissed");
    text(true);
    assert!(shown.has_changed().unwrap(), "the full text");
    for (command, request) in [
        (
            "set_share_login",
            json!({ "service_id": service, "address": "", "user_name": "", "password": "", "client_id": "",
            "client_secret": "", "password_in_library": false }),
        ),
        (
            "set_server_login",
            json!({ "account_id": account, "address": "", "password": "x", "app": null,
            "password_in_library": false, "certificate": null }),
        ),
        ("sync_server_account", json!({ "account_id": account })),
    ] {
        shown.mark_unchanged();
        let response = call(command, request);
        assert!(shown.has_changed().unwrap(), "{command}: {response}");
    }
    shown.mark_unchanged();
    call("refresh", json!({ "kind": "feed", "id": feed }));
    tokio::time::timeout(PATIENCE, shown.changed()).await.unwrap().unwrap();
    let stored = library.share_services().get(service).await.unwrap();
    assert_eq!((stored.keyring_entry, library.connections().unused_secrets().await.unwrap()), (entry(), vec![]));
}

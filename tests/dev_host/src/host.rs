//! Serves libraries over HTTP.

use crate::{
    desktop::Desktop,
    fill::{self, Feeds},
};
use gleaner_app::App;
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    io::{Read as _, Write},
    path::PathBuf,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
        mpsc,
    },
};
use tempfile::TempDir;
use tiny_http::{Header, Method, Request, Response};
use tokio::runtime::Handle;

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Maximum size of a request, in bytes.
const LARGEST_REQUEST: u64 = 16 << 20;

/// One scratch library.
#[derive(Clone)]
struct Library {
    app: App,
    desktop: Desktop,
    events: std::sync::Arc<Mutex<Subscribers>>,
}

#[derive(Default)]
struct Subscribers {
    /// Events that were sent before the first subscriber.
    missed: Vec<String>,
    senders: Vec<mpsc::Sender<String>>,
    ever: bool,
}

/// All libraries.
pub struct Host {
    scratch: TempDir,
    /// The server of the feeds, which stops with the host.
    _feeds: Feeds,
    libraries: Mutex<HashMap<u64, Library>>,
    next: AtomicU64,
}

impl Host {
    /// Starts the feed server and fills the template that libraries are copied from.
    pub async fn start() -> Result<Self, Failure> {
        let scratch = tempfile::Builder::new().prefix("gleaner-dev-host-").tempdir()?;
        let feeds = Feeds::start().await;
        fill::library(&scratch.path().join("template"), &feeds).await?;
        Ok(Self { scratch, _feeds: feeds, libraries: Mutex::default(), next: AtomicU64::new(1) })
    }

    /// Responds to one request.
    pub fn respond(&self, runtime: &Handle, mut request: Request) {
        let method = request.method().clone();
        let path: Vec<String> = request.url().trim_matches('/').split('/').map(str::to_owned).collect();
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        // A page of another site must not call the core by a host name that resolves to loopback.
        let local = request.headers().iter().find(|header| header.field.equiv("Host")).is_some_and(|header| {
            let host = header.value.as_str();
            host.starts_with("127.0.0.1:") || host.starts_with("localhost:")
        });
        if !local {
            return reply(request, 403, &json!("only for this computer"));
        }
        if let (Method::Get, ["libraries", number, "events"]) = (&method, path.as_slice()) {
            return match self.library(number) {
                Some(library) => stream(request, &library),
                None => reply(request, 404, &Value::Null),
            };
        }
        let body = body(&mut request);
        let response = match body {
            Ok(body) => self.answer(runtime, &method, &path, body),
            Err(error) => Err(error),
        };
        match response {
            Ok((status, value)) => reply(request, status, &value),
            Err(error) => reply(request, 400, &json!(error.to_string())),
        }
    }

    fn answer(&self, runtime: &Handle, method: &Method, path: &[&str], body: Value) -> Result<(u16, Value), Failure> {
        match (method, path) {
            (Method::Post, ["libraries"]) => {
                Ok((200, json!(self.create(runtime, body["content"].as_str().unwrap_or("filled"))?)))
            }
            (Method::Post, ["libraries", number, "call", command]) => {
                let Some(library) = self.library(number) else { return Ok((404, Value::Null)) };
                match runtime.block_on(gleaner_app::dispatch(&library.app, command, body)) {
                    Ok(response) => Ok((200, response)),
                    Err(error) => Ok((422, serde_json::to_value(error)?)),
                }
            }
            (Method::Post, ["libraries", number, "sync"]) => {
                let Some(library) = self.library(number) else { return Ok((404, Value::Null)) };
                send(&library.events, event("synced", &body));
                Ok((200, Value::Null))
            }
            (Method::Post, ["libraries", number, "pick"]) => {
                let Some(library) = self.library(number) else { return Ok((404, Value::Null)) };
                let picked: Vec<PathBuf> = serde_json::from_value(body)?;
                library.desktop.with(|record| record.picked = picked);
                Ok((200, Value::Null))
            }
            (Method::Get, ["libraries", number, "opened"]) => {
                let Some(library) = self.library(number) else { return Ok((404, Value::Null)) };
                Ok((200, json!(library.desktop.with(|record| record.opened.clone()))))
            }
            (Method::Delete, ["libraries", number]) => {
                let library = number.parse().ok().and_then(|number: u64| self.libraries().remove(&number));
                if let Some(library) = library {
                    runtime.block_on(library.app.quit())?;
                }
                Ok((200, Value::Null))
            }
            _ => Ok((404, Value::Null)),
        }
    }

    fn create(&self, runtime: &Handle, content: &str) -> Result<u64, Failure> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let folder = self.scratch.path().join(number.to_string());
        std::fs::create_dir(&folder)?;
        match content {
            "filled" => fill::copy(&self.scratch.path().join("template"), &folder)?,
            "empty" => runtime.block_on(fill::without_welcome(&folder))?,
            _ => {}
        }
        let desktop = Desktop::default();
        let app = App::new(Some(folder), Vec::new(), runtime.clone(), desktop.clone());
        let events = std::sync::Arc::new(Mutex::new(Subscribers::default()));
        let subscribers = events.clone();
        app.events().subscribe(move |sent| {
            send(&subscribers, event(sent.name(), &serde_json::to_value(sent).unwrap_or_default()));
        });
        self.libraries().insert(number, Library { app, desktop, events });
        Ok(number)
    }

    fn library(&self, number: &str) -> Option<Library> {
        self.libraries().get(&number.parse().ok()?).cloned()
    }

    fn libraries(&self) -> MutexGuard<'_, HashMap<u64, Library>> {
        self.libraries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn body(request: &mut Request) -> Result<Value, Failure> {
    let mut text = String::new();
    request.as_reader().take(LARGEST_REQUEST).read_to_string(&mut text)?;
    Ok(if text.is_empty() { Value::Null } else { serde_json::from_str(&text)? })
}

fn reply(request: Request, status: u16, value: &Value) {
    let mut response = Response::from_string(value.to_string()).with_status_code(status);
    if let Ok(json) = Header::from_bytes("Content-Type", "application/json") {
        response.add_header(json);
    }
    // This is no error if the test has ended.
    if let Err(error) = request.respond(response) {
        eprintln!("gleaner-dev-host: {error}");
    }
}

fn event(name: &str, payload: &Value) -> String {
    format!("event: {name}\ndata: {payload}\n\n")
}

fn send(subscribers: &Mutex<Subscribers>, text: String) {
    let mut subscribers = subscribers.lock().unwrap_or_else(PoisonError::into_inner);
    if subscribers.ever {
        subscribers.senders.retain(|sender| sender.send(text.clone()).is_ok());
    } else {
        subscribers.missed.push(text);
    }
}

/// Writes events until the connection or the library is closed.
fn stream(request: Request, library: &Library) {
    let (sender, events) = mpsc::channel();
    let missed = {
        let mut subscribers = library.events.lock().unwrap_or_else(PoisonError::into_inner);
        subscribers.ever = true;
        subscribers.senders.push(sender);
        std::mem::take(&mut subscribers.missed)
    };
    let mut writer = request.into_writer();
    let head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n";
    let mut write = |text: &str| writer.write_all(text.as_bytes()).and_then(|()| writer.flush());
    let mut open = write(head).is_ok() && missed.iter().all(|text| write(text).is_ok());
    while open {
        let Ok(text) = events.recv() else { return };
        open = write(&text).is_ok();
    }
}

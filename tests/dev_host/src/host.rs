//! Serves libraries over HTTP.

use crate::{
    desktop::Desktop,
    fill::{self, Feeds},
};
use futures::stream::{self, StreamExt as _};
use gleaner_app::App;
use http_body_util::{BodyExt, Full, Limited, StreamBody, combinators::BoxBody};
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Bytes, Frame, Incoming},
    header::{CONTENT_TYPE, HOST, HeaderValue},
};
use parking_lot::{Mutex, MutexGuard};
use serde_json::{Value, json};
use std::{
    collections::HashMap,
    convert::Infallible,
    path::PathBuf,
    sync::atomic::{AtomicU64, Ordering},
};
use tokio::{runtime::Handle, sync::mpsc};

/// Any error.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;
type Reply = Response<BoxBody<Bytes, Infallible>>;

/// Maximum size of a request, in bytes.
const MAX_REQUEST: usize = 16 << 20;

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
    senders: Vec<mpsc::UnboundedSender<String>>,
    ever: bool,
}

/// All libraries.
pub struct Host {
    scratch: PathBuf,
    /// The server of the feeds, which stops with the host.
    _feeds: Feeds,
    libraries: Mutex<HashMap<u64, Library>>,
    next: AtomicU64,
}

impl Host {
    /// Starts the feed server and fills the template that libraries are copied from. All libraries are in the folder `scratch`.
    pub async fn start(scratch: PathBuf) -> Result<Self, Failure> {
        let feeds = Feeds::start().await;
        fill::library(&scratch.join("template"), &feeds).await?;
        Ok(Self { scratch, _feeds: feeds, libraries: Mutex::default(), next: AtomicU64::new(1) })
    }

    /// Responds to one request.
    pub async fn respond(&self, request: Request<Incoming>) -> Reply {
        let (head, body) = request.into_parts();
        let path: Vec<&str> = head.uri.path().trim_matches('/').split('/').collect();
        // A page of another site must not call the core by a host name that resolves to loopback.
        let host = head.headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        if !host.starts_with("127.0.0.1:") && !host.starts_with("localhost:") {
            return reply(403, &json!("only for this computer"));
        }
        if let (&Method::GET, ["libraries", number, "events"]) = (&head.method, path.as_slice()) {
            return match self.library(number) {
                Some(library) => events(&library),
                None => reply(404, &Value::Null),
            };
        }
        let answered = match read(body).await {
            Ok(body) => self.answer(&head.method, &path, body).await,
            Err(error) => Err(error),
        };
        match answered {
            Ok((status, value)) => reply(status, &value),
            Err(error) => reply(400, &json!(error.to_string())),
        }
    }

    async fn answer(&self, method: &Method, path: &[&str], body: Value) -> Result<(u16, Value), Failure> {
        match (method, path) {
            (&Method::POST, ["libraries"]) => {
                Ok((200, json!(self.create(body["content"].as_str().unwrap_or("filled")).await?)))
            }
            (&Method::POST, ["libraries", number, "call", command]) => {
                let Some(library) = self.library(number) else { return Ok((404, Value::Null)) };
                match gleaner_app::dispatch(&library.app, command, body).await {
                    Ok(response) => Ok((200, response)),
                    Err(error) => Ok((422, serde_json::to_value(error)?)),
                }
            }
            (&Method::POST, ["libraries", number, "sync"]) => {
                let Some(library) = self.library(number) else { return Ok((404, Value::Null)) };
                send(&library.events, event("synced", &body));
                Ok((200, Value::Null))
            }
            (&Method::POST, ["libraries", number, "pick"]) => {
                let Some(library) = self.library(number) else { return Ok((404, Value::Null)) };
                let picked: Vec<PathBuf> = serde_json::from_value(body)?;
                library.desktop.with(|record| record.picked = picked);
                Ok((200, Value::Null))
            }
            (&Method::GET, ["libraries", number, "opened"]) => {
                let Some(library) = self.library(number) else { return Ok((404, Value::Null)) };
                Ok((200, json!(library.desktop.with(|record| record.opened.clone()))))
            }
            (&Method::DELETE, ["libraries", number]) => {
                let library = number.parse().ok().and_then(|number: u64| self.libraries().remove(&number));
                if let Some(library) = library {
                    library.app.quit().await?;
                }
                Ok((200, Value::Null))
            }
            _ => Ok((404, Value::Null)),
        }
    }

    async fn create(&self, content: &str) -> Result<u64, Failure> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let folder = self.scratch.join(number.to_string());
        std::fs::create_dir(&folder)?;
        match content {
            "filled" => fill::copy(&self.scratch.join("template"), &folder)?,
            "empty" => fill::without_welcome(&folder).await?,
            _ => {}
        }
        let desktop = Desktop::default();
        let app = App::new(Some(folder), Vec::new(), Handle::current(), desktop.clone());
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
        self.libraries.lock()
    }
}

async fn read(body: Incoming) -> Result<Value, Failure> {
    let bytes = Limited::new(body, MAX_REQUEST).collect().await?.to_bytes();
    Ok(if bytes.is_empty() { Value::Null } else { serde_json::from_slice(&bytes)? })
}

fn reply(status: u16, value: &Value) -> Reply {
    let mut reply = Response::new(Full::new(Bytes::from(value.to_string())).boxed());
    *reply.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    reply
}

fn event(name: &str, payload: &Value) -> String {
    format!("event: {name}\ndata: {payload}\n\n")
}

fn send(subscribers: &Mutex<Subscribers>, text: String) {
    let mut subscribers = subscribers.lock();
    if subscribers.ever {
        subscribers.senders.retain(|sender| sender.send(text.clone()).is_ok());
    } else {
        subscribers.missed.push(text);
    }
}

/// Sends events until the connection or the library is closed.
fn events(library: &Library) -> Reply {
    let (sender, events) = mpsc::unbounded_channel();
    let missed = {
        let mut subscribers = library.events.lock();
        subscribers.ever = true;
        subscribers.senders.push(sender);
        std::mem::take(&mut subscribers.missed)
    };
    let later = stream::unfold(events, async |mut events| Some((events.recv().await?, events)));
    let all = stream::iter(missed).chain(later).map(|text| Ok(Frame::data(Bytes::from(text))));
    let mut reply = Response::new(BodyExt::boxed(StreamBody::new(all)));
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    reply
}

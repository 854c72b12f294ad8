//! `glean inspect`: shows how Gleaner reads feeds, without using the library.

use crate::{
    args::Inspect,
    messages::{Failure, message},
    output::{escaped, exit_on_error, printable},
    web::{Web, base_url, contents, is_web_address},
};
use gleaner_address::without_password;
use gleaner_discovery::{AddressProblem, PageList};
use gleaner_fetch::{FetchErrorKind, Limits, Request};
use gleaner_inspect::{Document, ErrorKind};
use gleaner_polling::file::FeedFileError;
use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};
use url::Url;

/// Extensions of the files that people inspect.
const FILES: [&str; 9] = ["xml", "rss", "atom", "rdf", "json", "opml", "html", "htm", "txt"];

/// The content of a source.
struct Fetched {
    bytes: Vec<u8>,
    content_type: Option<String>,
    base_url: Option<String>,
}

pub fn run(library: Option<PathBuf>, mut args: Inspect) -> Result<ExitCode, Failure> {
    if args.json && args.sources.len() > 1 {
        return Err(Failure::usage("--json accepts only one source; use --jsonl for several"));
    }
    let base = args.base_url.as_deref().map(base_url).transpose().map_err(Failure::usage)?;
    args.base_url = base.map(String::from);
    let web =
        args.sources.iter().any(|source| web_address(source).is_some()).then(|| Web::open(library)).transpose()?;
    let inspected = inspect_all(&args, web.as_ref());
    if let Some(web) = web {
        web.close();
    }
    let all_feeds = inspected.unwrap_or_else(|error| {
        exit_on_error(Err(error));
        false
    });
    Ok(ExitCode::from(u8::from(!all_feeds)))
}

/// Inspects sources on all cores and prints the results in the order of the arguments.
/// Returns whether all sources are feeds.
fn inspect_all(args: &Inspect, web: Option<&Web>) -> io::Result<bool> {
    let workers = thread::available_parallelism().map_or(1, usize::from).min(args.sources.len());
    let next = AtomicUsize::new(0);
    let stopped = std::sync::atomic::AtomicBool::new(false);
    // The channel is bounded to limit the memory of results that wait for printing.
    let (send, receive) = mpsc::sync_channel::<(usize, Inspected)>(workers * 4);
    thread::scope(|scope| {
        for _ in 0..workers {
            let send = send.clone();
            scope.spawn(|| {
                let send = send;
                while !stopped.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(source) = args.sources.get(index) else { break };
                    let inspected = Inspected::new(&inspect(source, args, web), args);
                    if send.send((index, inspected)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let printed = print(receive);
        stopped.store(true, Ordering::Relaxed);
        printed
    })
}

fn print(receive: mpsc::Receiver<(usize, Inspected)>) -> io::Result<bool> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut waiting = std::collections::BTreeMap::new();
    let (mut next, mut all_feeds) = (0, true);
    for (index, inspected) in receive {
        waiting.insert(index, inspected);
        while let Some(Inspected { text, failure }) = waiting.remove(&next) {
            out.write_all(text.as_bytes())?;
            if let Some(failure) = failure {
                out.flush()?;
                eprintln!("glean: {}", failure.trim_end());
                all_feeds = false;
            }
            next += 1;
        }
        if waiting.is_empty() {
            out.flush()?;
        }
    }
    out.flush()?;
    Ok(all_feeds)
}

/// The output about a source.
struct Inspected {
    /// Text for standard output.
    text: String,
    /// Why it is not a feed, for standard error.
    failure: Option<String>,
}

impl Inspected {
    fn new(document: &Document, args: &Inspect) -> Self {
        let is_feed = document.is_feed();
        let readable = || gleaner_inspect::readable(document);
        let json = match (args.json, args.jsonl) {
            (true, _) => Some(serde_json::to_string_pretty(document)),
            (false, true) => Some(serde_json::to_string(document)),
            (false, false) => None,
        };
        let text = match json {
            Some(Ok(text)) => escaped(text) + "\n",
            Some(Err(error)) => format!("{error}\n"),
            None if is_feed => printable(&readable()),
            None => String::new(),
        };
        Self { text, failure: (!is_feed).then(readable) }
    }
}

/// Returns the address of a source on the web, which has the scheme of the web or of feeds.
fn web_address(source: &Path) -> Option<String> {
    let shown = source.to_string_lossy();
    let address = shown.trim();
    if gleaner_feed::has_feed_scheme(address) {
        return gleaner_discovery::address(address).ok().map(String::from);
    }
    is_web_address(address).then(|| address.to_owned())
}

fn inspect(source: &Path, args: &Inspect, web: Option<&Web>) -> Document {
    let shown = source.to_string_lossy();
    let fetched = match web.zip(web_address(source)) {
        Some((web, address)) => fetch(&address, web),
        None => read(source, args),
    };
    let shown = without_password(&shown);
    match fetched {
        Err(document) => *document,
        Ok(fetched) if args.page => inspect_page(source, &shown, &fetched),
        Ok(Fetched { bytes, content_type, base_url }) => {
            let context =
                gleaner_feed::Context { content_type: content_type.as_deref(), base_url: base_url.as_deref() };
            gleaner_inspect::report(&shown, &gleaner_feed::parse(&bytes, context))
        }
    }
}

/// Reads the list of articles on a page. Without an address, relative links are resolved against the file's own address.
fn inspect_page(source: &Path, shown: &str, fetched: &Fetched) -> Document {
    let of_file = || Url::from_file_path(std::path::absolute(source).ok()?).ok();
    let Some(base) = fetched.base_url.as_deref().map_or_else(of_file, |base| Url::parse(base).ok()) else {
        return gleaner_inspect::failure(shown, ErrorKind::NotAFeed, "the address of the page isn't valid");
    };
    let list = PageList::read(&fetched.bytes, fetched.content_type.as_deref(), &base);
    let days: Vec<_> = list.items.iter().map(|item| item.day).collect();
    let mut document = gleaner_inspect::report(shown, &Ok(list.into_parsed()));
    if let Document::Report(report) = &mut document {
        for (item, day) in report.items.iter_mut().zip(days) {
            item.date = day.map(|day| day.to_string());
        }
    }
    document
}

/// Returns a hint about a missing file whose name may be an address without its scheme.
fn hint(source: &str) -> Option<String> {
    let (first, path) = source.split_once('/').map_or((source, None), |(first, path)| (first, Some(path)));
    let is_file = path.is_none()
        && Path::new(source).extension().is_some_and(|end| FILES.iter().any(|f| end.eq_ignore_ascii_case(f)));
    if is_file || first.starts_with('.') || Path::new(first).is_dir() {
        return None;
    }
    let url = gleaner_discovery::address(source).ok()?;
    Some(format!("; for the web address, use {}", without_password(url.as_str())))
}

fn read(source: &Path, args: &Inspect) -> Result<Fetched, Box<Document>> {
    // The same limit as for fetched documents and `glean add`: the parser needs several times the length.
    let bytes = contents(source, Limits::default().body).map_err(|error| {
        let kind = match error {
            FeedFileError::TooLarge { .. } => ErrorKind::TooLarge,
            _ => ErrorKind::NotFound,
        };
        let shown = source.to_string_lossy();
        let is_missing = matches!(&error, FeedFileError::Io { error, .. } if error.kind() == io::ErrorKind::NotFound);
        let hint = is_missing.then(|| hint(&shown)).flatten().unwrap_or_default();
        Box::new(gleaner_inspect::failure(&without_password(&shown), kind, message(error) + &hint))
    })?;
    Ok(Fetched { bytes, content_type: args.content_type.clone(), base_url: args.base_url.clone() })
}

fn fetch(source: &str, web: &Web) -> Result<Fetched, Box<Document>> {
    let shown = without_password(source);
    let failure = |kind, message: String| Box::new(gleaner_inspect::failure(&shown, kind, message));
    let url =
        url::Url::parse(source).map_err(|e| failure(ErrorKind::NotFound, message(AddressProblem::Malformed(e))))?;
    match web.fetch(Request::new(url)) {
        Ok(response) => Ok(Fetched {
            bytes: response.body.unwrap_or_default(),
            content_type: response.content_type,
            base_url: Some(response.url.to_string()),
        }),
        Err(error) => {
            let kind = match error.kind {
                FetchErrorKind::TooLarge => ErrorKind::TooLarge,
                FetchErrorKind::Http(404 | 410) | FetchErrorKind::Dns | FetchErrorKind::Offline => ErrorKind::NotFound,
                _ => ErrorKind::Http,
            };
            Err(failure(kind, message(error)))
        }
    }
}

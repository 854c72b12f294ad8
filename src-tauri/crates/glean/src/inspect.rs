//! `glean inspect`: shows how Gleaner reads feeds, without using the library.

use crate::{
    args::Inspect,
    messages::{Failure, message},
    output::{escaped, printable},
    web::{Web, base_url, contents, is_web_address},
};
use gleaner_address::without_password;
use gleaner_discovery::{AddressProblem, PageList};
use gleaner_fetch::{FetchErrorKind, Request};
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

/// The content of a source.
struct Fetched {
    bytes: Vec<u8>,
    content_type: Option<String>,
    base_url: Option<String>,
}

pub fn run(library: Option<PathBuf>, mut args: Inspect) -> Result<ExitCode, Failure> {
    if args.json && args.sources.len() > 1 {
        eprintln!("glean: --json accepts only one source; use --jsonl for several");
        return Ok(ExitCode::from(2));
    }
    match args.base_url.as_deref().map(base_url).transpose() {
        Ok(base) => args.base_url = base.map(String::from),
        Err(error) => {
            eprintln!("glean: {error}");
            return Ok(ExitCode::from(2));
        }
    }
    let web = args.sources.iter().any(|source| is_web_address(source)).then(|| Web::open(library)).transpose()?;
    let inspected = inspect_all(&args, web.as_ref());
    if let Some(web) = web {
        web.close();
    }
    match inspected {
        Ok(true) => Ok(ExitCode::SUCCESS),
        Ok(false) => Ok(ExitCode::from(1)),
        // The reader has closed the pipe, as `head` does.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
        Err(error) => Err(error.into()),
    }
}

/// Inspects sources on all cores and prints the results in the order of the arguments.
/// Returns whether all sources are feeds.
fn inspect_all(args: &Inspect, web: Option<&Web>) -> io::Result<bool> {
    let workers = thread::available_parallelism().map_or(1, usize::from).min(args.sources.len());
    let next = AtomicUsize::new(0);
    let stopped = std::sync::atomic::AtomicBool::new(false);
    // The channel is bounded to limit the memory of results that wait for printing.
    let (send, receive) = mpsc::sync_channel::<(usize, String, bool)>(workers * 4);
    thread::scope(|scope| {
        for _ in 0..workers {
            let send = send.clone();
            scope.spawn(|| {
                let send = send;
                while !stopped.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(source) = args.sources.get(index) else { break };
                    let document = inspect(source, args, web);
                    if send.send((index, format(&document, args), document.is_feed())).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let printed = print(args, receive);
        stopped.store(true, Ordering::Relaxed);
        printed
    })
}

fn print(args: &Inspect, receive: mpsc::Receiver<(usize, String, bool)>) -> io::Result<bool> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut waiting = std::collections::BTreeMap::new();
    let (mut next, mut all_feeds) = (0, true);
    for (index, text, is_feed) in receive {
        waiting.insert(index, (text, is_feed));
        while let Some((text, is_feed)) = waiting.remove(&next) {
            if !is_feed && !args.json && !args.jsonl {
                out.flush()?;
                eprintln!("{}", text.trim_end());
            } else {
                out.write_all(text.as_bytes())?;
            }
            all_feeds &= is_feed;
            next += 1;
        }
        if waiting.is_empty() {
            out.flush()?;
        }
    }
    out.flush()?;
    Ok(all_feeds)
}

fn format(document: &Document, args: &Inspect) -> String {
    let json = if args.json { serde_json::to_string_pretty(document) } else { serde_json::to_string(document) };
    match json {
        Ok(text) if args.json || args.jsonl => escaped(&text) + "\n",
        Ok(_) => printable(&gleaner_inspect::readable(document)),
        Err(error) => format!("{error}\n"),
    }
}

fn inspect(source: &str, args: &Inspect, web: Option<&Web>) -> Document {
    let fetched = match web.filter(|_| is_web_address(source)) {
        Some(web) => fetch(source, web),
        None => read(source, args),
    };
    match fetched {
        Err(document) => *document,
        Ok(fetched) if args.page => inspect_page(source, &fetched),
        Ok(Fetched { bytes, content_type, base_url }) => {
            let context =
                gleaner_feed::Context { content_type: content_type.as_deref(), base_url: base_url.as_deref() };
            gleaner_inspect::report(&without_password(source), &gleaner_feed::parse(&bytes, context))
        }
    }
}

/// Reads the list of articles on a page. Without an address, relative links have the file's own.
fn inspect_page(source: &str, fetched: &Fetched) -> Document {
    let shown = without_password(source);
    let of_file = || Url::from_file_path(std::path::absolute(source).ok()?).ok();
    let Some(base) = fetched.base_url.as_deref().map_or_else(of_file, |base| Url::parse(base).ok()) else {
        return gleaner_inspect::failure(&shown, ErrorKind::NotAFeed, "the address of the page isn't valid");
    };
    let list = PageList::read(&fetched.bytes, fetched.content_type.as_deref(), &base);
    let days: Vec<_> = list.items.iter().map(|item| item.day).collect();
    let mut document = gleaner_inspect::report(&shown, &Ok(list.into_parsed()));
    if let Document::Report(report) = &mut document {
        for (item, day) in report.items.iter_mut().zip(days) {
            item.date = day.map(|day| day.to_string());
        }
    }
    document
}

fn read(source: &str, args: &Inspect) -> Result<Fetched, Box<Document>> {
    let bytes = contents(Path::new(source), gleaner_feed::MAX_BYTES as u64).map_err(|error| {
        let kind = match error {
            FeedFileError::TooLarge { .. } => ErrorKind::TooLarge,
            _ => ErrorKind::NotFound,
        };
        Box::new(gleaner_inspect::failure(&without_password(source), kind, message(error)))
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

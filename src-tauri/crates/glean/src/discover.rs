//! `glean discover`.

use crate::args::Discover;
use gleaner_discovery::{Discovery, Found, From, discover, in_page};
use gleaner_fetch::{Fetcher, Limits};
use serde::Serialize;
use std::path::Path;
use std::process::ExitCode;
use url::Url;

/// The one document that `--json` prints.
#[derive(Serialize)]
struct Document {
    source: String,
    feeds: Vec<Feed>,
    error: Option<String>,
}

#[derive(Serialize)]
struct Feed {
    url: String,
    title: Option<String>,
    #[serde(rename = "type")]
    mime_type: Option<String>,
    from: &'static str,
}

impl std::convert::From<Found> for Feed {
    fn from(found: Found) -> Self {
        let from = match found.from {
            From::SelfFeed => "self",
            From::Link => "link",
            From::CommonPath => "common-path",
            From::WellKnown => "well-known",
            From::Anchor => "anchor",
            From::SiteRule => "site-rule",
        };
        Self { url: found.url.to_string(), title: found.title, mime_type: found.mime_type, from }
    }
}

/// Looks behind an address, or at one page alone, and prints the feeds. Fails where there are none.
pub fn run(args: Discover) -> ExitCode {
    let document = match (&args.html, &args.url) {
        (Some(file), _) => look_at(file, args.base_url.as_deref()),
        (None, Some(url)) => ask(url),
        // The words of the command line ask for one of the two.
        (None, None) => return ExitCode::from(2),
    };
    let good = document.error.is_none();
    if args.json {
        match serde_json::to_string(&document) {
            Ok(json) => println!("{json}"),
            Err(error) => {
                eprintln!("glean: {error}");
                return ExitCode::from(1);
            }
        }
    } else {
        for feed in &document.feeds {
            println!("{}\t{}\t{}", feed.url, feed.from, feed.title.as_deref().unwrap_or_default());
        }
    }
    if let Some(error) = &document.error {
        eprintln!("glean: {}: {error}", document.source);
    }
    if good { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

fn look_at(file: &Path, base: Option<&str>) -> Document {
    let source = file.display().to_string();
    let html = match std::fs::read(file) {
        Ok(html) => html,
        Err(error) => return failed(source, error.to_string()),
    };
    // Without an address of its own a page can only name feeds by whole addresses.
    let nowhere = || Url::parse("about:blank").ok();
    let Some(base) = base.and_then(|base| Url::parse(base).ok()).or_else(nowhere) else {
        return failed(source, "the base URL is none".to_owned());
    };
    let feeds: Vec<Feed> = in_page(&html, None, &base).into_iter().map(Feed::from).collect();
    let error = feeds.is_empty().then(|| "the page names no feed".to_owned());
    Document { source: if base.scheme() == "about" { source } else { base.to_string() }, feeds, error }
}

fn ask(input: &str) -> Document {
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return failed(input.to_owned(), error.to_string()),
    };
    let fetcher = match Fetcher::new(Limits::default()) {
        Ok(fetcher) => fetcher,
        Err(error) => return failed(input.to_owned(), error.to_string()),
    };
    match runtime.block_on(discover(&fetcher, input)) {
        Ok(Discovery { source, feeds }) => {
            Document { source: source.to_string(), feeds: feeds.into_iter().map(Feed::from).collect(), error: None }
        }
        Err(error) => failed(input.to_owned(), error.to_string()),
    }
}

fn failed(source: String, error: String) -> Document {
    Document { source, feeds: Vec::new(), error: Some(error) }
}

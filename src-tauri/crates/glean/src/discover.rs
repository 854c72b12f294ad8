//! `glean discover`: finds the feeds of a web page.

use crate::{
    args::Discover,
    messages::{Failure, message, print_error},
    output::{inline, json},
    web::{Web, base_url, contents},
};
use gleaner_address::without_password;
use gleaner_discovery::{Discovery, Found, From, discover_with, in_page};
use gleaner_fetch::Limits;
use serde::Serialize;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

/// Output of `glean discover --json`; a public contract.
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
        Self { url: without_password(found.url.as_str()), title: found.title, mime_type: found.mime_type, from }
    }
}

/// Prints the feeds of an address or of a page in a file. Returns exit status 1 if there are none.
pub fn run(library: Option<PathBuf>, args: Discover) -> Result<ExitCode, Failure> {
    let document = match (&args.html, &args.url) {
        (Some(file), _) => read_file(file, args.base_url.as_deref()),
        (None, Some(url)) => search(library, url),
        // The arguments require one of the two.
        (None, None) => return Ok(ExitCode::from(2)),
    };
    let success = document.error.is_none();
    if args.json {
        json(&document)?;
    } else {
        for feed in &document.feeds {
            println!("{}\t{}\t{}", feed.url, feed.from, inline(feed.title.as_deref().unwrap_or_default()));
        }
    }
    if let Some(error) = &document.error {
        print_error(&document.source, error);
    }
    Ok(if success { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn read_file(file: &Path, base: Option<&str>) -> Document {
    let source = file.display().to_string();
    let html = match contents(file, Limits::default().body) {
        Ok(html) => html,
        Err(error) => return failed(source, message(error)),
    };
    // With the address "about:blank", relative links are ignored.
    let address = match base_url(base.unwrap_or("about:blank")) {
        Ok(address) => address,
        Err(error) => return failed(source, error),
    };
    let mut feeds: Vec<Feed> = in_page(&html, None, &address).into_iter().map(Feed::from).collect();
    // The document is a feed itself. In a file it has no address, so the file is named.
    if let Some(feed) = feeds.iter_mut().find(|feed| base.is_none() && feed.from == "self") {
        feed.url.clone_from(&source);
    }
    let error = feeds.is_empty().then(|| "the page has no links to feeds".to_owned());
    Document { source: if base.is_some() { address.into() } else { source }, feeds, error }
}

fn search(library: Option<PathBuf>, input: &str) -> Document {
    let web = match Web::open(library) {
        Ok(web) => web,
        Err(error) => return failed(input.to_owned(), error.to_string()),
    };
    match web.run(async |web| discover_with(web, input).await) {
        Ok(Discovery { source, feeds, .. }) => Document {
            source: without_password(source.as_str()),
            feeds: feeds.into_iter().map(Feed::from).collect(),
            error: None,
        },
        Err(error) => failed(input.to_owned(), message(error)),
    }
}

fn failed(source: String, error: String) -> Document {
    Document { source: without_password(&source), feeds: Vec::new(), error: Some(error) }
}

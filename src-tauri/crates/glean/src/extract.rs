//! `glean extract`.

use crate::args::Extract;
use gleaner_content::{Extracted, decode_page, extract};
use gleaner_fetch::{Accept, Fetcher, Limits, Request};
use serde::Serialize;
use std::{collections::HashSet, process::ExitCode};
use url::Url;

/// The one document that `--json` prints.
#[derive(Serialize)]
struct Document {
    source: String,
    title: Option<String>,
    byline: Option<String>,
    published: Option<String>,
    language: Option<String>,
    site_name: Option<String>,
    excerpt: Option<String>,
    content_html: Option<String>,
    content_text: Option<String>,
    next_page_url: Option<String>,
    error: Option<String>,
}

/// Pages of one article that are asked for; longer ones were never seen.
const PAGES: usize = 20;

/// Reads a page, from a file or the web, and prints its article. Fails where there is none.
pub fn run(args: Extract) -> ExitCode {
    let found = match Url::parse(&args.source) {
        Ok(url) if matches!(url.scheme(), "http" | "https") => ask(url),
        _ => look_at(&args),
    };
    let good = found.is_ok();
    let document = document(args.source, found);
    if args.json {
        match serde_json::to_string(&document) {
            Ok(json) => println!("{json}"),
            Err(error) => {
                eprintln!("glean: {error}");
                return ExitCode::from(1);
            }
        }
    } else {
        for head in [&document.title, &document.byline, &document.published].into_iter().flatten() {
            println!("{head}");
        }
        if let Some(text) = &document.content_text {
            println!("\n{text}");
        }
    }
    if let Some(error) = &document.error {
        eprintln!("glean: {}: {error}", document.source);
    }
    if good { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

fn look_at(args: &Extract) -> Result<Extracted, String> {
    let bytes = std::fs::read(&args.source).map_err(|error| error.to_string())?;
    let url = match &args.base_url {
        Some(base) => Url::parse(base).map_err(|error| format!("the base URL is none: {error}"))?.into(),
        // Without an address of its own a page keeps only links that are whole.
        None => "about:blank".to_owned(),
    };
    article(&decode_page(&bytes, None), &url)
}

fn article(html: &str, url: &str) -> Result<Extracted, String> {
    extract(html, url).ok_or_else(|| "the page has no article".to_owned())
}

/// The article of a page and of those on which it goes on. What comes before a page that cannot be had is still told,
/// and with it where it goes on.
fn ask(url: Url) -> Result<Extracted, String> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    let fetcher = Fetcher::new(Limits::default()).map_err(|error| error.to_string())?;
    let page = |url: Url| {
        let request = Request::new(url).accept(Accept::Page);
        let answer = runtime.block_on(fetcher.fetch(request)).map_err(|error| error.to_string())?;
        let html = decode_page(&answer.body.unwrap_or_default(), answer.content_type.as_deref());
        article(&html, answer.url.as_str())
    };
    let mut asked = HashSet::from([url.to_string()]);
    let mut whole = page(url)?;
    while let Some(next) = whole.next_page_url.clone() {
        let Some(url) = Url::parse(&next).ok().filter(|_| asked.len() < PAGES && asked.insert(next)) else { break };
        match page(url.clone()) {
            Ok(next) => whole.append(next),
            Err(error) => {
                eprintln!("glean: {url}: {error}");
                break;
            }
        }
    }
    Ok(whole)
}

fn document(source: String, found: Result<Extracted, String>) -> Document {
    let (found, error) = match found {
        Ok(found) => (Some(found), None),
        Err(error) => (None, Some(error)),
    };
    let has_article = found.is_some();
    let found = found.unwrap_or_default();
    Document {
        source,
        title: found.title,
        byline: found.byline,
        published: found.published,
        language: found.language,
        site_name: found.site_name,
        excerpt: found.excerpt,
        content_html: has_article.then_some(found.content_html),
        content_text: has_article.then_some(found.content_text),
        next_page_url: found.next_page_url,
        error,
    }
}

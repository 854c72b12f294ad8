//! `glean extract`: prints the full text of a web page.

use crate::{
    args::Extract,
    messages::{Failure, message, print_error},
    output::{inline, json},
    web::{Web, base_url, contents, is_web_address},
};
use gleaner_address::{is_web, without_password};
use gleaner_content::{Extracted, MAX_ARTICLE_BYTES, MAX_ARTICLE_PAGES, MAX_PAGE_BYTES, decode_page, extract};
use gleaner_discovery::AddressProblem;
use gleaner_fetch::{Accept, Request};
use gleaner_polling::{file::FeedFileError, other_than_page};
use serde::Serialize;
use std::{collections::HashSet, path::PathBuf, process::ExitCode};
use url::Url;

/// Output of `glean extract --json`; a public contract.
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

/// Prints the article of a page from a file or the web. Returns exit status 1 if there is none.
pub fn run(library: Option<PathBuf>, args: Extract) -> Result<ExitCode, Failure> {
    let source = args.source.to_string_lossy();
    let found = match Url::parse(&source) {
        Ok(url) if is_web(&url) => download(library, url),
        Err(error) if is_web_address(&source) => Err(message(AddressProblem::Malformed(error))),
        _ => read_file(&args),
    };
    let success = found.is_ok();
    let document = document(without_password(&source), found);
    if args.json {
        json(&document)?;
    } else {
        for head in [&document.title, &document.byline, &document.published].into_iter().flatten() {
            println!("{}", inline(head));
        }
        if let Some(text) = &document.content_text {
            println!("\n{text}");
        }
    }
    if let Some(error) = &document.error {
        print_error(&document.source, error);
    }
    Ok(if success { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

fn read_file(args: &Extract) -> Result<Extracted, String> {
    let bytes = contents(&args.source, MAX_PAGE_BYTES).map_err(|error| match error {
        error @ FeedFileError::TooLarge { .. } => error.to_string(),
        error => message(error),
    })?;
    let url = match &args.base_url {
        Some(base) => base_url(base)?.into(),
        // With this address, relative links are dropped.
        None => "about:blank".to_owned(),
    };
    article(&decode_page(&bytes, None), &url)
}

fn article(html: &str, url: &str) -> Result<Extracted, String> {
    extract(html, url).ok_or_else(|| "no article was found in the page".to_owned())
}

/// Downloads an article with its following pages. If one of them fails, returns the pages before it,
/// with the address of the failed page as `next_page_url`.
fn download(library: Option<PathBuf>, url: Url) -> Result<Extracted, String> {
    let web = Web::open(library).map_err(message)?;
    let article = download_from(&web, url);
    web.close();
    article
}

fn download_from(web: &Web, url: Url) -> Result<Extracted, String> {
    let mut left = MAX_ARTICLE_BYTES;
    let mut page = |url: Url| {
        let request = Request { accept: Accept::Page, at_most: Some(left.min(MAX_PAGE_BYTES)), ..Request::new(url) };
        let response = web.fetch(request).map_err(message)?;
        let body = response.body.unwrap_or_default();
        left = left.saturating_sub(body.len() as u64);
        if let Some(other) = other_than_page(response.content_type.as_deref(), &body) {
            return Err(format!("the address returns {other}, not a web page"));
        }
        article(&decode_page(&body, response.content_type.as_deref()), response.url.as_str())
    };
    let mut requested = HashSet::from([url.to_string()]);
    let mut article = page(url)?;
    while let Some(next) = article.next_page_url.clone() {
        let Some(url) =
            Url::parse(&next).ok().filter(|_| requested.len() < MAX_ARTICLE_PAGES && requested.insert(next))
        else {
            break;
        };
        match page(url.clone()) {
            Ok(next) => article.append(next),
            Err(error) => {
                eprintln!("glean: {}: {error}", without_password(url.as_str()));
                break;
            }
        }
    }
    Ok(article)
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

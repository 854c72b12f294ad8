//! `glean versions`: what an article said before it changed, and what changed since.

use crate::{args::Versions, live::Failure, why::moment};
use gleaner_content::{difference, sanitise, text_difference};
use gleaner_library::{Body, Library, Version};
use serde::Serialize;
use std::process::ExitCode;

/// `glean versions --json`: a public contract, one entry a version, newest first.
#[derive(Serialize)]
struct Report {
    /// When the next one took its place: Unix milliseconds.
    until: i64,
    title: String,
    /// Words that came and went with the next one.
    inserted: u32,
    deleted: u32,
    /// The next one with what changed marked in it: HTML.
    difference: String,
}

pub async fn run(library: &Library, args: &Versions) -> Result<ExitCode, Failure> {
    let item = library.item(args.article).await?;
    let text = library.article_text(args.article).await?;
    let address = item.url.clone().unwrap_or_default();
    let clean = |body: Option<&Body>| {
        body.map(|body| sanitise(&body.html, Some(body.base.as_deref().unwrap_or(&address)))).unwrap_or_default()
    };
    let mut next = (item.title.clone(), clean(text.content.as_ref().or(text.summary.as_ref())));
    let mut reports = Vec::new();
    let mut damaged = 0;
    for Version { until, title, content, summary, damage } in library.versions(args.article).await? {
        if let Some(why) = damage {
            eprintln!("glean: the version until {} cannot be read: {why}", moment(until));
            damaged += 1;
            continue;
        }
        let html = clean(content.as_ref().or(summary.as_ref()));
        let (of_title, of_text) = (text_difference(&title, &next.0), difference(&html, &next.1));
        let (inserted, deleted) = (of_title.inserted + of_text.inserted, of_title.deleted + of_text.deleted);
        reports.push(Report { until, title: title.clone(), inserted, deleted, difference: of_text.html });
        next = (title, html);
    }
    if args.json {
        println!("{}", serde_json::to_string(&reports)?);
    } else if reports.is_empty() {
        println!("It has not changed since it came, or no former versions are kept.");
    } else {
        for Report { until, title, inserted, deleted, .. } in &reports {
            println!("until {}  +{inserted} -{deleted} words  {title}", moment(*until));
        }
    }
    Ok(if damaged > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

//! `glean versions`: shows the previous versions of an article and their changes.

use crate::{args::Versions, commands::Failure, why::moment};
use gleaner_content::{difference, sanitise, text_difference};
use gleaner_library::{Body, Library, Version};
use serde::Serialize;
use std::process::ExitCode;

/// Entry of `glean versions --json`, newest first; a public contract.
#[derive(Serialize)]
struct Report {
    /// Time at which the next version replaced it, in Unix milliseconds.
    until: i64,
    title: String,
    /// Number of words that the next version inserted and deleted.
    inserted: u32,
    deleted: u32,
    /// HTML of the next version with the changes marked.
    difference: String,
}

pub async fn run(library: &Library, args: &Versions) -> Result<ExitCode, Failure> {
    let item = library.articles().get(args.article).await?;
    let text = library.articles().text(args.article).await?;
    let address = item.url.clone().unwrap_or_default();
    let clean = |body: Option<&Body>| {
        body.map(|body| sanitise(&body.html, Some(body.base.as_deref().unwrap_or(&address)))).unwrap_or_default()
    };
    let mut next = (item.title.clone(), clean(text.content.as_ref().or(text.summary.as_ref())));
    let mut reports = Vec::new();
    let mut damaged = 0;
    for Version { until, title, content, summary, damage } in library.versions().of_article(args.article).await? {
        if let Some(why) = damage {
            eprintln!("glean: couldn't read the version until {}: {why}", moment(until));
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
        println!("This article has not changed, or its previous versions are no longer stored.");
    } else {
        for Report { until, title, inserted, deleted, .. } in &reports {
            println!("until {}  +{inserted} -{deleted} words  {title}", moment(*until));
        }
    }
    Ok(if damaged > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

//! `glean versions`: shows the previous versions of an article and their changes.

use crate::{
    args::Versions,
    find::check_articles,
    messages::{Failure, message},
    output::{inline, moment},
};
use gleaner_app::{App, VersionChange};
use gleaner_contract::Comparison;
use gleaner_library::Library;
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

pub async fn run(app: &App, library: &Library, args: &Versions) -> Result<ExitCode, Failure> {
    check_articles(library, &[args.article]).await?;
    let mut reports = Vec::new();
    let mut damaged = 0;
    for VersionChange { until, title, change } in gleaner_app::version_changes(app, args.article).await? {
        match change {
            Ok(Comparison { inserted, deleted, html, .. }) => {
                reports.push(Report { until, title, inserted, deleted, difference: html });
            }
            Err(why) => {
                eprintln!("glean: couldn't read the version until {}: {}", moment(until), message(why));
                damaged += 1;
            }
        }
    }
    if args.json {
        crate::output::json(&reports)?;
    } else if reports.is_empty() {
        println!("This article has not changed, or its previous versions are no longer stored.");
    } else {
        for Report { until, title, inserted, deleted, .. } in &reports {
            println!("until {}  +{inserted} -{deleted} words  {}", moment(*until), inline(title));
        }
    }
    Ok(if damaged > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

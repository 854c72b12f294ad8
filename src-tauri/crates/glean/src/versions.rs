//! `glean versions`: shows the previous versions of an article and their changes.

use crate::{
    args::Versions,
    find::check_articles,
    messages::{Failure, message},
    output::{JsonList, inline, moment},
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
    let (mut shown, mut damaged) = (0, 0);
    let mut list = args.json.then(JsonList::default);
    let mut result = Ok(());
    let print = |VersionChange { until, title, change }| match change {
        Ok(Comparison { inserted, deleted, html, .. }) => {
            shown += 1;
            match &mut list {
                Some(list) if result.is_ok() => {
                    result = list.add(&Report { until, title, inserted, deleted, difference: html });
                }
                Some(_) => {}
                None => println!("until {}  +{inserted} -{deleted} words  {}", moment(until), inline(&title)),
            }
        }
        Err(why) => {
            eprintln!("glean: couldn't read the version until {}: {}", moment(until), message(why));
            damaged += 1;
        }
    };
    let done = gleaner_app::version_changes(app, args.article, print).await;
    result?;
    match list {
        // Completes the document that was being printed before the error.
        Some(list) if done.is_ok() || shown > 0 => list.end(),
        None if done.is_ok() && shown == 0 => {
            println!("This article has not changed, or its previous versions are no longer stored.");
        }
        _ => {}
    }
    done?;
    Ok(if damaged > 0 { ExitCode::from(1) } else { ExitCode::SUCCESS })
}

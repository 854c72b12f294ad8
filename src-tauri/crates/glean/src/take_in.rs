//! `glean import`: OPML into the library.

use crate::{args::Import, live::Failure};
use gleaner_feed::opml::{self, Skipped, SubscriptionList};
use gleaner_library::{ImportCounts, Library, NewSubscription};
use serde::Serialize;
use std::{path::Path, process::ExitCode};

/// `glean import --json`: one for each file.
#[derive(Serialize)]
struct Report {
    source: String,
    title: Option<String>,
    repairs: Vec<String>,
    added: usize,
    folders_added: usize,
    already: Vec<String>,
    skipped: Vec<SkippedReport>,
    error: Option<String>,
}

#[derive(Serialize)]
struct SkippedReport {
    reason: String,
    outline: String,
}

pub async fn run(library: &Library, args: &Import) -> Result<ExitCode, Failure> {
    let mut reports = Vec::with_capacity(args.files.len());
    for file in &args.files {
        let report = one(library, file).await?;
        if !args.json {
            print_words(&report);
        }
        reports.push(report);
    }
    let failed = reports.iter().any(|report| report.error.is_some());
    if args.json {
        // One document: the report itself for one file, a list of them for several.
        let document = if let [report] = reports.as_slice() {
            serde_json::to_string(report)?
        } else {
            serde_json::to_string(&reports)?
        };
        println!("{document}");
    }
    Ok(ExitCode::from(u8::from(failed)))
}

async fn one(library: &Library, file: &Path) -> Result<Report, Failure> {
    let source = file.display().to_string();
    let read = std::fs::read(file)
        .map_err(|error| format!("the file could not be read: {error}"))
        .and_then(|bytes| opml::read(&bytes).map_err(|error| error.to_string()));
    let list = match read {
        Ok(list) => list,
        Err(error) => return Ok(report(source, SubscriptionList::default(), ImportCounts::default(), Some(error))),
    };
    let feeds: Vec<NewSubscription> = list
        .feeds
        .iter()
        .cloned()
        .map(|feed| NewSubscription {
            url: feed.url,
            title: feed.title,
            home_url: feed.home_url,
            folder: feed.folder,
            outline: feed.other,
            ..NewSubscription::default()
        })
        .collect();
    let counts = library.import(&list.folders, &feeds, |_| true).await?;
    Ok(report(source, list, counts, None))
}

fn report(source: String, list: SubscriptionList, counts: ImportCounts, error: Option<String>) -> Report {
    let skipped = |Skipped { reason, outline }| SkippedReport { reason, outline };
    Report {
        source,
        title: list.title,
        repairs: list.repairs,
        added: counts.added.len(),
        folders_added: counts.folders_added,
        already: counts.already,
        skipped: list.skipped.into_iter().map(skipped).collect(),
        error,
    }
}

fn print_words(report: &Report) {
    if let Some(error) = &report.error {
        eprintln!("glean: {}: {error}", report.source);
        return;
    }
    println!(
        "{}: {} feeds added, {} folders made, {} feeds were there already",
        report.source,
        report.added,
        report.folders_added,
        report.already.len()
    );
    for repair in &report.repairs {
        println!("  mended: {repair}");
    }
    for skipped in &report.skipped {
        println!("  left out: {} ({})", skipped.outline, skipped.reason);
    }
}

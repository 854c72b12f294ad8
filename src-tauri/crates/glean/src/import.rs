//! `glean import --dry-run`: what a list would bring, without a library.

use crate::args::Import;
use gleaner_feed::opml;
use serde::Serialize;
use std::{path::Path, process::ExitCode};

/// What would happen, one document for each file.
#[derive(Debug, Serialize)]
struct Plan {
    source: String,
    title: Option<String>,
    repairs: Vec<String>,
    feeds: Vec<Feed>,
    skipped: Vec<Skipped>,
    error: Option<String>,
}

#[derive(Debug, Serialize)]
struct Feed {
    url: String,
    title: Option<String>,
    home_url: Option<String>,
    folder: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Skipped {
    reason: String,
    outline: String,
}

pub fn dry_run(args: &Import) -> ExitCode {
    let plans: Vec<Plan> = args.files.iter().map(|file| plan(file)).collect();
    if args.json {
        // One file is one document; several are a list of them.
        let json = match plans.as_slice() {
            [one] => serde_json::to_string_pretty(one),
            many => serde_json::to_string_pretty(many),
        };
        match json {
            Ok(json) => println!("{json}"),
            Err(error) => {
                eprintln!("glean: {error}");
                return ExitCode::from(1);
            }
        }
    } else {
        plans.iter().for_each(tell);
    }
    if plans.iter().all(|plan| plan.error.is_none()) { ExitCode::SUCCESS } else { ExitCode::from(1) }
}

fn plan(file: &Path) -> Plan {
    let source = file.display().to_string();
    let read = std::fs::read(file)
        .map_err(|e| format!("cannot be read: {e}"))
        .and_then(|bytes| opml::read(&bytes).map_err(|e| e.to_string()));
    match read {
        Err(error) => Plan {
            source,
            title: None,
            repairs: Vec::new(),
            feeds: Vec::new(),
            skipped: Vec::new(),
            error: Some(error),
        },
        Ok(list) => Plan {
            source,
            title: list.title,
            repairs: list.repairs,
            feeds: list
                .feeds
                .into_iter()
                .map(|f| Feed { url: f.url, title: f.title, home_url: f.home_url, folder: f.folder })
                .collect(),
            skipped: list.skipped.into_iter().map(|s| Skipped { reason: s.reason, outline: s.outline }).collect(),
            error: None,
        },
    }
}

fn tell(plan: &Plan) {
    if let Some(error) = &plan.error {
        eprintln!("{}: {error}", plan.source);
        return;
    }
    println!("{}: {} feeds", plan.title.as_deref().unwrap_or(&plan.source), plan.feeds.len());
    for feed in &plan.feeds {
        let folder = if feed.folder.is_empty() { String::new() } else { format!("{}/ ", feed.folder.join("/")) };
        println!("  {folder}{} <{}>", feed.title.as_deref().unwrap_or("(no title)"), feed.url);
    }
    for skipped in &plan.skipped {
        println!("  skipped: {} ({})", skipped.outline, skipped.reason);
    }
    for repair in &plan.repairs {
        println!("  repaired: {repair}");
    }
}

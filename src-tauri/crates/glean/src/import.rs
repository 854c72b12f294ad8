//! `glean import --dry-run`: what a file would bring, without a library.

use crate::{
    args::Import,
    live::Failure,
    take_in::{Given, found},
};
use gleaner_exchange::readers::{self, Survey};
use serde::Serialize;
use std::process::ExitCode;

/// What would happen, one document for each file.
#[derive(Debug, Serialize)]
struct Plan {
    source: String,
    /// The program or the form that it is of.
    kind: Option<&'static str>,
    title: Option<String>,
    repairs: Vec<String>,
    feeds: Vec<Feed>,
    articles: usize,
    read: usize,
    starred: usize,
    deleted: usize,
    skipped: Vec<Skipped>,
    error: Option<String>,
}

#[derive(Debug, Serialize)]
struct Feed {
    url: String,
    title: Option<String>,
    home_url: Option<String>,
    folder: Vec<String>,
    /// It would be asked for news by itself.
    asked: bool,
}

#[derive(Debug, Serialize)]
struct Skipped {
    reason: String,
    outline: String,
}

pub fn dry_run(args: &Import, files: &[Given]) -> Result<ExitCode, Failure> {
    let plans = tokio::runtime::Runtime::new()?.block_on(async {
        let mut plans = Vec::new();
        for (source, found) in found(files) {
            plans.push(plan(source, found).await);
        }
        plans
    });
    if args.json {
        // One file is one document; several are a list of them.
        match plans.as_slice() {
            [one] => println!("{}", serde_json::to_string_pretty(one)?),
            many => println!("{}", serde_json::to_string_pretty(many)?),
        }
    } else {
        plans.iter().for_each(tell);
    }
    Ok(ExitCode::from(u8::from(plans.iter().any(|plan| plan.error.is_some()))))
}

async fn plan(source: String, found: Result<readers::Found, readers::NotTaken>) -> Plan {
    let mut plan = Plan {
        source,
        kind: None,
        title: None,
        repairs: Vec::new(),
        feeds: Vec::new(),
        articles: 0,
        read: 0,
        starred: 0,
        deleted: 0,
        skipped: Vec::new(),
        error: None,
    };
    let opened = match found {
        Ok(found) => readers::open(&found).await,
        Err(error) => Err(error),
    };
    let mut kept = match opened {
        Ok(kept) => kept,
        Err(error) => return Plan { error: Some(error.to_string()), ..plan },
    };
    plan.feeds = std::mem::take(&mut kept.feeds)
        .into_iter()
        .map(|readers::Feed { subscription: feed, .. }| Feed {
            asked: feed.refresh_minutes != Some(0),
            url: feed.url,
            title: feed.custom_title.or(feed.title),
            home_url: feed.home_url,
            folder: feed.folder,
        })
        .collect();
    let survey = readers::survey(&mut kept).await;
    let error = survey.as_ref().err().map(ToString::to_string);
    let Survey { articles, read, starred, deleted } = survey.unwrap_or_default();
    Plan {
        kind: Some(kept.program),
        title: kept.title,
        repairs: kept.repairs,
        skipped: kept.skipped.into_iter().map(|s| Skipped { reason: s.why, outline: s.what }).collect(),
        articles,
        read,
        starred,
        deleted,
        error,
        ..plan
    }
}

fn tell(plan: &Plan) {
    if let Some(error) = &plan.error {
        eprintln!("glean: {}: {error}", plan.source);
        return;
    }
    println!("{}: {} feeds", plan.title.as_deref().unwrap_or(&plan.source), plan.feeds.len());
    for feed in &plan.feeds {
        let folder = if feed.folder.is_empty() { String::new() } else { format!("{}/ ", feed.folder.join("/")) };
        let asked = if feed.asked { "" } else { " (not asked by itself)" };
        println!("  {folder}{} <{}>{asked}", feed.title.as_deref().unwrap_or("(no title)"), feed.url);
    }
    if plan.articles > 0 {
        println!(
            "  {} articles ({}), {} read, {} starred, {} deleted there",
            plan.articles,
            plan.kind.unwrap_or_default(),
            plan.read,
            plan.starred,
            plan.deleted
        );
    }
    for skipped in &plan.skipped {
        println!("  skipped: {} ({})", skipped.outline, skipped.reason);
    }
    for repair in &plan.repairs {
        println!("  repaired: {repair}");
    }
}

//! `glean add`: subscribes, discovering as needed.

use crate::{args::Add, live::Failure};
use gleaner_discovery::discover;
use gleaner_fetch::{Fetcher, Limits};
use gleaner_library::{Library, LibraryError, NewSubscription};
use std::{process::ExitCode, sync::Arc};

pub async fn run(library: Arc<Library>, args: Add) -> Result<ExitCode, Failure> {
    let fetcher = Fetcher::new(Limits::default())?;
    let folder: Vec<String> = args
        .folder
        .iter()
        .flat_map(|path| path.split('/'))
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect();
    let mut code = ExitCode::SUCCESS;
    for address in &args.urls {
        if let Err(error) = add(&library, &fetcher, address, &folder).await {
            eprintln!("glean: {address}: {error}");
            code = ExitCode::from(1);
        }
    }
    Ok(code)
}

async fn add(library: &Library, fetcher: &Fetcher, address: &str, folder: &[String]) -> Result<(), Failure> {
    let found = discover(fetcher, address).await?;
    let best = found.feeds.first().ok_or_else(|| format!("no feed was found behind {}", found.source))?;
    let facts = best.parsed.as_deref().map(|parsed| &parsed.feed);
    let title = facts.and_then(|feed| feed.title.clone()).or_else(|| best.title.clone());
    let shown = title.clone().unwrap_or_else(|| best.url.to_string());
    let subscription = NewSubscription {
        url: best.url.to_string(),
        home_url: facts.and_then(|feed| feed.home_url.clone()),
        title,
        folder: folder.to_vec(),
        ..NewSubscription::default()
    };
    match library.subscribe(&subscription).await {
        Ok(_) => println!("Subscribed to {shown} ({})", best.url),
        Err(LibraryError::AlreadySubscribed(_)) => println!("Already subscribed to {shown} ({})", best.url),
        Err(error) => return Err(error.into()),
    }
    if found.feeds.len() > 1 {
        println!("  {} more feeds are there: glean discover {address}", found.feeds.len() - 1);
    }
    Ok(())
}

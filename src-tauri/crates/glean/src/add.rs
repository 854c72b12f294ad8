//! `glean add`: subscribes, discovering as needed, or to a file of this computer.

use crate::{access, args::Add, live::Failure};
use gleaner_discovery::{DiscoveryError, discover_with};
use gleaner_feed::Context;
use gleaner_fetch::{FetchError, Fetcher, Limits};
use gleaner_library::{Library, LibraryError, NewSubscription};
use gleaner_polling::wish::Reaching;
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};
use url::Url;

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
        let added = match file(address) {
            Some(path) => add_file(&library, &path, &folder).await,
            None => add(&library, &fetcher, address, &folder, &args).await,
        };
        if let Err(error) = added {
            eprintln!("glean: {address}: {error}");
            code = ExitCode::from(1);
        }
    }
    Ok(code)
}

/// A path that exists, or a `file:` address that the user typed.
fn file(address: &str) -> Option<PathBuf> {
    let typed = Url::parse(address).ok().filter(|url| url.scheme() == "file").and_then(|url| url.to_file_path().ok());
    typed.or_else(|| Some(PathBuf::from(address)).filter(|path| path.is_file()))
}

async fn add_file(library: &Library, path: &Path, folder: &[String]) -> Result<(), Failure> {
    let path = path.canonicalize()?;
    let url = Url::from_file_path(&path).map_err(|()| format!("{} cannot be an address", path.display()))?;
    let parsed =
        gleaner_feed::parse(&std::fs::read(&path)?, Context { content_type: None, base_url: Some(url.as_str()) })?;
    let subscription = NewSubscription {
        url: url.to_string(),
        home_url: parsed.feed.home_url.clone(),
        title: parsed.feed.title.clone(),
        folder: folder.to_vec(),
        ..NewSubscription::default()
    };
    let (id, _) = subscribe(library, &subscription).await?;
    Ok(library.pick_file(id, url.as_str()).await?)
}

async fn add(
    library: &Library,
    fetcher: &Fetcher,
    address: &str,
    folder: &[String],
    args: &Add,
) -> Result<(), Failure> {
    let wish = access::wish(&args.reach)?;
    let mut named = None;
    if wish.is_some() {
        let url = Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        named = Some(url.ok_or("with these options give the whole address, from http:// or https:// on")?);
    }
    let reaching = Reaching::new(fetcher, wish.as_ref().zip(named.as_ref()));
    let found = discover_with(&reaching, address).await.inspect_err(|error| {
        if let DiscoveryError::Fetch(FetchError { certificate: Some(certificate), .. }) = error {
            let day = |moment: Option<chrono::DateTime<_>>| {
                moment.map_or_else(|| "?".to_owned(), |moment| moment.format("%Y-%m-%d").to_string())
            };
            eprintln!(
                "The server shows a certificate for {} ({}), from {}, valid from {} to {}.\n\
                 If it is the server's own indeed, accept this one: --accept-certificate {}",
                certificate.subject,
                certificate.names.join(", "),
                certificate.issuer,
                day(certificate.not_before),
                day(certificate.not_after),
                certificate.fingerprint
            );
        }
    })?;
    let best = found.feeds.first().ok_or_else(|| format!("no feed was found behind {}", found.source))?;
    if let Some(named) = &named
        && named.origin() != best.url.origin()
    {
        return Err(format!("the feed is on another server than you named: {}", best.url).into());
    }
    let facts = best.parsed.as_deref().map(|parsed| &parsed.feed);
    let subscription = NewSubscription {
        url: best.url.to_string(),
        home_url: facts.and_then(|feed| feed.home_url.clone()),
        title: facts.and_then(|feed| feed.title.clone()).or_else(|| best.title.clone()),
        folder: folder.to_vec(),
        ..NewSubscription::default()
    };
    let (id, new) = subscribe(library, &subscription).await?;
    if let Some(wish) = wish {
        let feed = library.feed(id).await?;
        if let Err(error) = access::keep(library, &feed, wish).await {
            if new {
                library.unsubscribe(&[id]).await?;
                println!("  No: {} was left again", best.url);
            }
            return Err(error);
        }
    }
    if found.feeds.len() > 1 {
        println!("  {} more feeds are there: glean discover {address}", found.feeds.len() - 1);
    }
    Ok(())
}

/// The subscription, and whether it is new.
async fn subscribe(library: &Library, subscription: &NewSubscription) -> Result<(i64, bool), Failure> {
    let (url, title) = (&subscription.url, &subscription.title);
    let shown = title.as_ref().unwrap_or(url);
    match library.subscribe(subscription).await {
        Ok(id) => {
            println!("Subscribed to {shown} ({url})");
            Ok((id, true))
        }
        Err(LibraryError::AlreadySubscribed(id)) => {
            println!("Already subscribed to {shown} ({url})");
            Ok((id, false))
        }
        Err(error) => Err(error.into()),
    }
}

//! `glean add`: subscribes to feeds, web pages with feeds, and local files.

use crate::{access, args::Add, commands::Failure, output::count};
use gleaner_discovery::{DiscoveryError, discover_with};
use gleaner_fetch::{FetchError, Fetcher, Limits};
use gleaner_library::{Library, LibraryError, NewSubscription};
use gleaner_polling::connection::AuthorizedFetcher;
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
        let added = match local_file(address) {
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

/// Returns the path if the argument is an existing file or a `file:` address.
fn local_file(address: &str) -> Option<PathBuf> {
    let typed = Url::parse(address).ok().filter(|url| url.scheme() == "file").and_then(|url| url.to_file_path().ok());
    typed.or_else(|| Some(PathBuf::from(address)).filter(|path| path.exists() && !path.is_dir()))
}

async fn add_file(library: &Library, path: &Path, folder: &[String]) -> Result<(), Failure> {
    let path = path.to_owned();
    let (url, parsed) = tokio::task::spawn_blocking(move || gleaner_polling::file::read(&path)).await??;
    let subscription = NewSubscription {
        url: url.to_string(),
        home_url: parsed.feed.home_url.clone(),
        title: parsed.feed.title.clone(),
        folder: folder.to_vec(),
        ..NewSubscription::default()
    };
    let (id, _) = subscribe(library, &subscription).await?;
    Ok(library.feeds().pick_file(id, url.as_str()).await?)
}

async fn add(
    library: &Library,
    fetcher: &Fetcher,
    address: &str,
    folder: &[String],
    args: &Add,
) -> Result<(), Failure> {
    let request = access::request(&args.connection)?;
    let mut named = None;
    if request.is_some() {
        let url = Url::parse(address).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        named = Some(url.ok_or("connection options need the full address, starting with http:// or https://")?);
    }
    let fetcher = AuthorizedFetcher::new(fetcher, request.as_ref().zip(named.as_ref()));
    let found = discover_with(&fetcher, address).await.inspect_err(|error| {
        if let DiscoveryError::Fetch(FetchError { certificate: Some(certificate), .. }) = error {
            let day = |moment: Option<chrono::DateTime<_>>| {
                moment.map_or_else(|| "?".to_owned(), |moment| moment.format("%Y-%m-%d").to_string())
            };
            eprintln!(
                "The server's certificate is for {} ({}), issued by {}, valid from {} to {}.\n\
                 If you trust it, add --accept-certificate {}",
                certificate.subject,
                certificate.names.join(", "),
                certificate.issuer,
                day(certificate.not_before),
                day(certificate.not_after),
                certificate.fingerprint
            );
        }
    })?;
    let best = found.feeds.first().ok_or_else(|| format!("no feed was found at {}", found.source))?;
    if let Some(named) = &named
        && named.origin() != best.url.origin()
    {
        return Err(format!(
            "the feed is on another server, to which these connection options are not sent: {}",
            best.url
        )
        .into());
    }
    let metadata = best.parsed.as_deref().map(|parsed| &parsed.feed);
    let subscription = NewSubscription {
        url: best.url.to_string(),
        home_url: metadata.and_then(|feed| feed.home_url.clone()),
        title: metadata.and_then(|feed| feed.title.clone()).or_else(|| best.title.clone()),
        folder: folder.to_vec(),
        ..NewSubscription::default()
    };
    let (id, new) = subscribe(library, &subscription).await?;
    if let Some(request) = request {
        let feed = library.feeds().get(id).await?;
        if let Err(error) = access::save(library, &feed, request).await {
            if new {
                library.feeds().unsubscribe(&[id]).await?;
                println!("  Unsubscribed from {} again, because of the following error", best.url);
            }
            return Err(error);
        }
    }
    if found.feeds.len() > 1 {
        println!("  {} found: run `glean discover {address}`", count(found.feeds.len() - 1, "more feed"));
    }
    Ok(())
}

/// Subscribes, and returns the feed's id and whether it is new.
async fn subscribe(library: &Library, subscription: &NewSubscription) -> Result<(i64, bool), Failure> {
    let (url, title) = (&subscription.url, &subscription.title);
    let shown = title.as_ref().unwrap_or(url);
    match library.subscriptions().add(subscription).await {
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

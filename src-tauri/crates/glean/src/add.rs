//! `glean add`: subscribes to feeds, web pages with feeds, and local files.

use crate::{
    access,
    args::{Add, ConnectionOptions},
    feed::move_to_folder,
    find::{find_folder, folder_names},
    messages::{Failure, message, print_error},
    output::{count, inline},
    web::path_of_address,
};
use gleaner_address::{is_web, without_password};
use gleaner_app::{App, NewFeed};
use gleaner_discovery::{DiscoveryError, discover_with, split_login};
use gleaner_fetch::{Certificate, FetchError, FetchErrorKind};
use gleaner_library::{Library, NewSubscription};
use gleaner_polling::{
    FeedError, Scope,
    connection::{AuthorizedFetcher, ConnectionChange},
};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};
use url::Url;

pub async fn run(app: &App, library: &Library, args: Add) -> Result<ExitCode, Failure> {
    let folder = match &args.folder {
        Some(path) => folder_names(library, path).await?,
        None => Vec::new(),
    };
    let ConnectionOptions { user, bearer, header, .. } = &args.connection;
    let with_secrets = user.is_some() || *bearer || !header.is_empty();
    if let Some(file) = args.urls.iter().find(|address| with_secrets && local_file(address).is_some()) {
        return Err(Failure::usage(format!("{file} is a local file and needs no login or headers")));
    }
    // Once for all addresses, since it prompts for the password.
    let connection = access::request(&args.connection)?;
    let mut code = ExitCode::SUCCESS;
    for address in &args.urls {
        let added = match local_file(address) {
            Some(path) => add_file(app, library, &path, &folder, &args).await,
            None => add(app, library, address, &folder, &args, connection.clone()).await,
        };
        if let Err(error) = added {
            print_error(&without_password(address), &message(error));
            code = ExitCode::from(1);
        }
    }
    Ok(code)
}

/// Returns the path if the argument is an existing file, a `file:` address, or a path that can't be a web address.
fn local_file(address: &str) -> Option<PathBuf> {
    let is_path = address.starts_with(['/', '.']) && !address.starts_with("//");
    let is_file = |path: &PathBuf| is_path || path.exists() && !path.is_dir();
    path_of_address(address).or_else(|| Some(PathBuf::from(address)).filter(is_file))
}

/// Restores the feed at an address if it was unsubscribed within the last day, and returns whether it was.
async fn restore(app: &App, library: &Library, url: &Url, args: &Add) -> Result<bool, Failure> {
    let Some(feed) = gleaner_app::restore_unsubscribed(app, url).await? else { return Ok(false) };
    println!("Restored {} ({}) with its articles", inline(&feed.shown_title()), without_password(&feed.url));
    if let Some(path) = &args.folder {
        move_to_folder(app, library, feed.id, path).await?;
    }
    Ok(true)
}

async fn add_file(app: &App, library: &Library, path: &Path, folder: &[String], args: &Add) -> Result<(), Failure> {
    let path = path.to_owned();
    let (url, parsed) = tokio::task::spawn_blocking(move || gleaner_polling::file::read(&path)).await??;
    if restore(app, library, &url, args).await? {
        return Ok(());
    }
    let subscription = NewSubscription {
        url: url.to_string(),
        home_url: parsed.feed.home_url.clone(),
        title: parsed.feed.title.clone(),
        folder: folder.to_vec(),
        ..NewSubscription::default()
    };
    subscribe(app, NewFeed { subscription, file: true, ..NewFeed::default() }).await
}

async fn add(
    app: &App,
    library: &Library,
    address: &str,
    folder: &[String],
    args: &Add,
    request: Option<ConnectionChange>,
) -> Result<(), Failure> {
    let (address, login) = split_login(address);
    let mut named = None;
    if request.is_some() {
        let url = Url::parse(&address).ok().filter(is_web);
        named = Some(url.ok_or("connection options need the full address, starting with http:// or https://")?);
    }
    if request.is_none() && login.is_none() {
        if let Some(feed) = gleaner_app::find_subscribed(app, &address).await? {
            println!("Already subscribed to {} ({})", inline(&feed.shown_title()), without_password(&feed.url));
            if let Some(path) = &args.folder
                && find_folder(library, path).await.ok().is_none_or(|folder| feed.folder_id != Some(folder))
            {
                println!("  It stays in its folder: `glean feed FEED --folder {path}` moves it");
            }
            return Ok(());
        }
        if let Ok(url) = gleaner_discovery::address(&address)
            && restore(app, library, &url, args).await?
        {
            return Ok(());
        }
    }
    let core = app.core().await?;
    // A login in the address is for its server; one in the options replaces it.
    let typed = login.and_then(|login| Some((gleaner_discovery::address(&address).ok()?, login)));
    let mut change = request.clone();
    if let Some((_, login)) = typed.as_ref().filter(|_| request.as_ref().is_none_or(|request| request.login.is_none()))
    {
        let ConnectionChange { login, .. } = ConnectionChange::with_login(login);
        change = Some(ConnectionChange { login, ..change.unwrap_or_default() });
    }
    let server = named.as_ref().or(typed.as_ref().map(|(url, _)| url));
    let fetcher = AuthorizedFetcher::new(core.poller()?, change.as_ref().zip(server));
    let found = discover_with(&fetcher, &address).await.inspect_err(|error| {
        if let DiscoveryError::Fetch(FetchError { certificate: Some(certificate), .. }) = error {
            print_certificate(certificate);
        }
    });
    let mut found = match found {
        // There is no feed yet, so `glean access` can't enter its login.
        Err(DiscoveryError::Fetch(error))
            if error.kind == FetchErrorKind::Http(401)
                && !error.detour
                && change.as_ref().is_none_or(|change| change.login.is_none()) =>
        {
            return Err("the site requires a login (401); give it with --user NAME, or --bearer for a token".into());
        }
        // As above: there is no feed yet.
        Err(DiscoveryError::Fetch(error)) if error.kind == FetchErrorKind::Http(401) && error.login_sent => {
            return Err("the site rejected the user name or password (401)".into());
        }
        found => found?,
    };
    let public = std::mem::take(&mut found.public);
    let more = found.feeds.len().saturating_sub(1);
    let best = found.feeds.first_mut().ok_or_else(|| format!("no feed was found at {}", found.source))?;
    if let Some(named) = &named
        && named.origin() != best.url.origin()
    {
        return Err(format!(
            "the feed is on another server, to which these connection options are not sent: {}",
            without_password(best.url.as_str())
        )
        .into());
    }
    let metadata = best.parsed.as_deref().map(|parsed| &parsed.feed);
    let subscription = NewSubscription {
        url: gleaner_app::with_login(&best.url, typed.as_ref()).into(),
        home_url: metadata.and_then(|feed| feed.home_url.clone()),
        title: metadata.and_then(|feed| feed.title.clone()).or_else(|| best.title.clone()),
        folder: folder.to_vec(),
        public: public.contains(&best.url),
        ..NewSubscription::default()
    };
    let fetched = best.response.take().map(Arc::from);
    // The items are read again when they are stored; those of a large feed should not be in memory twice.
    drop(found);
    subscribe(app, NewFeed { subscription, connection: request, fetched, ..NewFeed::default() }).await?;
    if more > 0 {
        println!("  {} found: run `glean discover {address}`", count(more, "more feed"));
    }
    Ok(())
}

/// Prints a certificate that was not accepted, and how the user can accept it.
fn print_certificate(certificate: &Certificate) {
    let day = |moment: Option<chrono::DateTime<chrono::Utc>>| {
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

async fn subscribe(app: &App, feed: NewFeed) -> Result<(), Failure> {
    let url = without_password(&feed.subscription.url);
    let has_password = url != feed.subscription.url;
    let title = inline(feed.subscription.title.as_deref().unwrap_or(&url));
    let is_file = feed.file;
    let added = gleaner_app::add_feed(app, NewFeed { may_exist: true, ..feed }).await?;
    println!("{} to {title} ({url})", if added.new { "Subscribed" } else { "Already subscribed" });
    let polled = match added.polled {
        None if added.refused.is_none() && (added.new || is_file) => {
            Some(gleaner_app::poll(app, Scope::Feeds(vec![added.feed_id]), |_| {}).await?)
        }
        polled => polled,
    };
    if let Some(summary) = &polled {
        let (indexed, cleaned_up) = gleaner_app::finish_refresh(app, summary).await;
        if let Err(error) = indexed.and(cleaned_up) {
            eprintln!("glean: couldn't finish storing the articles: {}", message(error));
        }
        if summary.other_process {
            println!("  Another Gleaner process is refreshing this library: `glean refresh` gets the articles later");
        }
    }
    let Some(error) = added.refused else {
        if has_password {
            gleaner_app::move_passwords(app).await?;
            let access = app.core().await?.library.connections().list().await?.remove(&added.feed_id);
            if access.is_some_and(|access| access.from_address) {
                println!("  This computer's keyring cannot be used: the password is saved in the library file");
            }
        }
        if polled.is_some_and(|summary| summary.failed > 0) {
            let polls = app.core().await?.library.polls().list().await?;
            let failure = polls.into_iter().find(|poll| poll.feed_id == added.feed_id).map(|poll| poll.failure);
            if let Some(error) =
                failure.and_then(|failure| FeedError::stored(failure.error_code.as_deref(), &failure.error_parameters))
            {
                return Err(error.into());
            }
        }
        return Ok(());
    };
    if added.new {
        println!("  Unsubscribed from {url} again, because of the following error");
    }
    Err(access::described(error))
}

//! Finding feeds and subscribing to them.

use crate::{
    convert, events, reach, refresh,
    shell::{Core, Shell},
};
use gleaner_contract::{
    Candidate, CandidateItem, Discover, Discovered, ErrorCode, FolderChoice, IpcError, StarterSubject, Subscribe,
    SubscribeMany, Subscribed,
};
use gleaner_discovery::DiscoveryError;
use gleaner_feed::{Context, Parsed};
use gleaner_fetch::FetchErrorKind;
use gleaner_library::{Library, NewSubscription};
use gleaner_polling::{
    Scope,
    wish::{Reaching, Wish},
};
use std::{
    path::Path,
    sync::{Arc, PoisonError},
};
use tauri::{AppHandle, State};
use tauri_plugin_dialog::DialogExt as _;
use tokio::sync::oneshot;
use url::Url;

const STARTER: &str = include_str!("../../assets/starter.json");
/// So many of a candidate's items are shown.
const LATEST: usize = 4;

#[tauri::command]
pub async fn discover(shell: State<'_, Shell>, args: Discover) -> Result<Discovered, IpcError> {
    let core = shell.core().await?;
    let reaching = reach::reaching(&core, args.reach)?;
    let cancel = shell.discovery.begin();
    let found = tokio::select! {
        found = gleaner_discovery::discover_with(&reaching, &args.address) => found,
        () = cancel.cancelled() => {
            return Err(IpcError { code: ErrorCode::NotFound, message: "the search was stopped".to_owned(), detail: None });
        }
    };
    let found = match found {
        Ok(found) => found,
        Err(error) => return asked(&error, &reaching).ok_or_else(|| convert::discovery_error(&error)),
    };
    let mut candidates = Vec::with_capacity(found.feeds.len());
    for feed in found.feeds {
        candidates.push(candidate(&core, feed.url, feed.title, feed.parsed.as_deref()).await?);
    }
    Ok(Discovered::Feeds { candidates })
}

/// What the user can give so that it goes on.
fn asked(error: &DiscoveryError, reaching: &Reaching<'_>) -> Option<Discovered> {
    let DiscoveryError::Fetch(error) = error else { return None };
    let origin = error.url.origin().ascii_serialization();
    if let Some(certificate) = reach::certificate(error) {
        return Some(Discovered::Certificate { origin, certificate });
    }
    let refused = reaching.has_login_for(&error.url);
    (error.kind == FetchErrorKind::Http(401)).then_some(Discovered::Login { origin, refused })
}

async fn candidate(
    core: &Core,
    url: Url,
    title: Option<String>,
    parsed: Option<&Parsed>,
) -> Result<Candidate, IpcError> {
    let subscribed = core.library.feed_at(url.as_str()).await.map_err(convert::library_error)?;
    let latest = parsed.map_or(Vec::new(), |parsed| {
        let shown = |item: &gleaner_feed::Item| CandidateItem {
            title: item.title.clone().unwrap_or_default(),
            published: item.published.or(item.updated).map(|moment| moment.timestamp_millis()),
        };
        parsed.items.iter().take(LATEST).map(shown).collect()
    });
    let title = parsed
        .and_then(|parsed| parsed.feed.title.clone())
        .or(title)
        .filter(|title| !title.trim().is_empty())
        .unwrap_or_else(|| url.host_str().unwrap_or(url.as_str()).to_owned());
    Ok(Candidate {
        title,
        kind: parsed.map(|parsed| kind(parsed.format)),
        description: parsed.and_then(|parsed| parsed.feed.description.clone()),
        home_url: parsed.and_then(|parsed| parsed.feed.home_url.clone()),
        latest,
        subscribed,
        url: url.to_string(),
    })
}

/// The format as people write it: "RSS 2.0".
fn kind(format: gleaner_feed::Format) -> String {
    let name = format.name();
    let (family, version) = match name.rsplit_once('-') {
        Some((family, version)) if version.starts_with(|c: char| c.is_ascii_digit()) => (family, Some(version)),
        _ => (name, None),
    };
    let family = match family {
        "rss" => "RSS",
        "atom" => "Atom",
        "json-feed" => "JSON Feed",
        "cdf" => "CDF",
        other => other,
    };
    version.map_or_else(|| family.to_owned(), |version| format!("{family} {version}"))
}

#[tauri::command]
pub async fn cancel_discover(shell: State<'_, Shell>) -> Result<(), IpcError> {
    shell.discovery.cancel();
    Ok(())
}

/// The window hears what is in the file, and may then subscribe to that file and no other.
#[tauri::command]
pub async fn pick_feed_file(app: AppHandle, shell: State<'_, Shell>) -> Result<Option<Candidate>, IpcError> {
    let (sender, chosen) = oneshot::channel();
    let feeds = ["xml", "rss", "atom", "rdf", "json", "XML", "RSS", "ATOM", "RDF", "JSON"];
    app.dialog().file().add_filter("RSS, Atom, JSON Feed", &feeds).add_filter("*", &["*"]).pick_file(move |file| {
        // Nobody waits any more where this fails.
        drop(sender.send(file));
    });
    let chosen = chosen.await.map_err(|error| convert::internal(&error.to_string()))?;
    let Some(path) = super::opml::path(chosen)? else { return Ok(None) };
    let core = shell.core().await?;
    let reading = tauri::async_runtime::spawn_blocking(move || feed_file(&path));
    let (url, parsed) = reading.await.map_err(|error| convert::internal(&error.to_string()))??;
    let name = url.path_segments().and_then(|mut parts| parts.next_back().map(str::to_owned));
    let found = candidate(&core, url.clone(), name, Some(&parsed)).await?;
    if let Some(feed_id) = found.subscribed {
        // A list of subscriptions may have named it before: now it may be read.
        core.library.pick_file(feed_id, url.as_str()).await.map_err(convert::library_error)?;
        refresh::start(app, Scope::Feeds(vec![feed_id]));
    }
    *shell.picked_file.lock().unwrap_or_else(PoisonError::into_inner) = Some(url);
    Ok(Some(found))
}

fn feed_file(path: &Path) -> Result<(Url, Parsed), IpcError> {
    let failed = |why: String| IpcError { code: ErrorCode::File, message: why.clone(), detail: Some(why) };
    let named = |error: std::io::Error| failed(format!("{}: {error}", path.display()));
    let path = path.canonicalize().map_err(named)?;
    let url = Url::from_file_path(&path).map_err(|()| failed(format!("{} cannot be an address", path.display())))?;
    let body = gleaner_polling::access::contents(&path).map_err(named)?;
    let parsed = gleaner_feed::parse(&body, Context { content_type: None, base_url: Some(url.as_str()) });
    let parsed = parsed.map_err(|error| match error {
        gleaner_feed::NotAFeed::Other { what } => {
            IpcError { code: ErrorCode::NotAFeed, message: format!("{} is {what}", path.display()), detail: Some(what) }
        }
        error => failed(format!("{}: {error}", path.display())),
    })?;
    Ok((url, parsed))
}

#[tauri::command]
pub async fn subscribe(app: AppHandle, shell: State<'_, Shell>, args: Subscribe) -> Result<Subscribed, IpcError> {
    let picked = shell.picked_file.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let picked = picked.filter(|picked| picked.as_str() == args.url);
    let url = picked.clone().map_or_else(|| web_address(&args.url), Ok)?;
    let reach = args.reach.map(reach::wish).transpose()?;
    // What was found at another server is reached like any other feed.
    let wish = reach.filter(|(origin, _)| *origin == url.origin().ascii_serialization()).map(|(_, wish)| wish);
    let library = shell.core().await?.library;
    let custom_title = args.title.map(|title| title.trim().to_owned()).filter(|title| !title.is_empty());
    let folder = match &args.folder {
        FolderChoice::New { name } if !name.trim().is_empty() => vec![name.trim().to_owned()],
        _ => Vec::new(),
    };
    let subscription = NewSubscription { url: url.to_string(), custom_title, folder, ..NewSubscription::default() };
    let feed_id = library.subscribe(&subscription).await.map_err(convert::library_error)?;
    if picked.is_some() {
        library.pick_file(feed_id, url.as_str()).await.map_err(convert::library_error)?;
    }
    if let Some(wish) = wish
        && let Err(error) = reach_from_now_on(&library, feed_id, &url, wish).await
    {
        library.unsubscribe(&[feed_id]).await.map_err(convert::library_error)?;
        return Err(error);
    }
    if let FolderChoice::Existing { id } = args.folder {
        library.move_feed(feed_id, Some(id)).await.map_err(convert::library_error)?;
    }
    events::library_changed(&app, true, false);
    refresh::start(app, Scope::Feeds(vec![feed_id]));
    Ok(Subscribed { feed_id })
}

async fn reach_from_now_on(library: &Arc<Library>, feed_id: i64, url: &Url, wish: Wish) -> Result<(), IpcError> {
    match wish.kept(library, feed_id, url, None).await.map_err(reach::wish_error)? {
        Some(access) => library.set_access(&access).await.map_err(convert::library_error),
        None => Ok(()),
    }
}

pub fn web_address(url: &str) -> Result<Url, IpcError> {
    let invalid = |why: String| IpcError { code: ErrorCode::InvalidAddress, message: why.clone(), detail: Some(why) };
    let url = Url::parse(url).map_err(|error| invalid(error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(invalid(format!("{} is no web address", url)));
    }
    Ok(url)
}

fn starter() -> Result<Vec<StarterSubject>, IpcError> {
    serde_json::from_str(STARTER).map_err(|error| convert::internal(&error.to_string()))
}

#[tauri::command]
pub async fn starter_feeds() -> Result<Vec<StarterSubject>, IpcError> {
    starter()
}

#[tauri::command]
pub async fn subscribe_many(
    app: AppHandle,
    shell: State<'_, Shell>,
    args: SubscribeMany,
) -> Result<Vec<Subscribed>, IpcError> {
    let mut subscriptions = Vec::new();
    for subject in starter()? {
        for feed in subject.feeds.iter().filter(|feed| args.urls.contains(&feed.url)) {
            subscriptions.push(NewSubscription {
                url: feed.url.clone(),
                title: Some(feed.title.clone()),
                home_url: Some(feed.home_url.clone()),
                folder: vec![subject.name.clone()],
                ..NewSubscription::default()
            });
        }
    }
    let counts =
        shell.core().await?.library.import(&[], &subscriptions, |_| true).await.map_err(convert::library_error)?;
    events::library_changed(&app, true, false);
    refresh::start(app, Scope::Feeds(counts.added.clone()));
    Ok(counts.added.into_iter().map(|feed_id| Subscribed { feed_id }).collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_starter_list_reads() {
        let subjects = starter().unwrap();
        assert!(subjects.len() >= 5);
        for feed in subjects.iter().flat_map(|subject| &subject.feeds) {
            web_address(&feed.url).unwrap();
        }
    }

    #[test]
    fn a_file_that_was_picked_is_read_as_a_feed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("feed.xml");
        std::fs::write(&path, "<rss><channel><title>Own</title></channel></rss>").unwrap();
        let (url, parsed) = feed_file(&path).unwrap();
        assert!(url.scheme() == "file" && parsed.feed.title.as_deref() == Some("Own"), "{url}");
        std::fs::write(&path, "<html><p>hello</p></html>").unwrap();
        assert_eq!(feed_file(&path).unwrap_err().code, ErrorCode::NotAFeed);
        assert_eq!(feed_file(folder.path()).unwrap_err().code, ErrorCode::File);
        assert!(web_address(url.as_str()).is_err(), "the window cannot name a file by itself");
    }

    #[test]
    fn formats_are_named_as_people_write_them() {
        assert_eq!(kind(gleaner_feed::Format::Rss20), "RSS 2.0");
        assert_eq!(kind(gleaner_feed::Format::JsonFeed11), "JSON Feed 1.1");
        assert_eq!(kind(gleaner_feed::Format::Rss), "RSS");
    }
}

//! Finding feeds and subscribing to them.

use crate::{
    convert, events, refresh,
    shell::{Core, Shell},
};
use gleaner_contract::{
    Candidate, CandidateItem, Discover, Discovered, ErrorCode, FolderChoice, IpcError, StarterSubject, Subscribe,
    SubscribeMany, Subscribed,
};
use gleaner_discovery::Found;
use gleaner_library::NewSubscription;
use gleaner_polling::Scope;
use tauri::{AppHandle, State};
use url::Url;

const STARTER: &str = include_str!("../../assets/starter.json");
/// So many of a candidate's items are shown.
const LATEST: usize = 4;

#[tauri::command]
pub async fn discover(shell: State<'_, Shell>, args: Discover) -> Result<Discovered, IpcError> {
    let core = shell.core().await?;
    let cancel = shell.discovery.begin();
    let found = tokio::select! {
        found = gleaner_discovery::discover(&core.fetcher, &args.address) => found,
        () = cancel.cancelled() => {
            return Err(IpcError { code: ErrorCode::NotFound, message: "the search was stopped".to_owned(), detail: None });
        }
    };
    let found = found.map_err(|error| convert::discovery_error(&error))?;
    let mut candidates = Vec::with_capacity(found.feeds.len());
    for feed in found.feeds {
        candidates.push(candidate(&core, feed).await?);
    }
    Ok(Discovered { address: found.source.to_string(), candidates })
}

async fn candidate(core: &Core, found: Found) -> Result<Candidate, IpcError> {
    let subscribed = core.library.feed_at(found.url.as_str()).await.map_err(convert::library_error)?;
    let parsed = found.parsed.as_deref();
    let latest = parsed.map_or(Vec::new(), |parsed| {
        let shown = |item: &gleaner_feed::Item| CandidateItem {
            title: item.title.clone().unwrap_or_default(),
            published: item.published.or(item.updated).map(|moment| moment.timestamp_millis()),
        };
        parsed.items.iter().take(LATEST).map(shown).collect()
    });
    let title = parsed
        .and_then(|parsed| parsed.feed.title.clone())
        .or(found.title)
        .filter(|title| !title.trim().is_empty())
        .unwrap_or_else(|| found.url.host_str().unwrap_or(found.url.as_str()).to_owned());
    Ok(Candidate {
        title,
        kind: parsed.map(|parsed| kind(parsed.format)),
        description: parsed.and_then(|parsed| parsed.feed.description.clone()),
        home_url: parsed.and_then(|parsed| parsed.feed.home_url.clone()),
        latest,
        subscribed,
        url: found.url.to_string(),
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

#[tauri::command]
pub async fn subscribe(app: AppHandle, shell: State<'_, Shell>, args: Subscribe) -> Result<Subscribed, IpcError> {
    let url = web_address(&args.url)?;
    let library = shell.core().await?.library;
    let custom_title = args.title.map(|title| title.trim().to_owned()).filter(|title| !title.is_empty());
    let folder = match &args.folder {
        FolderChoice::New { name } if !name.trim().is_empty() => vec![name.trim().to_owned()],
        _ => Vec::new(),
    };
    let subscription = NewSubscription { url: url.to_string(), custom_title, folder, ..NewSubscription::default() };
    let feed_id = library.subscribe(&subscription).await.map_err(convert::library_error)?;
    if let FolderChoice::Existing { id } = args.folder {
        library.move_feed(feed_id, Some(id)).await.map_err(convert::library_error)?;
    }
    events::library_changed(&app, true, false);
    refresh::start(app, Scope::Feeds(vec![feed_id]));
    Ok(Subscribed { feed_id })
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
    fn formats_are_named_as_people_write_them() {
        assert_eq!(kind(gleaner_feed::Format::Rss20), "RSS 2.0");
        assert_eq!(kind(gleaner_feed::Format::JsonFeed11), "JSON Feed 1.1");
        assert_eq!(kind(gleaner_feed::Format::Rss), "RSS");
    }
}

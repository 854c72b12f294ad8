//! `glean feed`: shows and changes feeds.

use crate::{
    args::{Feed, Interval},
    find::{find_feed, folder_names, printed_path},
    messages::Failure,
    output::{count, inline, json},
};
use gleaner_app::{App, AppError};
use gleaner_contract::{Arrange, ChangeFeedAddress, CreateFolder, RenameFeed, Unsubscribe};
use gleaner_library::{
    Account, FeedRow, FeedScope, FolderRow, LOCAL_ACCOUNT, Library, LibraryError, Millis, Poll, Preferences, Refusal,
    folder_paths,
};
use gleaner_polling::{Suggestion, access::is_home, needs_attention};
use serde::Serialize;
use std::{collections::HashMap, process::ExitCode};
use url::Url;

pub const NO_FEEDS: &str = "No feeds yet. `glean add URL` subscribes to one.";

/// Output of `glean feed --json` for one feed; a public contract.
#[derive(Serialize)]
struct Report {
    title: String,
    url: String,
    /// Path of its folder.
    folder: Option<String>,
    /// Minutes between checks; 0 for never, `null` for automatic.
    interval: Option<u32>,
}

pub async fn run(app: &App, library: &Library, args: Feed) -> Result<ExitCode, Failure> {
    let Some(wanted) = &args.feed else {
        show(library, library.feeds().list().await?, args.json).await?;
        return Ok(ExitCode::SUCCESS);
    };
    let feed = find_feed(library, wanted).await?;
    if args.unsubscribe {
        let done = gleaner_app::unsubscribe(app, Unsubscribe { feed_ids: vec![feed.id] }).await?;
        if let Some(account) = done.kept_by {
            println!(
                "Unsubscribed from {} here; {account} keeps it, because its API can't unsubscribe. `glean account subscribe {account} {}` restores it",
                inline(&feed.shown_title()),
                inline(&feed.url)
            );
            return Ok(ExitCode::SUCCESS);
        }
        let title = inline(&feed.shown_title());
        if feed.account_id == LOCAL_ACCOUNT {
            let url = inline(&feed.url);
            println!("Unsubscribed from {title}; `glean add {url}` restores it and its articles within a day");
        } else {
            println!("Unsubscribed from {title}");
        }
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(url) = args.address {
        change_address(app, library, feed.id, url).await?;
    }
    if let Some(title) = args.title {
        gleaner_app::rename_feed(app, RenameFeed { feed_id: feed.id, title }).await?;
    }
    if let Some(path) = args.folder {
        move_to_folder(app, library, feed.id, &path).await?;
    }
    if let Some(Interval(refresh_minutes)) = args.interval {
        let scope = FeedScope::Feed(feed.id);
        let own = library.preferences().get(scope).await?.own;
        gleaner_app::set_preferences(app, scope, Preferences { refresh_minutes, ..own }).await?;
    }
    show(library, vec![library.feeds().get(feed.id).await?], args.json).await?;
    Ok(ExitCode::SUCCESS)
}

async fn change_address(app: &App, library: &Library, feed_id: i64, url: String) -> Result<(), Failure> {
    gleaner_app::change_feed_address(app, ChangeFeedAddress { feed_id, url }).await?;
    gleaner_app::move_passwords(app).await?;
    let feed = library.feeds().get(feed_id).await?;
    let Some(access) = library.connections().list().await?.remove(&feed_id) else { return Ok(()) };
    let with_secrets = access.auth.is_some() || !access.headers.0.is_empty();
    if with_secrets && Url::parse(&feed.url).is_ok_and(|url| !is_home(&url, &access)) {
        eprintln!(
            "glean: the login for {} is not sent to the new address; enter it again with `glean access`",
            access.origin
        );
    }
    Ok(())
}

/// Moves a feed to the folder with this path, which is created if it is missing.
pub async fn move_to_folder(app: &App, library: &Library, feed_id: i64, path: &str) -> Result<(), Failure> {
    let names = folder_names(library, path).await?;
    check_place(library, feed_id, &names).await?;
    let mut parent_id = None;
    for name in names {
        let folder = CreateFolder { name, parent_id };
        parent_id = Some(gleaner_app::create_folder(app, folder).await?.folder_id);
    }
    let (feeds, folders) = (vec![feed_id], Vec::new());
    gleaner_app::arrange(app, Arrange { feeds, folders, parent_id, before_feed: None, before_folder: None }).await?;
    Ok(())
}

/// Refuses to create a folder inside the folder of another account, since the feed can't be moved there and the folder would stay empty.
async fn check_place(library: &Library, feed_id: i64, names: &[String]) -> Result<(), Failure> {
    let (folders, accounts) = (library.folders().list().await?, library.accounts().list().await?);
    let feed = library.feeds().get(feed_id).await?;
    // A feed that is already outside the folders of its account may be moved anywhere.
    if account_of(&folders, &accounts, feed.folder_id) != feed.account_id {
        return Ok(());
    }
    let (mut parent, mut account) = (None, LOCAL_ACCOUNT);
    for name in names {
        let Some(folder) = folders.iter().find(|folder| folder.parent_id == parent && folder.name == *name) else {
            let refused = LibraryError::from(Refusal::FolderOfOtherAccount);
            return if feed.account_id == account { Ok(()) } else { Err(AppError::from(refused).into()) };
        };
        let of_account = |other: &&Account| other.folder_id == Some(folder.id) && other.removed_at.is_none();
        account = accounts.iter().find(of_account).map_or(account, |account| account.id);
        parent = Some(folder.id);
    }
    Ok(())
}

/// Returns the account whose feeds are in a folder.
fn account_of(folders: &[FolderRow], accounts: &[Account], mut folder: Option<i64>) -> i64 {
    while let Some(id) = folder {
        let of_account = |other: &&Account| other.folder_id == Some(id) && other.removed_at.is_none();
        if let Some(account) = accounts.iter().find(of_account) {
            return account.id;
        }
        folder = folders.iter().find(|folder| folder.id == id).and_then(|folder| folder.parent_id);
    }
    LOCAL_ACCOUNT
}

async fn show(library: &Library, feeds: Vec<FeedRow>, as_json: bool) -> Result<(), Failure> {
    let paths = folder_paths(&library.folders().list().await?);
    let polls = library.polls().list().await?;
    let minutes: HashMap<i64, Option<u32>> = polls.iter().map(|poll| (poll.feed_id, poll.refresh_minutes)).collect();
    let now = gleaner_library::now();
    let suggestions = gleaner_polling::suggestions(&polls, now);
    let polls: HashMap<i64, &Poll> = polls.iter().map(|poll| (poll.feed_id, poll)).collect();
    let notes = feeds.iter().map(|feed| {
        let suggestions = suggestions.get(&feed.id).map(Vec::as_slice).unwrap_or_default();
        polls.get(&feed.id).map(|poll| (waits_longer(poll), note(poll, suggestions, now))).unwrap_or_default()
    });
    let notes: Vec<(bool, Option<&str>)> = notes.collect();
    let report = |feed: FeedRow| Report {
        title: feed.shown_title(),
        folder: feed.folder_id.and_then(|folder| paths.get(&folder).cloned()),
        interval: minutes.get(&feed.id).copied().flatten(),
        url: feed.url,
    };
    let reports: Vec<Report> = feeds.into_iter().map(report).collect();
    if as_json {
        return Ok(json(&reports)?);
    }
    if reports.is_empty() {
        println!("{NO_FEEDS}");
    }
    for (Report { title, url, folder, interval }, (waits_longer, note)) in reports.into_iter().zip(notes) {
        let folder = folder.map(|folder| format!("{}/ ", printed_path(&folder))).unwrap_or_default();
        let interval = match interval {
            None => String::new(),
            Some(0) => " (not checked automatically)".to_owned(),
            Some(minutes) if waits_longer => {
                let minutes = count(minutes, "minute");
                format!(" (checked every {minutes}, or less often at the request of the feed or its server)")
            }
            Some(minutes) => format!(" (checked every {})", count(minutes, "minute")),
        };
        let note = note.map(|note| format!(" ({note}; see `glean why`)")).unwrap_or_default();
        println!("{folder}{} <{}>{interval}{note}", inline(&title), inline(&url));
    }
    Ok(())
}

/// Whether a feed or its server asks for longer intervals than the user.
fn waits_longer(poll: &Poll) -> bool {
    let Some(minutes) = poll.refresh_minutes else { return false };
    let fresh = poll.fresh_seconds.map_or(0, |seconds| seconds / 60);
    [fresh, poll.ttl_minutes.map_or(0, i64::from), poll.period_minutes.map_or(0, i64::from)]
        .into_iter()
        .any(|requested| requested > i64::from(minutes))
}

/// Returns what the user should know about a feed: that it moved, is gone, or fails.
fn note(poll: &Poll, suggestions: &[Suggestion], now: Millis) -> Option<&'static str> {
    let suggested = suggestions.iter().find_map(|suggestion| match suggestion {
        Suggestion::Follow { .. } => Some("moved"),
        Suggestion::Merge { .. } => Some("same feed as another"),
        Suggestion::Gone => Some("gone"),
        Suggestion::Parked => Some("domain expired or parked"),
        _ => None,
    });
    suggested.or_else(|| needs_attention(poll, now).then_some("failing"))
}

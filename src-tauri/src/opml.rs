//! Lists in and out. Files are named by the system's dialogs, by a drop, or on the command line: never by the window.

use crate::{convert, events, refresh, shell::Shell};
use gleaner_contract::{ErrorCode, ImportPhase, ImportProgress, ImportSummary, ImportTrouble, IpcError};
use gleaner_feed::opml::{self, Subscription, SubscriptionList};
use gleaner_library::NewSubscription;
use gleaner_polling::Scope;
use std::path::{Path, PathBuf};
use tauri::{AppHandle, Manager as _};

/// Takes lists in, one after the other. Progress and the summary of each come as events.
pub fn import(app: AppHandle, files: Vec<PathBuf>) {
    tauri::async_runtime::spawn(async move {
        for file in files {
            let summary = import_one(&app, &file).await;
            events::library_changed(&app, true, true);
            events::emit(&app, "import_finished", summary);
        }
    });
}

async fn import_one(app: &AppHandle, file: &Path) -> ImportSummary {
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
    let mut summary = ImportSummary {
        file: name.clone(),
        added: 0,
        folders_added: 0,
        already: Vec::new(),
        skipped: Vec::new(),
        repairs: Vec::new(),
        cancelled: false,
        error: None,
    };
    let shell = app.state::<Shell>();
    let cancel = shell.import.begin();
    let tell = |phase, done: usize, total: usize| {
        let (done, total) = (i64::try_from(done).unwrap_or(0), i64::try_from(total).unwrap_or(0));
        events::emit(app, "import_progress", ImportProgress { file: name.clone(), phase, done, total });
    };
    tell(ImportPhase::Reading, 0, 0);
    let list = match read(file.to_owned()).await {
        Ok(list) => list,
        Err(error) => return ImportSummary { error: Some(error), ..summary },
    };
    let core = match shell.core().await {
        Ok(core) => core,
        Err(error) => return ImportSummary { error: Some(error), ..summary },
    };
    summary.skipped =
        list.skipped.into_iter().map(|skip| ImportTrouble { outline: skip.outline, reason: skip.reason }).collect();
    summary.repairs = list.repairs;
    let feeds: Vec<NewSubscription> = list.feeds.into_iter().map(subscription).collect();
    let done = core
        .library
        .import(&list.folders, &feeds, |done| {
            tell(ImportPhase::Subscribing, done, feeds.len());
            !cancel.is_cancelled()
        })
        .await;
    summary.cancelled = cancel.is_cancelled();
    match done {
        Ok(counts) => {
            summary.added = i64::try_from(counts.added.len()).unwrap_or(0);
            summary.folders_added = i64::try_from(counts.folders_added).unwrap_or(0);
            summary.already = counts.already;
            if !counts.added.is_empty() {
                refresh::start(app.clone(), Scope::Feeds(counts.added));
            }
        }
        Err(error) => summary.error = Some(convert::library_error(error)),
    }
    summary
}

async fn read(file: PathBuf) -> Result<SubscriptionList, IpcError> {
    let reading = tauri::async_runtime::spawn_blocking(move || {
        let bytes = std::fs::read(&file).map_err(|error| IpcError {
            code: ErrorCode::File,
            message: format!("{} could not be read: {error}", file.display()),
            detail: Some(file.display().to_string()),
        })?;
        opml::read(&bytes).map_err(|error| {
            let detail = match &error {
                opml::NotOpml::Empty => "an empty file".to_owned(),
                opml::NotOpml::Other { what } => what.clone(),
                opml::NotOpml::TooLarge { limit } => limit.clone(),
            };
            IpcError { code: ErrorCode::NotOpml, message: format!("{}: {error}", file.display()), detail: Some(detail) }
        })
    });
    reading.await.map_err(|error| convert::internal(&error.to_string()))?
}

fn subscription(feed: Subscription) -> NewSubscription {
    NewSubscription {
        url: feed.url,
        title: feed.title,
        home_url: feed.home_url,
        folder: feed.folder,
        outline: feed.other,
        ..Default::default()
    }
}

/// Writes the list beside its place and moves it there: a list that was there before is lost only for a whole one.
pub async fn export(app: &AppHandle, file: &Path) -> Result<(), IpcError> {
    let tree = app.state::<Shell>().core().await?.library.subscriptions().await.map_err(convert::library_error)?;
    let feeds = tree.feeds.into_iter().map(|feed| Subscription {
        url: feed.url,
        title: Some(feed.title),
        home_url: feed.home_url,
        folder: feed.folder,
        other: feed.outline,
    });
    let list = SubscriptionList {
        title: Some("Gleaner".to_owned()),
        folders: tree.folders,
        feeds: feeds.collect(),
        ..Default::default()
    };
    let text = opml::write(&list);
    let file = file.to_owned();
    let writing = tauri::async_runtime::spawn_blocking(move || {
        let mut beside = file.clone().into_os_string();
        beside.push(".part");
        std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, &file)).map_err(|error| IpcError {
            code: ErrorCode::File,
            message: format!("{} could not be written: {error}", file.display()),
            detail: Some(file.display().to_string()),
        })
    });
    writing.await.map_err(|error| convert::internal(&error.to_string()))?
}

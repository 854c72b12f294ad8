//! `glean export`: OPML out.

use crate::{args::Export, live::Failure};
use gleaner_feed::opml::{self, Subscription, SubscriptionList};
use gleaner_library::Library;
use std::{io::Write as _, process::ExitCode};

pub async fn run(library: &Library, args: &Export) -> Result<ExitCode, Failure> {
    let tree = library.subscriptions().await?;
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
    match &args.file {
        None => std::io::stdout().write_all(text.as_bytes())?,
        Some(file) => {
            // Beside its place first: a list that was there before is lost only for a whole one.
            let mut beside = file.clone().into_os_string();
            beside.push(".part");
            std::fs::write(&beside, text)
                .and_then(|()| std::fs::rename(&beside, file))
                .map_err(|error| format!("{} could not be written: {error}", file.display()))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

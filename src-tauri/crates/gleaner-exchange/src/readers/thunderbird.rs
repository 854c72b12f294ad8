//! Reads the `feeds.json` of an account for feeds in Thunderbird: the subscribed feeds and the folders of their messages.

use super::{Feed, ImportError, OtherFile, ReaderData, database::MAX_FEEDS, lists, raw};
use serde::Deserialize;
use std::{collections::HashMap, path::Path};

pub(super) const NAME: &str = "Thunderbird";

#[derive(Deserialize)]
struct Subscription {
    url: String,
    title: Option<String>,
    link: Option<String>,
    /// Address of the folder: `mailbox://user@Feeds/News/The%20Harbour`.
    #[serde(rename = "destFolder")]
    folder: Option<String>,
}

/// Returns whether the beginning of a JSON file is that of such a list.
pub(super) fn is_list(head: &str) -> bool {
    head.starts_with('[') && head.contains("\"destFolder\"") && head.contains("\"url\"")
}

pub(super) fn read(path: &Path) -> Result<ReaderData, ImportError> {
    let bytes = lists::read(path)?;
    let list: Vec<Subscription> =
        serde_json::from_slice(&bytes).map_err(|error| OtherFile::DamagedJson(error.to_string()))?;
    let mut shared: HashMap<&str, usize> = HashMap::new();
    for folder in list.iter().filter_map(|one| one.folder.as_deref()) {
        *shared.entry(folder).or_default() += 1;
    }
    let feed = |one: &Subscription| -> Option<Feed> {
        let url = raw::filled(Some(one.url.clone()))?;
        let address = one.folder.as_deref().unwrap_or_default();
        let mut folder = path_of(address);
        // A feed mostly has a folder of its own, named after it.
        if shared.get(address).is_none_or(|feeds| *feeds < 2) {
            folder.pop();
        }
        let mut feed = raw::feed(&url, &url, one.title.clone(), folder);
        feed.subscription.home_url = raw::filled(one.link.clone());
        Some(feed)
    };
    Ok(ReaderData::list(NAME, list.iter().take(MAX_FEEDS).filter_map(feed).collect()))
}

/// Returns the names in the address of a folder, outermost first.
fn path_of(address: &str) -> Vec<String> {
    let path = address.split_once("://").and_then(|(_, rest)| rest.split_once('/')).map_or("", |(_, path)| path);
    let decoded = |name: &str| percent_encoding::percent_decode_str(name).decode_utf8_lossy().into_owned();
    path.split('/').filter(|name| !name.is_empty()).map(decoded).collect()
}

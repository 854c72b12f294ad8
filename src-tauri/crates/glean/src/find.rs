//! Finds the feeds, folders and articles that arguments name.

use crate::{messages::Failure, output::inline};
use gleaner_address::without_password;
use gleaner_library::{FeedRow, FolderRow, Library, LibraryError};

/// Maximum number of feeds to list if several match.
const MATCHES_SHOWN: usize = 10;
/// Maximum length of a misspelt title for which a similar one is looked for, in characters.
const MAX_MISSPELT: usize = 100;

/// Finds a feed by its address, its title, or a part of its title that no other one has. If the user has renamed it, its own title names it
/// too, unless that matches the title of another one.
pub async fn find_feed(library: &Library, wanted: &str) -> Result<FeedRow, Failure> {
    let id = library.feeds().find_in_any_account(wanted).await?;
    let mut feeds = library.feeds().list().await?;
    if let Some(found) = feeds.iter().position(|feed| Some(feed.id) == id) {
        return Ok(feeds.swap_remove(found));
    }
    let title = wanted.trim().to_lowercase();
    let of = |feed: &FeedRow| feed.shown_title().trim().to_lowercase();
    let is_whole = feeds.iter().any(|feed| of(feed) == title);
    let titles: Vec<String> = feeds.iter().map(FeedRow::shown_title).collect();
    let is_part = feeds.iter().any(|feed| of(feed).contains(&title));
    let own = |feed: &FeedRow| feed.title.as_deref().unwrap_or_default().trim().to_lowercase();
    let is_own = feeds.iter().any(|feed| own(feed) == title);
    // An empty text may come from a shell variable that is not set, and would match every title.
    feeds.retain(|feed| {
        !title.is_empty()
            && match (is_whole, is_part, is_own) {
                (true, _, _) => of(feed) == title,
                (_, true, _) => of(feed).contains(&title),
                (_, _, true) => own(feed) == title,
                _ => own(feed).contains(&title),
            }
    });
    match feeds.len() {
        1 => Ok(feeds.swap_remove(0)),
        0 => {
            let wanted = without_password(wanted);
            Err(match nearest(&title, &titles) {
                Some(meant) => {
                    format!("no feed matches {wanted}; did you mean {}? `glean feed` lists all", inline(meant))
                }
                None => format!("no feed matches {wanted}; `glean feed` lists all"),
            }
            .into())
        }
        matches => {
            let shown =
                |feed: &FeedRow| format!("\n  {} ({})", inline(&feed.shown_title()), without_password(&feed.url));
            let first: String = feeds.iter().take(MATCHES_SHOWN).map(shown).collect();
            let more = if matches > MATCHES_SHOWN { "\n  …" } else { "" };
            let wanted = without_password(wanted);
            Err(format!("{matches} feeds match {wanted}; use the address of one:{first}{more}").into())
        }
    }
}

/// Returns the title that contains the words most similar to `wanted`, which is in lower case, if a few letters differ.
fn nearest<'a>(wanted: &str, titles: &'a [String]) -> Option<&'a str> {
    let words = wanted.split_whitespace().count();
    let letters = wanted.chars().count();
    if !(4..=MAX_MISSPELT).contains(&letters) {
        return None;
    }
    let distance = |title: &String| {
        let lower = title.to_lowercase();
        let of_title: Vec<&str> = lower.split_whitespace().collect();
        of_title.windows(words).map(|part| strsim::osa_distance(wanted, &part.join(" "))).min()
    };
    let found = titles.iter().filter_map(|title| distance(title).map(|distance| (distance, title)));
    found
        .filter(|(distance, _)| *distance <= letters / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, title)| title.as_str())
}

/// Checks that articles exist.
pub async fn check_articles(library: &Library, ids: &[i64]) -> Result<(), Failure> {
    for id in ids {
        match library.articles().get(*id).await {
            Err(LibraryError::NotFound(_)) => {
                Err(format!("there is no article {id}; `glean search` shows their numbers"))?;
            }
            row => {
                row?;
            }
        }
    }
    Ok(())
}

/// Returns the id of the folder at a path such as News/Local.
pub async fn find_folder(library: &Library, path: &str) -> Result<i64, Failure> {
    let folders = library.folders().list().await?;
    let names: Vec<&str> = path_names(path).collect();
    if names.is_empty() {
        return Err(Failure::usage("the folder path is empty"));
    }
    let found = folders_at(&folders, None, &names).and_then(|at| at.last().map(|folder| folder.id));
    found.ok_or_else(|| format!("there is no folder {path}; use its full path, such as News/Local").into())
}

/// Returns a folder's path as it is printed, except in JSON: in the form that `--folder` accepts.
pub fn printed_path(path: &str) -> String {
    inline(path).replace(" / ", "/")
}

/// Returns the names of the folders at a path. The folders may not exist yet.
pub async fn folder_names(library: &Library, path: &str) -> Result<Vec<String>, Failure> {
    let folders = library.folders().list().await?;
    let names: Vec<&str> = path_names(path).collect();
    Ok(match folders_at(&folders, None, &names) {
        Some(at) => at.into_iter().map(|folder| folder.name.clone()).collect(),
        None => names.into_iter().map(str::to_owned).collect(),
    })
}

fn path_names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').map(str::trim).filter(|name| !name.is_empty())
}

/// Returns the folders at a path, the outermost first. The name of a folder may contain slashes itself, such as those of imported lists.
fn folders_at<'a>(folders: &'a [FolderRow], parent: Option<i64>, names: &[&str]) -> Option<Vec<&'a FolderRow>> {
    if names.is_empty() {
        return Some(Vec::new());
    }
    (1..=names.len()).find_map(|length| {
        let (name, rest) = names.split_at(length);
        let is_it =
            |folder: &&FolderRow| folder.parent_id == parent && path_names(&folder.name).eq(name.iter().copied());
        let folder = folders.iter().find(is_it)?;
        let mut at = folders_at(folders, Some(folder.id), rest)?;
        at.insert(0, folder);
        Some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_title_has_a_nearest_one() {
        let titles = ["The Harbour Log", "Windmill News", "Ölmühle"].map(str::to_owned);
        for (wanted, meant) in [
            ("habrour", Some("The Harbour Log")),
            ("windmil newz", Some("Windmill News")),
            ("ölmüle", Some("Ölmühle")),
            ("boats", None),
            ("nws", None),
            ("", None),
        ] {
            assert_eq!(nearest(wanted, &titles), meant, "{wanted}");
        }
    }
}

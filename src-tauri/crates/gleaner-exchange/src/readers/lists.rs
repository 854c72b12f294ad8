//! Reads lists of feeds: OPML, and newsboat's `urls`.

use super::{Feed, ImportError, ReaderData, SkipReason, Skipped, raw};
use gleaner_feed::opml;
use gleaner_library::{NewSubscription, feed_key};
use gleaner_polling::file;
use std::{io::Read as _, path::Path};

/// Maximum size of a list of feeds, in bytes.
const MAX_LIST: u64 = 128 << 20;

/// Reads a list of feeds.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, ImportError> {
    let mut bytes = Vec::new();
    let file = file::open(path).map_err(ImportError::unreadable(path))?;
    file.take(MAX_LIST + 1).read_to_end(&mut bytes).map_err(ImportError::unreadable(path))?;
    if bytes.len() as u64 > MAX_LIST {
        return Err(ImportError::TooLarge { limit: MAX_LIST });
    }
    Ok(bytes)
}

pub(super) fn opml(bytes: &[u8]) -> Result<ReaderData, ImportError> {
    let list = opml::read(bytes)?;
    let feed = |feed: opml::Subscription| Feed {
        id: feed.url.clone(),
        subscription: NewSubscription {
            // `text` is displayed, so it is the user's name, and `title` is the feed's own where both differ (OPML 2.0). Some lists contain
            // the address, as written, instead of a missing name.
            custom_title: feed
                .title
                .filter(|title| feed_key(&gleaner_feed::subscription_url(title)) != feed_key(&feed.url)),
            title: feed.own_title,
            // Some readers have commands and files for addresses.
            refresh_minutes: (!raw::is_web(&feed.url)).then_some(0),
            url: feed.url,
            home_url: feed.home_url,
            folder: feed.folder,
            outline: feed.other,
            ..NewSubscription::default()
        },
    };
    Ok(ReaderData {
        title: list.title,
        folders: list.folders,
        repairs: list.repairs,
        skipped: list
            .skipped
            .into_iter()
            .map(|skip| Skipped { what: skip.outline, why: SkipReason::Outline(skip.reason) })
            .collect(),
        ..ReaderData::list("OPML", list.feeds.into_iter().map(feed).collect())
    })
}

const SCHEMES: [&str; 7] = ["http://", "https://", "feed://", "file://", "exec:", "filter:", "query:"];

/// Minimum number of known lines for each unknown one in newsboat's `urls`.
const KNOWN: usize = 3;

/// Whether nearly every line is one of newsboat's `urls`, and at least one names a feed. Its downloads, in the file `queue`, have
/// addresses, too.
pub(super) fn are_urls(text: &str) -> bool {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (known, unknown): (Vec<&str>, Vec<&str>) = lines().partition(|line| is_known(line));
    !known.is_empty()
        && known.len() >= KNOWN.saturating_mul(unknown.len())
        && !unknown.iter().any(|line| line.starts_with(['<', '{', '[']))
        && !known.iter().all(|line| is_download(line))
}

fn is_known(line: &str) -> bool {
    SCHEMES.iter().any(|scheme| line.trim_start_matches('"').starts_with(scheme))
}

/// States of newsboat's downloads.
const STATES: [&str; 4] = ["downloaded", "played", "finished", "missing"];

/// Whether a line names an address, the file in a folder that it is downloaded to, and possibly the state of that.
fn is_download(line: &str) -> bool {
    let is_file = |word: &str| word.strip_prefix('/').is_some_and(|path| path.contains('/'));
    match words(line).as_slice() {
        [_, file] => is_file(file),
        [_, file, state] => is_file(file) && STATES.contains(&state.as_str()),
        _ => false,
    }
}

/// Parses newsboat's `urls`: an address, then its tags; a tag with `~` is the feed's name, one with `!` hides it. The first tag becomes the
/// folder.
pub(super) fn urls(bytes: &[u8]) -> ReaderData {
    let (mut feeds, mut skipped) = (Vec::new(), Vec::new());
    for line in raw::text(bytes).lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if !is_known(line) {
            skipped.push(Skipped { what: line.to_owned(), why: SkipReason::Outline(opml::SkipReason::NoUrl) });
            continue;
        }
        let mut words = words(line).into_iter();
        let Some(url) = words.next() else { continue };
        if url.starts_with("query:") {
            skipped.push(Skipped { what: line.to_owned(), why: SkipReason::NewsboatSearch });
            continue;
        }
        let (mut folder, mut title) = (Vec::new(), None);
        for word in words {
            if let Some(name) = word.strip_prefix('~') {
                title = Some(name.to_owned());
            } else if !word.starts_with('!') && folder.is_empty() {
                folder.push(word);
            }
        }
        let mut feed = raw::feed(&url, &url, None, folder);
        feed.subscription.custom_title = title;
        feeds.push(feed);
    }
    ReaderData { skipped, ..ReaderData::list("newsboat", feeds) }
}

/// Splits words at blanks; quotes group words, and a backslash escapes a quote.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted, mut any) = (Vec::new(), String::new(), false, false);
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' if quoted => word.extend(letters.next()),
            '"' => {
                quoted = !quoted;
                any = true;
            }
            '#' if !quoted && word.is_empty() && !any => break,
            letter if letter.is_whitespace() && !quoted => {
                if any || !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                any = false;
            }
            letter => word.push(letter),
        }
    }
    if any || !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn files_and_commands_of_a_list_are_not_polled_automatically() {
        let list = br#"<opml><body><outline xmlUrl="|/bin/plums"/><outline xmlUrl="/plums.xml"/>
            <outline xmlUrl="feed://a.example/f"/></body></opml>"#;
        let minutes: Vec<_> =
            opml(list).unwrap().feeds.into_iter().map(|feed| feed.subscription.refresh_minutes).collect();
        assert_eq!(minutes, [Some(0), Some(0), None]);
    }

    #[test]
    fn an_address_is_no_name_however_it_is_written() {
        let list = br#"<opml><body><outline text="feed://a.example/f" xmlUrl="feed://a.example/f"/>
            <outline text="http://b.example/f/" xmlUrl="https://b.example/f"/><outline text="c.example" xmlUrl="https://c.example/f"/>
            </body></opml>"#;
        let titles: Vec<_> = opml(list).unwrap().feeds.into_iter().map(|feed| feed.subscription.custom_title).collect();
        assert_eq!(titles, [None, None, Some("c.example".to_owned())]);
    }

    #[test]
    fn an_unknown_line_of_newsboat_is_skipped() {
        let list = "https://a.example/1\nhttps://a.example/2 Rye\ninclude more\n\"query:New:unread = \\\"yes\\\"\"\n";
        assert!(are_urls(list));
        let read = urls(list.as_bytes());
        assert_eq!(read.feeds.len(), 2);
        let skipped: Vec<&str> = read.skipped.iter().map(|skipped| skipped.what.as_str()).collect();
        assert_eq!(skipped[0], "include more");
        for other in [
            "https://a.example/1\nhttps://a.example/2\nnotes on mills\n",
            "notes\n",
            "<rss>\nhttps://a/\nhttps://b/\nhttps://c/\n",
        ] {
            assert!(!are_urls(other), "{other}");
        }
    }

    #[test]
    fn downloads_of_newsboat_are_no_feeds() {
        let queue =
            "https://a.example/1.mp3 \"/home/ada/1.mp3\"\nhttps://a.example/2.mp3 \"/home/ada/2 b.mp3\" played\n";
        assert!(!are_urls(queue));
        for list in [
            "https://a.example/1 /b/c\nhttps://a.example/2\n",
            "https://a.example/1 /b/c /d",
            "https://a.example/1 b",
            "https://a.example/1 /b",
        ] {
            assert!(are_urls(list), "{list}");
        }
    }
}

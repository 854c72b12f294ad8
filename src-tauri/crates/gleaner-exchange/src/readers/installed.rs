//! Finds the data of other readers, and the bookmarks of browsers, on this computer, in the folders where they store them. Only looks whether files exist.

use directories::BaseDirs;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A program whose data is on this computer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// Name of the program.
    pub name: &'static str,
    /// Files and folders to import.
    pub paths: Vec<PathBuf>,
}

/// The folders of the user that programs store their data in.
#[derive(Debug, Clone)]
pub struct Places {
    /// The user's folder.
    pub home: PathBuf,
    /// `~/.config` (XDG), Application Support on macOS, roaming data on Windows.
    pub config: PathBuf,
    /// `~/.local/share` (XDG), Application Support on macOS, local data on Windows.
    pub data: PathBuf,
}

impl Places {
    /// Returns the folders of the user; `None` if there is no user's folder.
    #[must_use]
    pub fn of_user() -> Option<Self> {
        let dirs = BaseDirs::new()?;
        Some(Self {
            home: dirs.home_dir().to_owned(),
            config: dirs.config_dir().to_owned(),
            data: dirs.data_local_dir().to_owned(),
        })
    }
}

/// The start of a path.
#[derive(Clone, Copy)]
enum Place {
    Home,
    Config,
    Data,
}
use Place::{Config, Data, Home};

/// Where programs store their data; `*` at the end of a name matches any ending. All existing files of a program are imported together.
const READERS: [(&str, &[(Place, &str)]); 8] = [
    (
        "Akregator",
        &[(Data, "akregator/data/feeds.opml"), (Home, ".var/app/org.kde.akregator/data/akregator/data/feeds.opml")],
    ),
    ("gPodder", &[(Home, "gPodder/Database"), (Home, ".var/app/org.gpodder.gpodder/data/gPodder/Database")]),
    ("Liferea", &[(Data, "liferea/liferea.db"), (Home, ".var/app/net.sourceforge.liferea/data/liferea/liferea.db")]),
    (
        "NetNewsWire",
        &[
            (Config, "NetNewsWire/Accounts/OnMyMac"),
            (
                Home,
                "Library/Containers/com.ranchero.NetNewsWire-Evergreen/Data/Library/Application Support/NetNewsWire/Accounts/OnMyMac",
            ),
        ],
    ),
    (
        "newsboat",
        &[
            (Home, ".newsboat/urls"),
            (Home, ".newsboat/cache.db"),
            (Config, "newsboat/urls"),
            (Data, "newsboat/cache.db"),
        ],
    ),
    ("QuiteRSS", &[(Data, "QuiteRss/QuiteRss/feeds.db")]),
    (
        "RSS Guard",
        &[
            (Config, "rssguard5/database/database.db"),
            (Home, ".var/app/io.github.martinrotter.rssguard/config/rssguard5/database/database.db"),
            (Config, "RSS Guard 4/database/local/database.db"),
            (Config, "RSS Guard 4/database/database.db"),
            (Data, "RSS Guard 4/database/database.db"),
            (Home, ".var/app/io.github.martinrotter.rssguard/config/RSS Guard 4/database/database.db"),
        ],
    ),
    (
        "Thunderbird",
        &[
            (Home, ".thunderbird/*/Mail/Feeds*/feeds.json"),
            (Home, "snap/thunderbird/common/.thunderbird/*/Mail/Feeds*/feeds.json"),
            (Home, ".var/app/org.mozilla.Thunderbird/.thunderbird/*/Mail/Feeds*/feeds.json"),
            (Home, "Library/Thunderbird/Profiles/*/Mail/Feeds*/feeds.json"),
            (Config, "Thunderbird/Profiles/*/Mail/Feeds*/feeds.json"),
        ],
    ),
];

/// Where browsers store bookmarks, in the same form.
const BROWSERS: [(&str, &[(Place, &str)]); 6] = [
    (
        "Brave",
        &[
            (Config, "BraveSoftware/Brave-Browser/*/Bookmarks"),
            (Home, ".var/app/com.brave.Browser/config/BraveSoftware/Brave-Browser/*/Bookmarks"),
            (Data, "BraveSoftware/Brave-Browser/User Data/*/Bookmarks"),
        ],
    ),
    (
        "Chromium",
        &[
            (Config, "chromium/*/Bookmarks"),
            (Config, "Chromium/*/Bookmarks"),
            (Home, "snap/chromium/common/chromium/*/Bookmarks"),
            (Home, ".var/app/org.chromium.Chromium/config/chromium/*/Bookmarks"),
            (Data, "Chromium/User Data/*/Bookmarks"),
        ],
    ),
    (
        "Firefox",
        &[
            (Home, ".mozilla/firefox/*/places.sqlite"),
            (Config, "mozilla/firefox/*/places.sqlite"),
            (Home, "snap/firefox/common/.mozilla/firefox/*/places.sqlite"),
            (Home, ".var/app/org.mozilla.firefox/.mozilla/firefox/*/places.sqlite"),
            (Config, "Firefox/Profiles/*/places.sqlite"),
            (Config, "Mozilla/Firefox/Profiles/*/places.sqlite"),
        ],
    ),
    (
        "Google Chrome",
        &[
            (Config, "google-chrome/*/Bookmarks"),
            (Config, "Google/Chrome/*/Bookmarks"),
            (Home, ".var/app/com.google.Chrome/config/google-chrome/*/Bookmarks"),
            (Data, "Google/Chrome/User Data/*/Bookmarks"),
        ],
    ),
    (
        "Microsoft Edge",
        &[
            (Config, "microsoft-edge/*/Bookmarks"),
            (Config, "Microsoft Edge/*/Bookmarks"),
            (Data, "Microsoft/Edge/User Data/*/Bookmarks"),
        ],
    ),
    (
        "Vivaldi",
        &[(Config, "vivaldi/*/Bookmarks"), (Config, "Vivaldi/*/Bookmarks"), (Data, "Vivaldi/User Data/*/Bookmarks")],
    ),
];

/// Maximum number of profiles and accounts of a program.
const MAX_PATHS: usize = 20;

/// Returns the readers whose data exists, by name.
#[must_use]
pub fn installed(places: &Places) -> Vec<Installed> {
    existing(places, &READERS)
}

/// Returns the browsers whose bookmarks exist, by name.
#[must_use]
pub fn browsers(places: &Places) -> Vec<Installed> {
    existing(places, &BROWSERS)
}

fn existing(places: &Places, programs: &[(&'static str, &[(Place, &str)])]) -> Vec<Installed> {
    let paths = |(place, rest): &(Place, &str)| {
        let start = match place {
            Home => &places.home,
            Config => &places.config,
            Data => &places.data,
        };
        matching(start, rest)
    };
    programs
        .iter()
        .map(|(name, all)| {
            let mut paths: Vec<PathBuf> = all.iter().flat_map(paths).collect();
            // On macOS, two of the folders are the same.
            paths.dedup();
            Installed { name, paths }
        })
        .filter(|installed| !installed.paths.is_empty())
        .collect()
}

/// Returns the paths that exist and match a pattern, in order.
fn matching(start: &Path, pattern: &str) -> Vec<PathBuf> {
    let mut paths = vec![start.to_owned()];
    for name in pattern.split('/') {
        paths = match name.strip_suffix('*') {
            None => paths.into_iter().map(|path| path.join(name)).filter(|path| path.exists()).collect(),
            Some(begin) => {
                // Folders that cannot be listed have nothing to offer.
                let listed = paths.iter().filter_map(|path| fs::read_dir(path).ok()).flatten().filter_map(Result::ok);
                let begins = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(begin);
                let mut found: Vec<PathBuf> = listed.filter(begins).map(|entry| entry.path()).collect();
                found.sort();
                found.truncate(MAX_PATHS);
                found
            }
        };
    }
    paths
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn finds_what_is_stored_where_the_readers_store_it() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().to_owned();
        let places = Places { config: home.join(".config"), data: home.join(".local/share"), home };
        assert_eq!(installed(&places), []);
        for file in [
            ".var/app/net.sourceforge.liferea/data/liferea/liferea.db",
            ".config/rssguard5/database/database.db",
            ".config/newsboat/urls",
            ".local/share/newsboat/cache.db",
            ".local/share/akregator/data/feeds.opml",
            ".thunderbird/b2.default/Mail/Feeds-1/feeds.json",
            ".thunderbird/a1.default/Mail/Feeds/feeds.json",
            ".thunderbird/a1.default/Mail/Local Folders/feeds.json",
            ".thunderbird/profiles.ini",
            ".mozilla/firefox/x.default/places.sqlite",
            ".config/chromium/Default/Bookmarks",
            ".config/chromium/Local State",
        ] {
            let file = places.home.join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        let found = installed(&places);
        assert_eq!(
            found.iter().map(|one| one.name).collect::<Vec<_>>(),
            ["Akregator", "Liferea", "newsboat", "RSS Guard", "Thunderbird"]
        );
        assert_eq!(found[2].paths, [places.config.join("newsboat/urls"), places.data.join("newsboat/cache.db")]);
        let lists = ["a1.default/Mail/Feeds/feeds.json", "b2.default/Mail/Feeds-1/feeds.json"];
        let browsers = browsers(&places);
        assert_eq!(browsers.iter().map(|one| one.name).collect::<Vec<_>>(), ["Chromium", "Firefox"]);
        assert_eq!(browsers[0].paths, [places.config.join("chromium/Default/Bookmarks")]);
        assert_eq!(found[4].paths, lists.map(|list| places.home.join(".thunderbird").join(list)));
    }
}

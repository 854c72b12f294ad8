//! What the command line asks for: which library to open, and which files and addresses to open in it.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};
use url::Url;

/// The answer to `--help`.
pub const HELP: &str = "\
Usage: gleaner [--library DIR] [--background] [FILE | URL]...

Opens the window of Gleaner. If it is open, its window is raised.

  FILE           a feed, a list of feeds (OPML), an archive or another reader's data
  URL            the address of a feed or a website, also as feed:, rss: or podcast:
  --library DIR  the folder of the library, in place of the default one
  --background   start in the tray, without showing the window
  --version      the version
  --help         this text
";

/// What to do at the start.
#[derive(Debug, PartialEq, Eq)]
pub enum Start {
    /// Open the window.
    Window {
        /// The library's folder, if the command line names one.
        library: Option<PathBuf>,
        /// Files and addresses to open. The paths are absolute.
        files: Vec<PathBuf>,
        /// Whether the window stays hidden.
        background: bool,
    },
    /// Print [`HELP`].
    Help,
    /// Print the version.
    Version,
    /// Print an error about this argument.
    Invalid(String),
}

/// Reads the arguments after the program's name. Relative paths begin at `here`.
pub fn parse(arguments: impl IntoIterator<Item = OsString>, here: &Path) -> Start {
    let (mut library, mut files) = (None, Vec::new());
    let mut arguments = arguments.into_iter();
    let (mut options, mut background) = (true, false);
    while let Some(argument) = arguments.next() {
        let text = argument.to_string_lossy().into_owned();
        let Some(option) = text.strip_prefix("--").filter(|_| options) else {
            // An empty argument would be the current folder.
            if !argument.is_empty() {
                files.push(file_or_address(argument, here));
            }
            continue;
        };
        let folder = match (option, option.strip_prefix("library=")) {
            ("", _) => {
                options = false;
                continue;
            }
            ("background", _) => {
                background = true;
                continue;
            }
            ("help", _) => return Start::Help,
            ("version", _) => return Start::Version,
            ("library", _) => arguments.next(),
            (_, Some(folder)) => Some(folder.into()),
            _ => return Start::Invalid(text),
        };
        match folder.filter(|folder| !folder.is_empty()) {
            Some(folder) => library = Some(here.join(folder)),
            None => return Start::Invalid(text),
        }
    }
    Start::Window { library, files, background }
}

/// Returns a path, or an address as it is. Some programs pass files as `file:` URLs. A file that exists is one, also if its name has a colon.
fn file_or_address(argument: OsString, here: &Path) -> PathBuf {
    let (path, text) = (here.join(&argument), argument.to_string_lossy());
    if !is_address(&text) || path.exists() {
        return path;
    }
    let file = Url::parse(&text).ok().filter(|url| url.scheme() == "file").and_then(|url| url.to_file_path().ok());
    file.unwrap_or_else(|| PathBuf::from(argument))
}

/// Returns whether an argument is an address: a scheme of two letters or more, as a single letter is a drive of Windows.
fn is_address(text: &str) -> bool {
    let Some((scheme, _)) = text.split_once(':') else { return false };
    scheme.len() > 1
        && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn parsed(arguments: &[&str]) -> Start {
        parse(arguments.iter().map(OsString::from), Path::new("/here"))
    }

    fn window(library: Option<&str>, files: &[&str]) -> Start {
        Start::Window {
            library: library.map(PathBuf::from),
            files: files.iter().map(PathBuf::from).collect(),
            background: false,
        }
    }

    #[test]
    fn arguments_are_files_addresses_and_the_library() {
        assert_eq!(parsed(&[]), window(None, &[]));
        assert_eq!(parsed(&["a.opml", "/b.opml", ""]), window(None, &["/here/a.opml", "/b.opml"]));
        let addresses = ["feed:https://a.example/", "feed:%%%", "https://b.example/", "web+feed://c.example"];
        assert_eq!(parsed(&addresses), window(None, &addresses));
        assert_eq!(parsed(&["--library", "x", "a"]), window(Some("/here/x"), &["/here/a"]));
        let Start::Window { files, background: true, .. } = parsed(&["--background", "a"]) else {
            panic!("--background is an option")
        };
        assert_eq!(files, [PathBuf::from("/here/a")]);
        assert_eq!(parsed(&["--library=/x"]), window(Some("/x"), &[]));
        assert_eq!(parsed(&["--", "--library", "1:2"]), window(None, &["/here/--library", "/here/1:2"]));
    }

    #[test]
    fn files_may_be_urls_and_their_names_may_contain_colons() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("feeds:2026.opml"), "").unwrap();
        let named = |argument: &str| file_or_address(argument.into(), folder.path());
        assert_eq!(named("feeds:2026.opml"), folder.path().join("feeds:2026.opml"));
        assert_eq!(named("feed:2026.opml"), Path::new("feed:2026.opml"));
        if cfg!(unix) {
            assert_eq!(named("file:///tmp/my%20feeds%C3%A9.opml"), Path::new("/tmp/my feedsé.opml"));
            assert_eq!(named("FILE://localhost/a%25b"), Path::new("/a%b"));
        }
        assert_eq!(named("file://elsewhere.example/a"), Path::new("file://elsewhere.example/a"));
    }

    #[test]
    fn unknown_options_and_missing_values_are_refused() {
        assert_eq!(parsed(&["--help"]), Start::Help);
        assert_eq!(parsed(&["a", "--version"]), Start::Version);
        for wrong in ["--library", "--library=", "--librar", "--minimize"] {
            assert_eq!(parsed(&[wrong]), Start::Invalid(wrong.to_owned()));
        }
    }
}

//! The words of the command line.

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use std::{ffi::OsString, path::PathBuf};

/// A feed reader's command line: the same library as the Gleaner window, without the window.
#[derive(Debug, Parser)]
#[command(name = "glean", version)]
pub struct Args {
    /// The library's folder [default: the window's own]
    #[arg(long, env = "GLEANER_LIBRARY", global = true, value_name = "DIR")]
    pub library: Option<PathBuf>,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show what Gleaner makes of a feed, without touching the library
    Inspect(Inspect),
    /// Show the feeds behind a web address, best first
    Discover(Discover),
    /// Show the full text of a web page, sanitised
    Extract(Extract),
    /// Subscribe, discovering as needed
    Add(Add),
    /// Show or change how a feed is reached: name and password, headers, proxy, certificate
    Access(Access),
    /// Bring OPML in
    Import(Import),
    /// Write OPML out
    Export(Export),
    /// Poll
    Refresh(Refresh),
    /// Search the library
    Search(Search),
    /// Feeds, articles, unread, sizes
    Stats(Stats),
    /// Bring in what a feed published before, page by page, marked as read
    Backfill(Backfill),
    /// Look whether the library is whole
    Check(Check),
    /// Copy the library into its folder of backups, which are also made by themselves
    Backup(Backup),
    /// Put a backup in the library's place; what is there now is set aside
    Restore(Restore),
    /// Make a new library of what can be read of a damaged one, which is set aside
    Recover,
    /// Show when a feed was asked, what came, when it is asked next, and why then
    Why(Why),
}

#[derive(Debug, ClapArgs)]
pub struct Inspect {
    /// One JSON document
    #[arg(long, conflicts_with = "jsonl")]
    pub json: bool,
    /// One JSON document a line for each source
    #[arg(long)]
    pub jsonl: bool,
    /// Take this as the HTTP Content-Type of files
    #[arg(long, value_name = "V")]
    pub content_type: Option<String>,
    /// Take this as the address of files
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    #[arg(required = true, value_name = "FILE_OR_URL")]
    pub sources: Vec<String>,
}

#[derive(Debug, ClapArgs)]
pub struct Discover {
    #[arg(long)]
    pub json: bool,
    /// Look only at this page, and fetch nothing
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// The address of that page; without it only whole addresses in it count
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    #[arg(required_unless_present = "html")]
    pub url: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub struct Extract {
    #[arg(long)]
    pub json: bool,
    /// The address of a page that comes from a file
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    #[arg(value_name = "URL_OR_FILE")]
    pub source: String,
}

#[derive(Debug, ClapArgs)]
pub struct Add {
    /// The folder to put them in, made where it is missing; a path with slashes is a nested one
    #[arg(long, value_name = "NAME")]
    pub folder: Option<String>,
    #[command(flatten)]
    pub reach: Reach,
    /// Addresses of sites or feeds, or files of this computer
    #[arg(required = true, value_name = "URL_OR_FILE")]
    pub urls: Vec<String>,
}

#[derive(Debug, ClapArgs)]
pub struct Access {
    /// Its address, or a part of its title
    #[arg(value_name = "FEED")]
    pub feed: String,
    #[command(flatten)]
    pub reach: Reach,
    /// Forget all of it: the feed is reached like any other
    #[arg(long)]
    pub forget: bool,
}

/// How a feed is reached where that is out of the ordinary. An empty value takes back what was said before.
#[derive(Debug, Default, Clone, ClapArgs)]
pub struct Reach {
    /// Log in with this name (HTTP basic); the password is asked for, or read from --password-file
    #[arg(long, value_name = "NAME", conflicts_with = "bearer")]
    pub user: Option<String>,
    /// Log in with a token (HTTP bearer), asked for or read from --password-file
    #[arg(long)]
    pub bearer: bool,
    /// Where the password or token is: the file's first line
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    /// Keep the password in the library's file, readable for whoever can read that, and not in the keyring
    #[arg(long)]
    pub password_in_library: bool,
    /// Send this header too; may be given several times
    #[arg(long, value_name = "NAME: VALUE")]
    pub header: Vec<String>,
    /// What to call ourselves, in place of Gleaner
    #[arg(long, value_name = "UA")]
    pub user_agent: Option<String>,
    /// Go through this proxy (http, https, socks5, socks5h), or "direct" for none
    #[arg(long, value_name = "URL")]
    pub proxy: Option<String>,
    /// Accept the certificate with this fingerprint, whatever is wrong with it, at the feed's host
    #[arg(long, value_name = "SHA256")]
    pub accept_certificate: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub struct Import {
    /// Only say what would happen
    #[arg(long)]
    pub dry_run: bool,
    #[arg(long)]
    pub json: bool,
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub struct Export {
    /// Where to; standard output without one
    pub file: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub struct Refresh {
    /// Only feeds whose time has come [the default]
    #[arg(long, conflicts_with = "all")]
    pub due: bool,
    /// All feeds that no server has asked us to leave alone
    #[arg(long)]
    pub all: bool,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Queries:
  word \"a phrase\" pre* -not OR ( )
  title: author: text: tag: url: feed: folder: lang:     values with spaces in quotes
  is:unread|read|starred|updated   has:audio|video|image|enclosure
  after: before: during:           2026, 2026-01, 2026-01-05, today, yesterday, \"last week\", 7d, 3w, 2m, 1y
  words:>1000, words:500..1000

  glean search 'rust \"async fn\" -feed:\"Ars Technica\" after:3m'")]
pub struct Search {
    /// Show so many at most
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: u32,
    #[arg(long)]
    pub json: bool,
    /// Newest first, or most fitting first
    #[arg(long, value_enum, default_value_t = Sort::Date)]
    pub sort: Sort,
    #[arg(required = true, value_name = "QUERY", allow_hyphen_values = true)]
    pub query: Vec<String>,
}

/// The options of a search before its query: `-word` in a query is no option, and clap takes everything after it for the query.
pub fn options_first(words: Vec<OsString>) -> Vec<OsString> {
    let search = words.iter().position(|word| word == "search").map_or(words.len(), |at| at + 1);
    let end = words.iter().position(|word| word == "--").unwrap_or(words.len()).max(search);
    let (mut options, mut query) = (Vec::new(), Vec::new());
    let mut between = words[search..end].iter();
    while let Some(word) = between.next() {
        match word.to_str().map(|word| word.split_once('=').map_or((word, false), |(name, _)| (name, true))) {
            Some(("--json" | "--help" | "-h", false) | ("--limit" | "--sort" | "--library", true)) => {
                options.push(word)
            }
            Some(("--limit" | "--sort" | "--library", false)) => {
                options.push(word);
                options.extend(between.next());
            }
            _ => query.push(word),
        }
    }
    words[..search].iter().chain(options).chain(query).chain(&words[end..]).cloned().collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Sort {
    Date,
    Rank,
}

#[derive(Debug, ClapArgs)]
pub struct Stats {
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, ClapArgs)]
pub struct Backfill {
    /// Read so many pages at most
    #[arg(long, value_name = "N", default_value_t = 50)]
    pub pages: usize,
    /// Its address, or a part of its title
    #[arg(value_name = "FEED")]
    pub feed: String,
}

#[derive(Debug, ClapArgs)]
pub struct Why {
    /// Its address, or a part of its title
    #[arg(value_name = "FEED")]
    pub feed: String,
}

#[derive(Debug, ClapArgs)]
pub struct Check {
    /// Mend what can be derived from the rest, after making a backup
    #[arg(long)]
    pub repair: bool,
}

#[derive(Debug, ClapArgs)]
pub struct Backup {
    /// Only list those that are there, newest first
    #[arg(long)]
    pub list: bool,
}

#[derive(Debug, ClapArgs)]
pub struct Restore {
    /// One that `glean backup --list` names
    #[arg(value_name = "FILE")]
    pub backup: PathBuf,
}

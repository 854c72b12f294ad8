//! Command-line arguments.

use clap::{Args as ClapArgs, CommandFactory as _, Parser, Subcommand, ValueEnum};
use gleaner_library::Action;
use number::whole;
use std::{collections::HashMap, ffi::OsString, path::PathBuf};

mod account;
mod download;
mod feed;
mod mark;
mod number;
mod pages;
mod search;
mod share;
mod versions;
mod why;

pub use account::{Account, AccountCommand, Api, AppOptions};
pub use download::Download;
pub use feed::{Feed, Interval};
pub use mark::Mark;
pub use pages::{Discover, Extract};
pub use search::{Search, Sort, options_first};
pub use share::{ClientOptions, NewShareService, Share, ShareCommand};
pub use versions::Versions;
pub use why::Why;

/// The Gleaner feed reader on the command line, with the same library as the window
#[derive(Debug, Parser)]
#[command(name = "glean", version, arg_required_else_help = true)]
pub struct Args {
    /// Folder of the library [default: GLEANER_LIBRARY, else the window's library]
    #[arg(long, global = true, value_name = "DIR", display_order = 100)]
    pub library: Option<PathBuf>,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Show how Gleaner reads a feed, without changing the library
    Inspect(Inspect),
    /// Find the feeds of a web page, best match first
    Discover(Discover),
    /// Show the full text of a web page, sanitised
    Extract(Extract),
    /// Subscribe to feeds, finding the feeds of web pages if necessary
    Add(Add),
    /// List feeds, change the title, address, folder or interval of one, or unsubscribe from it
    Feed(Feed),
    /// Add, list, synchronise and remove accounts on feed reader servers, such as FreshRSS and Miniflux
    Account(Account),
    /// Save articles in other services, such as Wallabag, Linkding or a folder of Markdown files
    Share(Share),
    /// Show or change the connection settings of a feed: login, headers, proxy, certificate
    Access(Access),
    /// Import OPML lists, archives, and exports or databases of other feed readers
    Import(Import),
    /// Export subscriptions as OPML, the whole library as an archive, or articles as documents
    Export(Export),
    /// Check feeds for new articles
    Refresh(Refresh),
    /// Search the library
    Search(Search),
    /// Mark articles as read, star or tag them, or undo that
    Mark(Mark),
    /// List, add, preview, apply and delete rules
    Rules(Rules),
    /// Show the number of feeds and articles, and the size of the library
    Stats(Stats),
    /// Download a feed's older articles, marked as read
    Backfill(Backfill),
    /// Download full texts and images for offline reading, or choose what to download
    #[command(alias = "ahead")]
    Offline(Offline),
    /// Download episodes of podcasts, to play them offline
    Download(Download),
    /// Show or change the retention of articles, and delete those beyond its limits
    #[command(alias = "keep")]
    Retention(Retention),
    /// Show the earlier versions of an article
    Versions(Versions),
    /// Check the library for damage
    Check(Check),
    /// Back up the library, in addition to the automatic backups
    Backup(Backup),
    /// Restore a backup; the current library is moved to the folder `aside`
    Restore(Restore),
    /// Rebuild a damaged library from its readable data; the damaged one is moved to the folder `aside`
    Recover,
    /// Show a feed's past requests, its next check and the reason for it
    Why(Why),
    /// Print the completion script for a shell
    Completions { shell: clap_complete::Shell },
}

/// Words that other programs use for commands, and the command that does this here.
const OTHER_NAMES: [(&[&str], &str); 8] = [
    (&["list", "ls", "feeds", "subscriptions", "rename", "unsubscribe", "remove", "rm", "delete"], "feed"),
    (&["subscribe", "follow"], "add"),
    (&["update", "fetch", "poll", "reload"], "refresh"),
    (&["find", "query", "articles", "unread"], "search"),
    (&["read", "star", "tag"], "mark"),
    (&["sync", "login", "accounts"], "account"),
    (&["status", "info"], "stats"),
    (&["filter", "filters"], "rules"),
];

/// Adds the command that was probably meant to the error of an unknown one.
pub fn with_hint(mut error: clap::Error, words: &[OsString]) -> clap::Error {
    use clap::error::{ContextKind, ContextValue};
    // The former names of commands are hidden.
    if let Some(ContextValue::Strings(names)) = error.get(ContextKind::ValidSubcommand) {
        let args = Args::command();
        let former: Vec<&str> = args.get_subcommands().flat_map(clap::Command::get_aliases).collect();
        let names = names.iter().filter(|name| !former.contains(&name.as_str())).cloned().collect();
        error.insert(ContextKind::ValidSubcommand, ContextValue::Strings(names));
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else { return error };
    // Not a word after a command, such as `glean rules list`.
    let is_command = search::command_at(words).is_some_and(|at| words[at] == word.as_str());
    let known = OTHER_NAMES.iter().find(|(names, _)| is_command && names.contains(&word.to_lowercase().as_str()));
    if let Some((_, command)) = known {
        let hint = format!("did you mean `glean {command}`?");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint.into()]));
    }
    error
}

#[derive(Debug, ClapArgs)]
pub struct Inspect {
    /// Print one JSON document
    #[arg(long, conflicts_with = "jsonl")]
    pub json: bool,
    /// Print one JSON document per source, one per line
    #[arg(long)]
    pub jsonl: bool,
    /// Read the list of articles on a web page that has no feed
    #[arg(long)]
    pub page: bool,
    /// HTTP Content-Type to assume for files
    #[arg(long, value_name = "V")]
    pub content_type: Option<String>,
    /// Address to assume for files
    #[arg(long, value_name = "URL")]
    pub base_url: Option<String>,
    /// Files and web addresses; - is the standard input
    #[arg(required = true, value_name = "FILE_OR_URL")]
    pub sources: Vec<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub struct Add {
    /// Folder for the feeds, created if missing; a path such as News/Local names a nested folder
    #[arg(long, value_name = "NAME")]
    pub folder: Option<String>,
    #[command(flatten)]
    pub connection: ConnectionOptions,
    /// Addresses of sites or feeds, or local files. Connection options and the password apply to all addresses
    #[arg(required = true, value_name = "URL_OR_FILE")]
    pub urls: Vec<String>,
}

#[derive(Debug, ClapArgs)]
pub struct Access {
    /// Address of the feed, or part of its title
    #[arg(value_name = "FEED")]
    pub feed: String,
    #[command(flatten)]
    pub connection: ConnectionOptions,
    /// Reset the feed to the default connection and delete its password
    #[arg(long, conflicts_with_all = ["ConnectionOptions", "allow_private_network"])]
    pub forget: bool,
    /// Allow the feed to use the private network to which its server's name now resolves
    #[arg(long)]
    pub allow_private_network: bool,
}

/// Connection options of a feed. An empty value resets the setting.
#[derive(Debug, Default, Clone, ClapArgs)]
pub struct ConnectionOptions {
    /// Log in with this user name (HTTP Basic or Digest); prompts for the password unless --password-file is given
    #[arg(long, value_name = "NAME", group = "login")]
    pub user: Option<String>,
    /// Log in with a token (HTTP Bearer); prompts for it unless --password-file is given
    #[arg(long, group = "login")]
    pub bearer: bool,
    /// Read the password or token from the first line of this file (- is the standard input)
    #[arg(long, value_name = "FILE", requires = "login")]
    pub password_file: Option<PathBuf>,
    /// Save the password in the library file instead of the keyring; anyone who can read the file can read it
    #[arg(long, requires = "login")]
    pub password_in_library: bool,
    /// Send this HTTP header; may be repeated
    #[arg(long, value_name = "NAME: VALUE")]
    pub header: Vec<String>,
    /// User-Agent to send instead of Gleaner's
    #[arg(long, value_name = "UA")]
    pub user_agent: Option<String>,
    /// Use this proxy (http, https, socks5, socks5h), or "direct" for none
    #[arg(long, value_name = "URL")]
    pub proxy: Option<String>,
    /// Accept the invalid certificate with this fingerprint for the feed's host
    #[arg(long, value_name = "SHA256")]
    pub accept_certificate: Option<String>,
}

#[derive(Debug, ClapArgs)]
pub struct Import {
    /// Show what would be imported, without importing it
    #[arg(long)]
    pub dry_run: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    /// OPML lists; exports of FreshRSS, Inoreader, Feedly, Feedbin, The Old Reader or Google Reader; databases of Liferea, newsboat, RSS
    /// Guard, QuiteRSS, NetNewsWire, FreshRSS or gPodder; Thunderbird's feeds.json; folders or ZIP files of these; or Gleaner archives. Use
    /// - for standard input, or the address of a list on the web
    #[arg(required = true, value_name = "FILE_OR_FOLDER_OR_URL")]
    pub files: Vec<PathBuf>,
    /// Names that the user gave, for files that are temporary copies
    #[arg(skip)]
    pub names: HashMap<PathBuf, String>,
    /// Files that could not be opened
    #[arg(skip)]
    pub unopened: Vec<Unopened>,
}

/// A file that cannot be imported.
#[derive(Debug)]
pub struct Unopened {
    pub source: String,
    pub error: String,
    /// Whether the error names the file.
    pub names_file: bool,
}

impl Unopened {
    pub fn print(&self) {
        let source = if self.names_file { String::new() } else { format!("{}: ", self.source) };
        eprintln!("glean: {source}{}", self.error);
    }
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  glean export FILE                               subscriptions, for any reader
  glean export --everything FILE                  the whole library
  glean export --format epub --output FILE QUERY  matches of a search, as a book
  glean export --format markdown -- rust -news    -- allows words with hyphens")]
pub struct Export {
    /// Write the whole library into one archive: a zip of text files with a description of its contents
    #[arg(long, conflicts_with_all = ["format", "output", "article", "remote_images"])]
    pub everything: bool,
    /// Write articles as a document: the matches of a search, or those given with --article
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// File to write the document to [default: standard output]
    #[arg(long, value_name = "FILE", requires = "format")]
    pub output: Option<PathBuf>,
    /// Export the article with this `id` of `glean search --json`; may be repeated
    #[arg(long, value_name = "NUMBER", requires = "format", value_parser = number::article)]
    pub article: Vec<i64>,
    /// Link images that are not stored in the library, so that they are loaded from their servers when the document is opened
    #[arg(long, alias = "remote-pictures", requires = "format")]
    pub remote_images: bool,
    /// File for the subscriptions [default: standard output] or the archive; with --format, the search query
    #[arg(value_name = "FILE|QUERY")]
    pub words: Vec<OsString>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Markdown,
    Html,
    Epub,
}

impl From<Format> for gleaner_exchange::documents::Form {
    fn from(format: Format) -> Self {
        match format {
            Format::Markdown => Self::Markdown,
            Format::Html => Self::Html,
            Format::Epub => Self::Epub,
        }
    }
}

#[derive(Debug, ClapArgs)]
pub struct Refresh {
    /// Check only feeds that are due (default)
    #[arg(long, conflicts_with = "all")]
    pub due: bool,
    /// Check all feeds, except those whose servers requested a pause
    #[arg(long)]
    pub all: bool,
    /// Check these feeds: addresses or parts of titles
    #[arg(value_name = "FEED", conflicts_with_all = ["due", "all"])]
    pub feeds: Vec<String>,
    /// Name each feed with an error, instead of the number of feeds with the same error
    #[arg(short, long)]
    pub verbose: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, ClapArgs)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Rules {
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
    #[command(subcommand)]
    pub command: Option<RulesCommand>,
}

#[derive(Debug, Subcommand)]
pub enum RulesCommand {
    /// Add a rule for new articles
    Add {
        /// Name of the rule [default: its query, or "Every article"]
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
        #[command(flatten)]
        rule: RuleDefinition,
    },
    /// Show what a rule would do with existing articles
    Preview {
        /// Print one JSON document
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        rule: RuleDefinition,
    },
    /// Apply a rule to existing articles
    Apply {
        /// Number or name of the rule
        rule: String,
    },
    /// Enable a rule
    Enable {
        /// Number or name of the rule
        rule: String,
    },
    /// Disable a rule
    Disable {
        /// Number or name of the rule
        rule: String,
    },
    /// Delete a rule; articles it has changed stay as they are
    Delete {
        /// Number or name of the rule
        rule: String,
    },
}

#[derive(Debug, ClapArgs)]
pub struct RuleDefinition {
    /// Apply only to this feed: its address, or part of its title
    #[arg(long, value_name = "FEED", conflicts_with = "folder")]
    pub feed: Option<String>,
    /// Apply only to this folder and its subfolders, as a path such as News/Local
    #[arg(long, value_name = "PATH")]
    pub folder: Option<String>,
    /// Actions: read, star, tag:NAME, hide, notify, keep, text
    #[arg(long = "do", value_name = "ACTION,…", required = true, value_delimiter = ',', value_parser = str::parse::<Action>)]
    pub actions: Vec<Action>,
    /// Query as in `glean search`, after all options [default: every article]
    #[arg(value_name = "QUERY", allow_hyphen_values = true, trailing_var_arg = true, value_parser = search::query_word)]
    pub query: Vec<String>,
}

#[derive(Debug, ClapArgs)]
pub struct Stats {
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, ClapArgs)]
pub struct Backfill {
    /// Maximum number of pages to download
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = whole::<usize>(1..=1_000_000))]
    pub pages: usize,
    /// Address of the feed, or part of its title
    #[arg(value_name = "FEED")]
    pub feed: String,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Without --feed, --starred or --all, downloads everything in the download queue.

Examples:
  glean offline --feed Harbour --text --images  full texts and images of a feed:
                                                new and newest articles
  glean offline --starred --images              images of starred articles
  glean offline --feed Harbour                  nothing for this feed
  glean offline                                 download the queue now")]
pub struct Offline {
    /// Choose what to download for this feed: its address, or part of its title
    #[arg(long, value_name = "FEED", group = "chosen")]
    pub feed: Option<String>,
    /// Choose what to download for starred articles of any feed
    #[arg(long, group = "chosen")]
    pub starred: bool,
    /// Choose what to download for feeds without their own setting
    #[arg(long, group = "chosen")]
    pub all: bool,
    /// Download full texts, from the articles' web pages
    #[arg(long, requires = "chosen")]
    pub text: bool,
    /// Download images
    #[arg(long, alias = "pictures", requires = "chosen")]
    pub images: bool,
    /// Remove the feed's own setting, so that the one for all feeds applies
    #[arg(long, requires = "feed", conflicts_with_all = ["text", "images"])]
    pub as_all: bool,
    /// Storage limit for images, in MB
    #[arg(long, value_name = "MB", value_parser = whole::<u64>(1..=10_000_000))]
    pub room: Option<u64>,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, ClapArgs)]
#[command(
    group = clap::ArgGroup::new("bound").multiple(true).args(["days", "articles", "bytes"]),
    after_help = "\
A new limit deletes the articles beyond it at once. For a day, they can be
restored.

Examples:
  glean retention --days 365 --preview         show what a limit would delete
  glean retention --days 365                   set it for all feeds
  glean retention --feed Harbour --everything  no limit for this feed"
)]
pub struct Retention {
    /// Retention of this feed: its address, or part of its title
    #[arg(long, value_name = "FEED", conflicts_with = "folder")]
    pub feed: Option<String>,
    /// Retention of this folder and its subfolders, as a path such as News/Local
    #[arg(long, value_name = "PATH")]
    pub folder: Option<String>,
    /// Keep articles for this number of days after they were received, read or played
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<i64>(1..=36_500))]
    pub days: Option<i64>,
    /// Maximum number of articles per feed; keeps the newest
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<i64>(1..=i64::MAX))]
    pub articles: Option<i64>,
    /// Maximum bytes of text per feed; keeps the newest
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<i64>(1..=i64::MAX))]
    pub bytes: Option<i64>,
    /// Delete unread articles too
    #[arg(long, requires = "bound")]
    pub unread_too: bool,
    /// Keep everything, whatever the setting of the folder or of all feeds
    #[arg(long, conflicts_with_all = ["days", "articles", "bytes", "unread_too"])]
    pub everything: bool,
    /// Use the setting of the folder or of all feeds
    #[arg(long, conflicts_with_all = ["days", "articles", "bytes", "unread_too", "everything"])]
    pub inherit: bool,
    /// Show what would be deleted, without deleting it
    #[arg(long, conflicts_with_all = ["run", "restore"])]
    pub preview: bool,
    /// Delete articles beyond the limits now, and permanently delete those deleted over a day ago; the window does this automatically
    #[arg(long)]
    pub run: bool,
    /// Restore the articles deleted within the last day, and keep them forever
    #[arg(long, alias = "bring-back", conflicts_with_all = ["feed", "folder", "days", "articles", "bytes", "unread_too", "everything", "inherit", "run", "json"])]
    pub restore: bool,
    /// Print one JSON document
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, ClapArgs)]
pub struct Check {
    /// Back up the library, then repair data that can be derived from other data
    #[arg(long)]
    pub repair: bool,
}

#[derive(Debug, ClapArgs)]
pub struct Backup {
    /// List the backups, newest first
    #[arg(long)]
    pub list: bool,
}

#[derive(Debug, ClapArgs)]
pub struct Restore {
    /// Backup file, as listed by `glean backup --list`
    #[arg(value_name = "FILE")]
    pub backup: PathBuf,
}

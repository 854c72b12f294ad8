//! The words of the command line.

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use gleaner_library::Action;
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
    /// Bring in lists of feeds (OPML), archives, exports and databases of other readers
    Import(Import),
    /// Write OPML, an archive of everything, or articles as documents
    Export(Export),
    /// Poll
    Refresh(Refresh),
    /// Search the library
    Search(Search),
    /// List rules, or add, preview, apply and delete them
    Rules(Rules),
    /// Feeds, articles, unread, sizes
    Stats(Stats),
    /// Bring in what a feed published before, page by page, marked as read
    Backfill(Backfill),
    /// Fetch full texts and pictures ahead, for reading without a network; or say of which feeds
    Ahead(Ahead),
    /// Show or say how much of each feed is kept, and let go of the rest
    Keep(Keep),
    /// Show what an article said before it changed, by its number
    Versions(Versions),
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
    /// OPML; exports of FreshRSS, Inoreader, Feedly, The Old Reader, Google Reader; databases of Liferea, newsboat, RSS Guard, QuiteRSS,
    /// NetNewsWire, FreshRSS; or folders or ZIP files of these; or an archive of Gleaner's. - is standard input
    #[arg(required = true, value_name = "FILE_OR_FOLDER")]
    pub files: Vec<PathBuf>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
  glean export FILE                                   subscriptions, for any feed reader
  glean export --everything FILE                      all that the library holds, for `glean import`
  glean export --format epub --output FILE QUERY      articles that a search finds, as a book
  glean export --format markdown -- rust -news        what begins with a hyphen comes after --")]
pub struct Export {
    /// Write all that the library holds into one archive: a zip of text files, which says what is in it
    #[arg(long, conflicts_with_all = ["format", "output", "article", "remote_pictures"])]
    pub everything: bool,
    /// Write articles as documents: those that a search finds, or single ones
    #[arg(long, value_enum, value_name = "FORM")]
    pub format: Option<Form>,
    /// Where the document goes; standard output without one
    #[arg(long, value_name = "FILE", requires = "format")]
    pub output: Option<PathBuf>,
    /// This article, by the number that `glean search --json` gives; may be given several times
    #[arg(long, value_name = "NUMBER", requires = "format")]
    pub article: Vec<i64>,
    /// Pictures that are not kept here stand in the page by their addresses: whoever opens it asks their servers for them
    #[arg(long, requires = "format")]
    pub remote_pictures: bool,
    /// Where subscriptions or the archive go (subscriptions: standard output without one); with --format what to search for
    #[arg(value_name = "FILE|QUERY")]
    pub words: Vec<OsString>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Form {
    Markdown,
    Html,
    Epub,
}

impl From<Form> for gleaner_exchange::documents::Form {
    fn from(form: Form) -> Self {
        match form {
            Form::Markdown => Self::Markdown,
            Form::Html => Self::Html,
            Form::Epub => Self::Epub,
        }
    }
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
  title: author: text: tag: url: feed: folder: lang: category:     values with spaces in quotes
  is:unread|read|starred|updated|hidden|kept|tagged   has:audio|video|image|enclosure
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
    /// Search for what is saved under this name
    #[arg(long, value_name = "NAME", conflicts_with_all = ["query", "save", "list_saved"])]
    pub saved: Option<String>,
    /// Keep this search under a name; the window shows it in its sidebar
    #[arg(long, value_name = "NAME", requires = "query")]
    pub save: Option<String>,
    /// Only list the saved searches, and how many unread articles each finds
    #[arg(long, conflicts_with_all = ["query", "save"])]
    pub list_saved: bool,
    #[arg(required_unless_present_any = ["saved", "list_saved"], value_name = "QUERY", allow_hyphen_values = true)]
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
            Some(
                ("--json" | "--list-saved" | "--help" | "-h", false)
                | ("--limit" | "--sort" | "--saved" | "--save" | "--library", true),
            ) => options.push(word),
            Some(("--limit" | "--sort" | "--saved" | "--save" | "--library", false)) => {
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
#[command(args_conflicts_with_subcommands = true)]
pub struct Rules {
    #[arg(long)]
    pub json: bool,
    #[command(subcommand)]
    pub command: Option<RulesCommand>,
}

#[derive(Debug, Subcommand)]
pub enum RulesCommand {
    /// Add a rule, which is at work on all that comes in from then on
    Add {
        /// What to call it; its query without one
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
        #[command(flatten)]
        rule: WhatARuleDoes,
    },
    /// Say what a rule would do with the articles that are there
    Preview {
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        rule: WhatARuleDoes,
    },
    /// Do with the articles that are there what a rule says
    Apply {
        /// Its number or name
        rule: String,
    },
    /// Set a rule to work
    Enable {
        /// Its number or name
        rule: String,
    },
    /// Let a rule rest
    Disable {
        /// Its number or name
        rule: String,
    },
    /// Delete a rule; what it did stays as it is
    Delete {
        /// Its number or name
        rule: String,
    },
}

#[derive(Debug, ClapArgs)]
pub struct WhatARuleDoes {
    /// Only for this feed: its address, or a part of its title
    #[arg(long, value_name = "FEED", conflicts_with = "folder")]
    pub feed: Option<String>,
    /// Only for the feeds in this folder and in those in it; a path with slashes is a nested one
    #[arg(long, value_name = "PATH")]
    pub folder: Option<String>,
    /// What to do: read, star, tag:NAME, hide, notify, keep, text
    #[arg(long = "do", value_name = "ACTION,…", required = true, value_delimiter = ',', value_parser = str::parse::<Action>)]
    pub actions: Vec<Action>,
    /// As `glean search` takes it; without one, every article. Options stand before it
    #[arg(value_name = "QUERY", allow_hyphen_values = true, trailing_var_arg = true)]
    pub query: Vec<String>,
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
#[command(after_help = "\
Without --feed, --starred or --all it fetches what was wished before and is due.

  glean ahead --feed Harbour --text --pictures   from now on, and the newest that are there
  glean ahead --starred --pictures
  glean ahead --feed Harbour                     nothing of this feed
  glean ahead")]
pub struct Ahead {
    /// Say what is wished of a feed: its address, or a part of its title
    #[arg(long, value_name = "FEED", conflicts_with_all = ["starred", "all"])]
    pub feed: Option<String>,
    /// Say what is wished of starred articles, whatever their feed
    #[arg(long, conflicts_with = "all")]
    pub starred: bool,
    /// Say what is wished of all feeds that have no wish of their own
    #[arg(long)]
    pub all: bool,
    /// Full texts, from the articles' own pages
    #[arg(long)]
    pub text: bool,
    /// Pictures
    #[arg(long)]
    pub pictures: bool,
    /// As for all feeds
    #[arg(long, requires = "feed", conflicts_with_all = ["text", "pictures"])]
    pub as_all: bool,
    /// Keep so many MB of pictures at most
    #[arg(long, value_name = "MB", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    pub room: Option<u64>,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, ClapArgs)]
pub struct Why {
    /// Its address, or a part of its title
    #[arg(value_name = "FEED")]
    pub feed: String,
}

#[derive(Debug, ClapArgs)]
#[command(group = clap::ArgGroup::new("bound").multiple(true).args(["days", "articles", "bytes"]))]
pub struct Keep {
    /// Of this feed only: its address, or a part of its title
    #[arg(long, value_name = "FEED", conflicts_with = "folder")]
    pub feed: Option<String>,
    /// Of the feeds in this folder and in those in it: its names from the top, such as News/Local
    #[arg(long, value_name = "PATH")]
    pub folder: Option<String>,
    /// What came, was read and was listened to within so many days
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(i64).range(1..=36_500))]
    pub days: Option<i64>,
    /// The newest articles, so many of each feed
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(i64).range(1..))]
    pub articles: Option<i64>,
    /// The newest articles whose texts take so many bytes, of each feed
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(i64).range(1..))]
    pub bytes: Option<i64>,
    /// Let unread articles go too
    #[arg(long, requires = "bound")]
    pub unread_too: bool,
    /// Keep everything, whatever is said further out
    #[arg(long, conflicts_with_all = ["days", "articles", "bytes", "unread_too"])]
    pub everything: bool,
    /// Say nothing here: the folder's bounds hold, or those for all
    #[arg(long, conflicts_with_all = ["days", "articles", "bytes", "unread_too", "everything"])]
    pub inherit: bool,
    /// Only show what would go
    #[arg(long, conflicts_with_all = ["run", "bring_back"])]
    pub preview: bool,
    /// Let go of what is more now, and delete what went a day ago; the window does so by itself
    #[arg(long)]
    pub run: bool,
    /// Bring back what went within a day, and keep it for good
    #[arg(long, conflicts_with_all = ["feed", "folder", "days", "articles", "bytes", "unread_too", "everything", "inherit", "run", "json"])]
    pub bring_back: bool,
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, ClapArgs)]
pub struct Versions {
    /// Its number, as `glean search --json` has it
    #[arg(value_name = "ARTICLE")]
    pub article: i64,
    #[arg(long)]
    pub json: bool,
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

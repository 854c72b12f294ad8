//! Arguments of `glean account`.

use super::number::whole;
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use gleaner_sync::Kind;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub struct Account {
    #[command(subcommand)]
    pub command: AccountCommand,
}

/// An API of feed reader servers.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Api {
    /// Miniflux
    Miniflux,
    /// Nextcloud News
    NextcloudNews,
    /// Tiny Tiny RSS; can't change titles and folders of feeds
    TtRss,
    /// Feedbin; found automatically only at feedbin.com
    Feedbin,
    /// FreshRSS, Miniflux, Inoreader, The Old Reader, BazQux, FeedHQ and others
    GoogleReader,
    /// FreshRSS, Miniflux, CommaFeed, yarr and others; can't change subscriptions
    Fever,
}

impl Api {
    pub fn kind(self) -> Kind {
        match self {
            Self::Miniflux => Kind::Miniflux,
            Self::NextcloudNews => Kind::NextcloudNews,
            Self::TtRss => Kind::TtRss,
            Self::Feedbin => Kind::Feedbin,
            Self::GoogleReader => Kind::GoogleReader,
            Self::Fever => Kind::Fever,
        }
    }
}

/// The keys of an app, for Inoreader.
#[derive(Debug, ClapArgs)]
pub struct AppOptions {
    /// App ID, which Inoreader requires; create it in Inoreader's preferences, under Developer
    #[arg(long, value_name = "ID", requires = "app_key_file")]
    pub app_id: Option<String>,
    /// Read the app key from the first line of this file
    #[arg(long, value_name = "FILE", requires = "app_id")]
    pub app_key_file: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
pub enum AccountCommand {
    /// Add an account, and download its feeds and articles
    Add {
        /// Address of the server, such as rss.example
        address: String,
        /// User name; empty if the password is an API key of Miniflux
        #[arg(long, value_name = "NAME")]
        user: String,
        /// Read the password from the first line of this file (- is the standard input); prompts for it otherwise
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
        #[command(flatten)]
        app: AppOptions,
        /// Save the password in the library file instead of the keyring; anyone who can read the file can read it
        #[arg(long)]
        password_in_library: bool,
        /// Accept the server's invalid certificate with this fingerprint
        #[arg(long, value_name = "SHA256")]
        accept_certificate: Option<String>,
        /// Name of the account and of the folder of its feeds [default: the server's name, with the user name if another account has it]
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
        /// Number of the newest articles to download, in addition to unread and starred ones [default: 10000]
        #[arg(long, value_name = "N", value_parser = whole::<i64>(0..=1_000_000))]
        history: Option<i64>,
        /// API of the server [default: the most complete one that is found]
        #[arg(long, value_name = "API")]
        api: Option<Api>,
    },
    /// List the accounts
    List {
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Send changes to the servers, and receive changes from them
    Sync {
        /// Number, name or address of the account [default: all]
        account: Option<String>,
        /// Unsubscribe from feeds that the server no longer has, even from more than half of them
        #[arg(long)]
        accept_missing: bool,
        /// Print one JSON document per account
        #[arg(long)]
        json: bool,
    },
    /// Show when an account was synchronised, what was sent and received, and what went wrong
    Log {
        /// Number, name or address of the account
        account: String,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Show or change when an account is synchronised and how much it downloads
    Settings {
        /// Number, name or address of the account
        account: String,
        /// Minutes between synchronisations while Gleaner runs; 0: only by hand
        #[arg(long, value_name = "MINUTES", value_parser = whole::<i64>(0..=1440))]
        every: Option<i64>,
        /// Number of the newest articles to download, in addition to unread and starred ones. A lower number deletes nothing
        #[arg(long, value_name = "N", value_parser = whole::<i64>(0..=1_000_000))]
        history: Option<i64>,
    },
    /// Rename an account and the folder of its feeds
    Rename {
        /// Number, name or address of the account
        account: String,
        /// New name
        name: String,
    },
    /// Subscribe to a feed in an account
    Subscribe {
        /// Number, name or address of the account
        account: String,
        /// Address of the feed
        url: String,
        /// Name of the folder for the feed
        #[arg(long, value_name = "NAME")]
        folder: Option<String>,
    },
    /// Move feeds into an account or to this computer, with their articles, marks, tags and notes
    Move {
        /// Addresses of feeds or parts of their titles
        #[arg(required = true, value_name = "FEED")]
        feeds: Vec<String>,
        /// Number, name or address of the account; local: this computer
        #[arg(long, value_name = "ACCOUNT")]
        to: String,
    },
    /// Replace the password of an account, and the address of its server if that has moved
    Password {
        /// Number, name or address of the account
        account: String,
        /// New address of the server, such as rss.example [default: as before]
        #[arg(long, value_name = "ADDRESS")]
        address: Option<String>,
        /// Read the password from the first line of this file (- is the standard input); prompts for it otherwise
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
        #[command(flatten)]
        app: AppOptions,
        /// Save the password in the library file instead of the keyring
        #[arg(long)]
        password_in_library: bool,
        /// Accept the server's invalid certificate with this fingerprint
        #[arg(long, value_name = "SHA256")]
        accept_certificate: Option<String>,
    },
    /// Remove an account from Gleaner; the server keeps everything
    #[command(group = clap::ArgGroup::new("articles").required(true).args(["keep", "delete"]))]
    Remove {
        /// Number, name or address of the account
        account: String,
        /// Keep its feeds and articles; Gleaner checks the feeds from then on
        #[arg(long)]
        keep: bool,
        /// Delete its feeds and articles here
        #[arg(long)]
        delete: bool,
    },
    /// Restore an account that was removed within the last day
    Restore {
        /// Number or name of the account
        account: String,
    },
}

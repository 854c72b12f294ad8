//! Arguments of `glean share`.

use super::number::article;
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use gleaner_share::Kind;
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub struct Share {
    #[command(subcommand)]
    pub command: ShareCommand,
}

/// A kind of service.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum ServiceKind {
    Wallabag,
    /// Readwise Reader
    Readwise,
    Instapaper,
    Linkding,
    Karakeep,
    /// Zotero on this computer
    Zotero,
    /// A folder of Markdown files, such as an Obsidian vault
    Folder,
    /// An address that receives articles as JSON
    Webhook,
}

impl ServiceKind {
    pub fn kind(self) -> Kind {
        match self {
            Self::Wallabag => Kind::Wallabag,
            Self::Readwise => Kind::Readwise,
            Self::Instapaper => Kind::Instapaper,
            Self::Linkding => Kind::Linkding,
            Self::Karakeep => Kind::Karakeep,
            Self::Zotero => Kind::Zotero,
            Self::Folder => Kind::Folder,
            Self::Webhook => Kind::Webhook,
        }
    }
}

#[derive(Debug, Subcommand)]
pub enum ShareCommand {
    /// Add a service, if it accepts the login
    Add(NewShareService),
    /// List the services, and the number of articles waiting to be sent
    List {
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Save articles in a service; those that it can't receive now are sent later
    Save {
        /// Number or name of the service
        service: String,
        /// Numbers of articles, as `glean search` shows them
        #[arg(required = true, value_name = "ARTICLE", value_parser = article)]
        articles: Vec<i64>,
    },
    /// Send all articles waiting for a service, including those that it refused
    Send {
        /// Number or name of the service
        service: String,
    },
    /// Replace the password or token of a service, and its address or user name. If the service accepts them, waiting articles are sent
    Password {
        /// Number or name of the service
        service: String,
        /// New base address of the server; Wallabag at another server needs the ID and secret of an API client there
        #[arg(long)]
        address: Option<String>,
        /// New user name
        #[arg(long, value_name = "NAME")]
        user: Option<String>,
        /// Read the password or token from the first line of this file (- is the standard input); prompts for it otherwise
        #[arg(long, value_name = "FILE")]
        password_file: Option<PathBuf>,
        #[command(flatten)]
        client: ClientOptions,
        /// Save the password in the library file instead of the keyring
        #[arg(long)]
        password_in_library: bool,
    },
    /// Remove a service and the articles waiting for it from Gleaner; articles saved in the service stay there
    Remove {
        /// Number or name of the service
        service: String,
    },
}

/// The API client of the user at Wallabag.
#[derive(Debug, ClapArgs)]
pub struct ClientOptions {
    /// Id of the API client, for Wallabag
    #[arg(long, value_name = "ID", requires = "client_secret_file")]
    pub client_id: Option<String>,
    /// Read the secret of the API client from the first line of this file, for Wallabag
    #[arg(long, value_name = "FILE", requires = "client_id")]
    pub client_secret_file: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub struct NewShareService {
    pub kind: ServiceKind,
    /// Address of the server or webhook, or path of the folder; not needed for Readwise, Instapaper and Zotero
    pub address: Option<String>,
    /// User name, for Wallabag and Instapaper
    #[arg(long, value_name = "NAME")]
    pub user: Option<String>,
    /// Read the password or token from the first line of this file (- is the standard input); prompts for it otherwise
    #[arg(long, value_name = "FILE")]
    pub password_file: Option<PathBuf>,
    #[command(flatten)]
    pub client: ClientOptions,
    /// Save the password in the library file instead of the keyring; anyone who can read the file can read it
    #[arg(long)]
    pub password_in_library: bool,
    /// Name of the service in menus [default: its own]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
}

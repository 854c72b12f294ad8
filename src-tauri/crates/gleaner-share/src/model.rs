//! The articles to save, and the services to save them in.

use serde::Serialize;
use std::{fmt, str::FromStr};

/// An article to save.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Article {
    /// The same for each attempt to save this article, and another one when the user saves it again.
    pub id: String,
    /// Plain text.
    pub title: String,
    /// Address of its page.
    pub url: Option<String>,
    /// Plain text.
    pub author: Option<String>,
    /// Title of its feed.
    pub feed: String,
    /// When it was published, RFC 3339.
    pub published: Option<String>,
    /// Plain text.
    pub summary: String,
    /// The user's tags.
    pub tags: Vec<String>,
    /// The whole article with its title and source.
    pub markdown: String,
}

/// A kind of service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Wallabag: <https://doc.wallabag.org/developer/api/readme/>
    Wallabag,
    /// Readwise Reader: <https://readwise.io/reader_api>
    Readwise,
    /// Instapaper: <https://www.instapaper.com/api/simple>
    Instapaper,
    /// Linkding: <https://linkding.link/api/>
    Linkding,
    /// Karakeep: <https://docs.karakeep.app/api/karakeep-api>
    Karakeep,
    /// Zotero on this computer: <https://www.zotero.org/support/dev/client_coding/connector_http_server>
    Zotero,
    /// A folder of Markdown files, such as a vault of Obsidian.
    Folder,
    /// An address that receives articles as JSON.
    Webhook,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Wallabag,
        Self::Readwise,
        Self::Instapaper,
        Self::Linkding,
        Self::Karakeep,
        Self::Zotero,
        Self::Folder,
        Self::Webhook,
    ];

    /// Returns the name that the library stores.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Wallabag => "wallabag",
            Self::Readwise => "readwise",
            Self::Instapaper => "instapaper",
            Self::Linkding => "linkding",
            Self::Karakeep => "karakeep",
            Self::Zotero => "zotero",
            Self::Folder => "folder",
            Self::Webhook => "webhook",
        }
    }

    /// Returns the address that all users of the service have; `None` if each has their own.
    #[must_use]
    pub fn address(self) -> Option<&'static str> {
        match self {
            Self::Readwise => Some("https://readwise.io/"),
            Self::Instapaper => Some("https://www.instapaper.com/"),
            Self::Zotero => Some("http://127.0.0.1:23119/"),
            Self::Wallabag | Self::Linkding | Self::Karakeep | Self::Folder | Self::Webhook => None,
        }
    }

    /// Returns whether the service needs a password or token.
    #[must_use]
    pub fn needs_secret(self) -> bool {
        !matches!(self, Self::Zotero | Self::Folder | Self::Webhook)
    }
}

/// The text names no kind of service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an unknown kind of service")]
pub struct UnknownKind;

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(name: &str) -> Result<Self, UnknownKind> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or(UnknownKind)
    }
}

/// A service of the user.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Target {
    /// Base address of the server; a path for [`Kind::Folder`].
    pub address: String,
    /// User name; empty if the service has none.
    pub user: String,
    /// Password or token; empty if the service has none.
    pub secret: String,
    /// The id of the API client that the user created at Wallabag.
    pub client_id: String,
    /// Its secret.
    pub client_secret: String,
}

/// Without the secrets.
impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Target").field("address", &self.address).field("user", &self.user).finish_non_exhaustive()
    }
}

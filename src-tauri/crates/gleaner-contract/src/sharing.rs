//! Services that articles are saved in, as the settings and menus show them. No response contains a password or token.

use crate::IpcError;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A kind of service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ShareKind {
    Wallabag,
    Readwise,
    Instapaper,
    Linkding,
    Karakeep,
    /// Zotero on this computer.
    Zotero,
    /// A folder of Markdown files, such as an Obsidian vault.
    Folder,
    Webhook,
}

/// A service of the user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ShareService {
    pub id: i64,
    pub kind: ShareKind,
    /// Name that the user sees.
    pub name: String,
    /// Base address of the server, or path of the folder.
    pub address: String,
    /// Empty if the service needs none.
    pub user_name: String,
    /// Number of articles that have not been sent to it yet.
    pub waiting: i64,
    /// Number of articles that it refused.
    pub refused: i64,
    /// Why it cannot be used.
    pub error: Option<IpcError>,
}

/// Adds a service, after it accepted the login.
#[derive(Clone, PartialEq, Eq, Deserialize, TS)]
pub struct AddShareService {
    pub kind: ShareKind,
    /// Name that the user sees; empty: that of the service.
    pub name: String,
    /// Base address of the server; empty for services that have one for all users. For a folder, a dialog opens.
    pub address: String,
    /// Empty if the service needs none.
    pub user_name: String,
    /// Password or token; empty if the service needs none.
    pub password: String,
    /// Id and secret of the API client that the user created; for Wallabag only.
    pub client_id: String,
    pub client_secret: String,
    /// Stores the password in the library file, for computers without a keyring.
    pub password_in_library: bool,
}

/// Replaces the login of a service, and its address, after it accepted them.
#[derive(Clone, PartialEq, Eq, Deserialize, TS)]
pub struct SetShareLogin {
    pub service_id: i64,
    /// Base address of the server; empty: as before.
    pub address: String,
    /// Empty: as before.
    pub user_name: String,
    /// Password or token. Empty for a webhook: as before, unless it is another server.
    pub password: String,
    /// Id and secret of the API client, for Wallabag only; empty: as before, unless it is another server.
    pub client_id: String,
    pub client_secret: String,
    /// Stores the password in the library file, for computers without a keyring.
    pub password_in_library: bool,
}

/// Renames a service.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct RenameShareService {
    pub service_id: i64,
    pub name: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
pub struct ShareServiceId {
    pub service_id: i64,
}

/// Saves articles in a service.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct ShareArticles {
    pub service_id: i64,
    pub ids: Vec<i64>,
}

/// The result of saving articles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct Shared {
    /// Number of articles that were saved.
    pub saved: i64,
    /// Number of articles that are sent later.
    pub waiting: i64,
    /// Number of articles that the service refused.
    pub refused: i64,
    /// Why not all were saved.
    pub error: Option<IpcError>,
}

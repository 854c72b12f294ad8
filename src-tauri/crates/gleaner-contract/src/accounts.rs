//! Accounts at feed reader servers, as the settings show them. No response contains a password.

use crate::{Certificate, IpcError};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// An account at a feed reader server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ServerAccount {
    pub id: i64,
    /// Name that the user sees.
    pub name: String,
    /// Base address of the server's API.
    pub url: String,
    /// Empty if the server needs none.
    pub user_name: String,
    /// When it was last synchronised without an error, in Unix milliseconds.
    pub synced_at: Option<i64>,
    /// Number of changes that the server does not have yet.
    pub waiting_changes: i64,
    /// Why the last synchronisation failed.
    pub error: Option<IpcError>,
    /// When the user removed it, in Unix milliseconds. It can be restored for a day.
    pub removed_at: Option<i64>,
}

/// Adds an account, after its server accepted the login.
#[derive(Clone, PartialEq, Eq, Deserialize, TS)]
pub struct AddServerAccount {
    /// Address of the server, with or without the path of its API.
    pub address: String,
    pub user_name: String,
    pub password: String,
    /// Stores the password in the library file, for computers without a keyring.
    pub password_in_library: bool,
    /// Fingerprint of the certificate to accept, as in [`Certificate`].
    pub certificate: Option<String>,
}

/// The result of adding an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AddedServerAccount {
    Added {
        account: ServerAccount,
    },
    /// The server's certificate is not valid; nothing was sent to it.
    Certificate {
        certificate: Certificate,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
pub struct ServerAccountId {
    pub account_id: i64,
}

/// Replaces the password of an account, after its server accepted it.
#[derive(Clone, PartialEq, Eq, Deserialize, TS)]
pub struct SetServerPassword {
    pub account_id: i64,
    pub password: String,
    /// Stores the password in the library file, for computers without a keyring.
    pub password_in_library: bool,
}

/// Removes an account from this computer; the server is not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
pub struct RemoveServerAccount {
    pub account_id: i64,
    /// Whether its feeds become feeds of this computer. Otherwise they are deleted with their articles.
    pub keep: bool,
}

/// What a synchronisation changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ServerSynced {
    pub new_articles: i64,
    /// Number of articles whose marks changed at the server.
    pub changed_articles: i64,
    /// Number of changes that the server has now.
    pub sent: i64,
    /// Titles of feeds whose change the server refused, or its API does not have.
    pub refused: Vec<String>,
}

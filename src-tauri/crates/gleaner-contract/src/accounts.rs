//! Accounts on feed reader servers, as the settings show them. No response contains a password.

use crate::{Certificate, IpcError};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// An account on a feed reader server.
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
    /// Whether this computer was offline then. Changes wait until it is online again.
    pub offline: bool,
    /// When the user removed it, in Unix milliseconds. It can be restored for a day.
    pub removed_at: Option<i64>,
    /// Minutes between two synchronisations in the background; 0: only by hand.
    pub sync_minutes: i64,
    /// Number of the newest articles to download, besides unread and starred ones.
    pub history: i64,
}

/// Adds an account, after its server accepted the login.
#[derive(Clone, PartialEq, Eq, Deserialize, TS)]
pub struct AddServerAccount {
    /// Address of the server, with or without the path of its API.
    pub address: String,
    pub user_name: String,
    pub password: String,
    /// The keys of an app, if the server requires them (Inoreader).
    pub app: Option<AppKeys>,
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

/// A feed that was unsubscribed here and that the server of its account keeps.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ServerOnlyFeed {
    /// Id on the server.
    pub remote_id: String,
    /// Its title, or its address.
    pub title: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct ServerOnlyFeedId {
    pub account_id: i64,
    pub remote_id: String,
}

/// Replaces the password of an account, and the address of its server, after the server accepted the login.
#[derive(Clone, PartialEq, Eq, Deserialize, TS)]
pub struct SetServerLogin {
    pub account_id: i64,
    /// Address of the server, with or without the path of its API.
    pub address: String,
    pub password: String,
    /// The keys of an app, if the server requires them; `None`: unchanged.
    pub app: Option<AppKeys>,
    /// Stores the password in the library file, for computers without a keyring.
    pub password_in_library: bool,
    /// Fingerprint of the certificate to accept, as in [`Certificate`]; `None`: the one that was accepted for this server.
    pub certificate: Option<String>,
}

/// The keys of an app, which the user creates on the server (Inoreader).
#[derive(Clone, PartialEq, Eq, Deserialize, TS)]
pub struct AppKeys {
    pub id: String,
    pub key: String,
}

/// Without the secret.
impl std::fmt::Debug for AppKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AppKeys").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Removes an account from this computer; the server is not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
pub struct RemoveServerAccount {
    pub account_id: i64,
    /// Whether its feeds become feeds of this computer. Otherwise they are deleted with their articles.
    pub keep: bool,
}

/// Renames an account and the folder of its feeds.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct RenameServerAccount {
    pub account_id: i64,
    pub name: String,
}

/// Moves feeds into an account or out of one. The server is informed with the next synchronisation.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, TS)]
pub struct MoveToAccount {
    pub feeds: Vec<i64>,
    /// `null`: this computer.
    pub account_id: Option<i64>,
}

/// What a synchronisation changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct ServerSynced {
    pub new_articles: i64,
    /// Number of articles whose marks changed on the server.
    pub changed_articles: i64,
    /// Number of changes that were sent to the server.
    pub sent: i64,
    /// Titles of feeds whose change the server refused or its API does not support.
    pub refused: Vec<String>,
}

/// Sets when an account is synchronised, and how much it downloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, TS)]
pub struct SetServerOptions {
    pub account_id: i64,
    /// Minutes between two synchronisations in the background; 0: only by hand.
    pub sync_minutes: i64,
    /// Number of the newest articles to download, besides unread and starred ones. With a lower number nothing is deleted.
    pub history: i64,
}

/// A stage of a synchronisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SyncStage {
    LogIn,
    Send,
    Feeds,
    Lists,
    Articles,
}

/// Progress of the running synchronisation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct SyncProgress {
    pub account_id: i64,
    pub stage: SyncStage,
    /// Number of marks sent, or of articles downloaded.
    pub done: i64,
    /// Number of articles to download, if the server's API says.
    pub total: Option<i64>,
}

/// A synchronisation from the log of an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct SyncLogEntry {
    /// When it began, in Unix milliseconds; if it failed several times in the same way, when the last one began.
    pub at: i64,
    pub duration_ms: i64,
    pub requests: i64,
    /// Bytes received.
    pub bytes: i64,
    /// Number of marks and changes of subscriptions sent.
    pub sent: i64,
    pub new_articles: i64,
    /// Number of articles whose marks changed on the server.
    pub changed_articles: i64,
    pub feeds_added: i64,
    pub feeds_left: i64,
    /// Whether a list of the server was incomplete, so that changes made elsewhere may be missing.
    pub incomplete: bool,
    /// Whether the user stopped it.
    pub stopped: bool,
    pub error: Option<IpcError>,
    /// Changes that the server did not accept.
    pub rejections: Vec<SyncRejection>,
    /// How many times in a row it failed in this way.
    pub times: i64,
}

/// A change that the server did not accept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct SyncRejection {
    pub kind: SyncRejectionKind,
    /// Title of a feed, or name of a label.
    pub title: String,
}

/// What happens to a change that the server did not accept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SyncRejectionKind {
    /// It was abandoned.
    Refused,
    /// It is sent again.
    Delayed,
    /// The server's API has no request for it.
    Unsupported,
    /// The feed was unsubscribed here only: the server keeps it.
    Kept,
}

/// How the marks of an article changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct MarkHistory {
    /// Name of the account that the article is from; `None` for feeds that Gleaner checks itself.
    pub account: Option<String>,
    /// When it was received from that account, in Unix milliseconds.
    pub received_at: Option<i64>,
    /// The changes, newest first.
    pub changes: Vec<MarkChange>,
}

/// A change of a mark, or whether the server accepted it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, TS)]
pub struct MarkChange {
    /// In Unix milliseconds.
    pub at: i64,
    pub mark: MarkName,
    /// Name of the tag.
    pub tag: Option<String>,
    pub on: bool,
    pub cause: MarkCause,
    /// Name of the account; `None` if it was deleted.
    pub account: Option<String>,
    /// Name of the rule.
    pub rule: Option<String>,
}

/// The mark of an article that changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum MarkName {
    Read,
    Starred,
    Tag,
}

/// Why a mark changed, or whether the server accepted it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum MarkCause {
    /// The user set it here.
    Here,
    Undo,
    Rule,
    /// A duplicate of the article was marked.
    Duplicate,
    Import,
    /// Another client set it on the server.
    Server,
    /// The server received it.
    Sent,
    /// The server refused it.
    Refused,
}

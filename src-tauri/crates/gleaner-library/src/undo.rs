//! What the last steps were, so that they can be taken back: for as long as the library is open.

use crate::{Access, Library, LibraryError, Millis, merge::Merged, table::folders::FolderRow};
use std::sync::{Mutex, PoisonError};

/// So many steps can be taken back.
const KEPT: usize = 100;

/// What was done, and the number that undoes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Undoable {
    /// How many things were changed.
    pub count: usize,
    /// For [`Library::undo`].
    pub step: i64,
}

#[derive(Debug, Clone)]
pub(crate) enum Undo {
    /// The values to give back, and to whom.
    Marked {
        read: Option<(bool, Vec<i64>)>,
        starred: Option<(bool, Vec<i64>)>,
    },
    Unsubscribed(i64),
    /// Where a feed was fetched before.
    ChangedAddress {
        feed: i64,
        url: String,
        former_url: Option<String>,
    },
    /// How a feed was reached before.
    ChangedAccess {
        feed: i64,
        before: Option<Box<Access>>,
    },
    Merged(Merged),
    /// The newest article when it was kept before.
    KeptSilent {
        feed: i64,
        before: Option<Millis>,
    },
    DeletedFolder {
        folder: FolderRow,
        feeds: Vec<i64>,
        folders: Vec<i64>,
    },
}

#[derive(Debug, Default)]
pub(crate) struct UndoStack(Mutex<(i64, Vec<(i64, Undo)>)>);

impl UndoStack {
    pub(crate) fn push(&self, count: usize, undo: Undo) -> Undoable {
        let mut stack = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        stack.0 += 1;
        let step = stack.0;
        stack.1.push((step, undo));
        if stack.1.len() > KEPT {
            stack.1.remove(0);
        }
        Undoable { count, step }
    }

    /// Names in the keyring of secrets that can still be brought back.
    pub(crate) fn keyring_entries(&self) -> Vec<String> {
        let stack = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = |(_, undo): &(i64, Undo)| match undo {
            Undo::ChangedAccess { before, .. } => before.as_ref()?.keyring_entry.clone(),
            _ => None,
        };
        stack.1.iter().filter_map(entry).collect()
    }

    fn take(&self, step: i64) -> Option<Undo> {
        let mut stack = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = stack.1.iter().position(|(number, _)| *number == step)?;
        Some(stack.1.remove(at).1)
    }
}

impl Library {
    /// Takes a step back. Each can be taken back once, in any order.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`] when the step was taken back already or is too long ago.
    pub async fn undo(&self, step: i64) -> Result<(), LibraryError> {
        match self.undo.take(step).ok_or(LibraryError::NotFound("step"))? {
            Undo::Marked { read, starred } => {
                for (ids, read, starred) in [
                    read.map(|(value, ids)| (ids, Some(value), None)),
                    starred.map(|(value, ids)| (ids, None, Some(value))),
                ]
                .into_iter()
                .flatten()
                {
                    self.mark(&ids, read, starred).await?;
                }
                Ok(())
            }
            Undo::Unsubscribed(feed) => self.resubscribe(feed).await,
            Undo::ChangedAddress { feed, url, former_url } => self.restore_url(feed, &url, former_url.as_deref()).await,
            Undo::ChangedAccess { feed, before } => match before {
                Some(access) => self.set_access(&access).await,
                None => self.delete_access(feed).await,
            },
            Undo::KeptSilent { feed, before } => self.restore_silent(feed, before).await,
            Undo::Merged(merged) => self.part(&merged).await,
            Undo::DeletedFolder { folder, feeds, folders } => self.restore_folder(&folder, &feeds, &folders).await,
        }
    }
}

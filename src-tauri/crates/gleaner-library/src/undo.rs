//! What the last steps were, so that they can be taken back: for as long as the library is open.

use crate::{
    Access, FeedScope, Keep, Library, LibraryError, Millis, Preferences,
    arrange::Place,
    merge::Merged,
    table::{
        feeds::Fetched,
        folders::FolderRow,
        notes::ChangedNote,
        rule_touches::Applied,
        rules::{Changed, RuleRow},
        saved_searches::{ChangedSearch, DeletedSearch},
        states::Marked,
        tags::{DeletedTag, RenamedTag, Tagged},
    },
};
use std::sync::{Mutex, PoisonError};

/// So many steps can be taken back, …
const KEPT: usize = 100;
/// … or as many as speak of so many articles together: but always the last.
const ARTICLES: usize = 2_000_000;

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
    Marked(Vec<Marked>),
    Tagged(Tagged),
    DeletedTag(DeletedTag),
    Note(ChangedNote),
    /// What rules were before.
    ChangedRules(Changed, Vec<RuleRow>),
    Applied(Applied),
    RenamedTag(RenamedTag),
    ChangedSearch(ChangedSearch),
    DeletedSearch(DeletedSearch),
    /// What a category meant before.
    Synonym {
        key: String,
        before: Option<String>,
    },
    /// Where feeds and folders stood before.
    Arranged {
        feeds: Vec<Place>,
        folders: Vec<Place>,
    },
    Unsubscribed(Vec<i64>),
    /// Where a feed was fetched before.
    ChangedAddress {
        feed: i64,
        before: Fetched,
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
        preferences: Preferences,
        keep: Option<Keep>,
        feeds: Vec<i64>,
        folders: Vec<i64>,
        rules: Vec<i64>,
    },
    /// What was said before of how much is kept, and the step that let go.
    Kept {
        scope: FeedScope,
        before: Option<Keep>,
        step: Millis,
    },
}

impl Undo {
    /// How many articles it has in memory.
    fn articles(&self) -> usize {
        let marked = |marks: &[Marked]| marks.iter().map(|marked| marked.items.len()).sum::<usize>();
        let tagged = |tags: &[Tagged]| tags.iter().map(|tagged| tagged.items.len()).sum::<usize>();
        match self {
            Self::Marked(marks) => marked(marks),
            Self::Tagged(one) => one.items.len(),
            Self::DeletedTag(tag) => tag.items.len(),
            Self::Applied(applied) => marked(&applied.marks) + tagged(&applied.tags) + applied.ahead.len(),
            Self::RenamedTag(tag) => tag.came.items.len() + tag.other.as_ref().map_or(0, |other| other.items.len()),
            Self::Merged(merged) => merged.articles(),
            _ => 0,
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct UndoStack(Mutex<(i64, Vec<(i64, Undo)>)>);

impl UndoStack {
    pub(crate) fn push(&self, count: usize, undo: Undo) -> Undoable {
        let mut stack = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        stack.0 += 1;
        let step = stack.0;
        stack.1.push((step, undo));
        let (mut articles, mut kept) = (0, 0);
        for (_, undo) in stack.1.iter().rev().take(KEPT) {
            articles += undo.articles();
            if kept > 0 && articles > ARTICLES {
                break;
            }
            kept += 1;
        }
        let gone = stack.1.len() - kept;
        stack.1.drain(..gone);
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

    /// The feed that this one was merged into, where that can still be taken back.
    pub(crate) fn merged_into(&self, feed: i64) -> Option<i64> {
        let stack = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        stack.1.iter().rev().find_map(|(_, undo)| match undo {
            Undo::Merged(merged) => merged.of(feed),
            _ => None,
        })
    }

    fn take(&self, step: i64) -> Option<Undo> {
        let mut stack = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = stack.1.iter().position(|(number, _)| *number == step)?;
        Some(stack.1.remove(at).1)
    }

    /// It could not be taken back now: it still can be.
    fn put_back(&self, step: i64, undo: Undo) {
        let mut stack = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = stack.1.partition_point(|(number, _)| *number < step);
        stack.1.insert(at, (step, undo));
    }
}

impl Library {
    /// Takes a step back. Each can be taken back once, in any order; where that fails, it can be tried again.
    ///
    /// # Errors
    /// [`LibraryError::NotFound`] when the step was taken back already or is too long ago.
    pub async fn undo(&self, step: i64) -> Result<(), LibraryError> {
        let undo = self.undo.take(step).ok_or(LibraryError::NotFound("step"))?;
        let done = match &undo {
            Undo::Marked(marks) => self.unmark(marks).await,
            Undo::Tagged(tagged) => self.untag(tagged).await,
            Undo::DeletedTag(tag) => self.restore_tag(tag).await,
            Undo::RenamedTag(tag) => self.restore_tag_name(tag).await,
            Undo::Note(changed) => self.restore_note(changed).await,
            Undo::ChangedSearch(before) => self.restore_search(before).await,
            Undo::DeletedSearch(gone) => self.bring_back_search(gone).await,
            Undo::Synonym { key, before } => self.restore_synonym(key, before.as_deref()).await,
            Undo::ChangedRules(what, rows) => self.restore_rules(*what, rows).await,
            Undo::Applied(applied) => self.unapply(applied).await,
            Undo::Arranged { feeds, folders } => self.arrange_back(feeds, folders).await,
            Undo::Unsubscribed(feeds) => self.resubscribe(feeds).await,
            Undo::ChangedAddress { feed, before } => self.restore_url(*feed, before).await,
            Undo::ChangedAccess { feed, before } => match before {
                Some(access) => self.set_access(access).await,
                None => self.delete_access(*feed).await,
            },
            Undo::KeptSilent { feed, before } => self.restore_silent(*feed, *before).await,
            Undo::Merged(merged) => self.part(merged).await,
            Undo::DeletedFolder { folder, preferences, keep, feeds, folders, rules } => {
                self.restore_folder(folder, (*preferences, *keep), feeds, folders, rules).await
            }
            Undo::Kept { scope, before, step } => self.undo_keep(*scope, *before, *step).await,
        };
        if done.is_err() {
            self.undo.put_back(step, undo);
        }
        done
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mark;

    #[test]
    fn steps_are_kept_by_their_number_and_by_the_memory_that_they_take() {
        let stack = UndoStack::default();
        let marked = |articles| Undo::Marked(vec![Marked { mark: Mark::Read, on: true, items: vec![1; articles] }]);
        let first = stack.push(1, marked(1)).step;
        for _ in 1..KEPT {
            stack.push(1, marked(1));
        }
        assert!(stack.take(first).is_some());
        let large = stack.push(1, marked(ARTICLES)).step;
        assert!(stack.take(large - 1).is_none() && stack.take(large).is_some(), "the last one always is");
        let small = stack.push(1, marked(1)).step;
        stack.push(1, marked(ARTICLES - 1));
        assert!(stack.take(small).is_some());
    }
}

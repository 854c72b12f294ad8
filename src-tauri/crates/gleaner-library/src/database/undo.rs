//! The last steps of the user, each with the data needed to undo it. They are kept while the library is open. Each repository implements
//! [`UndoStep`] to undo its steps.

use super::Database;
use crate::LibraryError;
use futures::future::BoxFuture;
use parking_lot::Mutex;
use std::{any::Any, fmt};

/// Maximum number of steps that can be undone. The window keeps 100; the undoing of a note or rule that was added takes a second
/// one here, so that it can be redone.
const MAX_STEPS: usize = 250;
/// Maximum number of articles that the steps may remember together; the last step is always kept.
const MAX_ARTICLES: usize = 2_000_000;

/// What a step changed, and its number for undoing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Undoable {
    /// How many things were changed.
    pub count: usize,
    /// For [`crate::Library::undo`].
    pub step: i64,
}

/// What undoing a step did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Undone {
    /// Titles of the feeds that could not be restored with the others: they were deleted, or their addresses are subscribed again.
    pub lost_feeds: Vec<String>,
}

/// How a step is undone.
pub(crate) trait UndoStep: Any + fmt::Debug + Send + Sync {
    /// Undoes the step. If that fails, nothing has changed, and it can be tried again.
    fn undo<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>>;

    /// Undoes the step as far as possible. If that fails, nothing has changed, and it can be tried again.
    fn undo_what_exists<'a>(&'a self, db: &'a Database) -> BoxFuture<'a, Result<Undone, LibraryError>> {
        Box::pin(async move { self.undo(db).await.map(|()| Undone::default()) })
    }

    /// Number of articles that the step remembers.
    fn articles(&self) -> usize {
        0
    }

    /// The name of the keyring entry that undoing needs.
    fn keyring_entry(&self) -> Option<&str> {
        None
    }

    /// The article that this one is in the feed that the step merged its feed into.
    fn counterpart(&self, _article: i64) -> Option<i64> {
        None
    }
}

#[derive(Debug, Default)]
struct Steps {
    last: i64,
    kept: Vec<(i64, Box<dyn UndoStep>)>,
}

#[derive(Debug, Default)]
pub(crate) struct UndoStack(Mutex<Steps>);

impl UndoStack {
    /// Remembers a step that changed `count` things.
    pub(crate) fn push(&self, count: usize, step: impl UndoStep + 'static) -> Undoable {
        let mut steps = self.0.lock();
        steps.last += 1;
        let number = steps.last;
        steps.kept.push((number, Box::new(step)));
        let (mut articles, mut kept) = (0, 0);
        for (_, step) in steps.kept.iter().rev().take(MAX_STEPS) {
            articles += step.articles();
            if kept > 0 && articles > MAX_ARTICLES {
                break;
            }
            kept += 1;
        }
        let dropped = steps.kept.len() - kept;
        steps.kept.drain(..dropped);
        Undoable { count, step: number }
    }

    /// Returns the keyring entries that undoing may need.
    pub(crate) fn keyring_entries(&self) -> Vec<String> {
        let steps = self.0.lock();
        steps.kept.iter().filter_map(|(_, step)| step.keyring_entry().map(str::to_owned)).collect()
    }

    /// Returns the article that replaced this one when its feed was merged into another, if the merge can still be undone.
    pub(crate) fn counterpart(&self, article: i64) -> Option<i64> {
        let steps = self.0.lock();
        steps.kept.iter().rev().find_map(|(_, step)| step.counterpart(article))
    }

    pub(crate) fn take(&self, number: i64) -> Option<Box<dyn UndoStep>> {
        let mut steps = self.0.lock();
        let at = steps.kept.iter().position(|(kept, _)| *kept == number)?;
        Some(steps.kept.remove(at).1)
    }

    pub(crate) fn put_back(&self, number: i64, step: Box<dyn UndoStep>) {
        let mut steps = self.0.lock();
        let at = steps.kept.partition_point(|(kept, _)| *kept < number);
        steps.kept.insert(at, (number, step));
    }
}

/// Undoes a step. Each can be undone once, in any order; if that fails, it can be tried again.
pub(crate) async fn undo(db: &Database, number: i64) -> Result<Undone, LibraryError> {
    let step = db.undo.take(number).ok_or(LibraryError::NotFound("step"))?;
    let done = step.undo_what_exists(db).await;
    if done.is_err() {
        db.undo.put_back(number, step);
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Marked(usize);

    impl UndoStep for Marked {
        fn undo<'a>(&'a self, _db: &'a Database) -> BoxFuture<'a, Result<(), LibraryError>> {
            Box::pin(async { Ok(()) })
        }

        fn articles(&self) -> usize {
            self.0
        }
    }

    #[test]
    fn limits_steps_by_number_and_by_remembered_articles() {
        let stack = UndoStack::default();
        let first = stack.push(1, Marked(1)).step;
        for _ in 1..MAX_STEPS {
            stack.push(1, Marked(1));
        }
        assert!(stack.take(first).is_some());
        let large = stack.push(1, Marked(MAX_ARTICLES)).step;
        assert!(stack.take(large - 1).is_none() && stack.take(large).is_some(), "the last step is always kept");
        let small = stack.push(1, Marked(1)).step;
        stack.push(1, Marked(MAX_ARTICLES - 1));
        assert!(stack.take(small).is_some());
    }
}
